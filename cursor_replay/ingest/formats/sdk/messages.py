"""``run.stream()`` messages of the Cursor SDK (SDK formats facts, 1.1).

Owns the nine message types. Text and thinking are deltas; a partial call repeats ``running``;
a result's failure is in the result, not in the status. No message carries a time.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    Outcome,
    PromptSeen,
    RunSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
    UsageSeen,
)
from cursor_replay.ingest.formats.envelope import open_envelope
from cursor_replay.ingest.formats.fields import Maybe, MaybeUsage, has, kind_of
from cursor_replay.ingest.formats.sdk.proto import decode_result
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import (
    Number,
    Object,
    Record,
    Text,
    as_int,
    as_object,
    record_union,
)


class _Message(Record):
    """No ``uuid`` (agent messages have one) and no ``session_id`` (stream-json lines have)."""

    agent_id: Text = None
    run_id: Text = None
    uuid: None = None
    session_id: None = None


class System(_Message):
    """Declared, never constructed by the SDKs measured; accepted anyway."""

    type: Literal["system"]
    model: Object = None


class User(_Message):
    """The prompt, from the server."""

    type: Literal["user"]
    message: Maybe = None


class Assistant(_Message):
    """One text delta."""

    type: Literal["assistant"]
    message: Maybe = None


class Thinking(_Message):
    """A delta; with a duration (and no text) the end of the thought."""

    type: Literal["thinking"]
    text: Text = None
    thinking_duration_ms: Number = None


class ToolCall(_Message):
    """``running`` (also for partials), ``completed`` or, in the cloud, ``error``."""

    type: Literal["tool_call"]
    call_id: Text = None
    name: Text = None
    status: Text = None
    args: Any = None
    result: Any = None
    truncated: Object = None


class Status(_Message):
    """RUNNING first, a terminal word last."""

    type: Literal["status"]
    status: Text = None
    message: Text = None


class Request(_Message):
    """Sequence number 1 of the stored event log; nothing to show."""

    type: Literal["request"]


class Task(_Message):
    """A context summary."""

    type: Literal["task"]
    text: Text = None


class Usage(_Message):
    """Once a turn, when the server reported it."""

    type: Literal["usage"]
    usage: MaybeUsage = None


class End(_Message):
    """``result`` and ``done`` of the stored event log; the status message says the same before."""

    type: Literal["result", "done"]


RECORD = record_union(
    Annotated[
        System | User | Assistant | Thinking | ToolCall | Status | Request | Task | Usage | End,
        Field(discriminator="type"),
    ]
)
_TYPES = {
    "system", "user", "assistant", "thinking", "tool_call", "status", "request", "task", "usage",
}  # fmt: skip
_ENDS = {"result", "done"}
_RUNNING = {"QUEUED", "CREATING", "RUNNING"}
_TURN_END = {"FINISHED": "success", "ERROR": "error", "CANCELLED": "cancelled"}


def fits(record: dict[str, Json]) -> bool:
    """Whether a JSON object is a ``run.stream()`` message."""
    if kind_of(record) in _ENDS:
        return {"schemaVersion", "agentId", "runId"} <= record.keys()
    if kind_of(record) not in _TYPES or has(record, "uuid", "session_id"):
        return False
    return has(record, "agent_id", "run_id")


class Decoder:
    """Records to events; remembers only which run it has introduced."""

    def __init__(self) -> None:
        self._agent: str | None = None
        self._run: str | None = None

    def feed(self, record: Any, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one validated record."""
        if record.agent_id and record.agent_id != self._agent:
            self._agent = record.agent_id
            yield SessionSeen(origin=origin, session_id=record.agent_id)
        if record.run_id and record.run_id != self._run:
            self._run = record.run_id
            yield RunSeen(origin=origin, run_id=record.run_id, agent_id=record.agent_id)
        yield from _EVENTS[type(record)](record, origin)

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:  # noqa: ARG002 - one shape for all
        """Nothing is held."""
        return iter(())


