"""Secrets split over the records of a file: half in one delta and half in the next.

Owns which strings of which records go on in one another, and where a secret lies in each. What is
rendered has no need of this, for there the deltas are one text; a copy keeps the records.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cursor_replay.scrub.seal import Sealer

LONGEST_DELTA = 8192
"""Bytes of the longest line that may be a delta."""
_HELD, _KEPT = 16_384, 4096
"""Characters of a stream that are looked at in one piece, and that are looked at again."""
_STREAMS = 256
_NAMING = ("type", "sessionUpdate", "case", "callId", "call_id", "toolCallId", "role", "channel")

Span = tuple[int, int, str]
"""Start, end, and what stands there instead."""
Cuts = dict[int, dict[int, list[Span]]]
"""By the number of the line and the place among its strings: what of a string is to go."""


class _Piece(NamedTuple):
    """A string of a record: its line, its place there, and where it begins in the stream."""

    line: int
    place: int
    start: int
    text: str


class _Stream:
    """The strings at one field of records of one type, as they follow each other."""

    def __init__(self) -> None:
        self.pieces: list[_Piece] = []
        self.length = 0

    def add(self, line: int, place: int, text: str) -> None:
        self.pieces.append(_Piece(line, place, self.length, text))
        self.length += len(text)

    def spans(self, sealer: Sealer) -> Iterator[tuple[_Piece, Span]]:
        """What of each piece belongs to a secret that lies in several; the first has its mark."""
        base = self.pieces[0].start
        whole = "".join(piece.text for piece in self.pieces)
        for begin, end, rule in sealer.tokens_in(whole):
            within = [
                (piece, max(begin - at, 0), min(end - at, len(piece.text)))
                for piece in self.pieces
                if (at := piece.start - base) < end and at + len(piece.text) > begin
            ]
            if len(within) > 1 and _goes_on(within, sealer):
                mark = rule.written(whole[begin:end], sealer.marks)
                for number, (piece, start, stop) in enumerate(within):
                    yield piece, (start, stop, "" if number else mark)

    def forget(self) -> None:
        """Keep the end, in which a secret may have begun."""
        while len(self.pieces) > 1 and self.length - self.pieces[0].start > _KEPT:
            del self.pieces[0]


_Part = tuple[_Piece, int, int]
_TELLING = re.compile(r"\d|.{9}")


def _goes_on(parts: list[_Part], sealer: Sealer) -> bool:
    """Whether these are parts of one secret, not one and what is said next, nor two of them."""
    if not _is_found(*parts[0], sealer):
        return True
    return any(
        not _is_found(piece, start, stop, sealer) and _TELLING.search(piece.text[start:stop])
        for piece, start, stop in parts[1:]
    )


def _is_found(piece: _Piece, start: int, stop: int, sealer: Sealer) -> bool:
    """Whether a part of a secret is masked without the others."""
    return any(at <= start and stop <= end for at, end, _ in sealer.tokens_in(piece.text))


def split_secrets(records: Iterable[tuple[int, list[tuple[str, str]]]], sealer: Sealer) -> Cuts:
    """Where secrets lie in several records; each is its line and its (field, string) pairs."""
    streams: dict[tuple[str, ...], _Stream] = {}
    cuts: Cuts = {}
    for line, strings in records:
        kind = tuple(text for field, text in strings if field.rpartition(".")[2] in _NAMING)
        for place, (field, text) in enumerate(strings):
            if field.endswith("(key)"):
                continue
            stream = streams.setdefault((field, *kind), _Stream())
            stream.add(line, place, text)
            if stream.length - stream.pieces[0].start > _HELD:
                _collect(stream, sealer, cuts)
        if len(streams) > _STREAMS:
            _collect_all(streams, sealer, cuts)
    _collect_all(streams, sealer, cuts)
    return cuts


def _collect_all(streams: dict[tuple[str, ...], _Stream], sealer: Sealer, cuts: Cuts) -> None:
    for stream in streams.values():
        _collect(stream, sealer, cuts)
    streams.clear()


def _collect(stream: _Stream, sealer: Sealer, cuts: Cuts) -> None:
    for piece, span in stream.spans(sealer):
        spans = cuts.setdefault(piece.line, {}).setdefault(piece.place, [])
        if span not in spans:
            spans.append(span)
    stream.forget()


def cut(text: str, spans: list[Span]) -> str:
    """``text`` with every span as what stands there instead."""
    for start, end, instead in sorted(spans, reverse=True):
        text = text[:start] + instead + text[end:]
    return text
