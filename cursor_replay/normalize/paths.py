"""Paths as a reader of this workspace would write them (replay facts 3.19).

Lexical only: no path is looked up, no link resolved. Inside means by components, so a child named
``..foo`` is inside and ``/repository`` is not inside ``/repo``.
"""

import re

_DRIVE = re.compile(r"^/?([A-Za-z]):/")
_PRIVATE = "/private/"


def display_path(path: str, cwd: str | None) -> str:
    """Workspace-relative when inside ``cwd``, ``.`` for it, else as it was; slashes forward."""
    text = path.strip()
    if not text:
        return ""
    slashed = text.replace("\\", "/") if "\\" in text and not text.startswith("/") else text
    if not _is_absolute(slashed):
        return slashed
    if not cwd:
        return text
    parts, root = _parts(slashed), _parts(cwd.strip().replace("\\", "/"))
    if ".." in parts or not root:
        return text
    if parts[: len(root)] != root:
        return text
    spelled = [part for part in slashed.split("/") if part not in ("", ".")]
    return "/".join(spelled[-(len(parts) - len(root)) :]) if len(parts) > len(root) else "."


def is_safe_relative(path: str, cwd: str | None) -> bool:
    """Whether a path names something inside the workspace and nothing else."""
    shown = display_path(path, cwd).replace("\\", "/")
    if not shown or shown.startswith("~") or ".." in shown.split("/"):
        return False
    return not _is_absolute(shown) and not re.match(r"^[A-Za-z][A-Za-z0-9+.-]*:", shown)


def _is_absolute(path: str) -> bool:
    # A home folder that was masked stays a place of its own.
    return path.startswith(("/", "~/")) or path == "~" or bool(_DRIVE.match(path))


def _parts(path: str) -> list[str]:
    """Components to compare: drive letters in lower case, macOS's /private alias dropped."""
    drive = _DRIVE.match(path)
    if drive:
        path = f"/{drive[1].lower()}:/{path[drive.end() :]}"
    elif path.startswith(_PRIVATE):
        path = path[len(_PRIVATE) - 1 :]
    return [part for part in path.split("/") if part not in ("", ".")]
