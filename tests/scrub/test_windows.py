"""A long text is looked at in parts, and masked as if it had been looked at as a whole."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cursor_replay.scrub import RULES
from cursor_replay.scrub import mask as masking
from cursor_replay.scrub.mask import mask
from cursor_replay.scrub.windows import WORTH, windows

EXAMPLES = sorted({before for rule in RULES for before, _ in rule.hits})
LINES = [
    "    return self.items[index]",
    "for name, value in sorted(table.items()):",
    "The heron stood at the quay until the tide had turned.",
    '    "width": 12,',
    "",
]


def as_a_whole(text: str) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(masking, "WORTH", len(text) * 9)
        return mask(text)


fillers = st.builds(
    lambda lines, times: "\n".join(lines * times) + "\n",
    st.lists(st.sampled_from(LINES), min_size=1, max_size=4),
    st.integers(1, 260),
)


@settings(deadline=None, max_examples=300, derandomize=True)
@given(st.lists(st.tuples(fillers, st.sampled_from(EXAMPLES)), min_size=1, max_size=4), fillers)
def test_a_long_text_is_masked_as_if_it_had_been_looked_at_as_a_whole(parts, end):
    text = "".join(f"{filler}{example}\n" for filler, example in parts) + end
    assert mask(text) == as_a_whole(text)


@given(
    st.lists(st.sampled_from(["a" * 700, "b", "\n", "secret", "\n\n"]), max_size=80).map("".join)
)
def test_the_pieces_are_all_of_the_text(text):
    assert "".join(piece for piece, _ in windows(text, lambda part: "secret" in part)) == text


def test_what_is_far_from_a_find_is_not_looked_at():
    text = "plain\n" * 9_000 + "secret\n" + "plain\n" * 9_000
    pieces = list(windows(text, lambda part: "secret" in part))
    assert [held for _, held in pieces] == [False, True, False]
    assert len(pieces[1][0]) < 14_000


def test_a_find_across_a_cut_is_seen():
    for shift in range(2040, 2060):
        text = "x" * shift + "\nsecret\n" + "plain\n" * WORTH
        assert next(windows(text, lambda part: "\nsecret\n" in part))[1]


@pytest.mark.parametrize("rows", [3, 100, 300])
def test_a_token_in_many_rows_of_a_long_text_is_masked_to_its_end(rows):
    row = "A1b2C3d4" * 9
    token = "\n".join(["ey" + "J" + row + ".ey" + "J" + row, *[row] * rows, row + "." + row[:43]])
    text = "plain words\n" * 700 + f"use {token}\n" + "plain words\n" * 700
    assert row not in mask(text)
    assert mask(text).endswith("plain words\n" * 700)


@pytest.mark.parametrize("rows", [3, 30, 300])
def test_a_key_in_a_long_text_is_masked_to_its_end(rows):
    row = "MII" + "A1b2C3" * 10
    begin, end = (f"-----{word} PRIVATE " + "KEY-----" for word in ("BEGIN", "END"))
    key = "\n".join([begin, *[row] * rows, end])
    text = "plain\n" * 3_000 + key + "\n" + "plain\n" * 3_000
    assert row not in mask(text)
    assert mask(text).endswith("plain\n" * 3_000)
