"""Colours: pi's theme tokens, dark and light, as ready SGR strings for one colour depth.

The values are those pi 1.6.0 resolves. Where a terminal has 16 colours, a background brings the
one foreground that is readable on it; where it has none, mark and word tell the state.
"""

from dataclasses import dataclass, replace
from typing import Literal

from rich.color import Color, ColorSystem

Theme = Literal["dark", "light"]
Depth = Literal["truecolor", "256", "16", "none"]

RESET = "\x1b[0m"
BOLD, ITALIC, REVERSE, STRIKE = "1", "3", "7", "9"

TOKENS: dict[str, tuple[str, str]] = {
    "pendingBg": ("#34383a", "#e4e5e6"),
    "successBg": ("#254131", "#dee9e1"),
    "errorBg": ("#5b282a", "#eee2e1"),
    "userBg": ("#213b49", "#dfe7ec"),
    "title": ("#dee0e1", "#3b3f41"),
    "command": ("#dee0e1", "#3b3f41"),
    "text": ("#dee0e1", "#3b3f41"),
    "output": ("#9da5a9", "#677176"),
    "muted": ("#9da5a9", "#677176"),
    "dim": ("#7e888e", "#879095"),
    "accent": ("#a798d7", "#7459b4"),
    "warning": ("#cd9a22", "#8f6802"),
    "error": ("#ea7f81", "#c8253d"),
    "success": ("#68b78d", "#337e58"),
    "added": ("#68b78d", "#337e58"),
    "removed": ("#ea7f81", "#c8253d"),
    "context": ("#9da5a9", "#677176"),
    "gap": ("#9da5a9", "#677176"),
    "thinking": ("#96a0a4", "#7c868c"),
    "thinkingTitle": ("#96a0a4", "#7c868c"),
    "thinkingGone": ("#7e888e", "#879095"),
    "border": ("#5fa8cc", "#3d8eb3"),
    "heading": ("#cd9a22", "#8f6802"),
    "link": ("#69add0", "#2f7899"),
    "code": ("#a798d7", "#7459b4"),
    "keyword": ("#69add0", "#2f7899"),
    "string": ("#de8d5a", "#a45417"),
    "function": ("#cd9a22", "#8f6802"),
    "comment": ("#9da5a9", "#677176"),
    "number": ("#de8d5a", "#a45417"),
    "plain": ("#dee0e1", "#3b3f41"),
}
"""Token to its dark and its light value."""

STYLES: dict[str, str] = {
    "title": BOLD,
    "command": BOLD,
    "thinking": ITALIC,
    "thinkingTitle": f"{BOLD};{ITALIC}",
    "thinkingGone": ITALIC,
    "heading": BOLD,
}

ANSI_16: dict[str, str] = {
    "output": "",
    "title": "",
    "command": "",
    "text": "",
    "plain": "",
    "context": "",
    "gap": "",
    "muted": "",
    "dim": "",
    "thinking": "",
    "thinkingTitle": "",
    "thinkingGone": "",
    "comment": "",
    "accent": "35",
    "warning": "33",
    "error": "31",
    "success": "32",
    "added": "32",
    "removed": "31",
    "border": "36",
    "heading": "33",
    "link": "36",
    "code": "35",
    "keyword": "36",
    "string": "33",
    "function": "34",
    "number": "33",
}
"""With 16 colours the terminal's own palette decides; greys stay its default foreground."""

BACKGROUNDS_16: dict[str, str] = {
    "pendingBg": "97;100",
    "successBg": "30;42",
    "errorBg": "97;41",
    "userBg": "97;44",
}
"""Bright white on bright black, red and blue; black on green."""


BACKGROUNDS_256: dict[str, tuple[str, str]] = {
    "pendingBg": ("237", "254"),
    "successBg": ("22", "194"),
    "errorBg": ("52", "224"),
    "userBg": ("24", "189"),
}
"""Dark and light; the nearest colours would make a prompt and a success look the same."""


@dataclass(frozen=True, slots=True)
class Palette:
    """SGR strings by token: ``fg`` sets a foreground, ``bg`` a background; both may be empty."""

    theme: Theme
    depth: Depth
    fg: dict[str, str]
    bg: dict[str, str]
    reset: str

    def style(self, token: str, *codes: str) -> str:
        """Return the token's foreground with more SGR codes (``BOLD``, …) in it."""
        if self.depth == "none":
            return ""
        return self.fg[token] + "".join([f"\x1b[{code}m" for code in codes])

    def on_background(self) -> "Palette":
        """Return the palette for text on a background; of 16 colours few are readable there.

        An added line is bold there: the signs of a diff stay easy to tell apart.
        """
        if self.depth != "16":
            return self
        return replace(self, fg=dict.fromkeys(self.fg, "") | {"added": f"\x1b[{BOLD}m"})


def palette(theme: Theme = "dark", depth: Depth = "truecolor") -> Palette:
    """Build the palette of ``theme`` for ``depth``."""
    column = 0 if theme == "dark" else 1
    fg: dict[str, str] = {}
    bg: dict[str, str] = {}
    for token, values in TOKENS.items():
        color = values[column]
        if token.endswith("Bg"):
            bg[token] = _background(token, column, depth)
        else:
            fg[token] = _foreground(token, color, depth)
    return Palette(theme, depth, fg, bg, RESET if depth != "none" else "")


def _background(token: str, column: int, depth: Depth) -> str:
    if depth == "none":
        return ""
    codes = {
        "truecolor": _code(TOKENS[token][column], depth, foreground=False),
        "256": f"48;5;{BACKGROUNDS_256[token][column]}",
        "16": BACKGROUNDS_16[token],
    }
    return f"\x1b[{codes[depth]}m"


def _foreground(token: str, color: str, depth: Depth) -> str:
    if depth == "none":
        return ""
    code = _code(color, depth, foreground=True) if _is_deep(depth) else ANSI_16[token]
    codes = ";".join([part for part in (STYLES.get(token, ""), code) if part])
    return f"\x1b[{codes}m" if codes else ""


def _is_deep(depth: Depth) -> bool:
    return depth in {"truecolor", "256"}


def _code(color: str, depth: Depth, *, foreground: bool) -> str:
    parsed = Color.parse(color)
    if depth == "256":
        parsed = parsed.downgrade(ColorSystem.EIGHT_BIT)
    return ";".join(parsed.get_ansi_codes(foreground=foreground))
