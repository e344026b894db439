"""Other broken pairs, and what they are called (replay facts sections 12 and 13).

Owns the table of kinds, and the shapes of text that only imitates a call (#64, #257).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cursor_replay.diagnose.report import Problem
from cursor_replay.items import Answer, Notice


class Kind(NamedTuple):
    """One row: what a reader is told of the kind, and the codes of notices that tell of it."""

    title: str
    codes: frozenset[str] = frozenset()


KINDS: dict[str, Kind] = {
    "orphan-result": Kind("a result without a call", frozenset({"orphan-result"})),
    "second-result": Kind(
        "a call with two different results", frozenset({"completed-again", "duplicate-result"})
    ),
    "replay-executed": Kind(
        "a replayed call that pi may have run for real", frozenset({"replay-executed"})
    ),
    "replay-fault": Kind("a replay that pi could not show", frozenset({"replay-fault"})),
    "imitated-call": Kind("text that imitates a tool call"),
    "mixed-sessions": Kind("several sessions in one recording", frozenset({"another-run"})),
    "discarded-but-completed": Kind("given up by pi, and yet completed"),
    "not-discarded": Kind("without an outcome here, and not given up by pi"),
    "completed-elsewhere": Kind("open on one surface, completed on another"),
}
_BY_CODE = {code: kind for kind, row in KINDS.items() for code in row.codes}

_IMITATIONS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a transcript label",
        re.compile(r"(?:\[Tool (?:call|result)\]|Historical tool (?:request|result|error)\b)"),
    ),
    ("a call with its id", re.compile(r"Tool (?:call|result) \([\w.:-]+, *[\w.:-]+\):")),
    ("call tags", re.compile(r"</?(?:tool_call|function_calls?|invoke|tool_use)\b[^>\n]{0,80}>")),
    (
        "a call as JSON",
        re.compile(r'\{\s*"(?:tool|tool_name|name|function)"\s*:\s*"[\w.-]{1,64}"\s*,'
                   r'\s*"(?:args|arguments|input|parameters)"\s*:'),
    ),
)  # fmt: skip
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def of_notice(notice: Notice) -> Problem | None:
    """The problem that a notice tells of, or None."""
    kind = _BY_CODE.get(notice.code)
    if kind is None:
        return None
    at = notice.evidence
    return Problem(
        code=kind,
        message=notice.message,
        file=at.file if at else None,
        line=at.line if at else None,
        count=notice.count,
    )


def imitations(answer: Answer) -> Iterator[Problem]:
    """The lines of an answer that look like a call; code in fences is quoted, not imitated."""
    fence = ""
    for line in answer.text.split("\n"):
        if found := _FENCE.match(line):
            fence = "" if fence and found[1].startswith(fence) else fence or found[1]
            continue
        bare = line.strip()
        what = next((name for name, shape in _IMITATIONS if shape.match(bare)), None)
        if what and not fence:
            message = f"the agent wrote {what} as plain text; nothing was called"
            at = answer.evidence
            yield Problem(code="imitated-call", message=message, file=at.file, line=at.line)
            return