def prompt(text: str, origin: Evidence) -> PromptSeen:
    """A user text, opened like a transcript's."""
    envelope = open_envelope(text)
    return PromptSeen(
        origin=origin,
        time=envelope.time,
        text=envelope.query or "",
        author="human" if envelope.typed else "cursor",
        context=tuple(envelope.context),
    )


def _assistant(record: Assistant, origin: Evidence) -> Iterator[AnyEvent]:
    if record.message is None:
        return
    text = record.message.text()
    if text:
        yield TextSeen(origin=origin, text=text, partial=True)
    for block in record.message.calls():
        yield CallStarted(
            origin=origin,
            channel="message",
            call_id=block.id,
            name=block.name or "unknown",
            args=block.input,
        )


def _thinking(record: Thinking, origin: Evidence) -> Iterator[AnyEvent]:
    duration = record.thinking_duration_ms
    yield ThoughtSeen(
        origin=origin, text=record.text or "", partial=duration is None, duration_ms=duration
    )


def _tool_call(record: ToolCall, origin: Evidence) -> Iterator[AnyEvent]:
    name = record.name or "unknown"
    if record.status not in ("completed", "error"):
        yield CallStarted(
            origin=origin,
            channel="message",
            call_id=record.call_id,
            name=name,
            args=record.args,
        )
        return
    outcome = decode_result(record.result, tool=name)
    cut = [part for part in ("args", "result") if (record.truncated or {}).get(part)]
    yield CallCompleted(
        origin=origin,
        channel="message",
        call_id=record.call_id,
        name=name,
        args=record.args,
        outcome=_failed(outcome, name) if record.status == "error" else outcome,
        shortened="result" in cut,
    )
    if cut:  # behind the card it is about
        message = f"the source shortened the {' and the '.join(cut)} of this call"
        yield Noted(origin=origin, code="truncated-at-source", level="info", message=message)


def _failed(outcome: Outcome | None, name: str) -> Outcome:
    """An error, whatever the result says beside it; its words are kept.

    A shell with a non-zero exit tells its failure itself, with its output.
    """
    if outcome is None or outcome.status == "error":
        return outcome or Outcome(status="error")
    if name == "shell" and as_int(as_object(outcome.value).get("exitCode")):
        return outcome
    return Outcome(status="error", error=outcome.value if outcome.error is None else outcome.error)


def _status(record: Status, origin: Evidence) -> Iterator[AnyEvent]:
    word = (record.status or "").upper()
    if word and word not in _RUNNING:
        status = _TURN_END.get(word, word.lower())
        yield TurnEnded(origin=origin, status=status, reason=record.message or None)


def _system(record: System, origin: Evidence) -> Iterator[AnyEvent]:
    model = (record.model or {}).get("id")
    if isinstance(model, str):
        yield SessionSeen(origin=origin, model=model)


def _user(record: User, origin: Evidence) -> Iterator[AnyEvent]:
    yield prompt(record.message.text() if record.message else "", origin)


def _task(record: Task, origin: Evidence) -> Iterator[AnyEvent]:
    if record.text:
        message = f"Cursor summary: {record.text}"
        yield Noted(origin=origin, code="summary", level="info", message=message)


def _usage(record: Usage, origin: Evidence) -> Iterator[AnyEvent]:
    if record.usage:
        yield UsageSeen(origin=origin, usage=record.usage.usage())


def _nothing(record: Request | End, origin: Evidence) -> Iterator[AnyEvent]:  # noqa: ARG001 - a row
    return iter(())


_EVENTS: dict[type[Any], Callable[[Any, Evidence], Iterator[AnyEvent]]] = {
    System: _system,
    User: _user,
    Assistant: _assistant,
    Thinking: _thinking,
    ToolCall: _tool_call,
    Status: _status,
    Request: _nothing,
    End: _nothing,
    Task: _task,
    Usage: _usage,
}
