"""The tree of a pi session, read in a first pass that keeps ids and line numbers only.

Owns which entries are on the branch the session ends on (the parents of its last line, pi facts
1.2), and what is wrong with the links. pi silently loses what it cannot reach and runs out of
memory in a circle of parents; here every entry is accounted for. Knows no event.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from cursor_replay.ingest.formats.pi.outline import Link, Outline, Trouble, link_of, outlines
from cursor_replay.ingest.formats.pi.pairs import Pairs, pair
from cursor_replay.ingest.formats.pi.records import ENTRY_TYPES
from cursor_replay.ingest.lines import Line
from cursor_replay.records import dataclass

Kind = Literal["active", "branch", "cut"]
ROOT, LOST = -1, -2
"""Instead of a parent: the entry is a first one, or its parent cannot be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """What the first pass found; ``parents`` and ``kinds`` go by an entry's place in ``links``.

    An entry is ``active``, on another ``branch``, or ``cut`` off by a broken link. ``known`` says
    that some entry is of a type that a session has.
    """

    header: Outline | None
    header_line: int
    links: list[Link]
    parents: list[int]
    kinds: list[Kind]
    troubles: list[Trouble]
    known: bool

    def title(self) -> str | None:
        """The last name on the branch the session ends on; an empty one clears it."""
        names = [
            link.title
            for link, kind in zip(self.links, self.kinds, strict=True)
            if kind == "active" and link.title is not None
        ]
        return names[-1].strip() or None if names else None

    def model(self) -> str | None:
        """The first model on that branch."""
        pairs = zip(self.links, self.kinds, strict=True)
        return next((link.model for link, kind in pairs if kind == "active" and link.model), None)

    def pairs(self, *, every: bool) -> Pairs:
        """Whose the results are, of the active branch or of ``every`` one."""
        found = pair(self.links, self.parents)
        if every:
            return found
        owners = {at: call for at, call in found.owners.items() if self.kinds[at] == "active"}
        return found._replace(owners=owners)


def read_tree(lines: Iterable[Line]) -> Tree:
    """Read the links of all lines."""
    header: Outline | None = None
    header_line = 1
    links: list[Link] = []
    troubles: list[Trouble] = []
    known = False
    for line in lines:
        for found in outlines(line, troubles):
            if found.type != "session":
                known = known or found.type in ENTRY_TYPES
                links.append(link_of(found, line.number))
            elif header is None:
                header, header_line = found, line.number
            else:
                troubles.append(Trouble(line.number, "second-header", "another session header"))
    linear = _is_linear(header, links)
    parents = _in_a_row(links) if linear else _by_id(links, troubles)
    kinds, circles = _kinds(parents)
    words = "the parents of an entry go round in a circle"
    troubles += [Trouble(links[place].line, "parent-cycle", words) for place in circles]
    return Tree(
        header=header,
        header_line=header_line,
        links=links,
        parents=parents,
        kinds=kinds,
        troubles=sorted(troubles),
        known=known,
    )


def _is_linear(header: Outline | None, links: list[Link]) -> bool:
    """Version 1 has no tree; pi takes a header without a version for it (pi facts 1.4)."""
    version = header.version if header else 3
    old = version is None or (type(version) in (int, float) and version < 2)
    return old or not any(link.id for link in links)


def _in_a_row(links: list[Link]) -> list[int]:
    return [place - 1 for place in range(len(links))]


def _by_id(links: list[Link], troubles: list[Trouble]) -> list[int]:
    """The nearest entry in front with the id that is named, else the first one behind."""
    first: dict[str, int] = {}
    for place, link in enumerate(links):
        if link.id is not None:
            first.setdefault(link.id, place)
    before: dict[str, int] = {}
    parents = []
    for place, link in enumerate(links):
        named = link.parent if isinstance(link.parent, str) else None
        parent = before.get(named, first.get(named, LOST)) if named is not None else LOST
        if link.parent is None or (named is None and place == 0):
            parent = ROOT
        parents.append(parent)
        troubles += [Trouble(link.line, *each) for each in _damage(link, parent, before)]
        if link.id is not None:
            before[link.id] = place
    return parents


def _damage(link: Link, parent: int, before: dict[str, int]) -> Iterator[tuple[str, str]]:
    if link.id is None:
        yield "no-id", "an entry without an id"
    elif link.id in before:
        yield "duplicate-id", "an entry with the id of an earlier one"
    if parent == LOST and isinstance(link.parent, str):
        yield "unknown-parent", "an entry whose parent is not in the file"
    elif parent == LOST:
        yield "no-parent", "an entry that does not say what it follows"


def _kinds(parents: list[int]) -> tuple[list[Kind], list[int]]:
    """The kind of every entry, and the entries whose parent closes a circle."""
    kinds: list[Kind | None] = [None] * len(parents)
    circles: list[int] = []
    path, end = _up(len(parents) - 1, parents, kinds)
    _mark(path, "active", kinds)
    if end >= 0:
        circles.append(path[-1])
    whole = end == ROOT
    for start in range(len(parents)):
        path, end = _up(start, parents, kinds)
        if end >= 0 and kinds[end] is None:
            circles.append(path[-1])
        joins = end >= 0 and kinds[end] in ("active", "branch")
        _mark(path, "branch" if joins or (end == ROOT and whole) else "cut", kinds)
    return [kind or "cut" for kind in kinds], circles


def _up(start: int, parents: list[int], kinds: list[Kind | None]) -> tuple[list[int], int]:
    """The entries from ``start`` upwards that have no kind yet, and what stands above them."""
    path: list[int] = []
    seen: set[int] = set()
    at = start
    while at >= 0 and kinds[at] is None and at not in seen:
        path.append(at)
        seen.add(at)
        at = parents[at]
    return path, at


def _mark(path: list[int], kind: Kind, kinds: list[Kind | None]) -> None:
    for place in path:
        kinds[place] = kind
