"""Prompt messages as Cursor keeps them for the model (transcript facts 2, SDK formats facts 3.3).

Owns the roles and the parts of their content. A message has no time; its ``id`` is the same for
all of an assistant's and says nothing. The system prompt is counted and not shown: it may hold
private things. Knows neither where messages are stored nor in which order.
"""

import re
from collections.abc import Iterator
from typing import Any

from pydantic import AliasChoices, Field

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    Noted,
    Outcome,
    PromptSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
)
from cursor_replay.ingest.formats import transcript
from cursor_replay.ingest.formats.chat.calls import ModelCalls, as_id, cursor_options
from cursor_replay.ingest.formats.chat.results import without_bytes
from cursor_replay.ingest.formats.spelled import json_text
from cursor_replay.items import ContextPart, Evidence, Json
from cursor_replay.lenient import Object, Record, Text, as_object, as_text

SUMMARY_TAG = "conversation_summary"
_THINKING = re.compile(r"\s*<(think|thinking)>(.*?)</\1>\s*", re.DOTALL)
"""Some models think inside their text; Cursor's own transcripts cut it (SDK formats facts 3.6)."""


class Message(Record):
    """One message; ``tool_calls``, ``tool_call_id`` and ``name`` are the OpenAI spelling."""

    role: Text = None
    content: Any = None
    tool_calls: Any = None
    tool_call_id: Any = None
    name: Text = None
    is_error: Any = Field(None, validation_alias=AliasChoices("isError", "is_error"))
    provider_options: Object = Field(None, validation_alias="providerOptions")

    def parts(self) -> list[Json]:
        """The content as parts: a bare string is one text part, an object is itself one."""
        if isinstance(self.content, list):
            return self.content
        if self.content in (None, ""):
            return []
        held = self.content
        return [{"type": "text", "text": held} if isinstance(held, str) else held]

    def calls(self) -> list[Json]:
        """The OpenAI calls; one that stands alone is the only one."""
        if isinstance(self.tool_calls, list):
            return self.tool_calls
        return [] if self.tool_calls in (None, "", {}) else [self.tool_calls]


