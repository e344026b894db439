"""The lines of event-debug files: the envelope, and what the writer says of itself.

Owns which file holds which records (``LAYERS``), the marks for a reached size limit and for what
could not be serialised, and ``[Circular]`` (replay facts 1.3 and 1.4). Knows no record of its own.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from cursor_replay.events import Noted
from cursor_replay.ingest.jsontext import decode
from cursor_replay.ingest.lines import MAX_LINE, Line, split_lines
from cursor_replay.ingest.times import from_iso
from cursor_replay.items import Evidence, Json, Time
from cursor_replay.lenient import as_int, as_text
from cursor_replay.records import dataclass

LAYERS = {
    "on-delta": "update",
    "stream-events": "event",
    "on-step": "step",
    "bridge-raw": "bridgeRaw",
    "live-run-events": "event",
    "display-decisions": "decision",
    "pi-stream-events": "event",
    "bridge-events": "event",
    "provider-events": "payload",
    "coordinator-events": "payload",
    "drain-events": "payload",
    "errors": "error",
}
"""File name without ``.jsonl`` to the key its payload stands under, best witness first."""
TIMELINE = "timeline"
CONVERSATION = "conversation"
TRUNCATED = "artifact_truncated"
UNWRITTEN = "artifact_serialization_error"
_SHORT = {name.removesuffix("-events"): name for name in LAYERS}
_CIRCLE = "[Circular]"
_HOLDERS = {
    "args", "input", "result", "value", "toolCall", "taskUpdate", "message", "tool", "request",
}  # fmt: skip
_DEEPEST = 6
_KNOWN = {*LAYERS, "finalPartial", "piSession"}
"""The timeline also mirrors two snapshots, which are no layer of their own."""
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One record without its envelope.

    ``kind`` is the phase, or what the timeline calls it; empty where the file gives none.
    """

    layer: str
    body: dict[str, Json]
    kind: str
    origin: Evidence
    time: Time | None = None
    turn: int | None = None


Entries = Iterator[Entry | Noted]
Source = Callable[[], Entries]
"""The records of a turn, oldest first; may be asked for again."""


def from_file(path: Path, layer: str) -> Entries:
    """The records of one file; what cannot be read is told, never raised."""
    try:
        with path.open("rb") as stream:
            chunks = iter(partial(stream.read, _CHUNK), b"")
            for each in from_lines(split_lines(chunks, limit=MAX_LINE), str(path), layer):
                yield _placed(each, path.name) if isinstance(each, Noted) else each
    except OSError as error:
        words = f"{path.name} cannot be read ({type(error).__name__})"
        yield problem(Evidence(file=str(path), line=1), "unreadable-file", words)


def from_lines(lines: Iterable[Line], name: str, layer: str | None = None) -> Entries:
    """The records of lines; without ``layer`` each is told by its own shape."""
    for line in lines:
        origin = Evidence(file=name, line=line.number)
        if line.dropped:
            words = f"{line.dropped:,} bytes long, over the limit"
            yield problem(origin, "line-too-long", words)
            continue
        if not line.data.strip():
            continue
        decoded = decode(line.data, ended=line.ended)
        for code, words in decoded.problems:
            yield problem(origin, code, words)
        for value in decoded.values:
            yield from opened(value, origin, layer)


def opened(value: Json, origin: Evidence, layer: str | None) -> Entries:
    """Take the envelope off one record."""
    if not isinstance(value, dict):
        yield problem(origin, "not-an-object", "JSON, but not an object")
        return
    if value.get("type") == TRUNCATED:
        yield _truncated(origin, as_int(value.get("limitBytes")))
        return
    layer = layer or layer_of(value)
    inner = _layer_in(value) if layer == TIMELINE else layer
    body = value.get("payload" if layer == TIMELINE else LAYERS.get(layer or "", ""))
    if UNWRITTEN in (value.get("type"), body.get("type") if isinstance(body, dict) else None):
        yield problem(origin, "unwritten-record", "a record that its writer could not serialise")
        return
    if inner not in _KNOWN or not isinstance(body, dict):
        yield problem(origin, "unknown-record", "a record of unknown type")
        return
    body, circles = _without_circles(body)
    if circles:
        words = "the writer put [Circular] where a value stood that it had written before"
        yield Noted(origin=origin, code="circular", level="info", message=words)
    yield Entry(
        layer=inner,
        body=body,
        kind=as_text(value.get("phase")) or as_text(value.get("kind")) or "",
        origin=origin,
        time=from_iso(as_text(value.get("ts"))),
        turn=as_int(value.get("turn")),
    )


