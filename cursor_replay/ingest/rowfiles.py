"""A database written as its rows, ``{"table": …, "row": {column: value}}`` a line, and read again.

Owns how a value of SQLite stands in JSON and what is made of it when a copy is read: a database
with the same tables, so that whoever reads the one reads the other. Knows no table.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from cursor_replay.ingest.protowire import encoded, told_bytes
from cursor_replay.items import Json

Row = tuple[str, Mapping[str, Any]]
"""The name of a table, and the values of one of its rows by column."""

NO_ROW = object()
"""Stands for each value of a table that has no row."""
_LINE = re.compile(rb'\s*\{\s*"table"\s*:\s*"((?:[^"\\]|\\.)*)"\s*,\s*"row"\s*:\s*\{')
_HEAD = 4096
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+")
_JSON_IN_HEX = ("7b", "5b")
_OURS = frozenset(("protobuf", "bytes"))
"""Keys of what is no JSON of the database."""
_UNKNOWN = b"\xff"
"""Stands for bytes that were only counted: no text, no JSON and no message."""
_KEYS = ("key", "id", "run_id", "composerId")
"""Columns by which readers look for rows."""


def line_of(row: Row) -> bytes:
    """The line of one row.

    Bytes that mean a text are written as that text, a text that means JSON as that, also where it
    stands in hexadecimal digits, and protobuf as ``{"protobuf": fields}``; of other bytes only how
    many there are, ``{"bytes": count}``. A table without rows is told by its columns.
    """
    table, values = row
    if values and all(value is NO_ROW for value in values.values()):
        return json.dumps({"table": table, "row": {}, "columns": list(values)}).encode() + b"\n"
    told = {"table": table, "row": {name: _told(value) for name, value in values.items()}}
    try:
        return json.dumps(told, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(told).encode() + b"\n"


def _told(value: Any) -> Json:
    if isinstance(value, str):
        return _meant(value)
    if not isinstance(value, bytes):
        told: Json = value
        return told
    told = told_bytes(value)
    if isinstance(told, str):
        return _meant(told)
    return {"protobuf": told} if isinstance(told, list) else told


def _meant(text: str) -> Json:
    """The JSON that a text is, where nothing of it is lost; else the text."""
    plain = text
    if text[:2].lower() in _JSON_IN_HEX and _HEX.fullmatch(text):
        plain = bytes.fromhex(text).decode("utf-8", "replace")
    if plain[:1] not in ("{", "["):
        return text
    try:
        value: Json = json.loads(plain, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        return text
    is_ours = isinstance(value, dict) and len(value) == 1 and not _OURS.isdisjoint(value)
    return text if is_ours else value


def _object(members: list[tuple[str, Json]]) -> dict[str, Json]:
    made = dict(members)
    if len(made) != len(members):
        raise ValueError("a key stands twice in an object")
    return made


def is_rows(path: Path) -> bool:
    """Whether ``path`` is a file of such lines, by its beginning; never raises."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return _LINE.match(stream.read(_HEAD)) is not None
    except (OSError, ValueError):
        return False


def columns_of(path: Path) -> dict[str, frozenset[str]]:
    """The columns of each table, by its first row; none where the file cannot be read."""
    found: dict[str, frozenset[str]] = {}
    try:
        with path.open("rb") as stream:
            for line in stream:
                name = _LINE.match(line)
                if name and json.loads(b'"%s"' % name[1]) not in found:
                    found.update((table, frozenset(names)) for table, names, _ in _rows((line,)))
    except (OSError, ValueError):
        return {}
    return found


def restore(path: Path, target: Path) -> None:
    """Make a database at ``target`` of the rows in ``path``; raises OSError, sqlite3.Error."""
    with closing(sqlite3.connect(target)) as database, path.open("rb") as stream:
        database.execute("PRAGMA synchronous=OFF")
        made: dict[str, tuple[str, ...]] = {}
        with database:
            for table, names, row in _rows(stream):
                if table not in made:
                    made[table] = names
                    columns = ", ".join(map(_quoted, names))
                    database.execute(f"CREATE TABLE {_quoted(table)} ({columns})")
                if not row:
                    continue
                marks = ", ".join("?" * len(made[table]))
                database.execute(
                    f"INSERT INTO {_quoted(table)} VALUES ({marks})",  # noqa: S608 - a quoted name
                    [_taken(row.get(name)) for name in made[table]],
                )
            for table, names in made.items():
                for name in set(_KEYS) & set(names):
                    index = _quoted(f"{table} by {name}")
                    where = f"{_quoted(table)} ({_quoted(name)})"
                    database.execute(f"CREATE INDEX {index} ON {where}")


def _rows(lines: Iterable[bytes]) -> Iterator[tuple[str, tuple[str, ...], dict[str, Json]]]:
    """Yield table, columns and values of each line that is a row, or tells a table without one."""
    for line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            table, row, names = (record.get(key) for key in ("table", "row", "columns"))
            if isinstance(table, str) and isinstance(row, dict) and table:
                told = row or _names(names)
                if told:
                    yield table, tuple(told), row


def _names(columns: Json) -> tuple[str, ...]:
    given = columns if isinstance(columns, list) else []
    return tuple(each for each in given if isinstance(each, str))


def _taken(value: Json) -> Any:
    """The value to store."""
    if isinstance(value, dict) and len(value) == 1 and not _OURS.isdisjoint(value):
        fields = value.get("protobuf")
        return encoded(fields) if isinstance(fields, list) else _UNKNOWN
    return json.dumps(value) if isinstance(value, (dict, list, bool)) else value


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
