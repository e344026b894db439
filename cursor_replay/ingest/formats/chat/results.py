"""What a model message says of a tool's result (transcript facts 2, SDK formats facts 3.3).

Two spellings stand beside each other: the text the model was given, and Cursor's own structured
``highLevelToolCallResult``. The structured one says how a call went and is preferred; where both
contradict each other the call has failed. Bytes in either are named by their number, never kept.
Knows no card.
"""

import re
from dataclasses import replace

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.sdk.proto import decode_result
from cursor_replay.ingest.formats.spelled import BARE, exit_of, failure_in, is_false, is_true
from cursor_replay.items import Json
from cursor_replay.lenient import as_int, as_object, as_objects, as_text
from cursor_replay.records import dataclass

_SHELLS = {
    "shell", "bash", "terminal", "run_terminal_cmd", "run_terminal_command",
    "run_terminal_command_v2",
}  # fmt: skip
_FRAMED = re.compile(
    r"\s*Exit code: -?\d+\n\nCommand output:\n\n```\n(.*)\n```\n\n"
    r"Command completed in (\d{1,12}) ms\.\s*"
    r"(?:Shell state \([^)]*\) persists for subsequent calls\.)?\s*",
    re.DOTALL,
)
"""The whole of it; the last sentence is for the model alone."""
_TYPED_ERRORS = {"error-text", "error-json", "execution-denied"}
_BLOB_KEYS = ("contentBlobId", "dataBlobId")
_NO_WORDS = "the tool reported an error"
_NOTHING: tuple[Json, ...] = (None, "", {}, [])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What stands around a result: an error flag that is up, one that is down, a shell's name."""

    failed: bool
    succeeded: bool
    shell: bool


def decode_tool_result(
    part: dict[str, Json], cursor: dict[str, Json], *, called: str | None = None
) -> Outcome | None:
    """The outcome of one ``tool-result`` part; ``cursor`` is its ``providerOptions.cursor``.

    ``called`` is the name of its call where that is known. It went well only when a structured
    case, ``isError`` false or an exit code of zero says so; None when nothing was recorded.
    """
    high = as_object(cursor.get("highLevelToolCallResult"))
    flags = [held.get(key) for held in (high, part) for key in ("isError", "is_error")]
    failed = any(map(is_true, flags)) or _is_typed_error(part)
    name = called or as_text(part.get("toolName")) or ""
    said = _Said(
        failed=failed,
        succeeded=not failed and any(map(is_false, flags)),
        shell=name.lower() in _SHELLS,
    )
    output = without_bytes(high.get("output"))
    shown = _as_shown(part)
    if shown in _NOTHING and not isinstance(output, dict):
        shown = output
    structured = _structured(output, said)
    if structured is not None:
        return _judged(structured, shown, said)
    if isinstance(shown, dict) and shown:
        return _judged(_own(shown, said), None, said)
    return _from_text(shown, said)


def _own(shown: dict[str, Json], said: _Said) -> Outcome:
    """A result that is an object itself."""
    found = decode_result(shown, tool="shell" if said.shell else "") or Outcome(value=shown)
    zero = said.shell and as_int(as_object(found.value).get("exitCode")) == 0
    return replace(found, status="success") if found.status is None and zero else found


def _judged(given: Outcome, shown: Json, said: _Said) -> Outcome | None:
    """What says that it failed is believed before what says that it went well."""
    if given.status == "error":
        return replace(given, error=shown) if shown and given.error == "failure" else given
    filled = _filled(given, shown)
    ended = exit_of(shown) if said.shell else None
    if ended and not _ended_badly(filled.value):
        value = filled.value if isinstance(filled.value, dict) else _unframed(str(shown))
        filled = replace(filled, value={**value, "exitCode": ended})
    ended_badly = _ended_badly(filled.value)
    if ended_badly and said.shell:
        return filled
    bad = said.failed or ended_badly
    words = failure_in(filled.value)
    if words or bad:
        said_only = shown or filled.value or _NO_WORDS
        error = said_only if words in ("", BARE) else words
        return replace(filled, status="error", error=error)
    if said.shell and filled.value in _NOTHING and ended is None:
        return None
    if filled.status is None:
        well = said.succeeded or is_true(as_object(filled.value).get("success"))
        return replace(filled, status="success" if well else "unknown")
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


def _structured(output: Json, said: _Said) -> Outcome | None:
    if not isinstance(output, dict) or not output:
        return None
    if isinstance(output.get("case"), str):
        output = {"result": output}
    # A failure with an exit is a command that ran: its card says how it ended, with its output.
    ran = said.shell and _ended_badly(output.get("failure"))
    return decode_result(output, tool="shell" if ran else "", proto=True)


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


def _from_text(shown: Json, said: _Said) -> Outcome | None:
    ended = exit_of(shown) if said.shell else None
    if ended or (ended == 0 and not said.failed):
        return Outcome(status="success", value={"exitCode": ended, **_unframed(str(shown))})
    if said.failed:
        return Outcome(status="error", value=shown, error=shown or _NO_WORDS)
    if shown in _NOTHING and (said.shell or not said.succeeded):
        return None
    return Outcome(status="success" if said.succeeded else "unknown", value=shown)


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
    return as_text(as_object(part.get("output")).get("type")) in _TYPED_ERRORS


def _parts(parts: list[dict[str, Json]]) -> str:
    texts = [
        each["text"] if isinstance(each.get("text"), str) else _omitted(each) for each in parts
    ]
    return "\n".join(texts)


def _omitted(part: dict[str, Json]) -> str:
    kind = as_text(part.get("type")) or "content"
    mime = as_text(part.get("mimeType")) or as_text(part.get("mediaType"))
    return f"[{kind}{f' {mime}' if mime else ''} omitted]"
