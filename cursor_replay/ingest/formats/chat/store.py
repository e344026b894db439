"""The chat store of Cursor's CLI, ACP sessions and SDK agents: one session a ``store.db``.

Owns how a store is recognised and what a listing shows of its session (transcript facts 2, SDK
formats facts 3.3). Knows no message and no blob.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from cursor_replay.events import (
    AnyEvent,
    CallStarted,
    CallUnrecorded,
    Noted,
    PromptSeen,
    SessionSeen,
    TextSeen,
)
from cursor_replay.ingest.database import Database, holds_columns, holds_tables
from cursor_replay.ingest.formats.chat.meta import ChatMeta, beside, read_meta
from cursor_replay.ingest.formats.chat.walk import ChatWalk
from cursor_replay.ingest.rowfiles import Row
from cursor_replay.ingest.store import ReadOptions, SessionInfo, State
from cursor_replay.ingest.times import from_ms
from cursor_replay.items import Time
from cursor_replay.records import dataclass

NAME = "chat-store"
FILE = "store.db"
_NO_HEADLINE = ("[Image]", "[File: ")
"""What stands in front of a prompt for what was attached to it."""
_TABLES = {"blobs": frozenset({"id", "data"}), "meta": frozenset({"key", "value"})}
_INDEX = frozenset({"agents", "runs"})


def holds(path: Path) -> bool:
    """Whether ``path`` is a chat store, or a folder with one; never raises."""
    file = _file(path)
    return holds_columns(file, _TABLES) and not holds_tables(file, _INDEX)


def open_store(path: Path) -> "ChatStore":
    """Open a store; raises InputError when it cannot be read."""
    return ChatStore(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Survey:
    """What only walk everything tells."""

    title: str | None
    prompts: int
    calls: int
    state: State


class ChatStore:
    """One session. Its messages are read one at a time, and twice: once to be counted."""

    def __init__(self, path: Path) -> None:
        file = _file(path)
        self._path, self._file = path, file
        self._database = Database(file)
        try:
            self._meta: ChatMeta = read_meta(self._database, file)
        except BaseException:
            self._database.close()
            raise

    def sessions(self) -> Iterator[SessionInfo]:
        """The one session of the store."""
        meta, survey = self._meta, self._survey()
        yield SessionInfo(
            id=meta.id,
            store=NAME,
            path=self._path,
            workspace=meta.workspace,
            title=meta.title or survey.title,
            started=meta.started,
            changed=meta.changed or _file_time(self._file),
            prompts=survey.prompts,
            calls=survey.calls,
            state=survey.state,
        )

    def events(self, session: str, options: ReadOptions) -> Iterator[AnyEvent]:  # noqa: ARG002 - one shape for all stores, this one holds one session
        """The conversation in the order of its root."""
        yield from ChatWalk(self._database, self._meta, str(self._path)).events()

    def beside(self) -> Iterator[Row]:
        """What other files tell of the session."""
        yield from beside(self._database, self._file)

    def rows(self, session: str) -> Iterator[Row]:  # noqa: ARG002 - one shape for all stores
        """All of the store, and what other files tell of it."""
        for table in sorted(self._database.tables()):
            yield from self._database.table(table)
        yield from self.beside()

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def _survey(self) -> _Survey:
        walk = ChatWalk(self._database, self._meta, str(self._path))
        title: str | None = None
        prompts = calls = 0
        last: AnyEvent | None = None
        for event in walk.events(strays=False):
            if isinstance(event, PromptSeen) and event.author == "human":
                prompts += 1
                title = title or _headline(event.text)
            calls += isinstance(event, CallStarted | CallUnrecorded)
            last = last if isinstance(event, Noted | SessionSeen) else event
        ended = walk.whole and isinstance(last, TextSeen) and not walk.decoder.calls.open
        state: State = "finished" if ended else "unknown"
        return _Survey(title=title, prompts=prompts, calls=calls, state=state)


def _file(path: Path) -> Path:
    with suppress(OSError, ValueError):
        if path.is_dir():
            return path / FILE
    return path


def _file_time(file: Path) -> Time | None:
    """When somebody last wrote to the store or its WAL."""
    stamps = []
    for each in (file, file.with_name(f"{file.name}-wal")):
        with suppress(OSError):
            stamps.append(each.stat().st_mtime_ns // 1_000_000)
    time = from_ms(max(stamps, default=None))
    return replace(time, basis="file") if time else None


def _headline(text: str) -> str | None:
    """The first line that says something."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line and not line.startswith(_NO_HEADLINE)), None)
