"""Sessions that our writer makes of the fixture cases, for a pi that has a folder of its own."""

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

from cursor_replay.ingest.source import open_source
from cursor_replay.items import Card, Sealed, Session
from cursor_replay.pipeline import replay
from cursor_replay.render.pi.session import PiRenderer

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "golden"))

from fixture_cases import CASES, NAMES, sealed  # noqa: E402 - a neighbour's cases

CASE_OF = dict(zip(NAMES, CASES, strict=True))
WITHOUT_A_MESSAGE = {"chat-store/no-messages", "transcript/only-an-error-line"}
"""A session without any message is a new one to pi: it adds its own thinking level."""
DEMO = HERE.parents[1] / "fixtures" / "demo" / "voucher.jsonl"
SHOWN = {
    "a-run": "demo",
    "edits": "sdk-stream/edit",
    "activity": "stream-json/agents-and-media",
    "mcp": "sdk-stream/mcp",
    "a-transcript": "transcript/writing-tools",
    "aborted": "debug-artifacts/aborted-run",
    "who-ran-it": "pi-session/who-ran-it",
}
"""What is looked at in a terminal: a name, and the recording that it is made of."""


@cache
def items_of(name: str) -> list[Sealed]:
    """The sealed items of a case, or of the demo; their file is the name, wherever they lie."""
    found = sealed(CASE_OF[name]) if name != "demo" else replay(open_source(str(DEMO)))
    return [_placed(each, name) for each in found]


def _placed(each: Sealed, name: str) -> Sealed:
    if isinstance(each.item, Session):
        return replace(each, item=replace(each.item, file=name))
    return each


def cards_in(name: str) -> list[Card]:
    """The cards of a case."""
    return [each.item for each in items_of(name) if isinstance(each.item, Card)]


def write(name: str, target: Path, *, cwd: Path) -> Path:
    """Write a case as a pi session in the folder ``cwd``."""
    renderer = PiRenderer(folder=lambda _: str(cwd))
    text = "".join(renderer.render(each) for each in items_of(name)) + renderer.close()
    target.write_bytes(text.encode())
    return target
