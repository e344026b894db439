"""Open calls and the memory of the completed ones."""

import pytest

from cursor_replay.items import Evidence, Time
from cursor_replay.normalize import ledger as ledger_module
from cursor_replay.normalize.ledger import Ledger

from .helpers_cases import at, cards_of, completed, ok, started

READ = {"path": "a.ts"}
TEXT = ok({"content": "text"})


def test_a_start_is_open_until_it_completes():
    ledger = Ledger()
    assert ledger.start(started("c1", "read", READ), "card-1", 1)
    assert (ledger.find("c1").card_id, ledger.find("c1").turn) == ("card-1", 1)
    finished = ledger.complete(completed("c1", "read", None, TEXT))
    assert (finished.start.card_id, finished.event.args, finished.late) == ("card-1", READ, False)
    assert (ledger.find("c1"), ledger.give_up()) == (None, [])


def test_a_second_start_only_adds():
    ledger = Ledger()
    assert ledger.start(started("c1", "read", {"path": "a"}, partial=True), "card-1", 1)
    assert not ledger.start(started("c1", "read", READ), "card-2", 1)
    call = ledger.find("c1")
    assert (call.card_id, call.args, call.event.partial) == ("card-1", READ, False)


def test_a_partial_after_the_start_changes_no_event():
    ledger = Ledger()
    ledger.start(started("c1", "read", READ), "card-1", 1)
    ledger.start(started("c1", "read", READ, partial=True), "card-1", 1)
    assert not ledger.find("c1").event.partial


@pytest.mark.parametrize(
    ("known", "new", "kept"),
    [
        ({"path": "abc"}, {"path": "ab"}, {"path": "abc"}),
        ({"path": "ab"}, {"path": "abc"}, {"path": "abc"}),
        (None, READ, READ),
        (READ, None, READ),
        ("*** Begin", "*** Begin Patch", "*** Begin Patch"),
        ("*** Begin Patch", "*** Begin", "*** Begin Patch"),
        (READ, "x", READ),
    ],
)
def test_the_arguments_that_say_more_are_kept(known, new, kept):
    ledger = Ledger()
    ledger.start(started("c1", "read", known, partial=True), "card-1", 1)
    ledger.start(started("c1", "read", new), "card-1", 1)
    assert ledger.find("c1").args == kept


def test_starts_without_an_id_are_all_open():
    ledger = Ledger()
    assert ledger.start(started(None, "read", READ), "card-1", 1)
    assert ledger.start(started(None, "read", READ), "card-2", 1)
    first = ledger.complete(completed(None, "read", READ, TEXT))
    second = ledger.complete(completed(None, "read", READ, TEXT))
    assert [first.start.card_id, second.start.card_id] == ["card-1", "card-2"]


def test_nothing_is_found_without_an_id():
    ledger = Ledger()
    ledger.start(started(None, "read", READ), "card-1", 1)
    assert ledger.find(None) is None


def test_a_call_is_only_matched_within_its_own_task():
    ledger = Ledger()
    ledger.start(started("c1", "read", READ, parent="t1"), "card-1", 1)
    assert ledger.complete(completed(None, "read", READ, TEXT, channel="step")).start is None


@pytest.mark.parametrize("channel", ["cli", "transcript", "message", "step", "update"])
def test_an_id_is_never_matched_by_payload_to_another_id_of_its_surface(channel):
    ledger = Ledger()
    ledger.start(started("c1", "read", READ, channel=channel), "card-1", 1)
    other = ledger.complete(completed("c2", "read", READ, TEXT, channel=channel))
    own = ledger.complete(completed("c1", "read", READ, ok({"content": "mine"}), channel=channel))
    assert (other.start, own.start.card_id) == (None, "card-1")


@pytest.mark.parametrize(("start", "end"), [("message", "step"), ("update", "turn")])
def test_a_completion_of_another_surface_is_matched_by_payload(start, end):
    ledger = Ledger()
    ledger.start(started("c1", "read", READ, channel=start), "card-1", 1)
    assert ledger.complete(completed(None, "read", READ, TEXT, channel=end)).start.card_id
    assert ledger.complete(completed("c1", "read", READ, TEXT, channel=start)) is None


@pytest.mark.parametrize("channel", ["cli", "message", "update"])
def test_without_any_id_a_start_and_its_end_are_one_call(channel):
    ledger = Ledger()
    ledger.start(started(None, "read", READ, channel=channel), "card-1", 1)
    finished = ledger.complete(completed(None, "read", READ, TEXT, channel=channel))
    assert finished.start.card_id == "card-1"
    assert ledger.give_up() == []


@pytest.mark.parametrize("second", ["message", "update", "step"])
def test_two_ids_are_two_calls_also_with_one_payload(second):
    ledger = Ledger()
    assert ledger.complete(completed("c1", "read", READ, TEXT, channel="message"))
    assert ledger.complete(completed("c2", "read", READ, TEXT, channel=second))


