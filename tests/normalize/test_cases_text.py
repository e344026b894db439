"""Replay facts 11.8, cases 173 to 178: the limiter, display paths and the line sanitiser.

Cases 179 to 183 are about masking and stand with the scrubbing tests.
"""

import pytest

from cursor_replay.normalize.bounds import brief, limit_text, one_line, truncate
from cursor_replay.normalize.paths import display_path

from .helpers_cases import case, numbers_in, shown


@pytest.mark.parametrize(
    ("text", "limits", "wanted"),
    [
        # Plurals are right (S17): the reference says "1 more lines".
        case(
            173,
            "one line over",
            "a\nb\nc",
            {"lines": 2, "chars": 99},
            "a\nb\n... (1 more line truncated)",
        ),
        case(
            173,
            "two lines over",
            "a\nb\nc\nd",
            {"lines": 2, "chars": 99},
            "a\nb\n... (2 more lines truncated)",
        ),
        case(
            173,
            "three characters over",
            "abcdef",
            {"lines": 9, "chars": 3},
            "abc\n... (3 more chars truncated)",
        ),
        case(
            173,
            "one character over",
            "abcd",
            {"lines": 9, "chars": 3},
            "abc\n... (1 more char truncated)",
        ),
        case(
            173,
            "a known total",
            "a\nb",
            {"lines": 9, "chars": 99, "total": 10},
            "a\nb\n... (8 more lines truncated)",
        ),
        case(
            173,
            "both: lines alone are said",
            "abcdef\nb\nc",
            {"lines": 2, "chars": 3},
            "abc\n... (1 more line truncated)",
        ),
        case(173, "nothing over", "a\nb", {"lines": 2, "chars": 3}, "a\nb"),
        case(
            173, "a total that is too small", "a\nb", {"lines": 2, "chars": 3, "total": 1}, "a\nb"
        ),
    ],
)
def test_a_text_is_limited_with_one_marker(text, limits, wanted):
    assert limit_text(text, **limits) == wanted


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        case(174, "blank", "  ", ""),
        case(174, "trimmed", " /repo/a ", "a"),
        case(174, "relative", "src/a.ts", "src/a.ts"),
        case(174, "backslashes", "src\\a.ts", "src/a.ts"),
        case(174, "here", "./x", "./x"),
        case(174, "up", "../up", "../up"),
        case(174, "the workspace", "/repo", "."),
        case(174, "the workspace with a slash", "/repo/", "."),
        case(174, "inside", "/repo/src/a.ts", "src/a.ts"),
        case(174, "outside", "/etc/hosts", "/etc/hosts"),
        case(174, "a longer name", "/repository/a", "/repository/a"),
        case(174, "a folder up is not resolved", "/repo/../etc", "/repo/../etc"),
        case(174, "a home", "~/x", "~/x"),
        # Paths are compared by components (section 14): such a child is inside.
        case(174, "a child that starts with two dots", "/repo/..foo", "..foo"),
    ],
)
def test_a_path_is_shown_from_the_workspace(path, wanted):
    assert display_path(path, "/repo") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        case(
            175,
            "control characters",
            "a\x00b\x1bc\x7fd\x85e\u2028f\u2029g\n\th",
            "a b c d e f g h",
        ),
        case(175, "white space around", " \ufeff a\u00a0 b ", "a b"),
        case(178, "a lone high surrogate", "a\ud800b", "a\ufffdb"),
        case(178, "a lone low surrogate", "\udc00", "\ufffd"),
    ],
)
def test_a_line_is_one_line_of_what_can_be_shown(text, wanted):
    assert one_line(text) == wanted


@pytest.mark.parametrize(
    ("text", "limit", "wanted"),
    [
        case(176, "a long text", "x" * 50, 20, "x" * 19 + "…"),
        case(176, "a text of that length", "x" * 20, 20, "x" * 20),
        # Lengths are code points here (section 14), so no character can be split; the reference
        # counts UTF-16 units and says "ab…" and "…" for the first two.
        case(177, "a character of two units inside", "ab😀cd", 4, "ab😀…"),
        case(177, "a character of two units that fits", "😀x", 2, "😀x"),
        case(177, "one", "😀x", 1, "…"),
        case(177, "none", "😀x", 0, ""),
        case(177, "less than none", "😀x", -1, ""),
    ],
)
def test_a_text_is_truncated_to_a_length(text, limit, wanted):
    assert truncate(text, limit) == wanted


def test_case_176_the_limit_of_an_argument_is_120():
    assert shown(brief("x" * 130)) == "x" * 119 + "…"
    assert len(shown(brief("x" * 130))) == 120


def test_every_number_from_173_to_178_is_here():
    assert numbers_in(globals()) == set(range(173, 179))
