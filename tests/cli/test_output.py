"""Sinks: standard output, the pager, and files that are whole or untouched."""

import io
import os
import sys
from pathlib import Path

import pytest

from cursor_replay.cli import output
from cursor_replay.errors import ReplayError


class Recorder(io.StringIO):
    """A stream that remembers what had been written at each flush."""

    def __init__(self, error=None):
        super().__init__()
        self.flushed = []
        self.error = error

    def write(self, text):
        if self.error:
            raise self.error
        return super().write(text)

    def flush(self):
        self.flushed.append(self.getvalue())


class Paged:
    def __init__(self, monkeypatch):
        self.text = None
        monkeypatch.setattr(output.click, "echo_via_pager", self.page)

    def page(self, pieces):
        self.text = "".join(pieces)


def failing(*pieces):
    yield from pieces
    raise KeyError("broke")


def test_arriving_input_is_shown_piece_by_piece(monkeypatch):
    monkeypatch.setattr(sys, "stdout", recorder := Recorder())
    output.to_stdout(["a", "b"], at_once=True)
    assert recorder.flushed[:2] == ["a", "ab"]


def test_a_file_is_written_through_the_buffer(monkeypatch):
    monkeypatch.setattr(sys, "stdout", recorder := Recorder())
    output.to_stdout(["a", "b"], at_once=False)
    assert recorder.flushed == ["ab"]


def test_stdout_is_utf8_whatever_the_locale_says(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", newline="\r\n"))
    output.to_stdout(["é\n"], at_once=False)
    assert raw.getvalue() == "é\n".encode()


def test_a_full_disk_is_told_and_a_closed_pipe_passes(monkeypatch):
    monkeypatch.setattr(sys, "stdout", Recorder(OSError(28, "No space left on device")))
    with pytest.raises(
        ReplayError, match=r"^cannot write standard output: No space left on device$"
    ):
        output.to_stdout(["a"], at_once=False)
    monkeypatch.setattr(sys, "stdout", Recorder(BrokenPipeError()))
    with pytest.raises(BrokenPipeError):
        output.to_stdout(["a"], at_once=False)


def test_what_fits_the_screen_is_not_paged(monkeypatch, capsys):
    paged = Paged(monkeypatch)
    output.to_pager(["a\n", "b\n"], height=3, always=False)
    assert (paged.text, capsys.readouterr().out) == (None, "a\nb\n")


def test_what_is_longer_is_paged_without_waiting_for_the_end(monkeypatch):
    paged = Paged(monkeypatch)
    with pytest.raises(KeyError):
        output.to_pager(failing("a\n", "b\nc\n"), height=3, always=False)
    output.to_pager(iter(["a\n", "b\nc\n", "d"]), height=3, always=False)
    assert paged.text == "a\nb\nc\nd"


def test_the_pager_can_be_asked_for(monkeypatch):
    paged = Paged(monkeypatch)
    output.to_pager(["a\n"], height=30, always=True)
    assert paged.text == "a\n"


def test_a_file_appears_whole(tmp_path):
    path = tmp_path / "out.md"
    output.to_file(["é", "\n"], path)
    assert path.read_bytes() == "é\n".encode()
    assert [one.name for one in tmp_path.iterdir()] == ["out.md"]


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "out.md"
    path.write_text("old")
    with pytest.raises(KeyError):
        output.to_file(failing("new"), path)
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["out.md"]


def test_mode_and_links_of_the_old_file_stay(tmp_path):
    path, link = tmp_path / "out.md", tmp_path / "link.md"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    output.to_file(["new"], link)
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to_not_replaced():
    output.to_file(["x"], Path(os.devnull))
    assert not Path(os.devnull).is_file()


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ReplayError, match=r"out\.md: No such file or directory$"):
        output.to_file(["x"], tmp_path / "none" / "out.md")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_disk_that_fills_up_is_told():
    with pytest.raises(ReplayError, match="cannot write /dev/full: No space left on device"):
        output.to_file(["x"], Path("/dev/full"))


def test_targets_that_cannot_be(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text("x")
    (tmp_path / "same").symlink_to(path)
    store = tmp_path / "chats" / "b2"
    store.mkdir(parents=True)
    (store / "store.db").write_text("x")
    (tmp_path / "index.db").write_text("x")
    (tmp_path / "index.db-wal").write_text("x")
    with pytest.raises(ReplayError, match="it is a folder; name a file in it"):
        output.check_target(tmp_path)
    inputs = [path, store, tmp_path / "index.db", tmp_path / "gone"]
    for target in (tmp_path / "same", path, store / "store.db", tmp_path / "index.db-wal"):
        with pytest.raises(ReplayError, match="will not write onto its own input"):
            output.check_overwrites(target, inputs)
    output.check_target(path)
    (tmp_path / "index.db.md").write_text("x")
    for target in (tmp_path / "new.md", store / "new.md", tmp_path / "index.db.md"):
        output.check_overwrites(target, inputs)
