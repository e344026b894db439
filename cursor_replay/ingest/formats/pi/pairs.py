"""Which call a result of a pi session belongs to (pi facts 1.5): ids may recur.

Owns the rule: it is the nearest call in front of it on its own branch that has this id and waits.
The calls of a message that failed were given up with it: only a result right behind it is theirs.
One walk over the tree, whatever its shape. Knows no event.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from cursor_replay.ingest.formats.pi.outline import Link


class CallAt(NamedTuple):
    """A call: the place of its entry, and its number among the calls of it."""

    place: int
    number: int


class Pairs(NamedTuple):
    """``owners`` goes by the place of a result; ``again`` are results of a call that has one.

    ``reused`` are calls that begin while another with their id waits, and gets a result.
    """

    owners: dict[int, CallAt]
    again: set[int]
    reused: set[CallAt]


def pair(links: list[Link], parents: list[int]) -> Pairs:
    """Pair every result of a tree; ``parents`` below 0 are first entries."""
    walk = _Walk(links)
    for place in _downwards(parents):
        if place >= 0:
            walk.enter(place, parents[place])
        else:
            walk.leave(~place)
    owned = set(walk.owners.values())
    reused = {call for call, other in walk.behind.items() if other is None or other in owned}
    return Pairs(walk.owners, walk.again, reused)


class _Walk:
    """What waits on the way from the first entry to the present one."""

    def __init__(self, links: list[Link]) -> None:
        self.owners: dict[int, CallAt] = {}
        self.again: set[int] = set()
        self.behind: dict[CallAt, CallAt | None] = {}
        self._links = links
        self._heads = list(range(len(links)))
        self._waiting: dict[tuple[str, int], list[CallAt]] = {}
        self._answered: Counter[str] = Counter()

    def enter(self, place: int, parent: int) -> None:
        link = self._links[place]
        if link.answers is None:
            self._call(place, link)
            return
        if parent >= 0:
            self._heads[place] = self._heads[parent]
        if not link.answers:
            return
        call = self._take(link.answers, self._heads[place], place)
        if call is not None:
            self.owners[place] = call
            self._answered[link.answers] += 1
        elif self._answered[link.answers]:
            self.again.add(place)

    def leave(self, place: int) -> None:
        link = self._links[place]
        for number, name in enumerate(link.calls):
            if name:
                self._waiting[self._key(CallAt(place, number))].pop()
        call = self.owners.get(place)
        if call is not None and link.answers:
            self._waiting[self._key(call)].append(call)
            self._answered[link.answers] -= 1

    def _call(self, place: int, link: Link) -> None:
        """The first call of an entry is the first to be answered: it comes to lie on top."""
        fresh: set[str] = set()
        for number, name in enumerate(link.calls):
            call = CallAt(place, number)
            under = self._waiting.get(self._key(call), ())
            if name and name in fresh:
                self.behind[call] = None
            elif name and under:
                self.behind[call] = under[-1]
            fresh.add(name)
        for number in reversed(range(len(link.calls))):
            if link.calls[number]:
                call = CallAt(place, number)
                self._waiting.setdefault(self._key(call), []).append(call)

    def _take(self, name: str, head: int, place: int) -> CallAt | None:
        for key in ((name, head), (name, -1)):
            calls = self._waiting.get(key)
            if calls and calls[-1].place < place:
                return calls.pop()
        return None

    def _key(self, call: CallAt) -> tuple[str, int]:
        """Calls of a failed message wait apart: nothing but what is right behind it finds them."""
        link = self._links[call.place]
        return link.calls[call.number], call.place if link.failed else -1


def _downwards(parents: list[int]) -> Iterator[int]:
    """Every place before what follows it, and ``~place`` when all of that has passed."""
    first, following = [-1] * len(parents), [-1] * len(parents)
    for place in reversed(range(len(parents))):
        if parents[place] >= 0:
            following[place], first[parents[place]] = first[parents[place]], place
    seen = bytearray(len(parents))
    roots = [place for place, parent in enumerate(parents) if parent < 0]
    for start in (*roots, *range(len(parents))):  # a circle has no first entry: begin anywhere
        todo = [] if seen[start] else [start]
        while todo:
            place = todo.pop()
            yield place
            if place < 0:
                continue
            seen[place] = 1
            todo.append(~place)
            child = first[place]
            while child >= 0:
                if not seen[child]:
                    todo.append(child)
                child = following[child]
