"""Open calls, and which completions were shown already (replay facts 9.2, with S13 mended).

A call is known by its id. Where a surface has no ids (steps, turns), a completion belongs to the
first open call with the same name and arguments; failing that it is a second view of a shown call
exactly when more calls with this very payload were shown than its surface has reported. A call
with an id of its own can be the second view only of one without; each such card stands for one id.
So two real calls with equal payloads are two, and one call seen twice is one.
"""

from collections import Counter, OrderedDict, deque
from dataclasses import dataclass, field, replace
from typing import TypeVar

from cursor_replay.events import CallCompleted, CallDiscarded, CallStarted, call_hash
from cursor_replay.items import Item, Json, Time
from cursor_replay.normalize.json_words import compact
from cursor_replay.normalize.speech import Speech

_T = TypeVar("_T")
MOST_OPEN = 4096
"""Calls that may be open at once; a recording with more of them never completed the oldest."""
SIBLINGS = 3
"""Names of completed calls that are told of a call that did not complete."""
REMEMBERED = 4096
"""Completed calls that are remembered; duplicates arrive close to each other."""


@dataclass(slots=True)
class OpenCall:
    """A started call: what is known of it, and what its sub-agent did so far."""

    card_id: str
    event: CallStarted
    args: Json
    speech: Speech
    children: list[Item] = field(default_factory=list)
    stdout: list[str] = field(default_factory=list)
    stderr: list[str] = field(default_factory=list)
    ambiguous: bool = False
    turn: int = 0
    parent_card: str | None = None
    partials: int = 0
    outputs: int = 0
    last_output: str = ""
    last_output_at: Time | None = None
    run: str | None = None
    given_up: str | None = None
    """The reason that pi's own records give."""
    before: int = 0
    """Calls that had completed when this one began."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A completion that is to be shown, merged with its start (None when it had none)."""

    event: CallCompleted
    start: OpenCall | None
    late: bool = False


