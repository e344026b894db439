"""Plain text that is masked as it comes: of a file of any size only a part is held.

Owns how much around a doubtful place is looked at in one piece, for a secret may have many lines,
and where a text may be parted. What is far from every doubt is passed on as it is.
"""

from collections.abc import Iterator
from typing import NamedTuple

from cursor_replay.scrub.copying.doubts import Doubts
from cursor_replay.scrub.copying.findings import Findings
from cursor_replay.scrub.seal import Sealer
from cursor_replay.scrub.spans import Span, changes, signs_of

_PIECE = 1024
"""Characters of a piece that is doubted, or is not, as a whole."""
_NEAR, _FAR = 2048, 24_576
"""Characters on either side of a doubtful piece that are looked at with it; ``far`` for keys."""
FAR_WORD = "PRIVATE"
"""Stands at both ends of a private key, whose rows have no sign of their own."""
_SIGN = 512
"""Characters of the longest sign of a secret; it may lie in two pieces."""
_HELD, _MOST = 256 * 1024, 4 * 1024 * 1024
"""Characters of doubtful text looked at at once, and those of one secret that is waited for."""
_EDGE = 64
"""Characters at the end of a run; a secret that reaches them may go on."""


class _Piece(NamedTuple):
    """``reach`` is how far around it the text is looked at, 0 where there is no doubt."""

    text: str
    reach: int


