import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from render_cards import AT, card, numbered, sealed
from rich.cells import cell_len
from rich.text import Text

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
    Usage,
)
from cursor_replay.render import themes
from cursor_replay.render.terminal import TerminalRenderer

SGR = re.compile(r"\x1b\[[0-9;]*m")
DIFF = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n ctx\n-one two\n+one 2\n"


def plain(item, width=60, **options):
    return TerminalRenderer(width, depth="none", **options).render(Sealed(item))


def removed(parent=None, text=""):
    return Thought(text=text, removed=True, turn=1, evidence=AT, parent=parent)


def test_a_card_is_a_full_width_block_on_the_background_of_its_state():
    out = TerminalRenderer(20).render(sealed("ls", text="a.py", arguments={"path": "src"}))
    blank = "\x1b[48;2;37;65;49m" + " " * 20 + "\x1b[0m"
    head = (
        "\x1b[48;2;37;65;49m \x1b[38;2;104;183;141m✓ "
        "\x1b[0m\x1b[48;2;37;65;49m\x1b[1;38;2;222;224;225mls "
        "\x1b[0m\x1b[48;2;37;65;49m\x1b[38;2;167;152;215msrc"
        "\x1b[0m\x1b[48;2;37;65;49m" + " " * 11 + "\x1b[0m"
    )
    body = "\x1b[48;2;37;65;49m\x1b[38;2;157;165;169m a.py" + " " * 15 + "\x1b[0m"
    assert out.split("\n") == [blank, head, blank, body, blank, "", ""]


@pytest.mark.parametrize(
    ("status", "background"),
    [
        ("succeeded", "48;2;37;65;49"),
        ("failed", "48;2;91;40;42"),
        ("incomplete", "48;2;91;40;42"),
        ("running", "48;2;52;56;58"),
        ("unrecorded", "48;2;52;56;58"),
    ],
)
def test_the_background_follows_the_state(status, background):
    assert TerminalRenderer(20).render(sealed("ls", status)).startswith(f"\x1b[{background}m")


def test_without_colour_there_is_no_escape_code_and_the_state_is_in_words():
    assert plain(card("bash", "failed", "boom", arguments={"command": "exit 3"})) == (
        " ✗ $ exit 3 · failed\n\n   boom\n\n"
    )


def test_a_long_output_shows_its_end_with_the_hint_on_top():
    assert plain(card("bash", text=numbered(7), arguments={"command": "x"})) == (
        " ✓ $ x\n\n"
        "   ... (2 earlier lines, --expand to show)\n"
        "   line 3\n   line 4\n   line 5\n   line 6\n   line 7\n\n"
    )


def test_expanding_shows_every_line_and_no_hint():
    out = plain(card("bash", text=numbered(7), arguments={"command": "x"}), expand=True)
    assert out == " ✓ $ x\n\n" + "".join(f"   line {n}\n" for n in range(1, 8)) + "\n"


def test_a_read_shows_its_text_only_when_expanded():
    item = card("read", text="x = 1", arguments={"path": "a.py"})
    assert plain(item) == " ✓ read a.py\n\n"
    assert plain(item, expand=True) == " ✓ read a.py\n\n   x = 1\n\n"


def test_file_content_is_highlighted_by_its_name():
    out = TerminalRenderer(30).render(
        sealed("write", arguments={"path": "a.py", "content": "import os"})
    )
    assert "\x1b[38;2;105;173;208mimport" in out


def test_a_diff_is_drawn_with_signs_and_numbers():
    out = plain(card("edit", details=NativeEdit(diff_string=DIFF), arguments={"path": "x"}))
    assert out == " ✓ edit x\n\n    1 ctx\n   -2 one two\n   +2 one 2\n\n"


def test_words_that_differ_are_in_reverse_video():
    out = TerminalRenderer(30).render(sealed("edit", details=NativeEdit(diff_string=DIFF)))
    assert "\x1b[38;2;234;127;129m\x1b[7mtwo" in out
    assert "\x1b[38;2;104;183;141m\x1b[7m2" in out


