"""Opening and reading: what cannot be read is one clear line, the rest streams."""

import io
import os
import socket
import threading
from pathlib import Path
from typing import Any, Self

import pytest
from ingest_words import codes, of, opened, read, texts, written

from cursor_replay.errors import InputError, StrictError
from cursor_replay.events import Noted, SessionSeen, TextSeen
from cursor_replay.ingest.source import StreamSource, open_source
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.pipeline import replay

USER: dict[str, Any] = {"role": "user", "message": {"content": [{"type": "text", "text": "q"}]}}


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "message": {"content": [{"type": "text", "text": text}]}}


def refusal(path: str, **how: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(path, **how)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    assert refusal(f"{tmp_path}/gone.jsonl") == f"{tmp_path}/gone.jsonl: no such file"


def test_a_dangling_link_is_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    assert refusal(f"{tmp_path}/link").endswith("no such file")


def test_a_link_loop_is_said(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert "cannot be opened" in refusal(f"{tmp_path}/a")


def test_a_folder_is_said(tmp_path: Path) -> None:
    assert refusal(str(tmp_path)) == f"{tmp_path} is a folder without a session known here"


def test_an_empty_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").touch()
    assert refusal(f"{tmp_path}/run.jsonl") == f"{tmp_path}/run.jsonl is empty"


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000])
def test_a_path_that_is_none_is_said(path: str) -> None:
    assert "cannot be opened" in refusal(path)


NOBODY = 65534


def test_an_unreadable_file_is_said(tmp_path: Path) -> None:
    path = Path(written(tmp_path, USER))
    path.chmod(0)
    mine = os.geteuid()
    if mine == 0:  # the superuser may read everything
        os.seteuid(NOBODY)
    try:
        assert refusal(str(path)) == f"{path}: not permitted to read it"
    finally:
        os.seteuid(mine)


def test_a_refused_permission_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, USER)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "open", refuse)
    assert refusal(path) == f"{path}: not permitted to read it"


def test_a_socket_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.jsonl")
        assert "cannot be opened" in refusal("s.jsonl")


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 8,
        b"\x7fELF\x02\x01\x01" + b"\0" * 100,
        b"\0" * 500,
        b"\x89PNG\r\n\x1a\n\0\0",
    ],
)
def test_a_binary_file_is_said(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(data)
    assert refusal(str(path)) == f"{path} is a binary file, not a transcript"


@pytest.mark.parametrize(
    "line", ['{"hello": "world"}', "# A readme", "[1, 2]", "null", "<html>", '{"type": "hologram"}']
)
def test_a_format_nobody_knows_is_said(line: str, tmp_path: Path) -> None:
    path = written(tmp_path, line)
    assert refusal(path) == (
        f"{path} is in no format known here (see `cursor-replay formats`; --input-format overrides)"
    )


def test_a_file_of_blank_lines_is_in_no_known_format(tmp_path: Path) -> None:
    assert "in no format known here" in refusal(written(tmp_path, "", "  ", ""))


def test_a_refusal_never_repeats_the_content(tmp_path: Path) -> None:
    assert "plover" not in refusal(written(tmp_path, "plover", '{"plover": 1}'))


def test_a_large_foreign_file_is_given_up_early(tmp_path: Path) -> None:
    path = written(tmp_path, *['{"hello": "world"}'] * 200_000)
    with opened(path) as source:
        with pytest.raises(InputError):
            list(source.events())
        assert source.position < 2_000_000


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(written(tmp_path, USER, said("a")))
    assert texts(read(f"{tmp_path}/link")) == ["a"]


def test_position_and_size_follow_the_reading(tmp_path: Path) -> None:
    path = written(tmp_path, USER, said("a"))
    source = open_source(path)
    assert (source.position, source.size) == (0, Path(path).stat().st_size)
    list(source.events())
    assert source.position == source.size


def test_the_first_event_comes_before_the_file_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, USER, *[said("x" * 1000)] * 1000)
    with opened(path) as source:
        next(iter(source.events()))
        assert source.size is not None
        assert source.position <= 64 * 1024 < source.size


def test_a_long_file_is_read_whole(tmp_path: Path) -> None:
    path = written(tmp_path, USER, *[said("x" * 1000)] * 3000)
    assert len(texts(read(path))) == 3000


