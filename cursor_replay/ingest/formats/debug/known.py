"""What each surface of a turn tells, so that a call and a text are shown once.

The surfaces of one turn stand in different files. The best witness (``onDelta``: it has ids,
output and times) is shown whole; of a worse one only what no better one tells: calls by their id,
where there is none by how many of that tool were told already, text by what goes beyond the text
already known. So a cut file is continued by the next one. Owns that comparison, no wire format.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    CallUnrecorded,
    Noted,
    PromptSeen,
    TextSeen,
    ThoughtSeen,
    short_hash,
)
from cursor_replay.ingest.formats.debug.calls import group
from cursor_replay.ingest.formats.debug.records import Start
from cursor_replay.ingest.formats.debug.witness import (
    PI,
    SDK,
    SURFACES,
    Known,
    Witness,
    squeezed,
)

_Speech = TextSeen | ThoughtSeen
_ALL = 1 << 62


class Turn:
    """The witnesses of one turn, and which events of each are news."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.witnesses: dict[str, Witness] = {}
        self._taken: Counter[tuple[str, str]] = Counter()
        self._to_skip: dict[tuple[str, bool], int | None] = {}
        self._speaking: set[tuple[str, bool]] = set()
        self._silent: set[str] = set()

    def take(self, layer: str, events: Iterable[AnyEvent]) -> None:
        """First reading: note what a record tells."""
        witness = self.witnesses.setdefault(layer, Witness())
        for event in events:
            witness.take(event)
            if isinstance(event, CallStarted) and event.call_id is not None:
                start = Start(name=event.name, origin=event.origin)
                self.known.starts.setdefault(short_hash(event.call_id), (event.call_id, start))
            elif isinstance(event, CallCompleted) and event.call_id is not None:
                self.known.ended.add(event.call_id)

    @property
    def prompted(self) -> bool:
        """Whether any surface tells the prompt."""
        return any(each.prompts for each in self.witnesses.values())

    @property
    def spoke(self) -> bool:
        """Whether any surface tells a text of the agent."""
        return any(any(each.texts) for each in self.witnesses.values())

    def better(self, layer: str) -> list[Witness]:
        """The witnesses that come before a surface."""
        ahead = SURFACES[: SURFACES.index(layer)]
        return [self.witnesses[each] for each in ahead if each in self.witnesses]

    def news(self, layer: str, event: AnyEvent) -> Iterator[tuple[AnyEvent, bool]]:
        """Second reading: the event, or what of it is new; and whether that is certain."""
        better = self.better(layer)
        if not better and layer in SDK:
            yield event, True
            return
        match event:
            case TextSeen() | ThoughtSeen() if event.parent is None:
                yield from self._speech(layer, event, better)
            case CallStarted() | CallCompleted() | CallUnrecorded():
                if not self._is_told(layer, event, better):
                    yield event, True
            case PromptSeen() if event.parent is None:
                if not any(squeezed(event.text) in each.prompts for each in better):
                    yield event, True
            case Noted():
                if not any(event.message in each.notes for each in better):
                    yield event, True
            case _:
                yield event, True

    def close(self) -> None:
        """The turn is over: what it told is known to the next one."""
        known = self.known
        for layer in SURFACES:
            if layer in self.witnesses:
                known.completed |= self.witnesses[layer].completed
        known.spoken = known.spoken or any(each in self.witnesses for each in SDK)

    def _is_told(
        self,
        layer: str,
        event: CallStarted | CallCompleted | CallUnrecorded,
        better: list[Witness],
    ) -> bool:
        call_id = getattr(event, "call_id", None)
        if layer == "pi-stream-events" and (better or self.known.spoken):
            return True
        if isinstance(event, CallUnrecorded) and "bridge-raw" in self.witnesses:
            return True
        if call_id is not None and (
            call_id in self.known.completed or any(call_id in each.completed for each in better)
        ):
            return True
        if isinstance(event, CallStarted):
            return any(call_id in each.started for each in better) or (
                layer == "bridge-raw" and self._is_counted(layer, event, better)
            )
        if call_id is not None and any(call_id in each.started for each in better):
            return False
        if isinstance(event, CallCompleted) and call_id in self._own(layer).started:
            return call_id in self._silent
        return self._is_counted(layer, event, better)

    def _own(self, layer: str) -> Witness:
        return self.witnesses.get(layer, Witness())

    def _is_counted(
        self,
        layer: str,
        event: CallStarted | CallCompleted | CallUnrecorded,
        better: list[Witness],
    ) -> bool:
        """Without a common id: the first N of a tool are the N that a better witness told.

        A call with an id of its own that the better ones do not have is none of them.
        """
        call_id = getattr(event, "call_id", None)
        if call_id is not None and layer in ("stream-events", "display-decisions"):
            return False
        word = group(event.name, event.args)
        told = max((each.names[word] for each in better), default=0)
        self._taken[layer, word] += 1
        counted = self._taken[layer, word] <= told
        if counted and call_id is not None:
            self._silent.add(call_id)
        return counted

    def _speech(
        self, layer: str, event: _Speech, better: list[Witness]
    ) -> Iterator[tuple[AnyEvent, bool]]:
        thought = isinstance(event, ThoughtSeen)
        if layer in PI and (thought or layer == "pi-stream-events") and self._is_heard(better):
            return
        key = (layer, thought)
        if key not in self._to_skip:
            self._to_skip[key] = self._told_length(layer, better, thought=thought)
        left = self._to_skip[key]
        if left is None:
            yield event, False
            return
        rest, self._to_skip[key] = _beyond(event.text, left)
        if rest and key not in self._speaking:
            self._speaking.add(key)
            rest = rest.lstrip() if any(each.ends_in_space for each in better) else rest
        if key in self._speaking:
            yield replace(event, text=rest), True

    def _is_heard(self, better: list[Witness]) -> bool:
        """The stream of pi mixes its traces into the thinking: only of use when it is alone."""
        return self.known.spoken or any(each.texts or each.thoughts for each in better)

    def _told_length(self, layer: str, better: list[Witness], *, thought: bool) -> int | None:
        """How much of a surface's text is known already; None when the two do not fit."""
        texts = ["".join(each.thoughts if thought else each.texts) for each in better]
        known = max(texts, key=len, default="")
        own = self._own(layer)
        mine = "".join(own.thoughts if thought else own.texts)
        if mine in known:
            return _ALL
        return len(known) if mine.startswith(known) else None


def _beyond(text: str, left: int) -> tuple[str, int]:
    """What of a text lies behind its first ``left`` characters that are no white space."""
    if left <= 0:
        return text, 0
    for at, char in enumerate(text):
        left -= not char.isspace()
        if left == 0:
            return text[at + 1 :], 0
    return "", left
