"""What messages of a pi session are made of: blocks and token counts (pi facts 1.3).

Owns what an image is told as: its kind and size, never its bytes. Knows no role.
"""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from cursor_replay.images import recorded_image
from cursor_replay.ingest.formats.spelled import json_text
from cursor_replay.items import Image, Json, Usage, camel
from cursor_replay.lenient import ABSENT_ON_ERROR, Flag, Int, Record, Text


class Wire(Record):
    """A record in pi's key style."""

    model_config = ConfigDict(alias_generator=camel)


class TextBlock(Wire):
    """Text of anybody; a value of another type is shown as the JSON it is."""

    type: Literal["text"]
    text: Any = None


class ThinkingBlock(Wire):
    """Thinking; ``redacted`` when the provider kept it to itself."""

    type: Literal["thinking"]
    thinking: Any = None
    redacted: Flag = None


class ToolCall(Wire):
    """A call; its result is a message of its own."""

    type: Literal["toolCall"]
    id: Text = None
    name: Any = None
    arguments: Any = None


class ImageBlock(Wire):
    """An image in base64."""

    type: Literal["image"]
    data: Text = None
    mime_type: Text = None

    def told(self) -> str:
        """What is said in its place."""
        kind = self.mime_type or "unknown kind"
        size = "" if self.data is None else f", {len(self.data.rstrip('=')) * 3 // 4:,} bytes"
        return f"[image: {kind}{size}]"


_Known = Annotated[TextBlock | ThinkingBlock | ToolCall | ImageBlock, Field(discriminator="type")]
Block = Annotated[_Known | Any, Field(union_mode="left_to_right")]
Content = Annotated[list[Block] | str | _Known | Any, Field(union_mode="left_to_right")]
"""What stands where blocks are meant: also one block alone, or any value."""


class PiUsage(Wire):
    """Token counts; ``input`` leaves the cache out, ``reasoning`` is part of ``output``."""

    input: Int = None
    output: Int = None
    cache_read: Int = None
    cache_write: Int = None
    reasoning: Int = None

    def usage(self) -> Usage | None:
        """With the cache inside the input, as in every other format; all zeros say nothing."""
        if not any((self.input, self.output, self.cache_read, self.cache_write)):
            return None
        parts = (self.input, self.cache_read, self.cache_write)
        return Usage(
            input_tokens=sum(part or 0 for part in parts),
            output_tokens=self.output,
            cache_read_tokens=self.cache_read,
            cache_write_tokens=self.cache_write,
            reasoning_tokens=self.reasoning,
        )


MaybeUsage = Annotated[PiUsage | None, ABSENT_ON_ERROR]


def blocks_of(content: Any) -> list[Any]:
    """The blocks of a message; what is no list of them is one, a foreign value as its JSON."""
    if isinstance(content, list):
        return content
    if isinstance(content, Wire):
        return [content]
    return [] if content is None else [TextBlock(type="text", text=content)]


def said(content: Any, *, images: bool = True) -> str:
    """The text of a message, with ``images`` told in their places."""
    texts = (_told(each, images=images) for each in blocks_of(content))
    return "\n".join(text for text in texts if text)


def images_of(content: Any) -> tuple[Image, ...]:
    """The images of a message whose bytes are what they are said to be."""
    blocks = (each for each in blocks_of(content) if isinstance(each, ImageBlock))
    return tuple(image for each in blocks if (image := recorded_image(each.data)))


def _told(block: Json, *, images: bool) -> str:
    match block:
        case TextBlock():
            return json_text(block.text)
        case ImageBlock():
            return block.told() if images else ""
        case _:
            return ""
