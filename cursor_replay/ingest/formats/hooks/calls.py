"""The calls of one generation as hooks report them (SDK formats facts 5, transcript facts 5).

Owns which reports are of one call. A tool hook (``preToolUse`` and its ends) names a call by
``tool_use_id``. What runs inside it (a command, an MCP tool, a file) is reported again without any
id: such a report belongs to the first call of its generation with the same target that it has not
told yet. It is a call of its own when there is none, so a log of those hooks alone has them all.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cursor_replay.events import AnyEvent, CallCompleted, CallStarted, Outcome
from cursor_replay.ingest.jsontext import decode
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import as_object, as_text

_KINDS = {
    "shell": "shell", "read": "read", "readfile": "read", "write": "edit", "edit": "edit",
    "strreplace": "edit", "multiedit": "edit", "applypatch": "edit", "editnotebook": "edit",
}  # fmt: skip
_NAMES = {"list": "ls"}
"""Names of hooks that the tools' own table has under another word."""
_MCP = "MCP:"
_TOOL = "tool"
_EXIT = re.compile(r"exit(?:ed)?(?: with)?(?: code)? (-?\d{1,6})", re.IGNORECASE)
_ECHOES = {"success", "deleted"}
"""Parts of an output that say no more than that there is one."""


@dataclass(slots=True)
class HookCall:
    """A call: ``tool`` when a tool hook named it, ``began`` and ``ended`` by what ran inside."""

    call_id: str
    kind: str
    target: str
    name: str
    args: Json
    origin: Evidence
    tool: bool = False
    began: bool = False
    ended: bool = False
    over: bool = False
    inner: Outcome | None = None
    inner_at: Evidence | None = None


class Calls:
    """The calls since the generation began."""

    def __init__(self) -> None:
        self._calls: dict[str, HookCall] = {}
        self._same: dict[tuple[str, str], list[HookCall]] = {}
        self._loose: list[HookCall] = []
        self._made = 0
        self._begins = False
        self._ends: set[str] = set()

    def pre(self, use: str | None, name: str, given: Json, at: Evidence) -> Iterator[AnyEvent]:
        """``preToolUse``."""
        self._begins = True
        yield _started(self._of_tool(use, name, given, at), at)

    def post(
        self, use: str | None, name: str, given: Json, outcome: Outcome | None, at: Evidence
    ) -> Iterator[AnyEvent]:
        """``postToolUse`` or ``postToolUseFailure``: the end of a call."""
        self._ends.add(_TOOL)
        call = self._of_tool(use, name, given, at)
        if not call.over or (outcome is not None and outcome.status == "error"):
            call.over = True
            yield _completed(call, _merged(call, outcome), at)

    def before(
        self, kind: str, name: str, args: Json, at: Evidence, *, held: Outcome | None = None
    ) -> Iterator[AnyEvent]:
        """Something is about to run or to be read; ``held`` is what a file holds."""
        target = target_of(kind, args)
        call = next((c for c in self._alike(kind, target) if not (c.began or c.ended)), None)
        if call is None:
            call = self._new(None, kind, name=name, args=args, at=at)
            yield _started(call, at)
        elif isinstance(args, dict) and isinstance(call.args, dict):
            call.args = {**args, **call.args}
        call.began, call.inner = True, call.inner or held

    def after(
        self, kind: str, name: str, args: Json, outcome: Outcome | None, at: Evidence
    ) -> Iterator[AnyEvent]:
        """Something ran: kept while a tool hook that may follow can say more."""
        self._ends.add(kind)
        target = target_of(kind, args)
        call = next((c for c in self._alike(kind, target) if not c.ended), None)
        if call is None:
            call = self._new(None, kind, name=name, args=args, at=at)
            yield _started(call, at)
        call.ended, call.inner, call.inner_at = True, outcome, at
        self._loose.append(call)
        if self._begins and not call.tool:
            yield from self._end(call)

    def settle(self) -> Iterator[AnyEvent]:
        """What ended inside, and was not told by a tool hook, ends before the agent goes on."""
        loose, self._loose = self._loose, []
        for call in loose:
            yield from self._end(call)

    @staticmethod
    def _end(call: HookCall) -> Iterator[AnyEvent]:
        if not call.over:
            call.over = True
            yield _completed(call, call.inner, call.inner_at or call.origin)

    def close(self) -> Iterator[AnyEvent]:
        """The generation is over.

        What only began stays open, unless this log tells of no such end at all: a read has no
        hook for it, and others need not be configured. Then nothing is known of its outcome.
        """
        yield from self.settle()
        for call in self._calls.values():
            told = _TOOL if call.tool else call.kind
            if told not in self._ends and not call.over:
                call.over = True
                yield _completed(call, None, call.origin)
        self._calls, self._same = {}, {}

    def task(self, call_id: str, args: dict[str, Json], at: Evidence) -> Iterator[AnyEvent]:
        """``subagentStart``: a call of its own, or the one of the tool hook with this id."""
        call = self._calls.get(call_id)
        if call is None:
            call = self._calls[call_id] = HookCall(call_id, "task", call_id, "task", args, at)
            yield _started(call, at)

    def task_ended(self, call_id: str, outcome: Outcome, at: Evidence) -> None:
        """``subagentStop`` of a task that began."""
        self._ends.add("task")
        call = self._calls[call_id]
        call.ended, call.inner, call.inner_at = True, outcome, at
        self._loose.append(call)

    def _of_tool(self, use: str | None, name: str, given: Json, at: Evidence) -> HookCall:
        shown, args = tool(name, given)
        kind = "mcp" if shown == "mcp" else _KINDS.get(shown.lower(), "")
        target = target_of(kind, args)
        call = self._calls.get(use) if use is not None else None
        if call is None and kind:
            call = next((c for c in self._alike(kind, target) if not c.tool), None)
            if call is not None and use is not None:
                self._calls[use] = call
        if call is None:
            call = self._new(use, kind, name=shown, args=args, at=at)
        call.tool, call.name = True, shown
        if kind in ("shell", "mcp") and isinstance(args, dict):
            call.args = {**as_object(call.args), **args}
        elif args not in (None, {}):
            call.args = args
        return call

    def _new(self, use: str | None, kind: str, *, name: str, args: Json, at: Evidence) -> HookCall:
        self._made += 1
        target = target_of(kind, args)
        call_id = use if use is not None else f"{kind or 'call'} without an id {self._made}"
        call = self._calls[call_id] = HookCall(call_id, kind, target, name, args, at)
        if kind:
            self._same.setdefault((kind, target), []).append(call)
        return call

    def _alike(self, kind: str, target: str) -> Iterator[HookCall]:
        """Calls of the same target, those that still run first."""
        yield from sorted(self._same.get((kind, target), ()), key=lambda call: call.over)


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


