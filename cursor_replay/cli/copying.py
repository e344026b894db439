"""Scrubbed copies on disk: a file, a folder with all that is in it, a database as rows.

Owns what is read and where it goes. An input is never written to; an output is whole or not there.
"""

import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cursor_replay.cli import output
from cursor_replay.cli.exits import say
from cursor_replay.errors import InputError, ReplayError

if TYPE_CHECKING:
    from cursor_replay.scrub import Sealer
    from cursor_replay.scrub.copying.copies import Finding

Tell = Callable[[str, "Finding"], None]
"""Is told the name of a file in the input and each finding in it."""
Seen = Callable[[int], object]
"""Is told how many bytes were read."""

_HEAD = 64 * 1024
_CHUNK = 256 * 1024
_PADDING = re.compile(rb"^\0+(?=[{\[])|\0+\r?$", re.MULTILINE)
_LOGS = ("-wal", "-shm", "-journal")
ROWS = ".ndjson"
"""What is added to the name of a database whose rows are written."""


class Copying:
    """Copies with one sealer, so that a secret has one mark in all files of an input.

    ``session`` is the beginning of the id of the one that is copied of a database.
    """

    def __init__(
        self,
        sealer: "Sealer",
        tell: Tell,
        *,
        plain: bool,
        seen: Seen,
        session: str | None = None,
    ) -> None:
        self._sealer = sealer
        self._tell = tell
        self._plain = plain
        self._seen = seen
        self._session = session
        self._names: dict[Path, Path] = {}
        self._taken: set[Path] = set()

    def pieces(self, path: Path, *, name: str = "") -> Iterator[bytes]:
        """The copy of a file, or the rows of a database; ``name`` is told with the findings.

        Raises InputError when it cannot be read.
        """
        from cursor_replay.ingest.database import is_database
        from cursor_replay.scrub.copying.copies import Copier

        copier = Copier(self._sealer, lambda found: self._tell(name, found), plain=self._plain)
        chunks = rows(path, self._session) if is_database(path) else _chunks(path)
        yield from copier.copy(self._counted(chunks))

    def _counted(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            self._seen(len(chunk))
            yield chunk

    def folder(self, path: Path, target: Path) -> None:
        """Copy every file of a folder that is text, and its folders; say what is left out."""
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            part.mkdir(mode=0o700)
            for within in _inside(path):
                self._into(part, path / within, within)
            _take_modes(path, part, self._names)
            _take_place(part, target)
        except OSError as error:
            raise ReplayError(f"cannot write {target}: {error.strerror}") from None
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def drop(self, path: Path) -> None:
        """Read a file or a folder for its findings alone."""
        if not path.is_dir():
            for _ in self.pieces(path):
                pass
            return
        for within in _inside(path):
            name = self._name(path / within, within)
            if not (path / within).is_dir() and is_readable(path / within):
                for _ in self.pieces(path / within, name=str(name)):
                    pass

    def _name(self, file: Path, within: Path) -> Path:
        """The masked name of what lies in a folder; of two that are alike one gets a number."""
        from cursor_replay.ingest.database import is_database

        if within == Path():
            return within
        if within not in self._names:
            own = Path(self._sealer.text(str(within))).name or "~"
            name = self._name(file.parent, within.parent) / own
            if is_database(file):
                name = name.with_name(name.name + ROWS)
            self._names[within] = _unlike(name, self._taken, is_file=file.is_file())
            self._taken.add(self._names[within])
        return self._names[within]

    def _into(self, folder: Path, file: Path, within: Path) -> None:
        if file.is_dir():
            (folder / self._name(file, within)).mkdir(mode=0o700)
        elif is_readable(file):
            name = self._name(file, within)
            output.bytes_to_file(self.pieces(file, name=str(name)), folder / name, like=file)
        else:
            say(f"left out: {within} is no text")


def _unlike(name: Path, others: set[Path], *, is_file: bool) -> Path:
    """``name``, with a number when it is one of others."""
    stem, suffix = (name.stem, name.suffix) if is_file else (name.name, "")
    number, unlike = 1, name
    while unlike in others:
        number += 1
        unlike = name.with_name(f"{stem}-{number}{suffix}")
    return unlike


def _take_modes(path: Path, part: Path, names: dict[Path, Path]) -> None:
    """Give folders the modes of the original, when nothing more is written to them."""
    for within, name in {Path(): Path(), **names}.items():
        if (path / within).is_dir():
            (part / name).chmod(stat.S_IMODE((path / within).stat().st_mode) | stat.S_IRWXU)


def _take_place(part: Path, target: Path) -> None:
    old = target.with_name(f".{target.name}.{os.getpid()}.old")
    if target.exists():
        target.replace(old)
    part.replace(target)
    shutil.rmtree(old, ignore_errors=True)


def _inside(folder: Path) -> Iterator[Path]:
    """Every folder and regular file below a folder, by its path in there; links are told."""
    for at, folders, names in os.walk(folder, onerror=_is_left_out):
        folders.sort()
        for name in (*folders, *sorted(names)):
            path = Path(at) / name
            within = path.relative_to(folder)
            if path.is_symlink():
                say(f"left out: {within} is a link")
            elif path.is_dir() or (path.is_file() and not _is_log(path)):
                yield within
            elif not path.is_file():
                say(f"left out: {within} is no file")


def _is_left_out(error: OSError) -> None:
    say(f"left out: {error.filename}: {error.strerror}")


def _is_log(path: Path) -> bool:
    """Whether a file is a part of the database beside it, whose rows are copied."""
    from cursor_replay.ingest.database import is_database

    return any(
        path.name.endswith(log) and is_database(path.with_name(path.name.removesuffix(log)))
        for log in _LOGS
    )


def is_readable(path: Path) -> bool:
    """Whether a file is a database or text, by its beginning; NULs may pad a line of text."""
    from cursor_replay.ingest.database import is_database

    if is_database(path):
        return True
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return False
    return b"\0" not in _PADDING.sub(b"", head) or head.startswith((b"\xff\xfe", b"\xfe\xff"))


def _chunks(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as stream:
            yield from iter(partial(stream.read, _CHUNK), b"")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or type(error).__name__}") from None


def rows(path: Path, session: str | None = None) -> Iterator[bytes]:
    """Yield each row of a database as a line, and what its reader takes from beside it.

    With ``session`` those of one session alone; raises InputError where there is none, and
    AmbiguousError where its beginning fits several.
    """
    from cursor_replay.ingest.rowfiles import line_of
    from cursor_replay.ingest.storerows import rows_of

    yield from map(line_of, rows_of(path, session))
