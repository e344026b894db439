"""One event-debug record of a surface to events, whatever its file.

Owns which reader a layer has. The SDK's surfaces are read by their own formats; the queue's deltas
are updates of the SDK as well.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from cursor_replay.events import AnyEvent, SessionSeen, TextSeen, ThoughtSeen
from cursor_replay.ingest.formats.debug.calls import (
    bridge_call,
    decided_call,
    is_incomplete,
    live_call,
    stream_call,
)
from cursor_replay.ingest.formats.debug.lines import CONVERSATION, Entry, problem
from cursor_replay.ingest.formats.debug.witness import SDK, Known
from cursor_replay.ingest.formats.sdk import messages as sdk_messages
from cursor_replay.ingest.formats.sdk import steps as sdk_steps
from cursor_replay.ingest.formats.sdk import updates as sdk_updates
from cursor_replay.lenient import as_object, as_text

_Reader = tuple[TypeAdapter[Any], Callable[[], Any]]
_READERS: dict[str, _Reader] = {
    "on-delta": (sdk_updates.RECORD, sdk_updates.Decoder),
    "stream-events": (sdk_messages.RECORD, sdk_messages.Decoder),
    "on-step": (sdk_steps.RECORD, sdk_steps.Decoder),
    CONVERSATION: (sdk_steps.RECORD, sdk_steps.Decoder),
}


def decoded(entry: Entry, known: Known, *, name_session: bool) -> Iterator[AnyEvent]:
    """The events of a record, with its time.

    ``name_session`` lets the agent's id name the recording; a folder has a name of its own.
    """
    for event in _sdk(entry) if entry.layer in SDK else _pi(entry, known):
        if isinstance(event, SessionSeen) and not name_session:
            if event.model:
                yield SessionSeen(origin=event.origin, model=event.model)
        elif event.time is None and entry.time is not None:
            yield replace(event, time=entry.time)
        else:
            yield event


def _sdk(entry: Entry) -> Iterator[AnyEvent]:
    record, decoder = _READERS[entry.layer]
    try:
        validated = record.validate_python(entry.body)
    except ValidationError:
        words = f"{Path(entry.origin.file).name}: a record of unknown type"
        yield problem(entry.origin, "unknown-record", words)
        return
    yield from decoder().feed(validated, entry.origin)


def _pi(entry: Entry, known: Known) -> Iterator[AnyEvent]:
    kind = entry.body.get("type")
    match entry.layer:
        case "live-run-events" if kind in ("tool", "bridge-tool"):
            yield from _queued(entry, known)
        case "live-run-events":
            yield from _sdk(replace(entry, layer="on-delta"))
        case "bridge-raw":
            yield from bridge_call(entry)
        case "display-decisions":
            if as_text(entry.body.get("replayToolId")) not in known.queued:
                yield from decided_call(entry)
        case _:
            yield from _pi_stream(entry)


def _queued(entry: Entry, known: Known) -> Iterator[AnyEvent]:
    replay_id = as_text(as_object(entry.body.get("tool")).get("id")) or ""
    decision = known.decisions.get(replay_id, {})
    if not is_incomplete(decision):
        yield from live_call(entry, decision)


def _pi_stream(entry: Entry) -> Iterator[AnyEvent]:
    """The assistant stream of pi: deltas, and calls without their results."""
    kind, delta = entry.body.get("type"), entry.body.get("delta")
    text = delta if isinstance(delta, str) else ""
    if kind == "text_delta":
        yield TextSeen(origin=entry.origin, text=text, partial=True)
    elif kind == "thinking_delta":
        yield ThoughtSeen(origin=entry.origin, text=text, partial=True)
    elif kind == "toolcall_end":
        yield from stream_call(entry)
