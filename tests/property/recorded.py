"""Recordings to vary: the lines of every fixture, and the pipeline over bytes in any chunking."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Self

from hypothesis import HealthCheck, settings

from cursor_replay.diagnose.collect import collect
from cursor_replay.diagnose.merge import report_of
from cursor_replay.errors import ReplayError
from cursor_replay.ingest.detect import format_named
from cursor_replay.ingest.source import StreamSource
from cursor_replay.items import Sealed
from cursor_replay.pipeline import replay
from cursor_replay.render.diagnosis import documents, markdown, terminal
from cursor_replay.render.registry import Closing, make

FIXTURES = Path(__file__).parents[2] / "fixtures"
MAX_LINE = 1_000_000
Place = tuple[str | int, ...]

OUTPUTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("json", {}),
    ("text", {"expand": True}),
    ("markdown", {"expand": True}),
    ("terminal", {"width": 4000, "expand": True}),
    ("pi", {}),
    ("text", {}),
    ("markdown", {}),
    ("terminal", {"width": 40, "depth": "truecolor", "theme": "light"}),
)


def steady(examples: int) -> settings:
    """The same examples in every run, as many as the suite has time for."""
    return settings(
        deadline=None,
        derandomize=True,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow],
    )


class Chunks:
    """A binary stream that hands out the given chunks, empty ones left out."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter([chunk for chunk in chunks if chunk])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def close(self) -> None:
        self._chunks = iter([])

    def read1(self, _: int) -> bytes:
        return next(self._chunks, b"")


def replayed(*chunks: bytes, form: str | None = None, scrub: bool = True) -> list[Sealed]:
    """The sealed items of bytes that arrive in these chunks."""
    row = format_named(form) if form else None
    stream: Any = Chunks(chunks)
    source = StreamSource(stream, name="run.jsonl", size=None, form=row, max_line=MAX_LINE)
    return list(replay(source, scrub=scrub))


def outcome(*chunks: bytes, form: str | None = None) -> list[Sealed] | str:
    """The sealed items, or the words of the only error that may be raised."""
    try:
        return replayed(*chunks, form=form)
    except ReplayError as error:
        return str(error)


def rendered(items: list[Sealed], name: str, **how: Any) -> str:
    renderer = make(name, **how)
    text = "".join(renderer.render(item) for item in items)
    return text + renderer.close() if isinstance(renderer, Closing) else text


def in_every_output(
    items: list[Sealed], *, only: tuple[str, ...] = ()
) -> Iterator[tuple[str, str]]:
    """(which output, its text); of all outputs, or ``only`` of some."""
    for name, how in OUTPUTS:
        if only and name not in only:
            continue
        yield f"{name} {how}", rendered(items, name, **how)


def reports(items: list[Sealed]) -> Iterator[tuple[str, str]]:
    """The report on calls without an outcome, in its forms."""
    report = report_of([collect(items, name="run.jsonl")])
    yield "report json", "".join(documents.render(report))
    yield "report markdown", "".join(markdown.render(report))
    drawn = terminal.render(report, width=4000, color="truecolor", everything=True)
    yield "terminal report", "".join(drawn)
    narrow = terminal.render(report, width=50, color=None)
    yield "narrow report", "".join(narrow)


@cache
def inputs() -> dict[str, bytes]:
    """The bytes of every fixture by its name."""
    return {
        path.parent.relative_to(FIXTURES).as_posix(): path.read_bytes()
        for path in sorted(FIXTURES.glob("*/*/input.jsonl"))
    }


@cache
def records() -> dict[str, list[Any]]:
    """The records of every fixture whose lines are all plain JSON objects."""
    found = {}
    for name, data in inputs().items():
        try:
            lines = [json.loads(line) for line in data.decode().split("\n") if line.strip()]
        except (ValueError, RecursionError):
            continue
        if all(isinstance(line, dict) for line in lines) and "very-long" not in name:
            found[name] = lines
    return found


def as_bytes(lines: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def strings_in(value: Any, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Every string of a JSON value with its place."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from strings_in(each, (*place, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from strings_in(each, (*place, index))


def changed(value: Any, change: Callable[[Place, str], str], place: Place = ()) -> Any:
    """A JSON value with every string put through ``change``."""
    if isinstance(value, str):
        return change(place, value)
    if isinstance(value, dict):
        return {key: changed(each, change, (*place, key)) for key, each in value.items()}
    if isinstance(value, list):
        return [changed(each, change, (*place, index)) for index, each in enumerate(value)]
    return value


_STRUCTURE = {
    "type", "role", "status", "subtype", "case", "eventType", "event_type", "channel", "table",
    "payload_json", "ts", "createdAt", "created_at", "call_id", "callId", "toolCallId", "id",
    "startedAtMs", "completedAtMs", "query_type", "namespace", "mode",
    "jsonrpc", "method", "sessionUpdate", "kind", "optionId", "hook_event_name", "tool_use_id",
    "generation_id", "conversation_id", "tool_output", "failure_type", "parentId", "stopReason",
}  # fmt: skip
_NAMES = {"name", "toolName", "recipient_name"}
IDS = {
    "call_id", "callId", "toolCallId", "id", "tool_use_id", "generation_id", "conversation_id",
    "session_id", "sessionId", "parentId", "modelCallId", "model_call_id", "parent_tool_use_id",
    "agentId", "agent_id", "runId", "run_id",
}  # fmt: skip
"""Keys of ids: an id means the same wherever it stands."""


def is_structure(place: Place, *, names: bool = True) -> bool:
    """Whether a string tells what a record is: changed, the record would not be that record."""
    key = place[-1] if place else ""
    return key in _STRUCTURE or (names and key in _NAMES)


_NOISE = re.compile(r"\x1b\[[0-9;]*m|<!-- -->|[\s\\│─╭╮╰╯▌┃]+")


def squeezed(text: str) -> str:
    """An output without colours, line ends and escapes: a secret cannot hide behind a wrap."""
    return _NOISE.sub("", text)
