"""A scrubbed copy in the format of the original: bytes in, bytes out, as they were but for masks.

Owns what of a file is masked as JSON, string by string where it stands, and what as plain text.
Knows no format of transcripts: whatever holds secrets is JSON, lines of JSON, or text.
"""

import codecs
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count
from typing import NamedTuple

from cursor_replay.items import Json
from cursor_replay.scrub.deltas import LONGEST_DELTA, Cuts, Span, changes, cut, split_secrets
from cursor_replay.scrub.marks import PATTERN
from cursor_replay.scrub.places import ENDPOINT, HOME
from cursor_replay.scrub.seal import Sealer

_LARGEST_TEXT = 16 << 20
"""Bytes of text without JSON that are looked at in one piece."""
_DEEPEST = 100
"""Levels of JSON that are looked at as such."""
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_BEFORE = re.compile("[\ufeff\0\\s]*(?:data:[ \t]*)?")
_MARK = re.compile(PATTERN)
_SURROGATE = re.compile("[\ud800-\udfff]")
_KIND = re.compile(r"\[redacted:([a-z0-9-]+)")
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Finding(NamedTuple):
    """What was masked where: the rule, how many ``times``; no ``field`` in plain text."""

    rule: str
    line: int
    field: str
    times: int


class Copier:
    """Copies one file. ``sealer`` writes marks with kinds; ``plain`` takes them off at the end."""

    def __init__(self, sealer: Sealer, tell: Callable[[Finding], None], *, plain: bool) -> None:
        self._sealer = sealer
        self._tell = tell
        self._plain = plain
        self._cuts: Cuts = {}

    def copy(self, read: Callable[[], Iterable[bytes]]) -> Iterator[bytes]:
        """Yield the copy of a file that ``read`` gives in lines, each with its end, twice."""
        rest = iter(read())
        first = next(rest, b"")
        if coding := _UTF16.get(first[:2]):
            whole = b"".join([first, *rest]).decode(coding, "replace").encode()
            yield b"".join(self._copied(lambda: io.BytesIO(whole))).decode().encode(coding)
        else:
            yield from self._copied(read, chain((first,), rest))

    def _copied(
        self, read: Callable[[], Iterable[bytes]], begun: Iterator[bytes] | None = None
    ) -> Iterator[bytes]:
        self._cuts = split_secrets(_records(read()), self._sealer)
        return self._lines(begun or iter(read()))

    def _lines(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """JSON a line at a time; what is none is put together, for a key has many lines."""
        first = next(lines, b"")
        if first.lstrip(codecs.BOM_UTF8 + b" \t\r\n")[:1] in (b"{", b"[") and _value(first) is None:
            whole = b"".join([first, *lines])
            if (value := _value(whole)) is not None:
                yield self._json(whole, value, 1)
                return
            lines = iter(io.BytesIO(whole))
            first = next(lines, b"")
        held: list[bytes] = []
        size = number = 0
        for number, line in enumerate(chain((first,), lines), 1):
            value = _value(line)
            if held and (value is not None or size > _LARGEST_TEXT):
                yield self._text(b"".join(held), number - len(held))
                held, size = [], 0
            if value is not None:
                yield self._json(line, value, number)
            else:
                held.append(line)
                size += len(line)
        if held:
            yield self._text(b"".join(held), number + 1 - len(held))

    def _json(self, data: bytes, value: Json, line: int) -> bytes:
        cuts = self._cuts.get(line, {})
        sealed = self._sealer.value(_without(value, cuts, count()) if cuts else value)
        if sealed is value:
            return data
        text = _decoded(data)
        before, after = strings(value), strings(sealed)
        parts: list[str] = []
        last = 0
        for found, (_, old), (field, new) in zip(
            _STRING.finditer(text), before, after, strict=True
        ):
            if new != old:
                parts += text[last : found.start()], _spelled(self._finished(new), found[0])
                line += text.count("\n", last, found.start())
                last = found.end()
                self._told(_signs_in(new) - _signs_in(old), line, field)
        return _encoded("".join([*parts, text[last:]]))

    def _text(self, data: bytes, line: int) -> bytes:
        text = _decoded(data)
        masked = self._sealer.text(text)
        if masked == text:
            return data
        last = 0
        found: dict[int, Counter[str]] = {}
        for start, end, sign in changes(text, masked):
            line += text.count("\n", last, start)
            last = start
            found.setdefault(line, Counter()).update(_signs_in(sign) - _signs_in(text[start:end]))
        for at, rules in found.items():
            self._told(rules, at, "")
        return _encoded(self._finished(masked))

    def _finished(self, text: str) -> str:
        return _MARK.sub("[redacted]", text) if self._plain else text

    def _told(self, rules: Counter[str], line: int, field: str) -> None:
        for rule, times in rules.items():
            self._tell(Finding(rule, line, field, times))


def _without(value: Json, cuts: dict[int, list[Span]], places: Iterator[int]) -> Json:
    """``value`` without the parts of secrets that lie in several records."""
    if isinstance(value, str):
        spans = cuts.get(next(places))
        return cut(value, spans) if spans else value
    if isinstance(value, list):
        return [_without(element, cuts, places) for element in value]
    if isinstance(value, dict):
        return {
            key: _without(member, cuts, places)
            for key, member in value.items()
            if next(places) >= 0  # the place of the key
        }
    return value


def _records(lines: Iterable[bytes]) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """The number of each short line of JSON, and its strings."""
    for number, line in enumerate(lines, 1):
        if len(line) <= LONGEST_DELTA and (value := _value(line)) is not None:
            yield number, list(strings(value))


def strings(value: Json, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield (field, string) of every string, keys too, in the order in which they are written."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, dict):
        for key, member in value.items():
            inner = f"{field}.{key}" if field else key
            yield f"{field} (key)".lstrip(), key
            yield from strings(member, inner)
    elif isinstance(value, list):
        for place, element in enumerate(value):
            yield from strings(element, f"{field}[{place}]")


def _decoded(data: bytes) -> str:
    """The text; bytes that are no UTF-8 stand in it as lone surrogates, and so are given back."""
    return data.decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _value(data: bytes) -> Json | None:
    """The object or array that ``data`` is, behind what may stand in front of it; else None.

    What is nested too deeply and what has a key twice is none: it would not be whole.
    """
    if not data.lstrip(codecs.BOM_UTF8 + b"\0 \t\r\n").startswith((b"{", b"[", b"data:")):
        return None
    try:
        value = _loaded(_decoded(data))
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


def _spelled(text: str, before: str) -> str:
    """``text`` as JSON; a lone surrogate that stands in ``before`` was a byte there."""
    spelled = json.dumps(text, ensure_ascii=before.isascii())
    return _SURROGATE.sub(
        lambda found: found[0] if found[0] in before else f"\\u{ord(found[0]):04x}", spelled
    )


def _signs_in(text: str) -> Counter[str]:
    found = Counter(_KIND.findall(text))
    found["home"] = text.count(HOME)
    found["bridge-endpoint"] = text.count(ENDPOINT)
    return found
