"""Rows of ``state.vscdb``, by exact key or by a range of keys, never by a scan.

Owns every query about ``cursorDiskKV`` and ``ItemTable`` (transcript facts 3). Such a database has
1 to 98 GB, so a value over a limit is never handed over. SQLite before 3.43 counts a text in
characters, and has to load it for that. Knows no composer.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from cursor_replay.ingest.database import Database
from cursor_replay.ingest.jsontext import decode
from cursor_replay.ingest.rowfiles import Row
from cursor_replay.ingest.times import from_iso, from_ms
from cursor_replay.items import Json, Time
from cursor_replay.lenient import as_number

LARGEST = 64 * 1024 * 1024
"""Bytes of a value that is read; a larger one is said and passed over."""
LARGEST_CONTENT = 4 * 1024 * 1024
"""Bytes of one side of an edit that is compared."""
CONTENT = "composer.content."

_SIZE = "octet_length(value)" if sqlite3.sqlite_version_info >= (3, 43) else "length(value)"
_VALUE = f"SELECT {_SIZE}, CASE WHEN {_SIZE} <= ? THEN value END FROM {{}} WHERE key = ?"  # noqa: S608 - two tables named below
VALUE = _VALUE.format("cursorDiskKV")
ITEM = _VALUE.format("ItemTable")
KEYS = "SELECT key FROM cursorDiskKV WHERE key >= ? AND key < ?"
FIRST_KEY = f"{KEYS} LIMIT 1"
WRITTEN = "SELECT key, rowid FROM cursorDiskKV WHERE key >= ? AND key < ?"

_EARLIEST, _LATEST = 1_262_304_000_000, 4_102_444_800_000
"""Epoch milliseconds from 2010 to 2100: a smaller number counts from the start of a process."""


class Got(NamedTuple):
    """A row's JSON object, or why there is none; ``problems`` are (code, words) of repairs."""

    state: Literal["found", "missing", "purged", "too-large", "unreadable"]
    value: dict[str, Json]
    problems: tuple[tuple[str, str], ...] = ()


class Rows:
    """The key and value tables of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.contents: set[str] = set()
        """The keys under which file contents were looked for."""

    def get(self, key: str, *, limit: int = LARGEST, query: str = VALUE) -> Got:
        """The JSON object under a key; a SQL NULL is what Cursor leaves of a purged one."""
        row = self._database.row(query, (limit, key))
        if row is None:
            return Got("missing", {})
        size, value = row
        if size is None:
            return Got("purged", {})
        if value is None:
            return Got("too-large", {})
        return _object(value)

    def content(self, key: str) -> str | None:
        """The text of one side of an edit; None when it is gone or too large."""
        name = key if key.startswith(CONTENT) else f"{CONTENT}{key}"
        self.contents.add(name)
        row = self._database.row(VALUE, (LARGEST_CONTENT, name))
        value = row[1] if row else None
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return value if isinstance(value, str) else None

    def keys(self, prefix: str) -> Iterator[str]:
        """The rest of every key behind ``prefix``, which ends in a colon; no value is read."""
        for row in self._database.rows(KEYS, _range(prefix)):
            yield str(row[0]).removeprefix(prefix)

    def has(self, prefix: str) -> bool:
        """Whether a key begins so."""
        return self._database.row(FIRST_KEY, _range(prefix)) is not None

    def under(self, keys: Iterable[str]) -> Iterator[Row]:
        """The whole rows of these keys."""
        for key in keys:
            yield from self._database.table("cursorDiskKV", "WHERE key = ?", (key,))

    def below(self, prefix: str) -> Iterator[Row]:
        """The whole rows whose keys begin with ``prefix``, which ends in a colon."""
        where = "WHERE key >= ? AND key < ?"
        yield from self._database.table("cursorDiskKV", where, _range(prefix))

    def written(self, prefix: str) -> list[str]:
        """As :meth:`keys`, last written first: a replaced row gets the highest number again."""
        rows = sorted(self._database.rows(WRITTEN, _range(prefix)), key=lambda row: -row[1])
        return [str(row[0]).removeprefix(prefix) for row in rows]


def _range(prefix: str) -> tuple[str, str]:
    """From ``x:`` up to ``x;``, the character behind the colon."""
    return prefix, f"{prefix[:-1]};"


def _object(value: object) -> Got:
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    if not isinstance(value, bytes):
        return Got("unreadable", {}, (("not-an-object", "a value that is no JSON object"),))
    decoded = decode(value)
    problems = tuple(decoded.problems)
    found = decoded.values[0] if decoded.values else None
    if isinstance(found, dict):
        return Got("found", found, problems)
    return Got("unreadable", {}, problems or (("not-an-object", "a value that is no JSON object"),))


def parsed(value: Json) -> Json:
    """JSON inside a string, as ``params`` and ``result`` are; a text that is none stays itself."""
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    values = decode(value.encode("utf-8", "replace")).values
    return values[0] if len(values) == 1 else value


def moment(*values: Json) -> Time | None:
    """The first plausible time: ISO 8601 text, or epoch milliseconds (whole or float)."""
    return next((time for value in values if (time := _moment(value))), None)


def _moment(value: Json) -> Time | None:
    if isinstance(value, str) and not value.isdecimal():
        return from_iso(value)
    number = as_number(value)
    return from_ms(int(number)) if number and _EARLIEST <= number <= _LATEST else None
