"""Event-debug files by themselves: cards where they hold calls, a line for what they decide."""

import json
from pathlib import Path
from typing import Any

import pytest
from debug_words import (
    REPLAY,
    answers,
    cards,
    completed,
    decision,
    delta,
    folder,
    message,
    notices,
    phase,
    queued,
    said,
    shown,
    stamped,
    step,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from ingest_words import read

from cursor_replay.errors import InputError, ReplayError
from cursor_replay.events import SessionSeen
from cursor_replay.ingest.formats.debug import stream as debug_stream
from cursor_replay.ingest.formats.debug.calls import group, named
from cursor_replay.ingest.formats.debug.documents import Documents
from cursor_replay.ingest.formats.debug.lines import layer_of
from cursor_replay.ingest.source import open_source
from cursor_replay.items import Card, Item, Notice, Thought, TurnEnd


def alone(tmp_path: Path, *records: Any) -> list[Item]:
    """The items of one file that holds ``records``."""
    folder(tmp_path / "any", file=list(records))
    return shown(tmp_path / "any" / "file.jsonl")


def card(items: list[Item]) -> Card:
    (found,) = [item for item in items if isinstance(item, Card)]
    return found


def text_of(found: Card) -> str:
    return "".join(part.text for part in found.content)


# -- recognising ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "layer"),
    [
        (delta(1, "text-delta"), "on-delta"),
        (step(1, "toolCall"), "on-step"),
        (said(1, "a"), "stream-events"),
        (stamped(1, bridgeRaw={}), "bridge-raw"),
        (decision(1), "display-decisions"),
        (stamped(1, error={}), "errors"),
        (phase(1, "agent_send_start"), "provider-events"),
        (phase(1, "tool_lifecycle"), "coordinator-events"),
        (phase(1, "a_phase_of_tomorrow"), "drain-events"),
        (stamped(1, layer="x", kind="y", payload={}), "timeline"),
        (stamped(1, event={"type": "tool"}), "live-run-events"),
        (stamped(1, event={"type": "toolcall_delta"}), "pi-stream-events"),
        (stamped(1, event={"type": "done"}), "pi-stream-events"),
        (stamped(1, event={"event": "run_created"}), "bridge-events"),
        (stamped(1, event={}), None),
        (stamped(1, event=[]), None),
        (stamped(1, phase="x"), None),
        ({"ts": "x", "event": {"type": "tool"}}, None),
        ({"elapsedMs": 1, "layer": "x"}, None),
    ],
)
def test_a_record_tells_which_file_it_comes_from(record: dict[str, Any], layer: str | None) -> None:
    assert layer_of(record) == layer


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"text",
        b"[1]\n",
        b'{"elapsedMs": 1',
        b'{"type":"text-delta","text":"\\"elapsedMs\\""}\n',
        b'{"ts":"2026-08-03T08:00:00Z","elapsedMs":1,"update":{"type":"text-delta"}}\n',
        b'{"ts":"2026-08-03T08:00:00Z","elapsedMs":1,"step":{"type":"toolCall"}}\n',
    ],
)
def test_what_has_a_format_of_its_own_is_left_to_it(head: bytes) -> None:
    assert not debug_stream.fits(head)


def test_a_byte_order_mark_and_blank_lines_hide_nothing() -> None:
    line = json.dumps(decision(1, action="skip-duplicate")).encode()
    assert debug_stream.fits(b"\xef\xbb\xbf\n" + line + b"\n")


@pytest.mark.parametrize(
    "record",
    [
        phase(1, "agent_send_start"),
        phase(1, "tool_lifecycle"),
        phase(1, "pre_send_end"),
        decision(1, action="emit_trace"),
        stamped(1, bridgeRaw={"kind": "rejected"}),
        stamped(1, error={"label": "run_stream", "message": "closed"}),
        stamped(1, event={"type": "text-delta", "text": ""}),
        stamped(1, event={"type": "tool", "tool": {}}),
        stamped(1, event={"type": "bridge-tool", "request": {}}),
        stamped(1, event={"type": "toolcall_end", "toolCall": {}}),
        stamped(1, event={"type": "done", "reason": "stop", "message": {}}),
        stamped(1, event={"event": "run_created", "runId": "r"}),
        stamped(1, layer="drain", kind="turn_end", payload={}),
        stamped(1, layer="on-delta", kind="text-delta", payload={}),
        stamped(1, layer="piSession", kind="snapshot", payload={}),
    ],
)
def test_a_record_of_pi_is_known_by_its_names_and_their_keys(record: dict[str, Any]) -> None:
    assert debug_stream.fits(json.dumps(record).encode())


