"""What a recorded diff says: how many lines, where it starts, whose paths (replay facts 3.6).

The only user of unidiff. Recorded diffs are often not well formed; then counts come from hunk
arithmetic and nothing is lost, because the text itself is kept as it was.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from cursor_replay.normalize.paths import display_path

_HEADER = re.compile(r"^(--- |\+\+\+ )([ab]/)(.*)$")
_HUNK = re.compile(r"^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@", re.MULTILINE)


class Counts(NamedTuple):
    """Added and removed lines, and the first new line that differs (None when unknown)."""

    added: int
    removed: int
    first: int | None


def count_changes(diff: str) -> Counts | None:
    """Counts of a well-formed diff; None when unidiff does not accept it."""
    try:
        patch = PatchSet(diff if diff.endswith("\n") else f"{diff}\n")
    except (UnidiffParseError, ValueError, IndexError):
        return None
    if not any(hunk for file in patch for hunk in file):
        return None
    changed = (
        line.target_line_no or line.source_line_no
        for file in patch
        for hunk in file
        for line in hunk
        if line.is_added or line.is_removed
    )
    return Counts(patch.added, patch.removed, next(changed, None))


def first_hunk_line(diff: str) -> int | None:
    """The new-file line of the first hunk header, for diffs that are not well formed."""
    found = _HUNK.search(diff)
    return int(found[2]) if found else None


def with_display_paths(diff: str, cwd: str | None) -> str:
    """Header paths behind ``a/`` and ``b/`` made workspace-relative; anything else is kept.

    Only lines before a hunk are headers: a removed ``-- x`` line is content.
    """
    if cwd is None:
        return diff
    rows = diff.split("\n")
    for index, row in enumerate(rows):
        if row.startswith("@@"):
            break
        found = _HEADER.match(row)
        if found:
            shown = display_path(found[3], cwd)
            rows[index] = f"{found[1]}{found[2]}{shown if shown != found[3] else found[3]}"
    return "\n".join(rows)


class PatchFile(NamedTuple):
    """One file of an ``ApplyPatch`` text."""

    verb: str
    path: str
    moved_to: str | None
    lines: list[str]


_FILE = re.compile(r"^\*\*\* (Update|Add|Delete) File: (.*)$")
_MOVE = "*** Move to: "


def read_patch(text: str) -> list[PatchFile]:
    """The files of a ``*** Begin Patch`` text; empty when it is no such patch."""
    files: list[PatchFile] = []
    for row in text.split("\n"):
        found = _FILE.match(row.strip())
        if found:
            files.append(PatchFile(found[1].lower(), found[2].strip(), None, []))
        elif row.strip().startswith(_MOVE) and files:
            files[-1] = files[-1]._replace(moved_to=row.strip()[len(_MOVE) :])
        elif files and not row.strip().startswith("*** "):
            files[-1].lines.append(row)
    return files


def patch_as_diff(files: list[PatchFile], cwd: str | None) -> str:
    """A patch as diff text without line numbers: the patch does not record any.

    Several files are told apart as git does; a move and a deletion are said in words.
    """
    return "\n".join(row for file in files for row in _file_rows(file, cwd, len(files) > 1))


def _file_rows(file: PatchFile, cwd: str | None, several: bool) -> Iterator[str]:  # noqa: FBT001
    old, new = display_path(file.path, cwd), display_path(file.moved_to or file.path, cwd)
    if several:
        yield f"diff --git {_side('a', old)} {_side('b', new)}"
    if old != new:
        yield f"rename from {old}"
        yield f"rename to {new}"
    if file.verb == "delete":
        yield f"deleted file {old}"
    yield "--- /dev/null" if file.verb == "add" else f"--- {_side('a', old)}"
    yield "+++ /dev/null" if file.verb == "delete" else f"+++ {_side('b', new)}"
    body = "\n".join(file.lines).rstrip().split("\n") if any(file.lines) else []
    if body and not body[0].startswith("@@"):
        yield "@@"
    yield from body


def _side(letter: str, path: str) -> str:
    return path if path.startswith("/") else f"{letter}/{path}"
