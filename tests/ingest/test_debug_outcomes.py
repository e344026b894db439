"""How a call of pi's own records went: green only where a flag says so and nothing speaks against."""

from pathlib import Path
from typing import Any

import pytest
from debug_words import REPLAY, decision, folder, phase, shown, stamped

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.debug.outcomes import (
    bridged,
    displayed,
    recorded,
    text_of,
    transcript_parts,
)
from cursor_replay.items import Card

FAILED_SHELLS = [
    "Command exited with code 2",
    "Command exited with code 127",
    "Command exited with code -1",
    "Command aborted",
    "Command timed out after 5 seconds",
    "Command timed out after 1.5 seconds",
    "Command backgrounded after 30 second timeout",
]


def card(tmp_path: Path, *records: Any) -> Card:
    folder(tmp_path / "any", file=[phase(0, "turn_start"), *records])
    items = shown(tmp_path / "any" / "file.jsonl")
    (found,) = [item for item in items if isinstance(item, Card)]
    return found


def text(found: Card) -> str:
    return "".join(part.text for part in found.content)


def decided(transcript: Any, tool: str = "bash") -> dict[str, Any]:
    return decision(
        1, action="queue_replay", toolName=tool, replayToolId=REPLAY, transcript=transcript
    )


def live(tool: str = "bash", **fields: Any) -> dict[str, Any]:
    card_ = {"id": REPLAY, "toolName": tool, "args": {"command": "x"}, **fields}
    return stamped(2, event={"type": "tool", "tool": card_})


def said(words: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}]}


# -- transcripts of decisions -----------------------------------------------------------------


@pytest.mark.parametrize("tool", ["bash", "read", "edit", "write", "grep", "find", "ls", "cursor"])
@pytest.mark.parametrize(
    ("body", "status", "shown_text"),
    [
        ("Error: cannot\n\nsee the log\n", "failed", "Error: cannot\n\nsee the log"),
        ("Error: cannot\n", "failed", "Error: cannot"),
        ("Error\n", "failed", "Error"),
        ("one\n\nError: a heading\n", "unrecorded", "one\n\nError: a heading"),
        ("one\nError: a line\n", "unrecorded", "one\nError: a line"),
        ("Errors: none\n", "unrecorded", "Errors: none"),
        ("Error handling\n", "unrecorded", "Error handling"),
        ("fine\n", "unrecorded", "fine"),
    ],
)
def test_only_a_body_that_begins_with_an_error_is_one(
    tmp_path: Path, tool: str, body: str, status: str, shown_text: str
) -> None:
    found = card(tmp_path, decided(f"{tool} a\n\n{body}", tool))
    assert found.status == status
    if tool == "cursor":  # a tool nobody knows: behind its arguments, in one line
        assert " ".join(text(found).split()).endswith(" ".join(shown_text.split()))
    else:
        assert text(found) == shown_text


@pytest.mark.parametrize("ending", FAILED_SHELLS)
@pytest.mark.parametrize("before", ["", "out\n\n", "out\n"])
@pytest.mark.parametrize("behind", ["", "\n", "\n\nTook 0.6s\n"])
def test_the_last_line_of_a_shell_says_that_it_failed(
    tmp_path: Path, before: str, ending: str, behind: str
) -> None:
    found = card(tmp_path, decided(f"$ x\n\n{before}{ending}{behind}"))
    assert (found.status, text(found)) == ("failed", f"Error: {before}{ending}")


@pytest.mark.parametrize(
    ("tool", "body"),
    [
        ("bash", "Command aborted\n\nthen more"),
        ("bash", "Command exited with code 0"),
        ("bash", "the words are: Command aborted"),
        ("read", "Command exited with code 2"),
        ("grep", "a.log:1: x\nCommand aborted"),
        ("read", "[tool error]\nis a line of this file"),
    ],
)
def test_such_words_elsewhere_say_nothing(tmp_path: Path, tool: str, body: str) -> None:
    found = card(tmp_path, decided(f"$ x\n\n{body}\n", tool))
    assert (found.status, text(found)) == ("unrecorded", body)


