"""The event-debug records that are pi's alone, as notices (replay facts 1.4).

Owns display decisions, coordinator, drain, provider and bridge records, errors, and how
``wait-result.json`` says that a run ended. What pi decided about a call that never completed is
told as it was recorded; the policy behind it is not judged here.
"""

from collections.abc import Callable, Iterator

from cursor_replay.events import CallDiscarded, Noted, TurnEnded
from cursor_replay.ingest.formats.debug.lines import Entry
from cursor_replay.items import Evidence, Json, Level
from cursor_replay.lenient import as_int, as_number, as_object, as_text
from cursor_replay.records import dataclass

DISCARDED = "discarded-incomplete-started-tool-call"
SKIPPED = ("skip-incomplete-fast-local", "skip-incomplete-successful-run")
"""Two names for one decision, of two lines of the writer (replay facts 0)."""
GIVEN_UP = ("discarded-incomplete", "discarded-but-completed", "incomplete-skipped")
"""The codes of what is told about a call that never completed."""
_REASONS = {
    "no-completion-at-run-end": "no completion at the end of the run",
    "abort": "the run was aborted",
    "sdk-failure": "the SDK run failed",
    "run-drain": "the run ended while it was drained",
}
_STATUS = {"finished": "success", "error": "error", "cancelled": "cancelled"}
_DRAINED = ("native_tool_display_recorded", "inactive_replay_trace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A started call that a hashed record may be about."""

    name: str
    origin: Evidence


def discarded(entry: Entry, start: Start | None, *, completed: bool) -> Noted:
    """A started call that pi gave up on; ``start`` is the one its hash names, if it is here."""
    tool = as_text(entry.body.get("toolName")) or (start.name if start else "unknown")
    reason = as_text(entry.body.get("reason")) or "no reason given"
    where = "its start is not recorded here"
    if start is not None:
        place = f"{_name(start.origin)} line {start.origin.line}"
        where = f"started at {place}" + (", its completion is recorded" if completed else "")
    words = f"pi gave up on a {tool} call: {_REASONS.get(reason, reason)} ({where})"
    if completed:
        return _told(entry, GIVEN_UP[1], words, level="warning")
    return _told(entry, GIVEN_UP[0], words)


def given_up(entry: Entry, start: Start | None) -> CallDiscarded:
    """The same record for the call it names."""
    return CallDiscarded(
        origin=entry.origin,
        time=entry.time,
        call_hash=as_text(entry.body.get("callIdHash")),
        name=as_text(entry.body.get("toolName")) or (start.name if start else "unknown"),
        reason=as_text(entry.body.get("reason")),
    )


def skipped(entry: Entry) -> Noted | None:
    """A decision to show no card for an incomplete call, under both its names."""
    if entry.body.get("action") not in SKIPPED:
        return None
    tool = as_text(entry.body.get("toolName")) or "unknown"
    reason = as_text(entry.body.get("reason"))
    why = f" ({reason.replace('-', ' ')})" if reason else ""
    return _told(entry, GIVEN_UP[2], f"pi showed no card for the incomplete {tool}{why}")


def left_out(entry: Entry) -> CallDiscarded:
    """The same decision for the calls of its tool; which of them, the record does not say."""
    name = as_text(entry.body.get("toolName")) or "unknown"
    return CallDiscarded(origin=entry.origin, time=entry.time, call_hash=None, name=name)


def failure(entry: Entry) -> Noted:
    """A line of ``errors.jsonl``; the stack stays where it is."""
    label = as_text(entry.body.get("label")) or "error"
    message = as_text(entry.body.get("message")) or "no message"
    return _told(entry, "recorded-error", f"{label}: {message}", level="error")


def drained(entry: Entry) -> str | None:
    """The id of the replay card that a drain record handed to pi."""
    return as_text(entry.body.get("toolId")) if entry.kind in _DRAINED else None


def pi_end(entry: Entry) -> TurnEnded | None:
    """How pi's own turn ended badly; a good end says nothing of the SDK's run."""
    body = entry.body
    if entry.layer == "drain-events" and entry.kind == "turn_end":
        status, reason = body.get("outcome"), as_text(body.get("errorMessage"))
    elif entry.layer == "pi-stream-events" and body.get("type") == "error":
        error = as_object(body.get("error"))
        status, reason = body.get("reason"), as_text(error.get("errorMessage"))
    else:
        return None
    if status not in ("aborted", "error"):
        return None
    reason = reason or as_text(body.get("reason"))
    told = reason if reason != status else None
    return TurnEnded(origin=entry.origin, time=entry.time, status=str(status), reason=told)


def wait_end(result: Json, origin: Evidence) -> TurnEnded | None:
    """What ``run.wait()`` returned: ``finished``, ``cancelled`` or ``error`` with its error.

    Its usage is that of the whole run, not of a turn, and is left out (replay facts 9.6).
    """
    body = as_object(result)
    word = as_text(body.get("status"))
    if word is None or word == "running":
        return None
    error = body.get("error")
    told = error if isinstance(error, str) else as_object(error).get("message")
    return TurnEnded(
        origin=origin,
        status=_STATUS.get(word, word.lower()),
        reason=as_text(told) or as_text(as_object(error).get("code")),
        duration_ms=as_number(body.get("durationMs")),
    )


def told(entry: Entry) -> Iterator[Noted]:
    """Any record of pi's own as one line, for a file that is opened by itself."""
    words = _LINES[entry.layer](entry) if entry.layer in _LINES else ""
    if words:
        yield _told(entry, entry.layer, words)


def _decision(entry: Entry) -> str:
    keys = ("toolName", "disposition", "source", "reason")
    return _line("decision", as_text(entry.body.get("action")), entry.body, keys)


def _phase(entry: Entry) -> str:
    """Provider, coordinator and drain: the phase and what it says of itself."""
    kind = entry.layer.removesuffix("-events")
    words = f"{kind} {entry.kind.replace('_', ' ')}".strip()
    keys = (
        "toolName", "progressText", "mode", "outcome", "drainOutcome", "reason", "errorMessage",
        "traceText", "status", "count", "pendingEventCount",
    )  # fmt: skip
    return _line(words, None, entry.body, keys)


def _bridge(entry: Entry) -> str:
    keys = ("piToolName", "reason", "rejectionKind", "exposedToolCount", "pendingCount")
    return _line("bridge", as_text(entry.body.get("event")), entry.body, keys)


def _queue(entry: Entry) -> str:
    """The card of an incomplete call is no completion; the others are shown as cards."""
    tool = as_object(entry.body.get("tool"))
    keys = ("activityTitle", "activitySummary")
    return _line("queue: incomplete", None, as_object(tool.get("args")), keys) if tool else ""


_LINES: dict[str, Callable[[Entry], str]] = {
    "display-decisions": _decision,
    "provider-events": _phase,
    "coordinator-events": _phase,
    "drain-events": _phase,
    "bridge-events": _bridge,
    "live-run-events": _queue,
}


def _line(head: str, action: str | None, body: dict[str, Json], keys: tuple[str, ...]) -> str:
    parts = [f"{head}: {action.replace('_', ' ')}" if action else head]
    for key in keys:
        value = body.get(key)
        if isinstance(value, str) and value.strip():
            parts.append(value.strip())
        elif (count := as_int(value)) is not None:
            parts.append(f"{key} {count}")
    return " · ".join(parts)


def _told(entry: Entry, code: str, message: str, *, level: Level = "info") -> Noted:
    return Noted(origin=entry.origin, time=entry.time, code=code, level=level, message=message)


def _name(origin: Evidence) -> str:
    return origin.file.replace("\\", "/").rsplit("/", 1)[-1]
