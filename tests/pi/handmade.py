"""Build pi sessions by hand, in the shape the writer of sessions emits."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

MOMENT = "2026-11-30T00:53:20.000Z"
ZEROS = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
USAGE = {**ZEROS, "totalTokens": 0, "cost": {**ZEROS, "total": 0}}
SESSION_ID = "01a20000-0000-7000-8000-{:012x}"

_numbers: Iterator[int] = count(1)


def call_id(number: int) -> str:
    return f"cursor-replay-1796000000000-1-tool-{number}"


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


class Handmade:
    """A session that grows line by line; `write` puts it into a file."""

    def __init__(self, cwd: Path) -> None:
        self._entries: list[dict[str, Any]] = []
        identity = SESSION_ID.format(next(_numbers))
        header = {"type": "session", "version": 3, "id": identity, "timestamp": MOMENT}
        self._header = {**header, "cwd": str(cwd)}
        self.entry("session_info", name="handmade")
        self.entry("model_change", provider="cursor", modelId="grok-4.6")
        self.entry("thinking_level_change", thinkingLevel="off")

    def entry(self, kind: str, **fields: Any) -> "Handmade":
        number = len(self._entries)
        parent = f"c0de{number - 1:04x}" if number else None
        head = {"type": kind, "id": f"c0de{number:04x}", "parentId": parent, "timestamp": MOMENT}
        self._entries.append({**head, **fields})
        return self

    def custom(self, kind: str, **data: Any) -> "Handmade":
        return self.entry("custom", customType=kind, data=data)

    def user(self, words: str) -> "Handmade":
        return self.entry(
            "message", message={"role": "user", "content": [text(words)], "timestamp": 1}
        )

    def said(self, words: str) -> "Handmade":
        return self._assistant([text(words)], stop="stop")

    def call(
        self,
        number: int | str,
        name: str,
        arguments: dict[str, Any],
        *,
        kept: dict[str, Any] | None = None,
        stop: str = "toolUse",
    ) -> "Handmade":
        """Add a message with one call; ``kept`` is what its line keeps of the card."""
        identity = call_id(number) if isinstance(number, int) else number
        block = {"type": "toolCall", "id": identity, "name": name, "arguments": arguments}
        extra = {"cursorReplay": {"cards": {identity: kept}}} if kept is not None else {}
        return self._assistant([block], stop=stop, **extra)

    def result(
        self,
        number: int | str,
        name: str,
        words: str = "",
        *,
        details: dict[str, Any] | None = None,
        error: bool = False,
        blocks: tuple[dict[str, Any], ...] = (),
    ) -> "Handmade":
        identity = call_id(number) if isinstance(number, int) else number
        message = {"role": "toolResult", "toolCallId": identity, "toolName": name, "isError": error}
        more = {"details": details} if details is not None else {}
        content = [*([text(words)] if words else []), *blocks]
        return self.entry(
            "message", message={**message, "content": content, "timestamp": 1, **more}
        )

    def write(self, folder: Path) -> Path:
        path = folder / f"{self._header['id']}.jsonl"
        lines = [json.dumps(line, ensure_ascii=False) for line in (self._header, *self._entries)]
        path.write_text("\n".join([*lines, ""]), "utf-8")
        return path

    def _assistant(self, content: list[dict[str, Any]], *, stop: str, **extra: Any) -> "Handmade":
        message = {
            "role": "assistant",
            "content": content,
            "api": "cursor-replay",
            "provider": "cursor",
            "model": "grok-4.6",
            "usage": USAGE,
            "stopReason": stop,
            "timestamp": 1,
        }
        return self.entry("message", message=message, **extra)
