"""Short ways to feed a decoder and to name what came out."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cursor_replay.events import AnyEvent, Noted, TextSeen
from cursor_replay.ingest.detect import format_named
from cursor_replay.ingest.source import Source, open_source
from cursor_replay.items import Evidence

HERE = Evidence(file="run.jsonl", line=1)


def decoded(form: str, *records: Any) -> list[AnyEvent]:
    """The events one decoder gives for records, as if each stood on its own line."""
    row = format_named(form)
    assert row is not None
    decoder = row.decoder()
    events: list[AnyEvent] = []
    for number, record in enumerate(records, 1):
        origin = Evidence(file="run.jsonl", line=number)
        events += decoder.feed(row.record.validate_python(record), origin)
    return [*events, *decoder.close(Evidence(file="run.jsonl", line=len(records) + 1))]


def of(events: Iterable[AnyEvent], *kinds: type) -> list[Any]:
    """The events of some kinds."""
    return [event for event in events if isinstance(event, kinds)]


def texts(events: Iterable[AnyEvent]) -> list[str]:
    """The assistant texts."""
    return [event.text for event in of(events, TextSeen) if event.text]


def codes(events: Iterable[AnyEvent]) -> list[str]:
    """The codes of the notes."""
    return [event.code for event in of(events, Noted)]


def written(folder: Path, *lines: Any, name: str = "run.jsonl") -> str:
    """A file with records (dicts) and raw lines (str, bytes); its path."""
    path = folder / name
    parts = [
        line
        if isinstance(line, bytes)
        else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    path.write_bytes(b"".join(part + b"\n" for part in parts))
    return str(path)


def read(path: str, **how: Any) -> list[AnyEvent]:
    """Every event of a file."""
    with opened(path, **how) as source:
        return list(source.events())


@contextmanager
def opened(path: str, **how: Any) -> Iterator[Source]:
    """A source whose file is closed whatever happens."""
    source = open_source(path, **how)
    try:
        yield source
    finally:
        source.close()
