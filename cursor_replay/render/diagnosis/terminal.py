"""The report in a terminal: a table, then a section a call. rich does the layout."""

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any

from rich.box import SIMPLE_HEAD
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
_COLOURS = {
    "denied": "red", "abort": "yellow", "sdk-failure": "red", "run-drain": "yellow",
    "no-completion-at-run-end": "yellow", "process-died": "red", "capture-cut": "magenta",
    "arguments-cut": "magenta", "running": "cyan", "not-recorded": "dim",
}  # fmt: skip


def render(
    report: Report, *, width: int, color: str | None, everything: bool = False
) -> Iterator[str]:
    """The pieces of the report, ``width`` columns wide; ``color`` is a colour system of rich."""
    listed = [call for call in report.calls if everything or call.reason != words.FOLDED]
    rest = [] if everything else [call for call in report.calls if call.reason == words.FOLDED]
    yield _drawn(_head(report), width, color)
    if listed:
        yield _drawn([_table(listed, narrow=width < _NARROW)], width, color)
    shown = listed if everything else listed[:SECTIONS]
    for number, call in enumerate(shown, 1):
        yield _drawn(_section(number, call), width, color)
    yield _drawn(_foot(report, rest, len(listed) - len(shown)), width, color)


def _head(report: Report) -> Iterable[RenderableType]:
    yield Text(words.heading(report, report.calls), style="bold")
    grid = Table.grid(padding=(0, 2))
    for overflow in ("fold", "ellipsis", "ellipsis"):
        grid.add_column(style="dim", overflow=overflow, no_wrap=overflow == "ellipsis")
    grid.add_column(style="dim", overflow="fold", ratio=1)
    for row in words.recordings(report):
        grid.add_row(*map(Text, row))
    yield grid
    yield Text()


def _table(calls: Sequence[Call], *, narrow: bool) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("tool", no_wrap=True)
    table.add_column("target", no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column("reason", overflow="fold")
    if not narrow:
        table.add_column("started", no_wrap=True, overflow="ellipsis")
        table.add_column("open", justify="right", no_wrap=True)
    for number, call in enumerate(calls, 1):
        cells = [
            Text(str(number)),
            Text(one_line(call.tool)),
            Text(one_line(call.target or "")),
            Text(words.reason(call), style=_COLOURS[call.reason]),
        ]
        if not narrow:
            cells += [Text(words.place(call)), Text(words.span(call.evidence.open_ms))]
        table.add_row(*cells)
    return table


def _section(number: int, call: Call) -> Iterable[RenderableType]:
    head = Text(f"{number}  {one_line(call.title)}", style="bold")
    if call.target:
        head.append(f"  {one_line(call.target)}", style="not bold")
    yield Text()
    yield head
    line = Text(words.reason(call), style=_COLOURS[call.reason])
    line.append(f": {call.meaning}", style="default")
    yield Padding(line, (0, 0, 0, 3))
    yield Padding(_facts(call), (1, 0, 0, 3))


def _facts(call: Call) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    steps = words.timeline(call)
    for index, step in enumerate(steps):
        _row(grid, "timeline" if index == 0 else "", step.when, step.what)
    for index, (surface, says) in enumerate(words.surfaces(call)):
        _row(grid, "surfaces" if index == 0 else "", surface, says)
    _row(grid, "reference", "", words.policies(call))
    if call.call_id_hash:
        _row(grid, "call id", "", f"sha256 {call.call_id_hash}…")
    for note in call.ambiguous:
        _row(grid, "not sure", "", one_line(note))
    _row(grid, "next", "", call.suggestion)
    return grid


def _row(grid: Table, name: str, label: str, text: str) -> None:
    grid.add_row(Text(name), Text(one_line(label)), Text(one_line(text)))


def _foot(report: Report, rest: Sequence[Call], more: int) -> Iterable[RenderableType]:
    if more:
        yield Text(f"\n{more:,} more calls; --all shows them", style="dim")
    if line := words.folded(rest):
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
