"""``cursor-replay scrub``: a scrubbed copy in the format of the original, and what was masked.

Owns the options, the input as a file that can be read twice, and the report. Reading and writing
are in ``copying``.
"""

import json
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from cursor_replay.cli import output, screen
from cursor_replay.cli.home import own_home
from cursor_replay.cli.masking import masking
from cursor_replay.cli.progress import BIG
from cursor_replay.errors import InputError, ReplayError

if TYPE_CHECKING:
    from cursor_replay.scrub import Choices
    from cursor_replay.scrub.copying.copies import Finding

_SHOWN = 5
"""Places that a row of the report names."""


@click.command(
    epilog="""\b
Examples:
  cursor-replay scrub transcript.jsonl -o clean.jsonl
  cursor-replay scrub transcript.jsonl --report
  cursor-replay scrub .debug/cursor-sdk-events -o clean-events
  cursor-replay scrub store.db -o store.ndjson
  cursor-replay scrub state.vscdb --session 4f2a -o chat.ndjson

A copy is as its original but for masks: lines in which nothing was found are the
same bytes. Of a database the rows are written, a JSON object a line.""",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(allow_dash=True, path_type=Path),
    help="Write the copy here, in one step; - is standard output.",
)
@click.option(
    "--session", metavar="ID", help="Of a database with several sessions the rows of this one."
)
@click.option("--force", is_flag=True, help="Replace an output that is there.")
@click.option("--report", is_flag=True, help="Tell what was masked where; never the secret.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object a line.")
@masking
def scrub(
    *,
    file: Path,
    target: Path | None,
    session: str | None,
    force: bool,
    report: bool,
    as_json: bool,
    scrub: bool,
    choices: "Choices",
) -> None:
    """Write a copy of a recording without its secrets.

    FILE is a transcript or dump, a folder of such files, or a database; - is standard input.
    Nothing is done to it.
    """
    if not scrub:
        raise click.UsageError("--no-scrub would leave nothing to do")
    report = report or as_json
    if target is None and not report:
        raise click.UsageError("give -o FILE, or --report; -o - writes to standard output")
    told = _Told()
    _check(file, target, force=force)
    _copy(file, target, choices, told, session=session)
    if report:
        lines = told.json_lines() if as_json else told.table()
        to_stderr = target is not None and str(target) == "-"
        _print(lines, to_stderr=to_stderr)


class _Place(NamedTuple):
    """A finding, and the file of a folder that holds it."""

    file: str
    found: "Finding"


class _Told:
    """What was found, in order."""

    def __init__(self) -> None:
        self.places: list[_Place] = []

    def __call__(self, file: str, found: "Finding") -> None:
        self.places.append(_Place(file, found))

    def json_lines(self) -> Iterator[str]:
        """One object a finding."""
        for file, found in self.places:
            name = {"file": file} if file else {}
            yield json.dumps({**name, **found._asdict()}) + "\n"

    def table(self) -> Iterator[str]:
        """One row a rule: how often, and where first."""
        rules: dict[str, list[_Place]] = defaultdict(list)
        for place in self.places:
            rules[place.found.rule].append(place)
        width = max(map(len, rules), default=0)
        for rule, places in sorted(rules.items()):
            count = sum(place.found.times for place in places)
            yield f"{rule:<{width}}  {count:>5}  {_where(places)}\n"
        if not rules:
            yield "nothing was masked\n"


def _where(places: list[_Place]) -> str:
    shown = [
        (f"{file}:" if file else "line ") + f"{found.line} {found.field}".rstrip()
        for file, found in places[:_SHOWN]
    ]
    more = len(places) - len(shown)
    return ", ".join(shown) + (f", and {more:,} more" if more else "")


