"""One run told by several SDK surfaces in one file: its text is shown once (DESIGN section 6).

Calls are told apart by the ledger, with ids and payloads. Text has neither, so the surface that
speaks first in a turn is the voice; what another one says is held until the turn ends and is
dropped only when the voice has said it too. When unsure, both are kept.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from cursor_replay.events import (
    AnyEvent,
    Noted,
    PromptSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
    UsageSeen,
)

SDK = {"sdk-stream", "sdk-updates", "sdk-steps", "sdk-turns", "agent-messages", "sdk-run-result"}
REMEMBERED = 2_000_000
LOOKED_AT = 100_000
"""Characters: of a turn's text to remember, and to search for single pieces of it."""
_SPOKEN = (PromptSeen, TextSeen, ThoughtSeen, TurnEnded, UsageSeen)


@dataclass(slots=True)
class _Turn:
    voice: str | None = None
    prompt: str | None = None
    ended: bool = False
    said: deque[str] = field(default_factory=deque)
    length: int = 0
    held: list[TextSeen | ThoughtSeen] = field(default_factory=list)
    waiting: int = 0

    def say(self, text: str) -> None:
        """Remember what the voice said, the latest two million characters of it."""
        self.said.append(text)
        self.length += len(text)
        while self.length > REMEMBERED and len(self.said) > 1:
            self.length -= len(self.said.popleft())


class Surfaces:
    """Merges what the surfaces of one input say, one event at a time."""

    def __init__(self) -> None:
        self._turn = _Turn()

    def merge(self, surface: str, event: AnyEvent) -> Iterator[AnyEvent]:
        """Yield the event, or what it releases; nothing when another surface said it."""
        if not isinstance(event, _SPOKEN) or event.parent is not None:
            yield event
            return
        match event:
            case PromptSeen():
                yield from self._prompt(surface, event)
            case TextSeen() | ThoughtSeen():
                yield from self._speech(surface, event)
            case TurnEnded() | UsageSeen():
                yield from self._end(surface, event)

    def close(self) -> Iterator[AnyEvent]:
        """What was held and never said by the voice."""
        turn, held = self._turn, self._turn.held
        turn.held, turn.waiting = [], 0
        if not held:
            return
        said = "".join(turn.said)
        told = "".join(event.text for event in held).strip() in said
        new = [] if told else [event for event in held if not _is_in(event.text, said)]
        if new:  # a text of its own: it continues nothing, and nothing continues it
            settled = TextSeen(origin=new[0].origin, text="")
            yield from (settled, *new, settled)
        repeats = len(held) - len(new)
        if repeats:
            words = "a second surface of this run repeats its text, which is shown once"
            origin = held[0].origin
            yield Noted(origin=origin, code="second-surface", level="info", message=words)

    def _prompt(self, surface: str, event: PromptSeen) -> Iterator[AnyEvent]:
        turn = self._turn
        if turn.voice not in (None, surface) and turn.prompt == event.text:
            return
        yield from self.close()
        self._turn = _Turn(voice=surface, prompt=event.text)
        yield event

    def _speech(self, surface: str, event: TextSeen | ThoughtSeen) -> Iterator[AnyEvent]:
        turn = self._turn
        turn.voice = turn.voice or surface
        if surface == turn.voice:
            turn.say(event.text)
            yield event
            return
        turn.held.append(event)
        turn.waiting += len(event.text)
        if turn.waiting > REMEMBERED:
            yield from self.close()

    def _end(self, surface: str, event: TurnEnded | UsageSeen) -> Iterator[AnyEvent]:
        turn = self._turn
        if turn.voice not in (None, surface) and (turn.ended or isinstance(event, UsageSeen)):
            return
        if isinstance(event, TurnEnded):
            turn.ended = True
            yield from self.close()
        yield event


def _is_in(text: str, said: str) -> bool:
    return len(said) < LOOKED_AT and text.strip() in said
