"""``cursor-replay check-pi``: exit codes, the list, JSON, several files, standard input."""

import json

import pytest

from cursor_replay.cli import check_pi


def session(tmp_path, *more, **header):
    head = {"type": "session", "version": 3, "id": "oak-1", "cwd": str(tmp_path), **header}
    level = {"type": "thinking_level_change", "id": "a", "parentId": None, "thinkingLevel": "off"}
    ask = {
        "type": "message",
        "id": "b",
        "parentId": "a",
        "message": {"role": "user", "content": "hi"},
    }
    return "".join(json.dumps(each) + "\n" for each in (head, level, ask, *more))


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture
def good(tmp_path, write):
    return write("good.jsonl", session(tmp_path))


@pytest.fixture
def bad(tmp_path, write):
    return write("bad.jsonl", session(tmp_path, {"type": "message", "id": "c", "parentId": "x"}))


def test_a_good_file_is_one_line_and_exit_0(run, good):
    done = run("check-pi", good)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"{good}: pi loads this (2 entries, 1 message)\n"


def test_errors_are_listed_by_line_and_exit_1(run, bad):
    done = run("check-pi", bad)
    assert done.exit_code == 1
    head, first, second, third, end = done.stdout.splitlines()
    assert head == f"{bad}: 2 errors, 1 note"
    assert first.startswith("  1  note   no-thinking-level: ")
    assert second.startswith(
        "  4  error  no-message: an entry of type message whose message is absent"
    )
    assert "pi loses 2 entries above it" in third
    assert end == "1 file checked: 2 errors, 1 note"


def test_notes_alone_are_exit_0_and_strict_counts_them(run, tmp_path, write):
    noted = write("noted.jsonl", session(tmp_path, version=4))
    done = run("check-pi", noted)
    assert done.exit_code == 0
    assert "pi loads this (2 entries, 1 message); 1 note\n" in done.stdout
    assert done.stdout.endswith("1 file checked: 1 note\n")
    assert run("check-pi", "--strict", noted).exit_code == 1


def test_json_is_one_object_a_finding(run, good, bad):
    done = run("check-pi", "--json", good, bad)
    assert done.exit_code == 1
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["code"] for row in rows] == ["no-thinking-level", "no-message", "unknown-parent"]
    assert {row["file"] for row in rows} == {str(bad)}
    assert rows[1] == {
        "file": str(bad),
        "line": 4,
        "code": "no-message",
        "severity": "error",
        "message": rows[1]["message"],
        "effect": "crash-on-load",
    }


def test_several_files_and_one_that_is_missing(run, good, bad, tmp_path):
    done = run("check-pi", tmp_path / "gone.jsonl", good, tmp_path, bad)
    assert done.exit_code == 1
    assert "gone.jsonl: no such file" in done.stderr
    assert "is a folder; name the files in it" in done.stderr
    assert f"{good}: pi loads this" in done.stdout
    assert done.stdout.endswith("2 files checked, 2 not read: 2 errors, 1 note\n")


def test_good_files_end_with_a_summary(run, good):
    done = run("check-pi", good, good)
    assert (done.exit_code, done.stdout[-31:]) == (0, "2 files checked: nothing found\n")


def test_a_file_that_cannot_be_read_is_exit_1(run):
    done = run("check-pi", "a\0b")
    assert done.exit_code == 1
    assert "cannot be opened (ValueError)" in done.stderr


def test_reading_may_fail_half_way(run, good, monkeypatch):
    class Torn:
        def read(self, _):
            raise OSError

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(check_pi.Path, "open", lambda *_: Torn())
    done = run("check-pi", good)
    assert done.exit_code == 1
    assert "cannot be read (OSError)" in done.stderr


def test_standard_input(run, good):
    done = run("check-pi", "-", input=good.read_bytes())
    assert (done.exit_code, done.stdout) == (0, "-: pi loads this (2 entries, 1 message)\n")


def test_standard_input_may_be_closed(run, monkeypatch):
    monkeypatch.setattr(
        check_pi, "sys", type("sys", (), {"stdin": None, "stdout": check_pi.sys.stdout})
    )
    done = run("check-pi", "-")
    assert (done.exit_code, "standard input is closed" in done.stderr) == (1, True)


def test_no_file_is_wrong_usage(run):
    assert run("check-pi").exit_code == 2


def test_twenty_of_a_kind_are_listed(run, tmp_path, write):
    many = write("many.jsonl", session(tmp_path) + "pears\n" * 25)
    done = run("check-pi", many)
    assert done.stdout.count("not-json: ") == 20
    assert "  … and 5 more of not-json\n" in done.stdout
    done = run("check-pi", "--all", many)
    assert done.stdout.count("not-json: ") == 25
    assert "more of" not in done.stdout
    assert len(run("check-pi", "--json", many).stdout.splitlines()) == 25


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_other_encodings_are_refused(run, tmp_path, write, encoding):
    text = session(tmp_path)
    data = ("\ufeff" if encoding == "utf-16-be" else "") + text
    done = run("check-pi", "--json", write("other.jsonl", data.encode(encoding)))
    assert done.exit_code == 1
    assert {json.loads(line)["effect"] for line in done.stdout.splitlines()} == {"refused"}


@pytest.mark.parametrize(
    "cwd", ["/no/such/folder", "\\\\elsewhere\\share", "a\0b", "/" + "x" * 5000]
)
def test_a_folder_that_is_not_here(run, tmp_path, write, cwd):
    done = run("check-pi", write("moved.jsonl", session(tmp_path, cwd=cwd)))
    assert done.exit_code == 1
    assert "cwd-missing" in done.stdout


EVIL = "\x1b]0;owned\x07\x1b[2J\u202egnp\u2066\u200b\r"


@pytest.mark.parametrize("flags", [(), ("--json",), ("--all",)])
def test_nothing_of_the_file_reaches_the_terminal(run, tmp_path, write, flags):
    call = {"type": "toolCall", "id": EVIL, "name": EVIL, "arguments": EVIL}
    reply = {"role": "assistant", "content": [call, {"type": EVIL}], "stopReason": EVIL}
    more = [
        {"type": EVIL, "id": EVIL, "parentId": EVIL},
        {"type": "message", "id": EVIL, "parentId": "b", "message": reply},
        {"type": "message", "id": "z", "parentId": EVIL, "message": {"role": EVIL}},
        {"type": "label", "id": EVIL, "parentId": "z", "targetId": EVIL},
    ]
    path = write("evil.jsonl", session(tmp_path, *more, id=EVIL, cwd=EVIL, version=EVIL))
    done = run("check-pi", *flags, path)
    assert done.exit_code == 1
    assert not any(char in done.output for char in EVIL if not char.isalnum() and char not in "[];")
    assert "owned" not in done.output


def test_the_name_of_a_file_is_escaped(run, tmp_path, write):
    path = write("a\x1b[2J\u202e.jsonl", session(tmp_path))
    done = run("check-pi", path)
    assert f"{tmp_path}/a\ufffd[2J\ufffd.jsonl: pi loads this" in done.stdout
    rows = run("check-pi", "--json", write("b\u202e.jsonl", "")).stdout
    assert "\u202e" not in rows
    assert json.loads(rows)["file"].endswith("b\u202e.jsonl")


def test_colours_only_where_they_are_wanted(run, good, monkeypatch):
    assert "\x1b" not in run("check-pi", good, color=True).stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1m" in run("check-pi", good, color=True).stdout
