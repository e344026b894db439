"""Several runs, given together or in one capture: nothing is borrowed from another run."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from cursor_replay.cli.main import cli

OLD = 1_700_000_000


def message(run, kind, **more):
    return {"type": kind, "agent_id": f"agent-{run}", "run_id": f"run-{run}", **more}


def begun(run, call="functions.shell:0", command="raise --sail"):
    args = {"command": command}
    return message(run, "tool_call", call_id=call, name="shell", status="running", args=args)


def done(run, call="functions.shell:0", command="raise --sail", result=None):
    result = result or {"status": "success", "value": {"stdout": "up", "exitCode": 0}}
    more = {"call_id": call, "name": "shell", "args": {"command": command}, "result": result}
    return message(run, "tool_call", status="completed", **more)


def ended(run, status="FINISHED", **more):
    return message(run, "status", status=status, **more)


def asked(run, text="Go."):
    content = [{"type": "text", "text": text}]
    return message(run, "user", message={"role": "user", "content": content})


def said(run, text="Done."):
    content = [{"type": "text", "text": text}]
    return message(run, "assistant", message={"role": "assistant", "content": content})


def update(kind, **more):
    return {"type": kind, **more}


ASK = update("user-message-appended", userMessage={"text": "Go.", "session_id": "agent-a"})
START = update(
    "tool-call-started", callId="c1", toolCall={"type": "shell", "args": {"command": "row"}}
)
SAY = update("text-delta", text="Done.")
END = update("turn-ended")


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))

    def run(command, *args):
        given = [command, *map(str, args)]
        return CliRunner().invoke(cli, given, prog_name="cursor-replay")

    return run


@pytest.fixture
def calls(run):
    def calls(*args):
        lines = run("incomplete", *args, "--json").stdout.splitlines()
        return [each for each in map(json.loads, lines) if each["type"] == "call"]

    return calls


def test_an_id_that_another_run_used_completes_nothing(write, calls, run):
    a = write("a.jsonl", begun("a"), ended("a", "ERROR", message="storm"))
    b = write("b.jsonl", begun("b"), done("b"), ended("b"))
    (call,) = calls(a, b)
    assert (call["reason"], call["evidence"]["run_end_reason"]) == ("sdk-failure", "storm")
    assert run("incomplete", a, b, "--check").exit_code == 1
    assert [each["surface"] for each in call["surfaces"]] == ["stream"]


def test_an_id_that_comes_again_in_a_later_turn_completes_nothing(write, calls):
    rows = [asked("a"), begun("a"), ended("a", "ERROR"), asked("a"), begun("a"), done("a")]
    (call,) = calls(write("one.jsonl", *rows, ended("a")))
    assert (call["reason"], call["started"]["line"]) == ("sdk-failure", 2)


def test_two_runs_that_leave_one_id_open_are_two_calls(write, calls):
    a = write("a.jsonl", begun("a", command="reef"), ended("a", "CANCELLED"))
    b = write("b.jsonl", begun("b", command="tack"), ended("b", "ERROR"))
    found = {call["target"]: call["reason"] for call in calls(a, b)}
    assert found == {"reef": "abort", "tack": "sdk-failure"}


def test_a_call_of_an_earlier_turn_is_not_ended_by_a_later_one(write, calls, run):
    path = write("one.jsonl", ASK, START, ASK, SAY, END)
    (call,) = calls(path)
    assert call["reason"] == "process-died"
    assert "run_end" not in call["evidence"]
    assert call["evidence"]["said_text"] is False
    assert "[incomplete] Cursor shell row" in run("render", path, "-f", "text").output


def test_a_call_of_another_run_is_not_ended_by_the_next_one(write, calls):
    (call,) = calls(write("one.jsonl", begun("a"), said("b"), ended("b")))
    assert call["reason"] == "process-died"


def test_the_end_of_another_run_is_not_lent(write, calls):
    one = write("run/onDelta.jsonl", ASK, START)
    result = {"id": "run-b", "status": "finished", "agent_id": "agent-b", "result": "Done."}
    write("run/run-result.jsonl", result)
    assert [call["reason"] for call in calls(one.parent)] == ["process-died"]


def test_the_end_of_the_same_run_is_lent_and_said_to_be(write, calls):
    one = write("run/onDelta.jsonl", ASK, START)
    result = {"id": "run-a", "status": "cancelled", "agent_id": "agent-a"}
    write("run/run-result.jsonl", result)
    (call,) = calls(one.parent)
    assert call["reason"] == "abort"
    assert call["ambiguous"] == ["only ~/run/run-result.jsonl tells how the run ended"]


def test_what_could_not_be_read_is_said_beside_the_call_and_in_the_head(write, calls, run):
    path = write("one.jsonl", ASK, START, '{"type": "tool-call-completed", oh\n', SAY, END)
    (call,) = calls(path)
    assert call["ambiguous"] == ["1 piece of its recording could not be read: its end may be there"]
    assert "1 piece could not be read" in run("incomplete", path, "--width", "160").output


def test_nothing_is_claimed_of_a_recording_that_could_not_be_read_whole(write, run):
    path = write("one.jsonl", ASK, SAY, json.dumps(START)[:-9])
    head = run("incomplete", path).output.splitlines()[0]
    assert head == "No call without an outcome in what of 1 recording could be read"


@pytest.mark.parametrize("reason", ["run-drain", "abort", "sdk-failure"])
def test_the_reason_of_pis_records_is_taken_wherever_they_stand(reason, write, calls):
    def enveloped(key, record):
        return {"ts": "2026-05-04T12:00:00.000Z", "elapsedMs": 1, "turn": 1, **key, **record}

    one = write("on-delta.jsonl", *(enveloped({}, {"update": each}) for each in (ASK, START, END)))
    phase = "discarded-incomplete-started-tool-call"
    hashed = sha256(b"c1").hexdigest()[:8]
    payload = {"event": phase, "toolName": "shell", "callIdHash": hashed, "reason": reason}
    other = write("coordinator-events.jsonl", enveloped({"phase": phase}, {"payload": payload}))
    assert [call["reason"] for call in calls(one, other)] == [reason]


def test_a_refusal_that_two_surfaces_tell_is_one_call_and_the_join_is_said(write, calls):
    refused = {"status": "error", "error": "rejected"}
    write("run/stream.jsonl", asked("a"), begun("a"), done("a", result=refused), ended("a"))
    step = {"type": "shell", "args": {"command": "raise --sail"}, "result": refused}
    one = write("run/onStep.jsonl", {"type": "toolCall", "message": step})
    (call,) = calls(one.parent)
    assert call["reason"] == "denied"
    assert call["call_id_hash"]
    assert "joined by tool and target with a surface that has no ids" in call["ambiguous"]
    assert {each["state"] for each in call["surfaces"]} == {"failed", "no-id"}


def test_a_start_tells_how_far_into_the_recording_it_was(write, calls, run):
    def at(second, record):
        return {"ts": f"2026-05-04T12:00:0{second}.000Z", "elapsedMs": 7, "update": record}

    path = write("one.jsonl", at(1, ASK), at(3, START), at(4, SAY), at(8, END))
    (call,) = calls(path)
    assert (call["started"]["elapsed_ms"], call["evidence"]["open_ms"]) == (2000.0, 5000.0)
    said = " ".join(run("incomplete", path).output.split())  # however wide it is
    assert "started in turn 1 (line 2), 2.00 s into the recording" in said


def test_without_recorded_times_no_start_tells_it(write, calls):
    (call,) = calls(write("one.jsonl", ASK, START, SAY, END))
    assert "elapsed_ms" not in call["started"]


def test_what_was_not_asked_for_is_counted_in_the_head(write, run):
    path = write("one.jsonl", ASK, START, SAY, END)
    head = run("incomplete", path, "--reason", "denied").output.splitlines()[0]
    assert head == "No such call in 1 recording, 1 other not asked for"


@pytest.mark.parametrize("form", ["terminal", "markdown"])
def test_a_report_that_shows_secrets_says_so(form, write, run):
    path = write("one.jsonl", ASK, START, SAY, END)
    assert "NOT SCRUBBED" in run("incomplete", path, "-f", form, "--no-scrub").output
    assert "NOT SCRUBBED" not in run("incomplete", path, "-f", form).output
    lines = run("incomplete", path, "--json", "--no-scrub").stdout.splitlines()
    assert json.loads(lines[0])["scrubbed"] is False


def test_files_of_one_name_are_told_apart_by_their_folders(write, run):
    other = update("user-message-appended", userMessage={"text": "Go.", "session_id": "agent-b"})
    paths = [write("one/onDelta.jsonl", ASK, START), write("two/onDelta.jsonl", other, START)]
    text = run("incomplete", *paths).output
    assert "one/onDelta.jsonl:2" in text
    assert "two/onDelta.jsonl:2" in text


def test_a_hidden_call_is_told_in_one_line_alone(run):
    case = Path(__file__).parents[2] / "fixtures" / "debug-artifacts" / "incomplete-calls" / "input"
    text = run("render", case, "-f", "text").output
    assert text.count("did not complete") == 1
    assert "pi gave up on a read call" not in text
    assert (
        "pi gave up on a read call"
        in run("render", case, "-f", "text", "--incomplete", "all").output
    )


def test_who_looks_for_a_tool_sees_its_open_calls(write, run):
    path = write("one.jsonl", ASK, START, SAY, END)
    text = run("render", path, "-f", "text", "--tool", "shell").output
    assert "[incomplete] Cursor shell row" in text
