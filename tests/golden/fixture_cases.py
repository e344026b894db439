"""The fixture cases: a folder with an input, ``expected.json`` and maybe ``options.json``.

The input is ``input.jsonl``, ``input.txt``, a folder ``input``, or a ``store.json`` that
``fixtures/build_stores.py`` makes a database or a folder of.

``expected.json`` lists the items in order. An item gives only the keys that matter; every key
given must match, ``details`` by its own keys. Some keys are short forms: ``text`` of a card is
its joined content, ``line``, ``end_line`` and ``block`` stand in its evidence, ``at`` and
``basis`` in its time, ``started``, ``completed`` and ``duration_ms`` in its timing, and
``parent`` is the place of the enclosing card in the list.
"""

import json
import sys
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from pydantic import TypeAdapter

from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.items import Item, Sealed
from cursor_replay.pipeline import replay

FIXTURES = Path(__file__).parents[2] / "fixtures"
sys.path.insert(0, str(FIXTURES))
from build_stores import build  # noqa: E402 - a script beside the cases

_BUILT = TemporaryDirectory(prefix="cursor-replay-fixtures-")
_INPUTS = ("input.jsonl", "input.txt", "input.json", "input")
CASES = sorted(path.parent for path in FIXTURES.glob("*/*/expected.json"))
NAMES = [path.relative_to(FIXTURES).as_posix() for path in CASES]

_ITEM = TypeAdapter[Any](Item)
_IN_EVIDENCE = ("line", "end_line", "block")
_IN_TIMING = ("started", "completed")


def options(case: Path) -> dict[str, Any]:
    """What the case is read with: ``cwd``, ``input_format``, ``session``, ``all_branches``."""
    path = case / "options.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


@cache
def input_of(case: Path) -> Path:
    """What to open: a file or folder of the case, or the store built from it."""
    if (case / "store.json").exists():
        return build(case, Path(mkdtemp(prefix="fixture-", dir=_BUILT.name)))
    return next(path for name in _INPUTS if (path := case / name).exists())


def sealed(case: Path) -> list[Sealed]:
    """The sealed items of a case."""
    how = options(case)
    read = ReadOptions(session=how.get("session"), all_branches=how.get("all_branches", False))
    path = str(input_of(case))
    source = open_source(path, input_format=how.get("input_format"), options=read)
    with closing(source):
        return list(replay(source, cwd=how.get("cwd")))


def as_dict(item: Item) -> dict[str, Any]:
    """An item as the JSON output spells it, nulls kept."""
    return _ITEM.dump_python(item, mode="json", by_alias=True)


def reduced(item: dict[str, Any], keys: dict[str, Any], ids: list[str | None]) -> dict[str, Any]:
    """What the item says under each of ``keys``."""
    return {key: _value(item, key, keys[key], ids) for key in keys}


def _value(item: dict[str, Any], key: str, wanted: Any, ids: list[str | None]) -> Any:
    if key == "text" and "content" in item:
        return "\n".join(part["text"] for part in item["content"])
    if key == "details" and isinstance(wanted, dict):
        details = item["details"] or {}
        return {each: details.get(each) for each in wanted}
    if key == "parent":
        return None if item["parent"] is None else ids.index(item["parent"])
    if key in _IN_EVIDENCE:
        return (item["evidence"] or {}).get(key)
    if key in ("at", "basis"):
        return (item["time"] or {}).get(key)
    if key in _IN_TIMING:
        moment = (item["timing"] or {}).get(key) or {}
        return moment.get("at")
    if key == "duration_ms" and item["type"] == "card":
        return (item["timing"] or {}).get(key)
    return item[key]
