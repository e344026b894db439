"""What pi would choke on, line by line: the walk over a session file (pi facts 1.2 to 1.5).

Pure: lines in, findings out; whether a folder exists is asked of the caller. Of every line ids are
kept, so a file of any size is checked in one pass. Nothing of a file's values is in a finding.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from cursor_replay.pi_session.branches import Trail, branch_faults
from cursor_replay.pi_session.findings import Finding, counted, found
from cursor_replay.pi_session.loader import SKIPPED, UNREAD, LineLike, Loaded, load
from cursor_replay.pi_session.rules import entry_faults, header_faults, is_linear
from cursor_replay.pi_session.tree import Link, Tree, link_of
from cursor_replay.pi_session.values import Object
from cursor_replay.records import dataclass

_JUNK = frozenset({"not-json", "not-an-object", "cut-line"})
_NEEDS_ALL = frozenset(
    {"unknown-parent", "orphan-result", "compaction-keeps-nothing", "label-of-nothing"}
)
"""Findings that cannot be told when a line was not read: what is missed may stand there."""
_NAMES_IDS = frozenset({"compaction-keeps-nothing", "label-of-nothing"})
"""Findings about ids, which pi replaces in a file of version 1."""


@dataclass(frozen=False, slots=True)
class Tally:
    """How many entries pi finds in the file, and how many of them are messages."""

    entries: int = 0
    messages: int = 0


def check(
    lines: Iterable[LineLike], *, exists: Callable[[str], bool], tally: Tally | None = None
) -> Iterator[Finding]:
    """Yield what is wrong, in the order of the lines; of a file that is no session one thing only.

    ``exists`` tells whether a path is on this machine; ``tally`` is filled in. Raises nothing of
    its own.
    """
    loaded = load(lines)
    head = _Head()
    faults = head.read(loaded)
    if head.value is not None:
        faults += header_faults(head.value, head.line)
        cwd = head.value.get("cwd")
        if isinstance(cwd, str) and cwd and not exists(cwd):
            faults.append(found("cwd-missing", head.line))
        faults += _body(loaded, head, tally or Tally())
    yield from sorted(faults, key=lambda each: each.line)


class _Head:
    """The header: the first line that pi can parse has to be one."""

    def __init__(self) -> None:
        self.value: Object | None = None
        self.line = 1

    def read(self, loaded: Iterator[Loaded]) -> list[Finding]:
        """Read up to the header; what is wrong above it is told, junk as one thing."""
        faults: list[Finding] = []
        junk: list[int] = []
        self.line = 0
        for self.line, value, problems in loaded:
            if value is SKIPPED and any(each.code in _JUNK for each in problems):
                junk = [junk[0] if junk else self.line, (junk[1] if junk else 0) + 1]
                continue
            if value is SKIPPED:
                faults += problems
                continue
            if not isinstance(value, dict) or value.get("type") != "session":
                what = "the first entry is no session header"
                return [found("no-header", self.line, what=what)]
            self.value = value
            if junk:
                faults.append(
                    found("junk-before-header", junk[0], lines=counted(junk[1], "line", "lines"))
                )
            return faults + problems
        if not self.line:
            return [found("empty-file", 1)]
        return [found("no-header", 1, what="no line is a session header")]


def _body(loaded: Iterator[Loaded], head: _Head, tally: Tally) -> list[Finding]:
    """Check every entry by itself, then all of them together."""
    faults: list[Finding] = []
    links: list[Link] = []
    trail = Trail()
    for number, value, problems in loaded:
        faults += problems
        if value is SKIPPED:
            continue
        if isinstance(value, dict) and value.get("type") == "session":
            faults.append(found("second-header", number))
            continue
        if isinstance(value, dict):
            faults += entry_faults(value, number)
            trail.add(value, len(links))
            tally.entries += 1
            tally.messages += value.get("type") == "message"
        links.append(link_of(value, number))
    linear = is_linear(head.value or {})
    tree = Tree(links, linear=linear)
    more = chain(tree.faults(), branch_faults(trail, tree), _settings(trail, tree, head.line))
    moot = set(_NAMES_IDS if linear else ())
    if any(each.code in UNREAD for each in faults):
        moot |= _NEEDS_ALL
    return faults + [each for each in more if each.code not in moot]


def _settings(trail: Trail, tree: Tree, line: int) -> Iterator[Finding]:
    """What the branch the session ends on tells pi to begin with."""
    if not tree.links:
        yield found("no-entries", line)
    elif trail.levels.isdisjoint(tree.path):
        yield found("no-thinking-level", line)
    if tree.links and tree.links[-1].is_nothing:
        yield found("ends-on-nothing", tree.links[-1].line)
