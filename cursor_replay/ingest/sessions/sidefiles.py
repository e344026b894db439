"""What Cursor keeps beside a transcript: spilled tool outputs, terminals, images.

Owns the files of a project folder (transcript facts 1.6): ``agent-tools/<uuid>.txt``,
``terminals/<n>.txt`` and ``assets/``. Only names that a transcript mentions are looked up, and only
inside that folder. Reads at most a megabyte of each.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cursor_replay.ingest.sessions.transcripts import project_of
from cursor_replay.lenient import as_int

_NAME = re.compile(r"(?!\.)[\w.@ -]{1,200}")
_MOST = 1024 * 1024
_HEADER = re.compile(r"\A\s*---\n(.*?)\n---\n", re.DOTALL)
_FIELD = re.compile(r"^(\w+): ?(.*)$", re.MULTILINE)
_HEADER_LINES = 20


class Terminal(NamedTuple):
    """A terminal as Cursor left it: the last command that ended in it, and its exit code."""

    file: str
    command: str
    exit_code: int | None


class SideFiles:
    """The files beside one transcript."""

    def __init__(self, project: Path) -> None:
        self._project = project

    @classmethod
    def of(cls, transcript: Path) -> "SideFiles | None":
        """Those of a transcript in its project folder; None for one that lies elsewhere."""
        project = project_of(transcript.absolute())
        return cls(project) if project else None

    def spilled(self, name: str) -> tuple[str, str] | None:
        """(file, text) of ``agent-tools/<name>``; None when it is gone."""
        return self._text("agent-tools", name)

    def asset_size(self, name: str) -> int | None:
        """The bytes of ``assets/<name>``; None when it is gone."""
        try:
            path = self._inside("assets", name)
            return path.stat().st_size if path else None
        except OSError:
            return None

    def terminals(self) -> Iterator[Terminal]:
        """Every terminal whose header names a last command."""
        try:
            names = sorted(each.name for each in (self._project / "terminals").iterdir())
        except OSError:
            return
        for name in names:
            found = self._text("terminals", name) if name.endswith(".txt") else None
            if found and (terminal := _terminal(*found)):
                yield terminal

    def _inside(self, folder: str, name: str) -> Path | None:
        """A regular file of the project folder, also behind links; may raise OSError."""
        if not _NAME.fullmatch(name):
            return None
        path = (self._project / folder / name).resolve()
        inside = path.is_relative_to(self._project.resolve())
        return path if inside and path.is_file() else None

    def _text(self, folder: str, name: str) -> tuple[str, str] | None:
        try:
            path = self._inside(folder, name)
            if path is None:
                return None
            with path.open("rb") as stream:
                text = stream.read(_MOST).decode("utf-8", "replace")
        except OSError:
            return None
        return str(self._project / folder / name), text


def _terminal(file: str, text: str) -> Terminal | None:
    """The header stands between dashes, or is the first lines of ``key: value``."""
    fenced = _HEADER.match(text)
    head = fenced[1] if fenced else _leading_fields(text)
    fields = {key: value.strip().strip("\"'") for key, value in _FIELD.findall(head)}
    command = fields.get("last_command")
    return Terminal(file, command, as_int(fields.get("last_exit_code"))) if command else None


def _leading_fields(text: str) -> str:
    kept = []
    for line in text.split("\n", _HEADER_LINES)[:_HEADER_LINES]:
        if not _FIELD.fullmatch(line):
            break
        kept.append(line)
    return "\n".join(kept)
