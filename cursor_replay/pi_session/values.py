"""Values of JSON, and what may be asked of them; a value that is not there is :data:`ABSENT`."""

import math
import re
from collections.abc import Callable
from typing import Any, TypeGuard

Object = dict[str, Any]
Test = Callable[[Any], bool]


class _Absent:
    """No value at all."""


ABSENT = _Absent()
_TYPES = {bool: "a boolean", int: "a number", float: "a number", list: "a list", dict: "an object"}
_CALL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NUMERAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def type_of(value: Any) -> str:
    """A value in words that tell its type only."""
    if value is None or value is ABSENT:
        return "absent" if value is ABSENT else "null"
    if isinstance(value, str):
        return "a string" if value else "an empty string"
    return _TYPES[type(value)]


def is_string(value: Any) -> bool:
    """A string."""
    return isinstance(value, str)


def is_name(value: Any) -> TypeGuard[str]:
    """A string that is not empty."""
    return isinstance(value, str) and value != ""


def is_number(value: Any) -> bool:
    """A number; a boolean is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_object(value: Any) -> bool:
    """An object."""
    return isinstance(value, dict)


def is_list(value: Any) -> bool:
    """A list."""
    return isinstance(value, list)


def is_words(value: Any) -> bool:
    """What a content may be: a string or a list of blocks."""
    return isinstance(value, (str, list))


def is_there(value: Any) -> bool:
    """Neither absent nor null, which JavaScript often takes for one."""
    return value is not None and value is not ABSENT


def is_filled(value: Any) -> bool:
    """Not an empty content."""
    return value not in ("", [])


def is_call_id(value: Any) -> bool:
    """An id that every model takes (pi facts 1.5)."""
    return not is_name(value) or _CALL_ID.fullmatch(value) is not None


def has_cost(value: Any) -> bool:
    """A usage whose costs can be added up."""
    return is_object(at(value, ("cost",)))


def has_counts(value: Any) -> bool:
    """A usage whose counts can be added up; one without a cost is another matter."""
    counts = ("input", "output", "cacheRead", "cacheWrite")
    numbers = [at(value, (name,)) for name in counts] + [at(value, ("cost", "total"))]
    return not has_cost(value) or all(map(is_number, numbers))


def is_replacement(value: Any) -> bool:
    """What a context_edit may put in the place of a message."""
    return value is None or is_words(at(value, ("content",)))


def one_of(*words: str) -> Test:
    """One of some strings."""
    return lambda value: isinstance(value, str) and value in words


def if_there(test: Test) -> Test:
    """Absent, null, or what passes ``test``."""
    return lambda value: not is_there(value) or test(value)


def at(value: Any, path: tuple[str, ...]) -> Any:
    """The value of a value, ABSENT where there is no object on the way."""
    for name in path:
        if not isinstance(value, dict):
            return ABSENT
        value = value.get(name, ABSENT)
    return value


def as_number(version: Any) -> float:
    """What JavaScript's ``>=`` makes of a version; an absent one is 1. NaN is older than any."""
    if not is_there(version):
        return 1.0
    if isinstance(version, list) and len(version) < 2:
        version = version[0] if version and isinstance(version[0], (str, int, float)) else ""
    if isinstance(version, str):
        text = version.strip()
        if not text:
            return 0.0
        return float(text) if _NUMERAL.fullmatch(text) else math.nan
    return _as_float(version) if isinstance(version, (int, float)) else math.nan


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
