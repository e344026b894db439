"""Masking a text: which rules it needs, and running those.

Owns the loop. The tests of ``triggers`` say that a text is clean, which it nearly always is; else
each rule is asked. Home folders have a test of their own: paths are everywhere.
"""

import string
from collections.abc import Callable, Container, Iterable

from cursor_replay.scrub import triggers
from cursor_replay.scrub.encoded import Reading, base64_runs
from cursor_replay.scrub.known import Known
from cursor_replay.scrub.marks import Marks
from cursor_replay.scrub.rules import RULES
from cursor_replay.scrub.rules.rule import Rule, Spans, replaced, spans
from cursor_replay.scrub.triggers import Group, Row
from cursor_replay.scrub.views import breaks_in, end_of_part
from cursor_replay.scrub.windows import WORTH, windows

_ROUNDS = 8
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


Extra = Callable[[str, Marks], str]
"""Masks a text by rules that are not in the table: the user's own, a home folder."""


def folded(text: str) -> str:
    """Lower-case ``text`` so that every index stays where it was."""
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_LOWER)


class Masker:
    """Masks the secrets of one run.

    ``without`` are the ids of rules that are not asked. ``known`` are the values to look for, which
    grow with each that is masked; ``extras`` run in front of the rules.
    """

    def __init__(
        self,
        marks: Marks,
        *,
        without: Iterable[str] = (),
        known: Known | None = None,
        extras: Iterable[Extra] = (),
    ) -> None:
        left = set(without)
        self.marks = marks
        self._known = known or Known()
        self._extras = tuple(extras)
        self._table = (
            tuple(_without(group, left) for group in triggers.TABLE) if left else triggers.TABLE
        )

    def may_change(self, text: str) -> bool:
        """Whether masking may change any part of ``text``, by a rule or for what is asked for."""
        if triggers.may_change(text) or (self._known.active and self._known.occurs(text)):
            return True
        return any(extra(text, Marks()) != text for extra in self._extras)

    def __call__(self, text: str) -> str:
        """Mask every secret in ``text``, which has no control sequences (see ``strip_controls``).

        A text that changed is looked at again, for what a rule took away may have hidden a secret
        from another; so masking twice is masking once.
        """
        for _ in range(_ROUNDS):
            done = text
            for extra in self._extras:
                done = extra(done, self.marks)
            if self._known.active:
                done = self._known.masked(done, self.marks)
            if not triggers.may_hold_any(done):
                return self._without_homes(self._without_base64(done))
            done = self._by_windows(done) if len(done) > WORTH else self._looked_at(done)
            if done is text or done == text:
                break
            text = done
        return self._without_homes(text)  # a home folder hides no secret

    def _by_windows(self, text: str) -> str:
        """Mask a long text where it may hold something; a key that goes on for long as a whole."""
        if self._table[0].occurs(text):
            return self._looked_at(text)
        pieces = windows(text, triggers.may_hold_any)
        return self._without_base64(
            "".join(self._looked_at(piece) if held else piece for piece, held in pieces)
        )

    def _without_base64(self, text: str) -> str:
        return self._decoded(text) if triggers.may_hold_base64(text) else text

    def _without_homes(self, text: str) -> str:
        if triggers.may_hold_home(text):
            for row in self._table[-1].rows:
                if row.occurs(text):
                    text = self._by(row, text)
        return text

    def _looked_at(self, text: str) -> str:
        text = self._without_base64(text)
        may_occur = {found for found, test in triggers.TESTS.items() if test(text)}
        if not may_occur:
            return self._masked(text)
        text = self._masked(self._spelled(text, may_occur, late=False))
        return self._spelled(text, may_occur, late=True)

    def _spelled(self, text: str, may_occur: Container[str], *, late: bool) -> str:
        for reading in triggers.READINGS:
            if reading.late is late and reading.trigger in may_occur:
                text = self._read(text, reading)
        return text

    def _masked(self, text: str) -> str:
        """Mask by every rule but those of home folders."""
        for may_occur, rows in self._table[:-1]:
            if may_occur(text):
                for row in rows:
                    if row.occurs(text):
                        text = self._by(row, text)
        return text

    def _by(self, row: Row, text: str) -> str:
        rule = row.rule
        if row.whole:
            return rule.everywhere(text, self.marks)
        places = list(spans(rule, text, folded(text) if rule.folded else text))
        return replaced(text, places, rule, self.marks) if places else text

    def _read(self, text: str, reading: Reading) -> str:
        """Look for secrets in another reading of ``text``, and mask them where they stand."""
        view = reading.read(text)
        if view.text == text or not triggers.may_hold_secret(view.text):
            return text
        parts: list[str] = []
        last = 0
        for start, end, rule in _first_ones(self._found(view.text, tokens=reading.tokens)):
            left, right = view.span(start, end)
            if rule.id in triggers.HOME_IDS or left < last:
                continue
            breaks = breaks_in(text[left:right]) if reading.tokens else ""
            if reading.tokens and not breaks:
                continue  # it is found without the reading, and whole
            mark = rule.written(view.text[start:end], self.marks)
            parts += text[last:left], mark, breaks
            last = end_of_part(text, right) if breaks else right
        return "".join([*parts, text[last:]])

    def _found(self, text: str, *, tokens: bool) -> Iterable[tuple[int, int, Rule]]:
        low = folded(text)
        for may_occur, rows in self._table:
            if (rows and (rows[0].token or not tokens)) and may_occur(text):
                for row in rows:
                    if row.occurs(text):
                        found = spans(row.rule, text, low)
                        yield from ((start, end, row.rule) for start, end in found)

    def _decoded(self, text: str) -> str:
        """Mask runs of base64 that mean a text with a secret."""
        places: Spans = []
        for start, end, plain in base64_runs(text):
            if triggers.may_hold_secret(plain) and any(
                rule.id not in triggers.HOME_IDS for _, _, rule in self._found(plain, tokens=False)
            ):
                places.append((start, end))
        return replaced(text, places, _ENCODED, self.marks) if places else text


def _first_ones(found: Iterable[tuple[int, int, Rule]]) -> list[tuple[int, int, Rule]]:
    """Of spans that overlap the one that begins first, then the longest; in order."""
    kept: list[tuple[int, int, Rule]] = []
    for start, end, rule in sorted(found, key=lambda each: (each[0], -each[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, rule))
    return kept


def _without(group: Group, left: set[str]) -> Group:
    return group._replace(rows=tuple(row for row in group.rows if row.rule.id not in left))


_ENCODED = Rule(id="base64", pattern=RULES[0].pattern, keywords=(), hits=())


def mask(text: str) -> str:
    """Mask ``text`` by the rules of the table alone, with plain marks."""
    return Masker(Marks())(text)
