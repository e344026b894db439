"""The mark that stands for a secret: what kind it is, and which one of its kind.

Owns the words of a mark and the memory of one output: a secret that recurs has the same mark, and
what is allowed has none. Nothing of it is ever written anywhere. Knows no rule.
"""

import re
from collections import Counter
from collections.abc import Callable
from typing import Literal

MASK = "[redacted]"
"""Our plain mark. Cursor's own ``[REDACTED]`` means removed thinking and is never written here."""

Style = Literal["kind", "plain"]
"""``[redacted:github-token#2]`` or ``[redacted]``."""

PATTERN = r"\[redacted(?::[a-z0-9-]{1,48}(?:#\d{1,6}\+?)?)?\]"
_MARK = re.compile(PATTERN)
_LONGEST = 72
_MOST = 100_000
"""Secrets of one output that are told apart; the mark of a later one ends in ``+``."""


def is_mark(text: str) -> bool:
    """Whether ``text`` is a mark of ours, of either style."""
    return text.startswith("[redacted") and _MARK.fullmatch(text) is not None


def ends_mark(text: str, end: int) -> bool:
    """Whether a mark ends at the ``]`` in front of ``end``: its last word is no name of a value."""
    start = text.rfind("[redacted", max(0, end - _LONGEST), end)
    return start >= 0 and _MARK.fullmatch(text, start, end) is not None


def is_allowed_never(_secret: str) -> bool:
    """Allow nothing: the list of what may be shown is empty."""
    return False


class Marks:
    """The marks of one output, in the order in which the secrets are met.

    ``counts`` is how often each rule wrote a mark. ``learn`` is told each kind and secret.
    """

    def __init__(
        self,
        style: Style = "plain",
        *,
        allows: Callable[[str], bool] = is_allowed_never,
        learn: Callable[[str, str], None] | None = None,
    ) -> None:
        self.counts: Counter[str] = Counter()
        self.allows_some = allows is not is_allowed_never
        self._plain = style == "plain"
        self._allows = allows
        self._learn = learn
        self._marks: dict[str, str] = {}
        self._kinds: Counter[str] = Counter()

    def mark(self, kind: str, secret: str, rule: str = "") -> str:
        """The mark of ``secret``; itself where it is allowed or a mark already."""
        if is_mark(secret) or self._allows(secret):
            return secret
        self.counts[rule or kind] += 1
        known = self._marks.get(secret)
        if known is None:
            known = self._new(kind, secret)
        return known

    def place(self, secret: str, replacement: str, rule: str) -> str:
        """``replacement``, which is the same for all, unless ``secret`` is allowed."""
        if self._allows(secret):
            return secret
        self.counts[rule] += 1
        return replacement

    def _new(self, kind: str, secret: str) -> str:
        mark = MASK if self._plain else self._numbered(kind)
        if len(self._marks) < _MOST:
            self._marks[secret] = mark
            if self._learn:
                self._learn(kind, secret)
        return mark

    def _numbered(self, kind: str) -> str:
        full = len(self._marks) >= _MOST
        self._kinds[kind] += not full
        number = self._kinds[kind]
        which = f"#{number}" if number > 1 else ""
        return f"[redacted:{kind}{which or '#1'}+]" if full else f"[redacted:{kind}{which}]"
