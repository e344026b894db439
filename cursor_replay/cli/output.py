"""Where the text goes: standard output, a pager, or a file that is replaced in one step.

A sink takes rendered pieces lazily and knows nothing of items. What cannot be written is a
``ReplayError``; a reader that left stays a ``BrokenPipeError``.
"""

import os
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Literal, TextIO

import click

from cursor_replay.errors import ReplayError


def check_stdout() -> None:
    """Raise ReplayError when standard output was closed before the program began."""
    if sys.stdout is None:
        raise ReplayError("standard output is closed; -o writes to a file")


def to_stdout(pieces: Iterable[str], *, at_once: bool) -> None:
    """Print the pieces as UTF-8; ``at_once`` flushes each, for input that is still arriving."""
    stream = _utf8_stdout()
    for piece in pieces:
        _write(stream, piece, "standard output")
        if at_once:
            _flush(stream, "standard output")
    _flush(stream, "standard output")


def to_pager(pieces: Iterable[str], *, height: int, always: bool) -> None:
    """Page the pieces once they fill the screen (``always``: even when they do not).

    Only a screenful is held back; the rest is made while the reader scrolls.
    """
    rest = iter(pieces)
    head, is_long = _screenful(rest, height)
    if is_long or always:
        click.echo_via_pager(chain(head, rest))
    else:
        to_stdout(head, at_once=False)


def to_file(pieces: Iterable[str], path: Path) -> None:
    """Write the pieces to ``path``, which is whole or untouched: never half-written."""
    with _replacing(path) as stream:
        for piece in pieces:
            _write(stream, piece, str(path))
        _flush(stream, str(path))


def bytes_to_file(pieces: Iterable[bytes], path: Path, *, like: Path | None = None) -> None:
    """Write bytes to ``path`` as ``to_file`` writes text, for no more eyes than ``like`` is."""
    with _replacing(path, like) as stream:
        for piece in pieces:
            with _blaming(str(path)):
                stream.buffer.write(piece)
        _flush(stream, str(path))


def check_target(path: Path) -> None:
    """Raise ``ReplayError`` when ``path`` cannot be an output: a folder."""
    with suppress(OSError):  # a name that is too long: writing says so
        if path.is_dir():
            raise ReplayError(f"cannot write {path}: it is a folder; name a file in it")


def check_new(path: Path) -> None:
    """Raise ``ReplayError`` when ``path`` is there: pi may have gone on with the session in it."""
    with suppress(OSError):
        if path.exists() and not _is_special(path):
            words = "pi may have gone on in it; `cursor-replay pi --force` replaces it"
            raise ReplayError(f"{path} exists: {words}")


def check_overwrites(path: Path, inputs: Iterable[Path]) -> None:
    """Raise ``ReplayError`` when writing ``path`` would replace an input, or a file of a store."""
    with suppress(OSError):
        if not path.exists():
            return
    for each in inputs:
        with suppress(OSError):
            if path.samefile(each) or _is_part(path, each):
                raise ReplayError(f"will not write onto its own input {path}; choose another name")


def _is_part(path: Path, store: Path) -> bool:
    """Whether a file lies in the folder of a store, or is the log of a database."""
    target = path.resolve()
    if store.is_dir():
        return target.is_relative_to(store.resolve())
    return target.parent == store.resolve().parent and target.name.startswith(f"{store.name}-")


def _screenful(rest: Iterator[str], height: int) -> tuple[list[str], bool]:
    head: list[str] = []
    lines = 0
    for piece in rest:
        head.append(piece)
        lines += piece.count("\n")
        if lines >= height:
            return head, True
    return head, False


def _utf8_stdout() -> TextIO:
    """Return stdout set to UTF-8 and plain line feeds, whatever the locale says."""
    stream = sys.stdout
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", newline="\n")
    return stream


@contextmanager
def _replacing(path: Path, like: Path | None = None) -> Iterator[TextIO]:
    """Yield a new file beside ``path`` that takes its place when the body succeeds."""
    target = Path(os.path.realpath(path))  # never raises, not even for a loop of links
    if _is_special(target):
        with _opened(target, "w", path) as stream:
            yield stream
        return
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with _opened(part, "x", path) as stream:
            if like:
                shutil.copymode(like, part)
            yield stream
        with _blaming(str(path)):
            _keep_mode(target, part, narrow=like is not None)
            part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _is_special(target: Path) -> bool:
    """Say whether ``target`` is a device or a pipe, which cannot be replaced."""
    try:
        return not stat.S_ISREG(target.stat().st_mode)
    except OSError:
        return False


def _keep_mode(target: Path, part: Path, *, narrow: bool) -> None:
    if target.exists():
        mode = stat.S_IMODE(target.stat().st_mode)
        part.chmod(mode & stat.S_IMODE(part.stat().st_mode) if narrow else mode)


@contextmanager
def _opened(path: Path, mode: Literal["w", "x"], asked: Path) -> Iterator[TextIO]:
    with _blaming(str(asked)):
        stream = path.open(mode, encoding="utf-8", newline="\n")
    try:
        yield stream
    finally:
        with suppress(OSError):  # a failed write has been told by then
            stream.close()


def _write(stream: TextIO, piece: str, name: str) -> None:
    try:
        stream.write(piece)
    except OSError as error:
        raise _told(error, name) from None


def _flush(stream: TextIO, name: str) -> None:
    with _blaming(name):
        stream.flush()


@contextmanager
def _blaming(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _told(error, name) from None


def _told(error: OSError, name: str) -> Exception:
    """Return the error to raise: a closed pipe as it is, else what the user can act on."""
    if isinstance(error, BrokenPipeError):
        return error
    return ReplayError(f"cannot write {name}: {error.strerror or type(error).__name__}")
