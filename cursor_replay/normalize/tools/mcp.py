"""MCP calls in all their dialects, and the content reader web cards share (replay facts 3.13).

A tool that answers ``isError: true`` has failed: such a card is red here (defect S10).
"""

import re
from typing import NamedTuple

from cursor_replay.images import recorded_image
from cursor_replay.items import Clip, Image, Json
from cursor_replay.lenient import Text, as_object, as_objects, as_text
from cursor_replay.normalize.bounds import (
    ARGUMENT_CHARS,
    bounded,
    brief,
    heading,
    join_with,
    joined,
    one_value,
    truncate,
)
from cursor_replay.normalize.json_words import compact
from cursor_replay.normalize.tools.activity import activity
from cursor_replay.normalize.tools.spec import Arguments, Call, Draft, named, present

BRIDGE_PREFIX = "pi__"
"""Tools the bridge offers to Cursor: pi itself runs them."""
DIRECT = re.compile(r"[A-Za-z0-9_.]+(?:-[A-Za-z0-9_.]+)+")
"""A direct MCP tool name, ``<server>-<tool>``, as transcripts spell it."""

_TOKEN = re.compile(r"(?=\D*\d)[A-Za-z0-9]{20,}")
"""No tool is called so; half a token (``sk-…``) would not be known for one by the scrubber."""


class McpArgs(Arguments):
    """``CallMcpTool``, ``CallDynamicTool`` and the SDK's ``mcp``."""

    tool: Text = named("toolName", "tool_name", "name")
    server: Text = named(
        "providerIdentifier", "server", "namespace", "serverIdentifier", "serverName"
    )


def mcp_target(name: str, args: dict[str, Json]) -> tuple[str | None, str | None]:
    """(server, tool) of an MCP call; a direct ``<server>-<tool>`` splits at its last dash."""
    known = McpArgs.read(args)
    if known.tool:
        return known.server, known.tool
    server, _, tool = name.rpartition("-")
    is_direct = DIRECT.fullmatch(name) and not name.lower().startswith("mcp")
    if is_direct and not _TOKEN.fullmatch(tool):
        return server, tool
    if name.startswith("mcp_"):
        return known.server, name.removeprefix("mcp_")
    return known.server, None


def _server_of(name: str) -> str:
    """The server of a direct name, cut from it once it is masked: half a token is known to none."""
    return name.rpartition("-")[0] if DIRECT.fullmatch(name) else name


def _tool_of(name: str) -> str:
    """The tool of a direct name, likewise."""
    return truncate(name.rpartition("-")[2] if DIRECT.fullmatch(name) else name, ARGUMENT_CHARS)


TOOL_ERROR = "[tool error]"
"""Stands above what a tool gave that calls it an error (replay facts 3.13)."""


class Content(NamedTuple):
    """The text of an MCP result, a placeholder for everything else, and a one-line preview."""

    body: str
    preview: str
    failed: bool


def read_content(call: Call) -> Content:
    """Text parts joined by newlines; placeholders only when there is no text; else JSON."""
    parts = as_objects(call.result.get("content"))
    texts = [text for part in parts if (text := _part_text(part)) is not None]
    placeholders = [_placeholder(part) for part in parts if _part_text(part) is None]
    failed = call.result.get("isError") is True
    body = "\n".join(texts) or "\n".join(placeholders)
    shown = bounded(body) if body else call.compact_fallback()
    lines = [line.strip() for text in texts for line in text.split("\n") if line.strip()]
    preview = lines[0] if lines else placeholders[0] if placeholders else ""
    tagged = heading(TOOL_ERROR, shown, separator="\n") if failed else shown
    return Content(tagged, preview, failed)


def _part_text(part: dict[str, Json]) -> str | None:
    text = part.get("text")
    if isinstance(text, dict):
        text = text.get("text")
    return text if isinstance(text, str) else None


_MIME_KEYS = ("mimeType", "mime", "mediaType", "mime_type")


