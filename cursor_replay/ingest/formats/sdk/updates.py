"""``onDelta`` interaction updates of the Cursor SDK (SDK formats facts, 1.3).

Owns the kebab-case update types of every version, top level and nested, in both key styles.
Sub-agent activity exists only here (``tool-call-delta.taskUpdate``): it keeps its task's call id.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field, ValidationError

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    OutputArrived,
    RunSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats.fields import MaybeUsage, either, kind_of
from cursor_replay.ingest.formats.sdk.messages import prompt
from cursor_replay.ingest.formats.sdk.proto import decode_result
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import Number, Object, Record, Text, as_text, record_union


class UserMessage(Record):
    """The prompt, echoed by the server."""

    type: Literal["user-message-appended"]
    user_message: Object = either("userMessage", "user_message")


class TextDelta(Record):
    """A piece of the answer."""

    type: Literal["text-delta"]
    text: Text = None


class ThinkingDelta(Record):
    """A piece of a thought."""

    type: Literal["thinking-delta"]
    text: Text = None


class ThinkingCompleted(Record):
    """The end of a thought."""

    type: Literal["thinking-completed"]
    duration: Number = either("thinkingDurationMs", "thinking_duration_ms")


class ToolCall(Record):
    """A call starts, its arguments arrive, or it ends; ``modelCallId`` is optional in practice."""

    type: Literal["tool-call-started", "partial-tool-call", "tool-call-completed"]
    call_id: Text = either("callId", "call_id")
    call: Object = either("toolCall", "tool_call")


class NestedUpdate(Record):
    """An update of a sub-agent; ``update`` is how the Python SDK wraps what it does not know."""

    type: Literal["tool-call-delta", "nested-task"]
    call_id: Text = either("callId", "call_id")
    task_update: Object = Field(
        None, validation_alias=AliasChoices("taskUpdate", "task_update", "nestedUpdate")
    )
    update: Object = None


class ShellOutput(Record):
    """A chunk of shell output, without a call id."""

    type: Literal["shell-output-delta"]
    event: Object = None


class Summary(Record):
    """A context summary."""

    type: Literal["summary"]
    summary: Text = None


class Ended(Record):
    """The end of the agent loop, with its usage."""

    type: Literal["turn-ended"]
    usage: MaybeUsage = None


class Silent(Record):
    """Progress marks with nothing to show."""

    type: Literal[
        "token-delta",
        "step-started",
        "step-completed",
        "tool-requests-listed",
        "summary-started",
        "summary-completed",
    ]


RECORD = record_union(
    Annotated[
        UserMessage
        | TextDelta
        | ThinkingDelta
        | ThinkingCompleted
        | ToolCall
        | NestedUpdate
        | ShellOutput
        | Summary
        | Ended
        | Silent,
        Field(discriminator="type"),
    ]
)
_TYPES = {
    "user-message-appended", "text-delta", "thinking-delta", "thinking-completed",
    "tool-call-started", "partial-tool-call", "tool-call-completed", "tool-call-delta",
    "nested-task", "shell-output-delta", "summary", "turn-ended", "token-delta", "step-started",
    "step-completed", "tool-requests-listed", "summary-started", "summary-completed",
}  # fmt: skip


def fits(record: dict[str, Json]) -> bool:
    """Whether a JSON object is an interaction update; other agents write summaries too."""
    return kind_of(record) in _TYPES and "leafUuid" not in record


class Decoder:
    """Records to events; holds nothing."""

    def feed(self, record: Any, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one validated record."""
        match record:
            case UserMessage():
                said = record.user_message or {}
                if agent := as_text(said.get("session_id")):
                    yield RunSeen(origin=origin, agent_id=agent)
                text = said.get("text")
                yield prompt(text if isinstance(text, str) else "", origin)
            case TextDelta():
                yield TextSeen(origin=origin, text=record.text or "", partial=True)
            case ThinkingDelta():
                yield ThoughtSeen(origin=origin, text=record.text or "", partial=True)
            case ThinkingCompleted():
                yield ThoughtSeen(origin=origin, text="", duration_ms=record.duration)
            case ToolCall():
                yield _call(record, origin)
            case NestedUpdate():
                yield from self._nested(record, origin)
            case ShellOutput():
                yield from _output(record.event or {}, origin)
            case Summary():
                message = f"Cursor summary: {record.summary or ''}"
                yield Noted(origin=origin, code="summary", level="info", message=message)
            case Ended():
                usage = record.usage.usage() if record.usage else None
                yield TurnEnded(origin=origin, status="success", usage=usage)
            case _:
                return

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:  # noqa: ARG002 - one shape for all
        """Nothing is held."""
        return iter(())

    def _nested(self, record: NestedUpdate, origin: Evidence) -> Iterator[AnyEvent]:
        wrapped = record.update or {}
        inner = record.task_update or wrapped.get("taskUpdate")
        parent = record.call_id or wrapped.get("callId")
        if not isinstance(inner, dict) or not isinstance(parent, str):
            message = "a sub-agent update without an update in it"
            yield Noted(origin=origin, code="unknown-record", message=message, problem=True)
            return
        try:
            update = RECORD.validate_python(inner)
        except ValidationError:
            message = "a sub-agent update of unknown type"
            yield Noted(origin=origin, code="unknown-record", message=message, problem=True)
            return
        for event in self.feed(update, origin):
            yield replace(event, parent=event.parent or parent)


def _call(record: ToolCall, origin: Evidence) -> AnyEvent:
    call = record.call or {}
    name = next((call[k] for k in ("name", "type", "toolName") if _is_name(call.get(k))), "unknown")
    args = next((call[k] for k in ("args", "input") if call.get(k) is not None), None)
    if record.type == "tool-call-completed":
        result = call.get("result")
        return CallCompleted(
            origin=origin,
            channel="update",
            call_id=record.call_id,
            name=name,
            args=args,
            outcome=decode_result(result, tool=name),
        )
    return CallStarted(
        origin=origin,
        channel="update",
        call_id=record.call_id,
        name=name,
        args=args,
        partial=record.type == "partial-tool-call",
    )


def _is_name(value: Json) -> bool:
    return isinstance(value, str) and bool(value)


_STREAMS: dict[Json, Literal["stdout", "stderr"]] = {"stdout": "stdout", "stderr": "stderr"}


def _output(event: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
    value = event.get("value")
    data = value.get("data") if isinstance(value, dict) else None
    case = event.get("case")
    stream = _STREAMS.get(case) if isinstance(case, str) else None
    if stream and isinstance(data, str) and data:
        yield OutputArrived(origin=origin, stream=stream, data=data)
