"""Cards of a recorded pi session: kept as they stand, told apart by their ids."""

from typing import Any

import pytest

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Outcome,
    PromptSeen,
    TurnEnded,
)
from cursor_replay.items import Card, Evidence, NativeEdit, Notice
from cursor_replay.normalize.details import pi_edit
from cursor_replay.normalize.normalizer import Normalizer
from cursor_replay.normalize.tools.recorded import executed_by, is_card_id

HERE = Evidence(file="run.jsonl", line=1)
REPLAY = "cursor-replay-1780300800000-1-tool-1"


def started(call_id: str | None, name: str = "read", args: Any = None) -> CallStarted:
    return CallStarted(origin=HERE, channel="pi", call_id=call_id, name=name, args=args or {})


def done(
    call_id: str | None,
    text: str = "A",
    *,
    failed: bool = False,
    name: str = "unknown",
    **value: Any,
) -> CallCompleted:
    outcome = Outcome(status="error" if failed else "success", value={"text": text, **value})
    return CallCompleted(origin=HERE, channel="pi", call_id=call_id, name=name, outcome=outcome)


def cards(*events: AnyEvent, running: bool = False) -> list[Card]:
    normalizer = Normalizer(file="run.jsonl", running=running)
    items = [item for event in events for item in normalizer.feed(event)]
    return [item for item in [*items, *normalizer.close()] if isinstance(item, Card)]


def card(
    name: str, args: Any = None, text: str = "A", *, failed: bool = False, **value: Any
) -> Card:
    (made,) = cards(started(REPLAY, name, args), done(REPLAY, text, failed=failed, **value))
    return made


def told(made: Card) -> str:
    return "\n".join(part.text for part in made.content)


# -- whose it is ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call_id", "who"),
    [
        ("cursor-replay-1-1-tool-1", "replay"),
        ("cursor-pi-bridge-0123456789abcdef0123456789abcdef-t1", "bridge"),
        ("cursor-pi-bridge-run-x-tool-1", "bridge"),
        ("call_read_1", "pi"),
        ("cursor-replay", "pi"),
        (None, "pi"),
    ],
)
def test_the_beginning_of_an_id_says_who_ran_the_call(call_id: str | None, who: str) -> None:
    assert executed_by(call_id) == who


@pytest.mark.parametrize(
    ("call_id", "fine"),
    [
        ("a_B-9", True),
        ("x" * 128, True),
        ("x" * 129, False),
        ("a|b", False),
        ("", False),
        ("a\n", False),
    ],
)
def test_a_card_is_named_by_plain_ids_only(call_id: str, fine: bool) -> None:  # noqa: FBT001 - a row
    assert is_card_id(call_id) is fine


def test_a_recorded_id_is_kept_and_another_is_made_for_one_that_is_none() -> None:
    found = cards(started("call_1|fc_2"), done("call_1|fc_2"), started("a"), done("a"), done(None))
    assert [each.id.startswith("pi-0-1-tool-") for each in found] == [True, False, True]
    assert found[1].id == "a"
    assert len({each.id for each in found}) == 3
    assert {each.provenance for each in found} == {"pi"}


def test_a_made_id_of_a_bridged_call_still_says_so() -> None:
    (made,) = cards(done("cursor-pi-bridge-a|b"))
    assert (made.id, made.provenance) == ("cursor-pi-bridge-0-1-tool-1", "bridge")


def test_a_card_that_runs_and_ends_keeps_its_id() -> None:
    found = cards(started("a"), done("a"), running=True)
    assert [(each.id, each.status, each.revision) for each in found] == [
        ("a", "running", 0),
        ("a", "succeeded", 1),
    ]


def test_equal_calls_with_two_ids_are_two() -> None:
    assert len(cards(started("a"), started("b"), done("a"), done("b"))) == 2


def test_a_result_without_an_id_belongs_to_no_open_call() -> None:
    found = cards(started("a"), done(None, name="read"))
    assert [each.status for each in found] == ["succeeded", "unrecorded"]


# -- without a result -------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["success", "length"])
def test_a_call_that_got_no_result_is_not_recorded(status: str) -> None:
    ended = TurnEnded(origin=HERE, status=status)
    for events in ([started("a")], [started("a"), ended]):
        (made,) = cards(*events)
        assert (made.status, made.reason, made.tool) == ("unrecorded", "no result recorded", "read")


