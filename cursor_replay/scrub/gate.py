"""Whether a text can hold a secret at all.

Nearly all text is clean, so the cost of scrubbing is that of finding out. A rule's trigger is a
pattern for the Rust regex engine that pydantic carries: linear by construction, and with literals
in front it runs at 400 to 1300 MB/s, ten times what one ``re`` search a rule reaches. A trigger
matches every text its rule can change, and may match others. Owns no rule.
"""

import re
from collections.abc import Callable, Iterable

from pydantic_core import SchemaValidator, core_schema

from cursor_replay.scrub.rules.rule import Rule

Occurs = Callable[[str], bool]

_BODY = "[A-Za-z0-9][A-Za-z0-9_-]{7}"


def occurs(patterns: Iterable[str]) -> Occurs:
    """Build the test whether any of ``patterns`` (Rust syntax) occurs in a text.

    ``(?i:`` means the capitals of ASCII: those of Unicode, such as the long s, make the automaton
    so big that the engine falls back to a slow one.
    """
    union = "|".join(f"(?:{pattern})" for pattern in dict.fromkeys(patterns))
    return occurs_one(union.replace("(?i:", "(?i-u:"))


def occurs_one(pattern: str) -> Occurs:
    """Build the test whether ``pattern`` occurs in a text; raises SchemaError if it is none."""
    schema = core_schema.str_schema(pattern=pattern, regex_engine="rust-regex")
    return SchemaValidator(schema).isinstance_python


def lazily(pattern: str) -> Occurs:
    """Build the same test when it is first asked."""
    made: list[Occurs] = []

    def test(text: str) -> bool:
        if not made:
            made.append(occurs([pattern]))
        return made[0](text)

    return test


def trigger(rule: Rule) -> str:
    """The rule's own trigger, else one made of its keywords."""
    return rule.trigger or "|".join(map(_literal, rule.keywords))


def _literal(keyword: str) -> str:
    """A keyword without capitals is found in any case; a prefix must have a token behind it."""
    exact = keyword != keyword.lower()
    literal = re.escape(keyword) if exact else f"(?i:{re.escape(keyword)})"
    return literal + _BODY if keyword.endswith(("_", "-")) else literal
