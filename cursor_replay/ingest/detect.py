"""Which format an input is in: the ``FORMATS`` table and the one place that unwraps.

A format is recognised by content, never by file name: JSON lines a record at a time, other streams
by their head, databases and folders by what they hold. Owns the envelopes around records (debug
sinks, callback captures, store rows; SDK formats facts section 0 and 1.2).
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from pydantic import TypeAdapter

from cursor_replay.events import AnyEvent
from cursor_replay.ingest.formats import stream_json, transcript, transcript_json
from cursor_replay.ingest.formats.acp import dump as acp
from cursor_replay.ingest.formats.hooks import log as hooks
from cursor_replay.ingest.formats.sdk import messages as sdk_messages
from cursor_replay.ingest.formats.sdk import run_result as sdk_run_result
from cursor_replay.ingest.formats.sdk import steps as sdk_steps
from cursor_replay.ingest.formats.sdk import updates as sdk_updates
from cursor_replay.ingest.jsontext import decode
from cursor_replay.ingest.times import from_iso
from cursor_replay.ingest.wholes import STORE_FORMATS, STREAM_FORMATS, StoreFormat, StreamFormat
from cursor_replay.items import Evidence, Json, Time


class Decoder(Protocol):
    """What a format module offers: validated records in, events out."""

    def feed(self, record: Any, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one record."""

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:
        """What is still held at the end."""


class Format(NamedTuple):
    """A format of JSON lines: how it is called, recognised, validated and decoded."""

    name: str
    title: str
    description: str
    fits: Callable[[dict[str, Json]], bool]
    record: TypeAdapter[Any]
    decoder: Callable[[], Decoder]


AnyFormat = Format | StreamFormat | StoreFormat

RECORD_FORMATS: tuple[Format, ...] = (
    Format(
        "transcript",
        "Cursor agent transcript",
        "agent-transcripts/<id>.jsonl: prompts, answers and calls, without any result",
        transcript.fits,
        transcript.RECORD,
        transcript.Decoder,
    ),
    Format(
        "agent-messages",
        "Cursor SDK Agent.messages.list records",
        "one record a turn in protobuf JSON or oneof form; shows tools outside the SDK's types",
        sdk_steps.fits_message,
        sdk_steps.RECORD,
        sdk_steps.Decoder,
    ),
    Format(
        "sdk-stream",
        "Cursor SDK run.stream() messages",
        "snake_case messages with agent_id and run_id; also store rows run_stream_event",
        sdk_messages.fits,
        sdk_messages.RECORD,
        sdk_messages.Decoder,
    ),
    Format(
        "sdk-updates",
        "Cursor SDK onDelta updates",
        "kebab-case updates (text-delta, tool-call-started, ...); the only one with sub-agents",
        sdk_updates.fits,
        sdk_updates.RECORD,
        sdk_updates.Decoder,
    ),
    Format(
        "sdk-steps",
        "Cursor SDK onStep steps",
        "assistantMessage, thinkingMessage and toolCall steps, without call ids",
        sdk_steps.fits_step,
        sdk_steps.RECORD,
        sdk_steps.Decoder,
    ),
    Format(
        "sdk-turns",
        "Cursor SDK run.conversation() turns",
        "agentConversationTurn and shellConversationTurn objects",
        sdk_steps.fits_turn,
        sdk_steps.RECORD,
        sdk_steps.Decoder,
    ),
    Format(
        "sdk-run-result",
        "Cursor SDK run.wait() results",
        "RunResult objects: how a run ended and its last words, without any call",
        sdk_run_result.fits,
        sdk_run_result.RECORD,
        sdk_run_result.Decoder,
    ),
    Format(
        "stream-json",
        "cursor-agent stream-json",
        "lines of cursor-agent -p --output-format stream-json, also with partial output",
        stream_json.fits,
        stream_json.RECORD,
        stream_json.Decoder,
    ),
    Format(
        "acp",
        "cursor-agent acp",
        "JSON-RPC lines of the Agent Client Protocol, both directions",
        acp.fits,
        acp.RECORD,
        acp.Decoder,
    ),
    Format(
        "hooks",
        "Cursor hook payloads",
        "what hook commands got on stdin, one object a line",
        hooks.fits,
        hooks.RECORD,
        hooks.Decoder,
    ),
    Format(
        "transcript-json",
        "Cursor agent transcript, summary form",
        "one JSON document: {mode, messages, turnEnded} or an array of messages",
        transcript_json.fits,
        transcript_json.RECORD,
        transcript_json.Decoder,
    ),
)


