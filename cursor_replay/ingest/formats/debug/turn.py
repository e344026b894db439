"""One turn of an event-debug capture: the records of all its files as one run.

Owns the two readings of a turn, what joins pi's own records to its calls, and when the turn ends.
The calls and texts that several files tell are shown once (``known.py``).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallDiscarded,
    Noted,
    PromptSeen,
    TextSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats.debug.events import decoded
from cursor_replay.ingest.formats.debug.known import Turn
from cursor_replay.ingest.formats.debug.lines import LAYERS, Entry, Source
from cursor_replay.ingest.formats.debug.records import (
    DISCARDED,
    GIVEN_UP,
    discarded,
    drained,
    failure,
    given_up,
    left_out,
    pi_end,
    skipped,
    told,
)
from cursor_replay.ingest.formats.debug.witness import SDK, SURFACES, Known
from cursor_replay.ingest.surfaces import Surfaces
from cursor_replay.lenient import as_object, as_text

_GOOD = "success"


class TurnReader:
    """The events of one turn. ``label`` names it; ``alone`` also tells pi's bookkeeping.

    ``wait`` is the end that ``wait-result.json`` tells, ``answer`` its text, for a turn in which
    nobody speaks. ``hidden`` counts what was not shown, ``cut`` names the files that were cut.
    """

    def __init__(
        self,
        source: Source,
        known: Known,
        *,
        label: str = "",
        alone: bool = False,
        wait: TurnEnded | None = None,
        answer: TextSeen | None = None,
    ) -> None:
        self._source = source
        self._known = known
        self._label = label
        self._alone = self._telling = alone
        self._ends: dict[str, TurnEnded] = {"wait": wait} if wait else {}
        self._answer = answer
        self._given_up: list[Noted | CallDiscarded] = []
        self._unsure: list[tuple[str, AnyEvent]] = []
        self._surfaces = Surfaces()
        self.turn = Turn(known)
        self.counts: Counter[str] = Counter()
        self.hidden: Counter[str] = Counter()
        self.cut: set[str] = set()

    def look(self) -> None:
        """First reading: what each surface tells."""
        for entry in self._source():
            if isinstance(entry, Noted):
                if entry.code == "truncated-artifact":
                    self.cut.add(Path(entry.origin.file).stem)
                continue
            self.counts[entry.layer] += 1
            self._keep(entry)
            if entry.layer in SURFACES:
                self.turn.take(entry.layer, decoded(entry, self._known, name_session=self._alone))
        self._telling = self._alone and not any(each in self.turn.witnesses for each in SDK)

    def events(self) -> Iterator[AnyEvent]:
        """Second reading: everything that is news, and the end of the turn."""
        for entry in self._source():
            if isinstance(entry, Noted):
                yield entry
            else:
                yield from self._told(entry)
        for layer, event in self._unsure:
            yield from self._surfaces.merge(layer, event)
        yield from self._surfaces.close()
        if self._answer is not None and not self.turn.spoke:
            yield self._answer
        if self._given_up:  # beside the cards of these calls, behind what was said before them
            yield TextSeen(origin=self._given_up[0].origin, text="")
        yield from self._given_up
        yield from self._end()
        self.turn.close()

    def _keep(self, entry: Entry) -> None:
        """What joins the records of one call: replay ids."""
        if entry.layer == "display-decisions":
            if replay_id := as_text(entry.body.get("replayToolId")):
                self._known.decisions[replay_id] = entry.body
        elif entry.layer == "live-run-events":
            queued = as_text(as_object(entry.body.get("tool")).get("id"))
            if queued:
                self._known.queued.add(queued)

    def _told(self, entry: Entry) -> Iterator[AnyEvent]:
        shown = False
        for event in self._news(entry):
            shown = True
            yield event
        for note in self._notes(entry):
            shown = True
            if _gives_up(note) and not self._telling:
                self._given_up.append(note)
            else:
                yield note
        if shown or entry.layer in SDK:
            return
        if self._telling:
            yield from told(entry)
        elif entry.layer in LAYERS:
            self.hidden[entry.layer] += 1

    def _news(self, entry: Entry) -> Iterator[AnyEvent]:
        if (end := pi_end(entry)) is not None:
            self._ends.setdefault("pi", end)
        if entry.layer not in SURFACES:
            return
        for new, sure in self._fresh(entry):
            if isinstance(new, TurnEnded) and new.parent is None:
                self._ends[entry.layer] = new
            elif sure:
                if isinstance(new, PromptSeen) and entry.layer in self._ends:
                    yield self._ends.pop(entry.layer)
                yield from self._surfaces.merge("voice", new)
            else:
                self._unsure.append((entry.layer, new))

    def _fresh(self, entry: Entry) -> list[tuple[AnyEvent, bool]]:
        """What of a record is news; what is said of a result goes where the result goes."""
        events = list(decoded(entry, self._known, name_session=self._alone))
        fresh = [new for event in events for new in self.turn.news(entry.layer, event)]
        if not _has_call(events) or _has_call(event for event, _ in fresh):
            return fresh
        return [new for new in fresh if not isinstance(new[0], Noted) or new[0].problem]

    def _notes(self, entry: Entry) -> Iterator[Noted | CallDiscarded]:
        match entry.layer:
            case "coordinator-events" if DISCARDED in (entry.kind, entry.body.get("event")):
                start, completed = self._known.start_of(as_text(entry.body.get("callIdHash")))
                yield discarded(entry, start, completed=completed)
                yield given_up(entry, start)
            case "display-decisions":
                if (note := skipped(entry)) is not None:
                    yield note
                    yield left_out(entry)
                yield from self._drained_later(entry)
            case "drain-events":
                yield from self._drained_here(entry)
            case "errors":
                yield failure(entry)
            case _:
                pass

    def _drained_later(self, entry: Entry) -> Iterator[Noted]:
        where = self._known.drains.get(as_text(entry.body.get("replayToolId")) or "")
        if where is not None and where != self._label:
            tool = as_text(entry.body.get("toolName")) or "unknown"
            words = f"pi showed the card of this {tool} call in {where}"
            yield _info(entry, "drained-elsewhere", words)

    def _drained_here(self, entry: Entry) -> Iterator[Noted]:
        shown = drained(entry)
        known = self._known
        if shown is None or self._alone or shown in known.decisions or shown in known.queued:
            return
        tool = as_text(entry.body.get("toolName")) or "unknown"
        words = f"pi showed the card of a {tool} call here that is recorded in an earlier turn"
        yield _info(entry, "drained-here", words)

    def _end(self) -> Iterator[AnyEvent]:
        """One end: where and when the best witness tells it, as bad as any of them tells it.

        ``turn-ended`` carries no status, so another word wins over its success. How pi's own turn
        ended is asked last.
        """
        ends = [self._ends[each] for each in (*SURFACES, "wait") if each in self._ends]
        ends = ends or [self._ends[each] for each in ("pi",) if each in self._ends]
        if not ends:
            return
        first, wait = ends[0], self._ends.get("wait")
        bad = next((each for each in ends if each.status != _GOOD), first)
        reason = next((each.reason for each in ends if each.reason), None)
        usage = next((each.usage for each in ends if each.usage), None)
        yield replace(
            first,
            status=bad.status,
            reason=reason,
            usage=usage,
            duration_ms=first.duration_ms or (wait.duration_ms if wait else None),
        )


def _gives_up(told: Noted | CallDiscarded) -> bool:
    return isinstance(told, CallDiscarded) or told.code in GIVEN_UP


def _has_call(events: Iterable[AnyEvent]) -> bool:
    return any(isinstance(each, CallCompleted) for each in events)


def _info(entry: Entry, code: str, message: str) -> Noted:
    return Noted(origin=entry.origin, time=entry.time, code=code, level="info", message=message)
