"""``cursor-replay incomplete``: which started calls have no outcome, and why.

Owns which recordings are read together, and the exit code. The report is made in ``diagnose``.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, get_args

import click

from cursor_replay.cli import output, params, screen
from cursor_replay.cli.exits import PROBLEM, say
from cursor_replay.cli.home import own_home
from cursor_replay.cli.located import STDIN, Located, located
from cursor_replay.cli.options import check_which, how_it_is_read
from cursor_replay.cli.progress import watched
from cursor_replay.errors import InputError, ReplayError
from cursor_replay.items import ReasonId

if TYPE_CHECKING:
    from cursor_replay.diagnose.collect import Found
    from cursor_replay.diagnose.report import Report
    from cursor_replay.diagnose.sightings import Sightings
    from cursor_replay.ingest.source import Source

FRESH = 30
"""Seconds since the last write in which a file is taken for one that is still being written."""
MOST_FILES = 200
"""Files of a folder that are looked at."""
_DUMPS = {".jsonl", ".ndjson", ".json", ".txt", ".log", ".sse"}
_FORMATS = ("terminal", "markdown", "json")
_EXTENSIONS = {".md": "markdown", ".markdown": "markdown", ".json": "json", ".jsonl": "json"}


@click.command(
    epilog="""\b
Examples:
  cursor-replay incomplete --latest
  cursor-replay incomplete run/                    # stream, onDelta, onStep, ... of one run
  cursor-replay incomplete .debug/cursor-sdk-events/sessions/demo-1a2b3c4d
  cursor-replay incomplete onDelta.jsonl --json | jq -r '[.reason, .target] | @tsv'
  cursor-replay incomplete stream.jsonl -f markdown -o report.md
  cursor-replay incomplete stream.jsonl --check --reason sdk-failure

