from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from render_cards import card, numbered

from cursor_replay.items import (
    UNKNOWN_OUTCOME,
    Activity,
    Evidence,
    GenerateImage,
    GenericFallback,
    NativeEdit,
    NativeWrite,
    Origin,
    Timing,
)
from cursor_replay.render.diffs import DiffLine
from cursor_replay.render.limits import Fold
from cursor_replay.render.views import (
    CodeBlock,
    DiffBlock,
    ImageBlock,
    Span,
    TextBlock,
    view,
)

DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b"
DIFF_LINES = (DiffLine("removed", 1, "a"), DiffLine("added", 1, "b"))


@pytest.mark.parametrize(
    ("tool", "arguments", "title"),
    [
        ("read", {"path": "a.py"}, "read a.py"),
        ("read", {"path": "a.py", "offset": 10, "limit": 30}, "read a.py:10-39"),
        ("read", {"path": "a.py", "offset": 10}, "read a.py:10"),
        ("read", {"path": "a.py", "limit": 5}, "read a.py:1-5"),
        ("read", {}, "read ..."),
        ("read", {"path": 3, "offset": "x", "limit": True}, "read [invalid arg]"),
        ("bash", {"command": "ls -l", "timeout": 30}, "$ ls -l (timeout 30s)"),
        ("bash", {"command": "a\nb", "timeout": 0.5}, "$ a\nb (timeout 0.5s)"),
        ("bash", {"command": ["ls"]}, "$ [invalid arg]"),
        ("bash", {}, "$ ..."),
        (
            "grep",
            {"pattern": "x", "path": "src", "glob": "*.py", "limit": 100},
            "grep /x/ in src (*.py) limit 100",
        ),
        ("grep", {"pattern": "x"}, "grep /x/ in ."),
        ("find", {"pattern": "*", "path": "~", "limit": 5}, "find * in ~ (limit 5)"),
        ("ls", {"limit": 3}, "ls . (limit 3)"),
        ("ls", {"path": "src\nlib"}, "ls src lib"),
        ("edit", {"path": "a.py"}, "edit a.py"),
        ("edit", {}, "edit ..."),
        pytest.param("write", {"content": "x\ny\n"}, "write ... (2 lines)", id="case 169: two"),
        pytest.param("write", {"content": "hello\n"}, "write ... (1 line)", id="case 169: one"),
        pytest.param("write", {"content": "\n"}, "write ... (0 lines)", id="case 169: none"),
        ("write", {"path": "a", "content": 5}, "write a"),
    ],
)
def test_the_head_of_a_native_card_is_worded_as_pi_does(tool, arguments, title):
    assert view(card(tool, arguments=arguments)).title == title


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("running", ("pending", "…", "running")),
        ("succeeded", ("success", "✓", "")),
        ("failed", ("error", "✗", "failed")),
        ("incomplete", ("error", "!", "did not complete")),
        ("unrecorded", ("pending", "○", "not recorded")),
    ],
)
def test_the_state_is_readable_without_colour(status, expected):
    drawn = view(card("ls", status))
    assert (drawn.state, drawn.mark, drawn.word) == expected


def test_a_successful_read_shows_nothing_until_expanded():
    drawn = view(card("read", text="x = 1\n", arguments={"path": "a.py"}))
    assert drawn.blocks == (CodeBlock(text="x = 1", path="a.py", fold=Fold(0, quiet=True)),)


def test_a_failed_read_shows_its_first_ten_lines():
    drawn = view(card("read", "failed", "ENOENT", arguments={"path": "a.py"}))
    assert drawn.blocks == (TextBlock(text="ENOENT", role="error", fold=Fold(10)),)


@pytest.mark.parametrize("tool", ["read", "bash", "grep", "find", "ls", "edit", "write", "cursor"])
def test_every_failed_card_shows_its_error_in_the_error_role(tool):
    assert [block.role for block in view(card(tool, "failed", "boom")).blocks] == ["error"]


def test_what_an_incomplete_card_left_is_output_and_no_error():
    assert view(card("read", "incomplete", "x = 1")).blocks[0].role == "output"


@pytest.mark.parametrize(
    ("tool", "fold"),
    [("bash", Fold(5, keep="tail")), ("grep", Fold(15)), ("find", Fold(20)), ("ls", Fold(20))],
)
def test_output_is_folded_as_in_pi(tool, fold):
    assert view(card(tool, text="out\n")).blocks == (TextBlock(text="out", fold=fold),)


