"""Where Cursor, its SDK and pi keep sessions, for each system and by every variable they honour.

Owns the folders (transcript facts section 0, live facts 7.1 and 7.2, replay facts 1.1). Nothing
here reads a file, and a folder that is not there is no root.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_WSL_USERS = "/mnt/c/Users"


class Roots(NamedTuple):
    """Folders that exist. ``workspace`` is the one the user stands in."""

    data: tuple[Path, ...]
    """``.cursor`` folders: transcripts, chats, SDK stores."""
    state: tuple[Path, ...]
    """The IDE's user data: ``User/globalStorage/state.vscdb``."""
    pi: tuple[Path, ...]
    """Folders of pi sessions."""
    debug: tuple[Path, ...]
    """Folders of event-debug artifacts."""
    loose: tuple[Path, ...]
    """Folders that are to be looked at as they are (``--root``)."""
    workspace: Path


def machine_roots(environ: Mapping[str, str], *, home: Path, workspace: Path) -> Roots:
    """The roots of this user: Linux, macOS and Windows layouts, also Windows seen from WSL."""
    homes = [home, *_windows_homes(environ)]
    asked = environ.get("CURSOR_DATA_DIR")
    session_dir = environ.get("PI_CODING_AGENT_SESSION_DIR")
    agent_dir = environ.get("PI_CODING_AGENT_DIR")
    appdata = environ.get("APPDATA")
    debug_dir = environ.get("PI_CURSOR_SDK_EVENT_DEBUG_DIR") or ".debug/cursor-sdk-events"
    return Roots(
        data=_there([*([Path(asked)] if asked else []), *_each(homes, _data)]),
        state=_there([*([Path(appdata) / "Cursor"] if appdata else []), *_each(homes, _state)]),
        pi=_there(
            [Path(session_dir)]
            if session_dir
            else [Path(agent_dir) / "sessions"]
            if agent_dir
            else [each / ".pi" / "agent" / "sessions" for each in homes]
        ),
        debug=_there([workspace / _expanded(debug_dir)]),
        loose=(),
        workspace=workspace,
    )


def roots_below(root: Path, *, workspace: Path) -> Roots:
    """The roots of ``--root``: a home folder, a ``.cursor`` folder, a copy of any of the stores."""
    return Roots(
        data=_there([root, *_data(root)]),
        state=_there([root, *_state(root)]),
        pi=_there([root / "sessions", root / ".pi" / "agent" / "sessions"]),
        debug=_there([root, root / ".debug" / "cursor-sdk-events"]),
        loose=_there([root]),
        workspace=workspace,
    )


def _expanded(folder: str) -> Path:
    """``~`` is the home folder; one of a user that is not there stays as it is."""
    try:
        return Path(folder).expanduser()
    except RuntimeError:
        return Path(folder)


def _data(home: Path) -> list[Path]:
    return [home / ".cursor", home / ".config" / "cursor"]


def _state(home: Path) -> list[Path]:
    return [
        home / ".config" / "Cursor",
        home / "Library" / "Application Support" / "Cursor",
        home / "AppData" / "Roaming" / "Cursor",
    ]


def _windows_homes(environ: Mapping[str, str]) -> list[Path]:
    """Inside WSL the IDE runs on the other side: its homes are those of the Windows users."""
    if "WSL_DISTRO_NAME" not in environ:
        return []
    try:
        return [each for each in Path(_WSL_USERS).iterdir() if (each / ".cursor").is_dir()]
    except OSError:
        return []


def _each(homes: list[Path], folders: Callable[[Path], list[Path]]) -> Iterator[Path]:
    for home in homes:
        yield from folders(home)


def _there(paths: list[Path]) -> tuple[Path, ...]:
    """The folders that exist, each once, links to the same folder too."""
    known: dict[Path, Path] = {}
    for path in paths:
        try:
            if path.is_dir():
                known.setdefault(path.resolve(), path)
        except OSError:
            continue
    return tuple(known.values())
