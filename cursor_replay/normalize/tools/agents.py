"""task: sub-agents and what they report back (replay facts 3.11)."""

import re

from cursor_replay.items import Clip, Json
from cursor_replay.lenient import Object, Text, as_number, as_object, as_objects, as_text
from cursor_replay.normalize.bounds import bounded, brief, heading, joined
from cursor_replay.normalize.json_words import half_up
from cursor_replay.normalize.paths import display_path, is_safe_relative
from cursor_replay.normalize.tools.activity import activity
from cursor_replay.normalize.tools.spec import Arguments, Call, Draft, named, present

_AGENT_ID = re.compile(r"[A-Za-z0-9_.:-]+")
_SHORT_ID = 12


class TaskArgs(Arguments):
    """``Task``, ``Subagent`` and the SDK's ``task``."""

    description: Text = named("description")
    prompt: Text = named("prompt")
    kind: Object = named("subagentType")
    kind_name: Text = named("subagent_type", "subagentType")
    model: Text = named("model")
    agent_id: Text = named("agentId", "agent_id", "resume")


def task(call: Call) -> Draft:
    """A sub-agent: who, what for, and what it did."""
    args = TaskArgs.read(call.args)
    described = args.description or as_text(call.result.get("description")) or "task"
    description = brief(described)
    kind, name = _kind(args)
    agent = _agent_id(args.agent_id or as_text(call.result.get("agentId")))
    background = call.result.get("isBackground") is True
    body = _body(call)
    meta = (
        kind,
        args.model,
        joined("ID: ", agent) if agent else "",
        "backgrounded" if background else "",
    )
    summary = heading(description, *meta, separator=" · ")
    if not any(meta) and not call.failed:
        preview = _preview(body)
        if preview and preview not in (described, name):
            summary = heading(description, brief(preview), separator=": ")
    draft = activity(
        call,
        title="Cursor subagent",
        header=heading("subagent", name, description),
        body=body if call.done else bounded(args.prompt or ""),
        summary=summary,
        arguments=present(
            description=description,
            prompt=bounded(args.prompt) if args.prompt else None,
            subagentName=name,
            subagentKind=kind,
            model=args.model,
            agentId=agent,
            isBackground=True if background else None,
        ),
    )
    draft.duration_ms = as_number(call.result.get("durationMs"))
    return draft


def _kind(args: TaskArgs) -> tuple[str | None, str | None]:
    """(kind, name): ``{kind, name}`` of the SDK, ``{<kind>: {name}}`` of protobuf, or a word."""
    spelled = args.kind or {}
    kind, name = as_text(spelled.get("kind")) or args.kind_name, as_text(spelled.get("name"))
    if kind is None and name is None and len(spelled) == 1:
        kind, body = next(iter(spelled.items()))
        name = as_text(as_object(body).get("name"))
    if not kind or kind == "unspecified":
        return None, name
    return Clip(kind, cut=_capital), name


def _capital(kind: str) -> str:
    return kind[:1].upper() + kind[1:]


def _agent_id(agent: str | None) -> str | None:
    return Clip(agent, cut=_short) if agent and _AGENT_ID.fullmatch(agent) else None


def _short(agent: str) -> str:
    return agent[:8] if len(agent) > _SHORT_ID and _AGENT_ID.fullmatch(agent) else agent


def _preview(body: str) -> str:
    lines = (line.strip() for line in body.split("\n"))
    first = next((line for line in lines if line), "")
    return "" if first.startswith(("{", "[")) else first


def _body(call: Call) -> str:
    value = call.result
    inner = as_object(as_object(value.get("result")).get("success"))
    parts = []
    if as_text(inner.get("command")):
        parts.append(f"$ {inner['command']}")
    output = as_text(inner.get("stdout")) or as_text(inner.get("interleavedOutput"))
    parts += [output.rstrip()] if output else []
    parts += [
        row for each in as_objects(value.get("conversationSteps")) if (row := _step(call, each))
    ]
    for key in ("result", "resultSuffix"):
        text = as_text(value.get(key))
        parts += [text] if text else []
    facts = _facts(value)
    if not parts and not facts:
        return call.fallback()
    return heading(bounded("\n".join(parts)), facts, separator="\n\n")


def _facts(value: dict[str, Json]) -> str:
    """What the SDK really reports of a finished task: how long, why in the background, where."""
    rows = []
    duration = as_number(value.get("durationMs"))
    if duration is not None:
        rows.append(f"Took {half_up(duration / 1000, 1)}s")
    reason = as_text(value.get("backgroundReason"))
    if reason and not reason.lower().endswith("unspecified"):
        rows.append(f"Background: {reason}")
    transcript = as_text(value.get("transcriptPath"))
    if transcript:
        rows.append(f"Transcript: {transcript}")
    return "\n".join(rows)


def _step(call: Call, step: dict[str, Json]) -> str:
    """One line of what the sub-agent did: a compact tool line or its text."""
    message = as_object(step.get("message"))
    if step.get("type") in ("assistantMessage", "thinkingMessage") or "assistantMessage" in step:
        holder = message or as_object(step.get("assistantMessage"))
        return as_text(holder.get("text")) or "" if step.get("type") != "thinkingMessage" else ""
    tool = message if step.get("type") == "toolCall" else as_object(step.get("toolCall"))
    name, args, result = _tool(tool)
    return _tool_line(call, name, args, result) if name else ""


def _tool(tool: dict[str, Json]) -> tuple[str, dict[str, Json], Json]:
    for key, body in tool.items():
        if key.endswith("ToolCall") and isinstance(body, dict):
            name = key.removesuffix("ToolCall")
            return name, as_object(body.get("args")), body.get("result")
    name = as_text(tool.get("type")) or as_text(tool.get("name")) or ""
    return name, as_object(tool.get("args")), tool.get("result")


def _tool_line(call: Call, name: str, args: dict[str, Json], result: Json) -> str:
    if name == "shell":
        value = as_object(result)
        value = as_object(value.get("value")) or as_object(value.get("success")) or value
        output = [as_text(value.get(key)) for key in ("stdout", "stderr")]
        rows = [f"$ {as_text(args.get('command')) or ''}", *(o.rstrip() for o in output if o)]
        return "\n".join(rows)
    path = next(
        (p for key in ("path", "filePath", "file_path") if (p := as_text(args.get(key)))), None
    )
    if path:
        safe = is_safe_relative(path, call.cwd)
        return f"{name} {display_path(path, call.cwd)}" if safe else name
    query = as_text(args.get("query")) or as_text(args.get("pattern"))
    return heading(name, query)