A call is one however many surfaces tell of it: they are joined by the hash of its id. Exit code 1
with --check: there are such calls (with --all-problems: or other problems).""",
)
@click.argument(
    "sources",
    nargs=-1,
    type=click.Path(allow_dash=True),
    metavar="[SOURCE]...",
    shell_complete=params.complete_recording,
)
@click.option("--latest", is_flag=True, help="The newest session of this workspace.")
@click.option("--session", metavar="ID", help="Of a store that holds several: this session.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Look for ids and --latest below this folder (see `cursor-replay sessions`).",
)
@click.option(
    "--input-format",
    type=params.input_format,
    shell_complete=params.complete_input_format,
    metavar="NAME",
    help="Read the input as this format (see `cursor-replay formats`).",
)
@click.option("-f", "--format", type=click.Choice(_FORMATS), help="Output format.")
@click.option("--json", "as_json", is_flag=True, help="The same as -f json: one object a call.")
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    help="Write to this file, in one step; .md and .json name the format.",
)
@click.option(
    "--reason",
    "reasons",
    type=click.Choice(get_args(ReasonId)),
    multiple=True,
    help="Only calls with this reason; may be repeated.",
)
@click.option(
    "--all-problems",
    is_flag=True,
    help="Also other broken pairs: results without a call, replays that pi ran, mixed sessions.",
)
@click.option("--all", "everything", is_flag=True, help="List what is only counted otherwise.")
@click.option("--check", is_flag=True, help="Exit with 1 when there is any such call.")
@click.option("--width", type=click.IntRange(40, 1000), help="Columns to draw in.")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Use colours; auto honours NO_COLOR and FORCE_COLOR.",
)
@how_it_is_read
@click.pass_context
def incomplete(ctx: click.Context, /, **options: Any) -> None:
    """Say which tool calls started and have no outcome, why, and with what evidence.

    SOURCE is a recording, a database, a folder of recordings of one run, or the id of a session;
    - reads standard input. Several are read together.
    """
    check_which(next(iter(options["sources"]), None), latest=options["latest"], name="SOURCE")
    target = None if options["output"] in {None, STDIN} else Path(options["output"])
    options["format"] = _format(options, target)
    if target is None:
        output.check_stdout()
    else:
        output.check_target(target)
    report = _narrowed(_report(options), options["reasons"], problems=options["all_problems"])
    _deliver(report, options, target)
    if options["check"] and (report.calls or report.counted or report.problems):
        ctx.exit(PROBLEM)


def _report(options: dict[str, Any]) -> "Report":
    from cursor_replay.diagnose.merge import report_of
    from cursor_replay.scrub import Sealer

    sealer = Sealer(scrub=options["scrub"], home=own_home(), choices=options["choices"])
    options = {**options, "sealer": sealer}
    sources = options["sources"] or (None,)
    return report_of([found for each in sources for found in _recordings(each, options)])


def _recordings(source: str | None, options: dict[str, Any]) -> Iterator["Found"]:
    """What one SOURCE holds: itself, or the recordings of a folder that is no store."""
    from cursor_replay.ingest.store import ReadOptions

    files: list[str | None] = [*_dumps(source)]
    left_out = 0
    for each in files or [source]:
        with ExitStack() as opened:
            try:
                found = opened.enter_context(
                    located(
                        each,
                        ReadOptions(session=options["session"]),
                        root=options["root"],
                        input_format=options["input_format"],
                        max_line=options["max_line"],
                    )
                )
                yield _read(found, options)
            except InputError:
                if not files:
                    raise
                left_out += 1
    if files and left_out == len(files):
        raise InputError(f"{source} holds no recording that is known here")
    if left_out:
        say(f"left out: {left_out} of {len(files)} files in {source} are no recordings")


def _dumps(source: str | None) -> list[str]:
    """The files of a folder that is no store; empty for everything else."""
    from cursor_replay.ingest.sessions.places import transcript_in
    from cursor_replay.ingest.wholes import recognise_store

    if source in {None, STDIN}:
        return []
    folder = Path(str(source))
    with suppress(OSError, ValueError):
        if folder.is_dir() and transcript_in(folder) is None and recognise_store(folder) is None:
            names = sorted(each for each in folder.iterdir() if each.suffix in _DUMPS)
            return [str(each) for each in names[:MOST_FILES] if each.is_file()]
    return []


def _read(found: Located, options: dict[str, Any]) -> "Found":
    """One recording to its end; the files of a debug folder are looked at one by one as well."""
    from cursor_replay.diagnose.collect import collect
    from cursor_replay.diagnose.sightings import Sightings
    from cursor_replay.ingest.source import Parted
    from cursor_replay.pipeline import replay

    source, sightings = found.source, Sightings()
    parts = source.parts() if isinstance(source, Parted) else []
    for part in parts:
        _look_at(part, sightings)
    if parts:  # the turns of a session may be those of several agents
        sightings.agents |= sightings.sessions
        sightings.sessions.clear()
    items = replay(
        source,
        cwd=options["cwd"],
        strict=options["strict"],
        others=found.others,
        beside=found.beside,
        known=found.known,
        sealer=options["sealer"],
        live=_is_fresh(source),
        watch=None if parts else sightings.watch,
    )
    listed = (
        options["everything"] or "not-recorded" in options["reasons"] or options["format"] == "json"
    )
    shown = watched(items, source, "reading")
    return collect(shown, name=source.name, counts=not listed, sightings=sightings)


def _look_at(path: Path, sightings: "Sightings") -> None:
    """What one file of a run says of its calls; one that says nothing is no loss here."""
    from cursor_replay.diagnose.sightings import DECISIONS
    from cursor_replay.ingest.source import open_source

    if path.stem == "coordinator-events":
        sightings.named.setdefault(DECISIONS)
    with suppress(ReplayError), closing(open_source(str(path))) as source:
        for _ in sightings.watch(source.events()):
            pass


def _is_fresh(source: "Source") -> bool:
    """Whether it was written to just now, so that what is open in it may still run."""
    path = Path(source.name)
    with suppress(OSError, ValueError):
        files = islice(path.rglob("*"), MOST_FILES) if path.is_dir() else (path,)
        return any(time() - each.stat().st_mtime < FRESH for each in files if each.is_file())
    return False


def _narrowed(report: "Report", reasons: Sequence[str], *, problems: bool) -> "Report":
    wanted = set(reasons)
    calls = tuple(each for each in report.calls if not wanted or each.reason in wanted)
    return replace(
        report,
        calls=calls,
        counted=() if wanted else report.counted,
        narrowed=len(report.calls) - len(calls) + (_counted(report) if wanted else 0),
        problems=report.problems if problems else (),
    )


def _counted(report: "Report") -> int:
    return sum(count for _, count in report.counted)


def _deliver(report: "Report", options: dict[str, Any], target: Path | None) -> None:
    pieces = _WRITERS[options["format"]](report, options)
    if target is None:
        output.to_stdout(pieces, at_once=False)
        return
    output.check_overwrites(target, [Path(each) for each in options["sources"]])
    output.to_file(pieces, target)


def _format(options: dict[str, Any], target: Path | None) -> str:
    if options["as_json"]:
        if options["format"] not in {None, "json"}:
            raise click.UsageError("--json and -f exclude each other")
        return "json"
    named = _EXTENSIONS.get(target.suffix.lower()) if target else None
    return str(options["format"] or named or "terminal")


def _terminal(report: "Report", options: dict[str, Any]) -> Iterator[str]:
    from cursor_replay.render.diagnosis.terminal import render

    depth = screen.depth(options["color"], sys.stdout)
    toward_file = options["output"] not in {None, STDIN} and options["color"] == "auto"
    width = options["width"] or screen.columns(sys.stdout)
    color = None if toward_file else _SYSTEMS[depth]
    return render(report, width=width, color=color, everything=options["everything"])


def _markdown(report: "Report", _options: dict[str, Any]) -> Iterator[str]:
    from cursor_replay.render.diagnosis.markdown import render

    return render(report)


def _json(report: "Report", _options: dict[str, Any]) -> Iterator[str]:
    from cursor_replay.render.diagnosis.documents import render

    return render(report)


_SYSTEMS = {"none": None, "16": "standard", "256": "256", "truecolor": "truecolor"}
_WRITERS: dict[str, Callable[["Report", dict[str, Any]], Iterator[str]]] = {
    "terminal": _terminal,
    "markdown": _markdown,
    "json": _json,
}
