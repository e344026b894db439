"""Which turns and which cards of two tellings of one session are the same, where that is sure.

Owns the rules. Turns: a prompt that both hold equally often, in the same order. Cards of such a
turn: one tool, and every argument that both hold agrees; as many on both sides; several of a kind
only when nothing tells them apart. Anything else is no match.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from cursor_replay.items import Card, Item, Json
from cursor_replay.normalize.json_words import compact

_OWN = {"activityTitle", "activitySummary"}
"""Arguments of our own making."""


def aligned(ours: Sequence[str], theirs: Sequence[str]) -> dict[int, int]:
    """The places of our prompts in theirs, growing; unsure ones are left out."""
    mine, other = Counter(ours), Counter(theirs)
    places: dict[str, list[int]] = defaultdict(list)
    for place, prompt in enumerate(theirs):
        places[prompt].append(place)
    seen: Counter[str] = Counter()
    sure = []
    for number, prompt in enumerate(ours):
        if mine[prompt] == other[prompt]:
            sure.append((number, places[prompt][seen[prompt]]))
        seen[prompt] += 1
    return dict(_growing(sure))


def _growing(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs in which both places grow."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(found):
        at = bisect_left(tails, place)
        before.append(ends[at - 1] if at else -1)
        tails[at:] = [place, *tails[at + 1 :]]
        ends[at:] = [index, *ends[at + 1 :]]
    kept = []
    index = ends[-1] if ends else -1
    while index >= 0:
        kept.append(found[index])
        index = before[index]
    return kept[::-1]


def pairs(turn: Iterable[Item], other: Iterable[Item]) -> dict[int, Card]:
    """Cards of ``turn`` (by ``id()``) to the same calls in ``other``."""
    ours, theirs = _by_tool(turn), _by_tool(other)
    found: dict[int, Card] = {}
    for tool, cards in ours.items():
        for mine, others in _alike(cards, theirs.get(tool, [])):
            if _is_sure(mine, others):
                found |= {id(card): match for card, match in zip(mine, others, strict=True)}
    return found


def _by_tool(items: Iterable[Item]) -> dict[str, list[Card]]:
    cards: dict[str, list[Card]] = defaultdict(list)
    for item in items:
        if isinstance(item, Card) and item.parent is None:
            cards[item.source_tool].append(item)
    return cards


def _alike(ours: list[Card], theirs: list[Card]) -> list[tuple[list[Card], list[Card]]]:
    """Cards of one tool, grouped by what all of them say of their call."""
    told = [set(card.arguments) - _OWN for card in (*ours, *theirs)]
    common = set.intersection(*told) if told else set()
    groups: dict[str, tuple[list[Card], list[Card]]] = defaultdict(lambda: ([], []))
    for side, cards in enumerate((ours, theirs)):
        for card in cards:
            key = compact({name: _plain(card.arguments[name]) for name in sorted(common)})
            groups[key][side].append(card)
    return list(groups.values())


def _is_sure(ours: list[Card], theirs: list[Card]) -> bool:
    if len(ours) != len(theirs):
        return False
    if len(ours) > 1 and not (_are_equal(ours) and _are_equal(theirs)):
        return False
    return all(_agree(one, two) for one, two in zip(ours, theirs, strict=True))


def _are_equal(cards: list[Card]) -> bool:
    first, *rest = [_given(card) for card in cards]
    return all(each == first for each in rest)


def _agree(one: Card, two: Card) -> bool:
    mine, other = _given(one), _given(two)
    return all(mine[name] == other[name] for name in mine.keys() & other.keys())


def _given(card: Card) -> dict[str, Json]:
    return {key: _plain(value) for key, value in card.arguments.items() if key not in _OWN}


def _plain(value: Json) -> Json:
    return " ".join(value.split()) if isinstance(value, str) else value
