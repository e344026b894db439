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
        {"messages": [USER, "odd"], "mode": "agent"},
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
    assert (end.outcome, end.origin.block) == (Outcome(value="x"), 1)
    assert len(of(events, CallUnrecorded)) == 1


def test_a_result_may_be_the_text_of_its_message() -> None:
    (end,) = of(fed(step("Read"), result("Read") | {"text": "x"}), CallCompleted)
    assert end.outcome == Outcome(value="x")


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


@pytest.mark.parametrize(
    ("end", "status", "reason"),
    [
        ({"status": "success"}, "success", None),
        ({"status": "ERROR", "error": "no"}, "error", "no"),
        ("aborted", "aborted", None),
        ({}, "unknown", None),
        (True, "unknown", None),
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
