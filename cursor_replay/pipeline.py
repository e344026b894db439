"""The whole program in one line: ``seal(normalize(source.events()))``.

Owns the composition, and ``--strict``. No I/O and no clock of its own: the source reads when it
is iterated.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain

from cursor_replay.errors import ReplayError, StrictError
from cursor_replay.events import AnyEvent, Noted, PromptSeen, SessionSeen
from cursor_replay.ingest.source import Source, open_source
from cursor_replay.items import Card, Evidence, Item, Notice, Sealed
from cursor_replay.normalize.beside import Files, completed
from cursor_replay.normalize.children import Child, Children, folded
from cursor_replay.normalize.incomplete import Policy, under
from cursor_replay.normalize.join import fingerprint, joined
from cursor_replay.normalize.lifecycle import told as with_progress
from cursor_replay.normalize.normalizer import Normalizer
from cursor_replay.normalize.notices import recounted
from cursor_replay.scrub import Choices, Sealer

Watch = Callable[[Iterable[AnyEvent]], Iterator[AnyEvent]]


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


def settled(
    source: Source,
    *,
    cwd: str | None = None,
    strict: bool = False,
    known: SessionSeen | None = None,
    lifecycle: bool = False,
    live: bool = False,
    watch: Watch | None = None,
) -> Iterator[Item]:
    """The items of one source, unsealed: for the functions below only."""
    events = strictly(source.events()) if strict else iter(source.events())
    if watch is not None:
        events = watch(events)
    if lifecycle:
        events = with_progress(events)
    if known is not None:
        events = chain((known,), events)
    return finals(items(events, Normalizer(file=source.name, cwd=cwd, live=live)))


def replay(
    source: Source,
    *,
    cwd: str | None = None,
    scrub: bool = True,
    strict: bool = False,
    others: Sequence[Source] = (),
    children: Iterable[Child] = (),
    beside: Files | None = None,
    known: SessionSeen | None = None,
    fold: bool = False,
    home: str | None = None,
    choices: Choices | None = None,
    sealer: Sealer | None = None,
    incomplete: Policy = "all",
    lifecycle: bool = False,
    live: bool = False,
    watch: Watch | None = None,
) -> Iterator[Sealed]:
    """The sealed items of a source, in order, lazily.

    ``others`` are stores that hold the same session and fill in what this one leaves open,
    ``children`` its sub-agents, ``beside`` the files beside it, ``known`` facts of the session that
    it does not tell; ``fold`` counts what sub-agents did in place of showing it; ``home`` is a home
    folder that does not look like one, ``choices`` what is masked, ``sealer`` the one that several
    sources of an output share; ``incomplete`` is which calls without an outcome are shown, and
    ``lifecycle`` adds the progress lines of the others. ``live``: the source is still being
    written. ``watch`` sees every event of the sources on its way.

    Raises InputError when the input is in no known format, StrictError under ``strict``.
    """
    stream = settled(
        source,
        cwd=cwd,
        strict=strict,
        known=known,
        lifecycle=lifecycle,
        live=live,
        watch=watch,
    )
    for other in others:
        asked = _prompts(source), _prompts(other)
        told = settled(other, cwd=cwd, strict=strict, watch=watch)
        stream = joined(stream, told, store=other.format_name, prompts=asked)
    if beside is not None:
        stream = completed(stream, beside)
    if others or beside is not None:
        stream = recounted(stream)
    if waiting := list(children):
        stream = Children(waiting).put_to_tasks(stream)
    stream = under(stream, incomplete)
    if fold:
        stream = folded(stream)
    sealer = sealer or Sealer(scrub=scrub, home=home, choices=choices)
    for item in stream:
        yield sealer.seal(item)


def _prompts(source: Source) -> list[str]:
    """What a human asked, in order; the source is opened anew for it."""
    found: list[str] = []
    with suppress(ReplayError), closing(source.again()) as fresh:
        found.extend(
            fingerprint(event.text)
            for event in fresh.events()
            if isinstance(event, PromptSeen) and event.author == "human" and event.parent is None
        )
    return found


def child(identity: str, path: str, *, cwd: str | None = None, strict: bool = False) -> Child:
    """A sub-agent's recording, read anew whenever its items are asked for.

    One that cannot be read is a notice: it must not cost the session.
    """

    def read() -> Iterator[Item]:
        try:
            with closing(open_source(path)) as source:
                yield from settled(source, cwd=cwd, strict=strict)
        except StrictError:
            raise
        except ReplayError as error:
            at = Evidence(file=path, line=1)
            words = f"this sub-agent cannot be read: {error}"
            yield Notice(code="unreadable-sub-agent", message=words, evidence=at)

    return Child(identity, path, read)