@pytest.mark.parametrize(
    "record",
    [
        phase(1, "startup", a=1),
        stamped(1, phase=["turn_end"], payload={}),
        stamped(1, phase="turn_end", payload="x"),
        {**phase(1, "turn_end"), "ts": 1},
        {**phase(1, "turn_end"), "ts": "yesterday"},
        {**phase(1, "turn_end"), "elapsedMs": "long"},
        decision(1, a=1),
        decision(1, action="approve"),
        decision(1, action=["queue_replay"]),
        stamped(1, decision="queue_replay"),
        stamped(1, bridgeRaw={"kind": "made"}),
        stamped(1, bridgeRaw=[]),
        stamped(1, error={"message": "x"}),
        stamped(1, error="x"),
        stamped(1, event={"type": "login"}),
        stamped(1, event={"type": "start"}),
        stamped(1, event={"type": "text_typed", "delta": "a"}),
        stamped(1, event={"type": "tool", "tool": "saw"}),
        stamped(1, event={"type": "text-delta"}),
        stamped(1, event={"event": "page_view", "path": "/"}),
        stamped(1, layer="database", kind="query", payload={}),
        stamped(1, layer=["drain"], kind="turn_end", payload={}),
        stamped(1, layer="drain", payload={}),
    ],
)
def test_a_log_that_only_shares_the_envelope_is_nobodys(record: dict[str, Any]) -> None:
    assert not debug_stream.fits(json.dumps(record).encode())


def test_a_result_alone_is_refused_in_one_line(tmp_path: Path) -> None:
    folder(tmp_path, wait_result={"status": "finished"})
    source = open_source(str(tmp_path / "wait-result.json"))
    with pytest.raises(InputError, match="in no format known here"):
        list(source.events())


# -- decisions --------------------------------------------------------------------------------


def test_a_decision_with_a_transcript_is_a_card(tmp_path: Path) -> None:
    transcript = "$ make lint\n\nlint: ok\n\nTook 0.6s\n"
    found = card(
        alone(
            tmp_path,
            decision(
                5,
                action="queue_replay",
                toolName="bash",
                identity="cursor-tool:a",
                transcript=transcript,
            ),
        )
    )
    assert (found.tool, found.status) == ("bash", "unrecorded")
    assert found.arguments == {"command": "make lint"}
    assert text_of(found) == "lint: ok"


@pytest.mark.parametrize(
    ("tool", "transcript", "arguments", "status"),
    [
        ("bash", "$ make\n\nno rule\n\nCommand exited with code 2\n", {"command": "make"}, "failed"),
        ("read", "read a.md\n\nError: no such file\n", {"path": "a.md"}, "failed"),
        ("read", "read a.md\n\nErrors: none\n", {"path": "a.md"}, "unrecorded"),
        ("grep", '$ grep "x" src\n\n(no matches)\n', {"pattern": '"x" src'}, "unrecorded"),
        ("find", "$ glob *.py\n\na.py\n", {"pattern": "*.py"}, "unrecorded"),
        ("ls", "ls\n\na.py\n", {}, "unrecorded"),
    ],
)  # fmt: skip
def test_a_transcript_tells_the_target_and_the_failure(
    tmp_path: Path, tool: str, transcript: str, arguments: dict[str, Any], status: str
) -> None:
    record = decision(5, action="emit_trace", toolName=tool, transcript=transcript)
    found = card(alone(tmp_path, record))
    assert (found.tool, found.status, found.arguments) == (tool, status, arguments)


def test_a_decision_of_no_known_tool_is_a_card_too(tmp_path: Path) -> None:
    record = decision(5, action="queue_replay", toolName=5, transcript="weather\n\nsunny\n")
    assert cards(alone(tmp_path, record)) == [("unknown", "unrecorded")]


def test_both_names_of_the_skip_are_told_alike(tmp_path: Path) -> None:
    why = {"toolName": "read", "reason": "successful-run-text-produced"}
    records = [
        decision(5, action="skip-incomplete-fast-local", **why),
        decision(6, action="skip-incomplete-successful-run", **why),
        decision(7, action="skip-incomplete-successful-run"),
    ]
    words = "pi showed no card for the incomplete read (successful run text produced)"
    assert notices(alone(tmp_path, *records)) == [
        ("incomplete-skipped", words),
        ("incomplete-skipped", words),
        ("incomplete-skipped", "pi showed no card for the incomplete unknown"),
    ]


