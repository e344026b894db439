"""The Markdown output: fits a GitHub issue, a pull request or a page.

Owns the document's shape: a heading a turn, prompts quoted, cards collapsible, answers as the
Markdown they are. What is drawn of a card comes from ``views``; making text inert is
``markup``'s and ``tame``'s.
"""

from pathlib import PurePath
from typing import NamedTuple, TypeGuard, assert_never

from cursor_replay.items import (
    Answer,
    Card,
    ContextPart,
    Level,
    Notice,
    Prompt,
    Sealed,
    Session,
    Thought,
    TurnEnd,
)
from cursor_replay.render import phrases
from cursor_replay.render.arguments import content_text
from cursor_replay.render.blocks import Block, CodeBlock, DiffBlock, ImageBlock, TextBlock
from cursor_replay.render.diffs import SIGNS
from cursor_replay.render.limits import Fold, duration, one_line, plural, truncate
from cursor_replay.render.markup import (
    code,
    details,
    escape,
    fence,
    html_code,
    html_prose,
    moment,
    quote,
)
from cursor_replay.render.tame import tame
from cursor_replay.render.views import STATES, Span, View, view

Body = Prompt | Answer | Thought | Card | Notice | TurnEnd
"""Every item that stands in a turn, so all but the head."""

SUMMARY_CHARS = 160
"""Longest head of a card; what is longer stands whole in its body."""
BODY_LINES = 40
BODY_CHARS = 4_000
"""Lines and characters kept of one block. A body is folded already, so it may hold more than a
terminal shows, and never holds less."""

OPEN = frozenset({"failed", "incomplete"})
"""States that a reader is looking for: their cards are not folded."""
LEVELS: dict[Level, str] = {"info": "Note", "warning": "Warning", "error": "Error"}
FACTS = (
    ("Session", "session_id"),
    ("Model", "model"),
    ("Folder", "cwd"),
    ("Source", "file"),
    ("Format", "format"),
)
UNSCRUBBED = "> [!WARNING]\n> Not scrubbed: secrets are shown as recorded.\n\n"


class MarkdownRenderer:
    """Renders items in order.

    It remembers the head, which turn's heading stands, and the removed thought it ended with.
    """

    def __init__(self, *, expand: bool = False) -> None:
        """Show what a folded body has room for, or everything (``expand``)."""
        self._expand = expand
        self._session: Session | None = None
        self._turn = 0
        self._removed: tuple[int, str | None] | None = None

    def render(self, sealed: Sealed) -> str:
        """Return the item's Markdown, ending in a blank line; empty for nothing to show."""
        item = sealed.item
        if isinstance(item, Session):
            before, self._session = self._session, item
            drawn = _session(item, before if item.revision else None)
        elif isinstance(item, Thought) and self._repeats(item):
            drawn = ""
        elif drawn := _draw(item, self._session, expand=self._expand):
            drawn = self._heading(item) + drawn
        if drawn:
            removed = item if isinstance(item, Thought) and item.removed else None
            self._removed = (removed.turn, removed.parent) if removed else None
        return drawn

    def _repeats(self, thought: Thought) -> bool:
        """Say whether this is one more removed thought behind another: that is said once a run."""
        is_bare = thought.removed and not thought.text.strip()
        return is_bare and self._removed == (thought.turn, thought.parent)

    def _heading(self, item: Body) -> str:
        """Return the heading of the turn that ``item`` opens, if it does."""
        if item.turn <= self._turn:
            return ""
        self._turn = item.turn
        return f"## Turn {item.turn}\n\n"


def _draw(item: Body, session: Session | None, *, expand: bool) -> str:
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
            line = escape(phrases.notice_line(item, session))
            nested = "↳ " if item.parent else ""
            drawn = f"> {nested}**{LEVELS[item.level]}**: {line}\n\n"
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
    asked = phrases.prompt_text(item)
    text = quote(asked) if asked.strip() else "> (empty)\n"
    time = item.time
    when = f" · {moment(time.at)}" if time is not None and time.basis == "recorded" else ""
    author = escape(phrases.AUTHORS[item.author] + when)
    return f"**{author}**\n\n{text}\n" + "".join(_context(part) for part in item.context)


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
    removed = f"{nested}*{phrases.THINKING_REMOVED}*\n\n" if item.removed else ""
    if not item.text.strip():
        return removed
    return details(f"{nested}<i>Thinking{took}</i>", quote(item.text)) + "\n" + removed


def _card(card: Card, *, expand: bool) -> str:
    """Draw a fold, or one line for a card with nothing behind its head but a remark."""
    seen = view(card)
    spans = _spans(card, seen)
    title = one_line("".join([span.text for span in spans]).strip())
    shown = truncate(title, SUMMARY_CHARS)
    _, mark, word = STATES[card.status]
    state = f"{'↳ ' if card.parent else ''}{mark} " + (f"<b>{word}</b> · " if word else "")
    state += f"{seen.executed} · " if seen.executed else ""
    summary = state + html_code(shown)

    whole = _command(card, shown, expand=expand)
    if not whole and shown != title:
        whole = _head(card, spans, seen.blocks, expand=expand)
    remarks = [block.text for block in seen.blocks if _is_remark(block)]
    if whole and card.reason and card.reason in title and card.reason not in shown + whole:
        remarks.append(card.reason)
    parts = [whole] if whole else []
    parts += [drawn for block in seen.blocks if (drawn := _block(block, expand=expand))]
    if not parts:
        line = " · ".join([summary, *[html_prose(remark) for remark in remarks]])
        return f"<p>{line}</p>\n\n"
    parts += [_remark(remark) for remark in remarks]
    return details(summary, "\n".join(parts), is_open=card.status in OPEN) + "\n"


