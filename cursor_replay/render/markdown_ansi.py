"""Markdown answers as styled lines for a terminal.

What answers are made of (paragraphs, headings, lists, small tables, fenced code) is drawn by own
code; whatever is unusual goes through rich and looks the same. Knows nothing of cards.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from cursor_replay.render.cells import Run, clean, wrap_runs
from cursor_replay.render.markdown_blocks import HEADING, Kind, is_paragraph, split_blocks
from cursor_replay.render.markdown_code import fenced
from cursor_replay.render.markdown_lists import list_lines, read_list
from cursor_replay.render.markdown_spans import spans
from cursor_replay.render.markdown_tables import read_table, table_lines
from cursor_replay.render.themes import Palette

if TYPE_CHECKING:
    from cursor_replay.render.markdown_rich import RichMarkdown

PARSER_CHARS = 50_000
"""Longest block that is parsed as Markdown; a longer one is shown as plain text."""
MIN_WIDTH = 24
"""Nothing is laid out narrower than this; its lines are wrapped again where that is needed."""

Lines = Iterable[list[Run]]


class MarkdownAnsi:
    """Draws Markdown in one palette."""

    def __init__(self, palette: Palette) -> None:
        """Make a drawer for ``palette``."""
        self.palette = palette

    @cached_property
    def rich(self) -> "RichMarkdown":
        """The full parser; few answers need it, and loading it takes 50 ms."""
        from cursor_replay.render.markdown_rich import RichMarkdown  # noqa: PLC0415

        return RichMarkdown(self.palette)

    def lines(self, text: str, width: int) -> list[list[Run]]:
        """Return ``text`` as lines of styled runs, each at most ``width`` cells wide."""
        text = "\n".join([clean(line) for line in text.expandtabs(4).split("\n")])
        found: list[list[Run]] = []
        for kind, block in split_blocks(text):
            if found:
                found.append([])
            found += self._draw(kind, block, max(width, MIN_WIDTH))
        if width < MIN_WIDTH:
            return [piece for line in found for piece in wrap_runs(line, width)]
        return found

    def _draw(self, kind: Kind, block: list[str], width: int) -> Lines:
        if kind == "fence":
            return self._fence(block, width)
        if sum(map(len, block)) > PARSER_CHARS:
            text = self.palette.fg["text"]
            return [piece for line in block for piece in wrap_runs([(text, line)], width)]
        drawn = self._short(kind, block, width)
        return self.rich.lines("\n".join(block), width) if drawn is None else drawn

    def _short(self, kind: Kind, block: list[str], width: int) -> Lines | None:
        """Draw a block by its short way; None when it is more than that knows."""
        if kind == "prose":
            return self._prose(block, width)
        if kind == "heading":
            return self._heading(block[0], width)
        if kind == "list":
            items = read_list(block)
            return list_lines(items, self.palette, width) if items else None
        if kind == "table":
            table = read_table(block)
            return table_lines(table, self.palette) if table and table.width <= width else None
        return None

    def _prose(self, block: list[str], width: int) -> Lines | None:
        if not is_paragraph(block):
            return None
        found = spans(" ".join([line.strip() for line in block]))
        if not found:
            return None
        runs = [(self.palette.style(token, *codes), text) for token, codes, text in found]
        return wrap_runs(runs, width)

    def _heading(self, line: str, width: int) -> Lines | None:
        match = HEADING.fullmatch(line)
        found = spans(match[1]) if match else None
        if not found:
            return None
        return wrap_runs([(self._heading_style(*span[:2]), span[2]) for span in found], width)

    def _heading_style(self, token: str, codes: tuple[str, ...]) -> str:
        own = token == "text" and not codes  # noqa: S105 (a colour's name)
        return self.palette.style("heading" if own else token, *codes)

    def _fence(self, block: list[str], width: int) -> Lines:
        fg = self.palette.fg
        for line in fenced(block):
            yield from wrap_runs([(fg[token], part) for token, part in line], width)
