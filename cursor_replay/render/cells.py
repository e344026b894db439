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


def wrap(line: str, width: int, hang: int = 0) -> list[str]:
    """Break a clean line into pieces of at most ``width`` cells, at a space where there is one.

    The spaces a line is broken at are dropped; indentation is kept. ``width`` is at least 2. Later
    pieces are indented by ``hang``, the width of a mark or number that the line begins with.
    """
    if len(line) <= width and line.isascii():
        return [line]
    hang = _hanging(hang, width)
    first, *more = breaks(line, width, hang)
    return [line[slice(*first)], *[" " * hang + line[start:end] for start, end in more]]


def _hanging(hang: int, width: int) -> int:
    """Return the indentation of later pieces: none where it would leave too little room."""
    return hang if 2 * hang <= width - 2 else 0


def breaks(text: str, width: int, hang: int = 0) -> list[tuple[int, int]]:
    """Return where :func:`wrap` breaks, as (start, end) offsets."""
    if text.isascii():
        return _breaks_ascii(text, width, hang)
    if cell_len(text) <= width:
        return [(0, len(text))]
    return _breaks_cells(text, width, hang)


def _breaks_ascii(text: str, width: int, hang: int) -> list[tuple[int, int]]:
    found = []
    start = 0
    room = width
    low = len(text) - len(text[hang:].lstrip(" "))
    while len(text) - start > room:
        end = text.rfind(" ", max(start + 1, low), start + room + 1)
        cut = end if end > 0 else start + room
        found.append((start, cut))
        start, room = cut, width - hang
        while text[start : start + 1] == " ":
            start += 1
    if start < len(text) or not found:
        found.append((start, len(text)))
    return found


def _breaks_cells(text: str, width: int, hang: int) -> list[tuple[int, int]]:
    found = []
    start = used = 0
    space, room = -1, width
    low = len(text) - len(text[hang:].lstrip(" "))
    for index, char in enumerate(text):
        cells = _at_most(char)
        while used + cells > room and index > start:
            cut = index if char == " " else space if space > start else index
            found.append((start, cut))
            room = width - hang
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


def wrap_runs(runs: list[Run], width: int, hang: int = 0) -> list[list[Run]]:
    """Break styled runs like :func:`wrap` breaks their joined text."""
    if runs_width(runs) <= width:
        return [runs]
    text = "".join([text for _, text in runs])
    hang = _hanging(hang, width)
    first, *more = [_slice(runs, *piece) for piece in breaks(text, width, hang)]
    return [first, *[_indented(line, hang) for line in more]]


def wrap_end(lines: list[list[Run]], end: Run, width: int, hang: int) -> list[list[Run]]:
    """Put ``end`` behind wrapped lines; it starts a line of its own rather than being broken."""
    *above, last = lines
    if runs_width([*last, end]) <= width:
        return [*above, [*last, end]]
    hang = _hanging(hang, width)
    style, text = end
    more = wrap_runs([(style, text.lstrip())], width - hang)
    return [*lines, *[_indented(line, hang) for line in more]]


def _indented(line: list[Run], hang: int) -> list[Run]:
    return [("", " " * hang), *line] if hang else line


def _slice(runs: list[Run], start: int, end: int) -> list[Run]:
    found = []
    at = 0
    for style, text in runs:
        piece = text[max(start - at, 0) : max(end - at, 0)]
        if piece:
            found.append((style, piece))
        at += len(text)
    return found
