"""Items as the JSON that is kept in a session beside pi's own fields."""

from typing import Any

from pydantic import TypeAdapter

from cursor_replay.items import Item
from cursor_replay.pi_session.kept import Fields
from cursor_replay.render.pi.chain import time_of

_ITEM: TypeAdapter[Any] = TypeAdapter(Item)


def timed(kept: Fields, item: Item | None) -> Fields:
    """``kept`` with the recorded time of an item, where it has one."""
    time = time_of(item) if item else None
    return kept if time is None else {**kept, "time": {"at": time.at, "basis": time.basis}}


def document(item: Item) -> Fields:
    """The public JSON of an item, without its type and its turn."""
    dumped = _ITEM.dump_python(item, mode="json", by_alias=True, exclude_none=True)
    return {key: value for key, value in dumped.items() if key not in {"type", "turn"}}
