"""The report in a terminal: a table, then a section a call. rich does the layout."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cursor_replay.diagnose.report import Call, Report
from cursor_replay.render.diagnosis import words
from cursor_replay.render.limits import one_line

SECTIONS = 50
"""Calls that get a section of their own; ``everything`` lifts the limit."""
_NARROW = 70
_FILE, _ENDS = 40, 24
_COLOURS = {
    "denied": "red", "abort": "yellow", "sdk-failure": "red", "run-drain": "yellow",
    "no-completion-at-run-end": "yellow", "process-died": "red", "capture-cut": "magenta",
    "arguments-cut": "magenta", "running": "cyan", "not-recorded": "dim",
}  # fmt: skip


def render(
    report: Report, *, width: int, color: str | None, everything: bool = False
) -> Iterator[str]:
    """The pieces of the report, ``width`` columns wide; ``color`` is a colour system of rich."""
    narrow, names = width < _NARROW, words.labels(report)
    yield _drawn(_head(report, narrow=narrow), width, color)
    if report.calls:
        yield _drawn([Text(), _table(report.calls, width=width, names=names)], width, color)
    shown = report.calls if everything else report.calls[:SECTIONS]
    for number, call in enumerate(shown, 1):
        yield _drawn(_section(number, call, names=names), width, color)
    yield _drawn(_foot(report, len(report.calls) - len(shown)), width, color)


def _head(report: Report, *, narrow: bool) -> Iterable[RenderableType]:
    if not report.scrubbed:
        yield Text(words.NOT_SCRUBBED, style="bold red")
    yield Text(words.heading(report), style="bold")
    rows = words.recordings(report)
    if narrow:
        yield from (Text(", ".join(row), style="dim", overflow="fold") for row in rows)
        return
    grid = Table.grid(padding=(0, 2))
    for number in range(4):
        grid.add_column(
            style="dim",
            no_wrap=number < 3,
            overflow="ellipsis" if number < 3 else "fold",
            max_width=_FILE if number == 0 else None,
            min_width=_ENDS if number == 3 else None,
        )
    for row in rows:
        grid.add_row(*map(Text, row))
    yield grid


def _table(calls: Sequence[Call], *, width: int, names: Mapping[str, str]) -> Table:
    """The list: every column as wide as its words up to a limit, the target takes the rest."""
    columns = ["#", "tool", "target", "reason"]
    if width >= _NARROW:
        columns += ["started", "open for"]
    rows = [_cells(number, call, names=names) for number, call in enumerate(calls, 1)]
    widths = {
        name: min(_LIMITS[name], max(cell_len(name), *(cell_len(row[name]) for row in rows)))
        for name in columns
    }
    left = width - sum(widths.values()) + widths["target"] - 3 * (len(columns) - 1)
    widths["target"] = max(8, min(widths["target"], left))
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    for name in columns:
        table.add_column(
            name,
            width=widths[name],
            justify="right" if name in ("#", "open for") else "left",
            no_wrap=name != "reason",
            overflow="fold" if name == "reason" else "ellipsis",
        )
    for call, row in zip(calls, rows, strict=True):
        style = {"reason": _COLOURS[call.reason]}
        table.add_row(*(Text(row[name], style=style.get(name, "")) for name in columns))
    return table


def _cells(number: int, call: Call, *, names: Mapping[str, str]) -> dict[str, str]:
    return {
        "#": str(number),
        "tool": one_line(call.tool),
        "target": one_line(call.target or ""),
        "reason": words.reason(call),
        "started": words.place(call, names),
        "open for": words.span(call.evidence.open_ms),
    }


_LIMITS = {"#": 6, "tool": 16, "target": 120, "reason": 24, "started": 28, "open for": 12}
"""Columns at most; longer words are cut, and stand whole in the section of the call."""


def _section(number: int, call: Call, *, names: Mapping[str, str]) -> Iterable[RenderableType]:
    head = Text(f"{number}  {one_line(call.title)}", style="bold")
    if call.target:
        head.append(f"  {one_line(call.target)}", style="not bold")
    yield Text()
    yield head
    line = Text(words.reason(call), style=_COLOURS[call.reason])
    line.append(f": {call.meaning}", style="default")
    yield Padding(line, (0, 0, 0, 3))
    yield Padding(_facts(call, names=names), (1, 0, 0, 3))


def _facts(call: Call, *, names: Mapping[str, str]) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    steps = words.timeline(call, names)
    for index, step in enumerate(steps):
        _row(grid, "timeline" if index == 0 else "", step.when, step.what)
    for index, (surface, says) in enumerate(words.surfaces(call)):
        _row(grid, "surfaces" if index == 0 else "", surface, says)
    _row(grid, "pi-cursor-sdk", "", words.policies(call))
    if call.call_id_hash:
        _row(grid, "call id", "", f"sha256 {call.call_id_hash}…")
    for note in call.ambiguous:
        _row(grid, "not sure", "", one_line(note))
    _row(grid, "next", "", call.suggestion)
    return grid


def _row(grid: Table, name: str, label: str, text: str) -> None:
    grid.add_row(Text(name), Text(one_line(label)), Text(one_line(text)))


def _foot(report: Report, more: int) -> Iterable[RenderableType]:
    if more:
        yield Text(f"\n{more:,} more calls; --all shows them", style="dim")
    if line := words.counted(report):
        yield Text(f"\n{line} (--all lists them)", style="dim")
    if report.problems:
        yield Text("\nOther problems", style="bold")
        for one in report.problems:
            yield Padding(Text(words.problem(one)), (0, 0, 0, 3))


def _drawn(pieces: Iterable[RenderableType], width: int, color: str | None) -> str:
    system: Any = color
    console = Console(
        file=StringIO(),
        width=width,
        color_system=system,
        force_terminal=color is not None,
        highlight=False,
        emoji=False,
        markup=False,
        legacy_windows=False,
    )
    with console.capture() as captured:
        for piece in pieces:
            console.print(piece, soft_wrap=False)
    return "".join(line.rstrip(" ") + "\n" for line in captured.get().splitlines())
