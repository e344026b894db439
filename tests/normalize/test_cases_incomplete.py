"""Replay facts 11.11, cases 236 to 249: calls that started and never completed.

The reference decides in a live run what it shows; here the items of a recorded run pass a policy,
so a case about a hidden card goes through ``under``. One difference is ours: an aborted run shows
cards where the reference leaves a trace. Every card also says what its call was about.
"""

import pytest

from cursor_replay.events import CallDiscarded, call_hash
from cursor_replay.items import Card, Notice
from cursor_replay.normalize.incomplete import GIVEN, REASONS, hides, under

from .helpers_cases import (
    asked,
    at,
    cards_of,
    case,
    chunk,
    completed,
    err,
    kinds,
    numbers_in,
    ok,
    replay,
    said,
    started,
    text_of,
    turn_ended,
)

NOT_OFFLINE = {
    248: "which tools a live request has decides between trace and card; a record has no request",
}

POLICIES = ("A", "B", "C")
READ = {"path": "harbour/lamp.md"}
SHELL = {"command": "lamp --turn north"}
WENT_ON = said("The lamp shines north.")


def shown(policy, *events):
    """The items that are left under a policy."""
    return list(under(replay(*events), policy))


def cards_under(policy, *events):
    return [item for item in shown(policy, *events) if isinstance(item, Card)]


def notes_of(items):
    return [(item.code, item.count) for item in items if isinstance(item, Notice)]


def given_up(call_id, reason, name="shell"):
    return CallDiscarded(origin=at(), call_hash=call_hash(call_id), name=name, reason=reason)


# -- after a run that ended well --------------------------------------------------------------


@pytest.mark.parametrize("policy", [*POLICIES, "all"])
def test_case_236_a_read_without_a_completion_is_a_card_where_nothing_was_said(policy):
    (card,) = cards_under(policy, asked(), started("c1", "read", READ), turn_ended())
    assert (card.tool, card.status) == ("cursor", "incomplete")
    assert (card.title, card.reason) == ("Cursor read did not complete", "missing completion")
    assert text_of(card) == "Cursor read did not complete\nharbour/lamp.md\nmissing completion"


@pytest.mark.parametrize("policy", POLICIES)
def test_case_236_blank_text_is_nothing_said(policy):
    events = (asked(), started("c1", "read", READ), said(" \n"), turn_ended())
    assert len(cards_under(policy, *events)) == 1


@pytest.mark.parametrize(
    ("policy", "titles"),
    [
        case(237, "hides local reads only", "A", ["Cursor shell did not complete"]),
        case(237, "hides shells as well", "B", []),
        case(237, "hides every call", "C", []),
    ],
)
def test_a_shell_after_a_run_that_said_something(policy, titles):
    events = (asked(), started("c1", "shell", SHELL), WENT_ON, turn_ended())
    assert [card.title for card in cards_under(policy, *events)] == titles


def test_case_237_a_shell_whose_output_was_seen_says_so():
    (card,) = cards_under(
        "A",
        asked(),
        started("c1", "shell", SHELL),
        chunk("gear 1\n"),
        chunk("gear 2\n"),
        WENT_ON,
        turn_ended(),
    )
    assert text_of(card).split("\n") == [
        "Cursor shell did not complete",
        "lamp --turn north",
        "missing completion",
        "2 chunks of output arrived",
    ]


@pytest.mark.parametrize("policy", POLICIES)
def test_case_238_the_read_of_a_missing_file_is_hidden_and_counted(policy):
    call_id = "call_9\nfc_77"
    items = shown(
        policy,
        asked(),
        started(call_id, "read", {"path": "missing.txt"}),
        said("Error: File not found"),
        turn_ended(),
    )
    assert kinds(items) == ["prompt", "answer", "turn_end", "notice"]
    assert notes_of(items) == [("incomplete-hidden", 1)]
    assert (
        items[-1].message == "1 call did not complete and is not shown (--incomplete all shows it)"
    )
    assert "call_9" not in repr(items)
    assert "fc_77" not in repr(items)


def test_case_238_the_call_is_known_by_the_hash_of_its_id_alone():
    call_id = "call_9\nfc_77"
    (card,) = cards_of(asked(), started(call_id, "read", READ), said("No such file."), turn_ended())
    assert card.incomplete.call_id_hash == call_hash(call_id)
    assert "call_9" not in repr(card)


@pytest.mark.parametrize("policy", POLICIES)
def test_case_239_a_glob_is_hidden_after_a_text_and_shown_without_one(policy):
    glob = started("c1", "glob", {"globPattern": "**/*.md"})
    assert cards_under(policy, asked(), glob, WENT_ON, turn_ended()) == []
    (card,) = cards_under(policy, asked(), glob, turn_ended())
    assert card.title == "Cursor find did not complete"
    assert card.details.source_tool_name == "glob"


