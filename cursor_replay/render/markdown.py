"""The Markdown output: fits a GitHub issue, a pull request or a page.

Owns the document's shape: a heading a turn, prompts quoted, cards collapsible, answers as the
Markdown they are. What is drawn of a card comes from ``views``; making text inert is
``markup``'s and ``tame``'s.
"""

from pathlib import PurePath
from typing import assert_never

from cursor_replay.items import (
    Answer,
    Card,
    ContextPart,
    Level,
    Notice,
    Prompt,
    Sealed,
    Session,
    Status,
    Thought,
    TurnEnd,
)
from cursor_replay.render import phrases
from cursor_replay.render.blocks import Block, CodeBlock, DiffBlock, ImageBlock, TextBlock
from cursor_replay.render.diffs import SIGNS, cut_diff
from cursor_replay.render.limits import cut_lines, duration, hint, one_line, truncate
from cursor_replay.render.markup import code, details, escape, fence, html_code, quote
from cursor_replay.render.tame import tame
from cursor_replay.render.views import view

Body = Prompt | Answer | Thought | Card | Notice | TurnEnd
"""Every item that stands in a turn, so all but the head."""

SUMMARY_CHARS = 160
"""Longest head of a collapsed card."""

WORDS: dict[Status, str] = {
    "succeeded": "ok",
    "failed": "failed",
    "incomplete": "did not complete",
    "unrecorded": "not recorded",
    "running": "running",
}
LEVELS: dict[Level, str] = {"info": "Note", "warning": "Warning", "error": "Error"}
FACTS = (
    ("Session", "session_id"),
    ("Model", "model"),
    ("Folder", "cwd"),
    ("Source", "file"),
    ("Format", "format"),
)
REMARKS = frozenset({"muted", "warning"})
"""Roles of one-line blocks that are about the output, not part of it."""

UNSCRUBBED = "> [!WARNING]\n> Not scrubbed: secrets are shown as recorded.\n\n"


class MarkdownRenderer:
    """Renders items in order; it remembers the head and which turn's heading stands."""

    def __init__(self, *, expand: bool = False) -> None:
        """Show cards cut as in a terminal, or whole (``expand``)."""
        self._expand = expand
        self._session: Session | None = None
        self._turn = 0

    def render(self, sealed: Sealed) -> str:
        """Return the item's Markdown, ending in a blank line; empty for nothing to show."""
        item = sealed.item
        if isinstance(item, Session):
            before, self._session = self._session, item
            return _session(item, before if item.revision else None)
        drawn = _draw(item, expand=self._expand)
        return self._heading(item) + drawn if drawn else ""

    def _heading(self, item: Body) -> str:
        """Return the heading of the turn that ``item`` opens, if it does."""
        if item.turn <= self._turn:
            return ""
        self._turn = item.turn
        return f"## Turn {item.turn}\n\n"


def _draw(item: Body, *, expand: bool) -> str:
    match item:
        case Prompt():
            drawn = _prompt(item)
        case Answer():
            drawn = _answer(item)
        case Thought():
            drawn = _thought(item)
        case Card():
            drawn = _card(item, expand=expand)
        case Notice():
            drawn = f"> **{LEVELS[item.level]}**: {escape(phrases.notice_line(item))}\n\n"
        case TurnEnd():
            drawn = f"*{escape(phrases.turn_end_line(item))}*\n\n"
        case _:
            assert_never(item)
    return drawn


def _session(item: Session, before: Session | None) -> str:
    """Draw the head, or of a later revision (``before``) only what is new."""
    facts = [
        f"- {label}: {code(value)}\n"
        for label, name in FACTS
        if (value := getattr(item, name)) and value != getattr(before, name, None)
    ]
    tail = "".join(facts) + "\n" if facts else ""
    if before is not None:
        return tail
    title = escape(truncate(one_line(item.title or "").strip(), SUMMARY_CHARS))
    return f"# {title or 'Cursor session'}\n\n{'' if item.scrubbed else UNSCRUBBED}{tail}"


def _prompt(item: Prompt) -> str:
    text = quote(item.text) if item.text.strip() else "> *(empty)*\n"
    return f"**{escape(phrases.author_line(item))}**\n\n{text}\n" + "".join(
        _context(part) for part in item.context
    )


def _context(part: ContextPart) -> str:
    return details(f"Context: {html_code(part.tag)}", fence(part.text)) + "\n"


def _answer(item: Answer) -> str:
    text = tame(item.text)
    if not text:
        return ""
    return (details("↳ Answer of the sub-agent", text) if item.parent else text) + "\n"


def _thought(item: Thought) -> str:
    took = "" if item.duration_ms is None else f" ({duration(item.duration_ms)})"
    nested = "↳ " if item.parent else ""
    removed = f"{nested}*{phrases.THINKING_REMOVED}{took}*\n\n" if item.removed else ""
    if not item.text.strip():
        return removed
    return details(f"{nested}<i>Thinking{took}</i>", quote(item.text)) + "\n" + removed


def _card(card: Card, *, expand: bool) -> str:
    """Draw a fold, or one line for a card with nothing behind its head."""
    seen = view(card)
    title = html_code(truncate(one_line(seen.title.strip()), SUMMARY_CHARS))
    nested = "↳ " if card.parent else ""
    summary = f"{nested}<b>{WORDS[card.status]}</b> · {title}"
    parts = [fence(seen.title.removeprefix("$ "), "sh")] if "\n" in seen.title else []
    parts += [drawn for block in seen.blocks if (drawn := _block(block, expand=expand))]
    return (details(summary, "\n".join(parts)) if parts else f"<p>{summary}</p>\n") + "\n"


# -- blocks -----------------------------------------------------------------------------------


def _block(block: Block, *, expand: bool) -> str:
    match block:
        case TextBlock():
            drawn = _text(block, expand=expand)
        case CodeBlock():
            drawn = _text(block, expand=expand, name=language(block.path))
        case DiffBlock():
            lines, rest = cut_diff(block.lines, block.fold, expand=expand)
            drawn = fence("\n".join([SIGNS[line.kind] + line.text for line in lines]), "diff")
            drawn += _remark(rest)
        case ImageBlock():
            kind = f" ({code(block.mime)})" if block.mime else ""
            drawn = f"Image {code(block.path)}{kind}\n"
        case _:
            assert_never(block)
    return drawn


def _text(block: TextBlock | CodeBlock, *, expand: bool, name: str = "") -> str:
    cut = cut_lines(block.text, block.fold, expand=expand)
    rest = "" if expand else hint(cut, block.fold)
    if isinstance(block, TextBlock) and block.role in REMARKS and len(cut.lines) == 1:
        return _remark(f"{cut.lines[0]} {rest}".strip())
    text = "\n".join(cut.lines)
    body = fence(text, name) if text.strip() else ""
    tail = block.fold is not None and block.fold.keep == "tail"
    return f"{_remark(rest)}\n{body}" if tail and rest else body + _remark(rest)


def _remark(text: str) -> str:
    """Return a line about what is shown, set apart from it."""
    return f"\n*{escape(text)}*\n" if text else ""  # the empty line ends what stands above


def language(path: str | None) -> str:
    """Return the fence hint for a file: its extension, which GitHub reads as a language."""
    return PurePath(path).suffix[1:].lower() if path else ""
