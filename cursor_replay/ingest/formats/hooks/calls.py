"""The calls of one generation as hooks report them (SDK formats facts 5, transcript facts 5).

Owns which reports are of one call. A tool hook (``preToolUse`` and its ends) names a call by
``tool_use_id``. What runs inside it (a command, an MCP tool, a file) is reported again without any
id: such a report belongs to the first call of its generation with the same target that it has not
told yet. It is a call of its own when there is none, so a log of those hooks alone has them all.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from cursor_replay.events import INVENTED, AnyEvent, CallCompleted, CallStarted, Outcome
from cursor_replay.ingest.formats.hooks.matching import HookCall, Same, kind_of, target_of, tool
from cursor_replay.ingest.formats.hooks.outcomes import merged
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import as_object

_TOOL = "tool"


@dataclass(slots=True)
class Configured:
    """Which hooks a log is seen to have: those that begin a call, and the kinds of ends."""

    begins: bool = False
    ends: set[str] = field(default_factory=set)


class Calls:
    """The calls since the generation began. ``mark`` makes their ids unlike those of others."""

    def __init__(self, configured: Configured, mark: str = "") -> None:
        self._configured, self._mark = configured, mark
        self._calls: dict[str, HookCall] = {}
        self._same: dict[tuple[str, str], Same] = {}
        self._loose: list[HookCall] = []
        self._made = 0

    def own(self, use: str) -> str:
        """The id of a call in the events."""
        return f"{use}{self._mark}"

    def pre(self, use: str | None, name: str, given: Json, at: Evidence) -> Iterator[AnyEvent]:
        """``preToolUse``."""
        self._configured.begins = True
        yield _started(self._of_tool(use, name, given, at), at)

    def post(
        self, use: str | None, name: str, given: Json, outcome: Outcome | None, at: Evidence
    ) -> Iterator[AnyEvent]:
        """``postToolUse`` or ``postToolUseFailure``: the end of a call."""
        self._configured.ends.add(_TOOL)
        call = self._of_tool(use, name, given, at)
        if not call.over or _fails(outcome):
            call.over = True
            told = merged(call.inner, outcome, exits=call.kind == "shell")
            yield _completed(call, told, at)

    def before(
        self, kind: str, name: str, args: Json, at: Evidence, *, held: Outcome | None = None
    ) -> Iterator[AnyEvent]:
        """Something is about to run or to be read; ``held`` is what a file holds."""
        call = self._alike(kind, args).begin.first()
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
        self._configured.ends.add(kind)
        call = self._alike(kind, args).end.first()
        if call is None:
            call = self._new(None, kind, name=name, args=args, at=at)
            yield _started(call, at)
        call.ended, call.inner, call.inner_at = True, outcome, at
        self._loose.append(call)
        if self._configured.begins and not call.tool:
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
            if told not in self._configured.ends and not call.over:
                call.over = True
                yield _completed(call, None, call.origin)
        self._calls, self._same = {}, {}

    def task(
        self, use: str, call_id: str, args: dict[str, Json], at: Evidence
    ) -> Iterator[AnyEvent]:
        """``subagentStart``: a call of its own, or the one of the tool hook with this id."""
        if use not in self._calls:
            call = self._calls[use] = HookCall(call_id, "task", "task", args, at)
            yield _started(call, at)

    def task_ended(self, use: str, outcome: Outcome, at: Evidence) -> None:
        """``subagentStop`` of a task that began."""
        self._configured.ends.add("task")
        call = self._calls[use]
        call.ended, call.inner, call.inner_at = True, outcome, at
        self._loose.append(call)

    def _of_tool(self, use: str | None, name: str, given: Json, at: Evidence) -> HookCall:
        shown, args = tool(name, given)
        kind = kind_of(shown)
        call = self._calls.get(use) if use is not None else None
        if call is None and kind:
            call = self._alike(kind, args).tool.first()
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
        key = use if use is not None else f"{INVENTED}{kind or 'call'} {self._made}"
        call = self._calls[key] = HookCall(self.own(key), kind, name, args, at)
        if kind:
            self._alike(kind, args).add(call)
        return call

    def _alike(self, kind: str, args: Json) -> Same:
        """Calls of the same target."""
        return self._same.setdefault((kind, target_of(kind, args)), Same())


def _fails(outcome: Outcome | None) -> bool:
    return outcome is not None and (
        outcome.status == "error" or bool(as_object(outcome.value).get("exitCode"))
    )


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
