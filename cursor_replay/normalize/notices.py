"""Notices: like ones that follow each other are folded, harmless ones are counted to the end."""

from collections.abc import Iterator
from dataclasses import replace

from cursor_replay.events import Noted
from cursor_replay.items import Notice

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
                f"{count} {code.replace('-', ' ')}" for code, count in self._problems.items()
            )
            message = f"not everything could be shown as recorded: {kinds}"
            yield Notice(code="losses", message=message, count=total, turn=turn)

    def _count(self, event: Noted, turn: int) -> None:
        held = self._counted.get(event.code)
        self._counted[event.code] = _folded(held, event) if held else _notice(event, turn)


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
