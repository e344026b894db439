"""The SDK's four surfaces to events."""

import json
from pathlib import Path
from typing import Any

import pytest
from ingest_words import codes, decoded, of, texts

from cursor_replay.events import (
    CallCompleted,
    CallStarted,
    Noted,
    Outcome,
    OutputArrived,
    PromptSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
    UsageSeen,
)
from cursor_replay.ingest.source import open_source
from cursor_replay.items import Time, Usage

READ = {"status": "success", "value": {"content": "A"}}


def message(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "agent_id": "agent-1", "run_id": "run-1", **fields}


def said(*blocks: Any) -> dict[str, Any]:
    return message("assistant", message={"role": "assistant", "content": list(blocks)})


def stream(*records: Any) -> list[Any]:
    return decoded("sdk-stream", *records)


def updates(*records: Any) -> list[Any]:
    return decoded("sdk-updates", *records)


def steps(*records: Any) -> list[Any]:
    return decoded("sdk-steps", *records)


# -- run.stream() -------------------------------------------------------------------------------


def test_an_agent_is_introduced_once() -> None:
    events = stream(message("request", request_id="r"), message("request", request_id="r"))
    assert [event.session_id for event in of(events, SessionSeen)] == ["agent-1"]


def test_the_model_of_a_system_message_is_kept() -> None:
    events = stream(message("system", model={"id": "mock"}), message("system", model={"id": 5}))
    assert [event.model for event in of(events, SessionSeen) if event.model] == ["mock"]


def test_text_blocks_are_partial_and_calls_in_them_are_starts() -> None:
    events = stream(
        said(
            {"type": "text", "text": "a"},
            {"type": "tool_use", "id": "c1", "name": "read", "input": {"path": "a"}},
            {"type": "tool_use"},
        )
    )
    (text,) = of(events, TextSeen)
    assert (text.text, text.partial) == ("a", True)
    assert [(c.call_id, c.name, c.args) for c in of(events, CallStarted)] == [
        ("c1", "read", {"path": "a"}),
        (None, "unknown", None),
    ]


def test_messages_without_their_message_are_nothing_to_show() -> None:
    assert texts(stream(message("assistant"))) == []
    (prompt,) = of(stream(message("user")), PromptSeen)
    assert prompt.text == ""


def test_a_message_may_be_a_bare_string() -> None:
    assert texts(stream(message("assistant", message={"content": "hello"}))) == ["hello"]


def test_a_thought_ends_with_its_duration() -> None:
    events = stream(
        message("thinking", text="hm"), message("thinking", text="", thinking_duration_ms=7)
    )
    assert [(t.text, t.partial, t.duration_ms) for t in of(events, ThoughtSeen)] == [
        ("hm", True, None),
        ("", False, 7.0),
    ]


@pytest.mark.parametrize("status", ["running", "queued", None, 5])
def test_any_status_but_the_final_ones_is_a_start(status: Any) -> None:
    (start,) = of(
        stream(message("tool_call", call_id="c", name="read", status=status)), CallStarted
    )
    assert (start.call_id, start.name) == ("c", "read")


def completed(**fields: Any) -> CallCompleted:
    fields = {"call_id": "c", "name": "read", "status": "completed", **fields}
    (call,) = of(stream(message("tool_call", **fields)), CallCompleted)
    return call


def test_a_completion_carries_its_result() -> None:
    assert completed(result=READ).outcome == Outcome(status="success", value={"content": "A"})


def test_a_completion_without_a_result_has_no_outcome() -> None:
    assert completed().outcome is None
    assert completed(result=None).outcome is None


def test_an_error_status_is_an_error_whatever_the_result_says() -> None:
    assert completed(status="error").outcome == Outcome(status="error")
    assert completed(status="error", result="boom").outcome == Outcome(status="error", error="boom")
    assert completed(
        status="error", result={"status": "error", "error": {"message": "no"}}
    ).outcome == Outcome(status="error", error={"message": "no"})
    for kept in ({"status": "success", "value": {"content": "A"}}, {"success": {"content": "A"}}):
        found = completed(status="error", result=kept).outcome
        assert found == Outcome(status="error", error={"content": "A"})
    assert completed(
        status="error", result={"status": "success", "error": "no"}
    ).outcome == Outcome(status="error", error="no")