def test_an_mcp_tools_own_error_is_a_failure(tmp_path: Path) -> None:
    found = card(tmp_path, decided("search\n\n[tool error]\nno such index\n", "cursor"))
    assert found.status == "failed"
    assert "no such index" in text(found)


@pytest.mark.parametrize(
    "transcript", ["$ x", "$ x\n", "$ x\n\n", "$ x\n\n \n", "$ x\n\nTook 0.1s"]
)
def test_an_empty_body_is_no_result(tmp_path: Path, transcript: str) -> None:
    found = card(tmp_path, decided(transcript))
    assert (found.status, text(found)) == ("unrecorded", "")


def test_only_a_shell_took_time() -> None:
    assert transcript_parts("read a\n\nTook 2s\n", "native") == ("read a", "Took 2s")
    assert transcript_parts("$ a\n\nit\nTook 2s\n", "shell") == ("$ a", "it")
    assert transcript_parts("$ a\n\nit Took 2s\n", "shell") == ("$ a", "it Took 2s")


# -- the queue --------------------------------------------------------------------------------


@pytest.mark.parametrize("said_so", [False, "false", "False", 0, "0"])
def test_a_flag_makes_a_success(tmp_path: Path, said_so: Any) -> None:
    found = card(tmp_path, live(result=said("fine"), isError=said_so))
    assert (found.status, text(found)) == ("succeeded", "fine")


@pytest.mark.parametrize("said_so", [True, "true", "True", " TRUE ", 1, "1"])
@pytest.mark.parametrize("result", [said("boom"), "boom", said("Error: boom"), {"content": "boom"}])
def test_a_flag_in_any_spelling_makes_a_failure(tmp_path: Path, said_so: Any, result: Any) -> None:
    found = card(tmp_path, live(result=result, isError=said_so))
    assert (found.status, text(found)) == ("failed", "Error: boom")


@pytest.mark.parametrize("said_so", [None, "", "no idea", 2, [], {"a": 1}])
def test_without_a_flag_a_text_is_shown_and_no_success_is_claimed(
    tmp_path: Path, said_so: Any
) -> None:
    found = card(tmp_path, live(result=said("fine"), isError=said_so))
    assert (found.status, text(found)) == ("unrecorded", "fine")


@pytest.mark.parametrize("ending", FAILED_SHELLS)
@pytest.mark.parametrize("fields", [{}, {"isError": False}, {"isError": None}, {"isError": True}])
def test_a_failure_in_the_text_outweighs_every_flag(
    tmp_path: Path, ending: str, fields: dict[str, Any]
) -> None:
    found = card(tmp_path, live(result=said(f"out\n\n{ending}"), **fields))
    assert (found.status, text(found)) == ("failed", f"Error: out\n\n{ending}")


def test_an_error_text_without_a_flag_is_a_failure_and_with_one_a_text(tmp_path: Path) -> None:
    found = card(tmp_path, live("read", result=said("Error: gone")))
    assert (found.status, text(found)) == ("failed", "Error: gone")
    found = card(tmp_path, live("read", result=said("Error: a heading"), isError=False))
    assert (found.status, text(found)) == ("succeeded", "Error: a heading")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, "unrecorded"),
        ({"isError": False}, "unrecorded"),
        ({"result": None, "isError": False}, "unrecorded"),
        ({"result": {}, "isError": False}, "unrecorded"),
        ({"result": ""}, "unrecorded"),
        ({"result": {"content": []}}, "unrecorded"),
        ({"result": {"content": []}, "isError": False}, "succeeded"),
        ({"isError": True}, "failed"),
        ({"result": {}, "isError": True}, "failed"),
    ],
)
def test_an_empty_result_is_given_no_text(
    tmp_path: Path, fields: dict[str, Any], status: str
) -> None:
    found = card(tmp_path, live(**fields))
    assert found.status == status
    assert text(found) == ("Error" if status == "failed" else "")


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"error": "gone"}, "gone"),
        ({"error": {"message": "gone"}}, "gone"),
        ({"error": {"code": 5}}, '{"code":5}'),
        ({"error": "gone", "content": [{"type": "text", "text": "half"}]}, "half\n\ngone"),
        ({"content": [{"type": "text", "text": "half"}], "isError": "true"}, "half"),
    ],
)
def test_an_error_inside_the_result_contradicts_a_flag(result: Any, words: str) -> None:
    tool = {"result": result, "isError": False}
    assert recorded(tool, "native") == Outcome(status="error", error=words)


