"""SDK stores to read: readable sources, what is built of them, and what comes out."""

import copy
import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from cursor_replay.ingest.detect import format_named
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions, SessionInfo
from cursor_replay.items import Card, Item
from cursor_replay.pipeline import replay

FIXTURES = Path(__file__).parents[2] / "fixtures"
BUILDERS = FIXTURES / "builders"
sys.path.append(str(BUILDERS))
import sdk_ndjson  # noqa: E402 - a builder
import sdk_store as builder  # noqa: E402 - a builder
from sdk_source import events as events_of  # noqa: E402, F401 - a builder's, for the tests

AGENT, OTHER = (
    "agent-00000000-0000-4000-8000-000000000001",
    "agent-00000000-0000-4000-8000-000000000002",
)
RUN = "run-00000000-0000-4000-8000-000000000001"
START, LATER, END = (
    "2026-05-04T09:00:00.000Z",
    "2026-05-04T09:05:00.000Z",
    "2026-05-04T09:10:00.000Z",
)
KEY = "the key of the blobs, in plain words"
Source = dict[str, Any]

BUILD = {"sdk-store": builder.build, "sdk-ndjson-store": sdk_ndjson.build}


def user(text: str) -> dict[str, Any]:
    return {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "text", "text": text}]},
    }


def said(text: str) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"type": "assistant", "message": {"role": "assistant", "content": content}}


def status(word: str, message: str | None = None) -> dict[str, Any]:
    return {"type": "status", "status": word, "message": message}


def shell(call: str, *, done: bool = True) -> dict[str, Any]:
    value = {"exitCode": 0, "signal": "", "stdout": "2\n", "stderr": "", "executionTime": 5}
    result = {"result": {"status": "success", "value": value}} if done else {}
    word = "completed" if done else "running"
    args = {"command": "ls"}
    return {
        "type": "tool_call",
        "call_id": call,
        "name": "shell",
        "status": word,
        "args": args,
        **result,
    }


def ended(kind: str, **fields: Any) -> dict[str, Any]:
    """A payload that is no message."""
    return {"payload": {"schemaVersion": 1, "type": kind, "agentId": AGENT, "runId": RUN, **fields}}


def agent(**fields: Any) -> Source:
    known = {
        "id": AGENT,
        "cwd": "/srv/harbour",
        "name": "tides",
        "created": START,
        "updated": LATER,
    }
    return {**known, **fields}


def run(*events: dict[str, Any], **fields: Any) -> Source:
    known = {
        "id": RUN,
        "agent": AGENT,
        "turn": 1,
        "status": "FINISHED",
        "created": START,
        "ended": END,
    }
    return {**known, "events": list(events), **fields}


def numbered(number: int, *events: dict[str, Any], **fields: Any) -> Source:
    return run(*events, **{"id": f"{RUN[:-1]}{number}", "turn": number, **fields})


def source(*runs: Source, agents: list[Source] | None = None) -> Source:
    return {"agents": [agent()] if agents is None else agents, "runs": list(runs)}


def fixture(form: str, case: str) -> Source:
    found: Source = json.loads((FIXTURES / form / case / "store.json").read_text("utf-8"))
    return found


def with_key(made: Source) -> Source:
    """The same store with a key where the SDK keeps it."""
    made = copy.deepcopy(made)
    for each in made["agents"]:
        each["metadata"] = json.dumps({"blobEncryptionKey": KEY})
    return made


def built(form: str, made: Source, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return BUILD[form](made, folder)


def items(path: Path, *, session: str | None = None, form: str | None = None) -> list[Item]:
    options = ReadOptions(session=session)
    with closing(open_source(str(path), options=options, input_format=form)) as opened:
        return [each.item for each in replay(opened, scrub=False)]


@contextmanager
def store(form: str, path: Path) -> Iterator[Any]:
    row: Any = format_named(form)
    with closing(row.open(path)) as opened:
        yield opened


def sessions(form: str, path: Path) -> list[SessionInfo]:
    with store(form, path) as opened:
        return list(opened.sessions())


def told(shown: list[Item]) -> list[tuple[str, str]]:
    """Each item in two words: its type, and the one thing that tells it from others."""
    return [(item.type, _word(item)) for item in shown]


def _word(item: Any) -> str:
    match item.type:
        case "card":
            return f"{item.source_tool} {item.status}"
        case "turn_end":
            return f"{item.status} {item.reason or ''}".strip()
        case "notice":
            return str(item.code)
        case "session":
            return str(item.model or "")
        case _:
            return str(item.text)


def cards(shown: list[Item]) -> list[Card]:
    return [item for item in shown if isinstance(item, Card)]


Folder = dict[str, tuple[bytes, int]]


def folder_of(path: Path) -> Folder:
    """Names, bytes and times of everything below a folder."""
    return {
        each.relative_to(path).as_posix(): (
            each.read_bytes() if each.is_file() else b"",
            each.stat().st_mtime_ns,
        )
        for each in [path, *sorted(path.rglob("*"))]
    }
