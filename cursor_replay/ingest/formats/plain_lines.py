"""Lines of a format that is text: decoded, with every repair named.

Owns what may be wrong with a line of text (its size, its encoding); knows no format. The words of
a note never repeat the line.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cursor_replay.events import Noted
from cursor_replay.ingest.lines import Line
from cursor_replay.items import Evidence


class TextLine(NamedTuple):
    """A line as text, 1-based, and what is to be said about it."""

    number: int
    text: str
    notes: tuple[Noted, ...] = ()


def text_lines(lines: Iterable[Line], *, name: str) -> Iterator[TextLine]:
    """Decode lines; a line over the limit is named with its size, and its text is empty."""
    for line in lines:
        if not (line.dropped or line.crlf or line.bom) and line.data.isascii():
            yield TextLine(line.number, line.data.decode("ascii"))
            continue
        origin = Evidence(file=name, line=line.number)
        if line.dropped:
            words = f"{line.dropped:,} bytes long, over the limit (--max-line raises it)"
            note = Noted(origin=origin, code="line-too-long", message=words, problem=True)
            yield TextLine(line.number, "", (note,))
            continue
        text = line.data.decode("utf-8", "replace")
        yield TextLine(line.number, text, tuple(_notes(line, text, origin)))


def _notes(line: Line, text: str, origin: Evidence) -> Iterator[Noted]:
    if line.crlf:
        yield Noted(origin=origin, code="crlf", level="info", message="CRLF line ends")
    if line.bom:
        yield Noted(
            origin=origin, code="byte-order-mark", level="info", message="a byte order mark"
        )
    if "\ufffd" in text and "\ufffd".encode() not in line.data:
        words = "invalid UTF-8, shown with replacement characters"
        yield Noted(origin=origin, code="invalid-utf8", message=words, problem=True)
