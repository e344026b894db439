"""Tool calls in protobuf JSON, as stream-json, agent messages and nested steps carry them.

Owns the two encodings (``<name>ToolCall`` keys and ``{case, value}`` oneofs), the 2025 fallback
``function``, and the result cases (SDK formats facts, 1.6, 4 and appendix A). Knows no card.
"""

import json
from typing import NamedTuple

from cursor_replay.events import Outcome
from cursor_replay.ingest.times import from_ms
from cursor_replay.items import Json, Time
from cursor_replay.lenient import as_int, as_object, as_text

_SUFFIX = "ToolCall"
_SUCCESS = {
    "success", "startSuccess", "saveSuccess", "discardSuccess", "complete", "stillRunning",
    "registered", "needsConfirmation", "async",
}  # fmt: skip
_SIBLINGS = {
    "isBackground", "sandboxPolicy", "terminalsFolder", "pid", "planUri", "hookAdditionalContexts",
}  # fmt: skip
_CASES = _SUCCESS | {
    "error", "failure", "rejected", "permissionDenied", "readPermissionDenied",
    "writePermissionDenied", "timeout", "spawnError", "fileNotFound", "notFile", "fileBusy",
    "notFound",
}  # fmt: skip
_BAD = (
    "failed", "failure", "rejected", "denied", "cancelled", "canceled", "aborted", "timeout",
    "expired", "interrupted",
)  # fmt: skip
"""Status words of other writers that mean no success, in a result that is ``_BARE`` otherwise."""
_BARE = {"status", "value", "error", "message", "reason"}
_TEXT_CASES = {"error", "rejected", "failure"}
"""Cases that older builds and other writers spell as a bare text."""
_ERROR_TEXT = (
    "message", "error", "errorMessage", "reason", "clientVisibleError", "modelVisibleError",
    "detail",
)  # fmt: skip


class ProtoCall(NamedTuple):
    """One decoded call; ``outcome`` is None while it runs."""

    name: str
    args: Json
    outcome: Outcome | None
    call_id: str | None
    started: Time | None
    completed: Time | None


def decode_call(call: dict[str, Json]) -> ProtoCall:
    """Read a ``tool_call`` object; a call without any tool in it is named ``unknown``."""
    name, body = _tool(call)
    args = body.get("args")
    return ProtoCall(
        name=name,
        args=args,
        outcome=decode_result(body.get("result"), tool=name, proto=True),
        call_id=as_text(call.get("toolCallId")) or as_text(as_object(args).get("toolCallId")),
        started=from_ms(as_int(call.get("startedAtMs"))),
        completed=from_ms(as_int(call.get("completedAtMs"))),
    )


def _tool(call: dict[str, Json]) -> tuple[str, dict[str, Json]]:
    for holder in (call.get("tool"), call):
        case = as_object(holder).get("case")
        if isinstance(case, str) and case.endswith(_SUFFIX):
            return case.removesuffix(_SUFFIX), as_object(as_object(holder).get("value"))
    for key, value in call.items():
        if key.endswith(_SUFFIX) and isinstance(value, dict):
            return key.removesuffix(_SUFFIX), value
    function = as_object(call.get("function"))
    if isinstance(function.get("name"), str):
        return function["name"], {
            "args": _parsed(function.get("arguments")),
            "result": call.get("result"),
        }
    return "unknown", {"args": None, "result": call.get("result")}


def decode_result(result: Json, *, tool: str, proto: bool = False) -> Outcome | None:
    """Any spelling of a result to an :class:`Outcome`; None when nothing was recorded.

    ``{status, value|error}`` (SDK), ``{<case>: {...}}`` with siblings, ``{result: {case, value}}``;
    anything else is the value itself with no status. ``proto`` says that a result is a case object
    for certain, also when its case is a new one.
    """
    if result is None or result == {} or (proto and not result):
        return None
    if not isinstance(result, dict):
        return Outcome(value=result)
    status = result.get("status")
    if status in ("success", "error"):
        return Outcome(status=status, value=result.get("value"), error=result.get("error"))
    if status in _BAD and result.keys() <= _BARE:
        told = next((result[key] for key in ("error", "message", "reason") if result.get(key)), "")
        return Outcome(status="error", value=result.get("value"), error=told or status)
    oneof = as_object(result.get("result"))
    if isinstance(oneof.get("case"), str):
        return _case(oneof["case"], oneof.get("value"), tool, result)
    if "result" in result and oneof and not _is_case(result):
        return decode_result(oneof, tool=tool, proto=proto)
    for key, value in result.items():
        known = key in _CASES or (proto and key not in _SIBLINGS)
        if known and (isinstance(value, dict) or key in _TEXT_CASES):
            return _case(key, value, tool, result)
    return Outcome(value=result)


def _is_case(result: dict[str, Json]) -> bool:
    return any(key in result for key in _SUCCESS | {"error", "failure", "rejected"})


def _case(case: str, value: Json, tool: str, result: dict[str, Json]) -> Outcome:
    body = _plain(value)
    extra = {key: result[key] for key in ("isBackground", "planUri") if result.get(key)}
    if isinstance(body, dict):
        body = {**body, **extra}
    if case in _SUCCESS:
        if case not in ("success", "async") and isinstance(body, dict):
            body = {**body, "case": case}
        return Outcome(status="success", value=body)
    if case == "failure" and tool in ("shell", "piBash"):  # a non-zero exit is a finished command
        return Outcome(status="success", value=body)
    return Outcome(status="error", value=body, error=_error_text(case, body))


def _error_text(case: str, body: Json) -> str:
    words = _words(case)
    found = next((as_object(body)[k] for k in _ERROR_TEXT if as_text(as_object(body).get(k))), None)
    text = found if isinstance(found, str) else body if isinstance(body, str) and body else None
    if text is None:
        limit = as_int(as_object(body).get("timeoutMs"))
        return f"{words} after {limit} ms" if limit else words
    return text if case in ("error", "failure") or text == words else f"{words}: {text}"


def _words(case: str) -> str:
    """``permissionDenied`` -> ``permission denied``."""
    return "".join(f" {char.lower()}" if char.isupper() else char for char in case).strip()


def _plain(value: Json) -> Json:
    """Fold nested ``{case, value}`` oneofs into ``{<case>: value}``, as proto JSON spells them."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"case", "value"} and isinstance(value["case"], str):
        return {value["case"]: _plain(value["value"])}
    plain: dict[str, Json] = {}
    for key, each in value.items():
        is_oneof = isinstance(each, dict) and set(each) == {"case", "value"}
        if is_oneof and isinstance(each["case"], str):
            plain[each["case"]] = _plain(each["value"])
        else:
            plain[key] = _plain(each)
    return plain


def _parsed(arguments: Json) -> Json:
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
