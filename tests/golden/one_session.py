"""One invented session, written down in every form it can be recorded in.

Each function writes the session below into a folder and returns what to open. The session: a prompt,
a thought, a read that succeeds, a shell command that ends with exit code 2, and an answer.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from build_stores import build

CWD = "/srv/tide"
PROMPT = "How is the tide computed?"
THOUGHT = "Look at the code first."
FILE = f"{CWD}/src/tide.py"
TEXT = "LAG = 50\n"
COMMAND = "make check"
OUTPUT = "12 checks\n"
EXIT = 2
ANSWER = "With a constant lag."
STAMP = "2026-09-14T08:05:00.000Z"
MS = 1789373100000
AGENT = "agent-11111111-1111-4111-8111-111111111111"
RUN = "run-22222222-2222-4222-8222-222222222222"
READ, SHELL = {"path": FILE}, {"command": COMMAND}
READ_VALUE = {"content": TEXT, "totalLines": 1, "fileSize": 9}
SHELL_VALUE = {"exitCode": EXIT, "signal": "", "stdout": OUTPUT, "stderr": "", "executionTime": 40}

Writer = Callable[[Path], Path]


def lines(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def good(value: Any) -> dict[str, Any]:
    return {"status": "success", "value": value}


# -- the SDK's surfaces -----------------------------------------------------------------------


def messages() -> list[dict[str, Any]]:
    text = [{"type": "text", "text": PROMPT}]
    answer = [{"type": "text", "text": ANSWER}]
    return [
        {"type": "status", "status": "RUNNING"},
        {"type": "user", "message": {"role": "user", "content": text}},
        {"type": "thinking", "text": THOUGHT},
        {"type": "thinking", "text": "", "thinking_duration_ms": 12},
        {"type": "tool_call", "call_id": "c1", "name": "read", "status": "running", "args": READ},
        {"type": "tool_call", "call_id": "c1", "name": "read", "status": "completed", "args": READ,
         "result": good(READ_VALUE)},
        {"type": "tool_call", "call_id": "c2", "name": "shell", "status": "completed", "args": SHELL,
         "result": good(SHELL_VALUE)},
        {"type": "assistant", "message": {"role": "assistant", "content": answer}},
        {"type": "status", "status": "FINISHED"},
    ]  # fmt: skip


def updates() -> list[dict[str, Any]]:
    def completed(call: str, kind: str, args: Any, value: Any) -> dict[str, Any]:
        tool = {"type": kind, "args": args, "result": good(value)}
        return {"type": "tool-call-completed", "callId": call, "modelCallId": "m", "toolCall": tool}

    user = {"type": "user_message", "session_id": AGENT, "text": PROMPT}
    return [
        {"type": "user-message-appended", "userMessage": user},
        {"type": "thinking-delta", "text": THOUGHT},
        {"type": "thinking-completed", "thinkingDurationMs": 12},
        completed("c1", "read", READ, READ_VALUE),
        completed("c2", "shell", SHELL, SHELL_VALUE),
        {"type": "text-delta", "text": ANSWER},
        {"type": "turn-ended"},
    ]


def steps() -> list[dict[str, Any]]:
    return [
        {"type": "thinkingMessage", "message": {"text": THOUGHT, "thinkingDurationMs": 12}},
        {"type": "toolCall", "message": {"type": "read", "args": READ, "result": good(READ_VALUE)}},
        {"type": "toolCall", "message": {"type": "shell", "args": SHELL, "result": good(SHELL_VALUE)}},
        {"type": "assistantMessage", "message": {"text": ANSWER}},
    ]  # fmt: skip


def sdk_stream(folder: Path) -> Path:
    ids = {"agent_id": AGENT, "run_id": RUN}
    return lines(folder / "stream.jsonl", *({**each, **ids} for each in messages()))


def sdk_updates(folder: Path) -> Path:
    return lines(folder / "onDelta.jsonl", *updates())


def sdk_steps(folder: Path) -> Path:
    return lines(folder / "onStep.jsonl", *steps())


def sdk_turns(folder: Path) -> Path:
    turn = {"userMessage": {"text": PROMPT}, "steps": steps()}
    return lines(folder / "turns.jsonl", {"type": "agentConversationTurn", "turn": turn})


def proto_call(name: str, call: str, args: Any, result: Any) -> dict[str, Any]:
    return {f"{name}ToolCall": {"args": args, "result": result}, "toolCallId": call}


PROTO_READ = proto_call("read", "c1", READ, {"success": {**READ_VALUE, "path": FILE}})
PROTO_SHELL = proto_call("shell", "c2", SHELL, {"failure": {**SHELL_VALUE, **SHELL}})


def agent_messages(folder: Path) -> Path:
    told = [
        {"thinkingMessage": {"text": THOUGHT, "durationMs": 12}},
        {"toolCall": PROTO_READ},
        {"toolCall": PROTO_SHELL},
        {"assistantMessage": {"text": ANSWER}},
    ]
    turn = {"agentConversationTurn": {"userMessage": {"text": PROMPT}, "steps": told}}
    record = {"type": "user", "uuid": f"{AGENT}:0", "agent_id": AGENT, "message": turn}
    return lines(folder / "messages.jsonl", record)


def stream_json(folder: Path) -> Path:
    def text(role: str, words: str) -> dict[str, Any]:
        return {
            "type": role,
            "message": {"role": role, "content": [{"type": "text", "text": words}]},
        }

    def call(subtype: str, one: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "tool_call",
            "subtype": subtype,
            "call_id": one["toolCallId"],
            "tool_call": one,
        }

    records = [
        {"type": "system", "subtype": "init", "cwd": CWD, "model": "mock", "permissionMode": "default"},
        text("user", PROMPT),
        {"type": "thinking", "subtype": "delta", "text": THOUGHT, "timestamp_ms": MS},
        {"type": "thinking", "subtype": "completed", "timestamp_ms": MS + 12},
        call("completed", PROTO_READ),
        call("completed", PROTO_SHELL),
        text("assistant", ANSWER),
        {"type": "result", "subtype": "success", "is_error": False, "duration_ms": 90, "result": ANSWER},
    ]  # fmt: skip
    return lines(folder / "run.jsonl", *({**each, "session_id": "s-1"} for each in records))


# -- stores -----------------------------------------------------------------------------------


def sdk_source(builder: str) -> dict[str, Any]:
    agent = {"id": AGENT, "cwd": CWD, "created": STAMP, "updated": STAMP}
    run = {"id": RUN, "agent": AGENT, "turn": 1, "status": "FINISHED", "created": STAMP,
           "ended": STAMP, "events": messages()}  # fmt: skip
    return {"builder": builder, "agents": [agent], "runs": [run]}


def stored(folder: Path, source: dict[str, Any]) -> Path:
    case = folder / "case"
    case.mkdir()
    (case / "store.json").write_text(json.dumps(source), encoding="utf-8")
    return build(case, folder / "built")


def sdk_store(folder: Path) -> Path:
    return stored(folder, sdk_source("sdk_store"))


def sdk_ndjson_store(folder: Path) -> Path:
    return stored(folder, sdk_source("sdk_ndjson"))


def chat_store(folder: Path) -> Path:
    def result(call: str, name: str, text: str, output: dict[str, Any]) -> dict[str, Any]:
        part = {"type": "tool-result", "toolCallId": call, "toolName": name, "result": text}
        high = {"output": output, "isError": False}
        options = {"cursor": {"highLevelToolCallResult": high}}
        return {"role": "tool", "content": [part], "providerOptions": options}

    calls = [
        {"type": "reasoning", "text": THOUGHT},
        {"type": "tool-call", "toolCallId": "c1", "toolName": "Read", "args": READ},
        {"type": "tool-call", "toolCallId": "c2", "toolName": "Shell", "args": SHELL},
    ]
    told = [
        {"role": "user", "content": f"<user_query>\n{PROMPT}\n</user_query>"},
        {"role": "assistant", "id": "1", "content": calls},
        result("c1", "Read", TEXT, {"success": READ_VALUE}),
        result("c2", "Shell", OUTPUT, {"failure": SHELL_VALUE}),
        {"role": "assistant", "id": "1", "content": [{"type": "text", "text": ANSWER}]},
    ]
    meta = {"agentId": "s-1", "createdAt": MS}
    return stored(folder, {"builder": "chat_store", "meta": meta, "messages": told})


def ide_state(folder: Path) -> Path:
    chat, bubbles = "aaaa1111-0000-4000-8000-000000000001", ide_bubbles()
    heads = [{"bubbleId": f"b{n}", "type": each["type"]} for n, each in enumerate(bubbles)]
    composer = {
        "composerId": chat, "createdAt": MS, "lastUpdatedAt": MS, "status": "completed",
        "fullConversationHeadersOnly": heads,
    }  # fmt: skip
    rows = [{"key": f"bubbleId:{chat}:b{n}", "value": each} for n, each in enumerate(bubbles)]
    rows.append({"key": f"composerData:{chat}", "value": composer})
    return stored(folder, {"builder": "ide_state", "rows": rows})


def ide_bubbles() -> list[dict[str, Any]]:
    def tool(name: str, params: Any, result: Any) -> dict[str, Any]:
        former = {"name": name, "toolCallId": name, "status": "completed", "params": params,
                  "rawArgs": "", "result": result}  # fmt: skip
        return {"type": 2, "text": "", "capabilityType": 15, "toolFormerData": former}

    return [
        {"type": 1, "text": PROMPT},
        {"type": 2, "text": "", "capabilityType": 30, "thinking": {"text": THOUGHT}},
        tool("read_file_v2", {"targetFile": FILE}, {"contents": TEXT, "totalLinesInFile": 1}),
        tool("run_terminal_command_v2", {"command": COMMAND}, {"output": OUTPUT, "exitCode": EXIT}),
        {"type": 2, "text": ANSWER},
    ]


# -- what records less ------------------------------------------------------------------------


def transcript(folder: Path) -> Path:
    use = [
        {"type": "text", "text": "[REDACTED]"},
        {"type": "tool_use", "name": "Read", "input": READ},
        {"type": "tool_use", "name": "Shell", "input": SHELL},
    ]
    return lines(
        folder / "run.jsonl",
        {"role": "user", "message": {"content": [{"type": "text", "text": PROMPT}]}},
        {"role": "assistant", "message": {"content": use}},
        {"role": "assistant", "message": {"content": [{"type": "text", "text": ANSWER}]}},
        {"type": "turn_ended", "status": "success"},
    )


def legacy_txt(folder: Path) -> Path:
    text = f"""user:
