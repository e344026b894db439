"""Secrets in another spelling: percent codes, ``u`` escapes, base64, and lines broken inside one.

Owns which spellings are looked for and when. Each has a test of its own, so a text without such a
spelling costs that test alone. Which rules decide is the business of ``mask``.
"""

import base64
import binascii
import re
import string
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from cursor_replay.scrub.gate import Occurs, occurs
from cursor_replay.scrub.rule import Rule
from cursor_replay.scrub.views import View, joiner, percent_decoded, unescaped

_KEYWORDS = ("password", "passwd", "secret", "token", "api_key", "apikey", "authorization", "://")
_SHORTEST_WORD, _VAGUE = 3, 16
"""A word of three letters is telling; a sign that may be one of more than 16 says nothing."""
_FILLS = (b"\0", b"\xff")
_ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
SHORTEST_RUN = 24
_RUN = re.compile(rf"[A-Za-z0-9+/_-]{{{SHORTEST_RUN},}}+={{0,2}}")


class Reading(NamedTuple):
    """A spelling: its trigger, how it is read, and whether only tokens are looked for."""

    trigger: str
    occurs: Occurs
    read: Callable[[str], View]
    tokens: bool = False


def _signs(word: str) -> Iterator[str]:
    """A pattern of ``word`` inside base64, for each of the three places it can begin."""
    for shift in range(3):
        ends = (base64.b64encode(fill * shift + word.encode() + fill * 3) for fill in _FILLS)
        pairs = zip(*(end.decode().rstrip("=")[:-4] for end in ends), strict=True)
        yield "".join(_possible(*map(_ALPHABET.index, pair)) for pair in pairs).strip(".")


def _possible(low: int, high: int) -> str:
    """The signs whose known bits are those of both, one that nothing is known of as a dot."""
    members = [sign for at, sign in enumerate(_ALPHABET) if at & low == low and at | high == high]
    if len(members) > _VAGUE:
        return "."
    return re.escape(members[0]) if len(members) == 1 else f"[{''.join(members)}]"


def base64_test(rules: Iterable[Rule]) -> Occurs:
    """Build the test whether a text may hold the base64 of a secret of ``rules``."""
    prefixes = {word for rule in rules for word in rule.keywords if len(word) >= _SHORTEST_WORD}
    names = {form for word in _KEYWORDS for form in (word, word.upper(), word.title())}
    signs = {sign for word in (*prefixes, *names, "-----BEGIN") for sign in _signs(word)}
    return occurs(sorted(signs))


def base64_runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and meaning of every run of base64 that means a text."""
    for found in _RUN.finditer(text):
        run = found[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            plain = base64.b64decode(run + "=" * (-len(run) % 4)).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
        yield found.start(), found.end(), plain


def readings(prefixes: Iterable[str]) -> tuple[Reading, ...]:
    """The spellings other than base64; ``prefixes`` are how the tokens begin that may be broken."""
    begins = "|".join(prefixes)
    broken = rf"(?:{begins})[A-Za-z0-9_.$/+=-]*[ \t│|]*(?:\\?\r?\n|\\+n)"
    return tuple(
        Reading(trigger, occurs([trigger]), read, tokens)
        for trigger, read, tokens in (
            (broken, joiner(begins), True),
            ("%(?i:3[AD]|2[0256BDF]|5F|0A|40|7B)", percent_decoded, False),
            (r"\\u00[2-7][0-9A-Fa-f]", unescaped, False),
        )
    )
