"""stream-json to events; above all: no text twice, and no text lost."""

from typing import Any

import pytest
from ingest_words import codes, decoded, of, texts

from cursor_replay.events import (
    CallCompleted,
    CallStarted,
    Noted,
    PromptSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats import stream_json
from cursor_replay.items import Time, Usage


def line(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "session_id": "s", **fields}


def said(text: str, *, ms: int | None = None, model_call: str | None = None) -> dict[str, Any]:
    fields: dict[str, Any] = {"message": {"content": [{"type": "text", "text": text}]}}
    if ms:
        fields["timestamp_ms"] = ms
    if model_call:
        fields["model_call_id"] = model_call
    return line("assistant", **fields)


def delta(text: str) -> dict[str, Any]:
    return said(text, ms=1)


def whole(text: str) -> dict[str, Any]:
    return said(text, ms=1, model_call="m")


def final(text: str) -> dict[str, Any]:
    return said(text)


def call(subtype: str = "started", **fields: Any) -> dict[str, Any]:
    body = {"readToolCall": {"args": {"path": "a"}}, **fields.pop("tool_call", {})}
    return line("tool_call", subtype=subtype, call_id="c", tool_call=body, **fields)


def result(**fields: Any) -> dict[str, Any]:
    return line("result", **{"subtype": "success", "is_error": False, "duration_ms": 5, **fields})


USER = line("user", message={"content": [{"type": "text", "text": "q"}]})


def read(*records: Any) -> list[Any]:
    return decoded("stream-json", *records)


def answers(*records: Any) -> list[str]:
    """The answers as they settle: partial texts joined up to a whole one or another event."""
    out: list[str] = []
    open_text = ""
    for event in read(*records):
        if isinstance(event, TextSeen):
            open_text += event.text
            if event.partial:
                continue
        if open_text:
            out.append(open_text)
        open_text = ""
    return [*out, open_text] if open_text else out


@pytest.mark.parametrize(
    ("records", "wanted"),
    [
        ([delta("Hel"), delta("lo.")], ["Hello."]),
        ([delta("Hel"), delta("lo."), whole("Hello.")], ["Hello."]),
        ([delta("Hel"), delta("lo."), whole("Hello."), final("Hello.")], ["Hello."]),
        ([delta("Hel"), delta("lo."), final("Hello.")], ["Hello."]),
        ([whole("Hello.")], ["Hello."]),
        ([whole("Hello."), final("Hello.")], ["Hello."]),
        ([final("Hello.")], ["Hello."]),
        ([delta("Hel"), whole("Hello.")], ["Hello."]),
        ([delta("\nHello.\n"), whole("Hello.")], ["\nHello.\n"]),
        ([delta("**"), delta("a"), delta("**"), delta("**"), whole("**a****")], ["**a****"]),
    ],
)
def test_one_text_in_up_to_three_forms_is_one_answer(records: list[Any], wanted: list[str]) -> None:
    assert answers(USER, *records) == wanted


def test_the_final_copy_of_a_whole_turn_is_not_shown_again() -> None:
    assert answers(
        USER, delta("One."), whole("One."), call(), call("completed"), delta("Two."),
        whole("Two."), final("One.Two."), result(result="One.Two."),
    ) == ["One.", "Two."]  # fmt: skip


def test_equal_text_after_a_tool_call_is_said_again() -> None:
    assert answers(
        USER, delta("Checking."), whole("Checking."), call(), call("completed"),
        delta("Checking."), whole("Checking."), call(), call("completed"), final("Done."),
    ) == ["Checking.", "Checking.", "Done."]  # fmt: skip


def test_equal_whole_texts_around_a_tool_call_are_both_said() -> None:
    assert answers(USER, whole("Yes."), call(), call("completed"), whole("Yes.")) == [
        "Yes.",
        "Yes.",
    ]


def test_a_second_text_without_a_call_between_is_a_second_answer() -> None:
    assert answers(USER, whole("One."), whole("Two."), final("Two.")) == ["One.", "Two."]


def test_deltas_after_a_settled_text_open_the_next_one() -> None:
    assert answers(USER, delta("A"), whole("A"), delta("A"), whole("A"), final("A")) == ["A", "A"]


def test_a_new_prompt_forgets_what_was_said() -> None:
    assert answers(USER, final("Yes."), USER, final("Yes.")) == ["Yes.", "Yes."]


def test_a_result_forgets_what_was_said() -> None:
    assert answers(USER, final("Yes."), result(result="Yes."), final("Yes.")) == ["Yes.", "Yes."]


def test_the_text_of_a_result_is_shown_when_nothing_else_was_said() -> None:
    assert answers(USER, result(result="18:40.")) == ["18:40."]
    assert answers(USER, final("18:40."), result(result="18:40.")) == ["18:40."]
    assert answers(USER, result(result="")) == []


def test_a_failed_result_is_a_reason_and_no_answer() -> None:
    for failed in (result(is_error=True, result="lost"), result(subtype="error", result="lost")):
        events = read(USER, failed)
        assert texts(events) == []
        (end,) = of(events, TurnEnded)
        assert (end.status, end.reason) == ("error", "lost")


def test_the_end_keeps_duration_and_usage() -> None:
    (end,) = of(
        read(result(usage={"inputTokens": 1, "outputTokens": 2}, timestamp_ms=1000)), TurnEnded
    )
    assert (end.status, end.duration_ms, end.reason) == ("success", 5.0, None)
    assert end.usage == Usage(input_tokens=1, output_tokens=2)
    assert end.time == Time(at="1970-01-01T00:00:01.000Z")
    (bare,) = of(read(line("result")), TurnEnded)
    assert (bare.status, bare.duration_ms, bare.usage) == ("unknown", None, None)
    (fine,) = of(read(line("result", is_error=False)), TurnEnded)
    assert fine.status == "success"


def test_a_session_is_introduced_by_its_id_and_its_init() -> None:
    events = read(line("system", subtype="init", cwd="/srv/tides", model="Auto"), USER)
    assert [(e.session_id, e.cwd, e.model) for e in of(events, SessionSeen)] == [
        ("s", None, None),
        (None, "/srv/tides", "Auto"),
    ]
    assert of(read({"type": "system"}), SessionSeen)[0].cwd is None


def test_thinking_is_partial_until_completed() -> None:
    events = read(
        line("thinking", subtype="delta", text="hm", timestamp_ms=1000),
        line("thinking", subtype="completed"),
    )
    assert [(t.text, t.partial, t.time) for t in of(events, ThoughtSeen)] == [
        ("hm", True, Time(at="1970-01-01T00:00:01.000Z")),
        ("", False, None),
    ]


def test_a_call_takes_the_time_inside_before_the_time_of_the_line() -> None:
    events = read(
        call(tool_call={"startedAtMs": "1000"}, timestamp_ms=2000),
        call("completed", tool_call={"completedAtMs": "3000"}, timestamp_ms=4000),
        call("completed", timestamp_ms=4000),
    )
    assert [event.time.at[17:19] for event in events if not isinstance(event, SessionSeen)] == [
        "01",
        "03",
        "04",
    ]


def test_the_id_of_the_line_wins_and_the_one_inside_fills_in() -> None:
    inside = {"type": "tool_call", "session_id": "s", "subtype": "started"}
    body = {"readToolCall": {"args": {}}, "toolCallId": "inner\nid"}
    events = read(call(), {**inside, "tool_call": body}, {**inside, "tool_call": None})
    assert [event.call_id for event in of(events, CallStarted)] == ["c", "inner\nid", None]
    assert of(events, CallStarted)[2].name == "unknown"


def test_a_completed_call_without_a_result_has_no_outcome() -> None:
    (found,) = of(read(call("completed")), CallCompleted)
    assert found.outcome is None


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (line("connection", subtype="reconnecting", attempt=2), "connection: reconnecting (attempt 2)"),
        (line("connection"), "connection: unknown"),
        (line("retry", subtype="starting", attempt=0), "retry: starting (attempt 0)"),
        (line("system", subtype="background_shell_timeout"), "background shell timeout"),
        (
            line("interaction_query", subtype="response", query_type="webFetchRequestQuery",
                 response={"id": 0, "x": {"rejected": {"reason": "no"}}}),
            "webFetch: rejected",
        ),
        (line("interaction_query", subtype="response"), "a question: answered"),
    ],
)  # fmt: skip
def test_control_lines_are_information(record: dict[str, Any], message: str) -> None:
    (note,) = of(read(record), Noted)
    assert (note.message, note.level, note.problem) == (message, "info", False)


def test_a_question_without_its_answer_is_silent() -> None:
    assert codes(read(line("interaction_query", subtype="request", query_type="x"))) == []


def test_a_user_line_without_a_message_is_an_empty_prompt() -> None:
    (prompt,) = of(read(line("user", message=None)), PromptSeen)
    assert prompt.text == ""


def test_an_assistant_line_without_a_message_says_nothing() -> None:
    assert texts(read(line("assistant", message=None))) == []


@pytest.mark.parametrize(
    ("record", "fits"),
    [
        ({"type": "user", "message": {}, "session_id": "s"}, True),
        ({"type": "tool_call", "tool_call": {}}, True),
        ({"type": "result", "subtype": "success"}, True),
        ({"type": "user", "agent_id": "a", "message": {}}, False),
        ({"type": "user", "uuid": "a:0", "message": {}}, False),
        ({"type": "user"}, False),
        ({"type": "hologram", "session_id": "s"}, False),
    ],
)
def test_what_counts_as_a_stream_json_line(record: dict[str, Any], fits: bool) -> None:  # noqa: FBT001 - a table
    assert stream_json.fits(record) is fits
