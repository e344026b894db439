"""Spans between recorded times. A time that was carried from elsewhere measures nothing."""

from datetime import datetime

from cursor_replay.items import Time


def moment(time: Time | None) -> float | None:
    """Milliseconds since 1970 of a time that its own record carried, else None."""
    if time is None or time.basis != "recorded":
        return None
    return datetime.fromisoformat(time.at).timestamp() * 1000


def elapsed(start: Time | None, end: Time | None) -> float | None:
    """Milliseconds between two recorded times."""
    first, last = moment(start), moment(end)
    return None if first is None or last is None else round(last - first, 3)
