"""Whether a quote behind a name opens a value, or ends the string in which the name stands.

Owns how quotes are counted in code that stands in JSON, to any depth: only those with as many
backslashes as the one in question count. Knows no name and no value.
"""

import re
from functools import lru_cache

_LINE = 256
"""Characters in front of a name that are looked at, to the beginning of its line."""
_NEW_LINE = re.compile(r"\n|\\{1,7}[nr]")
_BLANK = re.compile(r"\s|\\{1,7}[nrt]")


def depth_of(text: str, quote: int) -> int:
    """How many backslashes stand in front of the quote at ``quote``."""
    at = quote
    while text[at - 1 : at] == "\\":
        at -= 1
    return quote - at


@lru_cache(maxsize=32)
def _edges(mark: str, depth: int) -> re.Pattern[str]:
    """Quotes of this depth that are no apostrophe inside a word."""
    quote = rf"\\{{{depth}}}{mark}"
    return re.compile(rf"(?<![\w\\]){quote}|(?<!\\){quote}(?!\w)")


def is_inside(text: str, name: int, quote: int) -> bool:
    """Whether the name at ``name`` stands in a string which the quote at ``quote`` would end."""
    before = text[max(0, name - _LINE) : name]
    line = before[max((found.end() for found in _NEW_LINE.finditer(before)), default=0) :]
    return len(_edges(text[quote], depth_of(text, quote)).findall(line)) % 2 == 1


def ends_code(text: str, name: int, end: int, quote: int) -> bool:
    """Tell the quote that ends an inline ``password=`` from one that opens a value.

    ``end`` is where the operator behind the name ends.
    """
    if text[end : quote - depth_of(text, quote)].strip(" \t"):
        return False
    if text[quote] == "`":
        ended = not text[quote + 1 : quote + 2].isalnum()
    else:
        ended = _BLANK.match(text, quote + 1) is not None
    return ended and is_inside(text, name, quote)
