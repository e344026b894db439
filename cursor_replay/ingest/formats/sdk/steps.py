"""``onStep`` steps, ``run.conversation()`` turns and ``Agent.messages.list`` records.

Owns conversation steps in both their encodings (SDK steps and protobuf JSON; SDK formats facts
1.4 and 1.6). A step carries no call id of its own; a protobuf step may.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    Channel,
    Noted,
    Outcome,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
)
from cursor_replay.ingest.formats.fields import has, kind_of
from cursor_replay.ingest.formats.sdk.messages import prompt
from cursor_replay.ingest.formats.sdk.proto import decode_call, decode_result
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import Object, Record, Text, as_int, as_object, record_union


class Step(Record):
    """One step: assistant text, thinking or a finished tool call."""

    type: Literal["assistantMessage", "toolCall", "thinkingMessage"]
    id: Text = None
    message: Object = None


class Turn(Record):
    """One turn of a conversation."""

    type: Literal["agentConversationTurn", "shellConversationTurn"]
    turn: Object = None


class AgentMessage(Record):
    """One turn, as ``Agent.messages.list`` reports it."""

    type: Literal["user", "assistant"]
    uuid: str
    agent_id: Text = None
    message: Object = None


RECORD = record_union(Annotated[Step | Turn | AgentMessage, Field(discriminator="type")])
_STEPS = {"assistantMessage", "toolCall", "thinkingMessage"}
_TURNS = ("agentConversationTurn", "shellConversationTurn")


def fits_step(record: dict[str, Json]) -> bool:
    """Whether a JSON object is an ``onStep`` step."""
    return kind_of(record) in _STEPS and "message" in record


def fits_turn(record: dict[str, Json]) -> bool:
    """Whether a JSON object is a ``run.conversation()`` turn."""
    return kind_of(record) in _TURNS


def fits_message(record: dict[str, Json]) -> bool:
    """Whether a JSON object is an ``Agent.messages.list`` record."""
    message = record.get("message")
    return "uuid" in record and isinstance(message, dict) and has(message, "turn", *_TURNS)


class Decoder:
    """Records to events; remembers only which agent it has introduced."""

    def __init__(self) -> None:
        self._agent: str | None = None

    def feed(self, record: Any, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one validated record."""
        match record:
            case Step():
                yield from _step(record.model_dump(), origin, "step")
            case Turn():
                yield from _turn(record.type, record.turn or {}, origin)
            case AgentMessage():
                if record.agent_id and record.agent_id != self._agent:
                    self._agent = record.agent_id
                    yield SessionSeen(origin=origin, session_id=record.agent_id)
                yield from _turn(*_named_turn(record.message or {}), origin)

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:  # noqa: ARG002 - one shape for all
        """Nothing is held."""
        return iter(())


def _named_turn(message: dict[str, Json]) -> tuple[str, dict[str, Json]]:
    oneof = as_object(message.get("turn"))
    if isinstance(oneof.get("case"), str):
        return oneof["case"], as_object(oneof.get("value"))
    for holder in (oneof, message):
        for name in _TURNS:
            if name in holder:
                return name, as_object(holder[name])
    return "", {}


def _turn(name: str, turn: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
    if name == "shellConversationTurn":
        yield from _shell(turn, origin)
        return
    user = as_object(turn.get("userMessage") or turn.get("user_message"))
    if isinstance(user.get("text"), str):
        yield prompt(user["text"], origin)
    steps = turn.get("steps")
    for index, step in enumerate(steps if isinstance(steps, list) else []):
        at = Evidence(file=origin.file, line=origin.line, block=index)
        yield from _step(as_object(step), at, "turn")


def _shell(turn: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
    """A command the user ran in the chat; it has no other name than shell."""
    command = as_object(turn.get("shellCommand") or turn.get("shell_command"))
    output = turn.get("shellOutput") or turn.get("shell_output")
    if not command and not output:
        return
    yield CallCompleted(
        origin=origin,
        channel="turn",
        call_id=None,
        name="shell",
        args=command,
        outcome=Outcome(status="success", value=output) if isinstance(output, dict) else None,
    )


def _step(step: dict[str, Json], origin: Evidence, channel: Channel) -> Iterator[AnyEvent]:
    kind, body = _kind(step)
    text = body.get("text")
    if kind == "assistantMessage":
        if isinstance(text, str) and text:
            yield TextSeen(origin=origin, text=text)
    elif kind == "thinkingMessage":
        keys = ("thinkingDurationMs", "thinking_duration_ms", "durationMs")
        ms = next((as_int(body[key]) for key in keys if body.get(key)), None)
        yield ThoughtSeen(origin=origin, text=text if isinstance(text, str) else "", duration_ms=ms)
    elif kind == "toolCall":
        yield _tool(step, body, origin, channel)
    else:
        message = "an empty or unknown conversation step"
        yield Noted(origin=origin, code="unknown-record", message=message, problem=True)


def _kind(step: dict[str, Json]) -> tuple[str, dict[str, Json]]:
    oneof = as_object(step.get("message"))
    if isinstance(step.get("type"), str):
        return step["type"], oneof
    if isinstance(oneof.get("case"), str):
        return oneof["case"], as_object(oneof.get("value"))
    for name in _STEPS:
        if name in step:
            return name, as_object(step[name])
    return "", {}


def _tool(
    step: dict[str, Json], call: dict[str, Json], origin: Evidence, channel: Channel
) -> CallCompleted:
    name = call.get("type") or call.get("name")
    if isinstance(name, str) and not name.endswith("ToolCall"):
        result = call.get("result")
        ids = (step.get("id"), call.get("id"), call.get("callId"))
        return CallCompleted(
            origin=origin,
            channel=channel,
            call_id=next((each for each in ids if isinstance(each, str)), None),
            name=name,
            args=call.get("args"),
            outcome=decode_result(result, tool=name),
        )
    proto = decode_call(call)
    return CallCompleted(
        origin=origin,
        time=proto.completed,
        channel=channel,
        call_id=proto.call_id,
        name=proto.name,
        args=proto.args,
        outcome=proto.outcome,
        started=proto.started,
    )
