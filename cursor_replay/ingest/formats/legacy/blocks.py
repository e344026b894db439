"""A legacy ``.txt`` transcript cut at its marks (transcript facts 1.7, SDK formats facts 3.6).

Owns which line may be a mark: it stands at column 0, and a role line only behind a blank line.
Whether a mark is one, or a line of somebody's file, is for the reader to judge.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from cursor_replay.events import Noted
from cursor_replay.ingest.formats.plain_lines import TextLine

Mark = Literal["start", "user", "assistant", "thinking", "call", "result", "ended"]

_MARK = re.compile(
    r"(?P<role>user|assistant|A):[ \t]*"
    r"|\[Thinking\](?: (?P<thought>.*))?"
    r"|\[Tool call\] (?P<call>\S{1,200})[ \t]*"
    r"|\[Tool result\] (?P<result>\S{1,200})[ \t]*"
    r"|Turn ended: (?P<status>[A-Za-z_]+)(?P<reason>\W.*)?",
    re.DOTALL,
)
_ROLE_LINE = re.compile(r"(?:user|assistant|A):[ \t]*")
_EVIDENCE = re.compile(r"\[(?:Thinking\]|Tool (?:call|result)\] \S)|<user_query>")
"""Lines that no other text with role lines has at column 0."""
_CONTEXT = re.compile(
    r"<(?:user_info|project_layout|always_applied_workspace_rules|agent_requestable_workspace_rules"
    r"|user_rules|agent_skills|available_skills|open_and_recently_viewed_files|system_reminder"
    r"|mcp_instructions|mcp_file_system|mcp_file_system_servers|git_status|agent_transcripts"
    r"|cursor_rules_context|attached_files|external_links|system_notification|task_notification)>"
)
"""What Cursor puts in front of a query; it may be longer than what is looked at (facts 1.5)."""


@dataclass(slots=True)
class Block:
    """A mark and the lines under it. ``word`` is the tool's name or the status of an end.

    ``lines`` begin with what stood on the mark's own line, if anything may stand there; ``raw``
    is that line itself.
    """

    kind: Mark
    number: int
    raw: str = ""
    word: str = ""
    lines: list[str] = field(default_factory=list)

    @property
    def own(self) -> int:
        """The line number of the first of ``lines``."""
        return self.number if self.kind in ("thinking", "ended", "start") else self.number + 1

    def as_text(self) -> list[str]:
        """The block as the lines it was made of."""
        if self.kind in ("thinking", "ended"):
            return [self.raw, *self.lines[1:]]
        return self.lines if self.kind == "start" else [self.raw, *self.lines]


def begin_one(lines: list[str]) -> bool:
    """Whether lines begin with a role and hold a mark, or with what is put around a query."""
    first, second = (*filter(str.strip, lines), "", "")[:2]
    proven = _CONTEXT.match(second) or any(map(_EVIDENCE.match, lines))
    return bool(proven and _ROLE_LINE.fullmatch(first))


def blocks(lines: Iterable[TextLine]) -> Iterator[Block | Noted]:
    """The blocks in order, and notes about single lines as they are met."""
    block = Block("start", 1)
    blank = True
    for line in lines:
        yield from line.notes
        found = _mark(line, after_blank=blank)
        blank = not line.text.strip()
        if found is None:
            block.lines.append(line.text)
            continue
        yield block
        block = found
    yield block


def _mark(line: TextLine, *, after_blank: bool) -> Block | None:
    text = line.text
    if not text.startswith(("user:", "assistant:", "A:", "[T", "Turn ended: ")):
        return None
    found = _MARK.fullmatch(text)
    if found is None:
        return None
    match found.lastgroup:
        case "role" if after_blank:
            kind: Mark = "user" if found["role"] == "user" else "assistant"
            return Block(kind, line.number, text)
        case "call":
            return Block("call", line.number, text, found["call"])
        case "result":
            return Block("result", line.number, text, found["result"])
        case "status" | "reason" if after_blank:
            reason = (found["reason"] or "").strip(" .:,-")
            return Block("ended", line.number, text, found["status"].lower(), [reason])
        case "thought" | None:
            return Block("thinking", line.number, text, "", [found["thought"] or ""])
        case _:
            return None


def trimmed(lines: list[str]) -> list[str]:
    """Without the one blank line that separates a block from the next."""
    return lines[:-1] if lines and not lines[-1].strip() else lines