def test_a_command_that_took_a_recorded_time_says_so():
    drawn = view(card("bash", text="ok", timing=Timing(duration_ms=4200)))
    assert drawn.blocks[-1] == TextBlock(text="Took 4.2s", role="muted")


def test_a_long_command_leaves_its_head_after_one_line():
    drawn = view(card("bash", arguments={"command": numbered(11)}))
    assert drawn.title == "$ line 1"
    rest = "\n".join(numbered(11).split("\n")[1:])
    assert drawn.blocks == (TextBlock(text=rest, role="command", fold=Fold(9)),)


def test_an_edit_shows_its_recorded_diff_whole():
    drawn = view(card("edit", details=NativeEdit(diff_string=DIFF), arguments={"path": "x"}))
    assert drawn.blocks == (DiffBlock(lines=DIFF_LINES, fold=Fold(None)),)


def test_an_edit_without_a_recorded_diff_shows_its_arguments():
    arguments = {"path": "x", "edits": [{"oldText": "a", "newText": "b"}]}
    lines = (DiffLine("removed", None, "a"), DiffLine("added", None, "b"))
    for status in ("succeeded", "unrecorded"):
        drawn = view(card("edit", status, arguments=arguments))
        assert drawn.blocks == (DiffBlock(lines=lines, fold=Fold(None)),)


def test_a_failed_edit_keeps_its_title_and_shows_its_message():
    # Case 167: upstream shows the title alone and loses the message; wanted are both.
    details = NativeEdit(path="a", diff_string=DIFF)
    drawn = view(card("edit", "failed", "no match", details=details, arguments={"path": "a"}))
    assert drawn.title == "edit a"
    assert drawn.blocks == (TextBlock(text="no match", role="error", fold=Fold(10)),)


@pytest.mark.parametrize(
    ("details", "summary"),
    [
        (NativeEdit(lines_added=1, lines_removed=2), " added 1 line, removed 2 lines"),
        (NativeEdit(lines_added=3, lines_removed=0), " added 3 lines"),
        (NativeEdit(diff="--- /dev/null\n+++ b/x", lines_added=2), " created 2 lines"),
        (NativeEdit(diff="--- a/x\n+++ /dev/null", lines_removed=1), " deleted 1 line"),
        (NativeEdit(summary="renamed"), " renamed"),
        # Upstream says "no changes needed" and "updated file" here; nothing of it was recorded.
        (NativeEdit(), ""),
        (NativeEdit(diff=DIFF), ""),
    ],
)
def test_case_168_an_edit_summary_says_only_what_was_counted(details, summary):
    drawn = view(card("edit", details=details, arguments={"path": "x"}))
    assert drawn.title == f"edit x{summary}"


def test_an_edit_of_which_nothing_was_recorded_says_so():
    assert view(card("edit")).blocks == (TextBlock(text="no diff recorded", role="muted"),)


def test_a_write_shows_its_content_argument_and_not_the_success_text():
    drawn = view(card("write", text="Wrote 2 bytes", arguments={"path": "a.py", "content": "x\n"}))
    assert drawn.blocks == (CodeBlock(text="x", path="a.py", fold=Fold(10, total=True)),)


def test_a_failed_write_shows_content_and_message():
    drawn = view(card("write", "failed", "EACCES", arguments={"content": "x"}))
    assert [block.text for block in drawn.blocks] == ["x", "EACCES"]
    assert drawn.blocks[-1].role == "error"


def test_a_write_without_a_content_argument_shows_the_recorded_file():
    drawn = view(card("write", details=NativeWrite(file_content_after_write="y\n")))
    assert drawn.blocks[0].text == "y"


@pytest.mark.parametrize("tool", ["read", "bash", "grep", "find", "ls", "cursor"])
def test_a_card_without_a_recorded_result_has_no_body(tool):
    assert view(card(tool, "unrecorded")).blocks == ()


@pytest.mark.parametrize("tool", ["read", "bash", "grep", "find", "ls", "cursor"])
def test_a_result_of_which_nobody_knows_how_it_went_is_shown(tool):
    drawn = view(card(tool, "unrecorded", "what came back", reason=UNKNOWN_OUTCOME))
    assert [block.text for block in drawn.blocks] == ["what came back"]
    assert (drawn.state, drawn.word) == ("pending", "not recorded")


