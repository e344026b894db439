"""JSON as it stands in a file: its value, and new strings put in the place of old ones.

Owns what of a file is taken as JSON, and how a string is spelled there. Numbers, spacing and the
spelling of strings that stay are never touched. Knows no secret.
"""

import codecs
import json
import re
from collections.abc import Iterable, Iterator

from cursor_replay.items import Json

_DEEPEST = 100
"""Levels of JSON that are looked at as such."""
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_BEFORE = re.compile("[\ufeff\0\\s]*(?:data:[ \t]*)?")
_BEGINS = (b"{", b"[", b"data:")
_BLANK = codecs.BOM_UTF8 + b"\0 \t\r\n"
_LINE = re.compile(rb"\n[\xef\xbb\xbf\0 \t\r]*+(?:[{\[]|data:)")
_SURROGATE = re.compile("[\ud800-\udfff]")


def decoded(data: bytes) -> str:
    """The text; bytes that are no UTF-8 stand in it as lone surrogates, and so are given back."""
    return data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """The bytes that ``decoded`` made ``text`` of."""
    return text.encode("utf-8", "surrogateescape")


def may_be_values(lines: bytes) -> Iterator[tuple[int, int]]:
    """Yield start and end of every line that may be a value; few lines of a text are asked."""
    if lines.lstrip(_BLANK).startswith(_BEGINS):
        yield 0, lines.find(b"\n") + 1 or len(lines)
    for found in _LINE.finditer(lines):
        start = found.start() + 1
        yield start, lines.find(b"\n", start) + 1 or len(lines)


def value_of(data: bytes) -> Json | None:
    """The object or array that ``data`` is, behind what may stand in front of it; else None.

    What is nested too deeply and what has a key twice is none: it would not be whole.
    """
    if not data.lstrip(_BLANK).startswith(_BEGINS):
        return None
    try:
        value = _loaded(decoded(data))
    except (ValueError, RecursionError):
        return None
    may_be_deep = data.count(b"{") + data.count(b"[") > _DEEPEST
    return None if may_be_deep and _is_deep(value) else value


def _is_deep(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(_DEEPEST):
        level = [inner for each in level if isinstance(each, (dict, list)) for inner in _in(each)]
    return any(isinstance(each, (dict, list)) for each in level)


def _in(value: dict[str, Json] | list[Json]) -> Iterable[Json]:
    return value.values() if isinstance(value, dict) else value


def _loaded(text: str) -> Json:
    before = _BEFORE.match(text)
    start = before.end() if before else 0
    value: Json = _DECODER.decode(text[start:].rstrip("\0 \t\r\n"))
    return value if isinstance(value, (dict, list)) else None


def _object(members: list[tuple[str, Json]]) -> dict[str, Json]:
    made = dict(members)
    if len(made) != len(members):
        raise ValueError("a key stands twice in an object")
    return made


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def spliced(text: str, new: dict[int, str]) -> Iterator[tuple[int, str]]:
    """Yield ``text`` in parts, each with the number of the string it is, or -1 between strings.

    ``new`` are the strings that changed, by their number among all strings of ``text``.
    """
    last = 0
    for number, found in enumerate(_STRING.finditer(text)):
        if number in new:
            yield -1, text[last : found.start()]
            yield number, _spelled(new[number], found[0])
            last = found.end()
    yield -1, text[last:]


def _spelled(text: str, before: str) -> str:
    """``text`` as JSON; a lone surrogate that stands in ``before`` was a byte there."""
    spelled = json.dumps(text, ensure_ascii=before.isascii())
    return _SURROGATE.sub(
        lambda found: found[0] if found[0] in before else f"\\u{ord(found[0]):04x}", spelled
    )
