"""One bubble of the IDE to events: who speaks, when, and what a tool call is known to have done."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ingest_words import codes, of

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    Outcome,
    PromptSeen,
    TextSeen,
    ThoughtSeen,
)
from cursor_replay.ingest.formats.ide import edits as ide_edits
from cursor_replay.ingest.formats.ide.bubbles import decode_bubble, model_of, time_of
from cursor_replay.ingest.formats.ide.edits import unified
from cursor_replay.ingest.formats.ide.results import uri_path
from cursor_replay.ingest.formats.ide.tools import decode_call
from cursor_replay.items import ContextPart, Evidence
from cursor_replay.normalize.cards import make_call, outcome_status
from cursor_replay.normalize.names import resolve

HERE = Evidence(file="state.vscdb", line=4, row="bubbleId:c:b")
CONTENTS = {"composer.content.old": "one\ntwo\n", "composer.content.new": "one\n2\n"}


def events(bubble: dict[str, Any], **how: Any) -> list[AnyEvent]:
    header = how.pop("header", {})
    return list(decode_bubble(bubble, header, HERE, CONTENTS.get, **how))


def said(**fields: Any) -> list[AnyEvent]:
    return events({"type": 2, **fields})


def tool(name: str | None, params: Any = None, result: Any = None, **more: Any) -> dict[str, Any]:
    data = {"name": name, "toolCallId": "t1", "status": "completed", **more}
    for key, value in (("params", params), ("result", result)):
        if value is not None:
            data[key] = value if isinstance(value, str) else json.dumps(value)
    return {key: value for key, value in data.items() if value is not None}


def call(*args: Any, **more: Any) -> Any:
    return decode_call(tool(*args, **more), CONTENTS.get)


def drawn(*args: Any, **more: Any) -> Any:
    """The draft of the card and its status."""
    found = call(*args, **more)
    named, made = make_call(found.name, found.args, outcome=found.outcome, cwd=None)
    draft = named.spec.card(made)
    return draft, outcome_status(made, draft)


# -- who speaks -------------------------------------------------------------------------------


def test_a_user_bubble_is_a_prompt_with_its_envelope_opened() -> None:
    text = "<attached_files>\na.md\n</attached_files>\n<user_query>\nGo\n</user_query>"
    (prompt,) = events({"type": 1, "text": text, "createdAt": "2026-08-03T09:00:00Z"})
    assert prompt.text == "Go"
    assert prompt.author == "human"
    assert prompt.time.at == "2026-08-03T09:00:00.000Z"
    assert prompt.context == (ContextPart(tag="attached_files", text="a.md"),)
    assert prompt.origin == HERE


def test_the_time_of_the_envelope_serves_a_bubble_without_one() -> None:
    text = "<timestamp>Friday, Jul 31, 2026, 5:10 PM (UTC)</timestamp>\n<user_query>Go</user_query>"
    (prompt,) = events({"type": 1, "text": text})
    assert prompt.time.at == "2026-07-31T17:10:00.000Z"


def test_a_prompt_no_human_typed_says_so() -> None:
    assert events({"type": 1, "text": "Go"}, typed=False)[0].author == "cursor"
    words = "You are the forked subagent; continue executing your task."
    assert events({"type": 1, "text": words})[0].author == "cursor"


def test_what_was_attached_is_named() -> None:
    chosen = [{"uri": {"scheme": "file", "fsPath": "/w/a.md"}}, {"uri": {"path": "/w/b.md"}}, {}]
    bubble = {"type": 1, "text": "", "context": {"fileSelections": chosen}, "images": [{}, {}]}
    (prompt,) = events(bubble)
    assert [part.text for part in prompt.context] == ["/w/a.md\n/w/b.md", "2 images"]
    assert events({"type": 1, "images": [{}]})[0].context[0].text == "1 image"


def test_a_prompt_without_plain_text_is_read_from_the_editor_document() -> None:
    words = {"type": "paragraph", "children": [{"text": "Go "}, {"text": "on"}]}
    rich = json.dumps({"root": {"children": [words, {"type": "paragraph"}, "junk"]}})
    assert events({"type": 1, "text": "", "richText": rich})[0].text == "Go on"
    assert events({"type": 1, "richText": "plain words"})[0].text == "plain words"
    deep: dict[str, Any] = {"text": "too deep"}
    for _ in range(120):
        deep = {"children": [deep]}
    assert events({"type": 1, "richText": json.dumps({"root": deep})}) == []


def test_a_bubble_without_anything_gives_no_event() -> None:
    assert events({"type": 1}) == []
    assert said(text=" \n", thinking={"text": ""}, toolFormerData={}) == []


def test_thinking_comes_before_text_and_text_before_a_call() -> None:
    given = said(
        text="Done.",
        thinking={"text": "Hm.", "signature": ""},
        thinkingDurationMs=2132,
        toolFormerData=tool("read_file", {"targetFile": "a"}, {"contents": "x"}),
    )
    assert [type(each) for each in given] == [ThoughtSeen, TextSeen, CallCompleted]
    assert given[0].text == "Hm."
    assert given[0].duration_ms == 2132


def test_thinking_of_older_builds_is_a_text() -> None:
    assert said(thinking="Hm.")[0].text == "Hm."


def test_thinking_that_was_taken_out_is_marked() -> None:
    (thought,) = said(thinking={"text": "", "redactedThinking": "AAAA"})
    assert thought.removed
    assert thought.text == ""


def test_an_error_of_the_provider_is_shown() -> None:
    details = {"errorDetails": json.dumps({"error": "ERROR_LIMIT", "message": "too many"})}
    (note,) = said(**details)
    assert (note.code, note.message, note.level) == ("provider-error", "too many", "error")
    assert said(errorDetails={"error": "ERROR_LIMIT"})[0].message == "ERROR_LIMIT"


def test_the_header_says_who_speaks_where_the_bubble_does_not() -> None:
    assert of(events({"text": "Go"}, header={"type": 1}), PromptSeen)
    assert codes(events({"text": "Go", "type": 7})) == ["unknown-record"]
    assert of(events({"text": "Go"}), Noted)[0].problem


# -- when -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bubble", "header", "at"),
    [
        ({"createdAt": "2026-07-23T15:08:08.883Z"}, {}, "2026-07-23T15:08:08.883Z"),
        ({"createdAt": 1784819288883}, {}, "2026-07-23T15:08:08.883Z"),
        ({}, {"createdAt": "2026-07-23T15:08:08Z"}, "2026-07-23T15:08:08.000Z"),
        ({"timingInfo": {"clientStartTime": 1784819288883.4}}, {}, "2026-07-23T15:08:08.883Z"),
        (
            {"timingInfo": {"clientStartTime": 86000.5, "clientEndTime": 1784819288883.4}},
            {},
            "2026-07-23T15:08:08.883Z",
        ),
        ({"timingInfo": {"clientStartTime": 86000.5}}, {}, None),
        ({"createdAt": "yesterday", "timingInfo": []}, {}, None),
        ({"createdAt": True}, {}, None),
        ({"createdAt": 10**30}, {}, None),
    ],
)
def test_only_a_plausible_time_is_taken(bubble: Any, header: Any, at: str | None) -> None:
    time = time_of(bubble, header)
    assert (time and time.at) == at
    assert time is None or time.basis == "recorded"


def test_the_default_model_is_no_name() -> None:
    assert model_of({"modelInfo": {"modelName": "mock-large"}}) == "mock-large"
    assert model_of({"modelInfo": {"modelName": "default"}}) is None
    assert model_of({"modelInfo": None}) is None


# -- what a call is known to have done --------------------------------------------------------


def test_a_completed_call_started_when_its_bubble_was_made() -> None:
    data = tool("run_terminal_cmd", {"command": "ls"}, {"output": "a"})
    (done,) = said(createdAt="2026-08-03T09:00:00Z", toolFormerData=data, bubbleId="b9")
    assert done.started.at == "2026-08-03T09:00:00.000Z"
    assert done.time is None
    assert done.call_id == "b9"


def test_calls_with_one_tool_call_id_stay_two() -> None:
    data = tool("run_terminal_cmd", {"command": "ls"}, {"output": "a"})
    one, two = (said(toolFormerData=data, bubbleId=each)[0].call_id for each in ("b1", "b2"))
    assert one != two
    assert said(toolFormerData=data)[0].call_id == HERE.row


def test_a_status_alone_is_no_call() -> None:
    assert said(toolFormerData={"additionalData": {"status": "error"}}) == []


@pytest.mark.parametrize(
    "data",
    [
        tool("run_terminal_cmd", {"command": "x"}, {"rejected": True}),
        tool("run_terminal_cmd", {"command": "x"}, status="cancelled", userDecision="rejected"),
        tool("web_search", {"searchTerm": "x"}, {"rejected": True}, status="completed"),
        tool("edit_file_v2", {}, status="rejected"),
        tool("create_plan", {"plan": "# A"}, {"rejected": {}}),
    ],
)
def test_a_refused_call_is_an_error(data: Any) -> None:
    outcome = decode_call(data, CONTENTS.get).outcome
    assert outcome == Outcome(status="error", error="rejected by the user")


@pytest.mark.parametrize("status", ["loading", "pending", "running", "Loading"])
def test_a_running_call_is_started_and_nothing_more(status: str) -> None:
    (started,) = said(toolFormerData=tool("run_terminal_cmd", {"command": "x"}, status=status))
    assert isinstance(started, CallStarted)
    assert started.args == {"command": "x"}


def test_a_partial_result_of_a_running_call_is_shown_and_no_success() -> None:
    found = call("run_terminal_cmd", {}, {"output": "a"}, status="loading")
    assert (found.open, found.outcome.status, found.outcome.value["output"]) == (
        False,
        "unknown",
        "a",
    )


def test_a_call_without_status_and_result_is_started() -> None:
    assert call("read_file", {"targetFile": "a"}, status=None).open
    assert call("read_file", {"targetFile": "a"}, status="new word").open


def test_a_result_without_a_status_is_there_to_be_seen() -> None:
    found = call("read_file", {"targetFile": "a"}, {"contents": "x"}, status=None)
    assert found.outcome.status == "unknown"
    assert found.outcome.value["content"] == "x"


@pytest.mark.parametrize("result", [None, "", "{}", " ", '{"rejected":false}', "null"])
def test_completed_without_a_result_is_no_success(result: str | None) -> None:
    found = call("read_file", {"targetFile": "a"}, result)
    assert found.outcome is None
    assert not found.open
    assert drawn("read_file", {"targetFile": "a"}, result)[1] == "unrecorded"


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"status": "error", "error": '{"clientVisibleErrorMessage":"no"}'}, "no"),
        ({"status": "error", "error": {"modelVisibleErrorMessage": "never"}}, "never"),
        ({"status": "error", "error": "plain"}, "plain"),
        ({"status": "completed", "error": {"message": "late"}}, "late"),
        ({"status": "error"}, "failed"),
        ({"status": "cancelled"}, "cancelled"),
        ({"status": "aborted", "error": "{}"}, "cancelled"),
    ],
)
def test_a_bad_end_is_an_error_in_its_own_words(more: Any, error: str) -> None:
    outcome = call("list_dir", {"directoryPath": "."}, **more).outcome
    assert (outcome.status, outcome.error) == ("error", error)


def test_a_result_that_says_why_it_failed_counts_before_the_status() -> None:
    outcome = call("delete_file", {}, {"fileNonExistent": True}, status="error").outcome
    assert outcome.error == "the file does not exist"


def test_a_recorded_result_is_left_as_it_is() -> None:
    data = tool("read_file", {"targetFile": "a"})
    data["result"] = {"contents": "x", "rejected": False}
    assert decode_call(data, CONTENTS.get).outcome is not None
    assert data["result"] == {"contents": "x", "rejected": False}


def test_a_result_may_be_wrapped_in_success_or_error() -> None:
    good = call("todo_write", {}, {"success": {"finalTodos": [{"content": "a"}]}})
    assert good.outcome.value == {"todos": [{"content": "a"}]}
    assert call("grep", {}, {"error": {"message": "bad"}}).outcome.error == "bad"
    assert call("grep", {}, {"error": None}).outcome.error == "failed"


def test_a_result_that_is_a_text_stays_one() -> None:
    assert call("grep", {}, "three matches").outcome.value == "three matches"
    assert call("codebase_search", {}, "[1, 2]").outcome.value == [1, 2]
    assert call("brew_tea", {}, {"cups": 2}).outcome.value == {"cups": 2}


# -- names and arguments ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("run_terminal_cmd", "shell"),
        ("run_terminal_command", "shell"),
        ("run_terminal_command_v2", "shell"),
        ("edit_file", "edit"),
        ("edit_file_v2", "edit"),
        ("search_replace", "edit"),
        ("reapply", "edit"),
        ("MultiEdit", "edit"),
        ("write", "write"),
        ("read_file_v2", "read"),
        ("list_dir_v2", "ls"),
        ("grep_search", "grep"),
        ("ripgrep_search", "grep"),
        ("ripgrep_raw_search", "grep"),
        ("glob_file_search", "glob"),
        ("file_search", "glob"),
        ("codebase_search", "semSearch"),
        ("semantic_search_full", "semSearch"),
        ("delete_file", "delete"),
        ("todo_write", "updateTodos"),
        ("todo_read", "readTodos"),
        ("task_v2", "task"),
        ("await_task", "await"),
        ("create_plan", "createPlan"),
        ("ask_question", "askQuestion"),
        ("switch_mode", "switchMode"),
        ("web_search", "webSearch"),
        ("web_fetch", "webFetch"),
        ("generate_image", "generateImage"),
        ("computer_use", "computerUse"),
        ("record_screen", "recordScreen"),
        ("write_shell_stdin", "writeShellStdin"),
        ("call_mcp_tool", "mcp"),
        ("mcp_almanac_moon", "mcp"),
        ("mcp-almanac-moon", "mcp"),
        ("mcp_auth", "mcpAuth"),
        ("apply_agent_diff", "applyAgentDiff"),
        ("report_bugfix_results", "reportBugfixResults"),
        ("ai_attribution", "aiAttribution"),
    ],
)
def test_a_name_of_the_ide_finds_its_row(name: str, canonical: str) -> None:
    found = call(name, {}, "x")
    assert resolve(found.name, found.args).spec.canonical == canonical


def test_a_nameless_call_is_known_by_its_number() -> None:
    assert call(None, {"command": "x"}, tool=15).name == "run_terminal_cmd"
    assert call(None, {}, tool=38).name == "edit_file_v2"
    assert call(None, {"a": 1}, tool=9999).name == "unknown"
    assert call(None, {"a": 1}, tool="many").name == "unknown"


@pytest.mark.parametrize(
    ("name", "params", "raw", "args"),
    [
        (
            "run_terminal_command_v2",
            {"command": "ls", "cwd": "/w", "options": {"timeout": 5000}, "isBackground": False},
            "",
            {"command": "ls", "cwd": "/w", "timeout": 5000},
        ),
        ("run_terminal_cmd", "", '{"command":"ls","explanation":"x"}', {"command": "ls"}),
        ("read_file_v2", {"targetFile": "a", "charsLimit": 9}, "{}", {"path": "a"}),
        (
            "read_file",
            {"relativeWorkspacePath": "a", "startLineOneIndexed": 4,
             "endLineOneIndexedInclusive": 6},
            "",
            {"path": "a", "offset": 4, "limit": 3},
        ),
        (
            "search_replace",
            {"relativeWorkspacePath": "a"},
            '{"file_path":"/w/a","old_string":"x","new_string":""}',
            {"path": "a", "old_string": "x", "new_string": ""},
        ),
        ("edit_file", {"relativeWorkspacePath": "n.ipynb", "notebookCellIdx": 0}, "",
         {"path": "n.ipynb", "cell_idx": 0}),
        ("grep_search", {"patternInfo": {"pattern": "x"}}, '{"include_pattern":"*.ts"}',
         {"pattern": "x", "glob": "*.ts"}),
        ("todo_write", {"todos": '[{"id":"1","content":"a"}]', "merge": True}, "",
         {"todos": [{"id": "1", "content": "a"}], "merge": True}),
        ("switch_mode", {"toModeId": "plan"}, "", {"target_mode_id": "plan"}),
        ("apply_patch", "", "*** Begin Patch", "*** Begin Patch"),
        ("create_plan", {"plan": "# A"}, "", {"plan": "# A"}),
        ("brew_tea", "", '{"kind":"green"}', {"kind": "green"}),
        ("brew_tea", "", "", None),
        ("read_file", '{"half', "", '{"half'),
    ],
)  # fmt: skip
def test_arguments_are_read_from_what_the_editor_made_of_them(
    name: str, params: Any, raw: str, args: Any
) -> None:
    assert call(name, params, rawArgs=raw).args == args


def test_a_tool_of_a_server_is_called_by_its_server_name_and_arguments() -> None:
    tools = {"tools": [{"name": "moon", "serverName": "almanac", "parameters": '{"day":3}'}]}
    wanted = {"server": "almanac", "toolName": "moon", "arguments": {"day": 3}}
    assert call("mcp_almanac_moon", tools).args == wanted
    newer = {"server": "almanac", "toolName": "moon", "toolArgs": {"day": 3}}
    assert call("call_mcp_tool", newer).args == wanted
    bare = call("mcp-almanac-moon", "", rawArgs='{"day":3}').args
    assert bare == {"toolName": "almanac-moon", "arguments": {"day": 3}}
    assert call("mcp", {"tools": [{"name": "moon"}]}, rawArgs='{"day":3}').args["arguments"] == {
        "day": 3
    }
    assert call("mcp", {"a": 1}).args == {"a": 1}
    assert call("mcp", {"toolName": "moon"}).args == {
        "server": None,
        "toolName": "moon",
        "arguments": {},
    }


# -- results ----------------------------------------------------------------------------------


def test_a_command_keeps_its_output_and_its_exit() -> None:
    draft, status = drawn(
        "run_terminal_cmd", {"command": "make"}, {"output": "no\n", "exitCode": 2}
    )
    assert status == "failed"
    assert draft.text == "no\n\nCommand exited with code 2"
    result = {"output": "ok", "exitCode": 0, "exitCodeV2": 3}
    assert drawn("run_terminal_cmd", {"command": "make"}, result)[1] == "failed"
    assert drawn("run_terminal_cmd", {"command": "make"}, {"output": "ok"})[1] == "succeeded"


def test_an_interrupted_command_is_no_success() -> None:
    for result in ({"output": "a", "notInterrupted": False}, {"output": "a", "endedReason": 2}):
        draft, status = drawn("run_terminal_cmd", {"command": "make"}, result)
        assert status == "failed"
        assert draft.text == "a\n\nCommand aborted"


def test_a_cancelled_command_keeps_what_it_printed() -> None:
    result = {"output": "half", "notInterrupted": True}
    draft, status = drawn("run_terminal_cmd", {"command": "make"}, result, status="cancelled")
    assert (status, draft.text) == ("failed", "half\n\nCommand aborted")


def test_a_command_in_the_background_is_said_to_go_on() -> None:
    result = {"output": "up", "isRunningInBackground": True, "notInterrupted": False}
    draft, status = drawn("run_terminal_cmd", {"command": "serve"}, result)
    assert status == "succeeded"
    assert draft.text.endswith("Command continues in the background")


def test_a_read_shows_its_content_or_says_that_there_is_none() -> None:
    assert drawn("read_file", {"targetFile": "a"}, {"contents": "x"})[0].text == "x"
    empty = {"contents": "", "totalLinesInFile": 276}
    text = drawn("read_file_v2", {"targetFile": "a"}, empty)[0].text
    assert text == "(no content recorded; the file has 276 lines)"
    nothing = {"contents": "", "totalLinesInFile": 0}
    assert drawn("read_file_v2", {"targetFile": "a"}, nothing)[0].text == "(empty file)"
    assert call("read_file", {}, {"images": [1]}).outcome.value == {"images": [1]}


def test_a_listing_is_drawn_in_both_spellings() -> None:
    files = {"files": [{"name": "src", "isDirectory": True}, {"name": "a"}, {}]}
    assert drawn("list_dir", {"directoryPath": "."}, files)[0].text == "src/\na\n?"
    tree = {"children": [{"name": "src", "children": [{"name": "a"}]}]}
    assert drawn("list_dir_v2", {"targetDirectory": "."}, tree)[0].text == "src\n  a"


def test_matches_of_older_builds_have_their_lines_counted_from_one() -> None:
    hit = {"previewText": "lag", "rangeLocations": [{"source": {"startLineNumber": 0}}]}
    found = {"resource": "file:///w/a.ts", "results": [{"match": hit}, {"match": {}}]}
    bare = {"resource": None, "results": [{"match": {"previewText": "x"}}]}
    result = {"internal": {"results": [found, bare]}}
    text = drawn("grep_search", {"query": "lag"}, result)[0].text
    assert text == "/w/a.ts:1: lag\n?: x"
    assert drawn("grep_search", {"query": "lag"}, {"internal": {}})[0].text == "(no matches)"


def test_matches_of_newer_builds_are_understood_as_they_are() -> None:
    union = {"files": {"files": ["a.ts"]}}
    result = {"success": {"workspaceResults": {"/w": union}}}
    assert drawn("ripgrep_raw_search", {"pattern": "x"}, result)[0].text == "a.ts"


def test_found_files_are_named_whole() -> None:
    inside = [{"relPath": "../w\\src\\a.ts"}, {"relPath": "b.ts"}, {}]
    folder = {"absPath": "/home/w", "files": inside, "totalFiles": 7, "ripgrepTruncated": True}
    draft, _ = drawn("glob_file_search", {"globPattern": "*"}, {"directories": [folder]})
    rows = "/home/w/src/a.ts\n/home/w/b.ts"
    assert draft.text == f"{rows}\n(truncated by Cursor: 2 files of 7 returned)"
    plain = {"files": ["a.ts"], "totalFiles": 1}
    assert drawn("glob_file_search", {"globPattern": "*"}, plain)[0].text == "a.ts"
    older = {"files": [{"uri": "file:///w/a.ts"}, {"relativeWorkspacePath": "b.ts"}, {}]}
    assert drawn("file_search", {"query": "ts"}, older)[0].text == "/w/a.ts\nb.ts"
    assert call("file_search", {}, {"numResults": 0}).outcome.value == {"numResults": 0}


OLD, NEW = "composer.content.old", "composer.content.new"
EDITED = {"relativeWorkspacePath": "a.ts"}


def test_an_edit_is_compared_from_its_stored_contents() -> None:
    draft, status = drawn("edit_file_v2", EDITED, {"beforeContentId": OLD, "afterContentId": NEW})
    assert status == "succeeded"
    assert draft.details.diff == "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    assert (draft.details.lines_added, draft.details.lines_removed) == (1, 1)


@pytest.mark.parametrize(
    ("result", "diff"),
    [
        ({"beforeContentId": "composer.content.gone", "afterContentId": NEW}, None),
        ({"beforeContentId": OLD, "afterContentId": "composer.content.gone"}, None),
        ({"beforeContentId": OLD, "afterContentId": OLD}, None),
        ({"isApplied": True}, None),
        ({"afterContentId": OLD}, "--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n"),
        (
            {"contentsBeforeEdit": "x\n", "contentsAfterEdit": "y\n"},
            "--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-x\n+y\n",
        ),
        ({"diff": {"chunks": [{"diffString": "@@ -1 +1 @@\n-x\n+y"}, {}]}}, "@@ -1 +1 @@\n-x\n+y"),
    ],
)
def test_an_edit_shows_the_change_only_where_both_sides_are_there(
    result: Any, diff: str | None
) -> None:
    draft, status = drawn("edit_file_v2", EDITED, result)
    gone = "composer.content.gone" in result.values()
    assert status == ("unrecorded" if gone else "succeeded")
    assert draft.details.path == "a.ts"
    assert draft.details.diff == diff


def test_an_edit_without_a_change_says_so() -> None:
    same = {"beforeContentId": OLD, "afterContentId": OLD}
    assert drawn("edit_file_v2", EDITED, same)[0].body == "nothing changed"
    told = {"beforeContentId": "gone", "resultForModel": "The edit was made"}
    assert drawn("edit_file_v2", EDITED, told)[0].body == "The edit was made"


def test_an_edit_that_was_not_applied_has_failed() -> None:
    draft, status = drawn("edit_file", EDITED, {"applyFailed": True})
    assert (status, draft.text) == ("failed", "Error: not applied")


def test_a_replacement_is_a_card_of_its_own_with_the_diff() -> None:
    params = {**EDITED, "oldString": "two", "newString": "2"}
    draft, _ = drawn("search_replace", params, {"beforeContentId": OLD, "afterContentId": NEW})
    assert draft.tool == "edit"
    assert draft.arguments["edits"] == [{"oldText": "two", "newText": "2"}]
    assert draft.details.first_changed_line == 2


def test_a_write_shows_the_file_as_it_is_stored() -> None:
    draft, _ = drawn("write", EDITED, {"afterContentId": NEW})
    assert draft.details.file_content_after_write == "one\n2\n"
    assert call("write", EDITED, {"afterContentId": "gone"}).outcome.value == {
        "message": "the change itself is not recorded"
    }


def test_a_deleted_file_is_said_to_be_gone() -> None:
    assert drawn("delete_file", EDITED, {"fileDeletedSuccessfully": True})[0].body == "Deleted"
    assert drawn("delete_file", EDITED, {"fileNonExistent": True})[1] == "failed"
    assert call("delete_file", EDITED, {"x": 1}).outcome.value == {"x": 1}


def test_a_todo_list_is_the_final_one() -> None:
    final = [{"id": "1", "content": "Read", "status": "completed"}]
    draft, _ = drawn("todo_write", {"todos": []}, {"success": True, "finalTodos": final})
    assert draft.body == "✓ Read (completed)"
    assert drawn("todo_write", {"todos": []}, {"success": False})[1] == "failed"
    assert call("todo_write", {}, {"success": True}).outcome.value == {"success": True}


def test_diagnostics_have_their_places() -> None:
    at = {"startPosition": {"line": 6, "column": 8}}
    error = {"message": "not used", "range": at, "severity": "DIAGNOSTIC_SEVERITY_HINT"}
    files = [{"relativeWorkspacePath": "a.py", "errors": [error]}]
    draft, _ = drawn("read_lints", {"paths": ["a.py"]}, {"linterErrorsByFile": files})
    assert draft.body == "a.py:6:8: hint: not used"
    assert call("read_lints", {}, {"path": "a"}).outcome.value == {"path": "a"}


def test_code_found_by_meaning_is_shown_with_its_file() -> None:
    block = {"codeBlock": {"relativeWorkspacePath": "a.ts", "contents": "lag()\n"}}
    text = drawn("codebase_search", {"query": "lag"}, {"codeResults": [block, {}]})[0].body
    assert text == "a.ts\nlag()\n\n?\n?"
    assert call("codebase_search", {}, {"x": 1}).outcome.value == {"x": 1}


def test_the_answer_of_a_server_is_unpacked() -> None:
    inner = {"content": [{"type": "text", "text": "full"}], "isError": True}
    result = {"selectedTool": "moon", "result": json.dumps(inner)}
    draft, status = drawn("mcp_almanac_moon", {}, result)
    assert (status, draft.body) == ("failed", "[tool error]\nfull")
    assert drawn("mcp_almanac_moon", {}, {"result": "full"})[0].body == "full"
    assert call("mcp_almanac_moon", {}, {"content": []}).outcome.value == {"content": []}


def test_a_sub_agent_tells_its_summary_where_it_is_recorded() -> None:
    done = {"completedTaskResult": {"summary": "two files"}}
    assert drawn("task", {"taskTitle": "List"}, done)[0].body == "two files"
    bad = {"completedTaskResult": {"subagentErrored": True}}
    assert drawn("task", {"taskTitle": "List"}, bad)[1] == "failed"
    text = drawn("task_v2", {"description": "List"}, {"agentId": "a1"})[0].body
    assert text == "(its answer is not recorded here)"
    assert call("task", {}, {"x": 1}).outcome.value == {"x": 1}


# -- comparing --------------------------------------------------------------------------------


def test_hunks_say_where_they_are() -> None:
    before = "".join(f"{n}\n" for n in range(1, 31))
    after = before.replace("\n15\n", "\nfifteen\n").replace("\n30\n", "\n30")
    assert unified(before, after, "a").split("\n")[2:] == [
        "@@ -12,7 +12,7 @@", " 12", " 13", " 14", "-15", "+fifteen", " 16", " 17", " 18",
        "@@ -27,4 +27,4 @@", " 27", " 28", " 29", "-30", "+30", "\\ No newline at end of file", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "rows"),
    [
        ("a\nb\n", "b\n", ["@@ -1,2 +1,1 @@", "-a", " b"]),
        ("b\n", "a\nb\n", ["@@ -1,1 +1,2 @@", "+a", " b"]),
        ("a\n", "", ["@@ -1,1 +0,0 @@", "-a"]),
        ("a\na\n", "a\na\na\n", ["@@ -1,2 +1,3 @@", " a", " a", "+a"]),
    ],
)
def test_added_and_removed_rows_are_marked(before: str, after: str, rows: list[str]) -> None:
    assert unified(before, after, None).split("\n") == ["--- a/file", "+++ b/file", *rows, ""]


def test_a_change_too_large_to_compare_is_removed_and_added() -> None:
    before = "".join(f"old {n}\n" for n in range(1100))
    after = "".join(f"new {n}\n" for n in range(1100))
    rows = unified(f"same\n{before}end\n", f"same\n{after}end\n", "a").split("\n")
    assert rows[2] == "@@ -1,1102 +1,1102 @@"
    assert rows[3] == " same"
    assert sum(row.startswith("-") for row in rows[3:]) == 1100
    assert sum(row.startswith("+") for row in rows[3:]) == 1100
    assert rows[-2] == " end"


def applied(diff: str, before: str) -> str:
    """The text that a diff makes of ``before``; each of its hunks has to fit."""
    old, made, at = re.findall(r"[^\n]*\n|[^\n]+", before), [], 0
    rows = diff.split("\n")[2:-1]
    for row, following in zip(rows, [*rows[1:], ""], strict=True):
        text = row[1:] + ("" if following.startswith("\\") else "\n")
        if row.startswith("@@"):
            start, length = re.findall(r"\d+", row)[:2]
            place = int(start) - (length != "0")
            made, at = [*made, *old[at:place]], place
        elif row.startswith(("-", " ")):
            assert old[at] == text
            at += 1
        if row.startswith(("+", " ")):
            made.append(text)
    return "".join([*made, *old[at:]])


TEXT = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=40).map("".join)


@settings(deadline=None, derandomize=True, max_examples=300)
@given(TEXT, TEXT, st.sampled_from(["", "end"]), st.sampled_from([0, 1_000_000]))
def test_a_diff_makes_the_new_text_of_the_old_one(
    before: str, after: str, tail: str, most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ide_edits, "_MOST", most)
        diff = unified(before, after + tail, "a")
    assert (applied(diff, before) if diff else before) == after + tail


# -- paths ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/dev/tide%20book", "/home/dev/tide book"),
        ("vscode-remote://wsl%2Bubuntu/home/dev/a", "/home/dev/a"),
        ("file:///c%3A/Users/dev", "c:/Users/dev"),
        ("file:///d:", "d:"),
        ("src/a.ts", "src/a.ts"),
        ("file://[half", None),
        ("untitled://", None),
        ({"scheme": "file", "path": "/c:/a", "fsPath": "c:\\a"}, "c:\\a"),
        ({"scheme": "vscode-remote", "path": "/w", "fsPath": "\\w"}, "/w"),
        ({"external": "file:///w"}, "/w"),
        ({}, None),
        (7, None),
    ],
)
def test_a_uri_names_a_path(uri: Any, path: str | None) -> None:
    assert uri_path(uri) == path
