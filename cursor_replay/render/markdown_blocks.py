"""Cutting Markdown into top-level blocks, so that only those that need a parser meet one.

A block's kind says what its first line looks like; who draws it looks closer. Knows no colour and
no width.
"""

import re
from collections.abc import Iterator
from typing import Literal

Kind = Literal["prose", "heading", "list", "table", "fence", "document"]
Block = tuple[Kind, list[str]]

FENCE = re.compile(r" {0,3}(```+|~~~+)[ \t]*([^`]*)$")
HEADING = re.compile(r" {0,3}#{1,6} +([^\s#](?:.*[^\s#])?) *$")
LIST = re.compile(r" {0,3}(?:[-+*]|\d{1,9}[.)])(?:\s|$)")
INTERRUPTS = re.compile(r" {0,3}(?:[-+*]|1[.)]) +\S")
"""A list that may stand right under a paragraph."""
BLOCK_SYNTAX = re.compile(
    r" {0,3}(?:#{1,6}(?:\s|$)|>|(?:[-+*]|\d{1,9}[.)])(?:\s|$)|=+\s*$|-+\s*$|(?:[-*_] *){3,}$)"
    r"| {4}|[ |:]*-[-| :]*\|?[-| :]*$"
)
REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]+\]:", re.MULTILINE)


def split_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of ``text`` in order; blank lines between them are left out."""
    if "]:" in text and REFERENCE.search(text):
        # A link definition counts for the whole document, which then stays whole.
        yield "document", text.split("\n")
        return
    kind: Kind = "prose"
    group: list[str] = []
    lines = iter(text.split("\n"))
    for line in lines:
        if fence := _fence(line):
            body = [line, *_until_closed(lines, fence)]
            if group and kind == "list" and line[0] == " ":
                group += body
                continue
            yield from _close(kind, group)
            yield "fence", body
            group = []
        elif not line.strip():
            if group and kind == "list":
                group.append("")
                continue
            yield from _close(kind, group)
            group = []
        elif group and not _begins(line, kind, after_blank=not group[-1]):
            group.append(line)
        else:
            yield from _close(kind, group)
            kind, group = _kind(line), [line]
    yield from _close(kind, group)


def _fence(line: str) -> str:
    """Return the mark that opens fenced code, or ``""``."""
    match = FENCE.match(line) if "```" in line or "~~~" in line else None
    return match[1] if match else ""


def _until_closed(lines: Iterator[str], fence: str) -> Iterator[str]:
    for line in lines:
        yield line
        if fence in line and closes(line, fence):
            return


def closes(line: str, fence: str) -> bool:
    """Whether ``line`` ends the fenced code that ``fence`` began."""
    mark = line.strip()
    return len(mark) >= len(fence) and set(mark) == {fence[0]}


def _begins(line: str, kind: Kind, *, after_blank: bool) -> bool:
    """Whether a line that is not blank ends the block of ``kind`` before it and begins its own."""
    if kind == "list":
        if after_blank:
            return line[0] != " " and not LIST.match(line)
        return line[0] == "#" and HEADING.match(line) is not None
    if kind == "heading":
        return True
    if line.lstrip(" ")[0] not in "#-+*1":
        return False
    return INTERRUPTS.match(line) is not None or HEADING.match(line) is not None


def _kind(line: str) -> Kind:
    if line[0] == "|":
        return "table"
    if LIST.match(line):
        return "list"
    return "heading" if HEADING.match(line) else "prose"


def _close(kind: Kind, group: list[str]) -> Iterator[Block]:
    while group and not group[-1]:
        group.pop()
    if group:
        yield kind, group


def is_paragraph(lines: list[str]) -> bool:
    """Whether no line begins another block or ends in a hard break."""
    if any(map(BLOCK_SYNTAX.match, lines)):
        return False
    return not any(line.endswith(("  ", "\\")) for line in lines)
