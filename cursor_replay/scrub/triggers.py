"""Whether a text may hold anything: the triggers of all rules and readings, in a few tests.

Owns the tests, and the table of the rules with a test for each. What is found is the business of
``mask``.
"""

from collections.abc import Iterable
from typing import NamedTuple

from cursor_replay.scrub.encoded import SHORTEST_RUN, base64_test, readings
from cursor_replay.scrub.gate import Occurs, lazily, occurs, trigger
from cursor_replay.scrub.rules import FORMS, GROUPS, RULES, TOKENS
from cursor_replay.scrub.rules.people import HOMES
from cursor_replay.scrub.rules.prefixes import HALVES, PREFIXES
from cursor_replay.scrub.rules.prose import PROSE
from cursor_replay.scrub.rules.rule import Rule


class Row(NamedTuple):
    """A rule with its test; a ``token`` is known by its shape alone."""

    rule: Rule
    occurs: Occurs
    whole: bool
    token: bool


class Group(NamedTuple):
    """Neighbours of the table with one test for all: few texts need any of the many tokens."""

    occurs: Occurs
    rows: tuple[Row, ...]


HOME_IDS = {rule.id for rule in HOMES}
_TOKENS = {rule.id for rule in TOKENS}
_FORMS = {rule.id for rule in FORMS}
_TOLD = {rule.id for rule in PROSE}


def _group(rules: Iterable[Rule]) -> Group:
    rows = tuple(Row(rule, lazily(trigger(rule)), rule.whole, rule.id in _TOKENS) for rule in rules)
    return Group(occurs(trigger(row.rule) for row in rows), rows)


TABLE = tuple(map(_group, GROUPS))

READINGS = readings(PREFIXES, HALVES)
TESTS = {reading.trigger: occurs([reading.trigger]) for reading in READINGS}
_APART = tuple(
    {each.trigger: (each.apart, TESTS[each.trigger]) for each in READINGS if each.apart}.values()
)

# Some tests, for one with all that they look for would be too big for the engine to be quick.
may_hold_named = occurs(
    (
        *(trigger(rule) for rule in RULES if rule.id not in _TOKENS | _FORMS | _TOLD | HOME_IDS),
        *(reading.trigger for reading in READINGS if not (reading.tokens or reading.apart)),
    )
)
may_hold_token = occurs(
    (
        *map(trigger, (*TOKENS, *FORMS)),
        *{reading.trigger for reading in READINGS if reading.tokens and not reading.apart},
    )
)
may_tell = occurs(map(trigger, PROSE))
_may_mean_text = base64_test(TOKENS)
may_hold_home = occurs(trigger(rule) for rule in HOMES)


def may_hold_base64(text: str) -> bool:
    """Whether a run of base64 may mean a text with a secret."""
    return len(text) >= SHORTEST_RUN and _may_mean_text(text)


def may_hold_secret(text: str) -> bool:
    """Whether a rule other than those of home folders may change ``text``."""
    return may_hold_named(text) or may_hold_token(text) or may_tell(text)


def may_be_apart(text: str) -> bool:
    """Whether a reading whose trigger stands apart may find something."""
    for asks, may_occur in _APART:  # noqa: SIM110 - any() costs more for a short text
        if asks(text) and may_occur(text):
            return True
    return False


def may_hold_any(text: str) -> bool:
    """Whether a rule or a reading may change ``text``, leaving out home folders and base64."""
    return may_hold_secret(text) or may_be_apart(text)


def may_change(text: str) -> bool:
    """Whether masking has to look closer at a text; False means that every part of it is clean."""
    return may_hold_home(text) or may_hold_any(text) or may_hold_base64(text)
