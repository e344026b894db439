"""Calls, cards and whole runs for the numbered cases of the replay facts.

A normaliser's text may be a ``Clip``: it is cut in the seal, after masking. Everything here shows
texts as a reader sees them, so a case can say what it expects in plain words.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Outcome,
    OutputArrived,
    PromptSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.items import Card, Clip, Evidence, Item
from cursor_replay.normalize.cards import make_call, make_card, outcome_status, source_tool
from cursor_replay.normalize.normalizer import Normalizer
from cursor_replay.normalize.tools.spec import Call, Draft

CWD = "/repo"


def shown(text: Any) -> Any:
    """A text as it is shown: the parts joined, then cut."""
    if not isinstance(text, Clip):
        return text
    whole = "".join(shown(part) for part in text.parts)
    return text.cut(whole) if text.cut else whole


def resolved(value: Any) -> Any:
    """``value`` with every text in it shown."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {shown(key): resolved(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(resolved(each) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        names = [each.name for each in fields(value) if each.init and each.name != "variant"]
        return replace(value, **{name: resolved(getattr(value, name)) for name in names})
    return value


def ok(value: Any = None) -> Outcome:
    """A result with the status success."""
    return Outcome(status="success", value=value)


def err(error: Any = None) -> Outcome:
    """A result with the status error."""
    return Outcome(status="error", error=error)


def called(name: str, args: Any = None, outcome: Outcome | None = None, **more: Any) -> Call:
    """The call a row of the tool table gets."""
    return make_call(name, args, outcome=outcome, **{"cwd": CWD, **more})[1]


def card(name: str, args: Any = None, outcome: Outcome | None = None, **more: Any) -> Draft:
    """The card of a call, every text in it shown."""
    found, call = make_call(name, args, outcome=outcome, **{"cwd": CWD, **more})
    return resolved(found.spec.card(call))


def item(name: str, args: Any = None, outcome: Outcome | None = None, **more: Any) -> Card:
    """The whole card item of a call, texts still uncut."""
    found, call = make_call(name, args, outcome=outcome, **{"cwd": CWD, **more})
    draft = found.spec.card(call)
    return make_card(
        found,
        call,
        draft,
        identity="cursor-replay-1-1-tool-1",
        status=outcome_status(call, draft),
        turn=1,
        evidence=at(),
    )


def source_of(name: str, args: Any = None) -> str:
    """The source tool a card of this call names."""
    return shown(source_tool(make_call(name, args, outcome=None, cwd=CWD)[0]))


# -- the tables -------------------------------------------------------------------------------


def case(number: int, what: str, *values: Any, marks: Any = ()) -> Any:
    """One row of a table; its id names the case of the replay facts."""
    return pytest.param(*values, id=f"case-{number} {what}", marks=marks)


def row(
    number: int,
    what: str,
    name: str,
    args: Any,
    outcome: Outcome | None,
    *,
    marks: Any = (),
    **expected: Any,
) -> Any:
    """A call and what its card must hold; see :func:`check` for the words."""
    return case(number, what, name, args, outcome, expected, marks=marks)


def check(name: str, args: Any, outcome: Outcome | None, expected: dict[str, Any]) -> None:
    """Compare a card with a row.

    A field of the draft by its name is compared whole; ``details`` and ``some_arguments`` only
    where the row says something; ``variant`` is that of the details; ``lines`` must each be a line
    of the text; ``starts`` begins it; ``without`` may stand nowhere in the card.
    """
    draft = card(name, args, outcome)
    text = draft.text.split("\n")
    assert expected
    for key, wanted in expected.items():
        match key:
            case "details":
                assert {each: getattr(draft.details, each) for each in wanted} == wanted
            case "variant":
                assert draft.details.variant == wanted
            case "some_arguments":
                assert {each: draft.arguments.get(each) for each in wanted} == wanted
            case "lines":
                assert [line for line in wanted if line not in text] == []
            case "starts":
                assert draft.text.startswith(wanted)
            case "source":
                assert source_of(name, args) == wanted
            case "without":
                assert [word for word in wanted if word in repr(draft)] == []
            case _:
                assert getattr(draft, key) == wanted, key


def numbers_in(module: dict[str, Any]) -> set[int]:
    """The case numbers a test module names in its tables and in its function names."""
    named: set[int] = set()
    for name, each in module.items():
        if not name.startswith("test_"):
            continue
        words = re.match(r"test_cases?((?:_\d+)+)_", name)
        named |= {int(number) for number in words[1].split("_") if number} if words else set()
        for mark in getattr(each, "pytestmark", ()):
            if mark.name != "parametrize":
                continue
            ids = [getattr(param, "id", None) or "" for param in mark.args[1]]
            named |= {int(found[1]) for text in ids if (found := re.match(r"case-(\d+) ", text))}
    return named


# -- whole runs -------------------------------------------------------------------------------


def at(line: int = 1) -> Evidence:
    """Where a hand-made event stands."""
    return Evidence(file="run.jsonl", line=line)


def asked(text: str = "Do it.", **more: Any) -> PromptSeen:
    """A prompt."""
    return PromptSeen(**{"origin": at(), "text": text, **more})


def said(text: str, *, partial: bool = False, **more: Any) -> TextSeen:
    """Assistant text."""
    return TextSeen(**{"origin": at(), "text": text, "partial": partial, **more})


def thought(text: str = "", *, partial: bool = False, **more: Any) -> ThoughtSeen:
    """Thinking."""
    return ThoughtSeen(**{"origin": at(), "text": text, "partial": partial, **more})


def started(call_id: str | None, name: str, args: Any = None, **more: Any) -> CallStarted:
    """A call begins."""
    given = {"origin": at(), "channel": "update", "call_id": call_id, "name": name, "args": args}
    return CallStarted(**{**given, **more})


def completed(
    call_id: str | None, name: str, args: Any = None, outcome: Outcome | None = None, **more: Any
) -> CallCompleted:
    """A call ends."""
    given = {"origin": at(), "channel": "update", "call_id": call_id, "name": name, "args": args}
    return CallCompleted(**{**given, "outcome": outcome, **more})


def chunk(data: str, stream: str = "stdout") -> OutputArrived:
    """A piece of shell output."""
    return OutputArrived(origin=at(), stream=stream, data=data)


def turn_ended(status: str = "success", **more: Any) -> TurnEnded:
    """The end of an agent loop."""
    return TurnEnded(**{"origin": at(), "status": status, **more})


def replay(*events: AnyEvent, **options: Any) -> list[Item]:
    """All items of a run, every text in them shown."""
    return list(_items(events, options))


def _items(events: Iterable[AnyEvent], options: dict[str, Any]) -> Iterator[Item]:
    normalizer = Normalizer(**{"file": "run.jsonl", "cwd": CWD, **options})
    for event in events:
        yield from map(resolved, normalizer.feed(event))
    yield from map(resolved, normalizer.close())


def cards_of(*events: AnyEvent, **options: Any) -> list[Card]:
    """The cards of a run."""
    return [item for item in replay(*events, **options) if isinstance(item, Card)]


def text_of(item: Card) -> str:
    """The content of a card."""
    return "".join(part.text for part in item.content)


def kinds(items: Iterable[Item]) -> list[str]:
    """What came, without the session heads."""
    return [item.type for item in items if item.type != "session"]
