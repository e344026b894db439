"""Notices: folded, counted, and summed up."""

from cursor_replay.events import CallUnrecorded, Noted, SessionSeen, UsageSeen
from cursor_replay.items import Notice, Session, TurnEnd, Usage

from .helpers_cases import asked, at, replay, said, turn_ended


def noted(code, message="words", line=1, **more):
    return Noted(**{"origin": at(line), "code": code, "message": message, **more})


def problem(code, message="words", line=1):
    return noted(code, message, line, problem=True)


def notices(*events):
    return [
        (item.code, item.count, item.message)
        for item in replay(*events)
        if isinstance(item, Notice)
    ]


def test_a_notice_is_shown_where_it_came():
    items = replay(asked(), noted("system", level="info"), said("a"))
    assert [item.type for item in items[1:]] == ["prompt", "notice", "answer"]
    assert (items[2].level, items[2].turn, items[2].evidence) == ("info", 1, at())


def test_like_problems_that_follow_each_other_are_one():
    items = replay(problem("not-json", line=3), problem("not-json", line=5), said("a"))
    (first, second) = [item for item in items if isinstance(item, Notice)]
    assert (first.code, first.count, first.evidence.line, first.evidence.end_line) == (
        "not-json", 2, 3, 5,
    )  # fmt: skip
    assert (second.code, second.count, second.message) == (
        "losses", 2, "not everything could be shown as recorded: not json (2)",
    )  # fmt: skip


def test_problems_that_differ_are_not_folded():
    assert notices(
        problem("not-json"), problem("not-json", "others"), problem("unknown-record"), said("a")
    ) == [
        ("not-json", 1, "words"),
        ("not-json", 1, "others"),
        ("unknown-record", 1, "words"),
        (
            "losses",
            3,
            "not everything could be shown as recorded: not json (2), unknown record (1)",
        ),
    ]


def test_a_record_between_two_problems_keeps_them_apart():
    told = notices(problem("not-json"), said("a"), problem("not-json"))
    assert [count for code, count, _ in told if code == "not-json"] == [1, 1]


def test_the_last_problem_is_not_lost():
    assert [code for code, _, _ in notices(said("a"), problem("not-json"))] == [
        "not-json",
        "losses",
    ]


def test_like_notices_that_are_no_problems_are_all_shown():
    assert notices(noted("retry"), noted("retry")) == [("retry", 1, "words"), ("retry", 1, "words")]


def test_a_notice_closes_the_problems_before_it():
    assert [code for code, _, _ in notices(problem("not-json"), noted("retry"))] == [
        "not-json",
        "retry",
        "losses",
    ]


def test_harmless_notices_are_said_once_at_the_end():
    items = replay(noted("crlf"), said("a"), noted("crlf", line=4), noted("byte-order-mark"))
    assert [item.type for item in items[1:]] == ["answer", "notice", "notice"]
    assert [(item.code, item.count) for item in items[2:]] == [("crlf", 2), ("byte-order-mark", 1)]


def test_usage_that_no_turn_end_took_is_told_at_the_end():
    usage = UsageSeen(origin=at(), usage=Usage(input_tokens=7, output_tokens=2))
    assert notices(usage) == [("usage", 1, "usage: 7 input and 2 output tokens")]


def test_usage_goes_to_the_end_of_its_turn():
    seen = UsageSeen(origin=at(), usage=Usage(input_tokens=7))
    own = Usage(input_tokens=9)
    items = replay(asked(), seen, turn_ended(), asked(), seen, turn_ended(usage=own), turn_ended())
    ends = [item.usage for item in items if isinstance(item, TurnEnd)]
    assert ends == [Usage(input_tokens=7), own, None]


def test_a_source_without_results_says_so_once():
    one = CallUnrecorded(origin=at(), name="Read", args={"path": "a"})
    assert notices(one) == [
        (
            "results-not-recorded",
            1,
            "the outcome of 1 call is not recorded here",
        )
    ]
    assert notices(one, one)[0][1:] == (
        2,
        "the outcomes of 2 calls are not recorded here",
    )


def test_the_head_comes_first_and_again_when_more_is_known():
    def seen(**more):
        return SessionSeen(origin=at(), **more)

    items = replay(
        seen(format="transcript"),
        said("a"),
        seen(title="A chat"),
        said("b"),
        seen(title="A chat"),
        said("c"),
        seen(model="m", cwd="/elsewhere"),
    )
    heads = [item for item in items if isinstance(item, Session)]
    assert items[0] is heads[0]
    assert [(head.revision, head.title, head.model, head.cwd) for head in heads] == [
        (0, None, None, "/repo"),
        (1, "A chat", None, "/repo"),
        (2, "A chat", "m", "/repo"),
    ]


def test_the_workspace_is_what_the_source_recorded_unless_it_is_given():
    seen = SessionSeen(origin=at(), cwd="/srv/app")
    assert [item.cwd for item in replay(seen, cwd=None)] == ["/srv/app"]


def test_an_empty_run_has_a_head_alone():
    (head,) = replay()
    assert (head.type, head.format, head.file) == ("session", "unknown", "run.jsonl")
