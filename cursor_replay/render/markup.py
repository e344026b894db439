"""Text from a recording made inert inside a Markdown document.

Owns the escaping rules of GitHub's Markdown, HTML included. Knows no item. Every function is
total, and nothing it returns opens or closes a structure that the caller did not ask for.

GitHub looks for ``@name`` and ``#1`` only after Markdown is rendered, so a backslash or an entity
does not stop them; an empty comment between the two characters does, and is seen nowhere.
"""

import re
from html import escape as html_escape

BREAK = "<!-- -->"
"""Splits a mention, a reference or an address without a trace in the rendered text."""

_PLAIN = str.maketrans(
    {
        "\\": "\\\\",
        "`": "\\`",
        "*": "\\*",
        "_": "\\_",
        "[": "\\[",
        "]": "\\]",
        "#": "\\#",
        "|": "\\|",
        "~": "\\~",
        "$": "\\$",
        "<": "&lt;",
        ">": "&gt;",
        "&": "&amp;",
    }
)
_REFERENCE = re.compile(r"@(?=\w)|\\#(?=\d)|GH-(?=\d)|:(?=//)|www(?=\.)", re.IGNORECASE)
_HTML_REFERENCE = re.compile(r"@(?=\w)|#(?=\d)|GH-(?=\d)|:(?=//)|www(?=\.)", re.IGNORECASE)
_MARKER = re.compile(r"^([-+=:]|\d{1,9}(?=[.)]))", re.MULTILINE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_BREAK_LINE = "\\"
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z")
_TICKS = re.compile(r"`+")
_LANGUAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9+#._-]{0,29}")


def lines_of(text: str) -> str:
    """Return ``text`` with line feeds for every line end that Markdown knows."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def escape(text: str) -> str:
    """Return ``text`` as Markdown that shows exactly this text; its lines stay lines."""
    escaped = lines_of(text).translate(_PLAIN)
    escaped = _REFERENCE.sub(lambda found: found[0] + BREAK, escaped)
    escaped = _INDENT.sub(_spaces, escaped)
    return _MARKER.sub(_marker, escaped)


def _spaces(found: re.Match[str]) -> str:
    return "&nbsp;" * len(found[0].expandtabs(4))


def _marker(found: re.Match[str]) -> str:
    """Escape what would start a list or underline a heading; of a number only its dot can be."""
    return found[1] + "\\" if found[1].isdecimal() else "\\" + found[1]


def quote(text: str) -> str:
    """Return ``text`` as a block quote that shows it line by line, ending in a line feed."""
    lines = escape(text).strip("\n").split("\n")
    last = len(lines) - 1
    return "".join(
        f"> {line}{_BREAK_LINE if number < last and lines[number + 1] else ''}\n" if line else ">\n"
        for number, line in enumerate(lines)
    )


def code(text: str) -> str:
    """Return ``text`` on one line as a code span; an empty text gives an empty string."""
    line = " ".join(text.split())
    if not line:
        return ""
    ticks = "`" * (longest_run(line) + 1)
    pad = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def html_code(text: str) -> str:
    """Return ``text`` on one line as a code element, for places where Markdown is not read."""
    return f"<code>{html_text(text)}</code>"


def html_text(text: str) -> str:
    """Return ``text`` on one line with HTML's own characters escaped."""
    return html_escape(" ".join(text.split()), quote=False)


def html_prose(text: str) -> str:
    """Return ``text`` on one line as prose where Markdown is not read, with nobody mentioned."""
    return _HTML_REFERENCE.sub(lambda found: found[0] + BREAK, html_text(text))


def fence(text: str, language: str = "", indent: str = "") -> str:
    """Return ``text`` as a fenced block ending in a line feed.

    The fence is longer than any run of backticks inside; ``language`` that is not one plain word
    is left out. ``indent`` (up to three spaces) is put before each line.
    """
    ticks = "`" * max(3, longest_run(text) + 1)
    hint = language if _LANGUAGE.fullmatch(language) else ""
    body = lines_of(text).removesuffix("\n")
    if indent:
        body = body.replace("\n", "\n" + indent)
    return f"{indent}{ticks}{hint}\n{indent}{body}\n{indent}{ticks}\n"


def longest_run(text: str) -> int:
    """Return the length of the longest run of backticks."""
    if "`" not in text:
        return 0
    return max(len(run) for run in _TICKS.findall(text))


def details(summary: str, body: str, *, is_open: bool = False) -> str:
    """Return a collapsible block; ``summary`` is safe HTML on one line, ``body`` safe Markdown."""
    tag = "<details open>" if is_open else "<details>"
    return f"{tag}<summary>{summary}</summary>\n\n{body}\n</details>\n"


def moment(at: str) -> str:
    """Return a moment of ``items.Time`` to the minute, ``2026-06-02 03:20 UTC``."""
    found = _MOMENT.match(at)
    return f"{found[1]} {found[2]} UTC" if found else at
