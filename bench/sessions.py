"""Measure ``cursor-replay sessions`` on a made-up home of 10,000 transcripts.

Seeded: 200 workspaces, a transcript of 5 to 60 KB each, every tenth with a sub-agent. Prints the
wall and CPU seconds of listing the newest 50, of listing all, and of a search.
"""

import argparse
import random
import shutil
from pathlib import Path

from generate import Author, write_turns
from run import CACHE, MAIN, measure

WORKSPACES = 200
KILOBYTES = (5, 60)


def build(home: Path, count: int, seed: int = 20260914) -> Path:
    """Write ``count`` transcripts below ``home``, once."""
    if home.exists():
        return home
    pick = random.Random(seed)
    author = Author(seed)
    pages = [write_turns(author, pick.randint(*KILOBYTES) * 1000) for _ in range(100)]
    for number in range(count):
        slug = f"home-dev-shop-{number % WORKSPACES}"
        name = f"{number:08x}-1111-4111-8111-111111111111"
        folder = home / ".cursor" / "projects" / slug / "agent-transcripts" / name
        folder.mkdir(parents=True)
        (folder / f"{name}.jsonl").write_bytes(pages[number % len(pages)])
        if number % 10 == 0:
            (folder / "subagents").mkdir()
            (folder / "subagents" / f"{number:08x}-child.jsonl").write_bytes(pages[0])
    return home


def main() -> None:
    """Measure: ``sessions.py [--count N] [--keep]``."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--keep", action="store_true", help="keep the made-up home")
    given = parser.parse_args()
    home = build(CACHE / f"home-{given.count}", given.count)
    base = [*MAIN, "sessions", "--root", str(home)]
    asked = {
        "newest 50": [],
        "all": ["--limit", "0"],
        "all, --json": ["--limit", "0", "--json"],
        "--search": ["--search", "retry timeout nowhere"],
    }
    print(f"{given.count:,} sessions")
    for name, options in asked.items():
        measure([*base, *options])
        run = measure([*base, *options])
        print(
            f"{name:>12} {run.wall:>6.2f} s wall {run.cpu:>6.2f} s CPU {run.rss:>6.1f} MB",
            flush=True,
        )
    if not given.keep:
        shutil.rmtree(home)


if __name__ == "__main__":
    main()
