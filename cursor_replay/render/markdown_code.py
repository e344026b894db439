"""Fenced code as (token, text) lines, the same by the short way and through rich."""

from collections.abc import Iterator

from cursor_replay.render.highlight import highlight
from cursor_replay.render.markdown_blocks import FENCE, closes

Line = list[tuple[str, str]]


def fenced(block: list[str]) -> Iterator[Line]:
    """Yield the lines of a fence block; a fence that is never closed ends with its text."""
    opening = FENCE.match(block[0])
    mark, info = opening.groups() if opening else ("```", "")
    end = -1 if len(block) > 1 and closes(block[-1], mark) else None
    return fence_lines("\n".join(block[1:end]).rstrip(), info)


def fence_lines(code: str, info: str) -> Iterator[Line]:
    """Yield fenced code as (token, text) lines: its fences muted, the code indented by two."""
    info = info.strip()
    yield [("muted", f"```{info}")]
    for line in highlight(code, info.split(" ")[0]) if code else []:
        yield [("plain", "  "), *line] if any(text for _, text in line) else []
    yield [("muted", "```")]