class Decoder:
    """Messages in order to events; keeps the ids of the calls and context that waits for text.

    ``model`` is the one that is known already: only without it a message may name it.
    """

    def __init__(self, *, model: str | None = None) -> None:
        self.calls = ModelCalls()
        self._user = transcript.Decoder()
        self._model = model

    def feed(self, message: Message, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one message."""
        cursor = cursor_options(message.provider_options)
        if cursor.get("isSummary") is True:
            yield from self._user.close(origin)
            yield from _summary(message, origin)
        elif message.role in ("system", "developer"):
            yield from _system(message, origin)
        elif message.role == "user":
            yield from self._prompt(message, origin)
        elif message.role in ("assistant", "tool"):
            yield from self._user.close(origin)
            yield from self._answered(message, cursor, origin)
        else:
            yield _problem(origin, "unknown-record", "a message of an unknown role")

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:
        """What is still held at the end."""
        yield from self._user.close(origin)

    def _prompt(self, message: Message, origin: Evidence) -> Iterator[AnyEvent]:
        """Images and files are named in front of the text, as Cursor's own transcripts do."""
        parts = message.parts()
        named = [words for part in parts if (words := _placed(part)) is not None]
        texts = [text for part in parts if (text := _text_of(part)) is not None]
        if named or texts or not parts:
            text = "\n".join([*named, *texts])
            yield from self._user.feed(transcript.TypedTextRecord(type="user", text=text), origin)
        for index, part in enumerate(parts):
            if _placed(part) is None and _text_of(part) is None:
                yield from self._part(part, {}, _at(origin, index))

    def _answered(
        self, message: Message, cursor: dict[str, Json], origin: Evidence
    ) -> Iterator[AnyEvent]:
        parts, calls = message.parts(), message.calls()
        answered = as_id(message.tool_call_id)
        if message.role == "tool" and answered is not None:
            leaf = {"toolCallId": answered, "toolName": message.name, "isError": message.is_error}
            yield self.calls.completed({**leaf, "content": message.content}, cursor, origin)
            return
        if not parts and not calls:
            words = f"a message of the role {message.role} without content"
            yield Noted(origin=origin, code="empty-record", level="info", message=words)
        results = sum(map(_is_result, parts))
        # One structured result stands beside all parts: of several it could belong to any.
        alone = cursor if results == 1 else {}
        if results > 1 and cursor.get("highLevelToolCallResult"):
            yield _problem(
                origin, "shared-outcome", f"one outcome for {results} results: not shown"
            )
        for index, part in enumerate(parts):
            text = _text_of(part) if message.role == "tool" else None
            if text is None:
                yield from self._part(part, alone, _at(origin, index))
            else:
                yield from _orphan(text, message.name, _at(origin, index))
        for index, call in enumerate(calls, len(parts)):
            yield self._leaf(call, _at(origin, index))

    def _leaf(self, call: Json, origin: Evidence) -> AnyEvent:
        held = as_object(call)
        if held.keys() & {"id", "function", "name"}:
            return self.calls.leaf_started(held, origin)
        return _problem(origin, "unknown-block", "a tool call in a form not known here")

    def _part(self, part: Json, cursor: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        text, held = _text_of(part), as_object(part)
        match held.get("type"):
            case _ if text is not None:
                yield from _said(text, origin)
            case "reasoning":
                yield from self._reasoning(held, origin)
            case "redacted-reasoning":
                yield ThoughtSeen(origin=origin, text="", removed=True)
            case "tool-call":
                args = held.get("args", held.get("input"))
                yield self.calls.started(held.get("toolCallId"), held.get("toolName"), args, origin)
            case "tool-result":
                own = cursor_options(held.get("providerOptions"))
                yield self.calls.completed(held, own or cursor, origin)
            case "image" | "file":
                words = f"{_placed(part)} in an answer"
                yield Noted(origin=origin, code="attachment", level="info", message=words)
            case str() as kind:
                yield _problem(origin, "unknown-block", f"a content part of unknown type '{kind}'")
            case _:
                yield _problem(origin, "unknown-block", "a stray content value")

    def _reasoning(self, part: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        """A signature without a text is thinking that the provider kept to itself."""
        model = as_text(cursor_options(part.get("providerOptions")).get("modelName"))
        if model and model.lower() != "default" and self._model is None:
            self._model = model
            yield SessionSeen(origin=origin, model=model)
        text = json_text(without_bytes(part.get("text")))
        removed = not text.strip() and bool(part.get("signature"))
        yield ThoughtSeen(origin=origin, text="" if removed else text, removed=removed)


def _said(text: str, origin: Evidence) -> Iterator[AnyEvent]:
    if thought := _THINKING.match(text):
        yield ThoughtSeen(origin=origin, text=thought[2].strip())
        text = text[thought.end() :]
    yield TextSeen(origin=origin, text=text)


def _orphan(text: str, name: str | None, origin: Evidence) -> Iterator[AnyEvent]:
    """What a tool said without saying to which call; never the agent's speech."""
    yield Noted(origin=origin, code="orphan-result", message="a tool result without its call")
    if text:
        yield CallCompleted(
            origin=origin,
            channel="cli",
            call_id=None,
            name=name or "tool_result",
            outcome=Outcome(status="unknown", value=text),
        )


def _summary(message: Message, origin: Evidence) -> Iterator[AnyEvent]:
    """Compaction: the summary stands for what was said before, and nobody typed it."""
    text = _all_text(message)
    words = f"the conversation before this was compacted into {_count(text)}"
    yield Noted(origin=origin, code="compaction", level="info", message=words)
    part = ContextPart(tag=SUMMARY_TAG, text=text)
    yield PromptSeen(origin=origin, text="", author="cursor", context=(part,))


def _system(message: Message, origin: Evidence) -> Iterator[AnyEvent]:
    words = f"a system prompt of {_count(_all_text(message))}, not shown"
    yield Noted(origin=origin, code="system-prompt", level="info", message=words)


def _all_text(message: Message) -> str:
    return "\n".join(text for part in message.parts() if (text := _text_of(part)) is not None)


def _count(text: str) -> str:
    return f"{len(text):,} character{'' if len(text) == 1 else 's'}"


def _text_of(part: Json) -> str | None:
    if isinstance(part, str):
        return part
    held = as_object(part)
    return json_text(without_bytes(held.get("text"))) if held.get("type") == "text" else None


def _placed(part: Json) -> str | None:
    """``[Image]`` or ``[File: name]``, None for other parts."""
    held = as_object(part)
    if held.get("type") == "image":
        return "[Image]"
    if held.get("type") != "file":
        return None
    name = as_text(held.get("filename")) or as_text(held.get("mediaType")) or "without a name"
    return f"[File: {' '.join(name.replace(']', ')').split())}]"


def _is_result(part: Json) -> bool:
    return as_object(part).get("type") == "tool-result"


def _at(origin: Evidence, index: int) -> Evidence:
    return Evidence(file=origin.file, line=origin.line, block=index, row=origin.row)


def _problem(origin: Evidence, code: str, message: str) -> Noted:
    return Noted(origin=origin, code=code, message=message, problem=True)
