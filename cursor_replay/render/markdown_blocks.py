"""Cutting Markdown into top-level blocks, so that only those that need a parser meet one.

A block is ``prose`` (a paragraph with nothing but code spans and bold in it), a ``fence``, or
``rich`` (everything else). Knows no colour and no width.
"""

import re
from collections.abc import Iterator
from typing import Literal

Kind = Literal["prose", "fence", "rich"]
Block = tuple[Kind, list[str]]

FENCE = re.compile(r" {0,3}(```+|~~~+)[ \t]*([^`]*)$")
LIST = re.compile(r" {0,3}(?:[-+*]|\d{1,9}[.)])(?:\s|$)")
BLOCK_SYNTAX = re.compile(
    r"^ {0,3}(?:#{1,6}(?:\s|$)|>|(?:[-+*]|\d{1,9}[.)])(?:\s|$)|=+\s*$|-+\s*$|(?:[-*_] *){3,}$)"
    r"|^ {4}|^[ |:]*-[-| :]*\|?[-| :]*$|(?: {2}|\\)$",
    re.MULTILINE,
)
REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]+\]:", re.MULTILINE)
CODE_OR_BOLD = re.compile(
    r"(?<!`)`([^`\n]+)`(?!`)|(?<![\w*])\*\*(?=[^\s*])([^*`\n]+?)(?<=[^\s*])\*\*(?![\w*])"
)
INLINE_SYNTAX = re.compile(r"[*\\`~]|(?<!\w)_|_(?!\w)|\]\(|\]\[|&#?\w+;|<\w+:|<[^\s>]+@")


def split_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of ``text`` in order; blank lines between them are left out."""
    if REFERENCE.search(text):
        # A link definition counts for the whole document, which then stays whole.
        yield "rich", text.split("\n")
        return
    group: list[str] = []
    lines = iter(text.split("\n"))
    for line in lines:
        if fence := FENCE.match(line):
            body = [line, *_until_closed(lines, fence[1])]
            if line[0] == " " and _is_list(group):
                group += body
                continue
            yield from _close(group)
            group = []
            yield "fence", body
        elif line.strip():
            if group and not group[-1] and not _goes_on(line):
                yield from _close(group)
                group = []
            group.append(line)
        elif _is_list(group):
            group.append("")
        else:
            yield from _close(group)
            group = []
    yield from _close(group)


def _until_closed(lines: Iterator[str], fence: str) -> Iterator[str]:
    for line in lines:
        yield line
        if closes(line, fence):
            return


def closes(line: str, fence: str) -> bool:
    """Whether ``line`` ends the fenced code that ``fence`` began."""
    mark = line.strip()
    return len(mark) >= len(fence) and set(mark) == {fence[0]}


def _is_list(group: list[str]) -> bool:
    return any(map(LIST.match, group))


def _goes_on(line: str) -> bool:
    """Whether a line behind a blank one still belongs to the list before it."""
    return line[0] == " " or LIST.match(line) is not None


def _close(group: list[str]) -> Iterator[Block]:
    while group and not group[-1]:
        group.pop()
    if group:
        yield ("prose" if is_prose("\n".join(group)) else "rich"), group


def is_prose(text: str) -> bool:
    """Whether a paragraph has no syntax but code spans and bold text."""
    return not BLOCK_SYNTAX.search(text) and not INLINE_SYNTAX.search(CODE_OR_BOLD.sub("x", text))
