"""Secrets split over the records of a file: half in one delta and half in the next.

Owns which strings of which records go on in one another, and where a secret lies in each. What is
rendered has no need of this, for there the deltas are one text; a copy keeps the records.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from cursor_replay.scrub.marks import PATTERN
from cursor_replay.scrub.places import ENDPOINT, HOME
from cursor_replay.scrub.seal import Sealer

LONGEST_DELTA = 8192
"""Bytes of the longest line that may be a delta."""
_HELD, _KEPT = 32_768, 8192
"""Characters of a stream that are looked at in one piece, and that are looked at again."""
_STREAMS = 256
_NAMING = (
    *("type", "sessionUpdate", "case", "callId", "call_id", "toolCallId", "role", "channel"),
    "model_call_id",  # the whole text behind its deltas has it
)
_DELTA = re.compile("delta|chunk", re.IGNORECASE)
_LATER_WORD = re.compile(r" \S")
"""How a delta begins that does not call itself one, and no text of its own."""
_SIGNS = re.compile(f"((?:{PATTERN}|{re.escape(ENDPOINT)}|{HOME})+)")
_MARK = re.compile(PATTERN)
_BLOCK = "[redacted:private-key"
_KIND = re.compile(r"\[redacted(?::([a-z0-9-]+))?")
_TELLING = re.compile(r"[^\s/]*\d|[^\s/]{9}")

Span = tuple[int, int, str]
"""Start, end, and what stands there instead."""
Cuts = dict[int, dict[int, list[Span]]]
"""By the number of the line and the place among its strings: what of a string is to go."""


def changes(old: str, new: str) -> list[Span]:
    """Where masking made ``new`` of ``old``, in order; applied to ``old`` they give ``new``.

    Signs stand for anything, and what is between them is found from left to right. So a span may
    be off where a text repeats itself, but never shows more than ``new`` does.
    """
    first, *rest = _SIGNS.split(new)
    if old == new or not old.startswith(first):
        return [] if old == new else [_changed(old, new)]
    spans: list[Span] = []
    at = len(first)
    for number in range(0, len(rest), 2):
        sign, between = rest[number : number + 2]
        if number + 2 == len(rest):
            end = len(old) - len(between) if old.endswith(between) else -1
        elif old.startswith(sign + between, at):
            end = at + len(sign)
        else:
            end = old.find(between, at + 1)
        if end < at:
            return [_changed(old, new)]
        if old[at:end] != sign:
            spans.append((at, end, sign))
        at = end + len(between)
    return spans if at == len(old) else [_changed(old, new)]


def _changed(old: str, new: str) -> Span:
    """All that differs as one span."""
    start = _alike(old, new)
    same = _alike(old[start:][::-1], new[start:][::-1])
    return start, len(old) - same, new[start : len(new) - same]


def cut(text: str, spans: list[Span]) -> str:
    """``text`` with every span as what stands there instead; of those that overlap the first."""
    parts: list[str] = []
    last = 0
    for start, end, instead in sorted(spans):
        if start >= last:
            parts += text[last:start], instead
        last = max(last, end)
    return "".join([*parts, text[last:]])


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)


class _Piece(NamedTuple):
    """A string of a record: its line, its place there, and where it begins in the stream."""

    line: int
    place: int
    start: int
    text: str


_Part = tuple[_Piece, int, int]
_Look = Callable[[str], list[Span]]


class _Stream:
    """The strings at one field of records of one type, as they follow each other.

    ``surely`` says that the records are deltas; others may be texts of their own.
    """

    def __init__(self, *, surely: bool) -> None:
        self._surely = surely
        self.pieces: list[_Piece] = []
        self.length = 0

    def add(self, line: int, place: int, text: str) -> None:
        self.pieces.append(_Piece(line, place, self.length, text))
        self.length += len(text)
        self._surely = self._surely or _LATER_WORD.match(text) is not None

    def secrets(self, look: _Look, alone: _Look) -> Iterator[tuple[str, str, list[_Part]]]:
        """What is no secret to a piece by itself: its mark, itself, and its part of each piece."""
        base = self.pieces[0].start
        whole = "".join(piece.text for piece in self.pieces)
        first = 0
        for begin, end, mark in look(whole):
            while self._end(first) - base <= begin and first + 1 < len(self.pieces):
                first += 1
            parts = list(self._parts(first, begin + base, end + base))
            if parts and self._goes_on(parts, alone, surely=self._surely or _BLOCK in mark):
                yield mark, whole[begin:end], parts

    def _parts(self, first: int, begin: int, end: int) -> Iterator[_Part]:
        for number in range(first, len(self.pieces)):
            piece = self.pieces[number]
            if piece.start >= end:
                return
            start, stop = max(begin - piece.start, 0), min(end - piece.start, len(piece.text))
            if start < stop:
                yield piece, start, stop

    def _end(self, number: int) -> int:
        piece = self.pieces[number]
        return piece.start + len(piece.text)

    @staticmethod
    def _goes_on(parts: list[_Part], alone: _Look, *, surely: bool) -> bool:
        """Whether these are parts of one secret, not one and what is said next, nor two of them."""
        if not _is_found(*parts[0], alone):
            return True
        if surely:
            return not all(_is_found(*part, alone) for part in parts)
        return any(
            _TELLING.match(piece.text, start, stop) and not alone(piece.text)
            for piece, start, stop in parts[1:]
        )

    def forget(self) -> None:
        """Keep the end, in which a secret may have begun."""
        while len(self.pieces) > 1 and self.length - self.pieces[0].start > _KEPT:
            del self.pieces[0]


def _is_found(piece: _Piece, start: int, stop: int, alone: _Look) -> bool:
    """Whether a part of a secret is masked without the others."""
    return any(at <= start and stop <= end for at, end, _ in alone(piece.text))


def _look_by(sealer: Sealer) -> _Look:
    return lambda text: changes(text, sealer.words(text))


class _Splitter:
    """Looks at streams with sealers apart, whose marks are never seen.

    A piece is looked at by one that learns nothing, as if the others had never been.
    """

    def __init__(self, sealer: Sealer) -> None:
        self._marks = sealer.marks
        self._streams: dict[tuple[str, ...], _Stream] = {}
        self.cuts: Cuts = {}
        self._look = _look_by(sealer.apart(learn=True))
        self._alone = lru_cache(maxsize=1024)(_look_by(sealer.apart(learn=False)))

    def add(self, line: int, strings: list[tuple[str, str]]) -> None:
        """Put each string of a record behind those that it may go on with."""
        kind = tuple(text for field, text in strings if field.rpartition(".")[2] in _NAMING)
        surely = any(map(_DELTA.search, kind))
        for place, (field, text) in enumerate(strings):
            if field.endswith("(key)") or not text:
                continue
            stream = self._streams.get((field, *kind)) or _Stream(surely=surely)
            self._streams[(field, *kind)] = stream
            stream.add(line, place, text)
            if stream.length - stream.pieces[0].start > _HELD:
                self._collect(stream)
        if len(self._streams) > _STREAMS:
            self.finish()

    def finish(self) -> None:
        """Look at what is held."""
        for stream in self._streams.values():
            self._collect(stream)
        self._streams.clear()

    def _collect(self, stream: _Stream) -> None:
        if len(stream.pieces) > 1:
            for sign, secret, parts in stream.secrets(self._look, self._alone):
                mark = self._written(sign, secret)
                for number, (piece, start, stop) in enumerate(parts):
                    spans = self.cuts.setdefault(piece.line, {}).setdefault(piece.place, [])
                    spans.append((start, stop, "" if number else mark))
        stream.forget()

    def _written(self, sign: str, secret: str) -> str:
        """``sign`` with the marks of the output instead of those of the look."""

        def mark(found: re.Match[str]) -> str:
            kind = _KIND.match(found[0])
            return self._marks.mark((kind and kind[1]) or "secret", secret)

        return _MARK.sub(mark, sign)


def split_secrets(records: Iterable[tuple[int, list[tuple[str, str]]]], sealer: Sealer) -> Cuts:
    """Where secrets lie in several records; each is its line and its (field, string) pairs."""
    splitter = _Splitter(sealer)
    for line, strings in records:
        splitter.add(line, strings)
    splitter.finish()
    return splitter.cuts
