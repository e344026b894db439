"""Event-debug folders: which is what, one card a call, one text, and nothing lost in silence."""

import json
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from shutil import copytree

import pytest
from debug_words import (
    REPLAY,
    answers,
    asked,
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
    started,
    step,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cursor_replay.errors import AmbiguousError, InputError, ReplayError
from cursor_replay.events import SessionSeen
from cursor_replay.ingest.formats.debug.folder import DebugStore, holds
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.items import Card, Item, Notice, Prompt, Session, Thought, TurnEnd
from cursor_replay.pipeline import replay

FIXTURES = Path(__file__).parents[2] / "fixtures" / "debug-artifacts"
META = {"capturedAt": "2026-08-03T08:00:00.000Z", "modelId": "m", "cwd": "/w", "pinnedRun": True}
KEY = "/home/x/.pi/sessions/harbour.jsonl"


def all_of(path: Path, **how: object) -> list[Item]:
    with closing(open_source(str(path), **how)) as source:  # type: ignore[arg-type]
        return [each.item for each in replay(source)]


# -- which folder is what ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "on-delta", "on-step", "stream-events", "live-run-events", "bridge-raw",
        "display-decisions", "pi-stream-events", "bridge-events", "provider-events",
        "coordinator-events", "drain-events", "errors", "timeline",
    ],
)  # fmt: skip
def test_any_artifact_that_fits_its_name_makes_a_turn_folder(tmp_path: Path, name: str) -> None:
    records = {
        "on-delta": delta(1, "text-delta", text="a"),
        "on-step": step(1, "assistantMessage", text="a"),
        "stream-events": said(1, "a"),
        "live-run-events": stamped(1, event={"type": "text-delta", "text": "a"}),
        "bridge-raw": stamped(1, bridgeRaw={"kind": "queued"}),
        "display-decisions": decision(1, action="skip-duplicate"),
        "pi-stream-events": stamped(1, event={"type": "start", "partial": {}}),
        "bridge-events": stamped(1, event={"event": "run_created", "enabled": True}),
        "errors": stamped(1, error={"label": "x", "message": "y"}),
        "timeline": stamped(1, layer="drain", kind="unknown", payload={}),
    }
    record = records.get(name, phase(1, "turn_start"))
    assert holds(folder(tmp_path / "here", **{name.replace("-", "_"): [record]}))


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("errors", {"error": {"message": "of another program"}}),
        ("timeline", {"layer": "application", "kind": "x", "payload": {}}),
        ("on-delta", {"update": "1.0"}),
        ("live-run-events", {"event": {"type": "tool"}}),
        ("drain-events", {"elapsedMs": "5 ms", "phase": "turn_start", "payload": {}}),
    ],
)
def test_a_file_of_pis_name_with_records_of_others_makes_none(
    tmp_path: Path, name: str, record: dict[str, object]
) -> None:
    key = name.replace("-", "_")
    assert not holds(folder(tmp_path / "here", **{key: [{**stamped(1), **record}]}))


def test_a_phase_of_tomorrow_is_known_by_the_name_of_its_file(tmp_path: Path) -> None:
    assert holds(folder(tmp_path / "here", drain_events=[phase(1, "a_phase_of_tomorrow")]))


def test_a_folder_is_known_by_what_its_files_hold_and_not_by_their_names(tmp_path: Path) -> None:
    line = {"type": "text-delta", "text": "bare"}
    assert not holds(folder(tmp_path / "bare", on_delta=[line]))
    assert not holds(folder(tmp_path / "prose", on_delta=["what is this"]))
    assert not holds(folder(tmp_path / "empty", on_delta=[]))
    assert not holds(folder(tmp_path / "other", metadata={"name": "x"}))
    assert not holds(folder(tmp_path / "list", metadata=[1]))
    assert not holds(folder(tmp_path / "turn-001-x"))
    assert not holds(tmp_path / "nowhere")


def test_the_marks_of_the_writer_and_a_very_long_first_line_are_known(tmp_path: Path) -> None:
    mark = {"type": "artifact_truncated", "limitBytes": 2097152}
    assert holds(folder(tmp_path / "cut", on_delta=[mark]))
    broken = {"type": "artifact_serialization_error"}
    assert holds(folder(tmp_path / "broken", on_step=[broken]))
    long = delta(1, "text-delta", text="x" * 100_000)
    assert holds(folder(tmp_path / "long", on_delta=[long]))
    assert not holds(folder(tmp_path / "noise", on_delta=["x" * 100_000]))


def test_metadata_of_pi_or_of_the_probe_is_enough(tmp_path: Path) -> None:
    assert holds(folder(tmp_path / "pi", metadata=META))
    probe = {"capturedAt": "2026-08-03T08:00:00.000Z", "settingSources": None, "prompt": "x"}
    assert holds(folder(tmp_path / "probe", metadata=probe))


