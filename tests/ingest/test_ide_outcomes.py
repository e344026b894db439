"""How a call of the IDE went: green only what is recorded as a success, and nothing lost."""

import json
from typing import Any

import pytest
from ingest_words import codes

from cursor_replay.events import AnyEvent, Noted, PromptSeen, TextSeen, ThoughtSeen
from cursor_replay.ingest.formats.ide.bubbles import decode_bubble
from cursor_replay.items import Card, Evidence
from cursor_replay.normalize.normalizer import Normalizer

AT = Evidence(file="state.vscdb", line=1, row="bubbleId:c:b")
STORED = {"composer.content.old": "one\n", "composer.content.new": "two\n"}
PARAMS: dict[str, Any] = {
    "run_terminal_cmd": {"command": "make"}, "read_file": {"targetFile": "a"},
    "edit_file": {"targetFile": "a"}, "delete_file": {"targetFile": "a"}, "grep": {"pattern": "p"},
    "web_search": {"searchTerm": "x"}, "todo_write": {"todos": []}, "write": {"targetFile": "a"},
    "task": {"description": "d"}, "mcp": {"tools": [{"name": "moon", "serverName": "almanac"}]},
    "brew_tea": {"kind": "green"}, "list_dir": {"path": "."},
}  # fmt: skip
UP, DOWN = [True, "true", "True", 1, "1"], [False, "false", "False", 0, "0"]
SHELL = "run_terminal_cmd"


def events(**bubble: Any) -> list[AnyEvent]:
    return list(decode_bubble({"type": 2, **bubble}, {}, AT, STORED.get))


def card(name: str, result: Any, status: str | None = "completed", **more: Any) -> Card:
    former = {"name": name, "toolCallId": "t", "status": status, "result": result,
              "params": json.dumps(PARAMS[name]), **more}  # fmt: skip
    if isinstance(result, dict | list):
        former["result"] = json.dumps(result)
    normalizer = Normalizer(file="state.vscdb")
    items = [item for event in events(toolFormerData=former) for item in normalizer.feed(event)]
    (made,) = [each for each in (*items, *normalizer.close()) if isinstance(each, Card)]
    return made


def shown(made: Card) -> str:
    return "".join(part.text for part in made.content)


# -- what says that it failed -----------------------------------------------------------------


@pytest.mark.parametrize("status", ["completed", None, "new word", "error"])
@pytest.mark.parametrize("value", DOWN)
def test_a_file_that_was_not_deleted_is_a_failure(value: Any, status: Any) -> None:
    made = card("delete_file", {"fileDeletedSuccessfully": value}, status)
    assert made.status == "failed"
    assert "the file was not deleted" in shown(made)


@pytest.mark.parametrize("name", ["edit_file", "write"])
@pytest.mark.parametrize(
    "result",
    [*({"applyFailed": each} for each in UP), *({"isApplied": each} for each in DOWN)],
)
@pytest.mark.parametrize("sides", [{}, {"afterContentId": "composer.content.new"}])
def test_a_change_that_was_not_applied_is_a_failure(name: str, result: Any, sides: Any) -> None:
    made = card(name, {**result, **sides})
    assert (made.status, made.reason) == ("failed", "not applied")
    assert card(name, {**result, "resultForModel": "no match"}).reason == "no match"


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("delete_file", {"fileNonExistent": "true"}),
        ("todo_write", {"success": "false"}),
        ("todo_write", {"success": 0}),
        ("task", {"completedTaskResult": {"subagentErrored": "true", "summary": "s"}}),
        ("mcp", {"isError": "true", "content": [{"type": "text", "text": "e"}]}),
        ("mcp", {"result": json.dumps({"isError": 1, "content": []})}),
        ("mcp", {"isError": True, "result": "e"}),
        ("mcp", {"result": {"error": "boom"}}),
        ("mcp", {"error": "boom", "selectedTool": "moon"}),
        ("web_search", {"isError": True, "content": "e"}),
    ],
)
def test_a_failure_is_one_in_every_spelling(name: str, result: Any) -> None:
    assert card(name, result).status == "failed"


@pytest.mark.parametrize("name", ["web_search", "grep", "brew_tea", "read_file", SHELL])
@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"success": False, "error": "boom"}, "boom"),
        ({"success": "false", "message": "boom"}, "boom"),
        ({"error": "boom"}, "boom"),
        ({"error": {"message": "boom"}}, "boom"),
        ({"success": {"error": "boom"}}, "boom"),
        ({"timeout": {}}, "timeout"),
        ({"cancelled": True}, "cancelled"),
    ],
)
def test_a_result_that_tells_a_failure_is_one(name: str, result: Any, words: str) -> None:
    made = card(name, result)
    assert made.status == "failed"
    assert words in shown(made)


