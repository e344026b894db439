"""The terminal surface: sealed items as ANSI text that looks like pi's own screen.

Every card is a full-width block on the background of its state; mark and word in its head say
the same without colour. Emits no escape codes but its own colours, and none at depth ``none``.
"""

import re
from typing import assert_never

from cursor_replay.items import (
    GOOD_ENDS,
    Answer,
    Card,
    Item,
    Level,
    Notice,
    Prompt,
    Sealed,
    Session,
    Thought,
    TurnEnd,
)
from cursor_replay.render import phrases
from cursor_replay.render.cells import Run, clean
from cursor_replay.render.limits import MIN_WIDTH
from cursor_replay.render.markdown_ansi import MarkdownAnsi
from cursor_replay.render.paint import Painter
from cursor_replay.render.terminal_cards import CardPainter
from cursor_replay.render.themes import BOLD, Depth, Palette, Theme, palette

TITLE = re.compile(r"\*\*([^*\s](?:[^*]*[^*\s])?)\*\*\s*")
"""A thought's line that is a title as a whole."""
LEVELS: dict[Level, tuple[str, str]] = {
    "info": ("muted", "note"),
    "warning": ("warning", "warning"),
    "error": ("error", "error"),
}
"""A notice's level to its colour and its word."""


class TerminalRenderer:
    """Renders one item at a time; the pieces joined are the output.

    ``width`` is in columns (8 at least), ``depth`` the colours the terminal has, ``expand`` shows
    everything instead of pi's collapsed previews.
    """

    def __init__(
        self,
        width: int = 100,
        theme: Theme = "dark",
        depth: Depth = "truecolor",
        *,
        expand: bool = False,
    ) -> None:
        """Make a renderer; everything that depends on the colours is built here."""
        self.palette = palette(theme, depth)
        self.expand = expand
        self.cards = CardPainter(self.palette.on_background(), expand=expand)
        self.markdown = MarkdownAnsi(self.palette)
        self.session: Session | None = None
        self.before: Item | None = None
        self.width = 0
        self.resize(width)

    def resize(self, width: int) -> None:
        """Draw what follows in ``width`` columns: a terminal may change while a run goes on."""
        if width == self.width:
            return
        self.width = width
        columns = max(width, MIN_WIDTH)
        self.outer, self.nested = _painters(self.palette, columns)
        self.filled, self.filled_nested = _painters(self.palette.on_background(), columns)

    def render(self, sealed: Sealed) -> str:
        """Return the item as lines, an uncoloured empty one behind them; or ``""``."""
        text = self._draw(sealed.item)
        self.before = sealed.item if text else self.before
        return text

    def _draw(self, item: Item) -> str:
        match item:
            case Card():
                painter = self.filled_nested if item.parent else self.filled
                text = painter.block(self.cards.card(item, painter))
            case Answer():
                text = self._answer(item)
            case Thought():
                text = self._thought(item)
            case Prompt():
                text = self._prompt(item)
            case Notice():
                token, word = LEVELS[item.level]
                line = f"{word}: {phrases.notice_line(item, self.session)}"
                painter = self._painter(item.parent)
                text = painter.block(painter.text([line], token))
            case TurnEnd():
                token = "dim" if item.status in GOOD_ENDS else "error"
                text = self._line(phrases.turn_end_line(item), token)
            case Session():
                text = self._session(item)
            case _:
                assert_never(item)
        return text

    def _painter(self, parent: str | None) -> Painter:
        return self.nested if parent else self.outer

    def _line(self, text: str, token: str) -> str:
        return self.outer.block(self.outer.text([text], token))

    def _answer(self, answer: Answer) -> str:
        painter = self._painter(answer.parent)
        found = self.markdown.lines(answer.text.strip("\n"), painter.inner)
        lines = painter.fitting(found)
        return painter.block(lines) if lines else ""

    def _thought(self, thought: Thought) -> str:
        painter = self._painter(thought.parent)
        mark = "" if self.palette.reset else "~ "
        rows = []
        for line in phrases.thought_lines(thought):
            title = TITLE.fullmatch(line)
            token = "thinkingTitle" if title else "thinking"
            text = f"{mark}{title[1] if title else line}".rstrip()
            rows += painter.text([text], token, hang=len(mark))
        if thought.removed and not phrases.repeats_removal(thought, self.before):
            rows += painter.text([f"{mark}{phrases.THINKING_GONE}"], "thinkingGone")
        return painter.block(rows) if rows else ""

    def _prompt(self, prompt: Prompt) -> str:
        paint, background = self.filled.text, self.palette.bg["userBg"]
        rows = paint([phrases.prompt_line(prompt)], "muted", background)
        text = phrases.prompt_text(prompt)
        if text.strip():
            rows += paint(text.strip("\n").split("\n"), "text", background)
            rows += [self.outer.blank(background)] if prompt.context else []
        elif not prompt.context:
            rows += paint([phrases.EMPTY], "muted", background)
        if prompt.context:
            rows += paint([phrases.context_line(prompt)], "muted", background)
        if self.expand:
            for part in prompt.context:
                rows += paint([f"{part.tag}:"], "accent", background)
                rows += paint(part.text.strip("\n").split("\n"), "muted", background)
        edge = [self.outer.blank(background)] if background else []
        return self.outer.block([*edge, *rows, *edge])

    def _session(self, session: Session) -> str:
        parts = phrases.session_parts(session, self.session)
        first = self.session is None or not session.revision
        self.session = session
        lines: list[str] = []
        if parts:
            style, muted = self.palette.style("title", BOLD), self.palette.fg["muted"]
            runs: list[Run] = [(style, clean(parts[0]))]
            runs += [(muted, f" · {clean(part)}") for part in parts[1:]]
            lines += self.outer.runs(runs)
        if first and not session.scrubbed:
            lines += self.outer.text([phrases.NOT_SCRUBBED], "warning")
        return self.outer.block(lines) if lines else ""


def _painters(palette: Palette, width: int) -> tuple[Painter, Painter]:
    """Return the painters of top-level and of nested items."""
    return Painter(palette, width), Painter(palette, width, nested=True)
