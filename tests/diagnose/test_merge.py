"""Several recordings of one run are one report: which reason wins, and what stays uncertain."""

import hashlib
import json

import pytest

from cursor_replay.diagnose.calls import policies

OLD = 1_780_300_900
RUN = {"agent_id": "agent-net", "run_id": "run-net"}
MEND = {"command": "mend --net 4"}
RESULT = {"status": "success", "value": {"stdout": "mended\n", "exitCode": 0}}


def digest(call_id):
    return hashlib.sha256(call_id.encode()).hexdigest()[:8]


def states(call):
    return {each["surface"]: each["state"] for each in call["surfaces"]}


def message(kind, **fields):
    return {"type": kind, **RUN, **fields}


def status(word, text=None):
    return message("status", status=word, **({"message": text} if text else {}))


def asked(text="Mend the net."):
    return message("user", message={"role": "user", "content": [{"type": "text", "text": text}]})


def spoken(text):
    block = {"type": "text", "text": text}
    return message("assistant", message={"role": "assistant", "content": [block]})


def begun(call_id="c1", name="shell", args=None):
    return message("tool_call", call_id=call_id, name=name, status="running", args=args or MEND)


def over(call_id="c1", name="shell", args=None, **result):
    fields = {"call_id": call_id, "name": name, "status": "completed", "args": args or MEND}
    return message("tool_call", **fields, **result)


def update(kind, **fields):
    return {"type": kind, **fields}


def prompted(text="Mend the net."):
    return update("user-message-appended", userMessage={"text": text})


def started(call_id="c1", name="shell", args=None, kind="tool-call-started"):
    return update(kind, callId=call_id, toolCall={"type": name, "args": args or MEND})


def completed(call_id="c1", name="shell", args=None, **result):
    tool = {"type": name, "args": args or MEND, **result}
    return update("tool-call-completed", callId=call_id, toolCall=tool)


def output(data):
    return update("shell-output-delta", event={"case": "stdout", "value": {"data": data}})


def step(name="shell", args=None, **result):
    return {"type": "toolCall", "message": {"type": name, "args": args or MEND, **result}}


ENDED = update("turn-ended")


# -- a call that another surface completed ----------------------------------------------------


@pytest.mark.parametrize(
    "result", [RESULT, {"status": "error", "error": "net 4: No such file"}, "mended"]
)
def test_a_call_that_is_open_here_and_completed_there_is_a_finding_and_not_open(
    result, write, report
):
    stream = write("run/stream.jsonl", status("RUNNING"), asked(), begun(), status("FINISHED"))
    write("run/onDelta.jsonl", prompted(), started(), completed(result=result), ENDED)
    calls, problems = report(stream.parent)
    assert calls == []
    (problem,) = problems
    assert problem["code"] == "completed-elsewhere"
    assert problem["message"] == f"the shell call {digest('c1')} is completed by onDelta"
    assert (problem["file"].endswith("stream.jsonl"), problem["line"]) == (True, 3)


def test_a_completion_without_a_result_on_another_surface_is_a_refusal_of_a_shell(write, report):
    stream = write("run/stream.jsonl", status("RUNNING"), asked(), begun(), status("FINISHED"))
    write("run/onDelta.jsonl", prompted(), started(), completed(), ENDED)
    (call,), problems = report(stream.parent)
    assert call["reason"] == "denied"
    assert states(call) == {"stream": "started", "onDelta": "no-result"}
    assert problems == []


def test_a_refusal_that_one_surface_tells_wins_over_a_start_on_another(write, report):
    stream = write("run/stream.jsonl", status("RUNNING"), asked(), begun(), status("CANCELLED"))
    refused = {"status": "error", "error": "rejected: the net stays"}
    write("run/onDelta.jsonl", prompted(), started(), completed(result=refused))
    (call,), _ = report(stream.parent)
    assert call["reason"] == "denied"
    assert call["evidence"]["refusal"] == "rejected: the net stays"
    assert states(call) == {"stream": "started", "onDelta": "failed"}


def test_calls_with_different_ids_are_not_one(write, report):
    stream = write("run/stream.jsonl", status("RUNNING"), asked(), begun("c1"), status("FINISHED"))
    write("run/onDelta.jsonl", prompted(), started("c2"), completed("c2", result=RESULT), ENDED)
    (call,), _ = report(stream.parent)
    assert call["call_id_hash"] == digest("c1")
    assert states(call) == {"stream": "started", "onDelta": "not-mentioned"}


