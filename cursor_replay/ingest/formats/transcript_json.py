"""The summary form of an agent transcript: one JSON document (transcript facts 1.1, SDK facts 3.6).

``{mode, messages, turnEnded}``, or the messages alone as an array. Owns how one is told from the
messages of other programs, and which result belongs to which call. Headers are all that was seen of
results; what else a result holds is read by ``bodies``. A value of a wrong type is shown as JSON.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from cursor_replay.events import (
    INVENTED,
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
from cursor_replay.ingest.formats.bodies import body_outcome
from cursor_replay.ingest.formats.sdk.messages import prompt
from cursor_replay.ingest.formats.spelled import error_words, json_text
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import Record, as_object


class Summary(Record):
    """A whole document."""

    mode: Any = None
    messages: list[Any]
    turnEnded: Any = None  # noqa: N815 - the wire's own spelling


RECORD = TypeAdapter[Any](Summary)
_SAID = ("text", "thinking", "toolCalls", "toolResult")
_FOREIGN = {"message", "content", "parts"}
"""What messages of other programs keep their words in."""
_ROLES = ("user", "assistant", "tool")
_BODIES = ("result", "content", "output", "text", "success")
_BESIDE = {
    "toolName", "toolCallId", "id", "status", "error", "isError", "is_error", "success", "exitCode",
    "exit_code",
}  # fmt: skip
"""Fields of a result that are no part of its body, but for an object under ``success``."""


def fits(record: dict[str, Json]) -> bool:
    """Whether a JSON object is a transcript of this form (not a request to some model)."""
    messages = record.get("messages")
    if not isinstance(messages, list) or not messages:
        return False
    named = "mode" in record or "turnEnded" in record
    return is_summary(messages) or (named and _are_ours(messages) and any(map(_says, messages)))


def is_summary(values: list[Json]) -> bool:
    """Whether an array is the messages of such a transcript: only they have these keys."""
    return any(map(_is_marked, values)) and _are_ours(values)


def _are_ours(values: list[Json]) -> bool:
    """A stray value, or a message of another kind, does not make a document unknown."""
    ours = sum(map(_is_message, values))
    foreign = sum(isinstance(each, dict) and not _FOREIGN.isdisjoint(each) for each in values)
    return ours > foreign and 2 * ours >= len(values)


def _is_message(value: Json) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("role"), str)
        and _FOREIGN.isdisjoint(value)
    )


def _is_marked(value: Json) -> bool:
    return _is_message(value) and (
        isinstance(as_object(value).get("toolCalls"), list)
        or isinstance(as_object(value).get("toolResult"), dict)
    )


def _says(value: Json) -> bool:
    return _is_message(value) and any(as_object(value).get(key) for key in _SAID)


@dataclass(slots=True)
class _Call:
    name: str
    args: Json
    origin: Evidence
    answered: Evidence | None = None
    outcome: Outcome | None = None


class Decoder:
    """Documents to events; holds the calls of one step until its results have passed."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._made = 0

    def feed(self, record: Summary, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one document."""
        if mode := json_text(record.mode):
            yield Noted(origin=origin, code="mode", level="info", message=f"mode: {mode}")
        for index, message in enumerate(record.messages):
            yield from self._message(message, replace(origin, block=index))
        yield from self._flush()
        if record.turnEnded is not None and record.turnEnded is not False:
            yield _turn_end(record.turnEnded, origin)

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:  # noqa: ARG002 - one shape for all
        """Nothing is held."""
        return iter(())

    def _message(self, value: Json, origin: Evidence) -> Iterator[AnyEvent]:
        message = as_object(value)
        role = message.get("role")
        if role not in _ROLES:
            yield from self._flush()
            words = "a message of unknown role" if message else "a message that is no object"
            yield _unknown(words, origin)
            return
        if role != "tool":
            yield from self._flush()
            yield from _spoken(message, origin)
        elif thinking := json_text(message.get("thinking")):
            yield ThoughtSeen(origin=origin, text=thinking)
        if foreign := sorted(_FOREIGN & message.keys()):
            yield _unknown(f"not read of a message: {', '.join(foreign)}", origin)
        yield from self._begun(message.get("toolCalls"), origin)
        if role == "tool" or message.get("toolResult") is not None:
            yield from self._results(message, origin)

    def _begun(self, given: Json, origin: Evidence) -> Iterator[AnyEvent]:
        """The calls of a message; one call alone may stand for the list of them."""
        calls = [given] if isinstance(given, dict) and "toolName" in given else given
        if calls is not None and not isinstance(calls, list):
            yield _unknown("calls that are no list", origin)
        for call in calls if isinstance(calls, list) else []:
            if isinstance(call, dict):
                name = json_text(call.get("toolName")) or "unknown"
                self._calls.append(_Call(name, call.get("args"), origin))
            else:
                yield _unknown("a call that is no object", origin)

    def _results(self, message: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        given = message.get("toolResult")
        text = json_text(message.get("text")) if message.get("role") == "tool" else ""
        results = given if isinstance(given, list) and given else [given]
        for index, each in enumerate(results):
            result = each if isinstance(each, dict) else {"result": each}
            yield from self._result(result, "" if index else text, origin)

    def _result(self, result: dict[str, Json], text: str, origin: Evidence) -> Iterator[AnyEvent]:
        name = json_text(result.get("toolName")) or None
        waiting = (call for call in self._calls if call.answered is None)
        call = next((each for each in waiting if name in (None, each.name)), None)
        tool = call.name if call else name or "tool_result"
        outcome = body_outcome(tool, _body(result, text), result)
        if call is not None:
            call.answered, call.outcome = origin, outcome
            return
        words = "a tool result without its call"
        yield Noted(origin=origin, code="orphan-result", message=words)
        if outcome is not None:
            yield CallCompleted(
                origin=origin, channel="transcript", call_id=None, name=tool, outcome=outcome
            )

    def _flush(self) -> Iterator[AnyEvent]:
        """The calls of a step: only one whose result says something has an outcome."""
        calls, self._calls = self._calls, []
        for call in calls:
            if call.answered is None or call.outcome is None:
                yield CallUnrecorded(origin=call.origin, name=call.name, args=call.args)
                continue
            self._made += 1
            started = CallStarted(
                origin=call.origin,
                channel="transcript",
                call_id=f"{INVENTED}call {self._made}",
                name=call.name,
                args=call.args,
            )
            yield started
            yield CallCompleted(
                origin=call.answered,
                channel="transcript",
                call_id=started.call_id,
                name=call.name,
                args=call.args,
                outcome=call.outcome,
            )


def _spoken(message: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
    """What a message says; a thought stands before the text."""
    text, thinking = json_text(message.get("text")), json_text(message.get("thinking"))
    if thinking:
        yield ThoughtSeen(origin=origin, text=thinking)
    if message["role"] == "user":
        yield prompt(text, origin)
    elif text:
        yield TextSeen(origin=origin, text=text)
    elif not thinking and all(
        message.get(key) in (None, []) for key in ("toolCalls", "toolResult")
    ):
        words = "an assistant message without content"
        yield Noted(origin=origin, code="empty-record", level="info", message=words)


def _body(result: dict[str, Json], text: str) -> Json:
    """The one value that is the body; when more is there, all of it."""
    said = {
        key: value
        for key, value in result.items()
        if (key not in _BESIDE or (key == "success" and isinstance(value, dict)))
        and value not in (None, "", [], {})
    }
    if text and text != said.get("text"):
        said = {**said, "text": text} if "text" not in said else {**said, "message": text}
    key = next(iter(said), None)
    return said[key] if len(said) == 1 and key in _BODIES else said or None


def _turn_end(end: Json, origin: Evidence) -> TurnEnded:
    """A success that names an error is none."""
    given = as_object(end)
    reason = error_words(given.get("error"))
    status = end if isinstance(end, str) else json_text(given.get("status"))
    word = status.lower() or ("error" if reason else "unknown")
    if isinstance(end, list | int | float) and end is not True:
        reason = json_text(end)
    status = "error" if reason and word == "success" else word
    return TurnEnded(origin=origin, status=status, reason=reason or None)


def _unknown(words: str, origin: Evidence) -> Noted:
    return Noted(origin=origin, code="unknown-record", message=words, problem=True)
