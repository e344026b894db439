"""Every fixture case: the items it must give, and that every output takes them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fixture_cases import CASES, FIXTURES, NAMES, as_dict, options, reduced, sealed
from pydantic import TypeAdapter

from cursor_replay.items import Card, Item, Sealed
from cursor_replay.render.registry import Closing, make

CASE = pytest.mark.parametrize("case", CASES, ids=NAMES)

OUTPUTS: list[tuple[str, dict[str, Any]]] = [
    ("terminal", {"width": 120, "theme": "dark"}),
    ("terminal", {"width": 24, "theme": "dark", "expand": True}),
    ("terminal", {"width": 80, "theme": "light", "depth": "16"}),
    ("terminal", {"width": 80, "theme": "light", "depth": "none", "expand": True}),
    ("text", {}),
    ("text", {"expand": True}),
    ("markdown", {}),
    ("markdown", {"expand": True}),
    ("json", {}),
    ("pi", {}),
]

CASE_FOLDERS = [
    path
    for path in sorted(FIXTURES.glob("*/*/"))
    if path.parent.name != "builders" and path.name != "__pycache__"
]
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
DOCUMENT = TypeAdapter[Any](Item)


def rendered(items: list[Sealed], name: str, **how: Any) -> str:
    renderer = make(name, **how)
    text = "".join(renderer.render(item) for item in items)
    return text + renderer.close() if isinstance(renderer, Closing) else text


@CASE
def test_a_case_gives_exactly_the_expected_items(case: Path) -> None:
    wanted = json.loads((case / "expected.json").read_text("utf-8"))
    given = [as_dict(each.item) for each in sealed(case)]
    assert [each["type"] for each in given] == [each["type"] for each in wanted]
    ids = [each.get("id") for each in given]
    shown = [reduced(item, keys, ids) for item, keys in zip(given, wanted, strict=True)]
    assert shown == wanted


@CASE
def test_every_output_takes_a_case_and_lets_no_control_through(case: Path) -> None:
    items = sealed(case)
    for name, how in OUTPUTS:
        text = rendered(items, name, **how)
        assert text.endswith("\n"), name
        plain = COLOUR.sub("", text) if name == "terminal" else text
        assert CONTROLS.search(plain) is None, (name, how)


@CASE
def test_every_json_line_is_the_documented_object(case: Path) -> None:
    items = sealed(case)
    lines = rendered(items, "json").splitlines()
    assert len(lines) == len(items)
    for line, each in zip(lines, items, strict=True):
        parsed = DOCUMENT.validate_json(line, by_alias=True, by_name=True)
        assert type(parsed) is type(each.item)
        assert as_dict(parsed) == as_dict(each.item)


@CASE
def test_the_same_input_gives_the_same_bytes(case: Path) -> None:
    first, second = sealed(case), sealed(case)
    for name in ("json", "text", "markdown", "terminal", "pi"):
        assert rendered(first, name) == rendered(second, name)


def test_card_ids_of_a_case_are_unique() -> None:
    for case in CASES:
        ids = [item["id"] for item in map(as_dict, _items(case)) if item["type"] == "card"]
        assert len(ids) == len(set(ids)), case


def test_no_call_id_of_a_source_reaches_an_item() -> None:
    for case in CASES:
        text = rendered(sealed(case), "json")
        assert "toolu_" not in text, case
        assert "call_A" not in text, case


INPUTS = {"input.jsonl", "input.txt", "input.json", "input", "store.json"}


def test_every_folder_is_a_whole_case() -> None:
    for path in CASE_FOLDERS:
        names = {each.name for each in path.iterdir()}
        assert len(names & INPUTS) == 1, path
        assert "expected.json" in names, path
        assert names <= {*INPUTS, "expected.json", "options.json"}, path


def test_options_name_only_what_a_case_can_be_read_with() -> None:
    for case in CASES:
        assert options(case).keys() <= {"cwd", "input_format", "session", "all_branches"}, case


TOOL_TYPES = (
    "shell", "write", "delete", "glob", "grep", "read", "edit", "ls", "readLints", "mcp",
    "semSearch", "createPlan", "updateTodos", "task", "generateImage", "recordScreen",
    "computerUse",
)  # fmt: skip
"""What the SDK reports at all, 1.1.0 with its 17th (SDK formats facts 2.1 and 3)."""


@pytest.mark.parametrize("tool", TOOL_TYPES)
def test_every_tool_type_of_the_sdk_succeeds_and_fails_in_a_case(tool: str) -> None:
    cards = [card for case in CASES if case.parent.name.startswith("sdk-") for card in _cards(case)]
    assert {"succeeded", "failed"} <= {card.status for card in cards if card.source_tool == tool}


def _cards(case: Path) -> list[Card]:
    return [item for item in _items(case) if isinstance(item, Card)]


def _items(case: Path) -> list[Item]:
    return [each.item for each in sealed(case)]
