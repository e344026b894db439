"""One session told by two stores: what the one leaves open, the other fills in.

Owns how turns and cards of two tellings are matched. The base keeps its order and its words; a card
that it leaves "not recorded" takes outcome, content and times of the other's card of the same call,
and says from where. A match must be sure: in a turn that both hold, as many calls of one tool with
one target. When it is not, both cards are shown. Knows no store.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace

from cursor_replay.errors import ReplayError
from cursor_replay.items import (
    Answer,
    Card,
    Evidence,
    Item,
    Notice,
    Origin,
    Prompt,
    Session,
    Thought,
    TurnEnd,
)
from cursor_replay.normalize.bounds import plural

LOOKED_AHEAD = 50
"""Turns of the other telling that are looked through for a prompt; it may lack some."""
_TARGETS = ("path", "command", "pattern", "query", "url", "description", "toolName", "prompt")
_Key = tuple[str, str]
_Turn = list[Item]


def joined(base: Iterable[Item], other: Iterable[Item], *, store: str) -> Iterator[Item]:
    """The items of ``base``, completed by those of ``other``, whose format is ``store``."""
    others = _Others(other)
    found = 0
    for turn in _turns(base):
        match = others.take(_prompt_of(turn))
        found += match is not None
        yield from turn if match is None else _completed(turn, match, store)
    yield from _rest(others, found, store)


def _turns(items: Iterable[Item]) -> Iterator[_Turn]:
    """Items from one human prompt to the next; what comes before the first is a turn too."""
    turn: _Turn = []
    for item in items:
        if isinstance(item, Prompt) and item.author == "human" and turn:
            yield turn
            turn = []
        turn.append(item)
    if turn:
        yield turn


def _prompt_of(turn: _Turn) -> str | None:
    first = next((each for each in turn if isinstance(each, Prompt)), None)
    return " ".join(first.text.split()) if first else None


class _Others:
    """The turns of the other telling, in order; those passed over are counted."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._turns = (turn for turn in _turns(items) if _prompt_of(turn) is not None)
        self._ahead: deque[_Turn] = deque()
        self.left = 0
        self.first: Evidence | None = None
        self.trouble: str | None = None

    def take(self, prompt: str | None) -> _Turn | None:
        """The next turn of the same prompt; None when there is none within sight."""
        if prompt is None:
            return None
        while len(self._ahead) < LOOKED_AHEAD and (turn := self._next()):
            self._ahead.append(turn)
        place = next((i for i, turn in enumerate(self._ahead) if _prompt_of(turn) == prompt), None)
        if place is None:
            return None
        for _ in range(place):
            self._leave(self._ahead.popleft())
        return self._ahead.popleft()

    def rest(self) -> None:
        """Count what nobody asked for."""
        for turn in (*self._ahead, *iter(self._next, None)):
            self._leave(turn)

    def _next(self) -> _Turn | None:
        """A store that breaks off in the middle ends there; the base is shown all the same."""
        try:
            return next(self._turns, None)
        except ReplayError as error:
            self.trouble = str(error)
            return None

    def _leave(self, turn: _Turn) -> None:
        self.left += 1
        if self.first is None:
            self.first = next((each.evidence for each in turn if isinstance(each, Prompt)), None)


def _rest(others: _Others, found: int, store: str) -> Iterator[Item]:
    others.rest()
    if others.trouble is not None:
        message = f"{store} holds this session too, but cannot be read to its end: {others.trouble}"
        yield Notice(code="store-unreadable", message=message)
    if not others.left:
        return
    turns = plural(others.left, "turn")
    told = "none of its turns is in this one" if not found else f"{turns} of it are not in this one"
    yield Notice(
        code="told-differently",
        level="info",
        message=f"{store} holds this session too, but {told}; render it by itself to see them",
        evidence=others.first,
    )


def _completed(turn: _Turn, other: _Turn, store: str) -> Iterator[Item]:
    """One turn that both tell. The other's thoughts stand in front of the card they led to."""
    pairs = _pairs(turn, other)
    thoughts = _thoughts(other, {id(card) for card in pairs.values()})
    unmatched = _unmatched(other, pairs)
    last = turn[-1].turn if not isinstance(turn[-1], Session) else 0
    gap = 0
    for item in turn:
        if isinstance(item, TurnEnd):
            yield from _extra(unmatched, store, last)
            unmatched = []
        if isinstance(item, Thought) and item.removed and thoughts.get(gap):
            yield replace(thoughts[gap].pop(0), turn=item.turn)
            continue
        match = pairs.get(id(item))
        if match is not None and isinstance(item, Card):
            yield from (replace(each, turn=item.turn) for each in thoughts.pop(gap, []))
            gap += 1
            yield _filled(item, match, store)
            continue
        if isinstance(item, Answer) and gap == len(pairs):
            yield from (replace(each, turn=item.turn) for each in thoughts.pop(gap, []))
        yield item
    yield from _extra(unmatched, store, last)


def _pairs(turn: _Turn, other: _Turn) -> dict[int, Card]:
    """Cards of ``turn`` (by identity) to the same calls in ``other``, where that is sure."""
    ours, theirs = _by_key(turn), _by_key(other)
    pairs: dict[int, Card] = {}
    for key, cards in ours.items():
        matches = theirs.get(key, [])
        if len(matches) == len(cards):
            pairs |= {id(card): match for card, match in zip(cards, matches, strict=True)}
    return pairs


def _by_key(turn: _Turn) -> dict[_Key, list[Card]]:
    keyed: dict[_Key, list[Card]] = {}
    for item in turn:
        if isinstance(item, Card) and item.parent is None:
            keyed.setdefault(_key(item), []).append(item)
    return keyed


def _key(card: Card) -> _Key:
    """The tool, and what the call was about."""
    given = card.arguments
    target = next((given[key] for key in _TARGETS if isinstance(given.get(key), str)), "")
    return card.source_tool, " ".join(target.split())


def _thoughts(other: _Turn, matched: set[int]) -> dict[int, list[Thought]]:
    """The other's thoughts by how many matched cards stand before them."""
    gaps: dict[int, list[Thought]] = {}
    gap = 0
    for item in other:
        if id(item) in matched:
            gap += 1
        elif isinstance(item, Thought) and item.text and item.parent is None:
            gaps.setdefault(gap, []).append(item)
    return gaps


def _unmatched(other: _Turn, pairs: dict[int, Card]) -> list[Card]:
    """Cards that only the other has; those of a sub-agent stay in their store."""
    taken = {id(card) for card in pairs.values()}
    return [
        each
        for each in other
        if isinstance(each, Card) and each.parent is None and id(each) not in taken
    ]


def _extra(cards: list[Card], store: str, turn: int) -> Iterator[Item]:
    for card in cards:
        origin = Origin(store=store, evidence=card.evidence)
        yield replace(card, id=f"{card.id}-{store}", turn=turn, outcome_from=origin)


def _filled(card: Card, other: Card, store: str) -> Card:
    """``card`` with what ``other`` knows; its own arguments, which say more, stay."""
    if card.status != "unrecorded" or other.status == "unrecorded":
        timing = card.timing or other.timing
        return card if timing is card.timing else replace(card, timing=timing)
    same = card.tool == other.tool
    return replace(
        card,
        summary=other.summary if same and other.summary else card.summary,
        arguments={**other.arguments, **card.arguments} if same else card.arguments,
        content=other.content,
        details=other.details or card.details if same else card.details,
        status=other.status,
        reason=other.reason,
        timing=other.timing or card.timing,
        outcome_from=Origin(store=store, evidence=other.evidence),
    )
