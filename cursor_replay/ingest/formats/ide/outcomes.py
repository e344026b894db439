"""How a call of the IDE went: the one rule of what its record says (transcript facts 3).

``completed`` is the editor's own word for a success; any word, flag or exit code beside it that
says otherwise counts more. A result without a word is shown, and nothing is claimed. Knows neither
names nor arguments.
"""

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.ide.results import Look, Result
from cursor_replay.ingest.formats.ide.rows import parsed
from cursor_replay.ingest.formats.ide.table import MCP, SHELL, Tool
from cursor_replay.ingest.formats.spelled import (
    BARE,
    error_words,
    exit_of,
    failure_in,
    is_false,
    is_true,
    json_text,
)
from cursor_replay.items import Json
from cursor_replay.lenient import as_int, as_object, as_text

REJECTED = "rejected by the user"
_GOOD = {"completed", "success", "succeeded"}
_BAD = {
    "error": "failed", "failed": "failed", "failure": "failed", "cancelled": "cancelled",
    "canceled": "cancelled", "aborted": "cancelled", "interrupted": "interrupted",
    "timeout": "timed out", "timedout": "timed out", "expired": "expired", "denied": "denied",
    "permissiondenied": "permission denied", "rejected": REJECTED,
}  # fmt: skip
_STOPPED = {"cancelled", "interrupted"}
_OPEN = {"loading", "pending", "running", "generating", "streaming"}
_REFUSED = {"rejected", "reject", "denied"}
_DONE = ("success", "isApplied", "fileDeletedSuccessfully")
"""Flags that say of a result that the call did what it was to do; of a running one not yet."""
_TEXTS = ("output", "content", "result", "message")
_WORDS = {"error", "success", "isError"}
_NOTHING: tuple[Json, ...] = (None, {}, "", [])


def outcome_of(data: Result, tool: Tool, look: Look) -> tuple[Outcome | None, bool]:
    """The outcome of a ``toolFormerData``, and whether it was started and nothing more is known."""
    status = _plain(data.get("status"))
    result = parsed(data.get("result"))
    refusal = _refusal(data, result)
    if isinstance(result, dict):
        result = {key: value for key, value in result.items() if key != "rejected"}
    early = status in _OPEN and any(is_false(as_object(result).get(key)) for key in _DONE)
    value = None if early or result in _NOTHING else _value(result, tool, look)
    error = refusal or error_words(parsed(data.get("error")))
    if error or status in _BAD:
        return _bad(error, _BAD.get(status, BARE), value, tool), False
    if value is None:
        return None, status not in _GOOD
    if isinstance(value, Outcome) and value.status == "error":
        return value, False
    said = status in _GOOD or (not status and _says_success(result, value, tool))
    if isinstance(value, Outcome):
        return value, False
    return Outcome(
        status="success" if said and value is not False else "unknown", value=value
    ), False


def _plain(word: Json) -> str:
    """``Timed_Out`` -> ``timedout``."""
    kept = (char for char in (as_text(word) or "").lower() if char not in "_- ")
    return "".join(kept)


def _refusal(data: Result, result: Json) -> str:
    """``rejected`` is a flag, or an object where it is one of several cases; empty for neither."""
    rejected = as_object(result).get("rejected")
    case = isinstance(rejected, dict)
    if not (case or is_true(rejected) or _plain(data.get("userDecision")) in _REFUSED):
        return ""
    reason = as_text(as_object(rejected).get("reason"))
    return f"{REJECTED}: {reason}" if reason else REJECTED


def _says_success(result: Json, value: Json | Outcome, tool: Tool) -> bool:
    held = as_object(result)
    zero = tool is SHELL and isinstance(value, dict) and as_int(value.get("exitCode")) == 0
    return zero or isinstance(held.get("success"), dict) or any(is_true(held.get(k)) for k in _DONE)


def _value(result: Json, tool: Tool, look: Look) -> Json | Outcome:
    """What the tool's reader makes of a result, which may be wrapped in ``{success}``."""
    if not isinstance(result, dict):
        code = exit_of(result) if tool is SHELL else None
        return result if code is None else {"output": result, "exitCode": code}
    body = result["success"] if isinstance(result.get("success"), dict) else result
    value = tool.read(body, look)
    words = _told(result, tool) or _told(body, tool)
    if result.keys() == {"error"}:
        return Outcome(status="error", error=words or BARE)
    own = isinstance(value, Outcome) and value.status == "error"
    if not words or (own and words == BARE):
        return value
    return _bad(words, words, value, tool)


def _told(held: Result, tool: Tool) -> str:
    """The card of a server's tool says by itself that the tool reported an error."""
    return failure_in({**held, "isError": None} if tool is MCP else held)


def _bad(error: str, ended: str, value: Json | Outcome, tool: Tool) -> Outcome:
    """A failure in its own words, and what was there all the same."""
    if isinstance(value, Outcome):
        if value.status == "error" and error in ("", value.error):
            return value
        told, value = str(value.error or ""), value.value
    else:
        told = ""
    if tool is SHELL and isinstance(value, dict) and not error:
        if as_int(value.get("exitCode")) or as_text(value.get("signal")):
            return Outcome(value=value)
        if ended in _STOPPED and value.get("output"):
            return Outcome(value={**value, "aborted": True})
    words = [error or ended, told or _shown(value, tool)]
    return Outcome(status="error", value=value, error="\n\n".join(each for each in words if each))


def _shown(value: Json, tool: Tool) -> str:
    """The text of a value that stands beside a failure."""
    held = as_object(value)
    text = next((text for key in _TEXTS if (text := as_text(held.get(key)))), "")
    if text or tool is SHELL or value in _NOTHING:
        return text.rstrip()
    rest = {key: each for key, each in held.items() if key not in _WORDS and each not in _NOTHING}
    return json_text(rest or None) if isinstance(value, dict) else json_text(value)
