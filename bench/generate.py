"""Transcripts for measuring: seeded, of any size, with a realistic mix of calls.

Prose is made from the word list below, code from the sources of the standard library of the
Python that runs this. One seed and size give the same bytes with the same Python.
"""

import argparse
import json
import random
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_PROSE = (
    "the a of to in for with on by from this that it we should please check look fix add remove "
    "update test module function class value error cache parser request response session token "
    "user order total index table row column field name path file folder line branch merge build "
    "deploy server client queue worker retry timeout limit budget report log trace event handler "
    "state config option flag default empty missing wrong slow fast small large first last next "
    "before after while because then also only again still already maybe really simple clean"
)
WORDS = _PROSE.split()
FENCES = ("python", "bash", "json", "ts", "")
MODULES = ("json", "email", "http", "logging", "asyncio", "xml", "unittest", "importlib")
FILES = 400
"""Files of the workspace: an agent comes back to the same ones."""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")

Call = tuple[str, dict[str, Any]]


class Author:
    """Writes turns from one random source."""

    def __init__(self, seed: int) -> None:
        """Read the code that the calls quote."""
        self.pick = random.Random(seed)
        self.code = list(_code())
        self.files = ["/".join(self.pick.sample(WORDS, 3)) for _ in range(FILES)]

    def words(self, low: int, high: int) -> str:
        """Return a sentence of ``low`` to ``high`` words."""
        text = " ".join(self.pick.choices(WORDS, k=self.pick.randint(low, high)))
        return text[0].upper() + text[1:] + "."

    def lines(self, low: int, high: int) -> list[str]:
        """Return consecutive lines of code."""
        source = self.pick.choice(self.code)
        count = min(self.pick.randint(low, high), len(source))
        start = self.pick.randrange(len(source) - count + 1)
        return source[start : start + count]

    def path(self) -> str:
        """Return a path of the workspace."""
        return f"/home/dev/shop/{self.pick.choice(self.files)}.py"

    def turn(self) -> Iterator[dict[str, Any]]:
        """Yield the records of one turn."""
        day = self.pick.choice(DAYS)
        stamp = f"{day}, Sep 14, 2026, {self.pick.randint(1, 12)}:{self.pick.randint(10, 59)} PM"
        asked = f"<user_query>\n{self.words(8, 60)}\n</user_query>"
        prompt = f"<timestamp>{stamp} (UTC+2)</timestamp>\n{asked}"
        yield _record("user", [{"type": "text", "text": prompt}])
        for _ in range(self.pick.randint(2, 18)):
            yield _record("assistant", list(self.message()))
        yield {"type": "turn_ended", "status": "success"}

    def message(self) -> Iterator[dict[str, Any]]:
        """Yield the blocks of one assistant message."""
        if self.pick.random() < 0.6:
            yield {"type": "text", "text": self.markdown()}
        makers = self.pick.choices([maker for maker, _ in MIX], [share for _, share in MIX], k=3)
        for maker in makers[: self.pick.randint(1, 3)]:
            name, given = maker(self)
            yield {"type": "tool_use", "name": name, "input": given}

    def markdown(self) -> str:
        """Return an answer: prose, at times with a list, a code fence or a table."""
        parts = [self.words(10, 50)]
        if self.pick.random() < 0.35:
            rows = range(self.pick.randint(2, 6))
            parts.append("\n".join(f"- **{self.words(1, 2)}** {self.words(4, 14)}" for _ in rows))
        if self.pick.random() < 0.30:
            body = "\n".join(self.lines(4, 30)).replace("```", "'''")
            parts.append(f"```{self.pick.choice(FENCES)}\n{body}\n```")
        if self.pick.random() < 0.10:
            rows = range(self.pick.randint(2, 5))
            table = "\n".join(f"| {self.words(1, 2)} | `{self.words(1, 3)}` |" for _ in rows)
            parts.append(f"| name | value |\n|---|---|\n{table}")
        return "\n\n".join(parts)


def read(author: Author) -> Call:
    """Read a file, at times a part of it."""
    given: dict[str, Any] = {"path": author.path()}
    if author.pick.random() < 0.4:
        given |= {"offset": author.pick.randint(1, 400), "limit": 80}
    return "Read", given


