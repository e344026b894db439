"""Short ways to write event-debug files."""

import json
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from cursor_replay.ingest.source import open_source
from cursor_replay.items import Answer, Card, Item, Notice
from cursor_replay.pipeline import replay

REPLAY = "cursor-replay-1785741600000-1-tool-1"


def stamped(ms: int, **payload: Any) -> dict[str, Any]:
    """One record: ``ms`` after eight, of turn 1."""
    when = f"2026-08-03T08:00:{ms // 1000:02d}.{ms % 1000:03d}Z"
    return {"ts": when, "elapsedMs": ms, "turn": 1, **payload}


def delta(ms: int, kind: str, **fields: Any) -> dict[str, Any]:
    return stamped(ms, update={"type": kind, **fields})


def step(ms: int, kind: str, **message: Any) -> dict[str, Any]:
    return stamped(ms, step={"type": kind, "message": message})


def message(ms: int, kind: str, **fields: Any) -> dict[str, Any]:
    return stamped(ms, event={"type": kind, "agent_id": "agent-1", "run_id": "run-1", **fields})


def said(ms: int, text: str) -> dict[str, Any]:
    return message(ms, "assistant", message={"content": [{"type": "text", "text": text}]})


def asked(ms: int, text: str) -> dict[str, Any]:
    return delta(ms, "user-message-appended", userMessage={"text": text})


def started(ms: int, call: str, name: str = "shell", **args: Any) -> dict[str, Any]:
    return delta(ms, "tool-call-started", callId=call, toolCall={"type": name, "args": args})


def completed(
    ms: int, call: str, name: str = "shell", *, value: Any = None, **args: Any
) -> dict[str, Any]:
    result = {"status": "success", "value": value or {"stdout": "done", "exitCode": 0}}
    tool = {"type": name, "args": args, "result": result}
    return delta(ms, "tool-call-completed", callId=call, toolCall=tool)


def queued(ms: int, name: str, output: str, *, number: str = REPLAY, **args: Any) -> dict[str, Any]:
    content = {"content": [{"type": "text", "text": output}]}
    tool = {"id": number, "toolName": name, "args": args, "result": content, "isError": False}
    return stamped(ms, event={"type": "tool", "tool": tool})


def decision(ms: int, **fields: Any) -> dict[str, Any]:
    return stamped(ms, decision=fields)


def phase(ms: int, name: str, **payload: Any) -> dict[str, Any]:
    return stamped(ms, phase=name, payload=payload)


def folder(path: Path, **files: Any) -> Path:
    """A folder with ``on_delta=[...]`` as ``on-delta.jsonl`` and ``metadata={...}`` as JSON."""
    path.mkdir(parents=True, exist_ok=True)
    for key, value in files.items():
        name = key.replace("_", "-")
        if isinstance(value, list):
            lines = (each if isinstance(each, str) else json.dumps(each) for each in value)
            (path / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
        else:
            text = value if isinstance(value, str) else json.dumps(value, indent=2)
            (path / f"{name}.json").write_text(text, "utf-8")
    return path


def shown(path: Path, **how: Any) -> list[Item]:
    """The items of a file or a folder, the head and the closing notices left out."""
    with closing(open_source(str(path), **how)) as source:
        items = [each.item for each in replay(source)]
    dull = ("not-shown", "losses", "pi-session")
    return [i for i in items[1:] if not (isinstance(i, Notice) and i.code in dull)]


def cards(items: Iterable[Item]) -> list[tuple[str, str]]:
    return [(item.source_tool, item.status) for item in items if isinstance(item, Card)]


def answers(items: Iterable[Item]) -> list[str]:
    return [item.text for item in items if isinstance(item, Answer)]


def notices(items: Iterable[Item]) -> list[tuple[str, str]]:
    return [(item.code, item.message) for item in items if isinstance(item, Notice)]
