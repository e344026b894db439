"""Hook logs: which payloads are of one call, what ends a turn, and what is never read."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ingest_words import codes, decoded, of, read, texts, written

from cursor_replay.errors import ReplayError
from cursor_replay.events import (
    INVENTED,
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    Outcome,
    PromptSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
    UsageSeen,
)
from cursor_replay.ingest.formats.hooks import log as hooks
from cursor_replay.ingest.formats.hooks.matching import tool
from cursor_replay.ingest.formats.hooks.outcomes import failure
from cursor_replay.ingest.formats.hooks.records import parsed
from cursor_replay.items import Evidence, Usage

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures" / "hooks").glob("*/input.jsonl"))
STEADY = settings(
    deadline=None, derandomize=True, max_examples=150, suppress_health_check=[HealthCheck.too_slow]
)


def hook(name: str, generation: str | None = "g", **fields: Any) -> dict[str, Any]:
    common = {"conversation_id": "c", "generation_id": generation, "user_email": "me@example.com"}
    return {"hook_event_name": name, **common, **fields}


def fed(*payloads: Any) -> list[AnyEvent]:
    return decoded("hooks", *payloads)


def pre(use: Any, name: str = "Shell", **given_: Any) -> dict[str, Any]:
    return hook("preToolUse", tool_use_id=use, tool_name=name, tool_input=given_)


def post(use: Any, output: Any, name: str = "Shell", **given_: Any) -> dict[str, Any]:
    return hook(
        "postToolUse", tool_use_id=use, tool_name=name, tool_input=given_, tool_output=output
    )


def failed(use: str, error: Any, name: str = "Shell", **fields: Any) -> dict[str, Any]:
    return hook(
        "postToolUseFailure", tool_use_id=use, tool_name=name, error_message=error, **fields
    )


def runs(command: Any) -> dict[str, Any]:
    return hook("beforeShellExecution", command=command, cwd="/w")


def ran(command: str, output: str = "out") -> dict[str, Any]:
    return hook("afterShellExecution", command=command, output=output, duration=5)


def edited(path: str) -> dict[str, Any]:
    return hook("afterFileEdit", file_path=path, edits=[{"old_string": "a", "new_string": "b"}])


def ended(*payloads: Any) -> list[tuple[str, str | None, Outcome | None]]:
    found = of(fed(*payloads), CallCompleted)
    return [(each.name, each.call_id, each.outcome) for each in found]


DONE = Outcome(status="unknown", value={"output": "out", "executionTime": 5.0})

# -- recognition --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        {"hook_event_name": "stop", "conversation_id": "c"},
        hook("somethingNew"),
        {"hook_event_name": "preToolUse", "generation_id": "g"},
    ],
)
def test_payloads_of_cursor_are_known(record: dict[str, Any]) -> None:
    assert hooks.fits(record)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"hook_event_name": 5},
        {"hook_event_name": "stop"},
        {"hook_event_name": "preToolUse", "x": 1},
        {"hook_event_name": "somethingNew", "generation_id": "g"},
        {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash"},
        {"conversation_id": "c", "generation_id": "g"},
    ],
)
def test_payloads_of_others_are_not(record: dict[str, Any]) -> None:
    assert not hooks.fits(record)


# -- the session --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("root", "cwd"),
    [
        ("/home/dev/a", "/home/dev/a"),
        ("/c:/Users/dev", "c:/Users/dev"),
        ("/D:", "D:"),
        ("/c:x", "/c:x"),
    ],
)
def test_a_root_may_be_a_drive_behind_a_slash(root: str, cwd: str) -> None:
    (seen,) = fed(hook("sessionStart", workspace_roots=[root, "/other"], model="default"))
    assert isinstance(seen, SessionSeen)
    assert (seen.session_id, seen.cwd, seen.model) == ("c", cwd, "Auto")


def test_a_session_is_told_again_only_when_more_is_known() -> None:
    events = fed(
        hook("preCompact", model="unknown"),
        hook("preCompact"),
        hook("preCompact", model="m"),
        hook("preCompact", model="unknown", workspace_roots=[]),
    )
    assert [each.model for each in of(events, SessionSeen)] == [None, "m"]


def test_the_address_of_the_user_is_in_no_event() -> None:
    payloads = [
        json.loads(line) for path in FIXTURES for line in path.read_text("utf-8-sig").splitlines()
        if not line.startswith("\ufeff")
    ]  # fmt: skip
    assert all(each["user_email"] for each in payloads)
    assert "@example.com" not in repr(fed(*payloads))


# -- turns --------------------------------------------------------------------------------------


def test_a_prompt_has_its_attachments_as_context() -> None:
    files = [{"type": "file", "file_path": "a.md"}, {"type": "rule"}, {"file_path": 5}]
    payload = hook(
        "beforeSubmitPrompt", prompt="<user_query>\nhi\n</user_query>", attachments=files
    )
    (prompt,) = of(fed(payload), PromptSeen)
    assert (prompt.text, [part.text for part in prompt.context]) == ("hi", ["a.md"])
    (prompt,) = of(fed(hook("beforeSubmitPrompt", attachments="odd.md")), PromptSeen)
    assert (prompt.text, [part.text for part in prompt.context]) == ("", ["odd.md"])


def test_what_the_agent_says_has_its_tokens_where_they_are_counted() -> None:
    events = fed(
        hook("afterAgentThought", text="hm", duration_ms=9.5),
        hook("afterAgentResponse", text="a", input_tokens=3, output_tokens=1),
        hook("afterAgentResponse", text=None),
    )
    (thought,) = of(events, ThoughtSeen)
    assert (thought.text, thought.duration_ms) == ("hm", 9.5)
    assert texts(events) == ["a"]
    assert [each.usage for each in of(events, UsageSeen)] == [
        Usage(input_tokens=3, output_tokens=1)
    ]


@pytest.mark.parametrize(
    ("word", "status"),
    [("completed", "success"), ("aborted", "aborted"), ("Error", "error"), (None, "unknown")],
)
def test_a_stop_ends_the_turn(word: str | None, status: str) -> None:
    (end,) = of(fed(hook("stop", status=word, output_tokens=2)), TurnEnded)
    assert (end.status, end.usage) == (status, Usage(output_tokens=2))


def test_the_end_of_a_session_ends_a_turn_that_nothing_else_ended() -> None:
    end = hook("sessionEnd", final_status="completed", reason="user_close", duration_ms=7)
    events = fed(pre("u"), end, end, hook("afterAgentResponse", text="a"), hook("stop"), end)
    assert [(each.status, each.duration_ms) for each in of(events, TurnEnded)] == [
        ("success", 7.0),
        ("unknown", None),
    ]
    assert codes(events) == ["session-end", "session-end"]


@pytest.mark.parametrize("generation", ["g", None])
def test_a_generation_ends_once(generation: str | None) -> None:
    first, again = (
        hook("stop", generation, status="completed"),
        hook("stop", generation, status="aborted"),
    )
    events = fed(hook("afterAgentResponse", generation, text="a"), first, again, again)
    assert [each.status for each in of(events, TurnEnded)] == ["success"]
    assert [each.message for each in of(events, Noted)] == [
        "the turn had ended (completed) and ends again: aborted"
    ] * 2
    other = hook("stop", "h", status="aborted")
    assert [each.status for each in of(fed(first, other), TurnEnded)] == ["success", "aborted"]


def test_a_generation_that_goes_on_after_its_end_ends_again() -> None:
    said = hook("afterAgentResponse", text="a")
    events = fed(said, hook("stop", status="completed"), said, hook("stop", status="aborted"))
    assert [each.status for each in of(events, TurnEnded)] == ["success", "aborted"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (["a", 5], '["a",5]'),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ({"text": "é"}, '{"text":"é"}'),
        (5, "5"),
        (False, "false"),
    ],
)
def test_a_text_of_another_type_is_not_lost(value: Any, shown: str) -> None:
    assert [
        each.text for each in of(fed(hook("beforeSubmitPrompt", prompt=value)), PromptSeen)
    ] == [shown]
    assert texts(fed(hook("afterAgentResponse", text=value))) == [shown]
    assert [each.text for each in of(fed(hook("afterAgentThought", text=value)), ThoughtSeen)] == [
        shown
    ]
    assert ended(runs(value))[0][2] is None
    assert of(fed(runs(value)), CallStarted)[0].args["command"] == shown
    ((_, _, found),) = ended(hook("afterShellExecution", command="ls", output=value))
    assert found is not None
    assert found.value["output"] == shown
    ((_, _, found),) = ended(failed("u", value, "Write"))
    assert found == Outcome(status="error", error=shown)


def test_an_id_may_be_a_number() -> None:
    events = fed(pre(7, command="a"), post(7, "x"))
    assert [each.call_id for each in of(events, CallStarted, CallCompleted)] == ["7", "7"]


def test_a_compaction_says_what_is_known_of_it() -> None:
    events = fed(hook("preCompact"), hook("preCompact", trigger="manual", messages_to_compact=3))
    assert [each.message for each in of(events, Noted)] == [
        "the conversation is compacted (no reason given)",
        "the conversation is compacted (manual), 3 of ? messages",
    ]


def test_a_hook_nobody_knows_is_a_problem() -> None:
    (note,) = of(fed(hook("afterLunch")), Noted)
    assert (note.code, note.problem) == ("unknown-record", True)


# -- one call of several payloads ---------------------------------------------------------------


def test_tool_hooks_of_one_id_are_one_call() -> None:
    events = fed(pre("u\nv", command="ls"), post("u\nv", '{"output":"a"}', command="ls"))
    assert [each.call_id for each in of(events, CallStarted, CallCompleted)] == ["u\nv", "u\nv"]
    assert of(events, CallCompleted)[0].outcome == Outcome(status="success", value={"output": "a"})


def test_what_runs_inside_a_tool_is_no_call_of_its_own() -> None:
    payloads = (pre("u", command="ls"), runs("ls"), ran("ls"), post("u", '{"exitCode":0}'))
    value = {"output": "out", "executionTime": 5.0, "exitCode": 0}
    assert ended(*payloads) == [("Shell", "u", Outcome(status="success", value=value))]


def test_a_tool_without_its_end_ends_with_what_ran_inside() -> None:
    assert ended(pre("u", command="ls"), runs("ls"), ran("ls")) == [("Shell", "u", DONE)]


def test_a_tool_hook_that_comes_after_takes_what_ran_before_it() -> None:
    found = ended(runs("ls"), ran("ls"), post("u", '{"exitCode":0}', command="ls"))
    value = {"output": "out", "executionTime": 5.0, "exitCode": 0}
    assert found == [("Shell", f"{INVENTED}shell 1", Outcome(status="success", value=value))]


def test_an_end_without_an_id_takes_the_call_that_runs() -> None:
    assert len(ended(runs("ls"), post(None, "x", command="ls"))) == 1


def test_two_runs_of_one_command_are_two_calls() -> None:
    assert len(ended(runs("ls"), ran("ls"), runs("ls"), ran("ls", "again"))) == 2
    twice = (pre("u", command="ls"), pre("v", command="ls"), runs("ls"), runs("ls"), ran("ls"), ran("ls"))  # fmt: skip
    assert [use for _, use, _ in ended(*twice)] == ["u", "v"]


def test_a_run_that_no_tool_hook_knows_is_told_at_once_when_they_are_logged() -> None:
    events = fed(pre("u", command="a"), ran("b"), pre("w", command="c"))
    kinds = [(type(each).__name__, each.args["command"]) for each in of(events, CallStarted, CallCompleted)]  # fmt: skip
    assert kinds[:3] == [("CallStarted", "a"), ("CallStarted", "b"), ("CallCompleted", "b")]


def test_what_ran_is_told_before_the_agent_goes_on() -> None:
    events = fed(runs("ls"), ran("ls"), hook("afterAgentResponse", text="Done."))
    assert [type(each).__name__ for each in events[1:]] == [
        "CallStarted",
        "CallCompleted",
        "TextSeen",
    ]


def test_a_tool_hook_of_a_run_that_was_told_says_only_when_it_failed() -> None:
    said = hook("afterAgentThought", text="hm")
    told = (runs("ls"), ran("ls"), said)
    assert len(ended(*told, post("u", "x", command="ls"))) == 1
    again = failed("u", "Command failed with exit code 2", tool_input={"command": "ls"})
    assert ended(*told, again)[1][2] == Outcome(
        status="success", value={"output": "out", "executionTime": 5.0, "exitCode": 2}
    )


def test_a_new_generation_has_calls_of_its_own() -> None:
    other = hook("afterShellExecution", "h", command="ls", output="x")
    found = ended(runs("ls"), ran("ls"), other, hook("stop", None))
    assert [outcome.value["output"] for _, _, outcome in found if outcome] == ["out", "x"]


@pytest.mark.parametrize("payload", [pre("u", "Read", file_path="a"), runs("ls")])
def test_a_log_without_any_end_knows_no_outcome(payload: dict[str, Any]) -> None:
    assert [outcome for _, _, outcome in ended(payload)] == [None]


def test_what_never_ended_stays_open_when_ends_are_logged() -> None:
    events = fed(pre("u", command="a"), pre("v", command="b"), post("v", "x"), runs("c"), ran("d"))
    assert {each.args["command"] for each in of(events, CallStarted)} == {"a", "b", "c", "d"}
    assert {each.args["command"] for each in of(events, CallCompleted)} == {"b", "d"}


def test_a_file_read_alone_is_a_call_whose_outcome_nobody_recorded() -> None:
    payload = hook("beforeReadFile", file_path="a.md", content="text")
    assert [(name, outcome) for name, _, outcome in ended(payload)] == [("read", None)]


def test_a_read_holds_what_the_file_held() -> None:
    inner = hook("beforeReadFile", file_path="a.md", content="text")
    output = '{"file_path":"a.md","content_length":4}'
    value = {"content": "text", "content_length": 4}
    before = ended(pre("u", "Read", file_path="a.md"), inner, post("u", output, "Read"))
    after = ended(inner, post("u", output, "Read", file_path="a.md"))
    assert [outcome.value for _, _, outcome in before + after if outcome] == [value, value]


def test_an_edit_alone_is_a_call_and_inside_a_tool_is_not() -> None:
    ((name, _, outcome),) = ended(edited("a.md"))
    assert (name, outcome) == ("edit", Outcome(status="success"))
    write = {"file_path": "a.md", "content": "b"}
    (start, end) = of(
        fed(edited("a.md"), post("u", '{"success":true}', "Write", **write)),
        CallStarted,
        CallCompleted,
    )
    assert (start.name, end.name, end.args) == ("edit", "Write", write)


def test_an_edit_completed_by_tab_is_never_the_agents() -> None:
    tab = hook("afterTabFileEdit", file_path="a.md", edits=None)
    found = ended(pre("u", "Write", path="a.md"), tab)
    assert [name for name, _, _ in found] == ["tabEdit", "Write"]


def test_an_mcp_call_knows_its_server_from_what_ran_inside() -> None:
    given_ = {"tool_name": "level", "tool_input": '{"port":"N"}'}
    payloads = (
        pre("u", "MCP:level", port="N"),
        hook("beforeMCPExecution", mcp_server_name="tide", **given_),
        hook("afterMCPExecution", result_json="", **given_),
        post("u", '{"content":[]}', "MCP:level", port="N"),
    )
    (end,) = of(fed(*payloads), CallCompleted)
    assert end.name == "mcp"
    assert end.args == {
        "toolName": "level",
        "arguments": {"port": "N"},
        "providerIdentifier": "tide",
    }


# -- outcomes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        (None, None),
        ("", None),
        ("plain", Outcome(status="success", value="plain")),
        ({"a": 1}, Outcome(status="success", value={"a": 1})),
        ('{"success":true}', Outcome(status="success")),
        ('{"success":false}', Outcome(status="error", value={"success": False}, error="failed")),
        ('{"success":false,"error":"no"}', Outcome(status="error", value={"success": False, "error": "no"}, error="no")),
        ('{"deleted":false}', Outcome(status="error", value={"deleted": False}, error="not deleted")),
        ({}, Outcome(status="unknown")),
        ([], Outcome(status="unknown", value=[])),
        (0, Outcome(status="success", value=0)),
        ("{cut", Outcome(status="success", value="{cut")),
    ],
)  # fmt: skip
def test_an_output_is_json_in_a_string(output: Any, outcome: Outcome | None) -> None:
    assert [each for _, _, each in ended(post("u", output, "Delete"))] == [outcome]


def test_a_command_took_as_long_as_its_hook_says() -> None:
    payload = post("u", {"output": "a", "exitCode": 0}) | {"duration": 7.5}
    ((_, _, outcome),) = ended(payload)
    assert outcome is not None
    assert outcome.value == {"output": "a", "exitCode": 0, "executionTime": 7.5}


@pytest.mark.parametrize("name", ["Shell", "Write", "Read", "MCP:level", "Brew"])
@pytest.mark.parametrize("in_text", [False, True])
@pytest.mark.parametrize(
    ("output", "words"),
    [
        ({"error": "x"}, "x"),
        ({"error": {"message": "x"}}, "x"),
        ({"success": "false", "error": "x"}, "x"),
        ({"success": True, "error": "x"}, "x"),
        ({"success": 0}, "failed"),
        ({"rejected": True}, "rejected"),
        ({"rejected": {"reason": "no"}}, "rejected: no"),
        ({"timedOut": True}, "timed out"),
        ({"cancelled": {}}, "cancelled"),
        ({"isError": "true", "content": [{"type": "text", "text": "bad"}]}, "bad"),
        ({"isError": 1}, "failed"),
        ({"error": "x", "output": "seen"}, "x\n\nseen"),
    ],
)
def test_an_output_that_names_a_failure_is_one(
    name: str,
    in_text: bool,  # noqa: FBT001 - a parameter
    output: Any,
    words: str,
) -> None:
    ((_, _, found),) = ended(post("u", json.dumps(output) if in_text else output, name))
    assert found is not None
    assert (found.status, found.error) == ("error", words)


@pytest.mark.parametrize(
    "output",
    [
        {"exitCode": 2, "output": "o"},
        {"exitCode": "2", "output": "o"},
        {"exit_code": 2, "output": "o"},
        "Exit code: 2\no",
        "o\nCommand exited with code 2",
    ],
)
def test_another_exit_code_fails_a_command_in_any_spelling(output: Any) -> None:
    ((_, _, found),) = ended(post("u", output))
    assert found is not None
    assert found.value["exitCode"] == 2
    ((_, _, inner),) = ended(hook("afterShellExecution", command="ls", **(output if isinstance(output, dict) else {"output": output})))  # fmt: skip
    assert inner is not None
    assert inner.value["exitCode"] == 2


@pytest.mark.parametrize("output", ["", None, "text", "the exit code 2 of ls"])
def test_an_output_alone_claims_no_success(output: Any) -> None:
    ((_, _, found),) = ended(hook("afterShellExecution", command="ls", output=output))
    value = {"output": output or "", "executionTime": None}
    assert found == Outcome(status="unknown", value=value)


def test_an_exit_code_of_zero_is_a_success() -> None:
    ((_, _, found),) = ended(hook("afterShellExecution", command="ls", output="", exitCode=0))
    assert found is not None
    assert (found.status, found.value["exitCode"]) == ("success", 0)


@pytest.mark.parametrize(
    ("result", "status"),
    [
        ({"content": []}, "success"),
        ({"isError": False, "a": 1}, "success"),
        ({"a": 1}, "unknown"),
        ("3.2", "unknown"),
        ({"content": [], "isError": "true"}, "error"),
    ],
)
def test_an_mcp_result_is_a_success_when_it_is_one_by_the_protocol(
    result: Any, status: str
) -> None:
    payload = hook("afterMCPExecution", tool_name="t", tool_input="{}", result_json=result)
    ((_, _, found),) = ended(payload)
    assert found is not None
    assert found.status == status


def test_a_failure_inside_contradicts_the_success_around_it() -> None:
    given_ = {"tool_name": "level", "tool_input": "{}"}
    bad = hook(
        "afterMCPExecution", result_json={"isError": True, "content": [{"text": "bad"}]}, **given_
    )
    ((_, _, found),) = ended(pre("u", "MCP:level"), bad, post("u", {"content": []}, "MCP:level"))
    assert found is not None
    assert (found.status, found.error) == ("error", "bad")


def test_a_read_that_ends_without_a_result_claims_no_success() -> None:
    inner = hook("beforeReadFile", file_path="a.md", content="text")
    found = ended(pre("u", "Read", file_path="a.md"), inner, post("u", None, "Read"))
    assert found == [("Read", "u", Outcome(status="unknown", value={"content": "text"}))]


def test_a_failed_command_keeps_its_output() -> None:
    payloads = (
        pre("u", command="ls"),
        ran("ls", "seen"),
        failed("u", "gone", failure_type="timeout"),
    )
    ((_, _, found),) = ended(*payloads)
    assert found == Outcome(status="error", error="timeout: gone\n\nseen")
    ((_, _, found),) = ended(*payloads[:2], failed("u", "it said seen"))
    assert found == Outcome(status="error", error="it said seen")


@pytest.mark.parametrize(
    ("error", "word", "interrupted", "told"),
    [
        ("gone", "error", False, "gone"),
        ("gone", None, False, "gone"),
        (None, None, False, "failed"),
        ("no", "permission_denied", False, "permission denied: no"),
        (None, "permission_denied", False, "permission denied"),
        ("stop", "error", True, "interrupted: stop"),
    ],
)
def test_a_failure_says_why(
    error: str | None,
    word: str | None,
    interrupted: bool,  # noqa: FBT001 - a parameter
    told: str,
) -> None:
    assert failure(error, word, interrupted=interrupted, exits=False) == Outcome(
        status="error", error=told
    )


@pytest.mark.parametrize(
    ("name", "error", "outcome"),
    [
        ("Shell", "Command failed with exit code 3", Outcome(status="success", value={"exitCode": 3})),
        ("Shell", "exited with code 0", Outcome(status="error", error="exited with code 0")),
        ("Shell", "spawn failed", Outcome(status="error", error="spawn failed")),
        ("Read", "exit code 3", Outcome(status="error", error="exit code 3")),
    ],
)  # fmt: skip
def test_a_command_that_exits_with_another_code_has_run(
    name: str, error: str, outcome: Outcome
) -> None:
    payload = failed("u", error, name, failure_type="error", is_interrupt=False)
    assert [each for _, _, each in ended(payload)] == [outcome]


def test_names_are_those_of_the_tools_table() -> None:
    assert tool("List", {"path": "a"}) == ("ls", {"path": "a"})
    assert tool("MCP:echo", "odd") == ("mcp", {"toolName": "echo", "arguments": {}})
    assert tool("Brew", '{"a":1}') == ("Brew", {"a": 1})


def test_json_in_a_string_may_hold_raw_line_ends_or_be_none() -> None:
    assert parsed('{"a":"x\ny"}') == {"a": "x\ny"}
    assert parsed('{"a":1} {"b":2}') == '{"a":1} {"b":2}'
    assert parsed("[" * 5000) == "[" * 5000
    assert parsed(5) == 5


# -- sub-agents ---------------------------------------------------------------------------------


def test_a_sub_agent_is_a_task_and_what_it_does_is_inside() -> None:
    events = fed(
        hook("subagentStart", subagent_id="s", tool_call_id="t", task="look", subagent_model="m"),
        hook("afterAgentResponse", "other") | {"conversation_id": "s", "text": "hm"},
        hook("subagentStop", subagent_id="s", status="completed", summary="two", duration_ms=5),
        hook("afterAgentResponse", text="done"),
    )
    (start,), (end,) = of(events, CallStarted), of(events, CallCompleted)
    assert start.args == {"description": "look", "prompt": "look", "model": "m"}
    assert (start.call_id, end.call_id) == ("t", "t")
    value = {"result": "two", "agentId": "s", "durationMs": 5.0}
    assert end.outcome == Outcome(status="success", value=value)
    assert [each.parent for each in events if getattr(each, "text", None)] == ["t", None]
    assert [each.session_id for each in of(events, SessionSeen)] == ["c"]


def test_a_sub_agent_of_a_tool_hook_is_that_tools_call() -> None:
    found = ended(
        pre("t", "Task", prompt="look"),
        hook("subagentStart", subagent_id="s", tool_call_id="t", task="look"),
        hook("subagentStop", subagent_id="s", status="completed", summary="two"),
        post("t", {"output": "fine"}, "Task"),
    )
    value = {"result": "two", "agentId": "s", "output": "fine"}
    assert found == [("Task", "t", Outcome(status="success", value=value))]


@pytest.mark.parametrize(
    ("word", "status"),
    [("aborted", "error"), ("paused", "unknown"), (None, "unknown"), ("Timeout", "error")],
)
def test_a_sub_agent_that_nobody_saw_start_still_ends(word: str | None, status: str) -> None:
    ((name, _, outcome),) = ended(hook("subagentStop", subagent_id="s", status=word))
    assert outcome is not None
    assert (name, outcome.status) == ("task", status)


def test_what_waits_of_a_sub_agent_that_nobody_saw_start_is_inside_its_task() -> None:
    events = fed(
        pre("t", "Task", prompt="look"),
        hook("afterAgentResponse", "other", text="hm") | {"conversation_id": "s"},
        hook("subagentStop", subagent_id="s", tool_call_id="t", status="completed", summary="two"),
        hook("afterAgentResponse", "other", text="late") | {"conversation_id": "s"},
        post("t", {"output": "fine"}, "Task"),
    )
    assert [each.parent for each in events if getattr(each, "text", None)] == ["t", "t"]
    assert codes(events) == []


def test_two_sub_agents_with_the_same_ids_have_calls_of_their_own() -> None:
    def of_child(name: str, payload: dict[str, Any]) -> dict[str, Any]:
        return payload | {"conversation_id": name, "generation_id": f"g-{name}"}

    begun = [hook("subagentStart", subagent_id=each, tool_call_id=f"t-{each}") for each in "xy"]
    steps = [of_child(each, pre("1", command="ls")) for each in "xy"]
    steps += [of_child(each, post("1", f"out {each}")) for each in "yx"]
    done = [hook("subagentStop", subagent_id=each, status="completed") for each in "xy"]
    ends = of(fed(*begun, *steps, *done), CallCompleted)
    assert [(each.parent, each.outcome.value) for each in ends if each.name == "Shell"] == [
        ("t-y", "out y"),
        ("t-x", "out x"),
    ]
    assert len({each.call_id for each in ends}) == 4


def test_a_task_that_a_sub_agent_starts_is_inside_it() -> None:
    inner = hook("subagentStart", "gx", subagent_id="y", tool_call_id="t-y") | {
        "conversation_id": "x"
    }
    events = fed(
        hook("subagentStart", subagent_id="x", tool_call_id="t-x"),
        inner,
        hook("afterAgentResponse", "gy", text="deep") | {"conversation_id": "y"},
    )
    (said,) = [each for each in events if getattr(each, "text", None)]
    (outer, nested) = of(events, CallStarted)
    assert (outer.parent, nested.parent, said.parent) == (None, "t-x", nested.call_id)


# -- several conversations in one log -----------------------------------------------------------


def of_other(payload: dict[str, Any], name: str = "d") -> dict[str, Any]:
    return payload | {"conversation_id": name, "generation_id": f"g-{name}"}


def mixed(first: str, second: str) -> list[dict[str, Any]]:
    """Two conversations whose payloads alternate, with calls of the ids given."""
    return [
        hook("beforeSubmitPrompt", prompt="A"),
        of_other(hook("beforeSubmitPrompt", prompt="B", workspace_roots=["/d"])),
        pre(first, command="ls"),
        of_other(pre(second, command="ls")),
        runs("ls"),
        of_other(runs("ls")),
        post(first, {"exitCode": 0, "output": "outA"}),
        of_other(failed(second, "boom")),
        hook("afterAgentResponse", text="fromA"),
        of_other(hook("afterAgentResponse", text="fromB")),
    ]


STOPS = [hook("stop", status="completed"), of_other(hook("stop", status="error"))]


def shown(events: Iterable[AnyEvent]) -> list[str]:
    found = of(events, PromptSeen, TextSeen, TurnEnded, CallCompleted)
    words = [
        getattr(each, "text", None) or getattr(each, "status", None) or each.outcome
        for each in found
        if getattr(each, "text", None) != ""
    ]
    return [
        each.error or each.value["output"] if isinstance(each, Outcome) else each for each in words
    ]


@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("1", "1")])
def test_the_turns_of_two_conversations_are_told_one_after_the_other(
    first: str, second: str
) -> None:
    events = fed(*mixed(first, second), *STOPS)
    assert shown(events) == ["A", "outA", "fromA", "success", "B", "boom", "fromB", "error"]
    assert [each.message for each in of(events, Noted)] == ["what follows is of the conversation d"]
    assert [(each.session_id, each.cwd) for each in of(events, SessionSeen)] == [("c", None)]
    assert len({each.call_id for each in of(events, CallStarted)}) == 2


@pytest.mark.parametrize(
    "after",
    [
        [],
        [hook("afterAgentThought", "h", text="hm")],
        [of_other(hook("preCompact"))] * 101,
    ],
    ids=["the end", "a new generation", "long silence"],
)
def test_a_turn_without_an_end_gives_way(after: list[dict[str, Any]]) -> None:
    events = fed(*mixed("a", "b"), *after)
    assert shown(events) == ["A", "outA", "fromA", "B", "boom", "fromB"]
    back = ["what follows is of the conversation c"] if len(after) == 1 else []
    switches = [each.message for each in of(events, Noted) if each.code == "another-run"]
    assert switches == ["what follows is of the conversation d", *back]


def test_a_conversation_that_waits_for_too_long_is_told_in_between() -> None:
    both = [hook("afterAgentThought", text="a"), of_other(hook("afterAgentThought", text="b"))]
    events = fed(*both * 1001, hook("afterAgentThought", text="c"), *STOPS)
    thoughts = [each.text for each in of(events, ThoughtSeen)]
    assert (thoughts.count("a"), thoughts.count("b"), thoughts[-1]) == (1001, 1001, "c")
    assert codes(events) == ["another-run"] * 2


def test_several_turns_that_waited_are_told_in_their_order() -> None:
    waiting = [
        of_other(hook("beforeSubmitPrompt", prompt="d"), "d"),
        of_other(hook("beforeSubmitPrompt", prompt="e"), "e"),
        of_other(hook("stop"), "d"),
        of_other(hook("stop"), "e"),
        of_other(hook("beforeSubmitPrompt", prompt="d2"), "d") | {"generation_id": "g2"},
    ]
    events = fed(hook("beforeSubmitPrompt", prompt="c"), *waiting, hook("stop"))
    assert [each.text for each in of(events, PromptSeen)] == ["c", "d", "e", "d2"]


def test_the_session_is_the_first_conversation_in_which_something_happens() -> None:
    opened = hook("sessionStart", workspace_roots=["/a"], model="m")
    closed = hook("sessionEnd", reason="unused")
    events = fed(opened, of_other(hook("beforeSubmitPrompt", prompt="B")), closed)
    assert [(each.session_id, each.cwd, each.model) for each in of(events, SessionSeen)] == [
        ("d", None, None)
    ]


def test_payloads_without_a_conversation_are_of_the_one_whose_turn_it_is() -> None:
    def bare(text: str) -> dict[str, Any]:
        return {"hook_event_name": "afterAgentResponse", "text": text}

    events = fed(bare("a"), hook("afterAgentResponse", text="b"), bare("c"), *mixed("a", "b"), bare("d"))  # fmt: skip
    assert shown(events)[:3] == ["a", "b", "c"]
    assert shown(events)[-4:] == ["d", "B", "boom", "fromB"]


def test_an_end_that_comes_after_the_next_generation_began_is_of_its_own_call() -> None:
    late = post("u", "first")
    began = pre("u", command="b") | {"generation_id": "h"}
    ends = of(fed(pre("u", command="a"), post("v", "x"), began, late), CallCompleted)
    starts = of(fed(pre("u", command="a"), began), CallStarted)
    assert ends[-1].call_id == starts[0].call_id == "u"
    assert starts[1].call_id != "u"


def payloads_kept(payloads: list[Any]) -> Iterable[str | None]:
    decoder = hooks.Decoder()
    for number, payload in enumerate(payloads, 1):
        at = Evidence(file="log", line=number)
        list(decoder.feed(hooks.RECORD.validate_python(payload), at))
    return decoder._runs["c"]._generations


def test_many_conversations_are_not_kept() -> None:
    payloads = [of_other(hook("stop", status="completed"), f"c{each}") for each in range(1100)]
    events = fed(*payloads)
    assert len(of(events, TurnEnded)) == 1100
    many = [hook("stop", f"g{each}", status="completed") for each in range(20)]
    assert len(of(fed(*many), TurnEnded)) == 20
    assert list(payloads_kept(many)) == [f"g{each}" for each in range(12, 20)]


def test_one_command_over_and_over_takes_no_longer_each_time() -> None:
    payloads = [runs("ls"), ran("ls")] * 8000
    assert len(of(fed(*payloads), CallCompleted)) == 8000
    calls = [pre(f"u{each}", command="ls") for each in range(4000)]
    inside = [runs("ls")] * 4000 + [ran("ls")] * 4000
    ends = of(fed(*calls, *inside, *[post(f"u{each}", "x") for each in range(4000)]), CallCompleted)
    assert [each.call_id for each in ends] == [f"u{each}" for each in range(4000)]


# -- odd bytes ----------------------------------------------------------------------------------


@pytest.mark.parametrize("marks", [1, 2])
def test_marks_in_front_of_every_payload_are_taken_off(tmp_path: Path, marks: int) -> None:
    line = b"\xef\xbb\xbf" * marks + json.dumps(pre("u", command="ls")).encode()
    events = read(written(tmp_path, line, line))
    assert set(codes(events)) == {"byte-order-mark"}
    assert not any(each.problem for each in of(events, Noted))
    assert len(of(events, CallStarted)) == 2


# -- properties ---------------------------------------------------------------------------------

SILENT = {
    "sessionStart", "postToolUse", "postToolUseFailure", "beforeShellExecution",
    "afterShellExecution", "beforeMCPExecution", "afterMCPExecution", "beforeReadFile",
    "afterFileEdit", "afterTabFileEdit", "subagentStop", "subagentStart",
}  # fmt: skip
"""What may only say more of a call that another payload has told."""


def unaccounted(data: bytes, events: Iterable[AnyEvent]) -> list[int]:
    told = {event.origin.line for event in events}
    missing = []
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            record = json.loads(line.lstrip(b"\xef\xbb\xbf"))
        except ValueError:
            continue
        whole = isinstance(record, dict) and hooks.fits(record)
        if whole and record["hook_event_name"] not in SILENT and number not in told:
            missing.append(number)
    return missing


@STEADY
@given(path=st.sampled_from(FIXTURES), at=st.floats(0, 1), length=st.integers(0, 9), new=st.binary(max_size=6))  # fmt: skip
def test_every_payload_of_a_mutilated_log_is_accounted_for(
    tmp_path_factory: pytest.TempPathFactory, path: Path, at: float, length: int, new: bytes
) -> None:
    data = path.read_bytes()
    place = int(len(data) * at)
    changed = data[:place] + new + data[place + length :]
    copy = tmp_path_factory.mktemp("hooks") / "log.jsonl"
    copy.write_bytes(changed)
    assert unaccounted(changed, read(str(copy))) == []


@STEADY
@given(path=st.sampled_from(FIXTURES), at=st.floats(0, 1))
def test_every_payload_of_a_cut_log_is_accounted_for(
    tmp_path_factory: pytest.TempPathFactory, path: Path, at: float
) -> None:
    data = path.read_bytes()
    cut = data[: int(len(data) * at)]
    copy = tmp_path_factory.mktemp("hooks") / "log.jsonl"
    copy.write_bytes(cut)
    try:
        events = read(str(copy))
    except ReplayError:
        assert b"\n" not in cut
        return
    assert unaccounted(cut, events) == []


TARGETS = st.sampled_from(["a", "b"])
REPORTS = st.one_of(
    st.builds(lambda use, target: pre(use, command=target), st.sampled_from("uvw"), TARGETS),
    st.builds(lambda use, target: post(use, "x", command=target), st.sampled_from("uvw"), TARGETS),
    st.builds(runs, TARGETS),
    st.builds(ran, TARGETS),
    st.builds(edited, TARGETS),
    st.just(hook("afterAgentResponse", text="t")),
)


@STEADY
@given(st.lists(REPORTS, max_size=14))
def test_every_output_is_told_and_no_call_ends_twice(payloads: list[Any]) -> None:
    events = fed(*payloads)
    ends = [each.call_id for each in of(events, CallCompleted)]
    assert len(ends) == len(set(ends))
    uses = {each["tool_use_id"] for each in payloads if each.get("tool_use_id")}
    commands = [each for each in payloads if "Shell" in each["hook_event_name"]]
    if not commands:
        assert uses == {each.call_id for each in of(events, CallStarted, CallCompleted)} - {
            each.call_id for each in of(events, CallStarted) if each.name == "edit"
        }
