"""Results of which the writer said that the call ended, and how, as hooks and ACP dumps have them.

Owns that a result may contradict the word of its writer: then the call has failed. Knows no format.
"""

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.bodies import exit_told
from cursor_replay.ingest.formats.spelled import error_words, failure_in, is_false, json_text
from cursor_replay.items import Json
from cursor_replay.lenient import as_int

_EXITS = ("exitCode", "exit_code")
_CASES = {
    "failure": "failed", "rejected": "rejected", "denied": "denied",
    "timeout": "timeout", "timedOut": "timed out",
    "permissionDenied": "permission denied", "permission_denied": "permission denied",
    "cancelled": "cancelled", "canceled": "cancelled", "aborted": "aborted",
}  # fmt: skip
_DENIED = {"ok": "failed", "deleted": "not deleted"}
_STREAMS = ("stdout", "stderr", "output", "interleavedOutput")
_TOLD = {"error", "message", "reason", "success", "isError", "is_error", *_CASES, *_DENIED}


def reported(value: Json, *, exits: bool, well: bool) -> Outcome:
    """The outcome of a result; ``exits`` when it is a command's, ``well`` when it ended well.

    A failure inside is believed, and so is the exit code of a shell, also in its text. Without any
    word, or without anything to see, the outcome is ``unknown``.
    """
    if words := failing(value):
        return Outcome(status="error", value=value, error=_with_rest(words, value))
    code = exit_code(value) if isinstance(value, dict) else exit_told(value) if exits else None
    if code is not None and exits:
        held = value if isinstance(value, dict) else {"output": value}
        return Outcome(status="success", value={**held, "exitCode": code})
    if code:
        words = _with_rest(f"exit code {code}", value)
        return Outcome(status="error", value=value, error=words)
    empty = value in (None, "", {}, [])
    return Outcome(status="success" if well and not empty else "unknown", value=value)


def failing(value: Json) -> str:
    """The words of the failure a result object tells of; empty when it tells of none."""
    if not isinstance(value, dict):
        return ""
    if words := failure_in({**value, "isError": value.get("isError", value.get("is_error"))}):
        return words
    for key, word in _CASES.items():
        case = value.get(key)
        if isinstance(case, dict) or (isinstance(case, str) and case and not is_false(case)):
            said = error_words(case or word)
            return said if said.startswith(word) else f"{word}: {said}"
    return next((word for key, word in _DENIED.items() if is_false(value.get(key))), "")


def exit_code(value: Json) -> int | None:
    """The exit code that a result names, or that its text begins or ends with."""
    if not isinstance(value, dict):
        return None
    codes = [as_int(value.get(key)) for key in _EXITS]
    if (named := next((code for code in codes if code is not None), None)) is not None:
        return named
    told = (exit_told(value[key]) for key in _STREAMS if isinstance(value.get(key), str))
    return next((code for code in told if code is not None), None)


def _with_rest(words: str, value: Json) -> str:
    """The words of a failure, and what else its result holds: a failed card shows its error."""
    if not isinstance(value, dict):
        return words
    kept = {key: each for key, each in value.items() if key not in _TOLD and each not in ("", None)}
    streams = [json_text(kept.pop(key)).rstrip() for key in _STREAMS if key in kept]
    others = [json_text(kept)] if kept.keys() - {"path", "file_path", "content"} else []
    return "\n\n".join([words, *streams, *others])
