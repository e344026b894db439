"""``cursor-replay incomplete`` and ``render --incomplete``, through the whole program."""

import json
import os
import time

import pytest
from recordings import TRANSCRIPT, lines

from cursor_replay.cli.incomplete import FRESH

START = {"type": "tool-call-started", "callId": "t-1"}
ASKED = {"type": "user-message-appended", "userMessage": {"text": "Go."}}
SAID = {"type": "text-delta", "text": "Done."}
ENDED = {"type": "turn-ended"}


def started(tool, call_id="t-1", **args):
    call = {"type": tool, "args": args}
    return {"type": "tool-call-started", "callId": call_id, "toolCall": call}


def completed(tool, call_id="t-1", result=None, **args):
    call = {"type": tool, "args": args, "result": result or {"status": "success", "value": {}}}
    return {"type": "tool-call-completed", "callId": call_id, "toolCall": call}


OPEN = lines(ASKED, SAID, started("shell", command="make slow"), ENDED)
FAILED = {"type": "status", "agent_id": "a", "run_id": "r", "status": "ERROR", "message": "gone"}
CALL = {
    "type": "tool_call", "agent_id": "a", "run_id": "r", "call_id": "t-1", "name": "shell",
    "status": "running", "args": {"command": "make slow"},
}  # fmt: skip