def test_an_incomplete_card_names_its_target_and_its_reason():
    drawn = view(card("bash", "incomplete", reason="aborted", arguments={"command": "make"}))
    assert drawn.title == "$ make"
    assert drawn.blocks == (TextBlock(text="aborted", role="warning"),)


def test_an_incomplete_activity_says_everything_once():
    details = Activity(
        title="Cursor shell did not complete",
        summary="missing completion",
        expanded_text="Cursor shell did not complete\nmissing completion",
    )
    arguments = {"command": "make lint"}
    drawn = view(
        card(
            "cursor",
            "incomplete",
            details=details,
            arguments=arguments,
            reason="missing completion",
        )
    )
    assert drawn.title == "Cursor shell did not complete make lint missing completion"
    assert (drawn.word, drawn.blocks) == ("", ())


# -- Cursor activity --------------------------------------------------------------------------


def activity(source="mcp", **fields):
    fields = {"title": "Cursor thing", "summary": "sum", **fields}
    return card("cursor", details=Activity(source_tool_name=source, **fields))


def test_an_activity_is_headed_by_title_and_summary():
    assert view(activity()).head == (Span("Cursor thing", "title"), Span(" sum", "muted"))


@pytest.mark.parametrize(
    ("fields", "arguments", "head"),
    [
        ({"path": "a.py", "summary": "a.py"}, {}, [(" a.py", "accent")]),
        ({"summary": "a.py"}, {"path": "a.py"}, [(" a.py", "accent")]),
        (
            {"path": "a.py", "summary": "a.py · +1 -1"},
            {"path": "/w/a.py"},
            [(" a.py", "accent"), (" · +1 -1", "muted")],
        ),
        ({"path": "a", "summary": "added 1 line"}, {}, [(" added 1 line", "muted")]),
    ],
)
def test_the_path_that_an_activity_is_about_is_in_the_accent_role(fields, arguments, head):
    drawn = view(replace(activity("edit", **fields), arguments=arguments))
    assert drawn.head == (Span("Cursor thing", "title"), *[Span(*each) for each in head])


def test_an_incomplete_card_with_a_path_says_its_text_once():
    drawn = view(
        card(
            "cursor",
            "incomplete",
            details=Activity(title="Cursor edit", path="a.py", summary="a.py · aborted"),
            text="a.py · aborted",
            reason="a.py · aborted",
        )
    )
    assert (drawn.title, drawn.blocks) == ("Cursor edit a.py · aborted", ())


def test_case_171_a_card_without_any_title_is_cursor_activity():
    assert view(card("cursor")).title == "Cursor activity completed"


def test_a_card_whose_details_were_lost_is_titled_by_its_arguments():
    # An error result loses its details on the way through pi.
    arguments = {"activityTitle": "Cursor web search", "activitySummary": "pi docs"}
    drawn = view(card("cursor", "failed", "Search failed: offline", arguments=arguments))
    assert drawn.title == "Cursor web search pi docs"
    assert drawn.blocks == (TextBlock(text="Search failed: offline", role="error", fold=Fold(8)),)


def test_case_166_an_error_without_details_is_shown_whole():
    # Upstream shows the first line in red only, and its own phrase for an empty error.
    assert view(card("cursor", "failed", "a\nb")).blocks[0].text == "a\nb"
    assert view(card("cursor", "failed")).blocks[0].text == "no error text recorded"


def test_a_failed_activity_with_details_shows_its_error():
    drawn = view(replace(activity(expanded_text="head\n\nError: x"), status="failed"))
    assert drawn.title == "Cursor thing sum"
    assert drawn.blocks[0] == TextBlock(text="head\n\nError: x", role="error", fold=Fold(8, skip=2))


@pytest.mark.parametrize(
    ("text", "skip"),
    [
        ("head\n\nbody", 2),
        ("head\n\nbody\nmore", 2),
        ("head\nbody\nmore", 0),
        ("head\n\n", 0),
        ("only", 0),
    ],
)
def test_case_162_the_header_strip_needs_a_blank_second_line_and_a_body(text, skip):
    drawn = view(activity(expanded_text=text))
    assert drawn.blocks[0].fold == Fold(8, skip=skip)
    assert drawn.blocks[0].role == "muted"


def test_a_body_that_only_repeats_the_summary_waits_for_expand():
    drawn = view(activity(summary="docs · Found 1", expanded_text="docs\n\nFound 1"))
    assert drawn.blocks[0].fold == Fold(0, quiet=True)


def test_case_163_a_collapsed_task_is_its_summary_and_a_hint():
    assert view(activity("task", expanded_text=numbered(12))).blocks[0].fold == Fold(0)


