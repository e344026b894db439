"""Field groups several wire formats share: content blocks, usage, the two key styles."""

from typing import Annotated, Any

from pydantic import AliasChoices, Field

from cursor_replay.items import Json, Usage
from cursor_replay.lenient import ABSENT_ON_ERROR, Int, Record, Text


def either(camel: str, snake: str) -> Any:
    """A field spelled in camelCase by the TypeScript SDK and in snake_case by the Python SDK."""
    return Field(None, validation_alias=AliasChoices(camel, snake))


class UsageFields(Record):
    """Token counts; ``totalTokens`` changed its meaning in SDK 1.1.0 and is never read."""

    input_tokens: Int = either("inputTokens", "input_tokens")
    output_tokens: Int = either("outputTokens", "output_tokens")
    cache_read_tokens: Int = either("cacheReadTokens", "cache_read_tokens")
    cache_write_tokens: Int = either("cacheWriteTokens", "cache_write_tokens")
    reasoning_tokens: Int = either("reasoningTokens", "reasoning_tokens")

    def usage(self) -> Usage:
        """As the item's value."""
        return Usage(
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cache_read_tokens=self.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens,
            reasoning_tokens=self.reasoning_tokens,
        )


class ContentBlock(Record):
    """A text or ``tool_use`` block of a message."""

    type: Text = None
    text: Text = None
    id: Text = None
    name: Text = None
    input: Any = None


class RoleMessage(Record):
    """``{role, content}``; content may be a bare string."""

    content: Annotated[list[ContentBlock] | str | None, ABSENT_ON_ERROR] = None

    def text(self) -> str:
        """All text blocks joined by newlines."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(block.text for block in self.content or () if block.text)

    def calls(self) -> list[ContentBlock]:
        """The ``tool_use`` blocks: declared by the SDK, never seen in its output."""
        blocks = [] if isinstance(self.content, str) else self.content or []
        return [block for block in blocks if block.type == "tool_use"]


Maybe = Annotated[RoleMessage | None, ABSENT_ON_ERROR]
MaybeUsage = Annotated[UsageFields | None, ABSENT_ON_ERROR]


def kind_of(record: dict[str, Json]) -> str:
    """The ``type`` of a record; empty when it has none, or one that is no text."""
    kind = record.get("type")
    return kind if isinstance(kind, str) else ""


def has(record: dict[str, Json], *keys: str) -> bool:
    """Whether any of the keys is present."""
    return any(key in record for key in keys)
