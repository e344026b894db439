"""``cursor-replay scrub``: a scrubbed copy in the format of the original, and what was masked.

Owns the options and the report. Reading and writing are in ``copying``.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from cursor_replay.cli import output
from cursor_replay.cli.home import own_home
from cursor_replay.cli.masking import masking
from cursor_replay.errors import InputError, ReplayError

if TYPE_CHECKING:
    from cursor_replay.scrub import Choices
    from cursor_replay.scrub.copies import Finding

_SHOWN = 5
"""Places that a row of the report names."""


@click.command(
    epilog="""\b
Examples:
  cursor-replay scrub transcript.jsonl -o clean.jsonl
  cursor-replay scrub transcript.jsonl --report
  cursor-replay scrub .debug/cursor-sdk-events -o clean-events
  cursor-replay scrub store.db -o store.ndjson

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
@click.option("--force", is_flag=True, help="Replace an output that is there.")
@click.option("--report", is_flag=True, help="Tell what was masked where; never the secret.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object a line.")
@masking
def scrub(
    *,
    file: Path,
    target: Path | None,
    force: bool,
    report: bool,
    as_json: bool,
    scrub: bool,
    choices: "Choices",
) -> None:
    """Write a copy of a recording without its secrets.

    FILE is a transcript or dump, a folder of such files, or a database. Nothing is done to it.
    """
    if not scrub:
        raise click.UsageError("--no-scrub would leave nothing to do")
    report = report or as_json
    if target is None and not report:
        raise click.UsageError("give -o FILE, or --report; -o - writes to standard output")
    told = _Told()
    _copy(file, target, choices, told, force=force)
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


def _copy(file: Path, target: Path | None, choices: "Choices", told: _Told, *, force: bool) -> None:
    from cursor_replay.cli.copying import Copying
    from cursor_replay.scrub import Sealer

    _check(file, target, force=force)
    sealer = Sealer(choices=replace(choices, style="kind"), home=own_home(), for_copy=True)
    copying = Copying(sealer, told, plain=choices.style == "plain")
    if target is None:
        copying.drop(file)
    elif file.is_dir():
        copying.folder(file, target)
    elif str(target) == "-":
        for piece in copying.pieces(file):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    else:
        output.bytes_to_file(copying.pieces(file), target)


def _check(file: Path, target: Path | None, *, force: bool) -> None:
    """Raise ReplayError for an input that cannot be copied, and an output not to be written."""
    from cursor_replay.cli.copying import is_readable

    if not file.exists():
        raise InputError(f"{file}: no such file")
    if not (file.is_dir() or is_readable(file)):
        raise InputError(f"{file} is neither text nor a database")
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


def _print(lines: Iterable[str], *, to_stderr: bool) -> None:
    if to_stderr:
        for line in lines:
            click.echo(line, nl=False, err=True)
    else:
        output.check_stdout()
        output.to_stdout(lines, at_once=False)
