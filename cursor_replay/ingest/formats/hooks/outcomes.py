"""How calls went, as the hooks tell it (SDK formats facts 5).

Owns which hook's word is believed: an end says more than what ran inside, a failure more than a
success, and what only has an output says nothing of how it went.
"""

import re
from typing import Literal

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.hooks.records import Payload, parsed
from cursor_replay.ingest.formats.reported import failing, reported
from cursor_replay.ingest.formats.spelled import is_false, is_true, json_text
from cursor_replay.items import Json
from cursor_replay.lenient import as_object

_EXIT = re.compile(
    r"\W*(?:command |process )?(?:(?:failed|exited) with |exit(?:ed)? )?(?:exit )?(?:code|status):?"
    r" (-?\d{1,6})\W*",
    re.IGNORECASE,
)
_ECHOES = {"success", "deleted"}
"""Parts of an output that say no more than that there is one."""
_FAILED = {
    "error", "failed", "aborted", "cancelled", "canceled", "rejected", "denied", "timeout",
    "timed_out",
}  # fmt: skip


def tool_outcome(record: Payload, *, exits: bool) -> Outcome | None:
    """The output of a call that the tool hook calls a success."""
    value = parsed(record.tool_output)
    if value in (None, ""):
        return None
    told = reported(value, exits=exits, well=True)
    if record.duration is None or "exitCode" not in as_object(told.value):
        return told
    timed = {**as_object(told.value), "executionTime": record.duration}
    return Outcome(status=told.status, value=timed, error=told.error)


def failure(error: str | None, word: str | None, *, interrupted: bool, exits: bool) -> Outcome:
    """The outcome of ``postToolUseFailure``: its error, and why where that says more.

    A command that exited with another code than zero has run: its output is shown.
    """
    why = "interrupted" if interrupted else (word or "error").replace("_", " ")
    if why != "error":
        return Outcome(status="error", error=f"{why}: {error}" if error else why)
    code = _EXIT.fullmatch(error) if error and exits else None
    if code and int(code[1]):
        return Outcome(status="success", value={"exitCode": int(code[1])})
    return Outcome(status="error", error=error or "failed")


def ran(record: Payload) -> Outcome:
    """``afterShellExecution``: an output, which says nothing of success."""
    value: dict[str, Json] = {"output": record.output or ""}
    if record.exit_code is not None:
        value["exitCode"] = record.exit_code
    told = reported(value, exits=True, well=False)
    timed = {**as_object(told.value), "executionTime": record.duration}
    return Outcome(status=told.status, value=timed, error=told.error)


def answered(record: Payload) -> Outcome | None:
    """``afterMCPExecution``: content without ``isError`` is what the protocol calls a success."""
    value = parsed(record.result_json)
    if value in (None, ""):
        return None
    held = as_object(value)
    well = isinstance(held.get("content"), list) or is_false(held.get("isError"))
    return reported(value, exits=False, well=well)


def edited(record: Payload) -> Outcome:
    """``afterFileEdit``: what was edited is there to be seen."""
    return Outcome(status="success" if record.edits else "unknown")


def returned(record: Payload) -> Outcome:
    """What a sub-agent reported back."""
    value = {
        "result": record.summary,
        "agentId": record.subagent_id,
        "durationMs": record.duration_ms,
        "transcriptPath": record.agent_transcript_path,
    }
    kept = {key: each for key, each in value.items() if each is not None}
    word = (record.status or "").lower()
    if word in _FAILED or record.error_message:
        return Outcome(status="error", value=kept, error=record.error_message or word)
    status: Literal["success", "unknown"] = "success" if word == "completed" else "unknown"
    return Outcome(status=status, value=kept)


def merged(inner: Outcome | None, outcome: Outcome | None, *, exits: bool) -> Outcome | None:
    """The end of a call with what ran inside it; ``inner`` may be a failure of its own."""
    if inner is None:
        return outcome and _without_echoes(outcome)
    if outcome is None:
        return inner
    told = as_object(inner.value)
    if outcome.status == "error":
        return _with_output(outcome, told) if exits else outcome
    if inner.status == "error":
        return inner
    held = _without_echoes(outcome)
    value = {"output": held.value} if exits and isinstance(held.value, str) else held.value
    if not isinstance(value, dict) and value is not None:
        return held
    known = next((each for each in (held, inner) if each.status == "success"), held)
    return Outcome(status=known.status, value={**told, **(value or {})} or None)


def _with_output(outcome: Outcome, told: dict[str, Json]) -> Outcome:
    """A failed card shows its error alone: the output of its command stands there as well."""
    output = told.get("output")
    words = json_text(outcome.error)
    if not isinstance(output, str) or not output.strip() or output.strip() in words:
        return outcome
    return Outcome(status="error", value=outcome.value, error=f"{words}\n\n{output.rstrip()}")


def _without_echoes(outcome: Outcome) -> Outcome:
    if outcome.status == "error" or not isinstance(outcome.value, dict) or failing(outcome.value):
        return outcome
    value = {
        key: each
        for key, each in outcome.value.items()
        if not (key in _ECHOES and is_true(each)) and key not in ("file_path", "path")
    }
    return Outcome(status=outcome.status, value=value or None)