def parsed(value: Json) -> Json:
    """JSON inside a string (also with raw line ends in it); another text is that text."""
    if not isinstance(value, str) or not value.startswith(("{", "[")):
        return value
    found = decode(value.encode("utf-8", "replace")).values
    if len(found) == 1:
        return found[0]
    try:
        return json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return value


def failure(error: str | None, word: str | None, *, interrupted: bool) -> Outcome:
    """The outcome of ``postToolUseFailure``: its error, and why where that says more."""
    why = "interrupted" if interrupted else (word or "error").replace("_", " ")
    if why == "error":
        return Outcome(status="error", error=error or "failed")
    return Outcome(status="error", error=f"{why}: {error}" if error else why)


def _merged(call: HookCall, outcome: Outcome | None) -> Outcome | None:
    """The end of a call with what ran inside it; a non-zero exit is a finished command."""
    inner = call.inner
    if outcome is None:
        return inner
    told = as_object(inner.value) if inner else {}
    if outcome.status == "error":
        code = _EXIT.search(outcome.error) if isinstance(outcome.error, str) else None
        if call.kind != "shell" or code is None or not code[1].strip("0"):
            return outcome
        return Outcome(status="success", value={**told, "exitCode": int(code[1])})
    if not isinstance(outcome.value, dict):
        return outcome
    value = {
        key: each
        for key, each in outcome.value.items()
        if not (each is True and key in _ECHOES) and key not in ("file_path", "path")
    }
    return Outcome(status=outcome.status, value={**told, **value} or None, error=outcome.error)


def _started(call: HookCall, at: Evidence) -> CallStarted:
    return CallStarted(
        origin=at, channel="message", call_id=call.call_id, name=call.name, args=call.args
    )


def _completed(call: HookCall, outcome: Outcome | None, at: Evidence) -> CallCompleted:
    return CallCompleted(
        origin=at,
        channel="message",
        call_id=call.call_id,
        name=call.name,
        args=call.args,
        outcome=outcome,
    )
