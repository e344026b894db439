"""Sub-agents that have a recording of their own, put to the task that started them.

Owns the link: the agent id or the transcript a task card names, else the child's first prompt,
which is the task's (transcript facts 1.9); of equal prompts the oldest file first. A child that no
task claims stays visible at the end. Knows no file.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, assert_never

from cursor_replay.items import (
    GOOD_ENDS,
    Answer,
    Card,
    Evidence,
    Item,
    Notice,
    Prompt,
    Session,
    Thought,
    TurnEnd,
)
from cursor_replay.normalize.bounds import plural

_TRANSCRIPT = re.compile(r"^Transcript: .*?([^/\\\n]+)\.(?:jsonl|txt)$", re.MULTILINE)


DEEPEST = 50
"""Sub-agents inside sub-agents that are nested; what is deeper stands at the end."""


class Child(NamedTuple):
    """A sub-agent's recording: its id, where it is, and its items, which can be asked for again."""

    id: str
    file: str
    items: Callable[[], Iterable[Item]]

    def prompt(self) -> str | None:
        """The first prompt, white space collapsed; reads no further than that."""
        first = next((each for each in self.items() if isinstance(each, Prompt)), None)
        return _plain(first.text) if first else None


class Children:
    """The sub-agents of one session that no task has claimed yet."""

    def __init__(self, children: Iterable[Child]) -> None:
        self._count = 0
        self._depth = 0
        self._waiting = [(child, child.prompt()) for child in children]

    def put_to_tasks(self, items: Iterable[Item]) -> Iterator[Item]:
        """Pass ``items`` on, each task's card followed by what its sub-agent did."""
        yield from self._among(items)
        while self._waiting:
            child, _ = self._waiting.pop(0)
            yield _notice(child, f"a sub-agent that no task here names: {child.id}")
            yield from self._nested(child, child.id, 0, told=False)

    def _among(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            yield item
            if not self._waiting or self._depth >= DEEPEST:
                continue
            if isinstance(item, Card) and item.source_tool == "task":
                child = self._claimed_by(item)
                if child is not None:
                    yield from self._nested(child, item.id, item.turn, told=True)

    def _claimed_by(self, card: Card) -> Child | None:
        """Sub-agents start sub-agents, and all their files lie in one folder."""
        named, prompt = _named(card), card.arguments.get("prompt")
        wanted = _plain(prompt) if isinstance(prompt, str) and prompt else None
        by_id = (each for each in self._waiting if each[0].id in named)
        by_prompt = (each for each in self._waiting if wanted and each[1] == wanted)
        found = next(by_id, None) or next(by_prompt, None)
        if found is None:
            return None
        self._waiting.remove(found)
        return found[0]

    def _nested(self, child: Child, parent: str, turn: int, *, told: bool) -> Iterator[Item]:
        """The child's items under ``parent``; its first prompt is the task's, if that was told."""
        self._count += 1
        self._depth += 1
        yield from self._marked(child, parent, turn, mark=f"-sub{self._count}", told=told)
        self._depth -= 1

    def _marked(
        self, child: Child, parent: str, turn: int, *, mark: str, told: bool
    ) -> Iterator[Item]:
        """Ids of two recordings may be the same: those of a child's own cards get a mark."""
        for item in self._among(child.items()):
            inside = getattr(item, "parent", None)
            under = inside + mark if inside else parent
            match item:
                case Session():
                    continue
                case Prompt() if told:
                    told = False
                    continue
                case Card():
                    yield replace(item, id=item.id + mark, parent=under, turn=turn)
                case Answer() | Thought():
                    yield replace(item, parent=under, turn=turn)
                case Prompt():
                    note = _notice(child, f"sub-agent prompt: {item.text}", turn=turn)
                    yield replace(note, parent=parent)
                case Notice():
                    yield replace(item, turn=turn, parent=under)
                case TurnEnd():
                    if item.status not in GOOD_ENDS:
                        words = ": ".join([item.status, *([item.reason] if item.reason else [])])
                        note = _notice(child, f"the sub-agent's run ended with {words}", turn=turn)
                        yield replace(note, parent=parent, evidence=item.evidence)
                case _:
                    assert_never(item)


def _named(card: Card) -> set[str]:
    """The ids a task's card names: its agent's, and that of the transcript its result tells of."""
    agent = card.arguments.get("agentId")
    told = (_TRANSCRIPT.search(part.text) for part in card.content)
    return {each[1] for each in told if each} | ({agent} if isinstance(agent, str) else set())


def _plain(text: str) -> str:
    return " ".join(text.split())


def _notice(child: Child, message: str, *, turn: int = 0) -> Notice:
    evidence = Evidence(file=child.file, line=1)
    return Notice(code="subagent", level="info", message=message, turn=turn, evidence=evidence)


def folded(items: Iterable[Item]) -> Iterator[Item]:
    """Pass ``items`` on; what a sub-agent did becomes one line that counts it."""
    hidden: Counter[str] = Counter()
    first: Item | None = None
    for item in items:
        if getattr(item, "parent", None) is None:
            if first is not None:
                yield _summary(first, hidden)
                first, hidden = None, Counter()
            yield item
            continue
        first = first or item
        hidden["call"] += isinstance(item, Card)
        hidden["answer"] += isinstance(item, Answer)
        hidden["failed"] += isinstance(item, Card) and item.status in ("failed", "incomplete")
    if first is not None:
        yield _summary(first, hidden)


def _summary(first: Item, hidden: "Counter[str]") -> Notice:
    """``sub-agent: 12 calls, 3 answers, 1 without success``."""
    words = [plural(hidden["call"], "call"), plural(hidden["answer"], "answer")]
    if hidden["failed"]:
        words.append(f"{hidden['failed']} without success")
    return Notice(
        code="subagent",
        level="info",
        message=f"sub-agent: {', '.join(words)} (--subagents shows them)",
        turn=getattr(first, "turn", 0),
        evidence=getattr(first, "evidence", None),
    )
