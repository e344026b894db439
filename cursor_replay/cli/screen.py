"""What the terminal can do: colours, width, height, a pager. Looks only, writes nothing."""

import os
import shlex
import shutil
import sys
from typing import Literal, TextIO

Color = Literal["auto", "always", "never"]
Depth = Literal["truecolor", "256", "16", "none"]

DEFAULT_WIDTH = 100
"""Columns where no terminal says otherwise: a pipe or a file."""

_DEPTHS: dict[str | None, Depth] = {"truecolor": "truecolor", "256": "256"}


def depth(color: Color, stream: TextIO) -> Depth:
    """Return the colours to draw with on ``stream``.

    ``auto`` honours NO_COLOR, FORCE_COLOR and a terminal that is dumb; ``always`` and ``never``
    were asked for by name and win over all three. How many colours there are is the terminal's
    word (COLORTERM, TERM), as rich reads it.
    """
    if color == "never":
        return "none"
    from rich.console import Console

    console = Console(file=stream, force_terminal=True if color == "always" else None)
    if color == "auto" and (console.no_color or console.color_system is None):
        return "none"
    return _DEPTHS.get(console.color_system, "16")


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether someone looks at ``stream``; a stream that was closed at the start is None."""
    return stream is not None and stream.isatty()


def wants_cards(color: Color, stream: TextIO | None) -> bool:
    """Say whether ``stream`` shows drawn cards: it is a terminal, or colours were asked for."""
    return is_terminal(stream) or color == "always" or bool(os.environ.get("FORCE_COLOR"))


def columns(stream: TextIO | None) -> int:
    """Return the width of ``stream`` (None: a file): the terminal's or COLUMNS, else 100."""
    if is_terminal(stream):
        return shutil.get_terminal_size().columns
    asked = os.environ.get("COLUMNS", "")
    return int(asked) if asked.isdecimal() and int(asked) else DEFAULT_WIDTH


def rows() -> int:
    """Return the number of lines the terminal shows."""
    return shutil.get_terminal_size().lines


def can_page(*, asked: bool = False) -> bool:
    """Say whether a pager can be talked to: a terminal at both ends and a program to start.

    ``asked`` for by name, it may take its keys from the terminal while input comes from a pipe.
    """
    if not is_terminal(sys.stdout) or os.environ.get("TERM") == "dumb":
        return False
    if not (asked or is_terminal(sys.stdin)):
        return False
    command = shlex.split(os.environ.get("PAGER", "")) or ["less"]
    return shutil.which(command[0]) is not None
