"""Which items are shown: pure functions over sealed items.

The session head is always shown. Everything else has to pass every filter that was asked for:
``tools`` leaves only cards of those tools, ``errors`` only what went wrong, ``turns`` only those
turns, and without ``thinking`` no thought is left.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cursor_replay.items import GOOD_ENDS, Card, Item, Notice, Sealed, Session, Thought, TurnEnd

PI_NAMES = {"shell": "bash", "glob": "find"}
"""Cursor's tools whose card bears another name of pi's, once it has a result."""

BAD_STATES = frozenset({"failed", "incomplete"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What to show. Empty ``tools`` and ``turns`` mean all; a turn range is (first, last)."""

    tools: frozenset[str] = frozenset()
    turns: tuple[tuple[int, int], ...] = ()
    errors: bool = False
    thinking: bool = True

    @property
    def narrow(self) -> bool:
        """Whether a filter was asked for that can leave nothing at all."""
        return bool(self.tools or self.turns or self.errors)


def filters(
    *, tools: Iterable[str], turns: Iterable[tuple[int, int]], errors: bool, thinking: bool
) -> Filters:
    """Return the filters for option values; tool names are compared without case."""
    folded = frozenset(tool.casefold() for tool in tools)
    return Filters(tools=folded, turns=tuple(turns), errors=errors, thinking=thinking)


def kept(items: Iterable[Sealed], wanted: Filters) -> Iterator[Sealed]:
    """Yield the items that pass, lazily and in order."""
    return (sealed for sealed in items if is_kept(sealed.item, wanted))


def is_kept(item: Item, wanted: Filters) -> bool:
    """Say whether ``item`` passes every filter."""
    if isinstance(item, Session):
        return True
    return (
        (wanted.thinking or not isinstance(item, Thought))
        and (not wanted.turns or _is_in(item.turn, wanted.turns))
        and (not wanted.tools or _is_of(item, wanted.tools))
        and (not wanted.errors or is_problem(item))
    )


def is_problem(item: Item) -> bool:
    """Say whether the record itself tells that something went wrong here."""
    match item:
        case Card(status=status):
            return status in BAD_STATES
        case Notice(level=level):
            return level == "error"
        case TurnEnd(status=status):
            return status not in GOOD_ENDS
        case _:
            return False


def _is_in(turn: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= turn <= last for first, last in ranges)


def _is_of(item: Item, tools: frozenset[str]) -> bool:
    if not isinstance(item, Card):
        return False
    source = item.source_tool.casefold()
    return not tools.isdisjoint({item.tool.casefold(), source, PI_NAMES.get(source, source)})
