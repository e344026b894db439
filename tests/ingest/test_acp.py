"""ACP dumps: questions and answers of both sides, calls that come in pieces, odd messages."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ingest_words import codes, decoded, of, read, texts

from cursor_replay.errors import ReplayError
from cursor_replay.events import (
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
)
from cursor_replay.ingest.formats.acp import dump as acp

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures" / "acp").glob("*/input.jsonl"))
STEADY = settings(
    deadline=None, derandomize=True, max_examples=150, suppress_health_check=[HealthCheck.too_slow]
)
OPTIONS = [
    {"optionId": "yes", "kind": "allow_always"},
    {"optionId": "no", "kind": "reject_once"},
]


def fed(*records: Any) -> list[AnyEvent]:
    return decoded("acp", *({"jsonrpc": "2.0", **record} for record in records))


def update(word: str, **fields: Any) -> dict[str, Any]:
    return {"method": "session/update", "params": {"update": {"sessionUpdate": word, **fields}}}


def asked(number: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"id": number, "method": method, "params": params}


def answer(number: Any, result: Any) -> dict[str, Any]:
    return {"id": number, "result": result}


def call(call_id: str, **fields: Any) -> dict[str, Any]:
    return update("tool_call", toolCallId=call_id, **fields)


def later(call_id: str, **fields: Any) -> dict[str, Any]:
    return update("tool_call_update", toolCallId=call_id, **fields)


def ended(*records: Any) -> list[tuple[str, Any, Outcome | None]]:
    return [(each.name, each.args, each.outcome) for each in of(fed(*records), CallCompleted)]


# -- recognition --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        {"method": "initialize", "params": {"protocolVersion": 1}},
        {"method": "session/update", "params": {}},
        {"method": "cursor/task"},
        {"method": "authenticate"},
        {"id": 1, "result": {"protocolVersion": 1, "agentCapabilities": {}}},
        {"id": 1, "result": {"sessionId": "s", "modes": {}}},
        {"id": 1, "result": {"stopReason": "end_turn"}},
        {"method": "session/dream", "params": {"sessionId": "s"}},
        {"method": "x/y", "params": {"update": {"sessionUpdate": "plan"}}},
        {"method": "terminal/create", "params": {"sessionId": "s"}},
    ],
)
def test_messages_of_the_protocol_are_known(record: dict[str, Any]) -> None:
    assert acp.fits({"jsonrpc": "2.0", **record})


@pytest.mark.parametrize(
    "record",
    [
        {"method": "initialize", "params": {"protocolVersion": "2024-11-05"}},
        {"method": "initialize", "params": {"protocolVersion": True}},
        {"method": "tools/call", "params": {"name": "level"}},
        {"id": 1, "result": {"content": []}},
        {"id": 1, "result": None},
        {"id": 1, "result": {"sessionId": "s"}},
        {"id": 1},
        {"method": "session/dream", "params": {}},
        {"method": "session/start"},
        {"method": "terminal/create", "params": {}},
        {"method": "terminal/resize", "params": {"sessionId": 5}},
        {"method": "cursor/position", "params": {"line": 1}},
        {"method": "fs/watch", "params": {"update": {"sessionUpdate": 5}}},
    ],
)
def test_messages_of_mcp_and_of_other_protocols_are_not(record: dict[str, Any]) -> None:
    assert not acp.fits({"jsonrpc": "2.0", **record})


def test_a_record_without_a_version_is_none() -> None:
    assert not acp.fits({"method": "session/update", "params": {}})


# -- sessions and prompts -----------------------------------------------------------------------


def test_a_session_is_named_by_its_answer_and_by_every_change() -> None:
    opened = [
        asked(1, "session/new", cwd="/home/dev/a"),
        answer(1, {"sessionId": "s", "models": {"currentModelId": "m"}}),
    ]
    works = asked(2, "session/prompt", sessionId="s", prompt="hi")
    title = {
        "method": "session/update",
        "params": {
            "sessionId": "s",
            "update": {"sessionUpdate": "session_info_update", "title": "T"},
        },
    }
    for records in (
        opened,
        [*opened, works],
        [opened[0], works, opened[1]],
        [*opened, works, title, works],
    ):
        *_, seen = of(fed(*records), SessionSeen)
        assert (seen.session_id, seen.cwd, seen.model) == ("s", "/home/dev/a", "m")
    assert [each.title for each in of(fed(*opened, works, title, works), SessionSeen)] == [
        None,
        "T",
    ]
    assert [each.cwd for each in of(fed(opened[0]), SessionSeen)] == ["/home/dev/a"]


def test_a_prompt_is_its_texts_and_what_is_attached() -> None:
    blocks = [
        {"type": "text", "text": "see"},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
        {"type": "audio", "data": "AAAA"},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "body"}},
        {"type": "resource_link", "uri": "file:///b", "name": "b"},
        {"type": "resource", "resource": {}},
        {"type": "text", "text": 5},
        "stray",
    ]
    (prompt,) = of(fed(asked(1, "session/prompt", prompt=blocks)), PromptSeen)
    assert prompt.text == "see\n[Image]\n[Audio]\n5\nstray"
    assert [(part.tag, part.text) for part in prompt.context] == [
        ("resource", "file:///a\nbody"),
        ("resource_link", "file:///b"),
    ]


def test_an_echo_of_the_prompt_is_no_second_prompt() -> None:
    piece = update("user_message_chunk", content={"type": "text", "text": "hi"})
    ask = asked(1, "session/prompt", prompt=[{"type": "text", "text": "hi"}])
    events = fed(ask, piece, answer(1, {"stopReason": "end_turn"}), piece)
    assert [each.text for each in of(events, PromptSeen)] == ["hi", "hi"]


@pytest.mark.parametrize(
    ("stop", "status"),
    [("end_turn", "success"), ("cancelled", "cancelled"), ("Refusal", "refusal")],
)
def test_a_turn_ends_with_the_reason_it_stopped(stop: str, status: str) -> None:
    events = fed(answer(1, {"stopReason": stop, "usage": {"inputTokens": 4}}))
    (end,) = of(events, TurnEnded)
    assert (end.status, end.usage.input_tokens) == (status, 4)


def test_a_refused_prompt_is_the_end_of_its_turn_and_another_refusal_a_note() -> None:
    events = fed(
        asked(1, "session/prompt", prompt=[]),
        {"id": 1, "error": {"code": 1, "message": "no"}},
        asked(2, "session/new"),
        {"id": 2, "error": "odd"},
        {"id": 9, "error": {}},
    )
    (end,) = of(events, TurnEnded)
    assert (end.status, end.reason) == ("error", "no")
    assert [each.message for each in of(events, Noted)] == [
        "session/new failed: odd",
        "a request failed: an error without a text",
    ]


def test_an_id_may_stand_for_a_question_of_each_side() -> None:
    events = fed(
        asked(3, "session/prompt", prompt=[]),
        call("c", kind="execute", title="`ls`"),
        asked(3, "session/request_permission", toolCall={"toolCallId": "c"}, options=OPTIONS),
        answer(3, {"outcome": {"outcome": "selected", "optionId": "yes"}}),
        answer(3, {"stopReason": "end_turn"}),
    )
    assert [each.message for each in of(events, Noted)] == ["execute: allow always"]
    assert len(of(events, TurnEnded)) == 1


# -- speech -------------------------------------------------------------------------------------


def test_chunks_are_pieces_and_what_is_no_text_is_named() -> None:
    events = fed(
        update("agent_thought_chunk", content={"type": "text", "text": "hm"}),
        update("agent_message_chunk", content={"type": "text", "text": "a"}),
        update("agent_message_chunk", content={"type": "image", "data": "AAAA"}),
    )
    (thought,) = of(events, ThoughtSeen)
    assert (thought.text, thought.partial) == ("hm", True)
    assert texts(events) == ["a"]
    assert codes(events) == ["content-not-shown"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (asked(1, "session/set_mode", modeId="ask"), "mode set to ask"),
        (asked(1, "session/set_model", modelId="m"), "model set to m"),
        (update("current_mode_update", currentModeId="plan"), "mode set to plan"),
        ({"method": "session/cancel"}, "the user asked to cancel"),
        (
            asked(1, "fs/read_text_file", path="a"),
            "the agent asked the client for fs/read_text_file",
        ),
    ],
)
def test_what_is_no_card_is_a_note(record: dict[str, Any], message: str) -> None:
    (note,) = of(fed(record), Noted)
    assert (note.message, note.level, note.problem) == (message, "info", False)


@pytest.mark.parametrize(
    "record",
    [
        {"method": "session/dream", "params": {}},
        update("new_kind"),
        {"method": "session/update", "params": {"update": {"sessionUpdate": ["odd"]}}},
        {"method": "session/update"},
        update("tool_call", kind="read"),
    ],
)
def test_what_nobody_knows_is_a_problem(record: dict[str, Any]) -> None:
    (note,) = of(fed(record), Noted)
    assert (note.code, note.problem) == ("unknown-record", True)


@pytest.mark.parametrize("word", ["available_commands_update", "config_option_update"])
def test_lists_of_commands_say_nothing(word: str) -> None:
    assert fed(update(word)) == []


def test_a_title_is_the_sessions() -> None:
    (seen,) = fed(update("session_info_update", title="Boats"))
    assert isinstance(seen, SessionSeen)
    assert seen.title == "Boats"
    assert fed(update("session_info_update", title=None)) == []


# -- calls --------------------------------------------------------------------------------------


def test_a_call_learns_from_every_update() -> None:
    ((name, args, outcome),) = ended(
        call("c", kind="execute", title="Run", status="pending"),
        later("c", status="in_progress", rawInput={"command": "ls"}),
        later("c", status="completed", rawOutput={"stdout": "a"}),
    )
    assert (name, args) == ("shell", {"command": "ls"})
    assert outcome == Outcome(status="success", value={"stdout": "a"})


def test_a_call_that_never_ends_only_starts() -> None:
    events = fed(call("c", kind="read", title="Read", rawInput={"path": "a"}))
    assert [(each.name, each.args) for each in of(events, CallStarted)] == [("read", {"path": "a"})]
    assert of(events, CallCompleted) == []


def test_an_update_of_a_call_that_is_over_and_says_nothing_new_is_silent() -> None:
    over = call("c", kind="read", title="Read", status="completed", rawOutput="x")
    assert len(fed(over, later("c", status="in_progress"))) == 1


def test_an_id_that_comes_back_is_a_new_call_and_the_same_call_told_again_is_not() -> None:
    over = call("c", kind="read", title="Read", status="completed", rawOutput="x")
    again = call("c", kind="read", title="Read", status="pending")
    ids = [each.call_id for each in of(fed(over, over, again), CallStarted, CallCompleted)]
    assert ids == ["c", "c", "c 2"]


def test_a_new_prompt_forgets_what_is_over_and_keeps_what_is_open() -> None:
    first = call("a", kind="read", title="Read", status="completed", rawOutput="x")
    second = call("b", kind="read", title="Read")
    events = fed(
        first,
        second,
        asked(1, "session/prompt", prompt=[]),
        first,
        later("b", status="completed", rawOutput="y"),
    )
    assert [each.call_id for each in of(events, CallCompleted)] == ["a", "a 2", "b"]


@pytest.mark.parametrize(
    ("fields", "name", "args"),
    [
        ({"kind": "execute", "title": "`ls -l`"}, "shell", {"command": "ls -l"}),
        ({"kind": "execute"}, "shell", {}),
        ({"kind": "read", "locations": [{"path": "a"}]}, "read", {"path": "a"}),
        ({"kind": "read", "rawInput": {"file_path": "b"}, "locations": [{"path": "a"}]}, "read", {"file_path": "b"}),
        ({"kind": "delete", "locations": [{}]}, "delete", {}),
        ({"kind": "search", "rawInput": {"pattern": "x"}}, "grep", {"pattern": "x"}),
        ({"kind": "search", "rawInput": {"glob_pattern": "x"}}, "glob", {"glob_pattern": "x"}),
        ({"kind": "search", "rawInput": {"searchTerm": "x"}}, "webSearch", {"searchTerm": "x"}),
        ({"kind": "fetch", "rawInput": {"url": "u"}}, "webFetch", {"url": "u"}),
        ({"kind": "edit", "rawInput": {"path": "a", "contents": "b"}}, "write", {"path": "a", "contents": "b"}),
        ({"kind": "edit", "rawInput": {"path": "a", "old_string": "b"}}, "edit", {"path": "a", "old_string": "b"}),
        ({"kind": "other", "rawInput": {"toolName": "t"}}, "mcp", {"toolName": "t"}),
        ({"kind": "other", "title": "Ponder"}, "Ponder", {}),
        ({"kind": "think", "title": "Ponder"}, "think", {"title": "Ponder"}),
        ({"kind": "other"}, "unknown", {}),
        ({}, "unknown", {}),
        ({"kind": "edit", "rawInput": "*** Begin Patch"}, "edit", "*** Begin Patch"),
        ({"kind": "switch_mode", "rawInput": {"targetModeId": "ask"}}, "switchMode", {"targetModeId": "ask"}),
    ],
)  # fmt: skip
def test_a_kind_is_a_tool(fields: dict[str, Any], name: str, args: Any) -> None:
    (start,) = of(fed(call("c", **fields)), CallStarted)
    assert (start.name, start.args) == (name, args)


def diff(path: str, old: Any, new: str) -> dict[str, Any]:
    return {"type": "diff", "path": path, "oldText": old, "newText": new}


@pytest.mark.parametrize(
    ("diffs", "given", "name", "args"),
    [
        ([diff("a", "x", "y")], None, "edit", {"path": "a", "edits": [{"oldText": "x", "newText": "y"}]}),
        ([diff("a", None, "y")], None, "write", {"path": "a", "contents": "y"}),
        (
            [diff("a", None, "y"), diff("a", "x", "y")],
            None,
            "edit",
            {"path": "a", "edits": [{"oldText": None, "newText": "y"}, {"oldText": "x", "newText": "y"}]},
        ),
        ([diff("a", "x", "y")], {"path": "a", "old_string": "x"}, "edit", {"path": "a", "old_string": "x"}),
    ],
)  # fmt: skip
def test_a_diff_is_what_an_edit_changed(diffs: Any, given: Any, name: str, args: Any) -> None:
    fields = {"kind": "edit", "content": diffs, "status": "completed", "rawInput": given}
    assert ended(call("c", **fields)) == [(name, args, Outcome(status="success"))]


@pytest.mark.parametrize(
    ("kind", "fields", "outcome"),
    [
        ("read", {}, None),
        ("execute", {}, None),
        ("execute", {"rawOutput": {"odd": 1}}, Outcome(status="success", value={"odd": 1})),
        ("read", {"rawOutput": {"content": "a"}}, Outcome(status="success", value={"content": "a"})),
        ("read", {"content": [{"type": "content", "content": {"text": "a"}}]}, Outcome(status="success", value="a")),
        ("execute", {"content": [{"content": {"text": "a"}}]}, Outcome(status="success", value={"output": "a"})),
    ],
)  # fmt: skip
def test_a_completed_call_is_a_success_when_there_is_something_to_see(
    kind: str, fields: dict[str, Any], outcome: Outcome | None
) -> None:
    ((_, _, found),) = ended(call("c", kind=kind, status="completed", **fields))
    assert found == outcome


@pytest.mark.parametrize("word", ["completed", "Completed", "COMPLETED"])
def test_a_status_is_known_in_any_case_of_letters(word: str) -> None:
    fields = {"kind": "execute", "title": "`ls`", "rawOutput": {"exitCode": 0, "stdout": "caps"}}
    outcome = Outcome(status="success", value={"exitCode": 0, "stdout": "caps"})
    assert ended(call("c", status=word, **fields)) == [("shell", {"command": "ls"}, outcome)]


@pytest.mark.parametrize("kind", ["execute", "read", "other"])
@pytest.mark.parametrize(
    ("output", "words"),
    [
        ({"error": "bad"}, "bad"),
        ({"error": {"message": "bad"}}, "bad"),
        ({"error": "bad", "stdout": "seen\n"}, "bad\n\nseen"),
        ({"rejected": {"reason": "n"}}, "rejected: n"),
        ({"rejected": "n"}, "rejected: n"),
        ({"rejected": True}, "rejected"),
        ({"permissionDenied": {"error": "n"}}, "permission denied: n"),
        ({"failure": {}}, "failed"),
        ({"timeout": {}}, "timeout"),
        ({"cancelled": True}, "cancelled"),
        ({"aborted": "true"}, "aborted"),
        ({"success": False}, "failed"),
        ({"success": "false", "error": "x"}, "x"),
        ({"success": True, "error": "x"}, "x"),
        ({"isError": True, "content": [{"type": "text", "text": "bad"}]}, "bad"),
        ({"isError": "true"}, "failed"),
        ({"is_error": 1}, "failed"),
        ({"ok": False, "code": 7}, 'failed\n\n{"code":7}'),
    ],
)
def test_a_result_that_names_a_failure_is_one(kind: str, output: Any, words: str) -> None:
    ((_, _, found),) = ended(call("c", kind=kind, status="completed", rawOutput=output))
    assert found is not None
    assert (found.status, found.error) == ("error", words)


@pytest.mark.parametrize("status", ["completed", "failed"])
@pytest.mark.parametrize(
    "fields",
    [
        {"rawOutput": {"exitCode": 3, "stdout": "boo"}},
        {"rawOutput": {"exitCode": "3", "stdout": "boo"}},
        {"rawOutput": {"exit_code": 3, "output": "boo"}},
        {"rawOutput": {"output": "boo\nCommand exited with code 3"}},
        {"rawOutput": "Exit code: 3\nboo"},
        {
            "content": [
                {"type": "content", "content": {"type": "text", "text": "Exit code: 3\nboo"}}
            ]
        },
        {"content": "boo\nCommand exited with code 3"},
    ],
)
def test_another_exit_code_is_one_of_a_command_in_any_spelling(status: str, fields: Any) -> None:
    ((_, _, found),) = ended(call("c", kind="execute", status=status, **fields))
    assert found is not None
    assert (found.value["exitCode"], "boo" in str(found.value)) == (3, True)


def test_an_exit_code_fails_any_other_call() -> None:
    ((_, _, found),) = ended(call("c", kind="think", status="completed", rawOutput={"exitCode": 2}))
    assert found is not None
    assert (found.status, found.error) == ("error", 'exit code 2\n\n{"exitCode":2}')


@pytest.mark.parametrize("kind", ["execute", "read", "other", "search"])
def test_an_empty_output_claims_nothing(kind: str) -> None:
    ((_, _, found),) = ended(call("c", kind=kind, status="completed", rawOutput=""))
    assert found == Outcome(status="unknown")


def test_a_text_beside_an_output_is_kept_with_it() -> None:
    fields = {"rawOutput": {"odd": 1}, "content": [{"text": "seen"}, "bare", {"type": "image"}]}
    ((_, _, found),) = ended(call("c", kind="execute", status="completed", **fields))
    assert found == Outcome(status="success", value={"odd": 1, "output": "seen\nbare"})


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, "failed"),
        ({"rawOutput": {"error": "gone"}}, "gone"),
        ({"rawOutput": "gone"}, "gone"),
        ({"rawOutput": {"odd": 1}}, {"odd": 1}),
        ({"content": [{"content": {"text": "gone"}}]}, "gone"),
    ],
)
def test_a_failed_call_says_why(fields: dict[str, Any], error: Any) -> None:
    ((_, _, found),) = ended(call("c", kind="read", status="failed", **fields))
    assert found is not None
    assert (found.status, found.error) == ("error", error)


# -- permissions and Cursor's own methods -------------------------------------------------------


def permission(outcome: Any, *after: Any, options: Any = OPTIONS) -> list[AnyEvent]:
    asks = asked(5, "session/request_permission", toolCall={"toolCallId": "c", "kind": "execute", "title": "`ls`"}, options=options)  # fmt: skip
    return fed(asks, answer(5, {"outcome": outcome}), *after)


def test_a_refusal_is_the_end_of_its_call() -> None:
    chosen = {"outcome": "selected", "optionId": "no"}
    events = permission(chosen, later("c", status="failed"), later("c", status="completed"))
    (end,) = of(events, CallCompleted)
    assert (end.name, end.args) == ("shell", {"command": "ls"})
    assert end.outcome == Outcome(status="error", error="rejected")


def test_a_refused_call_that_still_answers_is_told_again() -> None:
    chosen = {"outcome": "selected", "optionId": "reject-once"}
    output = {"stdout": "ran"}
    events = permission(chosen, later("c", status="completed", rawOutput=output), options=None)
    assert [each.outcome.status for each in of(events, CallCompleted)] == ["error", "success"]


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        ({"outcome": "selected", "optionId": "yes"}, "execute: allow always"),
        ({"outcome": "selected", "optionId": "never-heard-of"}, "execute: never heard of"),
        ({"outcome": "cancelled"}, "execute: cancelled"),
        ("odd", "execute: answered"),
    ],
)
def test_any_other_answer_leaves_the_call_open(outcome: Any, message: str) -> None:
    events = permission(outcome)
    assert [each.message for each in of(events, Noted)] == [message]
    assert of(events, CallCompleted) == []


def test_a_permission_for_no_call_is_still_told() -> None:
    events = fed(asked(5, "session/request_permission"), answer(5, {"outcome": {"optionId": "no"}}))
    assert [each.message for each in of(events, Noted)] == [
        "a tool call without an id",
        "a call: no",
    ]


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ({"outcome": {"outcome": "answered", "answers": []}}, Outcome(status="success", value={"outcome": "answered", "answers": []})),
        ({"outcome": {"outcome": "skipped"}}, Outcome(status="error", error="skipped")),
        ({"outcome": "rejected"}, Outcome(status="error", error="rejected")),
        ({"answers": [1]}, Outcome(status="success", value={"answers": [1]})),
        ("yes", Outcome(status="success", value="yes")),
        ({}, None),
        (None, None),
    ],
)  # fmt: skip
def test_a_question_of_cursors_own_ends_with_its_answer(result: Any, outcome: Any) -> None:
    asks = asked(1, "cursor/ask_question", toolCallId="q", sessionId="s", title="Colour")
    assert ended(asks, answer(1, result)) == [("askQuestion", {"title": "Colour"}, outcome)]


def test_a_second_answer_to_one_question_is_of_no_question() -> None:
    asks = asked(1, "cursor/create_plan", toolCallId="p", plan="x")
    assert len(ended(asks, answer(1, {}), asked(1, "cursor/create_plan", toolCallId="z"))) == 1
    assert len(ended(asks, later("p", status="completed"), answer(1, {"a": 1}))) == 1


def test_a_method_of_cursors_own_says_more_of_the_call_with_its_id() -> None:
    told = {"method": "cursor/update_todos", "params": {"toolCallId": "t", "todos": []}}
    found = ended(call("t", kind="other", title="T"), told, later("t", status="completed"))
    assert [name for name, _, _ in found] == ["updateTodos"]


def test_alone_it_is_a_call_without_a_result() -> None:
    told = {"method": "cursor/task", "params": {"description": "Find"}}
    assert ended(told, told) == [("task", {"description": "Find"}, None)] * 2


def test_a_plan_is_told_when_it_changes() -> None:
    one, two = [{"content": "a"}], [{"content": "b"}]
    plans = [update("plan", entries=each) for each in (one, one, two, None)]
    found = ended(*plans)
    assert [args for _, args, _ in found] == [{"todos": one}, {"todos": two}, {"todos": []}]


# -- several sessions ---------------------------------------------------------------------------


def of_session(name: str, record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "params": {"sessionId": name, **record["params"]}}


def words(text: str) -> dict[str, Any]:
    return update("agent_message_chunk", content={"type": "text", "text": text})


def two_sessions() -> list[dict[str, Any]]:
    both = [
        ("A", asked(1, "session/prompt", prompt="pa")),
        ("B", asked(2, "session/prompt", prompt="pb")),
        ("A", call("t", kind="execute", title="`a`")),
        ("B", call("t", kind="execute", title="`b`")),
        ("A", later("t", status="completed", rawOutput={"exitCode": 0, "stdout": "outA"})),
        ("B", later("t", status="completed", rawOutput={"exitCode": 1, "stdout": "outB"})),
        ("A", words("fromA")),
        ("B", words("fromB")),
    ]
    return [of_session(*each) for each in both]


def test_the_turns_of_two_sessions_are_told_one_after_the_other() -> None:
    events = fed(
        *two_sessions(), answer(1, {"stopReason": "end_turn"}), answer(2, {"stopReason": "refusal"})
    )
    shown = [
        getattr(each, "text", None) or getattr(each, "status", None) or each.args["command"]
        for each in of(events, PromptSeen, TextSeen, TurnEnded, CallCompleted)
        if getattr(each, "text", None) != ""
    ]
    assert shown == ["pa", "a", "fromA", "success", "pb", "b", "fromB", "refusal"]
    assert [each.message for each in of(events, Noted)] == ["what follows is of the session B"]
    assert [each.session_id for each in of(events, SessionSeen)] == ["A"]
    ends = of(events, CallCompleted)
    assert [each.outcome.value["exitCode"] for each in ends] == [0, 1]
    assert len({each.call_id for each in ends}) == 2


def test_a_session_without_an_end_is_told_before_the_other_at_the_end() -> None:
    assert texts(fed(*two_sessions())) == ["fromA", "fromB"]
    shown = fed(*two_sessions())
    between = shown[shown.index(of(shown, Noted)[0]) - 1]
    assert isinstance(between, TextSeen)
    assert (between.text, between.partial) == ("", False)


def test_a_new_prompt_gives_way_to_the_session_that_waits() -> None:
    again = of_session("A", asked(3, "session/prompt", prompt="pa2"))
    found = [each.text for each in of(fed(*two_sessions(), again), PromptSeen)]
    assert found == ["pa", "pb", "pa2"]


def test_a_title_of_another_session_is_not_the_heads() -> None:
    titled = of_session("B", update("session_info_update", title="Theirs"))
    events = fed(*two_sessions(), titled)
    assert [each.title for each in of(events, SessionSeen)] == [None]
    assert "the session is called Theirs" in [each.message for each in of(events, Noted)]


def test_a_method_that_names_only_its_call_is_of_the_session_of_the_call() -> None:
    told = {"method": "cursor/task", "params": {"toolCallId": "u", "description": "Find"}}
    started = of_session("B", call("u", kind="other", title="Task"))
    done = of_session("B", later("u", status="completed", rawOutput="done"))
    events = fed(*two_sessions(), started, told, done)
    assert [each.name for each in of(events, CallCompleted)] == ["shell", "shell", "task"]


def test_messages_without_a_session_are_of_the_one_that_is_named_after() -> None:
    named = of_session("A", words("b"))
    events = fed(words("a"), named, words("c"))
    assert (texts(events), codes(events)) == (["a", "b", "c"], [])
    assert [each.session_id for each in of(events, SessionSeen)] == ["A"]


def test_a_loaded_session_is_over_with_the_answer() -> None:
    load = asked(9, "session/load", sessionId="A", cwd="/a")
    events = fed(load, of_session("A", words("old")), answer(9, None), of_session("B", words("new")), of_session("A", words("more")))  # fmt: skip
    assert texts(events) == ["old", "new", "more"]


# -- values of another type ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("bare", ["bare"]),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], ["a", "b"]),
        ({"type": "text", "text": ["x"]}, ['["x"]']),
        ([5], ["5"]),
    ],
)
def test_a_piece_of_another_type_is_not_lost(content: Any, shown: list[str]) -> None:
    assert texts(fed(update("agent_message_chunk", content=content))) == shown
    typed = of(fed(update("user_message_chunk", content=content)), PromptSeen)
    assert [each.text for each in typed] == ["".join(shown)]
    (asks,) = of(fed(asked(1, "session/prompt", prompt=content)), PromptSeen)
    assert asks.text == "\n".join(shown)


def test_a_plan_of_another_type_is_a_problem() -> None:
    (note,) = of(fed(update("plan", entries="x")), Noted)
    assert (note.code, note.problem) == ("unknown-record", True)


# -- properties ---------------------------------------------------------------------------------

ACTS_LATER = {"initialize", "session/new", "session/load"}
SILENT_UPDATES = {"plan", "user_message_chunk", "available_commands_update"}


def is_silent(record: dict[str, Any]) -> bool:
    """Messages that add nothing to what is shown, or add it to another message's event."""
    update_ = (record.get("params") or {}).get("update") or {}
    if update_.get("sessionUpdate") in SILENT_UPDATES or record.get("method") in ACTS_LATER:
        return True
    rejected = update_.get("status") == "failed" and "rawOutput" not in update_
    return rejected or ("method" not in record and "error" not in record)


