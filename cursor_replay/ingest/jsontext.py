"""One line of bytes to JSON values, with every repair named.

Owns what may be wrong inside a line: invalid UTF-8, lone surrogates, over-long numbers, nesting,
several values on a line, padding. Knows no record type. The words of a problem never repeat the
line's content.
"""

import codecs
import json
import re
from typing import NamedTuple

from pydantic_core import from_json

from cursor_replay.items import Json

MARK = "byte-order-mark"
"""The code of the one repair that loses nothing."""
_MARKS = re.compile(b"\\A(?:" + codecs.BOM_UTF8 + b")+")
_LONE = re.compile("[\ud800-\udfff]")
_MAX_DIGITS = 4000
DEEPEST = 400
"""Levels of nesting that are read; every stage behind this one can recurse as deep."""


class Decoded(NamedTuple):
    """Values found on a line and (code, words) of each repair or loss."""

    values: list[Json]
    problems: list[tuple[str, str]]


def decode(data: bytes, *, ended: bool = True) -> Decoded:
    """Decode one line; ``ended`` False allows for a half-written last line. Never raises."""
    try:
        return Decoded([from_json(data)], [])
    except ValueError:
        return _mend(data, ended=ended)


def _mend(data: bytes, *, ended: bool) -> Decoded:
    problems: list[tuple[str, str]] = []
    stripped = data.strip(b"\0 \t")
    if stripped.startswith(codecs.BOM_UTF8):  # a log of payloads has marks before each of them
        stripped = _MARKS.sub(b"", stripped)
        problems.append((MARK, "a byte order mark"))
    if not stripped:
        return Decoded([], [("nul-padding", "padding of NUL bytes")] if b"\0" in data else [])
    text = stripped.decode("utf-8", "replace")
    if "\ufffd" in text and not _is_utf8(stripped):
        problems.append(("invalid-utf8", "invalid UTF-8, shown with replacement characters"))
    try:
        values = list(_values(text))
        mended = [_without_lone_surrogates(value) for value in values]
    except RecursionError:
        return Decoded([], [*problems, ("too-deep", "nested too deeply to be read")])
    except ValueError:
        code = ("not-json", "not JSON") if ended else ("cut-line", "half written (cut off)")
        return Decoded([], [*problems, code])
    if len(values) > 1:
        problems.append(("several-values", "several JSON values on one line"))
    if any(changed for _, changed in mended):
        problems.append(("lone-surrogate", "a lone surrogate, shown as a replacement character"))
    return Decoded([value for value, _ in mended], problems)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _values(text: str) -> "list[Json]":
    decoder = json.JSONDecoder(parse_int=_bounded_int)
    values, at = [], 0
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        values.append(value)
        while at < len(text) and text[at] in " \t\r":
            at += 1
    if len(values) > 1 and not all(isinstance(value, dict) for value in values):
        raise ValueError  # `1 2 3` is prose, not records
    return values


def _bounded_int(digits: str) -> int | str:
    """Python refuses to convert very long integers; their digits are kept as text."""
    return int(digits) if len(digits) <= _MAX_DIGITS else digits


def _without_lone_surrogates(value: Json, depth: int = 0) -> tuple[Json, bool]:
    if isinstance(value, str):
        clean = _LONE.sub("\ufffd", value)
        return clean, clean != value
    if not isinstance(value, (list, dict)):
        return value, False
    if depth >= DEEPEST:
        raise RecursionError
    pairs = [
        _without_lone_surrogates(each, depth + 1)
        for each in (value.values() if isinstance(value, dict) else value)
    ]
    changed = any(flag for _, flag in pairs)
    if isinstance(value, list):
        return [each for each, _ in pairs], changed
    keys = [_without_lone_surrogates(key) for key in value]
    whole = {key: each for (key, _), (each, _) in zip(keys, pairs, strict=True)}
    return whole, changed or any(flag for _, flag in keys)
