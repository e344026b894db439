"""Text and thinking as they settle."""

import pytest

from cursor_replay.events import TextSeen
from cursor_replay.items import Evidence, Time
from cursor_replay.normalize.speech import Speech

from .helpers_cases import asked, at, replay, said, started, thought, turn_ended


def spoken(*events):
    items = replay(*events)
    return [(item.type, item.text) for item in items if item.type in ("answer", "thought")]


def test_pieces_of_one_text_are_joined_without_a_separator():
    assert spoken(said("a", partial=True), said("b\n", partial=True), said("c")) == [
        ("answer", "ab\nc")
    ]


def test_two_whole_texts_are_two_answers():
    assert spoken(said("a"), said("b")) == [("answer", "a"), ("answer", "b")]


def test_a_thought_closes_an_answer_and_an_answer_a_thought():
    assert spoken(
        said("a", partial=True),
        thought("b", partial=True),
        said("c", partial=True),
        turn_ended(),
    ) == [("answer", "a"), ("thought", "b"), ("answer", "c")]


def test_an_empty_thought_closes_nothing():
    assert spoken(said("a", partial=True), thought(""), said("b", partial=True)) == [
        ("answer", "ab")
    ]


def test_blank_texts_and_thoughts_are_dropped():
    assert spoken(said(" \n"), thought("\t"), said("")) == []


def test_the_end_of_a_thought_tells_how_long_it_took():
    items = replay(thought("hm", partial=True), thought("", duration_ms=1200.0))
    (item,) = [each for each in items if each.type == "thought"]
    assert (item.text, item.duration_ms) == ("hm", 1200.0)


def test_the_next_thought_begins_anew():
    items = replay(thought("a", duration_ms=5.0), thought("b"))
    assert [(each.text, each.duration_ms) for each in items if each.type == "thought"] == [
        ("a", 5.0),
        ("b", None),
    ]


def test_removed_thinking_is_said_to_be_removed():
    items = replay(said("before", partial=True), thought(removed=True), said("after"))
    assert [(each.type, each.text) for each in items[1:]] == [
        ("answer", "before"),
        ("thought", ""),
        ("answer", "after"),
    ]
    assert [each.removed for each in items if each.type == "thought"] == [True]


def test_an_answer_stands_where_its_first_piece_stood():
    items = replay(said("a", partial=True, origin=at(3)), said("b", origin=at(4)))
    assert items[-1].evidence == at(3)


@pytest.mark.parametrize(
    ("own", "time"),
    [
        (None, Time(at="2026-01-02T03:04:05.000Z", basis="turn")),
        (
            Time(at="2026-01-02T03:04:09.000Z"),
            Time(at="2026-01-02T03:04:09.000Z"),
        ),
    ],
)
def test_a_text_without_a_time_has_that_of_its_prompt(own, time):
    prompt = asked(time=Time(at="2026-01-02T03:04:05.000Z"))
    items = replay(prompt, said("a", time=own), thought("b", time=own))
    assert [each.time for each in items[2:]] == [time, time]


def test_a_call_closes_what_was_being_said():
    items = replay(said("a", partial=True), started("c1", "read"), said("b", partial=True))
    assert [each.text for each in items if each.type == "answer"] == ["a", "b"]


AT = Evidence(file="f", line=1)


def test_a_text_without_end_is_shown_in_whole_paragraphs():
    speech = Speech()
    paragraph = "word " * 4000 + "\n\n"
    shown = [
        item
        for _ in range(120)
        for item in speech.text(TextSeen(origin=AT, text=paragraph, partial=True), 1, None)
    ]
    assert len(shown) == 4
    assert all(item.text.endswith("\n\n") for item in shown)
    rest = list(speech.settle(1))
    assert "".join(item.text for item in [*shown, *rest]) == paragraph * 120


def test_a_text_without_a_blank_line_is_never_cut():
    speech = Speech()
    piece = TextSeen(origin=AT, text="x" * 300_000, partial=True)
    assert [item for _ in range(5) for item in speech.text(piece, 1, None)] == []
    assert [len(item.text) for item in speech.settle(1)] == [1_500_000]


def test_a_text_without_any_blank_line_is_cut_at_a_line_end():
    speech = Speech()
    line = "word " * 4000 + "\n"
    shown = [
        item.text
        for _ in range(200)
        for item in speech.text(TextSeen(origin=AT, text=line, partial=True), 1, None)
    ]
    rest = [item.text for item in speech.settle(1)]
    assert len(shown) > 1
    assert all(text.endswith("\n") for text in shown)
    assert "".join([*shown, *rest]) == line * 200