def test_a_log_of_hooks_tells_that_a_call_which_only_began_was_refused(write, report):
    def hook(event, **fields):
        ids = {"conversation_id": "window-1", "generation_id": "generation-1"}
        return {**ids, "cursor_version": "2026.02.13", "hook_event_name": event, **fields}

    tool = {"tool_name": "Shell", "tool_input": MEND, "tool_use_id": "c1"}
    why = {"failure_type": "permission_denied", "error_message": "the net stays"}
    stream = write(
        "run/stream.jsonl",
        status("RUNNING"), asked(), begun(), spoken("It stays."), status("FINISHED"),
    )  # fmt: skip
    write(
        "run/hooks.jsonl",
        hook("beforeSubmitPrompt", prompt="Mend the net."),
        hook("preToolUse", **tool),
        hook("postToolUseFailure", **tool, **why, is_interrupt=False),
        hook("stop", status="completed"),
    )
    (call,), problems = report(stream.parent)
    assert (call["reason"], call["target"]) == ("denied", "mend --net 4")
    assert call["evidence"]["refusal"] == "permission denied: the net stays"
    assert states(call) == {"hooks": "failed", "stream": "started"}
    assert problems == []


def test_a_completion_that_comes_behind_the_end_of_the_run_is_one(write, report):
    path = write("onDelta.jsonl", prompted(), started(), ENDED, completed(result=RESULT))
    assert report(path) == ([], [])


# -- what is told of a call -------------------------------------------------------------------


def test_a_target_is_masked_on_one_line_and_bounded(write, report):
    secret = "s" + "k-" + "4f9e" * 8
    command = f"mend \\\n  --key {secret} " + "--row 7 " * 40
    path = write("onDelta.jsonl", prompted(), started(args={"command": command}), ENDED)
    (call,), _ = report(path)
    assert call["target"].startswith("mend \\ --key ")
    assert call["target"].endswith("…")
    assert len(call["target"]) <= 120
    assert secret not in json.dumps(call)


def test_no_argument_but_the_target_is_told(write, report):
    args = {"path": "nets/four.md", "fileText": "the whole of a private file"}
    path = write("onDelta.jsonl", prompted(), started(name="write", args=args), ENDED)
    (call,), _ = report(path)
    assert call["target"] == "nets/four.md"
    assert "private" not in json.dumps(call)


@pytest.mark.parametrize(
    ("name", "args", "target"),
    [
        ("grep", {"pattern": "knot", "path": "nets"}, "knot"),
        ("glob", {"globPattern": "**/*.net", "targetDirectory": "nets"}, "**/*.net"),
        ("read", {"path": "nets/four.md"}, "nets/four.md"),
        (
            "semSearch",
            {"query": "where are the knots", "targetDirectories": []},
            "where are the knots",
        ),
        ("webFetch", {"url": "https://example.com/knots"}, "https://example.com/knots"),
        ("task", {"description": "Look for holes", "prompt": "A long text"}, "Look for holes"),
    ],
)
def test_a_target_says_which_of_many_calls_of_its_tool_it_is(name, args, target, write, report):
    path = write("onDelta.jsonl", prompted(), started(name=name, args=args), ENDED)
    (call,), _ = report(path)
    assert (call["tool"], call["target"]) == (name, target)


# -- joins without ids ------------------------------------------------------------------------


def test_a_completion_without_an_id_is_said_to_be_uncertain_and_leaves_the_call_open(write, report):
    stream = write("run/stream.jsonl", status("RUNNING"), asked(), begun(), status("FINISHED"))
    write("run/onStep.jsonl", step(result=RESULT))
    (call,), problems = report(stream.parent)
    assert states(call) == {"stream": "started", "onStep": "likely"}
    assert call["ambiguous"] == ["onStep may tell its completion: it has no ids"]
    assert problems == []


@pytest.mark.parametrize("other", [{"args": {"command": "mend --net 5"}}, {"name": "read"}])
def test_a_completion_of_something_else_says_nothing_of_the_call(other, write, report):
    stream = write("run/stream.jsonl", status("RUNNING"), asked(), begun(), status("FINISHED"))
    write("run/onStep.jsonl", step(**other, result=RESULT))
    (call,), _ = report(stream.parent)
    assert states(call)["onStep"] == "silent"
    assert call["ambiguous"] == []


def test_one_completion_without_an_id_belongs_to_the_twin_that_is_known_to_have_completed(
    write, report
):
    stream = write(
        "run/stream.jsonl",
        status("RUNNING"), asked(), begun("c1"), begun("c2"), over("c2", result=RESULT),
        status("FINISHED"),
    )  # fmt: skip
    write("run/onStep.jsonl", step(result=RESULT))
    (call,), _ = report(stream.parent)
    assert call["call_id_hash"] == digest("c1")
    assert states(call)["onStep"] == "silent"


