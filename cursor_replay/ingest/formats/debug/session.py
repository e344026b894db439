"""The turns of one session of event-debug artifacts, as one recording (replay facts 1.2 and 1.5).

A turn folder holds the files of one turn, every one of them optional; a pinned run and the
standalone probe are one by itself. Owns the order of turns, what goes on from one folder to the
next, and what a listing shows. What stands in the files is read by ``turn.py``.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from heapq import merge
from pathlib import Path

from cursor_replay.events import AnyEvent, Noted
from cursor_replay.ingest.formats.debug.documents import Documents, Manifest
from cursor_replay.ingest.formats.debug.lines import (
    CONVERSATION,
    LAYERS,
    TIMELINE,
    Entries,
    Entry,
    from_file,
)
from cursor_replay.ingest.formats.debug.records import drained
from cursor_replay.ingest.formats.debug.turn import TurnReader
from cursor_replay.ingest.formats.debug.witness import SDK, Known
from cursor_replay.ingest.store import SessionInfo, State
from cursor_replay.ingest.times import from_ms
from cursor_replay.items import Evidence, Time

_TITLE = 200
_EPHEMERAL, _ANONYMOUS = "__ephemeral__:", "__anonymous__"
_STATES: dict[str, State] = {"finished": "finished", "cancelled": "finished", "error": "error"}
_PI_SESSIONS = ("pi-session.jsonl", "pi-session-snapshot.jsonl")


class TurnFolder:
    """The folder of one turn, a pinned run or the probe."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def documents(self) -> Documents:
        """Its JSON files."""
        return Documents(self.path)

    @cached_property
    def files(self) -> dict[str, Path]:
        """The record files that are there, by layer."""
        paths = {layer: self.path / f"{layer}.jsonl" for layer in LAYERS}
        return {layer: path for layer, path in paths.items() if is_file(path)}

    @property
    def surfaces(self) -> list[Path]:
        """The files by themselves: what the SDK told, what pi decided, how the run ended."""
        layers = (*SDK, "coordinator-events", "display-decisions")
        told = [self.files[layer] for layer in layers if layer in self.files]
        documents = (self.path / f"{CONVERSATION}.json", self.path / "wait-result.json")
        return [*told, *filter(is_file, documents)]

    def drained(self) -> Iterator[Entry]:
        """Its drain records."""
        path = self.files.get("drain-events")
        entries = from_file(path, "drain-events") if path else ()
        return (each for each in entries if isinstance(each, Entry))

    def _recorded_turn(self) -> int:
        """The turn that the first records of its files name; none do in a pinned run."""
        firsts = (next(from_file(path, layer), None) for layer, path in self.files.items())
        turns = (each.turn for each in firsts if isinstance(each, Entry))
        return next((turn for turn in turns if turn), 0)

    @cached_property
    def order(self) -> tuple[int, str]:
        """Where it stands among the turns of its session."""
        number = self.documents.turn or counted(self.path.name) or self._recorded_turn()
        return number, self.path.name

    @property
    def label(self) -> str:
        """How a notice names it."""
        number = self.order[0]
        return f"turn {number} ({self.path.name})" if number else self.path.name

    def entries(self) -> Entries:
        """The records of all files in the order of their times; then the conversation.

        The timeline mirrors the others and is read only where there is none of them.
        """
        files = self.files
        timeline = self.path / f"{TIMELINE}.jsonl"
        if not files and is_file(timeline):
            yield from from_file(timeline, TIMELINE)
        keyed = (
            _keyed(from_file(path, layer), rank) for rank, (layer, path) in enumerate(files.items())
        )
        for _, _, entry in merge(*keyed, key=lambda each: each[:2]):
            yield entry
        yield from self.documents.conversation()

    def events(self, known: Known, hidden: Counter[str]) -> Iterator[AnyEvent]:
        """Everything of this turn; adds what is not shown to ``hidden``."""
        documents = self.documents
        yield from documents.head()
        reader = TurnReader(
            self.entries, known, label=self.label, wait=documents.end, answer=documents.answer
        )
        reader.look()
        prompt = None if reader.turn.prompted else documents.prompt
        if prompt is not None or reader.turn.prompted:
            known.next_run()
        if prompt is not None:
            yield prompt
        yield from documents.losses(reader.counts, reader.cut)
        if not reader.counts.keys() - {CONVERSATION}:
            yield documents.crashed(self.label)
        yield from reader.events()
        hidden.update(reader.hidden)