def _spans(card: Card, seen: View) -> list[Span]:
    """Return the head without the words that the card's state already says."""
    said = f" {STATES['incomplete'][2]}" if card.status == "incomplete" else ""
    return [
        span._replace(text=span.text.removesuffix(said)) if span.role == "title" else span
        for span in seen.head
    ]


# -- what a head has no room for --------------------------------------------------------------


def _command(card: Card, shown: str, *, expand: bool) -> str:
    """Return a shell command as a block of its own where ``shown`` has not all of it."""
    command = card.arguments.get("command")
    is_shell = card.tool == "bash" or card.source_tool == "shell"
    if not is_shell or not isinstance(command, str) or command.strip() in shown:
        return ""
    return _fenced(_cut(command.strip("\n"), WHOLE, expand=expand), "sh")


def _head(card: Card, spans: list[Span], blocks: tuple[Block, ...], *, expand: bool) -> str:
    """Return a whole head as a block, unless one of ``blocks`` says it all."""
    texts = [_uncut(card, span) for span in spans]
    longest = max([text.strip() for text in texts], key=len)
    for block in blocks:
        if isinstance(block, TextBlock) and longest in block.text:
            hidden = block.fold is not None and block.fold.quiet and not expand
            if not hidden:
                return ""
    return _fenced(_cut("".join(texts).strip(), WHOLE, expand=expand))


def _uncut(card: Card, span: Span) -> str:
    """Return a span as recorded where the view has cut it: the text that begins like it."""
    text = span.text
    if not text.endswith("…"):
        return text
    start = text[:-1].lstrip()
    recorded = [*card.arguments.values(), card.title, card.summary, content_text(card)]
    if card.details is not None:
        recorded += [card.details.summary, card.details.expanded_text]
    lines = [one_line(one).strip() for one in recorded if isinstance(one, str)]
    lead = text[: len(text) - len(text.lstrip())]
    return next((lead + line for line in lines if line.startswith(start)), text)


# -- blocks -----------------------------------------------------------------------------------


WHOLE = Fold(BODY_LINES)
"""For a command or a head: as much of it as of any block."""


class _Part(NamedTuple):
    """What is shown of a text, and the remark about what is not, before or behind it."""

    text: str
    before: str = ""
    behind: str = ""


def _is_remark(block: Block) -> TypeGuard[TextBlock]:
    """Say whether a block is one line about the card: only what was recorded has a fold."""
    return isinstance(block, TextBlock) and block.fold is None and "\n" not in block.text.strip()


def _block(block: Block, *, expand: bool) -> str:
    """Return a block of the body; empty for one that is drawn elsewhere."""
    match block:
        case TextBlock():
            if _is_remark(block) or block.role == "command":
                return ""  # the whole command stands above already
            drawn = _fenced(_cut(block.text, block.fold, expand=expand))
        case CodeBlock():
            part = _cut(block.text, block.fold, expand=expand)
            drawn = _fenced(part, language(block.path))
        case DiffBlock():
            text = "\n".join([SIGNS[line.kind] + line.text for line in block.lines])
            drawn = _fenced(_cut(text, block.fold, expand=expand), "diff")
        case ImageBlock():
            kind = f" ({code(block.mime)})" if block.mime else ""
            drawn = f"Image {code(block.path)}{kind}\n"
        case _:
            assert_never(block)
    return drawn


def _cut(text: str, fold: Fold | None, *, expand: bool) -> _Part:
    """Cut a text to what a body has room for, unless its fold keeps more of it, or nothing."""
    if fold is None or expand:
        return _Part(text)
    if fold.quiet:
        return _Part("")
    total = text.count("\n") + 1 - fold.skip
    count = total if fold.lines is None else min(total, max(fold.lines, BODY_LINES))
    tail = fold.keep == "tail"
    if tail:
        lines = text.rsplit("\n", count)[-count:]
    else:
        lines = text.split("\n", count + fold.skip)[fold.skip :][:count]
    shown = [truncate(line, BODY_CHARS) for line in lines]
    if fold.lines is not None:
        room = _room(shown[::-1] if tail else shown)
        shown = shown[-room:] if tail else shown[:room]
    kept, hidden = "\n".join(shown), total - len(shown)
    if hidden and tail:
        return _Part(kept, before=f"… {plural(hidden, 'earlier line')} not shown")
    if hidden:
        return _Part(kept, behind=f"… {plural(hidden, 'more line')} not shown")
    chars = sum([len(line) - BODY_CHARS + 1 for line in lines if len(line) > BODY_CHARS])
    return _Part(kept, behind=f"… {plural(chars, 'more character')} not shown" if chars else "")


def _room(lines: list[str]) -> int:
    """Count the lines that fit into a body; there is always room for one."""
    left = BODY_CHARS
    for number, line in enumerate(lines):
        left -= len(line) + 1
        if left < -1:
            return max(number, 1)
    return len(lines)


def _fenced(part: _Part, name: str = "") -> str:
    """Return a text as a fenced block with its note; empty for a blank one."""
    body = fence(part.text, name) if part.text.strip() or part.before or part.behind else ""
    parts = [_remark(part.before), body, _remark(part.behind)]
    return "\n".join([one for one in parts if one])


def _remark(text: str) -> str:
    """Return a line about what is shown."""
    return f"*{escape(one_line(text).strip())}*\n" if text.strip() else ""


def language(path: str | None) -> str:
    """Return the fence hint for a file: its extension, which GitHub reads as a language."""
    return PurePath(path).suffix[1:].lower() if path else ""
