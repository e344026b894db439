"""The sessions of a machine: one entry an id, whatever stores hold it.

Owns grouping, order, what is "here", and finding one by its id. Places are found by name and
stat; a session is described only when it is shown.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from cursor_replay.errors import AmbiguousError, InputError
from cursor_replay.ingest.sessions import pi_sessions, transcripts
from cursor_replay.ingest.sessions.places import Place, places
from cursor_replay.ingest.sessions.roots import Roots
from cursor_replay.ingest.sessions.workspaces import is_slug_of, recorded_workspace
from cursor_replay.ingest.store import MOST_NAMED, SessionInfo
from cursor_replay.ingest.wholes import STORE_FORMATS
from cursor_replay.items import Time
from cursor_replay.records import dataclass

RANK = (
    "sdk-store",
    "sdk-ndjson-store",
    "chat-store",
    "ide-state",
    "pi-session",
    "debug-artifacts",
    "transcript",
    "transcript-json",
    "legacy-txt",
)
"""Stores by how much they know, most first."""

_DESCRIBERS: dict[str, Callable[[Place], SessionInfo]] = {
    "transcript": transcripts.describe,
    "transcript-json": transcripts.describe,
    "legacy-txt": transcripts.describe,
    "pi-session": pi_sessions.describe,
}


class Entry(NamedTuple):
    """One session in one store; ``info`` is there when the store listed it."""

    place: Place
    info: SessionInfo | None = None

    @property
    def changed(self) -> int:
        """Nanoseconds: when it changed last, as far as the listing knows."""
        return self.place.changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session: its entries, the store that knows most first. ``parent`` of a sub-agent."""

    id: str
    entries: tuple[Entry, ...]
    changed: str
    parent: str | None = None

    @property
    def path(self) -> Path:
        """What to open to read what knows most of it."""
        return self.entries[0].place.path


class Catalogue:
    """Everything under ``roots``. ``unreadable`` counts the stores that could not be listed."""

    def __init__(self, roots: Roots) -> None:
        self._roots = roots
        self.unreadable = 0

    def children(self, parent: str) -> list[Place]:
        """The recordings of a session's sub-agents, wherever they lie, oldest first."""
        found = [
            entry.place
            for each in self.sessions()
            if each.parent == parent
            for entry in each.entries[:1]
            if not entry.place.many
        ]
        return sorted(found, key=lambda place: (place.changed, place.id))

    def sessions(self) -> list[Session]:
        """Every session: this workspace's first, then the others, each newest first."""
        return self._sorted

    @cached_property
    def _sorted(self) -> list[Session]:
        grouped: dict[str, list[Entry]] = {}
        for entry in self._entries():
            identity = entry.info.id if entry.info else entry.place.id
            grouped.setdefault(identity, []).append(entry)
        found = [_session(identity, entries) for identity, entries in grouped.items()]
        found.sort(key=lambda each: (each.changed, each.id), reverse=True)
        here = str(self._roots.workspace)
        return sorted(found, key=lambda each: not is_of(each, here))

    def find(self, prefix: str) -> Session:
        """The session whose id is ``prefix``, or the only one that begins so.

        Raises InputError when there is none, AmbiguousError when there are several.
        """
        found = [each for each in self.sessions() if each.id.startswith(prefix)]
        exact = [each for each in found if each.id == prefix]
        if len(exact or found) == 1:
            return (exact or found)[0]
        if not found:
            raise InputError(
                f"{prefix}: no such file, and no session of that id (see `cursor-replay sessions`)"
            )
        lines = [f"{each.id}  {each.path}" for each in found[:MOST_NAMED]]
        if len(found) > MOST_NAMED:
            lines.append(f"... and {len(found) - MOST_NAMED} more")
        raise AmbiguousError(f"{prefix!r} is the beginning of {len(found)} ids", tuple(lines))

    def latest(self) -> Session:
        """The session of this workspace that changed last; raises InputError without any."""
        here = str(self._roots.workspace)
        first = next((each for each in self.sessions() if each.parent is None), None)
        if first is None or not is_of(first, here):
            raise InputError(f"no session of {here} (see `cursor-replay sessions`)")
        return first

    def described(self, session: Session) -> SessionInfo | None:
        """What is known of a session, each field from the store that knows it best.

        None when no store of it can be read.
        """
        infos = [info for entry in session.entries if (info := self._info(entry))]
        return _merged(infos) if infos else None

    def tells(self, entry: Entry) -> bool:
        """Whether there is anything in it, as far as a listing can say."""
        info = self._info(entry)
        return info is not None and (info.prompts, info.calls) != (0, 0)

    def _entries(self) -> Iterator[Entry]:
        for place in places(self._roots):
            if not place.many:
                yield Entry(place)
                continue
            try:
                yield from _listed(place)
            except Exception:  # noqa: BLE001 - one bad store must not hide all the others
                self.unreadable += 1

    def _info(self, entry: Entry) -> SessionInfo | None:
        if entry.info:
            return entry.info
        describe = _DESCRIBERS.get(entry.place.store)
        try:
            if describe:
                return describe(entry.place)
            listed = next(_listed(entry.place), None)
        except Exception:  # noqa: BLE001 - likewise
            self.unreadable += 1
            return None
        return listed.info if listed else None


