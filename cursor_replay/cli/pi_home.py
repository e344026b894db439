"""The pi that is installed: its program, its folders, and our extension for it (pi facts 1.1).

Owns where a session goes that is opened without a name of its own, and how pi is started.
"""

import json
import os
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

from cursor_replay.errors import ReplayError

EXTENSION = "cursor_replay.ts"
_COMPARED = 1 << 20


def extension_path() -> Path:
    """The packaged extension, for ``pi -e``."""
    return Path(str(files("cursor_replay.live").joinpath("pi_extension", EXTENSION)))


def agent_folder() -> Path:
    """Pi's own folder: ``PI_CODING_AGENT_DIR``, else ``~/.pi/agent``."""
    asked = os.environ.get("PI_CODING_AGENT_DIR")
    return Path(asked).expanduser() if asked else Path.home() / ".pi" / "agent"


def sessions_folder() -> Path:
    """Where sessions are: ``PI_CODING_AGENT_SESSION_DIR``, else a folder of pi's own."""
    asked = os.environ.get("PI_CODING_AGENT_SESSION_DIR")
    return Path(asked).expanduser() if asked else agent_folder() / "sessions"


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
    try:
        if target.exists() and target.read_bytes() != packaged and not force:
            raise ReplayError(f"{target} is another version; --force replaces it")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(packaged)
    except OSError as error:
        raise ReplayError(f"cannot write {target}: {error.strerror}") from None
    return target


def place_session(written: Path, *, force: bool) -> Path:
    """Move a session to where pi lists it; a file that only goes on from it stays as it is.

    Raises ReplayError when another session has its name.
    """
    target = sessions_folder() / _name_of(written)
    if target.exists() and not force:
        if not _goes_on(target, written):
            words = "--force replaces it, -o names another file"
            raise ReplayError(f"{target} exists and is another session: {words}")
        written.unlink()
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    written.replace(target)
    return target


def _name_of(session: Path) -> str:
    """``--<cwd>--/<time>_<id>.jsonl``; flat where the folder of all sessions was named."""
    with session.open(encoding="utf-8") as stream:
        header = json.loads(stream.readline())
    stamp = header["timestamp"].replace(":", "-").replace(".", "-")
    name = f"{stamp}_{header['id']}.jsonl"
    if os.environ.get("PI_CODING_AGENT_SESSION_DIR"):
        return name
    folder = header["cwd"].lstrip("/\\")
    for char in "/\\:":
        folder = folder.replace(char, "-")
    return f"--{folder}--/{name}"


def _goes_on(target: Path, written: Path) -> bool:
    """Whether ``target`` begins with all of ``written``."""
    with target.open("rb") as there, written.open("rb") as here:
        while chunk := here.read(_COMPARED):
            if there.read(len(chunk)) != chunk:
                return False
    return True


def run(pi: str, session: Path, *, cwd: str) -> int:
    """Open a session in pi, with our cards, and give its exit code."""
    command = [pi, "--session", str(session), "-e", str(extension_path())]
    return subprocess.run(command, cwd=cwd, check=False).returncode  # noqa: S603 - the user's own pi