class Texts:
    """Masks texts; one text is given in parts, in order, and ended by ``finish``."""

    def __init__(self, sealer: Sealer, doubts: Doubts, findings: Findings) -> None:
        self._sealer = sealer
        self._doubts = doubts
        self._findings = findings
        self._pieces: list[_Piece] = []
        self._line = 1
        self._size = self._written = self._wait = 0
        self._before = ""

    def add(self, text: str, line: int) -> Iterator[str]:
        """Take a part, which begins in ``line``; yield what of the text is settled."""
        if not self._pieces:
            self._line = line
        self._pieces += _cut(text, self._before, self._doubts)
        self._size += len(text)
        self._before = (self._before + text)[-_SIGN:]
        if self._size > max(_HELD // 4, self._wait):
            yield from self._settled(at_end=False)

    def finish(self) -> Iterator[str]:
        """Yield the rest of the text; what comes next is another one."""
        if self._pieces:
            yield from self._settled(at_end=True)
        self._before = ""

    def _settled(self, *, at_end: bool) -> Iterator[str]:
        """All in front of the last ``_FAR`` characters, which may belong to what comes next."""
        settled = self._size if at_end else self._size - _FAR
        self._wait = place = 0
        for run in _runs(self._pieces):
            end = place + len(run.text)
            if end > self._written:
                if not run.doubted:
                    yield self._passed(run.text, place, settled)
                elif end <= settled or len(run.text) > _HELD:
                    yield self._masked(run.text, place, settled, at_end=at_end)
            if self._written < end:
                break
            place = end
        self._forget()
        if at_end and self._pieces:
            yield from self._settled(at_end=True)

    def _passed(self, text: str, place: int, settled: int) -> str:
        """The part of a clean run, which begins at ``place``, that was not written before."""
        begin, end = max(0, self._written - place), max(0, settled - place)
        self._written = max(self._written, min(place + len(text), settled))
        return text[begin:end]

    def _masked(self, text: str, place: int, settled: int, *, at_end: bool) -> str:
        """The part of a doubtful run that can be written; "" when more of it has to be seen."""
        masked = self._sealer.text(text)
        spans = changes(text, masked)
        stop = min(len(text), settled - place)
        stop = next((start for start, end, _ in spans if start < stop < end), stop)
        is_last = at_end and place + len(text) == self._size
        if spans and spans[-1][1] > len(text) - _EDGE and not is_last and len(text) < _MOST:
            self._look_further(place + len(text), len(text))
            stop = min(stop, spans[-1][0])
        begin = max(0, self._written - place)
        if stop <= begin:
            if len(text) < _MOST:
                self._wait = self._size + len(text)
                return ""
            stop = len(text)
        self._written = place + stop
        line = self._line + self._lines_before(place)
        self._findings.in_text(text, [each for each in spans if begin < each[1] <= stop], line)
        return self._findings.finished(_part(text, spans, begin, stop))

    def _look_further(self, place: int, reach: int) -> None:
        """Look at ``reach`` more behind ``place``, where a secret may not have come to its end."""
        for number, piece in enumerate(self._pieces):
            place -= len(piece.text)
            if place <= 0:
                self._pieces[number] = piece._replace(reach=reach)
                return

    def _lines_before(self, place: int) -> int:
        count = 0
        for piece in self._pieces:
            if place <= 0:
                break
            count += piece.text.count("\n")
            place -= len(piece.text)
        return count

    def _forget(self) -> None:
        """Let go of what was written, but for what may tell something of the rest."""
        number = 0
        context = _FAR if self._written < self._size else 0
        while number < len(self._pieces) and (
            len(self._pieces[number].text) <= self._written - context
        ):
            text = self._pieces[number].text
            self._written -= len(text)
            self._size -= len(text)
            self._line += text.count("\n")
            number += 1
        del self._pieces[:number]


def doubtful(text: str, doubts: Doubts) -> Iterator[tuple[int, str]]:
    """Yield where a part of ``text`` begins that may change, and the part."""
    place = 0
    for run in _runs(list(_cut(text, "", doubts))):
        if run.doubted:
            yield place, run.text
        place += len(run.text)


def _cut(text: str, before: str, doubts: Doubts) -> Iterator[_Piece]:
    """Cut ``text``, behind which ``before`` stands, into pieces."""
    doubted = doubts.about(before + text)
    if doubted and len(text) <= 2 * _NEAR:
        yield _Piece(text, _reach(before + text))
        return
    start = 0
    while start < len(text):
        if doubted:
            end = _line_end(text, start + _PIECE)
            seen = ("" if start else before) + text[start : end + _SIGN]
            yield _Piece(text[start:end], _reach(seen) if doubts.about(seen) else 0)
        else:  # only the ends may be needed beside a doubt
            end = _line_end(text, max(start + _NEAR, len(text) - _NEAR if start else 0))
            yield _Piece(text[start:end], 0)
        start = end


def _reach(text: str) -> int:
    return _FAR if FAR_WORD in text else _NEAR


class _Run(NamedTuple):
    """Pieces that are looked at together, or not at all."""

    text: str
    doubted: bool


def _runs(pieces: list[_Piece]) -> Iterator[_Run]:
    """Join the pieces that a doubt reaches, and those that none does."""
    looked_at = [
        one or other
        for one, other in zip(_reached(pieces), reversed(_reached(pieces[::-1])), strict=True)
    ]
    at = 0
    for number in range(1, len(pieces) + 1):
        if number == len(pieces) or looked_at[number] != looked_at[at]:
            yield _Run("".join(piece.text for piece in pieces[at:number]), looked_at[at])
            at = number


def _reached(pieces: list[_Piece]) -> list[bool]:
    """Which pieces have a doubt in them or not far in front of them."""
    found = []
    reach = 0
    for piece in pieces:
        found.append(bool(piece.reach) or reach > 0)
        reach = max(reach - len(piece.text), piece.reach)
    return found


def _part(text: str, spans: list[Span], begin: int, stop: int) -> str:
    """``text`` from ``begin`` to ``stop`` with its spans; of one that is cut the rest is masked."""
    parts: list[str] = []
    last = begin
    for start, end, instead in spans:
        if end > begin and start < stop:
            parts += text[last:start], instead if start >= begin else signs_of(instead)
            last = end
    return "".join([*parts, text[last:stop]])


def _line_end(text: str, place: int) -> int:
    """The end of the line around ``place``, or ``place`` itself where that is far away."""
    end = text.find("\n", place - 1, place + 2 * _PIECE) + 1
    return end or min(place, len(text))