def _listed(place: Place) -> Iterator[Entry]:
    """The sessions a store lists; the store is closed when the caller has seen enough."""
    form = next((each for each in STORE_FORMATS if each.name == place.store), None)
    if form is None or not form.holds(place.path):
        raise InputError(f"{place.path} is no {place.store}")
    store = form.open(place.path)
    try:
        for info in store.sessions():
            yield Entry(place, info)
    finally:
        store.close()


def _session(identity: str, entries: list[Entry]) -> Session:
    """Of two copies in one kind of store the longer comes first (transcript facts 1.1)."""
    order = sorted(entries, key=lambda each: (RANK.index(each.place.store), -each.place.size))
    infos = (each.info.parent for each in entries if each.info)
    parents = [*(each.place.parent for each in entries), *infos]
    return Session(
        id=identity,
        entries=tuple(order),
        changed=max(map(_changed, entries)),
        parent=next((each for each in parents if each), None),
    )


def _changed(entry: Entry) -> str:
    """ISO time, to compare: what the store recorded, else the file's own time."""
    if entry.info and entry.info.changed:
        return entry.info.changed.at
    time = transcripts.file_time(entry.place.changed)
    return time.at if time else ""


def is_of(session: Session, workspace: str) -> bool:
    """Whether a session belongs to ``workspace``, told by what is known without reading it."""
    return any(_is_entry_of(entry, workspace) for entry in session.entries)


def _is_entry_of(entry: Entry, workspace: str) -> bool:
    if entry.info and entry.info.workspace:
        return entry.info.workspace == workspace
    place = entry.place
    if place.slug is not None:
        project = transcripts.project_of(place.path)
        recorded = recorded_workspace(project) if project else None
        return recorded == workspace if recorded else is_slug_of(place.slug, workspace)
    return place.path.parent.name in _folder_names(workspace) or (
        place.store == "chat-store" and place.path.parent.parent.name in _folder_names(workspace)
    )


def _folder_names(workspace: str) -> tuple[str, ...]:
    """How chats (MD5), SDK stores (MD5, SHA-256) and pi name the folder of a workspace."""
    data = workspace.encode("utf-8", "replace")
    pi = workspace.lstrip("/\\").translate(str.maketrans("/\\:", "---"))
    return (
        hashlib.md5(data, usedforsecurity=False).hexdigest(),
        hashlib.sha256(data).hexdigest(),
        f"--{pi}--",
    )


def _merged(infos: Iterable[SessionInfo]) -> SessionInfo:
    """The first store's facts, completed by those of the others."""
    first, *others = infos
    for other in others:
        first = SessionInfo(
            id=first.id,
            store=first.store,
            path=first.path,
            workspace=first.workspace or other.workspace,
            title=first.title or other.title,
            started=first.started or other.started,
            changed=_later(first.changed, other.changed),
            prompts=other.prompts if first.prompts is None else first.prompts,
            calls=other.calls if first.calls is None else first.calls,
            state=other.state if first.state == "unknown" else first.state,
            parent=first.parent or other.parent,
        )
    return first


def _later(one: Time | None, other: Time | None) -> Time | None:
    """A recorded time goes before that of a file, which a copy changes."""
    known = [each for each in (one, other) if each]
    recorded = [each for each in known if each.basis == "recorded"]
    return max(recorded or known, key=lambda time: time.at, default=None)
