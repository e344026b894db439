"""A scrubbed copy in the format of the original: bytes in, bytes out, as they were but for masks.

Owns the order in which a file is looked at, of which only a part is held: JSON a line at a time,
what lies between as text. Knows no format of transcripts: whatever holds secrets is JSON, lines of
JSON, or text.
"""

import codecs
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count
from typing import NamedTuple

from cursor_replay.items import Json
from cursor_replay.scrub.copying.blocks import LARGEST, blocks
from cursor_replay.scrub.copying.deltas import LONGEST_DELTA, Streams
from cursor_replay.scrub.copying.doubts import Doubts, Outline, Strings
from cursor_replay.scrub.copying.findings import Finding, Findings
from cursor_replay.scrub.copying.splice import decoded, encoded, may_be_values, spliced, value_of
from cursor_replay.scrub.copying.texts import Texts
from cursor_replay.scrub.seal import Sealer
from cursor_replay.scrub.spans import Span, cut

__all__ = ["Copier", "Finding"]

_AHEAD = 1024 * 1024
"""Bytes that are read ahead of what is written: so far apart may the parts of a secret lie."""
_BATCH = 8192
"""Bytes of lines that are doubted as a whole."""
_BLANK = codecs.BOM_UTF8 + b" \t\r\n"
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class _Entry(NamedTuple):
    """A line of JSON, or lines of text, without ``strings``; ``walk`` asks for a close look."""

    line: int
    data: bytes
    value: Json = None
    strings: Strings | None = None
    walk: bool = False


class Copier:
    """Copies one file. ``sealer`` writes marks with kinds; ``plain`` takes them off at the end."""

    def __init__(self, sealer: Sealer, tell: Callable[[Finding], None], *, plain: bool) -> None:
        self._sealer = sealer
        self._findings = Findings(tell, plain=plain)
        self._doubts = Doubts(sealer)
        self._outline = Outline(self._doubts)
        self._texts = Texts(sealer, self._doubts, self._findings)
        self._streams = Streams(sealer)
        self._entries: deque[_Entry] = deque()
        self._size = 0

    def copy(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the copy of a file that is read in ``chunks`` of any size."""
        rest = iter(chunks)
        first = next(rest, b"")
        if len(first) < len(codecs.BOM_UTF8):
            first += next(rest, b"")
        chunks = chain((first,), rest)
        if coding := _UTF16.get(first[:2]):
            texts = codecs.iterdecode(chunks, coding, "replace")
            copied = self._copied(text.encode() for text in texts)
            yield from codecs.iterencode(codecs.iterdecode(copied, "utf-8"), coding)
        else:
            yield from self._copied(chunks)

    def _copied(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        rest = blocks(chunks)
        begun, document = _document(rest)
        if document is not None:
            whole = b"".join(data for data, _ in begun)
            strings, _ = self._outline.strings(document)
            yield self._json(_Entry(1, whole, document, strings))
            return
        line = 1
        for data, whole_lines in chain(begun, rest):
            self._take(data, line, whole_lines=whole_lines)
            line += data.count(b"\n")
            if self._size > 2 * _AHEAD:
                yield from self._settled(_AHEAD)
        yield from self._settled(0)
        yield from map(encoded, self._texts.finish())

    def _take(self, data: bytes, line: int, *, whole_lines: bool) -> None:
        """Hold a block: each line of JSON by itself, what is between two of them as one text."""
        begin = 0
        for start, end in may_be_values(data) if whole_lines else ():
            value = value_of(data[start:end])
            if value:  # an empty one holds nothing, and may be a line of a large document
                self._hold_text(data[begin:start], line)
                line += data.count(b"\n", begin, start)
                strings, walk = self._outline.strings(value)
                if end - start <= LONGEST_DELTA:
                    self._streams.add(line, strings)
                self._hold(_Entry(line, data[start:end], value, strings, walk))
                begin, line = end, line + 1
        self._hold_text(data[begin:], line)

    def _hold_text(self, data: bytes, line: int) -> None:
        if data:
            self._hold(_Entry(line, data))

    def _hold(self, entry: _Entry) -> None:
        self._entries.append(entry)
        self._size += len(entry.data)

    def _settled(self, kept: int) -> Iterator[bytes]:
        """Write what is held but for ``kept`` bytes, in which a secret may go on."""
        self._streams.look()
        while self._entries and self._size > kept:
            entry = self._next()
            if entry.strings is None:
                yield from map(encoded, self._texts.add(decoded(entry.data), entry.line))
                continue
            yield from map(encoded, self._texts.finish())
            batch = [entry]
            size = len(entry.data)
            while size < _BATCH and self._entries and self._entries[0].strings is not None:
                batch.append(self._next())
                size += len(batch[-1].data)
            yield self._lines(batch)

    def _next(self) -> _Entry:
        entry = self._entries.popleft()
        self._size -= len(entry.data)
        return entry

    def _lines(self, batch: list[_Entry]) -> bytes:
        """Lines of JSON; most are clean, so they are asked for together."""
        doubted = self._is_doubted(batch)
        return b"".join(
            self._json(each)
            if doubted and (len(batch) == 1 or self._is_doubted([each]))
            else each.data
            for each in batch
        )

    def _is_doubted(self, batch: list[_Entry]) -> bool:
        cuts = self._streams.cuts
        return any(each.walk or each.line in cuts for each in batch) or self._doubts.about_any(
            text for each in batch for _, text in each.strings or ()
        )

    def _json(self, entry: _Entry) -> bytes:
        cuts = self._streams.cuts.pop(entry.line, {})
        value = _without(entry.value, cuts, count()) if cuts else entry.value
        sealed = self._sealer.value(value)
        if sealed is entry.value:
            return entry.data
        changed = {
            number: (old, new, field)
            for number, ((_, old), (field, new)) in enumerate(
                zip(entry.strings or (), self._outline.strings(sealed)[0], strict=True)
            )
            if new != old
        }
        text = decoded(entry.data)
        new = {number: self._findings.finished(new) for number, (_, new, _) in changed.items()}
        line = entry.line
        parts: list[str] = []
        for number, part in spliced(text, new):
            if number in changed:
                self._findings.in_field(*changed[number][:2], line, changed[number][2])
            line += part.count("\n")
            parts.append(part)
        return encoded("".join(parts))


def _document(
    lines: Iterator[tuple[bytes, bool]],
) -> tuple[list[tuple[bytes, bool]], Json | None]:
    """What was read, and the value that all of it is, if its first line is the begin of one."""
    begun: list[tuple[bytes, bool]] = []
    size = 0
    for block in lines:
        begun.append(block)
        size += len(block[0])
        if size > LARGEST or (len(begun) == 1 and not _begins_document(block[0])):
            return begun, None
    return begun, value_of(b"".join(data for data, _ in begun))


def _begins_document(data: bytes) -> bool:
    first = data[: data.find(b"\n") + 1 or None]
    return first.lstrip(_BLANK)[:1] in (b"{", b"[") and value_of(first) is None


def _without(value: Json, cuts: dict[int, list[Span]], places: Iterator[int]) -> Json:
    """``value`` without the parts of secrets that lie in several records."""
    if isinstance(value, str):
        spans = cuts.get(next(places))
        return cut(value, spans) if spans else value
    if isinstance(value, list):
        return [_without(element, cuts, places) for element in value]
    if isinstance(value, dict):
        return {
            key: _without(member, cuts, places)
            for key, member in value.items()
            if next(places) >= 0  # the place of the key
        }
    return value
