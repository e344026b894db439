"""The plain text surface: the same cards without any escape code, fit for a pipe or a mail.

Lines are never wrapped and answers stay as recorded. Knows no colour and no width.
"""

import re
from typing import assert_never

from cursor_replay.items import (
    Answer,
    Card,
    Item,
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
from cursor_replay.render.blocks import Block, CodeBlock, DiffBlock, ImageBlock, TextBlock, View
from cursor_replay.render.diffs import cut_diff, gutter, number_width
from cursor_replay.render.limits import cut_lines, hint
from cursor_replay.render.views import STATES, view

INDENT = "    "
LABELS: dict[Status, str] = {
    "running": "[running]",
    "succeeded": "[ok]",
    "failed": "[failed]",
    "incomplete": "[incomplete]",
    "unrecorded": "[not recorded]",
}
LEVELS: dict[Level, str] = {"info": "note", "warning": "warning", "error": "error"}
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class TextRenderer:
    """Renders one item at a time; the pieces joined are the output."""

    def __init__(self, *, expand: bool = False) -> None:
        """Make a renderer; ``expand`` shows everything instead of collapsed previews."""
        self.expand = expand
        self.session: Session | None = None
        self.before: Item | None = None

    def render(self, sealed: Sealed) -> str:
        """Return the item's lines, an empty one behind them; or ``""``."""
        lines = self._lines(sealed.item)
        self.before = sealed.item if lines else self.before
        text = "\n".join(lines) + "\n\n" if lines else ""
        # Sealed text has none of these; a file must be writable as UTF-8 all the same.
        fine = text.replace("\n", "").isprintable()
        return text if fine else UNPRINTABLE.sub("\ufffd", text)

    def _lines(self, item: Item) -> list[str]:
        match item:
            case Card():
                lines = _nested(self._card(item), item.parent)
            case Answer():
                lines = _nested(_split(item.text), item.parent)
            case Thought():
                lines = _nested(self._thought(item), item.parent)
            case Prompt():
                lines = self._prompt(item)
            case Notice():
                line = phrases.notice_line(item, self.session)
                lines = _nested([f"{LEVELS[item.level]}: {line}"], item.parent)
            case TurnEnd():
                lines = [f"-- {phrases.turn_end_line(item)}"]
            case Session():
                lines = self._session(item)
            case _:
                assert_never(item)
        return lines

    def _card(self, card: Card) -> list[str]:
        drawn = view(card)
        head, *more = _title(card, drawn).split("\n")
        label = LABELS[card.status]
        if drawn.executed:
            label = f"{label[:-1]}, {drawn.executed}]"
        lines = [f"{label} {head}", *[INDENT + line for line in more]]
        for block in drawn.blocks:
            lines += [INDENT + line if line else "" for line in self._block(block)]
        return lines

    def _block(self, block: Block) -> list[str]:
        match block:
            case TextBlock() | CodeBlock():
                return self._text(block)
            case DiffBlock():
                shown, note = cut_diff(block.lines, block.fold, expand=self.expand)
                width = number_width(shown)
                lines = [(gutter(line, width) + line.text).rstrip() for line in shown]
                return [*lines, note] if note else lines
            case ImageBlock():
                return [f"[image: {block.path}{f' ({block.mime})' if block.mime else ''}]"]
            case _:
                assert_never(block)

    def _text(self, block: TextBlock | CodeBlock) -> list[str]:
        cut = cut_lines(block.text, block.fold, expand=self.expand)
        note = "" if self.expand else hint(cut, block.fold)
        if not note:
            return cut.lines
        tail = block.fold is not None and block.fold.keep == "tail"
        return [note, *cut.lines] if tail else [*cut.lines, note]

    def _prompt(self, prompt: Prompt) -> list[str]:
        lines = [f"{phrases.prompt_line(prompt)}:"]
        text = phrases.prompt_text(prompt)
        if text.strip():
            lines += [f"> {line}" if line else ">" for line in _split(text)]
        elif not prompt.context:
            lines.append(phrases.EMPTY)
        lines += [phrases.context_line(prompt)] if prompt.context else []
        for part in prompt.context if self.expand else ():
            body = _split(part.text)
            lines += [f"{INDENT}{part.tag}:", *[f"{INDENT}{INDENT}{line}" for line in body]]
        return lines

    def _thought(self, thought: Thought) -> list[str]:
        lines = phrases.thought_lines(thought)
        if thought.removed and not phrases.repeats_removal(thought, self.before):
            lines.append(phrases.THINKING_GONE)
        return [f"~ {line}".rstrip() for line in lines]

    def _session(self, session: Session) -> list[str]:
        parts = phrases.session_parts(session, self.session)
        first = self.session is None or not session.revision
        self.session = session
        lines = [f"== {' · '.join(parts)}"] if parts else []
        return [*lines, phrases.NOT_SCRUBBED] if first and not session.scrubbed else lines


def _split(text: str) -> list[str]:
    text = text.strip("\n")
    return text.split("\n") if text else []


def _title(card: Card, drawn: View) -> str:
    """Return a card's head without the words that its label has already."""
    first, *more = [span.text for span in drawn.head]
    if card.status == "incomplete":
        first = first.removesuffix(f" {STATES[card.status][2]}")
    return "".join([first, *more])


def _nested(lines: list[str], parent: str | None) -> list[str]:
    return [f"| {line}".rstrip() for line in lines] if parent else lines