@pytest.mark.parametrize(
    ("status", "reason", "shown"),
    [
        ("aborted", "Request was aborted", "Request was aborted"),
        ("aborted", None, "aborted"),
        ("error", "503\nupstream", "503 upstream"),
        ("error", None, "the turn ended in an error"),
    ],
)
def test_a_call_of_a_turn_that_went_wrong_did_not_complete(
    status: str, reason: str | None, shown: str
) -> None:
    ended = TurnEnded(origin=HERE, status=status, reason=reason)
    (made,) = cards(started("a", "bash", {"command": "x"}), ended)
    assert (made.status, made.reason, made.tool) == ("incomplete", shown, "bash")
    assert made.arguments == {"command": "x"}


def test_a_completion_without_a_result_claims_no_time_and_no_success() -> None:
    ended = CallCompleted(origin=HERE, channel="pi", call_id="a", name="read")
    (made,) = cards(PromptSeen(origin=HERE, text="q"), ended)
    assert (made.status, made.reason, made.timing) == ("unrecorded", "no result recorded", None)


def test_a_result_that_comes_late_is_the_card_again() -> None:
    ended = TurnEnded(origin=HERE, status="aborted")
    found = cards(started("a"), ended, done("a"))
    assert [(each.id, each.status, each.revision) for each in found] == [
        ("a", "incomplete", 0),
        ("a", "succeeded", 1),
    ]


def test_nothing_is_said_of_a_format_without_results() -> None:
    normalizer = Normalizer(file="run.jsonl")
    items = [*normalizer.feed(started("a")), *normalizer.close()]
    assert not any(isinstance(item, Notice) for item in items)


# -- what is kept and recovered -----------------------------------------------------------------


def test_arguments_that_are_no_object_are_kept_as_input() -> None:
    (made,) = cards(
        CallStarted(origin=HERE, channel="pi", call_id="a", name="read", args="src"), done("a")
    )
    assert made.arguments == {"input": "src"}


def test_a_long_text_is_not_cut_again() -> None:
    long = "line\n" * 3000 + "end"
    assert told(card("bash", text=long)) == long


@pytest.mark.parametrize(
    ("name", "args", "title", "summary"),
    [
        ("grep", {"pattern": "x", "path": "src"}, "Cursor grep", "x"),
        ("ls", {}, "Cursor ls", None),
        (
            "cursor",
            {"activityTitle": "Cursor plan", "activitySummary": "3 steps"},
            "Cursor plan",
            "3 steps",
        ),
        ("cursor", {"activityTitle": " ", "title": "Cursor brew"}, "Cursor brew", None),
        ("cursor", {}, "Cursor activity", None),
        ("mcp__tide__high", {"title": "x"}, "mcp__tide__high", None),
        ("  odd\nname ", {}, "odd name", None),
    ],
)
def test_title_and_summary_come_from_the_arguments(
    name: str, args: Any, title: str, summary: str | None
) -> None:
    made = card(name, args)
    assert (made.title, made.summary) == (title, summary)


@pytest.mark.parametrize(
    ("name", "args", "text", "reason"),
    [
        ("read", {}, "Error: ENOENT\nmore", "ENOENT"),
        (
            "bash",
            {},
            "out\n\nCommand timed out after 3 seconds",
            "Command timed out after 3 seconds",
        ),
        ("cursor", {"activityTitle": "Cursor plan"}, "Cursor plan\n\nno steps", "no steps"),
        ("read", {}, "", None),
    ],
)
def test_the_reason_is_a_line_of_the_text(
    name: str, args: Any, text: str, reason: str | None
) -> None:
    made = card(name, args, text, failed=True, details={})
    assert (made.status, made.reason) == ("failed", reason)


@pytest.mark.parametrize(
    ("text", "summary", "reason"),
    [
        ("Cursor shell did not complete\naborted", "make · aborted", "aborted"),
        ("Cursor shell did not complete", "aborted", "aborted"),
        ("", "aborted", "aborted"),
        ("did not complete", None, "did not complete"),
        ("", None, None),
    ],
)
def test_an_incomplete_card_says_why_without_its_details(
    text: str, summary: str | None, reason: str | None
) -> None:
    args = {"activityTitle": "Cursor shell did not complete", "incomplete": True}
    if summary:
        args["activitySummary"] = summary
    made = card("cursor", args, text, failed=True)
    assert (made.status, made.reason) == ("incomplete", reason)
    assert made.title == "Cursor shell did not complete"


