"""A file in blocks of whole lines: every byte once, and the same blocks however it is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.scrub.copying import blocks as module
from cursor_replay.scrub.copying.blocks import blocks

parts = st.sampled_from(["a", "é", "\n", "x" * 20, "日" * 30])
texts = st.lists(parts, max_size=60).map(lambda each: "".join(each).encode())


@pytest.fixture(autouse=True, scope="module")
def _small():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", 16)
        patch.setattr(module, "LARGEST", 64)
        yield


def pieces_of(data: bytes, sizes: list[int]) -> list[bytes]:
    found = []
    for size in sizes:
        found.append(data[:size])
        data = data[size:]
    return [*found, data]


@given(texts, st.lists(st.integers(0, 90), max_size=12))
def test_the_same_blocks_however_a_file_is_read(data, sizes):
    found = list(blocks(pieces_of(data, sizes)))
    assert found == list(blocks([data]))
    assert b"".join(block for block, _ in found) == data


@given(texts)
def test_blocks_are_whole_lines_but_for_those_of_long_lines_which_end_between_characters(data):
    line = b""
    for block, whole in blocks([data]):
        block.decode()
        if whole:
            assert line == b"" or line.endswith(b"\n")
            assert len(block) <= 2 * module.LARGEST
        line = block
