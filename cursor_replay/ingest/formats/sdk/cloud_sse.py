"""Dumps of a cloud run's event stream (SDK formats facts 1.7).

Owns how its events become the SDK's own messages and updates, whose decoders read them: one run
may be told by both, so a call is shown once and a text is said once. No event has a time.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from pydantic import ValidationError

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    Noted,
    PromptSeen,
    SessionSeen,
    TextSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats.fields import MaybeUsage
from cursor_replay.ingest.formats.plain_lines import text_lines
from cursor_replay.ingest.formats.sdk import messages as sdk_messages
from cursor_replay.ingest.formats.sdk import updates as sdk_updates
from cursor_replay.ingest.formats.sdk.cloud_events import (
    MESSAGES,
    TELLING,
    is_cloud_event,
    message_of,
    text_of,
    update_in,
)
from cursor_replay.ingest.formats.sdk.sse import Frame, frames, is_field
from cursor_replay.ingest.jsontext import decode as decode_json
from cursor_replay.ingest.lines import Line, split_lines
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.ingest.surfaces import Surfaces
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import Number, Record, Text, as_object, as_objects, as_text

_SILENT = {"heartbeat", "done", "ping"}
_FIRST = 4
"""Lines of the head that must all be fields."""
_LOOKED_AT = 16
"""Events of the head, one of which must be a cloud run's."""


class _Result(Record):
    """The parts of a result that are read as they stand."""

    status: Text = None
    durationMs: Number = None  # noqa: N815 - the wire's own spelling
    usage: MaybeUsage = None


def fits(head: bytes) -> bool:
    """Whether a stream is server-sent events, one of the first of them a cloud run's."""
    lines = list(text_lines(split_lines([head]), name=""))
    first = [line.text for line in lines if line.text][:_FIRST]
    if not all(map(is_field, first)):
        return False
    found = (each for each in frames(lines, name="") if isinstance(each, Frame))
    return any(
        is_cloud_event(each.name, value)
        for each in islice(found, _LOOKED_AT)
        if each.name in TELLING
        for value in decode_json(each.data.encode("utf-8", "replace")).values
    )


def decode(
    lines: Callable[[], Iterable[Line]],
    name: str,
    options: ReadOptions,  # noqa: ARG001 - one shape for all
) -> Iterator[AnyEvent]:
    """Events of a whole stream, in its order."""
    run = _Run(_answered(lines()))
    for each in frames(text_lines(lines(), name=name), name=name):
        if isinstance(each, Noted):
            yield each
        else:
            yield from run.feed(each, Evidence(file=name, line=each.number))
    yield from run.close()


def _answered(lines: Iterable[Line]) -> set[str]:
    """The ids of calls whose result is in an update: a message may have left it out."""
    ids: set[str] = set()
    for line in lines:
        if not line.data.startswith(b"data:") or b"tool-call-completed" not in line.data:
            continue
        for value in decode_json(line.data.removeprefix(b"data:")).values:
            update = as_object(as_object(value).get("update")) or as_object(value)
            call_id = as_text(update.get("callId"))
            if call_id and as_object(update.get("toolCall")).get("result") is not None:
                ids.add(call_id)
    return ids


