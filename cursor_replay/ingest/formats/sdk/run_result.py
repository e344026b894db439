"""What ``run.wait()`` returned, one object a run: the end of it and its last words.

Owns ``RunResult`` in both spellings (SDK formats facts 1.5 and 1.9). It tells no call, and its
usage is that of the whole run, never of a turn.
"""

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import AliasChoices, Field, TypeAdapter

from cursor_replay.events import AnyEvent, Noted, RunSeen, SessionSeen, TextSeen, TurnEnded
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import (
    Number,
    Object,
    Record,
    Text,
    as_int,
    as_object,
    as_text,
)

_STATUS = {"finished": "success"}
_ENDS = ("finished", "error", "cancelled")


class RunResult(Record):
    """One result; ``result`` is the text after the last completed call."""

    id: str
    status: Literal["finished", "error", "cancelled"]
    agent: Text = Field(None, validation_alias="agent_id")
    result: Text = None
    error: Object = None
    error_code: Text = None
    error_message: Text = None
    model: Object = None
    duration: Number = Field(None, validation_alias=AliasChoices("durationMs", "duration_ms"))
    usage: Object = None


RECORD: TypeAdapter[RunResult] = TypeAdapter(RunResult)


def fits(record: dict[str, Json]) -> bool:
    """Whether a JSON object is the result of a run."""
    run = record.get("id")
    return (
        record.get("status") in _ENDS
        and isinstance(run, str)
        and run.startswith(("run-", "bc-"))
        and "type" not in record
    )


class Decoder:
    """Results to events."""

    def feed(self, record: RunResult, origin: Evidence) -> Iterator[AnyEvent]:
        """The words, and the end of the run."""
        yield RunSeen(origin=origin, run_id=record.id, agent_id=record.agent)
        model = as_text(as_object(record.model).get("id"))
        if model or record.agent:
            yield SessionSeen(origin=origin, model=model, session_id=record.agent)
        if record.result:
            yield TextSeen(origin=origin, text=record.result)
        if words := _used(record.usage):
            yield Noted(origin=origin, code="run-usage", level="info", message=words)
        error = as_object(record.error)
        told = (error.get("message"), record.error_message, error.get("code"), record.error_code)
        yield TurnEnded(
            origin=origin,
            status=_STATUS.get(record.status, record.status),
            reason=next((each for each in told if as_text(each)), None),
            duration_ms=record.duration,
        )

    def close(self, origin: Evidence) -> Iterator[Any]:  # noqa: ARG002 - the shape of a decoder
        """Nothing is held."""
        return iter(())


def _used(usage: Json) -> str | None:
    counts = as_object(usage)
    read = as_int(counts.get("inputTokens", counts.get("input_tokens")))
    written = as_int(counts.get("outputTokens", counts.get("output_tokens")))
    if read is None or written is None:
        return None
    return f"the whole run used {read} input and {written} output tokens"
