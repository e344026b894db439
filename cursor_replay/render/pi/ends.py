"""How a turn's recorded end closes a message of pi's: its reason and its tokens (pi facts 1.3)."""

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


def usage_of(used: Usage) -> lines.Usage:
    """A turn's tokens, the cache taken out of the input (replay facts 9.6).

    A source whose input does not hold the cache is taken at its word.
    """
    read, written = used.cache_read_tokens or 0, used.cache_write_tokens or 0
    given, output = used.input_tokens or 0, used.output_tokens or 0
    inside = given >= read + written
    return lines.Usage(
        input=given - read - written if inside else given,
        output=output,
        cache_read=read,
        cache_write=written,
        total_tokens=given + output + (0 if inside else read + written),
        reasoning=used.reasoning_tokens,
    )
