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

_Table = tuple[tuple[Rule, Occurs], ...]
_HOME_IDS = {rule.id for rule in HOMES}
_TABLE = tuple((rule, occurs([trigger(rule)])) for rule in RULES)
_HOME_TABLE = tuple(row for row in _TABLE if row[0].id in _HOME_IDS)

may_hold_home = occurs(trigger(rule) for rule in HOMES)
"""Whether a home folder may stand in a text."""
may_hold_secret = occurs(trigger(rule) for rule in RULES if rule.id not in _HOME_IDS)
"""Whether anything else may stand in a text that a rule masks."""


def folded(text: str) -> str:
    """Lower-case ``text`` so that every index stays where it was."""
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_LOWER)


def may_change(text: str) -> bool:
    """Whether ``mask`` has to look closer at ``text``; False means that every part is clean."""
    return may_hold_secret(text) or may_hold_home(text)


def mask(text: str) -> str:
    """Mask every secret in ``text``, which has no control sequences (see ``strip_controls``).

    A text that changed is looked at again, for what a rule took away may have hidden a secret
    from another; so masking twice is masking once.
    """
    for _ in range(_ROUNDS):
        if may_hold_secret(text):
            done = _masked_once(text, _TABLE)
        elif may_hold_home(text):
            done = _masked_once(text, _HOME_TABLE)
        else:
            break
        if done is text:
            break
        text = done
    return text


def _masked_once(text: str, table: _Table) -> str:
    """``text`` itself when no rule changes it."""
    for rule, may_occur in table:
        if may_occur(text):
            low = folded(text) if rule.folded else text
            if places := list(spans(rule, text, low)):
                text = replaced(text, places, rule.replacement)
    return text
