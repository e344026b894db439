"""Turns and steps of the SDK's conversation state, where no message tells the same.

Owns their field numbers (SDK formats facts 3.3 and appendix A, checked against a real store).
Texts, thoughts and shell turns are read whole. Of a tool call only name and target are: more needs
the schema of every argument and result, and messages, where there are any, hold it all.
"""

from collections.abc import Callable, Iterator

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallUnrecorded,
    Noted,
    Outcome,
    TextSeen,
    ThoughtSeen,
)
from cursor_replay.ingest.protowire import Fields, delimited, read_fields, text_of
from cursor_replay.items import Evidence

Reader = Callable[[str], bytes | None]
"""The bytes of a blob by its id, None when there are none."""
Prompter = Callable[[str, Evidence], Iterator[AnyEvent]]
"""How a user text becomes events."""

_AGENT, _SHELL = 1, 2
_USER, _STEPS = 1, 2
_SAID, _CALLED, _THOUGHT = 1, 2, 3
_ARGS = 1
_CALL_ID = 57
"""The field of a call that holds its id; any other one of bytes is its tool."""
_INT32, _INT64 = 2**31, 2**64
_TOOLS: dict[int, tuple[str, str]] = {
    1: ("shell", "command"), 3: ("delete", "path"), 4: ("glob", "targetDirectory"),
    5: ("grep", "pattern"), 8: ("read", "path"), 9: ("updateTodos", ""),
    10: ("readTodos", ""), 12: ("edit", "path"), 13: ("ls", "path"), 14: ("readLints", ""),
    15: ("mcp", "name"), 16: ("semSearch", "query"), 17: ("createPlan", ""),
    18: ("webSearch", "searchTerm"), 19: ("task", "description"),
    20: ("listMcpResources", "server"), 21: ("readMcpResource", "server"),
    23: ("askQuestion", ""), 24: ("fetch", "url"), 25: ("switchMode", "targetModeId"),
    28: ("generateImage", "description"), 37: ("webFetch", "url"), 42: ("await", "taskId"),
    44: ("getMcpTools", "server"), 22: ("applyAgentDiff", ""), 29: ("recordScreen", ""),
    30: ("computerUse", ""), 31: ("writeShellStdin", ""), 38: ("reportBugfixResults", ""),
    39: ("aiAttribution", ""), 40: ("prManagement", ""), 41: ("mcpAuth", ""),
    43: ("blameByFilePath", ""), 48: ("updateCurrentStep", "currentStep"),
}  # fmt: skip
"""Number of a tool to its name and its first argument (a text)."""


def turn_events(
    turn: bytes, read: Reader, prompt: Prompter, origin: Evidence
) -> Iterator[AnyEvent]:
    """Events of one turn blob; what is not understood is a note."""
    fields = read_fields(turn) or []
    agents, shells = delimited(fields, _AGENT), delimited(fields, _SHELL)
    if agents:
        yield from _agent(read_fields(agents[-1]) or [], read, prompt, origin)
    elif shells:
        yield _shell(read_fields(shells[-1]) or [], read, origin)
    else:
        yield _unknown(origin, "a turn in a form not known here")


def _agent(turn: Fields, read: Reader, prompt: Prompter, origin: Evidence) -> Iterator[AnyEvent]:
    for key in delimited(turn, _USER):
        user = _message(read, key)
        if user is None:
            yield _unknown(origin, "a prompt that the store does not hold")
        else:
            yield from prompt(text_of(user, 1), origin)
    for index, key in enumerate(delimited(turn, _STEPS)):
        at = Evidence(file=origin.file, line=origin.line, block=index, row=origin.row)
        yield _step(_message(read, key) or [], at)


def _step(step: Fields, origin: Evidence) -> AnyEvent:
    for number, value in step:
        body = read_fields(value) if isinstance(value, bytes) else None
        if body is None:
            continue
        if number == _SAID:
            return TextSeen(origin=origin, text=text_of(body, 1))
        if number == _THOUGHT:
            took = next((each for no, each in body if no == 2 and isinstance(each, int)), None)
            return ThoughtSeen(origin=origin, text=text_of(body, 1), duration_ms=took)
        if number == _CALLED:
            return _call(body, origin)
    return _unknown(origin, "a step in a form not known here")


def _call(call: Fields, origin: Evidence) -> AnyEvent:
    for number, value in call:
        if number in _TOOLS and isinstance(value, bytes):
            name, first = _TOOLS[number]
            args = [read_fields(each) or [] for each in delimited(read_fields(value) or [], _ARGS)]
            target = text_of(args[-1], 1) if args and first else ""
            return CallUnrecorded(origin=origin, name=name, args={first: target} if target else {})
    numbers = (no for no, value in call if isinstance(value, bytes) and no != _CALL_ID)
    unknown = next((f"tool {number}" for number in numbers), "unknown tool")
    return CallUnrecorded(origin=origin, name=unknown)


def _shell(turn: Fields, read: Reader, origin: Evidence) -> AnyEvent:
    """A command the user ran; stdout, stderr and exit code are the fields 1 to 3 of its output."""
    command, output = (
        next((found for key in delimited(turn, no) if (found := _message(read, key))), None)
        for no in (1, 2)
    )
    if command is None:
        return _unknown(origin, "a shell turn that the store does not hold")
    value = {
        "stdout": text_of(output or [], 1),
        "stderr": text_of(output or [], 2),
        "exitCode": _signed(
            next((n for no, n in output or [] if no == 3 and isinstance(n, int)), 0)
        ),
    }
    return CallCompleted(
        origin=origin,
        channel="turn",
        call_id=None,
        name="shell",
        args={"command": text_of(command, 1)},
        outcome=None if output is None else Outcome(status="success", value=value),
    )


def _signed(number: int) -> int:
    """A varint is written without a sign: a negative one has all of its 64 bits."""
    return number if number < _INT32 else number - _INT64


def _message(read: Reader, key: bytes) -> Fields | None:
    data = read(key.hex())
    return None if data is None else read_fields(data)


def _unknown(origin: Evidence, words: str) -> Noted:
    return Noted(origin=origin, code="unknown-record", message=words, problem=True)
