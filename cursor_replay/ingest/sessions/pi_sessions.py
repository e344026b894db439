"""What a listing says of a pi session file, read quickly (pi facts 1.1 to 1.3)."""

import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from cursor_replay.ingest.sessions.places import Place
from cursor_replay.ingest.sessions.transcripts import file_time, headline
from cursor_replay.ingest.store import SessionInfo, State
from cursor_replay.ingest.times import from_iso
from cursor_replay.items import Json, Time
from cursor_replay.lenient import as_object, as_objects, as_text

_CALL = re.compile(rb'"type":\s*"toolCall"')
_USER = re.compile(rb'"message":\s*\{\s*"role":\s*"user"')
_INFO = re.compile(rb'"type":\s*"session_info"')
_STAMP = re.compile(rb'"timestamp":\s*"([^"]{16,40})"')
_STOP = re.compile(rb'"stopReason":\s*"(\w+)"')
_LONGEST = 4 * 1024 * 1024
_STATES: dict[bytes, State] = {b"stop": "finished", b"error": "error", b"aborted": "finished"}


def describe(place: Place) -> SessionInfo:
    """Read one pi session for the listing; raises OSError when it cannot be read."""
    head: dict[str, Json] = {}
    title = first = None
    prompts = calls = 0
    stop = b""
    last: Time | None = None
    with place.path.open("rb") as stream:
        for line in _lines(stream):
            head = head or _parsed(line)
            calls += len(_CALL.findall(line))
            if found := _STOP.search(line):
                stop = found[1]
            if _USER.search(line):
                prompts += 1
                first = first or headline(_text(_parsed(line)))
            elif _INFO.search(line):
                title = as_text(_parsed(line).get("name"))
            last = _stamp(line) or last
    return SessionInfo(
        id=as_text(head.get("id")) or place.id,
        store=place.store,
        path=place.path,
        workspace=as_text(head.get("cwd")),
        title=headline(title) or first,
        started=from_iso(as_text(head.get("timestamp"))),
        changed=last or file_time(place.changed),
        prompts=prompts,
        calls=calls,
        state=_STATES.get(stop, "unknown"),
    )


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines; of one that is longer than some megabytes only the beginning."""
    while line := stream.readline(_LONGEST):
        yield line
        while len(line) == _LONGEST and not line.endswith(b"\n"):
            line = stream.readline(_LONGEST)


def _stamp(line: bytes) -> Time | None:
    found = _STAMP.search(line)
    return from_iso(found[1].decode("ascii", "replace")) if found else None


def _text(record: dict[str, Json]) -> str | None:
    content = as_object(record.get("message")).get("content")
    if isinstance(content, str):
        return content
    return next((t for b in as_objects(content) if (t := as_text(b.get("text")))), None)


def _parsed(line: bytes) -> dict[str, Json]:
    try:
        return as_object(json.loads(line))
    except (ValueError, RecursionError):
        return {}