def test_a_conversation_beside_a_result_is_enough(tmp_path: Path) -> None:
    turn = {"type": "agentConversationTurn", "turn": {"userMessage": {"text": "q"}, "steps": []}}
    path = folder(tmp_path / "end", conversation=json.dumps([5, turn]))
    assert not holds(path)
    assert holds(folder(path, wait_result={"status": "finished"}))
    assert not holds(folder(path, conversation={"type": "other"}))


def test_a_folder_of_no_artifacts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder without a session known here"):
        open_source(str(folder(tmp_path / "empty")))
    with pytest.raises(InputError, match="holds no session"):
        open_source(str(tmp_path / "empty"), input_format="debug-artifacts")


def test_a_file_where_a_file_should_be_a_folder_is_no_artifact(tmp_path: Path) -> None:
    (tmp_path / "on-delta.jsonl").mkdir()
    assert not holds(tmp_path)
    assert not holds(tmp_path / "on-delta.jsonl")


def test_a_folder_that_may_not_be_read_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder(tmp_path / "shut", on_delta=[asked(1, "q")])
    assert holds(path)

    def refused(*_: object, **__: object) -> None:
        raise PermissionError

    for name in ("is_file", "is_dir", "iterdir", "open", "read_text", "read_bytes", "stat"):
        monkeypatch.setattr(Path, name, refused)
    assert not holds(path)


# -- sessions ---------------------------------------------------------------------------------


def session(base: Path, slug: str, key: str, *, at: str, status: str = "finished") -> Path:
    path = base / "sessions" / slug
    meta = {**META, "capturedAt": at, "sessionKey": key, "turn": 1, "send": {"promptText": "Go."}}
    folder(path / "turn-001-x", metadata=meta, on_delta=[asked(1, "Go.")])
    folder(path / "turn-001-x", wait_result={"status": status})
    turns = [{"turn": 1, "artifactDir": "/y/turn-001-x", "finalizedAt": at}]
    folder(path, session={"sessionKey": key, "createdAt": at, "updatedAt": at, "turns": turns})
    return path


def test_the_base_folder_is_a_store_of_sessions_newest_first(tmp_path: Path) -> None:
    session(tmp_path, "a-1", "/p/old.jsonl", at="2026-08-01T08:00:00.000Z")
    session(tmp_path, "b-2", "/p/new.jsonl", at="2026-08-02T08:00:00.000Z", status="error")
    for path in (tmp_path, tmp_path / "sessions"):
        infos = list(DebugStore(path).sessions())
        assert [each.id for each in infos] == ["new", "old"]
        assert [each.state for each in infos] == ["error", "finished"]
        assert {each.workspace for each in infos} == {"/w"}
        assert [each.title for each in infos] == ["Go.", "Go."]
        assert infos[0].started is not None
        assert infos[0].started.at == "2026-08-02T08:00:00.000Z"
        assert infos[0].prompts == 1
    with pytest.raises(AmbiguousError):
        open_source(str(tmp_path))
    items = all_of(tmp_path, options=ReadOptions(session="old"))
    assert isinstance(items[0], Session)
    assert items[0].session_id == "old"


def test_two_sessions_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    session(tmp_path, "a-1", "/p/same.jsonl", at="2026-08-01T08:00:00.000Z")
    session(tmp_path, "b-2", "/q/same.jsonl", at="2026-08-02T08:00:00.000Z")
    assert {each.id for each in DebugStore(tmp_path).sessions()} == {"same", "b-2"}


@pytest.mark.parametrize(
    ("key", "name"),
    [
        (KEY, "harbour"),
        ("C:\\pi\\dock.json", "dock"),
        ("__ephemeral__:s-77", "s-77"),
        ("__anonymous__", "the-slug"),
        (None, "the-slug"),
    ],
)
def test_a_session_is_named_by_its_key_else_by_its_folder(
    tmp_path: Path, key: str | None, name: str
) -> None:
    path = folder(tmp_path / "the-slug", metadata={**META, "sessionKey": key})
    assert [each.id for each in DebugStore(path).sessions()] == [name]


def test_what_is_not_recorded_of_a_session_is_not_guessed(tmp_path: Path) -> None:
    (info,) = DebugStore(folder(tmp_path / "bare", on_delta=[asked(1, "q")])).sessions()
    assert (info.workspace, info.title, info.started, info.state) == (None, None, None, "unknown")
    assert info.changed is not None
    assert info.changed.basis == "file"


def test_a_long_or_missing_first_line_is_no_title(tmp_path: Path) -> None:
    for text in ("x" * 201, "  \n \n"):
        meta = {**META, "send": {"promptText": text}}
        (info,) = DebugStore(folder(tmp_path / "turn", metadata=meta)).sessions()
        assert info.title is None
    meta = {**META, "send": {"promptText": "Look.\nThen tell."}}
    (info,) = DebugStore(folder(tmp_path / "turn", metadata=meta)).sessions()
    assert info.title == "Look."


