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
from cursor_replay.cli.exits import say
from cursor_replay.cli.home import own_home
from cursor_replay.cli.masking import masking

if TYPE_CHECKING:
    from cursor_replay.ingest.sessions.catalogue import Catalogue, Session
    from cursor_replay.ingest.sessions.listing import Row
    from cursor_replay.items import Time
    from cursor_replay.scrub import Choices

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
@masking
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

    try:
        here = Path.cwd()
    except OSError:
        here = Path("/")  # the folder one stood in is gone: no session is of it
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
    choices: "Choices",
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
    rows = list(_scrubbed(rows, choices, masks=scrub))
    output.to_stdout(_json(rows) if as_json else _table(rows), at_once=False)
    narrow = bool(workspace or since or search)
    hidden = len(kept) - len(shown)
    more = "more were not looked for" if search else f"{hidden:,} more"
    _footer(found, rows, more=more if hidden > 0 else "", narrow=narrow)


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


def _scrubbed(rows: Iterable["Row"], choices: "Choices", *, masks: bool) -> Iterator["Row"]:
    """Every string through the boundary, and on one line: a name may hold a line end."""
    from dataclasses import replace

    from cursor_replay.scrub import Sealer

    sealer = Sealer(scrub=masks, home=own_home(), choices=choices)

    def scrub(text: str) -> str:
        return " ".join(sealer.text(text).split())

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
    """Columns as wide as their longest cell; on a terminal the title takes what is left.

    Laid out by hand: rich prints some thousand rows a second, and there may be ten thousand.
    """
    from cursor_replay.render.cells import width_of

    if not rows:
        return
    wide = screen.columns(sys.stdout) if screen.is_terminal(sys.stdout) else None
    names = _shown(wide)
    cells = [dict(zip(_COLUMNS, _COLUMNS, strict=True)), *map(_cells, rows)]
    widths = {name: max(width_of(row[name]) for row in cells) for name in names}
    if wide:
        widths = _fitted(widths, wide)
    styled = wide and screen.depth("auto", sys.stdout) != "none"
    for number, row in enumerate(cells):
        parts = []
        for name in names:
            text = _clipped(row[name], widths[name]) if wide else row[name]
            space = " " * (widths[name] - width_of(text))
            look = _STYLES.get(name if number else "", {}) if styled else {}
            shown = click.style(text, **look) if look else text
            parts.append(space + shown if name in _NUMBERS else shown + space)
        yield "  ".join(parts).rstrip() + "\n"


def _shown(columns: int | None) -> tuple[str, ...]:
    """The columns there is room for; a pipe gets all."""
    hidden = {name for name, least in _NEEDED.items() if columns is not None and columns < least}
    return tuple(name for name in _COLUMNS if name not in hidden)


def _clipped(text: str, width: int) -> str:
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


def _fitted(widths: dict[str, int], columns: int) -> dict[str, int]:
    """Narrow what is wide until the line fits: the title first, then the workspace."""
    gaps = 2 * (len(widths) - 1)
    fitted = {name: min(width, _MAXIMUM.get(name, width)) for name, width in widths.items()}
    for name, least in (("title", 30), ("workspace", 12), ("stores", 10), ("title", 8)):
        over = sum(fitted.values()) + gaps - columns
        if over > 0 and name in fitted:
            fitted[name] = min(fitted[name], max(least, fitted[name] - over))
    return fitted


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
_NEEDED = {"started": 150, "stores": 130, "prompts": 90, "workspace": 80}
"""Columns of the terminal that a column of the table takes to be shown."""
_NUMBERS = ("prompts", "calls")
_MAXIMUM = {"id": 14, "workspace": 32, "stores": 24}
_STYLES: dict[str, dict[str, Any]] = {
    "": {"bold": True},
    "id": {"fg": "cyan"},
    "workspace": {"dim": True},
    "stores": {"dim": True},
    "started": {"dim": True},
}


def _footer(found: "Catalogue", rows: list["Row"], *, more: str, narrow: bool) -> None:
    """What is not in the table, on stderr."""
    notes = []
    if not rows:
        notes.append("no session passes these filters" if narrow else "no sessions found")
    if more:
        notes.append(f"{more}; --limit 0 lists all")
    if found.unreadable:
        notes.append(f"{found.unreadable} could not be read")
    notes += [f"{row.id}: {row.note}" for row in rows if row.note]
    for note in notes:
        say(note)