def test_a_card_without_an_id_stands_for_one_id_only():
    ledger = Ledger()
    assert ledger.complete(completed(None, "read", READ, TEXT, channel="step"))
    assert ledger.complete(completed("c1", "read", READ, TEXT, channel="update")) is None
    assert ledger.complete(completed("c2", "read", READ, TEXT, channel="message"))


def test_an_update_with_an_id_is_never_matched_by_payload():
    ledger = Ledger()
    ledger.start(started("c1", "read", READ), "card-1", 1)
    assert ledger.complete(completed("c2", "read", READ, TEXT)).start is None


def test_a_call_that_an_update_completed_under_another_id_is_not_given_up():
    ledger = Ledger()
    ledger.start(started("c1", "read", READ), "card-1", 1)
    ledger.complete(completed("c2", "read", READ, TEXT))
    assert ledger.give_up() == []


def test_two_calls_that_it_could_have_been_are_both_given_up():
    ledger = Ledger()
    ledger.start(started("c1", "read", READ), "card-1", 1)
    ledger.start(started("c3", "read", READ), "card-3", 1)
    ledger.complete(completed("c2", "read", READ, TEXT))
    assert len(ledger.give_up()) == 2


def test_two_surfaces_that_count_alike_are_one_run():
    ledger = Ledger()
    seen = [
        ledger.complete(completed(call_id, "read", READ, TEXT, channel=channel)) is not None
        for call_id, channel in [
            ("c1", "update"),
            (None, "step"),
            ("c2", "update"),
            (None, "step"),
            (None, "step"),
            ("c1", "message"),
            ("c3", "message"),
            (None, "turn"),
        ]
    ]
    assert seen == [True, False, True, False, True, False, False, False]


def test_a_new_turn_forgets_what_was_shown():
    ledger = Ledger()
    assert ledger.complete(completed("c1", "read", READ, TEXT))
    assert ledger.complete(completed("c1", "read", READ, TEXT)) is None
    ledger.next_turn()
    assert ledger.complete(completed("c1", "read", READ, TEXT))


def test_a_call_that_was_given_up_still_finds_its_start():
    ledger = Ledger()
    ledger.start(started("c1", "read", READ), "card-1", 1)
    assert [call.card_id for call in ledger.give_up()] == ["card-1"]
    assert ledger.give_up() == []
    finished = ledger.complete(completed("c1", "read", None, TEXT))
    assert (finished.late, finished.start.card_id, finished.event.args) == (True, "card-1", READ)


def test_an_id_that_is_started_again_is_not_late():
    ledger = Ledger()
    ledger.start(started("c1", "read", READ), "card-1", 1)
    ledger.give_up()
    ledger.start(started("c1", "read", READ), "card-2", 2)
    finished = ledger.complete(completed("c1", "read", None, TEXT))
    assert (finished.late, finished.start.card_id) == (False, "card-2")


def test_a_failure_and_a_success_are_two_payloads():
    ledger = Ledger()
    assert ledger.complete(completed(None, "read", READ, TEXT, channel="step"))
    assert ledger.complete(completed("c1", "read", READ, None))


def test_the_memory_of_completed_calls_is_bounded(monkeypatch):
    monkeypatch.setattr(ledger_module, "REMEMBERED", 3)
    ledger = Ledger()
    for number in range(5):
        args = {"path": str(number)}
        ledger.start(started(f"s{number}", "read", args), f"card-{number}", 1)
        ledger.complete(completed(f"c{number}", "read", {"path": f"x{number}"}, TEXT))
    assert len(ledger._strays) == 3
    ledger.give_up()
    assert len(ledger._done) == 3
    assert len(ledger._given_up) == 3
    assert len(ledger._seen) <= 4


# -- what the cards say of their place ----------------------------------------------------------


def test_a_card_stands_where_it_started_and_ended():
    (card,) = cards_of(
        started("c1", "read", READ, origin=at(3)),
        completed("c1", "read", None, TEXT, origin=at(7)),
    )
    assert card.evidence == Evidence(file="run.jsonl", line=3, end_line=7)


def test_a_card_of_one_line_has_no_end_line():
    (card,) = cards_of(
        started("c1", "read", READ, origin=at(3)), completed("c1", "read", None, TEXT, origin=at(3))
    )
    assert card.evidence == at(3)


def test_a_card_tells_when_it_started_and_ended():
    first, last = Time(at="2026-01-02T03:04:05.000Z"), Time(at="2026-01-02T03:04:06.000Z")
    (card,) = cards_of(
        started("c1", "read", READ, time=first), completed("c1", "read", None, TEXT, time=last)
    )
    assert (card.timing.started, card.timing.completed) == (first, last)


def test_a_card_without_any_time_has_none():
    (card,) = cards_of(completed("c1", "read", READ, TEXT))
    assert card.timing is None
