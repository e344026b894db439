"""Inline Markdown as spans: code, bold, italic and links, where nothing unusual is among them.

Reads a paragraph in one pass; whatever it does not know is left to a full parser. Knows no block,
no colour and no width.
"""

import re

from cursor_replay.render.themes import BOLD, ITALIC

Span = tuple[str, tuple[str, ...], str]
"""A palette token, the SGR codes on top of it, and the text it covers."""

TOKEN = re.compile(
    r"(?<!`)`(?P<code>[^`\n]+)`(?!`)"
    r"|(?<![\w*])(?P<stars>\*\*?)(?=[^\s*])(?P<marked>(?:[^*`\n]|`[^`\n]+`)+?)(?<=[^\s*])(?P=stars)"
    r"(?![\w*])"
    r"|(?<![!\]\\])\[(?P<label>[^\W_](?:[^\W_]|[ ,.:;()/-])*)(?<! )\]"
    r"\((?P<url>(?:https?://)?[A-Za-z0-9][A-Za-z0-9./?=#+,;@_-]*)\)"
    r"|(?P<odd>[*\\`~]|(?<!\w)_|_(?!\w)|\]\(|\]\[|&#?\w+;|<[\w+.-]+:|<[^\s>]+@)"
)


def spans(text: str) -> list[Span] | None:
    """Return one line of text as spans; None when a parser has to look at it."""
    found: list[Span] = []
    at = 0
    for match in TOKEN.finditer(text):
        if (inner := _span(match)) is None:
            return None
        if match.start() > at:
            found.append(("text", (), text[at : match.start()]))
        found += inner
        at = match.end()
    if at < len(text):
        found.append(("text", (), text[at:]))
    return found


def _span(match: re.Match[str]) -> list[Span] | None:
    if code := match["code"]:
        bare = code.strip()
        # One space on both sides is part of the syntax, others are part of the code.
        return [("code", (), bare)] if bare and code in {bare, f" {bare} "} else None
    if label := match["label"]:
        address = ("dim", (), match["url"])
        return [("link", (), label), ("text", (), " ("), address, ("text", (), ")")]
    if match["odd"] or (inner := spans(match["marked"])) is None:
        return None
    codes = (BOLD if match["stars"] == "**" else ITALIC,)
    return [(token, codes, text) for token, _, text in inner]
