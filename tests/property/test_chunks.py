"""Bytes may arrive in any chunking: the items are the same, byte for byte."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import inputs, outcome, rendered, steady

SMALL = {name: data for name, data in inputs().items() if len(data) < 20_000}


def document(*chunks: bytes) -> str:
    found = outcome(*chunks)
    return found if isinstance(found, str) else rendered(found, "json")


@pytest.mark.parametrize("name", SMALL)
def test_a_fixture_gives_the_same_items_byte_by_byte(name: str) -> None:
    data = SMALL[name]
    assert document(*(data[at : at + 1] for at in range(len(data)))) == document(data)


@steady(60)
@given(name=st.sampled_from(list(inputs())), cuts=st.lists(st.floats(0, 1), max_size=12))
def test_any_chunking_gives_the_same_items(name: str, cuts: list[float]) -> None:
    data = inputs()[name]
    places = sorted({int(len(data) * cut) for cut in cuts} | {0, len(data)})
    chunks = [data[start:end] for start, end in pairwise(places)]
    assert b"".join(chunks) == data
    assert document(*chunks) == document(data)


@steady(60)
@given(
    names=st.lists(st.sampled_from(list(SMALL)), min_size=1, max_size=4), size=st.integers(1, 999)
)
def test_any_chunking_of_recordings_behind_each_other_gives_the_same_items(
    names: list[str], size: int
) -> None:
    data = b"\n".join(SMALL[name] for name in names)
    assert document(*(data[at : at + size] for at in range(0, len(data), size))) == document(data)
