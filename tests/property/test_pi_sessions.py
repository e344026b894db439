"""Whatever is recorded: the pi session made of it is one that pi loads, in the order it was told."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import (
    Place,
    as_bytes,
    changed,
    is_structure,
    outcome,
    records,
    rendered,
    steady,
    strings_in,
)

from cursor_replay.ingest.lines import split_lines
from cursor_replay.items import Card, Sealed
from cursor_replay.pi_session.check import check

ODD: list[Any] = [None, True, 7, -1.5, "", "<img src=x>", [], ["x"], {}, {"toString": 1}, "\ud800"]


def errors(items: list[Sealed]) -> list[str]:
    text = rendered(items, "pi").encode()
    found = check(split_lines([text]), exists=lambda _: True)
    return [f"{each.line} {each.code}" for each in found if each.severity == "error"]


def calls(items: list[Sealed]) -> list[str]:
    lines = [json.loads(line) for line in rendered(items, "pi").splitlines()]
    blocks = [
        block
        for line in lines
        if line["type"] == "message" and line["message"]["role"] == "assistant"
        for block in line["message"]["content"]
    ]
    return [block["id"] for block in blocks if block["type"] == "toolCall"]


def read(lines: list[Any]) -> list[Sealed]:
    found = outcome(as_bytes(lines))
    return [] if isinstance(found, str) else found


@steady(150)
@given(st.data())
def test_records_in_any_order_and_number(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(records())))
    items = read(data.draw(st.lists(st.sampled_from(records()[name]), max_size=12)))
    assert errors(items) == []
    assert len(calls(items)) == len(set(calls(items)))


@steady(150)
@given(st.data(), st.sampled_from(ODD))
def test_a_value_of_another_kind_in_any_place(data: st.DataObject, odd: Any) -> None:
    lines = records()[data.draw(st.sampled_from(sorted(records())))]
    places = [place for place, _ in strings_in(lines) if not is_structure(place)]
    target = data.draw(st.sampled_from(places or [()]))

    def put(place: Place, text: str) -> Any:
        return odd if place == target else text

    assert errors(read(changed(lines, put))) == []


@pytest.mark.parametrize("name", records())
def test_an_odd_value_for_every_argument(name: str) -> None:
    for odd in ODD[1:-1]:
        assert errors(read([_with_arguments(line, odd) for line in records()[name]])) == []


def _with_arguments(value: Any, odd: Any, *, inside: bool = False) -> Any:
    """A record in which every value of an object named like arguments is odd."""
    if isinstance(value, dict):
        return {
            key: odd
            if inside and not isinstance(each, dict)
            else _with_arguments(each, odd, inside=inside or key in {"args", "input", "arguments"})
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_with_arguments(each, odd, inside=inside) for each in value]
    return value


@steady(100)
@given(st.data())
def test_every_call_is_written_once(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(records())))
    items = read(data.draw(st.permutations(records()[name])))
    cards = {each.item.id for each in items if isinstance(each.item, Card)}
    assert len(calls(items)) == len(cards)
