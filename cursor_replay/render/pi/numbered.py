"""A change in the form that pi draws (``details.diff``, pi facts 1.6).

A sign, the line number right-aligned, a space and the text; removed and unchanged lines have their
old number, added ones the new. Where no numbers are known there is only the sign: none is made up.
"""

from collections.abc import Iterator

from cursor_replay.items import Activity, Card, NativeEdit
from cursor_replay.render.comparison import diff_edits
from cursor_replay.render.diffs import SIGNS, DiffLine, number_width, parse_diff


def shown_change(card: Card) -> str:
    """The change a card shows, ``""`` for none: as recorded, else what its replacements say."""
    details = card.details
    recorded = ""
    if isinstance(details, NativeEdit | Activity):
        recorded = details.diff_string or details.diff or ""
    if recorded:
        return "\n".join(_rows(parse_diff(recorded)))
    edits = card.arguments.get("edits") if card.tool == "edit" else None
    return "\n".join(_rows(diff_edits(edits)))


def _rows(lines: tuple[DiffLine, ...]) -> Iterator[str]:
    width = number_width(lines)
    for line in lines:
        number = line.number if line.old is None else line.old
        text = "..." if line.kind == "gap" else line.text
        shown = "" if number is None else str(number)
        yield f"{SIGNS[line.kind]}{shown:>{width}} {text}"