def test_a_session_is_in_the_state_of_its_last_run(tmp_path: Path) -> None:
    one, two = tmp_path / "s" / "turn-001-a", tmp_path / "s" / "turn-002-b"
    folder(
        one,
        metadata={**META, "turn": 1, "send": {"promptText": "Go."}},
        wait_result={"status": "cancelled"},
    )
    folder(two, metadata={**META, "turn": 2}, drain_events=[phase(1, "turn_start")])
    (info,) = DebugStore(tmp_path / "s").sessions()
    assert (info.state, info.prompts) == ("finished", 1)
    folder(two, metadata={**META, "turn": 2, "send": {"promptText": "On."}})
    turns = [{"artifactDir": "turn-001-a", "finalizedAt": "x"}, {"artifactDir": "turn-002-b"}]
    folder(tmp_path / "s", session={"sessionKey": KEY, "turns": turns})
    (info,) = DebugStore(tmp_path / "s").sessions()
    assert (info.id, info.state, info.prompts) == ("harbour", "unknown", 2)
    turns[1]["finalizedAt"] = "y"
    folder(tmp_path / "s", session={"sessionKey": KEY, "turns": turns})
    (info,) = DebugStore(tmp_path / "s").sessions()
    assert info.state == "finished"
    folder(two, wait_result={"status": "lost"})
    (info,) = DebugStore(tmp_path / "s").sessions()
    assert info.state == "unknown"


def test_turns_are_read_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number, name in ((10, "z"), (2, "turn-002-x"), (9, "turn-009-a")):
        meta = {**META, "turn": number} if name == "z" else META
        folder(tmp_path / "s" / name, metadata=meta, on_delta=[asked(1, f"q{number}")])
    prompts = [item.text for item in shown(tmp_path / "s") if isinstance(item, Prompt)]
    assert prompts == ["q2", "q9", "q10"]


def test_a_folder_without_a_number_takes_the_turn_of_its_records(tmp_path: Path) -> None:
    for number, name in ((2, "a"), (1, "b")):
        record = {**asked(1, f"q{number}"), "turn": number}
        folder(tmp_path / "s" / name, on_delta=[record], on_step=["not JSON"])
    prompts = [item.text for item in shown(tmp_path / "s") if isinstance(item, Prompt)]
    assert prompts == ["q1", "q2"]


def test_a_probe_that_crashed_at_once_leaves_empty_files(tmp_path: Path) -> None:
    probe = {"capturedAt": "2026-08-03T08:00:00.000Z", "settingSources": None, "prompt": "x"}
    path = folder(tmp_path / "probe", metadata=probe, on_delta=[], on_step=[], stream_events=[])
    assert [code for code, _ in notices(shown(path))] == ["no-events"]


# -- one call, one card -----------------------------------------------------------------------

ARGS = {"command": "make"}


def test_a_call_that_every_surface_tells_is_one_card() -> None:
    items = shown(FIXTURES / "turn-all-surfaces" / "input")
    assert cards(items) == [("shell", "succeeded"), ("read", "succeeded")]
    assert answers(items) == ["Let me look. ", "The table is clean."]


@pytest.mark.parametrize(
    "gone",
    [
        ("on-delta",),
        ("on-delta", "stream-events"),
        ("on-delta", "stream-events", "on-step"),
    ],
)
def test_without_the_best_witness_the_next_one_tells_it_all(
    tmp_path: Path, gone: tuple[str, ...]
) -> None:
    path = tmp_path / "turn"
    copytree(FIXTURES / "turn-all-surfaces" / "input", path)
    for name in gone:
        (path / f"{name}.jsonl").unlink()
    (path / "summary.json").unlink()
    items = shown(path)
    assert cards(items) == [("shell", "succeeded"), ("read", "succeeded")]
    assert "".join(answers(items)) == "Let me look. The table is clean."
    assert [item.text for item in items if isinstance(item, Prompt)] == ["Is the tide table clean?"]
    assert [item.status for item in items if isinstance(item, TurnEnd)] == ["success"]


def test_pis_own_records_are_the_last_witnesses(tmp_path: Path) -> None:
    path = tmp_path / "turn"
    copytree(FIXTURES / "turn-all-surfaces" / "input", path)
    for name in ("on-delta.jsonl", "stream-events.jsonl", "on-step.jsonl", "conversation.json"):
        (path / name).unlink()
    (path / "summary.json").unlink()
    wanted = [("piBash", "succeeded"), ("piRead", "succeeded")]
    items = shown(path)
    assert cards(items) == wanted
    assert answers(items) == ["Let me look. ", "The table is clean."]
    (path / "live-run-events.jsonl").unlink()
    items = shown(path)
    assert cards(items) == [("piBash", "unrecorded"), ("piRead", "unrecorded")]
    assert answers(items) == ["Let me look. "]
    (path / "display-decisions.jsonl").unlink()
    assert cards(shown(path)) == [("piBash", "unrecorded"), ("piRead", "unrecorded")]
    (path / "pi-stream-events.jsonl").unlink()
    items = shown(path)
    assert cards(items) == []
    assert answers(items) == ["The table is clean."]


