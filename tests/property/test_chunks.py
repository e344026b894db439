"""Bytes may arrive in any chunking: the items are the same, byte for byte."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import inputs, outcome, rendered, replayed

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("steady")

SMALL = {name: data for name, data in inputs().items() if len(data) < 20_000}


def document(*chunks: bytes) -> str:
    found = outcome(*chunks)
    return found if isinstance(found, str) else rendered(found, "json")


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("size", [1, 7])
def test_a_fixture_gives_the_same_items_in_tiny_chunks(name: str, size: int) -> None:
    data = SMALL[name]
    assert document(*(data[at : at + size] for at in range(0, len(data), size))) == document(data)


@given(name=st.sampled_from(list(inputs())), cuts=st.lists(st.floats(0, 1), max_size=12))
def test_any_chunking_gives_the_same_items(name: str, cuts: list[float]) -> None:
    data = inputs()[name]
    places = sorted({int(len(data) * cut) for cut in cuts} | {0, len(data)})
    chunks = [data[start:end] for start, end in zip(places, places[1:], strict=False)]
    assert b"".join(chunks) == data
    assert document(*chunks) == document(data)


@given(
    names=st.lists(st.sampled_from(list(SMALL)), min_size=1, max_size=4), size=st.integers(1, 999)
)
def test_any_chunking_of_recordings_behind_each_other_gives_the_same_items(
    names: list[str], size: int
) -> None:
    data = b"\n".join(SMALL[name] for name in names)
    assert document(*(data[at : at + size] for at in range(0, len(data), size))) == document(data)


@pytest.mark.parametrize("name", inputs())
def test_the_same_input_gives_the_same_bytes(name: str) -> None:
    first, second = (replayed(inputs()[name]) for _ in range(2))
    for output in ("json", "text", "markdown", "terminal"):
        assert rendered(first, output) == rendered(second, output)
