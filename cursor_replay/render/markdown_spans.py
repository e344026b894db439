"""Inline Markdown as spans: code, bold, italic and links, where nothing unusual is among them.

Reads a paragraph in one pass; whatever it does not know is left to a full parser. Knows no block,
no colour and no width.
"""

import re

from cursor_replay.render.themes import BOLD, ITALIC

Span = tuple[str, tuple[str, ...], str]
"""A palette token, the SGR codes on top of it, and the text it covers."""

TOKEN = re.compile(
    r"""[`*\[\\~_\]&<] (?:
      (?<=`) (?<!``) (?P<code> [^`\n]+ ) ` (?!`)
    | (?<=\*) (?<![\w*]\*) (?P<star> \*? ) (?=[^\s*])
      (?P<marked> (?: [^*`\n] | `[^`\n]+` )+? ) (?<=[^\s*]) \* (?P=star) (?![\w*])
    | (?<=\[) (?<![!\]\\]\[) (?P<label> [^\W_] (?: [^\W_] | [ ,.:;()/-] )* ) (?<![ ]) \]
      \( (?P<url> (?: https?:// )? [A-Za-z0-9] [A-Za-z0-9./?=#+,;@_-]* ) \)
    | (?P<odd> (?<=[*\\`~]) | (?<=_) (?: (?<!\w_) | (?!\w) ) | (?<=\]) [(\[]
      | (?<=&) \#? \w+ ; | (?<=<) (?: [\w+.-]+: | [^\s>]+@ ) )
    )""",
    re.VERBOSE,
)
"""Begins with the characters that can mean something, so that all others are skipped quickly."""


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
    if match["odd"] is not None or (inner := spans(match["marked"])) is None:
        return None
    codes = (BOLD if match["star"] else ITALIC,)
    return [(token, codes, text) for token, _, text in inner]
