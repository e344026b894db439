"""The wire format of protobuf, read without a schema: numbered fields, nothing more.

The blobs around chat messages are protobuf whose schema is not published; what is wanted of them
is their length-delimited fields (ids and texts). A library would not read them better: ``protobuf``
and ``betterproto`` want generated classes, ``blackboxprotobuf`` and ``bbpb`` guess a type for every
field, and each brings packages along. Fifty lines without a guess are easier to trust. Knows no
message.
"""

from collections.abc import Iterable

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
