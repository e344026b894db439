"""Dumps of ``cursor-agent acp``: JSON-RPC lines of both directions (transcript facts 5).

Owns the messages, which session each is of, and which answer belongs to which question. No message
has a time; a dump of one direction alone has answers without questions, which are known by what is
in them.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from pydantic import TypeAdapter

from cursor_replay.events import AnyEvent, Noted, SessionSeen
from cursor_replay.ingest.formats.acp.calls import EXTENSIONS
from cursor_replay.ingest.formats.acp.session import Session, Told
from cursor_replay.ingest.formats.floor import Floor
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import Object, Record, Text, as_object, as_text


class Message(Record):
    """A request (``id`` and ``method``), a notification (no ``id``), an answer (no ``method``)."""

    jsonrpc: Literal["2.0"]
    id: Any = None
    method: Text = None
    params: Object = None
    result: Any = None
    error: Any = None


class _Question(NamedTuple):
    number: str
    method: str
    params: dict[str, Json]
    home: str | None


RECORD = TypeAdapter[Any](Message)
_METHODS = {
    "authenticate", "session/new", "session/load", "session/list", "session/resume", "session/fork",
    "session/close", "session/prompt", "session/cancel", "session/set_mode", "session/set_model",
    "session/set_config_option", "session/update", "session/request_permission",
    *EXTENSIONS,
}  # fmt: skip
"""Methods of the protocol, and Cursor's own; ``fs/`` and ``terminal/`` are known by the session."""
_OF_NONE = {"initialize", "authenticate", "session/new", "session/list"}
_RESULTS = {"stopReason", "agentCapabilities", "agentInfo"}
_OPENED = {"modes", "models", "configOptions"}
_ANSWERS = {
    "initialize": "protocolVersion",
    "session/new": "sessionId",
    "session/prompt": "stopReason",
    "session/request_permission": "outcome",
}
"""The key that tells an answer of one side from one of the other with the same id."""
_MOST_ASKED = 1000
"""Questions that may wait for an answer; an older one is not waited for."""
_MOST_CALLS = 4096
"""Calls whose session is known for what is told of them without naming it."""


def fits(record: dict[str, Json]) -> bool:
    """Whether a JSON object is a message of the Agent Client Protocol (not of MCP or another)."""
    if record.get("jsonrpc") != "2.0":
        return False
    method, params = record.get("method"), as_object(record.get("params"))
    if isinstance(method, str):
        if method == "initialize":
            return type(params.get("protocolVersion")) is int
        told = as_text(as_object(params.get("update")).get("sessionUpdate"))
        return method in _METHODS or bool(told or as_text(params.get("sessionId")))
    result = as_object(record.get("result"))
    opened = "sessionId" in result and bool(result.keys() & _OPENED)
    return bool(result.keys() & _RESULTS) or opened


