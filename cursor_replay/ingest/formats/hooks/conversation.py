"""The events of one conversation's payloads, a generation at a time (transcript facts 5).

Owns what each hook tells, and that a generation ends once. A payload of a generation that is over
still finds its calls.
"""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from cursor_replay.events import (
    AnyEvent,
    Noted,
    Outcome,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
    UsageSeen,
)
from cursor_replay.ingest.formats.hooks.calls import Calls, Configured
from cursor_replay.ingest.formats.hooks.matching import kind_of, tool
from cursor_replay.ingest.formats.hooks.outcomes import (
    answered,
    edited,
    failure,
    ran,
    returned,
    tool_outcome,
)
from cursor_replay.ingest.formats.hooks.records import (
    Payload,
    command,
    compaction,
    file_args,
    has_usage,
    mcp_args,
    prompted,
)
from cursor_replay.ingest.formats.spelled import is_true
from cursor_replay.items import Evidence, Json

KNOWN = {
    "sessionStart", "sessionEnd", "beforeSubmitPrompt", "stop", "preToolUse", "postToolUse",
    "postToolUseFailure", "beforeShellExecution", "afterShellExecution", "beforeMCPExecution",
    "afterMCPExecution", "beforeReadFile", "afterFileEdit", "afterTabFileEdit",
    "afterAgentResponse", "afterAgentThought", "preCompact", "subagentStart", "subagentStop",
}  # fmt: skip
OF_SESSIONS = {"sessionStart", "sessionEnd"}
_SPOKEN = {
    "beforeSubmitPrompt", "afterAgentResponse", "afterAgentThought", "stop", "sessionEnd",
    "preCompact",
}  # fmt: skip
"""What comes only when no call's end is still to be told."""
_WORK = KNOWN - OF_SESSIONS - {"stop"}
_ENDS = {"completed": "success", "failed": "error"}
_MOST_GENERATIONS = 8
"""Generations of a conversation whose calls may still be told more of."""


@dataclass(slots=True)
class Task:
    """A sub-agent: the id its hooks know its call by, and that of the call in the events."""

    use: str
    call_id: str