def _copy(
    file: Path, target: Path | None, choices: "Choices", told: _Told, *, session: str | None
) -> None:
    from cursor_replay.cli.copying import Copying, is_readable
    from cursor_replay.scrub import Sealer

    sealer = Sealer(choices=replace(choices, style="kind"), home=own_home(), for_copy=True)
    to_file = target is not None and str(target) != "-"
    with _at_hand(file) as path, _bar(_size(path) if to_file else 0) as seen:
        if not (path.is_dir() or is_readable(path)):
            raise InputError(f"{file} is neither text nor a database")
        if session is not None:
            _check_session(path, file)
        plain = choices.style == "plain"
        copying = Copying(sealer, told, plain=plain, seen=seen, session=session)
        if target is None:
            copying.drop(path)
        elif path.is_dir():
            copying.folder(path, target)
        elif to_file:
            like = None if _is_stream(file) else path
            output.bytes_to_file(copying.pieces(path), target, like=like)
        else:
            for piece in copying.pieces(path):
                sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()


def _size(path: Path) -> int:
    """The bytes of a file, or of all in a folder."""
    files = path.rglob("*") if path.is_dir() else (path,)
    total = 0
    for file in files:
        with suppress(OSError):
            total += file.lstat().st_size
    return total


def _is_stream(path: Path) -> bool:
    """Whether ``path`` is standard input or a pipe, which can be read once."""
    return str(path) == "-" or (path.exists() and not (path.is_file() or path.is_dir()))


@contextmanager
def _at_hand(path: Path) -> Iterator[Path]:
    """Yield a file that can be read twice: ``path`` itself, or all that a stream gives."""
    if not _is_stream(path):
        yield path
        return
    if str(path) == "-" and sys.stdin is None:
        raise InputError("standard input is closed")
    with tempfile.TemporaryDirectory(prefix="cursor-replay-") as folder:
        spooled = Path(folder) / "input"
        try:
            with spooled.open("wb") as copy:
                if str(path) == "-":
                    shutil.copyfileobj(sys.stdin.buffer, copy)
                else:
                    with path.open("rb") as stream:
                        shutil.copyfileobj(stream, copy)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or type(error).__name__}") from None
        yield spooled


@contextmanager
def _bar(size: int) -> Iterator[Callable[[int], object]]:
    """Show how far a big input is read."""
    if size < BIG or not screen.is_terminal(sys.stderr):
        yield lambda _: None
        return
    with click.progressbar(
        length=size, label="scrubbing", file=sys.stderr, update_min_steps=size // 100
    ) as bar:
        yield bar.update


def _check(file: Path, target: Path | None, *, force: bool) -> None:
    """Raise ReplayError for an input that is not there, and an output not to be written."""
    try:
        _check_places(file, target, force=force)
    except OSError as error:  # such as a name that is too long
        raise ReplayError(f"{target or file}: {error.strerror}") from None


def _check_places(file: Path, target: Path | None, *, force: bool) -> None:
    if str(file) != "-" and not file.exists():
        raise InputError(f"{file}: no such file")
    if target is None:
        return
    if str(target) == "-":
        output.check_stdout()
        if file.is_dir():
            raise ReplayError(f"{file} is a folder; name a folder to write to")
        return
    output.check_overwrites(target, [file])
    if target.exists() and not force:
        raise ReplayError(f"{target} exists; --force replaces it")
    if target.is_dir() != file.is_dir() and target.exists():
        raise ReplayError(f"cannot write {target}: one is a folder and the other a file")
    if file.is_dir() and target.resolve().is_relative_to(file.resolve()):
        raise ReplayError(f"will not write into its own input {file}; choose another place")


def _check_session(path: Path, file: Path) -> None:
    """Raise InputError for what has no sessions to choose from."""
    from cursor_replay.ingest.database import is_database

    if path.is_dir():
        raise InputError(f"{file} is a folder; --session goes with a database in it")
    if not is_database(path):
        raise InputError(f"{file} is one recording; --session goes with a database of several")


def _print(lines: Iterable[str], *, to_stderr: bool) -> None:
    if to_stderr:
        for line in lines:
            click.echo(line, nl=False, err=True)
    else:
        output.check_stdout()
        output.to_stdout(lines, at_once=False)
