"""Replay facts 11.1, cases 1 to 19: registry and names."""

import pytest

from cursor_replay.events import CallStarted
from cursor_replay.ingest.formats.sdk import updates as sdk_updates
from cursor_replay.normalize.names import resolve, web_kind
from cursor_replay.normalize.tools import INDEX, REFERENCE, TOOLS, UNKNOWN

from .helpers_cases import at, card, case, err, numbers_in, ok, row, source_of
from .helpers_cases import check as check_card


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        case(1, "upper case", "READ_FILE", "read"),
        case(2, "mixed case", "ReadLints", "readLints"),
        case(2, "lower case", "readlints", "readLints"),
        case(3, "StrReplace", "StrReplace", "edit"),
        case(3, "with a hyphen", "str-replace", "edit"),
        case(3, "EditNotebook", "EditNotebook", "edit"),
        case(3, "notebook_edit", "notebook_edit", "edit"),
        case(4, "search", "search", "grep"),
        case(4, "grep_search", "grep_search", "grep"),
        case(4, "file_search", "file_search", "glob"),
        case(4, "list_dir", "list_dir", "ls"),
        case(5, "bash", "bash", "shell"),
        case(5, "terminal", "terminal", "shell"),
        case(5, "run_terminal_cmd", "run_terminal_cmd", "shell"),
        case(5, "Shell", "Shell", "shell"),
        case(6, "empty", "", "unknown"),
        case(6, "blank", " \t\n ", "unknown"),
        case(7, "white space inside and around", "  Web  Search ", "webSearch"),
        case(8, "WebSearch", "WebSearch", "webSearch"),
        case(8, "web_search", "web_search", "webSearch"),
        case(8, "web-search", "web-search", "webSearch"),
        case(8, "websearch", "websearch", "webSearch"),
        case(8, "WebFetch", "WebFetch", "webFetch"),
        case(8, "web_fetch", "web_fetch", "webFetch"),
        case(8, "web-fetch", "web-fetch", "webFetch"),
        case(8, "webfetch", "webfetch", "webFetch"),
        case(10, "semSearch", "semSearch", "semSearch"),
        # `find` is a name no Cursor model uses; the other three stand in real transcripts, so
        # they are known here although the reference shows them as unknown cards.
        case(11, "find stays unknown", "find", "unknown"),
        case(11, "todo_write is known", "todo_write", "updateTodos"),
        case(11, "delete_file is known", "delete_file", "delete"),
        case(11, "ApplyPatch is known", "ApplyPatch", "edit"),
        case(11, "a space is no underscore", "edit notebook", "unknown"),
    ],
)
def test_a_recorded_name_finds_its_row(name, canonical):
    assert resolve(name, None).spec.canonical == canonical


@pytest.mark.parametrize(
    ("args", "canonical"),
    [
        case(9, "toolName web_search", {"toolName": "web_search"}, "webSearch"),
        case(9, "tool_name web_search", {"tool_name": "web_search"}, "webSearch"),
        case(9, "fetch_url", {"toolName": "fetch_url"}, "webFetch"),
        case(9, "git", {"toolName": "git"}, "mcp"),
        case(9, "no tool name", {}, "mcp"),
        case(9, "arguments that are no object", "web_search", "mcp"),
    ],
)
def test_an_mcp_call_may_be_a_web_tool(args, canonical):
    assert resolve("mcp", args).spec.canonical == canonical


def test_case_9_only_an_mcp_call_is_looked_into():
    assert resolve("read", {"toolName": "web_search"}).spec.canonical == "read"


def test_case_10_semantic_search_is_no_web_kind():
    assert web_kind("semSearch") is None


def test_case_6_a_name_with_nothing_in_it_is_shown_as_unknown():
    assert [resolve(name, None).name for name in ("", "  ")] == ["unknown", "unknown"]