def test_an_activitys_error_is_told_without_its_header() -> None:
    tool = {"result": said("web search q\n\nError: offline"), "isError": True}
    assert recorded(tool, "activity") == Outcome(status="error", error="offline")


def test_an_edit_without_a_text_shows_its_diff() -> None:
    tool = {"result": {"content": [], "details": {"diffString": "-a\n+b"}}, "isError": False}
    value = {"output": "-a\n+b", "diff": "-a\n+b"}
    assert recorded(tool, "native") == Outcome(status="success", value=value)


# -- a decision and its queue -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"isError": False, "result": said("card")}, "succeeded", "card"),
        ({"isError": True, "result": said("card")}, "failed", "Error: card"),
        ({"result": said("card")}, "unrecorded", "card"),
        ({"isError": False}, "succeeded", "displayed"),
        ({"isError": "true"}, "failed", "Error: displayed"),
        ({}, "unrecorded", "displayed"),
    ],
)
@pytest.mark.parametrize("first", ["decision", "queue"])
def test_the_queue_tells_how_a_decided_call_went(
    tmp_path: Path, first: str, fields: dict[str, Any], status: str, words: str
) -> None:
    records = [decided("$ x\n\ndisplayed\n"), live(**fields)]
    found = card(tmp_path, *(records if first == "decision" else reversed(records)))
    assert (found.status, text(found)) == (status, words)


def test_an_error_that_was_displayed_fails_a_call_without_a_result(tmp_path: Path) -> None:
    found = card(tmp_path, decided("$ x\n\nError: no\n"), live())
    assert (found.status, text(found)) == ("failed", "Error: no")


# -- the bridge -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "kind", "error"),
    [
        ({"kind": "resolved", "result": {**said("bad"), "isError": "true"}}, "activity", "bad"),
        ({"kind": "resolved", "result": {**said("bad"), "isError": 1}}, "activity", "bad"),
        ({"kind": "resolved", "result": {"error": "bad"}}, "activity", "bad"),
        ({"kind": "resolved", "result": said("ok"), "error": {"message": "bad"}}, "activity", "bad"),
        ({"kind": "resolved", "result": said("Command aborted")}, "shell", "Command aborted"),
        ({"kind": "rejected", "error": ["a", 1]}, "activity", '["a",1]'),
        ({"kind": "rejected", "rejectionKind": "cancelled"}, "activity", "cancelled"),
        ({"kind": "rejected", "result": said("half")}, "activity", "half"),
        ({"kind": "rejected"}, "activity", ""),
    ],
)  # fmt: skip
def test_a_bridged_failure_keeps_its_words(body: dict[str, Any], kind: Any, error: str) -> None:
    assert bridged(body, kind) == Outcome(status="error", error=error)


@pytest.mark.parametrize("result", [None, {}])
def test_what_was_resolved_with_nothing_has_no_outcome(result: Any) -> None:
    assert bridged({"kind": "resolved", "result": result}, "activity") is None


def test_what_was_resolved_went_well() -> None:
    body = {"kind": "resolved", "result": said("Command aborted")}
    assert bridged(body, "activity") == Outcome(status="success", value=body["result"])


# -- small rules ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (None, ""),
        ("x", "x"),
        (5, "5"),
        (["a"], '["a"]'),
        ({"value": 5}, '{"value":5}'),
        ({"value": None, "details": {}}, ""),
        ({"content": "x"}, "x"),
        ({"content": {"a": 1}}, '{"a":1}'),
        ({"content": ["x", {"text": "y"}, {"text": 5}, 6]}, 'x\ny\n{"text":5}\n6'),
        ({"content": [{"type": "image", "data": "AAAA"}]}, "[image]"),
    ],
)
def test_all_of_a_result_is_said(result: Any, words: str) -> None:
    assert text_of(result) == words


def test_what_was_displayed_is_no_success() -> None:
    assert displayed("a", "native") == Outcome(status="unknown", value={"output": "a"})
    assert displayed("a", "activity") == Outcome(status="unknown", value="a")
    assert displayed("", "native") is None
