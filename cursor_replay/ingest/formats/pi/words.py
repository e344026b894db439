"""One event of one thing in a pi session: blocks, results, commands, context (pi facts 1.3).

Pure functions; the state of a session is in ``messages.py``.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    Noted,
    Outcome,
    PromptSeen,
    TextSeen,
    ThoughtSeen,
)
from cursor_replay.ingest.formats.bodies import exit_field, is_shell
from cursor_replay.ingest.formats.pi.blocks import (
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    blocks_of,
    images_of,
    said,
)
from cursor_replay.ingest.formats.pi.records import BashExecution, System, ToolResult, UsageEntry
from cursor_replay.ingest.formats.spelled import failure_in, is_false, is_true, json_text
from cursor_replay.items import ContextPart, Evidence, Json, Time
from cursor_replay.lenient import as_int, as_object, as_objects, as_text
from cursor_replay.pi_session.kept import from_pi

Status = Literal["success", "error", "unknown"]
_BAD_END = re.compile(
    r"Command (?:exited with code (?!0+$)-?\d+|timed out after \S+ seconds?|aborted)"
)
"""What pi writes under the output of a command that failed (pi facts 1.6)."""


class Place(NamedTuple):
    """Where an entry stands: in the file, in time, and among the entries."""

    origin: Evidence
    time: Time | None
    number: int


def spoken(block: Any, at: Place) -> Iterator[AnyEvent]:
    """What a block of the model's says, when it is no call."""
    match block:
        case TextBlock():
            yield TextSeen(origin=at.origin, time=at.time, text=json_text(block.text))
        case ImageBlock():
            yield TextSeen(origin=at.origin, time=at.time, text=block.told())
        case ThinkingBlock():
            if thought := json_text(block.thinking):
                yield ThoughtSeen(origin=at.origin, time=at.time, text=thought)
            if block.redacted:
                yield ThoughtSeen(origin=at.origin, time=at.time, text="", removed=True)
        case _:
            yield _unknown_block(block, at.origin)


def unknown_blocks(content: Any, at: Place) -> Iterator[AnyEvent]:
    """A notice for every block that has no place in a text."""
    for index, block in enumerate(blocks_of(content)):
        if not isinstance(block, TextBlock | ImageBlock):
            yield _unknown_block(block, replace(at.origin, block=index))


def _unknown_block(block: Any, origin: Evidence) -> Noted:
    kind = block.get("type") if isinstance(block, dict) else getattr(block, "type", None)
    words = f"a content block of unknown type '{kind}'" if kind else "a stray content value"
    return Noted(origin=origin, code="unknown-block", message=words, problem=True)


def outcome(message: ToolResult, tool: str, *, ours: bool = False) -> Outcome | None:
    """``value`` is what a call of a pi session gives; None when the message says nothing at all.

    The details of a session of ``ours`` are spelled for pi, and its images stand in no text.
    """
    text = said(message.content, images=not ours)
    if message.is_error is None and not text and not message.details:
        return None
    details = from_pi(as_object(message.details)) if ours else message.details
    value: dict[str, Json] = {
        "text": text,
        "details": details,
        "durationMs": message.duration_ms,
    }
    if images := images_of(message.content):
        value["images"] = [image.data for image in images]
    return Outcome(status=_status(message, text, tool), value=value)


def _status(message: ToolResult, text: str, tool: str) -> Status:
    """What the flag says, unless the end of a command or the details say otherwise."""
    details = as_object(message.details)
    last = text.rstrip().rpartition("\n")[2]
    bad_end = is_shell(tool) and _BAD_END.fullmatch(last)
    if is_true(message.is_error) or bad_end or exit_field(details) or failure_in(details):
        return "error"
    return "success" if is_false(message.is_error) else "unknown"


def bash(message: BashExecution, at: Place, call_id: str) -> CallCompleted:
    """The user's own command; the lines about its end are pi's own."""
    code, cancelled = as_int(message.exit_code), is_true(message.cancelled)
    path = message.full_output_path
    ends = [
        f"[Output truncated.{f' Full output: {path}' if path else ''}]"
        if message.truncated
        else "",
        "Command aborted" if cancelled else "",
        f"Command exited with code {code}" if code else "",
    ]
    output = json_text(message.output).rstrip("\n")
    text = "\n\n".join(part for part in (output, *ends) if part)
    status: Status = "error" if cancelled or code else "unknown" if code is None else "success"
    return CallCompleted(
        origin=at.origin,
        time=at.time,
        channel="pi",
        call_id=call_id,
        name="bash",
        args={"command": json_text(message.command)},
        outcome=Outcome(status=status, value={"text": text}) if text or code is not None else None,
    )


def system(message: System, at: Place) -> Noted:
    """What the prompt of pi is made of; it is not shown itself."""
    sections = ", ".join(message.sections or {})
    tools = [
        name for each in as_objects(message.tools_added) if (name := as_text(each.get("name")))
    ]
    parts = [
        f"sections {sections}" if sections else "",
        f"tools added: {', '.join(tools)}" if tools else "",
        f"tools removed: {len(message.tools_removed)}" if message.tools_removed else "",
    ]
    words = "; ".join(part for part in parts if part)
    told = f"the system prompt is not shown{f' ({words})' if words else ''}"
    return Noted(origin=at.origin, time=at.time, code="system-prompt", level="info", message=told)


def custom(kind: str | None, content: Any, at: Place, *, display: bool | None) -> PromptSeen:
    """What an extension told the model: shown as pi shows it, or as context when pi hides it."""
    tag, text = kind or "custom", said(content)
    if display is False:
        return summary(tag, text, at)
    return PromptSeen(origin=at.origin, time=at.time, text=f"[{tag}]\n{text}", author="cursor")


def summary(tag: str, text: Json, at: Place) -> PromptSeen:
    """Context that no human typed."""
    context = (ContextPart(tag=tag, text=json_text(text)),)
    return PromptSeen(origin=at.origin, time=at.time, text="", author="cursor", context=context)


def used(record: UsageEntry) -> str:
    """What an entry says of tokens that no message used."""
    usage = record.usage.usage() if record.usage else None
    counts = f"{usage.input_tokens:,} in, {usage.output_tokens or 0:,} out" if usage else "unknown"
    return f"used outside the conversation ({record.kind or 'unknown'}): {counts}"
