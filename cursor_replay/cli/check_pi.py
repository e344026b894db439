"""``cursor-replay check-pi``: what pi would choke on, line by line.

Owns reading, the list and the exit code. Findings hold no words of the file; its name is escaped.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from cursor_replay.cli import output, screen
from cursor_replay.cli.exits import PROBLEM, say
from cursor_replay.errors import InputError
from cursor_replay.ingest.lines import split_lines
from cursor_replay.pi_session.check import Tally, check
from cursor_replay.pi_session.findings import Finding, counted

LISTED = 20
"""Findings of one code that are listed of one file; ``--all`` lists the rest."""
_CHUNK = 1024 * 1024
_STYLES = {"error": "red", "note": "yellow"}


@click.command(
    "check-pi",
    epilog="""\b
Examples:
  cursor-replay check-pi session.jsonl
  cursor-replay check-pi --strict ~/.pi/agent/sessions/*/*.jsonl
  cursor-replay check-pi --json - < session.jsonl | jq -r .code

An error is what pi refuses, rewrites, crashes on or silently loses; a note is what it accepts,
but not as meant. Measured on pi 0.84.0 and 1.6.0. Exit code 1: there are errors.""",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--strict", is_flag=True, help="Notes count as well: exit 1 for any finding.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="One JSON object a finding and line: file, line, code, severity, message, effect.",
)
@click.option(
    "--all", "everything", is_flag=True, help=f"Also list what comes after {LISTED} of one kind."
)
def check_pi(files: tuple[str, ...], *, strict: bool, as_json: bool, everything: bool) -> None:
    """Check pi session files for what pi would choke on.

    Nothing is changed. FILE - is standard input.
    """
    run(files, strict=strict, as_json=as_json, limit=None if everything else LISTED)


def run(files: tuple[str, ...], *, strict: bool, as_json: bool, limit: int | None) -> None:
    """Check file by file; one that cannot be read is told and does not keep the others waiting."""
    output.check_stdout()
    totals: Counter[str] = Counter()
    bare = screen.depth("auto", sys.stdout) == "none"
    for name in files:
        tally = Tally()
        try:
            findings = _findings(name, tally)
        except InputError as error:
            say(str(error))
            totals["unread"] += 1
            continue
        totals.update(each.severity for each in findings)
        totals["checked"] += 1
        pieces = _json(name, findings) if as_json else _text(name, findings, tally, limit)
        shown = map(click.unstyle, pieces) if bare else pieces
        output.to_stdout(shown, at_once=False)
    if not as_json and (len(files) > 1 or totals["error"] or totals["note"]):
        output.to_stdout([_summary(totals)], at_once=False)
    if totals["error"] or totals["unread"] or (strict and totals["note"]):
        click.get_current_context().exit(PROBLEM)


def _findings(name: str, tally: Tally) -> list[Finding]:
    """What is wrong with one file; raises InputError when it cannot be read."""
    with _opened(name) as stream:
        return list(check(split_lines(_bytes(stream, name)), exists=_exists, tally=tally))


def _exists(path: str) -> bool:
    """Whether pi would find the folder; the name of another machine is not asked for."""
    try:
        return not path.startswith(("\\\\", "//")) and Path(path).exists()
    except (OSError, ValueError):
        return False


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed")
        yield sys.stdin.buffer
        return
    try:
        stream = Path(name).open("rb")  # noqa: SIM115 - closed below, opening alone is guarded
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a folder; name the files in it") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: cannot be opened ({type(error).__name__})") from None
    with stream:
        yield stream


def _bytes(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """The file in chunks; a NUL goes in front of UTF-16, which pi does not read as such."""
    first = True
    while True:
        try:
            chunk = stream.read(_CHUNK)
        except OSError as error:
            raise InputError(f"{name}: cannot be read ({type(error).__name__})") from None
        if not chunk:
            return
        if first and chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
            yield b"\0"
        first = False
        yield chunk


def _json(name: str, findings: Iterable[Finding]) -> Iterator[str]:
    """One object a line, in ASCII: whatever is in the name of the file."""
    file = _scrubbed(name)
    for each in findings:
        row = {
            "file": file,
            "line": each.line,
            "code": each.code,
            "severity": each.severity,
            "message": each.message,
            "effect": each.effect,
        }
        yield json.dumps(row) + "\n"


def _text(name: str, findings: list[Finding], tally: Tally, limit: int | None) -> Iterator[str]:
    """The verdict on a file, then its findings in the order of the lines."""
    title = click.style(_printable(name), bold=True)
    counts: Counter[str] = Counter(each.severity for each in findings)
    if counts["error"]:
        yield f"{title}: {_told(counts)}\n"
    else:
        entries = counted(tally.entries, "entry", "entries")
        messages = counted(tally.messages, "message", "messages")
        notes = f"; {_told(counts)}" if findings else ""
        yield f"{title}: pi loads this ({entries}, {messages}){notes}\n"
    listed, left = _listed(findings, limit)
    width = max((len(str(each.line)) for each in listed), default=0)
    for each in listed:
        word = click.style(f"{each.severity:5}", fg=_STYLES[each.severity])
        code = click.style(each.code, bold=True)
        yield f"  {each.line:{width}}  {word}  {code}: {each.message}\n"
    for code, count in left.items():
        yield f"  … and {count:,} more of {code}\n"


def _listed(findings: list[Finding], limit: int | None) -> tuple[list[Finding], Counter[str]]:
    """What is listed, and how many more there are of a code."""
    if limit is None:
        return findings, Counter()
    seen: Counter[str] = Counter()
    listed = []
    for each in findings:
        seen[each.code] += 1
        if seen[each.code] <= limit:
            listed.append(each)
    return listed, Counter({code: n - limit for code, n in seen.items() if n > limit})


def _summary(totals: Counter[str]) -> str:
    unread = f", {totals['unread']:,} not read" if totals["unread"] else ""
    checked = counted(totals["checked"], "file", "files")
    return f"{checked} checked{unread}: {_told(totals)}\n"


def _told(counts: Counter[str]) -> str:
    words = (("error", "errors"), ("note", "notes"))
    parts = [counted(counts[one], one, many) for one, many in words if counts[one]]
    return ", ".join(parts) or "nothing found"


def _printable(name: str) -> str:
    return "".join(char if char.isprintable() else "\ufffd" for char in _scrubbed(name))


def _scrubbed(name: str) -> str:
    """The name of a file may hold anything, also a secret; what is no letter stays, to be seen."""
    from cursor_replay.scrub import Sealer

    return Sealer(for_copy=True).text(name)
