import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.render.comparison import diff_edits, word_marks
from cursor_replay.render.diffs import (
    cut_diff,
    extract_diff,
    gutter,
    number_width,
    parse_diff,
    stretches,
)
from cursor_replay.render.limits import Fold


def drawn(lines):
    width = number_width(lines)
    return [gutter(line, width) + line.text for line in lines]


NUMBERED_BY_HUNK = "@@ -10,3 +10,4 @@\n ctx\n-old\n+new\n+new2\n ctx2"


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        pytest.param(
            "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-old line\n+new line\n keep line\n final line",
            ["-1 old line", "+1 new line", " 2 keep line", " 3 final line"],
            id="case 149: headers go, numbers come",
        ),
        pytest.param(
            "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+first line\n+second line",
            ["+1 first line", "+2 second line"],
            id="case 152: a new file",
        ),
        pytest.param(
            NUMBERED_BY_HUNK,
            [" 10 ctx", "-11 old", "+11 new", "+12 new2", " 13 ctx2"],
            id="case 154: a hunk header sets the numbers",
        ),
        pytest.param(
            "@@ -1 +1 @@\n-a\n+b\n@@ -20 +20 @@\n-c\n+d",
            ["- 1 a", "+ 1 b", "    ...", "-20 c", "+20 d"],
            # Upstream lets two hunks touch; a gap shows that lines lie between them.
            id="case 155: the second hunk numbers anew",
        ),
        pytest.param(
            "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n-\n+one",
            ["+1 one"],
            id="case 156: a bare minus of a file that was not there",
        ),
        pytest.param(
            "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n+",
            ["-1 one"],
            id="case 156: a plus of a file that is gone",
        ),
        pytest.param(
            "@@ -1,2 +1,2 @@\n--- removed line\n+++ added line\n ctx",
            ["-1 -- removed line", "+1 ++ added line", " 2 ctx"],
            # Upstream loses both lines; wanted is that they are shown.
            id="case 157: a removed comment is no header",
        ),
        pytest.param(
            "@@ -1,4 +1,4 @@\n a\n\n-b\n+c\n d",
            [" 1 a", " 2 ", "-3 b", "+3 c", " 4 d"],
            # Upstream drops the blank line and its numbers drift.
            id="case 158: a blank context line counts",
        ),
        pytest.param(
            "diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
            "\\ No newline at end of file",
            [
                "   diff --git a/x b/x",
                "   index 1..2",
                "-1 a",
                "+1 b",
                "   \\ No newline at end of file",
            ],
            id="case 159: other lines are context without a number",
        ),
        pytest.param("-1\n+2", ["-1 1", "+1 2"], id="a bare listing of numbers is no numbering"),
        pytest.param("-old\r\n+new\r", ["-1 old", "+1 new"], id="carriage returns go"),
        pytest.param(
            "-1 import os\n+1 import sys", ["-1 import os", "+1 import sys"], id="pi's format"
        ),
        pytest.param(
            "     ...\n   9 def f():\n- 10     a\n+ 10     b\n  11",
            ["    ...", "  9 def f():", "-10     a", "+10     b", " 11 "],
            id="pi's format with a gap and a stripped blank line",
        ),
        pytest.param("", [], id="nothing"),
    ],
)
def test_a_recorded_diff_is_read_line_by_line(diff, expected):
    assert drawn(parse_diff(diff)) == expected


def test_a_second_file_is_a_header_although_the_first_hunk_counts_too_many_lines():
    diff = "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -5 +5 @@\n-c\n+d"
    assert drawn(parse_diff(diff)) == ["-1 a", "+1 b", "-5 c", "+5 d"]


def test_lines_beyond_the_count_of_their_hunk_are_still_shown():
    assert drawn(parse_diff("@@ -1 +1 @@\n-a\n+b\n+c")) == ["-1 a", "+1 b", "+2 c"]


def test_a_diff_is_found_behind_any_preamble():
    preamble = "\n".join(["note"] * 12)
    assert extract_diff(f"{preamble}\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b") == (
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b"
    )


def test_a_text_without_a_hunk_header_has_no_diff():
    assert extract_diff("--- a\n+++ b\n-x\n+y") is None


def test_an_edit_without_a_recorded_diff_is_compared_and_has_no_numbers():
    edits = [{"oldText": "a\nb\nc", "newText": "a\nB\nc"}, {"oldText": "", "newText": "z\n"}]
    assert drawn(diff_edits(edits)) == ["  a", "- b", "+ B", "  c", "  ...", "+ z"]


