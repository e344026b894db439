"""Cloud event streams: frames, the two surfaces of one run, ends and broken streams."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ingest_words import codes, of, texts

from cursor_replay.errors import ReplayError
from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    Outcome,
    PromptSeen,
    SessionSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats.plain_lines import text_lines
from cursor_replay.ingest.formats.sdk import cloud_sse
from cursor_replay.ingest.formats.sdk.sse import Frame, frames
from cursor_replay.ingest.lines import split_lines
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.items import Usage

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures" / "cloud-sse").glob("*/input.txt"))
STEADY = settings(
    deadline=None, derandomize=True, max_examples=150, suppress_health_check=[HealthCheck.too_slow]
)


def read(data: str | bytes) -> list[AnyEvent]:
    raw = data.encode() if isinstance(data, str) else data
    return list(cloud_sse.decode(lambda: split_lines([raw]), "run.sse", ReadOptions()))


def sent(event_: str, /, **data: Any) -> str:
    return f"event: {event_}\ndata: {json.dumps(data)}\n\n"


def update(word: str, **data: Any) -> str:
    return sent("interaction_update", type=word, **data)


def framed(text: str) -> list[Frame | Noted]:
    return list(frames(text_lines(split_lines([text.encode()]), name="run.sse"), name="run.sse"))


# -- recognition and frames ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "head",
    [
        sent("status", status="RUNNING"),
        sent("heartbeat") * 9 + sent("thinking", text="hm") + sent("status", status="FINISHED"),
        sent("assistant", text="a", agentId="bc-1"),
        sent("assistant", text="a", run_id="run-1"),
        sent("thinking", text="a", agent_id="agent-1"),
        sent("tool_call", callId="c", name="read", status="running"),
        sent("tool_call", call_id="c", name="read", status="error"),
        sent("interaction_update", update={"type": "text-delta", "text": "a"}),
        sent("interaction_update", interactionUpdate={"type": "turn-ended"}),
        'data: x\n\nevent: result\ndata: {"status":\ndata: "EXPIRED"}\n\n',
        ': hello\n\nid: 1\nretry: 5\nevent:interaction_update\ndata:{"type":"summary"}\n',
        '\ufeffevent: result\r\ndata: {"status":"FINISHED"}\r\n\r\n',
    ],
)
def test_streams_of_a_cloud_run_are_known(head: str) -> None:
    assert cloud_sse.fits(head.encode())


@pytest.mark.parametrize(
    "head",
    [
        "",
        sent("message", x=1),
        sent("error", message="no") + sent("done"),
        'data: {"type":"text_delta","delta":"a"}\n\n',
        "# Events\n\nevent: status\ndata: {}\n",
        '{"event":"status"}\n',
        sent("status", online=True) + sent("result", score=5),
        sent("status", status="ok"),
        sent("status", status=["RUNNING"]),
        sent("status", status="running", runId="12"),
        sent("assistant", text="of another tool"),
        sent("tool_call", name="read", status="running"),
        sent("tool_call", callId="c", name="read", status="in_progress"),
        sent("interaction_update", type="click"),
        sent("interaction_update", type=["summary"]),
        sent("message_start", status="RUNNING"),
        sent("heartbeat") * 16 + sent("status", status="RUNNING"),
        "event: status\nid: 5\ndata: hi\nretry: 3\n\nnext\n",
        "event: status\ndata: [1]\n\n",
        'event: status\ndata: {"status":"RUN',
    ],
)
def test_other_streams_are_not(head: str) -> None:
    assert not cloud_sse.fits(head.encode())


def test_a_frame_is_its_name_and_its_lines_of_data() -> None:
    text = ": c\nid: 7\nevent: a \ndata: one\ndata:two\n\ndata\n\nevent: empty\n\ndata: last"
    assert framed(text) == [
        Frame("a", "one\ntwo", 1, ended=True),
        Frame("", "", 7, ended=True),
        Frame("", "last", 11, ended=False),
    ]


def test_a_line_that_is_no_field_is_a_problem_and_costs_no_frame() -> None:
    note, frame = framed("event: a\nstray\ndata: x\n\n")
    assert isinstance(note, Noted)
    assert (note.code, note.origin.line, note.problem) == ("unknown-record", 2, True)
    assert frame == Frame("a", "x", 1, ended=True)


# -- events -------------------------------------------------------------------------------------


def test_messages_are_the_sdks_own() -> None:
    call = {"callId": "c", "name": "read", "args": {"path": "a"}}
    events = read(
        sent("status", status="RUNNING", agentId="bc-1")
        + sent("thinking", text="hm", thinkingDurationMs=5)
        + sent("tool_call", status="running", **call)
        + sent("tool_call", status="completed", result={"content": "x"}, **call)
        + sent("assistant", text="a")
        + sent("assistant", message={"content": [{"type": "text", "text": "b"}]})
        + sent("heartbeat")
    )
    assert [each.session_id for each in of(events, SessionSeen)] == ["bc-1"]
    (thought,) = of(events, ThoughtSeen)
    assert (thought.text, thought.duration_ms) == ("hm", 5.0)
    assert [each.call_id for each in of(events, CallStarted, CallCompleted)] == ["c", "c"]
    assert of(events, CallCompleted)[0].outcome == Outcome(value={"content": "x"})
    assert texts(events) == ["a", "b"]
    assert codes(events) == []


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"text": ["a", "b"]}, "a\nb"),
        ({"text": {"text": "a"}}, "a"),
        ({"text": 5}, "5"),
        ({"message": "a"}, "a"),
        ({"message": ["a", {"type": "text", "text": "b"}]}, "a\nb"),
        ({"message": {"content": "a"}}, "a"),
        ({"message": {"content": ["a", {"text": "b"}, 5]}}, "a\nb\n5"),
        ({"message": {"content": {"type": "text", "text": "a"}}}, "a"),
        ({"message": {"text": "a"}}, "a"),
        ({"message": {"words": "a"}}, '{"words":"a"}'),
        ({"message": None, "text": "a"}, "a"),
        ({"content": [{"type": "image"}]}, '{"type":"image"}'),
    ],
)
def test_an_answer_of_any_shape_is_shown(data: dict[str, Any], text: str) -> None:
    events = read(sent("assistant", **data))
    assert (texts(events), codes(events)) == ([text], [])


@pytest.mark.parametrize("text", [["hm"], {"text": "hm"}, "hm"])
def test_a_thought_and_a_result_of_any_shape_are_shown(text: Any) -> None:
    (thought,) = of(read(sent("thinking", text=text)), ThoughtSeen)
    assert thought.text == "hm"
    assert texts(read(sent("result", text=text))) == ["hm"]
    (end,) = of(read(sent("status", status="ERROR", message=text)), TurnEnded)
    assert end.reason == "hm"


@pytest.mark.parametrize("name", ["assistant", "thinking"])
def test_an_event_without_its_text_is_a_problem_and_one_with_an_empty_text_is_none(
    name: str,
) -> None:
    (note,) = of(read(sent(name, delta="lost")), Noted)
    assert (note.code, note.problem) == ("unknown-record", True)
    assert codes(read(sent(name, text=""))) == []


def test_an_answer_may_hold_a_call() -> None:
    block = {"type": "tool_use", "id": "c", "name": "read", "input": {}}
    (start,) = of(read(sent("assistant", message={"content": [block]})), CallStarted)
    assert start.call_id == "c"


@pytest.mark.parametrize(
    "result",
    [
        {"status": "success", "value": {"exitCode": 0}},
        {"success": {"exitCode": 0}},
        {"exitCode": 0},
    ],
)
def test_an_error_beside_a_success_is_an_error(result: Any) -> None:
    (call,) = of(
        read(sent("tool_call", callId="c", name="shell", status="error", result=result)),
        CallCompleted,
    )
    assert call.outcome == Outcome(status="error", error={"exitCode": 0})


def test_what_the_source_shortened_is_said_behind_its_call() -> None:
    events = read(
        sent("thinking", text="hm")
        + sent("tool_call", callId="c", name="read", status="completed", truncated={"result": True})
    )
    assert [type(each) for each in events] == [ThoughtSeen, CallCompleted, Noted]


def test_updates_may_stand_in_a_wrapper() -> None:
    text = {"type": "text-delta", "text": "a"}
    events = read(sent("interaction_update", update=text) + sent("interaction_update", interactionUpdate=text))  # fmt: skip
    assert texts(events) == ["a", "a"]


def test_one_run_seen_twice_says_its_text_once() -> None:
    events = read(
        update("text-delta", text="Fixed.")
        + sent("assistant", text="Fixed.")
        + sent("result", status="FINISHED", text="Fixed.")
    )
    assert texts(events) == ["Fixed."]
    assert codes(events) == ["second-surface"]


def test_the_result_is_the_answer_where_nobody_said_it() -> None:
    assert texts(read(sent("result", status="FINISHED", text="Fixed."))) == ["Fixed."]
    assert texts(read(sent("assistant", text="A") + sent("result", text="B"))) == ["A", "", "B", ""][::2]  # fmt: skip


def test_a_result_that_a_message_left_out_is_the_updates() -> None:
    bare = sent("tool_call", callId="c", name="read", status="completed", truncated={"result": True}, agent_id="bc-1")  # fmt: skip
    result = {"status": "success", "value": {"content": "x"}}
    full = update("tool-call-completed", callId="c", toolCall={"type": "read", "result": result})
    events = read(bare + full)
    assert [each.channel for each in of(events, CallCompleted)] == ["update"]
    assert [each.session_id for each in of(events, SessionSeen)] == ["bc-1"]
    other = update("tool-call-completed", callId="c", toolCall={"type": "read"})
    events = read(bare + other)
    assert [each.channel for each in of(events, CallCompleted)] == ["message", "update"]
    assert codes(events) == ["truncated-at-source"]


def test_a_run_ends_once_with_all_that_is_known() -> None:
    events = read(
        update("turn-ended", usage={"inputTokens": 3})
        + sent("status", status="ERROR", message="gone")
        + sent("result", status="ERROR", durationMs=7, error={"message": "other"})
        + sent("done")
    )
    (end,) = of(events, TurnEnded)
    assert (end.status, end.reason, end.duration_ms) == ("error", "gone", 7.0)
    assert end.usage == Usage(input_tokens=3)


@pytest.mark.parametrize("error", ["gone", {"message": "gone"}])
def test_a_result_says_why_it_failed(error: Any) -> None:
    usage = {"inputTokens": 1}
    (end,) = of(read(sent("result", status="CANCELLED", error=error, usage=usage)), TurnEnded)
    assert (end.status, end.reason, end.usage) == ("cancelled", "gone", Usage(input_tokens=1))


@pytest.mark.parametrize(
    "begin",
    [
        sent("status", status="RUNNING"),
        update("user-message-appended", userMessage={"text": "again"}),
    ],
)
def test_a_new_run_ends_the_one_before(begin: str) -> None:
    end = sent("result", status="FINISHED", text="Same.")
    events = read(end + begin + end)
    assert len(of(events, TurnEnded)) == 2
    assert texts(events) == ["Same.", "Same."]
    assert len(of(events, PromptSeen)) == begin.count("again")


def test_a_result_without_a_status_ends_with_an_unknown_word() -> None:
    (end,) = of(read(sent("result")), TurnEnded)
    assert end.status == "unknown"


def test_a_sub_agents_end_ends_no_run() -> None:
    nested = update("tool-call-delta", callId="t", taskUpdate={"type": "turn-ended"})
    (end,) = of(read(nested), TurnEnded)
    assert end.parent == "t"


def test_branches_are_named() -> None:
    git = {"branches": [{"repoUrl": "r", "branch": "b"}, "odd"]}
    (note,) = of(read(sent("result", status="FINISHED", git=git)), Noted)
    assert (note.message, note.level) == ("pushed to r, b", "info")


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        (sent("error", message="dead", code="c"), "the stream failed: dead (c)"),
        (sent("error"), "the stream failed: an error without a text"),
    ],
)
def test_an_error_of_the_stream_is_told(stream: str, message: str) -> None:
    (note,) = of(read(stream), Noted)
    assert (note.message, note.level) == (message, "error")


@pytest.mark.parametrize(
    ("stream", "code"),
    [
        ("event: status\ndata: {cut\n\n", "not-json"),
        ('event: status\ndata: {"status":', "cut-line"),
        ("event: status\ndata: [1]\n\n", "not-an-object"),
        ("event: gossip\ndata: {}\n\n", "unknown-record"),
        ("data: {}\n\n", "unknown-record"),
        ('event: interaction_update\ndata: {"type":"new"}\n\n', "unknown-record"),
        ("event: interaction_update\ndata: {}\n\n", "unknown-record"),
    ],
)
def test_what_cannot_be_read_is_a_problem(stream: str, code: str) -> None:
    (note,) = of(read(stream), Noted)
    assert (note.code, note.problem) == (code, True)


def test_a_silent_event_may_hold_anything() -> None:
    assert read("event: heartbeat\ndata: 1\n\nevent: done\ndata: [DONE]\n\n") == []


# -- properties ---------------------------------------------------------------------------------

SILENT = {"heartbeat", "done", "ping", "status", "result", "assistant", "thinking", "tool_call"}


def unaccounted(data: bytes, events: list[AnyEvent]) -> list[int]:
    """Frames of unknown names, errors and lines that are no fields have a note of their own."""
    told = {event.origin.line for event in events}
    found = frames(text_lines(split_lines([data]), name="x"), name="x")
    return [
        each.number
        for each in found
        if isinstance(each, Frame)
        and each.name not in SILENT | {"interaction_update"}
        and each.data.startswith("{")
        and each.number not in told
    ]


def spoken(data: bytes) -> set[str]:
    """The texts of whole messages and updates."""
    said = set()
    for each in frames(text_lines(split_lines([data]), name="x"), name="x"):
        if not isinstance(each, Frame) or each.name not in ("assistant", "thinking", "result"):
            continue
        try:
            record = json.loads(each.data)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("text"), str):
            said.add(record["text"].strip())
    return said


def check(data: bytes, events: list[AnyEvent]) -> None:
    assert unaccounted(data, events) == []
    whole = "".join(getattr(event, "text", "") or "" for event in events)
    assert [text for text in spoken(data) if text not in whole] == []


@STEADY
@given(path=st.sampled_from(FIXTURES), at=st.floats(0, 1), length=st.integers(0, 9), new=st.binary(max_size=6))  # fmt: skip
def test_a_mutilated_stream_loses_no_event_it_still_has(
    path: Path, at: float, length: int, new: bytes
) -> None:
    data = path.read_bytes()
    place = int(len(data) * at)
    changed = data[:place] + new + data[place + length :]
    check(changed, read(changed))


@STEADY
@given(path=st.sampled_from(FIXTURES), at=st.floats(0, 1))
def test_any_prefix_of_a_stream_is_read_or_not_recognised(
    tmp_path_factory: pytest.TempPathFactory, path: Path, at: float
) -> None:
    data = path.read_bytes()
    cut = tmp_path_factory.mktemp("sse") / "cut.txt"
    cut.write_bytes(data[: int(len(data) * at)])
    try:
        events = list(open_source(str(cut)).events())
    except ReplayError:
        assert not cloud_sse.fits(cut.read_bytes())
        return
    check(cut.read_bytes(), events)
