"""pi session JSONL, an item at a time (pi facts 1.6): the fifth renderer.

One assistant message is held back: what the agent says, then its calls that ran side by side. It is
written, its results behind it, when something else begins::

    Prompt ──────> flush, user            Card ────> call, result held back
    Answer, Thought ─> block of the message that is held back
    TurnEnd ─────> flush with its reason and its tokens      Notice ──> custom entry behind it

Knows no file: ``folder`` says which folder to name, ``source`` what is known of the input.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import assert_never

from cursor_replay import __version__
from cursor_replay.items import (
    Answer,
    Card,
    Item,
    Notice,
    Prompt,
    Sealed,
    Session,
    Thought,
    TurnEnd,
)
from cursor_replay.pi_session import lines
from cursor_replay.pi_session.kept import Fields
from cursor_replay.render.json import one_line
from cursor_replay.render.pi.cards import images_of, is_answered, kept_of, result_of
from cursor_replay.render.pi.chain import CallIds, Chain, milliseconds, session_id, time_of
from cursor_replay.render.pi.documents import document, timed
from cursor_replay.render.pi.ends import stop_of, usage_of
from cursor_replay.render.pi.held import MOST_HELD, Held

UNKNOWN_MODEL = "unknown"


class PiRenderer:
    """Renders a session for pi 0.84.0 and 1.6.0.

    ``folder`` maps the recorded workspace (or None) to a folder that exists: pi refuses a session
    in another one. ``source`` is put into the provenance entry beside what the session's head tells
    (``sha256``), ``unknown`` gives by format the sentences of what such a recording cannot know.
    """

    def __init__(
        self,
        *,
        folder: Callable[[str | None], str] = lambda _: "/",
        source: Fields | None = None,
        unknown: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:
        self._folder = folder
        self._source = source or {}
        self._unknown = unknown
        self._chain = Chain()
        self._session = Session(format="unknown", file="-")
        self._written: Session | None = None
        self._ids = CallIds(start=None, recorded=False)
        self._held = Held()
        self._waiting: list[Item] = []
        self._given_up: set[str] = set()

    def render(self, sealed: Sealed) -> str:
        """Return whole lines, or nothing yet."""
        return "".join(map(_written, self._taken(sealed.item)))

    def close(self) -> str:
        """Return what is still held back, and the head of a session that holds nothing."""
        return "".join(map(_written, [*self._begin(), *self._flush("stop")]))

    def _taken(self, item: Item) -> Iterator[lines.AnyLine]:
        """The session begins with the first time that is told, if that is told soon."""
        if isinstance(item, Session):
            yield from self._known(item)
        elif self._written is not None:
            yield from self._item(item)
        else:
            self._waiting.append(item)
            if time_of(item) is not None or len(self._waiting) >= MOST_HELD:
                yield from self._begin()

    # -- the head ------------------------------------------------------------------------------

    def _known(self, session: Session) -> Iterator[lines.AnyLine]:
        before, self._session = self._session, session
        if self._written is None:
            return
        if session.title and session.title != before.title:
            yield lines.SessionInfo(name=session.title, **self._chain.entry())
        if session.model and session.model != before.model:
            yield lines.ModelChange(model_id=session.model, **self._chain.entry())

    def _begin(self) -> Iterator[lines.AnyLine]:
        """The lines in front of the first item, once (pi facts 1.6), and the items that waited."""
        if self._written is not None:
            return
        session = self._written = self._session
        waiting, self._waiting = self._waiting, []
        begun = self._chain.begin(next(filter(None, map(time_of, waiting)), None))
        recorded = session.format == "pi-session"
        self._ids = CallIds(start=self._chain.start, recorded=recorded)
        folder = self._folder(session.cwd)
        yield lines.Header(id=session_id(session), timestamp=begun, cwd=folder)
        if session.title:
            yield lines.SessionInfo(name=session.title, **self._chain.entry())
        yield lines.ModelChange(model_id=self._model, **self._chain.entry())
        yield lines.ThinkingLevel(**self._chain.entry())
        yield self._custom(lines.PROVENANCE, self._provenance())
        for item in waiting:
            yield from self._item(item)

    def _provenance(self) -> Fields:
        session = self._session
        told = {
            "format": session.format,
            "file": session.file,
            "sessionId": session.session_id,
            "cwd": session.cwd,
            **self._source,
        }
        return {
            "version": __version__,
            "source": {key: value for key, value in told.items() if value is not None},
            "scrubbed": session.scrubbed,
            "timesRecorded": self._chain.start is not None,
            "unknown": [*self._unknown.get(session.format, ()), *self._untimed()],
        }

    def _untimed(self) -> Iterator[str]:
        if self._chain.start is None:
            yield "when anything happened: the times of this session are none"

    @property
    def _model(self) -> str:
        return self._session.model or UNKNOWN_MODEL

    # -- items ---------------------------------------------------------------------------------

    def _item(self, item: Item) -> Iterator[lines.AnyLine]:
        match item:
            case Prompt():
                yield from self._flush("stop")
                yield self._prompt(item)
            case Answer() | Thought():
                yield from self._said(item)
            case Card():
                yield from self._card(item)
            case TurnEnd():
                yield from self._turn_end(item)
            case Notice():
                yield from self._behind(item)
            case Session():
                pass
            case _:
                assert_never(item)

    def _prompt(self, prompt: Prompt) -> lines.AnyLine:
        """A user's message; what no human typed, or typed without a word, is an entry of ours."""
        entry = self._chain.entry(prompt.time)
        said = [lines.Text(text=prompt.text)] if prompt.text.strip() else []
        content = [*said, *images_of(prompt)]
        if prompt.author != "human" or not content:
            return lines.Custom(custom_type=lines.PROMPT, data=document(prompt), **entry)
        kept = {"context": document(prompt)["context"]} if prompt.context else {}
        user = lines.User(content=content, timestamp=milliseconds(self._chain.last))
        return lines.Message(message=user, cursor_replay=timed(kept, prompt), **entry)

    def _said(self, item: Answer | Thought) -> Iterator[lines.AnyLine]:
        if item.parent is not None:  # a sub-agent's words are not the agent's
            yield from self._behind(item)
            return
        if self._held.cards or len(self._held.said) >= MOST_HELD:
            yield from self._flush("stop")
        self._held.first = self._held.first or item
        if isinstance(item, Answer):
            self._held.said.append(lines.Text(text=item.text))
        else:
            removed = True if item.removed else None
            self._held.said.append(lines.Thinking(thinking=item.text, redacted=removed))

    def _card(self, card: Card) -> Iterator[lines.AnyLine]:
        if card.id in self._given_up:
            yield from self._behind(card)
            return
        if card.status == "incomplete":
            self._given_up.add(card.id)
        if not self._held.takes(card):
            yield from self._flush("stop")
        self._held.add(card, self._ids.of(card.id))

    def _behind(self, item: Notice | Answer | Thought | Card) -> Iterator[lines.AnyLine]:
        """What pi has no message for, behind the message it came after."""
        if self._held.is_empty:
            yield self._beside(item)
            return
        self._held.behind.append(item)
        if len(self._held.behind) >= MOST_HELD:
            yield from self._flush("stop")

    def _beside(self, item: Notice | Answer | Thought | Card) -> lines.AnyLine:
        if isinstance(item, Card):
            return self._custom(lines.NOTICE, {**document(_late(item)), "card": document(item)})
        kind = lines.NOTICE if isinstance(item, Notice) else lines.ASIDE
        return self._custom(kind, document(item))

    def _custom(self, kind: str, data: Fields) -> lines.AnyLine:
        return lines.Custom(custom_type=kind, data=data, **self._chain.entry())

    def _turn_end(self, end: TurnEnd) -> Iterator[lines.AnyLine]:
        stop = stop_of(end)
        cards = self._held.cards
        if cards and (stop == "stop" or cards[-1][0].status != "incomplete"):
            yield from self._flush("stop")
        if not self._held.is_empty or stop != "stop" or end.usage is not None:
            self._held.first = self._held.first or end
            yield from self._flush(stop, end)
        else:
            yield self._custom(lines.END, document(end))

    # -- the message that is held back -----------------------------------------------------------

    def _flush(self, stop: lines.StopReason, end: TurnEnd | None = None) -> Iterator[lines.AnyLine]:
        """Write it, its results and what comes behind it; a message with calls ends with them."""
        held, self._held = self._held, Held()
        if not held.is_empty or end is not None:
            yield self._assistant(held, "toolUse" if held.cards and end is None else stop, end)
        for card, identity in held.cards:
            if is_answered(card):
                yield self._result(card, identity)
        for item in held.behind:
            yield self._beside(item)

    def _assistant(self, held: Held, stop: lines.StopReason, end: TurnEnd | None) -> lines.AnyLine:
        first = held.first
        entry = self._chain.entry(time_of(first) if first else None)
        kept: Fields = {}
        if held.cards:
            kept["cards"] = {identity: self._kept(card, identity) for card, identity in held.cards}
        if end is not None:
            kept["end"] = document(end)
        message = lines.Assistant(
            content=held.blocks,
            model=self._model,
            usage=usage_of(end.usage if end else None, self._session.format),
            stop_reason=stop,
            error_message=(end.reason or end.status) if end and stop == "error" else None,
            timestamp=milliseconds(self._chain.last),
        )
        return lines.Message(message=message, cursor_replay=timed(kept, first), **entry)

    def _kept(self, card: Card, identity: str) -> Fields:
        parent = self._ids.of(card.parent) if card.parent is not None else None
        return kept_of(replace(card, parent=parent), identity)

    def _result(self, card: Card, identity: str) -> lines.AnyLine:
        done = card.timing.completed if card.timing else None
        entry = self._chain.entry(done)
        message = result_of(card, identity, milliseconds(self._chain.last))
        return lines.Message(message=message, **entry)


def _late(card: Card) -> Notice:
    """A call is written once: what became of it after its turn had ended is told, not shown."""
    words = f"{card.title} {card.summary or ''}".strip()
    message = f"a call that had not completed in its turn did so later ({card.status}): {words}"
    return Notice(
        code="completed-late", level="info", message=message, turn=card.turn, evidence=card.evidence
    )


def _written(line: lines.AnyLine) -> str:
    return one_line(line.model_dump_json(by_alias=True)) + "\n"