@pytest.mark.parametrize(
    "args",
    [
        case(240, "named as a tool", {"toolName": "WebSearch", "args": {"query": "tides"}}),
        case(
            240,
            "of a provider",
            {"providerIdentifier": "cursor", "toolName": "web_search", "args": {"query": "tides"}},
        ),
    ],
)
def test_a_web_search_through_mcp_is_a_web_search(args):
    (card,) = cards_of(asked(), started("c1", "mcp", args), turn_ended())
    assert card.title == "Cursor web search did not complete"
    assert card.source_tool == "webSearch"
    assert "MCP" not in repr(card)


# -- after a run that did not end well --------------------------------------------------------


# The reference leaves a trace; a card says which call it was.
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "status", [case(241, "by the user", "cancelled"), case(241, "by the run", "aborted")]
)
def test_an_aborted_run_shows_its_open_call_with_its_target(status, policy):
    (card,) = cards_under(
        policy, asked(), WENT_ON, started("c1", "shell", SHELL), turn_ended(status)
    )
    assert (card.title, card.reason) == ("Cursor shell did not complete", "aborted")
    assert card.arguments["command"] == "lamp --turn north"


@pytest.mark.parametrize("policy", POLICIES)
def test_case_242_a_failed_run_shows_its_open_call(policy):
    (card,) = cards_under(
        policy, asked(), WENT_ON, started("c1", "read", READ), turn_ended("error", reason="gone")
    )
    assert (card.reason, card.summary) == ("SDK run failed", "harbour/lamp.md · SDK run failed")


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("end", [(), (turn_ended(),)])
def test_case_242_a_run_that_ended_while_it_was_drained_shows_its_open_call(end, policy):
    (card,) = cards_under(
        policy,
        asked(),
        started("c1", "read", READ),
        WENT_ON,
        given_up("c1", "run-drain", "read"),
        *end,
    )
    assert card.reason == "run ended during drain"


def test_case_243_an_aborted_run_shows_what_completed_and_what_did_not():
    cards = cards_under(
        "C",
        asked(),
        started("c1", "read", READ),
        started("c2", "shell", SHELL),
        completed("c1", "read", READ, ok({"content": "lit"})),
        turn_ended("cancelled"),
    )
    assert [(card.tool, card.status) for card in cards] == [
        ("read", "succeeded"),
        ("cursor", "incomplete"),
    ]
    assert cards[1].incomplete.siblings == 1


@pytest.mark.parametrize("policy", POLICIES)
def test_case_244_an_image_that_never_came_is_unregistered_activity(policy):
    (card,) = cards_under(
        policy, asked(), started("c1", "generateImage", {"prompt": "a lighthouse"}), turn_ended()
    )
    assert card.title == "Cursor image generation did not complete"
    assert card.details.variant == "activity"
    assert card.details.source_tool_name == "unregisteredActivity"


# The reference holds the last text of a live run back, so that the card comes first. A record
# shows what was said where it was said; the card follows, before the end of its turn.
def test_case_245_an_external_tool_is_a_cursor_card_before_the_end_of_its_turn():
    external = {"providerIdentifier": "tide", "toolName": "level", "args": {"at": "noon"}}
    items = shown("all", asked(), started("c1", "mcp", external), WENT_ON, turn_ended())
    assert kinds(items) == ["prompt", "answer", "card", "turn_end"]
    assert (items[-2].tool, items[-2].status, items[-2].turn) == ("cursor", "incomplete", 1)
    assert items[-2].title == "Cursor MCP did not complete"


# -- what is no missing completion ------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "channel", [case(246, "of the updates", "update"), case(246, "of the steps", "step")]
)
def test_an_edit_that_completed_under_another_id_is_not_reported(channel, policy):
    edit = {"path": "harbour/log.md"}
    cards = cards_under(
        policy,
        asked(),
        started("call-a", "edit", edit),
        completed("call-b", "edit", edit, ok({"diffString": "+lit"}), channel=channel),
        turn_ended(),
    )
    assert [card.status for card in cards] == ["succeeded"]


@pytest.mark.parametrize("policy", [*POLICIES, "all", "none"])
@pytest.mark.parametrize(
    ("call_id", "channel"),
    [
        case(247, "through its completion", "c1", "update"),
        case(247, "through a step", None, "step"),
    ],
)
def test_an_explicit_error_is_always_shown(call_id, channel, policy):
    read, error = {"path": "missing.txt"}, err("missing.txt: No such file")
    (card,) = cards_under(
        policy,
        asked(),
        started("c1", "read", read),
        completed(call_id, "read", read, error, channel=channel),
        said("There is no such file."),
        turn_ended(),
    )
    assert card.status == "failed"
    assert text_of(card) == "Error: missing.txt: No such file"


