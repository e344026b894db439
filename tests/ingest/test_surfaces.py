"""One run told by two SDK surfaces in one file: said once, and nothing lost when unsure."""

from pathlib import Path
from typing import Any

from ingest_words import codes, of, read, texts, written

from cursor_replay.events import PromptSeen, ThoughtSeen, TurnEnded, UsageSeen
from cursor_replay.ingest.source import open_source
from cursor_replay.items import Session
from cursor_replay.pipeline import replay


def message(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "agent_id": "agent-1", "run_id": "run-1", **fields}


def stream_said(text: str) -> dict[str, Any]:
    return message("assistant", message={"content": [{"type": "text", "text": text}]})


def stream_asked(text: str) -> dict[str, Any]:
    return message("user", message={"content": [{"type": "text", "text": text}]})


def delta(text: str) -> dict[str, Any]:
    return {"type": "text-delta", "text": text}


def asked(text: str) -> dict[str, Any]:
    return {"type": "user-message-appended", "userMessage": {"text": text}}


def step(text: str) -> dict[str, Any]:
    return {"type": "assistantMessage", "message": {"text": text}}


ENDED = {"type": "turn-ended", "usage": {"inputTokens": 1}}
FINISHED = message("status", status="FINISHED")


def test_a_prompt_told_twice_is_asked_once(tmp_path: Path) -> None:
    events = read(written(tmp_path, asked("q"), stream_asked("q"), delta("a"), stream_said("a")))
    assert [event.text for event in of(events, PromptSeen)] == ["q"]
    assert "".join(texts(events)) == "a"
    assert codes(events) == ["second-surface"]


def test_the_same_prompt_of_one_surface_is_asked_twice(tmp_path: Path) -> None:
    events = read(written(tmp_path, asked("q"), step("a"), asked("q"), step("b")))
    assert [event.text for event in of(events, PromptSeen)] == ["q", "q"]
    assert texts(events) == ["a", "b"]


def test_another_prompt_of_the_second_surface_is_kept(tmp_path: Path) -> None:
    events = read(written(tmp_path, asked("q"), delta("a"), stream_asked("r"), stream_said("b")))
    assert [event.text for event in of(events, PromptSeen)] == ["q", "r"]
    assert texts(events) == ["a", "b"]
    assert codes(events) == []


def test_text_the_first_surface_did_not_say_is_kept(tmp_path: Path) -> None:
    events = read(written(tmp_path, asked("q"), delta("One."), step("One."), step("Two.")))
    assert texts(events) == ["One.", "Two."]
    assert codes(events) == ["second-surface"]


def test_a_turn_that_both_surfaces_end_ends_once(tmp_path: Path) -> None:
    usage = message("usage", usage={"inputTokens": 9})
    events = read(
        written(tmp_path, asked("q"), delta("a"), ENDED, stream_said("a"), usage, FINISHED)
    )
    assert len(of(events, TurnEnded)) == 1
    assert of(events, UsageSeen) == []


def test_an_end_that_only_the_second_surface_tells_is_kept(tmp_path: Path) -> None:
    failed = message("status", status="ERROR", message="[unavailable] gone")
    events = read(written(tmp_path, asked("q"), delta("a"), stream_said("a"), failed))
    assert [event.status for event in of(events, TurnEnded)] == ["error"]


def test_a_thought_told_twice_is_shown_once(tmp_path: Path) -> None:
    thought = {"type": "thinkingMessage", "message": {"text": "Look it up."}}
    events = read(
        written(
            tmp_path,
            asked("q"),
            {"type": "thinking-delta", "text": "Look "},
            {"type": "thinking-delta", "text": "it up."},
            {"type": "thinking-completed", "thinkingDurationMs": 7},
            thought,
        )
    )
    assert "".join(event.text for event in of(events, ThoughtSeen)) == "Look it up."


def test_what_a_sub_agent_says_belongs_to_its_task_alone(tmp_path: Path) -> None:
    nested = {"type": "tool-call-delta", "callId": "t", "taskUpdate": delta("sub")}
    events = read(written(tmp_path, stream_said("a"), nested, delta("a")))
    assert texts(events) == ["a", "sub"]


def test_what_only_the_second_surface_said_stands_in_its_turn_as_a_text_of_its_own(
    tmp_path: Path,
) -> None:
    path = written(
        tmp_path, asked("q"), delta("Both."), stream_said("Only here."), ENDED, delta("after")
    )
    items = [item for item in replay(open_source(str(path))) if not isinstance(item.item, Session)]
    told = [getattr(item.item, "text", item.item.type) for item in items]
    assert told[:5] == ["q", "Both.", "Only here.", "turn_end", "after"]
