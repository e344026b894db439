"""The Cursor SDK's local store in SQLite: ``index.db`` (SDK formats facts 3.2; live facts 7.1).

Owns its tables and how little of them a listing needs. Columns are taken by name, because
migrations added some. ``metadata_json`` holds a key and is never selected. The checkpoints beside
it, ``agents/agent-<sha256>/store.db``, tell nothing that ``index.db`` does not.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from cursor_replay.errors import InputError
from cursor_replay.events import Noted
from cursor_replay.ingest.database import Database, holds_tables
from cursor_replay.ingest.formats.sdk.rows import (
    AgentRow,
    EventRow,
    Run,
    Tally,
    agent_row,
    inner,
    message_of,
    moment,
    run_row,
    status_in,
    typed_in,
)
from cursor_replay.ingest.formats.sdk.sessions import SdkStore
from cursor_replay.ingest.rowfiles import Row
from cursor_replay.items import Json
from cursor_replay.lenient import as_object, as_text

NAME = "sdk-store"
_FILE = "index.db"
_TABLES = frozenset(("agents", "runs", "run_events"))
_CHECKPOINTS = re.compile("agent-[0-9a-f]{64}")
_AGENT = ("agent_id", "workspace_ref", "status", "name", "created_at", "updated_at")
_RUN = (
    "run_id", "agent_id", "turn_number", "status", "model", "error_code", "usage_json", "result",
    "created_at", "updated_at", "finished_at", "cancelled_at", "expired_at",
)  # fmt: skip
_EVENT = ("seq", "event_type", "payload_json", "payload_ref", "created_at")
_LAST_ROWS = 20
"""Rows at the end of a run in which its last status is looked for."""


def holds(path: Path) -> bool:
    """Whether ``path`` is such a database, a folder with one, or the checkpoints beside one."""
    try:
        index = path / _FILE if path.is_dir() else path
        return holds_tables(index, _TABLES) or _index_of(path) is not None
    except (OSError, ValueError):
        return False


def open_store(path: Path) -> SdkStore:
    """Open it; raises InputError for checkpoints, which name the database to open instead."""
    index = _index_of(path)
    if index is not None:
        raise InputError(f"{path} holds checkpoints of an SDK store; open the store at {index}")
    return _Store(_Tables(path / _FILE if path.is_dir() else path))


def _index_of(path: Path) -> Path | None:
    """The ``index.db`` that the checkpoint database or folder ``path`` belongs to."""
    place = path.absolute()
    folder = place.parent if place.name == "store.db" else place
    if not (_CHECKPOINTS.fullmatch(folder.name) and folder.parent.name == "agents"):
        return None
    if not (folder / "store.db").is_file():
        return None
    index = folder.parent.parent / _FILE
    return index if holds_tables(index, _TABLES) else None


class _Store(SdkStore):
    """A store of which one agent can be taken out."""

    def __init__(self, tables: "_Tables") -> None:
        super().__init__(tables, NAME)
        self._database = tables

    def rows(self, session: str) -> Iterator[Row]:
        """The agent, its runs and their events."""
        yield from self._database.whole_rows(session, self.runs_of(session))


class _Tables:
    """The rows of the database."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = str(path)
        self._database = Database(path)
        self._runs: dict[str, Any] = {}
        try:
            self._check()
        except BaseException:
            self.close()
            raise

    def agents(self) -> Iterator[AgentRow]:
        yield from filter(None, map(agent_row, self._rows("agents", _AGENT)))

    def runs(self) -> Iterator[Run]:
        yield from filter(None, map(run_row, self._rows("runs", _RUN)))

    def tallies(self) -> dict[str, Tally]:
        """Counted in SQL; a database too large to copy, or without JSON in SQLite, is not."""
        if self._database.copied and self._has("payload_json", "created_at"):
            with suppress(InputError):
                return {
                    self._named(run): Tally(prompts, calls, moment(first), moment(last))
                    for run, prompts, calls, first, last in self._database.rows(_COUNTS)
                }
        query = "SELECT DISTINCT run_id FROM run_events"
        return {self._named(run): Tally() for (run,) in self._database.rows(query)}

    def agent_of(self, run: str) -> str | None:
        for row in self._some(run, "LIMIT 5"):
            message = message_of(row.payload)
            found = as_object(row.payload).get("agentId") or message.get("agent_id")
            if as_text(found):
                return as_text(found)
        return None

    def asked(self, run: str) -> str | None:
        rows = self._some(run, f"LIMIT {_LAST_ROWS}")
        return next(filter(None, (typed_in(row.payload) for row in rows)), None)

    def last_status(self, run: str) -> str | None:
        rows = self._some(run, f"DESC LIMIT {_LAST_ROWS}")
        return next(filter(None, (status_in(row.payload) for row in rows)), None)

    def events(self, run: str) -> Iterator[EventRow]:
        yield from self._some(run)

    def notes(self) -> Iterator[Noted]:
        return iter(())

    def whole_rows(self, agent: str, runs: list[str]) -> Iterator[Row]:
        """The rows as they stand, every column of them."""
        yield from self._database.table("agents", "WHERE agent_id = ?", (agent,))
        for table in ("runs", "run_events"):
            for run in runs:
                where = "WHERE run_id IS ?"
                yield from self._database.table(table, where, (self._runs.get(run, run),))

    def close(self) -> None:
        self._database.close()

    def _check(self) -> None:
        if not self._database.tables() >= _TABLES:
            raise InputError(f"{self.path} is no store of the Cursor SDK")
        if not self._has("run_id", "seq"):
            raise InputError(f"{self.path} has events that belong to no run")

    def _has(self, *columns: str) -> bool:
        return self._database.columns("run_events") >= set(columns)

    def _named(self, run: Any) -> str:
        """The run of some events as text; what stands in the row is kept to find them by."""
        name = run if isinstance(run, str) else repr(run)
        self._runs[name] = run
        return name

    def _rows(self, table: str, names: tuple[str, ...]) -> Iterator[dict[str, Json]]:
        """Rows by column name, without what is absent or empty."""
        there = self._database.columns(table)
        chosen = [name for name in names if name in there]
        query = f"SELECT {', '.join(['NULL', *chosen])} FROM {table}"  # noqa: S608 - our own names
        for _, *values in self._database.rows(query):
            pairs = zip(chosen, values, strict=True)
            yield {name: value for name, value in pairs if value is not None}

    def _some(self, run: str, which: str = "") -> Iterator[EventRow]:
        there = self._database.columns("run_events")
        names = [_BYTES.get(name, name) if name in there else "NULL" for name in _EVENT]
        query = (
            f"SELECT {', '.join(names)} FROM run_events "  # noqa: S608 - our own names
            f"WHERE run_id IS ? ORDER BY seq {which}"
        )
        for seq, kind, text, ref, created in self._database.rows(query, [self._runs.get(run, run)]):
            payload, problems = inner(text)
            yield EventRow(
                seq=seq if isinstance(seq, int) else None,
                key=f"{run}/{seq}",
                kind=as_text(kind),
                time=moment(created),
                payload=payload,
                problems=problems,
                elsewhere=ref is not None,
            )


_BYTES = {"payload_json": "CAST(payload_json AS BLOB)"}
"""Text is taken as it stands in the file: bytes that are no UTF-8 are to be noticed."""

# CASE, because only its branches are evaluated in order: JSON functions fail on what is no JSON.
_COUNTS = """
SELECT run_id, count(CASE WHEN kind = 'user' THEN 1 END),
       count(DISTINCT CASE WHEN kind = 'tool_call' THEN call END), min(created_at), max(created_at)
FROM (
  SELECT run_id, created_at,
         CASE WHEN json THEN json_extract(payload_json, '$.message.type') END AS kind,
         CASE WHEN json THEN json_extract(payload_json, '$.message.call_id') END AS call
  FROM (
    SELECT run_id, created_at, payload_json,
           CASE WHEN typeof(payload_json) = 'text'
                 AND (instr(payload_json, '"tool_call"') OR instr(payload_json, '"user"'))
                THEN json_valid(payload_json) END AS json
    FROM run_events
  )
)
GROUP BY run_id
"""
