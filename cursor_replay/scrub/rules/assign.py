r"""Secrets that are known by the name they are given to: ``password=…``, ``"api_key": "…"``.

Owns one ``Rule`` a key word, all from one template. Whether a value is a secret is judged in
``judge``. Keys match as suffixes, as in the replay documents (replay facts 5); one that a letter
follows (``tokens``, ``tokenizer``) is no key.
"""

import re
from collections.abc import Iterable

from cursor_replay.scrub.rules.judge import spares_bare, spares_string
from cursor_replay.scrub.rules.names import SUFFIX
from cursor_replay.scrub.rules.rule import Rule, Spares, compiled
from cursor_replay.scrub.rules.values import BARE, QUOTED, lines_of, pairs_of

SEPARATOR = (
    # The closing quote or bracket of the key; then a type annotation that a value follows.
    r"(?:\\{0,7}[\"'`])?\]?[?!]?"
    r"(?:[ \t]{0,4}:[ \t]{0,4}&?(?:'static )?[a-z_][\w.\[\]| ]{0,40}"
    r"(?:(?<= )(?==[^=>])|(?==[\"'\\]))|[ \t]string(?=[ \t]=))?"
    r"[ \t]{0,8}(?P<sep>:=|=>|={1,3}|:(?!:)|\uff1a|>)[ \t]{0,8}"
)
"""From the end of a key to its value; ``sep`` is the operator."""


_TO_VALUE = r"[\\\"'`\]?!]{0,12}[ \t]{0,8}[:=>\uff1a]"
"""What stands between a key word and its operator, for the trigger."""


_NUMBER = re.compile(r"\d+\Z")


def key_behind(words: Iterable[str]) -> str:
    """A pattern of ``key`` behind one of ``words``, which begins with a literal."""
    forms = (f"{word}_key".replace("_", dash) for word in words for dash in ("", "[ _-]"))
    return f"key(?:{'|'.join(f'(?<={form})' for form in forms)})"


def spares_assigned(text: str, found: re.Match[str]) -> bool:
    """Whether the value of an assignment is no secret."""
    if found["bare"] is not None:
        return _is_numbered(found) or spares_bare(text, found)
    return spares_string(text, found)


def _is_numbered(found: re.Match[str]) -> bool:
    """Tell variables that are numbered like their name: ``token1 = part1``."""
    ending = found.groupdict().get("ending")
    number, value = _NUMBER.search(ending or ""), str(found["bare"])
    return (
        number is not None
        and value.removesuffix(number[0]).isidentifier()
        and value.endswith(number[0])
    )


def named(
    name: str,
    key: str,
    keyword: str,
    *,
    kind: str = "",
    before: str = "",
    spares: Spares = spares_assigned,
    hits: str,
    misses: str,
) -> Rule:
    """Build the rule of one key word, which ``before`` has to precede.

    ``hits`` and ``misses`` are one example a line; in ``hits`` the value is written ``«so»``.
    """
    return Rule(
        id=name,
        kind=kind,
        pattern=compiled(rf"(?P<key>{key})(?P<ending>{SUFFIX})?{SEPARATOR}(?:{QUOTED}|{BARE})"),
        keywords=(keyword,),
        trigger=rf"(?i:{before}{keyword}[a-z0-9_-]{{0,12}}(?: string)?){_TO_VALUE}",
        folded=True,
        hits=pairs_of(hits),
        misses=lines_of(misses),
        spares=spares,
    )
