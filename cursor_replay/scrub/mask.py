"""Masking a text: which rules it needs, and running those.

Owns the gate and the loop. Nearly all text is clean, so the cost of this room is that of finding
out: keywords with a rare character in common are found by one search, led by that character.
"""

import re
import string
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from cursor_replay.scrub.rule import Rule, replaced, spans
from cursor_replay.scrub.rules import RULES

_ROUNDS = 8
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
# Rare in code and prose, so that `re` gets along at the speed of memchr; the rarest first.
_LEADS = "@\\JASz-_/kw"


_BODY = "(?=[a-z0-9][a-z0-9_-]{7})"


class _Group(NamedTuple):
    """The keywords that share a lead; ``search`` tells whether any of them may occur."""

    search: Callable[[str], re.Match[str] | None]
    keywords: tuple[str, ...]


def _index(rules: Iterable[Rule]) -> Mapping[str, tuple[int, ...]]:
    """Keyword -> the places in the table of the rules that it calls for."""
    found: dict[str, tuple[int, ...]] = {}
    for place, rule in enumerate(rules):
        for keyword in rule.keywords:
            found[keyword] = (*found.get(keyword, ()), place)
    return MappingProxyType(found)


def _lead(keyword: str) -> str:
    """Name the search of a keyword: its lead, twice when the lead ends it, "" for a plain one."""
    lead = next((mark for mark in _LEADS if mark in keyword), "")
    return lead * 2 if lead in ("_", "-") and keyword.endswith(lead) else lead


def _branch(keyword: str, lead: str) -> str:
    if keyword.endswith(lead):
        return f"(?<={re.escape(keyword)})"
    before, _, after = keyword.partition(lead)
    return f"(?<={re.escape(before + lead)}){re.escape(after)}"


def _group(lead: str, keywords: tuple[str, ...]) -> _Group:
    # A lead that ends its keywords is followed by a token, which is soon seen not to be there.
    token = _BODY * (len(lead) - 1)
    branches = "|".join(_branch(keyword, lead[0]) for keyword in keywords)
    return _Group(re.compile(f"{re.escape(lead[0])}{token}(?:{branches})").search, keywords)


def _groups(keywords: Iterable[str], *, exact: bool) -> tuple[_Group, ...]:
    by_lead: dict[str, tuple[str, ...]] = {}
    for keyword in keywords:
        if (lead := _lead(keyword)) and lead.isupper() == exact:
            by_lead[lead] = (*by_lead.get(lead, ()), keyword)
    return tuple(_group(lead, mine) for lead, mine in by_lead.items())


_INDEX = _index(RULES)
_PLAIN = tuple(keyword for keyword in _INDEX if not _lead(keyword))
_EXACT = _groups(_INDEX, exact=True)
_FOLDED = _groups(_INDEX, exact=False)


def _keywords(text: str, low: str) -> list[str]:
    found = [keyword for keyword in _PLAIN if keyword in low]
    for search, keywords in _EXACT:
        if search(text):
            found += [keyword for keyword in keywords if keyword in text]
    for search, keywords in _FOLDED:
        if search(low):
            found += [keyword for keyword in keywords if keyword in low]
    return found


def folded(text: str) -> str:
    """Lower-case ``text`` so that every index stays where it was."""
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_LOWER)


def may_change(text: str) -> bool:
    """Whether ``mask`` has to look closer at ``text``; False means that every part is clean."""
    return bool(_keywords(text, folded(text)))


def _masked_once(text: str) -> str:
    low = folded(text)
    keywords = _keywords(text, low)
    if not keywords:
        return text
    for place in sorted({place for keyword in keywords for place in _INDEX[keyword]}):
        rule = RULES[place]
        if places := list(spans(rule, text, low)):
            text = replaced(text, places, rule.replacement)
            low = replaced(low, places, rule.replacement)
    return text


def mask(text: str) -> str:
    """Mask every secret in ``text``, which has no control sequences (see ``strip_controls``).

    A text that changed is looked at again, for what a rule took away may have hidden a secret
    from another; so masking twice is masking once.
    """
    for _ in range(_ROUNDS):
        done = _masked_once(text)
        if done == text:
            return text
        text = done
    return text
