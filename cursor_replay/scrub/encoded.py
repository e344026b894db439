"""Secrets in another spelling: percent codes, ``u`` escapes, base64, and lines broken inside one.

Owns which spellings are looked for and when. Each has a test of its own, so a text without such a
spelling costs that test alone. Which rules decide is the business of ``mask``.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from cursor_replay.scrub.gate import Occurs, occurs
from cursor_replay.scrub.rule import Rule
from cursor_replay.scrub.views import View, joiner, percent_decoded, unescaped

_KEYWORDS = ("password", "passwd", "secret", "token", "api_key", "apikey", "authorization", "://")
_LEAST_SIGN = 4
SHORTEST_RUN = 24
_RUN = re.compile(rf"[A-Za-z0-9+/_-]{{{SHORTEST_RUN},}}+={{0,2}}")


class Reading(NamedTuple):
    """A spelling: its trigger, how it is read, and whether only tokens are looked for."""

    trigger: str
    occurs: Occurs
    read: Callable[[str], View]
    tokens: bool = False


def _signs(word: str) -> Iterator[str]:
    """What ``word`` looks like inside base64, at each of the three places it can begin."""
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + word.encode()).decode()
        first, last = (8 * shift + 5) // 6, 8 * (shift + len(word)) // 6
        if last - first >= _LEAST_SIGN:
            yield coded[first:last]


def base64_test(rules: Iterable[Rule]) -> Occurs:
    """Build the test whether a text may hold the base64 of a secret of ``rules``."""
    prefixes = {word for rule in rules for word in rule.keywords}
    names = {form for word in _KEYWORDS for form in (word, word.upper(), word.title())}
    signs = {sign for word in (*prefixes, *names, "-----BEGIN") for sign in _signs(word)}
    return occurs(map(re.escape, sorted(signs)))


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
    broken = rf"(?:{begins})[A-Za-z0-9_.$/+=-]{{2,}}[ \t│|]*\r?(?:\n|\\+n)"
    return tuple(
        Reading(trigger, occurs([trigger]), read, tokens)
        for trigger, read, tokens in (
            (broken, joiner(begins), True),
            ("%(?i:3[AD]|2[0256BDF]|5F|0A|40|7B)", percent_decoded, False),
            (r"\\u00[2-7][0-9A-Fa-f]", unescaped, False),
        )
    )
