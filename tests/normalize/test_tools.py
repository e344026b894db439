"""Tools the numbered cases do not speak of: web results, questions, pi's own, and plain rows."""

import pytest

from cursor_replay.events import CallUnrecorded
from cursor_replay.items import NativeEdit

from .helpers_cases import at, card, cards_of, check, err, item, ok, text_of

DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new"


# -- web --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            {"references": [{"title": "One", "url": "u", "chunk": "first"}, {"chunk": "second"}]},
            "first\n\nsecond",
        ),
        ({"references": [{"title": "One", "url": "https://a.example"}]}, "One https://a.example"),
        ({"references": [{}], "content": [{"text": "page"}]}, "page"),
        ({"url": "https://a.example", "markdown": "# Page"}, "# Page"),
        ({"url": "https://a.example", "content": "page", "statusCode": 200}, "page"),
        ({"content": [{"text": "one"}, {"text": "two"}]}, "one\ntwo"),
        ({"content": []}, '{"content":[]}'),
        ("page", "page"),
        ({"x": 1}, '{"x":1}'),
    ],
)
def test_what_a_web_tool_found_is_read_in_every_form(value, text):
    draft = card("webFetch", {"url": "https://a.example"}, ok(value))
    assert draft.text == f"web fetch https://a.example\n\n{text}"


def test_a_web_tool_that_answers_with_an_error_has_failed():
    draft = card("WebSearch", {"query": "q"}, ok({"content": [{"text": "no"}], "isError": True}))
    assert (draft.failed, draft.text) == (True, "web search q\n\n[tool error]\nno")


@pytest.mark.parametrize(
    ("args", "query"),
    [
        ({"search_term": "a", "query": "b"}, "a"),
        ({"search_term": " ", "query": " b "}, "b"),
        ({"q": "c"}, "c"),
        ({"args": {"searchTerm": "d"}}, "d"),
        ({"arguments": {"query": "e"}}, "e"),
        ({"query": 5}, None),
    ],
)
def test_the_query_of_a_search_is_the_first_that_says_something(args, query):
    assert card("webSearch", args, ok({})).arguments.get("query") == query


def test_a_long_address_is_cut_in_the_label_alone():
    url = "https://a.example/" + "x" * 150
    draft = card("webFetch", {"url": url})
    assert draft.summary == url[:119] + "…"
    assert draft.header == f"web fetch {url}"


# -- MCP --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "args", "arguments"),
    [
        (
            "CallMcpTool",
            {"server": "git", "toolName": "log", "arguments": {"n": 3, "tags": ["a"]}},
            {"server": "git", "toolName": "log", "arguments": {"n": 3, "tags": '["a"]'}},
        ),
        (
            "CallDynamicTool",
            {"namespace": "app", "toolName": "rename", "arguments": {}},
            {"server": "app", "toolName": "rename"},
        ),
        (
            "mcp",
            {"providerIdentifier": "git", "name": "log", "args": {"x": "y" * 130, "z": None}},
            {
                "server": "git",
                "toolName": "log",
                "arguments": {"x": "y" * 119 + "…", "z": None},
            },
        ),
        (
            "cursor-ide-browser-browser_click",
            {"ref": "e1"},
            {
                "server": "cursor-ide-browser",
                "toolName": "browser_click",
                "arguments": {"ref": "e1"},
            },
        ),
        ("mcp_linear_list", {"n": 1}, {"toolName": "linear_list", "arguments": {"n": 1}}),
        ("mcp", {}, {"toolName": "mcp"}),
    ],
)
def test_an_mcp_call_names_its_server_tool_and_arguments(name, args, arguments):
    draft = card(name, args, direct_mcp=True)
    shown = {key: draft.arguments.get(key) for key in ("server", "toolName", "arguments")}
    assert {key: value for key, value in shown.items() if value is not None} == arguments
    assert draft.title == "Cursor MCP"


def test_an_mcp_call_without_a_result_shows_what_it_asked():
    draft = card("CallMcpTool", {"server": "git", "toolName": "log", "arguments": {"n": 3}})
    assert (draft.header, draft.text) == ("git/log n=3", "")


def test_at_most_20_arguments_of_a_foreign_tool_are_kept():
    args = {"toolName": "big", "arguments": {f"k{number}": number for number in range(30)}}
    assert len(card("mcp", args).arguments["arguments"]) == 20


def test_a_failed_mcp_call_shows_its_error():
    draft = card("mcp", {"toolName": "git"}, err({"message": "refused"}))
    assert (draft.text, draft.summary, draft.failed) == ("Error: refused", "git", True)


