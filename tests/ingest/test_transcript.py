"""Agent transcripts to events: every record kind, and rows other writers leave."""

from typing import Any

import pytest
from ingest_words import codes, decoded, of, texts

from cursor_replay.events import (
    CallCompleted,
    CallUnrecorded,
    Noted,
    PromptSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats import transcript
from cursor_replay.items import ContextPart


def read(*records: Any) -> list[Any]:
    return decoded("transcript", *records)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "message": {"content": [{"type": "text", "text": text}]}}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "message": {"content": list(blocks)}}


def text(words: Any) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(name: str, *given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, **({"input": given[0]} if given else {})}


def calls(*blocks: Any) -> list[tuple[str, Any]]:
    return [(event.name, event.args) for event in of(read(assistant(*blocks)), CallUnrecorded)]


def test_several_text_blocks_of_a_user_are_one_prompt() -> None:
    record = {"role": "user", "message": {"content": [text("one"), text(None), text("two")]}}
    (prompt,) = of(read(record), PromptSeen)
    assert prompt.text == "one\n\ntwo"


def test_a_call_is_unrecorded_and_stands_at_its_block() -> None:
    (call,) = of(read(assistant(text("On it."), use("Read", {"path": "a"}))), CallUnrecorded)
    assert (call.origin.line, call.origin.block) == (1, 1)


@pytest.mark.parametrize("given", [(), (None,), ("text",), (["a"],), (5,)])
def test_any_input_is_kept_as_it_is(given: tuple[Any, ...]) -> None:
    assert calls(use("Read", *given)) == [("Read", given[0] if given else None)]


def test_a_call_without_a_name_is_unknown() -> None:
    assert calls({"type": "tool_use", "input": {}}) == [("unknown", {})]
    assert calls({"type": "tool_use", "name": 5, "input": {}}) == [("unknown", {})]


def test_parallel_calls_are_unwrapped() -> None:
    uses = [{"recipient_name": "functions.Read", "parameters": {"path": "a"}}, "stray", {"x": 1}]
    assert calls(use("multi_tool_use.parallel", {"tool_uses": uses})) == [
        ("functions.Read", {"path": "a"}),
        ("unknown", None),
        ("unknown", None),
    ]
    assert calls(use("functions.multi_tool_use.parallel", {"tool_uses": uses[:1]})) == [
        ("functions.Read", {"path": "a"})
    ]


def test_a_parallel_wrapper_without_calls_is_a_call_itself() -> None:
    assert calls(use("multi_tool_use.parallel", {})) == [("multi_tool_use.parallel", {})]


def rename(**changes: Any) -> dict[str, Any]:
    given = {
        "namespace": "cursor-app-control",
        "toolName": "rename_chat",
        "arguments": {"title": "Tide times"},
    }
    return use("CallDynamicTool", {**given, **changes})


def test_the_chat_title_is_read_from_its_call() -> None:
    events = read(assistant(rename()))
    assert [event.title for event in of(events, SessionSeen)] == ["Tide times"]
    assert len(of(events, CallUnrecorded)) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"namespace": "other"},
        {"toolName": "other"},
        {"arguments": {"title": "  "}},
        {"arguments": {"title": 5}},
        {"arguments": None},
    ],
)
def test_other_dynamic_calls_name_no_title(changes: dict[str, Any]) -> None:
    assert of(read(assistant(rename(**changes))), SessionSeen) == []


def test_a_dynamic_call_with_odd_input_names_no_title() -> None:
    assert of(read(assistant(use("CallDynamicTool", "rename"))), SessionSeen) == []


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("18:40.\n\n[REDACTED]", ["18:40."]),
        ("18:40.\n[REDACTED]\n", ["18:40."]),
        ("[REDACTED]", []),
        ("  [REDACTED]  ", []),
    ],
)
def test_a_trailing_or_whole_marker_is_removed_thinking(words: str, kept: list[str]) -> None:
    events = read(assistant(text(words)))
    assert [event.removed for event in of(events, ThoughtSeen)] == [True]
    assert texts(events) == kept


@pytest.mark.parametrize(
    "words", ["it says [REDACTED] here", "it ends with [REDACTED]", "[REDACTED]\n\nthen text"]
)
def test_a_quoted_marker_is_text(words: str) -> None:
    events = read(assistant(text(words)))
    assert of(events, ThoughtSeen) == []
    assert texts(events) == [words]


def test_blank_text_is_nothing() -> None:
    assert read(assistant(text("  \n"), text(None))) == []


@pytest.mark.parametrize(
    ("record", "status", "reason"),
    [
        ({"status": "success"}, "success", None),
        ({"status": "ERROR", "error": "out of usage"}, "error", "out of usage"),
        ({"status": "aborted", "error": "User aborted request"}, "aborted", "User aborted request"),
        ({}, "unknown", None),
        ({"status": 5, "error": {}}, "unknown", None),
    ],
)
def test_the_end_of_a_loop_keeps_its_word(
    record: dict[str, Any], status: str, reason: str | None
) -> None:
    (end,) = of(read({"type": "turn_ended", **record}), TurnEnded)
    assert (end.status, end.reason) == (status, reason)


def test_an_error_line_is_an_error_note() -> None:
    (note,) = of(read({"type": "error", "error": "Provider Error: timeout"}), Noted)
    assert (note.code, note.level, note.message, note.problem) == (
        "provider-error",
        "error",
        "Provider Error: timeout",
        False,
    )
    assert codes(read({"type": "error"})) == ["provider-error"]


def test_metadata_gives_its_overview_or_nothing() -> None:
    (note,) = of(read({"type": "metadata", "metadata": {"overview": "Tides"}}), Noted)
    assert note.message == "overview: Tides"
    for odd in ({"overview": " "}, {"overview": 5}, {}, None, "x"):
        assert read({"type": "metadata", "metadata": odd}) == []


