"""The Cursor SDK's local store as NDJSON files in a folder (SDK formats facts 3.4).

Owns the files: ``agents`` and ``runs`` hold one line a record and are rewritten, ``run_events`` is
only appended to, all runs in one file. So it is read once for a table of where each event stands,
which needs memory by the number of events, not by their size. ``checkpoints.ndjson`` is not opened.
"""

from array import array
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import BinaryIO

from cursor_replay.errors import InputError
from cursor_replay.events import Noted
from cursor_replay.ingest.formats.sdk.rows import (
    AgentRow,
    EventRow,
    Run,
    Tally,
    agent_row,
    inner,
    message_of,
    moment,
    run_row,
    status_in,
    typed_in,
)
from cursor_replay.ingest.formats.sdk.sessions import SdkStore
from cursor_replay.ingest.jsontext import decode
from cursor_replay.ingest.lines import MAX_LINE, Line
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import as_int, as_object, as_text

NAME = "sdk-ndjson-store"
_EVENTS, _AGENTS, _RUNS = "run_events.ndjson", "agents.ndjson", "runs.ndjson"


def holds(path: Path) -> bool:
    """Whether ``path`` is a folder with such a file of events."""
    try:
        return path.is_dir() and (path / _EVENTS).is_file()
    except (OSError, ValueError):
        return False


def open_store(path: Path) -> SdkStore:
    """Open it; raises InputError where there are no events to be read."""
    return SdkStore(_Tables(path), NAME)


@dataclass(slots=True)
class _Events:
    """The events of one run: where they stand, and what a listing asks of them."""

    numbers: "array[int]" = field(default_factory=lambda: array("q"))
    starts: "array[int]" = field(default_factory=lambda: array("q"))
    lines: "array[int]" = field(default_factory=lambda: array("q"))
    blocks: "array[int]" = field(default_factory=lambda: array("q"))
    tally: Tally = field(default_factory=lambda: Tally(0, 0))
    calls: set[str] = field(default_factory=set)
    agent: str | None = None
    asked: str | None = None
    status: str | None = None

    def add(self, record: dict[str, Json], start: int, line: int, block: int) -> None:
        """Take an event; one without a number stays behind the one before it."""
        before = self.numbers[-1] if self.numbers else 0
        number = _number(record)
        self.numbers.append(before if number is None else number)
        self.starts.append(start)
        self.lines.append(line)
        self.blocks.append(block)
        self._look(record)

    def _look(self, record: dict[str, Json]) -> None:
        payload, _ = inner(record.get("payload"))
        message = message_of(payload)
        named = as_text(as_object(payload).get("agentId")) or as_text(message.get("agent_id"))
        self.agent = self.agent or named
        self.asked = self.asked or typed_in(payload)
        self.status = status_in(payload) or self.status
        time = moment(record.get("createdAt"))
        tally = self.tally
        tally.first, tally.last = tally.first or time, time or tally.last
        tally.prompts = (tally.prompts or 0) + (message.get("type") == "user")
        call = as_text(message.get("call_id"))
        if message.get("type") == "tool_call" and call:
            self.calls.add(call)
            tally.calls = len(self.calls)

    def order(self) -> list[int]:
        """The places of its events by their numbers, equal ones as they stand."""
        return sorted(range(len(self.numbers)), key=self.numbers.__getitem__)


