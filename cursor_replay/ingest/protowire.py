"""The wire format of protobuf, read without a schema: numbered fields, nothing more.

The blobs around chat messages are protobuf whose schema is not published; what is wanted of them
is their length-delimited fields (ids and texts). A library would not read them better: ``protobuf``
and ``betterproto`` want generated classes, ``blackboxprotobuf`` and ``bbpb`` guess a type for every
field, and each brings packages along. Fifty lines without a guess are easier to trust. Knows no
message.
"""

import re
from collections.abc import Iterable

from cursor_replay.items import Json

Value = int | bytes
"""A varint or fixed number (unsigned, as on the wire), or the bytes of a delimited field."""
Fields = list[tuple[int, Value]]

_VARINT, _FIXED64, _DELIMITED, _FIXED32 = 0, 1, 2, 5
_WIDTHS = {_FIXED64: 8, _FIXED32: 4}
_LONGEST_VARINT = 10
_LAST_FIELD = 2**29 - 1


def read_fields(data: bytes) -> Fields | None:
    """The fields in wire order, repeated ones repeated; None when ``data`` is no message.

    Groups (wire types 3 and 4, retired before any of these stores) are not read. Never raises.
    """
    fields: Fields = []
    at = 0
    while at < len(data):
        step = _field(data, at)
        if step is None:
            return None
        number, value, at = step
        fields.append((number, value))
    return fields


def delimited(fields: Iterable[tuple[int, Value]], number: int) -> list[bytes]:
    """The length-delimited values of field ``number``, in order."""
    return [value for each, value in fields if each == number and isinstance(value, bytes)]


def text_of(fields: Iterable[tuple[int, Value]], number: int) -> str:
    """The last value of a string field (as protobuf reads one), empty when there is none."""
    values = delimited(fields, number)
    return values[-1].decode("utf-8", "replace") if values else ""


def _field(data: bytes, at: int) -> tuple[int, Value, int] | None:
    """(number, value, end) of the field at ``at``."""
    key = _varint(data, at)
    if key is None:
        return None
    tag, at = key
    number, kind = tag >> 3, tag & 7
    if not 0 < number <= _LAST_FIELD:
        return None
    if kind in _WIDTHS:
        end = at + _WIDTHS[kind]
        return (number, int.from_bytes(data[at:end], "little"), end) if end <= len(data) else None
    read = _varint(data, at) if kind in (_VARINT, _DELIMITED) else None
    if read is None or kind == _VARINT:
        return read and (number, *read)
    length, at = read
    end = at + length
    return (number, data[at:end], end) if end <= len(data) else None


def _varint(data: bytes, at: int) -> tuple[int, int] | None:
    value = 0
    for place, byte in enumerate(data[at : at + _LONGEST_VARINT]):
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return value, at + place + 1
    return None


_ID = 32
"""Bytes of the ids by which blobs name each other."""
_SHORTEST_TEXT = 6
_DEEPEST = 32
_NO_TEXT = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f]")
"""Characters of no text; the escape sequences of a terminal are some."""


def told_bytes(data: bytes, depth: int = _DEEPEST) -> Json:
    """What ``data`` means as JSON: a text, or the fields of a message, ``[number, value]`` each.

    A value is a number, a text, the fields of a message, ``{"id": hexadecimal}`` or, for any other
    bytes, ``{"bytes": count}``: what stands in them is nobody's to read.
    """
    text = _text(data)
    # A message of texts alone may be a text by its bytes, with a letter too much in front.
    if text is not None and not _holds_texts(data):
        return text
    fields = read_fields(data) if depth else None
    if fields is None:
        return {"bytes": len(data)}
    return [
        [number, value if isinstance(value, int) else _told_value(value, depth - 1)]
        for number, value in fields
    ]


def _told_value(value: bytes, depth: int) -> Json:
    told = told_bytes(value, depth)
    is_text = isinstance(told, str) or (isinstance(told, list) and _says_something(told))
    return {"id": value.hex()} if len(value) == _ID and not is_text else told


def _says_something(fields: Iterable[Json]) -> bool:
    """Whether a message of the size of an id holds a text, which a random one hardly does."""
    for field in fields:
        value = field[1] if isinstance(field, list) else None
        if isinstance(value, str) and len(value) >= _SHORTEST_TEXT:
            return True
        if isinstance(value, list) and _says_something(value):
            return True
    return False


def _text(value: bytes) -> str | None:
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if _NO_TEXT.search(text) else text


def _holds_texts(value: bytes) -> bool:
    fields = read_fields(value)
    return bool(fields) and all(isinstance(each, bytes) for _, each in fields or ())


def encoded(fields: list[Json]) -> bytes:
    """The message that ``told_bytes`` made ``fields`` of, without bytes that were only counted."""
    return b"".join(
        _encoded(each[0], each[1])
        for each in fields
        if isinstance(each, list) and len(each) == 2 and type(each[0]) is int
    )


def _encoded(number: int, value: Json) -> bytes:
    if type(value) is int:
        return _as_varint(number << 3) + _as_varint(value)
    if isinstance(value, str):
        data = value.encode("utf-8", "replace")
    elif isinstance(value, list):
        data = encoded(value)
    else:
        data = _id_of(value)
    return _as_varint(number << 3 | _DELIMITED) + _as_varint(len(data)) + data


def _id_of(value: Json) -> bytes:
    name = value.get("id") if isinstance(value, dict) else None
    try:
        return bytes.fromhex(name) if isinstance(name, str) else b""
    except ValueError:
        return b""


def _as_varint(number: int) -> bytes:
    data = bytearray()
    number &= 2**64 - 1
    while number >= 0x80:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*data, number])
