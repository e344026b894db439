"""Formats are recognised by content, a record at a time, through every known envelope."""

import json
from pathlib import Path
from typing import Any

import pytest
from ingest_words import codes, of, opened, read, texts, written

from cursor_replay.errors import InputError
from cursor_replay.events import CallCompleted, CallUnrecorded, SessionSeen, TextSeen
from cursor_replay.ingest.detect import (
    FORMATS,
    RECORD_FORMATS,
    Format,
    format_named,
    recognise,
    records_in,
    unwrap,
)
from cursor_replay.ingest.source import open_source
from cursor_replay.items import Time

DELTA = {"type": "text-delta", "text": "hi"}
STEP = {"type": "assistantMessage", "message": {"text": "hi"}}
MESSAGE = {"type": "assistant", "agent_id": "a", "run_id": "r", "message": {"content": "hi"}}
ONE_OF_EACH: list[tuple[str, dict[str, Any]]] = [
    ("transcript", {"role": "assistant", "message": {"content": [{"type": "text", "text": "hi"}]}}),
    ("transcript", {"type": "turn_ended", "status": "success"}),
    ("transcript", {"type": "metadata", "metadata": {}}),
    ("agent-messages", {"type": "user", "uuid": "a:0", "agent_id": "a", "message": {"turn": {}}}),
    (
        "agent-messages",
        {"type": "user", "uuid": "a:0", "agent_id": "a", "message": {"agentConversationTurn": {}}},
    ),
    ("sdk-stream", MESSAGE),
    ("sdk-stream", {"type": "tool_call", "agent_id": "a", "call_id": "c", "status": "running"}),
    ("sdk-updates", DELTA),
    ("sdk-updates", {"type": "turn-ended"}),
    ("sdk-steps", STEP),
    ("sdk-turns", {"type": "agentConversationTurn", "turn": {}}),
    ("sdk-turns", {"type": "shellConversationTurn", "turn": {}}),
    ("sdk-run-result", {"id": "run-1", "status": "finished", "result": "x"}),
    ("sdk-run-result", {"id": "bc-1", "status": "error", "error": {"message": "x"}}),
    ("stream-json", {"type": "system", "subtype": "init", "session_id": "s"}),
    ("stream-json", {"type": "assistant", "session_id": "s", "message": {}}),
    ("stream-json", {"type": "tool_call", "session_id": "s", "subtype": "started"}),
]


@pytest.mark.parametrize(("name", "record"), ONE_OF_EACH)
def test_a_record_is_recognised_and_valid(name: str, record: dict[str, Any]) -> None:
    form = recognise(record)
    assert form is not None
    assert form.name == name
    form.record.validate_python(record)


@pytest.mark.parametrize(("name", "record"), ONE_OF_EACH)
def test_a_record_is_recognised_whatever_the_file_is_called(
    name: str, record: dict[str, Any], tmp_path: Path
) -> None:
    for called in ("on-delta.jsonl", "notes.md", "stream.txt", "x.png", "-"):
        path = written(tmp_path, record, name=called)
        found = of(read(path if called != "-" else f"{tmp_path}/-"), SessionSeen)
        assert found[0].format == name


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"type": "hologram"},
        {"type": 5},
        {"type": ["user"]},
        {"type": None, "role": None},
        {"role": "user"},
        {"id": "run-1", "status": "running", "durationMs": 5},
        {"id": "job-1", "status": "finished", "result": "x", "durationMs": 5},
        {"timestamp": "2026-01-02T03:04:05Z", "type": "status", "role": "status", "content": "x"},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {}},
    ],
)
def test_other_records_are_not_claimed(record: dict[str, Any]) -> None:
    assert recognise(record) is None


def test_formats_have_unique_names_and_a_description() -> None:
    names = [each.name for each in FORMATS]
    assert len(names) == len(set(names))
    assert {
        "transcript", "transcript-json", "legacy-txt", "agent-messages", "sdk-stream",
        "sdk-updates", "sdk-steps", "sdk-turns", "sdk-store", "sdk-ndjson-store", "stream-json",
        "chat-store", "ide-state", "pi-session", "debug-artifacts", "acp", "hooks", "cloud-sse",
    } <= set(names)  # fmt: skip
    assert all(each.title and each.description for each in FORMATS)
    assert [format_named(name) for name in names] == list(FORMATS)
    assert format_named("hologram") is None


