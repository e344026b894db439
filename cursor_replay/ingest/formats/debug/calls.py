"""Calls as pi saw them: replay cards in the queue, bridged tools, transcripts of decisions.

These records repeat what the SDK's own surfaces tell; they are the only witness of a call where
those are missing, and of the web tools that pi took from the agent's messages (replay facts 1.4
and 10). Owns how pi's card becomes a call again, and the ids that join it to the SDK's.
"""

import re
from collections.abc import Iterator

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    CallUnrecorded,
    Outcome,
)
from cursor_replay.ingest.formats.debug.lines import Entry
from cursor_replay.items import Json
from cursor_replay.lenient import as_object, as_objects, as_text

_PI = {
    "read": "piRead", "bash": "piBash", "edit": "piEdit", "write": "piWrite", "grep": "piGrep",
    "find": "piFind", "ls": "piLs",
}  # fmt: skip
_GROUPS = {
    "shell": "bash", "run_terminal_cmd": "bash", "terminal": "bash", "read_file": "read",
    "grep_search": "grep", "search": "grep", "glob": "find", "file_search": "find",
    "list_dir": "ls", "strreplace": "edit", "str_replace": "edit", "edit_file": "edit",
    "write_file": "write",
}  # fmt: skip
_LABELS = ("activityTitle", "activitySummary", "incomplete")
_OF_CALL = "cursor-tool:"
_INCOMPLETE = "incomplete-started-tool-call"
_SHOWN = ("queue_replay", "emit_trace")
_FAILED = re.compile(r"Error(?::|$)|Command exited with code")
_ERROR = "Error: "
"""What pi puts before every error text (replay facts 3.0)."""
BRIDGE = "pi__"


def group(name: str, args: Json = None) -> str:
    """One word for a tool under the SDK's names and pi's: what is counted against each other."""
    if name.lower() == "mcp":
        inner = as_object(args)
        called = next((inner[k] for k in ("toolName", "name", "tool") if as_text(inner.get(k))), "")
        return called if called.startswith(BRIDGE) else "mcp"
    lower = name.removeprefix("pi").lower() if name in _PI.values() else name.lower()
    return _GROUPS.get(lower, lower)


def call_id_of(decision: dict[str, Json]) -> str | None:
    """The SDK's call id a display decision is about."""
    identity = as_text(decision.get("identity")) or ""
    return identity.removeprefix(_OF_CALL) if identity.startswith(_OF_CALL) else None


def is_incomplete(decision: dict[str, Json]) -> bool:
    """Whether a decision is about a call that never completed."""
    return decision.get("reason") == _INCOMPLETE


def live_call(entry: Entry, call_id: str | None) -> Iterator[AnyEvent]:
    """A ``tool`` or ``bridge-tool`` event of the queue."""
    tool = as_object(entry.body.get("tool"))
    if entry.body.get("type") == "bridge-tool":
        request = as_object(entry.body.get("request"))
        yield CallUnrecorded(origin=entry.origin, time=entry.time, **_bridged(request))
        return
    if as_object(tool.get("args")).get("incomplete") is True:
        return
    yield CallCompleted(
        origin=entry.origin,
        time=entry.time,
        channel="turn",
        call_id=call_id or as_text(tool.get("id")),
        outcome=_outcome(tool),
        **named(tool),
    )


def stream_call(entry: Entry) -> Iterator[AnyEvent]:
    """A ``toolcall_end`` of pi's stream: what was called, never what came of it."""
    call = as_object(entry.body.get("toolCall"))
    shown = {"toolName": call.get("name"), "args": call.get("arguments")}
    yield CallUnrecorded(origin=entry.origin, time=entry.time, **named(shown))


def bridge_call(entry: Entry) -> Iterator[AnyEvent]:
    """A bridged tool is queued, resolved or rejected."""
    body = entry.body
    request = as_object(body.get("request"))
    call_id = as_text(request.get("piToolCallId"))
    who = _bridged(request)
    if body.get("kind") not in ("resolved", "rejected"):
        yield CallStarted(
            origin=entry.origin, time=entry.time, channel="turn", call_id=call_id, **who
        )
        return
    outcome = _bridge_outcome(body)
    yield CallCompleted(
        origin=entry.origin,
        time=entry.time,
        channel="turn",
        call_id=call_id,
        outcome=outcome,
        **who,
    )


