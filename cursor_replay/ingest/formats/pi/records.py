"""The lines of a pi session: entries by ``type``, messages by ``role`` (pi facts 1.2 and 1.3).

Owns the wire names of versions 1 to 3. Knows no tree and no event.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, ValidationError

from cursor_replay.ingest.formats.pi.blocks import Content, MaybeUsage, Wire
from cursor_replay.ingest.jsontext import decode
from cursor_replay.ingest.lines import Line
from cursor_replay.items import Json
from cursor_replay.lenient import (
    ABSENT_ON_ERROR,
    Flag,
    Int,
    Number,
    Object,
    Text,
    record_union,
)

_Some = Annotated[list[Any] | None, ABSENT_ON_ERROR]


class _Message(Wire):
    timestamp: Int = None


class User(_Message):
    """What a human typed."""

    role: Literal["user"]
    content: Content = None


class Assistant(_Message):
    """One response of the model."""

    role: Literal["assistant"]
    content: Content = None
    model: Text = None
    usage: MaybeUsage = None
    stop_reason: Text = None
    error_message: Any = None


class ToolResult(_Message):
    """What a call gave."""

    role: Literal["toolResult"]
    tool_call_id: Text = None
    tool_name: Any = None
    content: Content = None
    details: Any = None
    is_error: Any = None
    usage: MaybeUsage = None
    duration_ms: Number = None
    nested_calls: _Some = None


class BashExecution(_Message):
    """The user's own ``!`` command."""

    role: Literal["bashExecution"]
    command: Any = None
    output: Any = None
    exit_code: Any = None
    cancelled: Any = None
    truncated: Flag = None
    full_output_path: Text = None


class System(_Message):
    """pi's own prompt (since 1.6.0)."""

    role: Literal["system"]
    content: Content = None
    sections: Object = None
    tools_added: _Some = None
    tools_removed: _Some = None


class Custom(_Message):
    """What an extension told the model; ``hookMessage`` is its name in version 2."""

    role: Literal["custom", "hookMessage"]
    custom_type: Text = None
    content: Content = None
    display: Flag = None


class Summary(_Message):
    """A summary that stands for what is no longer in the context."""

    role: Literal["branchSummary", "compactionSummary"]
    summary: Any = None
    from_id: Text = None
    tokens_before: Int = None


Message = User | Assistant | ToolResult | BashExecution | System | Custom | Summary


class _Entry(Wire):
    timestamp: Text = None


class MessageEntry(_Entry):
    """A message; None when its role is none we know."""

    type: Literal["message"]
    message: Annotated[Annotated[Message, Field(discriminator="role")] | None, ABSENT_ON_ERROR] = (
        None
    )
    cursor_replay: Object = None


class ModelChange(_Entry):
    """The model from here on."""

    type: Literal["model_change"]
    model_id: Text = None


class ThinkingLevel(_Entry):
    """How hard the model is to think from here on."""

    type: Literal["thinking_level_change"]
    thinking_level: Text = None


class SessionInfo(_Entry):
    """The name of the session; the last one on the branch holds."""

    type: Literal["session_info"]


class Label(_Entry):
    """A bookmark; without ``label`` it is taken away."""

    type: Literal["label"]
    target_id: Text = None
    label: Text = None


class CustomEntry(_Entry):
    """What an extension keeps for itself."""

    type: Literal["custom"]
    custom_type: Text = None
    data: Object = None


class CustomMessage(_Entry):
    """What an extension told the model."""

    type: Literal["custom_message"]
    custom_type: Text = None
    content: Content = None
    display: Flag = None


class Compaction(_Entry):
    """A summary in place of the older part of the context."""

    type: Literal["compaction"]
    summary: Any = None
    first_kept_entry_id: Text = None
    tokens_before: Int = None


class BranchSummary(_Entry):
    """A summary of the branch that was left."""

    type: Literal["branch_summary"]
    from_id: Text = None
    summary: Any = None


class UsageEntry(_Entry):
    """Tokens used outside the conversation."""

    type: Literal["usage"]
    kind: Text = None
    usage: MaybeUsage = None


class ContextEdit(_Entry):
    """An entry taken out of the context, or replaced in it."""

    type: Literal["context_edit"]
    target_id: Text = None
    replacement: Any = None


Setting = (
    ModelChange | ThinkingLevel | SessionInfo | Label | CustomEntry | CustomMessage | Compaction
    | BranchSummary | UsageEntry | ContextEdit
)  # fmt: skip
"""Every entry that is no message."""
Entry = MessageEntry | Setting
ENTRY_TYPES = frozenset(
    get_args(each.model_fields["type"].annotation)[0] for each in get_args(Entry)
)
ENTRY = record_union(Annotated[Entry, Field(discriminator="type")])


def entries_of(line: Line) -> Iterator[Entry | None]:
    """The entries of a line, None for one of an unknown type; headers are left out."""
    try:
        yield ENTRY.validate_json(line.data)
    except ValidationError:
        for value in decode(line.data, ended=line.ended).values:
            if isinstance(value, dict) and value.get("type") != "session":
                yield _entry_of(value)


def _entry_of(value: dict[str, Json]) -> Entry | None:
    try:
        entry: Entry = ENTRY.validate_python(value)
    except ValidationError:
        return None
    return entry
