"""The payloads of hooks, and what their parts mean (transcript facts 5, SDK formats facts 5).

Owns the fields. ``user_email`` and the path of the main transcript are no fields: never read.
"""

from dataclasses import replace
from typing import Any

from cursor_replay.events import Outcome, PromptSeen
from cursor_replay.ingest.formats.fields import UsageFields
from cursor_replay.ingest.formats.hooks.calls import parsed
from cursor_replay.ingest.formats.sdk.messages import prompt
from cursor_replay.items import ContextPart, Evidence, Json
from cursor_replay.lenient import Flag, Int, Number, Objects, Text, Texts, as_object, as_text

_ABSENT: Any = None
"""An absent list is None; the field types name what is in one that is there."""


class Payload(UsageFields):
    """One payload: the fields every hook has, and those of all kinds of hooks."""

    hook_event_name: str
    conversation_id: Text = None
    generation_id: Text = None
    model: Text = None
    workspace_roots: Texts = _ABSENT
    prompt: Text = None
    attachments: Objects = _ABSENT
    text: Text = None
    tool_name: Text = None
    tool_input: Any = None
    tool_output: Any = None
    tool_use_id: Text = None
    error_message: Text = None
    failure_type: Text = None
    is_interrupt: Flag = None
    command: Text = None
    cwd: Text = None
    output: Text = None
    duration: Number = None
    duration_ms: Number = None
    mcp_server_name: Text = None
    result_json: Any = None
    file_path: Text = None
    content: Text = None
    edits: Objects = _ABSENT
    status: Text = None
    final_status: Text = None
    reason: Text = None
    trigger: Text = None
    context_usage_percent: Number = None
    message_count: Int = None
    messages_to_compact: Int = None
    subagent_id: Text = None
    subagent_type: Text = None
    subagent_model: Text = None
    tool_call_id: Text = None
    task: Text = None
    description: Text = None
    summary: Text = None
    agent_transcript_path: Text = None


def prompted(record: Payload, origin: Evidence) -> PromptSeen:
    """The prompt, with the paths of what was attached."""
    seen = prompt(record.prompt or "", origin)
    files = (as_text(each.get("file_path")) for each in record.attachments or [])
    attached = tuple(ContextPart(tag="attachment", text=path) for path in files if path)
    return replace(seen, context=(*seen.context, *attached))


def tool_outcome(record: Payload) -> Outcome | None:
    """The output of a call that the tool hook calls a success."""
    value = parsed(record.tool_output)
    if value in (None, ""):
        return None
    if as_object(value).get("success") is False:
        error = as_text(as_object(value).get("error")) or "failed"
        return Outcome(status="error", value=value, error=error)
    if isinstance(value, dict) and record.duration is not None and "exitCode" in value:
        value = {**value, "executionTime": record.duration}
    return Outcome(status="success", value=value)


def reported(record: Payload) -> Outcome:
    """What a sub-agent reported back."""
    value = {
        "result": record.summary,
        "agentId": record.subagent_id,
        "durationMs": record.duration_ms,
        "transcriptPath": record.agent_transcript_path,
    }
    kept = {key: each for key, each in value.items() if each is not None}
    word = (record.status or "").lower()
    if word in ("error", "failed", "aborted", "cancelled"):
        return Outcome(status="error", value=kept, error=record.error_message or word)
    return Outcome(status="success" if word == "completed" else None, value=kept)


def command(record: Payload) -> dict[str, Json]:
    """The arguments of a command."""
    cwd = {"cwd": record.cwd} if record.cwd else {}
    return {"command": record.command or "", **cwd}


def mcp_args(record: Payload) -> dict[str, Json]:
    """The arguments of an MCP call; its input may be JSON in a string."""
    name = (record.tool_name or "unknown").removeprefix("MCP:")
    server = {"providerIdentifier": record.mcp_server_name} if record.mcp_server_name else {}
    return {"toolName": name, "arguments": as_object(parsed(record.tool_input)), **server}


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