# -- the last policy --------------------------------------------------------------------------

OPEN = (
    started("c1", "shell", SHELL),
    started("c2", "edit", {"path": "harbour/log.md"}),
    started("c3", "mcp", {"providerIdentifier": "tide", "toolName": "level", "args": {}}),
)


@pytest.mark.parametrize(
    ("policy", "left"),
    [
        case(249, "nothing is left of them", "C", []),
        case(249, "others than shells are left", "B", ["edit", "mcp"]),
        case(249, "all of them are left", "A", ["shell", "edit", "mcp"]),
    ],
)
def test_a_shell_an_edit_and_an_external_tool_that_are_open_after_a_good_run(policy, left):
    cards = cards_under(policy, asked(), *OPEN, WENT_ON, turn_ended())
    assert [card.source_tool for card in cards] == left


def test_case_249_one_line_at_the_end_of_the_turn_counts_what_is_hidden():
    items = shown("C", asked(), *OPEN, WENT_ON, turn_ended())
    assert kinds(items) == ["prompt", "answer", "turn_end", "notice"]
    assert (items[-1].code, items[-1].level, items[-1].count) == ("incomplete-hidden", "info", 3)
    assert items[-1].turn == 1


def test_case_249_every_call_that_is_hidden_keeps_a_hash_of_its_own():
    cards = cards_of(asked(), *OPEN, WENT_ON, turn_ended())
    told = [card.incomplete.call_id_hash for card in cards]
    assert told == [call_hash(each) for each in ("c1", "c2", "c3")]


def test_every_turn_counts_its_own_hidden_calls():
    items = shown(
        "C",
        asked("One"),
        started("c1", "read", READ),
        WENT_ON,
        turn_ended(),
        asked("Two"),
        started("c2", "shell", SHELL),
        started("c3", "shell", {"command": "lamp --off"}),
        WENT_ON,
        turn_ended(),
    )
    notes = [(item.turn, item.count) for item in items if isinstance(item, Notice)]
    assert notes == [(1, 1), (2, 2)]


def test_none_hides_what_an_aborted_run_left_open_and_says_so():
    items = shown("none", asked(), started("c1", "shell", SHELL), turn_ended("cancelled"))
    assert kinds(items) == ["prompt", "turn_end", "notice"]
    assert notes_of(items) == [("incomplete-hidden", 1)]


# -- the tables behind them -------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["read", "grep", "glob", "ls", "shell", "edit", "write", "mcp"])
@pytest.mark.parametrize("reason", sorted(set(REASONS) - {"no-completion-at-run-end"}))
@pytest.mark.parametrize("policy", POLICIES)
def test_only_a_missing_completion_is_ever_hidden(policy, reason, tool):
    assert not hides(policy, reason, tool, said_text=True)


@pytest.mark.parametrize(
    ("tool", "hidden"),
    [
        ("read", "ABC"),
        ("grep", "ABC"),
        ("glob", "ABC"),
        ("ls", "ABC"),
        ("shell", "BC"),
        ("edit", "C"),
        ("write", "C"),
        ("delete", "C"),
        ("task", "C"),
        ("mcp", "C"),
        ("webSearch", "C"),
        ("semSearch", "C"),
        ("unheardOf", "C"),
    ],
)
def test_each_policy_hides_its_tools_after_a_text_and_nothing_without_one(tool, hidden):
    reason = "no-completion-at-run-end"
    told = [policy for policy in POLICIES if hides(policy, reason, tool, said_text=True)]
    assert told == list(hidden)
    assert not any(hides(policy, reason, tool, said_text=False) for policy in POLICIES)


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("no-completion-at-run-end", "missing completion"),
        ("abort", "aborted"),
        ("sdk-failure", "SDK run failed"),
        ("run-drain", "run ended during drain"),
    ],
)
def test_the_reasons_and_the_words_of_the_reference_are_kept(reason, words):
    assert REASONS[reason].words == words
    assert GIVEN[reason] == reason


@pytest.mark.parametrize("number", sorted(NOT_OFFLINE))
def test_a_case_that_cannot_happen_offline_says_why(number):
    assert len(NOT_OFFLINE[number]) > 20


def test_every_number_from_236_to_249_is_here_or_has_a_reason():
    tested = numbers_in(globals())
    assert tested | set(NOT_OFFLINE) == set(range(236, 250))
    assert tested & set(NOT_OFFLINE) == set()