def test_a_folder_with_only_a_timeline_is_read_from_it(tmp_path: Path) -> None:
    lines = (FIXTURES / "timeline-alone" / "input.jsonl").read_text("utf-8").splitlines()
    items = shown(folder(tmp_path / "turn", timeline=lines))
    assert cards(items) == [("shell", "succeeded")]
    assert answers(items) == ["Asking. ", "It is."]


def test_two_equal_calls_are_two_on_every_surface(tmp_path: Path) -> None:
    result = {"status": "success", "value": {"stdout": "done", "exitCode": 0}}
    twice = [step(n, "toolCall", type="shell", args=ARGS, result=result) for n in (12, 22)]
    path = folder(
        tmp_path / "turn",
        on_delta=[completed(10, "a", **ARGS), completed(20, "b", **ARGS)],
        on_step=twice,
        live_run_events=[queued(13, "bash", "done", number=f"{REPLAY}{n}") for n in (1, 2)],
    )
    assert cards(shown(path)) == [("shell", "succeeded")] * 2
    (path / "on-delta.jsonl").unlink()
    assert cards(shown(path)) == [("shell", "succeeded")] * 2
    (path / "on-step.jsonl").unlink()
    assert cards(shown(path)) == [("piBash", "succeeded")] * 2


def test_a_call_that_only_a_worse_witness_tells_is_shown(tmp_path: Path) -> None:
    result = {"status": "success", "value": {"content": "x", "totalLines": 1}}
    path = folder(
        tmp_path / "turn",
        on_delta=[completed(10, "a", **ARGS)],
        stream_events=[
            message(11, "tool_call", call_id="a", name="shell", status="completed"),
            message(15, "tool_call", call_id="b", name="ls", status="running", args={"path": "."}),
            message(
                16,
                "tool_call",
                call_id="b",
                name="ls",
                status="completed",
                args={"path": "."},
                result=result,
            ),
        ],
        on_step=[
            step(12, "toolCall", type="shell", args=ARGS, result=result),
            step(20, "toolCall", type="read", args={"path": "a"}, result=result),
        ],
    )
    assert cards(shown(path)) == [
        ("shell", "succeeded"),
        ("ls", "succeeded"),
        ("read", "succeeded"),
    ]


def test_what_a_worse_witness_says_of_its_own_result_goes_with_it(tmp_path: Path) -> None:
    cut = message(
        11, "tool_call", call_id="a", name="shell", status="completed", truncated={"result": True}
    )
    path = folder(tmp_path / "turn", on_delta=[completed(10, "a", **ARGS)], stream_events=[cut])
    assert notices(shown(path)) == []
    (path / "on-delta.jsonl").unlink()
    codes = [code for code, _ in notices(shown(path))]
    assert codes == ["truncated-at-source", "results-not-recorded"]


def test_a_step_completes_the_call_whose_end_was_cut(tmp_path: Path) -> None:
    result = {"status": "success", "value": {"stdout": "done", "exitCode": 0}}
    path = folder(
        tmp_path / "turn",
        on_delta=[started(10, "a", **ARGS), {"type": "artifact_truncated"}],
        on_step=[step(30, "toolCall", type="shell", args=ARGS, result=result)],
    )
    items = shown(path)
    assert cards(items) == [("shell", "succeeded")]
    (card,) = [item for item in items if isinstance(item, Card)]
    assert card.timing is not None
    assert card.timing.started is not None
    assert card.timing.started.at == "2026-08-03T08:00:00.010Z"
    assert (
        "truncated-artifact",
        "on-delta.jsonl: the writer's size limit was reached, later records are missing",
    ) in notices(items)


def test_the_queue_completes_a_call_whose_end_was_cut(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "turn",
        on_delta=[started(10, "a", **ARGS), {"type": "artifact_truncated"}],
        display_decisions=[
            decision(
                20,
                action="queue_replay",
                toolName="bash",
                identity="cursor-tool:a",
                replayToolId=REPLAY,
            )
        ],
        live_run_events=[queued(21, "bash", "done", command="make")],
    )
    assert cards(shown(path)) == [("piBash", "succeeded")]


def test_a_bridged_call_is_one_card_whoever_tells_it(tmp_path: Path) -> None:
    request = {"piToolCallId": "p-1", "piToolName": "read", "args": {"path": "a"}}
    raw = [
        stamped(11, bridgeRaw={"kind": "queued", "request": request}),
        stamped(
            12,
            bridgeRaw={
                "kind": "resolved",
                "request": request,
                "result": {"content": [{"type": "text", "text": "x"}]},
            },
        ),
    ]
    mcp = {"toolName": "pi__read", "args": {"path": "a"}}
    path = folder(
        tmp_path / "turn",
        on_delta=[completed(10, "a", "mcp", **mcp)],
        bridge_raw=raw,
        live_run_events=[stamped(11, event={"type": "bridge-tool", "request": request})],
    )
    assert cards(shown(path)) == [("read", "succeeded")]
    (path / "on-delta.jsonl").unlink()
    items = shown(path)
    assert cards(items) == [("read", "succeeded")]
    folder(path, bridge_raw=raw[:1])
    assert cards(shown(path)) == [("read", "incomplete")]


