"""The rows of the Cursor SDK's local store, however they are kept (SDK formats facts 3.2, 3.4).

Owns what a row of ``agents``, ``runs`` and ``run_events`` says, in the spelling of either store,
and what its status words mean. No field here takes ``metadata_json`` or ``sdkMetadata``, which hold
a key. Knows no SQL, no file, and not what is in an event.
"""

import dataclasses
from typing import Any

from pydantic import AliasChoices, Field, ValidationError

from cursor_replay.ingest.formats.envelope import open_envelope
from cursor_replay.ingest.formats.fields import RoleMessage, UsageFields
from cursor_replay.ingest.jsontext import decode
from cursor_replay.ingest.store import State
from cursor_replay.ingest.times import from_iso, from_ms
from cursor_replay.items import Evidence, Json, Time, Usage
from cursor_replay.lenient import Int, Record, Text, as_int, as_object, as_text
from cursor_replay.records import dataclass

EVENT_TYPE = "run_stream_event"
ENDED: dict[str, State] = {
    "FINISHED": "finished",
    "CANCELLED": "finished",
    "ERROR": "error",
    "EXPIRED": "error",
}
"""The words of a run that is over."""
STATES: dict[str, State] = {
    **ENDED,
    "QUEUED": "running",
    "CREATING": "running",
    "RUNNING": "running",
}
_PLACEHOLDERS = {"", "new agent", "new chat", "untitled", "cursor agent"}


def _spelled(*names: str) -> Any:
    return Field(None, validation_alias=AliasChoices(*names))


class AgentRow(Record):
    """A row of ``agents``: one session."""

    id: Text = _spelled("agent_id", "agentId")
    workspace: Text = _spelled("workspace_ref", "cwd")
    status: Text = None
    name: Text = None
    created: Any = _spelled("created_at", "createdAt")
    updated: Any = _spelled("updated_at", "updatedAt")

    def title(self) -> str | None:
        """The name somebody gave it; the SDK's placeholders are none."""
        name = (self.name or "").strip()
        return None if name.casefold() in _PLACEHOLDERS else name


class RunRow(Record):
    """A row of ``runs``: one turn of an agent."""

    id: Text = _spelled("run_id", "runId")
    agent: Text = _spelled("agent_id", "agentId")
    turn: Int = _spelled("turn_number", "turnNumber")
    status: Text = None
    model: Any = None
    error: Any = _spelled("error_code", "error")
    usage: Any = _spelled("usage_json", "usage")
    result: Text = None
    created: Any = _spelled("created_at", "createdAt")
    updated: Any = _spelled("updated_at", "updatedAt")
    ended: Any = _spelled("finished_at", "cancelled_at", "expired_at", "endedAt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What is known of a run. ``recorded`` is False when only its events are there.

    ``status`` is in upper case; ``error`` is a code or a message; ``result`` the text behind the
    last completed call. ``origin`` is the place of its row, where rows have lines.
    """

    id: str
    recorded: bool = True
    agent: str | None = None
    turn: int | None = None
    status: str = ""
    model: str | None = None
    error: str | None = None
    usage: Usage | None = None
    result: str | None = None
    created: Time | None = None
    updated: Time | None = None
    ended: Time | None = None
    origin: Evidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """A row of ``run_events``; ``line`` is None in a database, whose rows have none.

    ``problems`` are those of its text, ``elsewhere`` says that the row only names its payload.
    """

    seq: int | None
    key: str
    line: int | None = None
    block: int | None = None
    kind: str | None = None
    time: Time | None = None
    payload: Json = None
    problems: tuple[tuple[str, str], ...] = ()
    elsewhere: bool = False


@dataclasses.dataclass(slots=True)
class Tally:
    """What the events of a run add up to; None where they were not counted."""

    prompts: int | None = None
    calls: int | None = None
    first: Time | None = None
    last: Time | None = None


def agent_row(fields: dict[str, Json]) -> AgentRow | None:
    """A row that names an agent, else None."""
    row = AgentRow.model_validate(fields)
    return row if row.id else None


def run_row(fields: dict[str, Json], origin: Evidence | None = None) -> Run | None:
    """A row that names a run, else None."""
    row = RunRow.model_validate(fields)
    if not row.id:
        return None
    return Run(
        id=row.id,
        agent=row.agent or None,
        turn=row.turn,
        status=(row.status or "").upper(),
        model=as_text(row.model) or as_text(as_object(row.model).get("id")),
        error=_error(row.error),
        usage=_usage(row.usage),
        result=row.result or None,
        created=moment(row.created),
        updated=moment(row.updated),
        ended=moment(row.ended),
        origin=origin,
    )


def moment(value: Json) -> Time | None:
    """A time of either store: ISO text or epoch milliseconds."""
    return from_iso(value) if isinstance(value, str) else from_ms(as_int(value))


def inner(text: Json) -> tuple[Json, tuple[tuple[str, str], ...]]:
    """The JSON value in a column, and what was wrong with its text."""
    if isinstance(text, str):
        text = text.encode("utf-8", "replace")
    if not isinstance(text, bytes):
        return text, ()
    decoded = decode(text)
    return next(iter(decoded.values), None), tuple(decoded.problems)


def message_of(payload: Json) -> dict[str, Json]:
    """The message in the payload of an event; empty for every other payload."""
    return as_object(as_object(payload).get("message"))


def typed_in(payload: Json) -> str | None:
    """The first line a human typed, where the payload is a user message."""
    message = message_of(payload)
    if message.get("type") != "user":
        return None
    text = RoleMessage.model_validate(as_object(message.get("message"))).text()
    lines = (open_envelope(text).query or "").strip().splitlines()
    return lines[0].strip() if lines else None


def status_in(payload: Json) -> str | None:
    """The word, in upper case, of a payload that tells how the run stands."""
    holder = as_object(payload)
    if holder.get("type") != "result":
        holder = message_of(payload)
        if holder.get("type") != "status":
            return None
    word = as_text(holder.get("status"))
    return word.upper() if word else None


def _error(value: Json) -> str | None:
    fields = as_object(value)
    words = as_text(fields.get("message")) or as_text(fields.get("code"))
    return as_text(value) or words


def _usage(value: Json) -> Usage | None:
    try:
        usage = UsageFields.model_validate(inner(value)[0]).usage()
    except ValidationError:
        return None
    return None if usage == Usage() else usage
