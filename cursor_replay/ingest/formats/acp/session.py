"""The events of one session of an ACP dump (transcript facts 5).

Owns what each message tells, and when a turn is under way. Knows no other session, and not which
question an answer belongs to: it is told with it.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from cursor_replay.events import (
    AnyEvent,
    Noted,
    PromptSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats.acp.blocks import blocks_of, context, images_of, said, spoken
from cursor_replay.ingest.formats.acp.calls import EXTENSIONS, Calls
from cursor_replay.ingest.formats.fields import MaybeUsage
from cursor_replay.ingest.formats.sdk.messages import prompt
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import Record, as_object, as_text

SILENT = {"initialize", "authenticate", "session/new", "session/load", "session/list"}
_SILENT_UPDATES = {"available_commands_update", "session_info_update", "config_option_update"}
_WORK = {"session/prompt", "session/request_permission", *EXTENSIONS}


class _Stopped(Record):
    """The usage a prompt's answer may carry."""

    usage: MaybeUsage = None


class Told(NamedTuple):
    """A message: a call of ``method`` (``asks`` for an answer), or the answer to one."""

    method: str
    params: dict[str, Json]
    asks: bool = False
    is_answer: bool = False
    result: Any = None
    error: Any = None

    @property
    def update(self) -> dict[str, Json]:
        """What a ``session/update`` tells."""
        held = as_object(self.params.get("update"))
        return held if self.method == "session/update" and not self.is_answer else {}

    @property
    def works(self) -> bool:
        """Whether it is part of a turn."""
        if self.is_answer:
            return False
        kind = self.update.get("sessionUpdate")
        is_silent = isinstance(kind, str) and kind in _SILENT_UPDATES
        return self.method in _WORK or (self.method == "session/update" and not is_silent)


class Session:
    """The calls of a session, its prompt and the pieces of one; ``mark`` tells its calls apart."""

    def __init__(self, mark: str) -> None:
        self._calls = Calls(mark)
        self._prompt: str | None = None
        self._typed: list[str] = []
        self._typed_at: Evidence | None = None
        self.idle = True

    def feed(self, told: Told, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one message."""
        if told.update.get("sessionUpdate") != "user_message_chunk":
            yield from self.flush()
        if told.works:
            self.idle = False
        if told.is_answer:
            yield from self._answered(told, origin)
        elif told.method == "session/update":
            yield from self._update(told.update, origin)
        else:
            yield from self._called(told, origin)

    def flush(self) -> Iterator[AnyEvent]:
        """The user's text that came in pieces, unless it only repeats the prompt."""
        text, at = "".join(self._typed), self._typed_at
        self._typed, self._typed_at = [], None
        if at is None or (self._prompt is not None and text.strip() == self._prompt.strip()):
            return
        self._calls.next_turn()
        yield prompt(text, at)

    def _called(self, told: Told, origin: Evidence) -> Iterator[AnyEvent]:
        method, params = told.method, told.params
        match method:
            case "session/prompt":
                yield self._prompted(params, origin)
            case "session/request_permission":
                yield from self._calls.told(as_object(params.get("toolCall")), origin)
            case "session/cancel":
                yield _info(origin, "cancel", "the user asked to cancel")
            case "session/set_mode" | "session/set_model":
                chosen = as_text(params.get("modeId")) or as_text(params.get("modelId"))
                yield _info(origin, "mode", f"{method.rpartition('_')[2]} set to {chosen}")
            case _ if method in EXTENSIONS:
                yield from self._calls.extended(method, params, origin, asks=told.asks)
            case _ if method.startswith(("fs/", "terminal/")):
                yield _info(origin, "client-request", f"the agent asked the client for {method}")
            case _ if method not in SILENT:
                yield _unknown(origin, "a message of a method unknown here")

    def _prompted(self, params: dict[str, Json], origin: Evidence) -> PromptSeen:
        blocks = blocks_of(params.get("prompt"))
        self._calls.next_turn()
        self._prompt = "\n".join(words for each in blocks if (words := spoken(each)))
        seen = prompt(self._prompt, origin)
        attached = tuple(part for each in blocks if (part := context(each)))
        context_parts = (*seen.context, *attached)
        return replace(seen, context=context_parts, images=images_of(blocks) or None)

    def _update(self, update: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        content = update.get("content")
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                yield from _chunk(TextSeen, content, origin)
            case "agent_thought_chunk":
                yield from _chunk(ThoughtSeen, content, origin)
            case "user_message_chunk":
                self._typed += [spoken(each) for each in blocks_of(content)]
                self._typed_at = self._typed_at or origin
            case "tool_call" | "tool_call_update" as kind:
                yield from self._calls.told(update, origin, new=kind == "tool_call")
            case "plan":
                yield from self._calls.planned(update.get("entries"), origin)
            case "current_mode_update":
                yield _info(origin, "mode", f"mode set to {as_text(update.get('currentModeId'))}")
            case "session_info_update" if title := as_text(update.get("title")):
                yield SessionSeen(origin=origin, title=title)
            case kind if not (isinstance(kind, str) and kind in _SILENT_UPDATES):
                yield _unknown(origin, "a session update of unknown kind")

    def _answered(self, told: Told, origin: Evidence) -> Iterator[AnyEvent]:
        result = as_object(told.result)
        stop = as_text(result.get("stopReason"))
        if told.method == "session/load":
            self.idle = True
        if told.error is not None:
            yield self._refused(told, origin)
        elif stop is not None:
            self._prompt, self.idle = None, True
            usage = _Stopped.model_validate(result).usage
            yield TurnEnded(
                origin=origin,
                status="success" if stop == "end_turn" else stop.lower(),
                usage=usage.usage() if usage else None,
            )
        elif told.method == "session/request_permission":
            yield from self._calls.permitted(told.params, as_object(result.get("outcome")), origin)
        elif told.method in EXTENSIONS:
            yield from self._calls.replied(told.params, told.result, origin)

    def _refused(self, told: Told, origin: Evidence) -> AnyEvent:
        message = as_text(as_object(told.error).get("message")) or as_text(told.error)
        if told.method == "session/prompt":
            self._prompt, self.idle = None, True
            return TurnEnded(origin=origin, status="error", reason=message)
        words = f"{told.method or 'a request'} failed: {message or 'an error without a text'}"
        return Noted(origin=origin, code="rpc-error", level="error", message=words)


def _chunk(
    kind: type[TextSeen | ThoughtSeen], content: Json, origin: Evidence
) -> Iterator[AnyEvent]:
    for block in blocks_of(content) or [{}]:
        text = said(block)
        if text is None:
            words = "a piece of the answer that is no text"
            yield _info(origin, "content-not-shown", words)
        else:
            yield kind(origin=origin, text=text, partial=True)


def _info(origin: Evidence, code: str, message: str) -> Noted:
    return Noted(origin=origin, code=code, level="info", message=message)


def _unknown(origin: Evidence, words: str) -> Noted:
    return Noted(origin=origin, code="unknown-record", message=words, problem=True)
