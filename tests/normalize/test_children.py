"""Sub-agents with a recording of their own."""

from collections.abc import Iterable, Iterator
from typing import Any

from cursor_replay.items import (
    Answer,
    Card,
    Evidence,
    Item,
    Notice,
    Prompt,
    Session,
    TextContent,
    Thought,
    TurnEnd,
)
from cursor_replay.normalize.children import Child, Children, folded

AT = Evidence(file="run.jsonl", line=1)


def card(number: int = 1, **more: Any) -> Card:
    fields: dict[str, Any] = {
        "id": f"card-{number}", "tool": "bash", "source_tool": "shell", "title": "t",
        "status": "unrecorded", "turn": 3, "evidence": AT,
    }  # fmt: skip
    return Card(**fields | more)


def task(number: int, prompt: str, *, agent: str | None = None, **more: Any) -> Card:
    given = {"prompt": prompt, "agentId": agent}
    return card(number, tool="cursor", source_tool="task", arguments=given, **more)


def child(name: str, prompt: str, *items: Item) -> Child:
    told: list[Item] = [
        Session(format="transcript", file=name),
        Prompt(text=prompt, turn=1, evidence=AT),
        *items,
    ]
    return Child(name, f"{name}.jsonl", lambda: iter(told))


def shown(items: Iterable[Item], *children: Child) -> list[Item]:
    return list(Children(children).put_to_tasks(items))


def answer(text: str) -> Answer:
    return Answer(text=text, turn=1, evidence=AT)


def brief(items: Iterable[Item]) -> Iterator[tuple[str, str | None]]:
    for item in items:
        name = (
            getattr(item, "text", None) or getattr(item, "message", None) or getattr(item, "id", "")
        )
        yield name, getattr(item, "parent", None)


def test_a_child_stands_under_the_task_whose_prompt_it_got() -> None:
    items = shown([task(1, "Map it"), answer("done")], child("c1", "Map  it", answer("two rooms")))
    assert list(brief(items)) == [("card-1", None), ("two rooms", "card-1"), ("done", None)]
    assert {each.turn for each in items[:2]} == {3}  # type: ignore[union-attr]


def test_an_agent_id_on_the_card_goes_before_the_prompt() -> None:
    items = shown(
        [task(1, "Map it", agent="c2")],
        child("c1", "Map it", answer("no")),
        child("c2", "Else", answer("yes")),
    )
    assert list(brief(items))[:2] == [("card-1", None), ("yes", "card-1")]


def test_equal_prompts_are_given_out_in_order_each_once() -> None:
    items = shown(
        [task(1, "p"), task(2, "p"), task(3, "p")],
        child("c1", "p", answer("first")),
        child("c2", "p", answer("second")),
    )
    assert list(brief(items)) == [
        ("card-1", None), ("first", "card-1"), ("card-2", None), ("second", "card-2"),
        ("card-3", None),
    ]  # fmt: skip


def test_a_child_of_a_child_is_found_in_the_same_folder() -> None:
    items = shown(
        [task(1, "outer")],
        child("c2", "inner", answer("deep")),
        child("c1", "outer", task(1, "inner")),
    )
    assert list(brief(items)) == [
        ("card-1", None), ("card-1-sub1", "card-1"), ("deep", "card-1-sub1"),
    ]  # fmt: skip


def test_a_child_that_no_task_names_stays_visible_at_the_end() -> None:
    items = shown([answer("done")], child("c1", "Who asked?", card(7), answer("me")))
    assert list(brief(items)) == [
        ("done", None),
        ("a sub-agent that no task here names: c1", None),
        ("sub-agent prompt: Who asked?", "c1"),
        ("card-7-sub1", "c1"),
        ("me", "c1"),
    ]


def test_a_childs_bad_end_is_told_and_its_good_one_is_not() -> None:
    bad = TurnEnd(status="error", reason="blocked", turn=1, evidence=AT)
    good = TurnEnd(status="success", turn=1, evidence=AT)
    items = shown([task(1, "a"), task(2, "b")], child("c1", "a", good), child("c2", "b", bad))
    assert [name for name, _ in brief(items)] == [
        "card-1", "card-2", "the sub-agent's run ended with error: blocked",
    ]  # fmt: skip


def test_later_prompts_thoughts_and_notes_of_a_child_are_its_own() -> None:
    more: list[Item] = [
        Thought(text="hm", turn=1, evidence=AT),
        Prompt(text="go on", turn=2, evidence=AT),
        Notice(code="x", message="odd line", evidence=AT),
    ]
    items = shown([task(1, "p")], child("c1", "p", *more))
    assert list(brief(items))[1:] == [
        ("hm", "card-1"), ("sub-agent prompt: go on", "card-1"), ("odd line", "card-1"),
    ]  # fmt: skip


def test_ids_of_two_children_never_meet() -> None:
    items = shown(
        [task(1, "a"), task(2, "b")], child("c1", "a", card(5)), child("c2", "b", card(5))
    )
    ids = [each.id for each in items if isinstance(each, Card)]
    assert len(ids) == len(set(ids)) == 4


def test_a_child_without_any_prompt_is_not_lost() -> None:
    empty = Child("c1", "c1.jsonl", lambda: iter([answer("alone")]))
    assert ("alone", "c1") in list(brief(shown([task(1, "p")], empty)))


def test_folded_what_a_sub_agent_did_is_one_line_that_counts_it() -> None:
    nested: list[Item] = [
        card(2, parent="card-1"),
        card(3, parent="card-1", status="failed"),
        Answer(text="x", turn=3, parent="card-1", evidence=AT),
    ]
    items = list(folded([task(1, "p"), *nested, answer("done")]))
    assert list(brief(items)) == [
        ("card-1", None),
        ("sub-agent: 2 calls, 1 answer, 1 without success (--subagents shows them)", None),
        ("done", None),
    ]
    assert items[1].turn == 3  # type: ignore[union-attr]


def test_folding_ends_with_the_input() -> None:
    assert list(brief(folded([card(2, parent="card-1")]))) == [
        ("sub-agent: 1 call, 0 answers (--subagents shows them)", None)
    ]


def test_without_sub_agents_folding_changes_nothing() -> None:
    items: list[Item] = [answer("a"), card(1)]
    assert list(folded(items)) == items


def test_a_transcript_that_a_result_names_is_the_child() -> None:
    told = TextContent(text="Took 1.0s\nTranscript: ~/.cursor/x/subagents/c2.jsonl")
    items = shown(
        [task(1, "Map it", content=(told,))],
        child("c1", "Map it", answer("no")),
        child("c2", "Else", answer("yes")),
    )
    assert list(brief(items))[:2] == [("card-1", None), ("yes", "card-1")]


def test_a_long_chain_of_sub_agents_is_shown_to_its_end() -> None:
    chain = [child(f"c{n}", f"p{n}", task(1, f"p{n + 1}")) for n in range(400)]
    items = shown([task(1, "p0")], *chain)
    cards = [each for each in items if isinstance(each, Card)]
    ids = {each.id for each in cards}
    assert len(ids) == len(cards) == 401
    claimed = [each.parent for each in cards if each.parent]
    assert all(parent in ids or parent.startswith("c") for parent in claimed)
