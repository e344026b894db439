"""Comparing an edit's old and new text: by lines for a diff, by words inside a changed line.

Owns the use of difflib, and what is cut off before it is asked. Knows no card, no colour and no
width.
"""

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from cursor_replay.items import Json
from cursor_replay.render.diffs import GAP, DiffLine, Kind
from cursor_replay.render.limits import DIFF_INPUT_LINES, WORD_MARK_CHARS

CONTEXT_LINES = 3
WORDS = re.compile(r"\w+|\s+|[^\w\s]")
Mark = tuple[str, bool]
"""A run of text, and whether it differs from the other side."""


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
