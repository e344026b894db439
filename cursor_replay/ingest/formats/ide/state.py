"""The global state of the Cursor IDE: ``User/globalStorage/state.vscdb`` (transcript facts 3).

Owns the store: which chats there are, newest first, and the messages of one in the order of its
header list. Only that list orders messages; what is in no list is counted and not shown. Every
header is accounted for: shown, or counted with the reason. Knows no tool.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cursor_replay.errors import ReplayError
from cursor_replay.events import AnyEvent, Noted, SessionSeen, TurnEnded
from cursor_replay.ingest.database import Database, holds_columns
from cursor_replay.ingest.formats.ide.bubbles import USER, decode_bubble, kind_of, model_of
from cursor_replay.ingest.formats.ide.composers import (
    LISTED,
    PREFIX,
    WORKSPACES,
    Composer,
    Head,
    Heads,
    workspace_folder,
)
from cursor_replay.ingest.formats.ide.rows import Got, Rows
from cursor_replay.ingest.formats.ide.sums import SUMS
from cursor_replay.ingest.rowfiles import Row
from cursor_replay.ingest.store import ReadOptions, SessionInfo
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import as_object, as_text

NAME = "ide-state"
_ENDS = {"completed": "success", "aborted": "aborted", "cancelled": "cancelled", "error": "error"}


def holds(path: Path) -> bool:
    """Whether ``path`` is a SQLite file with the IDE's key and value table; never raises."""
    return holds_columns(path, {"cursorDiskKV": frozenset({"key", "value"})})


def open_store(path: Path) -> "IdeState":
    """Open the chats of an IDE; raises InputError when they cannot be read."""
    return IdeState(path)


