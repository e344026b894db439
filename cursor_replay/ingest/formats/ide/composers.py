"""What ``state.vscdb`` says about a chat as a whole: ``composerData`` and its head rows.

Owns the fields of a composer, the order of its messages, the optional ``composerHeaders`` table
and where a workspace id leads (transcript facts 1.10 and 3). Reads no bubble.
"""

import json
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from cursor_replay.ingest.database import Database
from cursor_replay.ingest.formats.ide.results import uri_path
from cursor_replay.ingest.formats.ide.rows import ITEM, Rows, moment, parsed
from cursor_replay.ingest.rowfiles import Row
from cursor_replay.ingest.store import State
from cursor_replay.items import Json, Time
from cursor_replay.lenient import as_int, as_object, as_objects, as_text

PREFIX = "composerData:"
LISTED = 16 * 1024 * 1024
"""Bytes of a composer that a listing reads; older builds keep a whole chat in it."""
_NO_TITLES = {"new agent", "new chat", "untitled", "cursor agent"}
_STATES: dict[str, State] = {
    "completed": "finished",
    "aborted": "finished",
    "cancelled": "finished",
    "error": "error",
    "generating": "running",
    "running": "running",
    "streaming": "running",
}
_WORKSPACE_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
_LARGEST_NOTE = 64 * 1024
_HEADS = "composerHeaders"
WORKSPACES = "workspaces"
"""The table of a copy that says what stands in ``workspaceStorage`` beside the database."""
_TIMES = ("recency", "lastUpdatedAt", "createdAt")
_NAMED = ("composer.composerHeaders", "composer.composerData")


def model_name(name: Json) -> str | None:
    """A model as it is named; ``default`` stands for any (transcript facts 4)."""
    known = as_text(name)
    return None if known is None or known.strip().lower() == "default" else known


class Composer:
    """The JSON object of one chat; every field is lenient."""

    def __init__(self, data: dict[str, Json]) -> None:
        self.data = data

    @property
    def title(self) -> str | None:
        """The name, unless it is a placeholder."""
        name = (as_text(self.data.get("name")) or "").strip()
        return None if name.lower() in _NO_TITLES else name or None

    @property
    def started(self) -> Time | None:
        """When it was made."""
        return moment(self.data.get("createdAt"))

    @property
    def changed(self) -> Time | None:
        """When it was last written to, as recorded."""
        return moment(self.data.get("lastUpdatedAt"))

    @property
    def status(self) -> str:
        """Its own word in lower case."""
        return (as_text(self.data.get("status")) or "").lower()

    @property
    def state(self) -> State:
        """As its status says; messages that are being generated make it run."""
        known = _STATES.get(self.status, "unknown")
        return "running" if known == "unknown" and self.data.get("generatingBubbleIds") else known

    @property
    def model(self) -> str | None:
        """The chosen model; ``default`` lets Cursor choose, and is none."""
        return model_name(as_object(self.data.get("modelConfig")).get("modelName"))

    @property
    def parent(self) -> str | None:
        """The chat whose sub-agent this is."""
        info = as_object(self.data.get("subagentInfo"))
        return as_text(info.get("parentComposerId")) or as_text(self.data.get("parentComposerId"))

    @property
    def is_subagent(self) -> bool:
        """Whether an agent asked; one of several tries at a prompt answers a human."""
        if self.data.get("isBestOfNSubcomposer") is True:
            return False
        return bool(self.data.get("subagentInfo")) or self.parent is not None

    @property
    def folder(self) -> str | None:
        """The path of its workspace, a remote one as it is there."""
        return uri_path(as_object(self.data.get("workspaceIdentifier")).get("uri"))

    @property
    def workspace_id(self) -> str | None:
        """The name of its folder in ``workspaceStorage``."""
        return as_text(as_object(self.data.get("workspaceIdentifier")).get("id"))

    @property
    def headers(self) -> list[Json]:
        """The messages in order, as headers or, in older builds, whole."""
        return self._list("fullConversationHeadersOnly") or self._list("conversation")

    @property
    def is_inline(self) -> bool:
        """Whether the messages stand in the composer itself."""
        return not self._list("fullConversationHeadersOnly")

    def prompts(self, *, is_subagent: bool) -> int:
        """Messages of a human; the first one of a sub-agent is its task."""
        count = sum(as_int(each.get("type")) == 1 for each in as_objects(self.headers))
        return max(count - is_subagent, 0)

    def _list(self, key: str) -> list[Json]:
        value = self.data.get(key)
        return value if isinstance(value, list) else []


