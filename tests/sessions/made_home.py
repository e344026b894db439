"""A made-up home folder with sessions of every layout, small and invented."""

import json
import os
from pathlib import Path
from typing import Any

PROJECT = "srv-shop-web"
WORKSPACE = "/srv/shop/web"


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "message": {"content": [{"type": "text", "text": text}]}}


def query(text: str, stamp: str = "") -> dict[str, Any]:
    head = f"<timestamp>{stamp}</timestamp>\n" if stamp else ""
    return user(f"{head}<user_query>\n{text}\n</user_query>")


def says(text: str, *calls: tuple[str, Any]) -> dict[str, Any]:
    blocks = [{"type": "text", "text": text}] if text else []
    blocks += [{"type": "tool_use", "name": name, "input": given} for name, given in calls]
    return {"role": "assistant", "message": {"content": blocks}}


ENDED = {"type": "turn_ended", "status": "success"}


def jsonl(*records: Any) -> str:
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in records)


def put(path: Path, text: str, *, at: int | None = None) -> Path:
    """Write a file; ``at`` is its time in seconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if at is not None:
        os.utime(path, (at, at))
    return path


def transcript(home: Path, name: str, *records: Any, slug: str = PROJECT, at: int = 1_800_000_000):
    """A transcript in a folder of its own."""
    folder = home / ".cursor" / "projects" / slug / "agent-transcripts" / name
    return put(folder / f"{name}.jsonl", jsonl(*records), at=at)


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below a folder: its time and its bytes."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in files
    }
