"""Masking a text: which rules it needs, and running those.

Owns the loop. One test over all triggers says that a text is clean, which it nearly always is;
only then each rule is asked. Home folders have a test of their own: paths are everywhere.
"""

import string

from cursor_replay.scrub.gate import Occurs, occurs, trigger
from cursor_replay.scrub.places import HOMES
from cursor_replay.scrub.rule import Rule, replaced, spans
from cursor_replay.scrub.rules import RULES

_ROUNDS = 8
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)

_Table = tuple[tuple[Rule, Occurs, bool], ...]
_HOME_IDS = {rule.id for rule in HOMES}
_TABLE = tuple((rule, occurs([trigger(rule)]), rule.whole) for rule in RULES)
_HOME_TABLE = tuple(row for row in _TABLE if row[0].id in _HOME_IDS)

may_change = occurs(map(trigger, RULES))
"""Whether ``mask`` has to look closer at a text; False means that every part of it is clean."""
_may_hold_secret = occurs(trigger(rule) for rule in RULES if rule.id not in _HOME_IDS)


def folded(text: str) -> str:
    """Lower-case ``text`` so that every index stays where it was."""
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_LOWER)


def mask(text: str) -> str:
    """Mask every secret in ``text``, which has no control sequences (see ``strip_controls``).

    A text that changed is looked at again, for what a rule took away may have hidden a secret
    from another; so masking twice is masking once.
    """
    for _ in range(_ROUNDS):
        if not may_change(text):
            break
        done = _masked_once(text, _TABLE if _may_hold_secret(text) else _HOME_TABLE)
        if done is text:
            break
        text = done
    return text


def _masked_once(text: str, table: _Table) -> str:
    """``text`` itself when no rule changes it."""
    for rule, may_occur, whole in table:
        if not may_occur(text):
            continue
        if whole:
            done, count = rule.pattern.subn(rule.replacement, text)
            text = done if count else text
            continue
        low = folded(text) if rule.folded else text
        if places := list(spans(rule, text, low)):
            text = replaced(text, places, rule.replacement)
    return text
