"""The payloads of hooks, and what their parts mean (transcript facts 5, SDK formats facts 5).

Owns the fields. ``user_email`` and the path of the main transcript are no fields: never read.
"""

import json
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BeforeValidator

from cursor_replay.events import PromptSeen
from cursor_replay.ingest.formats.fields import UsageFields, either
from cursor_replay.ingest.formats.sdk.messages import prompt
from cursor_replay.ingest.formats.spelled import json_text
from cursor_replay.ingest.jsontext import decode
from cursor_replay.items import ContextPart, Evidence, Json
from cursor_replay.lenient import Int, Number, Text, Texts, as_object, as_objects, as_text

_ABSENT: Any = None
"""An absent list is None; the field types name what is in one that is there."""


def in_words(value: Json) -> str | None:
    """What stands where a text should: the texts of content blocks, else compact JSON."""
    if value is None or isinstance(value, str):
        return value
    blocks = as_objects(value)
    texts = [text for each in blocks if isinstance(text := each.get("text"), str)]
    if isinstance(value, list) and value and len(texts) == len(value):
        return "\n".join(texts)
    return json_text(value)


def _id(value: Json) -> str | None:
    """An id is a text; other writers number their calls."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_number else value if isinstance(value, str) else None


Words = Annotated[str | None, BeforeValidator(in_words)]
Id = Annotated[str | None, BeforeValidator(_id)]


class Payload(UsageFields):
    """One payload: the fields every hook has, and those of all kinds of hooks."""

    hook_event_name: str
    conversation_id: Id = None
    generation_id: Id = None
    model: Text = None
    workspace_roots: Texts = _ABSENT
    prompt: Words = None
    attachments: Any = None
    text: Words = None
    tool_name: Text = None
    tool_input: Any = None
    tool_output: Any = None
    tool_use_id: Id = None
    error_message: Words = None
    failure_type: Text = None
    is_interrupt: Any = None
    command: Words = None
    cwd: Text = None
    output: Words = None
    exit_code: Any = either("exitCode", "exit_code")
    duration: Number = None
    duration_ms: Number = None
    mcp_server_name: Text = None
    result_json: Any = None
    file_path: Text = None
    content: Words = None
    edits: Any = None
    status: Text = None
    final_status: Text = None
    reason: Text = None
    trigger: Text = None
    context_usage_percent: Number = None
    message_count: Int = None
    messages_to_compact: Int = None
    parent_conversation_id: Id = None
    subagent_id: Id = None
    subagent_type: Text = None
    subagent_model: Text = None
    tool_call_id: Id = None
    task: Words = None
    description: Words = None
    summary: Words = None
    agent_transcript_path: Text = None


def prompted(record: Payload, origin: Evidence) -> PromptSeen:
    """The prompt, with the paths of what was attached."""
    seen = prompt(record.prompt or "", origin)
    listed = record.attachments if isinstance(record.attachments, list) else [record.attachments]
    files = (as_text(as_object(each).get("file_path", each)) for each in listed)
    attached = tuple(ContextPart(tag="attachment", text=path) for path in files if path)
    return replace(seen, context=(*seen.context, *attached))


def parsed(value: Json) -> Json:
    """JSON inside a string (also with raw line ends in it); another text is that text."""
    if not isinstance(value, str) or not value.startswith(("{", "[")):
        return value
    found = decode(value.encode("utf-8", "replace")).values
    if len(found) == 1:
        return found[0]
    try:
        return json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return value


def command(record: Payload) -> dict[str, Json]:
    """The arguments of a command."""
    cwd = {"cwd": record.cwd} if record.cwd else {}
    return {"command": record.command or "", **cwd}


def mcp_args(record: Payload) -> dict[str, Json]:
    """The arguments of an MCP call; its input may be JSON in a string."""
    name = (record.tool_name or "unknown").removeprefix("MCP:")
    server = {"providerIdentifier": record.mcp_server_name} if record.mcp_server_name else {}
    return {"toolName": name, "arguments": as_object(parsed(record.tool_input)), **server}


def file_args(record: Payload) -> dict[str, Json]:
    """The arguments of an edit."""
    edits = [] if record.edits is None else record.edits
    return {"file_path": record.file_path, "edits": edits}


def has_usage(record: Payload) -> bool:
    """Whether tokens were counted: they are left out of an aborted turn."""
    return record.input_tokens is not None or record.output_tokens is not None


def compaction(record: Payload) -> str:
    """What a compaction is about, in words."""
    parts = [f"the conversation is compacted ({record.trigger or 'no reason given'})"]
    if record.messages_to_compact is not None:
        parts.append(f"{record.messages_to_compact} of {record.message_count or '?'} messages")
    if record.context_usage_percent is not None:
        parts.append(f"{record.context_usage_percent:g} % of the context was in use")
    return ", ".join(parts)
