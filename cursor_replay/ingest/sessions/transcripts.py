"""What a listing says of a transcript, read quickly: no record is validated, no card made.

Counts come from the bytes: inside a JSON string a quote is escaped, so ``"type":"tool_use"`` as
it stands is a block. Only user records are decoded, for the title and to tell who typed.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from cursor_replay.ingest.formats.envelope import Envelope, open_envelope
from cursor_replay.ingest.sessions.places import Place
from cursor_replay.ingest.sessions.workspaces import recorded_workspace
from cursor_replay.ingest.store import SessionInfo, State
from cursor_replay.ingest.times import from_ms
from cursor_replay.items import Json, Time
from cursor_replay.lenient import as_object, as_objects, as_text

# With and without a space, as two writers spell them: a plain search is ten times a regex.
_CALLS = tuple(b'"type":%b"tool_%b"' % (s, kind) for s in (b"", b" ") for kind in (b"use", b"call"))
_ROLES = tuple(
    b'{"role":%b"%b"' % (s, role) for s in (b"", b" ") for role in (b"user", b"assistant")
)
_USERS = tuple(b'{"role":%b"user"' % space for space in (b"", b" "))
_ENDED = re.compile(rb'\{ ?"type": ?"turn_ended", ?"status": ?"(\w+)"')
_RENAMED = b"rename_chat"
_STATES: dict[str, State] = {"success": "finished", "aborted": "finished", "error": "error"}
TITLE, _TITLE_IN = 200, 4000
"""Characters of a title, and of a prompt that are looked through for one."""
_CHUNK = 4 * 1024 * 1024
_LAST = 4096
"""Bytes at the end that are kept, to see how it ended."""
_LARGEST = 4 * 1024 * 1024
"""Bytes of a user record that is decoded; a larger one counts as a prompt."""


class _Counts:
    def __init__(self) -> None:
        self.records = 0
        self.prompts = 0
        self.calls = 0
        self.first: str | None = None
        self.renamed: str | None = None
        self.started: Time | None = None
        self.last = b""


def describe(place: Place) -> SessionInfo:
    """Read one transcript for the listing; raises OSError when it cannot be read.

    Other forms than JSON lines are not counted: their marks are not told apart so quickly.
    """
    counts = _Counts()
    is_lines = place.store == "transcript"
    with place.path.open("rb") as stream:
        for lines in _whole_lines(stream) if is_lines else ():
            _take(counts, lines)
    known = is_lines and counts.records > 0
    return SessionInfo(
        id=place.id,
        store=place.store,
        path=place.path,
        workspace=_workspace(place),
        title=counts.renamed or counts.first,
        started=counts.started,
        changed=file_time(place.changed),
        prompts=counts.prompts if known else None,
        calls=counts.calls if known else None,
        state=_state(counts.last),
        parent=place.parent,
    )


def _whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Whole lines, some megabytes at a time; of a line that is longer only the beginning."""
    while chunk := stream.read(_CHUNK):
        end = stream.readline(_CHUNK)
        yield chunk + end
        while end and not end.endswith(b"\n"):
            end = stream.readline(_CHUNK)


def file_time(nanoseconds: int) -> Time | None:
    """A file's own time, marked as that."""
    time = from_ms(nanoseconds // 1_000_000)
    return replace(time, basis="file") if time else None


def _take(counts: _Counts, lines: bytes) -> None:
    """Count in whole lines, many at a time: a search in a megabyte beats a loop over its lines."""
    counts.records += sum(map(lines.count, _ROLES))
    counts.calls += sum(map(lines.count, _CALLS))
    for start in sorted(chain.from_iterable(_starts(lines, user) for user in _USERS)):
        end = lines.find(b"\n", start)
        _take_user(counts, lines[start : end if end >= 0 else None])
    if _RENAMED in lines:
        for line in lines.splitlines():
            if _RENAMED in line:
                counts.renamed = _chat_title(_parsed(line)) or counts.renamed
    counts.last = lines[-_LAST:].rstrip().rpartition(b"\n")[2] or counts.last


def _starts(lines: bytes, head: bytes) -> Iterator[int]:
    """Where lines begin with ``head``."""
    at = lines.find(head)
    while at >= 0:
        if at == 0 or lines[at - 1 : at] == b"\n":
            yield at
        at = lines.find(head, at + len(head))


def _take_user(counts: _Counts, line: bytes) -> None:
    for envelope in _envelopes(line):
        counts.prompts += envelope.typed
        counts.started = counts.started or envelope.time
        if envelope.typed and not counts.first:
            counts.first = headline(envelope.query)


def headline(text: str | None) -> str | None:
    """The first line of a prompt that says something."""
    lines = (" ".join(line.split()) for line in (text or "")[:_TITLE_IN].splitlines())
    line = next((line for line in lines if line), None)
    return line if line is None or len(line) <= TITLE else f"{line[: TITLE - 1]}…"


def _envelopes(line: bytes) -> Iterator[Envelope]:
    if len(line) > _LARGEST:
        yield Envelope(query="")
        return
    record = _parsed(line)
    message = record.get("message", record)
    content = as_object(message).get("content", as_object(message).get("text"))
    texts = [content] if isinstance(content, str) else [b.get("text") for b in as_objects(content)]
    whole = "\n".join(text for text in texts if isinstance(text, str))
    if whole:
        yield open_envelope(whole)


def _chat_title(record: dict[str, Json]) -> str | None:
    """The title that a ``rename_chat`` call of the record sets (transcript facts 1.6)."""
    titles: list[Any] = [
        as_object(as_object(block.get("input")).get("arguments")).get("title")
        for block in as_objects(as_object(record.get("message")).get("content"))
        if as_object(block.get("input")).get("toolName") == "rename_chat"
    ]
    return next((found for title in reversed(titles) if (found := headline(as_text(title)))), None)


def _parsed(line: bytes) -> dict[str, Json]:
    try:
        return as_object(json.loads(line))
    except (ValueError, RecursionError):
        return {}


def _state(last: bytes) -> State:
    """Only a marker at the end says anything: without one it runs, crashed, or is older."""
    ended = _ENDED.match(last)
    return _STATES.get(ended[1].decode(), "unknown") if ended else "unknown"


def _workspace(place: Place) -> str | None:
    project = project_of(place.path)
    return recorded_workspace(project) if project else None


def project_of(path: Path) -> Path | None:
    """The project folder a transcript lies in, where ``agent-tools`` and others are beside it."""
    return next((each.parent for each in path.parents if each.name == "agent-transcripts"), None)
