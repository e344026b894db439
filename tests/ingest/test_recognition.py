"""What is of another program is refused, whichever format is asked; names of files tell nothing."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cursor_replay.errors import InputError
from cursor_replay.ingest.detect import FORMATS, AnyFormat, Format, records_in, unwrap
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.wholes import StoreFormat, StreamFormat
from cursor_replay.items import Json

HEAD = 64 * 1024
AT = "2026-01-01T00:00:00.000Z"


def lines(*records: Any) -> str:
    return "".join(f"{json.dumps(each)}\n" for each in records)


def sse(*events: tuple[str, Any]) -> str:
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)


def rpc(**fields: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", **fields}


def logged(**fields: Any) -> dict[str, Any]:
    return {"ts": AT, "elapsedMs": 5, **fields}


def claude(kind: str, **fields: Any) -> dict[str, Any]:
    ids = {"uuid": "u", "parentUuid": None, "sessionId": "s", "cwd": "/w", "timestamp": AT}
    return {"type": kind, **ids, "version": "2.0.1", **fields}


TOOL_USE = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}
ASKED = {"role": "user", "content": "hello"}
BLOCKS = {"role": "user", "content": [{"type": "text", "text": "hello"}]}
CALLED = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}],
}

RPC = {
    "lsp": lines(
        rpc(id=0, method="initialize", params={"processId": 1, "capabilities": {}}),
        rpc(id=0, result={"capabilities": {"hoverProvider": True}}),
        rpc(method="initialized", params={}),
        rpc(method="textDocument/didOpen", params={"textDocument": {"uri": "file:///a"}}),
    ),
    "mcp": lines(
        rpc(id=0, method="initialize", params={"protocolVersion": "2025-06-18", "clientInfo": {}}),
        rpc(id=0, result={"protocolVersion": "2025-06-18", "serverInfo": {"name": "x"}}),
        rpc(id=1, method="tools/call", params={"name": "echo", "arguments": {}}),
        rpc(id=1, result={"content": [{"type": "text", "text": "x"}], "isError": False}),
    ),
    "rpc of a session of its own": lines(rpc(id=0, method="session/start", params={})),
    "rpc of a terminal": lines(rpc(id=0, method="terminal/create", params={})),
    "rpc that answers with an id": lines(rpc(id=0, result={"sessionId": "x"})),
    "rpc error": lines(rpc(id=0, error={"code": -32601, "message": "no such method"})),
}

REQUESTS = {
    "openai request": json.dumps({"model": "m", "messages": [ASKED, CALLED], "stream": True}),
    "openai request with a mode": json.dumps({"messages": [ASKED], "mode": "chat"}, indent=2),
    "openai response": json.dumps(
        {"id": "x", "object": "chat.completion", "choices": [{"index": 0, "message": CALLED}]}
    ),
    "openai responses request": json.dumps({"model": "m", "input": [BLOCKS], "tools": []}),
    "anthropic request": json.dumps(
        {
            "model": "m",
            "max_tokens": 5,
            "messages": [BLOCKS, {"role": "assistant", "content": [TOOL_USE]}],
        },
        indent=2,
    ),
    "anthropic response": json.dumps(
        {"id": "msg_1", "type": "message", "role": "assistant", "content": [TOOL_USE]}
    ),
    "fine tuning": lines({"messages": [ASKED, {"role": "assistant", "content": "hi"}]}),
    "batch": lines({"custom_id": "a", "params": {"model": "m", "messages": [BLOCKS]}}),
}

CHATS = {
    "chat with parts": json.dumps({"messages": [{"role": "user", "parts": []}]}),
    "chat with parts and no calls": json.dumps(
        {"messages": [{"role": "user", "parts": [{"text": "x"}], "toolCalls": None}]}
    ),
    "array of parts": json.dumps(
        [
            {"role": "user", "parts": [{"text": "x"}]},
            {"role": "assistant", "parts": [{"type": "text", "text": "y"}]},
        ]
    ),
    "chat export": json.dumps(
        [{"title": "x", "mapping": {"a": {"message": {"author": {"role": "user"}}}}}]
    ),
    "conversation with a name": json.dumps({"conversation": {"messages": [ASKED]}, "name": "x"}),
}

SSE = {
    "anthropic stream": sse(
        ("message_start", {"type": "message_start", "message": {"role": "assistant"}}),
        ("content_block_delta", {"type": "content_block_delta", "delta": {"text": "a"}}),
        ("message_stop", {"type": "message_stop"}),
    ),
    "openai responses stream": sse(
        ("response.created", {"type": "response.created", "response": {"status": "in_progress"}}),
        ("response.output_text.delta", {"delta": "a"}),
        ("status", {"ok": True}),
    ),
    "openai chat stream": 'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: [DONE]\n\n',
    "events of a hub": ": ping\n\n" + sse(("status", {"online": True}), ("result", {"score": 5})),
    "events of an assistant": sse(("assistant", {"text": "of another tool"})),
    "events of a job": sse(("status", {"status": "running", "run_id": "12"}), ("done", {})),
    "log with fields of events": "event: status\nid: 5\ndata: hi\nretry: 3\n\nnext\n",
}

TEXTS = {
    "plain log": "2026-01-01 10:00 INFO event: status changed\n2026-01-01 10:01 WARN result: 5\n",
    "log that begins with an event": "event: deployed\nwho: me\nwhen: today\n",
    "notes on events": "# Events\n\nevent: assistant\ndata: is what the server sends\n",
    "prose": "Once upon a time there was a tide.\n",
    "chat with a tag": "user:\nHow do I write <my_tag>?\n\nassistant:\nlike\n<my_tag>\n",
    "chat with a block": "user:\nhello\n\nassistant:\nYes.\n\n<thinking_block>\nfoo\n</thinking_block>\n",
    "yaml": "user:\n  name: x\n\nassistant:\n<timestamp>\n",
    "notes": "A:\nThinking about it\n",
    "questions and answers": "A:\nTurn ended: yes the game ended\n",
    "plain chat": "user:\nhello\n\nassistant:\nhello too\n",
    "csv": "role,text\nuser,hello\nassistant,hi\n",
    "blank": "\n\n\n",
}  # fmt: skip

LOGS = {
    "claude code": lines(
        {"type": "summary", "summary": "x", "leafUuid": "u"},
        claude("user", message=ASKED),
        claude("assistant", message={"role": "assistant", "content": [TOOL_USE]}),
        claude(
            "user",
            toolUseResult={"stdout": ""},
            message={
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "x"}],
            },
        ),
    ),
    "claude code hooks": lines(
        {"hook_event_name": "PreToolUse", "session_id": "x", "tool_name": "Bash", "tool_input": {}},
        {"hook_event_name": "UserPromptSubmit", "session_id": "x", "prompt": "p"},
        {"hook_event_name": "Stop", "session_id": "x", "stop_hook_active": False},
    ),
    "hooks in camel case of others": lines(
        {"hook_event_name": "preToolUse", "session_id": "x", "tool_name": "Bash", "tool_input": {}},
        {"hook_event_name": "stop"},
    ),
    "asciinema": '{"version":2,"width":80,"height":24,"timestamp":1}\n[0.1,"o","x"]\n',
    "asciinema of a session": '{"version":2,"type":"session","id":"x","width":80}\n[0.1,"o","x"]\n',
    "session of another tool": lines(
        {"type": "session", "id": "abc", "version": "5.0", "name": "x"}, {"type": "event", "x": 1}
    ),
    "session of another agent": lines(
        {"type": "session", "id": "x", "timestamp": "t"}, {"type": "user", "message": ASKED}
    ),
    "codex": lines(
        {"timestamp": AT, "type": "session_meta", "payload": {"id": "x", "cwd": "/w"}},
        {"timestamp": AT, "type": "response_item", "payload": {"type": "message", **BLOCKS}},
    ),
    "timed phases": lines(logged(phase="startup", payload={"a": 1})),
    "timed phases in milliseconds": lines({"ts": 1, "elapsedMs": 5, "phase": "x", "payload": {}}),
    "timed decisions": lines(logged(decision={"a": 1})),
    "timed errors": lines(logged(error={"message": "x"})),
    "timed events": lines(logged(event={"type": "login"}), logged(error={"message": "x"})),
    "timed layers": lines(logged(layer="database", kind="query", payload={})),
    "github events": lines({"id": "1", "type": "PushEvent", "actor": {"id": 1}, "payload": {}}),
    "structured log": lines({"level": "info", "time": 1, "msg": "x", "status": "ok"}),
    "numbers": "1\n2\n3\n",
}  # fmt: skip

DOCUMENTS = {
    "package.json": json.dumps({"name": "x", "version": "1.0.0", "scripts": {"a": "b"}}, indent=2),
    "tsconfig": json.dumps({"compilerOptions": {"strict": True}, "include": ["src"]}, indent=2),
    "empty object": "{}\n",
    "empty array": "[]\n",
    "geojson": json.dumps({"type": "FeatureCollection", "features": []}),
    "notebook": json.dumps({"cells": [{"cell_type": "code", "source": []}], "nbformat": 4}),
}

FILES = {**RPC, **REQUESTS, **CHATS, **SSE, **TEXTS, **LOGS, **DOCUMENTS}


# -- databases and folders --------------------------------------------------------------------

TABLES = {
    "blobs without meta": ("CREATE TABLE blobs (id TEXT, data BLOB)",),
    "blobs and another meta": (
        "CREATE TABLE blobs (id INTEGER, body TEXT)",
        "CREATE TABLE meta (version INTEGER)",
    ),
    "items without composers": ("CREATE TABLE ItemTable (key TEXT, value BLOB)",),
    "agents alone": ("CREATE TABLE agents (id TEXT)", "CREATE TABLE runs (id TEXT)"),
    "bookmarks": ("CREATE TABLE bookmarks (url TEXT)",),
    "no table": (),
}
NAMES = ("store.db", "index.db", "state.vscdb")
"""Names that databases of Cursor's have."""

