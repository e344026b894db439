"""Secrets split over the records of a file: half in one delta and half in the next.

Owns which strings of which records go on in one another, and where a secret lies in each. What is
rendered has no need of this, for there the deltas are one text; a copy keeps the records.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from cursor_replay.scrub.copying.doubts import Doubts, Strings
from cursor_replay.scrub.copying.texts import FAR_WORD, doubtful
from cursor_replay.scrub.marks import PATTERN
from cursor_replay.scrub.rules.places import HOME
from cursor_replay.scrub.seal import Sealer
from cursor_replay.scrub.spans import Span, changes

LONGEST_DELTA = 8192
"""Bytes of the longest line that may be a delta."""
_HELD, _KEPT, _KEPT_OF_KEY = 32_768, 1024, 16_384
"""Characters of a stream that are looked at in one piece, and that are looked at again."""
_STREAMS = 1024
_BATCH = 16_384
"""Characters of streams that are doubted as a whole."""
_NAMING = (
    *("type", "sessionUpdate", "case", "callId", "call_id", "toolCallId", "role", "channel"),
    "model_call_id",  # the whole text behind its deltas has it
)
_DELTA = re.compile("delta|chunk", re.IGNORECASE)
_LATER_WORD = re.compile(r" \S")
_MARK = re.compile(PATTERN)
_BLOCK = "[redacted:private-key"
_KIND = re.compile(r"\[redacted(?::([a-z0-9-]+))?")
_ENDS = ".!?:`\n"
_WHOLE = 512
"""Characters of a text that ends with its last line and is more than a delta."""
_SHORT, _ALIKE = 8, 4
"""Two texts that are longer and begin with as many same characters are no deltas."""
_TELLING = re.compile(r"[^\s/]*\d|[^\s/]{9}")
_GOES_ON = re.compile(r"[a-z\d._-]")
"""How the rest of a name begins; a text of its own begins with a capital, or a blank."""

Cuts = dict[int, dict[int, list[Span]]]
"""By the number of the line and the place among its strings: what of a string is to go."""


class _Piece(NamedTuple):
    """A string of a record: its line, its place there, and where it begins in the stream."""

    line: int
    place: int
    start: int
    text: str


_Part = tuple[_Piece, int, int]
_Look = Callable[[str], list[Span]]
_LookBetween = Callable[[str, list[int]], list[Span]]


class _Stream:
    """The strings at one field of records of one type, as they follow each other.

    ``surely`` says that the records are deltas; others may be texts of their own.
    """

    def __init__(self, *, surely: bool) -> None:
        self._surely = surely
        self._seen = 0
        self._holds_key = False
        self.pieces: list[_Piece] = []
        self.length = 0

    def add(self, line: int, place: int, text: str) -> None:
        if not self._surely:
            if text[0] == " ":
                self._surely = _LATER_WORD.match(text) is not None
            elif self.pieces and not self._holds_key and _is_apart(self.pieces[-1].text, text):
                self.pieces.clear()
        self._holds_key = self._holds_key or FAR_WORD in text
        self.pieces.append(_Piece(line, place, self.length, text))
        self.length += len(text)

    @property
    def is_due(self) -> bool:
        """Whether there is something new to look at."""
        return len(self.pieces) > 1 and self._seen < self.length

    @property
    def whole(self) -> str:
        """What is held, as one text."""
        return "".join(piece.text for piece in self.pieces)

    def secrets(self, look: _LookBetween, alone: _Look) -> Iterator[tuple[str, str, list[_Part]]]:
        """What is no secret to a piece by itself: its mark, itself, and its part of each piece."""
        base = self.pieces[0].start
        whole = self.whole
        first = 0
        for begin, end, mark in look(whole, [piece.start - base for piece in self.pieces[1:]]):
            while self._end(first) - base <= begin and first + 1 < len(self.pieces):
                first += 1
            parts = list(self._parts(first, begin + base, end + base))
            if parts and self._goes_on(parts, mark, alone):
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

    def _goes_on(self, parts: list[_Part], mark: str, alone: _Look) -> bool:
        """Whether these are parts of one secret, not one and what is said next, nor two of them."""
        if not _is_found(*parts[0], alone):
            return True
        if self._surely or _BLOCK in mark or (mark == HOME and _is_one_name(parts)):
            return not all(_is_found(*part, alone) for part in parts)
        return any(
            _TELLING.match(piece.text, start, stop) and not alone(piece.text)
            for piece, start, stop in parts[1:]
        )

    def forget(self) -> None:
        """Keep the end, in which a secret may have begun."""
        self._seen = self.length
        number = len(self.pieces) - 1
        kept = _KEPT_OF_KEY if self._holds_key else _KEPT
        while number and self.length - self.pieces[number].start < kept:
            number -= 1
        del self.pieces[:number]
        self._holds_key = any(FAR_WORD in piece.text for piece in self.pieces)


def _is_apart(one: str, other: str) -> bool:
    """Whether what is no delta for sure ends with ``one``, and ``other`` is a text of its own."""
    if other[0].isupper():
        return one[-1] in _ENDS
    if one[-1] == "\n":
        return len(one) > _WHOLE
    begins_alike = len(other) > _SHORT and one[:_ALIKE] == other[:_ALIKE]
    return begins_alike or one[0] == other[0] == "/" or other.startswith("  ")


def _is_found(piece: _Piece, start: int, stop: int, alone: _Look) -> bool:
    """Whether a part of a secret is masked without the others."""
    return any(at <= start and stop <= end for at, end, _ in alone(piece.text))


def _is_one_name(parts: list[_Part]) -> bool:
    """Whether the name of a home folder goes on: a piece each, with nothing between."""
    return all(_GOES_ON.match(piece.text, start, stop) for piece, start, stop in parts[1:])


def _look_by(sealer: Sealer) -> _Look:
    return lambda text: changes(text, sealer.words(text))


@lru_cache(maxsize=4096)
def _names(field: str) -> bool:
    """Whether the string of a field tells what a record is."""
    return field.rpartition(".")[2] in _NAMING


class Streams:
    """Looks at the streams of a file with sealers apart, whose marks are never seen.

    A piece is looked at by one that learns nothing, as if the others had never been. ``cuts`` is
    what was found so far.
    """

    def __init__(self, sealer: Sealer) -> None:
        self._marks = sealer.marks
        self._streams: dict[tuple[str, ...], dict[str, _Stream]] = {}
        self._count = 0
        self.cuts: Cuts = {}
        looking = sealer.apart(learn=True)
        self._doubts = Doubts(looking)
        self._looking = _look_by(looking)
        self._alone = lru_cache(maxsize=1024)(_look_by(sealer.apart(learn=False)))

    def add(self, line: int, strings: Strings) -> None:
        """Put each string of a record behind those that it may go on with."""
        kind = tuple([text for field, text in strings if _names(field)])
        streams = self._streams.setdefault(kind, {})
        for place, (field, text) in enumerate(strings):
            if not text or field.endswith("(key)"):
                continue
            stream = streams.get(field)
            if stream is None:
                stream = streams[field] = _Stream(surely=any(map(_DELTA.search, kind)))
                self._count += 1
            stream.add(line, place, text)
            if stream.length - stream.pieces[0].start > _HELD:
                self._collect([stream])
        if self._count > _STREAMS:
            self.look()
            self._streams.clear()
            self._count = 0

    def look(self) -> None:
        """Find what lies in the records so far."""
        batch: list[_Stream] = []
        size = 0
        for stream in chain.from_iterable(map(dict.values, self._streams.values())):
            if stream.is_due:
                batch.append(stream)
                size += stream.length - stream.pieces[0].start
                if size > _BATCH:
                    self._collect(batch)
                    batch, size = [], 0
        self._collect(batch)

    def _collect(self, streams: list[_Stream]) -> None:
        """Most are clean, so they are asked for together."""
        if streams and self._doubts.about_any(stream.whole for stream in streams):
            for stream in streams:
                self._find(stream)
        for stream in streams:
            stream.forget()

    def _look(self, text: str, borders: list[int]) -> list[Span]:
        """What is masked in ``text``, but for parts in which no piece ends."""
        return [
            (place + start, place + end, mark)
            for place, part in doubtful(text, self._doubts)
            if bisect_right(borders, place) < bisect_left(borders, place + len(part))
            for start, end, mark in self._looking(part)
        ]

    def _find(self, stream: _Stream) -> None:
        for sign, secret, parts in stream.secrets(self._look, self._alone):
            mark = self._written(sign, secret)
            for number, (piece, start, stop) in enumerate(parts):
                spans = self.cuts.setdefault(piece.line, {}).setdefault(piece.place, [])
                spans.append((start, stop, "" if number else mark))

    def _written(self, sign: str, secret: str) -> str:
        """``sign`` with the marks of the output instead of those of the look."""

        def mark(found: re.Match[str]) -> str:
            kind = _KIND.match(found[0])
            return self._marks.mark((kind and kind[1]) or "secret", secret)

        return _MARK.sub(mark, sign)
