"""What the report says, in words that the terminal and Markdown share. Knows no layout."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from cursor_replay.diagnose.problems import KINDS
from cursor_replay.diagnose.report import Call, Problem, Report
from cursor_replay.diagnose.surfaces import reason_words
from cursor_replay.items import Time
from cursor_replay.render.limits import one_line, plural

TOOLS = 8
"""Tools that are named where calls are only counted."""
_BASE = re.compile(r"[\\/]")
_NO_RUNS = "Every call that was started has an outcome"
_TELL_NONE = {"sdk-steps", "sdk-turns", "sdk-run-result"}
"""Formats from which nothing follows when they tell no open call."""


class Step(NamedTuple):
    """One line of a call's timeline: when, in words, and what."""

    when: str
    what: str


def heading(report: Report) -> str:
    """The first line: how many calls, in what."""
    calls = len(report.calls) + sum(count for _, count in report.counted)
    read = plural(len(report.recordings), "recording")
    others = f", {plural(report.narrowed, 'other')} not asked for" if report.narrowed else ""
    if calls:
        return f"{plural(calls, 'call')} without an outcome in {read}{others}"
    if report.narrowed:
        return f"No such call in {read}{others}"
    if all(each.format in _TELL_NONE for each in report.recordings):
        return f"No call without an outcome in {read}: open calls are not told there"
    completed = sum(each.completed for each in report.recordings)
    if any(each.lost for each in report.recordings):
        return f"No call without an outcome in what of {read} could be read"
    if completed:
        return f"{_NO_RUNS}: {plural(completed, 'call')} in {read}"
    return f"No call was started in {read}"


def recordings(report: Report) -> list[tuple[str, str, str, str]]:
    """A row a recording: its name, its format, what it holds, how its run ended."""
    names = labels(report)
    return [
        (
            names[each.file],
            each.format,
            f"{each.completed:,} with an outcome, {each.open:,} without",
            (_ended(each.ended, each.ended_reason) or "no end of the run") + _lost(each.lost),
        )
        for each in report.recordings
    ]


def _lost(count: int) -> str:
    return f"; {plural(count, 'piece')} could not be read" if count else ""


def labels(report: Report) -> dict[str, str]:
    """The shortest ends of the paths that tell the recordings apart."""
    paths = list(dict.fromkeys(each.file for each in report.recordings))
    parts = {path: _BASE.split(one_line(path)) for path in paths}
    found = {}
    for path, names in parts.items():
        size = 1
        while size < len(names) and any(
            other[-size:] == names[-size:] for at, other in parts.items() if at != path
        ):
            size += 1
        found[path] = "/".join(names[-size:]) or one_line(path)
    return found


NOT_SCRUBBED = "NOT SCRUBBED: secrets are shown as recorded"


def counted(report: Report) -> str | None:
    """One line for the calls that are not listed."""
    if not report.counted:
        return None
    total = sum(count for _, count in report.counted)
    names = ", ".join(f"{one_line(tool)} {count:,}" for tool, count in report.counted[:TOOLS])
    more = len(report.counted) - TOOLS
    rest = f" and {plural(more, 'more tool')}" if more > 0 else ""
    return f"{plural(total, 'call')} whose outcome is not recorded here: {names}{rest}"


def reason(call: Call) -> str:
    """The reason in the reference's words."""
    return reason_words(call.reason)


def place(call: Call, names: Mapping[str, str]) -> str:
    """Where a call began, short: ``onDelta.jsonl:4``, or ``line 4`` of the only recording."""
    at = call.started
    if at is None:
        return "no start recorded"
    name = names.get(at.file, _base(at.file))
    if len(names) == 1 and at.file in names:
        return f"row {one_line(at.row)}" if at.row else f"line {at.line}"
    return f"{name} row {one_line(at.row)}" if at.row else f"{name}:{at.line}"


def span(milliseconds: float | None) -> str:
    """A duration: ``0.25 s``, ``4 min 10 s``; empty when it is not recorded."""
    if milliseconds is None:
        return ""
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, left = divmod(round(seconds), 60)
    return f"{minutes} min {left} s"


