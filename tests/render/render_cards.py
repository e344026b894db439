"""Hand-made items for the renderer tests."""

from typing import Any

from cursor_replay.items import Card, Evidence, Sealed, TextContent

AT = Evidence(file="run.jsonl", line=3)


def card(tool: str, status: str = "succeeded", text: str = "", **fields: Any) -> Card:
    content = (TextContent(text=text),) if text else ()
    fields = {"id": "c1", "source_tool": tool, "title": "", "turn": 1, "evidence": AT, **fields}
    return Card(tool=tool, status=status, content=content, **fields)


def sealed(*args: Any, **fields: Any) -> Sealed:
    return Sealed(card(*args, **fields))


def numbered(count: int, word: str = "line") -> str:
    return "\n".join(f"{word} {number}" for number in range(1, count + 1))
