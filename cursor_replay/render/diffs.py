"""Diffs as lines to draw, read from recorded text.

Recorded diffs are often cut short or miscounted, so this reader never refuses one: what it does
not understand becomes an unnumbered context line. Knows no card, no colour and no width.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Literal, NamedTuple

from cursor_replay.render.limits import (
    LINE_CHARS,
    Cut,
    Fold,
    hint,
    truncate,
)

Kind = Literal["added", "removed", "context", "gap"]

SIGNS: dict[Kind, str] = {"added": "+", "removed": "-", "context": " ", "gap": " "}

HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
NUMBERED = re.compile(r"([-+ ]) *(\d{1,9})(?: (.*))?")
NUMBERED_GAP = re.compile(r" +\.\.\.")
DIFF_START = re.compile(r"^(?:--- |\+\+\+ |@@ )", re.MULTILINE)
PREAMBLE = (
    *("diff --git ", "index ", "new file mode ", "deleted file ", "similarity index "),
    *("rename from ", "rename to "),
)


class DiffLine(NamedTuple):
    """One line of a diff.

    ``number`` is the old line number of a removed line and the new one of any other; None where
    none is known. ``old`` is the old one of an unchanged line. A ``gap`` stands for lines that were
    left out.
    """

    kind: Kind
    number: int | None
    text: str
    old: int | None = None


GAP = DiffLine("gap", None, "...")


def parse_diff(text: str) -> tuple[DiffLine, ...]:
    """Read a unified diff, a bare ``-``/``+`` listing, or pi's numbered ``details.diff``."""
    lines = text.replace("\r", "").split("\n")
    while lines and not lines[-1]:
        lines.pop()
    if (numbered := _numbered(lines)) is not None:
        return numbered
    return tuple(_Unified(lines).read())


def extract_diff(text: str) -> str | None:
    """Return the part of ``text`` that is a unified diff with a hunk header, if there is one."""
    if not any(map(HUNK.match, text.split("\n"))) or not (start := DIFF_START.search(text)):
        return None
    return text[start.start() :]


def _numbered(lines: list[str]) -> tuple[DiffLine, ...] | None:
    """Read ``+12 text`` lines; None when one line, or the order of the numbers, does not fit."""
    found: list[DiffLine] = []
    last = {"+": 0, "-": 0, " ": 0}
    spaced = False
    for line in lines:
        if NUMBERED_GAP.fullmatch(line):
            found.append(GAP)
            continue
        match = NUMBERED.fullmatch(line)
        if match is None or int(match[2]) <= last[match[1]]:
            return None
        spaced = spaced or match[3] is not None
        last[match[1]] = int(match[2])
        found.append(DiffLine(_KINDS[match[1]], int(match[2]), match[3] or ""))
    return tuple(found) if spaced else None


_KINDS: dict[str, Kind] = {"+": "added", "-": "removed", " ": "context"}