def timeline(call: Call, names: Mapping[str, str]) -> list[Step]:
    """What was recorded from the start of a call to the end of its run, in order."""
    seen, at = call.evidence, call.started
    if at is None:
        return [Step("", "its start is not recorded here")]
    where = place(call, names)
    begun = _BEGUN.get(call.reason, "started")
    after = f", {span(at.elapsed_ms)} into the recording" if at.elapsed_ms else ""
    steps = [Step(_clock(at.time), f"{begun} in turn {at.turn} ({where}){after}"), *_since(call)]
    ended = _clock(at.time, seen.open_ms)
    if seen.refusal:
        steps.append(Step(ended, f"refused: {one_line(seen.refusal)}"))
        ended = ""
    steps.append(Step(ended, _end(call)))
    return steps


_BEGUN = {
    "arguments-cut": "its arguments began",
    "denied": "told",
    "not-recorded": "told",
}


def _since(call: Call) -> Iterator[Step]:
    """What was seen between start and end; when, is not told."""
    seen = call.evidence
    if seen.partial_arguments:
        yield Step("", plural(seen.partial_arguments, "part") + " of its arguments arrived")
    if seen.output_chunks:
        last = f", the last line: {one_line(seen.last_output)}" if seen.last_output else ""
        when = _clock(seen.last_output_at)
        yield Step(when, f"{plural(seen.output_chunks, 'chunk')} of output{last}")
    if seen.siblings_completed:
        names = ", ".join(map(one_line, seen.siblings))
        more = seen.siblings_completed - len(seen.siblings)
        rest = f" and {more} more" if more > 0 else ""
        yield Step("", f"{plural(seen.siblings_completed, 'call')} completed: {names}{rest}")


def policies(call: Call) -> str:
    """What the reference would have shown."""
    shown = call.policies
    if shown.A == shown.B == shown.C == "unknown":
        return "not known" if call.reason in _RULED else "has no rule for this"
    if shown.A == shown.B == shown.C:
        return f"{_SHOWN[shown.A]} under its policies A, B and C"
    return " · ".join(f"{name} {_SHOWN[getattr(shown, name)]}" for name in "ABC")


_RULED = ("no-completion-at-run-end", "abort", "sdk-failure", "run-drain")
_SHOWN = {"card": "a card", "hidden": "hidden", "trace": "a trace, no card", "unknown": "unknown"}


def surfaces(call: Call) -> list[tuple[str, str]]:
    """Each surface that was read, and what it says."""
    return [
        (each.surface, each.says + (f" (line {each.line})" if each.line else ""))
        for each in call.surfaces
    ]


def problem(one: Problem) -> str:
    """One line of the list of other problems."""
    line = f":{one.line}" if one.line else ""
    where = f" ({_base(one.file)}{line})" if one.file else ""
    times = f", {one.count} times" if one.count > 1 else ""
    return f"{KINDS[one.code].title}: {one_line(one.message)}{where}{times}"


def _base(path: str) -> str:
    return one_line(_BASE.split(path)[-1]) or one_line(path)


def _ended(status: str | None, why: str | None) -> str:
    if status is None:
        return ""
    return f"the run ended: {one_line(status)}" + (f" ({one_line(why)})" if why else "")


def _end(call: Call) -> str:
    seen = call.evidence
    said = "after an answer" if seen.said_text else "without an answer"
    if seen.run_end is None:
        return f"no end of the run is recorded, {said}"
    return f"{_ended(seen.run_end, seen.run_end_reason)}, {said}"


def _clock(time: Time | None, after: float | None = 0) -> str:
    """The time of day of a recorded moment, so many milliseconds later; empty without one."""
    if time is None or time.basis != "recorded" or after is None:
        return ""
    moment = datetime.fromisoformat(time.at) + timedelta(milliseconds=after)
    return moment.strftime("%H:%M:%S.") + f"{moment.microsecond // 1000:03}"
