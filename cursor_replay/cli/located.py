"""What is to be read: a path as it is, or a session by its id, in every store that holds it.

Owns how FILE, ``--latest``, ``--session`` and ``--root`` turn into sources, and which recordings
belong to them. Reads nothing but what opening takes.
"""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from cursor_replay.cli.exits import say
from cursor_replay.errors import InputError, ReplayError

if TYPE_CHECKING:
    from cursor_replay.events import SessionSeen
    from cursor_replay.ingest.sessions.catalogue import Catalogue, Entry, Session
    from cursor_replay.ingest.sessions.places import Place
    from cursor_replay.ingest.sessions.sidefiles import SideFiles
    from cursor_replay.ingest.source import Source
    from cursor_replay.ingest.store import ReadOptions

STDIN = "-"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{3,}")
_TELLING = ("transcript", "transcript-json", "legacy-txt")
"""Stores whose order and words are kept when another store knows more of the same session."""


class Located(NamedTuple):
    """The source to show, others of the same session, and the files of its sub-agents."""

    source: "Source"
    others: tuple["Source", ...] = ()
    children: tuple["Place", ...] = ()
    beside: "SideFiles | None" = None
    known: "SessionSeen | None" = None

    @property
    def inputs(self) -> list[Path]:
        """Every file and folder that is read."""
        names = [each.name for each in (self.source, *self.others) if each.name != "<stdin>"]
        return [*map(Path, names), *(each.path for each in self.children)]


@contextmanager
def located(
    file: str | None,
    options: "ReadOptions",
    *,
    root: Path | None = None,
    input_format: str | None = None,
    max_line: int,
) -> Iterator[Located]:
    """Open what is meant (``file`` None: the newest session here); closed behind the ``with``.

    Raises InputError when there is nothing, AmbiguousError when there are several.
    """
    from cursor_replay.cli.sessions import catalogue
    from cursor_replay.ingest.sessions.places import children_of, transcript_in
    from cursor_replay.ingest.source import open_source

    with ExitStack() as opened:
        if file is None or _is_id(file):
            if input_format or options.session:
                words = "--input-format and --session go with a path, not with an id or --latest"
                raise click.UsageError(words)
            found = catalogue(root)
            session = found.latest() if file is None else found.find(file)
            yield _of_session(found, session, options, opened)
            return
        path = str(transcript_in(Path(file)) or file)
        source = open_source(path, input_format=input_format, max_line=max_line, options=options)
        opened.callback(source.close)
        children = () if path == STDIN else tuple(children_of(Path(path)))
        yield Located(source, children=children, beside=_beside(path), known=_workspace(path))


def _is_id(file: str) -> bool:
    """Whether FILE can only be the id of a session."""
    try:
        return file != STDIN and _ID.fullmatch(file) is not None and not Path(file).exists()
    except (OSError, ValueError):
        return False


def _of_session(
    found: "Catalogue", session: "Session", options: "ReadOptions", opened: ExitStack
) -> Located:
    """The telling store first; the others fill in. One that cannot be read is said and left."""
    stores: dict[str, Entry] = {}
    for entry in session.entries:
        stores.setdefault(entry.place.store, entry)
    base, source = _base(found, list(stores.values()), options, opened)
    unread = [each for each in session.entries if _is_copy(each, base, stores)]
    if unread:
        say(f"{session.id} stands in {len(unread) + 1} places; read is {base.place.path}")
    others = []
    for entry in stores.values():
        if entry is not base and entry.place.store not in _TELLING:
            try:
                others.append(_opened(entry, options, opened))
            except ReplayError as error:
                say(f"left out: {error}")
    return Located(
        source,
        tuple(others),
        tuple(found.children(session.id)),
        _beside(str(base.place.path)),
        _facts(found, session),
    )


def _is_copy(entry: "Entry", base: "Entry", stores: "dict[str, Entry]") -> bool:
    """Whether an entry is not read because another of its kind is."""
    if entry is base:
        return False
    return entry.place.store in _TELLING or stores[entry.place.store] is not entry


def _base(
    found: "Catalogue", entries: list["Entry"], options: "ReadOptions", opened: ExitStack
) -> tuple["Entry", "Source"]:
    """The entry to show: a transcript that says something, else what knows most.

    Raises the error of the last one when none can be opened.
    """
    order = sorted(entries, key=lambda each: each.place.store not in _TELLING)
    for entry in order:
        try:
            if entry is not order[-1] and not found.tells(entry):
                say(f"left out: {entry.place.path} says nothing")
                continue
            return entry, _opened(entry, options, opened)
        except ReplayError as error:
            if entry is order[-1]:
                raise
            say(f"left out: {error}")
    raise InputError("no store of this session can be read")


def _facts(found: "Catalogue", session: "Session") -> "SessionSeen":
    """What any store tells of it; the title of a transcript is its first prompt, shown below."""
    from dataclasses import replace

    from cursor_replay.events import SessionSeen
    from cursor_replay.items import Evidence

    others = tuple(each for each in session.entries if each.place.store not in _TELLING)
    named = found.described(replace(session, entries=others))
    info = found.described(session)
    return SessionSeen(
        origin=Evidence(file=str(session.path), line=1),
        session_id=session.id,
        cwd=info.workspace if info else None,
        title=named.title if named else None,
    )


def _workspace(path: str) -> "SessionSeen | None":
    """The workspace that a file of the transcript's project folder names."""
    from cursor_replay.events import SessionSeen
    from cursor_replay.ingest.sessions.transcripts import project_of
    from cursor_replay.ingest.sessions.workspaces import recorded_workspace
    from cursor_replay.items import Evidence

    project = None if path == STDIN else project_of(Path(path).absolute())
    workspace = recorded_workspace(project) if project else None
    if workspace is None:
        return None
    return SessionSeen(origin=Evidence(file=path, line=1), cwd=workspace)


def _beside(path: str) -> "SideFiles | None":
    from cursor_replay.ingest.sessions.sidefiles import SideFiles

    return None if path == STDIN else SideFiles.of(Path(path))


def _opened(entry: "Entry", options: "ReadOptions", opened: ExitStack) -> "Source":
    from dataclasses import replace

    from cursor_replay.ingest.source import open_source

    place = entry.place
    form = None if place.store in _TELLING else place.store
    wanted = replace(options, session=entry.info.id if entry.info else None)
    source = open_source(str(place.path), input_format=form, options=wanted)
    opened.callback(source.close)
    return source
