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
    CallStarted,
    CallUnrecorded,
    Noted,
    OutputArrived,
    PromptSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
    UsageSeen,
)
from cursor_replay.items import Item, Notice, Prompt, Session, Time, TurnEnd, Usage
from cursor_replay.normalize.calls import Calls, Place
from cursor_replay.normalize.cards import Ending
from cursor_replay.normalize.notices import Notices
from cursor_replay.normalize.speech import Speech

MOST_CHILDREN = 2000
"""Items of a sub-agent that wait for its task's card; a longer task shows them before it."""
_ENDINGS: dict[str, Ending] = {
    "success": "end",
    "cancelled": "abort",
    "aborted": "abort",
    "error": "failure",
    "expired": "failure",
}


class Normalizer:
    """Turns the events of one source into items.

    ``cwd`` overrides what the source recorded; ``running`` also yields a card (status
    ``running``, revision 0) when a call starts, for surfaces that can redraw it.
    """

    def __init__(self, *, file: str, cwd: str | None = None, running: bool = False) -> None:
        self._session = Session(format="unknown", file=file, cwd=cwd)
        self._announced: Session | None = None
        self._new_head = True
        self._fixed_cwd = cwd
        self._place = Place(seed=None, turn=0, time=None, cwd=cwd)
        self._calls = Calls(running=running)
        self._speech = Speech()
        self._notices = Notices()
        self._usage: Usage | None = None
        self._unrecorded = 0
        self._ended = False

    def feed(self, event: AnyEvent) -> Iterable[Item]:
        """Items that one event settles."""
        if isinstance(event, SessionSeen):
            self._session_seen(event)
            return ()
        if not self._new_head and not self._notices.pending:
            return self._noted_or_dispatched(event)
        before: list[Item] = [*self._head()]
        if not isinstance(event, Noted):
            before += self._notices.settle()
        return [*before, *self._noted_or_dispatched(event)]

    def _noted_or_dispatched(self, event: AnyEvent) -> Iterable[Item]:
        if isinstance(event, Noted):
            return self._notices.take(event, self._place.turn)
        owner = self._calls.owner(event.parent) if event.parent is not None else None
        if owner is None:
            return self._dispatch(event)
        owner.children += self._dispatch(event)
        if len(owner.children) < MOST_CHILDREN:
            return ()
        early, owner.children = owner.children, []
        return early

    def close(self) -> Iterator[Item]:
        """Everything that is still open when the input ends."""
        yield from self._head()
        yield from self._speech.settle(self._place.turn)
        yield from self._calls.give_up("end" if self._ended else "stopped", self._place)
        yield from self._notices.close(self._place.turn)
        if self._usage is not None:
            yield _usage_notice(self._usage, self._place.turn)
        if self._unrecorded:
            yield _unrecorded_notice(self._unrecorded, self._place.turn)

    def _dispatch(self, event: AnyEvent) -> Iterable[Item]:
        match event:
            case CallUnrecorded():
                self._unrecorded += 1
                before = self._settled(event)
                return [*before, self._calls.unrecorded(event, self._place)]
            case TextSeen():
                self._in_turn()
                return self._voice(event).text(event, self._place.turn, self._time(event))
            case ThoughtSeen():
                self._in_turn()
                return self._voice(event).thought(event, self._place.turn, self._time(event))
            case CallStarted():
                before = self._settled(event)
                return [*before, *self._calls.started(event, self._place)]
            case CallCompleted():
                before = self._settled(event)
                return [*before, *self._calls.completed(event, self._place)]
            case PromptSeen():
                return self._prompt(event)
            case TurnEnded():
                return self._turn_ended(event)
            case OutputArrived():
                self._calls.output(event)
            case UsageSeen():
                self._usage = event.usage
            case SessionSeen() | Noted():
                pass
            case _:
                assert_never(event)
        return ()

    def _settled(self, event: AnyEvent) -> Iterable[Item]:
        """What was being said before a call."""
        self._in_turn()
        voice = self._voice(event)
        return voice.settle(self._place.turn) if voice.speaking else ()

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
        self._place = replace(self._place, cwd=self._session.cwd)
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
        yield from self._speech.settle(self._place.turn)
        turn = self._place.turn
        if event.author == "human" or turn == 0:
            turn += 1
            self._calls.next_turn()
        self._ended = False
        time = event.time and replace(event.time, basis="turn")
        self._place = replace(self._place, turn=turn, time=time)
        self._name_by(event.text)
        yield Prompt(
            text=event.text,
            author=event.author,
            context=event.context,
            turn=self._place.turn,
            time=event.time,
            evidence=event.origin,
        )

    def _turn_ended(self, event: TurnEnded) -> Iterator[Item]:
        yield from self._speech.settle(self._place.turn)
        yield from self._calls.give_up(_ENDINGS.get(event.status, "end"), self._place)
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

    def _voice(self, event: AnyEvent) -> Speech:
        owner = self._calls.owner(event.parent) if event.parent is not None else None
        return owner.speech if owner else self._speech

    def _time(self, event: AnyEvent) -> Time | None:
        return event.time or self._place.time


def _usage_notice(usage: Usage, turn: int) -> Notice:
    message = f"usage: {usage.input_tokens} input and {usage.output_tokens} output tokens"
    return Notice(code="usage", level="info", message=message, turn=turn)


def _unrecorded_notice(count: int, turn: int) -> Notice:
    what = "the outcome of 1 call is" if count == 1 else f"the outcomes of {count} calls are"
    message = f"this format records no tool results: {what} not known"
    return Notice(
        code="results-not-recorded", level="info", message=message, count=count, turn=turn
    )


def _seed(text: str) -> int:
    """A stable number for a session: the same input gives the same ids."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:5], "big")
