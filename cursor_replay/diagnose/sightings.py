"""What each surface of a run says of each call: started, ended, given up, or nothing at all.

Watches events on their way; keeps no payload, only hashes, places and counts. A surface without ids
is compared by tool and arguments, which is never certain.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallDiscarded,
    CallStarted,
    CallUnrecorded,
    RunSeen,
    SessionSeen,
    call_hash,
    short_hash,
)
from cursor_replay.items import Json
from cursor_replay.normalize.json_words import compact
from cursor_replay.normalize.names import resolve
from cursor_replay.normalize.tools.spec import ToolSpec

_BY_FORMAT = {
    "agent-messages": "messages",
    "chat-store": "chat store",
    "ide-state": "IDE",
    "sdk-store": "SDK store",
    "sdk-ndjson-store": "SDK store",
    "hooks": "hooks",
    "acp": "ACP",
    "cloud-sse": "cloud events",
    "debug-records": "pi's records",
}
_BY_CHANNEL = {
    "message": "stream",
    "update": "onDelta",
    "step": "onStep",
    "turn": "conversation",
    "cli": "stream-json",
    "transcript": "transcript",
    "pi": "pi session",
}
DECISIONS = "debug decisions"
"""The surface of pi's own records: what it gave up on, and what it left out."""
SILENT = {
    "onStep": "tells completed calls only",
    "conversation": "tells completed calls only",
    "transcript": "tells no outcomes",
    "run result": "tells no calls",
}
"""Surfaces from which nothing follows when they do not mention a call."""
_OF_FORMAT = {
    "sdk-stream": "stream",
    "sdk-updates": "onDelta",
    "sdk-steps": "onStep",
    "sdk-turns": "conversation",
    "sdk-run-result": "run result",
}
"""What a format is called that may tell of no call at all."""


@dataclass(slots=True)
class Sighting:
    """What one surface says of one call. The numbers are lines, None what it does not say.

    ``outcome`` is ``success``, ``error``, ``unknown`` or ``none`` (completed without a result);
    ``given_up`` the recorded reason of pi's records.
    """

    arguments: int | None = None
    started: int | None = None
    ended: int | None = None
    outcome: str | None = None
    given_up: str | None = None


@dataclass(slots=True)
class Sightings:
    """What one recording says; keys of ``calls`` are call hashes, of ``shapes`` hashed payloads.

    ``named`` tells its surfaces in order; ``shape_of`` the payload of a call; ``left_out`` counts
    by tool the cards that pi says it did not show; ``unstarted`` are the calls that end on one
    that tells starts, without a start, and the line; ``runs`` and ``agents`` are the ids that its
    records name, ``sessions`` those it is called by.
    """

    named: dict[str, None] = field(default_factory=dict)
    calls: dict[str, dict[str, Sighting]] = field(default_factory=dict)
    shapes: dict[str, Counter[str]] = field(default_factory=dict)
    shape_of: dict[str, str] = field(default_factory=dict)
    tools: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    unstarted: dict[str, tuple[str, int]] = field(default_factory=dict)
    sessions: set[str] = field(default_factory=set)
    agents: set[str] = field(default_factory=set)
    runs: set[str] = field(default_factory=set)

    def watch(self, events: Iterable[AnyEvent]) -> Iterator[AnyEvent]:
        """Pass its events on."""
        form = "unknown"
        for event in events:
            match event:
                case SessionSeen():
                    form = event.format or form
                    self._session(event, form)
                case RunSeen():
                    self.runs |= {event.run_id} if event.run_id else set()
                    self.agents |= {event.agent_id} if event.agent_id else set()
                case CallStarted() | CallCompleted():
                    self._call(event, _surface(form, event.channel), form)
                case CallUnrecorded():
                    self.named.setdefault(_BY_FORMAT.get(form, "transcript"))
                case CallDiscarded():
                    self._discarded(event)
                case _:
                    pass
            yield event

    def of(self, call: str | None) -> dict[str, Sighting]:
        """What is said of a call, by surface."""
        return self.calls.get(call or "", {})

    def tool_of(self, call: str) -> ToolSpec:
        """The tool of a call, by its table row: a recorded name is payload and stays out."""
        return resolve(self.tools.get(call, ""), {}).spec

    def is_completed(self, call: str | None) -> bool:
        """Whether any of its surfaces tells an outcome."""
        return any(
            each.outcome in ("success", "error", "unknown") for each in self.of(call).values()
        )

    def is_of_another_run(self, other: "Sightings") -> bool:
        """Whether the ids that both name tell that these are two runs."""
        alike = self.named.keys() == other.named.keys()
        pairs = (
            (self.runs, other.runs),
            (_agents(self), _agents(other)),
            (self.sessions, other.sessions if alike else set()),
        )
        return any(mine and its and mine.isdisjoint(its) for mine, its in pairs)

    def shares(self, other: "Sightings") -> bool:
        """Whether both name the same run, the same session or the same call."""
        mine, its = self.agents | self.sessions, other.agents | other.sessions
        return bool(self.runs & other.runs or mine & its or self.calls.keys() & other.calls.keys())

    def _session(self, event: SessionSeen, form: str) -> None:
        if form in _OF_FORMAT:
            self.named.setdefault(_OF_FORMAT[form])
        if event.session_id:
            self.sessions.add(event.session_id)

    def _call(self, event: CallStarted | CallCompleted, surface: str, form: str) -> None:
        self.named.setdefault(surface)
        shape = _shape(event.name, event.args)
        key = call_hash(event.call_id)
        if key is None:
            if isinstance(event, CallCompleted):
                self.shapes.setdefault(surface, Counter())[shape] += 1
            return
        self.shape_of.setdefault(key, shape)
        self.tools.setdefault(key, event.name)
        seen = self.calls.setdefault(key, {}).setdefault(surface, Sighting())
        line = event.origin.line
        if isinstance(event, CallStarted):
            if event.partial:
                seen.arguments = seen.arguments or line
            else:
                seen.started = seen.started or line
            return
        if seen.started is None and seen.arguments is None and form in _PAIRED:
            self.unstarted.setdefault(key, (surface, line))
        seen.ended = seen.ended or line
        outcome = event.outcome
        seen.outcome = seen.outcome or ("none" if outcome is None else outcome.status or "success")

    def _discarded(self, event: CallDiscarded) -> None:
        self.named.setdefault(DECISIONS)
        if event.call_hash is None:
            self.left_out[resolve(event.name, {}).spec.canonical] += 1
            return
        self.tools.setdefault(event.call_hash, event.name)
        seen = self.calls.setdefault(event.call_hash, {}).setdefault(DECISIONS, Sighting())
        seen.given_up = event.reason or ""


def _agents(sightings: Sightings) -> set[str]:
    """The agents that a recording names; other session ids are ids of another kind."""
    return {
        each for each in sightings.agents | sightings.sessions if each.startswith(("agent-", "bc-"))
    }


_PAIRED = frozenset({"sdk-stream", "sdk-updates", "stream-json"})
"""Formats in which every completion has a start in front of it."""


def _surface(form: str, channel: str) -> str:
    return _BY_FORMAT.get(form) or _BY_CHANNEL[channel]


def _shape(name: str, args: Json) -> str:
    return short_hash(compact([resolve(name, args).spec.canonical, args]))
