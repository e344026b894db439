"""The one assistant message that is not written yet, and which calls belong into it."""

from dataclasses import dataclass, field

from cursor_replay.items import Answer, Card, Item, Notice, Thought
from cursor_replay.pi_session import lines
from cursor_replay.render.pi.cards import call_of

MOST_HELD = 200
"""Cards, blocks and notices that wait for one message; a longer one is written in several."""


@dataclass(slots=True)
class Held:
    """The assistant message that is not written yet, and what comes behind it."""

    said: list[lines.Thinking | lines.Text] = field(default_factory=list)
    cards: list[tuple[Card, str]] = field(default_factory=list)
    behind: list[Notice | Answer | Thought | Card] = field(default_factory=list)
    first: Item | None = None
    until: int = 0

    @property
    def blocks(self) -> list[lines.Thinking | lines.Text | lines.ToolCall]:
        """What the message holds: what was said, then the calls in the order of their starts."""
        begun = sorted(self.cards, key=lambda each: _start(each[0]))
        return [*self.said, *(call_of(card, identity) for card, identity in begun)]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not self.said and not self.cards

    def takes(self, card: Card) -> bool:
        """Whether a call ran beside those that wait: of one record, or begun before their end.

        Calls that never completed stand apart: what closes their message is theirs alone.
        """
        if not self.cards:
            return True
        last = self.cards[-1][0]
        here, there = card.evidence, last.evidence
        return (
            (card.status == "incomplete") == (last.status == "incomplete")
            and card.parent == last.parent
            and here.file == there.file
            and (here.line == there.line or here.line < self.until)
            and len(self.cards) < MOST_HELD
        )

    def add(self, card: Card, identity: str) -> None:
        """Take a card in."""
        self.cards.append((card, identity))
        self.first = self.first or card
        self.until = max(self.until, card.evidence.end_line or card.evidence.line)


def _start(card: Card) -> tuple[int, int]:
    return card.evidence.line, card.evidence.block or 0