def _placeholder(part: dict[str, Json]) -> str:
    """``[image image/png omitted]``; bytes are never shown, in whatever form they came."""
    image = as_object(part.get("image"))
    kind = as_text(part.get("type")) or ("image" if image else None)
    if kind is None:
        kind = next((k for k in ("audio", "resource", "blob") if k in part), "content")
    holder = image or part
    mime = next((m for k in _MIME_KEYS if (m := as_text(holder.get(k)))), None)
    return f"[{kind}{f' {mime}' if mime and kind == 'image' else ''} omitted]"


def mcp(call: Call) -> Draft:
    """One call of a server's tool."""
    server, tool = mcp_target(call.name, call.args)
    if tool and tool.startswith(BRIDGE_PREFIX) and tool != BRIDGE_PREFIX:
        return bridged(call, tool.removeprefix(BRIDGE_PREFIX))
    name = plain = brief(tool) if tool else "mcp"
    if call.name == f"{server}-{tool}":
        server, name = Clip(call.name, cut=_server_of), Clip(call.name, cut=_tool_of)
    content = read_content(call)
    preview = brief(content.preview) if content.preview and not call.failed else ""
    inner = _inner_arguments(call)
    asked = arguments_line(inner)
    shown = preview if call.done else asked
    draft = activity(
        call,
        title="Cursor MCP",
        header=heading(joined(server, "/", name) if server else name, asked),
        body=content.body if call.done else "",
        summary=heading(name, shown if shown != plain else "", separator=" · "),
        arguments=present(server=server, toolName=name, arguments=brief_arguments(inner) or None),
        failed=call.failed or content.failed,
        source="mcp",
    )
    draft.images = read_images(call)
    return draft


def bridged(call: Call, tool: str) -> Draft:
    """The card of a tool that pi itself ran: under its own name, with its own arguments."""
    arguments = _inner_arguments(call)
    content = read_content(call)
    said = call.error_text() if call.failed else content.body.removeprefix(f"{TOOL_ERROR}\n")
    target = next((text for key in _TARGETS if (text := as_text(arguments.get(key)))), None)
    name = brief(tool)
    return Draft(
        tool=name,
        arguments=arguments,
        title=name,
        summary=brief(target) if target else None,
        text=said if call.done else "",
        images=read_images(call),
        failed=call.failed or content.failed,
        source=name,
    )


_TARGETS = ("command", "pattern", "path")


def read_images(call: Call) -> tuple[Image, ...] | None:
    """The images of an MCP result, in both shapes (replay facts 3.13 and S2)."""
    parts = as_objects(call.result.get("content"))
    holders = (as_object(part.get("image")) or part for part in parts)
    found = (recorded_image(holder.get("data")) for holder in holders)
    return tuple(each for each in found if each) or None


def arguments_line(arguments: dict[str, Json]) -> str:
    """``key=value key=value``, each value on one line of at most 120 characters."""
    shown = list(brief_arguments(arguments).items())
    return join_with(" ", [joined(key, "=", _word(value)) for key, value in shown])


def _word(value: Json) -> str:
    return value if isinstance(value, str) else compact(value)


def _inner_arguments(call: Call) -> dict[str, Json]:
    for key in ("arguments", "args"):
        if isinstance(call.args.get(key), dict):
            return as_object(call.args[key])
    known = McpArgs.read(call.args)
    return {} if known.tool else call.args


def brief_arguments(arguments: dict[str, Json]) -> dict[str, Json]:
    """Arguments of a foreign tool, every value on one line of at most 120 characters."""
    return {
        key: one_value(value) if isinstance(value, str) else brief_json(value)
        for key, value in list(arguments.items())[:20]
    }


def brief_json(value: Json) -> Json:
    """Scalars as they are; anything larger as bounded one-line JSON."""
    return (
        value if value is None or isinstance(value, bool | int | float) else brief(compact(value))
    )
