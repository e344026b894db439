from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from render_cards import AT, card, numbered

from cursor_replay.items import (
    Activity,
    Answer,
    ContextPart,
    Evidence,
    GenerateImage,
    NativeEdit,
    Notice,
    Prompt,
    Sealed,
    Session,
    Thought,
    Time,
    TurnEnd,
)
from cursor_replay.render.text import TextRenderer


def text(item, **options):
    return TextRenderer(**options).render(Sealed(item))


@pytest.mark.parametrize(
    ("status", "label"),
    [
        ("succeeded", "[ok]"),
        ("failed", "[failed]"),
        ("incomplete", "[incomplete]"),
        ("running", "[running]"),
        ("unrecorded", "[not recorded]"),
    ],
)
def test_every_status_has_its_label(status, label):
    assert text(card("read", status, arguments={"path": "a.py"})) == f"{label} read a.py\n\n"


def test_a_body_is_indented_and_folded_as_in_the_terminal():
    assert text(card("bash", text=numbered(7), arguments={"command": "x"})) == (
        "[ok] $ x\n"
        "    ... (2 earlier lines, --expand to show)\n"
        "    line 3\n    line 4\n    line 5\n    line 6\n    line 7\n\n"
    )


def test_expanding_shows_everything():
    item = card("grep", text=numbered(20), arguments={"pattern": "x"})
    assert text(item).endswith("    line 15\n    ... (5 more lines, --expand to show)\n\n")
    assert text(item, expand=True).endswith("    line 20\n\n")


def test_a_command_of_several_lines_goes_on_indented():
    assert text(card("bash", arguments={"command": "a\nb"})) == "[ok] $ a\n    b\n\n"


def test_a_diff_has_signs_and_numbers():
    diff = "@@ -9,2 +9,2 @@\n ctx\n-a\n+b"
    out = text(card("edit", details=NativeEdit(diff=diff), arguments={"path": "x"}))
    assert out == "[ok] edit x\n      9 ctx\n    -10 a\n    +10 b\n\n"


def test_an_image_is_its_path():
    details = GenerateImage(image_path="a.png", image_mime_type="image/png", summary="a.png")
    assert text(card("cursor", details=details)) == (
        "[ok] Cursor image generation a.png\n    [image: a.png (image/png)]\n\n"
    )


def test_an_activity_is_previewed():
    item = card("cursor", details=Activity(title="T", summary="s", expanded_text="T s\n\nbody"))
    assert text(item) == "[ok] T s\n    body\n\n"


def test_nested_items_hang_on_a_rail():
    assert text(card("ls", text="a\n\nb", parent="p")) == "| [ok] ls .\n|     a\n|\n|     b\n\n"


def test_a_prompt_is_quoted_under_its_author():
    item = Prompt(
        text="do\n\nit", turn=1, evidence=AT, context=(ContextPart(tag="files", text="a\nb"),)
    )
    assert text(item) == "User:\n> do\n>\n> it\ncontext: files (2 lines)\n\n"
    assert text(item, expand=True).endswith("    files:\n        a\n        b\n\n")


def test_an_answer_stays_as_recorded():
    assert text(Answer(text="# H\n\n**b**", turn=1, evidence=AT)) == "# H\n\n**b**\n\n"


def test_thoughts_have_their_own_mark():
    assert text(Thought(text="hm\nso", turn=1, evidence=AT)) == "~ hm\n~ so\n\n"
    assert text(Thought(text="", removed=True, turn=1, evidence=AT)) == ("~ thinking removed\n\n")


def test_thinking_removed_again_with_nothing_between_prints_nothing_more():
    drawn = TextRenderer()
    gone = Sealed(Thought(text="", removed=True, turn=1, evidence=AT))
    assert [drawn.render(gone) for _ in range(3)] == ["~ thinking removed\n\n", "", ""]
    assert drawn.render(Sealed(Answer(text="so", turn=1, evidence=AT)))
    assert drawn.render(gone)


def test_a_label_is_not_said_again_by_its_title():
    details = Activity(title="Cursor shell did not complete", summary="aborted")
    item = card("cursor", "incomplete", details=details, arguments={"command": "make"})
    assert text(item) == "[incomplete] Cursor shell make aborted\n\n"


def test_a_command_is_whole_whatever_it_says():
    item = card("bash", "incomplete", arguments={"command": "echo it did not complete"})
    assert text(item) == "[incomplete] $ echo it did not complete\n\n"


def test_a_prompt_without_text_says_so_or_shows_its_context_alone():
    bare = Prompt(text="", turn=1, evidence=AT)
    assert text(bare) == "User:\n(empty)\n\n"
    context = (ContextPart(tag="files", text="a"),)
    assert text(replace(bare, context=context)) == "User:\ncontext: files (1 line)\n\n"


def test_a_prompt_has_its_time_as_people_write_it():
    item = Prompt(text="x", turn=1, time=Time(at="2026-06-02T03:20:00.000Z"), evidence=AT)
    assert text(item) == "User · 2026-06-02 03:20 UTC:\n> x\n\n"


def test_a_header_strip_that_repeats_the_head_is_left_out_when_expanded_too():
    details = Activity(title="Cursor delete", summary="a.csv", expanded_text="delete a.csv\n\nx\ny")
    item = card("cursor", details=details)
    assert text(item, expand=True) == "[ok] Cursor delete a.csv\n    x\n    y\n\n"


def test_the_run_itself_is_told_in_single_lines():
    assert text(Session(format="sdk", file="a", title="T", scrubbed=False)) == (
        "== T · sdk · a\nNOT SCRUBBED: secrets are shown as recorded\n\n"
    )
    assert text(Notice(code="c", message="odd", level="info", evidence=AT)) == (
        "note: odd (line 3)\n\n"
    )
    assert text(TurnEnd(status="finished", turn=1, evidence=AT)) == "-- turn 1 finished\n\n"


@given(
    st.text(),
    st.sampled_from(["read", "bash", "grep", "edit", "write", "cursor"]),
    st.booleans(),
)
def test_no_text_brings_an_escape_code_or_an_unwritable_character(content, tool, expand):
    item = card(
        tool,
        text=content,
        arguments={"path": content, "command": content, "content": content},
        details=Activity(title="t", expanded_text=content, diff=content),
    )
    for other in (item, Answer(text=content, turn=1, evidence=AT)):
        out = text(other, expand=expand)
        assert "\x1b" not in out
        assert out == "" or out.endswith("\n\n")
        out.encode()


def test_a_notice_about_a_sub_agent_stands_under_its_task() -> None:
    at = Evidence(file="c1.jsonl", line=2)
    notice = Notice(code="x", level="info", message="odd", parent="card-1", evidence=at)
    assert TextRenderer().render(Sealed(notice)).startswith("| note: odd")
