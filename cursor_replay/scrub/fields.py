"""Which fields of an item hold text, found once from their annotations; and how an item is copied.

Knows no rule and no key.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin

from cursor_replay import items
from cursor_replay.items import Item

_NO_TEXT = (int, float, bool, type(None), ..., items.Time, items.Timing, items.Usage)


def _has_text(kind: Any) -> bool:
    """Whether a field of this annotation can hold a string that is not one of our own words."""
    if get_origin(kind) is Literal:
        return False
    if parts := get_args(kind):
        return any(map(_has_text, parts))
    return kind not in _NO_TEXT


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Read several attributes at once, as a tuple also when it is only one."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _text_fields() -> Mapping[type, tuple[str, ...]]:
    nested = (
        items.Evidence, items.Origin, items.ContextPart, items.TextContent, items.Incomplete,
        items.Image,
    )  # fmt: skip
    return MappingProxyType(
        {
            each: tuple(f.name for f in fields(each) if _has_text(f.type))
            for each in (*get_args(Item), *get_args(items.Details), *nested)
        }
    )


FIELDS = _text_fields()
TEXTS = MappingProxyType({kind: _getter(names) for kind, names in FIELDS.items()})
_NAMES = MappingProxyType({kind: tuple(f.name for f in fields(kind)) for kind in FIELDS})
_ALL = MappingProxyType({kind: _getter(names) for kind, names in _NAMES.items()})


def copy(value: Any, changes: dict[str, Any]) -> Any:
    """``dataclasses.replace`` in half its time; this is done for most cards."""
    kind = type(value)
    return kind(**dict(zip(_NAMES[kind], _ALL[kind](value), strict=True)) | changes)