def replace(author: Author) -> Call:
    """Edit a few words of some lines."""
    old = author.lines(3, 25)
    new = list(old)
    for _ in range(author.pick.randint(1, 4)):
        at = author.pick.randrange(len(new))
        kind = author.pick.random()
        if kind < 0.5:
            new[at] = new[at].replace("self", "this") + "  # " + author.words(1, 4)
        elif kind < 0.8:
            new.insert(at, "    " + author.words(2, 6))
        elif len(new) > 1:
            del new[at]
    texts = {"old_string": "\n".join(old), "new_string": "\n".join(new)}
    return "StrReplace", {"path": author.path(), **texts}


def write(author: Author) -> Call:
    """Write a whole file."""
    return "Write", {"path": author.path(), "contents": "\n".join(author.lines(30, 300)) + "\n"}


def shell(author: Author) -> Call:
    """Run tests, at times with the output of an earlier run pasted in."""
    names = author.pick.sample(WORDS, 2)
    command = f"cd /home/dev/shop && pytest -q tests/test_{names[0]}.py -k {names[1]}"
    if author.pick.random() < 0.3:
        marks = author.pick.choices(
            ("\x1b[32mPASSED\x1b[0m", "\x1b[31mFAILED\x1b[0m"),
            (8, 2),
            k=author.pick.randint(3, 60),
        )
        seen = "\n".join(f"tests/test_{names[0]}.py::test_{i} {m}" for i, m in enumerate(marks))
        command = f"cat > seen.txt <<'END'\n{seen}\nEND"
    return "Shell", {"command": command, "description": author.words(3, 8)}


def grep(author: Author) -> Call:
    """Search for a word."""
    return "Grep", {"pattern": author.pick.choice(WORDS), "path": author.path(), "glob": "*.py"}


def todos(author: Author) -> Call:
    """Plan some steps."""
    states = ("completed", "in_progress", "pending")
    rows = [
        {"id": str(i), "content": author.words(3, 9), "status": author.pick.choice(states)}
        for i in range(author.pick.randint(2, 7))
    ]
    return "TodoWrite", {"todos": rows, "merge": author.pick.random() < 0.5}


def glob(author: Author) -> Call:
    """Look for files."""
    return "Glob", {"glob_pattern": f"**/{author.pick.choice(WORDS)}*.py"}


def task(author: Author) -> Call:
    """Hand work to a sub-agent."""
    given = {"description": author.words(3, 6), "prompt": author.words(30, 120)}
    return "Task", {**given, "subagent_type": "explore"}


MIX: tuple[tuple[Callable[[Author], Call], int], ...] = (
    (read, 30),
    (replace, 22),
    (write, 8),
    (shell, 20),
    (grep, 10),
    (todos, 5),
    (glob, 3),
    (task, 2),
)
"""The share of each call in a hundred."""


def _record(role: str, content: list[dict[str, Any]]) -> dict[str, Any]:
    return {"role": role, "message": {"content": content}}


def _code() -> Iterator[list[str]]:
    root = Path(sysconfig.get_paths()["stdlib"])
    for module in MODULES:
        for path in sorted((root / module).glob("*.py")):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            if len(lines) > 40:
                yield lines


def write_turns(author: Author, size: int) -> bytes:
    """Return whole turns, at least ``size`` bytes of them, as JSON lines."""
    lines: list[bytes] = []
    while sum(map(len, lines)) < size:
        lines += [
            json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            for record in author.turn()
        ]
    return b"".join(lines)


def generate(path: Path, size: int, seed: int = 20260914) -> Path:
    """Write at least ``size`` bytes of whole turns to ``path``."""
    author = Author(seed)
    written = 0
    with path.open("wb") as stream:
        while written < size:
            for record in author.turn():
                written += stream.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
    return path


def main() -> None:
    """Write one transcript: ``generate.py FILE MEGABYTES``."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("megabytes", type=float)
    given = parser.parse_args()
    generate(given.file, int(given.megabytes * 1e6))


if __name__ == "__main__":
    main()
