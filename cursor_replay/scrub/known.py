"""Secrets known by their value: those of the environment, and those that were masked before.

Owns which values are telling enough to be looked for wherever they stand, and the search for them.
They live in memory for one run and are forgotten with it.
"""

import json
import re
from collections.abc import Iterable
from urllib.parse import quote

from cursor_replay.scrub.gate import Occurs, occurs_one
from cursor_replay.scrub.marks import PATTERN, Marks
from cursor_replay.scrub.rules.words import is_wordy
from cursor_replay.scrub.sensitive import ID

_SHORTEST, _LONGEST = 8, 4096
_SHORTEST_OWN = 6
"""A shorter literal would be found inside ordinary words."""
_CHUNK, _CHUNKS = 32, 16
"""A new value makes one chunk's pattern anew; the oldest chunk goes when there are too many."""
ENVIRONMENT, RECURRING = "environment", "recurring"
_TELLING = re.compile(
    r"(?=.*\d)(?=.*[A-Za-z])(?:.{12,}|(?=.*[a-z])(?=.*[A-Z]).{8,}|(?=.*[^\w.-]).{8,})",
    re.DOTALL,
)
_IDENTIFIER = re.compile(r"[A-Za-z_$]++(?:\d{1,4}[A-Z_][A-Za-z_$]*+)*+\d?")
_HARMLESS = re.compile(
    r"v?\d+(?:\.\d+)+\S*|(?:\.{0,2}|~)/.*|[A-Za-z]:\\.*|https?://.*|\d{4}-\d\d-\d\d.*|.*\s.*",
    re.DOTALL,
)


def is_telling(value: str) -> bool:
    """Whether ``value`` can only be that secret: long, mixed, no path, version, date or phrase."""
    if not _SHORTEST <= len(value) <= _LONGEST or "redacted" in value:
        return False
    if _TELLING.fullmatch(value) is None or is_harmless(value):
        return False
    return _IDENTIFIER.fullmatch(value) is None or not is_wordy(value)


def is_harmless(value: str) -> bool:
    """Whether ``value`` is a path, an address, a version, a date or a phrase."""
    return _HARMLESS.fullmatch(value) is not None


def _forms(value: str) -> set[str]:
    """How a value may be spelled: as it is, inside JSON, inside an address."""
    return {value, json.dumps(value)[1:-1], quote(value, safe="")}


class _Chunk:
    """Some values, with one linear test for all of them; made anew when it is next asked."""

    def __init__(self, values: Iterable[tuple[str, str]] = ()) -> None:
        self._values: dict[str, tuple[str, str]] = {}
        self._test: Occurs | None = None
        self._pattern: re.Pattern[str] | None = None
        for kind, value in values:
            self.add(kind, value)

    def __len__(self) -> int:
        return len(self._values)

    def add(self, kind: str, value: str) -> None:
        """Look for ``value`` too."""
        self._values |= dict.fromkeys(_forms(value), (kind, value))
        self._test = self._pattern = None

    def occurs(self, text: str) -> bool:
        """Whether one of the values stands in ``text``."""
        if self._test is None:
            self._test = occurs_one(self._union())
        return self._test(text)

    def _union(self) -> str:
        return "|".join(map(re.escape, sorted(self._values, key=len, reverse=True)))

    def masked(self, text: str, marks: Marks) -> str:
        """``text`` with each value as its mark."""
        if self._pattern is None:
            # A mark stays what it is, whatever letters it is made of.
            whole = f"{PATTERN}|(?<![A-Za-z0-9])(?:{self._union()})(?![A-Za-z0-9])"
            self._pattern = re.compile(whole)

        def write(found: re.Match[str]) -> str:
            known = self._values.get(found[0])
            return marks.mark(*known, rule=RECURRING) if known else found[0]

        return self._pattern.sub(write, text)


class Known:
    """The values to look for in the texts of one run, the secrets of the environment first.

    ``learned`` counts those that were masked before, ``active`` is whether there are any at all.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self.learned = 0
        own = {value.strip() for value in secrets}
        kept = sorted(value for value in own if len(value) >= _SHORTEST_OWN)
        self._own = [_Chunk((ENVIRONMENT, value) for value in kept)] if kept else []
        self._chunks: list[_Chunk] = []
        self.active = bool(kept)

    def learn(self, kind: str, value: str) -> None:
        """Remember a secret that was masked, if it is telling; ids of sessions are no secrets."""
        if kind == ID or not is_telling(value):
            return
        self.learned += 1
        self.active = True
        if not self._chunks or len(self._chunks[-1]) >= _CHUNK:
            self._chunks = [*self._chunks[1 - _CHUNKS :], _Chunk()]
        self._chunks[-1].add(kind, value)

    def occurs(self, text: str) -> bool:
        """Whether one of the values may stand in ``text``."""
        return any(chunk.occurs(text) for chunk in (*self._own, *self._chunks))

    def masked(self, text: str, marks: Marks) -> str:
        """``text`` with every known value as its mark; itself when there is none."""
        if len(text) >= _SHORTEST_OWN:
            for chunk in (*self._own, *self._chunks):
                if chunk.occurs(text):
                    text = chunk.masked(text, marks)
        return text
