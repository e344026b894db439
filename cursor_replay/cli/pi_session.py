"""What a pi session needs to know of this machine: a folder that exists, and the input's digest.

pi refuses a session whose folder is not there (pi facts 1.4). A home folder names its owner, so
none is written into a file that may be shared, unless it was asked for.
"""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cursor_replay.cli.home import own_home

if TYPE_CHECKING:
    from cursor_replay.cli.located import Located

HASHED = 256 << 20
"""Bytes up to which a database is read for its digest."""


def session_options(found: "Located", *, cwd: str | None, private: bool) -> dict[str, Any]:
    """The options of the pi renderer; a usage error when ``cwd`` is no folder."""
    from cursor_replay.ingest.unknowns import UNKNOWNS

    return {
        "folder": _named(cwd) if cwd else _chosen(private=private),
        "source": _digest(found),
        "unknown": UNKNOWNS,
    }


def _named(cwd: str) -> Callable[[str | None], str]:
    folder = Path(cwd).absolute()
    if not _is_folder(folder):
        name = click.format_filename(cwd)
        raise click.UsageError(f"pi needs a folder that exists; {name} is none (--cwd)")
    if not _is_utf8(folder):
        raise click.UsageError("a session cannot name this folder: its name is no UTF-8 (--cwd)")
    return lambda _: str(folder)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False  # such as a name that is too long


def _is_utf8(folder: Path) -> bool:
    """Whether a name can stand in a file; the names of folders are bytes."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        return False
    return True


def _chosen(*, private: bool) -> Callable[[str | None], str]:
    """The recorded folder, else this one, else the root: the first that exists and may be named."""
    from cursor_replay.scrub import Sealer

    sealer = Sealer(home=own_home())

    def choose(recorded: str | None) -> str:
        here = Path.cwd()
        for folder in (_folder(recorded, private=private), here):
            if folder and _is_utf8(folder) and (private or sealer.text(str(folder)) == str(folder)):
                return str(folder)
        return here.anchor

    return choose


def _folder(recorded: str | None, *, private: bool) -> Path | None:
    """The recorded folder if it is there; its ``~`` is this user's own home."""
    if not recorded:
        return None
    with suppress(OSError, ValueError, RuntimeError):
        folder = Path(recorded).expanduser() if private else Path(recorded)
        if folder.is_absolute() and folder.is_dir():
            return folder
    return None


def _digest(found: "Located") -> dict[str, Any]:
    """``sha256`` of the input, where it is one file that can be read twice."""
    from cursor_replay.ingest.database import is_database

    path = Path(found.source.name)
    with suppress(OSError):
        if path.is_file() and not (is_database(path) and path.stat().st_size > HASHED):
            with path.open("rb") as stream:
                return {"sha256": hashlib.file_digest(stream, "sha256").hexdigest()}
    return {}
