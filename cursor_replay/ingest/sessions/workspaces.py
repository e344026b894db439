"""Which workspace a project folder of Cursor belongs to.

Owns the slug rule and the side files that name the path (transcript facts 1.8). A slug is never
decoded: what it came from cannot be told; a path can only be encoded and compared.
"""

import json
import re
from functools import cache
from pathlib import Path

from cursor_replay.lenient import as_object, as_text

_OUTSIDE = re.compile("[^A-Za-z0-9]")
_DASHES = re.compile("-+")
_LOGGED = re.compile(r"workspacePath[\"']?\s*[:=]\s*[\"']?((?:/|[A-Za-z]:[\\/])[^\"'\r\n,}]+)")
_LOG_HEAD = 64 * 1024
"""Bytes of ``worker.log`` that are looked at."""


def slugs(workspace: str) -> frozenset[str]:
    """The project folder names of a path: with runs of dashes, and collapsed; lower case."""
    plain = _OUTSIDE.sub("-", workspace.lstrip("/")).lower()
    return frozenset({plain, _DASHES.sub("-", plain).strip("-")})


def is_slug_of(slug: str, workspace: str) -> bool:
    """Whether ``slug`` may stand for ``workspace``: both encodings are compared, without case."""
    found = slug.lower()
    return not slugs(workspace).isdisjoint({found, _DASHES.sub("-", found).strip("-")})


@cache
def recorded_workspace(project: Path) -> str | None:
    """The path that a file of the project folder names; None when none does."""
    trusted = _read(project / ".workspace-trusted")
    if trusted:
        try:
            path = as_text(as_object(json.loads(trusted)).get("workspacePath"))
        except (ValueError, RecursionError):
            path = None
        if path:
            return path
    logged = _LOGGED.search(_read(project / "worker.log"))
    return logged[1].strip() if logged else None


def _read(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as stream:
            return stream.read(_LOG_HEAD).decode("utf-8", "replace")
    except OSError:
        return ""