def test_case_160_a_tab_is_three_spaces():
    diff = "@@ -1 +1,2 @@\n \tctx\n+\tx"
    out = plain(card("edit", details=NativeEdit(diff_string=diff), arguments={"path": "x"}))
    assert "    1    ctx\n   +2    x\n" in out


def test_case_148_a_diff_activity_of_sixty_lines_says_how_many_are_hidden():
    # Upstream stops an expanded native diff at forty lines; ours is whole when expanded.
    diff = "@@ -0,0 +1,60 @@\n" + "\n".join(f"+{n}" for n in range(60))
    item = card("cursor", details=Activity(title="T", source_tool_name="edit", diff=diff))
    assert "... (52 more lines, --expand to show)" in plain(item)
    assert "more lines" not in plain(item, expand=True)
    assert "+60 59\n" in plain(item, expand=True)


def test_cases_146_and_147_one_huge_line_is_bounded_and_says_so():
    item = card(
        "cursor",
        details=Activity(title="T", source_tool_name="write", file_content_after_write="x" * 9000),
    )
    assert len(plain(item)) < 480
    assert "... (8761 more characters, --expand to show)" in plain(item)


def test_case_161_a_preview_of_twelve_lines_shows_eight():
    # Upstream also counts the characters of the lines it hides; the number of lines is enough.
    item = card("cursor", details=Activity(title="T", expanded_text=numbered(12, "l")))
    assert plain(item).endswith("   l 8\n   ... (4 more lines, --expand to show)\n\n")


def test_a_header_strip_is_left_out_while_collapsed():
    item = card("cursor", details=Activity(title="T", summary="s", expanded_text="T s\n\nbody"))
    assert plain(item) == " ✓ T s\n\n   body\n\n"


def test_a_header_strip_that_repeats_the_head_is_left_out_when_expanded_too():
    for title, summary, header in [
        ("Cursor web search", "sample", "web search sample"),
        ("Cursor delete", "old.csv · gone", "delete old.csv"),
    ]:
        text = f"{header}\n\nfirst\nsecond"
        details = Activity(title=title, summary=summary, expanded_text=text)
        quiet = replace(details, collapse_details_by_default=True)
        for each in (details, quiet):
            shown = plain(card("cursor", details=each), expand=True)
            assert shown == f" ✓ {title} {summary}\n\n   first\n   second\n\n"


def test_a_first_line_that_says_something_new_is_there_when_expanded():
    details = Activity(title="Cursor MCP", summary="add", expanded_text="5 tides\n\nbody")
    assert "5 tides" in plain(card("cursor", details=details), expand=True)


def test_an_image_is_text():
    item = card("cursor", details=GenerateImage(image_path="a.png", image_mime_type="image/png"))
    assert "[image: a.png (image/png)]" in plain(item)


def test_nested_items_hang_on_a_rail():
    assert plain(card("ls", text="a", parent="c0")) == "│  ✓ ls .\n│ \n│    a\n\n"


def test_the_rail_ends_with_its_content_and_an_empty_line_follows():
    assert plain(Answer(text="hi", turn=1, evidence=AT, parent="c0")) == "│  hi\n\n"


def test_a_prompt_names_its_author_and_folds_its_context():
    item = Prompt(
        text="do it",
        turn=1,
        time=Time(at="2026-07-20T09:15:02.413Z"),
        evidence=AT,
        context=(ContextPart(tag="files", text="a\nb\n"), ContextPart(tag="tabs", text="t")),
    )
    assert plain(item) == (
        " User · 2026-07-20 09:15:02 UTC\n do it\n\n context: files (2 lines), tabs (1 line)\n\n"
    )
    assert plain(item, expand=True).endswith(" files:\n a\n b\n tabs:\n t\n\n")


def test_a_prompt_nobody_typed_says_so():
    item = Prompt(text="x", author="cursor", turn=1, evidence=AT)
    assert plain(item) == " Cursor, not typed by a human\n x\n\n"


def test_removed_thinking_is_named():
    assert plain(Thought(text="", removed=True, turn=1, evidence=AT)) == (" ~ thinking removed\n\n")
    out = TerminalRenderer(40).render(Sealed(removed()))
    assert out == "\x1b[3;38;2;126;136;142m thinking removed\x1b[0m\n\n"


