"""Cases 184 to 198, and the progress lines of 200, 201, 202 and 204 (replay facts 7, 8 and 11.9)."""

from dataclasses import replace

import pytest

from cursor_replay.items import Card, Notice, Time
from cursor_replay.normalize.lifecycle import DEFER_MS, LINE, UNTIMED, label_of, told
from cursor_replay.normalize.normalizer import Normalizer
from cursor_replay.normalize.tools import REFERENCE
from cursor_replay.pipeline import items as items_of
from cursor_replay.scrub import Sealer

from .helpers_cases import (
    asked,
    called,
    case,
    chunk,
    completed,
    numbers_in,
    ok,
    started,
    text_of,
    turn_ended,
)

SEARCH = ("mcp", {"toolName": "external_search", "args": {"q": "x"}})
MAKE = ("shell", {"command": "make"})
EMPTY = ok({"stdout": "", "stderr": "", "exitCode": 0})


def after(milliseconds, event):
    """The event with a recorded time, so long after the run began."""
    seconds, rest = divmod(milliseconds, 1000)
    return replace(event, time=Time(at=f"2026-07-20T09:15:{seconds:02}.{rest:03}Z"))


def run(*events):
    """The sealed items of a run with its progress lines."""
    sealer = Sealer()
    stream = items_of(told(events), Normalizer(file="run.jsonl", cwd="/repo"))
    return [sealer.seal(item).item for item in stream]


def lines_of(*events):
    return [item.message for item in run(*events) if isinstance(item, Notice) and item.code == LINE]


def delayed(name, args, call_id="c1"):
    """A call that is open for a second."""
    return (
        after(0, started(call_id, name, args)),
        after(1000, completed(call_id, name, args, EMPTY)),
    )


ELIGIBLE = {
    "shell", "updateTodos", "createPlan", "task", "generateImage", "mcp", "semSearch",
    "recordScreen", "webSearch", "webFetch",
}  # fmt: skip


@pytest.mark.parametrize("spec", REFERENCE, ids=lambda spec: spec.canonical)
def test_case_184_which_tools_get_a_line(spec):
    args = {"command": "make", "toolName": "t", "path": "a", "pattern": "a"}
    lines = lines_of(*delayed(spec.canonical, args))
    assert len(lines) == (spec.canonical in ELIGIBLE)


def test_case_185_an_mcp_line_tells_the_tool_and_nothing_else():
    args = {"toolName": "lookup", "description": "with secret words", "args": {"q": "secret"}}
    assert lines_of(*delayed("mcp", args)) == ["Cursor MCP: lookup"]


def test_case_186_the_line_of_an_mcp_call():
    assert lines_of(*delayed(*SEARCH)) == ["Cursor MCP: external_search"]


@pytest.mark.parametrize(
    "unsafe",
    [
        "see https://internal.example/x",
        "open www.internal.example",
        "read ~/notes",
        "/etc/passwd",
        "in (/srv/app)",
        "path=/srv/app",
        "C:\\Users\\kit",
        'say "d:/work"',
    ],
)
@pytest.mark.parametrize(
    ("tool", "key", "fallback"),
    [
        ("task", "description", "Cursor subagent: task"),
        ("generateImage", "prompt", "Cursor image generation: image generation"),
        ("semSearch", "query", "Cursor semantic search: semantic search"),
        ("webSearch", "query", "Cursor web search: web search"),
        ("recordScreen", "mode", "Cursor screen recording: screen recording"),
        ("createPlan", "plan", "Cursor plan: plan"),
    ],
)
def test_case_187_a_label_names_no_place(tool, key, fallback, unsafe):
    assert lines_of(*delayed(tool, {key: unsafe})) == [fallback]


@pytest.mark.parametrize("safe", ["and/or", "1/2 done", "a:b", "e.g. this", "C: the language"])
def test_words_that_only_look_like_a_place_stay(safe):
    assert lines_of(*delayed("task", {"description": safe})) == [f"Cursor subagent: {safe}"]


