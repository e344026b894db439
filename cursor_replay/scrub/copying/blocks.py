"""A file in blocks of whole lines, whatever pieces it is read in.

Owns how much of a file is held at once. The same bytes give the same blocks.
"""

from collections.abc import Iterable, Iterator

BLOCK = 64 * 1024
"""Bytes of a block, more where its last line ends later."""
LARGEST = 4 * 1024 * 1024
"""Bytes of the longest line, and of the largest document of several lines, that is one value."""


def blocks(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield the bytes in blocks, each with whether it is made of whole lines.

    A line that is longer than ``LARGEST`` comes in several blocks that are not.
    """
    held: list[bytes] = []
    size = 0
    inside = False
    for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        if size >= BLOCK:
            data = b"".join(held)
            start = 0
            while (end := _end(data, start, inside=inside)) > start:
                block = data[start:end]
                whole = not inside and block.endswith(b"\n")
                yield block, whole
                inside = not block.endswith(b"\n")
                start = end
            held, size = [data[start:]], len(data) - start
    rest = b"".join(held)
    end = rest.find(b"\n") + 1 if inside else 0
    if end:
        yield rest[:end], False
    if rest[end:]:
        yield rest[end:], bool(end) or not inside


def _end(data: bytes, start: int, *, inside: bool) -> int:
    """Where the block ends that begins at ``start``; ``start`` itself while more is needed."""
    if inside:
        end = data.find(b"\n", start, start + BLOCK) + 1
        return end or _between_signs(data, start, start + BLOCK)
    if end := data.find(b"\n", start + BLOCK - 1, start + LARGEST) + 1:
        return end
    if len(data) < start + LARGEST:
        return start
    return data.rfind(b"\n", start, start + LARGEST) + 1 or _between_signs(
        data, start, start + LARGEST
    )


def _between_signs(data: bytes, start: int, end: int) -> int:
    """``end``, or a little in front of it where it would cut a character; ``start`` for no data."""
    if len(data) <= end:
        return start
    return next((at for at in range(end, end - 4, -1) if data[at] & 0xC0 != _INSIDE), end)


_INSIDE = 0x80
"""The high bits of a byte inside a character of UTF-8."""
