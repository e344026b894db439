"""What a model message says of a tool's result (transcript facts 2, SDK formats facts 3.3).

Two spellings stand beside each other: the text the model was given, and Cursor's own structured
``highLevelToolCallResult``. The structured one says how a call went and is preferred. Bytes in
either are named by their number, never kept. Knows no card.
"""

import re
from dataclasses import replace

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.sdk.proto import decode_result
from cursor_replay.items import Json
from cursor_replay.lenient import as_int, as_object, as_objects, as_text

_SHELLS = {"shell", "bash", "run_terminal_cmd", "run_terminal_command_v2"}
_EXIT = re.compile(r"Exit code: (-?\d{1,10})(?:\n|$)")
"""How the text of a shell result begins (transcript facts 2)."""
_FRAMED = re.compile(
    r"Exit code: -?\d+\n\nCommand output:\n\n```\n(.*)\n```\n\n"
    r"Command completed in (\d{1,12}) ms\.\s*"
    r"(?:Shell state \([^)]*\) persists for subsequent calls\.)?\s*",
    re.DOTALL,
)
"""The whole of it; the last sentence is for the model alone."""
_TYPED_ERRORS = {"error-text", "error-json", "execution-denied"}
_BLOB_KEYS = ("contentBlobId", "dataBlobId")
_NO_WORDS = "the tool reported an error"


def decode_tool_result(part: dict[str, Json], cursor: dict[str, Json]) -> Outcome:
    """The outcome of one ``tool-result`` part; ``cursor`` is its ``providerOptions.cursor``.

    Without a structured output the status is what ``isError`` says, else None.
    """
    high = as_object(cursor.get("highLevelToolCallResult"))
    shown = _as_shown(part)
    failed = True in (high.get("isError"), part.get("isError"), part.get("is_error"))
    succeeded = high.get("isError") is False and not _is_typed_error(part)
    structured = _structured(without_bytes(high.get("output")))
    if structured is None:
        failed = failed or _is_typed_error(part)
        return _from_text(part, shown, failed=failed, succeeded=succeeded)
    if structured.status == "error" or (failed and _ended_badly(structured.value)):
        return structured
    filled = _filled(structured, shown)
    if failed:
        return replace(filled, status="error", error=shown or _NO_WORDS)
    return filled


def without_bytes(value: Json) -> Json:
    """The value with every byte array (tagged hex, Node buffers) replaced by its length."""
    if isinstance(value, list):
        return [without_bytes(each) for each in value]
    if not isinstance(value, dict):
        return value
    length = _byte_length(value)
    if length is not None:
        return f"({length} bytes)"
    return {key: without_bytes(each) for key, each in value.items()}


def _byte_length(value: dict[str, Json]) -> int | None:
    if isinstance(value.get("__type"), str) and isinstance(value.get("hex"), str):
        return len(value["hex"]) // 2
    if value.get("type") == "Buffer" and isinstance(value.get("data"), list):
        return len(value["data"])
    return None


def _structured(output: Json) -> Outcome | None:
    if not isinstance(output, dict) or not output:
        return None
    if isinstance(output.get("case"), str):
        output = {"result": output}
    failure = as_object(output.get("failure"))
    # A failure with an exit is a command that ran: its card says how it ended, with its output.
    return decode_result(output, tool="shell" if _ended_badly(failure) else "", proto=True)


def _ended_badly(value: Json) -> bool:
    body = as_object(value)
    ended = (as_int(body.get("exitCode")), as_text(body.get("signal")), body.get("aborted") is True)
    return any(ended)


def _filled(structured: Outcome, shown: Json) -> Outcome:
    """Content that was moved to a blob of its own, or left out, is there in the model's text."""
    value = structured.value
    if not shown:
        return structured
    if value in (None, {}, ""):
        return replace(structured, value=shown)
    moved = isinstance(value, dict) and any(key in value for key in _BLOB_KEYS)
    if moved and not value.get("content"):
        kept = {key: each for key, each in value.items() if key not in _BLOB_KEYS}
        return replace(structured, value={**kept, "content": shown})
    return structured


def _from_text(part: dict[str, Json], shown: Json, *, failed: bool, succeeded: bool) -> Outcome:
    ended = _EXIT.match(shown) if isinstance(shown, str) else None
    if ended and (as_text(part.get("toolName")) or "").lower() in _SHELLS:
        return Outcome(status="success", value={"exitCode": int(ended[1]), **_unframed(shown)})
    if failed:
        return Outcome(status="error", value=shown, error=shown or _NO_WORDS)
    return Outcome(status="success" if succeeded else None, value=shown)


def _unframed(shown: str) -> dict[str, Json]:
    framed = _FRAMED.fullmatch(shown)
    if framed is None:
        return {"output": shown}
    return {"output": framed[1], "executionTime": int(framed[2])}


def _as_shown(part: dict[str, Json]) -> Json:
    """What the model was given: ``result``, the newer typed ``output``, else the content parts."""
    result = part.get("result")
    typed = as_object(part.get("output"))
    if result is None and isinstance(typed.get("type"), str):
        result = typed.get("value", typed.get("reason"))
    if result is None:
        result = part.get("content")
    if isinstance(result, list) and result and len(as_objects(result)) == len(result):
        return _parts(result)
    extra = part.get("experimental_content")
    if result in (None, ""):
        return _parts(as_objects(extra))
    others = [_omitted(each) for each in as_objects(extra) if each.get("type") != "text"]
    if isinstance(result, str) and others:
        return "\n".join([result, *others])
    return without_bytes(result)


def _is_typed_error(part: dict[str, Json]) -> bool:
    return as_object(part.get("output")).get("type") in _TYPED_ERRORS


def _parts(parts: list[dict[str, Json]]) -> str:
    texts = [
        each["text"] if isinstance(each.get("text"), str) else _omitted(each) for each in parts
    ]
    return "\n".join(texts)


def _omitted(part: dict[str, Json]) -> str:
    kind = as_text(part.get("type")) or "content"
    mime = as_text(part.get("mimeType")) or as_text(part.get("mediaType"))
    return f"[{kind}{f' {mime}' if mime else ''} omitted]"
