"""Pretty-printed documents, and stray brackets that open none."""

import json
from pathlib import Path

import pytest
from ingest_words import codes, read, texts

from cursor_replay.ingest.documents import join_document
from cursor_replay.ingest.lines import Line, split_lines

BOM = b"\xef\xbb\xbf"
RECORD = b'{"type":"text-delta","text":"high water"}'


def joined(data: bytes, size: int | None = None, limit: int = 10_000) -> list[Line]:
    step = size or len(data) or 1
    chunks = [data[at : at + step] for at in range(0, len(data), step)]
    return list(join_document(split_lines(chunks, limit=limit), limit=limit))


@pytest.mark.parametrize("size", [1, 4, None])
@pytest.mark.parametrize("indent", [0, 1, 2])
def test_a_pretty_printed_document_is_one_line(size: int | None, indent: int) -> None:
    document = json.dumps([{"a": 1}, {"b": 2}], indent=indent).encode()
    (found,) = joined(document, size)
    assert json.loads(found.data) == [{"a": 1}, {"b": 2}]
    assert (found.number, found.ended) == (1, True)


def test_it_may_have_a_mark_and_crlf() -> None:
    document = BOM + json.dumps({"a": [1]}, indent=1).replace("\n", "\r\n").encode()
    (found,) = joined(document)
    assert json.loads(found.data) == {"a": [1]}
    assert (found.bom, found.crlf) == (True, True)


def test_an_array_may_hold_one_record_on_its_own_line() -> None:
    (found,) = joined(b"[\n" + RECORD + b"\n]\n")
    assert json.loads(found.data) == [json.loads(RECORD)]


def test_one_over_the_limit_is_dropped_whole() -> None:
    document = json.dumps([{"a": "x" * 100}], indent=2).encode()
    (found,) = joined(document, 10, limit=50)
    assert found.dropped == len(document)


@pytest.mark.parametrize("data", [b"[1,\n2]\n", b"", b"{}\n"])
def test_a_bracket_with_more_on_its_line_opens_none(data: bytes) -> None:
    assert b"\n".join(line.data for line in joined(data)) == data.strip()


@pytest.mark.parametrize("bracket", [b"{", b"["])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_stray_bracket_leaves_the_records_after_it(
    tmp_path: Path, bracket: bytes, count: int
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(bracket + b"\n" + (RECORD + b"\n") * count)
    events = read(path)
    assert texts(events) == ["high water"] * count
    assert codes(events) == ["not-json"]


def test_a_document_that_is_none_after_all_is_lines_again(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"{\nhalf\n" + RECORD + b"\n")
    assert texts(read(path)) == ["high water"]
    assert [line.number for line in joined(path.read_bytes())] == [1, 2, 3]


def test_records_are_shown_before_the_input_ends() -> None:
    lines = join_document((Line(n, RECORD if n > 1 else b"{") for n in range(1, 9)), limit=1000)
    assert [next(lines).number for _ in range(4)] == [1, 2, 3, 4]
