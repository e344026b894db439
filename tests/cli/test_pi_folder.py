"""Which folder a written session names, and sessions made of hostile ones."""

import json
import os
from pathlib import Path

import pytest

HEADER = {
    "type": "session", "version": 3, "id": "s-1", "timestamp": "2026-05-04T12:00:00.000Z",
    "cwd": "/",
}  # fmt: skip
ZEROS = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0}


def entry(number, message, **more):
    return {
        "type": "message",
        "id": f"{number:08x}",
        "parentId": f"{number - 1:08x}" if number else None,
        "timestamp": "2026-05-04T12:00:00.000Z",
        "message": message,
        **more,
    }


def said(*blocks, **more):
    return {
        "role": "assistant", "content": list(blocks), "api": "x", "provider": "p", "model": "m",
        "usage": {**ZEROS, "cost": {}}, "stopReason": "stop", "timestamp": 1, **more,
    }  # fmt: skip


def session(tmp_path, *entries):
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in (HEADER, *entries)), "utf-8")
    return path


def test_a_folder_whose_name_is_no_utf_8_cannot_be_named(transcript, run, tmp_path):
    name = os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff")
    Path(name).mkdir()
    done = run("pi", transcript, "-o", "-", "--cwd", name)
    assert (done.exit_code, "no UTF-8" in done.output) == (2, True)


@pytest.mark.parametrize("at", ["", "x", "2026-05-04", "2026-05-04T12:00:00Z", "9" * 40])
def test_a_time_beside_a_call_that_is_none_is_left_out(at, run, tmp_path):
    beside = {"title": "Cursor read", "source_tool": "read", "timing": {"started": {"at": at}}}
    call = {"type": "toolCall", "id": "cursor-replay-1-1-tool-1", "name": "read", "arguments": {}}
    cards = {"cards": {call["id"]: beside}}
    path = session(tmp_path, entry(0, said(call, stopReason="toolUse"), cursorReplay=cards))
    written = run("render", path, "-f", "pi").output
    assert all("timing" not in line for line in written.splitlines())


@pytest.mark.parametrize("count", [-5, -1_000_000])
def test_counts_below_zero_are_none(count, run, tmp_path):
    used = {**ZEROS, "input": count, "cacheRead": count, "cost": {}}
    path = session(tmp_path, entry(0, said({"type": "text", "text": "a"}, usage=used)))
    for line in run("render", path, "-f", "pi").output.splitlines():
        usage = json.loads(line).get("message", {}).get("usage", {"input": 0})
        assert usage["input"] == 0


def test_commands_of_the_user_never_share_an_id(run, tmp_path):
    command = {
        "role": "bashExecution", "command": "ls", "output": "a", "exitCode": 0, "cancelled": False,
        "truncated": False, "timestamp": 1,
    }  # fmt: skip
    first = session(tmp_path, entry(0, command), entry(1, command))
    once = tmp_path / "once.jsonl"
    once.write_text(run("render", first, "-f", "pi").output, "utf-8")
    last = json.loads(once.read_text("utf-8").splitlines()[-1])
    grown = {**entry(99, command), "parentId": last["id"]}
    with once.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(grown) + "\n")
    ids = [
        json.loads(line)["id"]
        for line in run("render", once, "-f", "json").output.splitlines()
        if '"type":"card"' in line
    ]
    assert len(ids) == len(set(ids)) == 3
    twice = tmp_path / "twice.jsonl"
    twice.write_text(run("render", once, "-f", "pi").output, "utf-8")
    assert "duplicate-call-id" not in run("check-pi", twice).output
