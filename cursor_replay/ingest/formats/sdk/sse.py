"""Server-sent events: lines to frames (the fields ``event``, ``data``, ``id`` and comments).

Owns the wire rules: a blank line ends a frame, several ``data`` lines are one text, one space
behind the colon is not part of a value. Knows no event.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cursor_replay.events import Noted
from cursor_replay.ingest.formats.plain_lines import TextLine
from cursor_replay.items import Evidence

FIELDS = ("event", "data", "id", "retry")


class Frame(NamedTuple):
    """One event: its name (empty when none was given), its data, and its first line.

    ``ended`` is False for a last frame without the blank line behind it.
    """

    name: str
    data: str
    number: int
    ended: bool


def is_field(text: str) -> bool:
    """Whether a line is a field or a comment."""
    return text.startswith(":") or text.partition(":")[0] in FIELDS


def frames(lines: Iterable[TextLine], *, name: str) -> Iterator[Frame | Noted]:
    """Frames with data in their order, and notes about lines; ``name`` is that of the input."""
    event, data, first = "", list[str](), 0
    for line in lines:
        yield from line.notes
        if not line.text:
            if data:
                yield Frame(event, "\n".join(data), first, ended=True)
            event, data, first = "", [], 0
            continue
        key, _, value = line.text.partition(":")
        value = value.removeprefix(" ")
        first = first or line.number
        match key:
            case "data":
                data.append(value)
            case "event":
                event = value.strip()
            case "" | "id" | "retry":
                pass
            case _:
                at = Evidence(file=name, line=line.number)
                words = "a line that is no field of an event"
                yield Noted(origin=at, code="unknown-record", message=words, problem=True)
    if data:
        yield Frame(event, "\n".join(data), first, ended=False)
