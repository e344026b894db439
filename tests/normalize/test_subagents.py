"""Sub-agents: what they do is theirs, ends nothing around them, and is lost in no tangle."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.items import Answer, Card, Usage
from cursor_replay.normalize import speech

from .helpers_cases import asked, completed, kinds, ok, replay, said, started, turn_ended

TASK = {"description": "map"}
DONE = ok({"result": "done"})


def test_the_end_and_the_prompt_of_a_sub_agent_are_not_those_of_the_run():
    used = Usage(input_tokens=1, output_tokens=2)
    items = replay(
        asked(),
        started("t", "task", TASK),
        asked("Look into it.", parent="t"),
        said("sub says", partial=True, parent="t"),
        turn_ended(parent="t", usage=used),
        said("after its end", partial=True, parent="t"),
        completed("t", "task", None, DONE),
        said("main says", partial=True),
        turn_ended(),
    )
    assert kinds(items) == [
        "prompt", "card", "notice", "answer", "notice", "answer", "answer", "turn_end"
    ]  # fmt: skip
    card, asked_for, first, spent, second, main, end = items[2:]
    assert card.status == "succeeded"
    assert asked_for.message == "the sub-agent was asked: Look into it."
    assert spent.message == "the sub-agent used 1 input and 2 output tokens"
    assert [first.text, second.text, main.text] == ["sub says", "after its end", "main says"]
    assert [first.parent, second.parent, main.parent] == [card.id, card.id, None]
    assert {item.turn for item in items[1:]} == {1}
    assert end.usage is None


def test_what_a_sub_agent_says_after_its_task_completed_is_not_the_agents():
    items = replay(
        asked(),
        started("t", "task", TASK),
        completed("t", "task", None, ok({"isBackground": True})),
        said("main says A. ", partial=True),
        said("sub ", partial=True, parent="t"),
        said("main says B.", partial=True),
        said("text", partial=True, parent="t"),
        started("c", "read", {"path": "a"}, parent="t"),
        completed("c", "read", None, DONE, parent="t"),
        turn_ended(),
    )
    task, sub, read, main = [item for item in items if isinstance(item, (Card, Answer))]
    assert (main.text, main.parent) == ("main says A. main says B.", None)
    assert (sub.text, sub.parent, read.parent) == ("sub text", task.id, task.id)


def test_a_sub_agent_is_known_by_its_task_in_a_later_turn():
    items = replay(
        asked(),
        started("t", "task", TASK),
        completed("t", "task", None, DONE),
        asked("Go on."),
        said("still here", parent="t"),
    )
    (card,) = [item for item in items if isinstance(item, Card)]
    (answer,) = [item for item in items if isinstance(item, Answer)]
    assert (answer.parent, answer.turn) == (card.id, 2)


def test_a_sub_agent_of_a_task_never_seen_is_not_the_agent():
    items = replay(
        asked(),
        said("main ", partial=True),
        said("sub", partial=True, parent="gone"),
        said("main", partial=True),
    )
    answers = [(item.text, item.parent) for item in items if isinstance(item, Answer)]
    assert answers == [("main main", None), ("sub", "gone")]


def test_many_sub_agents_at_once_do_not_pile_up(monkeypatch):
    monkeypatch.setattr(speech, "MOST_VOICES", 2)
    events = [said(f"text {n}", partial=True, parent=f"gone {n}") for n in range(5)]
    items = replay(asked(), *events)
    assert [item.text for item in items if isinstance(item, Answer)] == [
        f"text {n}" for n in range(5)
    ]


def test_a_call_inside_itself_is_at_the_top():
    items = replay(
        asked(),
        started("t", "task", TASK, parent="t"),
        said("sub", partial=True, parent="t"),
        completed("t", "task", None, DONE, parent="t"),
        said("main"),
    )
    card, sub, main = items[2:]
    assert (card.status, card.parent) == ("succeeded", None)
    assert (sub.text, sub.parent, main.text, main.parent) == ("sub", card.id, "main", None)


def test_tasks_inside_each_other_show_both():
    items = replay(
        asked(),
        started("a", "task", {"description": "A"}),
        started("b", "task", {"description": "B"}, parent="a"),
        completed("a", "task", None, DONE, parent="b"),
        said("main"),
        completed("b", "task", None, DONE, parent="a"),
    )
    first, second = [item for item in items if isinstance(item, Card)]
    assert [first.status, second.status] == ["succeeded", "succeeded"]
    assert (first.parent, second.parent) == (None, first.id)


IDS = st.sampled_from(["a", "b", "c"])
PARENTS = st.one_of(st.none(), IDS, st.just("gone"))
EVENTS = st.one_of(
    st.builds(lambda i, p: started(i, "task", {"description": i}, parent=p), IDS, PARENTS),
    st.builds(lambda i, p: completed(i, "task", {}, DONE, parent=p), IDS, PARENTS),
    st.builds(lambda p: said("?", partial=True, parent=p), PARENTS),
    st.builds(lambda p: asked("?", parent=p), PARENTS.filter(bool)),
    st.builds(lambda p: turn_ended(parent=p), PARENTS),
)


@given(st.lists(EVENTS, max_size=12))
def test_in_any_tangle_every_call_and_every_word_is_shown(events):
    words = (f"<{number}>" for number in itertools.count())
    events = [
        said(next(words), partial=True, parent=event.parent) if event.__class__ is _TEXT else event
        for event in events
    ]
    items = replay(asked(), *events)
    spoken = "".join(item.text for item in items if isinstance(item, Answer))
    assert sorted(spoken.split("<")) == sorted(
        "".join(event.text for event in events if event.__class__ is _TEXT).split("<")
    )
    calls = {event.call_id for event in events if hasattr(event, "call_id")}
    assert len({item.id for item in items if isinstance(item, Card)}) >= len(calls)


_TEXT = said("").__class__