def test_a_sub_agent_is_told_by_the_updates_alone(tmp_path: Path) -> None:
    nested = {"type": "text-delta", "text": "inner"}
    path = folder(
        tmp_path / "turn",
        on_delta=[
            started(10, "t", "task", description="look"),
            delta(11, "tool-call-delta", callId="t", taskUpdate=nested),
            completed(20, "t", "task", value={"agentId": "x"}, description="look"),
        ],
        stream_events=[
            message(
                15,
                "tool_call",
                call_id="t",
                name="task",
                status="completed",
                args={"description": "look"},
            )
        ],
    )
    items = shown(path)
    assert cards(items) == [("task", "succeeded")]
    assert answers(items) == ["inner"]


# -- one text ---------------------------------------------------------------------------------


def test_a_cut_text_is_continued_by_the_next_witness() -> None:
    items = shown(FIXTURES / "truncated-on-delta" / "input")
    assert answers(items) == ["Dock A first. ", "Now dock B. ", "B is wet."]


def test_a_text_that_fits_no_other_is_kept(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "turn",
        on_delta=[delta(10, "text-delta", text="One thing."), delta(30, "turn-ended")],
        on_step=[step(20, "assistantMessage", text="Quite another.")],
    )
    assert answers(shown(path)) == ["One thing.", "Quite another."]


def test_a_text_that_differs_only_in_its_pieces_is_shown_once(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "turn",
        on_delta=[
            delta(10, "text-delta", text="One. "),
            completed(11, "a", **ARGS),
            delta(12, "text-delta", text="Two.\n"),
        ],
        on_step=[
            step(20, "assistantMessage", text="Two."),
            step(21, "assistantMessage", text="One."),
        ],
    )
    items = shown(path)
    assert answers(items) == ["One. ", "Two.\n"]
    assert [code for code, _ in notices(items)] == ["second-surface"]


def test_thinking_is_shown_once_with_its_duration(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "turn",
        on_delta=[delta(10, "thinking-delta", text="Hm."), {"type": "artifact_truncated"}],
        stream_events=[
            message(9, "thinking", text="Hm."),
            message(12, "thinking", text=" So."),
            message(13, "thinking", text="", thinking_duration_ms=40),
        ],
        live_run_events=[stamped(11, event={"type": "thinking-delta", "text": "Cursor shell: x"})],
    )
    items = [item for item in shown(path) if isinstance(item, Thought)]
    assert [(item.text, item.duration_ms) for item in items] == [("Hm. So.", 40.0)]


def test_a_prompt_that_two_surfaces_tell_is_asked_once_and_another_is_kept(tmp_path: Path) -> None:
    user = {"content": [{"type": "text", "text": "Go on"}]}
    other = {"content": [{"type": "text", "text": "Stop"}]}
    path = folder(
        tmp_path / "turn",
        on_delta=[asked(10, "Go on"), delta(30, "text-delta", text="ok")],
        stream_events=[message(11, "user", message=user), message(40, "user", message=other)],
        send_payload={"text": "Go on, with all the context"},
    )
    assert [item.text for item in shown(path) if isinstance(item, Prompt)] == ["Go on", "Stop"]


@pytest.mark.parametrize(
    "files",
    [
        {"send_payload": {"text": "Go."}},
        {"send_payload": {"message": {"text": "Go."}}},
        {"metadata": {**META, "send": {"promptText": "Go."}}},
        {"metadata": {**META, "prompt": "Go."}},
    ],
)
def test_without_a_user_record_the_prompt_is_what_was_sent(
    tmp_path: Path, files: dict[str, object]
) -> None:
    path = folder(tmp_path / "turn", on_delta=[delta(1, "text-delta", text="a")], **files)
    assert [item.text for item in shown(path) if isinstance(item, Prompt)] == ["Go."]


# -- several turns ----------------------------------------------------------------------------


def drained_session(base: Path) -> Path:
    folder(
        base / "turn-001-a",
        on_delta=[asked(1, "q"), completed(10, "a", **ARGS)],
        display_decisions=[
            decision(
                11,
                action="queue_replay",
                toolName="bash",
                identity="cursor-tool:a",
                replayToolId=REPLAY,
            )
        ],
    )
    folder(
        base / "turn-002-b",
        drain_events=[phase(20, "native_tool_display_recorded", toolId=REPLAY, toolName="bash")],
        pi_stream_events=[stamped(21, event={"type": "text_delta", "delta": "again"})],
    )
    return base


def test_a_card_drained_in_the_next_turn_is_shown_where_the_call_ran(tmp_path: Path) -> None:
    items = shown(drained_session(tmp_path / "s"))
    assert cards(items) == [("shell", "succeeded")]
    assert answers(items) == []
    assert notices(items) == [
        ("drained-elsewhere", "pi showed the card of this bash call in turn 2 (turn-002-b)")
    ]