@pytest.mark.parametrize(
    ("details", "reason"),
    [
        ({"exitCode": 3}, "Command exited with code 3"),
        ({"exit_code": "3"}, "Command exited with code 3"),
        ({"error": "no such gate"}, "no such gate"),
        ({"error": {"message": "no such gate"}}, "no such gate"),
        ({"exitCode": 0, "error": 7}, "out"),
    ],
)
def test_the_reason_that_details_tell_goes_first(details: Any, reason: str) -> None:
    assert card("bash", text="out", failed=True, details=details).reason == reason


def test_a_result_of_which_nothing_says_how_it_went_is_not_recorded() -> None:
    outcome = Outcome(status="unknown", value={"text": "A"})
    ended = CallCompleted(origin=HERE, channel="pi", call_id=REPLAY, name="read", outcome=outcome)
    (made,) = cards(started(REPLAY), ended)
    assert (made.status, told(made)) == ("unrecorded", "A")


def test_an_argument_named_incomplete_takes_nothing_from_a_success() -> None:
    assert card("cursor", {"incomplete": True}).status == "succeeded"


# -- pi's own details -------------------------------------------------------------------------


CUT = {"truncated": True, "outputLines": 20, "totalLines": 50}


@pytest.mark.parametrize(
    ("details", "line"),
    [
        ({"matchLimitReached": 100}, "[Truncated: 100 matches limit]"),
        ({"resultLimitReached": 5}, "[Truncated: 5 results limit]"),
        (
            {"entryLimitReached": 3, "linesTruncated": True},
            "[Truncated: 3 entries limit, some lines truncated]",
        ),
        ({"truncation": CUT}, "[Truncated: showing 20 of 50 lines]"),
        ({"truncation": {"truncated": True}}, "[Truncated: not the whole output]"),
        (
            {"truncation": CUT, "fullOutputPath": "/o"},
            "[Full output: /o. Truncated: showing 20 of 50 lines]",
        ),
        ({"fullOutputPath": "/o"}, "[Full output: /o]"),
    ],
)
def test_what_pi_left_out_is_said_as_pi_says_it(details: Any, line: str) -> None:
    assert told(card("bash", text="out", details=details)) == f"out\n\n{line}"
    already = "out\n\n[50 lines. Use a limit.]"
    assert told(card("bash", text=already, details=details)) == already


@pytest.mark.parametrize(
    "details",
    [None, {}, [], {"truncation": {"truncated": False}}, {"variant": "x", "fullOutputPath": "/o"}],
)
def test_nothing_is_said_where_nothing_was_left_out(details: Any) -> None:
    assert told(card("bash", text="out", details=details)) == "out"


def test_why_a_command_failed_is_not_what_was_left_out() -> None:
    text = "out\n\nCommand exited with code 2"
    made = card("bash", text=text, failed=True, details={"truncation": CUT})
    assert made.reason == "Command exited with code 2"
    assert told(made) == f"{text}\n\n[Truncated: showing 20 of 50 lines]"


PATCH = "--- a.py\n+++ a.py\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n"


def test_the_diff_of_a_real_edit_becomes_its_details() -> None:
    details = {"diff": " 1 a\n-2 b\n+2 c\n+3 d", "patch": PATCH, "firstChangedLine": 2}
    made = card("edit", {"path": "a.py"}, details=details)
    assert made.details == NativeEdit(
        path="a.py",
        lines_added=2,
        lines_removed=1,
        diff_string=details["diff"],
        diff=details["diff"],
        first_changed_line=2,
    )


def test_an_edit_with_one_of_the_two_is_counted_by_it() -> None:
    for details in ({"diff": " 1 a\n-2 b\n+2 c\n+3 d"}, {"patch": PATCH}, {"diff": PATCH}):
        found = pi_edit({}, details)
        assert found is not None
        assert (found.lines_added, found.lines_removed) == (2, 1)


@pytest.mark.parametrize("details", [None, [], {}, {"diff": ""}, {"variant": "edit", "diff": "x"}])
def test_other_details_of_an_edit_are_none(details: Any) -> None:
    assert pi_edit({}, details) is None


def test_a_diff_of_no_known_form_is_not_counted() -> None:
    found = pi_edit({}, {"diff": "words"})
    assert found is not None
    assert (found.diff, found.lines_added, found.lines_removed) == ("words", None, None)