def unaccounted(data: bytes, events: Iterable[AnyEvent]) -> list[int]:
    """The lines that are whole messages and stand in no event."""
    told = {event.origin.line for event in events}
    missing = []
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and acp.fits(record) and not is_silent(record):
            missing += [] if number in told else [number]
    return missing


@STEADY
@given(path=st.sampled_from(FIXTURES), at=st.floats(0, 1), length=st.integers(0, 9), new=st.binary(max_size=6))  # fmt: skip
def test_every_message_of_a_mutilated_dump_is_accounted_for(
    tmp_path_factory: pytest.TempPathFactory, path: Path, at: float, length: int, new: bytes
) -> None:
    data = path.read_bytes()
    place = int(len(data) * at)
    changed = data[:place] + new + data[place + length :]
    copy = tmp_path_factory.mktemp("acp") / "dump.jsonl"
    copy.write_bytes(changed)
    assert unaccounted(changed, read(str(copy))) == []


@STEADY
@given(path=st.sampled_from(FIXTURES), at=st.floats(0, 1))
def test_every_message_of_a_cut_dump_is_accounted_for(
    tmp_path_factory: pytest.TempPathFactory, path: Path, at: float
) -> None:
    data = path.read_bytes()
    cut = data[: int(len(data) * at)]
    copy = tmp_path_factory.mktemp("acp") / "dump.jsonl"
    copy.write_bytes(cut)
    try:
        events = read(str(copy))
    except ReplayError:
        assert b"\n" not in cut
        return
    assert unaccounted(cut, events) == []
