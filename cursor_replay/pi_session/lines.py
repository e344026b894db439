"""The lines of a pi session file as we write them: version 3, for pi 0.84.0 and 1.6.0 (pi facts 1).

pi checks nothing but the header and crashes later; what it crashes on cannot be built here. A field
that is None is left out, except ``parentId``, which every entry has.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

PROVENANCE = "cursor-replay"
NOTICE = "cursor-replay-notice"
ASIDE = "cursor-replay-aside"
PROMPT = "cursor-replay-prompt"
END = "cursor-replay-end"
"""The ``customType`` of our entries: who wrote the file, what was noticed about the recording, what
a sub-agent said, a prompt that no human typed, and the end of a turn that no message tells."""

CALL_ID_CHARS = 64
"""Longer ids are refused by a model when the session goes on (pi facts 1.5)."""


def _is_absent(value: object) -> bool:
    return value is None


class Wire(BaseModel):
    """Base of every shape: pi's key style, nothing unknown, nothing changed after it is built."""

    model_config = ConfigDict(
        alias_generator=lambda name: "".join(
            word.capitalize() if at else word for at, word in enumerate(name.split("_"))
        ),
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        defer_build=True,
        hide_input_in_errors=True,
    )


Absent = Field(default=None, exclude_if=_is_absent)
"""An optional field: left out when it is None."""
Stamp = Annotated[
    str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", strict=True)
]
SessionId = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$")
]
EntryId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}$")]
CallId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Name = Annotated[str, StringConstraints(min_length=1)]
Count = Annotated[int, Field(ge=0)]


class Text(Wire):
    """Text."""

    type: Literal["text"] = "text"
    text: str


class Thinking(Wire):
    """Thinking; without a signature, which only the model that thought it could check."""

    type: Literal["thinking"] = "thinking"
    thinking: str
    redacted: Literal[True] | None = Absent


class Image(Wire):
    """An image in base64."""

    type: Literal["image"] = "image"
    data: Annotated[str, StringConstraints(min_length=4, pattern=r"^[A-Za-z0-9+/]+={0,2}$")]
    mime_type: Name


class ToolCall(Wire):
    """A call."""

    type: Literal["toolCall"] = "toolCall"
    id: CallId
    name: Name
    arguments: dict[str, Any]


class Cost(Wire):
    """Money, which no recording of Cursor's tells."""

    input: Count = 0
    output: Count = 0
    cache_read: Count = 0
    cache_write: Count = 0
    total: Count = 0


class Usage(Wire):
    """Tokens of one response; ``input`` leaves the cache out (replay facts 9.6)."""

    input: Count = 0
    output: Count = 0
    cache_read: Count = 0
    cache_write: Count = 0
    total_tokens: Count = 0
    reasoning: Count | None = Absent
    cost: Cost = Cost()


class User(Wire):
    """What a human typed."""

    role: Literal["user"] = "user"
    content: Annotated[list[Text | Image], Field(min_length=1)]
    timestamp: int


StopReason = Literal["stop", "length", "toolUse", "error", "aborted"]


class Assistant(Wire):
    """One response."""

    role: Literal["assistant"] = "assistant"
    content: list[Thinking | Text | ToolCall]
    api: Name = "cursor-replay"
    provider: Name = "cursor"
    model: Name
    usage: Usage = Usage()
    stop_reason: StopReason
    error_message: Name | None = Absent
    timestamp: int


class ToolResult(Wire):
    """What a call gave; ``duration_ms`` is drawn by 1.6.0 alone."""

    role: Literal["toolResult"] = "toolResult"
    tool_call_id: CallId
    tool_name: Name
    content: list[Text | Image]
    details: dict[str, Any] | None = Absent
    is_error: bool
    duration_ms: float | None = Absent
    timestamp: int


class Header(Wire):
    """The first line; ``cwd`` has to be a folder that exists."""

    type: Literal["session"] = "session"
    version: Literal[3] = 3
    id: SessionId
    timestamp: Stamp
    cwd: Name


class Entry(Wire):
    """What every line but the header has."""

    id: EntryId
    parent_id: EntryId | None
    timestamp: Stamp


class SessionInfo(Entry):
    """The name in pi's picker."""

    type: Literal["session_info"] = "session_info"
    name: Name


class ModelChange(Entry):
    """The model from here on."""

    type: Literal["model_change"] = "model_change"
    provider: Name = "cursor"
    model_id: Name


class ThinkingLevel(Entry):
    """Without one pi appends its own and the file changes when it is opened (pi facts 1.4)."""

    type: Literal["thinking_level_change"] = "thinking_level_change"
    thinking_level: Literal["off"] = "off"


class Custom(Entry):
    """What an extension keeps; never in the model's context."""

    type: Literal["custom"] = "custom"
    custom_type: Name
    data: dict[str, Any]


class Message(Entry):
    """A message. ``cursor_replay`` is what pi has no field for: see ``kept.py``."""

    type: Literal["message"] = "message"
    message: Annotated[User | Assistant | ToolResult, Field(discriminator="role")]
    cursor_replay: dict[str, Any] | None = Absent


AnyLine = Header | SessionInfo | ModelChange | ThinkingLevel | Custom | Message
