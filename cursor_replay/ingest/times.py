"""Recorded times of every spelling to one: ISO 8601, UTC, milliseconds.

Owns the spellings (epoch milliseconds, ISO text, the words of the user envelope, facts 1.5).
A time that cannot be read is no time; nothing here asks a clock.
"""

import re
from datetime import UTC, datetime, timedelta, timezone

from cursor_replay.items import Time

_WORDS = re.compile(
    r"\s*(?:[A-Za-z]+,\s*)?([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2}),\s*(\d{4}),?\s*(?:at\s+)?"
    r"(\d{1,2}):(\d{2})(?::\d{2})?\s*([AaPp])\.?[Mm]\.?\s*"
    r"\(?UTC(?:([+-]|\u2212)(\d{1,2})(?::?(\d{2}))?)?\)?\s*"
)
_BARE_OFFSET = re.compile(r"\(([+-]\d{1,2}(?::\d{2})?)\)\s*$")
_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS = {name: number for number, name in enumerate(_NAMES, 1)}
_LAST_MS = 253_402_300_799_999


def from_ms(ms: int | None) -> Time | None:
    """Epoch milliseconds (at most the year 9999) to a recorded time."""
    if ms is None or not 0 < ms <= _LAST_MS:
        return None
    return _time(datetime.fromtimestamp(ms // 1000, UTC) + timedelta(milliseconds=ms % 1000))


def from_iso(text: str | None) -> Time | None:
    """ISO 8601 text to a recorded time; a text without an offset is taken as UTC."""
    if not text or len(text) < 16:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        return _time(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def from_words(text: str) -> Time | None:
    """The ``<timestamp>`` of a user envelope: ``Friday, Jul 31, 2026, 5:10 PM (UTC-5)``."""
    found = _WORDS.fullmatch(_BARE_OFFSET.sub(r"(UTC\1)", text))
    if not found:
        return from_iso(text.strip())
    month, day, year, hour, minute, half, sign, off_h, off_m = found.groups()
    offset = timedelta(hours=int(off_h or 0), minutes=int(off_m or 0))
    try:
        return _time(
            datetime(
                int(year),
                _MONTHS[month.lower()],
                int(day),
                int(hour) % 12 + (12 if half in "Pp" else 0),
                int(minute),
                tzinfo=timezone(offset if sign == "+" else -offset),
            )
        )
    except (KeyError, ValueError, OverflowError):
        return None


def _time(moment: datetime) -> Time:
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return Time(at=text.replace("+00:00", "Z"))
