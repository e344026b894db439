"""Cursor agent transcripts: ``agent-transcripts/<id>.jsonl`` (transcript facts 1.2 to 1.6).

Owns the three record kinds (message, ``turn_ended``, ``error``), ``metadata``, and the rows other
readers met. The format holds no ids, no results and no outcome: every call is an event that says
so. Knows no tool beyond the two that carry something else (parallel calls, the chat title).
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallUnrecorded,
    Noted,
    Outcome,
    PromptSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats.envelope import open_envelope
from cursor_replay.items import ContextPart, Evidence, Json
from cursor_replay.lenient import ABSENT_ON_ERROR, Record, Text, record_union

REMOVED = "[REDACTED]"
"""Cursor's own marker for removed thinking; not a masked secret."""


class _TextBlock(Record):
    type: Literal["text"]
    text: Text = None


class _ToolUse(Record):
    type: Literal["tool_use", "tool_call"]
    name: Text = None
    input: Any = None


class _Thinking(Record):
    type: Literal["thinking", "reasoning"]
    thinking: Text = None
    text: Text = None


class _ToolResult(Record):
    type: Literal["tool_result"]
    content: Any = None
    is_error: Any = None


_Block = Annotated[
    Annotated[_TextBlock | _ToolUse | _Thinking | _ToolResult, Field(discriminator="type")] | Any,
    Field(union_mode="left_to_right"),
]


class _Message(Record):
    content: Annotated[list[_Block] | str | None, ABSENT_ON_ERROR] = None


class MessageRecord(Record):
    """One model response or one user record."""

    role: Literal["user", "assistant", "tool", "system"]
    message: Annotated[_Message | None, ABSENT_ON_ERROR] = None
    content: Annotated[list[_Block] | str | None, ABSENT_ON_ERROR] = None
    text: Text = None


class TurnEndedRecord(Record):
    """The end of an agent loop (not of a user turn)."""

    type: Literal["turn_ended"]
    status: Text = None
    error: Text = None


class ErrorRecord(Record):
    """A provider error between records."""

    type: Literal["error"]
    error: Text = None


class MetadataRecord(Record):
    """Optional first line."""

    type: Literal["metadata"]
    metadata: Any = None


class TypedTextRecord(Record):
    """``{"type":"user","text":...}`` rows of older builds."""

    type: Literal["user", "assistant"]
    text: str


_Typed = Annotated[TurnEndedRecord | ErrorRecord | MetadataRecord, Field(discriminator="type")]
RECORD = record_union(
    Annotated[MessageRecord | _Typed | TypedTextRecord, Field(union_mode="left_to_right")]
)


def fits(record: dict[str, Json]) -> bool:
    """Whether a JSON object is a line of an agent transcript."""
    if record.get("role") in ("user", "assistant", "tool") and "type" not in record:
        return "message" in record or "content" in record or "text" in record
    if record.get("type") in ("turn_ended", "metadata", "error"):
        return not ({"agent_id", "session_id", "run_id"} & record.keys())
    return record.get("type") in ("user", "assistant") and set(record) == {"type", "text"}


LONGEST_CONTEXT = 1_000_000
"""Characters of context that wait for the text they belong to."""


