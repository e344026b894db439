"""Content blocks of the Agent Client Protocol, in prompts, chunks and calls.

Owns what a block says as text. What stands in a text's place is shown, whatever its type.
"""

from collections.abc import Iterator

from cursor_replay.images import recorded_image
from cursor_replay.ingest.formats.spelled import json_text
from cursor_replay.items import ContextPart, Image, Json
from cursor_replay.lenient import as_object, as_text

_SEEN = {"image": "[Image]", "audio": "[Audio]"}
_CONTEXT = {"resource", "resource_link"}


def blocks_of(content: Json) -> list[Json]:
    """The blocks of a content: a list of them, a single one, or a bare text."""
    if isinstance(content, list):
        return content
    return [] if content in (None, "", {}) else [content]


def spoken(block: Json) -> str:
    """The text of a block of a prompt; an image or a sound is named only."""
    if not isinstance(block, dict):
        return json_text(block)
    kind = as_text(block.get("type")) or ""
    if kind in _SEEN:
        return _SEEN[kind]
    return json_text(block.get("text")) if kind not in _CONTEXT else ""


def images_of(blocks: list[Json]) -> tuple[Image, ...]:
    """The images of a prompt."""
    held = (as_object(each) for each in blocks)
    found = (recorded_image(each.get("data")) for each in held if each.get("type") == "image")
    return tuple(image for image in found if image)


def said(block: Json) -> str | None:
    """The text of a block of an answer; None for what is no text."""
    if not isinstance(block, dict):
        return json_text(block)
    return json_text(block["text"]) if block.get("text") is not None else None


def context(block: Json) -> ContextPart | None:
    """What is attached to a prompt: a link, or a resource with its text."""
    held = as_object(block)
    resource = as_object(held.get("resource")) or held
    uri, text = as_text(resource.get("uri")), as_text(resource.get("text"))
    kind = held.get("type")
    if kind not in ("resource", "resource_link") or not (uri or text):
        return None
    words = "\n".join(each for each in (uri, text) if each)
    return ContextPart(tag=str(kind), text=words)


def texts_of(blocks: list[Json]) -> Iterator[str]:
    """The texts in the content of a call: blocks that hold a block."""
    for each in blocks:
        held = as_object(each)
        inner = held.get("content", held if "text" in held else None)
        text = spoken(inner if isinstance(each, dict) else each)
        if text and text not in _SEEN.values():
            yield text