def test_what_stands_beside_an_error_is_kept() -> None:
    made = card("web_search", {"error": "boom", "query": "x"})
    assert shown(made) == 'Error: boom\n\n{"query":"x"}'
    assert shown(card("grep", {"output": "a:1", "error": "boom"})) == "Error: boom\n\na:1"
    assert shown(card("list_dir", ["a"], "error")) == 'Error: failed\n\n["a"]'


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("error", "failed"),
        ("Failed", "failed"),
        ("timeout", "timed out"),
        ("timed_out", "timed out"),
        ("TIMED-OUT", "timed out"),
        ("expired", "expired"),
        ("permission denied", "permission denied"),
        ("rejected", "rejected by the user"),
    ],
)
def test_a_word_for_a_bad_end_keeps_the_output(status: str, words: str) -> None:
    made = card(SHELL, {"output": "o\n", "exitCode": 0}, status)
    assert (made.status, shown(made)) == ("failed", f"Error: {words}\n\no")
    assert shown(card("grep", None, status)) == f"Error: {words}"


@pytest.mark.parametrize("status", ["cancelled", "canceled", "aborted", "interrupted"])
def test_a_stopped_command_keeps_its_output(status: str) -> None:
    made = card(SHELL, {"output": "o", "exitCode": 0}, status)
    assert (made.status, shown(made)) == ("failed", "o\n\nCommand aborted")


def test_a_failed_command_says_its_exit_code_rather_than_a_status() -> None:
    made = card(SHELL, {"output": "o", "exitCode": 2}, "error")
    assert shown(made) == "o\n\nCommand exited with code 2"


@pytest.mark.parametrize("status", ["completed", "error", "cancelled", "aborted", "loading", None])
@pytest.mark.parametrize(
    "error",
    ["bad", {"clientVisibleErrorMessage": "bad"}, '{"modelVisibleErrorMessage":"bad"}'],
)
def test_a_recorded_error_keeps_its_words_beside_an_output(status: Any, error: Any) -> None:
    made = card(SHELL, {"output": "o", "exitCode": 0}, status, error=error)
    assert (made.status, shown(made)) == ("failed", "Error: bad\n\no")


@pytest.mark.parametrize("error", [{"code": 5}, ["x"], 7])
def test_an_error_of_another_form_is_shown(error: Any) -> None:
    made = card("grep", None, error=error)
    assert made.status == "failed"
    assert json.dumps(error, separators=(",", ":")) in shown(made)


def test_two_reasons_are_both_shown() -> None:
    made = card("delete_file", {"fileNonExistent": True}, "error", error="bad")
    assert shown(made) == "Error: bad\n\nthe file does not exist"


@pytest.mark.parametrize(
    ("result", "more"),
    [
        *(({"rejected": each, "output": "x"}, {}) for each in UP),
        ({"rejected": {}, "output": "x"}, {}),
        ({"output": "x"}, {"userDecision": "Rejected"}),
        ({"output": "x"}, {"userDecision": "reject"}),
    ],
)
def test_a_refusal_is_one_in_every_spelling(result: Any, more: Any) -> None:
    made = card(SHELL, result, **more)
    assert (made.status, shown(made)) == ("failed", "Error: rejected by the user\n\nx")


def test_a_refusal_keeps_its_reason() -> None:
    made = card("web_search", {"rejected": {"reason": "not now"}})
    assert made.reason == "rejected by the user: not now"


@pytest.mark.parametrize(
    "result",
    [
        {"output": "x", "exitCode": 1},
        {"output": "x", "exitCode": "1"},
        {"output": "x", "exitCodeV2": 0, "exitCode": 1},
        {"output": "x", "exitCodeV2": 1, "exitCode": 0},
        {"output": "x", "exitCodeV2": "1"},
        "Exit code: 1\n\nx",
        "x\nCommand exited with code 1",
    ],
)
@pytest.mark.parametrize("status", ["completed", None, "loading", "new word"])
def test_an_exit_code_is_a_failure_in_every_spelling(result: Any, status: Any) -> None:
    made = card(SHELL, result, status)
    assert (made.status, made.reason) == ("failed", "Command exited with code 1")
    assert "x" in shown(made)


@pytest.mark.parametrize("flag", DOWN)
def test_an_interrupted_command_is_a_failure_in_every_spelling(flag: Any) -> None:
    assert card(SHELL, {"output": "x", "notInterrupted": flag}).status == "failed"


# -- what says nothing ------------------------------------------------------------------------


@pytest.mark.parametrize("gone", [{}, {"beforeContentId": "gone"}, {"afterContentId": "gone"},
                                  {"beforeContentId": "gone", "afterContentId": "gone"}])  # fmt: skip
@pytest.mark.parametrize("name", ["edit_file", "write"])
def test_a_change_that_is_not_recorded_is_a_success_only_when_the_record_says_so(
    name: str, gone: Any
) -> None:
    made = card(name, {**gone, "x": 1})
    assert made.status == "unrecorded"
    assert name == "write" or "the change itself is not recorded" in shown(made)
    assert [card(name, {**gone, "isApplied": up}).status for up in UP] == ["succeeded"] * 5
    assert card(name, {**gone, "resultForModel": "made"}).status == "succeeded"