@pytest.fixture
def dump(tmp_path):
    def write(text, name="onDelta.jsonl"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        os.utime(path, (1_700_000_000, 1_700_000_000))
        return path

    return write


def calls(text):
    return [json.loads(line) for line in text.splitlines()]


def test_the_report_is_a_table_and_a_section_a_call(dump, run):
    done = run("incomplete", dump(OPEN))
    assert done.exit_code == 0
    assert done.output.startswith("1 call without an outcome in 1 recording\nonDelta.jsonl")
    assert "1   shell   make slow   missing completion   line 3" in done.output
    assert "1  Cursor shell  make slow\n   missing completion: the run ended well" in done.output
    assert "\x1b" not in done.output


def test_json_is_an_object_a_call_with_what_the_schema_says(dump, run):
    (call,) = calls(run("incomplete", dump(OPEN), "--json").output)
    wanted = {"tool", "target", "call_id_hash", "reason", "started", "evidence", "surfaces",
              "policies"}  # fmt: skip
    assert wanted <= call.keys()
    assert (call["tool"], call["target"]) == ("shell", "make slow")
    assert call["reason"] == "no-completion-at-run-end"
    assert call["policies"] == {"A": "card", "B": "hidden", "C": "hidden"}
    schema = json.loads(run("schema", "incomplete").output)
    known = schema["$defs"]["Call"]["properties"]
    assert call.keys() <= known.keys()
    assert set(schema["$defs"]["Call"]["required"]) <= call.keys()


def test_markdown_goes_to_a_file_by_its_name_and_shows_a_hostile_target_as_it_is(dump, run):
    hostile = "echo `|` <img src=x> @nobody #1\n## head"
    path = dump(lines(ASKED, started("shell", command=hostile), ENDED))
    target = path.with_suffix(".md")
    assert run("incomplete", path, "-o", target).output == ""
    text = target.read_text("utf-8")
    assert text.startswith("## 1 call without an outcome in 1 recording\n")
    assert "``echo `\\|` <img src=x> @nobody #1 ## head``" in text
    assert "\n## head" not in text


@pytest.mark.parametrize(
    ("text", "code"),
    [(OPEN, 1), (lines(ASKED, SAID, ENDED), 0)],
    ids=["one", "none"],
)
def test_check_ends_with_1_when_there_is_any(text, code, dump, run):
    assert run("incomplete", dump(text), "--check").exit_code == code
    assert run("incomplete", dump(text)).exit_code == 0


def test_reasons_narrow_what_is_listed_and_checked(dump, run):
    path = dump(OPEN)
    assert run("incomplete", path, "--reason", "denied", "--check").exit_code == 0
    assert run("incomplete", path, "--reason", "denied", "--json").output == ""
    more = ("--reason", "denied", "--reason", "no-completion-at-run-end")
    assert run("incomplete", path, *more, "--check").exit_code == 1


def test_nothing_to_report_says_what_was_read(dump, run):
    text = lines(ASKED, started("read", path="a"), completed("read", path="a"), SAID, ENDED)
    done = run("incomplete", dump(text))
    assert done.output.startswith(
        "Every call that was started has an outcome: 1 call in 1 recording\n"
    )
    empty = run("incomplete", dump(lines(ASKED, SAID, ENDED)))
    assert empty.output.startswith("No call was started in 1 recording\n")


def test_calls_of_a_transcript_are_counted_unless_all_are_asked_for(dump, run):
    path = dump(TRANSCRIPT, "t.jsonl")
    done = run("incomplete", path)
    words = "3 calls whose outcome is not recorded here: read 1, shell 1, grep 1 (--all lists them)"
    assert words in done.output
    assert "Cursor read" not in done.output
    assert "outcome not recorded" in run("incomplete", path, "--all").output
    assert len(calls(run("incomplete", path, "--json").output)) == 3


def test_what_is_written_to_just_now_may_still_run(dump, run):
    path = dump(lines(ASKED, started("shell", command="make slow")))
    (old,) = calls(run("incomplete", path, "--json").output)
    os.utime(path, (time.time() + FRESH, time.time() + FRESH))
    (new,) = calls(run("incomplete", path, "--json").output)
    assert (old["reason"], new["reason"]) == ("process-died", "running")


def test_standard_input_is_read(run):
    assert "missing completion" in run("incomplete", "-", input=OPEN).output


def test_a_folder_of_dumps_is_one_run(dump, run, tmp_path):
    dump(lines(ASKED, started("shell", command="make slow")))
    dump(lines(CALL, FAILED), "stream.jsonl")
    dump("no recording", "notes.txt")
    done = run("incomplete", tmp_path, "--json")
    (call,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert call["reason"] == "sdk-failure"
    assert call["evidence"]["run_end_reason"] == "gone"
    assert [each["surface"] for each in call["surfaces"]] == ["onDelta", "stream"]
    assert "1 of 3 files" in done.stderr


def test_the_end_of_a_run_is_not_borrowed_from_another_run(dump, run):
    one = dump(lines(ASKED, started("shell", command="make slow")))
    other = dump(lines(ASKED, SAID, ENDED), "other.jsonl")
    (call,) = calls(run("incomplete", one, other, "--json").output)
    assert call["reason"] == "process-died"


def test_several_recordings_are_joined_by_the_ids_of_calls(dump, run):
    one = dump(lines(ASKED, started("shell", command="make slow")))
    done = lines(ASKED, started("shell", command="make slow"), completed("shell"), ENDED)
    other = dump(done, "other.jsonl")
    report = run("incomplete", one, other, "--all-problems").output
    assert report.startswith("Every call that was started has an outcome")
    assert "open on one surface, completed on another" in report


def test_a_folder_without_a_recording_is_one_clear_line(run, tmp_path):
    (tmp_path / "notes.txt").write_text("hello", "utf-8")
    done = run("incomplete", tmp_path)
    assert done.exit_code == 1
    assert "holds no recording that is known here" in done.stderr


@pytest.mark.parametrize(
    "args",
    [(), ("a", "--latest"), ("a", "--json", "-f", "markdown"), ("a", "--reason", "bored")],
)
def test_wrong_usage_is_told(args, dump, run):
    path = dump(OPEN)
    given = [path if each == "a" else each for each in args]
    assert run("incomplete", *given).exit_code == 2


def test_other_problems_are_only_told_when_they_are_asked_for(dump, run):
    path = dump(lines(ASKED, completed("shell", command="ls"), SAID, ENDED))
    assert "Other problems" not in run("incomplete", path).output
    done = run("incomplete", path, "--all-problems", "--check")
    assert "a result without a call: the shell call" in done.output
    assert done.exit_code == 1


# -- render --incomplete ------------------------------------------------------------------------

HIDDEN = "note: 1 call did not complete and is not shown (--incomplete all shows it)"
SHOWN = "[incomplete] Cursor shell make slow · missing completion"


@pytest.mark.parametrize(
    ("asked", "shown", "told"),
    [
        (None, False, True),
        ("policy", False, True),
        ("c", False, True),
        ("B", False, True),
        ("A", True, False),
        ("all", True, False),
        ("none", False, True),
    ],
)
def test_which_calls_are_shown_after_a_good_run(asked, shown, told, dump, run):
    how = ("--incomplete", asked) if asked else ()
    text = run("render", dump(OPEN), "-f", "text", *how).output
    assert (SHOWN in text, HIDDEN in text) == (shown, told)


def test_a_failed_run_shows_them_whatever_the_policy(dump, run):
    text = run("render", dump(lines(CALL, FAILED), "stream.jsonl"), "-f", "text").output
    assert "[incomplete] Cursor shell make slow · SDK run failed" in text


def test_who_looks_for_errors_sees_them(dump, run):
    assert SHOWN in run("render", dump(OPEN), "-f", "text", "--errors").output


def test_a_refusal_is_always_shown(dump, run):
    refused = {"status": "error", "error": "rejected"}
    call = completed("shell", result=refused, command="make slow")
    path = dump(lines(ASKED, started("shell", command="make slow"), call, SAID, ENDED))
    assert "[failed]" in run("render", path, "-f", "text", "--incomplete", "none").output


def test_a_pi_session_follows_the_policy_too(dump, run):
    path = dump(OPEN)
    assert '"toolCall"' not in run("render", path, "-f", "pi").output
    assert '"toolCall"' in run("render", path, "-f", "pi", "--incomplete", "all").output


def test_progress_lines_are_shown_on_request(dump, run):
    def at(second, update):
        return {"ts": f"2026-05-04T12:00:0{second}.000Z", "elapsedMs": second, "update": update}

    text = lines(
        at(0, ASKED),
        at(1, started("shell", command="make slow")),
        at(2, completed("shell", command="make slow")),
        at(3, ENDED),
    )
    path = dump(text)
    assert "Cursor shell: make slow" not in run("render", path, "-f", "text").output
    shown = run("render", path, "-f", "text", "--lifecycle").output
    assert "note: Cursor shell: make slow (line 2)" in shown
