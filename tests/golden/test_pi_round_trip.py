"""A session written for pi and read back by our own reader gives the same cards.

Not the same are only where a card stands and, for a session without a pi id, the number in its id.
"""

import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fixture_cases import CASES, NAMES, as_dict, sealed
from test_fixtures import rendered

from cursor_replay.ingest.source import open_source
from cursor_replay.items import Answer, Card, Prompt, Sealed, Thought, TurnEnd
from cursor_replay.pipeline import replay

CASE = pytest.mark.parametrize("case", CASES, ids=NAMES)
SESSION_IN_ID = re.compile(r"^(cursor-replay)-\d+-(?=\d+-tool-\d+$)")
PLACE = ("evidence", "revision", "turn")


def read_back(text: str, folder: Path) -> list[Sealed]:
    path = folder / "session.jsonl"
    path.write_bytes(text.encode())
    with closing(open_source(str(path), input_format="pi-session")) as source:
        return list(replay(source))


def shown(card: Card) -> dict[str, Any]:
    given = {key: value for key, value in as_dict(card).items() if key not in PLACE}
    given["id"] = in_any_session(card.id)
    given["parent"] = card.parent and in_any_session(card.parent)
    return given


def in_any_session(identity: str) -> str:
    """An id of ours without its session; one too long for pi by its beginning."""
    return SESSION_IN_ID.sub(r"\1-", identity)[:39]


def cards(items: list[Sealed]) -> list[dict[str, Any]]:
    found = [shown(each.item) for each in items if isinstance(each.item, Card)]
    return sorted(found, key=lambda card: card["id"])


@CASE
def test_the_cards_are_the_same(case: Path, tmp_path: Path) -> None:
    items = sealed(case)
    assert cards(read_back(rendered(items, "pi"), tmp_path)) == cards(items)


@CASE
def test_prompts_answers_thoughts_and_ends_are_the_same(case: Path, tmp_path: Path) -> None:
    def told(items: list[Sealed], kind: type[Any]) -> list[tuple[Any, ...]]:
        found = [item for each in items if isinstance(item := each.item, kind)]
        return [
            (item.text, item.context, item.author, item.images, item.time)
            if isinstance(item, Prompt)
            else (item.status, item.reason, item.usage, item.duration_ms, item.time)
            if isinstance(item, TurnEnd)
            else (item.text.strip(), getattr(item, "removed", None))
            for item in found
            if getattr(item, "parent", None) is None
        ]

    items = sealed(case)
    again = read_back(rendered(items, "pi"), tmp_path)
    for kind in (Prompt, TurnEnd):
        assert told(again, kind) == told(items, kind)
    for kind in (Answer, Thought):
        assert "".join(map(str, told(again, kind))) == "".join(map(str, told(items, kind)))


@CASE
def test_a_session_written_twice_is_the_same_session(case: Path, tmp_path: Path) -> None:
    once = rendered(sealed(case), "pi")
    again = read_back(rendered(read_back(once, tmp_path), "pi"), tmp_path)
    assert cards(again) == cards(read_back(once, tmp_path))


@CASE
def test_every_call_is_written_once_and_no_result_is_an_orphan(case: Path) -> None:
    lines = [json.loads(line) for line in rendered(sealed(case), "pi").splitlines()]
    messages = [line["message"] for line in lines if line["type"] == "message"]
    said = [message for message in messages if message["role"] == "assistant"]
    calls = [block["id"] for each in said for block in each["content"] if "arguments" in block]
    results = [each["toolCallId"] for each in messages if each["role"] == "toolResult"]
    assert len(calls) == len(set(calls))
    assert len(results) == len(set(results))
    assert set(results) <= set(calls)
    wanted = [each.item for each in sealed(case) if isinstance(each.item, Card)]
    assert len(calls) == len(wanted)
    assert len(results) == sum(card.status in ("succeeded", "failed") for card in wanted)


@CASE
def test_every_line_passes_the_parent_chain_of_pi(case: Path) -> None:
    header, *entries = [json.loads(line) for line in rendered(sealed(case), "pi").splitlines()]
    assert (header["type"], header["version"]) == ("session", 3)
    assert [each["parentId"] for each in entries] == [None, *(e["id"] for e in entries[:-1])]
    kinds = [each["type"] for each in entries]
    assert kinds.count("thinking_level_change") == 1
    assert kinds.index("thinking_level_change") < kinds.index("custom")