@pytest.mark.parametrize("code", [2, "2"])
def test_a_shell_with_an_exit_code_tells_its_failure_itself(code: Any) -> None:
    value = {"stdout": "12 checks", "exitCode": code}
    result = {"status": "success", "value": value}
    shell = completed(name="shell", status="error", result=result)
    assert shell.outcome == Outcome(status="success", value=value)
    other = completed(name="task", status="error", result=result)
    assert other.outcome == Outcome(status="error", error=value)


def test_a_call_without_a_name_is_unknown() -> None:
    assert completed(name=None).name == "unknown"


def test_what_the_source_shortened_is_said() -> None:
    events = stream(
        message("tool_call", call_id="c", name="read", status="completed",
                truncated={"args": True, "result": True})
    )  # fmt: skip
    (note,) = of(events, Noted)
    assert events[-1] is note  # behind the call it is about
    assert note.message == "the source shortened the args and the result of this call"
    assert not note.problem
    (call,) = of(events, CallCompleted)
    assert call.outcome is None  # a failure would have stood in the result, which is gone


def test_an_error_that_the_source_shortened_stays_an_error() -> None:
    found = completed(status="error", truncated={"result": True})
    assert found.outcome == Outcome(status="error")


def test_shortened_arguments_alone_leave_the_outcome_as_it_is() -> None:
    assert completed(truncated={"args": True}).outcome is None


@pytest.mark.parametrize(
    ("status", "word"),
    [
        ("FINISHED", "success"),
        ("ERROR", "error"),
        ("CANCELLED", "cancelled"),
        ("EXPIRED", "expired"),
    ],
)
def test_a_final_status_ends_the_turn(status: str, word: str) -> None:
    (end,) = of(stream(message("status", status=status, message="")), TurnEnded)
    assert (end.status, end.reason) == (word, None)


@pytest.mark.parametrize("status", ["CREATING", "RUNNING", None, ""])
def test_other_statuses_are_silent(status: Any) -> None:
    assert of(stream(message("status", status=status)), TurnEnded) == []


def test_a_summary_is_a_note_and_an_empty_one_is_nothing() -> None:
    assert codes(stream(message("task", text="Tides."))) == ["summary"]
    assert codes(stream(message("task", text=None))) == []


def test_usage_is_read_in_both_key_styles() -> None:
    camel = {"inputTokens": 1, "outputTokens": 2, "cacheReadTokens": 3, "cacheWriteTokens": 4}
    snake = {"input_tokens": 1, "output_tokens": 2, "cache_read_tokens": 3, "cache_write_tokens": 4}
    wanted = Usage(input_tokens=1, output_tokens=2, cache_read_tokens=3, cache_write_tokens=4)
    events = stream(message("usage", usage=camel), message("usage", usage=snake), message("usage"))
    assert [event.usage for event in of(events, UsageSeen)] == [wanted, wanted]


# -- onDelta --------------------------------------------------------------------------------------


def test_a_user_message_is_a_prompt_in_both_key_styles() -> None:
    events = updates(
        {"type": "user-message-appended", "userMessage": {"text": "one"}},
        {"type": "user-message-appended", "user_message": {"text": "two"}},
        {"type": "user-message-appended", "userMessage": {"text": 5}},
        {"type": "user-message-appended"},
    )
    assert [event.text for event in of(events, PromptSeen)] == ["one", "two", "", ""]


def call(kind: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "callId": "c",
        "toolCall": {"type": "read", "args": {"path": "a"}},
        **fields,
    }


def test_started_and_partial_calls_are_starts() -> None:
    events = updates(call("tool-call-started"), call("partial-tool-call"))
    assert [event.partial for event in of(events, CallStarted)] == [False, True]


def test_a_completion_has_name_arguments_and_result_under_any_spelling() -> None:
    events = updates(
        call("tool-call-completed", toolCall={"type": "read", "args": {"p": 1}, "result": READ}),
        {"type": "tool-call-completed", "call_id": "d",
         "tool_call": {"name": "bash", "type": "shell", "input": {"p": 2}}},
        {"type": "tool-call-completed", "toolCall": {"toolName": "grep", "args": None}},
        {"type": "tool-call-completed", "callId": "e", "toolCall": None},
    )  # fmt: skip
    assert [(c.call_id, c.name, c.args) for c in of(events, CallCompleted)] == [
        ("c", "read", {"p": 1}),
        ("d", "bash", {"p": 2}),
        (None, "grep", None),
        ("e", "unknown", None),
    ]
    assert of(events, CallCompleted)[0].outcome == Outcome(status="success", value={"content": "A"})
    assert of(events, CallCompleted)[1].outcome is None


