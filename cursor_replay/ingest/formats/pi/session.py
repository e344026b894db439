"""pi session JSONL, versions 1 to 3 (pi facts 1; replay facts 1.6).

Owns the second pass over such a file, and what becomes of each entry type but ``message``. Shown
are the entries of the branch the session ends on, in the order of the file; with ``all_branches``
the others too, each introduced by a notice.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import assert_never

from cursor_replay.events import AnyEvent, Noted, SessionSeen
from cursor_replay.ingest.formats.pi.header import fits, refuse_others
from cursor_replay.ingest.formats.pi.messages import Messages
from cursor_replay.ingest.formats.pi.ours import OURS, recorded_time
from cursor_replay.ingest.formats.pi.records import (
    BranchSummary,
    Compaction,
    ContextEdit,
    CustomEntry,
    CustomMessage,
    Entry,
    Label,
    MessageEntry,
    ModelChange,
    SessionInfo,
    Setting,
    ThinkingLevel,
    ToolResult,
    UsageEntry,
    entries_of,
)
from cursor_replay.ingest.formats.pi.tree import ROOT, Kind, Tree, read_tree
from cursor_replay.ingest.formats.pi.words import Place, custom, summary, used
from cursor_replay.ingest.lines import Line
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.ingest.times import from_iso, from_ms
from cursor_replay.items import Evidence, Level

__all__ = ["decode", "fits"]
NEWEST = 3
"""The version of pi 0.84 to 1.6."""


def decode(
    lines: Callable[[], Iterable[Line]], name: str, options: ReadOptions
) -> Iterator[AnyEvent]:
    """The events of a session; raises InputError when it is none."""
    tree = read_tree(lines())
    refuse_others(tree, name)
    yield from _SecondPass(tree, name, every=options.all_branches).events(lines())


class _SecondPass:
    """The lines again, knowing the tree; holds no entry."""

    def __init__(self, tree: Tree, name: str, *, every: bool) -> None:
        self._tree = tree
        self._name = name
        self._every = every
        self._messages = Messages(tree.pairs(every=every))
        self._last = ROOT
        self._told: set[Kind] = set()
        self._custom: Counter[str] = Counter()
        self._lines = {each.id: each.line for each in tree.links if each.id is not None}

    def events(self, lines: Iterable[Line]) -> Iterator[AnyEvent]:
        yield from self._head()
        places = groupby(range(len(self._tree.links)), lambda each: self._tree.links[each].line)
        troubles = groupby(self._tree.troubles, lambda each: each.line)
        here, wrong = next(places, None), next(troubles, None)
        line = Line(1, b"")
        for line in lines:
            yield from self._about(line)
            if wrong is not None and wrong[0] == line.number:
                yield from self._messages.settle()
                for each in wrong[1]:
                    yield self._note(each.line, each.code, each.words, level="warning")
                wrong = next(troubles, None)
            if here is not None and here[0] == line.number:
                yield from self._line(line, list(here[1]))
                here = next(places, None)
        yield from self._messages.settle()
        yield from self._close(line)

    def _head(self) -> Iterator[AnyEvent]:
        header, line = self._tree.header, self._tree.header_line
        origin = Evidence(file=self._name, line=line)
        if header is None:
            words = "no header of a session: its id and folder are not known"
            yield self._note(line, "no-header", words, level="warning")
            return
        title = self._tree.title()
        yield SessionSeen(origin=origin, session_id=header.id, cwd=header.cwd, title=title)
        yield from self._messages.model(self._tree.model(), origin)
        if header.parent_session:
            words = f"forked from {header.parent_session}"
            yield self._note(line, "parent-session", words)
        if isinstance(header.version, int) and header.version > NEWEST:
            words = f"session version {header.version} is newer than what is known here ({NEWEST})"
            yield self._note(line, "newer-version", words)

    def _about(self, line: Line) -> Iterator[AnyEvent]:
        if line.crlf:
            yield self._note(line.number, "crlf", "CRLF line ends")
        if line.bom:
            yield self._note(line.number, "byte-order-mark", "a byte order mark")

    def _close(self, last: Line) -> Iterator[AnyEvent]:
        if self._custom:
            kinds = ", ".join(f"{kind} ({count})" for kind, count in self._custom.items())
            words = f"kept by extensions and not shown: {kinds}"
            yield self._note(last.number, "custom-entries", words)
        cut = any(
            each.code == "cut-line" and each.line == last.number for each in self._tree.troubles
        )
        if not last.ended and not cut:
            yield self._note(last.number, "no-final-newline", "the last line has no line end")

    def _line(self, line: Line, places: list[int]) -> Iterator[AnyEvent]:
        shown = {each for each in places if self._every or self._tree.kinds[each] == "active"}
        yield from self._hidden(places)
        if not shown:
            return
        for place, record in zip(places, entries_of(line), strict=True):
            if place in shown:
                yield from self._jump(place)
                self._last = place
                yield from self._entry(record, place, line.number)

    def _hidden(self, places: list[int]) -> Iterator[AnyEvent]:
        """Once a kind: how many entries are not shown, at the first of them."""
        for place in places:
            kind = self._tree.kinds[place]
            if kind == "active" or kind in self._told:
                continue
            self._told.add(kind)
            yield from self._messages.settle()
            count = self._tree.kinds.count(kind)
            entries = "1 entry" if count == 1 else f"{count} entries"
            line = self._tree.links[place].line
            if kind == "cut":
                words = f"{entries} cut off from the branch the session ends on"
                show = "" if self._every else " not shown (--all-branches shows them)"
                yield self._note(line, "cut-off", f"{words}{show}", level="warning")
            elif not self._every:
                words = f"{entries} of other branches not shown (--all-branches shows them)"
                yield self._note(line, "other-branches", words)

    def _jump(self, place: int) -> Iterator[AnyEvent]:
        """Where an entry does not go on from the one in front of it."""
        parent, kind = self._tree.parents[place], self._tree.kinds[place]
        kinds = self._tree.kinds
        goes_on = parent == self._last and kind == (kinds[parent] if parent >= 0 else "active")
        if goes_on or not self._every:
            return
        yield from self._messages.settle()
        after = f"after line {self._tree.links[parent].line}" if parent >= 0 else "at its start"
        line = self._tree.links[place].line
        if kind == "active":
            words = f"back on the branch the session ends on, {after}"
        elif kind == "branch" and parent >= 0 and kinds[parent] == "branch":
            words = f"another branch goes on {after}"
        elif kind == "branch":
            words = f"another branch, which left the session {after}"
        else:
            words = "entries that are cut off from the rest"
        yield self._note(line, "branch", words)

    def _entry(self, record: Entry | None, place: int, line: int) -> Iterator[AnyEvent]:
        at = Place(Evidence(file=self._name, line=line), None, place)
        if record is None:
            yield from self._messages.settle()
            yield self._note(line, "unknown-record", "a record of unknown type", level="warning")
            return
        at = at._replace(time=from_iso(record.timestamp))
        if not isinstance(record, MessageEntry):
            yield from self._messages.settle()
            yield from self._other(record, at)
            return
        message = record.message
        if not isinstance(message, ToolResult):
            yield from self._messages.settle()
        if message is None:
            yield self._note(line, "unknown-record", "a message of unknown role", level="warning")
            return
        kept = record.cursor_replay
        time = at.time or from_ms(message.timestamp) if kept is None else recorded_time(kept)
        yield from self._messages.feed(message, at._replace(time=time), kept)

    def _other(self, record: Setting, at: Place) -> Iterator[AnyEvent]:
        line = at.origin.line
        match record:
            case ModelChange():
                yield from self._messages.model(record.model_id, at.origin)
            case SessionInfo():
                pass  # the name stands in the head
            case ThinkingLevel():
                words = f"thinking level: {record.thinking_level or 'unknown'}"
                yield self._note(line, "thinking-level", words)
            case Label():
                verb = f"label '{record.label}' on" if record.label else "label taken from"
                yield self._note(line, "label", f"{verb} {self._target(record.target_id)}")
            case CustomEntry():
                yield from self._kept_by_extensions(record, at)
            case CustomMessage():
                yield custom(record.custom_type, record.content, at, display=record.display)
            case Compaction():
                kept = self._target(record.first_kept_entry_id)
                size = f" ({record.tokens_before:,} tokens)" if record.tokens_before else ""
                words = f"the context{size} was compacted: what is before {kept} became a summary"
                yield self._note(line, "compaction", words)
                yield summary("compaction", record.summary, at)
            case BranchSummary():
                yield summary("branch summary", record.summary, at)
            case UsageEntry():
                yield self._note(line, "usage-entry", used(record))
            case ContextEdit():
                verb = "taken out of" if record.replacement is None else "replaced in"
                words = f"{self._target(record.target_id)} was {verb} the context"
                yield self._note(line, "context-edit", words)
            case _:
                assert_never(record)

    def _kept_by_extensions(self, record: CustomEntry, at: Place) -> Iterator[AnyEvent]:
        """An entry of ours is told, others are counted."""
        kind = record.custom_type or "unknown"
        if kind in OURS:
            yield from OURS[kind](record.data or {}, at)
        else:
            self._custom[kind] += 1

    def _target(self, identity: str | None) -> str:
        line = self._lines.get(identity or "")
        return "an entry that is not in the file" if line is None else f"line {line}"

    def _note(self, line: int, code: str, message: str, *, level: Level = "info") -> Noted:
        origin = Evidence(file=self._name, line=line)
        problem = level == "warning"
        return Noted(origin=origin, code=code, level=level, message=message, problem=problem)
