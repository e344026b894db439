"""Reading what a card carries: arguments that may be missing or of a wrong type, and its text.

Knows no tool. The words for a missing and a wrong argument are pi's.
"""

from cursor_replay.items import Card, Image
from cursor_replay.render.blocks import Role, Span
from cursor_replay.render.limits import one_line

LARGEST = 2**63
"""JSON may hold any integer; no line, limit or timeout is as large as this."""


def text_span(card: Card, name: str, *, missing: str = "...", role: Role = "accent") -> Span:
    """Return a text argument as a one-line span; a wrong type is drawn as ``[invalid arg]``."""
    value = card.arguments.get(name)
    if value is None or value == "":
        return Span(missing, role)
    if not isinstance(value, str):
        return Span("[invalid arg]", "error")
    return Span(one_line(value), role)


def number(card: Card, name: str) -> float | None:
    """Return a number argument; None when it is missing, something else or beyond any size."""
    value = card.arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if abs(value) < LARGEST else None


def string(card: Card, name: str) -> str:
    """Return a text argument in one line, trimmed; ``""`` when it is missing or no text."""
    value = card.arguments.get(name)
    return one_line(value).strip() if isinstance(value, str) else ""


def images_told(text: str, images: tuple[Image, ...] | None) -> str:
    """A line for every image, ``""`` where ``text`` tells of them already."""
    if not images or "[image" in text.lower():
        return ""
    return "\n".join([f"[image: {each.mime_type}, {_bytes(each.data):,} bytes]" for each in images])


def _bytes(base64: str) -> int:
    return len(base64.rstrip("=")) * 3 // 4


def content_text(card: Card) -> str:
    """Return the result text of a card without the blank space at its end."""
    parts = card.content
    text = parts[0].text if len(parts) == 1 else "\n".join([part.text for part in parts])
    return text.rstrip()
