"""A pretty-printed JSON document among lines: its lines become one.

Owns when a lone bracket on the first line opens a document, and when it is only a stray one (a
half-written first record): then every line stays what it was. The document is held whole.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from cursor_replay.ingest.jsontext import decode
from cursor_replay.ingest.lines import Line

_OPENS = (b"[", b"{")
_CLOSES = (b"]", b"}")


def join_document(lines: Iterable[Line], *, limit: int) -> Iterator[Line]:
    """Yield the lines, those of a pretty-printed document as line 1; ``limit`` is in bytes.

    A document over the limit is one dropped line.
    """
    rest = iter(lines)
    head = next(rest, None)
    if head is None:
        return
    if head.data.strip() not in _OPENS:
        yield head
        yield from rest
        return
    start = [head, *_some(rest, 2)]
    if _is_stray(start):
        yield from start
        yield from rest
        return
    yield from _joined(chain(start, rest), limit)


def _some(lines: Iterator[Line], count: int) -> Iterator[Line]:
    return (line for _, line in zip(range(count), lines, strict=False))


def _is_stray(start: list[Line]) -> bool:
    """Whether the next line is a whole record and the one after it closes nothing."""
    is_record = len(start) > 1 and start[1].data.startswith(b"{") and _decodes(start[1].data)
    return is_record and not (len(start) > 2 and start[2].data.strip() in _CLOSES)


def _joined(lines: Iterable[Line], limit: int) -> Iterator[Line]:
    held: list[Line] = []
    size = -1
    for line in lines:
        size += max(len(line.data), line.dropped) + 1
        if size <= limit:
            held.append(line)
    if size > limit:
        yield replace(held[0], dropped=size, ended=True)
        return
    data = b"\n".join(line.data for line in held)
    if _decodes(data):
        yield replace(held[0], data=data, ended=True)
    else:
        yield from held


def _decodes(data: bytes) -> bool:
    return bool(decode(data).values)
