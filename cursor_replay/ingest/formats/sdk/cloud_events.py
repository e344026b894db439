"""What the events of a cloud run look like (SDK formats facts 1.7).

Owns how an event is told from one of any other stream of server-sent events, and how its data
becomes a message of the SDK. Knows no frame and no run.
"""

import re
from collections.abc import Callable

from cursor_replay.ingest.formats.sdk import updates as sdk_updates
from cursor_replay.ingest.formats.spelled import json_text
from cursor_replay.items import Json
from cursor_replay.lenient import as_object, as_text

MESSAGES = {"status", "assistant", "thinking", "tool_call"}
TELLING = MESSAGES | {"interaction_update", "result"}
"""Names that tell this stream from others; ``error`` and ``done`` are anybody's."""
_SPELLINGS = {
    "callId": "call_id",
    "agentId": "agent_id",
    "runId": "run_id",
    "thinkingDurationMs": "thinking_duration_ms",
    "durationMs": "thinking_duration_ms",
}
_STATUS = {
    "QUEUED", "CREATING", "RUNNING", "FINISHED", "ERROR", "CANCELLED", "EXPIRED",
}  # fmt: skip
_OF_CALL = {"running", "completed", "error"}
_IDS = {"agentId": "bc|agent", "agent_id": "bc|agent", "runId": "run", "run_id": "run"}
_Data = dict[str, Json]


def is_cloud_event(name: str, data: Json) -> bool:
    """Whether an event is a cloud run's: its name, and an id of Cursor's or the words of its type.

    An answer without an id is anybody's.
    """
    if name not in TELLING or not isinstance(data, dict):
        return False
    return _has_id(data) or (name in _SHAPES and _SHAPES[name](data))


def update_in(data: _Data) -> _Data:
    """The update of an ``interaction_update``, which may stand in a wrapper."""
    inner = data.get("update") or data.get("interactionUpdate")
    return inner if isinstance(inner, dict) else data


def message_of(name: str, data: _Data) -> _Data | None:
    """The SDK's message of an event: its keys in snake_case, its text in a content block.

    None when it should say something and has no place where that could stand.
    """
    message = {_SPELLINGS.get(key, key): value for key, value in data.items()}
    message |= {"type": name, "uuid": None, "session_id": None}
    if name == "assistant":
        if not data.keys() & {"message", "text", "content"}:
            return None
        message["message"] = {"role": "assistant", "content": _blocks(_said(data))}
    elif name == "thinking":
        if "text" not in data and message.get("thinking_duration_ms") is None:
            return None
        message["text"] = text_of(data.get("text"))
    elif name == "status":
        message["message"] = text_of(data.get("message")) or None
    return message


def text_of(value: Json) -> str:
    """A text, the text of a block or a message, of a list of them, or JSON of anything else."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list):
        return "\n".join(text_of(each) for each in value)
    inner = as_object(value)
    return as_text(inner.get("text")) or as_text(inner.get("message")) or json_text(value)


def _has_id(data: _Data) -> bool:
    found = ((as_text(data.get(key)), kind) for key, kind in _IDS.items())
    return any(value and re.match(rf"(?:{kind})-.", value) for value, kind in found)


def _status(data: _Data) -> bool:
    return as_text(data.get("status")) in _STATUS


def _call(data: _Data) -> bool:
    call_id = as_text(data.get("callId")) or as_text(data.get("call_id"))
    named = call_id is not None and as_text(data.get("name")) is not None
    return named and as_text(data.get("status")) in _OF_CALL


def _update(data: _Data) -> bool:
    kind = update_in(data).get("type")
    return isinstance(kind, str) and sdk_updates.fits(update_in(data))


_SHAPES: dict[str, Callable[[_Data], bool]] = {
    "status": _status,
    "result": _status,
    "tool_call": _call,
    "interaction_update": _update,
}


def _said(data: _Data) -> Json:
    """What an ``assistant`` event holds: blocks or a text, in a message or bare."""
    message = data.get("message")
    if isinstance(message, dict) and "content" in message:
        return message["content"]
    return next((data[key] for key in ("message", "content", "text") if data.get(key)), None)


def _blocks(content: Json) -> list[Json]:
    """Content blocks; a text, a list of texts and what is no block become text blocks."""
    parts = content if isinstance(content, list) else [] if content is None else [content]
    return [each if _is_block(each) else _text_block(each) for each in parts]


def _text_block(value: Json) -> Json:
    return {"type": "text", "text": text_of(value)}


def _is_block(value: Json) -> bool:
    block = as_object(value)
    return block.get("type") == "tool_use" or (
        block.get("type") == "text" and isinstance(block.get("text"), str)
    )
