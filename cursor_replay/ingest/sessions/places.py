"""Every place that holds a session, found by name and stat alone; nothing is read yet.

Owns the layouts: flat, a folder of its own, ``subagents/``, without a slug (transcript facts 1.1),
chats and ACP sessions (2), SDK stores (live facts 7.1), the IDE's state (3), pi sessions (live
facts 7.2) and debug folders (replay facts 1.2). A folder that cannot be listed holds nothing.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from operator import attrgetter
from pathlib import Path

from cursor_replay.ingest.sessions.roots import Roots
from cursor_replay.records import dataclass

_ENDINGS = (".jsonl", ".txt", ".json")
_CHILDREN = "subagents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A file or folder that holds one session, or (``many``) a store of several.

    ``changed`` is the file's time in nanoseconds, ``size`` its bytes; ``slug`` the project folder
    it lies in, ``parent`` the session a sub-agent belongs to.
    """

    id: str
    store: str
    path: Path
    changed: int = 0
    size: int = 0
    slug: str | None = None
    parent: str | None = None
    many: bool = False


def places(roots: Roots) -> Iterator[Place]:
    """Every place under ``roots``, each path once."""
    seen: set[Path] = set()
    for find, folders in (
        (_transcripts, roots.data),
        (_chats, roots.data),
        (_sdk_stores, roots.data),
        (_ide_states, roots.state),
        (_pi_sessions, roots.pi),
        (_debug_sessions, roots.debug),
        (_loose, roots.loose),
    ):
        for folder in folders:
            for place in find(folder):
                if place.path not in seen:
                    seen.add(place.path)
                    yield place


def _transcripts(data: Path) -> Iterator[Place]:
    projects = data / "projects"
    for slug in _listed(projects):
        if not _is_dir(slug):
            continue
        if slug.name == "agent-transcripts":  # sessions without a workspace have no slug folder
            yield from transcripts_in(Path(slug.path), None)
        else:
            yield from transcripts_in(Path(slug.path) / "agent-transcripts", slug.name)


def transcripts_in(folder: Path, slug: str | None) -> Iterator[Place]:
    """The transcripts of one ``agent-transcripts`` folder, sub-agents behind their parent."""
    for entry in _listed(folder):
        if not _is_dir(entry):
            yield from _transcript(entry, slug, None)
            continue
        for inner in _listed(entry.path):
            if inner.name == _CHILDREN:
                for child in _listed(inner.path):
                    yield from _transcript(child, slug, entry.name)
            elif inner.name.rpartition(".")[0] == entry.name:
                yield from _transcript(inner, slug, None)


def children_of(transcript: Path) -> list[Place]:
    """The sub-agents beside ``<id>/<id>.jsonl`` or a flat ``<id>.jsonl``, oldest first."""
    folders = [transcript.parent / _CHILDREN, transcript.parent / transcript.stem / _CHILDREN]
    found = [
        place
        for folder in folders
        for entry in _listed(folder)
        for place in _transcript(entry, None, transcript.stem)
    ]
    return sorted(found, key=lambda place: (place.changed, place.id))


def transcript_in(folder: Path) -> Path | None:
    """The transcript of a folder ``<id>/`` that holds ``<id>.jsonl``, else None."""
    with suppress(OSError):
        if folder.is_dir():
            name = folder.resolve().name
            files = (folder / f"{name}{ending}" for ending in _ENDINGS)
            return next((each for each in files if each.is_file()), None)
    return None


def _transcript(entry: os.DirEntry[str], slug: str | None, parent: str | None) -> Iterator[Place]:
    name, dot, ending = entry.name.rpartition(".")
    if dot + ending in _ENDINGS and name and not _is_dir(entry):
        yield from _file(entry, name, _TRANSCRIPTS[dot + ending], slug=slug, parent=parent)


_TRANSCRIPTS = {".jsonl": "transcript", ".txt": "legacy-txt", ".json": "transcript-json"}


def _chats(data: Path) -> Iterator[Place]:
    for workspace in _listed(data / "chats"):
        for chat in _listed(workspace.path):
            yield from _store(Path(chat.path), "store.db", "chat-store", chat.name)
    for chat in _listed(data / "acp-sessions"):
        yield from _store(Path(chat.path), "store.db", "chat-store", chat.name)


def _sdk_stores(data: Path) -> Iterator[Place]:
    for slug in _listed(data / "projects"):
        for digest in _listed(Path(slug.path) / "sdk-agent-store"):
            folder = Path(digest.path)
            yield from _store(folder, "index.db", "sdk-store", digest.name, many=True)
            for pi in _listed(folder / "pi-sessions"):
                yield from _store(Path(pi.path), "index.db", "sdk-store", pi.name, many=True)


def _ide_states(state: Path) -> Iterator[Place]:
    folder = state / "User" / "globalStorage"
    yield from _store(folder, "state.vscdb", "ide-state", "state.vscdb", many=True)


def _pi_sessions(sessions: Path) -> Iterator[Place]:
    for entry in _listed(sessions):
        inner = _listed(entry.path) if _is_dir(entry) else [entry]
        for file in inner:
            if file.name.endswith(".jsonl"):
                name = file.name.removesuffix(".jsonl")
                yield from _file(file, name.rpartition("_")[2], "pi-session")


def _debug_sessions(debug: Path) -> Iterator[Place]:
    for entry in _listed(debug / "sessions"):
        if _is_dir(entry):
            yield from _file(entry, entry.name, "debug-artifacts")


def _loose(root: Path) -> Iterator[Place]:
    """What a folder holds that was given by name: transcripts and stores lying about in it."""
    yield from transcripts_in(root / "agent-transcripts", None)
    yield from (each for each in transcripts_in(root, None) if _is_transcript(each.path))
    yield from _store(root, "index.db", "sdk-store", root.name, many=True)
    yield from _store(root, "store.db", "chat-store", root.name)
    yield from _store(root, "state.vscdb", "ide-state", root.name, many=True)


def _is_transcript(path: Path) -> bool:
    """Whether a file of any folder may be a transcript: its first record has a role."""
    try:
        with path.open("rb") as stream:
            head = stream.read(4096)
    except OSError:
        return False
    return path.suffix == ".jsonl" and b'"role"' in head.split(b"\n", 1)[0]


def _store(
    folder: Path, name: str, store: str, identity: str, *, many: bool = False
) -> Iterator[Place]:
    """A database: its WAL may be newer than itself."""
    path = folder / name
    try:
        info = path.stat()
    except OSError:
        return
    changed = info.st_mtime_ns
    with suppress(OSError):
        changed = max(changed, path.with_name(f"{name}-wal").stat().st_mtime_ns)
    yield Place(id=identity, store=store, path=path, changed=changed, size=info.st_size, many=many)


def _file(
    entry: os.DirEntry[str],
    identity: str,
    store: str,
    *,
    slug: str | None = None,
    parent: str | None = None,
) -> Iterator[Place]:
    try:
        info = entry.stat()
    except OSError:
        return
    if not (stat.S_ISREG(info.st_mode) or stat.S_ISDIR(info.st_mode)):
        return  # a pipe would be waited for
    yield Place(
        id=identity,
        store=store,
        path=Path(entry.path),
        changed=info.st_mtime_ns,
        size=info.st_size,
        slug=slug,
        parent=parent,
    )


def _listed(folder: Path | str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=attrgetter("name"))
    except OSError:
        return []


def _is_dir(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
