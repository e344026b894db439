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
from typing import Any, NamedTuple, Self
from urllib.parse import quote

from cursor_replay.errors import InputError
from cursor_replay.ingest.unreadable import unreadable

MAGIC = b"SQLite format 3\0"
LARGEST_COPY = 256 * 1024 * 1024
"""Bytes of a database and its WAL up to which a private copy is made."""
_TRIES = 5
_BUSY = 5.0
"""Seconds to wait for a writer that holds a lock."""
_LOGS = ("-wal", "-journal")
"""What stands beside a database and belongs to what it says."""


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
    if not is_database(path):
        return False
    with suppress(OSError, ValueError, sqlite3.Error), closing(_opened(path, "immutable=1")) as db:
        if _has(db.execute, wanted):
            return True
    if not _size(_beside(path, "-wal")):
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
            self._connection = self._connect()
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

    def _connect(self) -> sqlite3.Connection:
        for _ in range(_TRIES):
            before = _state(self.path)
            if before.size > LARGEST_COPY and (how := _in_place(self.path)):
                with suppress(sqlite3.OperationalError):
                    return _opened(self.path, how)
            copy = self._copied()
            if _state(self.path) == before:
                return _opened(copy, "mode=rw")
            self._forget()
        raise InputError(f"{self.path} is being written to all the time; try again")

    def _copied(self) -> Path:
        self._copy = tempfile.TemporaryDirectory(prefix="cursor-replay-")
        target = Path(self._copy.name) / "copy.db"
        shutil.copyfile(self.path, target)
        for log in _LOGS:
            with suppress(FileNotFoundError):
                shutil.copyfile(_beside(self.path, log), _beside(target, log))
        _forget_others(_beside(target, "-journal"))
        return target

    def _forget(self) -> None:
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    def _unreadable(self, error: Exception) -> InputError:
        return InputError(f"{self.path}: {unreadable(error)}")


_SUPER = bytes.fromhex("d9d505f920a163d7")
"""How a rollback journal ends that belongs to a commit of several databases."""


def _forget_others(journal: Path) -> None:
    """Cut off what a copied journal says of other files: SQLite would delete those it names.

    The trailer is page number, name, length of the name, checksum (4 bytes each) and a mark.
    """
    try:
        data = journal.read_bytes()
    except FileNotFoundError:
        return
    while data.endswith(_SUPER):
        length = int.from_bytes(data[-16:-12], "big")
        data = data[: max(0, len(data) - 20 - length)]
    journal.write_bytes(data)


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
    if _beside(path, "-shm").exists() and _beside(path, "-wal").exists():
        return "mode=ro&readonly_shm=1"
    return None if any(_size(_beside(path, log)) for log in _LOGS) else "immutable=1"


class _State(NamedTuple):
    """Sizes and times of a database and its logs: changed when somebody wrote."""

    stamps: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        return sum(size for size, _ in self.stamps)


def _state(path: Path) -> _State:
    info = path.stat()
    logs = (_stamp(_beside(path, log)) for log in _LOGS)
    return _State(((info.st_size, info.st_mtime_ns), *logs))


def _stamp(path: Path) -> tuple[int, int]:
    try:
        info = path.stat()
    except FileNotFoundError:
        return 0, 0
    return info.st_size, info.st_mtime_ns


def _size(path: Path) -> int:
    """Bytes of a file; 0 when there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}{suffix}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
