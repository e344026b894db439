"""Recorded times of every spelling; a bad one is no time."""

import pytest

from cursor_replay.ingest.times import from_iso, from_ms, from_words
from cursor_replay.items import Time


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("Friday, Jul 31, 2026, 5:10 PM (UTC-5)", "2026-07-31T22:10:00.000Z"),
        ("Friday, Jul 31, 2026, 5:10 PM (UTC+8)", "2026-07-31T09:10:00.000Z"),
        ("Friday, Jul 31, 2026, 5:10 PM (UTC+05:30)", "2026-07-31T11:40:00.000Z"),
        ("Friday, Jul 31, 2026, 5:10 PM (UTC+5:30)", "2026-07-31T11:40:00.000Z"),
        ("Friday, Jul 31, 2026, 5:10 PM (-5:30)", "2026-07-31T22:40:00.000Z"),
        ("Friday, Jul 31, 2026, 5:10 PM (UTC)", "2026-07-31T17:10:00.000Z"),
        ("Friday, Jul 31, 2026, 5:10 PM UTC", "2026-07-31T17:10:00.000Z"),
        ("Friday, Jul 31, 2026, 5:10 PM (UTC\u22125)", "2026-07-31T22:10:00.000Z"),
        ("Jul 31, 2026, 5:10 PM (UTC-5)", "2026-07-31T22:10:00.000Z"),
        ("Monday, Jul 31, 2026, 5:10 PM (UTC)", "2026-07-31T17:10:00.000Z"),
        ("Friday, July 31, 2026, 5:10 pm (UTC)", "2026-07-31T17:10:00.000Z"),
        ("Friday, Jul 31, 2026 at 5:10 PM (UTC)", "2026-07-31T17:10:00.000Z"),
        ("Friday, Jul 31, 2026, 12:00 AM (UTC)", "2026-07-31T00:00:00.000Z"),
        ("Friday, Jul 31, 2026, 12:00 PM (UTC)", "2026-07-31T12:00:00.000Z"),
        ("Friday, Jan 1, 2027, 1:00 AM (UTC+3)", "2026-12-31T22:00:00.000Z"),
        ("  Friday, Jul 31, 2026, 5:10 PM (UTC-5)\n", "2026-07-31T22:10:00.000Z"),
        ("2026-07-31T17:10:00.123456Z", "2026-07-31T17:10:00.123Z"),
        ("2026-07-31T17:10:00.123456+02:00", "2026-07-31T15:10:00.123Z"),
    ],
)
def test_the_words_of_the_envelope_are_a_time(words: str, at: str) -> None:
    assert from_words(words) == Time(at=at)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "soon",
        "Jul 31, 2026",
        "Friday, Jul 31, 2026",
        "Friday, Foo 31, 2026, 5:10 PM (UTC)",
        "Friday, Feb 31, 2026, 5:10 PM (UTC)",
        "Friday, Jul 31, 2026, 5:70 PM (UTC)",
        "Friday, Jul 31, 0000, 5:10 PM (UTC)",
        "Friday, Jan 1, 0001, 1:00 AM (UTC+8)",
        "Friday, Jul 31, 2026, 5:10 PM (UTC+99)",
        "Friday, Jul 31, 2026, 5:10 PM",
        "Friday, Jul 31, 2026, 5:10 PM (UTC-5) and more",
        "2026-07-31",
    ],
)
def test_bad_words_are_no_time(words: str) -> None:
    assert from_words(words) is None


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-03-01T06:00:00.000Z", "2026-03-01T06:00:00.000Z"),
        ("2026-03-01T06:00:00Z", "2026-03-01T06:00:00.000Z"),
        ("2026-03-01T06:00:00", "2026-03-01T06:00:00.000Z"),
        ("2026-03-01 06:00:00.5", "2026-03-01T06:00:00.500Z"),
        ("2026-03-01T06:00:00.000000+00:00", "2026-03-01T06:00:00.000Z"),
        ("2026-03-01T06:00:00-05:30", "2026-03-01T11:30:00.000Z"),
        (" 2026-03-01T06:00:00Z ", "2026-03-01T06:00:00.000Z"),
    ],
)
def test_iso_text_is_a_time(text: str, at: str) -> None:
    assert from_iso(text) == Time(at=at)


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "2026-03-01",
        "not a moment at all",
        "0001-01-01T00:00:00+14:00",
        "2026-13-01T06:00:00Z",
    ],
)
def test_bad_iso_text_is_no_time(text: str | None) -> None:
    assert from_iso(text) is None


@pytest.mark.parametrize(
    ("ms", "at"),
    [
        (1, "1970-01-01T00:00:00.001Z"),
        (1_772_344_800_000, "2026-03-01T06:00:00.000Z"),
        (1_772_344_800_250, "2026-03-01T06:00:00.250Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_epoch_milliseconds_are_a_time(ms: int, at: str) -> None:
    assert from_ms(ms) == Time(at=at)


@pytest.mark.parametrize("ms", [None, 0, -1, 253_402_300_800_000, 10**30])
def test_impossible_milliseconds_are_no_time(ms: int | None) -> None:
    assert from_ms(ms) is None
