"""Results of which a transcript holds a body, and perhaps a word of how the call went.

Owns when such a result is a failure and when it is a success: the first in any spelling, the
second only when it is said. Knows no format.
"""

import re

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.spelled import (
    error_words,
    exit_of,
    failure_in,
    is_false,
    is_true,
    json_text,
)
from cursor_replay.items import Json
from cursor_replay.lenient import as_int, as_object

_SHELLS = {"bash", "shell", "run_terminal_cmd", "run_terminal_command", "run_terminal_command_v2"}
_SHELL_FIELDS = {
    "stdout", "stderr", "output", "interleavedOutput", "exitCode", "exit_code", "signal", "aborted",
    "executionTime", "isBackground", "backgroundReason",
}  # fmt: skip
_FAILED = {
    "error", "failed", "failure", "rejected", "denied", "timeout", "timed_out", "cancelled",
    "canceled", "aborted",
}  # fmt: skip
_GENERIC = {"error", "failed", "failure"}
"""Words that add nothing to a text that is there."""
_WENT_WELL = {"success", "succeeded", "ok"}
_EXIT_LINE = re.compile(
    r"\W*(?:(?:command|process) )?(?:(?:exited|failed|finished|completed) with )?"
    r"exit code:? (-?\d{1,10})\W*",
    re.IGNORECASE,
)
_PI_LINE = "Command exited with code"


def is_shell(tool: str) -> bool:
    """Whether the text of a tool's result may say an exit code."""
    return tool.lower() in _SHELLS


def exit_told(text: Json) -> int | None:
    """The exit code that the first or the last line of a text says."""
    if not isinstance(text, str):
        return None
    code = exit_of(text)
    if code is not None:
        return code
    first, _, rest = text.strip().partition("\n")
    lines = (_EXIT_LINE.fullmatch(line) for line in (first, rest.rpartition("\n")[2]))
    found = next((match for match in lines if match), None)
    return int(found[1]) if found else None


def body_outcome(tool: str, body: Json, fields: dict[str, Json] | None = None) -> Outcome | None:
    """The outcome of a result with this body; ``fields`` are what stands beside it.

    None when nothing at all is there. A body alone is ``unknown``: it is shown, and only a
    non-zero exit of a shell in it is believed.
    """
    beside, shell = fields or {}, is_shell(tool)
    if shell and not _is_shells(body):
        body = json_text(body)
    words = _failure(beside) or _failure(as_object(body))
    code = exit_field(beside, as_object(body)) or (exit_told(body) if shell else None)
    if words or (code and not shell):
        told = json_text(body)
        parts = ["" if told and words in _GENERIC else words, told, _exit_line(code)]
        return Outcome(status="error", value=body, error="\n\n".join(_distinct(parts)))
    if code:
        given = body if isinstance(body, dict) else {"output": _unended(body)}
        return Outcome(status="unknown", value={**given, "exitCode": code})
    if _went_well(beside) or _went_well(as_object(body)):
        return Outcome(status="success", value=body)
    return None if body is None else Outcome(status="unknown", value=body)


def _is_shells(body: Json) -> bool:
    """Whether a shell's card shows all of a body; any other one is shown as the JSON it is."""
    return body is None or isinstance(body, str) or _SHELL_FIELDS.issuperset(as_object(body) or "?")


def _failure(held: dict[str, Json]) -> str:
    """The words of a failure among fields; a status word only where no other is there."""
    status = held.get("status")
    word = status.lower() if isinstance(status, str) and status.lower() in _FAILED else ""
    return failure_in(held) or word or error_words(is_true(held.get("is_error")))


def exit_field(*places: dict[str, Json]) -> int | None:
    """The exit code of a field; zero only when no other one is told."""
    codes = [as_int(held.get(key)) for held in places for key in ("exitCode", "exit_code")]
    known = [code for code in codes if code is not None]
    return next((code for code in known if code), known[0] if known else None)


def _went_well(held: dict[str, Json]) -> bool:
    status, case = held.get("status"), held.get("success")
    said = isinstance(status, str) and status.lower() in _WENT_WELL
    flagged = is_true(case) or isinstance(case, dict) or is_false(held.get("isError"))
    return said or flagged or exit_field(held) == 0


def _exit_line(code: int | None) -> str:
    return f"{_PI_LINE} {code}" if code else ""


def _unended(body: Json) -> str:
    """The output without pi's line about its end, which the card says again."""
    text = json_text(body)
    rest, _, last = text.rstrip().rpartition("\n")
    return rest.rstrip() if last.startswith(_PI_LINE) else text


def _distinct(parts: list[str]) -> list[str]:
    """The parts that say something, without one whose lines stand in another."""
    told = [part for part in dict.fromkeys(parts) if part]
    return [
        part
        for part in told
        if not any(part != other and f"\n{part}\n" in f"\n{other}\n" for other in told)
    ]
