"""How much is shown: named limits, cutting, and the words that say what was left out.

Owns every number a card is cut by. Knows nothing of cards, colours or terminals. Lengths are code
points, so a cut never leaves half a character.
"""

import math
from dataclasses import dataclass
from typing import Literal

LINE_CHARS = 240
"""Code points shown of one line while collapsed, and of a one-line summary."""
WORD_MARK_CHARS = 500
"""Longest line that gets word-level diff marks."""
HIGHLIGHT_CHARS = 12_000
"""Longest slice that is syntax highlighted."""
COMMAND_LINES = 10
"""Longest command that stays in a card's head; of a longer one the head has the first line."""
DIFF_INPUT_LINES = 5_000
"""Longest old or new text that is compared line by line."""
MIN_WIDTH = 8
"""Narrowest terminal that is laid out; a smaller width is taken as this one."""

EXPAND = "--expand to show"


@dataclass(frozen=True, slots=True)
class Fold:
    """How much a collapsed card shows of one block.

    ``lines`` is the number kept (None: all, only over-long lines are shortened). ``skip`` lines
    are left out at the head without being counted: they repeat the card's own head. ``quiet``
    folds say nothing about what they hide; ``total`` adds the total number of lines.
    """

    lines: int | None
    keep: Literal["head", "tail"] = "head"
    skip: int = 0
    quiet: bool = False
    total: bool = False


READ = Fold(0, quiet=True)
READ_ERROR = Fold(10)
BASH = Fold(5, keep="tail")
COMMAND_REST = Fold(COMMAND_LINES - 1)
GREP = Fold(15)
FIND = Fold(20)
LS = Fold(20)
EDIT = Fold(None)
WRITE = Fold(10, total=True)
PREVIEW = Fold(8)
PREVIEW_HEADED = Fold(8, skip=2)
SUMMARY_ONLY = Fold(0, quiet=True)
SUMMARY_AND_HINT = Fold(0)


@dataclass(frozen=True, slots=True)
class Cut:
    """What is left of a text: the lines shown, and how many lines and characters are not."""

    lines: list[str]
    hidden: int = 0
    chars: int = 0
    total: int = 0


def cut_lines(text: str, fold: Fold | None, *, expand: bool = False) -> Cut:
    """Cut ``text`` as ``fold`` says; None or ``expand`` keeps everything.

    Only what is shown is split, so a megabyte of output costs one count of its newlines.
    """
    if not text:
        return Cut([])
    if fold is None or expand:
        return Cut(text.split("\n"))
    total = text.count("\n") + 1 - fold.skip
    if fold.lines is None or total <= fold.lines:
        lines, hidden = text.split("\n")[fold.skip :], 0
    else:
        lines, hidden = _kept(text, fold.lines, fold), total - fold.lines
    chars = 0
    for index, line in enumerate(lines):
        if len(line) > LINE_CHARS:
            lines[index] = truncate(line, LINE_CHARS)
            chars += len(line) - LINE_CHARS + 1
    return Cut(lines, hidden, chars, total)


def _kept(text: str, count: int, fold: Fold) -> list[str]:
    if count == 0:
        return []
    if fold.keep == "tail":
        return text.rsplit("\n", count)[1:]
    return text.split("\n", count + fold.skip)[fold.skip : -1]


def hint(cut: Cut, fold: Fold | None) -> str:
    """Say what ``cut`` left out, as ``... (3 more lines, --expand to show)``; else ``""``."""
    if fold is None or fold.quiet or not (cut.hidden or cut.chars):
        return ""
    if not cut.hidden:
        return f"... ({plural(cut.chars, 'more character')}, {EXPAND})"
    what = "earlier line" if fold.keep == "tail" else "more line"
    total = f", {cut.total} total" if fold.total else ""
    return f"... ({plural(cut.hidden, what)}{total}, {EXPAND})"


def truncate(text: str, limit: int) -> str:
    """Shorten ``text`` to ``limit`` code points, the last of them ``…``; ``""`` for no room."""
    if len(text) <= limit:
        return text
    return text[: limit - 1] + "…" if limit > 0 else ""


def one_line(text: str) -> str:
    """Join the lines of ``text`` by single spaces; a text of one line is not touched."""
    return " ".join(text.split()) if "\n" in text or "\r" in text else text


def plural(count: int, one: str, many: str = "") -> str:
    """``1 line``, ``2 lines``; ``many`` for words that do not just take an s."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def duration(ms: float) -> str:
    """Milliseconds as ``37ms``, ``4.2s``, ``1m 32s`` or ``1h 2m 3s``, halves rounded up."""
    if not 0 <= ms < math.inf:
        return "unknown"
    tenths = math.floor(ms / 100 + 0.5)
    if ms < 100:
        return f"{math.floor(ms + 0.5)}ms"
    if tenths < 600:
        return f"{tenths // 10}.{tenths % 10}s"
    minutes, seconds = divmod(math.floor(ms / 1000 + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h {minutes}m {seconds}s" if hours else f"{minutes}m {seconds}s"
