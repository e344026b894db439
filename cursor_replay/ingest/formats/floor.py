"""Records of several runs in one log, shown a turn at a time.

::

    A1 B1 A2 B2 A-end B-end ──> A1 A2 A-end  "what follows is of B"  B1 B2 B-end

Owns whose turn is shown: what another run does meanwhile waits until the turn is over, or its run
has been silent for long. Knows no record: a run says what is a turn.
"""

import heapq
from collections import deque
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from cursor_replay.events import AnyEvent, Noted, SessionSeen, TextSeen
from cursor_replay.items import Evidence

_R = TypeVar("_R")
_R_contra = TypeVar("_R_contra", contravariant=True)
MOST_SILENT = 100
"""Records of others after which a run that says nothing has left its turn without an end."""
MOST_WAITING = 1000


class Runs(Protocol[_R_contra]):
    """What a decoder knows of the runs in its log."""

    def take(self, home: str, record: _R_contra, origin: Evidence) -> Iterator[AnyEvent]:
        """The events of a record of the run ``home``."""

    def idle(self, home: str) -> bool:
        """Whether no turn of this run is under way."""

    def begins(self, home: str, record: _R_contra) -> bool:
        """Whether a record begins a turn, so that one without an end is over."""


class Floor(Generic[_R]):
    """The run whose turn is shown, and what waits. ``kind`` is a run's name in words."""

    def __init__(self, kind: str, runs: Runs[_R]) -> None:
        self._kind, self._runs = kind, runs
        self._current: str | None = None
        self._unnamed: str | None = None
        self._shown: str | None = None
        self._waiting: dict[str, deque[tuple[int, _R, Evidence]]] = {}
        self._oldest: list[tuple[int, str]] = []
        self._number = self._count = self._silent = 0
        self._over = False

    def home(self, name: str | None) -> str:
        """The run of a record; one without a name is of the run whose turn is shown."""
        if name is None:
            return self._current or ""
        if self._current == "" and self._unnamed is None:
            self._unnamed = name
        return "" if name == self._unnamed else name

    def feed(self, home: str, record: _R, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of a record, at once or when its run's turn has come."""
        here = home == self._current
        begins = here and bool(self._waiting) and self._runs.begins(home, record)
        if self._current is None or (here and not begins):
            self._current, self._silent = home, 0
            yield from self._told(home, record, origin)
        else:
            self._over = self._over or begins
            self._wait(home, record, origin)
        yield from self._release()

    def adopted(self, home: str) -> Iterator[tuple[_R, Evidence]]:
        """Take what waits of a run that turns out to be none of its own."""
        for _, record, origin in self._waiting.pop(home, ()):
            self._count -= 1
            yield record, origin

    def close(self) -> Iterator[AnyEvent]:
        """What still waits at the end."""
        yield from self._release(last=True)

    def _wait(self, home: str, record: _R, origin: Evidence) -> None:
        self._number += 1
        self._count += 1
        self._silent += home != self._current
        if home not in self._waiting:
            heapq.heappush(self._oldest, (self._number, home))
            self._waiting[home] = deque()
        self._waiting[home].append((self._number, record, origin))

    def _release(self, *, last: bool = False) -> Iterator[AnyEvent]:
        """The turns that waited, the oldest first, while nobody's turn is under way."""
        while self._oldest and (last or self._is_free()):
            number, home = heapq.heappop(self._oldest)
            line = self._waiting.get(home)
            if line and line[0][0] == number:
                self._current, self._over, self._silent = home, False, 0
                yield from self._turn(home, line)

    def _turn(self, home: str, line: deque[tuple[int, _R, Evidence]]) -> Iterator[AnyEvent]:
        while True:
            _, record, origin = line.popleft()
            self._count -= 1
            yield from self._told(home, record, origin)
            if not line:
                del self._waiting[home]
                return
            if self._runs.idle(home) or self._runs.begins(home, line[0][1]):
                self._over = True
                heapq.heappush(self._oldest, (line[0][0], home))
                return

    def _is_free(self) -> bool:
        if self._over or self._current is None or self._runs.idle(self._current):
            return True
        return self._silent > MOST_SILENT or self._count > MOST_WAITING

    def _told(self, home: str, record: _R, origin: Evidence) -> Iterator[AnyEvent]:
        yield from self.after(home, self._runs.take(home, record, origin))

    def after(self, home: str, events: Iterator[AnyEvent]) -> Iterator[AnyEvent]:
        """Where another run goes on than before, a note says so, and no text goes across it."""
        for event in events:
            if home != self._shown and not isinstance(event, SessionSeen):
                if self._shown is not None:
                    name = home or self._unnamed or "without a name"
                    words = f"what follows is of the {self._kind} {name}"
                    yield TextSeen(origin=event.origin, text="")
                    yield Noted(
                        origin=event.origin, code="another-run", level="info", message=words
                    )
                self._shown = home
            yield event
