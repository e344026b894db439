"""Dumps of ``cursor-agent acp``: JSON-RPC lines of both directions (transcript facts 5).

Owns the messages and which answer belongs to which question. No message has a time; a dump of one
direction alone has answers without questions, which are known by what is in them.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import TypeAdapter

from cursor_replay.events import (
    AnyEvent,
    Noted,
    PromptSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats.acp.calls import EXTENSIONS, Calls
from cursor_replay.ingest.formats.fields import MaybeUsage
from cursor_replay.ingest.formats.sdk.messages import prompt
from cursor_replay.items import ContextPart, Evidence, Json
from cursor_replay.lenient import Object, Record, Text, as_object, as_objects, as_text


class Message(Record):
    """A request (``id`` and ``method``), a notification (no ``id``), an answer (no ``method``)."""

    jsonrpc: Literal["2.0"]
    id: Any = None
    method: Text = None
    params: Object = None
    result: Any = None
    error: Any = None


class _Stopped(Record):
    """The usage a prompt's answer may carry."""

    usage: MaybeUsage = None


RECORD = TypeAdapter[Any](Message)
_ROOTS = ("session/", "cursor/", "fs/", "terminal/")
_RESULTS = {"stopReason", "agentCapabilities", "agentInfo"}
_ANSWERS = {
    "initialize": "protocolVersion",
    "session/new": "sessionId",
    "session/prompt": "stopReason",
    "session/request_permission": "outcome",
}
"""The key that tells an answer of one side from one of the other with the same id."""
_SILENT = {"initialize", "authenticate", "session/new", "session/load", "session/list"}
_SILENT_UPDATES = {"available_commands_update", "session_info_update", "config_option_update"}
_MOST_ASKED = 1000
"""Questions that may wait for an answer; an older one is not waited for."""


def fits(record: dict[str, Json]) -> bool:
    """Whether a JSON object is a message of the Agent Client Protocol (not of MCP)."""
    if record.get("jsonrpc") != "2.0":
        return False
    method, params = record.get("method"), as_object(record.get("params"))
    if isinstance(method, str):
        if method == "initialize":
            return type(params.get("protocolVersion")) is int
        return method.startswith(_ROOTS) or method == "authenticate"
    result = as_object(record.get("result"))
    return bool(result.keys() & _RESULTS) or set(result) == {"sessionId"}