def test_a_context_record_joins_the_next_prompt() -> None:
    events = read(user("<attached_files>\na\n</attached_files>"), user("fix it"))
    (prompt,) = of(events, PromptSeen)
    assert prompt.context == (ContextPart(tag="attached_files", text="a"),)
    assert (prompt.text, prompt.author, prompt.origin.line) == ("fix it", "human", 2)


@pytest.mark.parametrize(
    "after", [[assistant(text("ok"))], [{"type": "turn_ended", "status": "success"}], []]
)
def test_a_context_record_without_a_prompt_is_still_shown(after: list[Any]) -> None:
    events = read(user("<attached_files>\na\n</attached_files>"), *after)
    (prompt,) = of(events, PromptSeen)
    assert (prompt.text, prompt.author) == ("", "cursor")
    assert prompt.context == (ContextPart(tag="attached_files", text="a"),)


def test_a_time_alone_opens_a_prompt() -> None:
    (prompt,) = of(
        read(user("<timestamp>Sunday, Mar 1, 2026, 6:00 AM (UTC)</timestamp>")), PromptSeen
    )
    assert prompt.time is not None
    assert prompt.text == ""


def test_content_may_be_a_bare_string_or_stand_elsewhere() -> None:
    assert texts(read({"role": "assistant", "message": {"content": "one"}})) == ["one"]
    assert texts(read({"role": "assistant", "content": "two"})) == ["two"]
    assert texts(read({"role": "assistant", "content": [text("three")]})) == ["three"]
    assert texts(read({"role": "assistant", "text": "four"})) == ["four"]
    assert texts(read({"type": "assistant", "text": "five"})) == ["five"]
    (prompt,) = of(read({"type": "user", "text": "six"}), PromptSeen)
    assert prompt.text == "six"


@pytest.mark.parametrize(
    "record",
    [
        {"role": "assistant", "message": None},
        {"role": "assistant", "message": {"content": []}},
        {"role": "assistant", "message": {"content": 5}},
        {"role": "tool", "message": "odd"},
    ],
)
def test_a_record_without_content_is_noted(record: dict[str, Any]) -> None:
    assert codes(read(record)) == ["empty-record"]


def test_an_empty_user_record_is_an_empty_prompt() -> None:
    (prompt,) = of(read({"role": "user", "message": {"content": []}}), PromptSeen)
    assert prompt.text == ""


def test_a_system_record_is_read_like_any_other() -> None:
    assert codes(read({"role": "system", "message": {"content": []}})) == []


def test_thinking_blocks_of_other_writers_are_thoughts() -> None:
    events = read(
        assistant({"type": "thinking", "thinking": "hm"}, {"type": "reasoning", "text": "so"})
    )
    assert [event.text for event in of(events, ThoughtSeen)] == ["hm", "so"]


def test_tool_results_of_other_writers_keep_their_outcome() -> None:
    blocks = [
        {"type": "tool_result", "content": "fine"},
        {"type": "tool_result", "content": "bad", "is_error": True},
    ]
    events = read({"role": "tool", "message": {"content": blocks}})
    assert [event.outcome.status for event in of(events, CallCompleted)] == ["success", "error"]


def test_odd_blocks_are_noted_one_by_one() -> None:
    events = read(assistant(5, None, {"type": "hologram"}, {"no": "type"}, ["list"]))
    assert codes(events) == ["unknown-block"] * 5
    assert all(note.problem for note in of(events, Noted))


def test_blocks_of_a_user_that_are_no_text_are_not_lost() -> None:
    content = [text("look"), {"type": "image"}, use("Read", {"path": "a"}), {"type": "thinking"}]
    events = read({"role": "user", "message": {"content": content}})
    assert [type(event) for event in events] == [PromptSeen, Noted, CallUnrecorded, ThoughtSeen]


def test_a_user_record_of_blocks_alone_opens_no_prompt() -> None:
    events = read({"role": "user", "message": {"content": [{"type": "tool_result"}]}})
    assert [type(event) for event in events] == [CallCompleted]


def test_a_word_of_an_unknown_block_type_is_quoted_not_its_content() -> None:
    (note,) = of(read(assistant({"type": "hologram", "body": "plover"})), Noted)
    assert "plover" not in note.message


def test_text_events_are_whole() -> None:
    assert [event.partial for event in of(read(assistant(text("a"))), TextSeen)] == [False]


@pytest.mark.parametrize(
    ("record", "fits"),
    [
        ({"role": "user", "message": None}, True),
        ({"role": "assistant", "content": "x"}, True),
        ({"role": "user", "text": "x"}, True),
        ({"role": "user"}, False),
        ({"role": "narrator", "message": {}}, False),
        ({"role": "user", "type": "user", "message": {}}, False),
        ({"type": "turn_ended"}, True),
        ({"type": "error", "error": "x"}, True),
        ({"type": "error", "session_id": "s"}, False),
        ({"type": "user", "text": "x"}, True),
        ({"type": "user", "text": "x", "agent_id": "a"}, False),
    ],
)
def test_what_counts_as_a_transcript_line(record: dict[str, Any], fits: bool) -> None:  # noqa: FBT001 - a table
    assert transcript.fits(record) is fits


def test_context_that_never_gets_a_text_does_not_pile_up() -> None:
    record = user("<open_files>\n" + "x " * 50_000 + "\n</open_files>")
    events = of(read(*[record] * 25), PromptSeen)
    assert [len(event.context) for event in events] == [11, 11, 3]
    assert {event.author for event in events} == {"cursor"}
