"""The summary form of an agent transcript: one JSON document (transcript facts 1.1, SDK facts 3.6).

``{mode, messages, turnEnded}``, or the messages alone as an array. Owns which result header
belongs to which call. Headers are all that was seen of results; a body is read where there is one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    CallUnrecorded,
    Noted,
    Outcome,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats.sdk.messages import prompt
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import Record, Text, as_object, as_text


class Summary(Record):
    """A whole document."""

    mode: Text = None
    messages: list[Any]
    turnEnded: Any = None  # noqa: N815 - the wire's own spelling


RECORD = TypeAdapter[Any](Summary)
_OWN = ("toolCalls", "toolResult")
_BODIES = ("result", "content", "output", "text")


def fits(record: dict[str, Json]) -> bool:
    """Whether a JSON object is a transcript of this form (not a request to some model)."""
    messages = record.get("messages")
    if not isinstance(messages, list) or not messages:
        return False
    if is_summary(messages):
        return True
    return ("mode" in record or "turnEnded" in record) and all(map(_is_message, messages))


def is_summary(values: list[Json]) -> bool:
    """Whether an array is the messages of such a transcript: only they have these keys."""
    return all(map(_is_message, values)) and any(key in each for each in values for key in _OWN)


def _is_message(value: Json) -> bool:
    return isinstance(value, dict) and "role" in value and not {"message", "content"} & value.keys()


@dataclass(slots=True)
class _Call:
    name: str
    args: Json
    origin: Evidence
    answered: Evidence | None = None
    body: Json = None


class Decoder:
    """Documents to events; holds the calls of one step until its results have passed."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._made = 0

    def feed(self, record: Summary, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one document."""
        if record.mode:
            message = f"mode: {record.mode}"
            yield Noted(origin=origin, code="mode", level="info", message=message)
        for index, message in enumerate(record.messages):
            yield from self._message(as_object(message), replace(origin, block=index))
        yield from self._flush()
        if record.turnEnded is not None:
            end = as_object(record.turnEnded)
            word = as_text(end.get("status")) or as_text(record.turnEnded) or "unknown"
            reason = as_text(end.get("error"))
            yield TurnEnded(origin=origin, status=word.lower(), reason=reason)

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:  # noqa: ARG002 - one shape for all
        """Nothing is held."""
        return iter(())

    def _message(self, message: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        role, text = message.get("role"), as_text(message.get("text"))
        if role == "tool":
            yield from self._result(message, origin)
            return
        yield from self._flush()
        if role == "user":
            yield prompt(text or "", origin)
        elif role == "assistant":
            thinking = as_text(message.get("thinking"))
            if thinking:
                yield ThoughtSeen(origin=origin, text=thinking)
            if text:
                yield TextSeen(origin=origin, text=text)
            yield from self._step(message, origin)
        else:
            yield _unknown("a message of unknown role", origin)

    def _step(self, message: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        calls = message.get("toolCalls")
        if not calls and not any(message.get(key) for key in ("text", "thinking")):
            words = "an assistant message without content"
            yield Noted(origin=origin, code="empty-record", level="info", message=words)
        for call in calls if isinstance(calls, list) else []:
            name = as_text(as_object(call).get("toolName"))
            if isinstance(call, dict):
                self._calls.append(_Call(name or "unknown", call.get("args"), origin))
            else:
                yield _unknown("a call that is no object", origin)

    def _result(self, message: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        result = as_object(message.get("toolResult"))
        name = as_text(result.get("toolName"))
        body = next((result[key] for key in _BODIES if result.get(key)), None) or as_text(
            message.get("text")
        )
        waiting = [call for call in self._calls if call.answered is None]
        call = next((each for each in waiting if name in (None, each.name)), None)
        if call is not None:
            call.answered, call.body = origin, body
            return
        words = "a tool result without its call"
        yield Noted(origin=origin, code="orphan-result", message=words)
        if body is not None:
            yield CallCompleted(
                origin=origin,
                channel="transcript",
                call_id=None,
                name=name or "tool_result",
                outcome=Outcome(value=body),
            )

    def _flush(self) -> Iterator[AnyEvent]:
        """The calls of a step: only one whose result has a body has an outcome."""
        calls, self._calls = self._calls, []
        for call in calls:
            if call.answered is None or call.body is None:
                yield CallUnrecorded(origin=call.origin, name=call.name, args=call.args)
                continue
            self._made += 1
            call_id = f"call {self._made}"
            yield CallStarted(
                origin=call.origin,
                channel="transcript",
                call_id=call_id,
                name=call.name,
                args=call.args,
            )
            yield CallCompleted(
                origin=call.answered,
                channel="transcript",
                call_id=call_id,
                name=call.name,
                args=call.args,
                outcome=Outcome(value=call.body),
            )


def _unknown(words: str, origin: Evidence) -> Noted:
    return Noted(origin=origin, code="unknown-record", message=words, problem=True)