def test_thinking_removed_again_with_nothing_between_prints_nothing_more():
    drawn = TerminalRenderer(40, depth="none")
    out = [drawn.render(Sealed(removed(parent))) for parent in (None, None, "c0", "c0", None)]
    assert [bool(each) for each in out] == [True, False, True, False, True]
    assert drawn.render(Sealed(removed(text="hm"))) == " ~ hm\n ~ thinking removed\n\n"
    assert drawn.render(sealed("ls"))
    assert drawn.render(Sealed(removed()))


def test_a_title_in_a_thought_is_bold_without_its_stars():
    item = Thought(text="**Find it**\n\nI look **here**\n**a** b **c**", turn=1, evidence=AT)
    assert plain(item) == " ~ Find it\n ~\n ~ I look **here**\n ~ **a** b **c**\n\n"
    lines = TerminalRenderer(40).render(Sealed(item)).split("\n")
    assert lines[0] == "\x1b[1;3;38;2;150;160;164m Find it\x1b[0m"
    assert lines[1] == ""


def test_without_colour_a_long_thought_goes_on_under_its_text():
    item = Thought(text="one two three", turn=1, evidence=AT)
    assert plain(item, width=13) == " ~ one two\n   three\n\n"


def test_a_prompt_without_text_says_so_or_shows_its_context_alone():
    bare = Prompt(text="\n", turn=1, evidence=AT)
    assert plain(bare) == " User\n (empty)\n\n"
    assert "38;2;157;165;169m (empty)" in TerminalRenderer(40).render(Sealed(bare))
    context = (ContextPart(tag="files", text="a"),)
    assert plain(replace(bare, context=context)) == " User\n context: files (1 line)\n\n"


@pytest.mark.parametrize(
    ("at", "shown"),
    [
        ("2026-06-02T03:20:00.000Z", "2026-06-02 03:20 UTC"),
        ("2026-06-02T03:20:07.900Z", "2026-06-02 03:20:07 UTC"),
        ("some day", "some day"),
    ],
)
def test_a_prompt_has_its_time_as_people_write_it(at, shown):
    item = Prompt(text="x", turn=1, time=Time(at=at), evidence=AT)
    assert plain(item) == f" User · {shown}\n x\n\n"


@pytest.mark.parametrize("width", range(20, 46))
def test_a_state_is_never_broken_across_lines(width):
    item = card("read", "unrecorded", arguments={"path": "src/tides/harbour table.py"})
    assert any("· not recorded" in line for line in plain(item, width).split("\n"))


def test_a_head_that_is_wrapped_goes_on_under_its_text():
    item = card("bash", "failed", arguments={"command": "make lint test"})
    assert plain(item, 15) == " ✗ $ make lint\n   test\n   · failed\n\n"


def test_a_diff_line_that_is_wrapped_goes_on_under_its_text():
    diff = "@@ -9,2 +9,3 @@\n ctx ctx ctx\n-old old old\n+new new new\n+日本語 日本語"
    out = plain(card("edit", details=NativeEdit(diff=diff), arguments={"path": "x"}), 17)
    assert out == (
        " ✓ edit x\n\n     9 ctx ctx\n       ctx\n   -10 old old\n       old\n"
        "   +10 new new\n       new\n   +11 日本語\n       日本語\n\n"
    )


def test_a_changed_line_that_is_wrapped_goes_on_under_its_text():
    edits = [{"oldText": "one two three", "newText": "one two four"}]
    out = plain(card("edit", arguments={"path": "x", "edits": edits}), 14)
    assert out == " ✓ edit x\n\n   - one two\n     three\n   + one two\n     four\n\n"


def test_a_diff_line_of_one_long_word_is_not_torn_off_its_number():
    diff = "@@ -1 +1 @@\n+" + "x" * 20
    out = plain(card("edit", details=NativeEdit(diff=diff), arguments={"path": "x"}), 20)
    assert "   +1 " + "x" * 13 + "\n      " + "x" * 7 + "\n" in out