WHEN = "2026-03-01T06:00:00.000Z"
ROW = {"eventType": "run_stream_event", "createdAt": WHEN}
SDK = {"schemaVersion": 1, "type": "sdk_message", "agentId": "a", "runId": "r", "message": MESSAGE}


@pytest.mark.parametrize(
    ("wrapped", "bare", "at"),
    [
        (DELTA, DELTA, None),
        ({"ts": WHEN, "elapsedMs": 1, "update": DELTA}, DELTA, WHEN),
        ({"ts": WHEN, "elapsedMs": 1, "turn": 2, "update": DELTA}, DELTA, WHEN),
        ({"ts": WHEN, "elapsedMs": 1, "step": STEP}, STEP, WHEN),
        ({"ts": WHEN, "elapsedMs": 1, "event": MESSAGE}, MESSAGE, WHEN),
        (
            {"ts": WHEN, "elapsedMs": 1, "turn": 1, "layer": "on-delta", "payload": DELTA},
            DELTA,
            WHEN,
        ),
        ({"ts": "odd", "elapsedMs": 1, "update": DELTA}, DELTA, None),
        ({"channel": "onDelta", "args": {"update": DELTA}}, DELTA, None),
        ({"channel": "onStep", "args": {"step": STEP}}, STEP, None),
        ({"update": DELTA}, DELTA, None),
        ({"step": STEP}, STEP, None),
        ({**ROW, "payload": SDK}, MESSAGE, WHEN),
        ({"event_type": "run_stream_event", "payload_json": json.dumps(SDK)}, MESSAGE, None),
        ({"table": "run_events", "row": {**ROW, "payload": SDK}}, MESSAGE, WHEN),
        (SDK, MESSAGE, None),
        (
            {"ts": WHEN, "elapsedMs": 1, "event": {**ROW, "createdAt": "x", "payload": SDK}},
            MESSAGE,
            WHEN,
        ),
    ],
)
def test_every_envelope_is_taken_off(
    wrapped: dict[str, Any], bare: dict[str, Any], at: str | None
) -> None:
    found = unwrap(wrapped)
    assert found.record == bare
    assert found.time == (Time(at=at) if at else None)


@pytest.mark.parametrize(
    "odd",
    [
        {"ts": WHEN, "elapsedMs": 1},
        {"ts": WHEN, "elapsedMs": 1, "update": "x"},
        {**ROW},
        {**ROW, "payload": "not json"},
        {**ROW, "payload": 5},
        {"channel": "onDelta"},
        {"channel": "onDelta", "args": "x"},
        {"table": "run_events"},
        {"type": "sdk_message", "message": None},
        {"update": None},
    ],
)
def test_an_envelope_around_nothing_is_an_unknown_record(
    odd: dict[str, Any], tmp_path: Path
) -> None:
    assert codes(read(written(tmp_path, DELTA, odd))) == ["unknown-record"]


def test_envelopes_nested_beyond_reason_end() -> None:
    nested: Any = DELTA
    for _ in range(50):
        nested = {"update": nested}
    assert unwrap(nested).record != DELTA


@pytest.mark.parametrize(
    ("value", "count"),
    [
        ({"a": 1}, 1),
        ([{"a": 1}, {"b": 2}], 2),
        ({"callbacks": [{"a": 1}, {"b": 2}]}, 2),
        ({"callbacks": []}, 1),
        ({"callbacks": "x"}, 1),
    ],
)
def test_one_value_may_hold_several_records(value: Any, count: int) -> None:
    assert len(records_in(value) or []) == count


@pytest.mark.parametrize("value", [[], [1, 2], [{"a": 1}, 5], 5, "x", None, True])
def test_a_value_without_objects_holds_no_record(value: Any) -> None:
    assert records_in(value) is None


def test_a_forced_format_reads_what_it_can_and_notes_the_rest(tmp_path: Path) -> None:
    path = written(tmp_path, {"type": "assistant", "text": "hi"}, DELTA)
    events = read(path, input_format="transcript")
    assert texts(events) == ["hi"]
    assert codes(events) == ["unknown-record"]


def test_a_forced_format_reads_through_envelopes(tmp_path: Path) -> None:
    path = written(tmp_path, {"ts": WHEN, "elapsedMs": 1, "update": DELTA})
    (text,) = of(read(path, input_format="sdk-updates"), TextSeen)
    assert text.time == Time(at=WHEN)


def test_a_forced_format_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    path = written(tmp_path, DELTA)
    with pytest.raises(InputError, match="holds no record of the format transcript"):
        read(path, input_format="transcript")


