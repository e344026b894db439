"""Logs of Cursor hooks: what hook commands got on stdin (transcript facts 5, SDK formats facts 5).

Owns which conversation a payload is of: a log is shared by all windows, and a sub-agent has a
conversation of its own inside its task. A log holds what its user configured hooks for, so any part
may be missing.
"""

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from cursor_replay.events import AnyEvent, SessionSeen
from cursor_replay.ingest.formats.floor import Floor
from cursor_replay.ingest.formats.hooks.calls import Configured
from cursor_replay.ingest.formats.hooks.conversation import (
    KNOWN,
    OF_SESSIONS,
    Conversation,
    Task,
)
from cursor_replay.ingest.formats.hooks.records import Payload
from cursor_replay.items import Evidence, Json

RECORD = TypeAdapter[Any](Payload)
_DRIVE = re.compile(r"/([A-Za-z]:)(?=/|$)")
_NO_MODEL = {"unknown"}
_IDS = {"conversation_id", "generation_id"}
_MOST_CONVERSATIONS = 1000
"""Conversations whose calls may still be told more of."""


def fits(record: dict[str, Json]) -> bool:
    """Whether a JSON object is the payload of a hook of Cursor's (not of another agent's)."""
    name = record.get("hook_event_name")
    if not isinstance(name, str):
        return False
    ids = _IDS & record.keys()
    return bool(ids) if name in KNOWN else ids == _IDS


class Decoder:
    """Payloads to events, the turns of one conversation after those of another.

    The session is the first conversation in which something happened.
    """

    def __init__(self) -> None:
        self._floor: Floor[Payload] = Floor("conversation", self)
        self._configured = Configured()
        self._runs: OrderedDict[str, Conversation] = OrderedDict()
        self._tasks: dict[str, Task] = {}
        self._roots: dict[str, str] = {}
        self._main: str | None = None
        self._heads: dict[str, SessionSeen] = {}
        self._announced: SessionSeen | None = None

    def feed(self, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one payload, and of those that waited for it."""
        is_task = record.hook_event_name in ("subagentStart", "subagentStop")
        named = (record.parent_conversation_id if is_task else None) or record.conversation_id
        root = self._roots.get(named or "")
        home = self._floor.home(named or None) if root is None else root
        child = record.subagent_id
        if is_task and child and self._floor.home(child) not in (home, self._main):
            self._roots.setdefault(child, home)
        yield from self._floor.feed(home, record, origin)

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:  # noqa: ARG002 - one shape for all
        """What waited for its turn, and what ran and was told by no tool hook."""
        yield from self._floor.close()
        if self._main is None and self._heads:
            yield next(iter(self._heads.values()))
        for name, run in self._runs.items():
            yield from self._inside(name, run.close())

    def take(self, home: str, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of a payload whose turn has come."""
        is_child = (record.conversation_id or "") in self._roots
        if not is_child:
            yield from self._head(home, record, origin)
        if record.hook_event_name == "sessionStart":
            return
        name = str(record.conversation_id) if is_child else home
        yield from self._inside(name, self._run(name).feed(record, origin))
        child = record.subagent_id or ""
        if record.hook_event_name == "subagentStop" and child in self._roots:
            yield from self._returned(child)

    def idle(self, home: str) -> bool:
        """Whether no turn of a conversation is under way."""
        run = self._runs.get(home)
        return run is None or run.idle

    def begins(self, home: str, record: Payload) -> bool:
        """Whether a payload is the first of a generation; those of sub-agents are in a turn."""
        run = self._runs.get(home)
        is_child = (record.conversation_id or "") in self._roots
        return run is not None and not is_child and run.begins(record)

    def _run(self, name: str) -> Conversation:
        run = self._runs.get(name)
        if run is None:
            mark = None if name == self._main else name
            run = self._runs[name] = Conversation(self._configured, self._tasks, mark)
            oldest = next(iter(self._runs))
            if len(self._runs) > _MOST_CONVERSATIONS and self._runs[oldest].idle:
                del self._runs[oldest]
        return run

    def _inside(self, name: str, events: Iterator[AnyEvent]) -> Iterator[AnyEvent]:
        """What a sub-agent does is inside its task."""
        task = self._tasks.get(name) if name in self._roots else None
        for event in events:
            outside = task is None or event.parent is not None
            yield event if outside or task is None else replace(event, parent=task.call_id)

    def _returned(self, child: str) -> Iterator[AnyEvent]:
        """What waits of a sub-agent that nobody saw start; its calls end with it."""
        for record, origin in self._floor.adopted(child):
            yield from self._inside(child, self._run(child).feed(record, origin))
        yield from self._inside(child, self._run(child).close())

    def _head(self, home: str, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        """What the payloads of the main conversation say of the session, when it is new."""
        if self._main is None and record.hook_event_name not in OF_SESSIONS:
            self._main = home
        if self._main not in (None, home):
            return
        known = self._heads.get(home)
        seen = self._heads[home] = _session(record, origin, known)
        if self._main == home and (self._announced is None or not _is_same(seen, self._announced)):
            self._announced = seen
            yield seen


def _session(record: Payload, origin: Evidence, known: SessionSeen | None) -> SessionSeen:
    """What is known of a conversation now; ``default`` is the model that Cursor chose itself."""
    roots = record.workspace_roots or []
    cwd = _DRIVE.sub(r"\1", roots[0]) if roots else None
    model = "Auto" if record.model == "default" else record.model
    known = known or SessionSeen(origin=origin)
    return SessionSeen(
        origin=origin,
        session_id=record.conversation_id or known.session_id,
        cwd=cwd or known.cwd,
        model=known.model if model in _NO_MODEL else model or known.model,
    )


def _is_same(one: SessionSeen, other: SessionSeen) -> bool:
    return replace(one, origin=other.origin) == other