def test_other_decisions_are_a_line_each(tmp_path: Path) -> None:
    items = alone(
        tmp_path,
        decision(1, action="skip-duplicate", toolName="bash", reason="identity-already-completed"),
        decision(2, action="ignore-bridge", toolName="mcp", source="delta"),
        decision(3, action="queue_replay", toolName="cursor", reason="incomplete-started-tool-call", transcript="a\n\nb"),
        decision(4),
    )  # fmt: skip
    assert [message for _, message in notices(items)] == [
        "decision: skip-duplicate · bash · identity-already-completed",
        "decision: ignore-bridge · mcp · delta",
        "decision: queue replay · cursor · incomplete-started-tool-call",
        "decision",
    ]
    assert {item.level for item in items if isinstance(item, Notice)} == {"info"}


# -- the queue, pi's stream, the bridge -------------------------------------------------------


def test_the_queue_gives_text_thinking_and_cards(tmp_path: Path) -> None:
    items = alone(
        tmp_path,
        stamped(1, event={"type": "thinking-delta", "text": "Hm."}),
        stamped(2, event={"type": "thinking-completed"}),
        stamped(3, event={"type": "text-delta", "text": "So."}),
        queued(4, "bash", "ok", command="make", timeout=30),
    )
    assert [item.text for item in items if isinstance(item, Thought)] == ["Hm."]
    assert answers(items) == ["So."]
    assert card(items).arguments == {"command": "make", "timeout": 30}


def test_a_queued_card_keeps_its_details_and_its_failure(tmp_path: Path) -> None:
    details = {"variant": "activity", "sourceToolName": "webSearch", "title": "Cursor web search"}
    web = queued(
        1, "cursor", "Found.", number="a", activityTitle="Cursor web search", searchTerm="q"
    )
    web["event"]["tool"]["result"]["details"] = details
    failed = queued(2, "read", "Error: gone", number="b", path="a")
    failed["event"]["tool"]["isError"] = True
    bare = stamped(3, event={"type": "tool", "tool": {"id": "c", "toolName": "ls", "args": {}}})
    plain = stamped(
        4, event={"type": "tool", "tool": {"id": "d", "toolName": "read", "result": "text"}}
    )
    odd = stamped(5, event={"type": "tool", "tool": "nothing"})
    items = alone(tmp_path, web, failed, bare, plain, odd)
    assert cards(items) == [
        ("webSearch", "succeeded"),
        ("piRead", "failed"),
        ("piLs", "unrecorded"),
        ("piRead", "unrecorded"),
        ("unknown", "unrecorded"),
    ]
    assert [item.reason for item in items if isinstance(item, Card)][1] == "gone"


def test_a_card_without_a_source_is_named_by_its_title() -> None:
    tool = {"toolName": "cursor", "args": {"activityTitle": "Cursor weather", "city": "Bergen"}}
    assert named(tool) == {"name": "weather", "args": {"city": "Bergen"}}
    assert named({"toolName": "other", "args": None}) == {"name": "other", "args": {}}
    assert named({}) == {"name": "unknown", "args": {}}


def test_an_incomplete_card_of_the_queue_is_a_line_and_no_completion(tmp_path: Path) -> None:
    record = queued(
        1,
        "cursor",
        "x",
        activityTitle="Cursor shell did not complete",
        activitySummary="aborted",
        incomplete=True,
    )
    items = alone(tmp_path, record)
    assert cards(items) == []
    words = "queue: incomplete · Cursor shell did not complete · aborted"
    assert notices(items) == [("live-run-events", words)]


def test_pis_stream_tells_calls_without_their_results(tmp_path: Path) -> None:
    call = {"type": "toolCall", "id": REPLAY, "name": "bash", "arguments": {"command": "make"}}
    items = alone(
        tmp_path,
        stamped(1, event={"type": "start", "partial": {}}),
        stamped(2, event={"type": "thinking_delta", "delta": "Hm."}),
        stamped(3, event={"type": "text_delta", "delta": "So."}),
        stamped(4, event={"type": "text_delta", "delta": 5}),
        stamped(5, event={"type": "toolcall_end", "toolCall": call}),
        stamped(
            6, event={"type": "error", "reason": "aborted", "error": {"errorMessage": "stopped"}}
        ),
    )
    assert answers(items) == ["So."]
    assert cards(items) == [("piBash", "unrecorded")]
    (end,) = [item for item in items if isinstance(item, TurnEnd)]
    assert (end.status, end.reason) == ("aborted", "stopped")


