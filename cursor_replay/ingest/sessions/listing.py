"""One row of the listing: what is shown of a session, and the search in what was said.

Knows no terminal. Strings are as recorded; who prints them scrubs them.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing, suppress

from cursor_replay.events import PromptSeen, TextSeen
from cursor_replay.ingest.sessions.catalogue import Catalogue, Entry, Session, is_of
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions, State
from cursor_replay.items import Time
from cursor_replay.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOf:
    """Where a session is: the name of the format, and what to open."""

    store: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A session as listed, and as ``--json`` writes it; None is "not recorded".

    ``slug`` is the project folder where no path is recorded; ``note`` says what is odd about it.
    """

    id: str
    stores: tuple[StoreOf, ...]
    workspace: str | None = None
    slug: str | None = None
    title: str | None = None
    started: Time | None = None
    changed: Time | None = None
    prompts: int | None = None
    calls: int | None = None
    state: State = "unknown"
    parent: str | None = None
    note: str | None = None


def narrowed(
    sessions: Iterable[Session], *, workspace: str | None, since: str | None, subagents: bool
) -> list[Session]:
    """The sessions that pass; a sub-agent's only when asked for, or when its parent is gone."""
    known = list(sessions)
    ids = {each.id for each in known}
    return [
        each
        for each in known
        if (workspace is None or is_of(each, workspace))
        and (since is None or each.changed >= since)
        and (subagents or each.parent is None or each.parent not in ids)
    ]


def row_of(catalogue: Catalogue, session: Session) -> Row | None:
    """Describe a session; None when no store of it can be read."""
    info = catalogue.described(session)
    if info is None:
        return None
    places = [entry.place for entry in session.entries]
    return Row(
        id=session.id,
        stores=tuple(StoreOf(store=each.store, path=str(each.path)) for each in places),
        workspace=info.workspace,
        slug=next((each.slug for each in places if each.slug), None),
        title=info.title,
        started=info.started,
        changed=info.changed,
        prompts=info.prompts,
        calls=info.calls,
        state=info.state,
        parent=session.parent,
        note=_copies(session),
    )


def _copies(session: Session) -> str | None:
    """The same id under two project folders is two copies; the longer one is read."""
    stores = [entry.place.store for entry in session.entries]
    twice = sorted({each for each in stores if stores.count(each) > 1})
    if not twice:
        return None
    kind = twice[0]
    return f"{stores.count(kind)} copies in different {kind} folders; the longest is read"


def mentions(session: Session, words: Iterable[str]) -> bool:
    """Whether each of ``words`` stands in a prompt or an answer, in any case; reads as it needs.

    Every store of the session is looked through; one that cannot be read mentions nothing.
    """
    missing = {word.casefold() for word in words}
    for entry in session.entries:
        with suppress(Exception):  # one bad store must not end the search
            for text in _said(session, entry):
                low = text.casefold()
                missing = {word for word in missing if word not in low}
                if not missing:
                    return True
    return False


def _said(session: Session, entry: Entry) -> Iterator[str]:
    options = ReadOptions(session=session.id if entry.info else None)
    with closing(open_source(str(entry.place.path), options=options)) as source:
        for event in source.events():
            if isinstance(event, PromptSeen | TextSeen):
                yield event.text
