"""The summary form of a transcript: one document, or its messages as an array."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ingest_words import codes, decoded, of, read, texts, written

from cursor_replay.errors import ReplayError
from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    CallUnrecorded,
    Noted,
    Outcome,
    PromptSeen,
    SessionSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.detect import records_in
from cursor_replay.ingest.formats import transcript_json

FIXTURES = sorted(
    (Path(__file__).parents[2] / "fixtures" / "transcript-json").glob("*/input.json*")
)
STEADY = settings(
    deadline=None, derandomize=True, max_examples=150, suppress_health_check=[HealthCheck.too_slow]
)
USER = {"role": "user", "text": "q"}


def fed(*messages: Any, **more: Any) -> list[AnyEvent]:
    return decoded("transcript-json", {"messages": list(messages), **more})


def step(*names: str, **more: Any) -> dict[str, Any]:
    calls = [{"toolName": name, "args": {"path": "a"}} for name in names]
    return {"role": "assistant", "toolCalls": calls, **more}


def result(name: Any, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "toolResult": {"toolName": name, **more}}


# -- recognition --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        {"messages": [USER, step("Read")]},
        {"messages": [result("Read")]},
        {"mode": "agent", "messages": [USER]},
        {"messages": [USER], "turnEnded": None},
        {"messages": [USER, "odd"], "mode": "agent"},
        {"messages": [USER, step("Read"), {"role": "user", "content": "q"}]},
        {"messages": [None, USER, step("Read"), 7]},
        {"messages": [USER, {"role": "assistant", "toolCalls": {"toolName": "Read"}}], "mode": 1},
    ],
)
def test_documents_of_this_form_are_known(record: dict[str, Any]) -> None:
    assert transcript_json.fits(record)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"messages": []},
        {"messages": "odd", "mode": "agent"},
        {"messages": [USER]},
        {"messages": ["odd"], "mode": "agent"},
        {"messages": [USER, "odd", 7], "mode": "agent"},
        {"messages": [{"role": "user"}], "mode": "agent"},
        {"messages": [{"role": 7, "text": "q"}], "mode": "agent"},
        {"messages": [{"role": "user", "parts": [{"text": "q"}], "toolCalls": None}]},
        {"messages": [{"role": "user", "parts": [], "toolCalls": []}, {"role": "user"}]},
        {"messages": [{"role": "user", "content": "q"}, step("Read")]},
        {"messages": [USER, {"role": "assistant", "toolCalls": None}]},
        {"messages": [USER, {"role": "tool", "toolResult": "x"}]},
        {"model": "m", "messages": [{"role": "user", "content": "q"}], "mode": "x"},
        {"messages": [{"role": "user", "message": {}}, step("Read")]},
    ],
)
def test_other_documents_are_not(record: dict[str, Any]) -> None:
    assert not transcript_json.fits(record)


def test_the_messages_alone_are_one_record_and_other_arrays_are_not() -> None:
    assert records_in([USER, step("Read")]) == [{"messages": [USER, step("Read")]}]
    assert records_in([USER, USER]) == [USER, USER]
    assert records_in([USER, 5]) is None


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_is_read_however_it_is_printed(tmp_path: Path, indent: int | None) -> None:
    text = json.dumps([USER, step("Read")], indent=indent)
    head, prompt, call = read(written(tmp_path, text))
    assert isinstance(head, SessionSeen)
    assert isinstance(prompt, PromptSeen)
    assert isinstance(call, CallUnrecorded)
    assert (head.format, prompt.origin.block, call.origin.block) == ("transcript-json", 0, 1)


# -- messages -----------------------------------------------------------------------------------


def test_a_thought_stands_before_the_text_and_the_text_before_the_calls() -> None:
    events = fed(step("Read", thinking="hm", text="a"))
    assert [type(each).__name__ for each in events] == [
        "ThoughtSeen",
        "TextSeen",
        "CallUnrecorded",
    ]
    assert [each.text for each in of(events, ThoughtSeen)] == ["hm"]
    assert texts(events) == ["a"]


def test_a_header_is_no_result() -> None:
    events = fed(step("Read", "LS"), result("Read"), result("LS"))
    assert [each.name for each in of(events, CallUnrecorded)] == ["Read", "LS"]


@pytest.mark.parametrize("key", ["result", "content", "output", "text"])
def test_a_body_is_a_result_of_no_known_status(key: str) -> None:
    events = fed(step("Read", "Read"), result("Read", **{key: "x"}), result(None))
    assert len(of(events, CallStarted)) == 1
    (end,) = of(events, CallCompleted)
    assert (end.outcome, end.origin.block) == (Outcome(status="unknown", value="x"), 1)
    assert len(of(events, CallUnrecorded)) == 1


def test_a_result_may_be_the_text_of_its_message() -> None:
    (end,) = of(fed(step("Read"), result("Read") | {"text": "x"}), CallCompleted)
    assert end.outcome == Outcome(status="unknown", value="x")


@pytest.mark.parametrize(("body", "shown"), [({}, 0), ({"content": "x"}, 1)])
def test_a_result_without_its_call_is_noted(body: dict[str, Any], shown: int) -> None:
    events = fed(step("Read"), USER, result("Read", **body))
    assert codes(events) == ["orphan-result"]
    assert len(of(events, CallCompleted)) == shown


@pytest.mark.parametrize(
    ("message", "code", "problem"),
    [
        ({"role": "assistant"}, "empty-record", False),
        ({"role": "captain", "text": "a"}, "unknown-record", True),
        ("odd", "unknown-record", True),
        ({"role": "assistant", "text": "a", "toolCalls": "odd"}, "unknown-record", True),
        ({"role": "assistant", "text": "a", "toolCalls": {"a": 1}}, "unknown-record", True),
        ({"role": "assistant", "text": "a", "toolCalls": 0}, "unknown-record", True),
        ({"role": "user", "text": "a", "content": "b"}, "unknown-record", True),
        ({"role": "assistant", "toolCalls": ["odd"]}, "unknown-record", True),
        ({"role": "tool"}, "orphan-result", False),
    ],
)
def test_an_odd_message_is_noted(message: Any, code: str, problem: bool) -> None:  # noqa: FBT001 - a parameter
    (note,) = of(fed(message), Noted)
    assert (note.code, note.problem) == (code, problem)


def test_a_call_may_lack_everything_but_be_one() -> None:
    (call,) = of(fed({"role": "assistant", "toolCalls": [{}]}), CallUnrecorded)
    assert (call.name, call.args) == ("unknown", None)
    assert fed({"role": "assistant", "text": "a", "toolCalls": "odd"})[0].origin.block == 0


WRONG = [(["a"], '["a"]'), ({"a": 1}, '{"a":1}'), (7, "7"), (False, "false")]


@pytest.mark.parametrize(("value", "shown"), WRONG)
def test_a_text_of_a_wrong_type_is_shown_as_it_stands(value: Any, shown: str) -> None:
    events = fed({"role": "user", "text": value}, {"role": "assistant", "text": value})
    assert [each.text for each in of(events, PromptSeen)] == [shown]
    assert texts(events) == [shown]
    for role in ("assistant", "tool"):
        thoughts = of(fed({"role": role, "thinking": value}), ThoughtSeen)
        assert [each.text for each in thoughts] == [shown]
    (note,) = of(fed(USER, mode=value), Noted)
    assert note.message == f"mode: {shown}"
    (call,) = of(fed({"role": "assistant", "toolCalls": [{"toolName": value}]}), CallUnrecorded)
    assert call.name == shown


@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
def test_calls_and_results_are_read_in_any_message(role: str) -> None:
    calls = {"role": role, "toolCalls": {"toolName": "Read", "args": 1}}
    (call,) = of(fed(calls), CallUnrecorded)
    assert (call.name, call.args) == ("Read", 1)
    both = {**calls, "toolResult": {"toolName": "Read", "result": "x"}}
    (end,) = of(fed(both), CallCompleted)
    assert (end.name, end.outcome) == ("Read", Outcome(status="unknown", value="x"))


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ("x", ["x"]),
        ([{"toolName": "Read", "result": "x"}, {"result": "y"}], ["x", "y"]),
        ({"data": {"a": 1}}, [{"data": {"a": 1}}]),
        ({"result": "x", "output": "y"}, [{"result": "x", "output": "y"}]),
        ({"result": {"a": 1}}, [{"a": 1}]),
    ],
)
def test_a_result_of_any_shape_is_shown(given: Any, values: list[Any]) -> None:
    events = fed(step("Read", "Read"), {"role": "tool", "toolResult": given})
    assert [each.outcome.value for each in of(events, CallCompleted)] == values


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ({}, "t"),
        ({"result": "x"}, {"result": "x", "text": "t"}),
        ({"text": "x"}, {"text": "x", "message": "t"}),
        ({"text": "t"}, "t"),
    ],
)
def test_a_text_beside_a_result_is_kept(given: Any, value: Any) -> None:
    message = {"role": "tool", "text": "t", "toolResult": {"toolName": "Read", **given}}
    (end,) = of(fed(step("Read"), message), CallCompleted)
    assert end.outcome.value == value


BAD: list[tuple[dict[str, Any], str]] = [
    ({"status": "error"}, "x"),
    ({"status": "Failed"}, "x"),
    ({"status": "rejected"}, "rejected\n\nx"),
    ({"status": "timeout"}, "timeout\n\nx"),
    ({"isError": True}, "x"),
    ({"isError": "true"}, "x"),
    ({"isError": 1}, "x"),
    ({"is_error": "1"}, "x"),
    ({"success": False}, "x"),
    ({"success": "false"}, "x"),
    ({"error": "why"}, "why\n\nx"),
    ({"error": {"message": "why"}}, "why\n\nx"),
    ({"error": True}, "x"),
    ({"error": "why", "status": "success", "isError": False}, "why\n\nx"),
    ({"exitCode": 2}, "x\n\nCommand exited with code 2"),
    ({"exit_code": "2", "success": True}, "x\n\nCommand exited with code 2"),
]


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize(("fields", "words"), BAD)
def test_a_failure_is_believed_in_any_spelling_with_its_words(
    fields: dict[str, Any], words: str, *, paired: bool
) -> None:
    steps = [step("Read")] if paired else []
    (end,) = of(fed(*steps, result("Read", result="x", **fields)), CallCompleted)
    assert (end.name, end.outcome) == ("Read", Outcome(status="error", value="x", error=words))


@pytest.mark.parametrize("fields", [each for each, _ in BAD])
def test_a_failure_without_a_body_is_one(fields: dict[str, Any]) -> None:
    (end,) = of(fed(step("Read"), result("Read", **fields)), CallCompleted)
    assert end.outcome.status == "error"
    assert end.outcome.error


@pytest.mark.parametrize(
    "body", [{"error": "why"}, {"success": False}, {"rejected": {}}, {"status": "error"}]
)
def test_a_body_that_tells_a_failure_is_believed(body: Any) -> None:
    (end,) = of(fed(step("Read"), result("Read", result=body)), CallCompleted)
    assert end.outcome.status == "error"


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "success"},
        {"success": True},
        {"isError": False},
        {"isError": "0"},
        {"exitCode": 0},
    ],
)
def test_a_success_is_said(fields: dict[str, Any]) -> None:
    (end,) = of(fed(step("Read"), result("Read", result="x", **fields)), CallCompleted)
    assert end.outcome == Outcome(status="success", value="x")


@pytest.mark.parametrize("fields", [{}, {"status": "completed"}, {"status": 7}, {"isError": None}])
def test_a_body_beside_no_word_is_no_success(fields: dict[str, Any]) -> None:
    (end,) = of(fed(step("Read"), result("Read", result="x", **fields)), CallCompleted)
    assert end.outcome == Outcome(status="unknown", value="x")


def test_an_object_under_success_is_one_and_is_shown() -> None:
    (end,) = of(fed(step("Read"), result("Read", success={"content": "x"})), CallCompleted)
    assert end.outcome == Outcome(status="success", value={"content": "x"})


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("out\nexit code 2", {"output": "out\nexit code 2", "exitCode": 2}),
        ({"stdout": "a", "exitCode": "2"}, {"stdout": "a", "exitCode": 2}),
        ({"stdout": "a"}, {"stdout": "a"}),
        ({"lines": ["a"]}, '{"lines":["a"]}'),
        (["a"], '["a"]'),
    ],
)
def test_a_body_of_a_shell_is_given_as_its_card_shows_it(body: Any, value: Any) -> None:
    (end,) = of(fed(step("Shell"), result("Shell", result=body)), CallCompleted)
    assert end.outcome == Outcome(status="unknown", value=value)


@pytest.mark.parametrize("end", [None, False])
def test_a_turn_that_did_not_end_has_no_end(end: Any) -> None:
    assert of(fed(USER, turnEnded=end), TurnEnded) == []


@pytest.mark.parametrize(
    ("end", "status", "reason"),
    [
        ({"status": "success"}, "success", None),
        ({"status": "ERROR", "error": "no"}, "error", "no"),
        ("aborted", "aborted", None),
        ({}, "unknown", None),
        (True, "unknown", None),
        ({"error": {"message": "no"}}, "error", "no"),
        ({"status": "error", "error": {"a": 1}}, "error", '{"a":1}'),
        ({"status": "success", "error": ["no"]}, "error", '["no"]'),
        ({"status": 7}, "7", None),
        (["x"], "unknown", '["x"]'),
    ],
)
def test_a_document_ends_with_its_turn(end: Any, status: str, reason: str | None) -> None:
    (seen,) = of(fed(USER, turnEnded=end), TurnEnded)
    assert (seen.status, seen.reason) == (status, reason)


def test_a_mode_is_a_note() -> None:
    (note,) = of(fed(USER, mode="plan"), Noted)
    assert (note.message, note.level) == ("mode: plan", "info")


# -- properties ---------------------------------------------------------------------------------


@STEADY
@given(path=st.sampled_from(FIXTURES), at=st.floats(0, 1), length=st.integers(0, 9), new=st.binary(max_size=6))  # fmt: skip
def test_a_mutilated_document_loses_no_message_without_a_word(
    tmp_path_factory: pytest.TempPathFactory, path: Path, at: float, length: int, new: bytes
) -> None:
    data = path.read_bytes()
    place = int(len(data) * at)
    changed = data[:place] + new + data[place + length :]
    copy = tmp_path_factory.mktemp("summary") / "document.json"
    copy.write_bytes(changed)
    try:
        events = read(str(copy))
    except ReplayError:
        return
    try:
        document = json.loads(changed)
    except ValueError:
        assert of(events, Noted)
        return
    messages = document["messages"] if isinstance(document, dict) else document
    told = {event.origin.block for event in events}
    quiet = {index for index, each in enumerate(messages) if each.get("role") == "tool"}
    if of(events, SessionSeen)[0].format == "transcript-json":
        assert set(range(len(messages))) - quiet <= told


@STEADY
@given(path=st.sampled_from(FIXTURES), at=st.floats(0, 1))
def test_any_prefix_of_a_document_is_refused_or_noted(
    tmp_path_factory: pytest.TempPathFactory, path: Path, at: float
) -> None:
    data = path.read_bytes()
    copy = tmp_path_factory.mktemp("summary") / "document.json"
    copy.write_bytes(data[: int(len(data) * at)])
    try:
        events = read(str(copy))
    except ReplayError:
        return
    assert of(events, CallUnrecorded)