class Ledger:
    """The open calls of one run and a bounded memory of the completed ones."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, OpenCall] = OrderedDict()
        self._done: OrderedDict[str, tuple[str, int]] = OrderedDict()
        self._given_up: OrderedDict[str, OpenCall] = OrderedDict()
        self._cards: OrderedDict[str, str] = OrderedDict()
        self._shown: Counter[str] = Counter()
        self._unnamed: Counter[str] = Counter()
        self._seen: Counter[tuple[str, str]] = Counter()
        self._strays: Counter[str] = Counter()
        self._latest: deque[tuple[int, str]] = deque(maxlen=SIBLINGS)
        self.completed = 0
        """How many calls have completed."""

    def start(
        self,
        event: CallStarted,
        card_id: str,
        turn: int,
        parent_card: str | None = None,
        *,
        run: str | None = None,
    ) -> bool:
        """Register a start; False when it only adds to an open call or is already over."""
        key = event.call_id if event.call_id is not None else f"\0start {card_id}"
        if key in self._done:
            return False
        known = self._open.get(key)
        if known is None:
            self.name(event.call_id, card_id)
            self._open[key] = OpenCall(
                card_id, event, event.args, Speech(card_id), turn=turn, parent_card=parent_card,
                partials=int(event.partial), before=self.completed, run=run,
            )  # fmt: skip
            return True
        known.partials += event.partial
        known.args = _richer(known.args, event.args)
        if known.event.partial and not event.partial:
            known.event = event
        return False

    def find(self, call_id: str | None) -> OpenCall | None:
        """The open call with this id."""
        return self._open.get(call_id) if call_id is not None else None

    def name(self, call_id: str | None, card_id: str) -> None:
        """Remember the card of a call, for what its sub-agent does after it."""
        if call_id is not None:
            self._remember(self._cards, call_id, card_id)

    def card_of(self, call_id: str | None) -> str | None:
        """The card id of a call that started or ended."""
        return self._cards.get(call_id) if call_id is not None else None

    def crowded_out(self) -> OpenCall | None:
        """Take the oldest open call when there are too many."""
        if len(self._open) <= MOST_OPEN:
            return None
        key, call = self._open.popitem(last=False)
        self._remember(self._given_up, key, call)
        return call

    def complete(self, event: CallCompleted) -> Finished | None:
        """Match a completion; None when this call was shown already."""
        if event.call_id is not None and event.call_id in self._done:
            return None
        late = self._given_up.pop(event.call_id, None) if event.call_id is not None else None
        key = event.call_id if event.call_id in self._open else self._matching_start(event)
        start = self._open.pop(key) if key is not None else late
        if start is None and event.channel == "update" and len(self._strays) < REMEMBERED:
            self._strays[_shape(event.name, event.args)] += 1
        mark = _mark(event)
        for each in {event.call_id, key} - {None}:
            self._remember(self._done, str(each), (event.channel, hash(mark)))
        if self._is_second_view(event, mark, started=start is not None):
            return None
        return Finished(_merged(event, start), start, late is not None and start is late)

    def discard(self, event: CallDiscarded) -> None:
        """Keep the recorded reason with the open call that it is about."""
        for call in self._open.values():
            call_id = call.event.call_id
            if call_id is not None and call_hash(call_id) == event.call_hash:
                call.given_up = event.reason

    def contradicts(self, event: CallCompleted) -> bool:
        """Whether a call that is over completes again, on the same surface, in another way."""
        channel, mark = self._done.get(event.call_id or "", ("", 0))
        return channel == event.channel and mark != hash(_mark(event))

    def count(self, name: str) -> None:
        """A call has completed; ``name`` is what a reader knows it by."""
        self.completed += 1
        self._latest.append((self.completed, name))

    def siblings(self, call: OpenCall) -> tuple[int, tuple[str, ...]]:
        """How many calls completed while one was open, and the names of the last ones."""
        names = tuple(name for number, name in self._latest if number > call.before)
        return self.completed - call.before, names

    def next_turn(self) -> None:
        """Forget what was shown: a new run may use an id or repeat a payload again."""
        self._done.clear()
        self._strays.clear()
        self._forget_payloads()

    def give_up(self) -> list[OpenCall]:
        """Take every open call; a completion that comes later still finds its start.

        The only one that an update without a start can have completed is over (case 246): it is
        known under another id, and shown as that.
        """
        taken = list(self._open.items())
        self._open.clear()
        shapes = Counter(_shape(call.event.name, call.args) for _, call in taken)
        left = []
        for key, call in taken:
            shape = _shape(call.event.name, call.args)
            if call.event.channel == "update" and shapes[shape] == 1 and self._strays[shape]:
                continue
            self._remember(self._given_up, key, call)
            left.append(call)
        self._strays.clear()
        return left

    def _matching_start(self, event: CallCompleted) -> str | None:
        """The first open call with the same tool and arguments, for surfaces without that id."""
        named = event.call_id is not None
        if event.channel in ("transcript", "pi") or (named and event.channel in ("cli", "update")):
            return None
        wanted = (event.name, compact(event.args))
        same = (
            key
            for key, call in self._open.items()
            if (call.event.name, compact(call.args)) == wanted
            and call.event.parent == event.parent
            and not (named and call.event.call_id and call.event.channel == event.channel)
        )
        return next(same, None)

    def _is_second_view(self, event: CallCompleted, mark: str, *, started: bool) -> bool:
        """Count a completion under its payload; True when its call was shown already."""
        if not mark:
            return False
        if len(self._shown) > REMEMBERED:
            self._forget_payloads()
        if event.call_id is not None:
            again = not started and self._unnamed[mark] > 0
            self._unnamed[mark] -= again
        else:
            self._seen[event.channel, mark] += 1
            again = not started and self._seen[event.channel, mark] <= self._shown[mark]
            self._unnamed[mark] += not again and not started
        self._shown[mark] += not again
        return again

    def _forget_payloads(self) -> None:
        self._shown.clear()
        self._unnamed.clear()
        self._seen.clear()

    @staticmethod
    def _remember(store: OrderedDict[str, _T], key: str, value: _T) -> None:
        store[key] = value
        if len(store) > REMEMBERED:
            store.popitem(last=False)


def _shape(name: str, args: Json) -> str:
    return compact([name, args])


def _mark(event: CallCompleted) -> str:
    """A call's payload as one text; empty where only one surface exists and ids tell enough."""
    if event.channel in ("cli", "transcript", "pi"):
        return ""
    outcome = event.outcome
    return compact([event.name, event.args, outcome and [outcome.value, outcome.error]])


def _merged(event: CallCompleted, start: OpenCall | None) -> CallCompleted:
    """Name and arguments from the completion, else from the start."""
    if start is None:
        return event
    name = event.name if event.name != "unknown" else start.event.name
    args = event.args if event.args not in (None, {}) else start.args
    return replace(event, name=name, args=args, parent=event.parent or start.event.parent)


def _richer(known: Json, new: Json) -> Json:
    """A partial may carry less than was known before: keep the arguments that say more."""
    if new is None:
        return known
    if isinstance(known, str) and isinstance(new, str):
        return max(new, known, key=len)
    if isinstance(known, dict) and isinstance(new, dict):
        return new if len(compact(new)) >= len(compact(known)) else known
    return new if known is None else known
