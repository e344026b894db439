"""Laying text into lines of a terminal: padding, background, wrapping, the rail of nested items.

Builds the escape strings by hand; nothing in here prints or parses. Knows no item.
"""

from collections.abc import Iterable

from cursor_replay.render.cells import Run, clean, width_of, wrap, wrap_runs
from cursor_replay.render.themes import Palette

RAIL = "│ "


class Painter:
    """Paints lines of ``width`` cells: one column of padding on both sides."""

    def __init__(self, palette: Palette, width: int, *, nested: bool = False) -> None:
        """Make a painter; a nested one is narrower by its rail."""
        self.palette = palette
        self.rail = f"{palette.fg['dim']}{RAIL}{palette.reset}" if nested else ""
        self.width = width - len(RAIL) if nested else width
        self.inner = self.width - 2
        self.spaces = " " * self.width

    def blank(self, background: str = "") -> str:
        """Return an empty line on ``background``."""
        return f"{background}{self.spaces}{self.palette.reset}" if background else ""

    def text(self, lines: Iterable[str], token: str, background: str = "") -> list[str]:
        """Return lines in one colour, wrapped."""
        inner, reset = self.inner, self.palette.reset
        prefix = f"{background}{self.palette.fg[token]} "
        room = inner + 1 if background else 0
        painted = []
        for line in lines:
            if not line:
                painted.append(self.blank(background))
                continue
            if line.isascii() and line.isprintable() and len(line) <= inner:
                painted.append(f"{prefix}{line.ljust(room)}{reset}")
                continue
            for piece in wrap(clean(line), inner):
                pad = " " * (room - width_of(piece))
                painted.append(f"{prefix}{piece}{pad}{reset}")
        return painted

    def runs(self, runs: list[Run], background: str = "") -> list[str]:
        """Return one line of styled runs, wrapped. The runs are clean."""
        reset = self.palette.reset
        if not runs:
            return [self.blank(background)]
        painted = []
        for line in wrap_runs(runs, self.inner):
            pad = ""
            if background:
                used = width_of("".join([text for _, text in line]))
                pad = f"{reset}{background}{' ' * (self.inner + 1 - used)}"
            body = "".join([f"{reset}{background}{style}{text}" for style, text in line])
            painted.append(f"{background} {body}{pad}{reset}")
        return painted

    def block(self, lines: list[str]) -> str:
        """Join painted lines into an item's text, with the free line behind it."""
        if not self.rail:
            return "\n".join(lines) + "\n\n"
        return "".join([f"{self.rail}{line}\n" for line in lines]) + f"{self.rail}\n"