class SessionFolder:
    """The turns of one session; a turn folder by itself is a session of one turn."""

    def __init__(self, path: Path, turns: list[TurnFolder]) -> None:
        self.path = path
        self.turns = sorted(turns, key=lambda turn: turn.order)
        self._manifest = Manifest(path)

    @property
    def slug(self) -> str:
        """The name of the folder."""
        return self.path.resolve().name

    @property
    def name(self) -> str:
        """The base name of the session key, else the name of the folder."""
        keys = [self._manifest.session_key, *(turn.documents.session_key for turn in self.turns)]
        key = next((each for each in keys if each), "").replace("\\", "/")
        stem = key.removeprefix(_EPHEMERAL).rsplit("/", 1)[-1]
        stem = stem.removesuffix(".jsonl").removesuffix(".json")
        return self.slug if not stem or stem == _ANONYMOUS else stem

    def info(self, name: str) -> SessionInfo:
        """What a listing shows; only the small JSON files are read."""
        documents = [turn.documents for turn in self.turns]
        captured = [each.captured for each in documents if each.captured]
        return SessionInfo(
            id=name,
            store="debug-artifacts",
            path=self.path,
            workspace=next((each.cwd for each in documents if each.cwd), None),
            title=self._title(),
            started=self._manifest.time("createdAt") or next(iter(captured), None),
            changed=self._manifest.time("updatedAt")
            or next(reversed(captured), None)
            or _changed(self.path),
            prompts=sum(not each.is_drain for each in documents),
            state=self._state(),
        )

    def events(self) -> Iterator[AnyEvent]:
        """Turn after turn; calls and texts that go on in the next folder go on."""
        known = Known(drains=self._drains())
        hidden: Counter[str] = Counter()
        for turn in self.turns:
            yield from turn.events(known, hidden)
        origin = Evidence(file=str(self.path), line=1)
        if hidden:
            kinds = ", ".join(f"{count} in {layer}.jsonl" for layer, count in hidden.items())
            words = f"pi's own records are not shown here ({kinds}); open a file by itself for them"
            yield Noted(origin=origin, code="not-shown", level="info", message=words)
        if (copy := self._pi_session()) is not None:
            words = f"pi's own session is here too; open {copy.name} by itself to see it"
            at = Evidence(file=str(copy), line=1)
            yield Noted(origin=at, code="pi-session", level="info", message=words)

    def _title(self) -> str | None:
        """The first line of the first prompt, when it is short enough to be one."""
        prompts = (turn.documents.prompt for turn in self.turns)
        text = next((each.text for each in prompts if each is not None), "").strip()
        line = text.split("\n", 1)[0].strip()
        return line if 0 < len(line) <= _TITLE else None

    def _state(self) -> State:
        """How the last turn ended; one that only drains ended with the run before it."""
        last = self.turns[-1]
        finished = self._manifest.is_finished(last.path.name)
        word = last.documents.status
        if word is None and last.documents.is_drain:
            words = (turn.documents.status for turn in reversed(self.turns))
            word = next((each for each in words if each), None)
        if word is None:
            return "finished" if finished else "unknown"
        return _STATES.get(word, "unknown")

    def _drains(self) -> dict[str, str]:
        """Which turn showed which replay card (replay facts 1.4: often the next one)."""
        found: dict[str, str] = {}
        for turn in self.turns:
            for entry in turn.drained():
                if (shown := drained(entry)) is not None:
                    found.setdefault(shown, turn.label)
        return found

    def _pi_session(self) -> Path | None:
        folders = [self.path, *(turn.path for turn in reversed(self.turns))]
        paths = (folder / name for folder in folders for name in _PI_SESSIONS)
        return next((path for path in paths if is_file(path)), None)


def is_file(path: Path) -> bool:
    """Whether a regular file is there; a pipe is none, and a folder not to be entered neither."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def counted(name: str) -> int:
    """The number in the name of a turn folder, 0 in any other."""
    found = re.match(r"turn-(\d{1,9})-", name)
    return int(found[1]) if found else 0


def _keyed(entries: Entries, rank: int) -> Iterator[tuple[str, int, Entry | Noted]]:
    """Each record with the time it is merged by; within its file the order stays."""
    latest = ""
    for entry in entries:
        if isinstance(entry, Entry) and entry.time is not None:
            latest = max(latest, entry.time.at)
        yield latest, rank, entry


def _changed(path: Path) -> Time | None:
    with suppress(OSError, ValueError):
        time = from_ms(int(path.stat().st_mtime * 1000))
        return replace(time, basis="file") if time else None
    return None
