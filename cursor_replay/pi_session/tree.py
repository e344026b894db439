"""Which entries pi reaches: the active leaf is the last line, its context the chain of parents.

Owns the index pi makes (the last entry with an id wins), what is lost by it, and circles (pi facts
1.2, 1.4). Linear in the entries, whatever their links. Keeps ids and line numbers, no content.
"""

from collections.abc import Iterator
from typing import Any

from cursor_replay.pi_session.findings import Finding, entries, found
from cursor_replay.pi_session.values import ABSENT, Object, type_of
from cursor_replay.records import dataclass

ROOT, LOST = -1, -2
"""Instead of a parent: there is none, or it cannot be found."""


@dataclass(frozen=True, slots=True)
class Link:
    """An entry's links; a ``*_type`` names what stands where a usable id should, else ''.

    ``is_nothing``: a value that is no object, which pi takes for an entry all the same.
    """

    line: int
    id: str
    id_type: str
    parent: str
    parent_type: str
    is_nothing: bool = False


def link_of(entry: Any, line: int) -> Link:
    """The links of a line; what is no object has none, and nothing is said of it here."""
    if not isinstance(entry, dict):
        return Link(line, "", "", "", "", is_nothing=True)
    name, name_type = _named(entry, "id")
    parent, parent_type = _named(entry, "parentId")
    if entry.get("parentId", ABSENT) is None:
        parent_type = ""
    return Link(line, name, name_type, parent, parent_type)


def _named(entry: Object, key: str) -> tuple[str, str]:
    value = entry.get(key, ABSENT)
    return (value, "") if isinstance(value, str) and value else ("", type_of(value))


class Tree:
    """The parent of every entry (its place, ROOT or LOST) and the ``path`` from the leaf upwards.

    ``linear``: pi gives new ids and makes one chain of the file (version 1), so nothing is lost.
    """

    def __init__(self, links: list[Link], *, linear: bool) -> None:
        self.links = links
        self._first: dict[str, int] = {}
        self._index: dict[str, int] = {}
        self._doubles: list[int] = []
        for place, link in enumerate(links):
            if link.id and self._first.setdefault(link.id, place) != place:
                self._doubles.append(place)
            if link.id:
                self._index[link.id] = place
        self.parents = [
            place - 1 if linear else self._parent(link) for place, link in enumerate(links)
        ]
        self.path = _path(self.parents, len(links) - 1)
        self._linear = linear

    def has(self, name: Any) -> bool:
        """Whether an entry has this id."""
        return isinstance(name, str) and name in self._index

    def faults(self) -> Iterator[Finding]:
        """What is wrong with the links, in the order of the lines within each kind."""
        if self._linear:
            return
        active = set(self.path)
        for place, link in enumerate(self.links):
            yield from self._link_faults(place, link, active=place in active)
        lost = self._lost_by_doubles(active) if self._doubles else 0
        for place in self._doubles:
            link = self.links[place]
            first = self.links[self._first[link.id]].line
            yield found("duplicate-id", link.line, first=first, lost=entries(lost))
        for place in _circles(self.parents):
            code = "parent-cycle" if place in active else "cycle-aside"
            yield found(code, self.links[place].line)

    def _parent(self, link: Link) -> int:
        if link.parent:
            return self._index.get(link.parent, LOST)
        return LOST if link.parent_type else ROOT

    def _link_faults(self, place: int, link: Link, *, active: bool) -> Iterator[Finding]:
        lost = entries(place)
        if link.id_type:
            yield found("no-id", link.line, type=link.id_type)
        if self.parents[place] == LOST and not place:
            yield from [found("first-without-parent", link.line)] if link.parent else ()
        elif self.parents[place] == LOST and link.parent:
            yield found("unknown-parent", link.line, lost=lost)
        elif self.parents[place] == LOST:
            yield found("no-parent", link.line, type=link.parent_type, lost=lost)
        elif self.parents[place] == ROOT and place and active:
            yield found("second-root", link.line, lost=lost)

    def _lost_by_doubles(self, active: set[int]) -> int:
        """Entries of the branch that was meant (the nearest id above) that pi's path leaves out."""
        nearest: dict[str, int] = {}
        meant = []
        for place, link in enumerate(self.links):
            meant.append(nearest.get(link.parent, ROOT))
            nearest[link.id] = place
        return len(set(_path(meant, len(meant) - 1)) - active)


def _path(parents: list[int], start: int) -> list[int]:
    """The places from ``start`` upwards, each once."""
    path = []
    seen = set()
    at = start
    while at >= 0 and at not in seen:
        path.append(at)
        seen.add(at)
        at = parents[at]
    return path


def _circles(parents: list[int]) -> Iterator[int]:
    """The topmost entry of every circle: it is the one that names something below it."""
    round_of = [0] * len(parents)
    for start in range(len(parents)):
        at = start
        while at >= 0 and not round_of[at]:
            round_of[at] = start + 1
            at = parents[at]
        if at >= 0 and round_of[at] == start + 1:
            yield min(_path(parents, at))
