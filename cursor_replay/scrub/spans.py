"""Where masking changed a text: spans of the old one, and what stands in their place.

Knows the signs that stand for something masked, and no rule.
"""

import re

from cursor_replay.scrub.marks import PATTERN
from cursor_replay.scrub.rules.places import ENDPOINT, HOME

_SIGNS = re.compile(f"((?:{PATTERN}|{re.escape(ENDPOINT)}|{HOME})+)")

Span = tuple[int, int, str]
"""Start, end, and what stands there instead."""


def changes(old: str, new: str) -> list[Span]:
    """Where masking made ``new`` of ``old``, in order; applied to ``old`` they give ``new``.

    Signs stand for anything, and what is between them is found from left to right. So a span may
    be off where a text repeats itself, but never shows more than ``new`` does.
    """
    if old == new:
        return []
    first, *rest = _SIGNS.split(new)
    if not old.startswith(first):
        return [_changed(old, new)]
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
            return [*spans, _changed(old, "".join(rest[number:]), at)]
        if old[at:end] != sign:
            spans.append((at, end, sign))
        at = end + len(between)
    return spans if at == len(old) else [_changed(old, new)]


def _changed(old: str, new: str, at: int = 0) -> Span:
    """All that differs behind ``at`` as one span; ``new`` is what became of that."""
    old = old[at:]
    start = _alike(old, new)
    same = _alike(old[start:][::-1], new[start:][::-1])
    return at + start, at + len(old) - same, new[start : len(new) - same]


def signs_of(text: str) -> str:
    """The signs in what stands instead of a span, without the text between them."""
    return "".join(_SIGNS.findall(text))


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)


def cut(text: str, spans: list[Span]) -> str:
    """``text`` with every span as what stands there instead; of those that overlap the first."""
    parts: list[str] = []
    last = 0
    for start, end, instead in sorted(spans):
        if start >= last:
            parts += text[last:start], instead
        last = max(last, end)
    return "".join([*parts, text[last:]])