def test_case_164_a_collapsed_web_card_is_its_summary_only():
    drawn = view(
        activity("webSearch", expanded_text="web search x\n\nhit", collapse_details_by_default=True)
    )
    assert drawn.blocks == (
        TextBlock(text="web search x\n\nhit", role="muted", fold=Fold(0, quiet=True)),
    )


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param(
            {"diff_string": DIFF, "expanded_text": "+9 9\n\nno"}, id="case 151: diffString"
        ),
        pytest.param({"diff": DIFF}, id="diff"),
        pytest.param({"expanded_text": f"+1 -1\n\n{DIFF}"}, id="case 149: text only"),
        pytest.param({"expanded_text": numbered(12) + "\n" + DIFF}, id="case 150: preamble"),
    ],
)
def test_an_edit_activity_previews_its_diff(fields):
    assert view(activity("edit", **fields)).blocks == (DiffBlock(lines=DIFF_LINES, fold=Fold(8)),)


def test_an_edit_activity_without_a_diff_previews_its_text():
    assert view(activity("edit", expanded_text="a\nb")).blocks == (
        TextBlock(text="a\nb", role="muted", fold=Fold(8)),
    )


def test_case_152_a_write_activity_prefers_its_diff():
    drawn = view(activity("write", diff=DIFF, file_content_after_write="b"))
    assert drawn.blocks == (DiffBlock(lines=DIFF_LINES, fold=Fold(8)),)


def test_case_153_a_write_activity_shows_the_file_without_a_preamble():
    drawn = view(
        activity("write", path="a.py", file_content_after_write="b\n", expanded_text="Created\n\nb")
    )
    assert drawn.blocks == (CodeBlock(text="b", path="a.py", fold=Fold(8)),)


def test_case_172_an_image_is_its_path_and_type():
    details = GenerateImage(
        image_path="/w/a.png",
        image_display_path="a.png",
        image_mime_type="image/png",
        summary="a.png",
    )
    drawn = view(card("cursor", details=details))
    assert drawn.title == "Cursor image generation a.png"
    assert drawn.blocks == (ImageBlock(path="a.png", mime="image/png"),)


def test_a_generic_fallback_is_text_only():
    drawn = view(card("cursor", details=GenericFallback(expanded_text="a\nb"), title="Cursor x"))
    assert drawn.title == "Cursor x"
    assert drawn.blocks == (TextBlock(text="a\nb", role="muted", fold=Fold(8)),)


def test_a_one_line_result_is_the_summary_and_not_repeated():
    drawn = view(card("cursor", text="done", title="Cursor x"))
    assert (drawn.title, drawn.blocks) == ("Cursor x done", ())


def test_a_query_over_folders_counts_them():
    arguments = {"query": "main", "targetDirectories": ["a", "b"]}
    drawn = view(card("cursor", text="x\ny", title="T", arguments=arguments))
    assert drawn.title == "T main (2 dirs)"


def test_cards_165_and_170_a_running_card_has_its_head_and_no_claim():
    # Upstream prints a phrase of its own, or nothing at all; the mark says it here.
    drawn = view(card("cursor", "running", title="Cursor x"))
    assert (drawn.title, drawn.word, drawn.blocks) == ("Cursor x", "running", ())


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
NAMES = st.sampled_from(
    [
        "path",
        "command",
        "edits",
        "content",
        "offset",
        "limit",
        "pattern",
        "query",
        "timeout",
        "glob",
    ]
)
TOOLS = st.sampled_from(["read", "bash", "edit", "write", "grep", "find", "ls", "cursor", "other"])
STATUS = st.sampled_from(["running", "succeeded", "failed", "incomplete", "unrecorded"])


@given(TOOLS, STATUS, st.text(), st.dictionaries(NAMES, JSON))
def test_any_arguments_are_drawn(tool, status, text, arguments):
    drawn = view(card(tool, status, text, arguments=arguments, reason=text or None))
    assert drawn.title.strip()
    assert "\n" not in drawn.title
    assert drawn.mark
    assert (drawn.state == "success") == (status == "succeeded")


def test_an_outcome_that_another_store_tells_is_said_on_the_card() -> None:
    origin = Origin(store="chat-store", evidence=Evidence(file="store.db", line=3))
    blocks = view(card("bash", text="ok", outcome_from=origin)).blocks
    assert blocks[-1] == TextBlock(text="from chat-store", role="muted")
