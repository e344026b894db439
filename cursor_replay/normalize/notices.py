"""Notices: like ones that follow each other are folded, harmless ones are counted to the end."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cursor_replay.events import CallCompleted, Noted, PromptSeen
from cursor_replay.items import Card, Item, Notice, Usage

UNRECORDED = "results-not-recorded"
_COUNTED = {"crlf", "byte-order-mark", "no-final-newline", "second-surface"}
"""Said once, at the end: nothing was lost."""


class Notices:
    """The notice being folded, the counted ones, and how many problems there were."""

    def __init__(self) -> None:
        self._open: Notice | None = None
        self._counted: dict[str, Notice] = {}
        self._problems: dict[str, int] = {}

    @property
    def pending(self) -> bool:
        """Whether a notice is being folded."""
        return self._open is not None

    def take(self, event: Noted, turn: int) -> Iterator[Notice]:
        """Fold an event in; yields the notice it closes."""
        if event.problem:
            self._problems[event.code] = self._problems.get(event.code, 0) + 1
        if event.code in _COUNTED:
            self._count(event, turn)
            return
        held = self._open
        if held and event.problem and (held.code, held.message) == (event.code, event.message):
            self._open = _folded(held, event)
            return
        yield from self.settle()
        self._open = _notice(event, turn)
        if not event.problem:
            yield from self.settle()

    def settle(self) -> Iterator[Notice]:
        """Close the notice being folded."""
        if self._open:
            yield self._open
        self._open = None

    def close(self, turn: int) -> Iterator[Notice]:
        """The counted ones and the sum of what could not be shown as recorded."""
        yield from self.settle()
        yield from self._counted.values()
        total = sum(self._problems.values())
        if total:
            kinds = ", ".join(
                f"{code.replace('-', ' ')} ({count})" for code, count in self._problems.items()
            )
            message = f"not everything could be shown as recorded: {kinds}"
            yield Notice(code="losses", message=message, count=total, turn=turn)

    def _count(self, event: Noted, turn: int) -> None:
        held = self._counted.get(event.code)
        self._counted[event.code] = _folded(held, event) if held else _notice(event, turn)


def subagent_notice(event: PromptSeen, turn: int) -> Notice:
    """What a sub-agent was asked: no turn of the run around it."""
    message = f"the sub-agent was asked: {event.text}"
    return Notice(
        code="sub-agent-prompt", level="info", message=message, turn=turn, evidence=event.origin
    )


def usage_notice(usage: Usage, turn: int, who: str = "usage:") -> Notice:
    """What a run or (``who``) a sub-agent used, where no turn's end says it."""
    read, written = usage.input_tokens, usage.output_tokens
    message = f"{who} {read} input and {written} output tokens"
    return Notice(code="usage", level="info", message=message, turn=turn)


def recounted(items: Iterable[Item]) -> Iterator[Item]:
    """Pass ``items`` on; the note on unknown outcomes counts those that are still unknown."""
    unknown = 0
    for item in items:
        unknown += isinstance(item, Card) and item.parent is None and item.status == "unrecorded"
        if isinstance(item, Notice) and item.code == UNRECORDED and item.parent is None:
            if unknown:
                yield unrecorded_notice(unknown, item.turn)
        else:
            yield item


def unrecorded_notice(count: int, turn: int) -> Notice:
    """Said once, at the end, for a recording without the results of its calls."""
    what = "the outcome of 1 call is" if count == 1 else f"the outcomes of {count} calls are"
    message = f"{what} not recorded here"
    return Notice(code=UNRECORDED, level="info", message=message, count=count, turn=turn)


def contradiction_notice(event: CallCompleted, turn: int) -> Notice:
    """Said of a second, different completion of one call: the first one is what is shown."""
    message = "a call that had completed completes again, with another result that is not shown"
    return Notice(code="completed-again", message=message, turn=turn, evidence=event.origin)


def _notice(event: Noted, turn: int) -> Notice:
    return Notice(
        code=event.code,
        level=event.level,
        message=event.message,
        turn=turn,
        evidence=event.origin,
    )


def _folded(held: Notice, event: Noted) -> Notice:
    evidence = held.evidence and replace(held.evidence, end_line=event.origin.line)
    return replace(held, count=held.count + 1, evidence=evidence)
