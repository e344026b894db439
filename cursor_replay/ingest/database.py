"""Other people's SQLite databases, read without touching anything beside them.

A plain read-only connection is not enough: of a database in WAL mode it leaves ``-wal`` and
``-shm`` files behind, or marks the reader in the ``-shm`` that is there (measured with SQLite
3.40). So a database is copied with its WAL to a private folder and read there. One over 256 MB is
read in place: without a WAL as an immutable file, with a live one as any reader would, which
touches nothing but the reader marks in ``-shm``. Knows no table.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from cursor_replay.errors import InputError

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


class Database:
    """A read-only connection; a context manager. Raises InputError for what SQLite cannot read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        try:
            self._connection = self._connect()
        except (OSError, sqlite3.Error) as error:
            self._forget()
            raise self._unreadable(error) from None

    def __enter__(self) -> Self:
        """Use it in a ``with``."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

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

    def columns(self, table: str) -> frozenset[str]:
        """The column names of ``table``; none when there is no such table."""
        return frozenset(row[1] for row in self.rows(f"PRAGMA table_info({_quoted(table)})"))

    def _connect(self) -> sqlite3.Connection:
        for _ in range(_TRIES):
            before = _state(self.path)
            if sum(size for size, _ in before) > LARGEST_COPY:
                return self._in_place(has_wal=before[1][0] > 0)
            copy = self._copied()
            if _state(self.path) == before:
                return _opened(copy, "mode=rw")
            self._forget()
        raise InputError(f"{self.path} is being written to all the time; try again")

    def _in_place(self, *, has_wal: bool) -> sqlite3.Connection:
        return _opened(self.path, "mode=ro" if has_wal else "immutable=1")

    def _copied(self) -> Path:
        self._copy = tempfile.TemporaryDirectory(prefix="cursor-replay-")
        target = Path(self._copy.name) / "copy.db"
        shutil.copyfile(self.path, target)
        with suppress(FileNotFoundError):
            shutil.copyfile(_wal(self.path), _wal(target))
        return target

    def _forget(self) -> None:
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    def _unreadable(self, error: Exception) -> InputError:
        if isinstance(error, PermissionError):
            return InputError(f"{self.path}: not permitted to read it")
        return InputError(f"{self.path}: not a readable database ({type(error).__name__})")


def _opened(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True, timeout=_BUSY)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    connection.execute("PRAGMA query_only=1")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return connection


def _wal(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _state(path: Path) -> tuple[tuple[int, int], tuple[int, int]]:
    """Size and time of the database and of its WAL: changed when somebody wrote."""
    return _stamp(path), _stamp(_wal(path))


def _stamp(path: Path) -> tuple[int, int]:
    try:
        info = path.stat()
    except FileNotFoundError:
        return 0, 0
    return info.st_size, info.st_mtime_ns


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
