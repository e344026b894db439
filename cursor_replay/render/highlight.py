"""Syntax colours: the only place that knows pygments.

Takes what is shown, already cut, and gives tokens in our own roles. Knows no colour values.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePath
from typing import Literal

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name, find_lexer_class_for_filename
from pygments.token import Token, _TokenType, is_token_subtype
from pygments.util import ClassNotFound

from cursor_replay.render.limits import HIGHLIGHT_CHARS

TokenRole = Literal["keyword", "string", "function", "comment", "number", "plain"]
WHOLE_NAMES = frozenset({"", ".txt", ".lock"})
Line = list[tuple[TokenRole, str]]

ROLES: tuple[tuple[_TokenType, TokenRole], ...] = (
    (Token.Keyword.Constant, "number"),
    (Token.Keyword, "keyword"),
    (Token.Operator.Word, "keyword"),
    (Token.Name.Tag, "keyword"),
    (Token.Literal.Number, "number"),
    (Token.Literal.String, "string"),
    (Token.Name.Function, "function"),
    (Token.Name.Class, "function"),
    (Token.Name.Builtin, "function"),
    (Token.Name.Decorator, "function"),
    (Token.Name.Attribute, "function"),
    (Token.Comment, "comment"),
)


def highlight(text: str, name: str | None) -> list[Line]:
    """Return the lines of ``text`` as (role, text) runs; ``name`` is a file or language name.

    Plain, one run a line, when the language is unknown or the text is longer than 12 000 code
    points. The text of the runs is always the text given; space takes the role before it.
    """
    lexer = lexer_for(name) if name and len(text) <= HIGHLIGHT_CHARS else None
    if lexer is None:
        return [[("plain", line)] for line in text.split("\n")]
    lines: list[Line] = [[]]
    for role, part in _runs(lexer, text):
        if "\n" not in part:
            lines[-1].append((role, part))
            continue
        first, *rest = part.split("\n")
        if first:
            lines[-1].append((role, first))
        lines += [[(role, line)] if line else [] for line in rest]
    return lines


def _runs(lexer: Lexer, text: str) -> Iterator[tuple[TokenRole, str]]:
    """Cut ``text`` where the role changes; only places are taken from the lexer, never text."""
    at, role, last = 0, role_of(Token), Token
    for start, token, value in lexer.get_tokens_unprocessed(text):
        if token is last or value.isspace():
            continue
        last = token
        found = role_of(token)
        if found != role:
            if start > at:
                yield role, text[at:start]
                at = start
            role = found
    if at < len(text):
        yield role, text[at:]


@lru_cache(maxsize=512)
def role_of(token: _TokenType) -> TokenRole:
    """Return our role of a pygments token type."""
    return next((role for kind, role in ROLES if is_token_subtype(token, kind)), "plain")


def lexer_for(name: str) -> Lexer | None:
    """Find the lexer for a file name or a fence's language word."""
    base = name.replace("\\", "/").rpartition("/")[2]
    suffix = PurePath(base).suffix.lower()
    # A search by name tries hundreds of patterns; only these endings need the whole name.
    return _find(base if suffix in WHOLE_NAMES else f"x{suffix}")


@lru_cache(maxsize=256)
def _find(name: str) -> Lexer | None:
    try:
        found = find_lexer_class_for_filename(name) or find_lexer_class_by_name(name.lower())
    except ClassNotFound:
        return None
    return found()
