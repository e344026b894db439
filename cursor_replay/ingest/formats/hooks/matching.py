"""Which call a report without an id belongs to: the same kind of call, with the same target.

Owns the kinds and targets, and the line in which calls wait for a report of theirs.
"""

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.hooks.records import parsed
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import as_object, as_text

_KINDS = {
    "shell": "shell", "read": "read", "readfile": "read", "write": "edit", "edit": "edit",
    "strreplace": "edit", "multiedit": "edit", "applypatch": "edit", "editnotebook": "edit",
}  # fmt: skip
_NAMES = {"list": "ls"}
"""Names of hooks that the tools' own table has under another word."""
_MCP = "MCP:"


@dataclass(slots=True)
class HookCall:
    """A call: ``tool`` when a tool hook named it, ``began`` and ``ended`` by what ran inside."""

    call_id: str
    kind: str
    name: str
    args: Json
    origin: Evidence
    tool: bool = False
    began: bool = False
    ended: bool = False
    over: bool = False
    inner: Outcome | None = None
    inner_at: Evidence | None = None


class _Line:
    """Calls of one target that wait for one kind of report; those that still run come first."""

    def __init__(self, told: Callable[[HookCall], bool]) -> None:
        self._told = told
        self._running: deque[HookCall] = deque()
        self._over: deque[HookCall] = deque()

    def add(self, call: HookCall) -> None:
        self._running.append(call)

    def first(self) -> HookCall | None:
        """The call a report belongs to. What has been told never waits again."""
        while self._running:
            call = self._running[0]
            told = self._told(call)
            if not (told or call.over):
                return call
            self._running.popleft()
            if not told:
                self._over.append(call)
        while self._over and self._told(self._over[0]):
            self._over.popleft()
        return self._over[0] if self._over else None


class Same:
    """Calls with the same target, in a line for each kind of report."""

    def __init__(self) -> None:
        self.begin = _Line(lambda call: call.began or call.ended)
        self.end = _Line(lambda call: call.ended)
        self.tool = _Line(lambda call: call.tool)

    def add(self, call: HookCall) -> None:
        """A new call waits for all of them."""
        for line in (self.begin, self.end, self.tool):
            line.add(call)


def tool(name: str, given: Json) -> tuple[str, Json]:
    """(name, arguments) as the tools' own table has them; MCP tools are named ``MCP:<tool>``."""
    args = parsed(given)
    if name.startswith(_MCP):
        return "mcp", {"toolName": name.removeprefix(_MCP), "arguments": as_object(args)}
    return _NAMES.get(name.lower(), name), args


def target_of(kind: str, args: Json) -> str:
    """What tells one call of a kind from another."""
    held = as_object(args)
    if kind == "shell":
        return as_text(held.get("command")) or ""
    if kind == "mcp":
        return json.dumps([held.get("toolName"), held.get("arguments")], sort_keys=True)
    return next((p for key in ("file_path", "path") if (p := as_text(held.get(key)))), "")


def kind_of(name: str) -> str:
    """The kind of a tool whose run is reported again from inside; empty for the others."""
    return "mcp" if name == "mcp" else _KINDS.get(name.lower(), "")