def layer_of(record: dict[str, Json]) -> str | None:
    """The file a record comes from, by its shape alone; None for anything else."""
    if "ts" not in record or "elapsedMs" not in record:
        return None
    if "layer" in record:
        return TIMELINE
    for layer in ("on-delta", "on-step", "bridge-raw", "display-decisions", "errors"):
        if LAYERS[layer] in record:
            return layer
    phase = record.get("phase")
    if isinstance(phase, str) and "payload" in record:
        return next((name for name, phases in _PHASES.items() if phase in phases), "drain-events")
    event = record.get("event")
    return _event_layer(event) if isinstance(event, dict) else None


PROVIDER = {
    "agent_send_start", "agent_send_returned", "run_stream_unavailable", "conversation_captured",
    "cloud_run_report",
}  # fmt: skip
COORDINATOR = {
    "discarded-incomplete-started-tool-call", "tool_lifecycle", "tool_lifecycle_skip",
    "cursor-transcript-web-tools",
}  # fmt: skip
_PHASES = {"provider-events": PROVIDER, "coordinator-events": COORDINATOR}
_PI_STREAM = {"start", "done", "error"}
_LIVE_RUN = {"thinking-delta", "thinking-completed", "text-delta", "tool", "bridge-tool"}


def _event_layer(event: dict[str, Json]) -> str | None:
    kind = event.get("type")
    if not isinstance(kind, str):
        return "bridge-events" if isinstance(event.get("event"), str) else None
    if kind in _LIVE_RUN:
        return "live-run-events"
    if kind in _PI_STREAM or kind.startswith(("text_", "thinking_", "toolcall_")):
        return "pi-stream-events"
    return "stream-events"


def _layer_in(record: dict[str, Json]) -> str | None:
    """The layer a line of the timeline names."""
    layer = record.get("layer")
    return _SHORT.get(layer, layer) if isinstance(layer, str) else None


def is_layer(name: Json) -> bool:
    """Whether the timeline calls a layer so."""
    return isinstance(name, str) and _SHORT.get(name, name) in _KNOWN


def document(path: Path) -> tuple[Json, Noted | None]:
    """The JSON value of a file; None when there is none, and what is wrong with it."""
    origin = Evidence(file=str(path), line=1)
    try:
        if not path.is_file():
            return None, None
        decoded = decode(path.read_bytes())
    except OSError as error:
        words = f"{path.name} cannot be read ({type(error).__name__})"
        return None, problem(origin, "unreadable-file", words)
    if not decoded.values:
        return None, problem(origin, "not-json", f"{path.name} is not JSON")
    return decoded.values[0], None


def problem(origin: Evidence, code: str, message: str) -> Noted:
    """Something that could not be read."""
    return Noted(origin=origin, code=code, message=message, problem=True)


def _placed(note: Noted, name: str) -> Noted:
    """A folder has many files: a notice says in which of them."""
    named = note.message.startswith(name)
    return note if named else replace(note, message=f"{name}: {note.message}")


def _truncated(origin: Evidence, limit: int | None) -> Noted:
    name = Path(origin.file).name
    bound = f" of {limit:,} bytes" if limit else ""
    words = f"{name}: the writer's size limit{bound} was reached, later records are missing"
    return problem(origin, "truncated-artifact", words)


def _without_circles(value: Json, depth: int = 0) -> tuple[Json, bool]:
    """A value without the places where ``[Circular]`` stands for an object."""
    if not isinstance(value, dict) or depth > _DEEPEST or not _has_circle(value, depth):
        return value, False
    kept = {
        key: _without_circles(each, depth + 1)[0]
        for key, each in value.items()
        if not (key in _HOLDERS and each == _CIRCLE)
    }
    return kept, True


def _has_circle(value: dict[str, Json], depth: int) -> bool:
    return any(
        (key in _HOLDERS and each == _CIRCLE)
        or (isinstance(each, dict) and depth < _DEEPEST and _has_circle(each, depth + 1))
        for key, each in value.items()
    )
