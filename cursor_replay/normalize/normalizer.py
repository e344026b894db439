"""Events to items: the one state machine, driven alike by a file and by a running session.

::

    SessionSeen ──> session head            CallStarted ───> ledger: open ──┐
    PromptSeen ───> new turn, prompt        CallCompleted ─> ledger: done ──┴─> card, then what
    TextSeen ─────> answer once settled     TurnEnded ─────> open calls given up    its task did
    ThoughtSeen ──> thought once settled    close() ───────> whatever is still open

A plain object: ``feed(event)`` yields items, ``close()`` the rest. No clock, no I/O.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallDiscarded,
    CallStarted,
    CallUnrecorded,
    Noted,
    OutputArrived,
    PromptSeen,
    RunSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
    UsageSeen,
)
from cursor_replay.items import (
    Card,
    Item,
    Prompt,
    Session,
    Time,
    TurnEnd,
    Usage,
)
from cursor_replay.normalize.calls import Calls, Place
from cursor_replay.normalize.incomplete import ENDINGS, Ending
from cursor_replay.normalize.notices import (
    Notices,
    subagent_notice,
    unrecorded_notice,
    usage_notice,
)
from cursor_replay.normalize.speech import Speech, Voices

MOST_CHILDREN = 2000
"""Items of a sub-agent that wait for its task's card; a longer task shows them before it."""
_CUT = frozenset({"cut-line", "truncated-artifact"})
"""Notices that say that the recording is not whole."""


