"""Every started call ends in exactly one final card, whatever comes in whatever order."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from recorded import steady

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Outcome,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.items import Card, Evidence, Item
from cursor_replay.normalize.normalizer import Normalizer

HERE = Evidence(file="run.jsonl", line=1)
IDS = st.sampled_from(["a", "b", "c\nd", "e"])
NAMES = st.sampled_from(["read", "shell", "edit", "task", "brewTea", "mcp"])
DONE = Outcome(status="success", value={"content": "A"})
OUTCOMES = st.sampled_from([None, DONE, Outcome(status="error", error="no"), Outcome(value="x")])


def started(
    call_id: str, name: str, *, partial: bool = False, parent: str | None = None
) -> CallStarted:
    return CallStarted(
        origin=HERE, channel="update", call_id=call_id, name=name, args={"path": call_id},
        partial=partial, parent=parent,
    )  # fmt: skip


def completed(
    call_id: str | None, name: str, outcome: Outcome | None, parent: str | None = None
) -> CallCompleted:
    return CallCompleted(
        origin=HERE, channel="update", call_id=call_id, name=name, args={"path": call_id},
        outcome=outcome, parent=parent,
    )  # fmt: skip


STARTS = st.builds(started, IDS, NAMES, partial=st.booleans())
ENDS = st.builds(completed, IDS, NAMES, OUTCOMES)
TALK = st.sampled_from(
    [
        TextSeen(origin=HERE, text="t", partial=True),
        ThoughtSeen(origin=HERE, text="h", partial=True),
    ]
)
LOOP_END = st.sampled_from(["success", "cancelled", "error"]).map(
    lambda word: TurnEnded(origin=HERE, status=word)
)


def normalized(events: Iterable[AnyEvent], *, running: bool = False) -> list[Item]:
    normalizer = Normalizer(file="run.jsonl", running=running)
    items = [item for event in events for item in normalizer.feed(event)]
    return [*items, *normalizer.close()]


def cards(events: Iterable[AnyEvent], *, running: bool = False) -> list[Card]:
    return [item for item in normalized(events, running=running) if isinstance(item, Card)]


def ids_in(events: Iterable[AnyEvent]) -> set[str | None]:
    return {event.call_id for event in events if isinstance(event, CallStarted | CallCompleted)}


@steady(100)
@given(st.lists(STARTS | ENDS | TALK, max_size=30))
def test_each_call_id_gives_exactly_one_final_card(events: list[AnyEvent]) -> None:
    final = cards(events)
    assert len(final) == len(ids_in(events))
    assert len({card.id for card in final}) == len(final)
    assert all(card.status != "running" for card in final)


@steady(100)
@given(st.lists(ENDS | TALK, max_size=30))
def test_completions_alone_give_one_card_each(events: list[AnyEvent]) -> None:
    final = cards(events)
    assert len(final) == len(ids_in(events))
    assert "incomplete" not in {card.status for card in final}


@steady(100)
@given(st.lists(STARTS, max_size=30))
def test_starts_alone_are_all_incomplete(events: list[AnyEvent]) -> None:
    final = cards(events)
    assert len(final) == len(ids_in(events))
    assert {card.status for card in final} <= {"incomplete"}
    assert all(card.reason for card in final)


@steady(100)
@given(
    st.lists(st.tuples(NAMES, OUTCOMES), min_size=1, max_size=12).flatmap(
        lambda calls: st.tuples(
            st.just(calls),
            st.permutations([*range(len(calls)), *(~n for n in range(len(calls)))]),
        )
    )
)
def test_starts_and_ends_in_any_order_pair_by_id(case: tuple[list[Any], list[int]]) -> None:
    calls, order = case
    events: list[AnyEvent] = [
        started(f"call {n}", calls[n][0])
        if n >= 0
        else completed(f"call {~n}", calls[~n][0], calls[~n][1])
        for n in order
    ]
    final = cards(events)
    assert len(final) == len(calls)
    wanted = Counter(_status(name, outcome) for name, outcome in calls)
    assert Counter(_told(card) for card in final) == wanted


def _status(name: str, outcome: Outcome | None) -> str:
    del name
    if outcome is None:
        return "unrecorded"
    return "failed" if outcome.status == "error" else "done"


def _told(card: Card) -> str:
    return "done" if card.status == "succeeded" else card.status


@steady(100)
@given(st.lists(STARTS | ENDS | TALK, max_size=30), LOOP_END, st.lists(ENDS | TALK, max_size=9))
def test_a_completion_after_the_end_of_the_loop_still_finds_its_card(
    events: list[AnyEvent], end: AnyEvent, late: list[AnyEvent]
) -> None:
    final = cards([*events, end, *late])
    assert len({card.id for card in final}) == len(ids_in([*events, *late]))
    for _, revisions in _by_id(final):
        assert revisions == sorted(set(revisions))


def _by_id(found: list[Card]) -> list[tuple[str, list[int]]]:
    held: dict[str, list[int]] = {}
    for card in found:
        held.setdefault(card.id, []).append(card.revision)
    return list(held.items())


@steady(100)
@given(st.lists(STARTS | ENDS | TALK | LOOP_END, max_size=30))
def test_a_redrawn_card_ends_as_the_settled_one(events: list[AnyEvent]) -> None:
    live = cards(events, running=True)
    last = {card.id: card for card in live}
    assert all(card.status != "running" for card in last.values())
    settled = {card.id: card.status for card in cards(events)}
    assert {key: card.status for key, card in last.items()} == settled
    for _, revisions in _by_id(live):
        assert revisions == sorted(set(revisions))


@steady(100)
@given(
    st.lists(st.tuples(NAMES, st.booleans()), min_size=1, max_size=6),
    st.booleans(),
    st.sampled_from(["success", "error"]),
)
def test_what_a_sub_agent_did_follows_its_task(
    inner: list[tuple[str, bool]],
    done: bool,  # noqa: FBT001 - drawn
    word: str,
) -> None:
    events: list[AnyEvent] = [started("t", "task")]
    for number, (name, ends) in enumerate(inner):
        events.append(started(f"i{number}", name, parent="t"))
        if ends:
            events.append(completed(f"i{number}", name, DONE, parent="t"))
    if done:
        events.append(completed("t", "task", DONE))
    events.append(TurnEnded(origin=HERE, status=word))
    final = cards(events)
    assert len(final) == len(inner) + 1
    (task,) = [card for card in final if card.source_tool == "task" and card.parent is None]
    assert {card.parent for card in final if card is not task} == {task.id}


@steady(100)
@given(st.lists(STARTS | ENDS | TALK | LOOP_END, max_size=30))
def test_the_same_events_give_the_same_items(events: list[AnyEvent]) -> None:
    assert normalized(events) == normalized(events)


@steady(100)
@given(st.lists(ENDS, max_size=12))
def test_a_second_report_of_a_call_changes_nothing(events: list[AnyEvent]) -> None:
    assert cards([*events, *events]) == cards(events)
