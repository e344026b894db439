"""Progress lines of calls that take their time (replay facts sections 7 and 8).

A call that is still open 75 ms after its start gets one line; a shell up to three more with what it
printed. The time is the recorded one: whoever drives this has no clock, a running session calls
``tick``. Owns the labels, which name no place but a shell command.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    OutputArrived,
    PromptSeen,
    TurnEnded,
)
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import as_text
from cursor_replay.normalize.bounds import brief, heading, plural
from cursor_replay.normalize.cards import make_call, provenance
from cursor_replay.normalize.json_words import compact
from cursor_replay.normalize.moments import moment
from cursor_replay.normalize.tools.mcp import mcp_target
from cursor_replay.normalize.tools.spec import Call

LINE = "lifecycle"
"""The code of these notices."""
UNTIMED = "lifecycle-untimed"
DEFER_MS = 75
LABEL_CHARS = 240
OUTPUT_CHARS = 160
OUTPUT_LINES = 3


class _Label(NamedTuple):
    """The arguments that may name a call, and what names it when they must not or cannot."""

    keys: tuple[str, ...]
    fallback: str


_LABELS = {
    "shell": _Label(("command", "cmd"), ""),
    "task": _Label(("description",), "task"),
    "mcp": _Label((), "mcp"),
    "generateImage": _Label(("prompt", "description"), "image generation"),
    "recordScreen": _Label(("mode",), "screen recording"),
    "semSearch": _Label(("query",), "semantic search"),
    "webSearch": _Label(("query", "searchTerm", "search_term"), "web search"),
    "webFetch": _Label((), "web fetch"),
    "createPlan": _Label(("plan",), "plan"),
    "updateTodos": _Label((), "todos"),
}
_PLACE = re.compile(
    r"""[a-z][a-z0-9+.-]*://|www\.\S|(?:^|[\s"'`({=,:;\[\]}])(?:~/|/\S|\\\\\S|[a-z]:[\\/])""",
    re.IGNORECASE,
)


def label_of(call: Call) -> str:
    """What a progress line says of a call; empty where there is to be none."""
    row = _LABELS.get(call.canonical)
    if row is None:
        return ""
    given = _named(call, row.keys)
    unsafe = call.canonical != "shell" and _PLACE.search(given)
    return row.fallback if unsafe or not given else given


def _named(call: Call, keys: tuple[str, ...]) -> str:
    match call.canonical:
        case "mcp":
            return _one_line(mcp_target(call.name, call.args)[1])
        case "updateTodos":
            held = call.args.get("todos", call.args.get("items"))
            return plural(len(held), "item") if isinstance(held, list) else ""
        case _:
            return next((text for key in keys if (text := _one_line(call.args.get(key)))), "")


def _one_line(value: Json) -> str:
    """The first line of a text that is not blank."""
    lines = (as_text(value) or "").splitlines()
    return next((" ".join(line.split()) for line in lines if line.strip()), "")


@dataclass(slots=True, kw_only=True)
class _Open:
    """A call that may get a line. ``due`` is in milliseconds, None while nothing is scheduled."""

    origin: Evidence
    text: str = ""
    mark: str = ""
    due: float | None = None
    begun: bool = False
    shown: bool = False
    shell: bool = False
    shared: bool = False
    printed: int = 0


class Lifecycle:
    """Watches the events of one run; ``feed`` gives the lines that come before an event."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}
        self._untimed: list[Evidence] = []

    def feed(self, event: AnyEvent) -> Iterator[Noted]:
        """Lines that are due by the time of this event; then it is taken note of."""
        now = moment(event.time)
        if now is not None:
            yield from self.tick(now)
        if event.parent is not None:
            return
        match event:
            case CallStarted(call_id=str(call_id)):
                self._started(call_id, event, now)
            case CallCompleted(call_id=str(call_id)):
                self._open.pop(call_id, None)
            case OutputArrived():
                yield from self._printed(event)
            case TurnEnded() | PromptSeen(author="human"):
                self._open.clear()
            case _:
                pass

    def tick(self, now: float) -> Iterator[Noted]:
        """The lines that are due at a moment (milliseconds), the oldest first."""
        due = [each for each in self._open.values() if each.due is not None and each.due <= now]
        for call in sorted(due, key=lambda each: each.due or 0):
            call.due = None
            said = any(each.shown and each.text == call.text for each in self._open.values())
            if call.begun and not said:
                call.shown = True
                yield _line(call.origin, call.text)

    def close(self) -> Iterator[Noted]:
        """What is to be said when nothing could be measured."""
        if self._untimed:
            calls = plural(len(self._untimed), "call")
            words = f"no time is recorded of {calls}: whether a progress line was due is not known"
            yield Noted(origin=self._untimed[0], code=UNTIMED, level="info", message=words)

    def _started(self, call_id: str, event: CallStarted, now: float | None) -> None:
        known = self._open.get(call_id)
        if known is None:
            known = self._open[call_id] = _Open(origin=event.origin)
        if not event.partial:
            found, call = make_call(event.name, event.args, outcome=None, cwd=None)
            label = label_of(call) if provenance(call) == "replay" else ""
            title = found.spec.lifecycle
            known.mark = compact([event.name, event.args])
            known.text = heading(title, brief(label, LABEL_CHARS), separator=": ") if title else ""
            known.begun = bool(label and title) and not self._is_active(call_id, known.mark)
            if known.begun and now is None:
                self._untimed.append(event.origin)
            if call.canonical == "shell":
                self._share(known)
        if not known.shown:
            known.due = None if now is None else now + DEFER_MS

    def _is_active(self, call_id: str, mark: str) -> bool:
        """Whether the same call runs already: one line is enough for both."""
        return any(
            each.mark == mark and each.begun for key, each in self._open.items() if key != call_id
        )

    def _share(self, shell: _Open) -> None:
        """Output names no call: with two shells it is nobody's for sure, also afterwards."""
        shell.shell = True
        shells = [each for each in self._open.values() if each.shell]
        if len(shells) > 1:
            for each in shells:
                each.shared = True

    def _printed(self, event: OutputArrived) -> Iterator[Noted]:
        shells = [each for each in self._open.values() if each.shell]
        text = _one_line(event.data)
        if len(shells) != 1 or shells[0].shared or not text or shells[0].printed == OUTPUT_LINES:
            return
        shells[0].printed += 1
        head = f"Cursor shell {event.stream}"
        yield _line(event.origin, heading(head, brief(text, OUTPUT_CHARS), separator=": "))


def told(events: Iterable[AnyEvent]) -> Iterator[AnyEvent]:
    """Pass events on, with the progress lines between them."""
    lines = Lifecycle()
    for event in events:
        yield from lines.feed(event)
        yield event
    yield from lines.close()


def _line(origin: Evidence, text: str) -> Noted:
    return Noted(origin=origin, code=LINE, level="info", message=text)