def test_a_turn_alone_says_that_a_card_comes_from_an_earlier_one(tmp_path: Path) -> None:
    items = shown(drained_session(tmp_path / "s") / "turn-002-b")
    words = "pi showed the card of a bash call here that is recorded in an earlier turn"
    assert ("drained-here", words) in notices(items)


def test_a_call_may_end_in_the_next_folder(tmp_path: Path) -> None:
    folder(tmp_path / "s" / "turn-001-a", on_delta=[asked(1, "q"), started(10, "a", **ARGS)])
    folder(tmp_path / "s" / "turn-002-b", on_delta=[completed(2000, "a", **ARGS)])
    assert cards(shown(tmp_path / "s")) == [("shell", "succeeded")]


def test_a_queued_card_of_a_call_told_by_an_earlier_folder_is_no_second_one(tmp_path: Path) -> None:
    base = drained_session(tmp_path / "s")
    folder(base / "turn-002-b", live_run_events=[queued(20, "bash", "done", command="make")])
    assert cards(shown(base)) == [("shell", "succeeded")]
    folder(base / "turn-002-b", send_payload={"text": "another"})
    assert len(cards(shown(base))) == 2


# -- ends -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wait", "status", "reason"),
    [
        ({"status": "finished"}, "success", None),
        ({"status": "cancelled"}, "cancelled", None),
        ({"status": "error", "error": {"message": "boom", "code": "c"}}, "error", "boom"),
        ({"status": "error", "error": {"code": "c"}}, "error", "c"),
        ({"status": "error", "error": "plain"}, "error", "plain"),
        ({"status": "EXPIRED"}, "expired", None),
    ],
)
@pytest.mark.parametrize("ended", [True, False])
def test_the_result_says_how_the_run_ended(
    tmp_path: Path, wait: dict[str, object], status: str, reason: str | None, *, ended: bool
) -> None:
    records = [delta(1, "text-delta", text="a"), *([delta(2, "turn-ended")] if ended else [])]
    path = folder(tmp_path / "turn", on_delta=records, wait_result={**wait, "durationMs": 9})
    (end,) = [item for item in shown(path) if isinstance(item, TurnEnd)]
    assert (end.status, end.reason, end.duration_ms) == (status, reason, 9.0)


def test_a_stream_that_failed_wins_over_an_end_without_status(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "turn",
        on_delta=[delta(2, "turn-ended", usage={"inputTokens": 5})],
        stream_events=[message(3, "status", status="ERROR", message="quota")],
        wait_result={"status": "running"},
    )
    (end,) = [item for item in shown(path) if isinstance(item, TurnEnd)]
    assert (end.status, end.reason) == ("error", "quota")
    assert end.usage is not None
    assert end.usage.input_tokens == 5


@pytest.mark.parametrize(
    ("files", "status", "reason"),
    [
        ({"drain_events": [phase(9, "turn_end", outcome="error", errorMessage="net")]}, "error", "net"),
        ({"drain_events": [phase(9, "turn_end", outcome="aborted", reason="disposed")]}, "aborted", "disposed"),
        ({"pi_stream_events": [stamped(9, event={"type": "error", "reason": "aborted", "error": {"role": "assistant"}})]}, "aborted", None),
    ],
)  # fmt: skip
def test_pis_own_end_is_asked_last(
    tmp_path: Path, files: dict[str, list[object]], status: str, reason: str | None
) -> None:
    path = folder(tmp_path / "turn", on_delta=[started(1, "a", **ARGS)], **files)
    (end,) = [item for item in shown(path) if isinstance(item, TurnEnd)]
    assert (end.status, end.reason) == (status, reason)
    folder(path, wait_result={"status": "finished"})
    (end,) = [item for item in shown(path) if isinstance(item, TurnEnd)]
    assert (end.status, end.reason) == ("success", None)


def test_a_good_end_of_pis_turn_says_nothing_of_the_run(tmp_path: Path) -> None:
    path = folder(tmp_path / "turn", drain_events=[phase(9, "turn_end", outcome="tool_use")])
    assert [item for item in shown(path) if isinstance(item, TurnEnd)] == []


def test_two_prompts_in_one_file_have_an_end_each(tmp_path: Path) -> None:
    records = [asked(1, "a"), delta(2, "turn-ended"), asked(3, "b"), delta(4, "turn-ended")]
    items = shown(folder(tmp_path / "turn", on_delta=records))
    assert [item.type for item in items] == ["prompt", "turn_end", "prompt", "turn_end"]


def test_the_result_text_is_shown_where_nobody_speaks(tmp_path: Path) -> None:
    wait = {"status": "finished", "result": "Done."}
    path = folder(tmp_path / "turn", metadata=META, wait_result=wait, on_delta=[started(1, "a")])
    assert answers(shown(path)) == ["Done."]


