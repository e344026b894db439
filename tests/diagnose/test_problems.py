"""Other broken pairs, told under ``--all-problems`` (replay facts sections 12 and 13)."""

import json
import os

import pytest
from click.testing import CliRunner

from cursor_replay.cli.main import cli
from cursor_replay.diagnose.problems import KINDS, imitations, of_notice
from cursor_replay.items import Answer, Evidence, Notice

OLD = 1_780_300_900
RUN = {"agent_id": "agent-buoy", "run_id": "run-buoy"}
PAINT = {"command": "paint --red buoy"}
CARD = "cursor-replay-1780300800000-1-tool-1"


@pytest.fixture
def write(tmp_path):
    def write(name, *rows):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        os.utime(path, (OLD, OLD))
        return path

    return write


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))

    def run(*args, code=0):
        result = CliRunner().invoke(cli, ["incomplete", *map(str, args)], prog_name="cursor-replay")
        assert result.exit_code == code, result.output
        return result.stdout

    return run


@pytest.fixture
def problems(run):
    def problems(*sources):
        lines = run(*sources, "--json", "--all-problems").splitlines()
        return [each for line in lines if (each := json.loads(line))["type"] == "problem"]

    return problems


def codes(found):
    return [(each["code"], each.get("line")) for each in found]


def message(kind, **fields):
    return {"type": kind, **RUN, **fields}


def asked(text="Paint the buoy."):
    return message("user", message={"role": "user", "content": [{"type": "text", "text": text}]})


def tool(call_id, state, **result):
    return message("tool_call", call_id=call_id, name="shell", status=state, args=PAINT, **result)


def spoken(text):
    return message(
        "assistant", message={"role": "assistant", "content": [{"type": "text", "text": text}]}
    )


def painted(words="red"):
    return {"status": "success", "value": {"stdout": f"{words}\n", "exitCode": 0}}


END = message("status", status="FINISHED")


# -- results and their calls ------------------------------------------------------------------


def test_a_result_whose_start_is_missing_is_an_orphan(write, problems):
    path = write("stream.jsonl", asked(), tool("c1", "completed", result=painted()), END)
    (problem,) = problems(path)
    assert (problem["code"], problem["line"]) == ("orphan-result", 2)
    assert problem["file"].endswith("stream.jsonl")
    assert "c1" not in problem["message"]


def test_a_result_behind_its_start_is_none(write, problems):
    path = write(
        "stream.jsonl",
        asked(), tool("c1", "running"), tool("c1", "completed", result=painted()), END,
    )  # fmt: skip
    assert problems(path) == []


def test_a_surface_that_tells_no_starts_has_no_orphans(write, problems):
    step = {"type": "toolCall", "message": {"type": "shell", "args": PAINT, "result": painted()}}
    assert problems(write("onStep.jsonl", step)) == []


def test_two_different_results_of_one_call_are_told_and_two_equal_ones_are_not(write, problems):
    first = [asked(), tool("c1", "running"), tool("c1", "completed", result=painted())]
    other = tool("c1", "completed", result=painted("green"))
    assert codes(problems(write("stream.jsonl", *first, other, END))) == [("second-result", 4)]
    assert problems(write("again.jsonl", *first, first[-1], END)) == []


# -- pi sessions ------------------------------------------------------------------------------


def entry(number, body):
    parent = f"e000000{number - 1}" if number > 1 else None
    when = f"2026-06-01T08:00:0{number}.000Z"
    return {
        "type": "message", "id": f"e000000{number}", "parentId": parent, "timestamp": when,
        "message": body,
    }  # fmt: skip


def session(*bodies):
    head = {
        "type": "session", "version": 3, "id": "5e550000-0000-7000-8000-0000000000bb",
        "timestamp": "2026-06-01T08:00:00.000Z", "cwd": "/repo",
    }  # fmt: skip
    return [head, *(entry(number, body) for number, body in enumerate(bodies, 1))]


def calling(call_id=CARD, name="bash", args=None):
    block = {"type": "toolCall", "id": call_id, "name": name, "arguments": args or PAINT}
    return {"role": "assistant", "content": [block], "stopReason": "toolUse"}


def answered(text, call_id=CARD, name="bash", **more):
    content = [{"type": "text", "text": text}]
    body = {"role": "toolResult", "toolCallId": call_id, "toolName": name, "content": content}
    return {**body, "isError": False, **more}


USER = {"role": "user", "content": [{"type": "text", "text": "Paint the buoy."}]}
SAID = {"role": "assistant", "content": [{"type": "text", "text": "Red."}], "stopReason": "stop"}


