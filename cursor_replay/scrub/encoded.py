"""Secrets in another spelling: percent codes, ``u`` escapes, base64, and lines broken inside one.

Owns which spellings are looked for and when. Each has a test of its own, so a text without such a
spelling costs that test alone. Which rules decide is the business of ``mask``.
"""

import base64
import binascii
import re
import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from cursor_replay.scrub.gate import Occurs, occurs
from cursor_replay.scrub.rules.rule import Rule
from cursor_replay.scrub.views import (
    INVISIBLE,
    View,
    joiner,
    percent_decoded,
    unbreaker,
    unescaped,
    visible,
    without_entities,
)

_KEYWORDS = ("password", "passwd", "secret", "token", "api_key", "apikey", "authorization", "://")
_SHORTEST_WORD, _VAGUE = 3, 16
"""A word of three letters is telling; a sign that may be one of more than 16 says nothing."""
_FILLS = (b"\0", b"\xff")
_ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
SHORTEST_RUN = 24
_ROW_END = re.compile(r"(?:\\r|\r)?(?:\n|\\n)")
_RUN = re.compile(
    # Rows as programs write them, of 64 or 76 signs; else one row of any length.
    rf"(?<![A-Za-z0-9+/_-])(?:(?:[A-Za-z0-9+/]{{64}}|[A-Za-z0-9+/]{{76}}){_ROW_END.pattern})++"
    r"[A-Za-z0-9+/]{1,76}+={0,2}"
    rf"|[A-Za-z0-9+/_-]{{{SHORTEST_RUN},}}+={{0,2}}"
)


_LINE_END = r"[ \t│|]*(?:\\?\r?\n|\\+n)"
_PART = "[A-Za-z0-9_.$/~+=-]"
_INSIDE = r"[0-9]Q~|\.atlasv1\.|[0-9a-f]-us[0-9]|[A-Za-z0-9]\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}"
"""The signs of tokens that stand inside them."""
_WORDLIKE = "cio|oy2|pat?|SK"
"""How tokens begin that are told from words by their length alone."""


class Reading(NamedTuple):
    """A spelling: its trigger, how it is read, and whether only tokens are looked for.

    A ``late`` one is read when what is found without it is gone. ``apart`` is asked in front of a
    trigger that costs more than the others.
    """

    trigger: str
    read: Callable[[str], View]
    tokens: bool = False
    late: bool = False
    apart: Occurs | None = None


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
    """Yield start, end and meaning of every run of base64 that means a text, also in rows."""
    for found in _RUN.finditer(text):
        start, end = found.span()
        if text[start - 1 : start] == "\\" and text[start] in "nrtbf":
            start += 1  # the letter of an escape is no part of it
        run = _ROW_END.sub("", text[start:end]).rstrip("=").replace("-", "+").replace("_", "/")
        try:
            plain = base64.b64decode(run + "=" * (-len(run) % 4)).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
        yield start, end, plain


def _broken_signs(halves: Iterable[tuple[str, str]]) -> str:
    """A pattern of prefixes that are broken by a line end, and of what else may be."""
    by_first: dict[str, set[str]] = {}
    for first, second in halves:
        by_first.setdefault(re.escape(first), set()).add(re.escape(second))
    line_end = r"(?:\\?\r?\n|\\+n)[ +>|-]*"
    pairs = (
        rf"{first}{line_end}(?:{'|'.join(sorted(seconds))})" for first, seconds in by_first.items()
    )
    words = rf"(?:{_WORDLIKE})[A-Za-z0-9]{{0,14}}{line_end}[a-z]{{0,11}}[A-Z0-9]"
    return rf"(?:\A|[ =:,(\"'`+-])(?:{words}|{'|'.join(pairs)}){_PART}{{8}}|{_INSIDE}"


def _is_beyond_ascii(text: str) -> bool:
    return not text.isascii()


def _has_lines(text: str) -> bool:
    return "\n" in text or "\\n" in text


def readings(prefixes: Iterable[str], halves: Sequence[tuple[str, str]]) -> tuple[Reading, ...]:
    """The spellings other than base64.

    ``prefixes`` are how the tokens begin that may be broken, ``halves`` are those broken in two.
    """
    begins = "|".join(prefixes)
    begun = "|".join(sorted({re.escape(first) for first, _ in halves}))
    broken = rf"(?:{begins})[A-Za-z0-9_.$/+=-]*{_LINE_END}"
    in_sign = _broken_signs(halves)
    return (
        Reading(broken, joiner(begins), tokens=True),
        Reading("%[2-7][0-9A-Fa-f]", percent_decoded),
        Reading(r"\\(?:u00|x)[2-7][0-9A-Fa-f]", unescaped),
        Reading("&(?:quot|apos|#)", without_entities),
        Reading(rf"[{INVISIBLE}][A-Za-z0-9_-]", visible, apart=_is_beyond_ascii),
        Reading(r"\[U\+[0-9A-F]+\][A-Za-z0-9_-]", visible),
        Reading(broken, joiner(begins, words=True), tokens=True, late=True),
        Reading(
            in_sign,
            unbreaker(begun, _WORDLIKE, _INSIDE, fronts=True),
            tokens=True,
            apart=_has_lines,
        ),
        Reading(
            in_sign,
            unbreaker(begun, _WORDLIKE, _INSIDE, fronts=False),
            tokens=True,
            apart=_has_lines,
        ),
    )
