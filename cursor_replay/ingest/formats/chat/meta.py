"""What a chat store says about its session: meta row, ``meta.json``, and the SDK's index.

Owns the three places (transcript facts 2 and 1.10, SDK formats facts 3.3). Fields are picked while
the JSON is parsed: ``blobEncryptionKey``, which stands among them, is never a value here. Knows no
message.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from cursor_replay.errors import InputError
from cursor_replay.ingest.database import Database, is_database
from cursor_replay.ingest.rowfiles import Row
from cursor_replay.ingest.times import from_iso, from_ms
from cursor_replay.items import Time
from cursor_replay.lenient import Flag, Int, Record, Text
from cursor_replay.records import dataclass

NOTE, INDEX = "meta.json", "index.db"
"""The files beside a store, and the tables that a copy of it has in their place."""
_INDEXED = ("latest_checkpoint_ref_json", "workspace_ref", "name", "created_at", "updated_at")
_ROW = "0"
_PLACEHOLDERS = {"new agent", "new chat", "untitled", "cursor agent"}
_LONGEST = 1024 * 1024
"""Bytes of a meta value or a ``meta.json``; real ones have hundreds."""
_HEX = re.compile(rb"(?:[0-9a-fA-F]{2})+")
_R = TypeVar("_R", bound=Record)


class _Row(Record):
    agent: Text = Field(None, validation_alias="agentId")
    root: Text = Field(None, validation_alias="latestRootBlobId")
    name: Text = None
    created: Int = Field(None, validation_alias="createdAt")
    model: Text = Field(None, validation_alias="lastUsedModel")


class _Beside(Record):
    created: Int = Field(None, validation_alias="createdAtMs")
    updated: Int = Field(None, validation_alias="updatedAtMs")
    has_conversation: Flag = Field(None, validation_alias="hasConversation")
    is_subagent: Flag = Field(None, validation_alias="isSubagent")
    cwd: Text = None
    title: Text = None


class _Checkpoint(Record):
    blob: Text = Field(None, validation_alias="blobId")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMeta:
    """Facts of one session; ``readable`` is False when the store has no usable meta row.

    ``root`` is the id of the root blob, None when nothing names one. A placeholder is no title.
    """

    id: str
    readable: bool
    root: str | None = None
    title: str | None = None
    workspace: str | None = None
    model: str | None = None
    started: Time | None = None
    changed: Time | None = None
    has_conversation: bool | None = None
    is_subagent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Indexed:
    """What the SDK's ``index.db`` says of an agent."""

    root: str | None = None
    workspace: str | None = None
    name: str | None = None
    started: Time | None = None
    changed: Time | None = None


def read_meta(database: Database, file: Path) -> ChatMeta:
    """Everything that is known of the session in ``file``; never raises for bad content."""
    row = _meta_row(database)
    known = row or _Row()
    beside = _parsed(_Beside, _beside(database, file)) or _Beside()
    indexed = _Indexed()
    if known.agent and not known.root:
        indexed = _indexed(next(_index_of(database, file, known.agent), (INDEX, {}))[1])
    titles = (beside.title, indexed.name, known.name)
    return ChatMeta(
        id=known.agent or file.parent.name or file.name,
        readable=row is not None,
        root=known.root or indexed.root,
        title=next((title for each in titles if (title := _title(each))), None),
        workspace=beside.cwd or indexed.workspace,
        model=_model(known.model),
        started=from_ms(beside.created) or from_ms(known.created) or indexed.started,
        changed=from_ms(beside.updated) or indexed.changed,
        has_conversation=beside.has_conversation,
        is_subagent=beside.is_subagent is True,
    )


def _meta_row(database: Database) -> _Row | None:
    """The value is the hex text of JSON, or plain JSON; as text or as a blob."""
    query = "SELECT value FROM meta WHERE key = ? AND length(value) <= ?"
    found = database.row(query, (_ROW, _LONGEST))
    value = found[0] if found else None
    data = value.encode() if isinstance(value, str) else value
    if not isinstance(data, bytes):
        return None
    data = data.strip()
    return _parsed(_Row, bytes.fromhex(data.decode()) if _HEX.fullmatch(data) else data)


def _parsed(record: type[_R], data: bytes | None) -> _R | None:
    try:
        return record.model_validate_json(data) if data else None
    except ValidationError:
        return None


def beside(database: Database, file: Path) -> Iterator[Row]:
    """What is read from other files, as the rows that a copy of the store has of them."""
    if note := _beside(database, file):
        yield NOTE, {"text": note}
    agent = (_meta_row(database) or _Row()).agent
    if agent:
        yield from _index_of(database, file, agent)


def _beside(database: Database, file: Path) -> bytes | None:
    """``meta.json``, as it stands beside the store or in a copy of it."""
    if NOTE in database.tables():
        row = database.row(f'SELECT text FROM "{NOTE}"')  # noqa: S608 - a constant
        return row[0].encode() if row and isinstance(row[0], str) else None
    return _small_file(file.with_name(NOTE))


def _small_file(path: Path) -> bytes | None:
    with suppress(OSError):
        if path.is_file():
            with path.open("rb") as stream:
                return stream.read(_LONGEST)
    return None


def _model(name: str | None) -> str | None:
    """``default`` lets Cursor choose: it is no model."""
    return None if name is None or name.strip().lower() in ("", "default") else name


def _title(text: str | None) -> str | None:
    """The first line of a name, unless it is what Cursor calls every new chat."""
    lines = (text or "").strip().splitlines()
    return lines[0].strip() if lines and lines[0].strip().lower() not in _PLACEHOLDERS else None


def _index_of(database: Database, file: Path, agent: str) -> Iterator[Row]:
    """The SDK leaves the root out of the store: ``agents/<folder>/store.db`` has an index above."""
    if INDEX in database.tables():
        yield from database.table(INDEX)
        return
    index = file.absolute().parent.parent.parent / INDEX
    if not is_database(index):
        return
    query = f"SELECT {', '.join(_INDEXED)} FROM agents WHERE agent_id = ?"  # noqa: S608 - constants
    with suppress(InputError), Database(index) as opened:
        row = opened.row(query, (agent,))
        if row is not None:
            yield INDEX, dict(zip(_INDEXED, row, strict=True))


def _indexed(row: Mapping[str, object]) -> _Indexed:
    checkpoint, workspace, name, started, changed = (_text(row.get(each)) for each in _INDEXED)
    held = _parsed(_Checkpoint, checkpoint.encode() if checkpoint else None)
    return _Indexed(
        root=held.blob if held else None,
        workspace=workspace,
        name=name,
        started=from_iso(started),
        changed=from_iso(changed),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
