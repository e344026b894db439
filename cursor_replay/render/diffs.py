"""Diffs as lines to draw: read from recorded text, or computed from an edit's old and new text.

Recorded diffs are often cut short or miscounted, so this reader never refuses one: what it does
not understand becomes an unnumbered context line. Knows no card, no colour and no width.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from operator import attrgetter
from typing import Literal, NamedTuple

from cursor_replay.items import Json
from cursor_replay.render.limits import (
    DIFF_INPUT_LINES,
    LINE_CHARS,
    WORD_MARK_CHARS,
    Cut,
    Fold,
    hint,
    truncate,
)

Kind = Literal["added", "removed", "context", "gap"]

SIGNS: dict[Kind, str] = {"added": "+", "removed": "-", "context": " ", "gap": " "}
CONTEXT_LINES = 3

HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
NUMBERED = re.compile(r"([-+ ]) *(\d{1,9})(?: (.*))?")
NUMBERED_GAP = re.compile(r" +\.\.\.")
DIFF_START = re.compile(r"^(?:--- |\+\+\+ |@@ )", re.MULTILINE)
WORDS = re.compile(r"\w+|\s+|[^\w\s]")
PREAMBLE = ("diff --git ", "index ", "new file mode ", "deleted file mode ", "similarity index ")


class DiffLine(NamedTuple):
    """One line of a diff.

    ``number`` is the old line number of a removed line and the new one of any other; None where
    none is known. A ``gap`` stands for lines that were left out.
    """

    kind: Kind
    number: int | None
    text: str


GAP = DiffLine("gap", None, "...")
Mark = tuple[str, bool]
"""A run of text, and whether it differs from the other side."""


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

    def read(self) -> Iterator[DiffLine]:
        index = 0
        self.bare = not any(map(HUNK.match, self.lines))
        while index < len(self.lines):
            line = self.lines[index]
            if match := HUNK.match(line):
                if self.hunks:
                    yield GAP
                self._enter(match)
            elif self._is_header(index):
                self._open(line)
            else:
                yield from self._body(line)
            index += 1

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
        line = DiffLine("added", self.new, text)
        self.new += 1
        self.new_left = max(self.new_left - 1, 0)
        return line

    def _removed(self, text: str) -> DiffLine:
        line = DiffLine("removed", self.old, text)
        self.old += 1
        self.old_left = max(self.old_left - 1, 0)
        return line

    def _context(self, text: str) -> DiffLine:
        line = DiffLine("context", self.new, text)
        self.old, self.new = self.old + 1, self.new + 1
        self.old_left, self.new_left = max(self.old_left - 1, 0), max(self.new_left - 1, 0)
        return line


# -- computed diffs ---------------------------------------------------------------------------


def diff_edits(edits: Json) -> tuple[DiffLine, ...]:
    """Compute a diff from ``[{oldText, newText}, …]``; its lines have no numbers.

    Entries of another shape are left out. Where two edits meet stands a gap.
    """
    found: list[DiffLine] = []
    for edit in edits if isinstance(edits, list) else []:
        old, new = (edit.get("oldText"), edit.get("newText")) if isinstance(edit, dict) else (0, 0)
        if isinstance(old, str) and isinstance(new, str):
            found += [GAP] if found else []
            found += _compare(_lines(old), _lines(new))
    return tuple(found)


def _lines(text: str) -> list[str]:
    text = text.replace("\r", "")
    return text.removesuffix("\n").split("\n") if text else []


def _compare(old: list[str], new: list[str]) -> list[DiffLine]:
    if max(len(old), len(new)) > DIFF_INPUT_LINES:
        return [*_plain("removed", old), *_plain("added", new)]
    head, tail = _shared_ends(old, new)
    removed, added = old[head : len(old) - tail], new[head : len(new) - tail]
    if not removed and not added:
        return []
    return [
        *_plain("context", old[max(head - CONTEXT_LINES, 0) : head]),
        *_changes(removed, added),
        *_plain("context", old[len(old) - tail :][:CONTEXT_LINES]),
    ]


def _shared_ends(old: list[str], new: list[str]) -> tuple[int, int]:
    """Return how many elements are the same at the start and, behind those, at the end."""
    head = _shared(old, new)
    return head, _shared(old[head:][::-1], new[head:][::-1])


def _shared(old: Iterable[str], new: Iterable[str]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _changes(old: list[str], new: list[str]) -> list[DiffLine]:
    if set(old).isdisjoint(new):
        return [*_plain("removed", old), *_plain("added", new)]
    found: list[DiffLine] = []
    # Looking for popular lines (autojunk) is what keeps thousands of equal lines from going square.
    for group in SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT_LINES):
        found += [GAP] if found else []
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                found += _plain("context", old[i1:i2])
            else:
                found += _plain("removed", old[i1:i2]) + _plain("added", new[j1:j2])
    return found


def _plain(kind: Kind, lines: list[str]) -> list[DiffLine]:
    return [DiffLine(kind, None, line) for line in lines]


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


def word_marks(old: str, new: str) -> tuple[list[Mark], list[Mark]] | None:
    """Mark the words that differ in a changed line; None for long lines or nothing in common."""
    if max(len(old), len(new)) > WORD_MARK_CHARS:
        return None
    a, b = WORDS.findall(old), WORDS.findall(new)
    codes = list(_word_codes(a, b))
    if not any(not differs and "".join(a[i1:i2]).strip() for differs, i1, i2, _, _ in codes):
        return None
    left = [("".join(a[i1:i2]), differs) for differs, i1, i2, _, _ in codes if i2 > i1]
    right = [("".join(b[j1:j2]), differs) for differs, _, _, j1, j2 in codes if j2 > j1]
    return left, right


def _word_codes(a: list[str], b: list[str]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Yield whether words differ, and their range in ``a`` and in ``b``."""
    head, tail = _shared_ends(a, b)
    end_a, end_b = len(a) - tail, len(b) - tail
    yield False, 0, head, 0, head
    old, new = a[head:end_a], b[head:end_b]
    if set(old).isdisjoint(new):
        yield True, head, end_a, head, end_b
    else:
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            yield tag != "equal", i1 + head, i2 + head, j1 + head, j2 + head
    yield False, end_a, len(a), end_b, len(b)


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