@pytest.mark.parametrize(
    ("name", "args", "provenance"),
    [
        ("mcp", {"toolName": "pi__read"}, "bridge"),
        ("mcp", {"toolName": "read"}, "replay"),
        ("read", {"toolName": "pi__read"}, "replay"),
    ],
)
def test_a_call_that_pi_itself_ran_says_so(name, args, provenance):
    assert item(name, args, ok({})).provenance == provenance


# -- questions and todos ------------------------------------------------------------------------

QUESTIONS = {
    "title": "Which way?",
    "questions": [
        {
            "id": "q1",
            "prompt": "Left or right?",
            "options": [{"id": "l", "label": "Left"}, {"id": "r", "label": "Right"}, {}],
        },
        {"id": "q2"},
        {},
    ],
}


def test_a_question_without_an_answer_marks_nothing():
    draft = card("AskQuestion", QUESTIONS)
    assert draft.text == (
        "askQuestion Which way?\n\nLeft or right?\n  ○ Left\n  ○ Right\n  ○ ?\n\nq2\n\n(no question)"
    )
    assert (draft.title, draft.summary) == ("Cursor question", "Which way?")
    assert draft.arguments["questionCount"] == 3


@pytest.mark.parametrize(
    "answer",
    [
        {"questionId": "q1", "selectedOptionIds": ["r"]},
        {"questionId": "q1", "selectedOptionId": "r"},
        {"id": "q1", "optionIds": ["r", 5]},
        {"id": "q1", "optionId": "Right"},
    ],
)
def test_the_chosen_option_is_marked(answer):
    draft = card("askQuestion", QUESTIONS, ok({"answers": [answer]}))
    assert "  ○ Left\n  ◉ Right\n" in draft.text


@pytest.mark.parametrize("key", ["freeformText", "text"])
def test_a_free_answer_is_shown(key):
    args = {"questions": [{"id": "q1", "prompt": "Why?"}]}
    draft = card("askQuestion", args, ok({"answers": [{"questionId": "q1", key: "Because."}]}))
    assert draft.text == "askQuestion\n\nWhy?\n  answer: Because."
    assert draft.summary == "Why?"


def test_a_question_without_questions_shows_its_result():
    assert card("askQuestion", {}, ok({"x": 1})).text == 'askQuestion\n\n{\n  "x": 1\n}'


def test_a_list_that_was_read_back_is_shown():
    todos = [{"content": "Write", "status": "TODO_STATUS_COMPLETED"}]
    draft = card("readTodos", {}, ok({"todos": todos, "totalCount": 1}))
    assert (draft.text, draft.summary) == ("readTodos\n\n✓ Write (completed)", "1/1 completed")
    assert card("readTodos", {}).summary is None


def test_a_plan_shows_its_overview_todos_and_where_it_was_saved():
    args = {
        "name": "The plan",
        "overview": "Why",
        "plan": "1. do it",
        "todos": [{"id": "do", "status": "pending"}],
    }
    draft = card("CreatePlan", args, ok({"planUri": "file.plan.md"}))
    assert draft.summary == "The plan"
    assert draft.text == "createPlan\n\nWhy\n\n1. do it\n\n○ do (pending)\n\nSaved: file.plan.md"


# -- computer use -------------------------------------------------------------------------------


def test_the_actions_of_computer_use_are_listed():
    actions = [
        {"type": "click", "coordinate": {"x": 1, "y": 2}, "button": "left", "count": 1},
        {"type": "type", "text": "hello"},
        {"type": "wait", "durationMs": 500},
        {"scroll": {"direction": "down", "amount": 3}},
        {},
    ]
    draft = card(
        "computerUse",
        {"actions": actions},
        ok(
            {
                "actionCount": 5,
                "durationMs": 1500,
                "screenshotPath": "/repo/s.png",
                "screenshot": "AAAA",
            }
        ),
    )
    assert draft.text == (
        "computerUse\n\nclick (1, 2) left\ntype hello\nwait 500\nscroll down 3\naction\n"
        "Screenshot: s.png\nTook 1.5s"
    )
    assert draft.summary == "5 actions"
    assert draft.arguments["actionCount"] == 5
    assert "AAAA" not in repr(draft)


def test_computer_use_is_summed_up_by_its_description():
    draft = card("computerUse", {"description": "Open the page"}, ok({"log": "opened"}))
    assert (draft.summary, draft.text) == (
        "Open the page",
        "computerUse Open the page\n\nopened",
    )


# -- pi's own tools -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "tool", "args", "summary"),
    [
        ("piRead", "read", {"path": "/repo/a.ts"}, "a.ts"),
        ("piBash", "bash", {"command": "ls", "timeout": 3}, "ls"),
        ("piGrep", "grep", {"pattern": "x"}, "x"),
        ("piFind", "find", {"pattern": "*.ts"}, "*.ts"),
        ("piLs", "ls", {}, None),
        ("piWrite", "write", {"path": "a.ts", "content": "x"}, "a.ts"),
    ],
)
def test_a_tool_of_pi_keeps_its_arguments_and_output(name, tool, args, summary):
    draft = card(name, {**args, "toolCallId": "c1"}, ok({"output": "done"}))
    wanted = {**args, "path": "a.ts"} if name == "piRead" else args
    assert (draft.tool, draft.arguments, draft.text) == (tool, wanted, "done")
    assert (draft.summary, draft.details) == (summary, None)