class _Run:
    """Frames to events; holds the end of the run. ``answered`` are ids that updates answer."""

    def __init__(self, answered: set[str]) -> None:
        self._answered = answered
        self._messages = sdk_messages.Decoder()
        self._updates = sdk_updates.Decoder()
        self._surfaces = Surfaces()
        self._end: TurnEnded | None = None

    def feed(self, frame: Frame, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one frame."""
        if frame.name in _SILENT:
            return
        decoded = decode_json(frame.data.encode("utf-8", "replace"), ended=frame.ended)
        for code, words in decoded.problems:
            yield Noted(origin=origin, code=code, message=words, problem=True)
        for value in decoded.values:
            if isinstance(value, dict):
                yield from self._event(frame.name, value, origin)
            else:
                words = "JSON, but not an object"
                yield Noted(origin=origin, code="not-an-object", message=words, problem=True)

    def close(self) -> Iterator[AnyEvent]:
        """What is still held when the stream ends."""
        yield from self._ended()

    def _event(self, name: str, data: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        if name in MESSAGES:
            if name == "status" and data.get("status") in ("CREATING", "RUNNING"):
                yield from self._ended()
            yield from self._message(message_of(name, data), origin)
        elif name == "interaction_update":
            yield from self._read(sdk_updates, update_in(data), origin)
        elif name == "result":
            yield from self._result(data, origin)
        elif name == "error":
            words = as_text(data.get("message")) or "an error without a text"
            code = as_text(data.get("code"))
            message = f"the stream failed: {words}{f' ({code})' if code else ''}"
            yield Noted(origin=origin, code="stream-error", level="error", message=message)
        else:
            words = "an event of unknown name"
            yield Noted(origin=origin, code="unknown-record", message=words, problem=True)

    def _message(self, message: dict[str, Json] | None, origin: Evidence) -> Iterator[AnyEvent]:
        if message is None:
            words = "an event without the text it should have"
            yield Noted(origin=origin, code="unknown-record", message=words, problem=True)
            return
        yield from self._read(sdk_messages, message, origin)

    def _read(self, form: Any, record: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        """Let the decoder of a surface read a record."""
        try:
            validated = form.RECORD.validate_python(record)
        except ValidationError:
            words = "an event whose data is of unknown type"
            yield Noted(origin=origin, code="unknown-record", message=words, problem=True)
            return
        decoder = self._messages if form is sdk_messages else self._updates
        surface = "sdk-stream" if form is sdk_messages else "sdk-updates"
        yield from self._merged(surface, list(decoder.feed(validated, origin)))

    def _merged(self, surface: str, events: list[AnyEvent]) -> Iterator[AnyEvent]:
        done = next((each for each in events if isinstance(each, CallCompleted)), None)
        if done is not None and done.outcome is None and done.call_id in self._answered:
            events = [each for each in events if isinstance(each, SessionSeen)]
        for event in events:
            if isinstance(event, TurnEnded) and event.parent is None:
                self._end = _same_end(self._end, event)
                continue
            if isinstance(event, PromptSeen) and self._end is not None and event.parent is None:
                yield from self._ended()
            yield from self._surfaces.merge(surface, event)

    def _result(self, data: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        result = _Result.model_validate(data)
        if text := text_of(data.get("text")):
            yield from self._surfaces.merge("result", TextSeen(origin=origin, text=text))
        for branch in as_objects(as_object(data.get("git")).get("branches")):
            keys = ("repoUrl", "branch", "prUrl")
            words = ", ".join(part for key in keys if (part := as_text(branch.get(key))))
            yield Noted(origin=origin, code="branch", level="info", message=f"pushed to {words}")
        told = text_of(data.get("error"))
        status = {"type": "status", "status": result.status or "unknown", "message": told}
        for event in self._messages.feed(sdk_messages.RECORD.validate_python(status), origin):
            if isinstance(event, TurnEnded):
                usage = result.usage.usage() if result.usage else None
                full = replace(event, duration_ms=result.durationMs, usage=usage)
                self._end = _same_end(self._end, full)

    def _ended(self) -> Iterator[AnyEvent]:
        """The end of the run, once and last: a status, an update and the result all tell it."""
        end, self._end = self._end, None
        yield from self._surfaces.close()
        self._surfaces = Surfaces()
        if end is not None:
            yield end


def _same_end(known: TurnEnded | None, new: TurnEnded) -> TurnEnded:
    """One end of two: the word that is no success, and whatever either knows."""
    if known is None:
        return new
    status = new.status if known.status == "success" else known.status
    return replace(
        known,
        origin=new.origin,
        status=status,
        reason=known.reason or new.reason,
        duration_ms=known.duration_ms or new.duration_ms,
        usage=known.usage or new.usage,
    )