FORMATS: tuple[AnyFormat, ...] = (*RECORD_FORMATS, *STREAM_FORMATS, *STORE_FORMATS)


class Unwrapped(NamedTuple):
    """A record without its envelopes, and the time the innermost envelope carried."""

    record: Json
    time: Time | None


def records_in(value: Json) -> list[dict[str, Json]] | None:
    """The records of one JSON value: itself, the elements of an array, or of ``callbacks``.

    The messages of a transcript's summary form belong together: such an array is one record.
    """
    if isinstance(value, list) and value and transcript_json.is_summary(value):
        return [{"messages": value}]
    held = value.get("callbacks") if isinstance(value, dict) else value
    if isinstance(held, list) and held and all(isinstance(each, dict) for each in held):
        return held
    return [value] if isinstance(value, dict) else None


_INNER = ("event", "update", "step", "payload", "message", "args")
_TIMES = ("ts", "createdAt", "created_at")


def unwrap(record: dict[str, Json]) -> Unwrapped:
    """Take off every known envelope: ``{ts, event}``, ``{channel, args}``, store rows, rows."""
    time: Time | None = None
    inner: Json = record
    for _ in range(6):
        if not isinstance(inner, dict):
            break
        stamp = next((inner[key] for key in _TIMES if isinstance(inner.get(key), str)), None)
        time = from_iso(stamp) or time
        step = _step_in(inner)
        if step is None:
            break
        inner = step
    return Unwrapped(inner, time)


def _step_in(record: dict[str, Json]) -> Json | None:
    """The record one envelope further in, or None when this is a record itself."""
    return next((inner(record) for holds, inner in _ENVELOPES if holds(record)), None)


def _first_object(record: dict[str, Json]) -> Json | None:
    return next((record[key] for key in _INNER if isinstance(record.get(key), dict)), None)


_Row = tuple[Callable[[dict[str, Json]], bool], Callable[[dict[str, Json]], Json | None]]
_ENVELOPES: tuple[_Row, ...] = (
    # pi's debug sinks: {ts, elapsedMs[, turn], event | update | step | payload}
    (lambda r: "ts" in r and "elapsedMs" in r, _first_object),
    # callback captures: {channel, args: {update | step}}
    (lambda r: r.get("channel") in ("onDelta", "onStep"), lambda r: r.get("args")),
    (lambda r: set(r) in ({"update"}, {"step"}), lambda r: next(iter(r.values()))),
    # store rows, in JSON lines or as read from the database
    (
        lambda r: "run_stream_event" in (r.get("eventType"), r.get("event_type")),
        lambda r: _payload(r.get("payload", r.get("payload_json"))),
    ),
    (lambda r: r.get("table") == "run_events", lambda r: r.get("row")),
    # the payload of such a row
    (lambda r: r.get("type") == "sdk_message" and "message" in r, lambda r: r["message"]),
)


def _payload(payload: Json) -> Json:
    if not isinstance(payload, str):
        return payload
    values = decode(payload.encode("utf-8", "replace")).values
    return values[0] if values else None


def recognise(record: dict[str, Json]) -> Format | None:
    """The format of a bare record, or None."""
    if not isinstance(record.get("type", ""), str):
        return None
    return next((each for each in RECORD_FORMATS if each.fits(record)), None)


def format_named(name: str) -> AnyFormat | None:
    """The row called ``name``, or None."""
    return next((each for each in FORMATS if each.name == name), None)
