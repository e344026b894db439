"""What a session that we wrote tells beside pi's own fields (pi_session/lines.py and kept.py).

Its times are the recorded ones, its prompts are whose they were, and what was noticed about the
recording is told again. Lenient: somebody else may have written it.
"""

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

from cursor_replay.events import AnyEvent, Noted, PromptSeen, TurnEnded
from cursor_replay.ingest.formats.pi.blocks import images_of, said
from cursor_replay.ingest.formats.pi.records import User
from cursor_replay.ingest.formats.pi.words import Place
from cursor_replay.ingest.times import from_iso
from cursor_replay.items import ContextPart, Json, Level, Time, TimeBasis, Usage
from cursor_replay.lenient import as_number, as_object, as_objects, as_text
from cursor_replay.pi_session import lines

_USAGE = TypeAdapter(Usage)
_LEVELS: tuple[Level, ...] = get_args(Level)
_BASES: tuple[TimeBasis, ...] = get_args(TimeBasis)
COUNTED = "results-not-recorded"
"""A notice that is counted anew whenever the session is read."""


def recorded_time(kept: dict[str, Json]) -> Time | None:
    """The recorded time of a message, None where its own is only carried on."""
    given = as_object(kept.get("time"))
    time, basis = from_iso(as_text(given.get("at"))), given.get("basis")
    return Time(at=time.at, basis=basis) if time and basis in _BASES else time


def asked(message: User, at: Place, kept: dict[str, Json] | None) -> PromptSeen:
    """A prompt and what surrounded it."""
    return PromptSeen(
        origin=at.origin,
        time=at.time,
        text=said(message.content, images=kept is None),
        context=_context(kept or {}),
        images=images_of(message.content) or None,
    )


def ended(end: dict[str, Json], at: Place) -> TurnEnded:
    """The end of a turn."""
    return TurnEnded(
        origin=at.origin,
        status=as_text(end.get("status")) or "unknown",
        reason=as_text(end.get("reason")),
        usage=_usage(end.get("usage")),
        duration_ms=as_number(end.get("duration_ms")),
        time=recorded_time(end),
    )


def _context(data: dict[str, Json]) -> tuple[ContextPart, ...]:
    parts = as_objects(data.get("context"))
    named = ((as_text(part.get("tag")), as_text(part.get("text"))) for part in parts)
    return tuple(ContextPart(tag=tag or "context", text=text or "") for tag, text in named)


def _usage(value: Any) -> Usage | None:
    try:
        return None if value is None else _USAGE.validate_python(value)
    except ValidationError:
        return None


# -- entries of our own -----------------------------------------------------------------------


def _prompt(data: dict[str, Json], at: Place) -> Iterator[AnyEvent]:
    human = data.get("author") == "human"
    yield PromptSeen(
        origin=at.origin,
        time=recorded_time(data),
        text=as_text(data.get("text")) or "",
        author="human" if human else "cursor",
        context=_context(data),
    )


def _notice(data: dict[str, Json], at: Place) -> Iterator[AnyEvent]:
    code, words = as_text(data.get("code")), as_text(data.get("message"))
    if not code or not words or code == COUNTED:
        return
    count = as_number(data.get("count"))
    level: Level = next((each for each in _LEVELS if each == data.get("level")), "info")
    times = f" ({count:g} times)" if count and count > 1 else ""
    yield Noted(origin=at.origin, code=code, level=level, message=f"{words}{times}")


def _aside(data: dict[str, Json], at: Place) -> Iterator[AnyEvent]:
    words = f"a sub-agent said: {as_text(data.get('text')) or ''}"
    yield Noted(origin=at.origin, code="sub-agent", level="info", message=words)


def _end(data: dict[str, Json], at: Place) -> Iterator[AnyEvent]:
    yield ended(data, at)


def _provenance(data: dict[str, Json], at: Place) -> Iterator[AnyEvent]:
    source = as_object(data.get("source"))
    words = f"written by cursor-replay from {as_text(source.get('format')) or 'a recording'}"
    yield Noted(origin=at.origin, code="replayed", level="info", message=words)


OURS: MappingProxyType[str, Callable[[dict[str, Json], Place], Iterator[AnyEvent]]] = (
    MappingProxyType(
        {
            lines.PROVENANCE: _provenance,
            lines.NOTICE: _notice,
            lines.ASIDE: _aside,
            lines.PROMPT: _prompt,
            lines.END: _end,
        }
    )
)
"""Entries of ours by ``customType``; those of anybody else are counted."""
