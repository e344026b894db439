"""Tool calls of the IDE: name, arguments and outcome of a ``toolFormerData``.

Owns the one rule of what such a record says about an outcome (transcript facts 3), and the
spellings of a call to a server's tool. Which tool reads what is in ``table.py``.
"""

from typing import NamedTuple

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.ide.results import Contents, Look, Result
from cursor_replay.ingest.formats.ide.rows import parsed
from cursor_replay.ingest.formats.ide.table import (
    MCP,
    NO_SERVER,
    NUMBERS,
    OTHER,
    SHELL,
    TOOLS,
    Tool,
)
from cursor_replay.items import Json
from cursor_replay.lenient import as_int, as_object, as_objects, as_text

REJECTED = "rejected by the user"
_BAD = {"error": "failed", "failed": "failed", "cancelled": "cancelled", "canceled": "cancelled",
        "aborted": "cancelled", "rejected": REJECTED}  # fmt: skip
_OPEN = {"loading", "pending", "running", "generating", "streaming"}
_ERROR_TEXT = ("clientVisibleErrorMessage", "modelVisibleErrorMessage", "message", "error")


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
    outcome, is_open = _outcome(data, tool, look)
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
        arguments = parsed(tools[0].get("parameters"))
        return {
            "server": tools[0].get("serverName"),
            "toolName": as_text(tools[0].get("name")) or name,
            "arguments": arguments if isinstance(arguments, dict) else raw,
        }
    held = params or as_object(raw)
    if as_text(held.get("toolName")):
        keys = ("toolArgs", "arguments", "args")
        arguments = next((held[key] for key in keys if held.get(key) is not None), {})
        return {
            "server": held.get("server"),
            "toolName": held["toolName"],
            "arguments": parsed(arguments),
        }
    plain = name[4:] if name.lower().startswith(("mcp_", "mcp-")) else name
    return {"toolName": plain, "arguments": held} if plain.lower() != "mcp" else held


def _outcome(data: Result, tool: Tool, look: Look) -> tuple[Outcome | None, bool]:
    """Only a recorded result is a success; a word for a bad end and a refusal are errors."""
    status = (as_text(data.get("status")) or "").lower()
    result = parsed(data.get("result"))
    error = _words(parsed(data.get("error")))
    if data.get("userDecision") == "rejected" or _is_refusal(result):
        return Outcome(status="error", error=REJECTED), False
    if isinstance(result, dict):
        result = {key: value for key, value in result.items() if key != "rejected"}
    value = None if result in (None, {}, "") else _value(result, tool, look)
    if error or status in _BAD:
        return _bad(error or _BAD.get(status, "failed"), status, value, tool), False
    if status in _OPEN or (value is None and status != "completed"):
        return None, True
    if value is None:
        return None, False
    if isinstance(value, Outcome):
        return value, False
    return Outcome(status="success" if status == "completed" else None, value=value), False


def _is_refusal(result: Json) -> bool:
    """``rejected`` is true, or an object where it is one of several cases."""
    rejected = as_object(result).get("rejected")
    return rejected is True or isinstance(rejected, dict)


def _bad(error: str, status: str, value: Json, tool: Tool) -> Outcome:
    """A command that was stopped keeps its output."""
    if isinstance(value, Outcome):
        return value
    if (
        tool is SHELL
        and status not in ("error", "failed")
        and isinstance(value, dict)
        and value.get("output")
    ):
        return Outcome(value={**value, "aborted": True})
    return Outcome(status="error", value=value, error=error)


def _value(result: Json, tool: Tool, look: Look) -> Json:
    """A result may be wrapped in ``{success}`` or ``{error}``."""
    if not isinstance(result, dict):
        return result
    if isinstance(result.get("success"), dict):
        return tool.read(result["success"], look)
    if result.keys() == {"error"}:
        return Outcome(status="error", error=_words(result["error"]) or "failed")
    return tool.read(result, look)


def _words(error: Json) -> str:
    if isinstance(error, str):
        return error
    return next((text for key in _ERROR_TEXT if (text := as_text(as_object(error).get(key)))), "")
