"""The tool table: every name is claimed once, and every tool Cursor names has a row."""

import re
from pathlib import Path

import pytest

from cursor_replay.normalize.names import collapse, resolve, web_kind
from cursor_replay.normalize.tools import INDEX, REFERENCE, TOOLS, UNKNOWN, _index
from cursor_replay.normalize.tools.spec import ToolSpec

from .helpers_cases import card, err, ok

FIXTURES = Path(__file__).parents[2] / "fixtures"
SDK_CASES = (
    "shell", "delete", "glob", "grep", "read", "updateTodos", "readTodos", "edit", "ls",
    "readLints", "mcp", "semSearch", "createPlan", "webSearch", "task", "listMcpResources",
    "readMcpResource", "applyAgentDiff", "askQuestion", "fetch", "switchMode",
    "generateImage", "recordScreen", "computerUse", "writeShellStdin", "reflect",
    "setupVmEnvironment", "truncated", "startGrindExecution", "startGrindPlanning",
    "webFetch", "reportBugfixResults", "aiAttribution", "prManagement", "mcpAuth", "await",
    "blameByFilePath", "getMcpTools", "reportBug", "setActiveBranch", "communicateUpdate",
    "sendFinalSummary", "updatePrCodeTour", "replaceEnv", "editPrLabels",
    "recordCiInvestigationFindings", "sendMessage", "fetchCloudAgentData", "sendToUser",
    "piRead", "piBash", "piEdit", "piWrite", "piGrep", "piFind", "piLs", "connectScm",
    "searchConversations", "createGoal", "updateGoal", "adopt", "getAgentStatus",
    "sendToAgent", "readAgentTranscript", "createAgent", "stopAgent", "getPrCodeTour",
    "writeCanvas", "readCanvas",
    # added in 1.1.0
    "generateVideo", "xSearch", "getOriginPrCodeTour", "updateOriginPrCodeTour",
    "listTrackedTasks", "createTrackedTasks", "updateTrackedTasks", "deleteTrackedTasks",
    "updateTrackedTaskStatuses", "createProject", "updateTrackedTaskTags",
    "stopProjectUpdates", "startProjectUpdates",
    # in old captures
    "write",
)  # fmt: skip
TRANSCRIPT_NAMES = (
    "Read", "ReadFile", "Grep", "rg", "Glob", "SemanticSearch", "LS", "Shell", "Await",
    "AwaitShell", "Write", "StrReplace", "ApplyPatch", "functions.ApplyPatch", "Delete",
    "EditNotebook", "ReadLints", "WebSearch", "WebFetch", "mcp_web_fetch", "TodoWrite",
    "UpdateCurrentStep", "CreatePlan", "AskQuestion", "SwitchMode", "Task", "Subagent",
    "GenerateImage", "CallMcpTool", "GetMcpTools", "ListMcpResources", "FetchMcpResource",
    "CallDynamicTool", "GetDynamicTools",
)  # fmt: skip


def spec(canonical, *aliases):
    return ToolSpec(canonical=canonical, aliases=aliases, title="Cursor x", card=UNKNOWN.card)


@pytest.mark.parametrize(
    ("rows", "claimed"),
    [
        ((spec("a"), spec("a")), "a"),
        ((spec("a"), spec("b", "a")), "a"),
        ((spec("a", "c"), spec("b", "c")), "c"),
        ((spec("webSearch"), spec("websearch")), "websearch"),
    ],
)
def test_a_name_that_is_claimed_twice_raises(rows, claimed):
    with pytest.raises(ValueError, match=f"tool name {claimed} is claimed twice"):
        _index(rows)


def test_an_alias_may_repeat_its_own_name():
    row = spec("webSearch", "websearch")
    assert _index((row,)) == {"websearch": row}


def test_every_alias_is_in_lower_case_and_leads_to_its_row():
    assert {name: INDEX[name] is row for row in TOOLS for name in row.aliases} == {
        name: True for row in TOOLS for name in row.aliases
    }
    assert all(name == name.lower() for name in INDEX)


def test_the_reference_names_come_first_and_once():
    assert TOOLS[: len(REFERENCE)] == REFERENCE
    assert len({row.canonical for row in TOOLS}) == len(TOOLS)


