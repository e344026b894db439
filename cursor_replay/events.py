"""What happened: the closed ``Event`` union every source yields.

Events carry our names, no vendor field names; only ``args`` and the values of an ``Outcome``
stay JSON, because a tool's payload is understood by its row in ``normalize/tools``. Every event
knows where it stands (``origin``), its time if its record carried one, and the call id of the
enclosing task (``parent``) when a sub-agent did it.
"""

from hashlib import sha256
from typing import Literal

from cursor_replay.items import Author, ContextPart, Evidence, Image, Json, Level, Time, Usage
from cursor_replay.records import dataclass

Channel = Literal["message", "update", "step", "turn", "cli", "transcript", "pi"]
"""The surface that reported a call; one call may be seen by several surfaces of one run.

``pi`` is a recorded pi session: its calls are cards already. Their ``call_id`` is the card's id,
the value of their outcome is ``{text, details, durationMs, images?}``, and a call of it that never
gets a result has ended with nothing. ``kept`` is what a session of ours tells of the card beside.
"""


INVENTED = "\0"
"""A call id that begins so was made up by a reader, to pair a start with its end."""


def short_hash(text: str) -> str:
    """The first 8 hex digits of the SHA-256: how debug records name an id (replay facts 1.4)."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def call_hash(call_id: str | None) -> str | None:
    """The short hash of a recorded id; None where none is recorded."""
    return None if call_id is None or call_id.startswith(INVENTED) else short_hash(call_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A recorded result.

    ``status`` is None when the record named neither success nor error, which on the surfaces of the
    SDK means that it went well; ``unknown`` when a result is there and nothing tells how it went:
    what it says is shown, and a success is not claimed.
    """

    status: Literal["success", "error", "unknown"] | None = None
    value: Json = None
    error: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The fields every event has."""

    origin: Evidence
    time: Time | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSeen(Event):
    """Facts about the run; None means this record said nothing about it."""

    format: str | None = None
    session_id: str | None = None
    cwd: str | None = None
    model: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSeen(Event):
    """The run and the agent that a record names: what several recordings of one run share."""

    run_id: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSeen(Event):
    """A user record. ``context`` holds what surrounded the typed text."""

    text: str
    author: Author = "human"
    context: tuple[ContextPart, ...] = ()
    images: tuple[Image, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSeen(Event):
    """Assistant text. ``partial`` text continues in the next :class:`TextSeen`."""

    text: str
    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtSeen(Event):
    """Model thinking; ``removed`` when the source only says that it was taken out."""

    text: str
    partial: bool = False
    removed: bool = False
    duration_ms: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStarted(Event):
    """A tool call began, or (``partial``) its arguments are still arriving."""

    channel: Channel
    call_id: str | None
    name: str
    args: Json = None
    partial: bool = False
    kept: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCompleted(Event):
    """A tool call ended; ``outcome`` is None when the record carried no result at all.

    ``started`` is the start time where the completion repeats it; ``shortened`` says that the
    record names its own result as left out.
    """

    channel: Channel
    call_id: str | None
    name: str
    args: Json = None
    outcome: Outcome | None = None
    started: Time | None = None
    shortened: bool = False
    kept: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallUnrecorded(Event):
    """A call in a source that never records outcomes (agent transcripts)."""

    name: str
    args: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallDiscarded(Event):
    """pi gave up on a call that had not completed (its own records, replay facts 6).

    ``call_hash`` names the start (:func:`call_hash`), ``reason`` is the recorded word and ``name``
    the tool's. A display decision has no hash: one call of this tool got no card.
    """

    call_hash: str | None
    name: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputArrived(Event):
    """A chunk of shell output; the SDK attaches no call id to it."""

    stream: Literal["stdout", "stderr"]
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageSeen(Event):
    """Token counts of the turn so far."""

    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Event):
    """The source said that an agent loop ended; see :class:`~cursor_replay.items.TurnEnd`."""

    status: str
    reason: str | None = None
    duration_ms: float | None = None
    usage: Usage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted(Event):
    """Something about the transcript itself. ``problem`` is what ``--strict`` stops at."""

    code: str
    message: str
    level: Level = "warning"
    problem: bool = False


AnyEvent = (
    SessionSeen
    | RunSeen
    | PromptSeen
    | TextSeen
    | ThoughtSeen
    | CallStarted
    | CallCompleted
    | CallUnrecorded
    | CallDiscarded
    | OutputArrived
    | UsageSeen
    | TurnEnded
    | Noted
)
