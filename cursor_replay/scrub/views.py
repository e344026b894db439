r"""A text read in another way: with its escapes resolved, or with its lines joined.

Owns how such a reading is made and how a span in it leads back to the text as it stands. A secret
is looked for in the reading and masked in the text. Knows no rule.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import NamedTuple

_PERCENT = re.compile("(?:%[0-9A-Fa-f]{2})++")
_UNICODE = re.compile(r"\\{1,7}u00([2-7][0-9A-Fa-f])")

# A line end inside a token, with what a diff, a quote or a frame puts in front of the next line.
_BREAK = re.compile(
    r"(?:[ \t]{0,4}+[│|][ \t]{0,4}+)?+(?:\\?\r?\n|\\{1,7}n)[ \t]{0,40}+(?:[+>|│-][ \t]{0,8}+"
    # the number of a row
    r"|\d{1,6}(?:[ \t]{0,2}[│|→]|\t|\\{1,7}t)[ \t]{0,4}+)?+"
    r"(?=[\w./$=~+-])"
)
_PART = r"[A-Za-z0-9_.$/+=~-]"
_WORD = re.compile(rf"{_PART}+")
_LOOKED_AT = 64
"""Characters of a line that tell whether it is random."""
_MIXED = re.compile(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z]).{6}|[A-Z\d]{12}|[\d-]{10}")
_CHANGE = re.compile(r"(?<=[a-z])[A-Z0-9]|(?<=[A-Z])[a-z0-9]|(?<=\d)[A-Za-z]")


Sign = tuple[str, int]
"""What a piece of the text means, and its length as it stands."""


class View(NamedTuple):
    """A reading of a text; ``plain`` and ``real`` are the same places in both, in order."""

    text: str
    plain: list[int]
    real: list[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text as it stands a span of the reading is."""
        left = bisect_right(self.plain, start) - 1
        right = bisect_left(self.plain, end)
        if right == len(self.plain) or self.plain[right] != end:
            right -= 1
        return (
            self.real[left] + start - self.plain[left],
            self.real[right] + end - self.plain[right],
        )


def _read(text: str, code: re.Pattern[str], resolve: Callable[[re.Match[str]], list[Sign]]) -> View:
    """Resolve every match of ``code`` into signs, each with its length in the text."""
    parts, plain, real = [], [0], [0]
    done = length = 0
    for found in code.finditer(text):
        parts.append(text[done : found.start()])
        length += found.start() - done
        at = found.start()
        for sign, size in resolve(found):
            plain.append(length)
            real.append(at)
            parts.append(sign)
            length += len(sign)
            at += size
        plain.append(length)
        real.append(at)
        done = found.end()
    return View("".join([*parts, text[done:]]), plain, real)


def percent_decoded(text: str) -> View:
    """``%3D`` as ``=``; what is no ASCII stays one sign a byte."""
    return _read(
        text, _PERCENT, lambda found: [(chr(int(code, 16)), 3) for code in found[0][1:].split("%")]
    )


def unescaped(text: str) -> View:
    r"""``\u005f`` as ``_``."""
    return _read(text, _UNICODE, lambda found: [(chr(int(found[1], 16)), len(found[0]))])


def joiner(prefixes: str) -> Callable[[str], View]:
    """Build the reading that joins lines where a token that begins with a prefix goes on."""
    token = re.compile(
        rf"(?:{prefixes}){_PART}{{0,512}}+(?:{_BREAK.pattern}(?!{prefixes}){_PART}{{4,512}}+"
        r"(?=[\s\"'`│|,;)\\]|\Z))++"
    )

    def join(text: str) -> View:
        return _read(text, token, _continued)

    return join


def _continued(found: re.Match[str]) -> list[Sign]:
    """The lines of a token, and the line ends between them as nothing."""
    text = found[0]
    signs: list[Sign] = []
    done = 0
    for line_end in _BREAK.finditer(text):
        if not _is_random(text, line_end.end()):
            break
        signs.append((text[done : line_end.start()], line_end.start() - done))
        signs.append(("", line_end.end() - line_end.start()))
        done = line_end.end()
    return [*signs, (text[done:], len(text) - done)]


def _is_random(text: str, at: int) -> bool:
    """Whether a line begins with a part of a token, not with a word: it mixes kinds of letters."""
    word = _WORD.match(text, at, at + _LOOKED_AT)
    return bool(word and (_MIXED.match(word[0]) or len(_CHANGE.findall(word[0])) > 1))


def end_of_part(text: str, end: int) -> int:
    """Where the word ends in which a token ends that was broken: the rest of it is no word."""
    rest = _WORD.match(text, end)
    return rest.end() if rest else end


def breaks_in(text: str) -> str:
    """The line ends of a masked span, with what stands in front of the lines: a patch stays one."""
    return "".join(found[0] for found in _BREAK.finditer(text))
