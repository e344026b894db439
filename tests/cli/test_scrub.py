"""``cursor-replay scrub``: a copy in the same format, whole or not there, and a report."""

import json
import os
import sqlite3
import stat
import subprocess
import threading
from contextlib import closing
from pathlib import Path

import pytest

TOKEN = "gh" + "p_" + "Q7w8E9" * 6
OTHER = "gh" + "p_" + "R3t4Z5" * 6
MARK = "[redacted:github-token]"


def record(text: str) -> str:
    return json.dumps(
        {"role": "assistant", "message": {"content": [{"type": "text", "text": text}]}}
    )


@pytest.fixture
def recording(tmp_path):
    path = tmp_path / "run.jsonl"
    lines = [record("all well"), record(f"use {TOKEN}"), record(f"{OTHER} and {TOKEN}")]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_copy_is_the_original_but_for_masks_and_the_original_stays(run, recording):
    before = recording.read_bytes()
    copy = recording.with_name("clean.jsonl")
    done = run("scrub", recording, "-o", copy)
    assert (done.exit_code, done.output) == (0, "")
    assert recording.read_bytes() == before
    assert copy.read_text() == before.decode().replace(TOKEN, MARK).replace(
        OTHER, "[redacted:github-token#2]"
    )
    assert run("render", copy).exit_code == 0


def test_a_copy_with_plain_marks(run, recording):
    done = run("scrub", recording, "-o", "-", "--mask", "plain")
    assert done.stdout == recording.read_text().replace(TOKEN, "[redacted]").replace(
        OTHER, "[redacted]"
    )


def test_the_report_tells_rule_place_and_number_but_no_secret(run, recording):
    done = run("scrub", recording, "--report")
    assert done.stdout == (
        "github-token      3  line 2 message.content[0].text, line 3 message.content[0].text\n"
    )
    assert run("scrub", recording, "--json").stdout == (
        '{"rule": "github-token", "line": 2, "field": "message.content[0].text", "times": 1}\n'
        '{"rule": "github-token", "line": 3, "field": "message.content[0].text", "times": 2}\n'
    )


def test_a_report_of_nothing_says_so(run, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(record("all well"))
    assert run("scrub", path, "--report").stdout == "nothing was masked\n"


def test_an_output_that_is_there_is_replaced_only_when_asked(run, recording, tmp_path):
    copy = tmp_path / "clean.jsonl"
    copy.write_text("mine")
    done = run("scrub", recording, "-o", copy)
    assert done.exit_code == 1
    assert "exists; --force replaces it" in done.output
    assert copy.read_text() == "mine"
    assert run("scrub", recording, "-o", copy, "--force").exit_code == 0
    assert MARK in copy.read_text()


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_the_original_is_never_the_output(run, recording, force):
    before = recording.read_bytes()
    done = run("scrub", recording, "-o", recording, *force)
    assert done.exit_code == 1
    assert "will not write onto its own input" in done.output
    assert recording.read_bytes() == before


def test_a_folder_is_copied_with_all_that_is_text(run, tmp_path, recording):
    folder = tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / f"{TOKEN}.txt").write_text(f"a {TOKEN}\n")
    (folder / "meta.json").write_text(json.dumps({"password": "x", "n": 1.0}, indent=2))
    (folder / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\1")
    (folder / "link").symlink_to(recording)
    done = run("scrub", folder, "-o", tmp_path / "out", "--report")
    assert done.exit_code == 0
    assert "left out: image.png is no text" in done.stderr
    assert "left out: link is a link" in done.stderr
    copied = {
        path.relative_to(tmp_path / "out").as_posix(): path.read_text()
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    }
    assert copied == {
        f"deep/{MARK}.txt": f"a {MARK}\n",
        "meta.json": '{\n  "password": "[redacted:password]",\n  "n": 1.0\n}',
    }
    assert TOKEN not in done.output
    assert f"deep/{MARK}.txt:1" in done.stdout


def test_a_folder_is_not_copied_into_itself_nor_over_another(run, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("x")
    assert "choose another place" in run("scrub", folder, "-o", folder / "out").output
    (tmp_path / "out").mkdir()
    assert "--force replaces it" in run("scrub", folder, "-o", tmp_path / "out").output
    assert run("scrub", folder, "-o", tmp_path / "out", "--force").exit_code == 0
    assert (tmp_path / "out" / "a.txt").read_text() == "x"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def test_of_a_database_the_rows_are_written_and_it_is_not_touched(run, tmp_path):
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE meta (key TEXT, value BLOB)")
        db.execute("INSERT INTO meta VALUES ('a', ?)", (json.dumps({"token": "x y"}).encode(),))
        db.execute("INSERT INTO meta VALUES (?, ?)", (TOKEN, b"\xff\x00\x01"))
        db.commit()
    before = path.read_bytes()
    done = run("scrub", path, "-o", "-")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"table": "meta", "row": {"key": "a", "value": {"token": "[redacted:token]"}}},
        {"table": "meta", "row": {"key": MARK, "value": {"bytes": 3}}},
    ]
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["store.db"]


