"""A recording that breaks off anywhere is read as far as it goes, whatever it is."""

import shutil
import sys
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import FIXTURES, steady

from cursor_replay.errors import ReplayError
from cursor_replay.events import AnyEvent, Noted
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.items import Sealed
from cursor_replay.pipeline import replay

sys.path.insert(0, str(FIXTURES))
from build_stores import build

CASES = sorted({path.parent for path in FIXTURES.glob("*/*/expected.json")})
NAMES = [path.relative_to(FIXTURES).as_posix() for path in CASES]
HOLDING = ("pi-session", "hooks", "debug-artifacts", "acp")
"""Formats in which a later line changes what an earlier one means: a tree, pairs, several surfaces."""
LINES = [
    path for path in CASES if (path / "input.jsonl").exists() and path.parent.name not in HOLDING
]
_BUILT = TemporaryDirectory(prefix="cursor-replay-prefixes-")


@cache
def whole(case: Path) -> Path:
    """What to open of a case."""
    if (case / "store.json").exists():
        return build(case, Path(_BUILT.name) / case.parent.name / case.name)
    names = ("input.jsonl", "input.txt", "input.json", "input")
    return next(path for name in names if (path := case / name).exists())


def files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())


def read(path: Path) -> list[Sealed] | None:
    """The items, or None for the one kind of error that may be raised."""
    try:
        with closing(open_source(str(path), options=ReadOptions(all_branches=True))) as source:
            return list(replay(source))
    except ReplayError:
        return None


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_any_file_of_a_recording_may_break_off_anywhere(case: Path, tmp_path: Path) -> None:
    origin = whole(case)
    root = origin if origin.is_dir() else origin.parent
    for file in files(origin):
        size = file.stat().st_size
        for part in (0, 1, size // 3, size // 2, size - 7, size - 1):
            copy = tmp_path / "copy"
            if origin.is_dir():
                shutil.copytree(root, copy)
            else:
                copy.mkdir()
                shutil.copyfile(origin, copy / origin.name)
            cut = copy / file.relative_to(root)
            cut.write_bytes(file.read_bytes()[: max(part, 0)])
            read(copy if origin.is_dir() else copy / origin.name)
            shutil.rmtree(copy)


def events(path: Path, before: int) -> Counter[str] | None:
    """The events of the lines in front of line ``before``, but what is said of the file itself."""
    found: list[AnyEvent] = []
    try:
        with closing(open_source(str(path))) as source:
            found += source.events()
    except ReplayError:
        return None
    return Counter(
        repr(each).replace(str(path), "")
        for each in found
        if each.origin.line < before and not (isinstance(each, Noted) and not each.problem)
    )


@steady(150)
@given(st.data())
def test_every_whole_line_of_a_prefix_is_read_as_in_the_whole_file(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(LINES))
    content = (case / "input.jsonl").read_bytes()
    cut = data.draw(st.integers(0, len(content)))
    complete = content[:cut].count(b"\n") + 1
    with TemporaryDirectory() as folder:
        path = Path(folder) / "cut.jsonl"
        path.write_bytes(content[:cut])
        part = events(path, complete)
        path.write_bytes(content)
        assert part is None or part == events(path, complete)