@pytest.mark.parametrize("edits", [None, "x", [], [1], [{}], [{"oldText": 1, "newText": "a"}]])
def test_edits_of_another_shape_give_no_diff(edits):
    assert diff_edits(edits) == ()


def test_thousands_of_equal_lines_are_compared_in_no_time():
    old, new = "x\n" * 4000, "x\n" * 3999 + "y\n"
    start = time.process_time()
    assert len(diff_edits([{"oldText": old, "newText": new}])) > 1
    assert time.process_time() - start < 2


def test_words_that_differ_are_marked():
    assert word_marks("return 'helo'", "return f'hello'") == (
        [("return ", False), ("'", False), ("helo", True), ("'", False)],
        [("return ", False), ("f", True), ("'", False), ("hello", True), ("'", False)],
    )


def test_lines_with_nothing_in_common_or_too_long_have_no_marks():
    assert word_marks("abc", "xyz") is None
    assert word_marks("a " * 300, "a b") is None


def test_only_a_lone_changed_line_comes_as_a_pair():
    lines = parse_diff("@@ -1,4 +1,4 @@\n-a\n+b\n ctx\n-c\n-d\n+e\n ctx\n-f\n+g\n+h\n-i")
    assert ["".join(line.text for line in stretch) for stretch in stretches(lines)] == [
        "ab", "ctx", "cd", "e", "ctx", "f", "gh", "i"
    ]  # fmt: skip


def test_a_folded_diff_counts_its_hidden_lines():
    lines = parse_diff("@@ -0,0 +1,60 @@\n" + "\n".join(f"+{n}" for n in range(60)))
    shown, words = cut_diff(lines, Fold(8))
    assert (len(shown), words) == (8, "... (52 more lines, --expand to show)")
    assert cut_diff(lines, Fold(8), expand=True) == (lines, "")


def test_a_diff_of_one_huge_line_is_bounded():
    # Case 146: under 960 units with an ellipsis.
    shown, words = cut_diff(parse_diff("@@ -0,0 +1 @@\n+" + "x" * 100_000), Fold(8))
    assert len(shown[0].text) == 240
    assert shown[0].text.endswith("…")
    assert words == "... (99761 more characters, --expand to show)"


@given(st.text("+- @1,a\n\r\\"))
def test_any_text_is_read_and_nothing_is_made_up(text):
    plain = text.replace("\r", "")
    read = parse_diff(text)
    assert len(read) <= len(plain.split("\n"))
    assert [line for line in read if line.kind != "gap" and line.text not in plain] == []


@given(st.lists(st.sampled_from(["+a", "-b", " c", "--- d", "+++ e", "", "@@"]), max_size=8))
def test_what_a_hunk_declares_is_never_lost(body):
    old = sum(line[:1] in {"-", " ", ""} for line in body)
    new = sum(line[:1] in {"+", " ", ""} for line in body)
    last = [*body, "+end"]
    diff = "\n".join([f"@@ -1,{old} +1,{new + 1} @@", *last])
    assert len(parse_diff(diff)) == len(last)


LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=30)


@given(LINES, LINES)
def test_what_a_computed_diff_leaves_out_is_the_same_on_both_sides(old, new):
    old, new = "\n".join([*old, "end"]), "\n".join([*new, "end"])
    lines = diff_edits([{"oldText": old, "newText": new}])
    shown = {
        kind: [line.text for line in lines if line.kind in {kind, "context"}]
        for kind in ("removed", "added")
    }
    for text, kind in ((old, "removed"), (new, "added")):
        rest = iter(text.split("\n"))
        assert all(line in rest for line in shown[kind])
    assert len(old.split("\n")) - len(shown["removed"]) == len(new.split("\n")) - len(
        shown["added"]
    )


def test_a_patch_of_several_files_has_no_numbers_and_keeps_every_line():
    text = (
        "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ def f():\n-x\n+y\n z\n@@\n-v\n+w\n"
        "diff --git a/b.sql b/b.sql\n--- a/b.sql\n+++ b/b.sql\n@@\n--- old\n+++ new"
    )
    assert [(line.kind, line.number, line.text) for line in parse_diff(text)] == [
        ("context", None, "diff --git a/a.py b/a.py"),
        ("context", None, "def f():"),
        ("removed", None, "x"),
        ("added", None, "y"),
        ("context", None, "z"),
        ("gap", None, "..."),
        ("removed", None, "v"),
        ("added", None, "w"),
        ("context", None, "diff --git a/b.sql b/b.sql"),
        ("removed", None, "-- old"),
        ("added", None, "++ new"),
    ]
