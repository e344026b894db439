"""pi-cursor-sdk's event-debug artifacts: which folder is what (replay facts 1.2 and 1.5).

A base folder holds sessions, a session folder turns; a turn, a pinned run and the standalone probe
are one folder of files. Owns how they are told by what stands in their files, never by a name
alone; what they say is read by ``session.py``.
"""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from cursor_replay.events import AnyEvent
from cursor_replay.ingest.formats.debug.lines import (
    LAYERS,
    TIMELINE,
    TRUNCATED,
    UNWRITTEN,
    layer_of,
)
from cursor_replay.ingest.formats.debug.session import SessionFolder, TurnFolder, counted, is_file
from cursor_replay.ingest.formats.debug.shapes import is_ours
from cursor_replay.ingest.jsontext import decode
from cursor_replay.ingest.store import ReadOptions, SessionInfo
from cursor_replay.items import Json, Time

MOST_LOOKED_AT = 2000
"""Entries of a folder that are looked at to tell what it is, and to find its sessions."""
_HEAD = 64 * 1024


def open_store(path: Path) -> "DebugStore":
    """Open the artifacts of a folder; raises InputError when they cannot be read."""
    return DebugStore(path)


class DebugStore:
    """A folder of event-debug artifacts: one turn, one session or many."""

    def __init__(self, path: Path) -> None:
        self._sessions: dict[str, SessionFolder] | None = None
        self._path = path

    def sessions(self) -> Iterator[SessionInfo]:
        """Every session, newest first."""
        infos = [each.info(name) for name, each in self._found().items()]
        yield from sorted(infos, key=lambda info: _moment(info.changed), reverse=True)

    def events(self, session: str, options: ReadOptions) -> Iterator[AnyEvent]:  # noqa: ARG002 - a store's shape: nothing branches here
        """The turns of one session, in order, as one recording."""
        yield from self._found()[session].events()

    def parts(self, session: str) -> list[Path]:
        """The files that tell calls, surface by surface."""
        return [path for turn in self._found()[session].turns for path in turn.surfaces]

    def close(self) -> None:
        """Nothing is held open."""

    def _found(self) -> dict[str, SessionFolder]:
        if self._sessions is None:
            self._sessions = {}
            for each in _session_folders(self._path):
                name = each.name if each.name not in self._sessions else each.slug
                self._sessions[name] = each
        return self._sessions


def holds(path: Path) -> bool:
    """Whether a folder holds event-debug artifacts: told by what stands in its files."""
    return next(_session_folders(path), None) is not None


def _session_folders(path: Path) -> Iterator[SessionFolder]:
    """The sessions at ``path``: a turn, a session, a ``sessions`` folder or the base above it."""
    below = (_likely(path), _likely(path / "sessions"))
    for folders in ((path,), *below):
        found = [each for folder in folders if (each := _session_at(folder)) is not None]
        if found:
            yield from found
            return


def _likely(path: Path) -> Iterator[Path]:
    """Folders worth a look inside: in a home folder most are not, and they hold thousands."""
    for each in _folders(path):
        if is_file(each / "session.json") or any(counted(turn.name) for turn in _folders(each)):
            yield each


def _session_at(path: Path) -> SessionFolder | None:
    if _is_turn(path):
        return SessionFolder(path, [TurnFolder(path)])
    turns = [TurnFolder(each) for each in _folders(path) if _is_turn(each)]
    return SessionFolder(path, turns) if turns else None


def _is_turn(path: Path) -> bool:
    turn = TurnFolder(path)
    if any(_fits(file, layer) for layer, file in turn.files.items()):
        return True
    timeline = path / f"{TIMELINE}.jsonl"
    if is_file(timeline) and _fits(timeline, TIMELINE):
        return True
    documents = turn.documents
    return documents.is_ours or (is_file(path / "wait-result.json") and documents.has_conversation)


def _fits(path: Path, layer: str) -> bool:
    """Whether the first line of a file is a record of its layer, or the mark of a cut."""
    try:
        with path.open("rb") as stream:
            line = stream.read(_HEAD).lstrip(b"\xef\xbb\xbf \r\n")
    except OSError:
        return False
    head, ended, _ = line.partition(b"\n")
    values = decode(head).values if ended or len(line) < _HEAD else []
    if not values:
        return head.startswith(b'{"ts":') and b'"elapsedMs":' in head[:200]
    return isinstance(values[0], dict) and _is_record(values[0], layer)


def _is_record(record: dict[str, Json], layer: str) -> bool:
    if record.get("type") in (TRUNCATED, UNWRITTEN):
        return True
    found = layer_of(record)
    if found is None or (found != layer and LAYERS.get(layer) != LAYERS.get(found)):
        return False
    return is_ours(record, any_phase=True)


def _folders(path: Path) -> list[Path]:
    """The folders in a folder; none when it cannot be read."""
    try:
        with os.scandir(path) as entries:
            names = [each.name for each in islice(entries, MOST_LOOKED_AT) if each.is_dir()]
    except (OSError, ValueError):
        return []
    return [path / name for name in sorted(names)]


def _moment(time: Time | None) -> str:
    return time.at if time else ""
