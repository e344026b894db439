"""Bytes in any chunking to whole lines.

Owns line ends, byte order marks, the size limit and the missing last newline. Lines are split on
LF only: a JSON string may hold a raw U+2028 (measured in real transcripts), so no other character
ends a line. Knows nothing of JSON.
"""

import codecs
from collections.abc import Iterable, Iterator

from cursor_replay.records import dataclass

MAX_LINE = 64 * 1024 * 1024
"""Bytes of one line that are kept; a longer line becomes a notice (its size and place)."""

_BOM = codecs.BOM_UTF8
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end. ``number`` is 1-based.

    ``ended`` is False for a last line without LF; ``dropped`` is the size in bytes of a line that
    was over the limit (``data`` is then its first kilobyte only).
    """

    number: int
    data: bytes
    ended: bool = True
    crlf: bool = False
    bom: bool = False
    dropped: int = 0


def split_lines(chunks: Iterable[bytes], *, limit: int = MAX_LINE) -> Iterator[Line]:
    """Yield the lines of ``chunks``, at most ``limit`` bytes each; any chunking, same lines."""
    pieces = _pieces(_as_utf8(chunks), limit)
    for number, (data, ended, dropped) in enumerate(pieces, start=1):
        bom = number == 1 and data.startswith(_BOM)
        while number == 1 and data.startswith(_BOM):
            data = data[len(_BOM) :]  # noqa: PLW2901 - Windows writers stack one or two marks
        crlf = data.endswith(b"\r")
        yield Line(number, data[:-1] if crlf else data, ended, crlf, bom, dropped)


def _pieces(chunks: Iterable[bytes], limit: int) -> Iterator[tuple[bytes, bool, int]]:
    """Yield (line, ended by LF, size if over the limit) without ever holding more than a limit."""
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        first, *rest = chunk.split(b"\n")
        size += len(first)
        if size <= limit:
            held.append(first)
        elif held and len(held[0]) > _KEPT:
            held = [held[0][:_KEPT]]
        if rest:
            yield b"".join(held), True, size if size > limit else 0
            last = rest.pop()
            for line in rest:
                yield (line, True, 0) if len(line) <= limit else (line[:_KEPT], True, len(line))
            held, size = [last], len(last)
    if size:
        yield b"".join(held), False, size if size > limit else 0


_KEPT = 1024


def _as_utf8(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Re-encode UTF-16 (what a Windows shell redirect writes) as UTF-8; pass the rest through."""
    stream = iter(chunks)
    head = next(stream, b"")
    while len(head) < 2 and (more := next(stream, b"")):
        head += more
    if not head.startswith(_UTF16):
        yield head
        yield from stream
        return
    decode = codecs.getincrementaldecoder("utf-16")(errors="replace").decode
    yield decode(head).encode("utf-8", "replace")
    for chunk in stream:
        yield decode(chunk).encode("utf-8", "replace")
    yield decode(b"", final=True).encode("utf-8", "replace")
