"""Markdown answers as styled lines for a terminal.

Plain paragraphs and fenced code are drawn by own code; lists, headings, tables and whatever else
has block syntax go through rich, whose styles only name tokens of the same palette, so both look
alike. HTML is shown as text, never dropped. Knows nothing of cards.
"""

import io
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement, TableElement
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from cursor_replay.render.cells import Run, clean, wrap_runs
from cursor_replay.render.highlight import highlight
from cursor_replay.render.markdown_blocks import CODE_OR_BOLD, FENCE, Kind, closes, split_blocks
from cursor_replay.render.themes import BOLD, ITALIC, STRIKE, Palette

RICH_CHARS = 50_000
"""Longest block that is parsed as Markdown; a longer one is shown as plain text."""
RICH_MIN_WIDTH = 24
"""rich lays nothing out narrower than this; its lines are wrapped again where that is needed."""

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


class MarkdownAnsi:
    """Draws Markdown in one palette; keeps one rich console and what it learnt of styles."""

    def __init__(self, palette: Palette) -> None:
        """Make a drawer for ``palette``."""
        self.palette = palette
        self.console = Console(
            file=io.StringIO(), width=80, color_system=None, theme=THEME, legacy_windows=False
        )
        self.styles: dict[Style | None, str] = {None: palette.fg["text"]}

    def lines(self, text: str, width: int) -> list[list[Run]]:
        """Return ``text`` as lines of styled runs, each at most ``width`` cells wide."""
        text = "\n".join([clean(line) for line in text.expandtabs(4).split("\n")])
        found: list[list[Run]] = []
        for kind, block in split_blocks(text):
            if found:
                found.append([])
            for line in self._draw(kind, block, width):
                found += wrap_runs(line, width)
        return found

    def _draw(self, kind: Kind, block: list[str], width: int) -> Iterable[list[Run]]:
        if kind == "prose":
            return [self._prose(" ".join([line.strip() for line in block]))]
        if kind == "fence":
            return self._fence(block)
        if sum(map(len, block)) > RICH_CHARS:
            return [[(self.palette.fg["text"], line)] for line in block]
        return self._rich("\n".join(block), width)

    def _prose(self, text: str) -> list[Run]:
        plain = self.palette.fg["text"]
        runs: list[Run] = []
        at = 0
        for match in CODE_OR_BOLD.finditer(text):
            code, bold = match.groups()
            runs.append((plain, text[at : match.start()]))
            if code:
                runs.append((self.palette.fg["code"], code_text(code)))
            else:
                runs.append((self.palette.style("text", BOLD), bold))
            at = match.end()
        runs.append((plain, text[at:]))
        return [run for run in runs if run[1]]

    def _fence(self, block: list[str]) -> Iterator[list[Run]]:
        opening = FENCE.match(block[0])
        mark, info = opening.groups() if opening else ("```", "")
        end = -1 if len(block) > 1 and closes(block[-1], mark) else None
        for line in fence_lines("\n".join(block[1:end]), info):
            yield [(self.palette.fg[token], part) for token, part in line]

    def _rich(self, text: str, width: int) -> list[list[Run]]:
        options = self.console.options.update(width=max(width, RICH_MIN_WIDTH))
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


def code_text(code: str) -> str:
    """Return what a code span shows: one space on both sides is part of the syntax."""
    padded = code[0] == code[-1] == " " and code.strip()
    return code[1:-1] if padded else code


def fence_lines(code: str, info: str) -> Iterator[list[tuple[str, str]]]:
    """Yield fenced code as (token, text) lines: its fences muted, the code indented by two."""
    info = info.strip()
    yield [("muted", f"```{info}")]
    for line in highlight(code, info.split(" ")[0]) if code else []:
        yield [("plain", "  "), *line] if any(text for _, text in line) else []
    yield [("muted", "```")]


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