def chats(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE cursorDiskKV (key TEXT, value BLOB)")
        for chat in ("aa1", "aa2", "bb1"):
            said = {"type": 1, "text": f"from {chat} with {TOKEN}"}
            head = {"fullConversationHeadersOnly": [{"bubbleId": "m", "type": 1}]}
            rows = ((f"composerData:{chat}", head), (f"bubbleId:{chat}:m", said))
            for key, value in rows:
                db.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", (key, json.dumps(value)))
    return path


def test_one_chat_of_several_is_copied_and_can_be_shown(run, tmp_path):
    path = chats(tmp_path / "state.vscdb")
    copy = tmp_path / "chat.ndjson"
    done = run("scrub", path, "--session", "bb", "-o", copy)
    assert (done.exit_code, done.output) == (0, "")
    text = copy.read_text()
    assert "bb1" in text
    assert "aa" not in text
    assert TOKEN not in text
    shown = run("render", copy, "-f", "text", "--no-pager")
    assert shown.exit_code == 0
    assert f"from bb1 with {MARK}" in shown.stdout


def test_a_copy_of_all_chats_can_be_asked_for_one(run, tmp_path):
    copy = tmp_path / "all.ndjson"
    assert run("scrub", chats(tmp_path / "state.vscdb"), "-o", copy).exit_code == 0
    assert "holds 3 sessions" in run("render", copy).output
    assert "from aa2" in run("render", copy, "--session", "aa2", "-f", "text").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["state.vscdb", "--session", "zz"], "no session 'zz' in"),
        (["state.vscdb", "--session", "aa"], "'aa' is the beginning of 2 sessions"),
        (["run.jsonl", "--session", "aa"], "is one recording; --session goes with a database"),
        ([".", "--session", "aa"], "is a folder; --session goes with a database in it"),
    ],
)
def test_a_session_that_cannot_be_taken_is_told(*, run, recording, tmp_path, arguments, words):
    chats(tmp_path / "state.vscdb")
    name, *options = arguments
    for target in (["--report"], ["-o", tmp_path.parent / f"{tmp_path.name}-out"]):
        done = run("scrub", tmp_path / name, *options, *target)
        assert (done.exit_code in (1, 2), words in done.output) == (True, True), done.output
    assert not (tmp_path.parent / f"{tmp_path.name}-out").exists()
    assert recording.exists()


def test_names_that_mask_to_the_same_are_told_apart_and_empty_folders_stay(run, tmp_path):
    projects = tmp_path / "in" / ".cursor" / "projects"
    for name in ("home-jim-app", "home-joe-app"):
        (projects / name / "empty").mkdir(parents=True)
        (projects / name / "a.jsonl").write_text(record(name[5:8]))
    for token in (TOKEN, OTHER):
        (tmp_path / "in" / f"{token}.txt").write_text(token)
        (tmp_path / "in" / f"joe{token[-1]}@corp.com").mkdir()
    done = run("scrub", tmp_path / "in", "-o", tmp_path / "out", "--mask", "plain")
    assert (done.exit_code, done.output) == (0, "")
    copied = sorted(
        path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*")
    )
    assert len(copied) == len(list((tmp_path / "in").rglob("*")))
    assert {".cursor/projects/~-app-2/a.jsonl", ".cursor/projects/~-app/empty"} <= set(copied)
    assert not any(word in name for name in copied for word in ("joe", "jim", TOKEN, OTHER))


