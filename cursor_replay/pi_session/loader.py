"""Lines as pi's loader takes them: what it cannot parse it skips, and says nothing.

Owns the differences between pi's parser and ours: no byte order mark, no NaN, any depth. Never
raises on any bytes. Knows no entry.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from cursor_replay.pi_session.findings import Finding, found
from cursor_replay.pi_session.values import type_of


class LineLike(Protocol):
    """A line of a file, as ``ingest.lines.split_lines`` makes them; ``data`` has no line end."""

    @property
    def number(self) -> int:
        """1-based."""

    @property
    def data(self) -> bytes:
        """The bytes, without a byte order mark at the head of the file."""

    @property
    def ended(self) -> bool:
        """False for a last line without LF."""

    @property
    def crlf(self) -> bool:
        """Whether a CR stood in front of the LF."""

    @property
    def bom(self) -> bool:
        """Whether a byte order mark was taken off."""

    @property
    def dropped(self) -> int:
        """Bytes of a line that was over the size limit, of which ``data`` is the head; else 0."""


class Loaded(NamedTuple):
    """A line: its value (:data:`SKIPPED` if pi goes on without it) and what is wrong with it."""

    number: int
    value: Any
    faults: list[Finding]


class _Skipped:
    """Not a value."""


SKIPPED = _Skipped()
UNREAD = frozenset({"line-too-long", "nested-too-deeply"})
"""Faults of a line that pi may read and this program does not."""


def load(lines: Iterable[LineLike]) -> Iterator[Loaded]:
    """The value of every line; one line is held at a time."""
    windows = False
    for line in lines:
        loaded = _loaded(line)
        if line.crlf and not windows:  # a thing of the whole file, told once
            windows = True
            loaded.faults.append(found("windows-line-ends", line.number))
        yield loaded


def _loaded(line: LineLike) -> Loaded:
    number = line.number
    if line.dropped:
        return Loaded(number, SKIPPED, [found("line-too-long", number, bytes=line.dropped)])
    text = line.data.decode("utf-8", "replace")
    if not line.bom and not text.strip():
        return Loaded(number, SKIPPED, [found("blank-line", number)])
    try:
        value = _parsed(text)
    except RecursionError:
        return Loaded(number, SKIPPED, [found("nested-too-deeply", number)])
    except ValueError:
        return Loaded(number, SKIPPED, [found("not-json" if line.ended else "cut-line", number)])
    is_header = isinstance(value, dict) and value.get("type") == "session"
    if line.bom and not is_header:
        return Loaded(number, SKIPPED, [found("not-json", number)])
    faults = list(_faults(line, value, text))
    return Loaded(number, SKIPPED if _is_nothing(value) else value, faults)


def _faults(line: LineLike, value: Any, text: str) -> Iterator[Finding]:
    if line.bom:
        yield found("byte-order-mark", line.number)
    if not isinstance(value, dict):
        yield found("not-an-object", line.number, type=type_of(value))
    if "\ufffd" in text and text.encode("utf-8", "replace") != line.data:
        yield found("invalid-utf8", line.number)
    if not line.ended:
        yield found("no-final-newline", line.number)


def _is_nothing(value: Any) -> bool:
    """What JavaScript takes for false; a number or an array counts as an entry without fields."""
    return not value and not isinstance(value, (dict, list))


def _refuse(word: str) -> None:
    raise ValueError(word)


_STRICT = json.JSONDecoder(parse_constant=_refuse)
_ANY_SIZE = json.JSONDecoder(parse_constant=_refuse, parse_int=float)
"""Python makes no integer of thousands of digits, JavaScript takes any."""


def _parsed(text: str) -> Any:
    try:
        return _STRICT.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return _ANY_SIZE.decode(text)
