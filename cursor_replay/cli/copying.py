"""Scrubbed copies on disk: a file, a folder with all that is in it, a database as rows.

Owns what is read and where it goes. An input is never written to; an output is whole or not there.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cursor_replay.cli import output
from cursor_replay.cli.exits import say
from cursor_replay.errors import InputError, ReplayError

if TYPE_CHECKING:
    from cursor_replay.ingest.database import Database
    from cursor_replay.scrub import Sealer
    from cursor_replay.scrub.copies import Finding

Tell = Callable[[str, "Finding"], None]
"""Is told the name of a file in the input and each finding in it."""

_HEAD = 64 * 1024
_LOGS = ("-wal", "-shm", "-journal")
ROWS = ".ndjson"
"""What is added to the name of a database whose rows are written."""


class Copying:
    """Copies with one sealer, so that a secret has one mark in all files of an input."""

    def __init__(self, sealer: "Sealer", tell: Tell, *, plain: bool) -> None:
        self._sealer = sealer
        self._tell = tell
        self._plain = plain

    def pieces(self, path: Path, *, name: str = "") -> Iterator[bytes]:
        """The copy of a file, or the rows of a database; ``name`` is told with the findings.

        Raises InputError when it cannot be read.
        """
        from cursor_replay.ingest.database import is_database
        from cursor_replay.scrub.copies import Copier

        copier = Copier(self._sealer, lambda found: self._tell(name, found), plain=self._plain)
        yield from copier.copy(partial(rows if is_database(path) else _lines, path))

    def folder(self, path: Path, target: Path) -> None:
        """Copy every file of a folder that is text; say what is left out."""
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            for file in _files(path):
                self._into(part, file, file.relative_to(path))
            part.mkdir(exist_ok=True)
            _take_place(part, target)
        except OSError as error:
            raise ReplayError(f"cannot write {target}: {error.strerror}") from None
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def drop(self, path: Path) -> None:
        """Read a file or a folder for its findings alone."""
        for file in _files(path) if path.is_dir() else (path,):
            if is_readable(file):
                name = "" if file == path else self._name(file.relative_to(path))
                for _ in self.pieces(file, name=name):
                    pass

    def _name(self, within: Path) -> str:
        return self._sealer.text(str(within))

    def _into(self, folder: Path, file: Path, within: Path) -> None:
        if not is_readable(file):
            say(f"left out: {within} is no text")
            return
        from cursor_replay.ingest.database import is_database

        name = self._name(within)
        copy = folder / (name + ROWS if is_database(file) else name)
        copy.parent.mkdir(parents=True, exist_ok=True)
        output.bytes_to_file(self.pieces(file, name=name), copy)


def _take_place(part: Path, target: Path) -> None:
    old = target.with_name(f".{target.name}.{os.getpid()}.old")
    if target.exists():
        target.replace(old)
    part.replace(target)
    shutil.rmtree(old, ignore_errors=True)


def _files(folder: Path) -> Iterator[Path]:
    """Every regular file below a folder; links are not followed."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(at) / name
            if path.is_file() and not path.is_symlink() and not name.endswith(_LOGS):
                yield path


def is_readable(path: Path) -> bool:
    """Whether a file is a database or text, by its beginning."""
    from cursor_replay.ingest.database import is_database

    if is_database(path):
        return True
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return False
    return b"\0" not in head.rstrip(b"\0") or head.startswith((b"\xff\xfe", b"\xfe\xff"))


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as stream:
            yield from stream
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or type(error).__name__}") from None


def rows(path: Path) -> Iterator[bytes]:
    """Yield each row of a database as a line, ``{"table": …, "row": {column: value}}``.

    Bytes that are text are written as such, of others only how many there are.
    """
    from cursor_replay.ingest.database import Database

    with Database(path) as database:
        for table in sorted(database.tables()):
            for row in _rows_of(database, table):
                yield json.dumps({"table": table, "row": row}, ensure_ascii=False).encode() + b"\n"


def _rows_of(database: "Database", table: str) -> Iterator[dict[str, Any]]:
    quoted = '"' + table.replace('"', '""') + '"'
    names = [row[1] for row in database.rows(f"PRAGMA table_info({quoted})")]
    for row in database.rows(f"SELECT * FROM {quoted}"):  # noqa: S608 - the name is quoted
        yield {name: _told(value) for name, value in zip(names, row, strict=True)}


def _told(value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        return {"bytes": len(value)}
    return text if "\0" not in text else {"bytes": len(value)}
