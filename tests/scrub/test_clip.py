"""A text that is to be cut is masked first: a cut never shows what the whole would hide."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cursor_replay.items import Clip, Evidence, Notice
from cursor_replay.normalize.bounds import bounded, brief, joined, limit_text, truncate
from cursor_replay.scrub import Choices, Sealer

TOKEN = "gh" + "p_" + "Q7w8E9" * 6


def plain(**how) -> Sealer:
    """A sealer whose marks do not tell the kind."""
    return Sealer(choices=Choices(style="plain"), **how)


PIECES = [TOKEN[start : start + 12] for start in range(4, len(TOKEN) - 12)]


def sealed(text: str) -> str:
    """What is shown of a text."""
    item = plain().seal(Notice(code="x", message=text, evidence=Evidence(file="f", line=1))).item
    assert isinstance(item, Notice)
    return item.message


@pytest.mark.parametrize("limit", range(1, 60))
def test_a_cut_inside_a_token_shows_no_part_of_it(limit):
    shown = sealed(Clip(f"run {TOKEN} now", cut=partial(truncate, limit=limit)))
    assert not any(piece in shown for piece in PIECES)
    assert len(shown) <= limit


def test_parts_are_masked_before_they_are_joined_and_cut():
    whole = Clip("a ", Clip(TOKEN, cut=lambda text: text[:4]), " b", cut=str.upper)
    assert sealed(whole) == "A [RED B"


def test_nothing_else_than_text_comes_out():
    assert type(sealed(brief("x" * 500))) is str
    assert type(sealed(bounded("y\n" * 900))) is str


@settings(deadline=None, max_examples=200, derandomize=True)
@given(
    st.text("ab \n", max_size=40),
    st.text("ab \n", max_size=40),
    st.integers(1, 90),
    st.integers(1, 4),
)
def test_a_bounded_text_never_shows_what_the_whole_hides(before, after, chars, lines):
    text = f"{before} {TOKEN} {after}"
    shown = sealed(Clip(text, cut=partial(limit_text, lines=lines, chars=chars)))
    assert not any(piece in shown for piece in PIECES)


LONG = "pLIix6ME" * 20


@pytest.mark.parametrize("key", ["password", "passphrase", "api_key", "dbPassword", "clientSecret"])
@pytest.mark.parametrize("value", [LONG, "correct horse " * 20])
def test_a_value_too_long_for_its_label_is_masked_by_the_key_in_front_of_it(key, value):
    for text in (
        joined(brief(key), "=", brief(value)),
        joined("login · ", joined(key, "=", brief(value)), ", user=joe"),
        joined("a=1, ", joined(joined(key, "="), brief(value)), ", ", brief("x" * 200)),
        joined(key, "=", joined("[", brief(value), ", ", brief(value), "]")),
    ):
        shown = sealed(text)
        assert value[:8] not in shown
        assert f"{key}=[redacted]" in shown


def test_a_part_is_masked_as_what_it_is_behind_the_other_parts():
    cut = brief("x" * 200)
    assert sealed(Clip("Bearer ", Clip(LONG, cut=str.upper))) == "Bearer [REDACTED]"
    assert LONG[:8] not in sealed(Clip("curl --token ", Clip(LONG, cut=lambda text: text[:20])))
    assert sealed(Clip("password=", "hunter2, ", "b=1")) == "password=[redacted], b=1"
    assert sealed(Clip("secret=abc", ", ", "b=1", " ", cut)).startswith("secret=[redacted], b=1 x")
    assert TOKEN[20:] not in sealed(Clip(TOKEN[:20], TOKEN[20:], cut))


def test_a_label_without_a_secret_is_joined_as_it_is():
    assert sealed(Clip("path=", "a", ", ", "token count=", "5")) == "path=a, token count=5"
    text = Clip("token=", Clip("${TOKEN}", cut=str.strip), " ", brief("y" * 200))
    assert sealed(text).startswith("token=${TOKEN} yyy")


def test_without_scrubbing_a_label_keeps_its_values():
    item = Notice(code="x", message=Clip("password=", Clip("abc", cut=str.upper)))
    assert plain(scrub=False).seal(item).item.message == "password=ABC"
