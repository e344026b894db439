"""Formats that are read whole: streams that only make sense together, databases and folders.

Owns their two tables. A module behind a row is imported when an input may be of its kind: a
transcript should not wait for eleven other readers.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from cursor_replay.events import AnyEvent
from cursor_replay.ingest.lines import Line
from cursor_replay.ingest.store import ReadOptions, Store

Lines = Callable[[], Iterable[Line]]
"""The lines of a stream, from the first one again each time."""


def _module(name: str) -> Any:
    return import_module(f"cursor_replay.ingest.formats.{name}")


class StreamFormat(NamedTuple):
    """A format of whole streams; its ``module`` has ``fits(head)`` and ``decode(lines, ...)``.

    ``signs`` are bytes, one of which stands in the first 64 KB of every such stream.
    """

    name: str
    title: str
    description: str
    signs: tuple[bytes, ...]
    module: str

    def fits(self, head: bytes) -> bool:
        """Whether a stream that begins with ``head`` is of this format."""
        return any(sign in head for sign in self.signs) and bool(_module(self.module).fits(head))

    def decode(self, lines: Lines, name: str, options: ReadOptions) -> Iterator[AnyEvent]:
        """The events of a whole stream."""
        events: Iterator[AnyEvent] = _module(self.module).decode(lines, name, options)
        return events


class StoreFormat(NamedTuple):
    """A database or a folder that holds sessions; its ``module`` has ``holds`` and ``open_store``.

    ``holds`` never raises.
    """

    name: str
    title: str
    description: str
    module: str

    def holds(self, path: Path) -> bool:
        """Whether ``path`` is such a store."""
        return bool(_module(self.module).holds(path))

    def open(self, path: Path) -> Store:
        """Open it; raises InputError when it cannot be read."""
        store: Store = _module(self.module).open_store(path)
        return store


STREAM_FORMATS: tuple[StreamFormat, ...] = (
    StreamFormat(
        "legacy-txt",
        "Cursor agent transcript, legacy text",
        "agent-transcripts/<id>.txt until early 2026: role lines and marks that are not escaped",
        (b"user:", b"assistant:", b"A:"),
        "legacy.txt",
    ),
    StreamFormat(
        "debug-records",
        "pi-cursor-sdk event-debug file",
        "one file of pi's own event-debug records: decisions, queue, drain, bridge, timeline",
        (b'"elapsedMs"',),
        "debug.stream",
    ),
    StreamFormat(
        "pi-session",
        "pi session",
        "sessions/**/<time>_<id>.jsonl of pi: its ready-made cards, in a tree of branches",
        (b'"session"', b"\0"),
        "pi.session",
    ),
    StreamFormat(
        "cloud-sse",
        "Cursor cloud run events",
        "server-sent events of a cloud run: status, assistant, tool_call, interaction_update",
        (b"event:",),
        "sdk.cloud_sse",
    ),
)
STORE_FORMATS: tuple[StoreFormat, ...] = (
    StoreFormat(
        "sdk-store",
        "Cursor SDK local store",
        "sdk-agent-store/<hash>/index.db: agents, runs and timed events",
        "sdk.store",
    ),
    StoreFormat(
        "sdk-ndjson-store",
        "Cursor SDK local store as NDJSON",
        "a folder with run_events.ndjson, agents.ndjson and runs.ndjson",
        "sdk.ndjson",
    ),
    StoreFormat(
        "chat-store",
        "Cursor CLI chat store",
        "chats/<hash>/<id>/store.db (also ACP sessions): messages with results and thinking",
        "chat.store",
    ),
    StoreFormat(
        "ide-state",
        "Cursor IDE global state",
        "User/globalStorage/state.vscdb: the chats of the IDE, with results, thinking and times",
        "ide.state",
    ),
    StoreFormat(
        "debug-artifacts",
        "pi-cursor-sdk event-debug folder",
        "a turn, a session or .debug/cursor-sdk-events itself; also a standalone probe",
        "debug.folder",
    ),
)


def recognise_stream(head: bytes) -> StreamFormat | None:
    """The format of a stream that is no JSON lines, or None."""
    return next((each for each in STREAM_FORMATS if each.fits(head)), None)


def recognise_store(path: Path) -> StoreFormat | None:
    """The format of a database or a folder, or None."""
    return next((each for each in STORE_FORMATS if each.holds(path)), None)
