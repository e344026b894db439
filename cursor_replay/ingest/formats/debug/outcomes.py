"""How a call went, as pi's own records tell it: flags, cards' texts, transcripts of decisions.

Owns which words of pi are a failure, and that a text alone is never a success: a transcript says
what was displayed (replay facts 1.4 and 3.0). Knows no event and no tool's arguments.
"""

import re
from typing import Literal

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.spelled import error_words, is_false, is_true, json_text
from cursor_replay.items import Json
from cursor_replay.lenient import as_object, as_text

Kind = Literal["shell", "native", "activity"]
"""pi's bash, another tool of pi's own, or a ``cursor`` card."""
_ERROR = "Error: "
"""What pi puts before every error text; an empty error is the bare word (replay facts 3.0)."""
_TOOL_ERROR = "[tool error]"
"""The first line of what an MCP tool says with ``isError``; pi's own flag stays false (3.13)."""
_FAILED_SHELL = re.compile(
    "Command (?:exited with code -?0*[1-9][0-9]*|aborted|timed out after .*"
    "|backgrounded after .* timeout)"
)
_TOOK = re.compile(r"Took [0-9]+(?:\.[0-9]+)?s")
_ELSEWHERE = ("details", "isError", "error")


def text_of(result: Json) -> str:
    """All that a result says: its text blocks, a word for an image, JSON for anything else."""
    if result is None or isinstance(result, str):
        return result or ""
    if not isinstance(result, dict):
        return json_text(result)
    content = result.get("content")
    if content is None:
        rest = {key: each for key, each in result.items() if key not in _ELSEWHERE}
        return json_text(rest) if any(each is not None for each in rest.values()) else ""
    if not isinstance(content, list):
        return content if isinstance(content, str) else json_text(content)
    return "\n".join(_part(each) for each in content)


def transcript_parts(transcript: str, kind: Kind) -> tuple[str, str]:
    """Header and body of ``header, blank line, body``; of a shell without ``Took N.Ns``."""
    head, _, body = transcript.partition("\n\n")
    body = body.rstrip()
    rest, _, last = body.rpartition("\n")
    if kind == "shell" and _TOOK.fullmatch(last):
        body = rest.rstrip()
    return head, body


def displayed(body: str, kind: Kind) -> Outcome | None:
    """The outcome of a transcript: a failure when its body says so, unknown, or nothing."""
    words = _error_in(body)
    words = _ended_badly(body, kind) if words is None else words
    if words is not None:
        return Outcome(status="error", error=words)
    return Outcome(status="unknown", value=_value(body, kind)) if body else None


def recorded(tool: dict[str, Json], kind: Kind, *, body: str = "") -> Outcome | None:
    """The outcome of pi's card ``{result, isError}``; ``body`` is what its decision displayed.

    The flag tells how it went, except that nothing is a success whose text says otherwise; without
    a flag only a failure can be told.
    """
    result = tool.get("result")
    failed, text = _flag_of(tool, result), text_of(result) or body
    if failed or as_object(result).get("error"):
        return Outcome(status="error", error=_error_words(text, result))
    words = _ended_badly(text, kind)
    if words is None and failed is None:
        words = _error_in(text)
    if words is not None:
        return Outcome(status="error", error=words)
    details = as_object(as_object(result).get("details"))
    diff = as_text(details.get("diff")) or as_text(details.get("diffString"))
    if not (text or diff) and (failed is None or result in (None, {})):
        return None
    status: Literal["success", "unknown"] = "unknown" if failed is None else "success"
    return Outcome(status=status, value=_value(text, kind, diff))


def bridged(body: dict[str, Json], kind: Kind) -> Outcome | None:
    """The outcome of a bridged call: ``resolved`` with a result, ``rejected`` with an error."""
    error, result = body.get("error"), body.get("result")
    if body.get("kind") == "rejected" or error:
        told = error_words(error) or as_text(body.get("rejectionKind")) or text_of(result)
        return Outcome(status="error", error=told)
    if result in (None, {}):
        return None
    text, inner = text_of(result), as_object(result)
    if is_true(inner.get("isError")) or inner.get("error") or _ended_badly(text, kind) is not None:
        return Outcome(status="error", error=_error_words(text, result))
    return Outcome(status="success", value=result)


def _flag_of(tool: dict[str, Json], result: Json) -> bool | None:
    """The card's flag and its result's: one that says failure outweighs the other."""
    flags = (tool.get("isError"), as_object(result).get("isError"))
    return True if any(map(is_true, flags)) else False if any(map(is_false, flags)) else None


def _error_words(text: str, result: Json) -> str:
    """An error without pi's prefix, also where a header line stands before it."""
    _, _, body = text.partition("\n\n")
    words = next((each for part in (text, body) if (each := _error_in(part)) is not None), text)
    own = error_words(as_object(result).get("error"))
    return "\n\n".join(part for part in (words, own if own != words else "") if part)


def _error_in(body: str) -> str | None:
    """The error that a body is, None when it is none."""
    if body.startswith(_ERROR):
        return body.removeprefix(_ERROR)
    return "" if body.rstrip() in ("Error", "Error:") else None


def _ended_badly(text: str, kind: Kind) -> str | None:
    """The text of a shell whose last line says how it failed, or of an MCP tool's own error."""
    if kind == "shell":
        return text if _FAILED_SHELL.fullmatch(text.rstrip().rpartition("\n")[2]) else None
    _, _, body = text.partition("\n\n")
    told = text.startswith(_TOOL_ERROR) or body.startswith(_TOOL_ERROR)
    return text if kind == "activity" and told else None


def _value(text: str, kind: Kind, diff: str | None = None) -> Json:
    """As the rows of the tools understand it: pi's own tools have an output, others a text."""
    if kind == "activity" or not (text or diff):
        return text
    return {"output": text or diff, **({"diff": diff} if diff else {})}


def _part(part: Json) -> str:
    text = part if isinstance(part, str) else as_object(part).get("text")
    if isinstance(text, str):
        return text
    return "[image]" if as_object(part).get("type") == "image" else json_text(part)