def test_case_188_a_command_keeps_its_paths_and_a_fetch_never_tells_its_address():
    assert lines_of(*delayed("shell", {"command": "cat /etc/hosts"})) == [
        "Cursor shell: cat /etc/hosts"
    ]
    assert lines_of(*delayed("webFetch", {"url": "https://example.org"})) == [
        "Cursor web fetch: web fetch"
    ]


@pytest.mark.parametrize(
    ("tool", "args", "label"),
    [
        case(189, "cmd stands in for command", "shell", {"cmd": "ls"}, "ls"),
        case(189, "a blank command", "shell", {"command": " \n"}, ""),
        case(190, "blank lines of a plan", "createPlan", {"plan": "\n \n# Do it\nx"}, "# Do it"),
        case(190, "todos", "updateTodos", {"todos": [{}, {}]}, "2 items"),
        case(190, "items", "updateTodos", {"items": [{}]}, "1 item"),
        case(190, "neither", "updateTodos", {}, "todos"),
    ],
)
def test_labels(tool, args, label):
    assert label_of(called(tool, args)) == label


def test_a_blank_command_gets_no_line():
    assert lines_of(*delayed("shell", {"command": " "})) == []


def test_case_191_a_slow_call_has_one_line_then_one_card():
    items = run(asked(), *delayed(*SEARCH))
    shown = [item for item in items if isinstance(item, (Notice, Card))]
    assert [item.type for item in shown] == ["notice", "card"]


def test_case_192_the_same_command_twice_has_one_line_and_two_results():
    items = run(
        after(0, started("c1", *MAKE)),
        after(10, started("c2", *MAKE)),
        after(500, completed("c1", *MAKE, EMPTY)),
        after(900, completed("c2", *MAKE, EMPTY)),
    )
    assert [item.message for item in items if isinstance(item, Notice)] == ["Cursor shell: make"]
    assert len([item for item in items if isinstance(item, Card)]) == 2


def test_the_same_command_again_has_its_own_line():
    assert lines_of(*delayed(*MAKE), *delayed(*MAKE, call_id="c2")) == ["Cursor shell: make"] * 2


def test_another_call_with_the_same_words_says_nothing_new():
    first, second = {"command": "make", "timeout": 1}, {"command": "make", "timeout": 2}
    lines = lines_of(
        after(0, started("c1", "shell", first)),
        after(10, started("c2", "shell", second)),
        after(900, completed("c1", "shell", first, EMPTY)),
        after(950, completed("c2", "shell", second, EMPTY)),
    )
    assert lines == ["Cursor shell: make"]


def test_case_193_two_commands_have_two_lines():
    lines = lines_of(
        after(0, started("c1", "shell", {"command": "one"})),
        after(10, started("c2", "shell", {"command": "two"})),
        after(500, completed("c1", "shell", None, EMPTY)),
        after(900, completed("c2", "shell", None, EMPTY)),
    )
    assert lines == ["Cursor shell: one", "Cursor shell: two"]


@pytest.mark.parametrize(
    ("took", "count"), [(DEFER_MS - 1, 0), (DEFER_MS, 1)], ids=["fast", "just slow"]
)
def test_case_194_a_fast_call_has_no_line(took, count):
    lines = lines_of(after(0, started("c1", *SEARCH)), after(took, completed("c1", *SEARCH, EMPTY)))
    assert len(lines) == count


def test_case_195_a_bridged_call_has_none_however_slow():
    assert lines_of(*delayed("mcp", {"toolName": "pi__lookup", "args": {}})) == []
    assert lines_of(*delayed("mcp_pi__lookup", {})) == []


def test_case_196_nothing_is_said_once_the_run_is_over():
    lines = lines_of(
        after(0, started("c1", *SEARCH)),
        after(10, turn_ended("error")),
        after(2000, asked("Again")),
    )
    assert lines == []