def test_with_sixteen_colours_added_lines_are_bold_and_removed_ones_plain():
    edit = sealed("edit", details=NativeEdit(diff="-gone\n-too\n+new\n+lines"))
    out = TerminalRenderer(20, depth="16").render(edit)
    assert "\x1b[30;42m\x1b[1m +1 new" in out
    assert "\x1b[30;42m -1 gone" in out


def test_a_session_head_is_one_line_and_a_revision_shows_what_is_new():
    renderer = TerminalRenderer(60, depth="none")
    head = Session(format="sdk", file="a.jsonl", model="m")
    assert renderer.render(Sealed(head)) == " sdk · a.jsonl · m\n\n"
    later = Session(format="sdk", file="a.jsonl", model="m", title="Fix it", revision=1)
    assert renderer.render(Sealed(later)) == " Fix it\n\n"
    assert renderer.render(Sealed(later)) == ""


def test_an_unscrubbed_session_warns():
    assert "NOT SCRUBBED" in plain(Session(format="sdk", file="a", scrubbed=False))


def test_a_notice_has_its_place_and_its_count():
    item = Notice(code="c", message="odd", count=3, evidence=Evidence(file="a", line=4, end_line=9))
    assert plain(item) == " warning: odd (lines 4-9, 3 times)\n\n"


def test_a_count_that_the_message_has_already_is_not_said_twice():
    assert plain(Notice(code="c", message="1,200 lost", count=1200, evidence=AT)) == (
        " warning: 1,200 lost (line 3)\n\n"
    )
    assert plain(Notice(code="c", message="odd", count=2)) == " warning: odd (2 times)\n\n"
    spread = Evidence(file="a", line=4, end_line=9)
    assert plain(Notice(code="c", message="3 lost", count=3, evidence=spread)) == (
        " warning: 3 lost (lines 4-9, 3 times)\n\n"
    )


def test_a_sum_of_losses_is_its_message_alone():
    item = Notice(code="losses", message="parts were cut", count=5, evidence=AT)
    assert plain(item) == " warning: parts were cut\n\n"


def test_a_turn_end_has_status_usage_and_duration():
    item = TurnEnd(
        status="finished",
        turn=2,
        usage=Usage(input_tokens=8120, output_tokens=0),
        duration_ms=4200,
        evidence=AT,
    )
    assert plain(item) == " turn 2 finished · 8,120 in, 0 out · 4.2s\n\n"


def test_a_bad_turn_end_is_in_the_error_colour():
    item = TurnEnd(status="error", reason="gone", turn=2, evidence=AT)
    assert "\x1b[38;2;234;127;129m turn 2 error · gone" in TerminalRenderer(40).render(Sealed(item))


@pytest.mark.parametrize(
    ("status", "bad"),
    [("success", False), ("finished", False), ("unknown", False), ("interrupted", True)],
)
def test_only_a_word_for_a_good_end_is_not_in_the_error_colour(status, bad):
    item = TurnEnd(status=status, turn=2, evidence=AT)
    drawn = TerminalRenderer(40).render(Sealed(item))
    assert (f"\x1b[38;2;234;127;129m turn 2 {status}" in drawn) == bad


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("a `b` **c**\nd", " a b c d\n\n"),
        ("# H\n\ntext", " H\n\n text\n\n"),
        ("- a\n- b\n\n  more\n\nend", "  • a\n  • b\n    more\n\n end\n\n"),
        ("[t](https://x.y)", " t (https://x.y)\n\n"),
        ("![alt](a.png)", " [image: alt] (a.png)\n\n"),
        ("```py\nx = 1\n\ny\n```", " ```py\n   x = 1\n\n   y\n ```\n\n"),
        ("```\nnever closed", " ```\n   never closed\n ```\n\n"),
        ("- a\n\n  ```sh\n  ls\n  ```", "  • a\n    ```sh\n      ls\n    ```\n\n"),
        ("Vec<T> and <b>x</b>", " Vec<T> and <b>x</b>\n\n"),
        ("- Vec<T>", "  • Vec<T>\n\n"),
        ("snake_case_name and 2 < 3 & 4", " snake_case_name and 2 < 3 & 4\n\n"),
        ("see [a]\n\n[a]: http://b", " see a (http://b)\n\n"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "  a  b\n  ────\n  1  2\n\n"),
        ("<details>\nkept\n</details>", " <details> kept </details>\n\n"),
        ("- x\n\n  <p>\n  kept", "  • x\n    ```html\n      <p>\n      kept\n    ```\n\n"),
        ("- " + "x " * 26_000, None),
        ("", ""),
    ],
)
def test_markdown_is_drawn_without_losing_text(markdown, expected):
    out = plain(Answer(text=markdown, turn=1, evidence=AT))
    assert out == expected if expected is not None else out.count("x") == markdown.count("x")


