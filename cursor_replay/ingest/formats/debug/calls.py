"""Calls as pi saw them: replay cards in the queue, bridged tools, transcripts of decisions.

These records repeat what the SDK's own surfaces tell; they are the only witness of a call where
those are missing, and of the web tools that pi took from the agent's messages (replay facts 1.4
and 10). Owns how pi's card becomes a call again, and the ids that join it to the SDK's; how the
call went is told by ``outcomes.py``.
"""

from collections.abc import Iterator

from cursor_replay.events import AnyEvent, CallCompleted, CallStarted, CallUnrecorded
from cursor_replay.ingest.formats.debug.lines import Entry
from cursor_replay.ingest.formats.debug.outcomes import (
    Kind,
    bridged,
    displayed,
    recorded,
    transcript_parts,
)
from cursor_replay.items import Json
from cursor_replay.lenient import as_object, as_text

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


def live_call(entry: Entry, decision: dict[str, Json]) -> Iterator[AnyEvent]:
    """A ``tool`` or ``bridge-tool`` event of the queue; ``decision`` is the one that queued it."""
    tool = as_object(entry.body.get("tool"))
    if entry.body.get("type") == "bridge-tool":
        request = as_object(entry.body.get("request"))
        yield CallUnrecorded(origin=entry.origin, time=entry.time, **_bridged(request))
        return
    if as_object(tool.get("args")).get("incomplete") is True:
        return
    who = named(tool)
    kind = _kind(tool.get("toolName"), who["name"])
    _, body = transcript_parts(as_text(decision.get("transcript")) or "", kind)
    yield CallCompleted(
        origin=entry.origin,
        time=entry.time,
        channel="turn",
        call_id=call_id_of(decision) or as_text(tool.get("id")),
        outcome=recorded(tool, kind, body=body),
        **who,
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
    kind: Kind = "shell" if request.get("piToolName") == "bash" else "activity"
    yield CallCompleted(
        origin=entry.origin,
        time=entry.time,
        channel="turn",
        call_id=call_id,
        outcome=bridged(body, kind),
        **who,
    )


def decided_call(entry: Entry) -> Iterator[AnyEvent]:
    """The card of a decision that carries its transcript; how it went only when that failed."""
    decision = entry.body
    transcript = as_text(decision.get("transcript"))
    if decision.get("action") not in _SHOWN or transcript is None or is_incomplete(decision):
        return
    tool = decision.get("toolName")
    kind = _kind(tool, tool if isinstance(tool, str) else "")
    head, body = transcript_parts(transcript, kind)
    yield CallCompleted(
        origin=entry.origin,
        time=entry.time,
        channel="turn",
        call_id=call_id_of(decision) or as_text(decision.get("replayToolId")),
        outcome=displayed(body, kind),
        **named({"toolName": tool, "args": _target(head, tool)}),
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


def _kind(tool: Json, source: str) -> Kind:
    """What kind of card pi showed; a ``cursor`` card may stand for a shell."""
    if group(source) == "bash":
        return "shell"
    return "native" if isinstance(tool, str) and tool in _PI else "activity"


def _bridged(request: dict[str, Json]) -> dict[str, Json]:
    name = as_text(request.get("piToolName")) or as_text(request.get("toolName")) or "unknown"
    args = {"toolName": f"{BRIDGE}{name}", "args": as_object(request.get("args"))}
    return {"name": "mcp", "args": args}


def _target(head: str, tool: Json) -> dict[str, Json]:
    """What the header of a transcript tells of the arguments (replay facts 3)."""
    line = head.split("\n", 1)[0]
    key = _HEADER_KEYS.get(tool, "path") if isinstance(tool, str) else "path"
    if key == "command":
        return {key: line.removeprefix("$ ")}
    _, _, target = line.removeprefix("$ ").partition(" ")
    return {key: target} if target else {}


_HEADER_KEYS = {"bash": "command", "grep": "pattern", "find": "pattern"}