FOLDERS: dict[str, dict[str, str]] = {
    "a project": {"package.json": DOCUMENTS["package.json"], "README.md": "# x\n", "src/a.py": ""},
    "an empty folder": {},
    "records of others under names of pi": {
        "errors.jsonl": LOGS["timed errors"],
        "timeline.jsonl": LOGS["timed layers"],
        "on-delta.jsonl": RPC["lsp"],
        "metadata.json": json.dumps({"name": "x"}),
        "session.json": json.dumps({"id": 5}),
    },
    "tables of others": {
        "agents.ndjson": lines({"name": "Smith"}),
        "runs.ndjson": lines({"distance": 5}),
    },
    "texts under names of databases": {"index.db": "x", "store.db": "y", "state.vscdb": "z"},
    "logs": {"a.log": TEXTS["plain log"], "b/c.jsonl": LOGS["structured log"]},
}


def database(path: Path, statements: tuple[str, ...]) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


def tree(path: Path, files: dict[str, str]) -> Path:
    path.mkdir()
    for name, content in files.items():
        place = path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, "utf-8")
    return path


def written(path: Path, content: str) -> Path:
    path.write_text(content, "utf-8")
    return path


# -- the whole program ------------------------------------------------------------------------


def refused(path: Path) -> bool:
    """Whether a path is in no format known here."""
    try:
        with closing(open_source(str(path))) as source:
            list(source.events())
    except InputError:
        return True
    return False