def bridged(ms: int, kind: str, **fields: Any) -> dict[str, Any]:
    request = {
        "piToolCallId": f"p-{fields.pop('call', 1)}",
        "piToolName": "read",
        "args": {"path": "a"},
    }
    return stamped(ms, bridgeRaw={"kind": kind, "request": request, **fields})


def test_a_bridged_call_pairs_what_was_queued_with_what_came_of_it(tmp_path: Path) -> None:
    items = alone(
        tmp_path,
        bridged(1, "queued"),
        bridged(2, "resolved", result={"content": [{"type": "text", "text": "x"}]}),
        bridged(3, "resolved", call=2, result={"content": [{"type": "text", "text": "bad"}], "isError": True}),
        bridged(4, "rejected", call=3, error={"message": "no"}, rejectionKind="error"),
        bridged(5, "rejected", call=4, rejectionKind="cancelled"),
        bridged(6, "rejected", call=5, error="why"),
        bridged(7, "resolved", call=6),
    )  # fmt: skip
    found = [item for item in items if isinstance(item, Card)]
    assert [item.status for item in found] == [
        "succeeded", "failed", "failed", "failed", "failed", "unrecorded",
    ]  # fmt: skip
    assert [item.reason for item in found[1:5]] == ["bad", "no", "cancelled", "why"]
    assert {item.provenance for item in found} == {"bridge"}


def test_the_bridge_diagnostics_are_a_line_each(tmp_path: Path) -> None:
    items = alone(
        tmp_path,
        stamped(1, event={"event": "run_created", "enabled": True, "exposedToolCount": 3}),
        stamped(
            2, event={"event": "request_rejected", "piToolName": "read", "rejectionKind": "error"}
        ),
    )
    assert [message for _, message in notices(items)] == [
        "bridge: run created · exposedToolCount 3",
        "bridge: request rejected · read · error",
    ]


# -- phases and errors ------------------------------------------------------------------------


def test_phases_are_a_line_each_and_a_discard_says_what_was_given_up(tmp_path: Path) -> None:
    discard = "discarded-incomplete-started-tool-call"
    items = alone(
        tmp_path,
        phase(1, "agent_send_returned", runId="run-1", status="running"),
        phase(2, "tool_lifecycle", toolName="shell", progressText="Cursor shell: make\n"),
        phase(3, discard, toolName="shell", callIdHash="0c41b7de", reason="run-drain"),
        phase(4, discard, callIdHash=5, reason="new-reason"),
        phase(5, "turn_end", outcome="stop", pendingEventCount=0),
    )
    assert [message for _, message in notices(items)] == [
        "provider agent send returned · running",
        "coordinator tool lifecycle · shell · Cursor shell: make",
        "pi gave up on a shell call: the run ended while it was drained (its start is not recorded here)",
        "pi gave up on a unknown call: new-reason (its start is not recorded here)",
        "drain turn end · stop · pendingEventCount 0",
    ]


def test_an_error_is_an_error_and_keeps_its_stack_to_itself(tmp_path: Path) -> None:
    items = alone(
        tmp_path,
        stamped(
            1, error={"label": "run_stream", "message": "closed", "stack": "Error: closed\n at x"}
        ),
        stamped(2, error={}),
    )
    assert notices(items) == [
        ("recorded-error", "run_stream: closed"),
        ("recorded-error", "error: no message"),
    ]
    assert {item.level for item in items if isinstance(item, Notice)} == {"error"}


# -- the timeline -----------------------------------------------------------------------------


def line(ms: int, layer: str, kind: str, **payload: Any) -> dict[str, Any]:
    return stamped(ms, layer=layer, kind=kind, payload=payload)


def test_a_timeline_tells_a_run_once(tmp_path: Path) -> None:
    tool = {
        "type": "shell",
        "args": {"command": "make"},
        "result": {"status": "success", "value": {"stdout": "x"}},
    }
    items = alone(
        tmp_path,
        line(1, "on-delta", "text-delta", type="text-delta", text="a"),
        line(2, "live-run-events", "text-delta", type="text-delta", text="a"),
        line(
            3,
            "on-delta",
            "tool-call-completed",
            type="tool-call-completed",
            callId="c",
            toolCall=tool,
        ),
        line(4, "on-step", "toolCall", type="toolCall", message=tool),
        line(5, "drain", "turn_end", outcome="stop"),
        line(6, "piSession", "snapshot", artifact="x"),
        line(7, "finalPartial", "snapshot", role="assistant"),
    )
    assert answers(items) == ["a"]
    assert cards(items) == [("shell", "succeeded")]
    assert notices(items) == []


