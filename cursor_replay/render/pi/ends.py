"""How a turn's recorded end closes a message of pi's: its reason and its tokens (pi facts 1.3)."""

from collections.abc import Iterable

from cursor_replay.items import GOOD_ENDS, TurnEnd, Usage
from cursor_replay.pi_session import lines

_STOPS: dict[str, lines.StopReason] = {
    "length": "length",
    "aborted": "aborted",
    "cancelled": "aborted",
}


def stop_of(end: TurnEnd) -> lines.StopReason:
    """Pi's word for it; a word of its own is a problem unless it is known for a good end."""
    return "stop" if end.status in GOOD_ENDS else _STOPS.get(end.status, "error")


RUN_TOTALS = frozenset({"stream-json", "acp", "cloud-sse", "hooks"})
"""Formats that tell the tokens of a whole run: as those of its last message they would fill pi's
context at once (replay facts 9.6)."""


def usage_of(used: Usage | None, form: str) -> lines.Usage:
    """A turn's tokens, the cache taken out of the input (replay facts 9.6).

    Zeros when they are not known, not those of a turn, or no counts.
    """
    if used is None or form in RUN_TOTALS:
        return lines.Usage()
    read, written = used.cache_read_tokens or 0, used.cache_write_tokens or 0
    given, output = used.input_tokens or 0, used.output_tokens or 0
    rest = given - read - written
    if not _are_counts((read, written, given, output, rest, used.reasoning_tokens or 0)):
        return lines.Usage()
    return lines.Usage(
        input=rest,
        output=output,
        cache_read=read,
        cache_write=written,
        total_tokens=given + output,
        reasoning=used.reasoning_tokens,
    )


def _are_counts(numbers: Iterable[int]) -> bool:
    return all(number >= 0 for number in numbers)