@pytest.mark.parametrize(
    ("bodies", "told"),
    [
        ((USER, calling(), answered("red"), SAID), []),
        ((USER, answered("red"), SAID), [("orphan-result", 3)]),
        ((USER, calling(), answered("red"), answered("green"), SAID), [("second-result", 5)]),
    ],
)
def test_the_results_of_a_pi_session_answer_one_call_each(bodies, told, write, problems):
    assert codes(problems(write("session.jsonl", *session(*bodies)))) == told


def test_a_replayed_command_with_what_pis_own_tool_leaves_behind_may_have_run_again(
    write, problems
):
    left = {"truncation": {"truncated": True, "outputLines": 2, "totalLines": 9}}
    path = write("session.jsonl", *session(USER, calling(), answered("red", details=left), SAID))
    assert codes(problems(path)) == [("replay-executed", 4)]


@pytest.mark.parametrize(
    ("call_id", "details"),
    [
        ("call_paint_1", {"truncation": {"truncated": True}}),
        ("cursor-pi-bridge-run-1-tool-1", {"truncation": {"truncated": True}}),
        (CARD, {"variant": "activity", "title": "Cursor shell", "truncation": {}}),
        (CARD, {}),
    ],
)
def test_what_pi_runs_itself_and_a_card_of_the_replay_are_in_order(
    call_id, details, write, problems
):
    result = answered("red", call_id, details=details)
    path = write("session.jsonl", *session(USER, calling(call_id), result, SAID))
    assert problems(path) == []


def test_a_replay_that_pi_had_no_tool_for_is_told(write, problems):
    result = answered("Tool grep not found", name="grep", isError=True)
    call = calling(name="grep", args={"pattern": "red"})
    assert codes(problems(write("session.jsonl", *session(USER, call, result, SAID)))) == [
        ("replay-fault", 4)
    ]


@pytest.mark.parametrize(
    ("text", "call_id", "is_error"),
    [
        ("Tool grep not found", "call_paint_1", True),
        ("Tool grep not found", CARD, False),
        ("Tool grep not found in the locker, looked twice", CARD, True),
        ("The log says: Tool grep not found", CARD, True),
    ],
)
def test_words_like_those_of_a_missing_tool_are_none(text, call_id, is_error, write, problems):
    result = answered(text, call_id, "grep", isError=is_error)
    call = calling(call_id, "grep", {"pattern": "red"})
    assert problems(write("session.jsonl", *session(USER, call, result, SAID))) == []


# -- text that imitates a call ----------------------------------------------------------------


def answer(text):
    return Answer(text=text, turn=1, evidence=Evidence(file="run.jsonl", line=5))


def imitated(text):
    return [(each.code, each.line) for each in imitations(answer(text))]


@pytest.mark.parametrize(
    "line",
    [
        "[Tool call] Shell",
        "[Tool result] Shell",
        "  [Tool call] Shell",
        "Tool call (shell, call_paint_1): {}",
        "Tool result (shell, call_paint_1): red",
        "Historical tool request: shell",
        "<tool_call>",
        '<invoke name="shell">',
        "</function_calls>",
        '{"tool": "shell", "args": {"command": "paint"}}',
        '{"name": "shell", "arguments": {"command": "paint"}}',
    ],
)
def test_a_line_that_looks_like_a_call_is_told_with_its_place(line):
    assert imitated(f"I paint it.\n\n{line}\n") == [("imitated-call", 5)]


@pytest.mark.parametrize(
    "text",
    [
        "I paint the buoy.",
        "A transcript marks calls with [Tool call] and their name.",
        "Write `<tool_call>` around it.",
        "The tool call (see above) failed.",
        '{"name": "buoy", "colour": "red"}',
        "Tools called: none",
        "> [Tool call] Shell",
        "```\n[Tool call] Shell\n```",
        "```xml\n<tool_call>\n</tool_call>\n```\nDone.",
        '~~~\n{"tool": "shell", "args": {}}\n~~~',
        "  ```\n[Tool call] Shell\n  ```",
        "~~~\n```\n[Tool call] Shell\n```\n~~~",
        "````\n```\n[Tool call] Shell\n```\n````",
        "```\n[Tool call] a fence that is never closed",
    ],
)
def test_what_is_only_mentioned_or_quoted_imitates_nothing(text):
    assert imitated(text) == []


def test_a_call_behind_a_closed_fence_is_one():
    assert imitated("```\nquoted\n```\n[Tool call] Shell") == [("imitated-call", 5)]


def test_an_answer_is_told_once_however_many_calls_it_imitates():
    assert len(imitated("[Tool call] Shell\n[Tool result] Shell\n<tool_call>")) == 1


