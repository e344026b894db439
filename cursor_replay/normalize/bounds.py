"""How much of a text a card keeps (replay facts 4.1 and 4.6), cut only after masking.

Owns the text limiter and its marker words. Everything returned here that may need a cut is a
:class:`~cursor_replay.items.Clip`: the boundary masks the whole and then cuts. Lengths are code
points, so no cut can split a character.
"""

import re
from functools import partial

from cursor_replay.items import Clip

TEXT_CHARS, TEXT_LINES = 24_000, 800
LIST_ITEMS = 200
READ_CHARS, READ_LINES, READ_TRANSCRIPT_LINES = 4_000, 20, 12
ARGUMENT_CHARS, LINE_CHARS = 120, 240
FALLBACK_CHARS, FALLBACK_LINES, FALLBACK_ENTRIES = 240, 6, 8

_CONTROLS = str.maketrans(dict.fromkeys([*range(0x20), 0x7F], " "))
_OTHERS = re.compile("[\x80-\x9f\u2028\u2029\ufeff]")
_LONE = re.compile("[\ud800-\udfff]")


def plural(count: int, noun: str) -> str:
    """``1 line``, ``2 lines``; a noun in -y gets -ies, -ch gets -es."""
    if count == 1:
        return f"1 {noun}"
    if noun.endswith("y"):
        return f"{count} {noun[:-1]}ies"
    return f"{count} {noun}{'es' if noun.endswith(('ch', 's')) else 's'}"


def limit_text(text: str, *, lines: int, chars: int, total: int | None = None) -> str:
    """Cut to ``lines`` first, then to ``chars``; one marker tells what is missing.

    ``total`` is the number of lines the whole is known to have; the marker then counts from it.
    """
    rows = text.split("\n")
    kept = "\n".join(rows[:lines])
    hidden = max(total or 0, len(rows)) - min(len(rows), lines)
    if len(kept) > chars:
        over = len(kept) - chars
        kept = kept[:chars]
        if hidden <= 0:
            return f"{kept}\n... ({plural(over, 'more char')} truncated)"
    return f"{kept}\n... ({plural(hidden, 'more line')} truncated)" if hidden > 0 else kept


def bounded(
    text: str, *, lines: int = TEXT_LINES, chars: int = TEXT_CHARS, total: int | None = None
) -> str:
    """``text``, to be limited by :func:`limit_text` once it is masked."""
    if len(text) <= chars and text.count("\n") < lines and total is None:
        return text
    return Clip(text, cut=partial(limit_text, lines=lines, chars=chars, total=total))


def truncate(text: str, limit: int) -> str:
    """At most ``limit`` characters, the last one an ellipsis when something was cut."""
    if len(text) <= limit:
        return text
    return f"{text[: limit - 1]}…" if limit > 0 else ""


def one_line(text: str) -> str:
    """Controls and runs of white space become one space; lone surrogates are replaced."""
    line = " ".join(text.split())
    if line.isprintable():
        return line
    if not line.isascii():
        line = _OTHERS.sub(" ", _LONE.sub("\ufffd", line))
    return " ".join(line.translate(_CONTROLS).split())


def brief(text: str, limit: int = ARGUMENT_CHARS) -> str:
    """One line of at most ``limit`` characters, laid out and cut once it is masked."""
    line = one_line(text)
    if len(line) > limit or (line and line != text and line != text.strip()):
        return _line_of(text, line, limit)
    return line


def one_value(text: str) -> str:
    """:func:`brief` for what stands behind its key: masked as one value, however many words."""
    line = one_line(text)
    return _line_of(text, line, ARGUMENT_CHARS) if " " in line else brief(text)


def _line_of(text: str, line: str, limit: int) -> str:
    return Clip(text, cut=lambda masked: truncate(one_line(masked), limit), line=line)


def joined(*parts: str) -> str:
    """Concatenate; parts that still have to be cut keep their own cut."""
    if any(type(part) is Clip for part in parts):
        return Clip(*parts)
    return "".join(parts)


def join_with(separator: str, parts: list[str]) -> str:
    """``separator.join(parts)`` for parts that may still have to be cut."""
    woven: list[str] = []
    for part in parts:
        woven += [separator, part] if woven else [part]
    return joined(*woven)


def heading(*words: str | None, separator: str = " ") -> str:
    """The words that are there, joined."""
    return join_with(separator, [word for word in words if word])


def capped_list(rows: list[str], noun: str) -> list[str]:
    """The first 200 rows and, when there are more, how many."""
    if len(rows) <= LIST_ITEMS:
        return rows
    hidden = len(rows) - LIST_ITEMS
    return [*rows[:LIST_ITEMS], f"... ({plural(hidden, f'more {noun}')} truncated)"]


def section(header: str, body: str) -> str:
    """Header, blank line, body without its trailing space, newline; the header alone if empty."""
    kept = _rstrip(body)
    return joined(header, "\n\n", kept, "\n") if kept else joined(header, "\n")


def _rstrip(text: str) -> str:
    if type(text) is not Clip:
        return text.rstrip()
    cut = text.cut
    return Clip(*text.parts, cut=lambda masked: (cut(masked) if cut else masked).rstrip())


def trimmed(text: str) -> str:
    """Without surrounding white space, also after a later cut."""
    if type(text) is not Clip:
        return text.strip()
    cut = text.cut
    return Clip(*text.parts, cut=lambda masked: (cut(masked) if cut else masked).strip())