class Conversation:
    """The calls of its generations, and whether a turn is under way.

    ``mark`` tells its calls from those of other conversations; the first generation of the run
    that the log is mainly of needs none. ``tasks`` are those of all conversations of the log.
    """

    def __init__(
        self, configured: Configured, tasks: dict[str, Task], mark: str | None = None
    ) -> None:
        self._configured, self._tasks, self._mark = configured, tasks, mark
        self._generation: str | None = None
        self._generations: OrderedDict[str | None, Calls] = OrderedDict()
        self._stopped: tuple[str | None, str] | None = None
        self.idle = True

    def begins(self, record: Payload) -> bool:
        """Whether a payload is the first of a new generation."""
        return record.generation_id is not None and record.generation_id not in self._generations

    def feed(self, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        """Events of one payload."""
        generation = record.generation_id or self._generation
        if generation not in self._generations:
            yield from self.close()
            self._begin(generation)
        calls = self._generations[generation]
        if record.hook_event_name in _SPOKEN:
            yield from calls.settle()
        if record.hook_event_name in _WORK:
            self.idle, self._stopped = False, None
        yield from self._of(calls, record, origin)

    def close(self) -> Iterator[AnyEvent]:
        """The generation is over."""
        for calls in self._generations.values():
            yield from calls.close()

    def _begin(self, generation: str | None) -> None:
        mark = "" if self._mark is None and not self._generations else f" in {self._mark or ''}"
        own = f"{mark} {generation}" if mark and generation else mark
        self._generations[generation] = Calls(self._configured, own)
        self._generation = generation
        if len(self._generations) > _MOST_GENERATIONS:
            self._generations.popitem(last=False)

    def _of(self, calls: Calls, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        match record.hook_event_name:
            case "sessionStart":
                pass
            case "beforeSubmitPrompt":
                yield prompted(record, origin)
            case "afterAgentThought":
                ms = record.duration_ms
                yield ThoughtSeen(origin=origin, text=record.text or "", duration_ms=ms)
            case "afterAgentResponse":
                yield TextSeen(origin=origin, text=record.text or "")
                if has_usage(record):
                    yield UsageSeen(origin=origin, usage=record.usage())
            case "stop" | "sessionEnd":
                yield from self._end(record, origin)
            case "preCompact":
                yield _note(origin, "compaction", compaction(record))
            case "subagentStart" | "subagentStop":
                yield from self._subagent(calls, record, origin)
            case "preToolUse" | "postToolUse" | "postToolUseFailure":
                yield from _of_tool(calls, record, origin)
            case name if name in KNOWN:
                yield from _inner(calls, record, origin)
            case _:
                words = "a hook unknown here"
                yield Noted(origin=origin, code="unknown-record", message=words, problem=True)

    def _end(self, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        """``stop`` ends the turn; the end of the session does where nothing else did."""
        word = (record.status or record.final_status or record.reason or "unknown").lower()
        generation = record.generation_id or self._generation
        if record.hook_event_name == "sessionEnd" and self.idle:
            yield _note(origin, "session-end", f"the session ended: {word}")
            return
        if self._stopped is not None and self._stopped[0] == generation:
            words = f"the turn had ended ({self._stopped[1]}) and ends again: {word}"
            yield _note(origin, "ended-again", words)
            return
        yield from self.close()
        self.idle, self._stopped = True, (generation, word)
        yield TurnEnded(
            origin=origin,
            status=_ENDS.get(word, word),
            reason=record.error_message,
            duration_ms=record.duration_ms,
            usage=record.usage() if has_usage(record) else None,
        )

    def _subagent(self, calls: Calls, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
        child = record.subagent_id or ""
        starts = record.hook_event_name == "subagentStart"
        use = record.tool_call_id or f"sub-agent {child}"
        task = self._tasks.get(child)
        if task is None or starts:
            task = self._tasks[child] = Task(use, calls.own(use))
        args = {
            "description": record.description or record.task,
            "prompt": record.task,
            "subagentType": record.subagent_type,
            "model": None if record.subagent_model == "default" else record.subagent_model,
        }
        held: dict[str, Json] = {key: each for key, each in args.items() if each}
        yield from calls.task(task.use, task.call_id, held, origin)
        if not starts:
            calls.task_ended(task.use, returned(record), origin)


def _of_tool(calls: Calls, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
    use, name, given = record.tool_use_id, record.tool_name or "unknown", record.tool_input
    exits = kind_of(tool(name, given)[0]) == "shell"
    match record.hook_event_name:
        case "preToolUse":
            yield from calls.pre(use, name, given, origin)
        case "postToolUse":
            told = tool_outcome(record, exits=exits)
            yield from calls.post(use, name, given, told, origin)
        case _:
            stopped = is_true(record.is_interrupt)
            error, word = record.error_message, record.failure_type
            failed = failure(error, word, interrupted=stopped, exits=exits)
            yield from calls.post(use, name, given, failed, origin)


def _inner(calls: Calls, record: Payload, origin: Evidence) -> Iterator[AnyEvent]:
    """What runs or is read inside a call."""
    match record.hook_event_name:
        case "beforeShellExecution":
            yield from calls.before("shell", "shell", command(record), origin)
        case "afterShellExecution":
            yield from calls.after("shell", "shell", command(record), ran(record), origin)
        case "beforeMCPExecution":
            yield from calls.before("mcp", "mcp", mcp_args(record), origin)
        case "afterMCPExecution":
            yield from calls.after("mcp", "mcp", mcp_args(record), answered(record), origin)
        case "beforeReadFile":
            value: dict[str, Json] = {"content": record.content}
            held = Outcome(status="unknown", value=value) if record.content else None
            args: dict[str, Json] = {"file_path": record.file_path}
            yield from calls.before("read", "read", args, origin, held=held)
        case "afterFileEdit":
            yield from calls.after("edit", "edit", file_args(record), edited(record), origin)
        case _:  # an edit of the user's own, completed by Tab: no call of the agent has it
            yield from calls.after("tab", "tabEdit", file_args(record), edited(record), origin)


def _note(origin: Evidence, code: str, message: str) -> Noted:
    return Noted(origin=origin, code=code, level="info", message=message)
