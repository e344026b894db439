"""The shape of a value behind its name: quoted, escaped in JSON, or bare; and tables of examples.

Knows no name. Whether a value is a secret is judged in ``judge``.
"""

import re

from cursor_replay.scrub.rule import MASK


def string_of(depth: int) -> str:
    """Match a string whose quotes have ``depth`` backslashes, as in JSON inside JSON.

    It ends at such a quote, at a quote of an enclosing string, or with its line. Inside, a
    backslash has ``2 * depth + 2`` of them and a quote one less.
    """
    quote, name = r"\\" * depth, f"q{depth}"
    inner = rf"\\{{{2 * depth + 2}}}|\\{{{2 * depth + 1}}}(?P={name})"
    # A string cut inside an escape, whose last backslash would take the outer quote with it.
    cut = rf"|\\\\(?=(?P={name}))" if depth == 1 else ""
    rest = rf"(?!{quote}(?P={name}))(?!(?P={name}))[^\n]"
    return rf"(?:{quote}(?P<{name}>[\"'`])((?:{inner}{cut}|{rest})*+))"


_TRIPLE = r"(?P<triple>\"\"\"|''')((?:(?!(?P=triple))[^\n])*+)"
QUOTED = rf"[fbru]{{0,2}}(?:{'|'.join([_TRIPLE, *map(string_of, (0, 1, 2, 3, 7))])})"
# Inside an unquoted value brackets and & count only when the value visibly goes on.
BARE = (
    r"(?P<bare>(?:[^\s\"'`,;&\\<>|()\[\]{}]|[()\[\]{}](?=\w)"
    r"|&(?![\w.\[\]-]{1,40}=|amp;|&|\s|\Z))++)"
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