class Decoder:
    """Records to events; keeps only the context of a user record that held nothing else."""

    def __init__(self) -> None:
        self._context: list[ContextPart] = []
        self._waiting = 0

    def feed(self, record: Any, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one validated record."""
        match record:
            case MessageRecord(role="user"):
                yield from self._user(_blocks(record), origin)
            case MessageRecord():
                yield from self._flush(origin)
                yield from _assistant(_blocks(record), origin, record.role)
            case TypedTextRecord(type="user"):
                yield from self._prompt(record.text, origin)
            case TypedTextRecord():
                yield TextSeen(origin=origin, text=record.text)
            case TurnEndedRecord():
                yield from self._flush(origin)
                status = (record.status or "unknown").lower()
                yield TurnEnded(origin=origin, status=status, reason=record.error)
            case ErrorRecord():
                text = record.error or "an error without a text"
                yield Noted(origin=origin, code="provider-error", level="error", message=text)
            case MetadataRecord():
                yield from _metadata(record.metadata, origin)

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:
        """What is still held when the input ends."""
        yield from self._flush(origin)

    def _user(self, blocks: list[Any], origin: Evidence) -> Iterator[AnyEvent]:
        texts = [b if isinstance(b, str) else b.text or "" for b in blocks if _is_text(b)]
        if texts or not blocks:
            yield from self._prompt("\n".join(texts), origin)
        for index, block in enumerate(blocks):
            if not _is_text(block):
                yield from _other(block, _at(origin, index))

    def _prompt(self, text: str, origin: Evidence) -> Iterator[AnyEvent]:
        envelope = open_envelope(text)
        if envelope.query is None and envelope.time is None:
            self._context += envelope.context
            self._waiting += sum(len(part.text) for part in envelope.context)
            if self._waiting > LONGEST_CONTEXT:
                yield from self._flush(origin)
            return
        yield PromptSeen(
            origin=origin,
            time=envelope.time,
            text=envelope.query or "",
            author="human" if envelope.typed else "cursor",
            context=(*self._context, *envelope.context),
        )
        self._context, self._waiting = [], 0

    def _flush(self, origin: Evidence) -> Iterator[AnyEvent]:
        if self._context:
            context = tuple(self._context)
            self._context, self._waiting = [], 0
            yield PromptSeen(origin=origin, text="", author="cursor", context=context)


def _blocks(record: MessageRecord) -> list[Any]:
    inner = record.message.content if record.message else None
    for content in (inner, record.content, record.text):
        if isinstance(content, str):
            return [content]
        if content is not None:
            return content
    return []


def _is_text(block: Any) -> bool:
    return isinstance(block, str | _TextBlock)


def _at(origin: Evidence, index: int) -> Evidence:
    return Evidence(file=origin.file, line=origin.line, block=index)


def _assistant(blocks: list[Any], origin: Evidence, role: str) -> Iterator[AnyEvent]:
    if not blocks and role != "system":
        message = "an assistant record without content"
        yield Noted(origin=origin, code="empty-record", level="info", message=message)
    for index, block in enumerate(blocks):
        at = _at(origin, index)
        match block:
            case str() | _TextBlock():
                yield from _text(block if isinstance(block, str) else block.text or "", at)
            case _ToolUse():
                yield from _calls(block.name or "unknown", block.input, at)
            case _:
                yield from _other(block, at)


def _text(text: str, origin: Evidence) -> Iterator[AnyEvent]:
    """Only a whole or trailing marker stands for removed thinking; a quoted one is text."""
    kept = text
    if text.rstrip().endswith(REMOVED):
        before = text.rstrip().removesuffix(REMOVED)
        if not before.strip() or before.endswith("\n"):
            yield ThoughtSeen(origin=origin, text="", removed=True)
            kept = before.rstrip()
    if kept.strip():
        yield TextSeen(origin=origin, text=kept)


def _calls(name: str, args: Json, origin: Evidence) -> Iterator[AnyEvent]:
    uses = args.get("tool_uses") if isinstance(args, dict) else None
    if name.removeprefix("functions.") == "multi_tool_use.parallel" and isinstance(uses, list):
        for use in uses:
            inner = use if isinstance(use, dict) else {"recipient_name": "unknown"}
            recipient = inner.get("recipient_name")
            called = recipient if isinstance(recipient, str) else "unknown"
            yield CallUnrecorded(origin=origin, name=called, args=inner.get("parameters"))
        return
    title = _renamed(name, args)
    if title:
        yield SessionSeen(origin=origin, title=title)
    yield CallUnrecorded(origin=origin, name=name, args=args)


def _renamed(name: str, args: Json) -> str | None:
    """The chat title stands in a call since August 2026; the last one wins (facts 1.6)."""
    if name != "CallDynamicTool" or not isinstance(args, dict):
        return None
    if (args.get("namespace"), args.get("toolName")) != ("cursor-app-control", "rename_chat"):
        return None
    arguments = args.get("arguments")
    title = arguments.get("title") if isinstance(arguments, dict) else None
    return title if isinstance(title, str) and title.strip() else None


def _other(block: Any, origin: Evidence) -> Iterator[AnyEvent]:
    """Blocks Cursor's writer never emits but other people's files hold: shown, never dropped."""
    match block:
        case _Thinking():
            yield ThoughtSeen(origin=origin, text=block.thinking or block.text or "")
        case _ToolResult():
            status: Literal["error", "success"] = "error" if block.is_error is True else "success"
            outcome = Outcome(status=status, value=block.content, error=block.content)
            yield CallCompleted(
                origin=origin,
                channel="transcript",
                call_id=None,
                name="tool_result",
                outcome=outcome,
            )
        case _ToolUse():
            yield from _calls(block.name or "unknown", block.input, origin)
        case _:
            kind = block.get("type") if isinstance(block, dict) else None
            words = f"a content block of unknown type '{kind}'" if kind else "a stray content value"
            yield Noted(origin=origin, code="unknown-block", message=words, problem=True)


def _metadata(metadata: Json, origin: Evidence) -> Iterator[AnyEvent]:
    overview = metadata.get("overview") if isinstance(metadata, dict) else None
    if isinstance(overview, str) and overview.strip():
        yield Noted(origin=origin, code="overview", level="info", message=f"overview: {overview}")
