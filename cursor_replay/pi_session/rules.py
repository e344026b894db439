"""What one line of a pi session must hold by itself, as tables.

A row is (code, where the value stands, what it has to be). The codes and their words are in
`codes.py` and `entry_codes.py`; every row is a line of the table in pi facts 1.4.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from cursor_replay.pi_session.arguments import unfit
from cursor_replay.pi_session.findings import Finding, found
from cursor_replay.pi_session.values import (
    ABSENT,
    Object,
    Test,
    as_number,
    at,
    has_cost,
    has_counts,
    if_there,
    is_call_id,
    is_filled,
    is_list,
    is_name,
    is_number,
    is_object,
    is_replacement,
    is_string,
    is_there,
    is_words,
    one_of,
    type_of,
)


class Rule(NamedTuple):
    """The value at ``path`` has to pass ``test``, which also sees :data:`ABSENT`."""

    code: str
    path: tuple[str, ...]
    test: Test


_SESSION_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")

_CONTENT = (
    Rule("content-absent", ("content",), is_there),
    Rule("content-not-a-list", ("content",), if_there(is_list)),
)
_SPOKEN = (
    Rule("content-absent", ("content",), is_there),
    Rule("content-not-a-list", ("content",), if_there(is_words)),
)
_USAGE = (
    Rule("usage-without-cost", ("usage", "cost"), is_object),
    Rule("usage-incomplete", ("usage",), has_counts),
)
_OPTIONAL_USAGE = Rule("usage-without-cost", ("usage",), if_there(has_cost))
_STOPS = ("stop", "length", "toolUse", "error", "aborted", "deferred")
_LEVELS = ("off", "minimal", "low", "medium", "high", "xhigh", "max")

ENTRIES: dict[str, tuple[Rule, ...]] = {
    "message": (),
    "model_change": (
        Rule("no-model", ("provider",), is_name),
        Rule("no-model", ("modelId",), is_name),
    ),
    "thinking_level_change": (Rule("thinking-level", ("thinkingLevel",), one_of(*_LEVELS)),),
    "session_info": (Rule("name-not-a-string", ("name",), if_there(is_string)),),
    "label": (),
    "custom": (),
    "custom_message": _SPOKEN,
    "compaction": (
        _OPTIONAL_USAGE,
        Rule("compaction-tokens", ("tokensBefore",), is_number),
        Rule("compaction-summary", ("summary",), is_string),
    ),
    "branch_summary": (Rule("summary-missing", ("summary",), is_string), _OPTIONAL_USAGE),
    "usage": _USAGE,
    "context_edit": (Rule("context-edit", ("replacement",), is_replacement),),
}
"""The types of entries both versions load (pi facts 1.2)."""

MESSAGES: dict[str, tuple[Rule, ...]] = {
    "user": (
        *_SPOKEN,
        Rule("user-content-empty", ("content",), is_filled),
    ),
    "assistant": (
        *_CONTENT,
        *_USAGE,
        Rule("unknown-stop-reason", ("stopReason",), if_there(one_of(*_STOPS))),
        Rule("no-model", ("provider",), is_name),
        Rule("no-model", ("model",), is_name),
    ),
    "toolResult": (
        *_CONTENT,
        _OPTIONAL_USAGE,
        Rule("result-without-call-id", ("toolCallId",), is_name),
    ),
    "bashExecution": (
        Rule("bash-incomplete", ("command",), is_string),
        Rule("bash-incomplete", ("output",), is_string),
    ),
    "system": (),
    "custom": _SPOKEN,
}
"""The roles of messages (pi facts 1.3)."""

_IMAGE = (
    Rule("image-incomplete", ("data",), is_name),
    Rule("image-incomplete", ("mimeType",), is_name),
)
_TOLD = {"text": (Rule("text-missing", ("text",), is_string),), "image": _IMAGE}
BLOCKS: dict[str, dict[str, tuple[Rule, ...]]] = {
    "user": _TOLD,
    "custom": _TOLD,
    "custom_message": _TOLD,
    "toolResult": _TOLD,
    "assistant": {
        "text": (Rule("text-without-text", ("text",), is_string),),
        "thinking": (Rule("thinking-without-thinking", ("thinking",), is_string),),
        "toolCall": (
            Rule("call-without-id", ("id",), is_name),
            Rule("odd-call-id", ("id",), is_call_id),
            Rule("call-arguments", ("arguments",), is_object),
            Rule("call-without-name", ("name",), is_name),
        ),
    },
}
"""The blocks of a content, by who speaks."""


def header_faults(header: Object, line: int) -> Iterator[Finding]:
    """What is wrong with the first line; whether ``cwd`` exists is for somebody else to see."""
    name, version = header.get("id", ABSENT), header.get("version", ABSENT)
    if not isinstance(name, str):
        yield found("header-id", line, type=type_of(name))
    elif _SESSION_ID.fullmatch(name) is None:
        yield found("odd-session-id", line)
    number = as_number(version)
    if number < 2:
        yield found("version-1", line)
    elif not number >= 3:
        yield found("old-version", line)
    elif version != 3:
        yield found("other-version", line)
    if not is_name(header.get("cwd")):
        yield found("no-cwd", line, type=type_of(header.get("cwd", ABSENT)))


def is_linear(header: Object) -> bool:
    """Whether pi makes one line of the entries, with new ids: what it does with version 1."""
    return as_number(header.get("version", ABSENT)) < 2


def entry_faults(entry: Object, line: int) -> Iterator[Finding]:
    """What is wrong with one entry by itself."""
    kind = entry.get("type")
    rules = ENTRIES.get(kind) if isinstance(kind, str) else None
    if rules is None:
        yield found("unknown-type", line)
        return
    yield from _broken(entry, rules, line)
    if kind == "message":
        yield from _message_faults(entry.get("message", ABSENT), line)
    elif kind == "custom_message":
        yield from _block_faults(entry.get("content"), kind, line)


def _message_faults(message: Any, line: int) -> Iterator[Finding]:
    if not isinstance(message, dict):
        code = "message-not-object" if is_there(message) else "no-message"
        yield found(code, line, type=type_of(message))
        return
    role = message.get("role")
    rules = MESSAGES.get(role) if isinstance(role, str) else None
    if rules is None or role is None:
        yield found("unknown-role", line)
        return
    yield from _broken(message, rules, line)
    if role in BLOCKS:
        yield from _block_faults(message.get("content"), role, line)
    if message.get("role") == "toolResult" and message.get("toolName") == "edit":
        yield from _edit_faults(message, line)


def _edit_faults(message: Object, line: int) -> Iterator[Finding]:
    """A finished edit is drawn from ``details.diff`` alone (pi facts 0), a failed one is not.

    The page splits whatever is there that JavaScript takes for true.
    """
    diff = at(message, ("details", "diff"))
    if is_string(diff):
        return
    if is_there(diff) and diff not in (0, False):
        yield found("diff-not-text", line, type=type_of(diff))
    elif not message.get("isError"):
        yield found("edit-without-diff", line)


def _argument_faults(call: Object, line: int) -> Iterator[Finding]:
    """Arguments that break the page; of one kind one is told."""
    arguments = call.get("arguments")
    if not isinstance(arguments, dict):
        return
    wrong = [(name, arguments[name]) for name in unfit(call.get("name"), arguments)]
    objects = [value for name, value in wrong if name != "edits" and is_object(value)]
    if objects:
        yield found("argument-object", line, type=type_of(objects[0]))
    if any(is_string(value) and "<" in value for _, value in wrong):
        yield found("argument-markup", line)


def _block_faults(content: Any, speaker: str, line: int) -> Iterator[Finding]:
    known = BLOCKS[speaker]
    for block in content if isinstance(content, list) else ():
        if block is None:
            yield found("block-null", line)
            continue
        kind = block.get("type") if isinstance(block, dict) else None
        rules = known.get(kind) if isinstance(kind, str) else None
        if rules is None:
            yield found("unknown-block", line)
        else:
            yield from _broken(block, rules, line)
            if kind == "toolCall":
                yield from _argument_faults(block, line)


def _broken(value: Object, rules: tuple[Rule, ...], line: int) -> Iterator[Finding]:
    """One finding a code: several fields of one kind are one fault."""
    told = set()
    for code, path, test in rules:
        there = at(value, path)
        if code not in told and not test(there):
            told.add(code)
            yield found(code, line, type=type_of(there))
