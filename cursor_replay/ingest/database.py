"""Other people's SQLite databases, read without touching anything beside them.

A plain read-only connection is not enough: of a database in WAL mode it leaves ``-wal`` and
``-shm`` files behind, or marks the reader in the ``-shm`` that is there (measured with SQLite
3.40). So a database is copied with its WAL or its rollback journal to a private folder and read
there. One over 256 MB is read in place where that changes nothing; see ``_in_place``. Knows no
table.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from cursor_replay.errors import InputError
from cursor_replay.ingest.logs import LOGS, beside, forget_others, size_of, state_of
from cursor_replay.ingest.rowfiles import columns_of, is_rows, restore
from cursor_replay.ingest.unreadable import unreadable

MAGIC = b"SQLite format 3\0"
LARGEST_COPY = 256 * 1024 * 1024
"""Bytes of a database and its WAL up to which a private copy is made."""
_TRIES = 5
_BUSY = 5.0
"""Seconds to wait for a writer that holds a lock."""


def is_database(path: Path) -> bool:
    """Whether ``path`` is a SQLite file; never raises, never takes bytes from a pipe."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


def holds_tables(path: Path, names: frozenset[str]) -> bool:
    """Whether ``path`` is a database with all these tables; never raises."""
    return holds_columns(path, dict.fromkeys(names, frozenset()))


def holds_columns(path: Path, wanted: Mapping[str, frozenset[str]]) -> bool:
    """Whether ``path`` is a database with these tables and their columns; never raises.

    A look at the file alone tells it nearly always. A schema that is still in the WAL, or a file
    that is being written to, costs a whole :class:`Database`.
    """
    if is_rows(path):
        found = columns_of(path)
        return all(columns <= found.get(table, _NONE) for table, columns in wanted.items()) and (
            wanted.keys() <= found.keys()
        )
    if not is_database(path):
        return False
    with suppress(OSError, ValueError, sqlite3.Error), closing(_opened(path, "immutable=1")) as db:
        if _has(db.execute, wanted):
            return True
    if not size_of(beside(path, "-wal")):
        return False
    try:
        with Database(path) as database:
            return _has(database.rows, wanted)
    except InputError:
        return False


def _has(
    query: Callable[[str], Iterable[tuple[Any, ...]]], wanted: Mapping[str, frozenset[str]]
) -> bool:
    return wanted.keys() <= {row[0] for row in query(_TABLES)} and all(
        columns <= {row[1] for row in query(_COLUMNS.format(_quoted(table)))}
        for table, columns in wanted.items()
    )


_NONE: frozenset[str] = frozenset()
_TABLES = "SELECT name FROM sqlite_master WHERE type='table'"
_COLUMNS = "PRAGMA table_info({})"


class Database:
    """A read-only connection; a context manager. Raises InputError for what SQLite cannot read.

    ``copied`` is False when the database is so large that it is read in place.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        try:
            self._connection = self._restored() if is_rows(path) else self._connect()
        except (OSError, ValueError, sqlite3.Error) as error:
            self._forget()
            raise self._unreadable(error) from None

    def __enter__(self) -> Self:
        """Use it in a ``with``."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    @property
    def copied(self) -> bool:
        """Whether a private copy is read."""
        return self._copy is not None

    def close(self) -> None:
        """Let go of the database, and of its copy."""
        self._connection.close()
        self._forget()

    def rows(self, query: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of ``query``, a few at a time; InputError when the file is damaged."""
        try:
            cursor = self._connection.execute(query, parameters)
            while batch := cursor.fetchmany(200):
                yield from batch
        except sqlite3.Error as error:
            raise self._unreadable(error) from None

    def row(self, query: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of ``query``, or None."""
        return next(self.rows(query, parameters), None)

    def tables(self) -> frozenset[str]:
        """The names of the tables; a view is none."""
        return frozenset(row[0] for row in self.rows(_TABLES))

    def columns(self, table: str) -> frozenset[str]:
        """The column names of ``table``; none when there is no such table."""
        return frozenset(row[1] for row in self.rows(_COLUMNS.format(_quoted(table))))

    def table(
        self, name: str, where: str = "", parameters: Sequence[Any] = ()
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the name of a table with each row of it, by column; all that ``where`` selects."""
        columns = [row[1] for row in self.rows(_COLUMNS.format(_quoted(name)))]
        query = f"SELECT * FROM {_quoted(name)} {where}"  # noqa: S608 - a quoted name
        for row in self.rows(query, parameters):
            yield name, dict(zip(columns, row, strict=True))

    def _connect(self) -> sqlite3.Connection:
        for _ in range(_TRIES):
            before = state_of(self.path)
            if before.size > LARGEST_COPY and (how := _in_place(self.path)):
                with suppress(sqlite3.OperationalError):
                    return _opened(self.path, how)
            copy = self._copied()
            if state_of(self.path) == before:
                return _opened(copy, "mode=rw")
            self._forget()
        raise InputError(f"{self.path} is being written to all the time; try again")

    def _restored(self) -> sqlite3.Connection:
        """What was written as rows, as a private database."""
        self._copy = tempfile.TemporaryDirectory(prefix="cursor-replay-")
        target = Path(self._copy.name) / "copy.db"
        restore(self.path, target)
        return _opened(target, "mode=rw")

    def _copied(self) -> Path:
        self._copy = tempfile.TemporaryDirectory(prefix="cursor-replay-")
        target = Path(self._copy.name) / "copy.db"
        shutil.copyfile(self.path, target)
        for log in LOGS:
            with suppress(FileNotFoundError):
                shutil.copyfile(beside(self.path, log), beside(target, log))
        forget_others(beside(target, "-journal"))
        return target

    def _forget(self) -> None:
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    def _unreadable(self, error: Exception) -> InputError:
        return InputError(f"{self.path}: {unreadable(error)}")


def _opened(path: Path, how: str) -> sqlite3.Connection:
    where = f"file:{quote(os.fsencode(path))}?{how}"
    connection = sqlite3.connect(where, uri=True, timeout=_BUSY)
    try:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.execute("PRAGMA query_only=1")
        connection.execute("PRAGMA trusted_schema=0")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _in_place(path: Path) -> str | None:
    """How a large database is opened where it is; None when only a copy leaves it as it is.

    With a ``-shm`` beside it a WAL is read through that; without one SQLite would make one. What
    has no log is read without any lock: a slow reader must not hold up the program it belongs to.
    """
    if beside(path, "-shm").exists() and beside(path, "-wal").exists():
        return "mode=ro&readonly_shm=1"
    return None if any(size_of(beside(path, log)) for log in LOGS) else "immutable=1"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