@pytest.mark.parametrize("kind", FILES)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, kind: str) -> None:
    for name in ("input.jsonl", "on-delta.jsonl", "session.txt"):
        assert refused(written(tmp_path / name, FILES[kind]))


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("name", NAMES)
def test_a_database_of_another_kind_is_refused(tmp_path: Path, name: str, kind: str) -> None:
    path = database(tmp_path / name, TABLES[kind])
    assert refused(path)
    assert refused(tmp_path)


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_folder_of_another_kind_is_refused(tmp_path: Path, kind: str) -> None:
    assert refused(tree(tmp_path / "here", FOLDERS[kind]))


@pytest.mark.parametrize("name", ["a.png", "store.db"])
@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0", b"\0" * 100, b"\xff\xfe{\0}\0"])
def test_bytes_that_are_no_text_are_refused(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert refused(tmp_path / name)


# -- one format at a time ---------------------------------------------------------------------


def records(content: str) -> Iterator[dict[str, Json]]:
    """The bare records of a document or of lines, as the reader of JSON lines finds them."""
    try:
        values = [json.loads(content)]
    except ValueError:
        values = []
        for line in content.splitlines():
            try:
                values.append(json.loads(line))
            except ValueError:
                continue
    for value in values:
        for record in records_in(value) or ():
            if isinstance(bare := unwrap(record).record, dict):
                yield bare


def claims(form: AnyFormat, path: Path) -> bool:
    """Whether one format takes a file for its own."""
    match form:
        case StoreFormat():
            return form.holds(path)
        case StreamFormat():
            return form.fits(path.read_bytes()[:HEAD])
        case Format():
            bare = records(path.read_text("utf-8"))
            return any(isinstance(each.get("type", ""), str) and form.fits(each) for each in bare)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_no_format_takes_a_file_of_another_kind(tmp_path: Path, form: AnyFormat) -> None:
    path = tmp_path / "input"
    assert [kind for kind in FILES if claims(form, written(path, FILES[kind]))] == []


@pytest.mark.parametrize(
    "form", [form for form in FORMATS if isinstance(form, StoreFormat)], ids=lambda form: form.name
)
def test_no_store_takes_a_database_or_a_folder_of_another_kind(
    tmp_path: Path, form: StoreFormat
) -> None:
    makers: list[tuple[str, Callable[[Path], Path]]] = [
        *((kind, lambda path, kind=kind: tree(path, FOLDERS[kind])) for kind in FOLDERS),
        *((kind, lambda path, kind=kind: database(path, TABLES[kind])) for kind in TABLES),
    ]
    taken = [
        kind
        for number, (kind, make) in enumerate(makers)
        if form.holds(make(tmp_path / f"{number}.db"))
    ]
    assert taken == []


@pytest.mark.parametrize("whole", [True, False])
def test_bare_roles_are_the_older_rows_of_a_transcript(tmp_path: Path, *, whole: bool) -> None:
    rows = [ASKED, {"role": "assistant", "content": "hi"}]
    path = written(tmp_path / "input", json.dumps(rows) if whole else lines(*rows))
    assert [form.name for form in FORMATS if claims(form, path)] == ["transcript"]


def test_what_is_known_is_taken_for_what_it_is_beside_all_that_is_not(tmp_path: Path) -> None:
    known = lines({"type": "text-delta", "text": "a"}, {"type": "turn-ended"})
    path = written(tmp_path / "input", known)
    assert [form.name for form in FORMATS if claims(form, path)] == ["sdk-updates"]
    stream = sse(("status", {"status": "RUNNING", "agentId": "bc-1"}))
    path = written(tmp_path / "input", stream)
    assert [form.name for form in FORMATS if claims(form, path)] == ["cloud-sse"]
    pis = lines(logged(phase="turn_end", payload={"outcome": "stop"}))
    path = written(tmp_path / "input", pis)
    assert [form.name for form in FORMATS if claims(form, path)] == ["debug-records"]
