"""Markdown through rich: the full parser, for whatever the short ways do not know.

rich's styles only name tokens of our palette, so both ways look alike. HTML is shown as text,
never dropped. Knows nothing of cards.
"""

import io
from typing import Any, ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement, TableElement
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from cursor_replay.render.cells import Run
from cursor_replay.render.markdown_code import fence_lines
from cursor_replay.render.themes import BOLD, ITALIC, STRIKE, Palette

TOKENS = {
    "block_quote": "muted",
    "code": "code",
    "em": "text",
    "hr": "dim",
    "item": "text",
    "item.bullet": "border",
    "item.number": "border",
    "link": "link",
    "link_url": "dim",
    "list": "text",
    "paragraph": "text",
    "s": "text",
    "strong": "text",
    "table.border": "dim",
    "table.header": "heading",
    "text": "text",
    **{f"h{level}": "heading" for level in range(1, 8)},
}
"""rich's Markdown style names to palette tokens."""


def _style(name: str) -> Style:
    attributes = {"italic": name == "em", "bold": name == "strong", "strike": name == "s"}
    on = {key: True for key, wanted in attributes.items() if wanted}
    return Style(meta={"token": TOKENS[name]}, **on)  # type: ignore[arg-type]


THEME = Theme({f"markdown.{name}": _style(name) for name in TOKENS})


class RichMarkdown:
    """Draws Markdown by rich; keeps one console and what it learnt of styles."""

    def __init__(self, palette: Palette) -> None:
        """Make a drawer for ``palette``."""
        self.palette = palette
        self.console = Console(
            file=io.StringIO(), width=80, color_system=None, theme=THEME, legacy_windows=False
        )
        self.styles: dict[Style | None, str] = {None: palette.fg["text"]}

    def lines(self, text: str, width: int) -> list[list[Run]]:
        """Return ``text`` as lines of styled runs; rich needs a ``width`` of 24 at least."""
        options = self.console.options.update(width=width)
        lines = [self._runs(line) for line in self.console.render_lines(_Document(text), options)]
        while lines and not lines[-1]:
            lines.pop()
        start = next((index for index, line in enumerate(lines) if line), 0)
        return lines[start:]

    def _runs(self, segments: list[Segment]) -> list[Run]:
        runs: list[Run] = []
        for text, style, _ in segments:
            sgr = self._sgr(style)
            before = runs.pop()[1] if runs and runs[-1][0] == sgr else ""
            runs.append((sgr, before + text))
        while runs and not runs[-1][1].strip():
            runs.pop()
        if runs:
            runs[-1] = (runs[-1][0], runs[-1][1].rstrip())
        return runs

    def _sgr(self, style: Style | None) -> str:
        if style not in self.styles:
            found = style or Style()
            marks = ((found.bold, BOLD), (found.italic, ITALIC), (found.strike, STRIKE))
            codes = [code for wanted, code in marks if wanted]
            self.styles[style] = self.palette.style(found.meta.get("token", "text"), *codes)
        return self.styles[style]


# -- rich's elements, where they would lose text or look unlike ours -------------------------


class _Code(CodeBlock):
    @classmethod
    def create(cls, markdown: Markdown, token: Any) -> "_Code":
        return cls(token.info, markdown.code_theme)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = Text(no_wrap=True, overflow="ignore")
        for number, line in enumerate(fence_lines(str(self.text).rstrip(), self.lexer_name)):
            text.append("\n" if number else "")
            for token, part in line:
                text.append(part, Style(meta={"token": token}))
        yield text


class _Heading(Heading):
    LEVEL_ALIGN: ClassVar[dict[str, Any]] = {}


class _Table(TableElement):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                for column in table.columns:
                    column.overflow = "fold"
            yield table


class _Document(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "fence": _Code,
        "code_block": _Code,
        "heading_open": _Heading,
        "table_open": _Table,
    }

    def __init__(self, text: str) -> None:
        super().__init__(text, hyperlinks=False)
        for token in self.parsed:
            if token.type == "html_block":
                token.type, token.info = "fence", "html"
            for child in token.children or ():
                if child.type == "html_inline":
                    child.type = "text"
                elif child.type == "image":
                    child.type, child.tag = "text", ""
                    child.content = f"[image: {child.content}] ({child.attrs.get('src', '')})"
                    child.children = None
