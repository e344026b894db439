"""One event-debug file by itself: what pi decided, queued, drained or bridged, or its timeline.

Owns how such a stream is recognised. The files of the SDK's surfaces are read by their own formats;
here they appear only inside a timeline.
"""

from collections.abc import Callable, Iterable, Iterator

from cursor_replay.events import AnyEvent
from cursor_replay.ingest.formats.debug.lines import Entries, from_lines, layer_of
from cursor_replay.ingest.formats.debug.shapes import is_ours
from cursor_replay.ingest.formats.debug.turn import TurnReader
from cursor_replay.ingest.formats.debug.witness import Known
from cursor_replay.ingest.jsontext import decode as decode_json
from cursor_replay.ingest.lines import Line
from cursor_replay.ingest.store import ReadOptions

_BY_THEMSELVES = {"on-delta", "on-step", "stream-events"}


def fits(head: bytes) -> bool:
    """Whether the first line is a record of pi's own, by its shape."""
    line = head.lstrip(b"\xef\xbb\xbf \r\n").split(b"\n", 1)[0]
    if not line.startswith(b"{") or b'"elapsedMs"' not in line:
        return False
    values = decode_json(line).values
    record = values[0] if values else None
    if not isinstance(record, dict) or layer_of(record) in _BY_THEMSELVES:
        return False
    return is_ours(record)


def decode(
    lines: Callable[[], Iterable[Line]],
    name: str,
    options: ReadOptions,  # noqa: ARG001 - a format's shape: nothing here branches
) -> Iterator[AnyEvent]:
    """The events of one file."""

    def source() -> Entries:
        return from_lines(lines(), name)

    reader = TurnReader(source, Known(), alone=True)
    reader.look()
    yield from reader.events()