def test_output_that_may_be_another_shells_is_said_to_be_uncertain(write, report):
    path = write(
        "onDelta.jsonl",
        prompted(), started("c1"), started("c2", args={"command": "mend --net 5"}),
        output("row 1\n"), output("row 2\n"), ENDED,
    )  # fmt: skip
    calls, _ = report(path)
    assert [call["evidence"]["output_ambiguous"] for call in calls] == [True, True]
    assert [call["evidence"]["output_chunks"] for call in calls] == [2, 2]
    assert all("its output may be that of another shell" in call["ambiguous"] for call in calls)


def test_output_of_the_only_shell_is_certain_and_proves_that_it_ran(write, report):
    path = write("onDelta.jsonl", prompted(), started(), output("row 1\n\nrow 2\n\n"), ENDED)
    (call,), _ = report(path)
    assert call["evidence"]["last_output"] == "row 2"
    assert call["ambiguous"] == []
    assert call["suggestion"].startswith("it ran")


# -- which reason wins, and what is taken from whom -------------------------------------------


def test_the_fullest_evidence_of_all_recordings_is_kept(write, report):
    stream = write(
        "run/stream.jsonl",
        status("RUNNING"), asked(), begun(), spoken("Row by row."),
        status("ERROR", "[unavailable] the shed is dark"),
    )  # fmt: skip
    write(
        "run/onDelta.jsonl",
        prompted(), started(kind="partial-tool-call"), started(), output("row 1\n"),
        started("c2", "read", {"path": "net.md"}), completed("c2", "read", {"path": "net.md"}, result={"status": "success", "value": {"content": "x"}}),
    )  # fmt: skip
    (call,), _ = report(stream.parent)
    seen = call["evidence"]
    assert call["reason"] == "sdk-failure"
    assert (seen["partial_arguments"], seen["output_chunks"]) == (1, 1)
    assert (seen["last_output"], seen["siblings_completed"]) == ("row 1", 1)
    assert (seen["run_end"], seen["said_text"]) == ("error", True)
    assert seen["run_end_reason"] == "[unavailable] the shed is dark"


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ("FINISHED", "no-completion-at-run-end"),
        ("CANCELLED", "abort"),
        ("ERROR", "sdk-failure"),
    ],
)
def test_a_recording_that_has_the_end_wins_over_one_that_stops(end, reason, write, report):
    stream = write("run/stream.jsonl", status("RUNNING"), asked(), begun(), status(end))
    write("run/onDelta.jsonl", prompted(), started(), half='{"type":"text-de')
    (call,), _ = report(stream.parent)
    assert call["reason"] == reason


def test_a_recording_that_is_cut_wins_over_one_that_only_stops(write, report):
    stream = write("run/stream.jsonl", status("RUNNING"), asked(), begun())
    write("run/onDelta.jsonl", prompted(), started(), half='{"type":"text-de')
    (call,), _ = report(stream.parent)
    assert call["reason"] == "capture-cut"


def test_a_start_on_one_surface_wins_over_parts_of_arguments_on_another(write, report):
    stream = write("run/stream.jsonl", status("RUNNING"), asked(), begun(), status("FINISHED"))
    write("run/onDelta.jsonl", prompted(), started(kind="partial-tool-call"), ENDED)
    (call,), _ = report(stream.parent)
    assert call["reason"] == "no-completion-at-run-end"
    assert states(call) == {"stream": "started", "onDelta": "arguments"}


def test_the_policies_follow_from_what_all_recordings_know(write, report):
    stream = write("run/stream.jsonl", status("RUNNING"), asked(), begun(), status("FINISHED"))
    write("run/onDelta.jsonl", prompted(), started(), update("text-delta", text="Mended."), ENDED)
    (call,), _ = report(stream.parent)
    assert call["evidence"]["said_text"] is True
    assert call["policies"] == {"A": "card", "B": "hidden", "C": "hidden"}


def test_the_same_recording_twice_is_one_call(write, report):
    path = write("stream.jsonl", status("RUNNING"), asked(), begun(), status("FINISHED"))
    calls, problems = report(path, path)
    assert (len(calls), problems) == (1, [])


def test_calls_without_ids_are_never_joined(write, report):
    refused = {"status": "error", "error": "rejected"}
    one = write("one.jsonl", step(result=refused))
    other = write("other.jsonl", step(result=refused))
    calls, _ = report(one, other)
    assert [call["reason"] for call in calls] == ["denied", "denied"]
    assert all("call_id_hash" not in call for call in calls)


# -- whose end it is --------------------------------------------------------------------------


def test_a_call_of_a_second_turn_that_stops_does_not_borrow_the_end_of_the_first(write, report):
    path = write(
        "stream.jsonl",
        status("RUNNING"), asked("One"), spoken("Done."), status("FINISHED"),
        status("RUNNING"), asked("Two"), begun(),
    )  # fmt: skip
    (call,), _ = report(path)
    assert (call["reason"], call["started"]["turn"]) == ("process-died", 2)
    assert "run_end" not in call["evidence"]
    assert call["ambiguous"] == []


