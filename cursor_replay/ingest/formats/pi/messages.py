"""Messages of a pi session to events (pi facts 1.3 and 1.5).

Owns the pairing of calls with their results (ids may recur), where an agent loop ends, and what a
turn used: pi counts a response at a time and leaves the cache out of ``input``; told is the sum of
the responses since the last end, with the cache inside the input as in the other formats.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import assert_never

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    SessionSeen,
    TurnEnded,
    UsageSeen,
)
from cursor_replay.ingest.formats.pi.blocks import PiUsage, ToolCall, blocks_of
from cursor_replay.ingest.formats.pi.faults import faults
from cursor_replay.ingest.formats.pi.ours import asked, ended
from cursor_replay.ingest.formats.pi.outline import FAILED
from cursor_replay.ingest.formats.pi.pairs import CallAt, Pairs
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
from cursor_replay.ingest.formats.spelled import json_text
from cursor_replay.items import Evidence, Json, Usage
from cursor_replay.lenient import as_object

_ENDS = {"stop": "success", "length": "length", "error": "error", "aborted": "aborted"}
_CUT = "the answer was truncated before its end"


class CallIds:
    """Ids as recorded, a recurring one numbered: some models count anew in every response."""

    def __init__(self) -> None:
        self._used: Counter[str] = Counter()
        self._given: set[str] = set()

    def fresh(self, recorded: str) -> str:
        """An id that nothing else has."""
        made = recorded
        while made in self._given:
            self._used[recorded] += 1
            made = f"{recorded}-{self._used[recorded] + 1}"
        self._given.add(made)
        return made


@dataclass(slots=True)
class _Waiting:
    """A call that will be answered ``left`` times, once on each of its branches."""

    key: str | None
    name: str
    args: Json
    left: int
    kept: Json = None


class Messages:
    """Messages to events. ``pairs`` say which result answers which call."""

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs
        self._answers = Counter(pairs.owners.values())
        self._ids = CallIds()
        self._waiting: dict[CallAt, _Waiting] = {}
        self._model: str | None = None
        self._used: Usage | None = None
        self._end: TurnEnded | None = None

    def feed(self, message: Message, at: Place, kept: dict[str, Json] | None) -> Iterator[AnyEvent]:
        """Events of one message; ``kept`` is what stands beside it where we wrote the session."""
        match message:
            case Assistant():
                yield from self._assistant(message, at, kept)
            case ToolResult():
                yield from self._result(message, at)
            case User():
                yield asked(message, at, kept)
                yield from unknown_blocks(message.content, at)
            case BashExecution():
                yield bash(message, at, self._ids.fresh(f"pi-command-{at.number}"))
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

    def _assistant(
        self, message: Assistant, at: Place, kept: dict[str, Json] | None
    ) -> Iterator[AnyEvent]:
        cards = as_object(kept.get("cards")) if kept else {}
        yield from self.model(message.model, at.origin)
        blocks = blocks_of(message.content)
        failed = message.stop_reason in FAILED
        numbers = count()
        for index, block in enumerate(blocks):
            inside = at._replace(origin=replace(at.origin, block=index))
            if isinstance(block, ToolCall):
                call = CallAt(at.number, next(numbers))
                beside = cards.get(block.id or "")
                yield from self._call(block, call, inside, failed=failed, kept=beside)
            else:
                yield from spoken(block, inside)
        if not blocks and not failed:
            words = "an assistant record without content"
            yield Noted(origin=at.origin, code="empty-record", level="info", message=words)
        yield from self._add(message.usage, at)
        calls = any(isinstance(block, ToolCall) for block in blocks)
        if kept is None:
            yield from self._ended(message, at, calls=calls and not failed)
        elif "end" in kept:
            self._end = ended(as_object(kept["end"]), at)
            self._used = self._end.usage

    def _ended(self, message: Assistant, at: Place, *, calls: bool) -> Iterator[AnyEvent]:
        why = message.stop_reason
        if why in _ENDS and not calls:
            reason = (
                _CUT
                if why == "length"
                else json_text(message.error_message)
                if why in FAILED
                else None
            )
            self._end = TurnEnded(
                origin=at.origin, time=at.time, status=_ENDS[why], reason=reason or None
            )
        elif why not in (None, "toolUse", "stop"):
            words = f"the answer stopped: {why}"
            yield Noted(origin=at.origin, code="stop-reason", level="info", message=words)

    def _call(
        self, block: ToolCall, call: CallAt, at: Place, *, failed: bool, kept: Json
    ) -> Iterator[AnyEvent]:
        name = json_text(block.name) or "unknown"
        if call in self._pairs.reused:
            words = "a call with the id of one that waits for its result"
            yield Noted(origin=at.origin, code="duplicate-call-id", message=words, problem=True)
        key = self._ids.fresh(block.id) if block.id else None
        answers = self._answers[call]
        if key is not None and answers:
            args = block.arguments if answers > 1 else None
            self._waiting[call] = _Waiting(key, name, args, answers, kept)
        if answers or failed:  # a failed one is given up with its message, which says why
            yield CallStarted(
                origin=at.origin, time=at.time, channel="pi", call_id=key, name=name,
                args=block.arguments, kept=kept,
            )  # fmt: skip
        else:
            yield CallCompleted(
                origin=at.origin, channel="pi", call_id=key, name=name, args=block.arguments,
                started=at.time, kept=kept,
            )  # fmt: skip

    def _result(self, message: ToolResult, at: Place) -> Iterator[AnyEvent]:
        recorded = message.tool_call_id
        waiting = self._answered(at.number)
        if waiting is None and at.number in self._pairs.again:
            words = "another result of a call that has one, not shown"
            yield Noted(origin=at.origin, code="duplicate-result", message=words, problem=True)
        else:
            if waiting is None:
                words = "a tool result without its call"
                yield Noted(origin=at.origin, code="orphan-result", message=words, problem=True)
                name = json_text(message.tool_name) or "unknown"
                key = self._ids.fresh(recorded) if recorded else None
                waiting = _Waiting(key, name, None, 0)
            yield _completed(message, waiting, at)
            yield from faults(message, at)
            yield from unknown_blocks(message.content, at)
        if message.nested_calls:
            words = f"calls inside the call that are not shown: {len(message.nested_calls)}"
            yield Noted(origin=at.origin, code="nested-calls", level="info", message=words)
        yield from self._add(message.usage, at)

    def _answered(self, place: int) -> _Waiting | None:
        """The call that a result answers; on a second branch it is shown as another one."""
        call = self._pairs.owners.get(place)
        waiting = self._waiting.get(call) if call else None
        if call is None or waiting is None:
            return None
        again = waiting.left < self._answers[call]
        waiting.left -= 1
        if not waiting.left:
            del self._waiting[call]
        if not again:
            return waiting
        return replace(waiting, key=self._ids.fresh(waiting.key or ""))

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


def _completed(message: ToolResult, call: _Waiting, at: Place) -> CallCompleted:
    name = json_text(message.tool_name) or call.name
    return CallCompleted(
        origin=at.origin,
        time=at.time,
        channel="pi",
        call_id=call.key,
        name=name,
        args=call.args,
        outcome=outcome(message, name, ours=call.kept is not None),
        kept=call.kept,
    )