def test_a_tool_of_pi_without_output_shows_its_result():
    assert card("piLs", {}, ok({"x": 1})).text == '{\n  "x": 1\n}'
    assert card("piLs", {}, err("no")).text == "Error: no"


@pytest.mark.parametrize("key", ["diff", "patch"])
def test_an_edit_of_pi_has_its_diff(key):
    args = {"path": "x", "edits": [{"oldText": "old", "newText": "new"}]}
    draft = card("piEdit", args, ok({"output": "edited", key: DIFF}))
    assert draft.details == NativeEdit(
        path="x",
        diff_string=DIFF,
        diff=DIFF,
        lines_added=1,
        lines_removed=1,
        first_changed_line=1,
    )


def test_an_edit_of_pi_without_a_diff_has_no_counts():
    args = {"path": "x", "edits": [{"oldText": "old", "newText": "new"}]}
    assert card("piEdit", args, ok({"output": "edited"})).details == NativeEdit(path="x")
    assert card("piEdit", {"path": "x"}, ok({"output": "edited"})).details is None


# -- plain rows ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        (
            "Await",
            {"task_id": "t1", "block_until_ms": 500},
            None,
            {"title": "Cursor await", "summary": "t1", "text": "", "header": "await t1"},
        ),
        (
            "SwitchMode",
            {"target_mode_id": "plan"},
            ok({"fromModeId": "agent", "toModeId": "plan"}),
            {
                "title": "Cursor mode",
                "summary": "plan",
                "text": "switchMode plan\n\nfromModeId: agent\ntoModeId: plan",
            },
        ),
        (
            "readMcpResource",
            {"uri": "a://b", "server": "s"},
            ok({"uri": "a://b", "text": "body", "blob": "AAAA"}),
            {
                "summary": "a://b",
                "text": "readMcpResource a://b\n\nuri: a://b\n\nbody",
                "without": ["AAAA"],
            },
        ),
        (
            "aiAttribution",
            {"filePaths": ["a", "b"], "startLine": 3},
            ok({"attributionText": "you"}),
            {
                "summary": "a, b",
                "text": "aiAttribution a, b\n\nyou",
                "some_arguments": {"filePaths": '["a","b"]', "startLine": 3},
            },
        ),
        (
            "prManagement",
            {"createPr": {"title": "x"}},
            err({"message": "refused"}),
            {"summary": '{"title":"x"}', "text": "Error: refused", "failed": True},
        ),
        ("createGoal", {"objective": ""}, ok({}), {"summary": None, "text": ""}),
        ("sendToUser", {"message": "hi"}, ok("sent"), {"text": "sendToUser hi\n\nsent"}),
        (
            "tool_result",
            None,
            ok([{"type": "text", "text": "a"}, {"text": "b"}, "c"]),
            {"text": "tool_result\n\na\nb"},
        ),
        ("tool_result", None, ok([1]), {"text": "tool_result\n\n[\n  1\n]"}),
        (
            "truncated",
            {"toolCallId": "c1"},
            None,
            {
                "title": "Cursor call (details truncated)",
                "arguments": {"activityTitle": "Cursor call (details truncated)"},
            },
        ),
    ],
)
def test_a_plain_tool_shows_its_target_and_its_answer(name, args, outcome, expected):
    check(name, args, outcome, expected)


# -- sources without results --------------------------------------------------------------------


def test_a_call_of_a_transcript_is_not_recorded_and_never_a_success():
    cards = cards_of(
        CallUnrecorded(origin=at(2), name="Shell", args={"command": "ls"}),
        CallUnrecorded(origin=at(2), name="Shell", args={"command": "ls"}),
        CallUnrecorded(origin=at(3), name="linear-list_issues", args=None),
    )
    assert [(each.status, each.title, text_of(each)) for each in cards] == [
        ("unrecorded", "Cursor shell", ""),
        ("unrecorded", "Cursor shell", ""),
        ("unrecorded", "Cursor MCP", ""),
    ]
    assert len({each.id for each in cards}) == 3


def test_the_reason_of_a_failure_is_one_line_and_no_json():
    assert item("read", {}, err("no\nsuch file")).reason == "no such file"
    assert item("read", {}, err({"a": 1})).reason is None
    assert item("read", {}, err()).reason is None
    assert item("read", {}, ok({})).reason is None