class Decoder:
    """Messages to events, the turns of one session after those of another.

    The session that is told of is the first one in which something happened.
    """

    def __init__(self) -> None:
        self._floor: Floor[Told] = Floor("session", self)
        self._asked: deque[_Question] = deque(maxlen=_MOST_ASKED)
        self._sessions: dict[str, Session] = {}
        self._homes: OrderedDict[str, str] = OrderedDict()
        self._heads: dict[str, dict[str, str | None]] = {}
        self._opening: str | None = None
        self._main: str | None = None
        self._announced: dict[str, str | None] = {}

    def feed(self, record: Any, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one validated record, and of those that waited for it."""
        params = record.params or {}
        if record.method is None:
            asked = self._question(record)
            home = asked.home if asked.home is not None else self._floor.home(None)
            told = Told(
                asked.method,
                asked.params,
                is_answer=True,
                result=record.result,
                error=record.error,
            )
        else:
            home = self._home(params)
            told = Told(record.method, params, asks=record.id is not None)
            if told.asks:
                own = None if record.method in _OF_NONE else home
                self._asked.append(_Question(repr(record.id), record.method, params, own))
        self._learn(home, told)
        if told.method in _OF_NONE and told.error is None:
            if self._main is not None:
                yield from self._head(origin)
            return
        yield from self._floor.feed(home, told, origin)

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:
        """What waited for its turn, and a prompt whose last piece was the last message."""
        yield from self._floor.close()
        for home, session in self._sessions.items():
            yield from self._floor.after(home, session.flush())
        if self._main is None and (self._heads or self._opening):
            self._main = next(iter(self._heads), "")
            yield from self._head(origin)

    def take(self, home: str, told: Told, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of a message whose turn has come."""
        if self._main is None and told.works:
            self._main = home
        if home == self._main:
            yield from self._head(origin)
        session = self._sessions.get(home)
        if session is None:
            mark = "" if home == self._main else f" in {home}"
            session = self._sessions[home] = Session(mark)
        for event in session.feed(told, origin):
            if not isinstance(event, SessionSeen):
                yield event
            elif self._main not in (None, home):
                words = f"the session is called {event.title}"
                yield Noted(origin=origin, code="session-title", level="info", message=words)

    def idle(self, home: str) -> bool:
        """Whether no turn of a session is under way."""
        session = self._sessions.get(home)
        return session is None or session.idle

    def begins(self, home: str, told: Told) -> bool:  # noqa: ARG002 - one shape for all
        """Whether a message begins a turn."""
        return told.method == "session/prompt" and not told.is_answer

    def _home(self, params: dict[str, Json]) -> str:
        """The session of a message; Cursor's own methods name only the call."""
        call = params.get("toolCallId") or as_object(params.get("update")).get("toolCallId")
        call = call or as_object(params.get("toolCall")).get("toolCallId")
        named = as_text(params.get("sessionId"))
        if named is None and isinstance(call, str) and call in self._homes:
            return self._homes[call]
        home = self._floor.home(named)
        if isinstance(call, str):
            self._homes[call] = home
            if len(self._homes) > _MOST_CALLS:
                self._homes.popitem(last=False)
        return home

    def _question(self, record: Message) -> _Question:
        """What is answered. Both sides number their own questions, so an id may stand for two."""
        result = as_object(record.result)
        same = [each for each in self._asked if each.number == repr(record.id)]
        meant = [each for each in same if _ANSWERS.get(each.method) in result] or same
        if not meant:
            return _Question("", "", {}, None)
        self._asked.remove(meant[-1])
        return meant[-1]

    def _learn(self, home: str, told: Told) -> None:
        """What a message says of its session: the folder, the model, the title."""
        cwd, result = as_text(told.params.get("cwd")), as_object(told.result)
        if told.method == "session/new" and not told.is_answer:
            self._opening = cwd or self._opening
            return
        opened = as_text(result.get("sessionId"))
        if opened is not None:
            home = self._floor.home(opened)
            self._opening = None if cwd == self._opening else self._opening
        named = opened or as_text(told.params.get("sessionId"))
        title = as_text(told.update.get("title"))
        is_title = told.update.get("sessionUpdate") == "session_info_update"
        said = {
            "session_id": named,
            "cwd": cwd,
            "model": as_text(as_object(result.get("models")).get("currentModelId")),
            "title": title if is_title else None,
        }
        news = {key: each for key, each in said.items() if each is not None}
        if news:
            self._heads.setdefault(home, {}).update(news)

    def _head(self, origin: Evidence) -> Iterator[AnyEvent]:
        """What is known of the main session, when it is new."""
        known = self._heads.get(self._main or "", {})
        head = {"cwd": self._opening, **known} if self._opening else dict(known)
        if head and head != self._announced:
            self._announced = head
            yield SessionSeen(
                origin=origin,
                session_id=head.get("session_id"),
                cwd=head.get("cwd"),
                model=head.get("model"),
                title=head.get("title"),
            )