# -- incomplete calls -------------------------------------------------------------------------


def gave_up(call: str, **fields: object) -> dict[str, object]:
    name = "discarded-incomplete-started-tool-call"
    short = sha256(call.encode()).hexdigest()[:8]
    payload = {"event": name, "toolName": "shell", "callIdHash": short, "reason": "abort", **fields}
    return phase(50, name, **payload)


def test_a_hashed_record_names_the_start_it_is_about(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "turn",
        on_delta=[started(1, "a\nb", **ARGS)],
        coordinator_events=[gave_up("a\nb")],
    )
    items = shown(path)
    assert cards(items) == [("shell", "incomplete")]
    words = "pi gave up on a shell call: the run was aborted (started at on-delta.jsonl line 1)"
    assert notices(items) == [("discarded-incomplete", words)]


def test_a_record_about_a_call_that_completed_says_so(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "turn",
        on_delta=[started(1, "a", **ARGS), completed(2, "a", **ARGS)],
        coordinator_events=[gave_up("a", toolName=None, reason=None)],
    )
    words = "pi gave up on a shell call: no reason given (started at on-delta.jsonl line 1, its completion is recorded)"
    assert notices(shown(path)) == [("discarded-but-completed", words)]


def test_the_incomplete_card_of_the_queue_is_no_completion(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "turn",
        on_delta=[started(1, "a", **ARGS)],
        display_decisions=[
            decision(
                5,
                action="queue_replay",
                toolName="cursor",
                reason="incomplete-started-tool-call",
                transcript="x\n\ny",
                replayToolId=REPLAY,
            )
        ],
        live_run_events=[
            queued(6, "cursor", "did not complete", activityTitle="Cursor shell did not complete")
        ],
    )
    assert cards(shown(path)) == [("shell", "incomplete")]
    folder(path, live_run_events=[queued(6, "cursor", "no", incomplete=True)])
    (path / "display-decisions.jsonl").unlink()
    assert cards(shown(path)) == [("shell", "incomplete")]


# -- what the files say of themselves ---------------------------------------------------------


def test_a_crashed_turn_says_what_is_missing_and_why(tmp_path: Path) -> None:
    meta = {**META, "turn": 7, "send": {"promptText": "Go."}}
    items = shown(folder(tmp_path / "turn-007-x", metadata=meta))
    assert [item.type for item in items] == ["prompt", "notice"]
    (note,) = [item for item in items if isinstance(item, Notice)]
    assert note.message == (
        "turn 7 (turn-007-x) has no event records: they are written when a turn ends, and its "
        "process ended before that (or is still running)"
    )


def test_a_file_with_fewer_records_than_were_counted_is_told(tmp_path: Path) -> None:
    counts = {
        "onDelta": {"text-delta": 2, "turn-ended": 1},
        "onStep": {"x": "?"},
        "errors": 4,
        "drain": None,
    }
    path = folder(
        tmp_path / "turn",
        on_delta=[delta(1, "text-delta", text="a")],
        summary={
            "counts": counts,
            "streamCaptureErrors": [{}],
            "truncatedJsonlFiles": ["on-step.jsonl", "odd.txt"],
        },
    )
    assert notices(shown(path)) == [
        ("records-missing", "on-delta.jsonl holds 1 of the 3 records that were made"),
        ("records-missing", "errors.jsonl holds 0 of the 4 records that were made"),
        (
            "truncated-artifact",
            "on-step.jsonl was cut at its size limit, later records are missing",
        ),
        ("stream-capture", "run.stream() could not be captured to its end"),
    ]


def test_what_the_writer_could_not_write_is_told(tmp_path: Path) -> None:
    broken = {"type": "artifact_serialization_error"}
    tool = {"type": "shell", "args": ARGS, "result": "[Circular]"}
    path = folder(
        tmp_path / "turn",
        on_delta=[
            delta(1, "text-delta", text="[Circular]"),
            stamped(2, update=broken),
            broken,
            delta(3, "tool-call-completed", callId="a", toolCall=tool),
        ],
    )
    items = shown(path)
    assert answers(items) == ["[Circular]"]
    assert cards(items) == [("shell", "unrecorded")]
    assert notices(items) == [
        ("unwritten-record", "on-delta.jsonl: a record that its writer could not serialise"),
        (
            "circular",
            "on-delta.jsonl: the writer put [Circular] where a value stood that it had written before",
        ),
        ("results-not-recorded", "the outcome of 1 call is not recorded here"),
    ]


def test_lines_that_cannot_be_read_are_told_with_their_file(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "turn",
        on_delta=[
            asked(1, "q"), "", "{", "[1]", stamped(2, step={"type": "x"}), stamped(3, update=5),
            delta(4, "brand-new"),
        ],
        on_step=[step(5, "newStep", text="x")],
    )  # fmt: skip
    assert notices(shown(path)) == [
        ("not-json", "on-delta.jsonl: not JSON"),
        ("not-an-object", "on-delta.jsonl: JSON, but not an object"),
        ("unknown-record", "on-delta.jsonl: a record of unknown type"),
        ("unknown-record", "on-step.jsonl: a record of unknown type"),
    ]