def test_the_rows_of_a_database_take_the_place_of_no_file(run, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "store.db")) as db:
        db.execute("CREATE TABLE meta (key TEXT)")
    (folder / "store.db.ndjson").write_text("mine")
    (folder / "store.db-journal").write_bytes(b"")
    (folder / "my-journal").write_text("kept")
    assert run("scrub", folder, "-o", tmp_path / "out").exit_code == 0
    assert {path.name: path.read_text() for path in (tmp_path / "out").iterdir()} == {
        "store.db.ndjson": "",
        "store.db-2.ndjson": "mine",
        "my-journal": "kept",
    }


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_copy_is_for_no_more_eyes_than_its_original(run, tmp_path, recording):
    folder = tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    recording.rename(folder / "deep" / "run.jsonl").chmod(0o600)
    (folder / "deep").chmod(0o700)
    run("scrub", folder / "deep" / "run.jsonl", "-o", tmp_path / "copy")
    assert mode_of(tmp_path / "copy") == 0o600
    (tmp_path / "copy").chmod(0o644)
    run("scrub", folder / "deep" / "run.jsonl", "-o", tmp_path / "copy", "--force")
    assert mode_of(tmp_path / "copy") == 0o600
    run("scrub", folder, "-o", tmp_path / "out")
    assert mode_of(tmp_path / "out" / "deep") == 0o700
    assert mode_of(tmp_path / "out" / "deep" / "run.jsonl") == 0o600
    assert mode_of(tmp_path / "out") == mode_of(folder)


def test_standard_input_is_copied(run, recording, tmp_path):
    text = recording.read_text()
    done = run("scrub", "-", "-o", "-", input=text)
    assert done.stdout == text.replace(TOKEN, MARK).replace(OTHER, "[redacted:github-token#2]")
    assert run("scrub", "-", "-o", tmp_path / "copy", input=text).exit_code == 0
    assert (tmp_path / "copy").read_text() == done.stdout
    assert "line 2 message" in run("scrub", "-", "--report", input=text).stdout


def test_a_pipe_and_its_name_are_read_once(recording, tmp_path, command, run):
    program, environment = command
    text = recording.read_bytes()
    done = subprocess.run(
        [*program, "scrub", "/dev/stdin", "-o", "-"],
        input=text, env=environment, capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout.count(b"[redacted:") == text.count(b"gh" + b"p_")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(text,))
    writer.start()
    assert run("scrub", pipe, "-o", "-").stdout_bytes == done.stdout
    writer.join()


FIXTURES = Path(__file__).parents[2] / "fixtures" / "reading"


@pytest.mark.parametrize("name", ["nul-padding-line", "nul-padding-behind-a-record"])
def test_padding_of_nul_is_no_binary_file(run, name):
    file = FIXTURES / name / "input.jsonl"
    done = run("scrub", file, "-o", "-")
    assert done.exit_code == 0
    assert done.stdout_bytes == file.read_bytes()


@pytest.mark.parametrize("to_file", [True, False])
def test_a_big_input_shows_how_far_it_is(run, recording, tmp_path, monkeypatch, to_file):
    monkeypatch.setattr("cursor_replay.cli.scrub.BIG", 10)
    monkeypatch.setattr("cursor_replay.cli.screen.is_terminal", lambda _: True)
    done = run("scrub", recording, "-o", tmp_path / "copy" if to_file else "-")
    assert done.exit_code == 0
    assert ("scrubbing" in done.stderr) == to_file


@pytest.mark.parametrize(
    ("arguments", "words", "code"),
    [
        (["{file}"], "give -o FILE, or --report", 2),
        (["{file}", "--no-scrub", "-o", "-"], "--no-scrub would leave nothing to do", 2),
        (["{folder}/none", "--report"], "no such file", 1),
        (["{folder}", "-o", "-"], "name a folder to write to", 1),
        (["{folder}/image", "--report"], "neither text nor a database", 1),
        (["{file}", "-o", "{folder}", "--force"], "one is a folder and the other a file", 1),
    ],
)
def test_what_cannot_be_done_is_told(*, run, recording, tmp_path, arguments, words, code):
    (tmp_path / "image").write_bytes(b"\x89PNG\0\0\1")
    made = [each.format(file=recording, folder=tmp_path) for each in arguments]
    done = run("scrub", *made)
    assert (done.exit_code, words in done.output) == (code, True), done.output
