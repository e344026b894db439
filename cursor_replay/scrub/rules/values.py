"""The shape of a value behind its name: quoted, escaped in JSON, or bare; and tables of examples.

Knows no name. Whether a value is a secret is judged in ``judge``.
"""

import re

from cursor_replay.scrub.rules.rule import MASK

_ENCLOSING = r"\\{0,7}\"[ \t]?(?:,[ \t]?[\\\"{\[]|[}\]]|:[ \t]?[\\\"{\[\d])"
"""The end of a JSON string in which another one was begun and never ended."""


def string_of(depth: int) -> str:
    """Match a string whose quotes have ``depth`` backslashes, as in JSON inside JSON.

    It ends at such a quote, at a quote of an enclosing string, or with its line. In other quotes
    than ``"``, a string that nothing closes ends at the next ``"``: most stand inside JSON.
    """
    quote, name = r"\\" * depth, f"single{depth}"
    single = _inside(depth, name)
    closed = rf"((?:(?!\\{{0,7}}\"){single})*+(?!{_ENCLOSING})(?:{single})*+)(?={quote}(?P={name}))"
    cut = r"((?:(?!\\{0,7}\")[^\n])*+)"
    double = rf"(?P<double{depth}>\")((?:{_inside(depth, f'double{depth}')})*+)"
    return rf"(?:{quote}(?:{double}|(?P<{name}>['`])(?:{closed}|{cut})))"


def _inside(depth: int, name: str) -> str:
    """One sign of a string: a backslash has ``2 * depth + 2`` of them and a quote one less."""
    inner = rf"\\{{{2 * depth + 2}}}|\\{{{2 * depth + 1}}}(?P={name})"
    # A string cut inside an escape, whose last backslash would take the outer quote with it.
    cut = rf"|\\\\(?=(?P={name}))" if depth == 1 else ""
    return rf"(?:{inner}{cut}|(?!\\{{0,{depth}}}(?P={name}))[^\n])"


_TRIPLE = (
    r"(?P<triple>\"\"\"|''')(?:((?:(?!(?P=triple))[^\n])*+)(?=(?P=triple))"
    r"|((?:(?!\\{0,7}\")[^\n])*+))"
)
QUOTED = rf"[fbru]{{0,2}}(?:{'|'.join([_TRIPLE, *map(string_of, (0, 1, 2, 3, 7))])})"
# Inside an unquoted value brackets, & and other signs count only when the value visibly goes on;
# also what JSON writes as an escape because it is no ASCII.
BARE = (
    r"(?P<bare>(?:[^\s\"'`,;&\\<>|()\[\]{}]|[()\[\]{}](?=\w)"
    r"|&(?![\w.\[\]-]{1,40}=|amp;|&|\s|\Z)"
    r"|[,;|'`](?=[^\s=:\"'`,;|<>\\()\[\]{}]{0,64}\d[^\s=:\"'`,;|<>\\()\[\]{}]{0,64}(?:[\s\"\\]|\Z))"
    r"|\\{1,7}u(?!00[0-7])[0-9A-Fa-f]{4})++)"
)


def lines_of(examples: str) -> tuple[str, ...]:
    """One example a line."""
    return tuple(line.strip() for line in examples.strip().splitlines())


def pairs_of(examples: str) -> tuple[tuple[str, str], ...]:
    """(before, after) of one example a line, in which the secret is written ``«so»``."""
    return tuple(
        (line.replace("«", "").replace("»", ""), re.sub("«.*?»", MASK, line))
        for line in lines_of(examples)
    )
