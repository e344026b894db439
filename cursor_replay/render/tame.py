"""Answers stay Markdown, but lose what could act on a page or leave their place in it.

``tame`` keeps emphasis, lists, tables, links and code. It guarantees that every ``<`` outside a
fenced block is ours, that every fence it opens is closed, that no image is loaded, that a link
goes to http, https, mail or a relative place only, and that nobody is mentioned. Headings move
down below the headings of the document.

It reads line by line, so it never has to agree with a Markdown parser about where a construct
ends: whatever could matter if read otherwise is written in a form that is inert either way.
"""

import re
from collections.abc import Iterator
from html import unescape

from cursor_replay.render.markup import BREAK, fence, lines_of

DEEPER = 2
"""Levels by which an answer's headings move down; six is the deepest there is."""

PLACE = 200
"""Characters of a link's target that are looked at; a scheme stands at its head."""

_OPENS = re.compile(r"([ \t]*)(?:(`{3,})([^`]*)|(~{3,})(.*))")
_LANGUAGE = re.compile(r"\s*([^\s,{}]*)")
_HEADING = re.compile(r"( {0,3}(?:(?:[-*+>]|\d{1,9}[.)])[ \t]{0,4})*)(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_TOKEN = re.compile(r"\\[!-/:-@\[-`{-~]|`+")
_RISKY = re.compile(r"[<\[\]@#|&]|GH-", re.IGNORECASE)
_LIVE = re.compile(
    r"https?://[^\s<>\[\]()`!\\]+"
    r"|<"
    r"|!\["
    rf"|\][(:](?=[ \t]*(?P<place>[^\s)]{{0,{PLACE}}}))"
    r"|@(?<![^\W_]@)(?=[\w&])"
    r"|#(?<!&#)(?=[\d&])"
    r"|G[Hh]-(?=[\d&])"
    r"|g[Hh]-(?=[\d&])"
    r"|&(?:#0*64|#[Xx]0*40|commat);(?=[\w&])"
    r"|&(?:#0*35|#[Xx]0*23|num);(?=[\d&])"
)
"""What is live outside code. Each branch begins with its own character: that is what is fast."""

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_INVISIBLE = re.compile(r"[\x00-\x20\x7f-\xa0]|\\")
_WELCOME = frozenset({"http", "https", "mailto"})
_ENTITIES = {ord(one): f"&#{ord(one)};" for one in "<>&[]()@#|!*_~`\\$:."}


def tame(text: str) -> str:
    """Return Markdown that stands alone, ending in a line feed; an empty text gives none."""
    lines = lines_of(text).strip("\n").split("\n")
    return "".join(_blocks(lines)) if lines != [""] else ""


def _blocks(lines: list[str]) -> Iterator[str]:
    at, before = 0, ""
    while at < len(lines):
        line = lines[at]
        if "`" in line or "~" in line:
            opened = _OPENS.fullmatch(line)
            if opened:
                body, at = _fenced(lines, at + 1, opened)
                yield body
                before = ""
                continue
        yield from _line(line, before)
        at, before = at + 1, line


def _fenced(lines: list[str], start: int, opened: re.Match[str]) -> tuple[str, int]:
    """Return the block that opens before ``start`` and the index of the line behind it.

    A block that never ends is closed with the answer. It is written with our own fence, indented
    by up to three columns: deeper ones could be read as something else.
    """
    margin, mark = opened[1], opened[2] or opened[4]
    language = _LANGUAGE.match(opened[3] or opened[5] or "")
    closes = re.compile(rf"[ \t]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")
    end = start
    while end < len(lines) and not closes.fullmatch(lines[end]):
        end += 1
    width = len(margin.expandtabs(4))
    body = "\n".join([_dedent(line, width) for line in lines[start:end]])
    word = language[1] if language else ""
    return fence(body, word, " " * min(width, 3)), end + 1


def _dedent(line: str, width: int) -> str:
    if not width:
        return line
    rest = line.expandtabs(4) if line[:1] == "\t" else line
    return rest[min(width, len(rest) - len(rest.lstrip(" "))) :]


def _line(line: str, before: str) -> Iterator[str]:
    underline = _UNDERLINE.fullmatch(line)
    if underline and before.strip():
        # Under a paragraph this would make a heading: "=" is shown, "---" stays a rule.
        yield "\\" + line.lstrip() + "\n" if underline[1][0] == "=" else f"\n{line}\n"
        return
    heading = _HEADING.match(line) if "#" in line else None
    if heading:
        marks = "#" * min(6, len(heading[2]) + DEEPER)
        yield heading[1] + marks + _inline(line[heading.end() :]) + "\n"
        return
    yield _inline(line) + "\n"


def _inline(line: str) -> str:
    """Tame one line: code spans are kept, and written inert when they hold anything special."""
    if "`" not in line:
        return _text(line)
    tamed = "".join(_spans(line))
    if _OPENS.fullmatch(tamed):  # a span that was rewritten had kept this from being a fence
        return tamed.replace("`", "\\`", 1)
    return tamed


def _spans(line: str) -> Iterator[str]:
    runs = [(found.start(), found[0]) for found in _TOKEN.finditer(line)]
    done = 0
    closers = _closers(line)
    for start, token in runs:
        if start < done or token[0] != "`":
            continue
        end = closers.get((start, len(token)))
        if end is None:
            continue
        yield _text(line[done:start])
        yield _span(line[start + len(token) : end], token)
        done = end + len(token)
    yield _text(line[done:])


def _closers(line: str) -> dict[tuple[int, int], int]:
    """Map a run of backticks (start, length) to the next one as long; linear in the line."""
    following: dict[int, int] = {}
    closers: dict[tuple[int, int], int] = {}
    for found in reversed(list(re.finditer("`+", line))):
        length = len(found[0])
        for start, size in ((found.start(), length), (found.start() + 1, length - 1)):
            if size in following:
                closers[start, size] = following[size]
        following[length] = found.start()
    return closers


def _span(inside: str, ticks: str) -> str:
    if not _RISKY.search(inside):
        return ticks + inside + ticks
    return f"<code>{inside.strip(' ').translate(_ENTITIES)}</code>"


def _text(text: str) -> str:
    return _LIVE.sub(_defuse, text)


def _defuse(found: re.Match[str]) -> str:
    match found[0][0]:
        case "h":
            return found[0]
        case "<":
            return "&lt;"
        case "!":
            # A mark in front would make an image of what is left, or of what it escapes.
            before = found.string[found.start() - 1 : found.start()]
            return "! [" if before in {"!", "\\"} else "["
        case "]":
            return found[0] if _is_welcome(found["place"]) else "]\\" + found[0][1]
        case _:
            return found[0] + BREAK


def _is_welcome(place: str) -> bool:
    """Say whether a link may go to ``place``, read as a browser would: entities, tabs and all.

    An empty place means that the target stands on the next line, where nobody has looked yet.
    """
    if "&" in place or "\\" in place:
        if len(place) == PLACE:
            return False
        place = _INVISIBLE.sub("", unescape(place))
    scheme = _SCHEME.match(place)
    return bool(place) and (scheme is None or scheme[1].lower() in _WELCOME)