class _Tables:
    """The rows of the files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = str(path / _EVENTS)
        self._notes: list[Noted] = []
        self._found: dict[str, _Events] | None = None
        self._stream = _opened(path / _EVENTS)

    def agents(self) -> Iterator[AgentRow]:
        for record, at in self._records(_AGENTS):
            row = agent_row(record)
            if row is None:
                self._note(at, "unknown-record", "a record that names no agent")
            else:
                yield row

    def runs(self) -> Iterator[Run]:
        for record, at in self._records(_RUNS):
            row = run_row(record, at)
            if row is None:
                self._note(at, "unknown-record", "a record that names no run")
            else:
                yield row

    def tallies(self) -> dict[str, Tally]:
        return {run: events.tally for run, events in self._events().items()}

    def agent_of(self, run: str) -> str | None:
        return self._events()[run].agent

    def asked(self, run: str) -> str | None:
        return self._events().get(run, _Events()).asked

    def last_status(self, run: str) -> str | None:
        return self._events().get(run, _Events()).status

    def events(self, run: str) -> Iterator[EventRow]:
        events = self._events().get(run, _Events())
        yield from (self._row(run, events, place) for place in events.order())

    def notes(self) -> Iterator[Noted]:
        yield from self._notes

    def close(self) -> None:
        self._stream.close()

    def _row(self, run: str, events: _Events, place: int) -> EventRow:
        """Read an event again where it stands."""
        line, block = events.lines[place], events.blocks[place]
        self._stream.seek(events.starts[place])
        decoded = decode(_content(_taken(self._stream, self.file)))
        record = as_object(dict(enumerate(decoded.values)).get(block))
        payload, problems = inner(record.get("payload"))
        of_line = decoded.problems if block == 0 else []
        number = _number(record)
        return EventRow(
            seq=number,
            key=f"{run}/{number}",
            line=line,
            block=block if len(decoded.values) > 1 else None,
            kind=as_text(record.get("eventType")),
            time=moment(record.get("createdAt")),
            payload=payload,
            problems=(*of_line, *problems),
            elsewhere=record.get("payloadRef") is not None,
        )

    def _events(self) -> dict[str, _Events]:
        """The events by run; what names no run belongs to every session."""
        if self._found is not None:
            return self._found
        self._found = {}
        self._stream.seek(0)
        for start, line in _lines(self._stream, self.file):
            at = Evidence(file=self.file, line=line.number)
            for block, record in enumerate(self._values(line, at)):
                run = as_text(as_object(record).get("runId"))
                if run:
                    events = self._found.setdefault(run, _Events())
                    events.add(record, start, line.number, block)
                else:
                    self._note(at, "unknown-record", "an event that names no run")
        return self._found

    def _records(self, name: str) -> Iterator[tuple[dict[str, Json], Evidence]]:
        """The records of one of the rewritten files; a store without it has none."""
        path = self.path / name
        if not path.exists():
            return
        with _opened(path) as stream:
            for _, line in _lines(stream, str(path)):
                at = Evidence(file=str(path), line=line.number)
                yield from ((as_object(value), at) for value in self._values(line, at))

    def _values(self, line: Line, at: Evidence) -> list[Json]:
        """The values of a line; one without any is noted, other repairs where it is shown."""
        if line.dropped:
            self._note(at, "line-too-long", f"{line.dropped:,} bytes long, over the limit")
            return []
        decoded = decode(line.data, ended=line.ended)
        for code, words in () if decoded.values else decoded.problems:
            self._note(at, code, words)
        return decoded.values

    def _note(self, at: Evidence, code: str, message: str) -> None:
        self._notes.append(Noted(origin=at, code=code, message=message, problem=True))


def _number(record: dict[str, Json]) -> int | None:
    number = record.get("seq")
    return as_int(number if number is not None else record.get("offset"))


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except PermissionError:
        raise InputError(f"{path}: not permitted to read it") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be opened ({type(error).__name__})") from None


def _lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, Line]]:
    """The lines that hold anything, with the place of their first byte."""
    start = 0
    for number in count(1):
        data = more = _taken(stream, name)
        size = len(data)
        while len(more) == MAX_LINE and not more.endswith(b"\n"):
            more = _taken(stream, name)
            size += len(more)
        if not data:
            return
        if data.strip():
            long = size if size > MAX_LINE else 0
            yield start, Line(number, _content(data), ended=data.endswith(b"\n"), dropped=long)
        start += size


def _taken(stream: BinaryIO, name: str) -> bytes:
    try:
        return stream.readline(MAX_LINE)
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({type(error).__name__})") from None


def _content(data: bytes) -> bytes:
    """A line without a byte order mark and without its end."""
    return data.removeprefix(BOM_UTF8).rstrip(b"\r\n")
