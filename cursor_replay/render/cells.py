"""Text in terminal cells: measuring, cleaning and wrapping, with and without styles.

ASCII takes a short way everywhere. Knows no colour: a style is any string put before a run.
"""

import re

from rich.cells import cell_len, get_character_cell_size

TAB = "   "
NARROW = re.compile("[ -~\u00a1-\u00ac\u00ae-\u024f\u2013-\u2026\u2500-\u25fc\u2713\u2717\u25cb]*")
"""What takes one cell a character and is common: Latin letters, dashes, lines, our own marks."""
VARIATION = "\ufe0f"
UNSAFE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
SURROGATE = re.compile("[\ud800-\udfff]")

Run = tuple[str, str]
"""A style and the text it covers."""


def width_of(text: str) -> int:
    """Return the cells ``text`` takes in a terminal."""
    return len(text) if text.isascii() or NARROW.fullmatch(text) else cell_len(text)


def clean(line: str) -> str:
    """Return one line safe to print: tabs as three spaces, no control character left."""
    if line.isprintable():
        return line
    line = UNSAFE.sub("", line.replace("\t", TAB))
    return line if line.isascii() else SURROGATE.sub("\ufffd", line)


def wrap(line: str, width: int) -> list[str]:
    """Break a clean line into pieces of at most ``width`` cells, at a space where there is one.

    The spaces a line is broken at are dropped; indentation is kept. ``width`` is at least 2.
    """
    if len(line) <= width and line.isascii():
        return [line]
    return [line[start:end] for start, end in breaks(line, width)]


def breaks(text: str, width: int) -> list[tuple[int, int]]:
    """Return where :func:`wrap` breaks, as (start, end) offsets."""
    if text.isascii():
        return _breaks_ascii(text, width)
    if cell_len(text) <= width:
        return [(0, len(text))]
    return _breaks_cells(text, width)


def _breaks_ascii(text: str, width: int) -> list[tuple[int, int]]:
    found = []
    start = 0
    low = len(text) - len(text.lstrip(" "))
    while len(text) - start > width:
        end = text.rfind(" ", max(start + 1, low), start + width + 1)
        cut = end if end > 0 else start + width
        found.append((start, cut))
        start = cut
        while text[start : start + 1] == " ":
            start += 1
    if start < len(text) or not found:
        found.append((start, len(text)))
    return found


def _breaks_cells(text: str, width: int) -> list[tuple[int, int]]:
    found = []
    start = used = 0
    space = -1
    low = len(text) - len(text.lstrip(" "))
    for index, char in enumerate(text):
        cells = _at_most(char)
        while used + cells > width and index > start:
            cut = index if char == " " else space if space > start else index
            found.append((start, cut))
            start = cut + 1 if text[cut] == " " else cut
            used = sum(map(_at_most, text[start:index]))
        if start > index:
            continue
        if char == " " and index == start and found:
            start += 1
            continue
        if char == " " and index >= low:
            space = index
        used += cells
    if start < len(text) or not found:
        found.append((start, len(text)))
    return found


def _at_most(char: str) -> int:
    """Cells of one character; joined emoji may take less, a variation selector adds one."""
    return 1 if char == VARIATION else get_character_cell_size(char)


def runs_width(runs: list[Run]) -> int:
    """Return the cells styled runs take."""
    return width_of("".join([text for _, text in runs]))


def wrap_runs(runs: list[Run], width: int) -> list[list[Run]]:
    """Break styled runs like :func:`wrap` breaks their joined text."""
    if runs_width(runs) <= width:
        return [runs]
    text = "".join([text for _, text in runs])
    return [_slice(runs, start, end) for start, end in breaks(text, width)]


def _slice(runs: list[Run], start: int, end: int) -> list[Run]:
    found = []
    at = 0
    for style, text in runs:
        piece = text[max(start - at, 0) : max(end - at, 0)]
        if piece:
            found.append((style, piece))
        at += len(text)
    return found
