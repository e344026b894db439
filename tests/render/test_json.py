"""The JSON output and its schema."""

import json
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.items import (
    Activity,
    Answer,
    Card,
    Evidence,
    Item,
    NativeEdit,
    Notice,
    Prompt,
    Sealed,
    Session,
    TextContent,
    Thought,
    Time,
    Timing,
    TurnEnd,
    Usage,
)
from cursor_replay.render.json import TOO_DEEP, JsonRenderer, schema

HERE = Evidence(file="run.jsonl", line=7, block=1)
CARD = Card(
    id="cursor-replay-1",
    tool="edit",
    source_tool="edit",
    title="edit",
    arguments={"path": "a.py", "edits": [{"oldText": "a", "newText": None}]},
    content=(TextContent(text="done é"),),
    details=NativeEdit(path="a.py", lines_added=1, first_changed_line=3),
    status="succeeded",
    turn=2,
    timing=Timing(started=Time(at="2026-01-01T00:00:00.000Z"), duration_ms=1.5),
    evidence=HERE,
)
ONE_OF_EACH: tuple[Item, ...] = (
    Session(format="sdk-stream", file="run.jsonl", scrubbed=False),
    Prompt(text="hi", turn=1, evidence=HERE),
    Answer(text="ho", turn=1, evidence=HERE),
    Thought(text="", removed=True, turn=1, evidence=HERE),
    CARD,
    Notice(code="crlf", message="CRLF line ends", count=3),
    TurnEnd(status="finished", usage=Usage(input_tokens=5), turn=1, evidence=HERE),
)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc\u2028"), inner),
)


def rendered(item):
    return JsonRenderer().render(Sealed(item))


def test_a_card_is_one_documented_line():
    assert json.loads(rendered(CARD)) == {
        "type": "card",
        "id": "cursor-replay-1",
        "tool": "edit",
        "source_tool": "edit",
        "title": "edit",
        "arguments": {"path": "a.py", "edits": [{"oldText": "a", "newText": None}]},
        "content": [{"type": "text", "text": "done é"}],
        "details": {
            "variant": "nativeEdit",
            "path": "a.py",
            "linesAdded": 1,
            "firstChangedLine": 3,
        },
        "status": "succeeded",
        "provenance": "replay",
        "turn": 2,
        "timing": {
            "started": {"at": "2026-01-01T00:00:00.000Z", "basis": "recorded"},
            "duration_ms": 1.5,
        },
        "evidence": {"file": "run.jsonl", "line": 7, "block": 1},
        "revision": 0,
    }


def test_text_that_is_not_ascii_is_kept_as_it_is():
    assert "done é" in rendered(CARD)


def test_the_head_says_when_nothing_was_scrubbed():
    assert json.loads(rendered(ONE_OF_EACH[0])) == {
        "type": "session",
        "format": "sdk-stream",
        "file": "run.jsonl",
        "scrubbed": False,
        "revision": 0,
    }


@given(JSON_VALUES)
def test_every_item_is_one_line_and_arguments_come_back_whole(value):
    line = rendered(replace(CARD, arguments={"given": value}))
    assert line.endswith("\n")
    assert len(line.splitlines()) == 1
    assert json.loads(line)["arguments"] == {"given": value}


def test_arguments_nested_too_deeply_are_cut_not_refused():
    nested = "end"
    for _ in range(400):
        nested = [{"a": nested}]
    line = rendered(replace(CARD, arguments={"given": nested}))
    assert TOO_DEEP in line
    assert json.loads(line)["title"] == "edit"


def test_what_cannot_be_written_at_all_is_an_error_of_ours():
    with pytest.raises(ValueError, match="utf-8"):
        rendered(Notice(code="x", message="\ud800"))


def test_the_schema_knows_every_type_of_line_by_its_name():
    made = schema()
    names = {kind.__name__ for kind in get_args(Item)}
    assert made["discriminator"]["propertyName"] == "type"
    assert {ref["$ref"].rpartition("/")[2] for ref in made["oneOf"]} == names
    assert made["$defs"]["Card"]["description"].startswith("One tool activity as pi shows it.")
    assert "title" not in made["$defs"]["Session"]


@pytest.mark.parametrize("item", ONE_OF_EACH, ids=lambda item: item.type)
def test_the_schema_describes_the_line(item):
    assert_fits(json.loads(rendered(item)), {"oneOf": schema()["oneOf"]}, schema()["$defs"])


def test_the_schema_describes_other_details_too():
    details = Activity(title="Cursor search", collapse_details_by_default=True)
    line = json.loads(rendered(replace(CARD, details=details)))
    assert_fits(line, {"oneOf": schema()["oneOf"]}, schema()["$defs"])


@pytest.mark.parametrize(
    "change",
    [{"status": "fine"}, {"turn": "1"}, {"more": 1}, {"evidence": {"file": 5}}],
)
def test_a_line_that_the_schema_does_not_describe_is_found_out(change):
    line = {**json.loads(rendered(CARD)), **change}
    with pytest.raises(AssertionError):
        assert_fits(line, {"oneOf": schema()["oneOf"]}, schema()["$defs"])


TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list}


def assert_fits(value, shape, defs):
    """Check ``value`` against the few keywords that our schema uses."""
    if "$ref" in shape:
        shape = defs[shape["$ref"].rpartition("/")[2]]
    if "oneOf" in shape:
        shape = the_one(value, shape["oneOf"], defs)
    if shape.get("type") == "object" and "properties" in shape:
        assert set(shape["required"]) <= set(value) <= set(shape["properties"])
        for key, inner in value.items():
            assert_fits(inner, shape["properties"][key], defs)
        return
    if "const" in shape:
        assert value == shape["const"]
    if "enum" in shape:
        assert value in shape["enum"]
    assert isinstance(value, TYPES.get(shape["type"], dict))
    for inner in value if isinstance(value, list) else ():
        assert_fits(inner, shape["items"], defs)


def the_one(value, options, defs):
    shapes = [defs[option["$ref"].rpartition("/")[2]] for option in options]
    key = "type" if "type" in shapes[0]["properties"] else "variant"
    (found,) = [shape for shape in shapes if shape["properties"][key]["const"] == value[key]]
    return found
