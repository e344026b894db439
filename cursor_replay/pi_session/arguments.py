"""What pi's own tools take (pi facts 1.6), and which recorded values they must not be given.

pi's views use an argument as the type it is meant to be: an object in its place leaves the HTML
export blank, and 0.84.0 writes a text in the place of a number into the page as it is.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from cursor_replay.pi_session.values import Test, is_list, is_number, is_object, is_string


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_edits(value: Any) -> bool:
    """A list of replacements."""
    return is_list(value) and all(
        is_object(each) and is_string(each.get("oldText")) and is_string(each.get("newText"))
        for each in value
    )


_PATH = {"path": is_string, "file_path": is_string}
ARGUMENTS: Mapping[str, Mapping[str, Test]] = MappingProxyType(
    {
        "read": {**_PATH, "offset": is_number, "limit": is_number},
        "bash": {"command": is_string, "timeout": is_number},
        "edit": {**_PATH, "edits": _is_edits, "oldText": is_string, "newText": is_string},
        "write": {**_PATH, "content": is_string},
        "grep": {
            "pattern": is_string,
            "path": is_string,
            "glob": is_string,
            "ignoreCase": _is_flag,
            "literal": _is_flag,
            "context": is_number,
            "limit": is_number,
        },
        "find": {"pattern": is_string, "path": is_string, "limit": is_number},
        "ls": {"path": is_string, "limit": is_number},
    }
)
"""Tool and argument to what its value has to be."""


def unfit(tool: Any, arguments: dict[str, Any]) -> list[str]:
    """The arguments whose values the tool does not take."""
    tests = ARGUMENTS.get(tool, {}) if isinstance(tool, str) else {}
    return [name for name, test in tests.items() if name in arguments and not test(arguments[name])]
