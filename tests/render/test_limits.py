import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.render.limits import (
    LINE_CHARS,
    Fold,
    cut_lines,
    duration,
    hint,
    one_line,
    plural,
    truncate,
)


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        pytest.param("ab😀cd", 4, "ab😀…", id="case 177: a code point is never halved"),
        pytest.param("😀x", 2, "😀x", id="case 177: two code points fit in two"),
        pytest.param("abc", 1, "…", id="case 177: room for the mark only"),
        pytest.param("abc", 0, "", id="case 177: no room"),
        pytest.param("a" * 20, 20, "a" * 20, id="case 176: exactly the limit stays"),
        pytest.param("a" * 21, 20, "a" * 19 + "…", id="case 176: one more is cut"),
    ],
)
def test_a_long_text_ends_in_an_ellipsis_inside_the_limit(text, limit, expected):
    # Upstream counts UTF-16 units; we count code points, so case 177 keeps one more of "ab😀cd".
    assert truncate(text, limit) == expected


@pytest.mark.parametrize(
    ("ms", "expected"),
    [
        (0, "0ms"),
        (37, "37ms"),
        (604, "0.6s"),
        (250, "0.3s"),
        (4200, "4.2s"),
        (59_949, "59.9s"),
        (59_960, "1m 0s"),
        (92_000, "1m 32s"),
        pytest.param(119_600, "2m 0s", id="case 137: never 60 seconds in a minute"),
        (3_723_000, "1h 2m 3s"),
        (-1, "unknown"),
        (float("nan"), "unknown"),
        (float("inf"), "unknown"),
    ],
)
def test_a_duration_rounds_halves_up_and_carries_over(ms, expected):
    assert duration(ms) == expected


@pytest.mark.parametrize(("count", "expected"), [(0, "0 lines"), (1, "1 line"), (2, "2 lines")])
def test_a_count_agrees_with_its_noun(count, expected):
    assert plural(count, "line") == expected


def test_an_irregular_noun_brings_its_own_plural():
    assert plural(2, "match", "matches") == "2 matches"


@pytest.mark.parametrize(
    ("fold", "lines", "words"),
    [
        (None, ["a", "b", "c", "d"], ""),
        (Fold(None), ["a", "b", "c", "d"], ""),
        (Fold(4), ["a", "b", "c", "d"], ""),
        (Fold(3), ["a", "b", "c"], "... (1 more line, --expand to show)"),
        (Fold(2), ["a", "b"], "... (2 more lines, --expand to show)"),
        (Fold(2, keep="tail"), ["c", "d"], "... (2 earlier lines, --expand to show)"),
        (Fold(3, keep="tail"), ["b", "c", "d"], "... (1 earlier line, --expand to show)"),
        (Fold(1, total=True), ["a"], "... (3 more lines, 4 total, --expand to show)"),
        (Fold(0), [], "... (4 more lines, --expand to show)"),
        (Fold(0, quiet=True), [], ""),
        (Fold(1, skip=2), ["c"], "... (1 more line, --expand to show)"),
        (Fold(8, skip=2), ["c", "d"], ""),
    ],
)
def test_a_fold_keeps_its_lines_and_says_what_it_hides(fold, lines, words):
    cut = cut_lines("a\nb\nc\nd", fold)
    assert cut.lines == lines
    assert hint(cut, fold) == words


def test_expanding_ignores_the_fold():
    assert cut_lines("a\nb\nc", Fold(1, skip=1), expand=True).lines == ["a", "b", "c"]


def test_no_text_has_no_lines():
    assert cut_lines("", Fold(3)).lines == []


def test_a_line_too_long_to_preview_is_shortened_and_said_so():
    cut = cut_lines("x" * 1000, Fold(8))
    assert cut.lines == ["x" * (LINE_CHARS - 1) + "…"]
    assert hint(cut, Fold(8)) == "... (761 more characters, --expand to show)"


@given(st.text("ab\n"), st.integers(0, 5), st.sampled_from(["head", "tail"]))
def test_lines_shown_and_lines_hidden_add_up(text, lines, keep):
    cut = cut_lines(text, Fold(lines, keep=keep))
    assert len(cut.lines) + cut.hidden == (text.count("\n") + 1 if text else 0)


def test_one_line_joins_lines_by_single_spaces():
    assert one_line(" a\n  b\r\nc ") == "a b c"
    assert one_line(" a  b ") == " a  b "
