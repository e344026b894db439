"""A text that is to be cut is masked first: a cut never shows what the whole would hide."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cursor_replay.items import Clip, Evidence, Notice
from cursor_replay.normalize.bounds import bounded, brief, limit_text, truncate
from cursor_replay.scrub import Sealer

TOKEN = "gh" + "p_" + "Q7w8E9" * 6
PIECES = [TOKEN[start : start + 12] for start in range(4, len(TOKEN) - 12)]


def sealed(text: str) -> str:
    """What is shown of a text."""
    item = Sealer().seal(Notice(code="x", message=text, evidence=Evidence(file="f", line=1))).item
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