def test_a_timeline_of_pis_layers_alone_is_a_line_each(tmp_path: Path) -> None:
    items = alone(
        tmp_path,
        line(1, "coordinator", "discarded-incomplete-started-tool-call", event="discarded-incomplete-started-tool-call", toolName="ls"),
        line(2, "drain", "turn_end", outcome="stop"),
        line(3, "a-layer-of-tomorrow", "x"),
        stamped(4, layer=5, kind="x", payload={}),
    )  # fmt: skip
    assert notices(items) == [
        (
            "discarded-incomplete",
            "pi gave up on a ls call: no reason given (its start is not recorded here)",
        ),
        ("drain-events", "drain turn end · stop"),
        ("unknown-record", "a record of unknown type"),
    ]


def test_a_file_alone_is_named_by_its_agent(tmp_path: Path) -> None:
    folder(
        tmp_path,
        file=[
            line(1, "stream-events", "status", type="status", agent_id="agent-7", status="RUNNING")
        ],
    )
    events = read(str(tmp_path / "file.jsonl"))
    assert "agent-7" in [event.session_id for event in events if isinstance(event, SessionSeen)]


def test_a_line_over_the_limit_is_told(tmp_path: Path) -> None:
    folder(tmp_path, file=[decision(1, action="skip-duplicate"), decision(2, reason="x" * 500)])
    items = shown(tmp_path / "file.jsonl", max_line=300)
    (_, (code, words)) = notices(items)
    assert code == "line-too-long"
    assert words.endswith("bytes long, over the limit")


# -- small rules ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "args", "word"),
    [
        ("shell", None, "bash"),
        ("bash", None, "bash"),
        ("piBash", None, "bash"),
        ("glob", None, "find"),
        ("Read", None, "read"),
        ("pineapple", None, "pineapple"),
        ("mcp", {"toolName": "pi__read"}, "pi__read"),
        ("mcp", {"toolName": "search"}, "mcp"),
        ("mcp", {}, "mcp"),
    ],
)
def test_one_word_stands_for_a_tool_under_all_its_names(name: str, args: Any, word: str) -> None:
    assert group(name, args) == word


def test_circles_are_taken_out_only_where_an_object_should_stand(tmp_path: Path) -> None:
    deep: dict[str, Any] = {"value": "[Circular]"}
    for _ in range(12):
        deep = {"inner": deep}
    result = {"status": "success", "value": {"stdout": "[Circular]", "deep": deep}}
    tool = {"type": "shell", "args": {"command": "[Circular]"}, "result": result}
    record = delta(1, "tool-call-completed", callId="c", toolCall=tool)
    folder(tmp_path / "t", on_delta=[record])
    items = shown(tmp_path / "t")
    assert card(items).arguments == {"command": "[Circular]"}
    assert notices(items) == []


def test_documents_of_another_shape_say_nothing(tmp_path: Path) -> None:
    folder(tmp_path, metadata=[1], summary="5", wait_result={"status": 5}, send_payload={"text": 5})
    documents = Documents(tmp_path)
    assert (documents.turn, documents.cwd, documents.prompt, documents.end) == (None,) * 4
    assert not documents.is_ours
    assert not documents.is_drain


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["type", "event", "tool", "args", "request", "toolCall", "kind", "result", "id",
             "toolName", "action", "transcript", "toolId", "reason", "identity", "replayToolId"],
        ),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["update", "step", "event", "decision", "bridgeRaw", "error", "payload", "layer"]
            ),
            ANY,
            ANY,
        ),
        min_size=1,
        max_size=6,
    )
)
def test_no_record_of_any_shape_raises_anything(
    tmp_path_factory: pytest.TempPathFactory, records: list[tuple[str, Any, Any]]
) -> None:
    path = tmp_path_factory.mktemp("any")
    lines = [stamped(n, **{key: value}, phase="turn_end", payload=other) if key != "payload" else phase(n, "x", payload=value) for n, (key, value, other) in enumerate(records)]  # fmt: skip
    folder(path, file=[decision(0, action="skip-duplicate"), *lines])
    try:
        shown(path / "file.jsonl")
    except ReplayError:
        return


def test_a_completion_on_another_surface_needs_no_helper(tmp_path: Path) -> None:
    folder(tmp_path, on_delta=[completed(1, "a", command="x")], stream_events=[
        message(2, "tool_call", call_id="a", name="shell", status="error", args={}),
    ])  # fmt: skip
    assert cards(shown(tmp_path)) == [("shell", "succeeded")]