@pytest.mark.parametrize("row", REFERENCE, ids=lambda row: row.canonical)
def test_lookup_is_case_insensitive(row):
    spellings = [name for each in (row.canonical, *row.aliases) for name in (each.upper(), each)]
    assert {resolve(name, None).spec.canonical for name in spellings} == {row.canonical}


@pytest.mark.parametrize("name", SDK_CASES)
def test_every_tool_of_the_sdk_has_a_row(name):
    assert resolve(name, {}).spec is not UNKNOWN


@pytest.mark.parametrize("name", TRANSCRIPT_NAMES)
def test_every_tool_of_the_transcripts_has_a_row(name):
    assert resolve(name, {}, direct_mcp=True).spec is not UNKNOWN


@pytest.mark.parametrize("name", TRANSCRIPT_NAMES)
def test_every_tool_of_the_transcripts_is_in_a_fixture(name):
    spelled = re.compile(rf'"name": ?"{re.escape(name)}"')
    inputs = FIXTURES.glob("transcript/*/input.jsonl")
    assert any(spelled.search(path.read_text("utf-8", "replace")) for path in inputs)


def test_all_tools_of_the_sdk_are_listed_here():
    assert len(SDK_CASES) == 69 + 13 + 1


@pytest.mark.parametrize("name", ["cursor-ide-browser-browser_click", "github-list.issues"])
def test_a_direct_server_tool_name_is_an_mcp_call_only_where_the_source_spells_it_so(name):
    assert resolve(name, {}, direct_mcp=True).spec.canonical == "mcp"
    assert resolve(name, {}).spec is UNKNOWN


def test_a_name_that_begins_with_mcp_is_an_mcp_call():
    assert resolve("mcp_linear_list", {}).spec.canonical == "mcp"


@pytest.mark.parametrize("name", ["constructor", "toString", "__proto__", "multi_tool_use", "a b"])
def test_a_name_that_nobody_claims_is_unknown(name):
    assert resolve(name, {}, direct_mcp=True).spec is UNKNOWN


@pytest.mark.parametrize("separator", ["", "-", "_", " "])
@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("web", "search", "webSearch"),
        ("search", "web", "webSearch"),
        ("Browser", "Search", "webSearch"),
        ("web", "fetch", "webFetch"),
        ("FETCH", "web", "webFetch"),
        ("browser", "fetch", "webFetch"),
        ("fetch", "URL", "webFetch"),
    ],
)
def test_two_words_make_a_web_tool(first, second, separator, kind):
    assert web_kind(f"{first}{separator}{second}") == kind


@pytest.mark.parametrize(
    "name", ["web--search", "my_web_search", "web_searches", "search", "fetch url now"]
)
def test_anything_more_than_two_words_is_no_web_tool(name):
    assert web_kind(name) is None


def test_a_web_tool_of_any_server_is_a_web_tool():
    args = {"providerIdentifier": "anyone", "toolName": " search_web "}
    assert resolve("CallMcpTool", args).spec.canonical == "webSearch"


@pytest.mark.parametrize(
    ("name", "shown"), [(" a \n b ", "a b"), ("", "unknown"), ("\ufeff", "unknown")]
)
def test_a_name_is_shown_on_one_line(name, shown):
    assert collapse(name) == shown


ARGUMENTS = [None, {}, [], "text", 5, {"path": 5, "command": [], "todos": "x", "edits": {}}]
OUTCOMES = [None, ok(), ok({}), ok([]), ok("text"), ok(5), err(), err({}), err([]), err(5)]


@pytest.mark.parametrize("row", [*TOOLS, UNKNOWN], ids=lambda row: row.canonical)
def test_every_tool_makes_a_card_of_every_shape(row):
    for args in ARGUMENTS:
        for outcome in OUTCOMES:
            draft = card(row.canonical, args, outcome)
            assert draft.title.startswith("Cursor ")
            assert draft.failed == (outcome is not None and outcome.status == "error")
            assert "\n" not in (draft.summary or "")
            assert draft.transcript.endswith("\n")


@pytest.mark.parametrize("row", [*TOOLS, UNKNOWN], ids=lambda row: row.canonical)
def test_an_error_text_is_in_no_label_of_any_tool(row):
    draft = card(row.canonical, {}, err("a long story"))
    assert "a long story" in draft.text
    assert "a long story" not in f"{draft.title} {draft.summary} {draft.arguments}"
    assert "a long story" not in (getattr(draft.details, "summary", None) or "")