def test_a_purged_read_and_a_missing_answer_are_unrecorded() -> None:
    made = card("read_file", {"contents": "", "totalLinesInFile": 20})
    assert made.status == "unrecorded"
    assert shown(made) == "(no content recorded; the file has 20 lines)"
    assert card("read_file", {"totalLinesInFile": 20}).status == "unrecorded"
    made = card("task", {"agentId": "q"})
    assert made.status == "unrecorded"
    assert "(its answer is not recorded here)" in shown(made)


@pytest.mark.parametrize("more", [{}, {"totalLines": None}, {"totalLinesInFile": 0}])
def test_an_empty_file_is_said_to_be_empty(more: Any) -> None:
    made = card("read_file", {"contents": "", **more})
    assert (made.status, shown(made)) == ("succeeded", "(empty file)")


@pytest.mark.parametrize("status", ["loading", "pending", "running", "generating", "streaming"])
@pytest.mark.parametrize(
    ("name", "result", "text"),
    [
        (SHELL, {"output": "half"}, "half"),
        (SHELL, {"output": "half", "exitCode": 0}, "half"),
        ("read_file", {"contents": "half"}, "half"),
        ("grep", "half", "half"),
        ("brew_tea", {"success": True, "cups": "half"}, "half"),
    ],
)
def test_what_a_running_call_has_so_far_is_shown(
    name: str, result: Any, text: str, status: str
) -> None:
    made = card(name, result, status)
    assert made.status == "unrecorded"
    assert text in shown(made)


@pytest.mark.parametrize("value", DOWN)
@pytest.mark.parametrize("key", ["isApplied", "fileDeletedSuccessfully", "success"])
def test_what_a_running_call_has_not_done_yet_is_no_failure(key: str, value: Any) -> None:
    assert card("edit_file", {key: value}, "loading").status == "incomplete"


@pytest.mark.parametrize("result", [None, "", {}, [], '""', "null", "[]"])
@pytest.mark.parametrize("name", ["read_file", SHELL, "brew_tea"])
def test_an_empty_result_is_no_success(name: str, result: Any) -> None:
    assert card(name, result).status == "unrecorded"
    assert card(name, result, "loading").status == "incomplete"


@pytest.mark.parametrize(
    ("name", "result", "status"),
    [
        (SHELL, {"output": "x"}, "unrecorded"),
        (SHELL, {"output": "x", "exitCode": 0}, "succeeded"),
        ("read_file", {"contents": "x"}, "unrecorded"),
        ("delete_file", {"fileDeletedSuccessfully": "true"}, "succeeded"),
        ("edit_file", {"isApplied": True}, "succeeded"),
        ("todo_write", {"success": True, "finalTodos": []}, "succeeded"),
        ("todo_write", {"success": {"finalTodos": []}}, "succeeded"),
    ],
)
def test_without_a_status_only_the_result_can_say_that_it_went_well(
    name: str, result: Any, status: str
) -> None:
    assert card(name, result, None).status == status
    assert card(name, result, "new word").status == "unrecorded"
    assert card(name, result, "completed").status == "succeeded"


@pytest.mark.parametrize("code", ["many", 1e300, 2**70, [1]])
def test_an_exit_code_that_cannot_be_read_is_no_success(code: Any) -> None:
    assert card(SHELL, {"output": "x", "exitCode": code}).status == "unrecorded"


def test_false_is_no_success() -> None:
    assert card("brew_tea", "false").status == "unrecorded"


# -- nothing is lost --------------------------------------------------------------------------


@pytest.mark.parametrize("first", ['{"day":3}', "{}", None])
def test_further_tools_of_one_call_are_named(first: Any) -> None:
    more = {"name": "tide", "serverName": "almanac", "parameters": '{"port":"x"}'}
    tools = {"tools": [{"name": "moon", "serverName": "almanac", "parameters": first}, more]}
    made = card("mcp", {"result": "full"}, params=json.dumps(tools))
    assert made.arguments["toolName"] == "moon"
    assert "tide" in shown(made)
    assert "port" in shown(made)


@pytest.mark.parametrize("value", [["lost"], {"a": 1}, 5, True])
def test_a_text_of_another_type_is_shown_as_json(value: Any) -> None:
    compact = json.dumps(value, separators=(",", ":"))
    assert [each.text for each in events(text=value) if isinstance(each, TextSeen)] == [compact]
    assert [each.text for each in events(type=1, text=value) if isinstance(each, PromptSeen)] == [
        compact
    ]
    if not isinstance(value, dict):
        (thought,) = events(thinking=value)
        assert isinstance(thought, ThoughtSeen)
        assert thought.text == compact


@pytest.mark.parametrize("value", [[{"name": "x"}], "text", 7, True])
def test_a_call_of_another_form_is_a_problem(value: Any) -> None:
    (noted,) = events(toolFormerData=value)
    assert isinstance(noted, Noted)
    assert (codes([noted]), noted.problem) == (["unknown-block"], True)
    assert events(toolFormerData=json.dumps({"name": "x", "status": "loading"}))


def test_a_task_without_a_summary_keeps_what_it_has() -> None:
    assert "9" in shown(card("task", {"completedTaskResult": {"steps": 9}}))
