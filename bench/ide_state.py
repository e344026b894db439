"""Measure ``cursor-replay`` on a made-up IDE database of many gigabytes.

3,000 chats of 33 messages, each message as large as the size asks for; with or without the table of
heads that newer builds have. Not part of ``make bench``: it takes minutes and the disk.
"""

import argparse
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from run import CACHE, MAIN, measure

CHATS, MESSAGES = 3000, 33
START = 1_789_373_100_000
TABLES = (
    "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
    "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
)
HEADS = (
    "CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt"
    " INTEGER, lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER,"
    " checkpointAt INTEGER, value TEXT, subagentTypeName TEXT)"
)


def build(path: Path, gigabytes: float, *, heads: bool) -> None:
    """Write the database."""
    path.parent.mkdir(parents=True)
    text = "x" * int(gigabytes * 1e9 / (CHATS * MESSAGES))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=OFF")
        connection.execute("PRAGMA synchronous=OFF")
        for table in (*TABLES, *([HEADS] if heads else [])):
            connection.execute(table)
        for number in range(CHATS):
            _chat(connection, number, text, heads=heads)
        connection.commit()


def _chat(connection: sqlite3.Connection, number: int, text: str, *, heads: bool) -> None:
    name, at = f"{number:08x}-0000-4000-8000-000000000001", START + number * 1000
    listed = [{"bubbleId": f"b{i}", "type": 1 if i % 10 == 0 else 2} for i in range(MESSAGES)]
    chat: dict[str, Any] = {"composerId": name, "name": f"Chat {number}", "createdAt": at}
    chat |= {"lastUpdatedAt": at, "status": "completed", "fullConversationHeadersOnly": listed}
    put = "INSERT INTO cursorDiskKV VALUES (?, ?)"
    connection.execute(put, (f"composerData:{name}", json.dumps(chat)))
    for each in listed:
        bubble = json.dumps({"type": each["type"], "text": text})
        connection.execute(put, (f"bubbleId:{name}:{each['bubbleId']}", bubble))
    if heads:
        row = (name, None, at, at, 0, 0, at, None, json.dumps({"name": f"Chat {number}"}), None)
        connection.execute("INSERT INTO composerHeaders VALUES (?,?,?,?,?,?,?,?,?,?)", row)


def main() -> None:
    """Measure: ``ide_state.py [--gigabytes 10] [--no-heads]``."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--gigabytes", type=float, default=10)
    parser.add_argument("--no-heads", dest="heads", action="store_false")
    given = parser.parse_args()
    home = CACHE / "ide-home"
    shutil.rmtree(home, ignore_errors=True)
    path = home / ".config" / "Cursor" / "User" / "globalStorage" / "state.vscdb"
    build(path, given.gigabytes, heads=given.heads)
    print(f"{path.stat().st_size / 1e9:.1f} GB, {CHATS:,} chats")
    root = ["--root", str(home)]
    for name, command in {
        "the newest 20": ["sessions", *root, "--limit", "20"],
        "one chat": ["render", f"{CHATS - 1:08x}", *root, "-f", "json"],
    }.items():
        run = measure([*MAIN, *command])
        print(f"{name:>14} {run.wall:>6.2f} s wall {run.cpu:>6.2f} s CPU {run.rss:>6.1f} MB")
    shutil.rmtree(home)


if __name__ == "__main__":
    main()
