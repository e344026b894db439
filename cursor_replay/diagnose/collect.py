"""What one recording gives to the report: its calls without an outcome, its ends, its problems.

Takes sealed items only, and keeps nothing of those that are in order.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from cursor_replay.diagnose.calls import call_of, policies
from cursor_replay.diagnose.problems import imitations, of_notice
from cursor_replay.diagnose.report import Call, Problem, Recording, Started
from cursor_replay.diagnose.sightings import Sightings
from cursor_replay.items import Answer, Card, Item, Notice, Sealed, Session, Time, TurnEnd
from cursor_replay.normalize.moments import elapsed

_STILL_OPEN = ("running", "process-died", "capture-cut")
"""Reasons of calls whose own run has no end here, whatever the last one in the file has."""


@dataclass(slots=True)
class Found:
    """What one recording holds. ``calls`` goes by card id, ``ends`` by turn.

    ``path`` is its own name, ``name`` the same as it may be shown. Calls that are not recorded are
    only counted, by tool, where ``counts``: a long transcript has nothing but those.
    """

    path: str
    name: str = ""
    format: str = "unknown"
    counts: bool = False
    completed: int = 0
    counted: Counter[str] = field(default_factory=Counter)
    calls: dict[str, Call] = field(default_factory=dict)
    ends: dict[int, TurnEnd] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    session: str | None = None
    spoke: set[int] = field(default_factory=set)
    lost: int = 0
    first: Time | None = None
    scrubbed: bool = True
    sightings: Sightings = field(default_factory=Sightings)

    @property
    def recording(self) -> Recording:
        """Its line in the report."""
        last = self.ends[max(self.ends)] if self.ends else None
        return Recording(
            file=self.name,
            format=self.format,
            completed=self.completed,
            open=len(self.calls) + self.counted.total(),
            ended=last.status if last else None,
            ended_reason=last.reason if last else None,
            lost=self.lost,
        )

    def with_end(self, call: Call) -> Call:
        """The call with what its turn brought later: an answer, and how it ended."""
        turn = call.started.turn if call.started else 0
        end, seen = self.ends.get(turn), call.evidence
        said = seen.said_text or turn in self.spoke
        evidence = replace(seen, said_text=said)
        its = seen.run_end in (None, end.status) if end else False
        if end is not None and its and call.reason not in _STILL_OPEN:
            evidence = replace(evidence, run_end=end.status, run_end_reason=end.reason)
        shown = policies(call.reason, call.tool, said_text=said)
        return replace(call, started=self._since(call.started), evidence=evidence, policies=shown)

    def _since(self, started: Started | None) -> Started | None:
        """A start with the time since the recording's first."""
        if started is None:
            return None
        return replace(started, elapsed_ms=elapsed(self.first, started.time))

    def take(self, item: Item) -> None:
        """Note one item."""
        self.first = self.first or _time_of(item)
        match item:
            case Session():
                self.name, self.format, self.session = item.file, item.format, item.session_id
                self.scrubbed = item.scrubbed
            case Card():
                self._card(item)
            case TurnEnd():
                self.ends[item.turn] = item
            case Notice():
                self.lost += item.count if item.code == "losses" else 0
                if (problem := of_notice(item)) is not None:
                    self.problems.append(problem)
            case Answer():
                self.problems.extend(imitations(item))
                if item.parent is None and item.text.strip():
                    self.spoke.add(item.turn)
            case _:
                pass

    def _card(self, card: Card) -> None:
        if card.status == "running":
            return
        call = call_of(card)
        if call is not None and call.reason == "not-recorded" and self.counts:
            self.counted[call.tool] += 1
            return
        if call is not None:
            self.calls[card.id] = call
            return
        self.calls.pop(card.id, None)  # a completion may come late, and revises its card
        self.completed += card.status != "incomplete"


def _time_of(item: Item) -> Time | None:
    """The time that an item's own record tells."""
    if isinstance(item, Card):
        time = item.timing.started if item.timing else None
    else:
        time = getattr(item, "time", None)
    return time if time is not None and time.basis == "recorded" else None


def collect(
    items: Iterable[Sealed],
    *,
    name: str,
    counts: bool = False,
    sightings: Sightings | None = None,
) -> Found:
    """Read one recording to its end; ``counts`` as in :class:`Found`, ``sightings`` are its own."""
    found = Found(name, counts=counts, sightings=sightings or Sightings())
    for sealed in items:
        found.take(sealed.item)
    return found