def test_case_197_arguments_that_arrive_piecemeal_have_one_line():
    call = ("c1", "shell")
    lines = lines_of(
        after(0, started(*call, {"command": "ma"}, partial=True)),
        after(10, started(*call, {"command": "make"})),
        after(20, started(*call, {"command": "make"}, partial=True)),
        after(900, completed(*call, {"command": "make"}, EMPTY)),
    )
    assert lines == ["Cursor shell: make"]


def test_arguments_alone_are_no_start():
    call = ("c1", "shell", {"command": "make"})
    assert lines_of(after(0, started(*call, partial=True)), after(900, asked("Next"))) == []


def test_a_partial_restarts_the_time():
    call = ("c1", *MAKE)
    events = (
        after(0, started(*call)),
        after(60, started(*call, partial=True)),
        after(130, completed(*call, EMPTY)),
    )
    assert lines_of(*events) == []


def test_case_198_a_long_label_is_masked_and_then_cut():
    token = "fPs3YdN8cWt4VbL9xZm2kR7q"[::-1]
    words = f"look Bearer {token} " + "word " * 60
    (line,) = lines_of(*delayed("semSearch", {"query": words}))
    assert token not in line
    assert line.endswith("…")
    assert len(line) < 280


def test_a_recording_without_times_says_that_nothing_was_measured():
    notices = [
        item for item in run(started("c1", *MAKE), completed("c1", *MAKE, EMPTY))
        if isinstance(item, Notice)
    ]  # fmt: skip
    assert [each.code for each in notices] == [UNTIMED]
    assert notices[0].message == (
        "no time is recorded of 1 call: whether a progress line was due is not known"
    )


def test_a_sub_agents_calls_have_none():
    task = ("c1", "task", {"description": "look"})
    lines = lines_of(
        after(0, started(*task)),
        after(100, started("c2", *MAKE, parent="c1")),
        after(900, completed("c2", *MAKE, EMPTY, parent="c1")),
        after(950, completed(*task, EMPTY)),
    )
    assert lines == ["Cursor subagent: look"]


# -- what a shell prints ------------------------------------------------------------------------


def printed(*chunks):
    return lines_of(
        after(0, started("c1", *MAKE)), *chunks, after(20, completed("c1", *MAKE, EMPTY))
    )


def test_case_200_the_fourth_chunk_has_no_line_but_is_kept():
    chunks = [chunk(f"{number}\n") for number in (1, 2, 3, 4)]
    assert printed(*chunks) == [f"Cursor shell stdout: {number}" for number in (1, 2, 3)]
    (card,) = [item for item in run(
        after(0, started("c1", *MAKE)), *chunks, after(20, completed("c1", *MAKE, EMPTY))
    ) if isinstance(item, Card)]  # fmt: skip
    assert text_of(card) == "1\n2\n3\n4"


def test_case_201_blank_chunks_use_up_nothing():
    chunks = [chunk(data) for data in ("a", "\n", "  \n", "b", "c", "d")]
    assert printed(*chunks) == [f"Cursor shell stdout: {word}" for word in "abc"]


def test_case_202_overlapping_commands_print_for_nobody():
    lines = lines_of(
        started("c1", "shell", {"command": "one"}),
        started("c2", "shell", {"command": "two"}),
        chunk("whose?\n"),
        completed("c1", "shell", None, EMPTY),
        chunk("still?\n"),
    )
    assert lines == []


def test_case_204_the_first_line_that_is_not_blank_is_told():
    assert printed(chunk("\nready\nmore\n")) == ["Cursor shell stdout: ready"]
    assert printed(chunk("bad\n", "stderr")) == ["Cursor shell stderr: bad"]


def test_every_number_from_184_to_198_is_here():
    assert numbers_in(globals()) == {*range(184, 199), 200, 201, 202, 204}