class IdeState:
    """An opened ``state.vscdb``."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = Database(path)
        self._rows = Rows(self._database)
        try:
            self._heads = Heads(self._database, self._rows)
        except ReplayError:
            self._database.close()
            raise

    def sessions(self) -> Iterator[SessionInfo]:
        """Chats with messages: those of the head table by recency, then the others.

        The others come last written first, which no value has to be read for: a row that is
        replaced gets a new number.
        """
        seen = set()
        for composer, head in self._heads.newest():
            seen.add(composer)
            yield from self._listed(composer, head)
        for composer in self._rows.written(PREFIX):
            if composer not in seen:
                yield from self._listed(composer, self._heads.named(composer))

    def events(self, session: str, options: ReadOptions) -> Iterator[AnyEvent]:  # noqa: ARG002 - a chat has no branches
        """The messages of a chat in order, what is missing of it, and how it ended."""
        got = self._rows.get(f"{PREFIX}{session}")
        composer = Composer(got.value)
        at = self._at(1, f"{PREFIX}{session}")
        if got.state != "found":
            words = f"the list of messages cannot be read ({got.state.replace('-', ' ')})"
            yield Noted(origin=at, code="no-message-list", message=words, problem=True)
        yield from _repairs(got, at)
        yield from _about(composer, at)
        chat = _Chat(self._rows, composer, session, str(self._path))
        chat.asked = composer.is_subagent or self._heads.head(session).is_subagent
        yield from chat.events()
        if composer.status in _ENDS:
            yield TurnEnded(origin=at, status=_ENDS[composer.status])

    def rows(self, session: str) -> Iterator[Row]:
        """The chat, its messages, what their results point to, and where it is listed."""
        yield from self._heads.rows(session)
        yield from self._rows.under((f"{PREFIX}{session}",))
        yield from self._rows.below(_bubbles(session))
        for _ in self.events(session, ReadOptions()):
            pass
        yield from self._rows.under(sorted(self._rows.contents))
        composer = Composer(self._rows.get(f"{PREFIX}{session}").value)
        if folder := self._workspace(session, composer, self._heads.head(session)):
            yield WORKSPACES, {"composerId": session, "folder": folder}

    def beside(self) -> Iterator[Row]:
        """The folders of the chats, which stand beside the database."""
        for info in self.sessions():
            if info.workspace:
                yield WORKSPACES, {"composerId": info.id, "folder": info.workspace}

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def _at(self, line: int, key: str) -> Evidence:
        return Evidence(file=str(self._path), line=line, row=key)

    def _listed(self, session: str, head: Head) -> Iterator[SessionInfo]:
        """None for an empty tab: no message is listed and none is stored."""
        got = self._rows.get(f"{PREFIX}{session}", limit=LISTED)
        composer = Composer(got.value)
        unread = got.state in ("too-large", "unreadable")
        if not unread and not composer.headers and not self._rows.has(_bubbles(session)):
            return
        asked = composer.is_subagent or head.is_subagent
        yield SessionInfo(
            id=session,
            store=NAME,
            path=self._path,
            workspace=self._workspace(session, composer, head),
            title=composer.title or head.composer.title,
            started=composer.started or head.composer.started,
            changed=composer.changed or head.changed,
            prompts=composer.prompts(is_subagent=asked) if composer.headers else None,
            state=composer.state,
            parent=composer.parent or head.composer.parent,
        )

    def _workspace(self, session: str, composer: Composer, head: Head) -> str | None:
        ids = (head.workspace_id, composer.workspace_id, head.composer.workspace_id)
        known = composer.folder or head.composer.folder or self._heads.copied_folder(session)
        if known:
            return known
        found = (workspace_folder(self._path, each) for each in dict.fromkeys(ids))
        return next((folder for folder in found if folder), None)


def _bubbles(session: str) -> str:
    return f"bubbleId:{session}:"


def _about(composer: Composer, at: Evidence) -> Iterator[AnyEvent]:
    if composer.model:
        yield SessionSeen(origin=at, model=composer.model)
    if composer.data.get("isArchived") is True:
        yield Noted(origin=at, code="archived", level="info", message="this chat is archived")


def _repairs(got: Got, at: Evidence) -> Iterator[Noted]:
    for code, words in got.problems:
        yield Noted(origin=at, code=code, message=words, problem=True)


class _Chat:
    """The messages of one chat, read one by one; ``asked``: the next prompt is an agent's."""

    def __init__(self, rows: Rows, composer: Composer, session: str, name: str) -> None:
        self._rows = rows
        self._composer = composer
        self._session = session
        self._name = name
        self._spare = as_object(composer.data.get("conversationMap"))
        self.asked = False
        self._model = composer.model
        self._listed: set[str] = set()
        self._counts: Counter[str] = Counter()
        self._first: dict[str, Evidence] = {}

    def events(self) -> Iterator[AnyEvent]:
        """Every header in order, then what is not shown."""
        number = 0
        for number, header in enumerate(self._composer.headers, 1):
            yield from self._message(number, header)
        prefix = _bubbles(self._session)
        for bubble in self._rows.keys(prefix):
            if bubble not in self._listed:
                self._count("orphans", Evidence(file=self._name, line=number + 1, row=prefix))
        for code, total in self._counts.items():
            words = SUMS[code]
            message = f"{total} {words.one if total == 1 else words.many}"
            yield Noted(
                origin=self._first[code],
                code=f"{code}-messages",
                level=words.level,
                message=message,
                problem=words.level != "info",
            )

    def _message(self, number: int, header: Json) -> Iterator[AnyEvent]:
        head = as_object(header)
        bubble = as_text(head.get("bubbleId"))
        inline = self._composer.is_inline and bool(head)
        key = f"{PREFIX}{self._session}" if inline else f"{_bubbles(self._session)}{bubble}"
        at = Evidence(file=self._name, line=number, row=key)
        if bubble is None and not inline:
            self._count("no-id", at)
            return
        if bubble in self._listed:
            self._count("repeated", at)
            return
        self._listed.add(bubble or "")
        got = Got("found", head) if inline else self._got(key, bubble or "")
        yield from _repairs(got, at)
        if got.state == "found":
            yield from self._shown(got.value, head, at)
        elif got.state in SUMS:
            self._count(got.state, at)

    def _got(self, key: str, bubble: str) -> Got:
        """The row, else the copy that some builds keep in the composer."""
        got = self._rows.get(key)
        spare = as_object(self._spare.get(bubble))
        return Got("found", spare) if got.state in ("missing", "purged") and spare else got

    def _shown(
        self, bubble: dict[str, Json], head: dict[str, Json], at: Evidence
    ) -> Iterator[AnyEvent]:
        model = model_of(bubble)
        if model and model != self._model:
            self._model = model
            yield SessionSeen(origin=at, model=model)
        asked = self.asked and kind_of(bubble, head) == USER
        events = list(decode_bubble(bubble, head, at, self._rows.content, typed=not asked))
        self.asked = self.asked and not asked
        if not events:
            self._count("empty", at)
        yield from events

    def _count(self, code: str, at: Evidence) -> None:
        self._counts[code] += 1
        self._first.setdefault(code, at)
