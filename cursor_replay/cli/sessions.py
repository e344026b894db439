"""``cursor-replay sessions``: what is on this machine.

Owns the options and the table. Titles, paths and ids come from recordings: each passes the
scrubbing boundary like any other output.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cursor_replay.cli import output, params, screen

if TYPE_CHECKING:
    from cursor_replay.ingest.sessions.catalogue import Catalogue, Session
    from cursor_replay.ingest.sessions.listing import Row
    from cursor_replay.items import Time

LIMIT = 50
_COLUMNS = ("id", "stores", "workspace", "title", "started", "changed", "prompts", "calls", "state")


@click.command(
    epilog="""\b
Examples:
  cursor-replay sessions
  cursor-replay sessions --workspace . --since 7d
  cursor-replay sessions --search "rate limit"
  cursor-replay sessions --json | jq -r 'select(.state == "error") | .id'
  cursor-replay render 7f3a9c

A time behind <= is the file's own; a count is left out where the store does not tell it.""",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option(
    "--workspace",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Only sessions of this folder.",
)
@click.option(
    "--since",
    type=params.since,
    metavar="WHEN",
    help="Only what changed since then: 2026-09-14, or 3d, 12h, 30m ago.",
)
@click.option(
    "--search",
    metavar="WORDS",
    help="Only sessions in whose prompts and answers every one of these words stands.",
)
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=LIMIT,
    show_default=True,
    metavar="N",
    help="At most so many; 0 lists all.",
)
@click.option("--subagents", is_flag=True, help="Also the sessions of sub-agents.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Look below this folder (a home, a .cursor, a copy of either) and nowhere else.",
)
@click.option(
    "--no-scrub",
    "scrub",
    flag_value=False,
    default=True,
    help="Do not mask secrets and home folders: paths can be opened as they are.",
)
def sessions(**options: Any) -> None:
    """List the sessions on this machine, newest first, those of this workspace before others.

    Looks at Cursor's transcripts, chats and IDE, at SDK stores, pi sessions and debug folders.
    Nothing is changed or locked.
    """
    run(**options)


def catalogue(root: Path | None) -> "Catalogue":
    """The sessions of this user, or of what lies below ``root``."""
    from cursor_replay.ingest.sessions.catalogue import Catalogue
    from cursor_replay.ingest.sessions.roots import machine_roots, roots_below

    here = Path.cwd()
    if root is not None:
        return Catalogue(roots_below(root, workspace=here))
    return Catalogue(machine_roots(os.environ, home=Path.home(), workspace=here))


def run(
    *,
    as_json: bool,
    workspace: str | None,
    since: datetime | None,
    search: str | None,
    limit: int,
    subagents: bool,
    root: Path | None,
    scrub: bool,
) -> None:
    """Find, narrow, describe what is shown, and say what was left out."""
    from cursor_replay.ingest.sessions.listing import narrowed, row_of

    output.check_stdout()
    found = catalogue(root)
    kept = narrowed(
        found.sessions(),
        workspace=str(Path(workspace).resolve()) if workspace else None,
        since=since.astimezone(UTC).isoformat() if since else None,
        subagents=subagents,
    )
    if search:
        kept = list(_searched(kept, search.split(), limit))
    shown = kept[:limit] if limit else kept
    rows = [row for each in shown if (row := row_of(found, each))]
    rows = list(_scrubbed(rows)) if scrub else rows
    output.to_stdout(_json(rows) if as_json else _table(rows), at_once=False)
    if not as_json:
        narrow = bool(workspace or since or search)
        _footer(found, rows, hidden=len(kept) - len(shown), narrow=narrow)


def _searched(kept: list["Session"], words: list[str], limit: int) -> Iterator["Session"]:
    """The sessions that hold the words; a bar shows the progress, for this reads them all."""
    from cursor_replay.ingest.sessions.listing import mentions

    hidden = not screen.is_terminal(sys.stderr)
    count = 0
    with click.progressbar(kept, label="searching", file=sys.stderr, hidden=hidden) as bar:
        for each in bar:
            if mentions(each, words):
                yield each
                count += 1
            if limit and count > limit:
                return


def _scrubbed(rows: Iterable["Row"]) -> Iterator["Row"]:
    """Every string through the boundary."""
    from dataclasses import replace

    from cursor_replay.scrub import Sealer

    scrub = Sealer().text
    for row in rows:
        texts: dict[str, Any] = {
            name: scrub(text) for name in _TEXTS if (text := getattr(row, name))
        }
        if row.slug:  # a home folder hides in it, which shows only where slugs stand
            texts["slug"] = scrub(_PROJECTS + row.slug).removeprefix(_PROJECTS)
        stores = tuple(replace(each, path=scrub(each.path)) for each in row.stores)
        yield replace(row, stores=stores, **texts)


def _json(rows: list["Row"]) -> Iterator[str]:
    from pydantic import TypeAdapter

    from cursor_replay.ingest.sessions.listing import Row

    dump = TypeAdapter(Row).dump_json
    for row in rows:
        yield dump(row, exclude_none=True).decode() + "\n"


def _table(rows: list["Row"]) -> Iterator[str]:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return
    wide = screen.is_terminal(sys.stdout)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in _COLUMNS:
        number = name in ("prompts", "calls")
        table.add_column(
            name,
            justify="right" if number else "left",
            no_wrap=True,
            overflow="ellipsis",
            ratio=None,
            min_width=_MINIMUM.get(name),
            max_width=_MAXIMUM.get(name) if wide else None,
        )
    for row in rows:
        cells = _cells(row)
        table.add_row(*(Text(cells[name], style=_STYLES.get(name, "")) for name in _COLUMNS))
    console = Console(file=sys.stdout, width=None if wide else 400, no_color=None)
    with console.capture() as drawn:
        console.print(table)
    for line in drawn.get().splitlines():
        yield line.rstrip() + "\n"


def _cells(row: "Row") -> dict[str, str]:
    """The words of each column."""
    return {
        "id": row.id,
        "stores": "+".join(dict.fromkeys(each.store for each in row.stores)),
        "workspace": row.workspace or (f"({row.slug})" if row.slug else ""),
        "title": row.title or "",
        "started": _moment(row.started),
        "changed": _moment(row.changed),
        "prompts": "" if row.prompts is None else f"{row.prompts:,}",
        "calls": "" if row.calls is None else f"{row.calls:,}",
        "state": row.state,
    }


def _moment(time: "Time | None") -> str:
    """Minutes, UTC; a file's own time is told from a recorded one."""
    if time is None:
        return ""
    minute = time.at[:16].replace("T", " ")
    return f"<= {minute}" if time.basis == "file" else minute


_TEXTS = ("id", "workspace", "title", "parent", "note")
_PROJECTS = ".cursor/projects/"
_MINIMUM = {"id": 8, "title": 20}
_MAXIMUM = {"id": 13, "workspace": 28, "stores": 22}
_STYLES = {"id": "cyan", "workspace": "dim", "stores": "dim", "started": "dim"}


def _footer(found: "Catalogue", rows: list["Row"], *, hidden: int, narrow: bool) -> None:
    """What is not in the table, on stderr."""
    notes = []
    if not rows:
        notes.append("no session passes these filters" if narrow else "no sessions found")
    if hidden > 0:
        notes.append(f"{hidden:,} more; --limit 0 lists all")
    if found.unreadable:
        notes.append(f"{found.unreadable} could not be read")
    notes += [f"{row.id}: {row.note}" for row in rows if row.note]
    for note in notes:
        click.echo(f"cursor-replay: {note}", err=True)