def test_a_pipe_streams_line_by_line(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    seen = threading.Event()
    late: list[bool] = []

    def write() -> None:
        with fifo.open("wb", buffering=0) as pipe:
            pipe.write(b'{"role":"user","message":{"content":"q"}}\n')
            late.append(seen.wait(timeout=20))
            pipe.write(b'{"role":"assistant","message":{"content":"a"}}\n')

    writer = threading.Thread(target=write)
    writer.start()
    source = open_source(str(fifo))
    assert source.size is None
    events = source.events()
    first = [next(events), next(events)]
    seen.set()
    rest = list(events)
    writer.join()
    assert late == [True]
    assert [type(event).__name__ for event in first] == ["SessionSeen", "PromptSeen"]
    assert texts(rest) == ["a"]


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.write(writing, b'{"role":"assistant","message":{"content":"a"}}\n')
    os.close(writing)
    with open(reading) as stdin:  # noqa: PTH123 - a descriptor has no path
        monkeypatch.setattr("sys.stdin", stdin)
        source = open_source("-")
        assert (source.name, source.size) == ("<stdin>", None)
        events = list(source.events())
    assert texts(events) == ["a"]
    assert events[0].origin.file == "<stdin>"


def test_empty_standard_input_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(writing)
    with open(reading) as stdin:  # noqa: PTH123 - a descriptor has no path
        monkeypatch.setattr("sys.stdin", stdin)
        assert refusal("-") == "<stdin> is empty"


def test_a_stream_without_read1_is_read_too() -> None:
    class Plain:
        def __init__(self) -> None:
            self.parts = [b'{"role":"assistant",', b'"message":{"content":"a"}}\n', b""]

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def close(self) -> None:
            self.parts = []

        def read(self, _: int) -> bytes:
            return self.parts.pop(0)

    source = StreamSource(Plain(), name="x", size=None, form=None, max_line=1000)  # type: ignore[arg-type]
    assert texts(source.events()) == ["a"]


def test_a_line_over_the_limit_is_named_with_its_size(tmp_path: Path) -> None:
    path = written(tmp_path, USER, said("x" * 5000), said("after"))
    events = read(path, max_line=2000)
    (note,) = of(events, Noted)
    assert (note.code, note.origin.line, note.problem) == ("line-too-long", 2, True)
    assert note.message == "5,077 bytes long, over the limit (--max-line raises it)"
    assert texts(events) == ["after"]


def test_a_file_of_one_long_line_is_in_no_known_format(tmp_path: Path) -> None:
    told = refusal(written(tmp_path, said("x" * 5000)), max_line=100)
    assert told.endswith("holds no record under the limit for lines (--max-line raises it)")


def test_the_session_comes_before_the_notes_of_the_first_line(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbf" + b'{"role":"assistant","message":{"content":"a"}}\r')
    events = read(path)
    assert isinstance(events[0], SessionSeen)
    assert sorted(codes(events)) == ["byte-order-mark", "crlf"]


def test_what_was_held_back_before_the_first_record_is_not_lost(tmp_path: Path) -> None:
    events = read(written(tmp_path, "junk", '{"type": "hologram"}', said("a"), "more junk"))
    assert codes(events) == ["not-json", "unknown-record", "not-json"]
    assert [event.origin.line for event in of(events, Noted)] == [1, 2, 4]
    assert texts(events) == ["a"]


def test_a_record_that_fits_but_does_not_validate_is_noted(tmp_path: Path) -> None:
    events = read(written(tmp_path, said("a"), {"role": "user", "message": 5, "content": 5}))
    assert codes(events) in ([], ["unknown-record"])
    events = read(written(tmp_path, said("a"), {"type": "user", "text": 5}))
    assert codes(events) == ["unknown-record"]


def test_a_truncation_mark_is_noted(tmp_path: Path) -> None:
    events = read(written(tmp_path, said("a"), {"type": "artifact_truncated", "limitBytes": 5}))
    assert codes(events) == ["truncated-artifact"]


def test_the_records_of_an_array_are_told_apart_by_block(tmp_path: Path) -> None:
    deltas = '[{"type":"text-delta","text":"a"},{"type":"text-delta","text":"b"}]'
    events = read(written(tmp_path, deltas))
    assert [event.origin.block for event in of(events, TextSeen)] == [0, 1]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"junk", "not json"),
        (b'{"type": "hologram"}', "unknown record"),
        (b'{"role": "assistant", "message": {"content": [5]}}', "unknown block"),
        (b"[1, 2]", "not an object"),
        (b'{"role": "assistant", "message": {"content": "\xff"}}', "invalid utf8"),
    ],
)
def test_strict_stops_at_the_first_problem(line: bytes, words: str, tmp_path: Path) -> None:
    path = written(tmp_path, USER, line, said("a"))
    with opened(path) as source, pytest.raises(StrictError) as caught:
        list(replay(source, strict=True))
    assert str(caught.value) == f"{path}:2: {words} (--strict)"


def test_strict_shows_what_came_before(tmp_path: Path) -> None:
    with opened(written(tmp_path, USER, said("a"), "junk")) as source:
        items = replay(source, strict=True)
        assert [next(items).item.type for _ in range(3)] == ["session", "prompt", "answer"]
        with pytest.raises(StrictError):
            next(items)


def test_strict_does_not_mind_what_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"role":"assistant","message":{"content":"a"}}\r\n\r\n'
                     b'{"type":"error","error":"Provider Error"}')  # fmt: skip
    items = [each.item.type for each in replay(open_source(str(path)), strict=True)]
    assert items.count("answer") == 1


def test_every_line_of_a_crlf_file_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b'{"role":"assistant","message":{"content":"a"}}\r\n' * 3)
    events = read(str(path))
    assert codes(events) == ["crlf"] * 3
    assert texts(events) == ["a"] * 3


def test_a_closed_source_has_let_go_of_its_file(tmp_path: Path) -> None:
    source = open_source(written(tmp_path, USER, said("a")))
    source.close()
    assert source._stream.closed


def test_strict_lets_go_of_the_file_when_it_stops(tmp_path: Path) -> None:
    source = open_source(written(tmp_path, USER, "junk", said("a")))
    with pytest.raises(StrictError):
        list(replay(source, strict=True))
    assert source._stream.closed


def test_a_session_cannot_be_chosen_in_one_recording(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"role":"user","message":{"content":"q"}}\n', encoding="utf-8")
    with pytest.raises(InputError, match="--session goes with a store of several"):
        open_source(str(path), options=ReadOptions(session="x"))


def test_a_file_can_be_opened_again_and_a_pipe_cannot(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"role":"user","message":{"content":"q"}}\n', encoding="utf-8")
    source = open_source(str(path), input_format="transcript")
    assert list(source.again().events()) == list(source.events())
    pipe = StreamSource(io.BytesIO(b""), name="<stdin>", size=None)
    with pytest.raises(InputError, match="can be read only once"):
        pipe.again()
