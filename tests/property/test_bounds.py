"""Nothing grows with the recording, and no work is done over and over."""

import tracemalloc
from collections.abc import Iterator

from cursor_replay.events import AnyEvent, CallCompleted, CallStarted, Outcome, PromptSeen, TextSeen
from cursor_replay.ingest.surfaces import REMEMBERED, Surfaces
from cursor_replay.items import Card, Evidence
from cursor_replay.normalize.ledger import MOST_OPEN
from cursor_replay.normalize.normalizer import MOST_CHILDREN, Normalizer

AT = Evidence(file="f", line=1)


def start(number: int, name: str = "shell", parent: str | None = None) -> CallStarted:
    args = {"command": f"run {number}"}
    return CallStarted(
        origin=AT, channel="update", call_id=f"c{number}", name=name, args=args, parent=parent
    )


def items(events: Iterator[AnyEvent]) -> Iterator[object]:
    normalizer = Normalizer(file="f")
    for event in events:
        yield from normalizer.feed(event)
    yield from normalizer.close()


def test_calls_that_never_complete_do_not_pile_up_and_none_is_lost():
    count = MOST_OPEN + 500
    normalizer = Normalizer(file="f")
    early = [item for n in range(count) for item in normalizer.feed(start(n))]
    assert sum(isinstance(item, Card) for item in early) == 500
    cards = [item for item in [*early, *normalizer.close()] if isinstance(item, Card)]
    assert [card.arguments["command"] for card in cards] == [f"run {n}" for n in range(count)]
    assert {card.status for card in cards} == {"incomplete"}


def test_a_call_that_was_crowded_out_and_completes_after_all_keeps_its_id():
    normalizer = Normalizer(file="f")
    early = [item for n in range(MOST_OPEN + 1) for item in normalizer.feed(start(n))]
    (gone,) = [item for item in early if isinstance(item, Card)]
    done = CallCompleted(
        origin=AT,
        channel="update",
        call_id="c0",
        name="shell",
        outcome=Outcome(status="success", value={"stdout": "x", "exitCode": 0}),
    )
    (card,) = [item for item in normalizer.feed(done) if isinstance(item, Card)]
    assert (card.id, card.status, card.revision) == (gone.id, "succeeded", gone.revision + 1)


def test_a_sub_agent_that_does_very_much_is_shown_before_its_task_ends():
    def events() -> Iterator[AnyEvent]:
        yield start(0, "task")
        for n in range(1, MOST_CHILDREN + 10):
            yield TextSeen(origin=AT, text=f"step {n}", parent="c0")

    normalizer = Normalizer(file="f")
    early = [item for event in events() for item in normalizer.feed(event)]
    rest = list(normalizer.close())
    texts = [item.text for item in [*early, *rest] if hasattr(item, "text")]
    assert texts == [f"step {n}" for n in range(1, MOST_CHILDREN + 10)]
    assert len(early) >= MOST_CHILDREN


def test_what_a_second_surface_says_does_not_pile_up():
    surfaces = Surfaces()
    piece = "word " * 2000
    list(surfaces.merge("sdk-updates", PromptSeen(origin=AT, text="go")))
    tracemalloc.start()
    for number in range(800):
        said = TextSeen(origin=AT, text=f"{number} {piece}", partial=True)
        assert list(surfaces.merge("sdk-updates", said)) == [said]
        list(surfaces.merge("sdk-stream", TextSeen(origin=AT, text=f"{number} {piece}")))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * REMEMBERED
