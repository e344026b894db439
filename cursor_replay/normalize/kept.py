"""A card of a session that we wrote ourselves, as it was (pi_session/kept.py).

What is kept beside a message is believed where pi has no field for it: names, words, times. It
never makes a success: how a call went is told by its result alone.
"""

import re
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from cursor_replay.items import Card, Incomplete, Json, Origin, TextContent, Timing
from cursor_replay.lenient import Object, Record, Text, as_object, as_objects, as_text
from cursor_replay.normalize.details import read_details


class _Kept(Record):
    title: Text = None
    summary: Text = None
    source_tool: Text = None
    status: Text = None
    reason: Text = None
    parent: Text = None
    timing: Object = None
    outcome_from: Object = None
    incomplete: Object = None
    arguments: Object = None


_STAMP = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII)
_TIMING, _ORIGIN = TypeAdapter(Timing), TypeAdapter(Origin)
_INCOMPLETE = TypeAdapter(Incomplete)


def restored(card: Card, kept: Json) -> Card:
    """``card`` with what was kept of it; as it is when that is nothing we wrote."""
    known = _Kept.model_validate(as_object(kept))
    if not known.title or not known.source_tool:
        return card
    gave_up = known.status == "incomplete" and card.status == "unrecorded"
    return replace(
        card,
        title=known.title,
        summary=known.summary,
        source_tool=known.source_tool,
        status="incomplete" if gave_up else card.status,
        reason=known.reason,
        arguments=card.arguments if known.arguments is None else known.arguments,
        parent=known.parent or card.parent,
        timing=_timing(known.timing),
        outcome_from=_read(_ORIGIN, known.outcome_from),
        incomplete=_read(_INCOMPLETE, known.incomplete),
        **_result(as_object(kept)),
    )


def _result(kept: dict[str, Json]) -> dict[str, Any]:
    """Content and details, where they stand beside the message and in no result."""
    found: dict[str, Any] = {}
    if "content" in kept:
        texts = (as_text(part.get("text")) for part in as_objects(kept["content"]))
        found["content"] = tuple(TextContent(text=text) for text in texts if text is not None)
    if "details" in kept:
        found["details"] = read_details(kept["details"], ours=True)
    return found


def _timing(value: dict[str, Json] | None) -> Timing | None:
    """Times that are none are left out: whoever reads them relies on it."""
    timing: Timing | None = _read(_TIMING, value)
    times = (timing.started, timing.completed) if timing else ()
    return timing if all(time is None or _STAMP.fullmatch(time.at) for time in times) else None


def _read(adapter: TypeAdapter[Any], value: dict[str, Json] | None) -> Any:
    try:
        return None if value is None else adapter.validate_python(value)
    except ValidationError:
        return None