def test_a_call_of_the_first_turn_keeps_its_own_end(write, report):
    path = write(
        "stream.jsonl",
        status("RUNNING"), asked("One"), begun(), status("CANCELLED"),
        status("RUNNING"), asked("Two"), spoken("Done."), status("FINISHED"),
    )  # fmt: skip
    (call,), _ = report(path)
    assert (call["reason"], call["evidence"]["run_end"]) == ("abort", "cancelled")
    assert call["evidence"]["said_text"] is False


def test_the_end_of_a_run_comes_from_its_result_where_nothing_else_has_it(write, report):
    updates = write("run/onDelta.jsonl", prompted(), started())
    write("run/run-result.jsonl", {"id": "run-net", "status": "cancelled"})
    (call,), _ = report(updates.parent)
    assert (call["reason"], call["evidence"]["run_end"]) == ("abort", "cancelled")
    (note,) = call["ambiguous"]
    assert note.startswith("only ")
    assert note.endswith(" tells how the run ended")


def test_recordings_of_two_agents_do_not_lend_their_ends(write, report):
    other = {**status("CANCELLED"), "agent_id": "agent-other", "run_id": "run-other"}
    write("run/a.jsonl", status("RUNNING"), asked(), begun())
    write("run/b.jsonl", other)
    (call,), _ = report(write("run/c.txt").parent)
    assert call["reason"] == "process-died"


def test_a_debug_session_whose_second_turn_died_does_not_borrow_the_end_of_the_first(
    write, report, tmp_path
):
    def stamped(second, turn, **update):
        when = f"2026-06-01T08:00:{second:02d}.000Z"
        return {"ts": when, "elapsedMs": 0, "turn": turn, "update": update}

    first, second = "s/turn-001-2026-06-01T08-00-00-000Z", "s/turn-002-2026-06-01T08-01-00-000Z"
    write(
        f"{first}/on-delta.jsonl",
        stamped(1, 1, **prompted("One")), stamped(2, 1, **started("c0")),
        stamped(3, 1, **completed("c0", result=RESULT)), stamped(4, 1, **ENDED),
    )  # fmt: skip
    write(
        f"{second}/on-delta.jsonl",
        stamped(11, 2, **prompted("Two")), stamped(12, 2, **started("c1")),
    )  # fmt: skip
    (call,), problems = report(tmp_path / "s")
    assert (call["reason"], call["started"]["turn"]) == ("process-died", 2)
    assert call["started"]["file"].endswith(f"{second}/on-delta.jsonl")
    assert "run_end" not in call["evidence"]
    assert problems == []


# -- what the reference would have shown ------------------------------------------------------

CARD, TRACE = ("card", "card", "card"), ("trace", "trace", "trace")
UNKNOWN = ("unknown", "unknown", "unknown")


@pytest.mark.parametrize(
    ("tool", "shown"),
    [
        ("read", ("hidden", "hidden", "hidden")),
        ("grep", ("hidden", "hidden", "hidden")),
        ("glob", ("hidden", "hidden", "hidden")),
        ("ls", ("hidden", "hidden", "hidden")),
        ("shell", ("card", "hidden", "hidden")),
        ("edit", ("card", "card", "hidden")),
        ("mcp", ("card", "card", "hidden")),
        ("webSearch", ("card", "card", "hidden")),
    ],
)
def test_what_is_shown_after_a_good_run_with_a_text_depends_on_the_tool(tool, shown):
    told = policies("no-completion-at-run-end", tool, said_text=True)
    assert shown == (told.A, told.B, told.C)
    silent = policies("no-completion-at-run-end", tool, said_text=False)
    assert (silent.A, silent.B, silent.C) == CARD


@pytest.mark.parametrize("said", [True, False, None])
@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("abort", TRACE),
        ("sdk-failure", CARD),
        ("run-drain", CARD),
        ("denied", CARD),
        ("process-died", UNKNOWN),
        ("capture-cut", UNKNOWN),
        ("arguments-cut", UNKNOWN),
        ("running", UNKNOWN),
        ("not-recorded", UNKNOWN),
    ],
)
def test_what_is_shown_for_every_other_reason_depends_on_no_text(reason, shown, said):
    told = policies(reason, "read", said_text=said)
    assert shown == (told.A, told.B, told.C)


def test_nobody_can_say_what_is_shown_when_it_is_not_known_whether_anything_was_said():
    told = policies("no-completion-at-run-end", "read", said_text=None)
    assert (told.A, told.B, told.C) == UNKNOWN
