"""Laying text into lines of a terminal: padding, background, wrapping, the rail of nested items.

Builds the escape strings by hand; nothing in here prints or parses. Knows no item.
"""

from collections.abc import Iterable

from cursor_replay.render.cells import Run, clean, runs_width, width_of, wrap, wrap_end, wrap_runs
from cursor_replay.render.themes import Palette

RAIL = "│ "
BODY_INDENT = 2
"""Columns that set a card's body off where no background does."""


class Painter:
    """Paints lines of ``width`` cells: one column of padding on both sides."""

    def __init__(
        self, palette: Palette, width: int, *, nested: bool = False, indent: int = 0
    ) -> None:
        """Make a painter; a nested one is narrower by its rail. ``body`` paints card bodies."""
        self.palette = palette
        self.rail = f"{palette.fg['dim']}{RAIL}{palette.reset}" if nested else ""
        self.width = width - len(RAIL) if nested else width
        self.inner = self.width - 2 - indent
        self.spaces = " " * self.width
        self.edge = " " * (1 + indent)
        plain = not palette.reset and not indent
        self.body = Painter(palette, width, nested=nested, indent=BODY_INDENT) if plain else self

    def blank(self, background: str = "") -> str:
        """Return an empty line on ``background``."""
        return f"{background}{self.spaces}{self.palette.reset}" if background else ""

    def text(
        self, lines: Iterable[str], token: str, background: str = "", hang: int = 0
    ) -> list[str]:
        """Return lines in one colour, wrapped; what is wrapped goes on ``hang`` columns in."""
        inner, reset = self.inner, self.palette.reset
        prefix = f"{background}{self.palette.fg[token]}{self.edge}"
        room = inner + 1 if background else 0
        painted = []
        for line in lines:
            if not line:
                painted.append(self.blank(background))
                continue
            if line.isascii() and line.isprintable() and len(line) <= inner:
                painted.append(f"{prefix}{line.ljust(room)}{reset}")
                continue
            for piece in wrap(clean(line), inner, hang):
                pad = " " * (room - width_of(piece))
                painted.append(f"{prefix}{piece}{pad}{reset}")
        return painted

    def runs(
        self, runs: list[Run], background: str = "", hang: int = 0, end: Run | None = None
    ) -> list[str]:
        """Return one line of styled runs, wrapped; ``end`` stays whole. The runs are clean."""
        lines = wrap_runs(runs, self.inner, hang)
        if end is not None:
            lines = wrap_end(lines, end, self.inner, hang)
        return [self._row(line, runs_width(line), background) for line in lines]

    def fitting(self, lines: Iterable[list[Run]]) -> list[str]:
        """Return lines of styled runs, without background, that are no wider than ``inner``."""
        return [self._row(runs, 0, "") for runs in lines]

    def _row(self, runs: list[Run], used: int, background: str) -> str:
        if not runs:
            return self.blank(background)
        reset = self.palette.reset
        edge = f"{reset}{background}"
        body = edge.join([style + text for style, text in runs])
        if not background:
            return f"{self.edge}{body}{reset}"
        return f"{background}{self.edge}{body}{edge}{self.spaces[used + len(self.edge) :]}{reset}"

    def block(self, lines: list[str]) -> str:
        """Join painted lines into an item's text, with the free line behind it."""
        if not self.rail:
            return "\n".join(lines) + "\n\n"
        return "".join([f"{self.rail}{line}\n" for line in lines]) + "\n"
