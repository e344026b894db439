r"""A text read in another way: with its escapes resolved, or with its lines joined.

Owns how such a reading is made and how a span in it leads back to the text as it stands. A secret
is looked for in the reading and masked in the text. Knows no rule.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from typing import NamedTuple

_PERCENT = re.compile("(?:%[0-9A-Fa-f]{2})++")
_ESCAPE = re.compile(r"\\{1,7}(?:u00|x)([2-7][0-9A-Fa-f])")
_ENTITY = re.compile(r"&(?:(quot|apos|amp|lt|gt)|#0{0,4}(\d{2,3})|#[xX]0{0,4}([2-7][0-9A-Fa-f]));")
_NAMED = {"quot": '"', "apos": "'", "amp": "&", "lt": "<", "gt": ">"}

INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\u2061-\u2064\u206a-\u206f\u3164"
    "\ufe00-\ufe0f\uffa0\U0001d173-\U0001d17a\U000e0100-\U000e01ef"
)
"""Characters without a width, as the inside of a class; scripts and emoji need some of them."""
_HIDDEN = re.compile(rf"(?:[{INVISIBLE}]|\[U\+[0-9A-F]{{4,5}}\])++")

# A line end inside a token, with what a diff, a quote or a frame puts in front of the next line.
_INDENT = r"[ \t]{0,40}+"
_FRONT = (
    r"(?:[+>|│-][ \t]{0,8}+"
    # the number of a row
    r"|\d{1,6}(?:[ \t]{0,2}[│|→]|\t|\\{1,7}t)[ \t]{0,4}+)?+"
)
_BREAK = re.compile(
    rf"(?:[ \t]{{0,4}}+[│|][ \t]{{0,4}}+)?+(?:\\?\r?\n|\\{{1,7}}n){_INDENT}{_FRONT}(?=[\w./$=~+-])"
)
_LINE_TAIL = re.compile(r"(?:[ \t]{0,4}[│|][ \t]{0,4})?\\?\r?\Z")
_TAIL = 12
_PART = r"[A-Za-z0-9_.$/+=~-]"
_WORD = re.compile(rf"{_PART}+")
_LONG_WORD = re.compile(rf"{_PART}{{12}}")
_LAST_WORD = re.compile(rf"(?<!{_PART}){_PART}++\Z")
_LONGEST = 512
"""Characters of the longest part that is looked at."""
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


def _view(text: str, places: Iterable[tuple[int, list[Sign]]]) -> View:
    """Read ``text`` with other signs at some places, which are in order."""
    parts, plain, real = [], [0], [0]
    done = length = 0
    for start, signs in places:
        parts.append(text[done:start])
        length += start - done
        done = start
        for sign, size in signs:
            plain.append(length)
            real.append(done)
            parts.append(sign)
            length += len(sign)
            done += size
        plain.append(length)
        real.append(done)
    return View("".join([*parts, text[done:]]), plain, real)


def _read(text: str, code: re.Pattern[str], resolve: Callable[[re.Match[str]], list[Sign]]) -> View:
    """Resolve every match of ``code`` into signs, each with its length in the text."""
    return _view(text, ((found.start(), resolve(found)) for found in code.finditer(text)))


def percent_decoded(text: str) -> View:
    """``%3D`` as ``=``; what is no ASCII stays one sign a byte."""
    return _read(
        text, _PERCENT, lambda found: [(chr(int(code, 16)), 3) for code in found[0][1:].split("%")]
    )


def unescaped(text: str) -> View:
    r"""``\u005f`` and ``\x5f`` as ``_``."""
    return _read(text, _ESCAPE, lambda found: [(chr(int(found[1], 16)), len(found[0]))])


def without_entities(text: str) -> View:
    """``&quot;`` and ``&#34;`` as a quote."""

    def resolve(found: re.Match[str]) -> list[Sign]:
        name, decimal, hexadecimal = found.groups()
        sign = _NAMED[name] if name else chr(int(decimal) if decimal else int(hexadecimal, 16))
        return [(sign, len(found[0]))]

    return _read(text, _ENTITY, resolve)


def visible(text: str) -> View:
    """Without characters that have no width, and without the marks that stand for such."""
    return _read(text, _HIDDEN, lambda found: [("", len(found[0]))])


def unbreaker(pieces: str, words: str, inside: str, *, fronts: bool) -> Callable[[str], View]:
    """Build the reading without the line ends that may stand inside the sign of a token.

    In front of such a line end one of ``pieces`` of a prefix stands; or a random word stands behind
    it, and it is one of ``words`` that goes on, or the sign ``inside`` a token is near. With
    ``fronts`` a sign in front of a line is no part of it.
    """
    behind = re.compile(rf"(?:\n|\\{{1,7}}n){_INDENT}{_FRONT if fronts else ''}(?={_PART}{{12}})")
    piece = re.compile(rf"(?<![A-Za-z0-9])(?:{pieces})\Z")
    begun = re.compile(rf"(?<![A-Za-z0-9])(?:{words})[A-Za-z0-9]{{0,14}}\Z")
    sign = re.compile(inside)

    def goes_on(word: str, text: str, end: int) -> bool:
        if piece.search(word):
            return True
        near = word[-_LOOKED_AT:] + text[end : end + _LOOKED_AT]
        return _is_random(text, end) and bool(begun.search(word) or sign.search(near))

    def resolve(found: re.Match[str]) -> tuple[int, list[Sign]] | None:
        text, end = found.string, found.end()
        tail = _LINE_TAIL.search(text, max(0, found.start() - _TAIL), found.start())
        start = tail.start() if tail else found.start()
        word = _LAST_WORD.search(text, max(0, start - _LONGEST), start)
        return (start, [("", end - start)]) if word and goes_on(word[0], text, end) else None

    def read(text: str) -> View:
        return _view(text, filter(None, map(resolve, behind.finditer(text))))

    return read


def joiner(prefixes: str, *, words: bool = False) -> Callable[[str], View]:
    """Build the reading that joins lines where a token that begins with a prefix goes on.

    It goes on in a line that looks random or is as long as the one before; ``words`` says that any
    line will do.
    """
    token = re.compile(
        rf"(?:{prefixes}){_PART}{{0,512}}+(?:{_BREAK.pattern}(?!{prefixes}){_PART}{{4,512}}+"
        r"(?=[\s\"'`│|,;)\\]|\Z))++"
    )

    def join(text: str) -> View:
        return _read(text, token, lambda found: _continued(found, words=words))

    return join


def _continued(found: re.Match[str], *, words: bool) -> list[Sign]:
    """The lines of a token, and the line ends between them as nothing."""
    text = found[0]
    signs: list[Sign] = []
    done = width = 0
    ends = [each.span() for each in _BREAK.finditer(text)]
    for (start, end), (stop, _) in zip(ends, [*ends[1:], (len(text), 0)], strict=True):
        if not (words or stop - end == width or _is_random(text, end)):
            break
        signs.append((text[done:start], start - done))
        signs.append(("", end - start))
        done, width = end, stop - end
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
