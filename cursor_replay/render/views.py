"""``view(card)``: what is drawn of a card, the same for every surface.

Dispatches on ``card.tool`` through one table, and on the details' variant in ``activities.py``,
so a card read back from a pi session draws like a fresh one. Looks follow pi's own cards; what a
transcript does not say is never claimed. Knows no colour, no width and no surface.
"""

from collections.abc import Callable

from cursor_replay.items import Activity, Card, NativeEdit, NativeWrite, Provenance, Status
from cursor_replay.render import limits
from cursor_replay.render.activities import activity_blocks, activity_head
from cursor_replay.render.arguments import content_text, images_told, number, text_span
from cursor_replay.render.blocks import (
    Block,
    CodeBlock,
    DiffBlock,
    ImageBlock,
    Role,
    Span,
    State,
    TextBlock,
    View,
)
from cursor_replay.render.comparison import diff_edits
from cursor_replay.render.diffs import DiffLine, parse_diff
from cursor_replay.render.limits import Fold, duration, one_line, plural

__all__ = [
    "STATES",
    "Block",
    "CodeBlock",
    "DiffBlock",
    "ImageBlock",
    "Role",
    "Span",
    "State",
    "TextBlock",
    "View",
    "view",
]

STATES: dict[Status, tuple[State, str, str]] = {
    "running": ("pending", "…", "running"),
    "succeeded": ("success", "✓", ""),
    "failed": ("error", "✗", "failed"),
    "incomplete": ("error", "!", "did not complete"),
    "unrecorded": ("pending", "○", "not recorded"),
}
"""Status to background, mark and word."""
EXECUTED: dict[Provenance, str] = {"replay": "", "bridge": "bridge", "pi": "pi"}
"""Who really executed a call: Cursor through the bridge to pi, or pi for a model of its own."""


def view(card: Card) -> View:
    """Return what is drawn of ``card``; total, whatever its arguments are."""
    head_of, blocks_of = VIEWS.get(card.tool, (activity_head, activity_blocks))
    head = tuple([span for span in head_of(card) if span.text])
    state, mark, word = STATES[card.status]
    if word and word in "".join([span.text for span in head]):
        word = ""
    blocks = blocks_of(card)
    if images := images_told(content_text(card), card.images):
        blocks += (TextBlock(text=images, role="muted"),)
    if card.reason:
        blocks += _reason(card, card.reason, head)
    if card.outcome_from:
        blocks += (TextBlock(text=f"from {card.outcome_from.store}", role="muted"),)
    return View(head, state, mark, word, blocks, EXECUTED[card.provenance])


def _reason(card: Card, reason: str, head: tuple[Span, ...]) -> tuple[Block, ...]:
    """Why a card has no good end, unless its head or its text says so already."""
    if card.status not in {"incomplete", "failed"}:
        return ()
    said = reason.removesuffix("…")
    if said in "".join([span.text for span in head]) or said in content_text(card):
        return ()
    return (TextBlock(text=reason, role="error" if card.status == "failed" else "warning"),)


# -- heads ------------------------------------------------------------------------------------


def _read_head(card: Card) -> tuple[Span, ...]:
    start, count = number(card, "offset"), number(card, "limit")
    head = (Span("read ", "title"), text_span(card, "path"))
    if start is None and count is None:
        return head
    first = int(start or 1)
    if first < 0:  # counted from the end of the file
        return (*head, Span(f":{first}", "warning"))
    last = "" if count is None else f"-{first + int(count) - 1}"
    return (*head, Span(f":{first}{last}", "warning"))


def _bash_head(card: Card) -> tuple[Span, ...]:
    lines = _command_lines(card)
    command = text_span(card, "command", role="command")
    if lines:
        shown = lines[:1] if len(lines) > limits.COMMAND_LINES else lines
        command = Span("\n".join(shown), "command")
    seconds = number(card, "timeout")
    timeout = () if seconds is None else (Span(f" (timeout {seconds:g}s)", "muted"),)
    return (Span("$ ", "command"), command, *timeout)


def _command_lines(card: Card) -> list[str]:
    command = card.arguments.get("command")
    return command.strip("\n").split("\n") if isinstance(command, str) and command else []


def _grep_head(card: Card) -> tuple[Span, ...]:
    pattern = text_span(card, "pattern")
    if pattern.role == "accent":
        pattern = Span(f"/{pattern.text}/", "accent")
    glob = text_span(card, "glob", missing="")
    extra = Span(f" ({glob.text})", "output") if glob.text else Span("", "output")
    count = number(card, "limit")
    limit = Span("" if count is None else f" limit {count:g}", "output")
    return (Span("grep ", "title"), pattern, *_in_path(card), extra, limit)


def _find_head(card: Card) -> tuple[Span, ...]:
    return (Span("find ", "title"), text_span(card, "pattern"), *_in_path(card), _limit(card))


def _ls_head(card: Card) -> tuple[Span, ...]:
    return (Span("ls ", "title"), text_span(card, "path", missing="."), _limit(card))