class Decoder:
    """Messages to events; keeps the questions without an answer and the calls of the turn."""

    def __init__(self) -> None:
        self._session: str | None = None
        self._asked: deque[tuple[str, str, dict[str, Json]]] = deque(maxlen=_MOST_ASKED)
        self._calls = Calls()
        self._prompt: str | None = None
        self._typed: list[str] = []
        self._typed_at: Evidence | None = None

    def feed(self, record: Any, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one validated record."""
        params = record.params or {}
        update = as_object(params.get("update"))
        if update.get("sessionUpdate") != "user_message_chunk":
            yield from self._flush()
        if record.method is None:
            yield from self._answered(record, origin)
            return
        if record.id is not None:
            self._asked.append((repr(record.id), record.method, params))
        yield from self._in_session(params, origin)
        if record.method == "session/update":
            yield from self._update(update, origin)
        else:
            yield from self._called(record, params, origin)

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:  # noqa: ARG002 - one shape for all
        """A prompt whose last piece was the last message."""
        yield from self._flush()

    def _in_session(self, params: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        session, cwd = as_text(params.get("sessionId")), as_text(params.get("cwd"))
        if (session and session != self._session) or cwd:
            self._session = session or self._session
            yield SessionSeen(origin=origin, session_id=session, cwd=cwd)

    def _called(
        self, record: Message, params: dict[str, Json], origin: Evidence
    ) -> Iterator[AnyEvent]:
        method = record.method or ""
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
                asks = record.id is not None
                yield from self._calls.extended(method, params, origin, asks=asks)
            case _ if method.startswith(("fs/", "terminal/")):
                yield _info(origin, "client-request", f"the agent asked the client for {method}")
            case _ if method not in _SILENT:
                words = "a message of a method unknown here"
                yield Noted(origin=origin, code="unknown-record", message=words, problem=True)

    def _prompted(self, params: dict[str, Json], origin: Evidence) -> PromptSeen:
        blocks = as_objects(params.get("prompt"))
        self._calls.next_turn()
        self._prompt = "\n".join(words for each in blocks if (words := _spoken(each)))
        seen = prompt(self._prompt, origin)
        attached = tuple(part for each in blocks if (part := _context(each)))
        return PromptSeen(
            origin=origin,
            time=seen.time,
            text=seen.text,
            author=seen.author,
            context=(*seen.context, *attached),
        )

    def _flush(self) -> Iterator[AnyEvent]:
        """The user's text that came in pieces, unless it only repeats the prompt."""
        text, at = "".join(self._typed), self._typed_at
        self._typed, self._typed_at = [], None
        if at is None or (self._prompt is not None and text.strip() == self._prompt.strip()):
            return
        self._calls.next_turn()
        yield prompt(text, at)

    def _update(self, update: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        content = as_object(update.get("content"))
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                yield from _chunk(TextSeen, content, origin)
            case "agent_thought_chunk":
                yield from _chunk(ThoughtSeen, content, origin)
            case "user_message_chunk":
                self._typed.append(_spoken(content))
                self._typed_at = self._typed_at or origin
            case "tool_call" | "tool_call_update" as kind:
                yield from self._calls.told(update, origin, new=kind == "tool_call")
            case "plan":
                yield from self._calls.planned(as_objects(update.get("entries")), origin)
            case "current_mode_update":
                yield _info(origin, "mode", f"mode set to {as_text(update.get('currentModeId'))}")
            case "session_info_update" if title := as_text(update.get("title")):
                yield SessionSeen(origin=origin, title=title)
            case kind if not (isinstance(kind, str) and kind in _SILENT_UPDATES):
                words = "a session update of unknown kind"
                yield Noted(origin=origin, code="unknown-record", message=words, problem=True)

    def _answered(self, record: Message, origin: Evidence) -> Iterator[AnyEvent]:
        result = as_object(record.result)
        method, params = self._question(record, result)
        stop = as_text(result.get("stopReason"))
        if record.error is not None:
            yield self._refused(method, as_text(as_object(record.error).get("message")), origin)
        elif stop is not None:
            self._prompt = None
            usage = _Stopped.model_validate(result).usage
            yield TurnEnded(
                origin=origin,
                status="success" if stop == "end_turn" else stop.lower(),
                usage=usage.usage() if usage else None,
            )
        elif method == "session/request_permission":
            yield from self._calls.permitted(params, as_object(result.get("outcome")), origin)
        elif method in EXTENSIONS:
            yield from self._calls.replied(params, record.result, origin)
        else:
            yield from _opened(result, origin)

    def _question(self, record: Message, result: dict[str, Json]) -> tuple[str, dict[str, Json]]:
        """What is answered. Both sides number their own questions, so an id may stand for two."""
        same = [each for each in self._asked if each[0] == repr(record.id)]
        meant = [each for each in same if _ANSWERS.get(each[1]) in result] or same
        if not meant:
            return "", {}
        self._asked.remove(meant[-1])
        return meant[-1][1], meant[-1][2]

    def _refused(self, method: str, message: str | None, origin: Evidence) -> AnyEvent:
        if method == "session/prompt":
            self._prompt = None
            return TurnEnded(origin=origin, status="error", reason=message)
        words = f"{method or 'a request'} failed: {message or 'an error without a text'}"
        return Noted(origin=origin, code="rpc-error", level="error", message=words)


def _opened(result: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
    """What the answer to ``session/new`` says of the session."""
    session = as_text(result.get("sessionId"))
    model = as_text(as_object(result.get("models")).get("currentModelId"))
    if session or model:
        yield SessionSeen(origin=origin, session_id=session, model=model)


def _chunk(
    kind: type[TextSeen | ThoughtSeen], content: dict[str, Json], origin: Evidence
) -> Iterator[AnyEvent]:
    text = content.get("text")
    if isinstance(text, str):
        yield kind(origin=origin, text=text, partial=True)
    else:
        words = "a piece of the answer that is no text"
        yield _info(origin, "content-not-shown", words)


def _spoken(block: dict[str, Json]) -> str:
    """The text of a block of a prompt; an image or a sound is named only."""
    kind = block.get("type")
    if kind in ("image", "audio"):
        return f"[{'Image' if kind == 'image' else 'Audio'}]"
    text = block.get("text")
    return text if isinstance(text, str) else ""


def _context(block: dict[str, Json]) -> ContextPart | None:
    """What is attached to a prompt: a link, or a resource with its text."""
    resource = as_object(block.get("resource")) or block
    uri, text = as_text(resource.get("uri")), as_text(resource.get("text"))
    kind = block.get("type")
    if kind not in ("resource", "resource_link") or not (uri or text):
        return None
    words = "\n".join(each for each in (uri, text) if each)
    return ContextPart(tag=str(kind), text=words)


def _info(origin: Evidence, code: str, message: str) -> Noted:
    return Noted(origin=origin, code=code, level="info", message=message)
