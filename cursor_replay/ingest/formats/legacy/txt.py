"""Legacy ``agent-transcripts/<id>.txt`` files (transcript facts 1.7, SDK formats facts 3.6).

Owns the steps of a file whose marks are not escaped: which call a result belongs to, and where a
mark can only be a line of somebody's file. When unsure a line is text: every line is in some
event. Knows no tool.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from cursor_replay.events import (
    INVENTED,
    AnyEvent,
    CallCompleted,
    CallStarted,
    CallUnrecorded,
    Noted,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats.bodies import body_outcome
from cursor_replay.ingest.formats.legacy.args import arguments
from cursor_replay.ingest.formats.legacy.blocks import Block, begin_one, blocks, trimmed
from cursor_replay.ingest.formats.plain_lines import text_lines
from cursor_replay.ingest.formats.sdk.messages import prompt
from cursor_replay.ingest.lines import Line, split_lines
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.items import Evidence

_HEAD = (
    "marks of this format are not escaped: where a thought, a value or a result ends "
    "is its likeliest reading"
)
_QUERY, _QUERY_END = "<user_query>", "</user_query>"
_MOST_HELD = 200
"""Marks that may wait for what proves them to be text."""
_LIST = re.compile(r"\s|[-*+>|#]|\d+[.)]|```|~~~")


def fits(head: bytes) -> bool:
    """Whether a stream begins with a role line and has a mark that no other text has."""
    return begin_one([line.data.decode("utf-8", "replace") for line in split_lines([head])])


def decode(
    lines: Callable[[], Iterable[Line]],
    name: str,
    options: ReadOptions,  # noqa: ARG001 - one shape for all
) -> Iterator[AnyEvent]:
    """Events of a whole file, in its order."""
    origin = Evidence(file=name, line=1)
    yield Noted(origin=origin, code="no-clear-marks", level="info", message=_HEAD)
    reader = _Reader(name)
    for each in blocks(text_lines(lines(), name=name)):
        if isinstance(each, Noted):
            yield each
        else:
            yield from reader.feed(each)
    yield from reader.close()


@dataclass(slots=True)
class _Call:
    name: str
    number: int
    lines: list[str]
    result: list[str] = field(default_factory=list)
    answered: int | None = None


class _Reader:
    """Blocks to events; holds the prompt or the calls of one step, and marks under doubt."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._prompt: Block | None = None
        self._calls: list[_Call] = []
        self._tail: list[str] = []
        self._held: list[Block] = []

    def feed(self, block: Block) -> Iterator[AnyEvent]:
        """Events of one block, and of those it settles."""
        if not (self._held or self._is_doubtful(block)):
            yield from self._take(block)
            return
        self._held.append(block)
        is_text = self._are_text()
        if is_text is None and len(self._held) < _MOST_HELD:
            return
        held, self._held = self._held, []
        if is_text:
            proof = held.pop() if block.kind == "result" else None
            for each in held:
                self._append(each)
            held = [proof] if proof else []
        for each in held:
            yield from self._take(each)

    def close(self) -> Iterator[AnyEvent]:
        """What is still held when the file ends."""
        held, self._held = self._held, []
        for each in held:
            yield from self._take(each)
        yield from self._flush()

    def _is_doubtful(self, block: Block) -> bool:
        """A role inside an open query, or between a call and its result, may be text."""
        if block.kind in ("call", "result"):
            return False
        if self._prompt is not None:
            return block.kind != "thinking" and _opened(self._prompt.lines) > 0
        return self._waiting() is not None

    def _are_text(self) -> bool | None:
        """Whether the marks held are text; None while nothing proves either."""
        last = self._held[-1]
        if self._prompt is not None:
            if last.kind == "user" and _QUERY in "".join(last.lines[:1]):
                return False
            return True if _opened(last.lines) < 0 else None
        if last.kind == "call":
            return False
        return True if last.kind == "result" and self._waiting(last.word) else None

    def _waiting(self, name: str | None = None) -> _Call | None:
        """The first call without a result header, of any name or of this one."""
        open_calls = (call for call in self._calls if call.answered is None)
        return next((call for call in open_calls if name in (None, call.name)), None)

    def _append(self, block: Block) -> None:
        lines = self._tail if self._prompt is None else self._prompt.lines
        lines.extend(block.as_text())

    def _take(self, block: Block) -> Iterator[AnyEvent]:
        if self._prompt is not None and block.kind in ("thinking", "call", "result"):
            self._append(block)
            return
        match block.kind:
            case "call":
                self._calls.append(_Call(block.word, block.number, block.lines))
                self._tail = block.lines
            case "result":
                yield from self._result(block)
            case "user":
                yield from self._flush()
                self._prompt = block
            case "thinking":
                yield from self._flush()
                yield from self._thought(block)
            case "ended":
                yield from self._flush()
                origin = self._at(block.number)
                yield TurnEnded(origin=origin, status=block.word, reason=block.lines[0] or None)
                yield from self._text(block.lines[1:], block.number + 1)
            case _:
                yield from self._flush()
                yield from self._text(block.lines, block.own)

    def _result(self, block: Block) -> Iterator[AnyEvent]:
        call = self._waiting(block.word)
        if call is not None:
            call.answered, call.result = block.number, block.lines
            self._tail = block.lines
        elif self._calls:
            self._append(block)
        else:
            words = "a tool result without its call"
            yield Noted(origin=self._at(block.number), code="orphan-result", message=words)
            yield from self._text(block.as_text(), block.number)

    def _thought(self, block: Block) -> Iterator[AnyEvent]:
        lines = trimmed(block.lines)
        end = _end_of_thought(lines)
        thought = "\n".join(lines[:end]).strip()
        if thought:
            yield ThoughtSeen(origin=self._at(block.number), text=thought)
        yield from self._text(lines[end:], block.number + end)

    def _text(self, lines: list[str], number: int) -> Iterator[AnyEvent]:
        first = next((index for index, line in enumerate(lines) if line.strip()), None)
        if first is not None:
            text = "\n".join(lines[first:]).rstrip()
            yield TextSeen(origin=self._at(number + first), text=text)

    def _flush(self) -> Iterator[AnyEvent]:
        """The prompt or the calls that end here."""
        if self._prompt is not None:
            yield prompt("\n".join(self._prompt.lines), self._at(self._prompt.number))
            self._prompt = None
        calls, self._calls = self._calls, []
        for call in calls:
            yield from self._call(call)

    def _call(self, call: _Call) -> Iterator[AnyEvent]:
        """A bare header says nothing (facts 1.7); a body does not say how the call went."""
        args = arguments(call.name, trimmed(call.lines))
        body = "\n".join(trimmed(call.result))
        origin = self._at(call.number)
        if call.answered is None or not body.strip():
            yield CallUnrecorded(origin=origin, name=call.name, args=args)
            return
        call_id = f"{INVENTED}line {call.number}"
        yield CallStarted(
            origin=origin, channel="transcript", call_id=call_id, name=call.name, args=args
        )
        yield CallCompleted(
            origin=self._at(call.answered),
            channel="transcript",
            call_id=call_id,
            name=call.name,
            args=args,
            outcome=body_outcome(call.name, body),
        )

    def _at(self, number: int) -> Evidence:
        return Evidence(file=self._name, line=number)


def _opened(lines: list[str]) -> int:
    """How many queries are open behind these lines; below 0 when more were closed."""
    text = "\n".join(lines)
    return text.count(_QUERY) - text.count(_QUERY_END)


def _end_of_thought(lines: list[str]) -> int:
    """The first line of the answer that a thought runs into, or the number of lines.

    Paragraphs of a thought stand apart; prose right under prose is where the answer begins.
    """
    if not any(line.strip() for line in lines[:1]):
        return len(lines[:1])
    fenced = False
    for index, (line, following) in enumerate(pairwise(lines)):
        fenced ^= line.startswith(("```", "~~~"))
        if fenced or not line.strip() or not following.strip() or line.endswith("  "):
            continue
        if not _LIST.match(line) and not _LIST.match(following):
            return index + 1
    return len(lines)
