"""One run told by several SDK surfaces in one file: its text is shown once (DESIGN section 6).

Calls are told apart by the ledger, with ids and payloads. Text has neither, so the surface that
speaks first in a turn is the voice; what another one says is held until the turn ends and is
dropped only when the voice has said it too. When unsure, both are kept.
"""

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

SDK = {"sdk-stream", "sdk-updates", "sdk-steps", "sdk-turns", "agent-messages"}
_SPOKEN = (PromptSeen, TextSeen, ThoughtSeen, TurnEnded, UsageSeen)


@dataclass(slots=True)
class _Turn:
    voice: str | None = None
    prompt: str | None = None
    ended: bool = False
    said: list[str] = field(default_factory=list)
    held: list[TextSeen | ThoughtSeen] = field(default_factory=list)


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
        held, self._turn.held = self._turn.held, []
        said = "".join(self._turn.said)
        repeated = [event for event in held if event.text and event.text.strip() in said]
        yield from (event for event in held if event not in repeated)
        if repeated:
            words = "a second surface of this run repeats its text, which is shown once"
            origin = repeated[0].origin
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
            turn.said.append(event.text)
            yield event
        else:
            turn.held.append(event)

    def _end(self, surface: str, event: TurnEnded | UsageSeen) -> Iterator[AnyEvent]:
        turn = self._turn
        if turn.voice not in (None, surface) and (turn.ended or isinstance(event, UsageSeen)):
            return
        if isinstance(event, TurnEnded):
            turn.ended = True
        yield event
