"""Tool calls of the IDE: name and arguments of a ``toolFormerData``.

Owns the spellings of a call to a server's tool. How a call went is in ``outcomes.py``, which tool
reads what in ``table.py``.
"""

from typing import NamedTuple

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.ide.outcomes import outcome_of
from cursor_replay.ingest.formats.ide.results import Contents, Look, Result
from cursor_replay.ingest.formats.ide.rows import parsed
from cursor_replay.ingest.formats.ide.table import (
    MCP,
    NO_SERVER,
    NUMBERS,
    OTHER,
    TOOLS,
    Tool,
)
from cursor_replay.ingest.formats.spelled import json_text
from cursor_replay.items import Json
from cursor_replay.lenient import as_int, as_object, as_objects, as_text


class IdeCall(NamedTuple):
    """One call; ``open`` says that it was started and nothing more is known."""

    name: str
    args: Json
    outcome: Outcome | None
    open: bool


def is_call(data: Result) -> bool:
    """Whether a ``toolFormerData`` is a call; ``{additionalData: {status}}`` alone is none."""
    return any(data.get(key) for key in ("name", "toolCallId", "params", "rawArgs", "result"))


def decode_call(data: Result, content: Contents) -> IdeCall:
    """Read a ``toolFormerData``; ``content`` gives the text stored under a content id."""
    number = as_int(data.get("tool"))
    recorded = as_text(data.get("name")) or NUMBERS.get(number or 0, "unknown")
    params, raw = parsed(data.get("params")), parsed(data.get("rawArgs"))
    tool, name, args = _read(recorded, params, raw)
    look = Look(as_text(as_object(args).get("path")), content)
    outcome, is_open = outcome_of(data, tool, look)
    return IdeCall(name, args, outcome, is_open)


def _read(name: str, params: Json, raw: Json) -> tuple[Tool, str, Json]:
    """The tool, the name to show and the arguments; a server's tool is called through ``mcp``."""
    lower = name.lower()
    tool = TOOLS.get(lower)
    if tool is MCP or (
        tool is None and lower.startswith(("mcp_", "mcp-")) and lower not in NO_SERVER
    ):
        return MCP, "mcp", _server_call(name, as_object(params), raw)
    found = _arguments(tool, as_object(params), as_object(raw)) if tool else {}
    return tool or OTHER, name, found or params or raw


def _arguments(tool: Tool, params: Result, raw: Result) -> Result:
    """What the editor made of the call counts before what the model wrote."""
    found = {ours: _first((params, raw), (ours, *spellings)) for ours, *spellings in tool.arguments}
    return _ranged({key: _unpacked(value) for key, value in found.items() if value is not None})


def _ranged(arguments: Result) -> Result:
    """Older builds say the last line in place of how many."""
    end, start = as_int(arguments.pop("endLine", None)), as_int(arguments.get("offset"))
    if end is None or start is None or "limit" in arguments or end < start:
        return arguments
    return {**arguments, "limit": end - start + 1}


def _first(holders: tuple[Result, ...], spellings: tuple[str, ...]) -> Json:
    values = (_at(holder, spelling) for holder in holders for spelling in spellings)
    return next((value for value in values if value is not None), None)


def _at(holder: Result, spelling: str) -> Json:
    outer, _, inner = spelling.partition(".")
    return as_object(holder.get(outer)).get(inner) if inner else holder.get(outer)


def _unpacked(value: Json) -> Json:
    """Lists may be JSON in a string once more."""
    inner = parsed(value) if isinstance(value, str) and value.startswith("[") else value
    return inner if isinstance(inner, list) else value


def _server_call(name: str, params: Result, raw: Json) -> Json:
    """``{tools: [{name, serverName, parameters}]}`` or ``{server, toolName, toolArgs}``."""
    tools = as_objects(params.get("tools"))
    if tools:
        first, *others = tools
        return {
            "server": first.get("serverName"),
            "toolName": as_text(first.get("name")) or name,
            "arguments": _with_others(parsed(first.get("parameters")), raw, others),
        }
    held = params or as_object(raw)
    if as_text(held.get("toolName")):
        keys = ("toolArgs", "arguments", "args")
        arguments: Json = next((held[key] for key in keys if held.get(key) is not None), {})
        return {
            "server": held.get("server"),
            "toolName": held["toolName"],
            "arguments": parsed(arguments),
        }
    plain = name[4:] if name.lower().startswith(("mcp_", "mcp-")) else name
    return {"toolName": plain, "arguments": held} if plain.lower() != "mcp" else held


def _with_others(arguments: Json, raw: Json, others: list[Result]) -> Json:
    """One record is one card: further tools that it names stand among the arguments."""
    known = arguments if isinstance(arguments, dict) else raw
    if not others:
        return known
    told = {"furtherTools": json_text(others)}
    return {**known, **told} if isinstance(known, dict) else {"input": known, **told}
