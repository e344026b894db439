"""One session told by two stores."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cursor_replay.errors import InputError
from cursor_replay.items import (
    Answer,
    Card,
    Evidence,
    Item,
    Notice,
    Prompt,
    TextContent,
    Thought,
    Time,
    Timing,
    TurnEnd,
)
from cursor_replay.normalize.join import fingerprint, joined

HERE = Evidence(file="run.jsonl", line=1)
THERE = Evidence(file="store.db", line=7, row="blob")


def prompt(text: str, turn: int = 1, at: Evidence = HERE) -> Prompt:
    return Prompt(text=text, turn=turn, evidence=at)


def open_card(command: str, number: int = 1, **more: Any) -> Card:
    fields: dict[str, Any] = {
        "id": f"card-{number}", "tool": "bash", "source_tool": "shell", "title": "Cursor shell",
        "arguments": {"command": command}, "status": "unrecorded", "turn": 1, "evidence": HERE,
    }  # fmt: skip
    return Card(**fields | more)


def done(command: str, text: str, number: int = 1, **more: Any) -> Card:
    content = (TextContent(text=text),)
    fields = {"status": "succeeded", "content": content, "evidence": THERE, **more}
    return open_card(command, number, **fields)


def asked(items: list[Item]) -> list[str]:
    prompts = (each for each in items if isinstance(each, Prompt) and each.author == "human")
    return [fingerprint(each.text) for each in prompts]


def told(base: list[Item], other: list[Item]) -> list[Item]:
    prompts = asked(base), asked(other)
    return list(joined(base, other, store="chat-store", prompts=prompts))


def test_a_card_without_outcome_takes_that_of_the_same_call() -> None:
    timing = Timing(duration_ms=40)
    [_, card] = told(
        [prompt("q"), open_card("ls")], [prompt("q"), done("ls", "a.py", timing=timing)]
    )
    assert isinstance(card, Card)
    assert (card.status, card.content[0].text, card.timing) == ("succeeded", "a.py", timing)
    assert (card.id, card.evidence) == ("card-1", HERE)
    assert card.outcome_from is not None
    assert (card.outcome_from.store, card.outcome_from.evidence) == ("chat-store", THERE)


def test_a_failure_is_taken_with_its_reason() -> None:
    failed = done("ls", "no", status="failed", reason="exit 2")
    card = told([prompt("q"), open_card("ls")], [prompt("q"), failed])[1]
    assert isinstance(card, Card)
    assert (card.status, card.reason) == ("failed", "exit 2")


def test_a_card_that_knows_its_outcome_keeps_it() -> None:
    mine = done("ls", "mine", evidence=HERE)
    assert told([prompt("q"), mine], [prompt("q"), done("ls", "other", 2)]) == [prompt("q"), mine]


def test_equal_calls_are_matched_in_order_when_both_tell_as_many() -> None:
    base = [prompt("q"), open_card("ls", 1), open_card("ls", 2)]
    _, one, two = told(base, [prompt("q"), done("ls", "first"), done("ls", "second")])
    assert [each.content[0].text for each in (one, two)] == ["first", "second"]  # type: ignore[union-attr]


def test_when_it_is_unsure_which_call_is_meant_both_are_kept() -> None:
    base = [
        prompt("q"),
        open_card("ls", 1),
        open_card("ls", 2),
        Answer(text="a", turn=1, evidence=HERE),
    ]
    items = told(base, [prompt("q"), done("ls", "once", 5)])
    assert items[:4] == base
    extra = items[4]
    assert isinstance(extra, Card)
    assert (extra.id, extra.status) == ("card-5-chat-store", "succeeded")
    assert extra.outcome_from is not None


def test_a_call_that_only_the_other_has_stands_before_the_end_of_the_turn() -> None:
    end = TurnEnd(status="success", turn=1, evidence=HERE)
    kinds = [
        type(each).__name__ for each in told([prompt("q"), end], [prompt("q"), done("ls", "x")])
    ]
    assert kinds == ["Prompt", "Card", "TurnEnd"]


def test_removed_thinking_is_filled_and_other_thoughts_stand_before_their_card() -> None:
    removed = Thought(text="", removed=True, turn=1, evidence=HERE)
    base = [prompt("q"), removed, open_card("ls", 1), open_card("pwd", 2)]
    other: list[Item] = [
        prompt("q"),
        Thought(text="Look first.", turn=9, evidence=THERE),
        done("ls", "a"),
        Thought(text="Where am I?", turn=9, evidence=THERE),
        done("pwd", "/"),
    ]
    items = told(base, other)
    shown = [each.text if isinstance(each, Thought) else type(each).__name__ for each in items]
    assert shown == ["Prompt", "Look first.", "Card", "Where am I?", "Card"]
    assert {each.turn for each in items if isinstance(each, Thought)} == {1}


def test_turns_that_the_other_lacks_are_passed_over() -> None:
    base = [prompt("one", 1), open_card("ls", 1), prompt("two", 2), open_card("pwd", 2, turn=2)]
    items = told(base, [prompt("two"), done("pwd", "/")])
    cards = [each for each in items if isinstance(each, Card)]
    assert [each.status for each in cards] == ["unrecorded", "succeeded"]
    assert not any(isinstance(each, Notice) for each in items)


def test_turns_that_only_the_other_has_are_counted_in_a_notice() -> None:
    base = [prompt("two"), open_card("pwd")]
    items = told(base, [prompt("one", at=THERE), prompt("two"), done("pwd", "/"), prompt("three")])
    notice = items[-1]
    assert isinstance(notice, Notice)
    assert notice.message == (
        "chat-store holds this session too, but 2 turns of it cannot be matched with this one "
        "for sure; render it by itself"
    )
    assert notice.evidence == THERE


def test_two_tellings_that_share_no_prompt_are_not_mixed() -> None:
    base = [prompt("one"), open_card("ls")]
    items = told(base, [prompt("else"), done("ls", "x")])
    assert items[:2] == base
    assert isinstance(items[2], Notice)
    assert "none of its turns can be matched" in items[2].message


def test_prompts_are_compared_without_their_white_space() -> None:
    card = told([prompt("a\n b"), open_card("ls")], [prompt(" a b "), done("ls", "x")])[1]
    assert isinstance(card, Card)
    assert card.status == "succeeded"


def test_a_prompt_that_nobody_typed_opens_no_turn() -> None:
    injected = replace(prompt("go on"), author="cursor")
    base = [prompt("q"), injected, open_card("ls")]
    card = told(base, [prompt("q"), done("ls", "x")])[2]
    assert isinstance(card, Card)
    assert card.status == "succeeded"


def test_a_prompt_that_the_other_holds_less_often_is_no_match() -> None:
    base = [
        prompt("go on", 1), open_card("make test", 1),
        prompt("go on", 2), open_card("make test", 2, turn=2),
    ]  # fmt: skip
    items = told(base, [prompt("go on"), done("make test", "12 passed")])
    assert {each.status for each in items if isinstance(each, Card)} == {"unrecorded"}


def test_equal_prompts_that_both_hold_as_often_are_matched_in_order() -> None:
    base = [
        prompt("go on", 1), open_card("make", 1), prompt("go on", 2), open_card("make", 2, turn=2),
    ]  # fmt: skip
    other = [prompt("go on", 1), done("make", "a"), prompt("go on", 2), done("make", "b", 2)]
    cards = [each for each in told(base, other) if isinstance(each, Card)]
    assert [each.content[0].text for each in cards] == ["a", "b"]


def test_turns_told_in_another_order_are_matched_as_far_as_they_keep_theirs() -> None:
    base = [*(x for n in range(4) for x in (prompt(f"p{n}", n), open_card(f"c{n}", n, turn=n)))]
    other = [*(x for n in (3, 0, 1, 2) for x in (prompt(f"p{n}"), done(f"c{n}", "x", n)))]
    cards = [each.status for each in told(base, other) if isinstance(each, Card)]
    assert cards == ["succeeded", "succeeded", "succeeded", "unrecorded"]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({"path": "lib", "pattern": "foo"}, {"path": "lib", "pattern": "bar"}),
        (
            {"path": "a.py", "edits": [{"oldText": "a"}]},
            {"path": "a.py", "edits": [{"oldText": "k"}]},
        ),
        (
            {"toolName": "search", "arguments": {"q": 1}},
            {"toolName": "search", "arguments": {"q": 2}},
        ),
        ({"command": "ls"}, {"command": "ls -a"}),
    ],
)
def test_arguments_that_both_hold_must_agree(mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    base = [prompt("q"), open_card("", arguments=mine)]
    items = told(base, [prompt("q"), done("", "x", 2, arguments=theirs)])
    assert items[:2] == base
    assert isinstance(items[2], Card)
    assert items[2].id == "card-2-chat-store"


def test_calls_told_in_another_order_keep_their_own_outcomes() -> None:
    base = [
        prompt("q"),
        open_card("", 1, arguments={"path": "lib", "pattern": "foo"}),
        open_card("", 2, arguments={"path": "lib", "pattern": "bar"}),
    ]
    other = [
        prompt("q"),
        done("", "BAR", 1, arguments={"path": "lib", "pattern": "bar"}),
        done("", "FOO", 2, arguments={"path": "lib", "pattern": "foo"}),
    ]
    cards = [each.content[0].text for each in told(base, other) if isinstance(each, Card)]
    assert cards == ["FOO", "BAR"]


def test_several_calls_that_only_one_side_tells_apart_are_unsure() -> None:
    base = [
        prompt("q"),
        open_card("", 1, arguments={"path": "a.py", "edits": [1]}),
        open_card("", 2, arguments={"path": "a.py", "edits": [2]}),
    ]
    other = [
        prompt("q"),
        done("", "x", 3, arguments={"path": "a.py"}),
        done("", "y", 4, arguments={"path": "a.py"}),
    ]
    statuses = [each.status for each in told(base, other) if isinstance(each, Card)]
    assert statuses == ["unrecorded", "unrecorded", "succeeded", "succeeded"]


def test_what_only_the_other_says_of_a_turn_stands_at_its_end() -> None:
    other: list[Item] = [
        prompt("q"),
        Answer(text="Begun.", turn=1, evidence=THERE),
        done("ls", "a"),
        Thought(text="Nearly.", turn=1, evidence=THERE),
        Answer(text="Done.", turn=1, evidence=THERE),
        Notice(code="x", message="a missing blob", evidence=THERE),
        TurnEnd(status="error", reason="limit", turn=1, evidence=THERE),
    ]
    base = [prompt("q"), Answer(text="Begun.", turn=1, evidence=HERE), open_card("ls")]
    items = told(base, other)
    assert [type(each).__name__ for each in items] == [
        "Prompt", "Answer", "Card", "Thought", "Answer", "Notice", "TurnEnd",
    ]  # fmt: skip


def test_a_result_of_which_nobody_knows_how_it_went_is_taken_and_stays_unknown() -> None:
    other = done("ls", "a.py", status="unrecorded")
    card = told([prompt("q"), open_card("ls")], [prompt("q"), other])[1]
    assert isinstance(card, Card)
    assert (card.status, card.content[0].text) == ("unrecorded", "a.py")


def test_arguments_of_both_are_kept_when_the_card_is_of_one_tool() -> None:
    mine = open_card("ls", arguments={"command": "ls", "timeout": 5})
    other = done("ls", "x", arguments={"command": "ls", "cwd": "lib"})
    card = told([prompt("q"), mine], [prompt("q"), other])[1]
    assert isinstance(card, Card)
    assert card.arguments == {"command": "ls", "cwd": "lib", "timeout": 5}


def test_a_card_drawn_as_another_tool_keeps_its_own_arguments() -> None:
    mine = open_card("x", tool="edit", source_tool="edit", arguments={"path": "a", "edits": [1]})
    other = done("x", "+1", tool="cursor", source_tool="edit", arguments={"path": "a"}, summary="s")
    card = told([prompt("q"), mine], [prompt("q"), other])[1]
    assert isinstance(card, Card)
    assert (card.tool, card.arguments, card.summary) == ("edit", {"path": "a", "edits": [1]}, None)
    assert card.status == "succeeded"


def test_times_alone_are_taken_too() -> None:
    timing = Timing(started=Time(at="2026-09-14T10:00:00.000Z"))
    other = open_card("ls", timing=timing, evidence=THERE)
    card = told([prompt("q"), open_card("ls")], [prompt("q"), other])[1]
    assert isinstance(card, Card)
    assert (card.status, card.timing, card.outcome_from) == ("unrecorded", timing, None)


def test_a_store_that_breaks_off_costs_nothing_but_what_it_would_have_told() -> None:
    def broken() -> Iterator[Item]:
        yield prompt("q")
        yield done("ls", "x")
        yield prompt("r")
        raise InputError("store.db: not a readable database")

    base = [prompt("q"), open_card("ls"), prompt("r")]
    prompts = asked(base), asked(base)
    items = list(joined(base, broken(), store="chat-store", prompts=prompts))
    assert [type(each).__name__ for each in items] == ["Prompt", "Card", "Prompt", "Notice"]
    assert items[1].status == "succeeded"  # type: ignore[union-attr]
    assert "cannot be read to its end: store.db" in items[3].message  # type: ignore[union-attr]