class Head(NamedTuple):
    """A row of ``composerHeaders``, or what stands in for one; ``composer`` is its JSON."""

    composer: Composer
    workspace_id: str | None = None
    times: tuple[Json, ...] = ()
    is_subagent: bool = False

    @property
    def changed(self) -> Time | None:
        """The recorded time of the last change, in the table or in the row's JSON."""
        return moment(*self.times) or self.composer.changed


class Heads:
    """Where chats are listed beside their data: a table of newer builds, items of older ones."""

    def __init__(self, database: Database, rows: Rows) -> None:
        self._database = database
        self._rows = rows
        self._columns = database.columns(_HEADS)

    def newest(self) -> Iterator[tuple[str, Head]]:
        """The table, newest first; it knows only chats touched since it exists."""
        if "composerId" not in self._columns:
            return
        times = [each for each in _TIMES if each in self._columns]
        order = f"coalesce({', '.join([*times, 'NULL', 'NULL'])})"
        ids = self._database.rows(f"SELECT composerId FROM {_HEADS} ORDER BY {order} DESC")  # noqa: S608 - column names of ours
        for (composer,) in list(ids):
            if isinstance(composer, str):
                yield composer, self.head(composer)

    def named(self, composer: str) -> Head:
        """What the items say of a chat that the table does not know."""
        return Head(Composer(self._items.get(composer, {})))

    def head(self, composer: str) -> Head:
        """The row of one chat, an empty one where there is none."""
        if "composerId" not in self._columns:
            return Head(Composer({}))
        wanted = ("workspaceId", "lastUpdatedAt", "recency", "isSubagent", "value")
        chosen = ", ".join(each if each in self._columns else "NULL" for each in wanted)
        row = self._database.row(f"SELECT {chosen} FROM {_HEADS} WHERE composerId = ?", (composer,))  # noqa: S608 - column names of ours
        workspace, updated, recency, subagent, value = row or (None,) * len(wanted)
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        held = Composer(as_object(parsed(text)))
        asked = held.is_subagent or (subagent == 1 and not held.data.get("isBestOfNSubcomposer"))
        return Head(held, as_text(workspace), (updated, recency), is_subagent=asked)

    def rows(self, composer: str) -> Iterator[Row]:
        """Where one chat is listed; of a list of all chats its own entry alone."""
        if "composerId" in self._columns:
            yield from self._database.table(_HEADS, "WHERE composerId = ?", (composer,))
        if entry := self._items.get(composer):
            yield "ItemTable", {"key": _NAMED[0], "value": json.dumps({"allComposers": [entry]})}

    def copied_folder(self, composer: str) -> str | None:
        """The folder of a chat in a copy of the database, which has no files beside it."""
        if "composerId" not in self._database.columns(WORKSPACES):
            return None
        query = f'SELECT folder FROM "{WORKSPACES}" WHERE composerId = ?'  # noqa: S608 - a constant
        row = self._database.row(query, (composer,))
        return as_text(row[0]) if row else None

    @cached_property
    def _items(self) -> dict[str, dict[str, Json]]:
        if not {"key", "value"} <= self._database.columns("ItemTable"):
            return {}
        found: dict[str, dict[str, Json]] = {}
        for key in _NAMED:
            listed = self._rows.get(key, limit=LISTED, query=ITEM).value.get("allComposers")
            for each in as_objects(listed):
                found.setdefault(as_text(each.get("composerId")) or "", each)
        return found


def workspace_folder(database: Path, workspace_id: str | None) -> str | None:
    """The folder that ``workspaceStorage/<id>/workspace.json`` beside the database names."""
    if workspace_id is None or not _WORKSPACE_ID.fullmatch(workspace_id):
        return None
    storage = database.resolve().parent.parent / "workspaceStorage"
    try:
        with (storage / workspace_id / "workspace.json").open("rb") as stream:
            note = json.loads(stream.read(_LARGEST_NOTE))
    except (OSError, ValueError, RecursionError):
        return None
    return uri_path(as_text(as_object(note).get("folder")))
