"""The whole program in one line: ``seal(normalize(source.events()))``.

Owns the composition, and ``--strict``. No I/O and no clock of its own: the source reads when it
is iterated.
"""

from collections.abc import Iterable, Iterator

from cursor_replay.errors import StrictError
from cursor_replay.events import AnyEvent, Noted
from cursor_replay.ingest.source import Source
from cursor_replay.items import Card, Item, Sealed
from cursor_replay.normalize.normalizer import Normalizer
from cursor_replay.scrub import Sealer


def items(events: Iterable[AnyEvent], normalizer: Normalizer) -> Iterator[Item]:
    """Every item, also the running cards a live surface redraws."""
    for event in events:
        yield from normalizer.feed(event)
    yield from normalizer.close()


def finals(stream: Iterable[Item]) -> Iterator[Item]:
    """Only what is settled."""
    return (item for item in stream if not (isinstance(item, Card) and item.status == "running"))


def strictly(events: Iterable[AnyEvent]) -> Iterator[AnyEvent]:
    """Pass events on; raise StrictError at the first reading problem."""
    for event in events:
        if isinstance(event, Noted) and event.problem:
            words = event.code.replace("-", " ")
            raise StrictError(f"{event.origin.file}:{event.origin.line}: {words} (--strict)")
        yield event


def replay(
    source: Source, *, cwd: str | None = None, scrub: bool = True, strict: bool = False
) -> Iterator[Sealed]:
    """The sealed items of a source, in order, lazily.

    Raises InputError when the input is in no known format, StrictError under ``strict``.
    """
    events = strictly(source.events()) if strict else source.events()
    normalizer = Normalizer(file=source.name, cwd=cwd)
    sealer = Sealer(scrub=scrub)
    for item in finals(items(events, normalizer)):
        yield sealer.seal(item)
