"""What one surface of a turn tells, and what is known from the turns before it.

Owns what two surfaces are compared by: call ids, how many calls of a tool, text without its white
space. Which of them is believed is decided in ``known.py``.
"""

from collections import Counter
from dataclasses import dataclass, field

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    CallUnrecorded,
    Noted,
    PromptSeen,
    TextSeen,
    ThoughtSeen,
)
from cursor_replay.ingest.formats.debug.calls import group
from cursor_replay.ingest.formats.debug.lines import CONVERSATION
from cursor_replay.ingest.formats.debug.records import Start
from cursor_replay.items import Json

SDK = ("on-delta", "stream-events", "on-step", CONVERSATION)
PI = ("bridge-raw", "live-run-events", "display-decisions", "pi-stream-events")
SURFACES = (*SDK, *PI)


def squeezed(text: str) -> str:
    """A text without white space: surfaces differ in where they trim."""
    return "".join(text.split())


@dataclass(slots=True)
class Witness:
    """What one surface of one turn tells."""

    started: set[str] = field(default_factory=set)
    completed: set[str] = field(default_factory=set)
    names: Counter[str] = field(default_factory=Counter)
    prompts: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    ends_in_space: bool = False
    notes: set[str] = field(default_factory=set)

    def take(self, event: AnyEvent) -> None:
        """Note one event."""
        match event:
            case CallStarted(call_id=str(started)):
                self.started.add(started)
            case CallCompleted() | CallUnrecorded():
                if (call_id := getattr(event, "call_id", None)) is not None:
                    self.completed.add(call_id)
                if event.parent is None:
                    self.names[group(event.name, event.args)] += 1
            case PromptSeen(parent=None):
                self.prompts.add(squeezed(event.text))
            case TextSeen(parent=None):
                self.texts.append(squeezed(event.text))
                self.ends_in_space = event.text[-1:].isspace()
            case ThoughtSeen(parent=None):
                self.thoughts.append(squeezed(event.text))
            case Noted(problem=False):
                self.notes.add(event.message)
            case _:
                pass


@dataclass(slots=True)
class Known:
    """What the turns read so far told; a call may end, and be shown by pi, in a later folder.

    ``starts`` are found by the hash of their id; ``completed`` are the calls of this run, ``ended``
    those of any. ``drains`` names the turn that showed a replay id; ``spoken``: the SDK told of
    this run in an earlier folder.
    """

    starts: dict[str, tuple[str, Start]] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    completed: set[str] = field(default_factory=set)
    decisions: dict[str, dict[str, Json]] = field(default_factory=dict)
    queued: set[str] = field(default_factory=set)
    drains: dict[str, str] = field(default_factory=dict)
    spoken: bool = False

    def start_of(self, call_hash: str | None) -> tuple[Start | None, bool]:
        """The start a hash names, and whether that call completed."""
        if call_hash not in self.starts:
            return None, False
        call_id, start = self.starts[call_hash]
        return start, call_id in self.ended

    def next_run(self) -> None:
        """Something new was sent: ids may be used again."""
        self.completed.clear()
        self.spoken = False