def decided_call(entry: Entry) -> Iterator[AnyEvent]:
    """The card of a decision that carries its transcript: header, blank line, body."""
    decision = entry.body
    transcript = as_text(decision.get("transcript"))
    if decision.get("action") not in _SHOWN or transcript is None or is_incomplete(decision):
        return
    head, _, body = transcript.partition("\n\n")
    body = re.sub(r"\n*Took [0-9.]+s\s*$", "", body).rstrip()
    tool = decision.get("toolName")
    shown = {"toolName": tool, "args": _target(head, tool)}
    failed = bool(_FAILED.match(body.split("\n\n")[-1]))
    yield CallCompleted(
        origin=entry.origin,
        time=entry.time,
        channel="turn",
        call_id=call_id_of(decision) or as_text(decision.get("replayToolId")),
        outcome=Outcome(status="error", error=body.removeprefix(_ERROR))
        if failed
        else Outcome(value={"output": body}),
        **named(shown),
    )


def named(tool: dict[str, Json]) -> dict[str, Json]:
    """The name and arguments of a call from pi's card: ``{toolName, args, result}``.

    pi's own tools keep pi's arguments; a ``cursor`` card is the tool it stands for.
    """
    name = as_text(tool.get("toolName")) or "unknown"
    args = as_object(tool.get("args"))
    if name in _PI:
        return {"name": _PI[name], "args": args}
    details = as_object(as_object(tool.get("result")).get("details"))
    source = as_text(details.get("sourceToolName"))
    if source is None or source == "unregisteredActivity":
        title = (as_text(args.get("activityTitle")) or name).removeprefix("Cursor ")
        source = title if name == "cursor" else name
    return {"name": source, "args": {k: v for k, v in args.items() if k not in _LABELS}}


def _outcome(tool: dict[str, Json]) -> Outcome | None:
    result = tool.get("result")
    if result is None:
        return None
    text = _text_of(result)
    if tool.get("isError") is True:
        return Outcome(status="error", error=text.removeprefix(_ERROR))
    details = as_object(as_object(result).get("details"))
    diff = as_text(details.get("diff")) or as_text(details.get("diffString"))
    value: Json = {"output": text, **({"diff": diff} if diff else {})}
    if tool.get("toolName") not in _PI:
        value = text
    return Outcome(status="success" if tool.get("isError") is False else None, value=value)


def _text_of(result: Json) -> str:
    if isinstance(result, str):
        return result
    parts = as_objects(as_object(result).get("content"))
    return "\n".join(each["text"] for each in parts if as_text(each.get("text")))


def _bridged(request: dict[str, Json]) -> dict[str, Json]:
    name = as_text(request.get("piToolName")) or as_text(request.get("toolName")) or "unknown"
    args = {"toolName": f"{BRIDGE}{name}", "args": as_object(request.get("args"))}
    return {"name": "mcp", "args": args}


def _bridge_outcome(body: dict[str, Json]) -> Outcome | None:
    if body.get("kind") == "rejected":
        error = body.get("error")
        told = error if as_text(error) else as_text(as_object(error).get("message"))
        return Outcome(status="error", error=told or as_text(body.get("rejectionKind")) or "")
    result = body.get("result")
    if result is None:
        return None
    if as_object(result).get("isError") is True:
        return Outcome(status="error", error=_text_of(result))
    return Outcome(status="success", value=result)


def _target(head: str, tool: Json) -> dict[str, Json]:
    """What the header of a transcript tells of the arguments (replay facts 3)."""
    line = head.split("\n", 1)[0]
    key = _HEADER_KEYS.get(tool, "path") if isinstance(tool, str) else "path"
    if key == "command":
        return {key: line.removeprefix("$ ")}
    _, _, target = line.removeprefix("$ ").partition(" ")
    return {key: target} if target else {}


_HEADER_KEYS = {"bash": "command", "grep": "pattern", "find": "pattern"}