def _in_path(card: Card) -> tuple[Span, ...]:
    return (Span(" in ", "output"), text_span(card, "path", missing=".", role="output"))


def _limit(card: Card) -> Span:
    count = number(card, "limit")
    return Span("" if count is None else f" (limit {count:g})", "output")


def _edit_head(card: Card) -> tuple[Span, ...]:
    summary = edit_summary(card)
    note = Span(f" {summary}" if summary else "", "muted")
    return (Span("edit ", "title"), text_span(card, "path"), note)


def _write_head(card: Card) -> tuple[Span, ...]:
    content = card.arguments.get("content")
    lines = _line_count(content) if isinstance(content, str) and content else None
    note = Span("" if lines is None else f" ({plural(lines, 'line')})", "muted")
    return (Span("write ", "title"), text_span(card, "path"), note)


def _line_count(text: str) -> int:
    text = text.removesuffix("\n")
    return text.count("\n") + 1 if text else 0


def edit_summary(card: Card) -> str:
    """Say what a recorded edit did, from its counts; empty where nothing was recorded."""
    details = card.details
    if not isinstance(details, NativeEdit) or card.status == "failed":
        return ""
    if details.summary:
        return limits.truncate(one_line(details.summary), limits.LINE_CHARS)
    added, removed = details.lines_added, details.lines_removed
    diff = details.diff_string or details.diff or ""
    if diff.startswith("--- /dev/null") and added is not None:
        return f"created {plural(added, 'line')}"
    if "+++ /dev/null" in diff and removed is not None:
        return f"deleted {plural(removed, 'line')}"
    counts = [("added", added), ("removed", removed)]
    return ", ".join([f"{verb} {plural(n, 'line')}" for verb, n in counts if n])


# -- bodies -----------------------------------------------------------------------------------


def _output(fold: Fold) -> Callable[[Card], tuple[Block, ...]]:
    """Return the body of a tool whose result text is shown as it is, folded."""

    def blocks(card: Card) -> tuple[Block, ...]:
        text = content_text(card)
        role: Role = "error" if card.status == "failed" else "output"
        return (TextBlock(text=text, role=role, fold=fold),) if text else ()

    return blocks


def _read_blocks(card: Card) -> tuple[Block, ...]:
    text = content_text(card)
    if not text:
        return ()
    if card.status in {"failed", "incomplete"}:
        return _output(limits.READ_ERROR)(card)
    return (CodeBlock(text=text, path=_path(card), fold=limits.READ),)


def _path(card: Card) -> str | None:
    path = card.arguments.get("path")
    return path if isinstance(path, str) else None


def _bash_blocks(card: Card) -> tuple[Block, ...]:
    blocks: list[Block] = []
    lines = _command_lines(card)
    if len(lines) > limits.COMMAND_LINES:
        rest = "\n".join(lines[1:])
        blocks.append(TextBlock(text=rest, role="command", fold=limits.COMMAND_REST))
    blocks += _output(limits.BASH)(card)
    if card.timing is not None and card.timing.duration_ms is not None:
        blocks.append(TextBlock(text=f"Took {duration(card.timing.duration_ms)}", role="muted"))
    return tuple(blocks)


def _edit_blocks(card: Card) -> tuple[Block, ...]:
    if card.status == "failed":
        return _error(card)
    lines = _edit_lines(card)
    if lines:
        return (DiffBlock(lines=lines, fold=limits.EDIT),)
    if card.status == "succeeded":
        return (TextBlock(text="no diff recorded", role="muted"),)
    return ()


def _edit_lines(card: Card) -> tuple[DiffLine, ...]:
    details = card.details
    if isinstance(details, NativeEdit | Activity) and (text := details.diff_string or details.diff):
        return parse_diff(text)
    return diff_edits(card.arguments.get("edits"))


def _write_blocks(card: Card) -> tuple[Block, ...]:
    content = card.arguments.get("content")
    details = card.details
    if not isinstance(content, str) and isinstance(details, NativeWrite | Activity):
        content = details.file_content_after_write or details.expanded_text
    blocks: tuple[Block, ...] = ()
    if isinstance(content, str) and content:
        text = content.removesuffix("\n")
        blocks = (CodeBlock(text=text, path=_path(card), fold=limits.WRITE),)
    return (*blocks, *_error(card)) if card.status == "failed" else blocks


def _error(card: Card) -> tuple[Block, ...]:
    text = content_text(card)
    return (TextBlock(text=text, role="error", fold=limits.READ_ERROR),) if text else ()


Head = Callable[[Card], tuple[Span, ...]]
Body = Callable[[Card], tuple[Block, ...]]

VIEWS: dict[str, tuple[Head, Body]] = {
    "read": (_read_head, _read_blocks),
    "bash": (_bash_head, _bash_blocks),
    "grep": (_grep_head, _output(limits.GREP)),
    "find": (_find_head, _output(limits.FIND)),
    "ls": (_ls_head, _output(limits.LS)),
    "edit": (_edit_head, _edit_blocks),
    "write": (_write_head, _write_blocks),
}
"""pi's tool name to head and body; every other tool is drawn as Cursor activity."""
