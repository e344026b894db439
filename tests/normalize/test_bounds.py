"""How much of a text is kept, and that it is cut only after masking."""

import pytest

from cursor_replay.items import Clip
from cursor_replay.normalize.bounds import (
    bounded,
    brief,
    capped_list,
    heading,
    join_with,
    joined,
    plural,
    section,
    trimmed,
)
from cursor_replay.normalize.json_words import compact, half_up, number, pretty

from .helpers_cases import shown


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [
        (0, "line", "0 lines"),
        (1, "line", "1 line"),
        (2, "line", "2 lines"),
        (1, "entry", "1 entry"),
        (2, "entry", "2 entries"),
        (1, "match", "1 match"),
        (2, "match", "2 matches"),
        (2, "class", "2 classes"),
        (2, "diagnostic", "2 diagnostics"),
    ],
)
def test_a_noun_has_the_right_number(count, noun, words):
    assert plural(count, noun) == words


def test_a_short_text_is_kept_as_it_is():
    assert type(bounded("a\nb")) is str


def test_a_long_text_is_kept_whole_until_it_is_cut():
    text = bounded("x" * 24_001)
    assert type(text) is Clip
    assert len(text) == 24_001
    assert shown(text) == "x" * 24_000 + "\n... (1 more char truncated)"


def test_a_text_of_many_lines_is_cut_to_800():
    text = bounded("\n".join(str(n) for n in range(802)))
    assert shown(text).split("\n")[799:] == ["799", "... (2 more lines truncated)"]


def test_exactly_800_lines_are_kept():
    assert type(bounded("\n" * 799)) is str


def test_a_cut_happens_after_masking():
    """Half a secret matches no rule: the cut must see the masked text, not the recorded one."""
    text = bounded("x" * 23_990 + "SECRET" * 10)
    assert text.cut is not None
    assert text.cut(text.replace("SECRET" * 10, "[redacted]")) == "x" * 23_990 + "[redacted]"


def test_a_brief_text_is_one_line():
    assert brief("a\n b") == "a b"
    assert type(brief("x" * 120)) is str
    assert shown(brief("x" * 300, 240)) == "x" * 239 + "…"


def test_joined_texts_keep_their_own_cuts():
    long = brief("x" * 130)
    text = joined("a ", long, " b")
    assert shown(text) == f"a {'x' * 119}… b"
    assert type(joined("a", "b")) is str


def test_a_cut_text_inside_a_cut_text_is_cut_twice():
    inner = joined("key=", brief("x" * 130))
    outer = Clip("head ", inner, cut=lambda text: text[:12])
    assert shown(outer) == "head key=xxx"


def test_words_that_are_not_there_are_left_out():
    assert heading("a", None, "", "b") == "a b"
    assert heading(None, "") == ""
    assert join_with(", ", []) == ""
    assert join_with(", ", ["a", "", "b"]) == "a, , b"


def test_200_rows_are_kept():
    assert capped_list(["a"] * 200, "match") == ["a"] * 200
    assert capped_list(["a"] * 201, "match")[200:] == ["... (1 more match truncated)"]
    assert capped_list(["a"] * 203, "entry")[200:] == ["... (3 more entries truncated)"]


def test_a_section_is_header_blank_line_body_and_newline():
    assert section("head", "body \n\n") == "head\n\nbody\n"
    assert section("head", "") == "head\n"
    assert section("head", " \n") == "head\n"


def test_the_space_after_a_body_goes_also_when_the_body_is_cut_later():
    body = Clip("body   ", cut=lambda text: text + "\n")
    assert shown(section("head", body)) == "head\n\nbody\n"
    assert shown(section("head", joined("body ", Clip(" ")))) == "head\n\nbody\n"


def test_a_trimmed_text_is_trimmed_after_the_cut():
    assert trimmed("  a ") == "a"
    assert shown(trimmed(Clip(" a ", "b "))) == "a b"
    assert shown(trimmed(Clip(" abc", cut=lambda text: text[:3] + "\n"))) == "ab"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"a": 1.0, "b": [1.5, None]}, '{"a":1,"b":[1.5,null]}'),
        ({"é": "😀"}, '{"é":"😀"}'),
        (float("nan"), "null"),
        (float("inf"), "null"),
        ({"b": 1, "a": 2}, '{"b":1,"a":2}'),
    ],
)
def test_json_is_printed_as_javascript_prints_it(value, words):
    assert compact(value) == words


def test_json_is_indented_by_two():
    assert pretty({"a": [1]}) == '{\n  "a": [\n    1\n  ]\n}'


@pytest.mark.parametrize(
    ("value", "digits", "words"),
    [(0.5, 0, "1"), (2.5, 0, "3"), (1.499, 1, "1.5"), (0.012, 1, "0.0"), (4.25, 1, "4.3")],
)
def test_halves_are_rounded_up(value, digits, words):
    assert half_up(value, digits) == words


@pytest.mark.parametrize(("value", "words"), [(30000.0, "30000"), (1.5, "1.5"), (2, "2")])
def test_a_whole_number_has_no_fraction(value, words):
    assert number(value) == words
