"""The report as Markdown, to be pasted into an issue."""

from collections.abc import Iterator, Mapping, Sequence

from cursor_replay.diagnose.report import Call, Report
from cursor_replay.render.diagnosis import words
from cursor_replay.render.markup import code, escape

SECTIONS = 50
"""Calls that get a section of their own: an issue has room for 65,536 characters."""


def render(report: Report) -> Iterator[str]:
    """The pieces of the document."""
    names = words.labels(report)
    if not report.scrubbed:
        yield f"**{words.NOT_SCRUBBED}**\n\n"
    yield f"## {escape(words.heading(report))}\n\n"
    for row in words.recordings(report):
        yield f"- {escape(', '.join(row))}\n"
    if report.calls:
        yield "\n" + _table(report.calls, names)
    for number, call in enumerate(report.calls[:SECTIONS], 1):
        yield from _section(number, call, names)
    if (more := len(report.calls) - SECTIONS) > 0:
        yield f"\n{more:,} more calls have no section here; the JSON output has them all\n"
    if line := words.counted(report):
        yield f"\n{escape(line)}\n"
    if report.problems:
        yield "\n### Other problems\n\n"
        yield from (f"- {escape(words.problem(one))}\n" for one in report.problems)


def _table(calls: Sequence[Call], names: Mapping[str, str]) -> str:
    rows = [("#", "tool", "target", "reason", "started", "open for"), ("--:", *["---"] * 4, "--:")]
    rows += [
        (
            str(number),
            _cell(call.tool),
            code(call.target or "").replace("|", "\\|"),
            escape(words.reason(call)),
            _cell(words.place(call, names)),
            words.span(call.evidence.open_ms),
        )
        for number, call in enumerate(calls, 1)
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _cell(text: str) -> str:
    return escape(" ".join(text.split()))


def _section(number: int, call: Call, names: Mapping[str, str]) -> Iterator[str]:
    target = f" {code(call.target)}" if call.target else ""
    yield f"\n### {number}. {_cell(call.title)}{target}\n\n"
    yield f"**{escape(words.reason(call))}**: {escape(call.meaning)}\n\n"
    for step in words.timeline(call, names):
        when = f"{step.when} " if step.when else ""
        yield f"- {when}{escape(step.what)}\n"
    for surface, says in words.surfaces(call):
        yield f"- {escape(surface)}: {escape(says)}\n"
    yield f"- pi-cursor-sdk: {escape(words.policies(call))}\n"
    if call.call_id_hash:
        yield f"- call id: sha256 `{call.call_id_hash}`…\n"
    for note in call.ambiguous:
        yield f"- not sure: {escape(note)}\n"
    yield f"- next: {escape(call.suggestion)}\n"
