"""The sessions of a Cursor SDK store: agents with their runs in order (SDK formats facts 3.2).

Owns which run belongs to which agent, also where a row is missing, what a listing says of an agent,
and the order of its events. A session is an agent, each of its runs a turn. Knows neither SQL nor
files: those are ``Tables``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from cursor_replay.errors import InputError
from cursor_replay.events import AnyEvent, Noted, SessionSeen, TextSeen
from cursor_replay.ingest.formats.sdk.messages import Decoder
from cursor_replay.ingest.formats.sdk.rows import (
    ENDED,
    STATES,
    AgentRow,
    EventRow,
    Run,
    Tally,
    moment,
)
from cursor_replay.ingest.formats.sdk.runs import RunReader
from cursor_replay.ingest.store import ReadOptions, SessionInfo, State
from cursor_replay.items import Evidence, Time


class Tables(Protocol):
    """The rows of a store."""

    path: Path
    file: str

    def agents(self) -> Iterator[AgentRow]:
        """Every row that names an agent."""

    def runs(self) -> Iterator[Run]:
        """Every row that names a run."""

    def tallies(self) -> Mapping[str, Tally]:
        """The runs that have events."""

    def agent_of(self, run: str) -> str | None:
        """The agent the events of a run name."""

    def asked(self, run: str) -> str | None:
        """What a human typed first in a run, its first line."""

    def last_status(self, run: str) -> str | None:
        """The last word, in upper case, of a run's events about how it stands."""

    def events(self, run: str) -> Iterator[EventRow]:
        """The events of a run in order; raises InputError where they are damaged."""

    def notes(self) -> Iterator[Noted]:
        """What belongs to no session in particular."""

    def close(self) -> None:
        """Let go of it."""


_CUT = "cut-line"
"""A half written last line: what it says is missing behind all that is there."""


@dataclass(slots=True)
class _Agent:
    id: str
    row: AgentRow
    runs: list[Run] = field(default_factory=list)


class SdkStore:
    """A store of either kind, read only."""

    def __init__(self, tables: Tables, form: str) -> None:
        self._tables = tables
        self._form = form
        self._known: dict[str, _Agent] | None = None
        self._tallies: Mapping[str, Tally] = {}

    def sessions(self) -> Iterator[SessionInfo]:
        """Every agent, the one that changed last first."""
        infos = [self._info(agent) for agent in self._agents().values()]
        infos.sort(key=lambda info: info.changed.at if info.changed else "", reverse=True)
        return iter(infos)

    def events(self, session: str, options: ReadOptions) -> Iterator[AnyEvent]:  # noqa: ARG002 - one shape for all
        """The events of one agent, run after run."""
        agent = self._agents().get(session)
        if agent is None:
            raise InputError(f"no session {session!r} in {self._tables.path}")
        notes = list(self._tables.notes())
        yield from (each for each in notes if each.code != _CUT)
        yield from _Reading(self._tables, agent.runs).events()
        yield from (each for each in notes if each.code == _CUT)

    def runs_of(self, session: str) -> list[str]:
        """The ids of the runs of one agent, in order."""
        agent = self._agents().get(session)
        return [run.id for run in agent.runs] if agent else []

    def close(self) -> None:
        """Let go of the store."""
        self._tables.close()

    def _agents(self) -> dict[str, _Agent]:
        if self._known is None:
            self._known = self._found()
        return self._known

    def _found(self) -> dict[str, _Agent]:
        """Agents by id, also those that only a run or an event names."""
        tables = self._tables
        agents = {str(row.id): _Agent(str(row.id), row) for row in tables.agents()}
        runs = {run.id: run for run in tables.runs()}
        self._tallies = tables.tallies()
        for run in self._tallies.keys() - runs.keys():
            first = self._tallies[run].first
            runs[run] = Run(id=run, recorded=False, agent=tables.agent_of(run), created=first)
        only = next(iter(agents)) if len(agents) == 1 else None
        for each in sorted(runs.values(), key=_order):
            owner = each.agent or only or each.id
            agents.setdefault(owner, _Agent(owner, AgentRow())).runs.append(each)
        return agents

    def _info(self, agent: _Agent) -> SessionInfo:
        runs = agent.runs
        tallies = [self._tallies.get(run.id, Tally(0, 0)) for run in runs]
        times = [*(run.created for run in runs), *(tally.first for tally in tallies)]
        changes = [*(run.updated for run in runs), *(tally.last for tally in tallies)]
        known = [time.at for time in (moment(agent.row.updated), *changes) if time]
        return SessionInfo(
            id=agent.id,
            store=self._form,
            path=self._tables.path,
            workspace=agent.row.workspace or None,
            title=agent.row.title() or self._asked(runs),
            started=moment(agent.row.created) or next(filter(None, times), None),
            changed=Time(at=max(known)) if known else None,
            prompts=_sum([tally.prompts for tally in tallies]),
            calls=_sum([tally.calls for tally in tallies]),
            state=self._state(agent),
        )

    def _asked(self, runs: list[Run]) -> str | None:
        return next(filter(None, (self._tables.asked(run.id) for run in runs)), None)

    def _state(self, agent: _Agent) -> State:
        """How the last run stands; its events and its row change in either order."""
        status = (agent.row.status or "").upper()
        if not agent.runs:
            return STATES.get(status, "unknown")
        last = agent.runs[-1]
        if last.status in ENDED:
            return ENDED[last.status]
        told = self._tables.last_status(last.id) or ""
        return ENDED.get(told) or STATES.get(last.status) or STATES.get(told, "unknown")


class _Reading:
    """One pass over the runs of a session: numbers the rows, and says a model once."""

    def __init__(self, tables: Tables, runs: list[Run]) -> None:
        self._tables = tables
        self._runs = runs
        self._decoder = Decoder()
        self._line = 0
        self._model: str | None = None

    def events(self) -> Iterator[AnyEvent]:
        separate = False
        for run in self._runs:
            origin = self._origin(run)
            if separate:  # a run that never ended is continued by no other
                yield TextSeen(origin=origin, text="")
            if run.model and run.model != self._model:
                self._model = run.model
                yield SessionSeen(origin=origin, model=run.model)
            reader = RunReader(run, self._decoder)
            yield from self._run(run, reader)
            separate = not reader.ended

    def _run(self, run: Run, reader: RunReader) -> Iterator[AnyEvent]:
        if not run.recorded:
            words = "events of a run that the store has no row of"
            yield Noted(origin=self._origin(run), code="run-without-row", message=words)
        try:
            yield from reader.events(self._tables.events(run.id), self._place)
        except InputError:
            words = "the store is damaged: not all of this run can be read"
            yield Noted(origin=self._origin(run), code="damaged", message=words, problem=True)
        yield from reader.close(self._origin(run))

    def _place(self, row: EventRow) -> Evidence:
        self._line = row.line or self._line + 1
        return Evidence(file=self._tables.file, line=self._line, block=row.block, row=row.key)

    def _origin(self, run: Run) -> Evidence:
        """The row of a run; in a database it stands with the last of its events."""
        if run.origin is not None:
            return replace(run.origin, row=run.id)
        return Evidence(file=self._tables.file, line=max(self._line, 1), row=run.id)


def _order(run: Run) -> tuple[bool, int, str, str]:
    """By turn, then by time; runs without a row come last."""
    return run.turn is None, run.turn or 0, run.created.at if run.created else "", run.id


def _sum(counts: list[int | None]) -> int | None:
    """None when anything was not counted."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
