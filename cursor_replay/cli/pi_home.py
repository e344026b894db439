"""The pi that is installed: its program, its folders, and our extension for it (pi facts 1.1).

Owns where a session goes that is opened without a name of its own, and how pi is started.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import IO

from cursor_replay.cli.exits import say
from cursor_replay.errors import ReplayError

EXTENSION = "cursor_replay.ts"
TERMINAL = "CONIN$" if os.name == "nt" else "/dev/tty"
_COMPARED = 1 << 20


def extension_path() -> Path:
    """The packaged extension, for ``pi -e``."""
    return Path(str(files("cursor_replay.live").joinpath("pi_extension", EXTENSION)))


def agent_folder() -> Path:
    """Pi's own folder: ``PI_CODING_AGENT_DIR``, else ``~/.pi/agent``."""
    asked = os.environ.get("PI_CODING_AGENT_DIR")
    return _expanded(asked) if asked else Path.home() / ".pi" / "agent"


def sessions_folder(cwd: str) -> Path:
    """Where sessions are for a pi that is started in ``cwd``."""
    asked = _asked_folder()
    return Path(cwd) / _expanded(asked) if asked else agent_folder() / "sessions"


def _asked_folder() -> str | None:
    """``PI_CODING_AGENT_SESSION_DIR``, else the setting ``sessionDir``."""
    setting = None
    with suppress(OSError, ValueError):  # pi reports its own settings
        settings = json.loads((agent_folder() / "settings.json").read_text("utf-8"))
        setting = settings.get("sessionDir") if isinstance(settings, dict) else None
    asked = os.environ.get("PI_CODING_AGENT_SESSION_DIR") or setting
    return asked if isinstance(asked, str) and asked else None


def _expanded(path: str) -> Path:
    """As pi does it: only one's own home, and a name like ``~other`` is a name."""
    return Path.home() / path[2:] if path == "~" or path.startswith("~/") else Path(path)


@contextmanager
def placing(target: Path) -> Iterator[None]:
    """Turn what the system says against a file or folder of pi's into one line."""
    try:
        yield
    except OSError as error:
        raise ReplayError(f"cannot write {target}: {error.strerror}") from None


def program(asked: str | None) -> str:
    """The program to start; raises ReplayError when there is none."""
    found = shutil.which(asked or "pi")
    if found is None:
        name = asked or "pi"
        how = "install pi (npm package @earendil-works/pi-coding-agent) or name it with --pi PATH"
        raise ReplayError(f"{name} is not to be found: {how}")
    return found


def install_extension(*, force: bool) -> Path:
    """Copy the extension to where pi loads it by itself; raises ReplayError for another's file."""
    target = agent_folder() / "extensions" / EXTENSION
    packaged = extension_path().read_bytes()
    with placing(target):
        if target.exists() and target.read_bytes() != packaged and not force:
            raise ReplayError(f"{target} is another version; --force replaces it")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(packaged)
    return target


def place_session(written: Path, folder: Path, *, afresh: bool) -> Path:
    """Move a session to where pi lists it, and never over another.

    One that only goes on from it stays as it is, unless it is wanted ``afresh``: a recording that
    has grown, and what was said in pi since, are two sessions.
    """
    plain = folder / _name_of(written)
    with placing(plain):
        target = next(
            each
            for each in _names(plain)
            if not each.exists() or _is_of(each, written, afresh=afresh)
        )
        if target.exists():
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        written.replace(target)
    if target != plain:
        say(f"{plain.name} stays as it is, this is a session beside it")
    return target


def _names(plain: Path) -> Iterator[Path]:
    yield plain
    yield from (plain.with_name(f"{plain.stem}-{number}.jsonl") for number in count(2))


def _is_of(target: Path, written: Path, *, afresh: bool) -> bool:
    return _begins_with(target, written) and (not afresh or _begins_with(written, target))


def _name_of(session: Path) -> str:
    """``--<cwd>--/<time>_<id>.jsonl``; flat where the folder of all sessions was named."""
    with session.open(encoding="utf-8") as stream:
        header = json.loads(stream.readline())
    stamp = header["timestamp"].replace(":", "-").replace(".", "-")
    name = f"{stamp}_{header['id']}.jsonl"
    if _asked_folder():
        return name
    folder = header["cwd"].lstrip("/\\")
    for char in "/\\:":
        folder = folder.replace(char, "-")
    return f"--{folder}--/{name}"


def _begins_with(target: Path, written: Path) -> bool:
    """Whether ``target`` begins with all of ``written``."""
    with target.open("rb") as there, written.open("rb") as here:
        while chunk := here.read(_COMPARED):
            if there.read(len(chunk)) != chunk:
                return False
    return True


def terminal() -> IO[bytes]:
    """Open what the user types on, for a pi whose standard input was the recording."""
    try:
        return Path(TERMINAL).open("rb", buffering=0)
    except OSError:
        words = "there is no terminal for pi to read from: write it to a file with -o"
        raise ReplayError(f"a recording on standard input cannot be opened here: {words}") from None


def run(pi: str, session: Path, *, cwd: str, stdin: IO[bytes] | None = None) -> int:
    """Open a session in pi, with our cards, and give its exit code."""
    command = [pi, "--session", str(session), "-e", str(extension_path())]
    try:
        return subprocess.run(command, cwd=cwd, stdin=stdin, check=False).returncode  # noqa: S603 - the user's own pi
    except OSError as error:
        raise ReplayError(f"cannot start {pi}: {error.strerror}") from None
