"""The arguments of a call in a legacy ``.txt`` transcript (transcript facts 1.7).

Owns where a value ends: keys are indented by two spaces, but values go on at column 0 and may
hold such lines themselves (YAML, CSS). So a text that may hold anything ends only at a key its
tool is known for. Whatever is no key is part of a value: nothing is dropped.
"""

import json
import re
from typing import Any

from cursor_replay.items import Json

_KEY = re.compile(r"  (-?[A-Za-z_][\w-]*):(?: (.*))?", re.DOTALL)
_BODIES = {
    "contents", "content", "old_string", "new_string", "prompt", "plan", "command", "patch",
    "input", "code", "explanation", "overview", "description", "text", "query",
}  # fmt: skip
"""Values that may run over many lines of any shape."""
_INTEGERS = {
    "offset", "limit", "head_limit", "block_until_ms", "timeout", "num_results", "cell_idx",
    "-A", "-B", "-C",
}  # fmt: skip
_KEYS = {
    *_BODIES, *_INTEGERS, "path", "pattern", "glob", "output_mode", "type", "-i", "-n", "multiline",
    "glob_pattern", "target_directory", "target_directories", "working_directory", "task_id",
    "required_permissions", "shell_id", "replace_all", "edits", "paths", "search_term", "url",
    "merge", "todos", "current_step", "final_summary", "completed_subtitle", "name", "title",
    "questions", "target_mode_id", "subagent_type", "model", "readonly", "filename", "resume",
    "reference_image_paths", "server", "toolName", "arguments", "namespace", "mcpDetails",
    "tool_uses", "run_in_background", "is_background", "attachments", "target_notebook",
    "cell_language", "is_new_cell",
}  # fmt: skip
"""The keys of the tools of that time (transcript facts 1.6)."""
_AFTER_BODY = {
    "write": {"path", "contents", "content"},
    "strreplace": {"path", "old_string", "new_string", "replace_all", "edits"},
    "editnotebook": {
        "target_notebook", "cell_idx", "is_new_cell", "cell_language", "old_string", "new_string",
    },
    "createplan": {"name", "overview", "plan", "todos"},
    "task": {
        "description", "prompt", "subagent_type", "model", "readonly", "resume", "attachments",
        "run_in_background",
    },
    "shell": {
        "command", "working_directory", "description", "block_until_ms", "required_permissions",
        "timeout", "is_background",
    },
}  # fmt: skip
_FLAGS = {"true": True, "false": False}
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_MOST_BRACKETS = 400
"""No stage behind this one has to recurse deeper."""
_DIGITS = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")


def arguments(tool: str, lines: list[str]) -> Json:
    """The lines under a ``[Tool call]`` as an object, or as the text they are (a patch)."""
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        return {}
    lines = lines[lines.index(first) :]
    if not _KEY.fullmatch(first):
        return "\n".join(lines)
    found: dict[str, list[str]] = {}
    key = ""
    for line in lines:
        match = _KEY.fullmatch(line)
        if match and match[1] not in found and _may_follow(tool, key, match[1], found):
            key = match[1]
            found[key] = [match[2] or ""]
        else:
            found[key].append(line)
    return {name: _value(name, "\n".join(rows)) for name, rows in found.items()}


def _may_follow(tool: str, open_key: str, key: str, found: dict[str, list[str]]) -> bool:
    """Whether ``key`` ends the value of ``open_key``, or is a line of it."""
    if open_key not in _BODIES:
        return True
    known = _AFTER_BODY.get(tool.lower())
    if known is not None:
        return key in known
    return key in _KEYS or len(found[open_key]) == 1


def _value(key: str, text: str) -> Json:
    """A flag, a number or inline JSON where one is meant; a text stays what it is."""
    if key in _BODIES:
        return text
    text = text.rstrip("\n")
    if text in _FLAGS:
        return _FLAGS[text]
    if key in _INTEGERS and _DIGITS.fullmatch(text):
        return int(text)
    if text.startswith(("[", "{")):
        return _inline(text)
    return text


def _inline(text: str) -> Json:
    """JSON that can be told again as it stands; what would lose something stays text."""
    if text.count("[") + text.count("{") > _MOST_BRACKETS or _SURROGATE.search(text):
        return text
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse)
    except ValueError:
        return text


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that says a key twice would lose a value: it stays text."""
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError
    return dict(pairs)


def _refuse(word: str) -> Json:
    """``NaN`` is no JSON."""
    raise ValueError(word)
