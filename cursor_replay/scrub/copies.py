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
from itertools import chain
from typing import NamedTuple

from cursor_replay.items import Json
from cursor_replay.scrub.deltas import LONGEST_DELTA, Cuts, cut, split_secrets
from cursor_replay.scrub.marks import PATTERN
from cursor_replay.scrub.places import ENDPOINT, HOME
from cursor_replay.scrub.seal import Sealer

_LARGEST_TEXT = 16 << 20
"""Bytes of text without JSON that are looked at in one piece."""
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_BEFORE = re.compile("[\ufeff\0\\s]*(?:data:[ \t]*)?")
_MARK = re.compile(PATTERN)
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
        self._cuts = split_secrets(_records(read()), self._sealer)
        rest = iter(read())
        first = next(rest, b"")
        if coding := _UTF16.get(first[:2]):
            whole = b"".join([first, *rest]).decode(coding, "replace")
            copied = self._lines(io.BytesIO(whole.encode()))
            yield b"".join(copied).decode().encode(coding)
        else:
            yield from self._lines(chain((first,), rest))

    def _lines(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """JSON a line at a time; what is none is put together, for a key has many lines."""
        first = next(lines, b"")
        if first.lstrip(codecs.BOM_UTF8 + b" \t\r\n")[:1] in (b"{", b"[") and _value(first) is None:
            whole = b"".join([first, *lines])
            if _value(whole) is not None:
                yield self._json(whole, 1)
                return
            lines = iter(io.BytesIO(whole))
            first = next(lines, b"")
        held: list[bytes] = []
        size = number = 0
        for number, line in enumerate(chain((first,), lines), 1):
            is_json = _value(line) is not None
            if held and (is_json or size > _LARGEST_TEXT):
                yield self._text(b"".join(held), number - len(held))
                held, size = [], 0
            if is_json:
                yield self._json(line, number)
            else:
                held.append(line)
                size += len(line)
        if held:
            yield self._text(b"".join(held), number + 1 - len(held))

    def _json(self, data: bytes, line: int) -> bytes:
        text, coding = _decoded(data)
        value = _loaded(text)
        cuts = self._cuts.get(line, {})
        sealed = self._sealer.value(value)
        if sealed is value and not cuts:
            return data
        before, after = list(strings(value)), list(strings(sealed))
        for place, spans in cuts.items():
            field, old = before[place]
            after[place] = field, self._sealer.text(cut(old, spans))
        for (_, old), (field, new) in zip(before, after, strict=False):
            self._told(old, new, line, field)
        places = list(_STRING.finditer(text))
        if not len(before) == len(after) == len(places):
            # Repeated keys, or nested too deeply: it is written as every reader takes it.
            end = "\n" if text.endswith("\n") else ""
            whole = json.dumps(sealed, separators=(",", ":"))
            return (self._finished(whole) + end).encode(coding)
        parts: list[str] = []
        last = 0
        for found, (_, old), (_, new) in zip(places, before, after, strict=True):
            if new != old:
                parts += text[last : found.start()], _spelled(self._finished(new), found[0])
                last = found.end()
        return "".join([*parts, text[last:]]).encode(coding)

    def _text(self, data: bytes, line: int) -> bytes:
        text, coding = _decoded(data)
        masked = self._sealer.text(text)
        if masked == text:
            return data
        self._told(text, masked, line, "")
        return self._finished(masked).encode(coding)

    def _finished(self, text: str) -> str:
        return _MARK.sub("[redacted]", text) if self._plain else text

    def _told(self, old: str, new: str, line: int, field: str) -> None:
        if old == new:
            return
        for rule, count in (_marks_in(new) - _marks_in(old)).items():
            at = line if field else line + _lines_before(new, rule)
            self._tell(Finding(rule, at, field, count))


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


def _decoded(data: bytes) -> tuple[str, str]:
    """The text and its coding; bytes that are no UTF-8 are taken one by one, and so given back."""
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def _value(data: bytes) -> Json | None:
    """The object or array that ``data`` is, behind what may stand in front of it; else None."""
    if not data.lstrip(codecs.BOM_UTF8 + b"\0 \t\r\n").startswith((b"{", b"[", b"data:")):
        return None
    try:
        return _loaded(_decoded(data)[0])
    except (ValueError, RecursionError):
        return None


def _loaded(text: str) -> Json:
    before = _BEFORE.match(text)
    start = before.end() if before else 0
    value = json.loads(text[start:].rstrip("\0 \t\r\n"))
    return value if isinstance(value, (dict, list)) else None


def _spelled(text: str, before: str) -> str:
    return json.dumps(text, ensure_ascii=before.isascii())


def _marks_in(text: str) -> Counter[str]:
    found = Counter(_KIND.findall(text))
    found["home"] = text.count(HOME)
    found["bridge-endpoint"] = text.count(ENDPOINT)
    return +found


def _lines_before(text: str, rule: str) -> int:
    """Lines in front of the first mark of a rule."""
    sign = {"home": HOME, "bridge-endpoint": ENDPOINT}.get(rule, f"[redacted:{rule}")
    return text.count("\n", 0, max(text.find(sign), 0))