def test_ansi_output_is_read_back_by_rich():
    out = TerminalRenderer(40).render(sealed("ls", text="a.py"))
    assert Text.from_ansi(out).plain.split("\n")[1].rstrip() == " ✓ ls ."


@pytest.mark.parametrize(
    ("status", "codes"),
    [("succeeded", "30;42"), ("failed", "97;41"), ("unrecorded", "97;100")],
)
def test_with_sixteen_colours_the_background_brings_a_readable_foreground(status, codes):
    out = TerminalRenderer(20, depth="16").render(sealed("ls", status, "a"))
    assert set(SGR.findall(out)) == {f"\x1b[{codes}m", "\x1b[0m"}


def test_256_colours_are_downgraded():
    assert "\x1b[48;5;" in TerminalRenderer(40, depth="256").render(sealed("ls", text="a"))


# -- properties -------------------------------------------------------------------------------

TEXT = st.text(max_size=200) | st.text("ab 日é👩\u200d💻❤\ufe0f\t\n`*_#-|>1.[]()<&\\", max_size=200)


def make(kind, text):
    items = {
        "answer": lambda: Answer(text=text, turn=1, evidence=AT),
        "nested": lambda: card("grep", text=text, arguments={"pattern": text}, parent="p"),
        "prompt": lambda: Prompt(text=text, turn=1, evidence=AT),
        "thought": lambda: Thought(text=text, turn=1, evidence=AT),
        "bash": lambda: card("bash", text=text, arguments={"command": text}),
        "write": lambda: card("write", arguments={"path": "a.py", "content": text}),
        "edit": lambda: card("edit", details=NativeEdit(diff=text), arguments={"path": text}),
        "activity": lambda: card("cursor", details=Activity(title=text or "t", expanded_text=text)),
        "notice": lambda: Notice(code="c", message=text),
        "session": lambda: Session(format="f", file=text, title=text),
    }
    return items[kind]()


KINDS = [
    "answer", "nested", "prompt", "thought", "bash", "write", "edit", "activity", "notice", "session"
]  # fmt: skip


@given(st.sampled_from(KINDS), TEXT, st.integers(8, 130), st.booleans())
def test_no_line_is_wider_than_the_terminal(kind, text, width, expand):
    item = Sealed(make(kind, text))
    for depth in ("truecolor", "none"):
        out = TerminalRenderer(width, depth=depth, expand=expand).render(item)
        bare = SGR.sub("", out)
        assert "\x1b" not in bare
        assert all(cell_len(line) <= width for line in bare.split("\n"))
        out.encode()
        assert depth != "none" or bare == out


@given(st.text("ab `*#-1.\n>[]()<&_~=", max_size=60))
def test_an_answer_never_loses_a_letter(text):
    bare = plain(Answer(text=text, turn=1, evidence=AT), width=200)
    assert (bare.count("a"), bare.count("b")) == (text.count("a"), text.count("b"))


def test_a_renderer_follows_the_width_of_its_terminal():
    drawn = TerminalRenderer(width=40, depth="none")
    words = Sealed(Answer(text="word " * 30, turn=1, evidence=Evidence(file="f", line=1)))
    assert max(map(len, drawn.render(words).split("\n"))) > 30
    drawn.resize(20)
    assert max(map(len, drawn.render(words).split("\n"))) <= 20


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_no_two_states_share_a_background_at_256_colours(theme):
    backgrounds = themes.palette(theme, "256").bg
    assert len(set(backgrounds.values())) == len(backgrounds) == 4
