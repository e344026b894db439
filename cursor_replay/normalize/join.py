"""One session told by two stores: what the one leaves open, the other fills in.

Owns the base's side of it: the base keeps its order and its words; a card that it leaves "not
recorded" takes outcome, content and times of the other's card of the same call, and says from
where. What only the other tells of a turn is shown at its end. Which turns and cards are the same
is decided in ``matching.py``. Knows no store.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cursor_replay.errors import ReplayError
from cursor_replay.items import (
    Answer,
    Card,
    Evidence,
    Item,
    Level,
    Notice,
    Origin,
    Prompt,
    Thought,
    TurnEnd,
)
from cursor_replay.normalize.bounds import plural
from cursor_replay.normalize.matching import aligned, pairs

_Turn = list[Item]


def joined(
    base: Iterable[Item],
    other: Iterable[Item],
    *,
    store: str,
    prompts: tuple[Sequence[str], Sequence[str]],
) -> Iterator[Item]:
    """The items of ``base``, completed by those of ``other``, whose format is ``store``.

    ``prompts`` are the fingerprints of all human prompts of both, in order: only the whole tells
    which of two equal prompts is which.
    """
    places = aligned(*prompts)
    others = _Others(other)
    number = -1
    for turn in _turns(base):
        number += _is_asked(turn[0])
        match = others.take(places.get(number)) if _is_asked(turn[0]) else None
        yield from turn if match is None else _completed(turn, match, store)
    yield from others.rest(store)


def fingerprint(text: str) -> str:
    """A prompt without its white space, to be compared."""
    return " ".join(text.split())


def _is_asked(item: Item) -> bool:
    return isinstance(item, Prompt) and item.author == "human"


def _turns(items: Iterable[Item]) -> Iterator[_Turn]:
    """Items from one human prompt to the next; what comes before the first is a turn too."""
    turn: _Turn = []
    for item in items:
        if _is_asked(item) and turn:
            yield turn
            turn = []
        turn.append(item)
    if turn:
        yield turn


class _Others:
    """The asked turns of the other telling, in order; those passed over are counted."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._turns = (turn for turn in _turns(items) if _is_asked(turn[0]))
        self._number = -1
        self._taken = self._left = 0
        self._first: Evidence | None = None
        self._trouble: str | None = None

    def take(self, number: int | None) -> _Turn | None:
        """Turn ``number`` of it; the ones before are left."""
        while number is not None and (turn := self._next()) is not None:
            if self._number == number:
                self._taken += 1
                return turn
            self._leave(turn)
        return None

    def rest(self, store: str) -> Iterator[Notice]:
        """What nobody asked for, and why it could not be read further."""
        while (turn := self._next()) is not None:
            self._leave(turn)
        if self._trouble is not None:
            words = f"cannot be read to its end: {self._trouble}"
            yield _note(store, words, code="store-unreadable", level="warning")
        if self._left:
            turns = plural(self._left, "turn")
            told = f"{turns} of it cannot be matched with this one for sure"
            words = told if self._taken else "none of its turns can be matched with this one"
            yield replace(_note(store, f"{words}; render it by itself"), evidence=self._first)

    def _next(self) -> _Turn | None:
        """A store that breaks off in the middle ends there; the base is shown all the same."""
        try:
            turn = next(self._turns, None)
        except ReplayError as error:
            self._trouble = str(error)
            return None
        self._number += turn is not None
        return turn

    def _leave(self, turn: _Turn) -> None:
        self._left += 1
        if self._first is None and isinstance(turn[0], Prompt):
            self._first = turn[0].evidence


def _note(
    store: str, words: str, *, code: str = "told-differently", level: Level = "info"
) -> Notice:
    return Notice(code=code, level=level, message=f"{store} holds this session too, but {words}")


def _completed(turn: _Turn, other: _Turn, store: str) -> Iterator[Item]:
    """One turn that both tell. The other's thoughts stand in front of the card they led to."""
    found = pairs(turn, other)
    thoughts = _thoughts(other, {id(card) for card in found.values()})
    rest = _rest(turn, other, found, store)
    gap = 0
    for item in turn:
        number = getattr(item, "turn", 0)
        if isinstance(item, TurnEnd):
            yield from _left(thoughts, number)
            yield from rest
        if isinstance(item, Thought) and item.removed and thoughts.get(gap):
            yield replace(thoughts[gap].pop(0), turn=number)
            continue
        if isinstance(item, Card) and (match := found.get(id(item))) is not None:
            yield from (replace(each, turn=number) for each in thoughts.pop(gap, []))
            gap += 1
            yield _filled(item, match, store)
            continue
        if isinstance(item, Answer) and gap == len(found):
            yield from (replace(each, turn=number) for each in thoughts.pop(gap, []))
        yield item
    yield from _left(thoughts, getattr(turn[-1], "turn", 0))
    yield from rest


def _left(thoughts: dict[int, list[Thought]], turn: int) -> Iterator[Item]:
    for gap in sorted(thoughts):
        yield from (replace(each, turn=turn) for each in thoughts.pop(gap))


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


def _rest(turn: _Turn, other: _Turn, found: dict[int, Card], store: str) -> Iterator[Item]:
    """What only the other tells of a turn: cards, answers, problems, its end."""
    taken = {id(card) for card in found.values()}
    said = fingerprint("\n".join(each.text for each in turn if isinstance(each, Answer)))
    number = getattr(turn[0], "turn", 0)
    has_end = any(isinstance(each, TurnEnd) for each in turn)
    for item in other:
        match item:
            case Card(parent=None) if id(item) not in taken:
                origin = Origin(store=store, evidence=item.evidence)
                yield replace(item, id=f"{item.id}-{store}", turn=number, outcome_from=origin)
            case Answer(parent=None) if fingerprint(item.text) not in said:
                yield replace(item, turn=number)
            case Notice(parent=None) if item.level != "info":
                yield replace(item, turn=number)
            case TurnEnd() if not has_end:
                yield replace(item, turn=number)


def _filled(card: Card, other: Card, store: str) -> Card:
    """``card`` with what ``other`` knows; its own arguments, which say more, stay."""
    timing = other.timing or card.timing
    knows = other.status != "unrecorded" or bool(other.content)
    if card.status != "unrecorded" or not knows:
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
        timing=timing,
        outcome_from=Origin(store=store, evidence=other.evidence),
    )
