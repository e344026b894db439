"""What stores spell in many ways: flags, exit codes in a text, the words of a failure.

Owns the rule that a failure is believed in any spelling, and a success only when it is said. Knows
no record and no tool.
"""

import json
import re

from cursor_replay.items import Json
from cursor_replay.lenient import as_object, as_text

_TRUE, _FALSE = {"true", "1", "yes"}, {"false", "0", "no"}
_EXIT = re.compile(r"\s*(?:Exit code: |Command exited with code )(-?\d{1,10})\b")
_LAST = re.compile(r"Command exited with code (-?\d{1,10})\.?")
_ERROR_TEXT = (
    "clientVisibleErrorMessage", "modelVisibleErrorMessage", "message", "error", "errorMessage",
    "reason", "detail",
)  # fmt: skip
BARE = "failed"
"""What is said of a failure that has no words."""
_BAD_ENDS = ("rejected", "timeout", "timedOut", "cancelled", "canceled", "aborted")
"""Keys that are true, or hold an object, where a call ended so."""


def is_true(value: Json) -> bool:
    """``true``, ``"true"`` or 1."""
    return value is True or _spelled(value) in _TRUE


def is_false(value: Json) -> bool:
    """``false``, ``"false"`` or 0; what is absent says nothing."""
    return value is False or _spelled(value) in _FALSE


def _spelled(value: Json) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    if isinstance(value, str):
        return value.strip().lower()
    return "1" if value == 1 else "0" if value == 0 else ""


def exit_of(text: Json) -> int | None:
    """The exit code that the text of a shell result begins or ends with (transcript facts 2)."""
    if not isinstance(text, str):
        return None
    found = _EXIT.match(text) or _LAST.fullmatch(text.rstrip().rpartition("\n")[2])
    return int(found[1]) if found else None


def json_text(value: Json) -> str:
    """Compact JSON of what stands in a text's place; a text is itself, and nothing is empty."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def error_words(error: Json) -> str:
    """What a recorded error says; empty when there is none."""
    if isinstance(error, str):
        return error.strip()
    if not error:
        return ""
    if error is True:
        return BARE
    held = as_object(error)
    return next((text for key in _ERROR_TEXT if (text := as_text(held.get(key)))), json_text(error))


def failure_in(value: Json) -> str:
    """The words of a failure that a result object tells itself; empty when it tells none."""
    held = as_object(value)
    told = error_words(held.get("error"))
    if told:
        return told
    bad = next((key for key in _BAD_ENDS if held.get(key) is True or _is_case(held, key)), None)
    if bad is None and not is_false(held.get("success")):
        return "" if not is_true(held.get("isError")) else _reason(held) or _parts(held) or BARE
    ended = _worded(bad) if bad else BARE
    reason = _reason(as_object(held.get(bad or ""))) or _reason(held)
    return f"{ended}: {reason}" if reason and bad else reason or ended


def _is_case(held: dict[str, Json], key: str) -> bool:
    value = held.get(key)
    return isinstance(value, dict) or (isinstance(value, str) and is_true(value))


def _worded(key: str) -> str:
    """``timedOut`` -> ``timed out``."""
    return "".join(f" {char.lower()}" if char.isupper() else char for char in key)


def _reason(held: dict[str, Json]) -> str:
    return next((text for key in _ERROR_TEXT if (text := as_text(held.get(key)))), "")


def _parts(held: dict[str, Json]) -> str:
    """The texts of content parts, and a placeholder for what is none."""
    content = held.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(map(_part, content)) if isinstance(content, list) else ""


def _part(part: Json) -> str:
    text = as_object(part).get("text", part if isinstance(part, str) else None)
    text = text.get("text") if isinstance(text, dict) else text
    kind = as_text(as_object(part).get("type")) or "content"
    return text if isinstance(text, str) else f"[{kind} omitted]"