def test_nested_updates_belong_to_their_task() -> None:
    inner = {"type": "text-delta", "text": "sub"}
    deeper = {"type": "tool-call-delta", "callId": "t2", "taskUpdate": inner}
    events = updates(
        {"type": "tool-call-delta", "callId": "t", "taskUpdate": inner},
        {"type": "tool-call-delta", "call_id": "t", "task_update": inner},
        {"type": "tool-call-delta", "update": {"callId": "t", "taskUpdate": inner}},
        {"type": "nested-task", "callId": "t", "nestedUpdate": inner},
        {"type": "tool-call-delta", "callId": "t", "taskUpdate": deeper},
    )
    assert [event.parent for event in of(events, TextSeen)] == ["t", "t", "t", "t", "t2"]


@pytest.mark.parametrize(
    "odd",
    [
        {"callId": "t"},
        {"callId": "t", "taskUpdate": "x"},
        {"taskUpdate": {"type": "text-delta", "text": "x"}},
        {"callId": "t", "taskUpdate": {"type": "hologram"}},
        {"callId": "t", "taskUpdate": {}},
    ],
)
def test_a_nested_update_that_cannot_be_read_is_noted(odd: dict[str, Any]) -> None:
    events = updates({"type": "tool-call-delta", **odd})
    assert codes(events) == ["unknown-record"]
    assert of(events, TextSeen) == []


@pytest.mark.parametrize(
    "event",
    [
        {"case": "start", "value": {}},
        {"case": "exit", "value": {"code": 1}},
        {"case": "stdout", "value": {"data": ""}},
        {"case": "stdout", "value": None},
        {"case": ["stdout"], "value": {"data": "x"}},
        None,
    ],
)
def test_other_shell_events_are_silent(event: Any) -> None:
    assert updates({"type": "shell-output-delta", "event": event}) == []


def test_shell_output_names_its_stream() -> None:
    events = updates(
        *({"type": "shell-output-delta", "event": {"case": case, "value": {"data": "x"}}}
          for case in ("stdout", "stderr"))
    )  # fmt: skip
    assert [(e.stream, e.data) for e in of(events, OutputArrived)] == [
        ("stdout", "x"),
        ("stderr", "x"),
    ]


@pytest.mark.parametrize(
    "kind",
    ["token-delta", "step-started", "step-completed", "tool-requests-listed", "summary-started",
     "summary-completed"],
)  # fmt: skip
def test_progress_marks_are_silent(kind: str) -> None:
    assert updates({"type": kind}) == []


def test_the_turn_ends_with_its_usage_or_without() -> None:
    events = updates({"type": "turn-ended", "usage": {"inputTokens": 1}}, {"type": "turn-ended"})
    assert [event.usage for event in of(events, TurnEnded)] == [Usage(input_tokens=1), None]


def test_thinking_updates_are_partial_until_completed() -> None:
    events = updates(
        {"type": "thinking-delta", "text": "hm"},
        {"type": "thinking-delta", "text": None},
        {"type": "thinking-completed", "thinkingDurationMs": 7},
        {"type": "thinking-completed", "thinking_duration_ms": 8},
        {"type": "thinking-completed", "thinkingDurationMs": "soon"},
    )
    assert [(t.text, t.partial, t.duration_ms) for t in of(events, ThoughtSeen)] == [
        ("hm", True, None),
        ("", True, None),
        ("", False, 7.0),
        ("", False, 8.0),
        ("", False, None),
    ]


def test_a_summary_update_is_a_note() -> None:
    assert codes(updates({"type": "summary", "summary": "Tides."})) == ["summary"]


# -- steps, turns, agent messages -----------------------------------------------------------------


def step(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "message": fields}


def test_text_and_thinking_steps_are_whole() -> None:
    events = steps(
        step("thinkingMessage", text="hm", thinkingDurationMs=7),
        step("thinkingMessage", text=5, thinking_duration_ms="8"),
        step("assistantMessage", text="a"),
        step("assistantMessage", text=""),
        step("assistantMessage"),
    )
    assert [(t.text, t.partial, t.duration_ms) for t in of(events, ThoughtSeen)] == [
        ("hm", False, 7),
        ("", False, 8),
    ]
    assert [(t.text, t.partial) for t in of(events, TextSeen)] == [("a", False)]


