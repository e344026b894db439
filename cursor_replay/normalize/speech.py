"""Text and thinking as they settle: deltas joined, one voice at a time.

Owns the rule that an answer and a thought exclude each other (opening one closes the other), and
that consecutive deltas of one kind are one text, joined without a separator.
"""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from cursor_replay.events import TextSeen, ThoughtSeen
from cursor_replay.items import Answer, Evidence, Thought, Time

LONGEST = 500_000
"""Characters of one text after which its whole paragraphs are shown as an answer of their own.

A blank line is the cut: no secret goes across one. A text twice as long without any is cut at a
line end.
"""
_PARAGRAPHS = 1000
MOST_VOICES = 64
"""Sub-agents that may be in the middle of a text after their task's card was shown."""


@dataclass(slots=True)
class _Buffer:
    origin: Evidence
    time: Time | None
    duration: float | None = None
    parts: list[str] = field(default_factory=list)
    length: int = 0
    limit: int = LONGEST

    def add(self, text: str) -> None:
        if text:
            self.parts.append(text)
            self.length += len(text)

    def take_paragraphs(self) -> str:
        """Of a text that grows too long: everything up to the last blank line; the rest stays."""
        if self.length < self.limit:
            return ""
        text = self.text()
        end = text.rfind("\n\n") + 2
        if end < _PARAGRAPHS and self.length >= 2 * LONGEST:
            end = text.rfind("\n") + 1
        if end < _PARAGRAPHS:
            self.limit = self.length + LONGEST
            return ""
        self.parts, self.length, self.limit = [text[end:]], len(text) - end, LONGEST
        return text[:end]

    def text(self) -> str:
        return "".join(self.parts)


class Speech:
    """What one speaker (the agent, or one sub-agent) is saying right now.

    ``time`` is that of the record, or the one carried from the turn's prompt.
    """

    def __init__(self, parent: str | None = None) -> None:
        self._parent = parent
        self._text: _Buffer | None = None
        self._thought: _Buffer | None = None

    @property
    def speaking(self) -> bool:
        """Whether something is said that is not settled."""
        return self._text is not None or self._thought is not None

    def text(self, event: TextSeen, turn: int, time: Time | None) -> Iterator[Answer | Thought]:
        """Take answer text; yields the thought before it and, when it is whole, the answer."""
        if self._thought is not None:
            yield from self._end_thought(turn)
        self._text = self._text or _Buffer(event.origin, time)
        self._text.add(event.text)
        if not event.partial:
            yield from self._end_text(turn)
        elif paragraphs := self._text.take_paragraphs():
            yield self._made_answer(paragraphs, self._text, turn)

    def thought(
        self, event: ThoughtSeen, turn: int, time: Time | None
    ) -> Iterator[Answer | Thought]:
        """Take thinking; yields the answer before it and, when it is whole, the thought."""
        if event.removed:
            yield from self.settle(turn)
            yield self._made_thought(_Buffer(event.origin, time), turn, removed=True)
            return
        if event.text:
            yield from self._end_text(turn)
        self._thought = self._thought or _Buffer(event.origin, time)
        self._thought.add(event.text)
        if not event.partial:
            self._thought.duration = event.duration_ms
            yield from self._end_thought(turn)

    def settle(self, turn: int) -> Iterator[Answer | Thought]:
        """Close whatever is open."""
        yield from self._end_thought(turn)
        yield from self._end_text(turn)

    def _end_text(self, turn: int) -> Iterator[Answer]:
        said, self._text = self._text, None
        if said is None:
            return
        text = said.text()
        if text and not text.isspace():
            yield self._made_answer(text, said, turn)

    def _end_thought(self, turn: int) -> Iterator[Thought]:
        said, self._thought = self._thought, None
        if said is not None and said.text().strip():
            yield self._made_thought(said, turn)

    def _made_answer(self, text: str, said: _Buffer, turn: int) -> Answer:
        return Answer(
            text=text, turn=turn, time=said.time, parent=self._parent, evidence=said.origin
        )

    def _made_thought(self, said: _Buffer, turn: int, *, removed: bool = False) -> Thought:
        return Thought(
            text=said.text(),
            removed=removed,
            duration_ms=said.duration,
            turn=turn,
            time=said.time,
            parent=self._parent,
            evidence=said.origin,
        )


class Voices:
    """The agent's own speech, and that of sub-agents whose task is over or was never seen.

    A background task completes at once and its sub-agent goes on talking: what it says is never
    the agent's. A sub-agent of an open task speaks in its :class:`~.ledger.OpenCall`.
    """

    def __init__(self) -> None:
        self.main = Speech()
        self._others: OrderedDict[str, Speech] = OrderedDict()

    def of(self, parent: str, card: str | None) -> Speech:
        """The speech of the sub-agent of call ``parent``, whose card has the id ``card``."""
        if parent not in self._others:
            self._others[parent] = Speech(card or parent)
        return self._others[parent]

    def crowded_out(self, turn: int) -> Iterator[Answer | Thought]:
        """End the oldest speech when there are too many."""
        if len(self._others) > MOST_VOICES:
            yield from self._others.popitem(last=False)[1].settle(turn)

    def settle(self, turn: int) -> Iterator[Answer | Thought]:
        """Close whatever anybody is saying."""
        yield from self.main.settle(turn)
        others, self._others = self._others, OrderedDict()
        for speech in others.values():
            yield from speech.settle(turn)
