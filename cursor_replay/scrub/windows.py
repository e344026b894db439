"""The parts of a long text that have to be looked at: most of it holds nothing.

Owns where a text is cut: at line ends only, and so far from what was found that no rule looks
across. Which parts may hold a secret is told by the caller. Knows no rule.
"""

import re
from collections.abc import Callable, Iterator

_LEAST = 2048
"""Characters of a part, which goes on to the end of its line."""
_AROUND = 2
"""Parts on both sides of one that may hold a secret: what begins there may go on for some lines."""
_OVERLAP = 512
"""Characters in front of a part and behind it that are looked at with it."""
_ROW = re.compile(r"[ \t+>|-]{0,8}[\w./$=~+-]{24,}+[ \t|]{0,8}$", re.MULTILINE)
"""A line that is one long word."""
WORTH = 4 * _LEAST
"""Shorter texts are looked at as a whole."""


def windows(text: str, may_hold: Callable[[str], bool]) -> Iterator[tuple[str, bool]]:
    """Yield all of ``text`` in pieces, each with whether it has to be looked at."""
    cuts = list(_cuts(text))
    parts = list(zip([0, *cuts], [*cuts, len(text)], strict=True))
    looked_at = [may_hold(text[max(0, start - _OVERLAP) : end + _OVERLAP]) for start, end in parts]
    begin = 0
    around = [any(looked_at[max(0, at - _AROUND) : at + _AROUND + 1]) for at in range(len(parts))]
    for at, (start, _) in enumerate(parts[1:], 1):
        # A token in rows goes on as long as there are rows.
        around[at] = around[at] or (around[at - 1] and _ROW.match(text, start) is not None)
    for at, (_, end) in enumerate(parts):
        if at + 1 == len(parts) or around[at + 1] is not around[at]:
            yield text[begin:end], around[at]
            begin = end


def _cuts(text: str) -> Iterator[int]:
    """The places behind a line end where a text is cut."""
    at = text.find("\n", _LEAST) + 1
    while 0 < at < len(text):
        yield at
        at = text.find("\n", at + _LEAST) + 1
