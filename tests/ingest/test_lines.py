"""Bytes to lines: the same lines in any chunking, and every repair is marked."""

import pytest

from cursor_replay.ingest.lines import MAX_LINE, Line, split_lines

BOM = b"\xef\xbb\xbf"


def lines(data: bytes, size: int | None = None, **how: int) -> list[Line]:
    step = size or max(len(data), 1)
    return list(split_lines((data[at : at + step] for at in range(0, len(data), step)), **how))


def texts(data: bytes, size: int | None = None) -> list[bytes]:
    return [line.data for line in lines(data, size)]


def test_nothing_gives_no_line() -> None:
    assert list(split_lines([])) == []
    assert list(split_lines([b"", b""])) == []


def test_lines_are_numbered_from_one_and_keep_blank_ones() -> None:
    assert [(line.number, line.data) for line in lines(b"a\n\nb\n")] == [
        (1, b"a"),
        (2, b""),
        (3, b"b"),
    ]


def test_a_last_line_without_its_end_is_whole_and_marked() -> None:
    assert lines(b"a\nb") == [Line(1, b"a"), Line(2, b"b", ended=False)]


def test_a_final_line_end_opens_no_line() -> None:
    assert lines(b"a\n") == [Line(1, b"a")]


def test_crlf_is_taken_off_and_marked() -> None:
    assert lines(b"a\r\nb\n") == [Line(1, b"a", crlf=True), Line(2, b"b")]


def test_only_one_carriage_return_is_taken_off() -> None:
    assert lines(b"a\r\r\n") == [Line(1, b"a\r", crlf=True)]


@pytest.mark.parametrize("marks", [1, 2, 3])
def test_leading_byte_order_marks_are_taken_off(marks: int) -> None:
    assert lines(BOM * marks + b"a\nb\n") == [Line(1, b"a", bom=True), Line(2, b"b")]


def test_a_byte_order_mark_in_a_later_line_stays() -> None:
    assert texts(b"a\n" + BOM + b"b\n") == [b"a", BOM + b"b"]


def test_only_a_line_feed_ends_a_line() -> None:
    inside = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg".encode()
    assert texts(inside + b"\n") == [inside]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 64])
def test_any_chunking_gives_the_same_lines(size: int) -> None:
    data = BOM + b"a\r\n\r\nlonger line\n\xc3\xa9\nlast"
    assert lines(data, size) == lines(data)


@pytest.mark.parametrize("size", [1, 3, 16, 1000])
def test_a_line_over_the_limit_is_dropped_with_its_size(size: int) -> None:
    data = b"short\n" + b"x" * 50 + b"\nafter\n"
    found = lines(data, size, limit=20)
    assert [line.dropped for line in found] == [0, 50, 0]
    assert [line.data for line in found][::2] == [b"short", b"after"]


def test_a_line_of_exactly_the_limit_is_kept() -> None:
    assert lines(b"x" * 20 + b"\n", limit=20) == [Line(1, b"x" * 20)]


def test_a_last_line_over_the_limit_is_dropped_too() -> None:
    (found,) = lines(b"x" * 50, 7, limit=20)
    assert (found.dropped, found.ended) == (50, False)


def test_a_line_far_over_the_limit_holds_no_more_than_its_head() -> None:
    found = lines(b"x" * 100_000 + b"\nb\n", 2000, limit=5000)
    assert [line.dropped for line in found] == [100_000, 0]
    assert len(found[0].data) <= 5000


def test_the_default_limit_is_64_mebibytes() -> None:
    assert MAX_LINE == 64 * 1024 * 1024


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("size", [1, 2, 3, None])
def test_utf_16_with_a_mark_is_read_as_text(encoding: str, size: int | None) -> None:
    mark = "" if encoding == "utf-16" else "\ufeff"
    data = f'{mark}{{"a":"ü🌊"}}\n5\n'.encode(encoding)
    assert texts(data, size) == ['{"a":"ü🌊"}'.encode(), b"5"]


def test_half_a_utf_16_character_at_the_end_is_replaced() -> None:
    assert texts("\ufeffab".encode("utf-16-le")[:-1]) == ["a\ufffd".encode()]


def test_a_single_byte_of_input_is_a_line() -> None:
    assert texts(b"\xff") == [b"\xff"]
