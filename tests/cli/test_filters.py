"""Which items are shown."""

import pytest

from cursor_replay.cli.filters import Filters, filters, is_kept, kept
from cursor_replay.items import (
    Answer,
    Card,
    Evidence,
    Notice,
    Prompt,
    Sealed,
    Session,
    Thought,
    TurnEnd,
)

HERE = Evidence(file="run.jsonl", line=1)


def card(status="succeeded", turn=1, tool="bash", source_tool="Shell"):
    return Card(
        id="1",
        tool=tool,
        source_tool=source_tool,
        title="t",
        status=status,
        turn=turn,
        evidence=HERE,
    )


HEAD = Session(format="transcript", file="run.jsonl")
PROMPT = Prompt(text="p", turn=1, evidence=HERE)
ANSWER = Answer(text="a", turn=2, evidence=HERE)
THOUGHT = Thought(text="t", turn=1, evidence=HERE)
GOOD, BAD = card(), card(status="failed", turn=3)
CUT, OPEN = (
    card(status="incomplete"),
    card(status="unrecorded", tool="read", source_tool="ReadFile"),
)
WARNING = Notice(code="w", message="m")
ERROR = Notice(code="e", level="error", message="m", turn=3)
ENDED, STOPPED = (TurnEnd(status=s, turn=1, evidence=HERE) for s in ("success", "aborted"))
ALL = (HEAD, PROMPT, ANSWER, THOUGHT, GOOD, BAD, CUT, OPEN, WARNING, ERROR, ENDED, STOPPED)


def wanted(tools=(), turns=(), *, errors=False, thinking=True):
    return filters(tools=tools, turns=turns, errors=errors, thinking=thinking)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (wanted(), ALL),
        (wanted(thinking=False), tuple(item for item in ALL if item is not THOUGHT)),
        (wanted(tools=["BASH"]), (HEAD, GOOD, BAD, CUT)),
        (wanted(tools=["readfile"]), (HEAD, OPEN)),
        (wanted(tools=["grep", "shell"]), (HEAD, GOOD, BAD, CUT)),
        (wanted(errors=True), (HEAD, BAD, CUT, ERROR, STOPPED)),
        (wanted(errors=True, tools=["shell"]), (HEAD, BAD, CUT)),
        (wanted(turns=[(2, 3)]), (HEAD, ANSWER, BAD, ERROR)),
        (wanted(turns=[(0, 0), (3, 9)]), (HEAD, BAD, WARNING, ERROR)),
        (wanted(turns=[(9, 9)]), (HEAD,)),
    ],
)
def test_the_items_that_pass(given, expected):
    passed = kept((Sealed(item) for item in ALL), given)
    assert tuple(sealed.item for sealed in passed) == expected


def test_filters_pass_items_lazily():
    def endless():
        while True:
            yield Sealed(GOOD)

    assert next(kept(endless(), wanted())).item is GOOD


def test_only_a_filter_that_can_leave_nothing_is_narrow():
    assert not Filters().narrow
    assert not wanted(thinking=False).narrow
    assert wanted(errors=True).narrow
    assert wanted(turns=[(1, 1)]).narrow
    assert wanted(tools=["x"]).narrow


def test_a_running_card_is_no_error():
    assert not is_kept(card(status="running"), wanted(errors=True))


@pytest.mark.parametrize(("source", "name"), [("shell", "bash"), ("glob", "find"), ("ls", "ls")])
def test_a_call_that_never_completed_is_found_by_the_name_pi_has_for_it(source, name):
    unfinished = card(status="incomplete", tool="cursor", source_tool=source)
    assert is_kept(unfinished, wanted(tools=[name]))
    assert is_kept(unfinished, wanted(tools=[source]))
    assert not is_kept(unfinished, wanted(tools=["grep"]))
