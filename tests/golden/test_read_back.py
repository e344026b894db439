"""A card written into a pi session and read back draws like the one that was built."""

import json
from pathlib import Path
from typing import Any

import pytest
from fixture_cases import CASES, NAMES, as_dict, sealed

from cursor_replay.ingest.formats.pi.session import decode
from cursor_replay.ingest.lines import split_lines
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.items import Card
from cursor_replay.normalize.normalizer import Normalizer
from cursor_replay.render.views import view

RECORDED = ("succeeded", "failed", "incomplete")
SOURCES = ("sdk-", "stream-json", "agent-messages")
FROM = pytest.mark.parametrize(
    "case", [case for case, name in zip(CASES, NAMES, strict=True) if name.startswith(SOURCES)]
)


def session(card: Card, *, details: bool) -> bytes:
    given = as_dict(card)
    took = card.timing and card.timing.duration_ms
    call = {"type": "toolCall", "id": card.id, "name": card.tool, "arguments": given["arguments"]}
    content = [{"type": "text", "text": part["text"]} for part in given["content"]]
    result: dict[str, Any] = {
        "role": "toolResult",
        "toolCallId": card.id,
        "toolName": card.tool,
        "content": content,
        "details": given["details"] if details else {},
        "isError": card.status != "succeeded",
        "durationMs": took,
    }
    rows = [
        {"type": "session", "version": 3, "id": "s"},
        {
            "type": "message",
            "id": "a",
            "parentId": None,
            "message": {"role": "assistant", "content": [call], "stopReason": "toolUse"},
        },
        {"type": "message", "id": "b", "parentId": "a", "message": result},
    ]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def read_back(data: bytes) -> Card:
    normalizer = Normalizer(file="run.jsonl")
    events = decode(lambda: split_lines([data]), "run.jsonl", ReadOptions())
    items = [item for event in events for item in normalizer.feed(event)]
    (card,) = [item for item in [*items, *normalizer.close()] if isinstance(item, Card)]
    return card


def cards(case: Path) -> list[Card]:
    items = [each.item for each in sealed(case)]
    return [item for item in items if isinstance(item, Card) and item.status in RECORDED]


@FROM
def test_a_card_read_back_draws_like_a_fresh_one(case: Path) -> None:
    for card in cards(case):
        again = read_back(session(card, details=True))
        assert (again.id, again.tool, again.status) == (card.id, card.tool, card.status)
        assert view(again) == view(card)


@FROM
def test_an_error_card_whose_details_pi_dropped_draws_like_a_fresh_one(case: Path) -> None:
    for card in cards(case):
        if card.status != "succeeded":
            again = read_back(session(card, details=False))
            assert again.status == card.status
            assert view(again) == view(card)
