"""Calls to cards: numbers them, pairs them in the ledger, and gives up those that never end.

Owns the card numbers and the todo list as it stands.
"""

from collections.abc import Iterator
from dataclasses import replace

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallDiscarded,
    CallStarted,
    CallUnrecorded,
    Outcome,
    OutputArrived,
    TurnEnded,
    call_hash,
)
from cursor_replay.items import Card, Evidence, Incomplete, Item, Json, ReasonId, Status, Time
from cursor_replay.normalize.bounds import LINE_CHARS, brief, heading
from cursor_replay.normalize.cards import (
    NOT_ANSWERED,
    card_id,
    incomplete_draft,
    make_call,
    make_card,
    outcome_status,
    provenance,
    recorded_call,
    unanswered,
)
from cursor_replay.normalize.incomplete import (
    NO_RESULT,
    REASONS,
    Ending,
    completed_without,
    output_seen,
    reason_of,
)
from cursor_replay.normalize.kept import restored
from cursor_replay.normalize.ledger import Finished, Ledger, OpenCall
from cursor_replay.normalize.moments import elapsed
from cursor_replay.normalize.names import Named
from cursor_replay.normalize.notices import contradiction_notice
from cursor_replay.normalize.shells import Shells, with_output
from cursor_replay.normalize.tools.recorded import is_card_id
from cursor_replay.normalize.tools.spec import Call, Draft
from cursor_replay.records import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where the run stands: number, turn, time carried from the prompt, workspace, format, id."""

    seed: int | None
    turn: int
    time: Time | None
    cwd: str | None
    form: str = "unknown"
    run: str | None = None


class Calls:
    """The calls of one run. ``running`` also yields a card when a call starts."""

    def __init__(self, *, running: bool) -> None:
        self._running = running
        self._ledger = Ledger()
        self._numbered = (0, 0)
        self._shells = Shells()
        self._todos: tuple[dict[str, Json], ...] = ()
        self._said = False

    def said(self) -> None:
        """The agent said something in this turn."""
        self._said = True

    def owner(self, parent: str | None) -> OpenCall | None:
        """The open task a sub-agent's event belongs to."""
        return self._ledger.find(parent)

    def parent_of(self, event: AnyEvent) -> str | None:
        """The id of the task an event belongs to.

        A call stays where it started, and none is inside itself: a tangled recording shows
        everything, and at the top rather than nowhere.
        """
        call_id = getattr(event, "call_id", None)
        start = self._ledger.find(call_id)
        parent = start.event.parent if start else event.parent
        return None if parent == call_id else parent

    def card_of(self, parent: str | None) -> str | None:
        """The card id of a call that started or ended, also in an earlier turn."""
        return self._ledger.card_of(parent)

    def next_turn(self) -> None:
        """A new prompt: equal calls after it are new calls."""
        self._said = False
        self._ledger.next_turn()

    def started(self, event: CallStarted, place: Place) -> Iterator[Item]:
        """Register a start."""
        known = self._ledger.find(event.call_id)
        numbered = self._numbered
        made = self._made(event, event.args, None, place)
        identity = known.card_id if known else self._next_id(made[1], place)
        parent = self.card_of(event.parent)
        fresh = self._ledger.start(event, identity, place.turn, parent, run=place.run)
        if not fresh and known is None:
            self._numbered = numbered
        if made[0].spec.canonical == "shell" and not event.partial:
            self._shells.begins(identity, self._ledger.find(event.call_id))
        if (oldest := self._ledger.crowded_out()) is not None:
            yield from self._incomplete(oldest, "stopped", place)
        if fresh and self._running:
            yield make_card(
                *made,
                identity=identity,
                status="running",
                turn=place.turn,
                evidence=event.origin,
                started=event.time or place.time,
                parent=parent,
            )

    def completed(self, event: CallCompleted, place: Place) -> Iterator[Item]:
        """The card of a completion, unless it was shown already; then what its task did."""
        parent = self.card_of(event.parent)
        finished = self._ledger.complete(event)
        if finished is None:
            if self._ledger.contradicts(event):
                yield contradiction_notice(event, place.turn)
            return
        card = self._finished(finished, place, parent)
        self._ledger.name(event.call_id, card.id)
        self._ledger.count(heading(card.source_tool, card.summary))
        yield card
        if finished.start is not None:
            self._shells.ends(finished.start.card_id)
            yield from _children(finished.start, place.turn)

    def unrecorded(self, event: CallUnrecorded, place: Place) -> Item:
        """The card of a call whose source records no outcomes."""
        found, call = make_call(
            event.name,
            event.args,
            outcome=None,
            cwd=place.cwd,
            todos=self._todos,
            direct_mcp=True,
        )
        draft = found.spec.card(call)
        self._keep_todos(draft)
        return make_card(
            found,
            call,
            draft,
            identity=self._next_id(call, place),
            status="unrecorded",
            turn=place.turn,
            evidence=event.origin,
            started=event.time or place.time,
        )

    def give_up(self, why: Ending, place: Place, end: TurnEnded | None = None) -> Iterator[Item]:
        """Every call that is still open becomes an incomplete card; ``end`` is that of the run."""
        for start in self._ledger.give_up():
            if _is_of_another(start, place):
                yield from self._incomplete(start, "stopped", place)
            else:
                yield from self._incomplete(start, why, place, end)

    def _incomplete(
        self, start: OpenCall, why: Ending, place: Place, end: TurnEnded | None = None
    ) -> Iterator[Item]:
        self._shells.ends(start.card_id)
        found, call, draft = self._made(start.event, start.args, None, place)
        status: Status = "incomplete"
        known = self._known(start, why, end, said=self._said and not _is_of_another(start, place))
        reason = REASONS[known.reason].words
        words = end.reason if end else None
        if start.event.channel == "pi":
            status, reason = unanswered(why, words)
        else:
            draft = incomplete_draft(found, draft, reason, seen=output_seen(known))
        card = make_card(
            found,
            call,
            draft,
            identity=start.card_id,
            status=status,
            turn=start.turn,
            evidence=start.event.origin,
            started=start.event.time,
            parent=start.parent_card,
            reason=reason,
            incomplete=known if status == "incomplete" else None,
            revision=1 if self._running else 0,
        )
        yield _as_kept(card, start.event)
        yield from _children(start, place.turn)

    def _known(
        self, start: OpenCall, why: Ending, end: TurnEnded | None, *, said: bool
    ) -> Incomplete:
        """What is known of a call that never completed."""
        event = start.event
        siblings, names = self._ledger.siblings(start)
        return Incomplete(
            reason=reason_of(why, start.given_up, partial=event.partial),
            call_id_hash=call_hash(event.call_id),
            run_end=end.status if end else None,
            said_text=said,
            partials=start.partials,
            outputs=start.outputs,
            last_output=brief(start.last_output, LINE_CHARS) if start.last_output else None,
            last_output_at=start.last_output_at,
            ambiguous=start.ambiguous,
            siblings=siblings,
            sibling_names=names,
            elapsed_ms=elapsed(event.time, end.time if end else None),
        )

    def heard(self, event: OutputArrived | CallDiscarded) -> None:
        """Keep what is told of an open call between its start and its end."""
        if isinstance(event, CallDiscarded):
            self._ledger.discard(event)
        else:
            self._shells.heard(event)

    def _finished(self, finished: Finished, place: Place, parent: str | None) -> Card:
        event, start = finished.event, finished.start
        outcome = with_output(event.outcome, start)
        found, call, draft = self._made(event, event.args, outcome, place)
        self._keep_todos(draft)
        open_end = not call.done and event.channel == "pi"
        revisions = int(start is not None and self._running) + int(finished.late)
        card = make_card(
            found,
            call,
            draft,
            identity=start.card_id if start else self._next_id(call, place),
            status=outcome_status(call, draft),
            turn=start.turn if start else place.turn,
            evidence=_spanning(start.event.origin, event.origin) if start else event.origin,
            started=(start.event.time if start else None) or event.started,
            completed=None if open_end else event.time or place.time,
            parent=parent or (start.parent_card if start else None),
            reason=None if call.done else NOT_ANSWERED if open_end else NO_RESULT,
            revision=revisions,
        )
        reason = completed_without(card, event, place.form)
        if reason is not None and card.provenance == "replay":
            card = replace(card, incomplete=self._without_outcome(reason, event, start))
        return _as_kept(card, event)

    def _without_outcome(
        self, reason: ReasonId, event: CallCompleted, start: OpenCall | None
    ) -> Incomplete:
        """What is known of a call that ended so; how the run goes on is not."""
        siblings, names = self._ledger.siblings(start) if start else (0, ())
        return Incomplete(
            reason=reason,
            call_id_hash=call_hash(event.call_id),
            said_text=self._said,
            siblings=siblings,
            sibling_names=names,
            elapsed_ms=elapsed(start.event.time if start else event.started, event.time),
        )

    def _made(
        self, event: CallStarted | CallCompleted, args: Json, outcome: Outcome | None, place: Place
    ) -> tuple[Named, Call, Draft]:
        name, cwd, ours = event.name, place.cwd, event.kept is not None
        if event.channel == "pi":
            found, call = recorded_call(
                name, args, call_id=event.call_id, outcome=outcome, cwd=cwd, ours=ours
            )
        else:
            found, call = make_call(name, args, outcome=outcome, cwd=cwd, todos=self._todos)
        return found, call, found.spec.card(call)

    def _next_id(self, call: Call, place: Place) -> str:
        if call.call_id is not None and is_card_id(call.call_id):
            return call.call_id
        turn, last = self._numbered
        number = last + 1 if turn == place.turn else 1
        self._numbered = (place.turn, number)
        return card_id(place.seed or 0, place.turn, number, provenance(call))

    def _keep_todos(self, draft: Draft) -> None:
        if draft.todos is not None and not draft.failed:
            self._todos = draft.todos


def _is_of_another(start: OpenCall, place: Place) -> bool:
    """Whether a call began in an earlier turn or another run: the end at hand is not its own."""
    other = start.run is not None and place.run is not None and start.run != place.run
    return start.turn != place.turn or other


def _as_kept(card: Card, event: CallStarted | CallCompleted) -> Card:
    return card if event.kept is None else restored(card, event.kept)


def _children(start: OpenCall, turn: int) -> Iterator[Item]:
    yield from start.children
    yield from start.speech.settle(turn)


def _spanning(start: Evidence, end: Evidence) -> Evidence:
    if (end.file, end.line) == (start.file, start.line) or end.file != start.file:
        return start
    return replace(start, end_line=end.line)
