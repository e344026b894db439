"""Painting one card: its head, then its blocks, on the background of its state.

Knows the blocks of a view and nothing else of a card.
"""

from typing import assert_never

from cursor_replay.items import Card
from cursor_replay.render.blocks import Block, CodeBlock, DiffBlock, ImageBlock, TextBlock, View
from cursor_replay.render.cells import Run, clean
from cursor_replay.render.comparison import word_marks
from cursor_replay.render.diffs import (
    GAP,
    DiffLine,
    cut_diff,
    gutter,
    number_width,
    stretches,
)
from cursor_replay.render.highlight import highlight
from cursor_replay.render.limits import Fold, cut_lines, hint
from cursor_replay.render.paint import Painter
from cursor_replay.render.themes import REVERSE, Palette
from cursor_replay.render.views import view

MARK_TOKENS = {"✓": "success", "✗": "error", "!": "warning", "…": "muted", "○": "muted"}
MARK_WIDTH = 2
"""Columns of a mark and its space: what is wrapped of a head goes on under its text."""


class CardPainter:
    """Paints cards in one palette, collapsed or expanded."""

    def __init__(self, palette: Palette, *, expand: bool) -> None:
        """Make a painter of cards."""
        self.palette = palette
        self.expand = expand

    def card(self, card: Card, painter: Painter) -> list[str]:
        """Return the painted lines of a card."""
        drawn = view(card)
        background = self.palette.bg[f"{drawn.state}Bg"]
        blank = painter.blank(background)
        lines = self._head(drawn, painter, background)
        for block in drawn.blocks:
            if body := self._block(block, painter.body, background):
                lines.append(blank)
                lines += body
        return [blank, *lines, blank] if background else lines

    def _head(self, drawn: View, painter: Painter, background: str) -> list[str]:
        fg = self.palette.fg
        mark_style = fg[MARK_TOKENS[drawn.mark]]
        rows: list[list[Run]] = [[(mark_style, f"{drawn.mark} ")]]
        for span in drawn.head:
            style = fg[span.role]
            first, *more = span.text.split("\n")
            rows[-1].append((style, clean(first)))
            rows += [[(fg["muted"], "  "), (style, clean(line))] for line in more]
        *above, last = rows
        words = f" · {drawn.executed}" if drawn.executed else ""
        words += f" · {drawn.word}" if drawn.word else ""
        end = (mark_style, words) if words else None
        lines = [line for row in above for line in painter.runs(row, background, MARK_WIDTH)]
        return lines + painter.runs(last, background, MARK_WIDTH, end)

    def _block(self, block: Block, painter: Painter, background: str) -> list[str]:
        match block:
            case TextBlock():
                return self._text(block, painter, background)
            case CodeBlock():
                return self._code(block, painter, background)
            case DiffBlock():
                return self._diff(block, painter, background)
            case ImageBlock():
                kind = f" ({block.mime})" if block.mime else ""
                return painter.text([f"[image: {block.path}{kind}]"], "accent", background)
            case _:
                assert_never(block)

    def _text(self, block: TextBlock, painter: Painter, background: str) -> list[str]:
        cut = cut_lines(block.text, block.fold, expand=self.expand)
        lines = painter.text(cut.lines, block.role, background)
        note = "" if self.expand else hint(cut, block.fold)
        return self._with_hint(lines, note, block.fold, painter, background)

    def _code(self, block: CodeBlock, painter: Painter, background: str) -> list[str]:
        cut = cut_lines(block.text, block.fold, expand=self.expand)
        lines = []
        if cut.lines:
            text = "\n".join([clean(line) for line in cut.lines])
            for tokens in highlight(text, block.path):
                runs = [(self.palette.fg[role], part) for role, part in tokens]
                lines += painter.runs(runs, background)
        note = "" if self.expand else hint(cut, block.fold)
        return self._with_hint(lines, note, block.fold, painter, background)

    def _with_hint(
        self, lines: list[str], note: str, fold: Fold | None, painter: Painter, background: str
    ) -> list[str]:
        if not note:
            return lines
        row = painter.text([note], "muted", background)
        return [*row, *lines] if fold is not None and fold.keep == "tail" else [*lines, *row]

    def _diff(self, block: DiffBlock, painter: Painter, background: str) -> list[str]:
        shown, note = cut_diff(block.lines, block.fold, expand=self.expand)
        width = number_width(shown)
        hang = len(gutter(GAP, width))
        lines: list[str] = []
        for stretch in stretches(shown):
            kind = stretch[0].kind
            if stretch[-1].kind != kind:
                for runs in self._pair(stretch, width):
                    lines += painter.runs(runs, background, hang)
            else:
                texts = [gutter(line, width) + line.text for line in stretch]
                lines += painter.text(texts, kind, background, hang)
        return self._with_hint(lines, note, block.fold, painter, background)

    def _pair(self, change: list[DiffLine], width: int) -> list[list[Run]]:
        """Return a changed line's two rows with the words that differ in reverse video."""
        old, new = [clean(line.text) for line in change]
        marks = word_marks(old, new) or ([(old, False)], [(new, False)])
        rows = []
        for line, words in zip(change, marks, strict=True):
            plain, marked = self.palette.fg[line.kind], self.palette.style(line.kind, REVERSE)
            row: list[Run] = [(plain, gutter(line, width))]
            row += [(marked if differs else plain, text) for text, differs in words]
            rows.append(row)
        return rows
