import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.ingest.protowire import delimited, read_fields, text_of


def test_no_bytes_are_a_message_without_fields() -> None:
    assert read_fields(b"") == []


def test_every_wire_type_in_use_is_read_in_order() -> None:
    data = b"\x08\x96\x01" + b"\x12\x02hi" + b"\x1d\x01\x00\x00\x00" + b"\x21" + b"\xff" * 8
    assert read_fields(data) == [(1, 150), (2, b"hi"), (3, 1), (4, 2**64 - 1)]


def test_a_repeated_field_is_there_as_often_as_it_stands() -> None:
    fields = read_fields(b"\x0a\x01a\x0a\x01b\x0a\x00")
    assert fields is not None
    assert delimited(fields, 1) == [b"a", b"b", b""]


def test_a_field_number_may_take_several_bytes() -> None:
    assert read_fields(b"\xca\x03\x01x") == [(57, b"x")]


@pytest.mark.parametrize(
    "data",
    [
        b"\x08",  # a varint field without its value
        b"\x08\x80",  # a varint that stops
        b"\x08" + b"\x80" * 10 + b"\x01",  # a varint that is too long
        b"\x12\x05hi",  # fewer bytes than announced
        b"\x12",  # no length
        b"\x1d\x01",  # half a fixed number
        b"\x00\x01",  # field number zero
        b"\x80\x80\x80\x80\x10\x01",  # a field number beyond the last
        b"\x0b\x0c",  # a group
        b"\x0e",  # a wire type that does not exist
        b"\xff",
    ],
)
def test_what_is_no_message_is_none(data: bytes) -> None:
    assert read_fields(data) is None


def test_the_last_text_wins_and_its_bytes_need_not_be_utf8() -> None:
    assert text_of([(1, b"a"), (1, b"b\xff"), (2, b"c"), (1, 7)], 1) == "b\ufffd"
    assert text_of([], 1) == ""


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    fields = read_fields(data)
    assert fields is None or sum(len(v) for _, v in fields if isinstance(v, bytes)) <= len(data)


_VALUES = st.one_of(st.integers(0, 2**64 - 1), st.binary(max_size=40))


@given(st.lists(st.tuples(st.integers(1, 2**29 - 1), _VALUES), max_size=8))
def test_what_was_written_is_read(fields: list[tuple[int, int | bytes]]) -> None:
    data = b"".join(_written(number, value) for number, value in fields)
    assert read_fields(data) == fields


def _written(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    head = bytearray()
    while number > 0x7F:
        head.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*head, number])
