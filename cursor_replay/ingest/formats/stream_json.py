"""``cursor-agent -p --output-format stream-json`` lines (SDK formats facts 4, transcripts 4).

Owns the line types of 2025 to 2026 builds and the one hard rule of the format: with partial
output the same text arrives up to three times (deltas, a whole copy, a final copy) and is an
answer only once. Tool payloads are protobuf JSON (``proto.py``).
"""

import hashlib
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats.fields import Maybe, MaybeUsage, has, kind_of
from cursor_replay.ingest.formats.sdk.messages import prompt
from cursor_replay.ingest.formats.sdk.proto import decode_call
from cursor_replay.ingest.times import from_ms
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import Flag, Int, Number, Object, Record, Text, record_union


class _Line(Record):
    """A line has no agent id: the SDK's messages share most of its type words."""

    agent_id: None = None
    uuid: None = None
    session_id: Text = None
    timestamp_ms: Int = None
    subtype: Text = None


class System(_Line):
    """``init`` opens the run; other subtypes are notifications."""

    type: Literal["system"]
    cwd: Text = None
    model: Text = None


class User(_Line):
    """The prompt."""

    type: Literal["user"]
    message: Maybe = None


class Thinking(_Line):
    """``delta`` with text, then ``completed``."""

    type: Literal["thinking"]
    text: Text = None


class Assistant(_Line):
    """A delta, a whole copy (``model_call_id``) or the final copy (no time, no id)."""

    type: Literal["assistant"]
    message: Maybe = None
    model_call_id: Text = None


class ToolCall(_Line):
    """``started`` or ``completed``; the tool's name is the key that ends in ``ToolCall``."""

    type: Literal["tool_call"]
    call_id: Text = None
    tool_call: Object = None


class Query(_Line):
    """A permission question and its answer."""

    type: Literal["interaction_query"]
    query_type: Text = None
    response: Object = None


class Connection(_Line):
    """``connection`` and ``retry`` lines."""

    type: Literal["connection", "retry"]
    attempt: Int = None


class Result(_Line):
    """The end of the run; missing when the process was killed."""

    type: Literal["result"]
    is_error: Flag = None
    result: Text = None
    duration_ms: Number = None
    usage: MaybeUsage = None


RECORD = record_union(
    Annotated[
        System | User | Thinking | Assistant | ToolCall | Query | Connection | Result,
        Field(discriminator="type"),
    ]
)
_TYPES = {
    "system", "user", "thinking", "assistant", "tool_call", "interaction_query", "connection",
    "retry", "result",
}  # fmt: skip


def fits(record: dict[str, Json]) -> bool:
    """Whether a JSON object is a stream-json line."""
    if kind_of(record) not in _TYPES or has(record, "agent_id", "run_id", "uuid"):
        return False
    return has(record, "session_id", "subtype", "tool_call")


class _Segment:
    """The assistant text since the last tool call: what was said, and whether it is settled."""

    def __init__(self) -> None:
        self._said: list[str] = []
        self._turn = hashlib.blake2b()
        self._length = 0
        self._segments = 0
        self._settled = False

    @property
    def silent(self) -> bool:
        """Whether the agent said nothing in this turn."""
        return self._length == 0

    def delta(self, text: str) -> str:
        """A piece of text; after a settled text it opens the next one."""
        if self._settled:
            self.next()
        return self._add(text)

    def is_other(self, text: str) -> bool:
        """Whether a whole text is neither a copy of what was said nor its continuation."""
        said = "".join(self._said)
        return bool(said) and not text.startswith(said) and said.strip() != text.strip()

    def whole(self, text: str) -> str:
        """The part of a whole text that no delta and no earlier copy has shown."""
        said = "".join(self._said)
        if (said and said.strip() == text.strip()) or self._is_whole_turn(text):
            new = ""
        elif said and text.startswith(said):
            new = text[len(said) :]
        else:
            new = text
            self._said = []
        self._add(new)
        self._settled = True
        return new

    def next(self) -> None:
        """A tool call starts: equal text after it is said again."""
        self._segments += bool(self._said)
        self._said, self._settled = [], False

    def _is_whole_turn(self, text: str) -> bool:
        """A final copy may join what was said before and after the calls of a turn.

        A run is one turn however long: its text is remembered as a length and a hash.
        """
        joins = self._segments + bool(self._said) > 1
        return joins and len(text) == self._length and _hash(text) == self._turn.digest()

    def _add(self, text: str) -> str:
        if text:
            self._said.append(text)
            self._turn.update(_bytes(text))
            self._length += len(text)
        return text


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _hash(text: str) -> bytes:
    return hashlib.blake2b(_bytes(text)).digest()


