"""Fake secrets of every class, made when it runs, and where they can be seen.

Owns the secrets, how a text is searched for them, and the outputs of a recording. What the fields of
a recording are is in ``canary_fields``.
"""

import random
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner
from recorded import in_every_output, reports, squeezed

sys.path.insert(0, str(Path(__file__).parents[1] / "scrub"))
from made_secrets import SHAPES, made

from cursor_replay.cli.main import cli
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.items import Sealed
from cursor_replay.pipeline import replay

_PICK = random.Random(11)  # noqa: S311 - made up, and the same each time
SECRETS = {name: made(name, _PICK) for name in SHAPES}
ALL = "\n".join(f"{whole} " for whole, _ in SECRETS.values())
HIDING: dict[str, Any] = {"incomplete": "none", "lifecycle": True, "fold": True}
"""What else decides what is shown of a recording."""


@cache
def telling() -> dict[str, str]:
    """Ten characters that only stand in one secret, and whose it is."""
    pieces = {}
    for name, (_, secret) in SECRETS.items():
        for row in secret.split("\n"):
            size = min(10, len(row))
            for at in {len(row) // 2 - size // 2, len(row) - size}:
                pieces[row[at : at + size]] = name
    return {
        piece: name
        for piece, name in pieces.items()
        if not {" ", ";", "="} & set(piece) and squeezed(piece) == piece
    }


def seen(text: str) -> set[str]:
    """The classes of secrets that can be read in a text, however it is laid out."""
    plain = squeezed(
        text
    )  # of a piece nothing is squeezed out, so it is in there if it is in the text
    return {name for piece, name in telling().items() if piece in plain}


def found_in(shown: Iterable[tuple[str, str]]) -> list[tuple[str, set[str]]]:
    """What is seen in which output."""
    return [(which, found) for which, text in shown if (found := seen(text))]


class Turns:
    """Gives one secret after the other: behind a text, or (``whole``) in its place.

    ``given`` are the classes that were put anywhere, ``count`` how many secrets; an id gets the same
    one wherever it stands.
    """

    def __init__(self, start: int, *, whole: bool = False) -> None:
        self.at = start
        self.whole = whole
        self.given: set[str] = set()
        self.count = 0
        self._ids: dict[str, str] = {}

    def next(self, *, without: str | None = None) -> str:
        """The secret whose turn it is, or the next one that has no such character."""
        names = list(SECRETS)
        self.at = (self.at + 1) % len(names)
        secret = SECRETS[names[self.at]][0]
        if without and without in secret:
            return self.next(without=without)
        self.given.add(names[self.at])
        self.count += 1
        return secret

    def __call__(self, text: str, *, without: str | None = None) -> str:
        secret = f"{self.next(without=without)} "
        return secret if self.whole else f"{text} \n{secret}"

    def same(self, text: str) -> str:
        """What stands for an id by which records are joined."""
        if text not in self._ids:
            self._ids[text] = self(text)
        return self._ids[text]

    def of(self, text: str | None) -> str | None:
        """What an id has become."""
        return self._ids.get(text, text) if text else text


class AllAtOnce(Turns):
    """Gives every secret at once; ids stay."""

    def next(self, *, without: str | None = None) -> str:
        if without:
            return super().next(without=without)
        self.given |= set(SECRETS)
        self.count += 1
        return ALL

    def same(self, text: str) -> str:
        return text


def opened(
    path: Path, *, scrub: bool = True, how: dict[str, Any] | None = None, **read: Any
) -> list[Sealed]:
    """The sealed items of a recording."""
    with closing(open_source(str(path), options=ReadOptions(**read))) as source:
        return list(replay(source, scrub=scrub, **(how or {})))


def shown_of(path: Path, **read: Any) -> Iterator[tuple[str, str]]:
    """Every output of a recording: its cards, the report, what is hidden, and its copy."""
    items = opened(path, **read)
    yield from in_every_output(items)
    yield from reports(items)
    hidden = opened(path, how=HIDING, **read)
    for which, text in in_every_output(hidden, only=("text",)):
        yield f"hidden, {which}", text
    yield from copies(path)


def run(*args: object, **more: Any) -> str:
    """All that a command prints, on both streams, and what Python would print of a crash."""
    done = CliRunner().invoke(cli, [str(each) for each in args], prog_name="cursor-replay", **more)
    unforeseen = done.exception if not isinstance(done.exception, SystemExit) else None
    trace = "".join(traceback.format_exception(unforeseen)) if unforeseen else ""
    return done.output + trace


def copies(path: Path) -> Iterator[tuple[str, str]]:
    """The scrubbed copy of a recording with the names in it, and what is told of it."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        yield "findings", run("scrub", path, "-o", copy, "--json")
        for file in sorted(copy.rglob("*")) if copy.is_dir() else [copy]:
            name = str(file.relative_to(folder))
            yield f"copy {name}", name + (file.read_text("utf-8") if file.is_file() else "")


def listed(root: Path) -> Iterator[tuple[str, str]]:
    """The listing of what lies below a folder, in both forms."""
    all_of_it = ("sessions", "--root", root, "--subagents")
    yield "sessions", run(*all_of_it)
    yield "sessions as JSON", run(*all_of_it, "--json")
    yield "search", run(*all_of_it, "--search", "no such word anywhere")


def diagnosed(path: Path, *more: object) -> Iterator[tuple[str, str]]:
    """The report of ``incomplete`` on a path, in each of its forms."""
    for form in ("terminal", "markdown", "json"):
        how = ("-f", form, "--all", "--all-problems", *more)
        yield f"incomplete -f {form}", run("incomplete", path, *how)