def test_a_call_step_has_an_id_only_when_one_was_recorded() -> None:
    events = steps(
        step("toolCall", type="read", args={}, result=READ),
        {**step("toolCall", type="read"), "id": "s-1"},
        step("toolCall", name="read", callId="s-2"),
        step("toolCall", type="read", id="s-3"),
    )
    assert [c.call_id for c in of(events, CallCompleted)] == [None, "s-1", "s-2", "s-3"]
    assert [c.outcome is None for c in of(events, CallCompleted)] == [False, True, True, True]


def turn(*inner: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "agentConversationTurn", "turn": {"steps": list(inner), **fields}}


def test_a_turn_is_its_prompt_and_its_steps() -> None:
    events = decoded(
        "sdk-turns", turn(step("assistantMessage", text="a"), userMessage={"text": "q"})
    )
    assert [type(event) for event in events] == [PromptSeen, TextSeen]
    assert events[1].origin.block == 0


@pytest.mark.parametrize("steps_", [None, "x", {}])
def test_a_turn_with_odd_steps_has_none(steps_: Any) -> None:
    record = {"type": "agentConversationTurn", "turn": {"steps": steps_}}
    assert decoded("sdk-turns", record) == []


def test_a_step_nobody_knows_is_noted() -> None:
    assert (
        codes(decoded("sdk-turns", turn({}, "x", {"type": "hologram"}))) == ["unknown-record"] * 3
    )


def test_a_shell_turn_is_a_shell_call() -> None:
    record = {"type": "shellConversationTurn", "turn": {"shellCommand": {"command": "date"}}}
    (found,) = of(decoded("sdk-turns", record), CallCompleted)
    assert (found.name, found.args, found.outcome) == ("shell", {"command": "date"}, None)
    assert decoded("sdk-turns", {"type": "shellConversationTurn", "turn": {}}) == []
    assert decoded("sdk-turns", {"type": "shellConversationTurn"}) == []


def agent(held: Any) -> list[Any]:
    return decoded(
        "agent-messages", {"type": "user", "uuid": "a:0", "agent_id": "a", "message": held}
    )


def test_an_agent_message_may_hold_its_turn_in_three_ways() -> None:
    inner = {"userMessage": {"text": "q"}, "steps": []}
    for held in (
        {"agentConversationTurn": inner},
        {"turn": {"agentConversationTurn": inner}},
        {"turn": {"case": "agentConversationTurn", "value": inner}},
    ):
        assert [event.text for event in of(agent(held), PromptSeen)] == ["q"]
    assert of(agent({}), PromptSeen) == []


def test_an_agent_is_introduced_by_its_messages_once() -> None:
    record = {"type": "user", "uuid": "a:0", "agent_id": "a", "message": {}}
    assert len(of(decoded("agent-messages", record, record), SessionSeen)) == 1


def test_the_steps_of_a_turn_may_be_oneofs() -> None:
    inner = [
        {"message": {"case": "thinkingMessage", "value": {"text": "hm", "durationMs": 7}}},
        {"message": {"case": "assistantMessage", "value": {"text": "a"}}},
        {"message": {"case": 5}},
    ]
    events = agent({"agentConversationTurn": {"steps": inner}})
    assert [event.duration_ms for event in of(events, ThoughtSeen)] == [7]
    assert texts(events) == ["a"]
    assert codes(events) == ["unknown-record"]


def test_protobuf_steps_have_an_id_and_a_time() -> None:
    body = {"readToolCall": {"args": {"path": "a"}}, "toolCallId": "t", "completedAtMs": "1000"}
    events = agent({"agentConversationTurn": {"steps": [{"toolCall": body}]}})
    (found,) = of(events, CallCompleted)
    assert (found.call_id, found.name, found.outcome) == ("t", "read", None)
    assert found.time == Time(at="1970-01-01T00:00:01.000Z")


def test_the_ends_of_a_stored_event_log_are_known_and_say_nothing_new(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    message = {"type": "status", "agent_id": "agent-1", "run_id": "run-1", "status": "FINISHED"}
    head = {"schemaVersion": 1, "agentId": "agent-1", "runId": "run-1"}
    records = [
        {**head, "type": "sdk_message", "message": {**message, "status": "QUEUED"}},
        {**head, "type": "sdk_message", "message": message},
        {**head, "type": "result", "status": "finished"},
        {**head, "type": "done"},
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    events = list(open_source(str(path)).events())
    names = ["SessionSeen", "SessionSeen", "RunSeen", "TurnEnded"]
    assert [type(each).__name__ for each in events] == names