<user_query>
{PROMPT}
</user_query>

assistant:
[Thinking] {THOUGHT}
[Tool call] Read
  path: {FILE}
[Tool call] Shell
  command: {COMMAND}

[Tool result] Read

[Tool result] Shell

assistant:
{ANSWER}
"""
    path = folder / "run.txt"
    path.write_text(text, encoding="utf-8")
    return path


def transcript_json(folder: Path) -> Path:
    calls = [{"toolName": "Read", "args": READ}, {"toolName": "Shell", "args": SHELL}]
    told = [
        {"role": "user", "text": PROMPT},
        {"role": "assistant", "thinking": THOUGHT, "toolCalls": calls},
        {"role": "tool", "toolResult": {"toolName": "Read"}},
        {"role": "tool", "toolResult": {"toolName": "Shell"}},
        {"role": "assistant", "text": ANSWER},
    ]
    path = folder / "run.json"
    path.write_text(json.dumps(told, indent=2), encoding="utf-8")
    return path


# -- other programs ---------------------------------------------------------------------------


def pi_session(folder: Path) -> Path:
    """Cards as they were shown: paths are relative to the workspace already."""
    calls = [("t1", "read", {"path": "src/tide.py"}), ("t2", "bash", SHELL)]
    ids = {call: f"cursor-replay-1-1-tool-{n}" for n, (call, _, _) in enumerate(calls, 1)}
    content: list[dict[str, Any]] = [{"type": "thinking", "thinking": THOUGHT}]
    content += [{"type": "toolCall", "id": ids[c], "name": n, "arguments": a} for c, n, a in calls]
    cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
    usage = {
        "input": 0,
        "output": 0,
        "cacheRead": 0,
        "cacheWrite": 0,
        "totalTokens": 0,
        "cost": cost,
    }
    model = {"api": "cursor-sdk", "provider": "cursor", "model": "mock", "usage": usage}

    def result(call: str, name: str, text: str, *, is_error: bool) -> dict[str, Any]:
        return {"role": "toolResult", "toolCallId": ids[call], "toolName": name,
                "content": [{"type": "text", "text": text}], "isError": is_error}  # fmt: skip

    messages_ = [
        {"role": "user", "content": [{"type": "text", "text": PROMPT}]},
        {"role": "assistant", "content": content, "stopReason": "toolUse", **model},
        result("t1", "read", TEXT, is_error=False),
        result("t2", "bash", f"{OUTPUT.rstrip()}\n\nCommand exited with code {EXIT}", is_error=True),
        {"role": "assistant", "content": [{"type": "text", "text": ANSWER}], "stopReason": "stop", **model},
    ]  # fmt: skip
    head = {"type": "session", "version": 3, "id": "u7", "timestamp": STAMP, "cwd": CWD}
    entries = [
        {"type": "message", "id": f"m{n}", "parentId": f"m{n - 1}" if n else None,
         "timestamp": STAMP, "message": each}
        for n, each in enumerate(messages_)
    ]  # fmt: skip
    return lines(folder / "pi.jsonl", head, *entries)


def debug_artifacts(folder: Path) -> Path:
    """All three surfaces of the SDK, told at once."""
    turn = folder / "turn-001-2026-09-14T08-05-00-000Z"
    turn.mkdir()
    ids = {"agent_id": AGENT, "run_id": RUN}
    for name, key, told in (
        ("on-delta", "update", updates()),
        ("on-step", "step", steps()),
        ("stream-events", "event", [{**each, **ids} for each in messages()]),
    ):
        wrapped = (
            {"ts": f"2026-09-14T08:05:{n:02}.000Z", "elapsedMs": 1000 * n, "turn": 1, key: each}
            for n, each in enumerate(told)
        )
        lines(turn / f"{name}.jsonl", *wrapped)
    meta = {"capturedAt": STAMP, "cwd": CWD, "modelId": "mock", "provider": "cursor", "turn": 1,
            "artifacts": {}, "sessionKey": "s-1"}  # fmt: skip
    (turn / "metadata.json").write_text(json.dumps(meta, indent=2), encoding="utf-8")
    return turn


def acp(folder: Path) -> Path:
    def update(what: str, **fields: Any) -> dict[str, Any]:
        params = {"sessionId": "s-1", "update": {"sessionUpdate": what, **fields}}
        return {"jsonrpc": "2.0", "method": "session/update", "params": params}

    def chunk(kind: str, text: str) -> dict[str, Any]:
        return update(kind, content={"type": "text", "text": text})

    prompt = {"sessionId": "s-1", "prompt": [{"type": "text", "text": PROMPT}]}
    content = [{"type": "content", "content": {"type": "text", "text": TEXT}}]
    raw = {"exitCode": EXIT, "stdout": OUTPUT, "stderr": ""}
    return lines(
        folder / "acp.jsonl",
        {"jsonrpc": "2.0", "id": 3, "method": "session/prompt", "params": prompt},
        chunk("agent_thought_chunk", THOUGHT),
        update("tool_call", toolCallId="c1", title="Read", kind="read", status="pending", rawInput=READ),
        update("tool_call_update", toolCallId="c1", status="completed", content=content),
        update("tool_call", toolCallId="c2", title=f"`{COMMAND}`", kind="execute", status="pending",
               rawInput=SHELL),
        update("tool_call_update", toolCallId="c2", status="completed", rawOutput=raw),
        chunk("agent_message_chunk", ANSWER),
        {"jsonrpc": "2.0", "id": 3, "result": {"stopReason": "end_turn"}},
    )  # fmt: skip


def hooks(folder: Path) -> Path:
    common = {"conversation_id": "s-1", "generation_id": "g-1", "workspace_roots": [CWD]}

    def hook(name: str, **fields: Any) -> dict[str, Any]:
        return {**common, "hook_event_name": name, **fields}

    def used(call: str, tool: str, given: Any, output: Any) -> dict[str, Any]:
        return hook("postToolUse", tool_name=tool, tool_input=given, tool_use_id=call,
                    tool_output=json.dumps(output), duration=40.0)  # fmt: skip

    return lines(
        folder / "hooks.jsonl",
        hook("beforeSubmitPrompt", prompt=PROMPT),
        hook("afterAgentThought", text=THOUGHT),
        used("c1", "Read", READ, READ_VALUE),
        used("c2", "Shell", SHELL, {"exitCode": EXIT, "output": OUTPUT}),
        hook("afterAgentResponse", text=ANSWER),
        hook("stop", status="completed"),
    )


def cloud_sse(folder: Path) -> Path:
    ids = {"agent_id": "bc-1", "run_id": RUN}
    told = ({**each, **ids} for each in messages() if each["type"] != "user")
    text = "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in told)
    path = folder / "events.sse"
    path.write_text(text, encoding="utf-8")
    return path
