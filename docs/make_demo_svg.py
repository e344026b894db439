"""Draw the picture of the README: what the terminal renderer makes of a recording, as an SVG.

Usage: ``make_demo_svg.py RECORDING SVG``.
"""

import io
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from cursor_replay.ingest.source import open_source
from cursor_replay.pipeline import replay
from cursor_replay.render.terminal import TerminalRenderer

WIDTH = 100
FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts that rich would load from elsewhere: the reader's own monospace font will do."""

DARK = TerminalTheme(
    (24, 24, 27),
    (222, 224, 225),
    [
        *((0, 0, 0), (234, 127, 129), (104, 183, 141), (205, 154, 34)),
        *((105, 173, 208), (167, 152, 215), (95, 168, 204), (222, 224, 225)),
    ],
)


def draw(recording: str) -> str:
    """Render ``recording`` and return what a terminal would show as an SVG."""
    renderer = TerminalRenderer(width=WIDTH, theme="dark", depth="truecolor")
    items = replay(open_source(recording), incomplete="C")
    shown = "".join(renderer.render(sealed) for sealed in items)
    console = Console(
        file=io.StringIO(),
        width=WIDTH,
        record=True,
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
    )
    console.print(Text.from_ansi(shown.rstrip("\n")), soft_wrap=True)
    svg = console.export_svg(
        title=f"cursor-replay render {Path(recording).name}", theme=DARK, unique_id="demo"
    )
    return FONT_FACE.sub("", svg)


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(draw(sys.argv[1]), encoding="utf-8")