def test_case_7_the_name_is_shown_with_its_white_space_collapsed():
    assert resolve("  Web  Search ", None).name == "Web Search"


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        row(
            12,
            "constructor",
            "constructor",
            {},
            ok({}),
            title="Cursor constructor",
            source="constructor",
            details={"source_tool_name": "unregisteredActivity"},
        ),
        row(
            12,
            "toString",
            "toString",
            {},
            ok({}),
            title="Cursor toString",
            details={"source_tool_name": "unregisteredActivity"},
        ),
        row(15, "130 characters", "x" * 130, {}, ok({}), title="Cursor " + "x" * 119 + "…"),
        row(16, "a newline", "foo\nbar", {}, ok({}), title="Cursor foo bar"),
    ],
)
def test_an_unknown_name_makes_a_neutral_card(name, args, outcome, expected):
    check_card(name, args, outcome, expected)


def test_case_13_all_18_canonical_names_stand_in_the_registry_once():
    names = [spec.canonical for spec in TOOLS]
    assert {spec.canonical for spec in REFERENCE} == {
        "read", "grep", "glob", "ls", "shell", "edit", "write", "delete", "readLints",
        "updateTodos", "createPlan", "task", "generateImage", "mcp", "semSearch", "recordScreen",
        "webSearch", "webFetch",
    }  # fmt: skip
    assert len(REFERENCE) == 18
    assert [names.count(spec.canonical) for spec in REFERENCE] == [1] * 18


def test_case_13_every_row_can_be_displayed():
    assert [spec.canonical for spec in TOOLS if not spec.title.startswith("Cursor ")] == []


def test_case_14_no_cursor_tool_is_left_out():
    """Offline there is no bridge to exclude ``cursor`` from: it is simply no tool's name."""
    assert resolve("cursor", None).spec is UNKNOWN
    old_names = ("bash", "edit", "write", "read_file", "edit_file", "list_dir", "run_terminal_cmd")
    assert [name for name in old_names if name not in INDEX] == []


@pytest.mark.parametrize(
    ("call", "name"),
    [
        case(17, "name first", {"name": "read", "type": "ls", "toolName": "grep"}, "read"),
        case(17, "type without a name", {"type": "ls", "toolName": "grep"}, "ls"),
        case(17, "toolName when both are absent", {"toolName": "grep"}, "grep"),
        case(17, "a name of the wrong type", {"name": 5, "toolName": "grep"}, "grep"),
        case(17, "nothing", {}, "unknown"),
    ],
)
def test_a_call_is_named_by_the_first_field_that_says_so(call, name):
    assert _update(call).name == name


@pytest.mark.parametrize(
    ("call", "args"),
    [
        case(18, "args", {"type": "read", "args": {"path": "a"}, "input": {"path": "b"}}, "a"),
        case(18, "input when args is absent", {"type": "read", "input": {"path": "b"}}, "b"),
    ],
)
def test_arguments_may_stand_under_input(call, args):
    assert _update(call).args == {"path": args}


def test_case_19_a_null_call_is_an_unknown_tool_without_arguments():
    event = _update(None)
    draft = card(event.name, event.args)
    assert draft.transcript == "Cursor tool\n"
    assert draft.title == "Cursor tool"
    assert draft.summary == "tool"
    assert draft.details.summary == "tool"


def test_case_19_the_arguments_of_a_null_call_are_the_title_alone():
    assert card("unknown").arguments == {"activityTitle": "Cursor tool"}


def test_an_unknown_tool_that_failed_is_named_by_its_title_alone():
    assert card("mystery", {}, err("no")).arguments == {"activityTitle": "Cursor mystery"}


def test_an_unknown_tool_keeps_its_raw_name_as_the_source():
    assert source_of("Some  Tool") == "Some Tool"


def test_every_number_from_1_to_19_is_here():
    assert numbers_in(globals()) == set(range(1, 20))


def _update(call) -> CallStarted:
    record = sdk_updates.RECORD.validate_python(
        {"type": "tool-call-started", "callId": "c1", "toolCall": call}
    )
    (event,) = sdk_updates.Decoder().feed(record, at())
    return event
