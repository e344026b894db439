"""Bullet and numbered lists, nested too, whose items are one plain paragraph each.

``read_list`` refuses every other list, which a full parser then reads. Knows no colour.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cursor_replay.render.cells import Run, wrap_runs
from cursor_replay.render.markdown_blocks import is_paragraph
from cursor_replay.render.markdown_spans import Span, spans
from cursor_replay.render.themes import Palette

ITEM = re.compile(r"( *)(?:([-+*])|(\d{1,9})([.)])) {1,4}(?=\S)")
ITEM_SYNTAX = re.compile(r"<|\[[^\]\n]+\]:|```|~~~")
MIN_ROOM = 8
"""Fewest columns that are left to the text of a nested item."""


@dataclass(slots=True)
class Item:
    """One item: its marker, the column its text starts at, its lines and the list inside it."""

    column: int = 0
    marker: str = ""
    number: int = 0
    lines: list[str] = field(default_factory=list)
    items: list["Item"] = field(default_factory=list)
    text: list[Span] = field(default_factory=list)


def read_list(lines: list[str]) -> list[Item] | None:
    """Read the lines of a list block; None when it has anything but plain items."""
    found: list[Item] = []
    path = [Item()]
    blank = False
    for line in lines:
        match = ITEM.match(line)
        if match:
            item = _item(match, line)
            if not _hang(item, path, indent=len(match[1]), blank=blank):
                return None
            found.append(item)
        elif line:
            if blank or not found:
                return None
            found[-1].lines.append(line.lstrip(" "))
        blank = not line
    return path[0].items if all(map(_is_plain, found)) else None


def _item(match: re.Match[str], line: str) -> Item:
    _, bullet, number, delimiter = match.groups()
    text = line[match.end() :]
    return Item(match.end(), bullet or delimiter, int(number or 0), [text])


def _hang(item: Item, path: list[Item], *, indent: int, blank: bool) -> bool:
    """Put an item where its indentation says; False where that is not certain.

    ``path`` leads from the document to the item before.
    """
    while indent < path[-1].column:
        path.pop()
    parent = path[-1]
    first = not parent.items
    if first:
        # Right under a paragraph a numbered list has to begin with 1.
        fits = item.marker in "-+*" or blank or len(path) == 1 or item.number == 1
    else:
        fits = item.marker == parent.items[0].marker
    parent.items.append(item)
    path.append(item)
    return fits and indent - parent.column <= 3


def _is_plain(item: Item) -> bool:
    if not is_paragraph(item.lines) or any(map(ITEM_SYNTAX.match, item.lines)):
        return False
    text = " ".join([line.strip() for line in item.lines])
    item.text = spans(text) or []
    return bool(item.text)


def list_lines(items: list[Item], palette: Palette, width: int) -> Iterator[list[Run]]:
    """Yield a list as lines of at most ``width`` cells."""
    border = palette.fg["border"]
    numbered = items[0].marker in ".)"
    first = items[0].number
    column = len(str(first + len(items))) + 2 if numbered else 3
    room = max(width - column, MIN_ROOM)
    rest = (border, " " * column)
    for index, item in enumerate(items):
        mark = f"{first + index}".rjust(column - 1) + " " if numbered else " • "
        runs = [(palette.style(token, *codes), text) for token, codes, text in item.text]
        start = (border, mark)
        for line in wrap_runs(runs, room):
            yield [start, *line]
            start = rest
        for line in list_lines(item.items, palette, room) if item.items else ():
            yield [rest, *line]
