"""What was masked where: the findings of a copy, told as its parts are written.

Owns what counts as one finding. A finding never holds the secret.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from cursor_replay.scrub.marks import PATTERN
from cursor_replay.scrub.rules.places import ENDPOINT, HOME
from cursor_replay.scrub.spans import Span

_MARK = re.compile(PATTERN)
_KIND = re.compile(r"\[redacted:([a-z0-9-]+)")


class Finding(NamedTuple):
    """What was masked where: the rule, how many ``times``; no ``field`` in plain text."""

    rule: str
    line: int
    field: str
    times: int


class Findings:
    """Passes on what was found; ``plain`` takes the kinds off the marks at the very end."""

    def __init__(self, tell: Callable[[Finding], None], *, plain: bool) -> None:
        self._tell = tell
        self._plain = plain

    def finished(self, text: str) -> str:
        """``text`` with its marks as they are to be written."""
        return _MARK.sub("[redacted]", text) if self._plain else text

    def in_field(self, old: str, new: str, line: int, field: str) -> None:
        """Tell what ``new`` has in place of ``old``, a string of JSON."""
        self._told(_signs_in(new) - _signs_in(old), line, field)

    def in_text(self, text: str, spans: Iterable[Span], line: int) -> None:
        """Tell what stands in ``text`` in place of spans of it, which begins at ``line``."""
        last = 0
        found: dict[int, Counter[str]] = {}
        for start, end, sign in spans:
            line += text.count("\n", last, start)
            last = start
            found.setdefault(line, Counter()).update(_signs_in(sign) - _signs_in(text[start:end]))
        for at, rules in found.items():
            self._told(rules, at, "")

    def _told(self, rules: Counter[str], line: int, field: str) -> None:
        for rule, times in rules.items():
            self._tell(Finding(rule, line, field, times))


def _signs_in(text: str) -> Counter[str]:
    found = Counter(_KIND.findall(text))
    found["home"] = text.count(HOME)
    found["bridge-endpoint"] = text.count(ENDPOINT)
    return found
