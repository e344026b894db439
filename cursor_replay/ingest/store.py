"""What a store is: a database or a folder that holds sessions, as against a stream of bytes.

Owns the ``Store`` protocol, what is known of a session without reading it whole, and how one
session of several is chosen. Knows no format.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from cursor_replay.errors import AmbiguousError, InputError
from cursor_replay.events import AnyEvent
from cursor_replay.items import Time
from cursor_replay.records import dataclass

State = Literal["running", "finished", "error", "unknown"]
MOST_NAMED = 20
"""Candidates that an error names; a longer list is no help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How a source is read, where a format leaves a choice.

    ``all_branches``: also what was left behind in a session that branches. ``session``: the id, or
    a unique part of its beginning, of one session in a store of several.
    """

    all_branches: bool = False
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """What a listing shows of a session; None is "not recorded", never a guess.

    ``store`` is the name of its format, ``path`` what to open. ``started`` and ``changed`` say
    their basis: ``recorded``, or ``file`` for the file's own time. ``prompts`` counts what a human
    typed.
    """

    id: str
    store: str
    path: Path
    workspace: str | None = None
    title: str | None = None
    started: Time | None = None
    changed: Time | None = None
    prompts: int | None = None
    calls: int | None = None
    state: State = "unknown"
    parent: str | None = None


class Store(Protocol):
    """An opened store, read only."""

    def sessions(self) -> Iterator[SessionInfo]:
        """Every session in it, newest first; cheap, no message is decoded."""

    def events(self, session: str, options: ReadOptions) -> Iterator[AnyEvent]:
        """The events of one session in order; ``session`` is an id ``sessions`` named."""

    def close(self) -> None:
        """Let go of it."""


@runtime_checkable
class PartedStore(Protocol):
    """A store whose sessions are files that tell the same run in different ways."""

    def parts(self, session: str) -> list[Path]:
        """The files of a session that can be read by themselves."""


def chosen(sessions: Iterable[SessionInfo], options: ReadOptions, *, name: str) -> SessionInfo:
    """The session that is meant: the only one, or the one whose id begins as asked.

    Raises InputError when there is none, AmbiguousError when there are several.
    """
    wanted = options.session
    found = [each for each in sessions if wanted is None or each.id.startswith(wanted)]
    exact = [each for each in found if each.id == wanted]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if not found:
        words = f"no session {wanted!r} in {name}" if wanted else f"{name} holds no session"
        raise InputError(words)
    lines = [f"{each.id}  {each.title or ''}".rstrip() for each in found[:MOST_NAMED]]
    if len(found) > MOST_NAMED:
        lines.append(f"... and {len(found) - MOST_NAMED} more")
    asked = f"{wanted!r} is the beginning of" if wanted else f"{name} holds"
    message = f"{asked} {len(found)} sessions; --session ID names one"
    raise AmbiguousError(message, tuple(lines))
