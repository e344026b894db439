"""The report: one ``Call`` for every started call without a usable outcome, and other ``Problem``s.

Both are public JSON documents, one a line (`cursor-replay incomplete --json`). Every string in them
has passed the scrubbing boundary or is one of our own words.
"""

from typing import Literal

from cursor_replay.items import ReasonId, Time
from cursor_replay.records import dataclass

Shown = Literal["card", "hidden", "trace", "unknown"]
"""What the reference would have shown: a card, nothing, a line of thinking, or nobody can say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """Where and when a call began. ``line`` is 1-based, ``row`` the key of a database row.

    ``elapsed_ms`` counts the milliseconds since the first time that the recording tells.
    """

    file: str
    line: int
    row: str | None = None
    turn: int
    time: Time | None = None
    elapsed_ms: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What was recorded of a call since its start.

    ``partial_arguments`` and ``output_chunks`` are counts, ``last_output`` is the last line that is
    not blank, ``output_ambiguous`` says that it may be another shell's. ``siblings_completed``
    counts the calls that completed while it was open, ``siblings`` names the last of them.
    ``run_end`` is how the run ended, None where no end is recorded; ``open_ms`` the milliseconds
    from the start to that end or to the refusal, both recorded; ``said_text`` whether the agent
    said anything in the turn; ``refusal`` the words of whoever refused it, masked and bounded.
    """

    partial_arguments: int = 0
    output_chunks: int = 0
    last_output: str | None = None
    last_output_at: Time | None = None
    output_ambiguous: bool = False
    siblings_completed: int = 0
    siblings: tuple[str, ...] = ()
    run_end: str | None = None
    run_end_reason: str | None = None
    said_text: bool = False
    open_ms: float | None = None
    refusal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceSays:
    """What one surface of the run says of the call, in words; ``line`` is where.

    ``state`` is ``started``, ``arguments``, ``completed``, ``failed``, ``no-result``, ``given-up``,
    ``not-mentioned``; ``silent`` where the surface tells no open calls, ``likely`` where it tells
    an outcome of this tool and these arguments without an id, ``no-id`` where the call has none.
    """

    surface: str
    state: str
    says: str
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Policies:
    """What the reference would have shown under its three policies (replay facts 6)."""

    A: Shown
    B: Shown
    C: Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A started call without a usable outcome.

    ``tool`` is Cursor's canonical name, ``target`` its command, path or query: masked, one line,
    bounded. ``call_id_hash`` is the first 8 hex digits of the SHA-256 of its id. ``meaning`` says
    the reason in words, ``ambiguous`` what of this is not certain; not ``scrubbed``: secrets show.
    """

    type: Literal["call"] = "call"
    tool: str
    title: str
    target: str | None = None
    call_id_hash: str | None = None
    reason: ReasonId
    meaning: str
    started: Started | None = None
    evidence: Seen
    surfaces: tuple[SurfaceSays, ...] = ()
    policies: Policies
    suggestion: str
    ambiguous: tuple[str, ...] = ()
    scrubbed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Another broken pair: ``code`` names its kind, ``message`` says what is the matter here."""

    type: Literal["problem"] = "problem"
    code: str
    message: str
    file: str | None = None
    line: int | None = None
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One source that was read: what it holds, and how its last run ended.

    ``lost`` counts what of it could not be read.
    """

    file: str
    format: str
    completed: int
    open: int
    ended: str | None = None
    ended_reason: str | None = None
    lost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that was found, in the order of the recordings.

    ``counted`` are the calls that are not listed, (tool, how many): no outcome of them is recorded.
    ``narrowed`` counts those that were found and not asked for; not ``scrubbed``: secrets show.
    """

    recordings: tuple[Recording, ...]
    calls: tuple[Call, ...]
    counted: tuple[tuple[str, int], ...] = ()
    problems: tuple[Problem, ...] = ()
    narrowed: int = 0
    scrubbed: bool = True
