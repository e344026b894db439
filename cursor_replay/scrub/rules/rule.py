"""What one scrubbing rule is, and how its spans are found and replaced.

Owns the ``Rule`` value and the search for its spans. Knows no particular secret (``vendor``,
``headers``, ``assign``, ``places``) and not which rules a text needs (``mask``).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from cursor_replay.scrub.marks import MASK, Marks, is_mark

__all__ = ["MASK", "Rule", "Spans", "Spares", "compiled", "never", "replaced", "spans"]

_NEAR = 4096
"""Characters looked at behind a secret; a longer one there is looked at whole."""

Spans = list[tuple[int, int]]

Spares = Callable[[str, re.Match[str]], bool]
"""Says of a match that it is no secret; gets the text in its original case."""


class LazyPattern:
    """A pattern that is compiled when it is first needed: a run needs few of the many."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Take ``name`` of the compiled pattern, and keep it."""
        found = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, found)
        return found


def compiled(source: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile``, but not before the pattern is used."""
    return cast("re.Pattern[str]", LazyPattern(source, flags))


def never(_text: str, _found: re.Match[str]) -> bool:
    """Spare nothing: the pattern alone decides."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One kind of secret with its own true and false positives.

    ``pattern`` stays linear on a megabyte of anything. The last group that took part is the span
    to replace (the whole match without groups), so key names, schemes and quotes stay.
    ``keywords`` are literals, one of which occurs in every text the rule can change: in the
    lower-cased text, or in the text as it stands when they have a capital. One that ends in ``_``
    or ``-`` is followed by eight token characters. ``trigger`` says so more closely, in the syntax
    of ``gate``. ``needs`` is a quicker pattern of the same use.
    ``back`` says how far in front of a match its span begins, if anywhere; never before ``start``.
    A ``folded`` rule runs on the lower-cased text. ``hits`` are (before, after) pairs with plain
    marks; ``misses`` stay as they are. ``kind`` is the word of the mark where it is not ``id``.
    """

    id: str
    pattern: re.Pattern[str]
    keywords: tuple[str, ...]
    hits: tuple[tuple[str, str], ...]
    misses: tuple[str, ...] = ()
    replacement: str = MASK
    folded: bool = False
    spares: Spares = never
    needs: re.Pattern[str] | None = None
    trigger: str = ""
    back: Callable[[str, int, int], int | None] | None = None
    kind: str = ""

    def written(self, secret: str, marks: Marks) -> str:
        """What stands in the place of ``secret``."""
        if self.replacement != MASK:
            return marks.place(secret, self.replacement, self.id)
        return marks.mark(self.kind or self.id, secret, self.id)

    def everywhere(self, text: str, marks: Marks) -> str:
        """``text`` with every match replaced, for a rule that is ``whole``."""
        if marks.allows_some:
            return self.pattern.sub(lambda found: self.written(found[0], marks), text)
        done, count = self.pattern.subn(self.replacement, text)
        marks.counts[self.id] += count
        return done

    @property
    def whole(self) -> bool:
        """Whether every match is replaced as it stands: then ``re`` itself can do it."""
        own = self.spares is never and self.back is None and self.needs is None
        return own and self.replacement != MASK and not self.pattern.groups


def spans(rule: Rule, text: str, low: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of ``text`` that ``rule`` replaces, left to right, never overlapping."""
    subject = low if rule.folded else text
    if rule.needs and not rule.needs.search(subject):
        return
    position = done = 0
    while found := rule.pattern.search(subject, position):
        start, end = found.span(found.lastindex or 0)
        if _is_written(rule, text[start:end]) or rule.spares(text, found):
            # What was spared may hold a secret of its own, so the search goes on inside it.
            position = max(start, found.start() + 1)
            continue
        if rule.back:
            begin = rule.back(text, done, start)
            if begin is None:
                position = end
                continue
            start = begin
        if rule.replacement == MASK and not found.lastindex:
            end = _end_of_chain(rule, text, subject, end)
        yield start, end
        position = done = max(end, found.start() + 1)


def _end_of_chain(rule: Rule, text: str, subject: str, end: int) -> int:
    """Pass over secrets glued to the end of another, which hides where they begin."""
    while found := rule.pattern.match(subject[end : end + _NEAR]):
        if found.end() == _NEAR:
            found = rule.pattern.match(subject[end:]) or found
        if rule.spares(text[end : end + found.end()], found):
            return end
        end += found.end()
    return end


def _is_written(rule: Rule, secret: str) -> bool:
    """Whether a span is what a rule has put there."""
    return secret == rule.replacement or is_mark(secret)


def replaced(text: str, places: Spans, rule: Rule, marks: Marks) -> str:
    """``text`` with every span of ``places`` as its mark."""
    parts: list[str] = []
    last = 0
    for start, end in places:
        parts += text[last:start], rule.written(text[start:end], marks)
        last = end
    return "".join([*parts, text[last:]])
