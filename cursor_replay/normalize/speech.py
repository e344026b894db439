"""Text and thinking as they settle: deltas joined, one voice at a time.

Owns the rule that an answer and a thought exclude each other (opening one closes the other), and
that consecutive deltas of one kind are one text, joined without a separator.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from cursor_replay.events import TextSeen, ThoughtSeen
from cursor_replay.items import Answer, Evidence, Thought, Time


@dataclass(slots=True)
class _Buffer:
    parts: list[str] = field(default_factory=list)
    origin: Evidence | None = None
    time: Time | None = None
    duration: float | None = None

    def add(self, event: TextSeen | ThoughtSeen) -> None:
        if self.origin is None:
            self.origin, self.time = event.origin, event.time
        if event.text:
            self.parts.append(event.text)


class Speech:
    """What one speaker (the agent, or one sub-agent) is saying right now."""

    def __init__(self, parent: str | None = None) -> None:
        self._parent = parent
        self._text = _Buffer()
        self._thought = _Buffer()

    def text(self, event: TextSeen, turn: int) -> Iterator[Answer | Thought]:
        """Take answer text; yields the thought before it and, when it is whole, the answer."""
        yield from self._end_thought(turn)
        self._text.add(event)
        if not event.partial:
            yield from self._end_text(turn)

    def thought(self, event: ThoughtSeen, turn: int) -> Iterator[Answer | Thought]:
        """Take thinking; yields the answer before it and, when it is whole, the thought."""
        if event.removed:
            yield from self.settle(turn)
            yield self._made_thought(event.origin, event.time, turn, removed=True)
            return
        if event.text:
            yield from self._end_text(turn)
        self._thought.add(event)
        if not event.partial:
            self._thought.duration = event.duration_ms
            yield from self._end_thought(turn)

    def settle(self, turn: int) -> Iterator[Answer | Thought]:
        """Close whatever is open."""
        yield from self._end_thought(turn)
        yield from self._end_text(turn)

    def _end_text(self, turn: int) -> Iterator[Answer]:
        said, self._text = self._text, _Buffer()
        text = "".join(said.parts)
        if text.strip() and said.origin:
            yield Answer(
                text=text, turn=turn, time=said.time, parent=self._parent, evidence=said.origin
            )

    def _end_thought(self, turn: int) -> Iterator[Thought]:
        said, self._thought = self._thought, _Buffer()
        text = "".join(said.parts)
        if text.strip() and said.origin:
            yield self._made_thought(said.origin, said.time, turn, text, said.duration)

    def _made_thought(
        self,
        origin: Evidence,
        time: Time | None,
        turn: int,
        text: str = "",
        duration: float | None = None,
        *,
        removed: bool = False,
    ) -> Thought:
        return Thought(
            text=text,
            removed=removed,
            duration_ms=duration,
            turn=turn,
            time=time,
            parent=self._parent,
            evidence=origin,
        )
