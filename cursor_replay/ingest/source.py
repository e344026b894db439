"""Open a path or stdin and yield its events.

Owns opening and chunked reading: which kind of source a path is. A source and everything behind it
stream: at most one line and one chunk are held. Everything is read-only.
"""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from select import select
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, Protocol, runtime_checkable

from cursor_replay.errors import InputError
from cursor_replay.events import (
    AnyEvent,
    SessionSeen,
)
from cursor_replay.ingest.database import is_database
from cursor_replay.ingest.detect import (
    FORMATS,
    AnyFormat,
    Format,
    format_named,
)
from cursor_replay.ingest.documents import join_document
from cursor_replay.ingest.jsontext import decode
from cursor_replay.ingest.lines import MAX_LINE, Line, split_lines
from cursor_replay.ingest.reader import RecordReader
from cursor_replay.ingest.rowfiles import is_rows
from cursor_replay.ingest.store import PartedStore, ReadOptions, chosen
from cursor_replay.ingest.wholes import (
    StoreFormat,
    StreamFormat,
    recognise_store,
    recognise_stream,
)
from cursor_replay.items import Evidence

_FIRST_CHUNK, _CHUNK = 64 * 1024, 1024 * 1024
_STEP = 0.2
"""Seconds."""
_IN_MEMORY = 16 * 1024 * 1024
"""Bytes of a stream that is needed whole which are kept in memory; more go to a private file."""


class Source(Protocol):
    """An opened input. ``position`` counts the bytes read so far, ``size`` is None for a pipe."""

    name: str
    size: int | None
    position: int

    def events(self) -> Iterator[AnyEvent]:
        """Yield the events in order; raises InputError when nothing in it is known."""

    def close(self) -> None:
        """Let go of it."""

    def again(self) -> "Source":
        """The same input, opened anew; raises InputError for a pipe."""

    @property
    def format_name(self) -> str:
        """The name of the format, ``auto`` while it is not known."""


@runtime_checkable
class Parted(Protocol):
    """A source made of files, each of which tells the same run in its own way."""

    def parts(self) -> list[Path]:
        """The files, each of which can be opened by itself."""


class StreamSource:
    """A file or a pipe."""

    def __init__(
        self,
        stream: BinaryIO,
        *,
        name: str,
        size: int | None,
        form: AnyFormat | None = None,
        max_line: int = MAX_LINE,
        options: ReadOptions | None = None,
    ) -> None:
        self.name = name
        self.size = size
        self.position = 0
        self._stream = stream
        self._form = form
        self._max_line = max_line
        self._options = options or ReadOptions()

    def events(self) -> Iterator[AnyEvent]:
        """Yield the events in file order; raises InputError when nothing in it is known."""
        chunks = self._chunks()
        read, head = _head(chunks)
        whole = self._form or recognise_stream(head)
        chunks = chain((read,), chunks)
        if isinstance(whole, StreamFormat):
            yield from self._whole(whole, chunks)
            return
        record_format = self._form if isinstance(self._form, Format) else None
        reader = RecordReader(self.name, record_format)
        lines = split_lines(chunks, limit=self._max_line)
        yield from reader.events(join_document(lines, limit=self._max_line))

    def close(self) -> None:
        """Let go of the file; reading to the end does so by itself."""
        self._stream.close()

    def again(self) -> Source:
        """The same file, opened anew."""
        if self.size is None:
            raise InputError(f"{self.name} can be read only once")
        name = self._form.name if self._form else None
        options, limit = self._options, self._max_line
        return open_source(self.name, input_format=name, max_line=limit, options=options)

    @property
    def format_name(self) -> str:
        """The name of a forced format, else ``auto``."""
        return self._form.name if self._form else "auto"

    def _whole(self, form: StreamFormat, chunks: Iterator[bytes]) -> Iterator[AnyEvent]:
        """The bytes are kept, on disk when they are many: such a format may need them twice."""
        with SpooledTemporaryFile(max_size=_IN_MEMORY) as kept:
            for chunk in chunks:
                kept.write(chunk)

            def lines() -> Iterator[Line]:
                kept.seek(0)
                again = iter(partial(kept.read, _CHUNK), b"")
                return split_lines(again, limit=self._max_line)

            yield SessionSeen(origin=Evidence(file=self.name, line=1), format=form.name)
            yield from form.decode(lines, self.name, self._options)

    def _chunks(self) -> Iterator[bytes]:
        """Small first, so that the first card is not kept waiting."""
        with self._stream as stream:
            size = _FIRST_CHUNK
            while chunk := _read(stream, size):
                self.position += len(chunk)
                size = _CHUNK
                yield chunk


