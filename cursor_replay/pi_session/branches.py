"""What only the branch above an entry tells: whose result it is, what a compaction keeps.

Owns the pairing that pi's terminal view does (pi facts 1.5): a result goes to the last call above
it that has its id and waits; the calls of a message that failed wait for nothing. One walk over
the tree without recursion, whatever its shape.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from cursor_replay.pi_session.findings import Finding, found
from cursor_replay.pi_session.tree import Tree
from cursor_replay.pi_session.values import Object, is_name

_FAILED = ("aborted", "error")


class Trail:
    """What the entries say of each other, by their places; ``add`` is told every entry in turn."""

    def __init__(self) -> None:
        self.calls: dict[int, list[str]] = {}
        self.failed: set[int] = set()
        self.results: dict[int, str] = {}
        self.keeps: dict[int, Any] = {}
        self.targets: dict[int, Any] = {}
        self.levels: set[int] = set()

    def add(self, entry: Object, place: int) -> None:
        """Keep the ids of one entry."""
        kind = entry.get("type")
        if kind == "message" and isinstance(entry.get("message"), dict):
            self._message(entry["message"], place)
        elif kind == "compaction":
            self.keeps[place] = entry.get("firstKeptEntryId")
        elif kind == "label":
            self.targets[place] = entry.get("targetId")
        elif kind == "thinking_level_change":
            self.levels.add(place)

    def _message(self, message: Object, place: int) -> None:
        name = message.get("toolCallId")
        if message.get("role") == "toolResult" and is_name(name):
            self.results[place] = name
        content = message.get("content")
        if message.get("role") != "assistant" or not isinstance(content, list):
            return
        ids = [each.get("id") for each in content if _is_call(each)]
        self.calls[place] = [each for each in ids if is_name(each)]
        if message.get("stopReason") in _FAILED:
            self.failed.add(place)


def _is_call(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "toolCall"


def branch_faults(trail: Trail, tree: Tree) -> Iterator[Finding]:
    """What is wrong between entries of one branch."""
    walk = _Walk(trail, tree)
    for place in _downwards(tree.parents):
        if place >= 0:
            yield from walk.enter(place)
        else:
            walk.leave(~place)
    yield from walk.unanswered()
    for place, target in trail.targets.items():
        if not tree.has(target):
            yield found("label-of-nothing", tree.links[place].line)


class _Walk:
    """What holds on the way from the first entry to the present one.

    ``_waiting``, ``_answered`` and ``_failed`` are calls by id, the latest last; ``_undo`` says
    what an entry changed in them.
    """

    def __init__(self, trail: Trail, tree: Tree) -> None:
        self._trail, self._tree = trail, tree
        self._waiting: dict[str, list[int]] = defaultdict(list)
        self._answered: dict[str, list[int]] = defaultdict(list)
        self._failed: dict[str, list[int]] = defaultdict(list)
        self._above: dict[str, int] = defaultdict(int)
        self._undo: dict[int, list[tuple[list[int], int | None]]] = {}
        self._ever: set[tuple[int, str]] = set()
        self._open: list[int] = []
        self._seen = bytearray(len(tree.links))

    def enter(self, place: int) -> Iterator[Finding]:
        """Go down to an entry."""
        trail, link = self._trail, self._tree.links[place]
        self._seen[place] = True
        if place in trail.keeps and not self._is_above(trail.keeps[place]):
            yield found("compaction-keeps-nothing", link.line)
        self._above[link.id] += 1
        for name in trail.calls.get(place, ()):
            yield from self._call(name, place)
        if place in trail.results:
            yield from self._result(trail.results[place], place)
        if place == len(self._tree.links) - 1:
            self._open = [at for places in self._waiting.values() for at in places]

    def leave(self, place: int) -> None:
        """Go back up: take back what the entry changed."""
        self._above[self._tree.links[place].id] -= 1
        for stack, back in reversed(self._undo.pop(place, [])):
            if back is None:
                stack.pop()
            else:
                stack.append(back)

    def unanswered(self) -> Iterator[Finding]:
        """Calls without a result: on the active branch, and on others those that never get one."""
        active = set(self._tree.path)
        for place, names in self._trail.calls.items():
            waits = place not in active and place not in self._trail.failed
            if not waits or not self._seen[place]:
                continue
            self._open += [place for name in names if (place, name) not in self._ever]
        for place in self._open:
            yield found("call-without-result", self._tree.links[place].line)

    def _call(self, name: str, place: int) -> Iterator[Finding]:
        line = self._tree.links[place].line
        if place in self._trail.failed:
            self._push(self._failed[name], place, place)
            return
        if waiting := self._waiting[name]:
            yield found("duplicate-call-id", line, first=self._tree.links[waiting[-1]].line)
        elif answered := self._answered[name]:
            yield found("reused-call-id", line, first=self._tree.links[answered[-1]].line)
        self._push(self._waiting[name], place, place)

    def _result(self, name: str, place: int) -> Iterator[Finding]:
        if waiting := self._waiting[name]:
            call = waiting.pop()
            self._undo.setdefault(place, []).append((waiting, call))
            self._push(self._answered[name], call, place)
            self._ever.add((call, name))
            return
        codes = (
            ("second-result", self._answered[name]),
            ("result-of-failed-message", self._failed[name]),
        )
        code = next((code for code, calls in codes if calls), "orphan-result")
        yield found(code, self._tree.links[place].line)

    def _push(self, stack: list[int], call: int, place: int) -> None:
        stack.append(call)
        self._undo.setdefault(place, []).append((stack, None))

    def _is_above(self, name: Any) -> bool:
        return is_name(name) and self._above[name] > 0


def _downwards(parents: list[int]) -> Iterator[int]:
    """Every place that has a first entry before what follows it, and ``~place`` on the way back."""
    children: dict[int, list[int]] = defaultdict(list)
    for place, parent in enumerate(parents):
        children[max(parent, -1)].append(place)
    todo = children.pop(-1, [])[::-1]
    while todo:
        place = todo.pop()
        yield place
        if place >= 0:
            todo.append(~place)
            todo += reversed(children.pop(place, ()))
