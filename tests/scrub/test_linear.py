"""The user's own patterns: found as far as they reach, and never slowly."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.scrub.linear import Linear


def spans(pattern: str, text: str) -> list[str]:
    return [text[start:end] for start, end in Linear(pattern).spans(text)]


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("ACME-[0-9]{4}", "ACME-1234 x ACME-9999", ["ACME-1234", "ACME-9999"]),
        ("ACME-[0-9]{4,}", "use ACME-123456789.", ["ACME-123456789"]),
        ("[a-z]+[0-9]", "xx abc1 y", ["abc1"]),
        ("foo(?:bar)?", "foobar foo", ["foobar", "foo"]),
        ("(?i)acme", "ACME Acme", ["ACME", "Acme"]),
        ("a|ab|abc", "abc", ["abc"]),
        ("x{3}", "xxxxxxx", ["xxxxxx"]),
        ("[0-9a-f]{20,}", "0a" * 9000, ["0a" * 9000]),
        ("é+", "caféé é", ["éé", "é"]),
        ("none", "nothing here", []),
        ("(?P<a>k)[^x]", "kykx", ["ky"]),
    ],
)
def test_a_match_is_as_long_as_it_can_be_to_both_sides(pattern, text, found):
    assert spans(pattern, text) == found


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("^a", r"\^ is not supported"),
        ("a$", r"\$ is not supported"),
        (r"\bfoo", r"\\b is not supported"),
        (r"a(?=b)", "no pattern: look-around"),
        (r"(a)\1", "no pattern: backreferences"),
        ("a(", "no pattern: unclosed group"),
        ("a)|(b", "no pattern: unopened group"),
        ("a*", "matches the empty text"),
        ("(?x) a", "the flag x is not supported"),
        ("((((((a{99}){99}){99}){99}){99}){99}){99}", "no pattern"),
        ("a" * 1001, "longer than 1000 characters"),
    ],
)
def test_what_is_no_pattern_is_told_in_a_line(pattern, words):
    with pytest.raises(ValueError, match=words) as raised:
        Linear(pattern)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("pattern", [r"\$[0-9]", "[$^]x", r"\\b"])
def test_an_escaped_sign_is_no_anchor(pattern):
    assert Linear(pattern)


PATTERNS = ["ab+", "a[ab]*c", "(?:ab){2,}", "[^a]b", "a.c", "(?:a|b|ab)c"]


@given(st.sampled_from(PATTERNS), st.text("abc \n", max_size=30))
def test_what_is_found_is_where_re_finds_something(pattern, text):
    found = list(Linear(pattern).spans(text))
    assert bool(found) == bool(re.search(pattern, text))
    rest = text
    for start, end in reversed(found):
        assert re.search(pattern, text[start:end])
        rest = rest[:start] + "\0" + rest[end:]
    assert not re.search(pattern, rest.replace("\0", "\n\0\n")) or pattern == "[^a]b"


CATASTROPHIC = ["(a+)+b", "(a|a)*b", "(a*)*b", "a.*a.*a.*a.*b", "(?:a|aa)+b", "[ab]*[ab]*[ab]*c"]


def cost(linear: Linear, text: str) -> float:
    best = 9.0
    for _ in range(3):
        start = time.process_time()
        list(linear.spans(text))
        best = min(best, time.process_time() - start)
    return best + 0.002


@pytest.mark.parametrize("pattern", [*CATASTROPHIC, "a{20,}", "a"])
@pytest.mark.parametrize("end", ["", "b", "c"])
@pytest.mark.no_cover  # a tracer would be timed with it
def test_ten_times_the_text_costs_about_ten_times_the_work(pattern, end):
    linear = Linear(pattern)
    assert cost(linear, "a" * 50_000 + end) < 30 * cost(linear, "a" * 5_000 + end)


@pytest.mark.parametrize("pattern", [".{1,4000}z", "(?:a{2}){257}", "x{ 300 , }", "[a-z]{,999}"])
def test_a_long_counted_repetition_is_refused(pattern):
    with pytest.raises(ValueError, match="repeats more than 256 times"):
        Linear(pattern)


@pytest.mark.parametrize("pattern", ["[0-9a-f]{32}", "a{1,256}"])
def test_others_are_not(pattern):
    assert Linear(pattern).occurs("0f" * 16 + "a")