class Decoder:
    """Records to events; holds the text of the current segment."""

    def __init__(self) -> None:
        self._segment = _Segment()
        self._session: str | None = None

    def feed(self, record: Any, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one validated record."""
        if record.session_id and record.session_id != self._session:
            self._session = record.session_id
            yield SessionSeen(origin=origin, session_id=record.session_id)
        match record:
            case System():
                yield from _system(record, origin)
            case User():
                self._segment = _Segment()
                yield prompt(record.message.text() if record.message else "", origin)
            case Thinking():
                yield ThoughtSeen(
                    origin=origin,
                    time=from_ms(record.timestamp_ms),
                    text=record.text or "",
                    partial=record.subtype != "completed",
                )
            case Assistant():
                yield from self._assistant(record, origin)
            case ToolCall():
                self._segment.next()
                yield _call(record, origin)
            case Query() | Connection():
                yield from _noted(record, origin)
            case Result():
                yield from self._result(record, origin)

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:  # noqa: ARG002 - one shape for all
        """Nothing is held."""
        return iter(())

    def _assistant(self, record: Assistant, origin: Evidence) -> Iterator[AnyEvent]:
        whole = record.model_call_id is not None or record.timestamp_ms is None
        text = record.message.text() if record.message else ""
        if whole and self._segment.is_other(text):
            yield TextSeen(origin=origin, text="")
        new = self._segment.whole(text) if whole else self._segment.delta(text)
        if new or whole:
            time = from_ms(record.timestamp_ms)
            yield TextSeen(origin=origin, time=time, text=new, partial=not whole)

    def _result(self, record: Result, origin: Evidence) -> Iterator[AnyEvent]:
        failed = record.is_error is True or record.subtype == "error"
        if record.result and not failed and self._segment.silent:
            yield TextSeen(origin=origin, text=record.result)
        self._segment = _Segment()
        yield TurnEnded(
            origin=origin,
            time=from_ms(record.timestamp_ms),
            status="error" if failed else record.subtype or _ended(record.is_error),
            reason=record.result if failed else None,
            duration_ms=record.duration_ms,
            usage=record.usage.usage() if record.usage else None,
        )


def _system(record: System, origin: Evidence) -> Iterator[AnyEvent]:
    if record.subtype in (None, "init"):
        yield SessionSeen(origin=origin, cwd=record.cwd, model=record.model)
        return
    words = record.subtype.replace("_", " ")
    yield Noted(origin=origin, code="system", level="info", message=words)


def _call(record: ToolCall, origin: Evidence) -> AnyEvent:
    call = decode_call(record.tool_call or {})
    call_id = record.call_id or call.call_id
    time = from_ms(record.timestamp_ms)
    if record.subtype == "completed":
        return CallCompleted(
            origin=origin,
            time=call.completed or time,
            channel="cli",
            call_id=call_id,
            name=call.name,
            args=call.args,
            outcome=call.outcome,
            started=call.started,
        )
    return CallStarted(
        origin=origin,
        time=call.started or time,
        channel="cli",
        call_id=call_id,
        name=call.name,
        args=call.args,
    )


def _noted(record: Query | Connection, origin: Evidence) -> Iterator[AnyEvent]:
    time = from_ms(record.timestamp_ms)
    if isinstance(record, Connection):
        attempt = f" (attempt {record.attempt})" if record.attempt is not None else ""
        message = f"{record.type}: {record.subtype or 'unknown'}{attempt}"
        yield Noted(origin=origin, time=time, code=record.type, level="info", message=message)
    elif record.subtype == "response":
        answers = [
            word
            for value in (record.response or {}).values()
            if isinstance(value, dict)
            for word in value
        ]
        kind = (record.query_type or "a question").removesuffix("RequestQuery")
        message = f"{kind}: {answers[0] if answers else 'answered'}"
        yield Noted(origin=origin, time=time, code="permission", level="info", message=message)


def _ended(is_error: object) -> str:
    """Without a word, only an explicit ``is_error: false`` says how it went."""
    return "unknown" if is_error is None else "success"