def test_every_answer_that_imitates_a_call_is_told(write, problems):
    path = write(
        "stream.jsonl",
        asked("One"), spoken("[Tool call] Shell\n  command: paint"), END,
        asked("Two"), spoken("Here is how it looks:\n```\n[Tool call] Shell\n```"), END,
        asked("Three"), spoken("<tool_call>paint</tool_call>"), END,
    )  # fmt: skip
    assert codes(problems(path)) == [("imitated-call", 2), ("imitated-call", 8)]


def test_a_prompt_that_quotes_a_call_imitates_nothing(write, problems):
    assert problems(write("stream.jsonl", asked("[Tool call] Shell"), spoken("Yes."), END)) == []


# -- two sessions in one recording ------------------------------------------------------------


def test_two_agents_in_one_stream_are_mixed_and_two_runs_of_one_agent_are_not(write, problems):
    other = {"agent_id": "agent-other", "run_id": "run-2"}
    mixed = [asked(), END, {**asked("Two"), **other}, {**END, **other}]
    (problem,) = problems(write("stream.jsonl", *mixed))
    assert problem["code"] == "mixed-sessions"
    assert problem["file"].endswith("stream.jsonl")
    assert problem["message"].startswith("2 session")
    again = [{**each, "agent_id": RUN["agent_id"]} for each in mixed]
    assert problems(write("again.jsonl", *again)) == []


def test_two_sessions_of_the_acp_in_one_dump_are_mixed(write, problems):
    def update(session, text):
        chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        params = {"sessionId": session, "update": chunk}
        return {"jsonrpc": "2.0", "method": "session/update", "params": params}

    path = write("acp.jsonl", update("session-1", "Red."), update("session-2", "Green."))
    assert [each["code"] for each in problems(path)] == ["mixed-sessions"]


def hook(conversation, event, **fields):
    ids = {"conversation_id": conversation, "generation_id": f"{conversation}-1"}
    return {**ids, "cursor_version": "2026.02.13", "hook_event_name": event, **fields}


def test_two_windows_in_one_log_of_hooks_are_mixed(write, problems):
    path = write(
        "hooks.jsonl",
        hook("window-1", "beforeSubmitPrompt", prompt="Paint."),
        hook("window-2", "beforeSubmitPrompt", prompt="Scrape."),
        hook("window-2", "stop", status="completed"),
        hook("window-1", "stop", status="completed"),
    )
    assert [each["code"] for each in problems(path)] == ["mixed-sessions"]


def test_a_sub_agent_in_a_log_of_hooks_mixes_nothing(write, problems):
    of_child = {
        "subagent_id": "child-1", "subagent_type": "explore",
        "parent_conversation_id": "window-1", "tool_call_id": "call_task",
    }  # fmt: skip
    reading = {"tool_name": "Read", "tool_input": {"file_path": "buoy.md"}, "tool_use_id": "r1"}
    path = write(
        "hooks.jsonl",
        hook("window-1", "beforeSubmitPrompt", prompt="Paint."),
        hook("window-1", "subagentStart", task="Look at the buoy", **of_child),
        hook("child-1", "preToolUse", **reading),
        hook("child-1", "postToolUse", tool_output="red", duration=1, **reading),
        hook("window-1", "subagentStop", status="completed", summary="It is red.", **of_child),
        hook("window-1", "stop", status="completed"),
    )
    assert problems(path) == []


# -- when they are told -----------------------------------------------------------------------


def test_problems_are_told_and_checked_only_when_they_are_asked_for(write, run):
    path = write("stream.jsonl", asked(), tool("c1", "completed", result=painted()), END)
    assert run(path, "--json", "--check") == ""
    assert "orphan-result" in run(path, "--json", "--all-problems", "--check", code=1)


def test_every_kind_is_told_in_words(write, run):
    path = write("stream.jsonl", asked(), spoken("[Tool call] Shell"), END)
    for form in ("terminal", "markdown"):
        said = " ".join(run(path, "--all-problems", "-f", form, "--width", 160).split())
        assert KINDS["imitated-call"].title in said


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("orphan-result", "orphan-result"),
        ("completed-again", "second-result"),
        ("duplicate-result", "second-result"),
        ("replay-executed", "replay-executed"),
        ("replay-fault", "replay-fault"),
        ("cut-line", None),
        ("summary", None),
    ],
)
def test_a_notice_is_a_problem_where_it_tells_of_a_broken_pair(code, kind):
    found = of_notice(Notice(code=code, message="words", count=3))
    assert (found.code if found else None) == kind
    assert found is None or (found.message, found.count, found.file) == ("words", 3, None)