@dataclass(slots=True)
class _Unified:
    """Reads unified diff lines; ``old_left`` and ``new_left`` count what the hunk still owes.

    States: before any hunk (``hunks`` 0), inside a hunk (something is owed), behind a hunk.
    """

    lines: list[str]
    old: int = 1
    new: int = 1
    old_left: int = 0
    new_left: int = 0
    hunks: int = 0
    old_file: str = ""
    new_file: str = ""
    bare: bool = True
    numbers: bool = True

    def read(self) -> Iterator[DiffLine]:
        index = 0
        self.bare = not any(map(HUNK.match, self.lines))
        self.numbers = not (self.bare and any(line.startswith("@@") for line in self.lines))
        while index < len(self.lines):
            line = self.lines[index]
            if match := HUNK.match(line):
                if self.hunks:
                    yield GAP
                self._enter(match)
            elif self._is_header(index):
                self._open(line)
            elif not self.numbers and line.startswith("@@"):
                yield from self._mark(line)
            else:
                yield from self._body(line)
            index += 1

    def _mark(self, line: str) -> Iterator[DiffLine]:
        """A hunk mark without numbers, as patches have it: a gap, and the place it names."""
        if self.hunks:
            yield GAP
        self.hunks += 1
        if place := line.strip("@ "):
            yield DiffLine("context", None, place)

    def _line(self, kind: Kind, number: int, text: str, old: int | None = None) -> DiffLine:
        return DiffLine(kind, number, text, old) if self.numbers else DiffLine(kind, None, text)

    def _enter(self, match: re.Match[str]) -> None:
        old, old_count, new, new_count = match.groups()
        self.old, self.new = int(old), int(new)
        self.old_left = int(old_count or 1)
        self.new_left = int(new_count or 1)
        self.hunks += 1

    def _open(self, line: str) -> None:
        if line.startswith("---"):
            self.old_file, self.new_file, self.hunks = line[4:].strip(), "", 0
        else:
            self.new_file = line[4:].strip()
        self.old = self.new = 1
        self.old_left = self.new_left = 0

    def _is_header(self, index: int) -> bool:
        """Tell ``--- a/x`` from a removed ``-- x``: a header has its pair or a hunk next to it."""
        line, after = self.lines[index], self._at(index + 1)
        if line.startswith("+++ "):
            return self._opens_pair(index - 1) or (HUNK.match(after) is not None and self._idle())
        if not line.startswith("--- "):
            return False
        return self._opens_pair(index) or (HUNK.match(after) is not None and self._idle())

    def _opens_pair(self, index: int) -> bool:
        if not self._at(index).startswith("--- ") or not self._at(index + 1).startswith("+++ "):
            return False
        if not self.numbers:
            return index == 0 or self._at(index - 1).startswith(PREAMBLE)
        if self.bare:
            return self._at(index - 1)[:1] not in {"+", "-", " "}
        follows = HUNK.match(self._at(index + 2)) is not None
        owed = (self.old_left, self.new_left)
        return follows and owed != (1, 1) if any(owed) else follows or not self.hunks

    def _idle(self) -> bool:
        return not (self.old_left or self.new_left)

    def _at(self, index: int) -> str:
        return self.lines[index] if 0 <= index < len(self.lines) else ""

    def _body(self, line: str) -> Iterator[DiffLine]:
        sign, text = line[:1], line[1:]
        if sign == "+":
            if self.new_file != "/dev/null":
                yield self._added(text)
        elif sign == "-":
            if text or self.old_file != "/dev/null":
                yield self._removed(text)
        elif sign == " " or (not sign and not (self.hunks and self._idle())):
            yield self._context(text)
        elif line:
            self._leave(line)
            yield DiffLine("context", None, line)

    def _leave(self, line: str) -> None:
        if line.startswith(PREAMBLE):
            self.old_left = self.new_left = self.hunks = 0
            self.old_file = self.new_file = ""

    def _added(self, text: str) -> DiffLine:
        line = self._line("added", self.new, text)
        self.new += 1
        self.new_left = max(self.new_left - 1, 0)
        return line

    def _removed(self, text: str) -> DiffLine:
        line = self._line("removed", self.old, text)
        self.old += 1
        self.old_left = max(self.old_left - 1, 0)
        return line

    def _context(self, text: str) -> DiffLine:
        line = self._line("context", self.new, text, self.old)
        self.old, self.new = self.old + 1, self.new + 1
        self.old_left, self.new_left = max(self.old_left - 1, 0), max(self.new_left - 1, 0)
        return line


# -- drawing ----------------------------------------------------------------------------------


def number_width(lines: Iterable[DiffLine]) -> int:
    """Digits of the largest line number, 0 when no line has one."""
    return len(str(max([line.number or 0 for line in lines], default=0) or ""))


def gutter(line: DiffLine, width: int) -> str:
    """Sign and number of ``line``: ``+12 ``, or ``+ `` where the diff has no numbers at all."""
    number = "" if line.number is None else str(line.number)
    return f"{SIGNS[line.kind]}{number:>{width}} "


def stretches(lines: Iterable[DiffLine]) -> Iterator[list[DiffLine]]:
    """Yield the lines of one kind together, and a single changed line as its old and new one."""
    held: list[DiffLine] = []
    for kind, group in groupby(lines, attrgetter("kind")):
        stretch = list(group)
        if held and kind == "added" and len(stretch) == 1:
            yield held + stretch
            held = []
            continue
        if held:
            yield held
        held = stretch if kind == "removed" and len(stretch) == 1 else []
        if not held:
            yield stretch
    if held:
        yield held


def cut_diff(
    lines: tuple[DiffLine, ...], fold: Fold | None, *, expand: bool = False
) -> tuple[tuple[DiffLine, ...], str]:
    """Cut a diff as its fold says; returns the lines shown and the hint about the others."""
    if fold is None or expand:
        return lines, ""
    shown = lines[: fold.lines]
    hidden = len(lines) - len(shown)
    chars = 0
    if max([len(line.text) for line in shown], default=0) > LINE_CHARS:
        chars = sum([max(len(line.text) - LINE_CHARS + 1, 0) for line in shown])
        shown = tuple([line._replace(text=truncate(line.text, LINE_CHARS)) for line in shown])
    return shown, hint(Cut([], hidden, chars, len(lines)), fold)