class StoreSource:
    """One session of a database or a folder."""

    def __init__(self, form: StoreFormat, path: Path, options: ReadOptions) -> None:
        self.name = str(path)
        self.size: int | None = None
        self.position = 0
        self.format_name = form.name
        self._form, self._path, self._options = form, path, options
        self._store = form.open(path)
        try:
            self.session = chosen(self._store.sessions(), options, name=self.name)
        except BaseException:
            self._store.close()
            raise

    def events(self) -> Iterator[AnyEvent]:
        """Yield the events of the session, its head first."""
        info = self.session
        yield SessionSeen(
            origin=Evidence(file=self.name, line=1),
            format=self.format_name,
            session_id=info.id,
            cwd=info.workspace,
            title=info.title,
        )
        yield from self._store.events(info.id, self._options)

    def again(self) -> Source:
        """The same session, opened anew."""
        options = replace(self._options, session=self.session.id)
        return StoreSource(self._form, self._path, options)

    def parts(self) -> list[Path]:
        """The files of the session that can be read by themselves; most stores have none."""
        store = self._store
        return store.parts(self.session.id) if isinstance(store, PartedStore) else []

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()


def _head(chunks: Iterator[bytes]) -> tuple[bytes, bytes]:
    """What was read, and of it all up to the first line that is a JSON object, or 64 KB.

    The same bytes give the same head however they arrive, and a pipe is not kept waiting.
    """
    read = b""
    at = 0
    while len(read) < _FIRST_CHUNK and (chunk := next(chunks, b"")):
        read += chunk
        while (end := read.find(b"\n", at)) >= 0:
            line, at = read[at:end], end + 1
            if _is_object(line):
                return read, read[:at][:_FIRST_CHUNK]
    return read, read[:_FIRST_CHUNK]


def _is_object(line: bytes) -> bool:
    bare = line.lstrip(b"\xef\xbb\xbf \t")
    return bare.startswith(b"{") and any(isinstance(each, dict) for each in decode(bare).values)


def _read(stream: BinaryIO, size: int) -> bytes:
    """At least one byte, at most ``size``: what a pipe has is taken at once."""
    _await(stream)
    read1 = getattr(stream, "read1", None)
    return read1(size) if read1 else stream.read(size)


def _await(stream: BinaryIO) -> None:
    """Wait for input in steps: an interrupt just in front of a read would be noticed behind it."""
    with suppress(OSError, ValueError, AttributeError):
        while not select([stream.fileno()], [], [], _STEP)[0]:
            pass


def open_source(
    path: str,
    *,
    input_format: str | None = None,
    max_line: int = MAX_LINE,
    options: ReadOptions | None = None,
) -> Source:
    """Open ``path`` (``-`` is stdin), a file, a database or a folder.

    Raises InputError for a missing path, a folder without a session, an empty file, a closed stdin
    or an unknown format name; AmbiguousError when several sessions are meant.
    """
    form = format_named(input_format) if input_format else None
    if input_format and form is None:
        known = ", ".join(each.name for each in FORMATS)
        raise InputError(f"unknown input format {input_format!r}; one of: {known}")
    options = options or ReadOptions()
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed")
        stream, size, name = sys.stdin.buffer, None, "<stdin>"
    else:
        store = form if isinstance(form, StoreFormat) else _store_at(path)
        if store is not None:
            return StoreSource(store, Path(path), options)
        if options.session is not None:
            raise InputError(f"{path} is one recording; --session goes with a store of several")
        stream, size, name = _opened(path), _size(path), path
    return StreamSource(stream, name=name, size=size, form=form, max_line=max_line, options=options)


def _store_at(path: str) -> StoreFormat | None:
    """The store at ``path``; files that are no database are streams, whatever is in them."""
    with suppress(OSError, ValueError):
        place = Path(path)
        if place.is_dir() or is_database(place) or is_rows(place):
            found = recognise_store(place)
            if found is None and is_database(place):
                raise InputError(f"{path} is a database of no store known here")
            return found
    return None


def _opened(path: str) -> BinaryIO:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - Path.stat says the same in more words
        if stat.S_ISDIR(mode):
            raise InputError(f"{path} is a folder without a session known here")
        if stat.S_ISREG(mode) and Path(path).stat().st_size == 0:
            raise InputError(f"{path} is empty")
        return Path(path).open("rb")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except PermissionError:
        raise InputError(f"{path}: not permitted to read it") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be opened ({type(error).__name__})") from None


def _size(path: str) -> int | None:
    info = Path(path).stat()
    return info.st_size if stat.S_ISREG(info.st_mode) else None
