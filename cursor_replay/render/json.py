"""The JSON output: one item a line, and the JSON Schema of such a line.

The document *is* the item (see ``items.py``): a field that is None is left out, keys of a card's
``details`` are camel case, everything else keeps its name. JSON values inside ``arguments`` are
kept whole, nulls included.
"""

from dataclasses import replace
from functools import cache
from inspect import cleandoc
from typing import Annotated, Any, get_args

from pydantic import Field, TypeAdapter
from pydantic_core import PydanticSerializationError

from cursor_replay import items
from cursor_replay.items import Card, Item, Json, Sealed

MAX_DEPTH = 100
"""Levels of nesting kept in arguments that are too deep for the serialiser (it stops at 255)."""

TOO_DEEP = "[nested too deeply]"

_BREAKS = (("\x85", "\\u0085"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))
"""Line ends to many readers though not to JSON: escaped, so a line stays one line."""


def one_line(text: str) -> str:
    """JSON ``text`` without a character that some reader takes for the end of a line."""
    if not text.isascii():
        for char, written in _BREAKS:
            text = text.replace(char, written)
    return text


class JsonRenderer:
    """Renders an item as one line of UTF-8 JSON, non-ASCII text kept as it is."""

    def __init__(self) -> None:
        """Build one serialiser a type: faster than a union that has to look first."""
        self._dump = {kind: TypeAdapter[Any](kind).serializer.to_json for kind in get_args(Item)}

    def render(self, sealed: Sealed) -> str:
        """Return the line, its line feed included."""
        try:
            line = self._line(sealed.item)
        except PydanticSerializationError:
            line = self._line(_shallower(sealed.item))
        return one_line(line) + "\n"

    def _line(self, item: Item) -> str:
        dump = self._dump[type(item)]
        return dump(item, by_alias=True, exclude_none=True, warnings=False).decode()


def _shallower(item: Item) -> Item:
    if not isinstance(item, Card):
        return item
    return replace(item, arguments=_cut(item.arguments, MAX_DEPTH))


def _cut(value: Json, depth: int) -> Json:
    if not isinstance(value, dict | list):
        return value
    if not depth:
        return TOO_DEEP
    if isinstance(value, list):
        return [_cut(one, depth - 1) for one in value]
    return {key: _cut(one, depth - 1) for key, one in value.items()}


@cache
def _adapter() -> TypeAdapter[Any]:
    """Build the union once, when the schema is asked for."""
    return TypeAdapter(Annotated[Item, Field(discriminator="type")])


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one line: a ``oneOf`` told apart by ``type``."""
    made = _adapter().json_schema(by_alias=True, mode="serialization")
    defs = {name: _documented(name, _plain(one)) for name, one in made.pop("$defs").items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "One line of the JSON output of cursor-replay.",
        **made,
        "$defs": defs,
    }


def _documented(name: str, shape: dict[str, Any]) -> dict[str, Any]:
    """Say what the class says, in plain words, and require what every line carries."""
    fields = shape["properties"]
    return {
        "type": "object",
        "description": _prose(getattr(items, name).__doc__),
        "properties": {key: _field(one) for key, one in fields.items()},
        "required": [key for key, one in fields.items() if "anyOf" not in one],
    }


def _prose(doc: str) -> str:
    return cleandoc(doc).replace("``", "`").replace(":class:", "")


def _field(shape: dict[str, Any]) -> dict[str, Any]:
    """Drop the null of an optional field: such a field is left out instead."""
    if "anyOf" not in shape:
        return {key: value for key, value in shape.items() if key != "default"}
    rest = {key: value for key, value in shape.items() if key not in {"anyOf", "default"}}
    options = [one for one in shape["anyOf"] if one != {"type": "null"}]
    if len(options) == 1:
        return {**options[0], **rest}
    return {"oneOf": options, "discriminator": {"propertyName": "variant"}, **rest}


def _plain(shape: Any) -> Any:
    """Drop the generated titles, which only repeat the keys."""
    if isinstance(shape, list):
        return [_plain(one) for one in shape]
    if not isinstance(shape, dict):
        return shape
    return {
        key: _plain(value)
        for key, value in shape.items()
        if not (key == "title" and isinstance(value, str))
    }
