"""Every start ends in exactly one of: completed, without an outcome for one reason, running."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import steady
from test_calls import ENDS, HERE, LOOP_END, STARTS, TALK, started

from cursor_replay.diagnose.calls import reason_of
from cursor_replay.diagnose.collect import collect
from cursor_replay.events import AnyEvent, CallDiscarded, CallStarted, Noted, TurnEnded, call_hash
from cursor_replay.items import Card
from cursor_replay.normalize.incomplete import REASONS, under
from cursor_replay.normalize.normalizer import Normalizer
from cursor_replay.scrub import Sealer

CUT = Noted(origin=HERE, code="cut-line", message="half written (cut off)", problem=True)
GIVEN_UP = st.builds(
    CallDiscarded,
    origin=st.just(HERE),
    call_hash=st.sampled_from([*map(call_hash, ("a", "c\nd")), None]),
    name=st.just("read"),
    reason=st.sampled_from(["abort", "run-drain", "sdk-failure", "of their own", None]),
)
EVENTS = st.lists(STARTS | ENDS | TALK | LOOP_END | GIVEN_UP | st.just(CUT), max_size=30)


def items_of(events: list[AnyEvent], **how: Any) -> list[Any]:
    normalizer = Normalizer(file="run.jsonl", **how)
    items = [item for event in events for item in normalizer.feed(event)]
    return [*items, *normalizer.close()]


def last_cards(items: list[Any]) -> dict[str, Card]:
    """The final card of every call: a later one revises an earlier one."""
    return {item.id: item for item in items if isinstance(item, Card) and item.status != "running"}


@pytest.mark.parametrize("live", [False, True])
@steady(150)
@given(events=EVENTS)
def test_every_start_ends_in_exactly_one_way(events: list[AnyEvent], *, live: bool) -> None:
    final = last_cards(items_of(events, live=live))
    starts = {event.call_id for event in events if isinstance(event, CallStarted)}
    assert len(final) >= len(starts)
    for card in final.values():
        reason = reason_of(card)
        assert (card.status == "incomplete") <= (reason is not None)
        if card.status == "incomplete":
            assert card.incomplete is not None
            assert card.incomplete.reason == reason
            assert card.reason == REASONS[reason].words
        if reason == "running":
            assert live
        if live:
            assert reason != "process-died"


@steady(100)
@given(EVENTS)
def test_the_report_holds_every_call_without_an_outcome_once(events: list[AnyEvent]) -> None:
    items = items_of(events)
    sealer = Sealer()
    found = collect(map(sealer.seal, items), name="run.jsonl")
    wanted = {key: reason for key, card in last_cards(items).items() if (reason := reason_of(card))}
    assert {key: call.reason for key, call in found.calls.items()} == wanted


@steady(100)
@given(EVENTS, st.sampled_from(["A", "B", "C", "all", "none"]))
def test_what_a_policy_leaves_out_is_counted(events: list[AnyEvent], policy: Any) -> None:
    items = items_of(events)
    left = list(under(items, policy))
    hidden = [item for item in left if getattr(item, "code", "") == "incomplete-hidden"]
    told = Counter(type(item).__name__ for item in items)
    shown = Counter(type(item).__name__ for item in left)
    assert told["Card"] - shown["Card"] == sum(item.count for item in hidden)
    if policy == "all":
        assert left == items


@steady(60)
@given(EVENTS)
def test_nothing_but_good_ends_with_a_text_hides_a_call(events: list[AnyEvent]) -> None:
    failed = [*events, TurnEnded(origin=HERE, status="error"), started("late", "read")]
    items = items_of([*failed, TurnEnded(origin=HERE, status="cancelled")])
    shown = {item.id for item in under(items, "C") if isinstance(item, Card)}
    for card in items:
        if isinstance(card, Card) and card.incomplete is not None and card.id not in shown:
            reasons = ("no-completion-at-run-end", "arguments-cut")
            assert card.incomplete.reason in reasons
            assert card.incomplete.run_end in (None, "success")
            assert card.incomplete.said_text
