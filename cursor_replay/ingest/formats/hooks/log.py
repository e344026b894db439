"""Logs of Cursor hooks: what hook commands got on stdin (transcript facts 5, SDK formats facts 5).

Owns the events of a generation in their order. A log holds what its user configured hooks for, so
any part may be missing.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from cursor_replay.events import (
    AnyEvent,
    Noted,
    Outcome,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
    UsageSeen,
)
from cursor_replay.ingest.formats.hooks.calls import Calls, failure, parsed
from cursor_replay.ingest.formats.hooks.records import (
    Payload,
    command,
    compaction,
    has_usage,
    mcp_args,
    prompted,
    reported,
    tool_outcome,
)
from cursor_replay.items import Evidence, Json

RECORD = TypeAdapter[Any](Payload)
_KNOWN = {
    "sessionStart", "sessionEnd", "beforeSubmitPrompt", "stop", "preToolUse", "postToolUse",
    "postToolUseFailure", "beforeShellExecution", "afterShellExecution", "beforeMCPExecution",
    "afterMCPExecution", "beforeReadFile", "afterFileEdit", "afterTabFileEdit",
    "afterAgentResponse", "afterAgentThought", "preCompact", "subagentStart", "subagentStop",
}  # fmt: skip
_SPOKEN = {
    "beforeSubmitPrompt", "afterAgentResponse", "afterAgentThought", "stop", "sessionEnd",
    "preCompact",
}  # fmt: skip
"""What comes only when no call's end is still to be told."""
_ENDS = {"completed": "success", "failed": "error"}
_DRIVE = re.compile(r"/([A-Za-z]:)(?=/|$)")
_NO_MODEL = {"unknown"}


def fits(record: dict[str, Json]) -> bool:
    """Whether a JSON object is the payload of a hook of Cursor's (not of another agent's)."""
    name = record.get("hook_event_name")
    if not isinstance(name, str):
        return False
    return name in _KNOWN or ("conversation_id" in record and "generation_id" in record)


class Decoder:
    """Payloads to events; holds the calls of the generation."""

    def __init__(self) -> None:
        self._calls = Calls()
        self._head: tuple[Json, ...] = ()
        self._generation: str | None = None
        self._children: dict[str, str] = {}
        self._ended = True

    def feed(self, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one payload."""
        parent = self._children.get(record.conversation_id or "")
        if parent is None:
            yield from self._session(record, origin)
        generation = record.generation_id or self._generation
        if generation != self._generation and parent is None:
            self._generation = generation
            yield from self._calls.close()
        elif record.hook_event_name in _SPOKEN:
            yield from self._calls.settle()
        for event in self._of(record, origin):
            yield event if parent is None else replace(event, parent=event.parent or parent)

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:  # noqa: ARG002 - one shape for all
        """What ran and was told by no tool hook."""
        yield from self._calls.close()

    def _session(self, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        roots = record.workspace_roots or []
        cwd = _DRIVE.sub(r"\1", roots[0]) if roots else None
        model = "Auto" if record.model == "default" else record.model
        head = (record.conversation_id, cwd, None if model in _NO_MODEL else model)
        known = self._head or (None, None, None)
        new = tuple(mine or old for mine, old in zip(head, known, strict=True))
        if new != self._head:
            self._head = new
            session, cwd, model = new
            yield SessionSeen(origin=origin, session_id=session, cwd=cwd, model=model)

    def _of(self, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        name = record.hook_event_name
        self._ended = self._ended and name not in _KNOWN - {"sessionStart", "sessionEnd", "stop"}
        match name:
            case "sessionStart":
                pass
            case "beforeSubmitPrompt":
                yield prompted(record, origin)
            case "afterAgentThought":
                ms = record.duration_ms
                yield ThoughtSeen(origin=origin, text=record.text or "", duration_ms=ms)
            case "afterAgentResponse":
                yield TextSeen(origin=origin, text=record.text or "")
                if has_usage(record):
                    yield UsageSeen(origin=origin, usage=record.usage())
            case "stop" | "sessionEnd":
                yield from self._end(record, origin)
            case "preCompact":
                yield _info(origin, "compaction", compaction(record))
            case "subagentStart" | "subagentStop":
                yield from self._subagent(record, origin)
            case "preToolUse" | "postToolUse" | "postToolUseFailure":
                yield from self._tool(record, origin)
            case _ if name in _KNOWN:
                yield from self._inner(record, origin)
            case _:
                words = "a hook unknown here"
                yield Noted(origin=origin, code="unknown-record", message=words, problem=True)

    def _end(self, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        """``stop`` ends the turn; the end of the session does where nothing else did."""
        word = (record.status or record.final_status or record.reason or "unknown").lower()
        if record.hook_event_name == "sessionEnd" and self._ended:
            yield _info(origin, "session-end", f"the session ended: {word}")
            return
        yield from self._calls.close()
        self._ended = True
        yield TurnEnded(
            origin=origin,
            status=_ENDS.get(word, word),
            reason=record.error_message,
            duration_ms=record.duration_ms,
            usage=record.usage() if has_usage(record) else None,
        )

    def _tool(self, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        use, name, given = record.tool_use_id, record.tool_name or "unknown", record.tool_input
        match record.hook_event_name:
            case "preToolUse":
                yield from self._calls.pre(use, name, given, origin)
            case "postToolUse":
                yield from self._calls.post(use, name, given, tool_outcome(record), origin)
            case _:
                stopped = record.is_interrupt is True
                failed = failure(record.error_message, record.failure_type, interrupted=stopped)
                yield from self._calls.post(use, name, given, failed, origin)

    def _inner(self, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        """What runs or is read inside a call."""
        file = {"file_path": record.file_path}
        match record.hook_event_name:
            case "beforeShellExecution":
                yield from self._calls.before("shell", "shell", command(record), origin)
            case "afterShellExecution":
                value = {"output": record.output or "", "executionTime": record.duration}
                done = Outcome(value=value)
                yield from self._calls.after("shell", "shell", command(record), done, origin)
            case "beforeMCPExecution":
                yield from self._calls.before("mcp", "mcp", mcp_args(record), origin)
            case "afterMCPExecution":
                value = parsed(record.result_json)
                told = Outcome(value=value) if value not in (None, "") else None
                yield from self._calls.after("mcp", "mcp", mcp_args(record), told, origin)
            case "beforeReadFile":
                held = Outcome(value={"content": record.content}) if record.content else None
                yield from self._calls.before("read", "read", file, origin, held=held)
            case "afterFileEdit":
                args = {**file, "edits": record.edits or []}
                done = Outcome(status="success")
                yield from self._calls.after("edit", "edit", args, done, origin)
            case _:  # an edit of the user's own, completed by Tab: no call of the agent has it
                args = {**file, "edits": record.edits or []}
                done = Outcome(status="success")
                yield from self._calls.after("tab", "tabEdit", args, done, origin)

    def _subagent(self, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        child = record.subagent_id or ""
        call_id = record.tool_call_id or self._children.get(child) or f"sub-agent {child}"
        if record.hook_event_name == "subagentStart":
            self._children[child] = call_id
        args = {
            "description": record.description or record.task,
            "prompt": record.task,
            "subagentType": record.subagent_type,
            "model": None if record.subagent_model == "default" else record.subagent_model,
        }
        yield from self._calls.task(call_id, {k: v for k, v in args.items() if v}, origin)
        if record.hook_event_name == "subagentStop":
            self._children.pop(child, None)
            self._calls.task_ended(call_id, reported(record), origin)


def _info(origin: Evidence, code: str, message: str) -> Noted:
    return Noted(origin=origin, code=code, level="info", message=message)