def test_a_file_that_may_not_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder(
        tmp_path / "turn",
        on_delta=[asked(1, "q")],
        on_step=[step(1, "assistantMessage", text="a")],
        wait_result={"status": "finished"},
    )
    opened = Path.open

    def refuse(self: Path, *args: object, **how: object) -> object:
        if self.name in ("on-step.jsonl", "wait-result.json"):
            raise PermissionError
        return opened(self, *args, **how)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refuse)
    codes = [message for _, message in notices(shown(path))]
    assert "on-step.jsonl cannot be read (PermissionError)" in codes


def test_documents_that_are_no_json_are_told(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "turn",
        on_delta=[asked(1, "q")],
        wait_result="{",
        summary="",
        conversation="nope",
    )
    assert {message for _, message in notices(shown(path))} == {
        "wait-result.json is not JSON",
        "summary.json is not JSON",
        "conversation.json is not JSON",
    }


def test_a_conversation_may_be_one_turn_or_something_else(tmp_path: Path) -> None:
    turn = {"type": "agentConversationTurn", "turn": {"userMessage": {"text": "q"}, "steps": []}}
    path = folder(tmp_path / "turn", metadata=META, conversation=turn)
    assert [item.text for item in shown(path) if isinstance(item, Prompt)] == ["q"]
    (path / "conversation.json").write_text(json.dumps([turn, 5, {"type": "x"}]), "utf-8")
    found = [item for item in shown(path) if isinstance(item, Notice)]
    assert [(note.code, note.count) for note in found] == [("no-events", 1), ("unknown-record", 2)]
    assert found[1].message == "conversation.json: a record of unknown type"
    (path / "conversation.json").write_text('{"skipped": true, "reason": "unsupported"}', "utf-8")
    assert [code for code, _ in notices(shown(path))] == ["no-events"]


def test_a_session_file_of_pi_is_named_and_not_read(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "turn", on_delta=[asked(1, "q")], pi_session_snapshot=["not even JSON"]
    )
    last = all_of(path)[-1]
    assert isinstance(last, Notice)
    assert (
        last.message
        == "pi's own session is here too; open pi-session-snapshot.jsonl by itself to see it"
    )


def test_the_agent_does_not_rename_the_session(tmp_path: Path) -> None:
    path = folder(tmp_path / "turn", metadata={**META, "sessionKey": KEY}, stream_events=[
        message(1, "system", model={"id": "mock-9"}), said(2, "a"),
    ])  # fmt: skip
    with closing(open_source(str(path))) as source:
        heads = [event for event in source.events() if isinstance(event, SessionSeen)]
    assert [head.session_id for head in heads] == ["harbour", None, None]
    assert [head.model for head in heads] == [None, "m", "mock-9"]


# -- any input --------------------------------------------------------------------------------

CASES = sorted(path for path in FIXTURES.glob("*/input") if path.is_dir())


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_any_mutilation_of_a_folder_raises_nothing_and_doubles_little(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    case = data.draw(st.sampled_from(CASES))
    path = tmp_path_factory.mktemp("cut") / "copy"
    copytree(case, path)
    files = sorted(each for each in path.rglob("*") if each.is_file())
    victim = data.draw(st.sampled_from(files))
    raw = victim.read_bytes()
    at = data.draw(st.integers(0, len(raw)))
    noise = data.draw(st.binary(max_size=12))
    victim.write_bytes(raw[:at] + noise + raw[at + data.draw(st.integers(0, 40)) :])
    try:
        items = all_of(path)
    except ReplayError:
        return
    assert isinstance(items[0], Session)
    before = [item for item in all_of(case) if isinstance(item, Card)]
    after = [item for item in items if isinstance(item, Card)]
    assert len(after) <= 2 * len(before) + 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2000))
def test_every_whole_line_of_a_cut_file_is_shown_or_told(
    tmp_path_factory: pytest.TempPathFactory, at: int
) -> None:
    source = (FIXTURES / "turn-all-surfaces" / "input" / "on-delta.jsonl").read_bytes()[:at]
    path = tmp_path_factory.mktemp("cut")
    (path / "on-delta.jsonl").write_bytes(source)
    *lines, cut = source.split(b"\n")
    if cut.endswith(b"}}") and cut.count(b"{") == cut.count(b"}"):
        lines, cut = [*lines, cut], b""  # only its line end is missing
    whole = [json.loads(line)["update"] for line in lines]
    if not whole:
        return
    items = shown(path)
    calls = {update["callId"] for update in whole if "callId" in update}
    assert len(cards(items)) == len(calls)
    text = "".join(update["text"] for update in whole if update["type"] == "text-delta")
    assert "".join(answers(items)) == text
    assert [code for code, _ in notices(items)] == (["cut-line"] if cut else [])