def test_an_unknown_format_name_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"unknown input format 'hologram'.*transcript, .*stream-json"
    ):
        open_source(written(tmp_path, DELTA), input_format="hologram")


def test_the_name_of_the_format_is_the_forced_one_or_auto(tmp_path: Path) -> None:
    path = written(tmp_path, DELTA)
    with opened(path) as source:
        assert source.format_name == "auto"
    with opened(path, input_format="sdk-steps") as source:
        assert source.format_name == "sdk-steps"


def test_metadata_lines_before_the_first_message_do_not_confuse(tmp_path: Path) -> None:
    lines = [{"type": "metadata", "metadata": {}}] * 50
    use = {"type": "tool_use", "name": "Read", "input": {"path": "a"}}
    path = written(tmp_path, *lines, {"role": "assistant", "message": {"content": [use]}})
    assert len(of(read(path), CallUnrecorded)) == 1


def test_a_whole_of_one_surface_that_repeats_another_is_said_once(tmp_path: Path) -> None:
    events = read(written(tmp_path, DELTA, STEP, DELTA))
    assert texts(events) == ["hi", "hi"]
    assert codes(events) == ["second-surface"]


SAYING: dict[str, Any] = {
    "transcript": lambda text: {"role": "assistant", "message": {"content": text}},
    "agent-messages": lambda text: {
        "type": "assistant",
        "uuid": "a:0",
        "agent_id": "a",
        "message": {"agentConversationTurn": {"steps": [{"assistantMessage": {"text": text}}]}},
    },
    "sdk-stream": lambda text: {**MESSAGE, "message": {"content": text}},
    "sdk-updates": lambda text: {"type": "text-delta", "text": text},
    "sdk-steps": lambda text: {"type": "assistantMessage", "message": {"text": text}},
    "sdk-turns": lambda text: {
        "type": "agentConversationTurn",
        "turn": {"steps": [{"type": "assistantMessage", "message": {"text": text}}]},
    },
    "stream-json": lambda text: {
        "type": "assistant",
        "session_id": "s",
        "message": {"content": [{"type": "text", "text": text}]},
    },
}


@pytest.mark.parametrize("first", SAYING)
@pytest.mark.parametrize("second", SAYING)
def test_a_record_of_another_format_is_still_read_as_what_it_is(
    first: str, second: str, tmp_path: Path
) -> None:
    path = written(
        tmp_path,
        SAYING[first]("one"),
        SAYING[first]("two"),
        SAYING[second]("three"),
        SAYING[first]("four"),
    )
    assert sorted(texts(read(path))) == ["four", "one", "three", "two"]


CALLS: dict[str, Any] = {
    "sdk-stream": {
        "type": "tool_call", "agent_id": "a", "run_id": "r", "call_id": "c1", "name": "read",
        "status": "completed", "args": {"path": "a"},
    },
    "stream-json": {
        "type": "tool_call", "session_id": "s", "subtype": "completed", "call_id": "c2",
        "tool_call": {"lsToolCall": {"args": {"path": "a"}}},
    },
}  # fmt: skip


@pytest.mark.parametrize("first", SAYING)
@pytest.mark.parametrize("second", CALLS)
def test_a_call_of_another_format_keeps_its_name(first: str, second: str, tmp_path: Path) -> None:
    path = written(tmp_path, SAYING[first]("one"), CALLS[second])
    assert [event.name for event in of(read(path), CallCompleted)] == [
        {"sdk-stream": "read", "stream-json": "ls"}[second]
    ]


ODD: list[Any] = [["x"], {"a": 1}, 5, None, True, 1.5]


@pytest.mark.parametrize("form", RECORD_FORMATS, ids=lambda form: form.name)
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_no_format_trips_over_a_word_that_is_no_text(form: Format, odd: Any) -> None:
    update = {"sessionId": "s", "update": {"sessionUpdate": odd}}
    for record in (
        {"type": odd},
        {"type": odd, "message": {}, "agent_id": "a", "run_id": "r"},
        {"role": odd, "message": {}},
        {"hook_event_name": odd, "conversation_id": "c", "generation_id": "g"},
        {"jsonrpc": "2.0", "method": odd},
        {"jsonrpc": "2.0", "method": "session/update", "params": update},
        {"messages": odd},
        {"messages": [{"role": odd, "text": "x"}]},
    ):
        assert form.fits(record) in (True, False)
