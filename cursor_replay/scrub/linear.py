r"""Patterns of a user, which must not be able to hang a run.

``re`` backtracks, and no look at a pattern tells for sure when it will. The Rust engine inside
pydantic cannot: its time is linear in the text. It answers only whether a pattern occurs, so where
is found by asking about parts of the text, halving them: without anchors and boundaries a text
that holds a match still holds it with more behind or in front. No clock, no second process, and
the same input gives the same output. Owns that search. Knows no file and no mark.
"""

import re
from collections.abc import Callable, Iterator

from pydantic_core import SchemaError

from cursor_replay.scrub.gate import Occurs, occurs_one

_VERBOSE = re.compile(r"\(\?[a-zA-Z]*x")
_LONGEST_PATTERN = 1000
_COUNTED = re.compile(r"\{\s*(\d*)\s*(?:,\s*(\d*)\s*)?\}")
_MOST_REPEATS = 256
"""A longer counted repetition makes every look at a text slow, however linear."""
_WINDOW = 64
_REACH = 1024
"""Characters by which a match is widened to each side; one that goes on continues as another."""
_PATIENCE = 64
"""Characters that may follow a match until a longer one is no longer looked for."""


class Linear:
    """A pattern in the syntax of the Rust engine, without anchors, boundaries and look-around.

    Raises ValueError, in one line, for a pattern that cannot be one.
    """

    def __init__(self, pattern: str) -> None:
        if problem := _problem(pattern):
            raise ValueError(problem)
        try:
            self.occurs: Occurs = occurs_one(pattern)
            self.is_whole: Occurs = occurs_one(rf"\A(?:{pattern})\z")
        except SchemaError as error:
            raise ValueError(_reason(error)) from None
        if self.is_whole(""):
            raise ValueError("matches the empty text, so it would match everywhere")

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where the pattern matches, left to right, as far to both sides as it does."""
        at = 0
        begun: tuple[int, int] | None = None
        while (end := self._first_end(text, at)) is not None:
            start, stop = self._widened(text, at, end)
            if begun and begun[1] != start:
                yield begun
                begun = None
            begun = (begun[0] if begun else start, stop)
            at = stop
        if begun:
            yield begun

    def _first_end(self, text: str, at: int) -> int | None:
        """The least end of a match behind ``at``: a window is doubled, then halved."""
        size, low = _WINDOW, at
        while not self.occurs(text[at : at + size]):
            low = at + size
            if low >= len(text):
                return None
            size *= 2
        return _least(low, min(at + size, len(text)), lambda end: self.occurs(text[at:end]))

    def _widened(self, text: str, at: int, end: int) -> tuple[int, int]:
        """The longest match around the shortest one that ends at ``end``."""
        from_end = _least(1, end - at, lambda size: self.occurs(text[end - size : end]))
        start = end - from_end
        start = _furthest(
            range(start - 1, max(at, start - _REACH) - 1, -1),
            start,
            lambda place: self.is_whole(text[place:end]),
        )
        stops = range(end + 1, min(len(text), end + _REACH) + 1)
        return start, _furthest(stops, end, lambda place: self.is_whole(text[start:place]))


def _least(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The least number for which ``holds``, which it does from there up to ``high``."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _furthest(places: range, best: int, holds: Callable[[int], bool]) -> int:
    missed = 0
    for place in places:
        missed = 0 if holds(place) else missed + 1
        if not missed:
            best = place
        if missed > _PATIENCE:
            break
    return best


def _problem(pattern: str) -> str | None:
    """Say why a pattern cannot be searched for, as far as its letters tell."""
    if len(pattern) > _LONGEST_PATTERN:
        return f"longer than {_LONGEST_PATTERN} characters"
    counts = (int(each) for pair in _COUNTED.findall(pattern) for each in pair if each)
    if any(each > _MOST_REPEATS for each in counts):
        return f"repeats more than {_MOST_REPEATS} times"
    escaped = inside = False
    for place, char in enumerate(pattern):
        if escaped:
            if char in "bBAzZ<>" and not inside:
                return rf"\{char} is not supported: a match counts wherever it stands"
        elif char in "^$" and not inside:
            return f"{char} is not supported: a match counts wherever it stands"
        elif not inside and _VERBOSE.match(pattern, place):
            return "the flag x is not supported"
        if char == "[" and not escaped:
            inside = True
        elif char == "]" and not escaped:
            inside = False
        escaped = char == "\\" and not escaped
    return None


def _reason(error: SchemaError) -> str:
    """The last line of the engine's message: what is wrong, without the pattern."""
    lines = [line.strip() for line in str(error).splitlines() if "error:" in line]
    words = lines[-1].partition("error:")[2].strip() if lines else ""
    return f"no pattern: {words or 'not understood'}"