class Normalizer:
    """Turns the events of one source into items.

    ``cwd`` overrides what the source recorded; ``running`` also yields a card (status
    ``running``, revision 0) when a call starts, for surfaces that can redraw it. ``live``: the
    source is still being written, so that what is open at its end is running.
    """

    def __init__(
        self, *, file: str, cwd: str | None = None, running: bool = False, live: bool = False
    ) -> None:
        self._session = Session(format="unknown", file=file, cwd=cwd)
        self._announced: Session | None = None
        self._new_head = True
        self._fixed_cwd = cwd
        self._place = Place(seed=None, turn=0, time=None, cwd=cwd)
        self._calls = Calls(running=running)
        self._voices = Voices()
        self._notices = Notices()
        self._usage: Usage | None = None
        self._unrecorded = 0
        self._ended = False
        self._stops: Ending = "live" if live else "stopped"
        self._cut = False

    def feed(self, event: AnyEvent) -> Iterable[Item]:
        """Items that one event settles."""
        if isinstance(event, SessionSeen):
            self._session_seen(event)
            return ()
        if isinstance(event, RunSeen):
            self._place = replace(self._place, run=event.run_id or self._place.run)
            return ()
        if not self._new_head and not self._notices.pending:
            return self._noted_or_dispatched(event)
        before: list[Item] = [*self._head()]
        if not isinstance(event, Noted):
            before += self._notices.settle()
        return [*before, *self._noted_or_dispatched(event)]

    def _noted_or_dispatched(self, event: AnyEvent) -> Iterable[Item]:
        if isinstance(event, Noted):
            self._cut = self._cut or event.code in _CUT
            return self._notices.take(event, self._place.turn)
        if event.parent is None:
            return self._dispatch(event, self._voices.main)
        return self._of_subagent(event)

    def _of_subagent(self, event: AnyEvent) -> Iterable[Item]:
        """What a sub-agent did waits for its task's card, or is shown at once without one."""
        parent = self._calls.parent_of(event)
        if parent is None:
            return self._dispatch(replace(event, parent=None), self._voices.main)
        owner = self._calls.owner(parent)
        speech = owner.speech if owner else self._voices.of(parent, self._calls.card_of(parent))
        items = list(self._nested(replace(event, parent=parent), speech))
        if owner is None or self._calls.owner(parent) is not owner:
            return [*self._voices.crowded_out(self._place.turn), *items]
        owner.children += items
        if len(owner.children) < MOST_CHILDREN:
            return ()
        early, owner.children = owner.children, []
        return early

    def _nested(self, event: AnyEvent, speech: Speech) -> Iterator[Item]:
        """A sub-agent's prompt and end open and end nothing in the run around it."""
        turn = self._place.turn
        match event:
            case PromptSeen():
                yield from speech.settle(turn)
                yield subagent_notice(event, turn)
            case TurnEnded() | UsageSeen():
                yield from speech.settle(turn)
                if event.usage:
                    note = usage_notice(event.usage, turn, "the sub-agent used")
                    yield replace(note, evidence=event.origin)
            case _:
                yield from self._dispatch(event, speech)

    def close(self) -> Iterator[Item]:
        """Everything that is still open when the input ends."""
        yield from self._head()
        yield from self._voices.settle(self._place.turn)
        why: Ending = "cut" if self._cut and self._stops != "live" else self._stops
        yield from self._calls.give_up("end" if self._ended else why, self._place)
        yield from self._notices.close(self._place.turn)
        if self._usage is not None:
            yield usage_notice(self._usage, self._place.turn)
        if self._unrecorded:
            yield unrecorded_notice(self._unrecorded, self._place.turn)

    def _dispatch(self, event: AnyEvent, speech: Speech) -> Iterable[Item]:
        match event:
            case CallUnrecorded():
                self._unrecorded += 1
                before = self._settled(speech)
                return [*before, self._calls.unrecorded(event, self._place)]
            case TextSeen():
                self._in_turn()
                if speech is self._voices.main and event.text.strip():
                    self._calls.said()
                return speech.text(event, self._place.turn, self._time(event))
            case ThoughtSeen():
                self._in_turn()
                return speech.thought(event, self._place.turn, self._time(event))
            case CallStarted():
                before = self._settled(speech)
                return [*before, *self._calls.started(event, self._place)]
            case CallCompleted():
                before = self._settled(speech)
                ended = list(self._calls.completed(event, self._place))
                self._unrecorded += sum(map(_is_unrecorded, ended))
                return [*before, *ended]
            case PromptSeen():
                return self._prompt(event)
            case TurnEnded():
                return self._turn_ended(event)
            case OutputArrived() | CallDiscarded():
                self._calls.heard(event)
            case UsageSeen():
                self._usage = event.usage
            case SessionSeen() | RunSeen() | Noted():
                pass
            case _:
                assert_never(event)
        return ()

    def _settled(self, speech: Speech) -> Iterable[Item]:
        """What was being said before a call."""
        self._in_turn()
        return speech.settle(self._place.turn) if speech.speaking else ()

    def _session_seen(self, event: SessionSeen) -> None:
        known = self._session
        self._session = replace(
            known,
            session_id=event.session_id or known.session_id,
            model=event.model or known.model,
            title=event.title or known.title,
            format=event.format or known.format,
            cwd=self._fixed_cwd or event.cwd or known.cwd,
        )
        self._new_head = self._new_head or self._session != known
        self._place = replace(self._place, cwd=self._session.cwd, form=self._session.format)
        if event.session_id:
            self._name_by(event.session_id)

    def _head(self) -> Iterator[Session]:
        """The session head, before anything else and again whenever more is known."""
        if self._new_head:
            again = 0 if self._announced is None else self._announced.revision + 1
            self._session = self._announced = replace(self._session, revision=again)
            self._new_head = False
            yield self._session

    def _prompt(self, event: PromptSeen) -> Iterator[Item]:
        yield from self._voices.settle(self._place.turn)
        turn = self._place.turn
        if event.author == "human" or turn == 0:
            turn += 1
            self._calls.next_turn()
        self._ended = self._cut = False
        time = event.time and replace(event.time, basis="turn")
        self._place = replace(self._place, turn=turn, time=time)
        self._name_by(event.text)
        yield Prompt(
            text=event.text,
            author=event.author,
            context=event.context,
            images=event.images,
            turn=turn,
            time=event.time,
            evidence=event.origin,
        )

    def _turn_ended(self, event: TurnEnded) -> Iterator[Item]:
        yield from self._voices.settle(self._place.turn)
        why = ENDINGS.get(event.status, "end")
        if why == "end" and self._cut:
            why = "cut"
        yield from self._calls.give_up(why, self._place, replace(event, time=self._time(event)))
        self._ended = True
        usage, self._usage = event.usage or self._usage, None
        yield TurnEnd(
            status=event.status,
            reason=event.reason,
            usage=usage,
            duration_ms=event.duration_ms,
            turn=self._place.turn,
            time=self._time(event),
            evidence=event.origin,
        )

    def _in_turn(self) -> None:
        """What comes before any prompt belongs to turn 1."""
        if self._place.turn == 0:
            self._place = replace(self._place, turn=1)

    def _name_by(self, text: str) -> None:
        """Card ids come from the session id, else from the first prompt: they never change."""
        if self._place.seed is None:
            self._place = replace(self._place, seed=_seed(text))

    def _time(self, event: AnyEvent) -> Time | None:
        return event.time or self._place.time


def _is_unrecorded(item: Item) -> bool:
    return isinstance(item, Card) and item.status == "unrecorded" and item.parent is None


def _seed(text: str) -> int:
    """A stable number for a session: the same input gives the same ids."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:5], "big")
