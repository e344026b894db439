"""Every row of a database, or those of one session, with what its reader takes from beside it.

Owns the order of tables and the choice of a session. What belongs to a session is known to the
format.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Protocol, runtime_checkable

from cursor_replay.errors import InputError
from cursor_replay.ingest.database import Database
from cursor_replay.ingest.rowfiles import NO_ROW, Row
from cursor_replay.ingest.store import ReadOptions, Store, chosen
from cursor_replay.ingest.wholes import recognise_store


@runtime_checkable
class _WithFilesBeside(Protocol):
    """A store of which something stands in other files."""

    def beside(self) -> Iterator[Row]:
        """What is read from them, as rows of tables that the database itself does not have."""


@runtime_checkable
class _WithSessions(Protocol):
    """A store of which one session can be taken out."""

    def rows(self, session: str) -> Iterator[Row]:
        """The rows that are read for one session, and no others."""


def rows_of(path: Path, session: str | None = None) -> Iterator[Row]:
    """Yield the rows of the database at ``path``, table by table.

    With ``session`` only those of the session whose id is or begins so. Raises InputError for one
    that is not there and for a database that has none, AmbiguousError for several.
    """
    store = _opened(path, needed=session is not None)
    if store is None:
        yield from _all(path)
        return
    with closing(store):
        seen: set[str] = set()
        for table, row in _all_of(store, path) if session is None else _one(store, session, path):
            seen.add(table)
            yield table, row
    with Database(path) as database:  # a reader asks for tables that have no row, too
        for table in sorted(database.tables() - seen):
            yield table, dict.fromkeys(database.columns(table), NO_ROW)


def _all_of(store: Store, path: Path) -> Iterator[Row]:
    yield from _all(path)
    if isinstance(store, _WithFilesBeside):
        yield from store.beside()


def _opened(path: Path, *, needed: bool) -> Store | None:
    """The store at ``path``; None where there is none, or it names another to open instead."""
    form = recognise_store(path)
    if form is None and needed:
        raise InputError(f"{path} is a database of no store known here: it has no sessions")
    try:
        return form.open(path) if form else None
    except InputError:
        if needed:
            raise
        return None


def _one(store: Store, session: str, path: Path) -> Iterator[Row]:
    if not isinstance(store, _WithSessions):
        raise InputError(f"{path}: no session can be taken out of it")
    found = chosen(store.sessions(), ReadOptions(session=session), name=str(path))
    yield from store.rows(found.id)


def _all(path: Path) -> Iterator[Row]:
    with Database(path) as database:
        for table in sorted(database.tables()):
            yield from database.table(table)
