"""Messages of a pi session to events (pi facts 1.3 and 1.5).

Owns the pairing of calls with their results (ids may recur), where an agent loop ends, and what a
turn used: pi counts a response at a time and leaves the cache out of ``input``; told is the sum of
the responses since the last end, with the cache inside the input as in the other formats.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    PromptSeen,
    SessionSeen,
    TurnEnded,
    UsageSeen,
)
from cursor_replay.ingest.formats.pi.blocks import PiUsage, ToolCall, blocks_of, said
from cursor_replay.ingest.formats.pi.records import (
    Assistant,
    BashExecution,
    Custom,
    Message,
    Summary,
    System,
    ToolResult,
    User,
)
from cursor_replay.ingest.formats.pi.words import (
    Place,
    bash,
    custom,
    outcome,
    spoken,
    summary,
    system,
    unknown_blocks,
)
from cursor_replay.items import Evidence, Json, Usage

_ENDS = {"stop": "success", "length": "length", "error": "error", "aborted": "aborted"}
_CUT = "the answer was truncated before its end"
_FAILED = ("error", "aborted")


class CallIds:
    """Ids as recorded, a recurring one numbered: some models count anew in every response."""

    def __init__(self) -> None:
        self._used: Counter[str] = Counter()
        self._given: set[str] = set()
        self._open: dict[str, str] = {}

    def start(self, recorded: str) -> str:
        """The id of a call that will be answered."""
        self._open[recorded] = self.fresh(recorded)
        return self._open[recorded]

    def is_open(self, recorded: str) -> bool:
        """Whether a call with this id waits for its result."""
        return recorded in self._open

    def answer(self, recorded: str) -> str | None:
        """The id of the call that is answered, None when none waits."""
        return self._open.pop(recorded, None)

    def fresh(self, recorded: str) -> str:
        """An id that nothing else has."""
        made = recorded
        while made in self._given:
            self._used[recorded] += 1
            made = f"{recorded}-{self._used[recorded] + 1}"
        self._given.add(made)
        return made


class Messages:
    """Messages to events. ``answered`` is where the last result for a call id stands."""

    def __init__(self, answered: dict[str, int]) -> None:
        self._answered = answered
        self._ids = CallIds()
        self._model: str | None = None
        self._used: Usage | None = None
        self._end: TurnEnded | None = None

    def feed(self, message: Message, at: Place) -> Iterator[AnyEvent]:
        """Events of one message."""
        match message:
            case Assistant():
                yield from self._assistant(message, at)
            case ToolResult():
                yield from self._result(message, at)
            case User():
                text = said(message.content)
                yield PromptSeen(origin=at.origin, time=at.time, text=text)
                yield from unknown_blocks(message.content, at)
            case BashExecution():
                yield bash(message, at)
            case System():
                yield system(message, at)
            case Custom():
                yield custom(message.custom_type, message.content, at, display=message.display)
            case Summary():
                tag = "compaction" if message.role == "compactionSummary" else "branch summary"
                yield summary(tag, message.summary, at)
            case _:
                assert_never(message)

    def settle(self) -> Iterator[AnyEvent]:
        """The end of the last loop: told once nothing more belongs to it."""
        if self._end is not None:
            yield replace(self._end, usage=self._used)
            self._end = self._used = None

    def model(self, name: str | None, origin: Evidence) -> Iterator[AnyEvent]:
        """The model, when it is another one than before."""
        if name and name != self._model:
            self._model = name
            yield SessionSeen(origin=origin, model=name)

    def _assistant(self, message: Assistant, at: Place) -> Iterator[AnyEvent]:
        yield from self.model(message.model, at.origin)
        blocks = blocks_of(message.content)
        failed = message.stop_reason in _FAILED
        for index, block in enumerate(blocks):
            inside = at._replace(origin=replace(at.origin, block=index))
            if isinstance(block, ToolCall):
                yield from self._call(block, inside, failed=failed)
            else:
                yield from spoken(block, inside)
        if not blocks and not failed:
            words = "an assistant record without content"
            yield Noted(origin=at.origin, code="empty-record", level="info", message=words)
        yield from self._add(message.usage, at)
        calls = any(isinstance(block, ToolCall) for block in blocks)
        yield from self._ended(message, at, calls=calls and not failed)

    def _ended(self, message: Assistant, at: Place, *, calls: bool) -> Iterator[AnyEvent]:
        why = message.stop_reason
        if why in _ENDS and not calls:
            reason = _CUT if why == "length" else message.error_message if why in _FAILED else None
            self._end = TurnEnded(
                origin=at.origin, time=at.time, status=_ENDS[why], reason=reason or None
            )
        elif why not in (None, "toolUse", "stop"):
            words = f"the answer stopped: {why}"
            yield Noted(origin=at.origin, code="stop-reason", level="info", message=words)

    def _call(self, block: ToolCall, at: Place, *, failed: bool) -> Iterator[AnyEvent]:
        name, recorded = block.name or "unknown", block.id or None
        if recorded is not None and self._ids.is_open(recorded):
            words = "a call with the id of one that waits for its result"
            yield Noted(origin=at.origin, code="duplicate-call-id", message=words, problem=True)
        elif recorded is not None and self._answered.get(recorded, -1) > at.number:
            key: str | None = self._ids.start(recorded)
            yield _started(key, name, block.arguments, at)
            return
        key = None if recorded is None else self._ids.fresh(recorded)
        if failed:  # given up with the end of its message, which says why
            yield _started(key, name, block.arguments, at)
        else:
            yield CallCompleted(
                origin=at.origin, channel="pi", call_id=key, name=name, args=block.arguments,
                started=at.time,
            )  # fmt: skip

    def _result(self, message: ToolResult, at: Place) -> Iterator[AnyEvent]:
        recorded = message.tool_call_id
        key = self._ids.answer(recorded) if recorded else None
        if key is None:
            words = "a tool result without its call"
            yield Noted(origin=at.origin, code="orphan-result", message=words, problem=True)
            key = self._ids.fresh(recorded) if recorded else None
        yield CallCompleted(
            origin=at.origin,
            time=at.time,
            channel="pi",
            call_id=key,
            name=message.tool_name or "unknown",
            outcome=outcome(message),
        )
        yield from unknown_blocks(message.content, at)
        if message.nested_calls:
            words = f"calls inside the call that are not shown: {len(message.nested_calls)}"
            yield Noted(origin=at.origin, code="nested-calls", level="info", message=words)
        yield from self._add(message.usage, at)

    def _add(self, used: PiUsage | None, at: Place) -> Iterator[AnyEvent]:
        usage = used.usage() if used else None
        if usage is not None:
            self._used = _sum(self._used, usage)
            yield UsageSeen(origin=at.origin, usage=self._used)


def _sum(one: Usage | None, other: Usage) -> Usage:
    if one is None:
        return other
    pairs = {name: (getattr(one, name), getattr(other, name)) for name in Usage.__slots__}
    known = {name: [n for n in pair if n is not None] for name, pair in pairs.items()}
    return Usage(**{name: sum(counts) if counts else None for name, counts in known.items()})


def _started(key: str | None, name: str, args: Json, at: Place) -> CallStarted:
    return CallStarted(
        origin=at.origin, time=at.time, channel="pi", call_id=key, name=name, args=args
    )
