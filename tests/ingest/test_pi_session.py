"""pi sessions: what is recognised, the tree, calls and their results, and what is odd."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ingest_words import codes, of, read, written

from cursor_replay.errors import InputError, ReplayError
from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    PromptSeen,
    SessionSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
    UsageSeen,
)
from cursor_replay.ingest.formats.pi.blocks import ImageBlock, PiUsage
from cursor_replay.ingest.formats.pi.messages import CallIds
from cursor_replay.ingest.formats.pi.session import decode, fits
from cursor_replay.ingest.formats.pi.tree import read_tree
from cursor_replay.ingest.lines import split_lines
from cursor_replay.ingest.store import ReadOptions

FIXTURES = Path(__file__).parents[2] / "fixtures" / "pi-session"
HEAD: dict[str, Any] = {"type": "session", "version": 3, "id": "s", "cwd": "/repo"}
STAMP = "2026-06-01T08:00:00.000Z"
ALL = ReadOptions(all_branches=True)


def row(value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def joined(*lines: Any) -> bytes:
    return b"".join(row(line) + b"\n" for line in lines)


def events_of(data: bytes, options: ReadOptions | None = None) -> list[AnyEvent]:
    return list(decode(lambda: split_lines([data]), "run.jsonl", options or ReadOptions()))


def events(*entries: Any, head: Any = HEAD, options: ReadOptions | None = None) -> list[AnyEvent]:
    return events_of(joined(head, *entries), options)


def entry(identity: str, parent: str | None, kind: str = "message", **fields: Any) -> Any:
    return {"type": kind, "id": identity, "parentId": parent, **fields}


def message(identity: str, parent: str | None, role: str, content: Any = (), **fields: Any) -> Any:
    inner = {"role": role, "content": content, **fields}
    return entry(identity, parent, message=inner)


def chain(*messages: dict[str, Any]) -> Iterator[Any]:
    """Messages that follow each other."""
    for number, each in enumerate(messages):
        yield entry(f"e{number}", f"e{number - 1}" if number else None, message=each)


def assistant(*blocks: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks), **fields}


def call(identity: str | None, name: str = "read", **arguments: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": identity, "name": name, "arguments": arguments}


def result(identity: str | None, text: str = "A", **fields: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"role": "toolResult", "toolCallId": identity, "content": content, **fields}


def prompts(found: list[AnyEvent]) -> list[str]:
    return [event.text for event in of(found, PromptSeen)]


def noted(found: list[AnyEvent], code: str) -> list[tuple[int, str]]:
    return [(each.origin.line, each.message) for each in of(found, Noted) if each.code == code]


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


# -- what is one ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "head",
    [
        joined(HEAD),
        joined({"type": "session", "id": "s", "cwd": "/repo"}),
        joined({"type": "session", "id": "s", "version": 3, "timestamp": STAMP}),
        b"\xef\xbb\xbf" + joined(HEAD),
        b"\n  \nnot json\n[1]\n7\n" + joined(HEAD),
        joined(HEAD).replace(b"\n", b"\r\n"),
        b"  " + joined(HEAD) + b'{"type": "mess',
        joined(HEAD).decode().encode("utf-16"),
    ],
)
def test_a_header_in_front_is_a_pi_session(head: bytes) -> None:
    assert fits(head)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"a session\n",
        b'"session"\n',
        joined({"type": "session"}),
        joined({"type": "session", "id": 7, "version": 3}),
        joined({"type": "session", "id": "s"}),
        joined({"type": "session", "id": "s", "version": 3, "width": 80}),
        joined({"type": "session", "id": "s", "timestamp": STAMP}),
        joined({"type": "session", "id": "s", "version": "3", "timestamp": STAMP}),
        joined({"type": "session", "id": "s", "version": True, "timestamp": STAMP}),
        joined({"type": "session", "id": "s", "version": 2, "timestamp": 1780300800}),
        joined({"type": "session", "id": "s", "version": 2, "timestamp": "noon"}),
        joined({"type": "session", "id": "s", "version": 2, "width": 80, "height": 24}),
        joined({"type": "session", "id": "s", "cwd": 7}),
        joined({"type": "session", "id": "s", "session_id": "s", "cwd": "/"}),
        joined({"type": "session", "id": "s", "agent_id": "a", "timestamp": "x"}),
        joined({"type": "session", "format": "transcript", "file": "a.jsonl"}),
        joined({"type": "message", "id": "a"}, HEAD),
        joined({"role": "user", "content": "a session"}),
    ],
)
def test_anything_else_in_front_is_none(head: bytes) -> None:
    assert not fits(head)


def test_a_file_is_recognised_and_its_head_is_told(tmp_path: Path) -> None:
    found = read(written(tmp_path, HEAD, message("a", None, "user", "hi")))
    heads = of(found, SessionSeen)
    assert [(each.format, each.session_id, each.cwd) for each in heads] == [
        ("pi-session", None, None),
        (None, "s", "/repo"),
    ]
    assert prompts(found) == ["hi"]


def test_a_forced_file_without_any_record_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        events_of(b"plover\n\n[1]\n")
    assert str(caught.value) == "run.jsonl holds no record of the format pi-session"


@pytest.mark.parametrize(
    "others",
    [
        [{"type": "agent_start"}, {"type": "message_end", "message": {"role": "user"}}],
        [{"type": "user", "message": {"role": "user", "content": "hi"}}],
        [{"type": "session_end"}, {}, {"type": 7}],
    ],
)
def test_a_header_in_front_of_other_records_is_refused_in_words(
    tmp_path: Path, others: list[Any]
) -> None:
    path = written(tmp_path, HEAD, *others)
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(caught.value) == (
        f"{path} is no session file of pi: none of its records is an entry of a session "
        "(the events that pi prints with --mode json are not read)"
    )


def test_one_entry_among_unknown_records_is_a_session() -> None:
    found = events({"type": "tide", "id": "a"}, message("b", "a", "user", "hi"))
    assert prompts(found) == ["hi"]
    assert codes(found) == ["unknown-record"]


def test_a_forced_file_without_a_header_is_read_and_says_so() -> None:
    found = events_of(joined(message("a", None, "user", "hi")))
    assert codes(found) == ["no-header"]
    assert prompts(found) == ["hi"]


def test_a_header_alone_is_a_session_with_nothing_in_it() -> None:
    assert [type(event) for event in events()] == [SessionSeen]


def test_a_newer_version_is_read_and_noted() -> None:
    found = events(message("a", None, "user", "hi"), head={**HEAD, "version": 99})
    assert noted(found, "newer-version") == [
        (1, "session version 99 is newer than what is known here (3)")
    ]
    assert prompts(found) == ["hi"]


def test_a_missing_last_line_end_is_noted_and_a_cut_line_is_a_problem() -> None:
    whole = joined(HEAD, message("a", None, "user", "hi"))
    assert codes(events_of(whole[:-1])) == ["no-final-newline"]
    assert codes(events_of(whole + b'{"type": "mess')) == ["cut-line"]


def test_a_line_over_the_limit_is_named() -> None:
    data = joined(HEAD, message("a", None, "user", "x" * 500), message("b", "a", "user", "hi"))
    found = list(decode(lambda: split_lines([data], limit=300), "run.jsonl", ReadOptions()))
    assert codes(found) == ["line-too-long", "unknown-parent"]
    assert prompts(found) == ["hi"]


# -- versions and names -----------------------------------------------------------------------


@pytest.mark.parametrize("version", [None, 1, 1.0])
def test_version_1_goes_line_by_line_whatever_its_ids_say(version: Any) -> None:
    head = {**HEAD, "version": version}
    found = events(message("a", None, "user", "1"), message("a", "x", "user", "2"), head=head)
    assert prompts(found) == ["1", "2"]
    assert codes(found) == []


def test_a_session_without_any_id_goes_line_by_line() -> None:
    rows = [{"type": "message", "message": {"role": "user", "content": each}} for each in "ab"]
    assert prompts(events(*rows)) == ["a", "b"]


@pytest.mark.parametrize("version", [2, 3, "3", True])
def test_any_other_version_is_a_tree(version: Any) -> None:
    rows = [message("a", None, "user", "1"), message("b", None, "user", "2")]
    assert prompts(events(*rows, head={**HEAD, "version": version})) == ["2"]


def test_the_last_name_on_the_branch_is_the_title() -> None:
    found = events(
        entry("a", None, "session_info", name="first"),
        entry("b", "a", "session_info", name="left behind"),
        entry("c", "a", "session_info", name=" second "),
        message("d", "c", "user", "hi"),
    )
    assert of(found, SessionSeen)[0].title == "second"


def test_an_empty_name_clears_the_title() -> None:
    rows = [entry("a", None, "session_info", name="first"), entry("b", "a", "session_info")]
    assert of(events(*rows), SessionSeen)[0].title is None


def test_the_model_is_told_at_first_and_whenever_it_changes() -> None:
    found = events(
        entry("a", None, "model_change", modelId="m1"),
        message("b", "a", "assistant", [text("x")], model="m1"),
        message("c", "b", "assistant", [text("y")], model="m2"),
        entry("d", "c", "model_change"),
    )
    assert [event.model for event in of(found, SessionSeen) if event.model] == ["m1", "m2"]


# -- the tree ---------------------------------------------------------------------------------


TREE = [
    message("a", None, "user", "a"),
    message("b", "a", "user", "b"),
    message("c", "a", "user", "c"),
    message("d", "b", "user", "d"),
    message("e", "c", "user", "e"),
]


def test_the_branch_of_the_last_line_is_shown_and_the_rest_counted_once() -> None:
    found = events(*TREE)
    assert prompts(found) == ["a", "c", "e"]
    assert noted(found, "other-branches") == [
        (3, "2 entries of other branches not shown (--all-branches shows them)")
    ]
    assert not any(event.problem for event in of(found, Noted))


def test_all_branches_come_in_the_order_of_the_file_and_say_where_they_left() -> None:
    found = events(*TREE, options=ALL)
    assert prompts(found) == ["a", "b", "c", "d", "e"]
    assert noted(found, "branch") == [
        (3, "another branch, which left the session after line 2"),
        (4, "back on the branch the session ends on, after line 2"),
        (5, "another branch goes on after line 3"),
        (6, "back on the branch the session ends on, after line 4"),
    ]


def test_a_new_start_is_another_branch() -> None:
    rows = [message("a", None, "user", "a"), message("b", None, "user", "b")]
    assert noted(events(*rows, options=ALL), "branch") == [
        (2, "another branch, which left the session at its start"),
        (3, "back on the branch the session ends on, at its start"),
    ]


def test_what_is_cut_off_is_counted_and_shown_when_asked_for() -> None:
    rows = [message("a", None, "user", "a"), message("b", "gone", "user", "b")]
    found = events(*rows)
    assert prompts(found) == ["b"]
    assert [(each.code, each.problem) for each in of(found, Noted)] == [
        ("cut-off", True),
        ("unknown-parent", True),
    ]
    whole = events(*rows, options=ALL)
    assert prompts(whole) == ["a", "b"]
    assert noted(whole, "cut-off") == [(2, "1 entry cut off from the branch the session ends on")]
    assert noted(whole, "branch")[0] == (2, "entries that are cut off from the rest")


def test_a_parent_that_stands_behind_its_child_is_found() -> None:
    rows = [message("b", "a", "user", "b"), message("a", None, "user", "a")]
    found = events(*rows, message("c", "b", "user", "c"))
    assert prompts(found) == ["b", "a", "c"]
    assert codes(found) == []


@pytest.mark.parametrize(
    ("parents", "shown", "circles"),
    [
        (["e0"], ["e0"], 1),
        (["e1", "e0"], ["e0", "e1"], 1),
        (["e1", "e0", None], ["e2"], 1),
        (["e1", "e0", "e3", "e2", None], ["e4"], 2),
        (["e2", "e0", "e1", "e1"], ["e0", "e1", "e2", "e3"], 1),
        (["e0", "e0"], ["e0", "e1"], 1),
    ],
)
def test_a_circle_of_parents_ends_and_is_told_once(
    parents: list[str | None], shown: list[str], circles: int
) -> None:
    rows = [message(f"e{n}", parent, "user", f"e{n}") for n, parent in enumerate(parents)]
    found = events(*rows)
    assert prompts(found) == shown
    assert codes(found).count("parent-cycle") == circles
    assert prompts(events(*rows, options=ALL)) == [f"e{n}" for n in range(len(parents))]


def test_a_second_header_is_no_entry_but_a_problem() -> None:
    found = events(message("a", None, "user", "a"), HEAD, message("b", "a", "user", "b"))
    assert prompts(found) == ["a", "b"]
    assert noted(found, "second-header") == [(3, "another session header")]


def test_several_entries_on_a_line_are_told_apart() -> None:
    first, second = (row(message(each, None, "user", each)) for each in "ab")
    found = events(first + b" " + second)
    assert prompts(found) == ["b"]
    assert codes(found) == ["several-values", "other-branches"]


def test_a_header_and_an_entry_on_one_line_are_both_read() -> None:
    found = events_of(row(HEAD) + b" " + row(message("a", None, "user", "a")) + b"\n")
    assert prompts(found) == ["a"]


# -- messages ---------------------------------------------------------------------------------


def test_the_time_is_that_of_the_entry_else_that_of_the_message() -> None:
    first = message("a", None, "user", "1", timestamp=1780300800500)
    found = events(
        {**first, "timestamp": "2026-06-01T10:00:00.000+02:00"},
        message("b", "a", "user", "2", timestamp=1780300800500),
        message("c", "b", "user", "3"),
    )
    times = [event.time and event.time.at for event in of(found, PromptSeen)]
    assert times == ["2026-06-01T08:00:00.000Z", "2026-06-01T08:00:00.500Z", None]


def test_an_image_is_told_by_kind_and_size() -> None:
    image = ImageBlock(type="image", data="QUJDRA==", mimeType="image/gif")
    assert image.told() == "[image: image/gif, 4 bytes]"
    assert ImageBlock(type="image").told() == "[image: unknown kind]"


def test_the_cache_is_counted_into_the_input_and_zeros_are_no_record() -> None:
    usage = PiUsage(input=1, output=2, cacheRead=30, cacheWrite=400, reasoning=1).usage()
    assert usage is not None
    counts = (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens)
    assert (*counts, usage.cache_write_tokens, usage.reasoning_tokens) == (431, 2, 30, 400, 1)
    assert PiUsage(input=0, output=0, cacheRead=0, cacheWrite=0).usage() is None


def test_a_turn_uses_what_its_responses_used_together() -> None:
    found = events(
        *chain(
            {"role": "user", "content": "go"},
            assistant(call("a"), usage={"input": 5, "cacheRead": 1}, stopReason="toolUse"),
            result("a", usage={"input": 2}),
            assistant(text("done"), usage={"input": 10, "output": 3}, stopReason="stop"),
            {"role": "user", "content": "more"},
            assistant(text("done"), usage={"input": 1}, stopReason="stop"),
        )
    )
    assert [event.usage.input_tokens for event in of(found, UsageSeen)] == [6, 8, 18, 1]
    ends = of(found, TurnEnded)
    assert [(end.usage.input_tokens, end.usage.output_tokens) for end in ends] == [
        (18, 3),
        (1, None),
    ]


@pytest.mark.parametrize(
    ("stop", "status", "reason"),
    [
        ("stop", "success", None),
        ("length", "length", "the answer was truncated before its end"),
        ("error", "error", "why"),
        ("aborted", "aborted", "why"),
    ],
)
def test_a_stop_reason_ends_the_turn(stop: str, status: str, reason: str | None) -> None:
    found = events(*chain(assistant(text("x"), stopReason=stop, errorMessage="why")))
    assert [(end.status, end.reason) for end in of(found, TurnEnded)] == [(status, reason)]


@pytest.mark.parametrize("stop", ["toolUse", None, 7])
def test_other_stop_reasons_end_nothing(stop: Any) -> None:
    found = events(*chain(assistant(text("x"), stopReason=stop)))
    assert of(found, TurnEnded, Noted) == []


def test_an_answer_with_calls_ends_nothing() -> None:
    found = events(*chain(assistant(call("a"), stopReason="stop"), result("a")))
    assert of(found, TurnEnded) == []


def test_a_result_comes_before_the_end_of_the_turn_it_belongs_to() -> None:
    found = events(*chain(assistant(call("a"), stopReason="aborted"), result("a")))
    kinds = [type(event) for event in of(found, CallStarted, CallCompleted, TurnEnded)]
    assert kinds == [CallStarted, CallCompleted, TurnEnded]


def test_an_aborted_message_with_nothing_in_it_is_no_empty_record() -> None:
    assert codes(events(*chain(assistant(stopReason="aborted")))) == []
    assert codes(events(*chain(assistant()))) == ["empty-record"]


def test_redacted_thinking_is_said_to_be_removed() -> None:
    block = {"type": "thinking", "thinking": "kept", "redacted": True}
    thoughts = of(events(*chain(assistant(block))), ThoughtSeen)
    assert [(each.text, each.removed) for each in thoughts] == [("kept", False), ("", True)]


WRONG = [(7, "7"), ({"a": 1}, '{"a":1}'), ([1], "[1]"), (False, "false"), ({}, "{}"), (None, "")]
"""Values where a text is meant, and what is shown of them."""


@pytest.mark.parametrize(("value", "shown"), [each for each in WRONG if each[0] != [1]])
def test_content_of_a_wrong_type_is_shown_as_it_stands(value: Any, shown: str) -> None:
    assert prompts(events(message("a", None, "user", value))) == [shown]
    (end,) = of(events(*chain(result("a") | {"content": value, "isError": False})), CallCompleted)
    assert end.outcome.value["text"] == shown
    said = of(events(*chain({"role": "assistant", "content": value})), TextSeen)
    assert [each.text for each in said] == ([shown] if shown else [])


@pytest.mark.parametrize(("value", "shown"), WRONG)
def test_a_text_of_a_wrong_type_is_shown_as_it_stands(value: Any, shown: str) -> None:
    block = {"type": "text", "text": value}
    assert prompts(events(message("a", None, "user", [block]))) == [shown]
    found = events(*chain(assistant(block, {"type": "thinking", "thinking": value})))
    assert [each.text for each in of(found, TextSeen)] == [shown]
    assert [each.text for each in of(found, ThoughtSeen)] == ([shown] if shown else [])
    (note,) = of(events(entry("a", None, "branch_summary", summary=value)), PromptSeen)
    assert note.context[0].text == shown
    (ended,) = of(events(*chain(assistant(stopReason="error", errorMessage=value))), TurnEnded)
    assert ended.reason == (shown or None)
    command = {"role": "bashExecution", "command": value, "output": value, "exitCode": 0}
    (run,) = of(events(*chain(command)), CallCompleted)
    assert (run.args, run.outcome.value) == ({"command": shown}, {"text": shown})


def test_a_block_alone_is_the_list_of_it() -> None:
    assert prompts(events(message("a", None, "user", text("hi")))) == ["hi"]
    found = events(*chain(assistant() | {"content": call("a")}, result("a")))
    assert [type(each) for each in of(found, CallStarted, CallCompleted)] == [
        CallStarted,
        CallCompleted,
    ]


def test_a_name_of_a_wrong_type_is_shown_as_it_stands() -> None:
    found = events(*chain(assistant(call("a", name={"n": 1})), result("a", toolName=5)))  # type: ignore[arg-type]
    assert [each.name for each in of(found, CallStarted, CallCompleted)] == ['{"n":1}', "5"]


TRUE = [True, "true", "True", 1, "1", "yes"]
FALSE = [False, "false", 0, "0", "no"]
UNSAID = [None, "maybe", "", {}, []]


def status_of(**fields: Any) -> str | None:
    """The status of the result of a command."""
    (end,) = of(events(*chain(assistant(call("a", "bash")), result("a", **fields))), CallCompleted)
    return None if end.outcome is None else end.outcome.status


@pytest.mark.parametrize("flag", TRUE)
def test_an_error_is_believed_in_any_spelling(flag: Any) -> None:
    assert status_of(isError=flag) == "error"


@pytest.mark.parametrize("flag", FALSE)
def test_a_success_is_one_in_any_spelling(flag: Any) -> None:
    assert status_of(isError=flag) == "success"


@pytest.mark.parametrize("flag", UNSAID)
def test_a_result_that_does_not_say_how_it_went_is_no_success(flag: Any) -> None:
    assert status_of(isError=flag) == "unknown"


ENDS = ["Command exited with code 2", "Command exited with code -1", "Command exited with code 10",
        "Command aborted", "Command timed out after 3 seconds", "Command timed out after 1.5 seconds"]  # fmt: skip


@pytest.mark.parametrize("flag", [*FALSE, *UNSAID])
@pytest.mark.parametrize("end", ENDS)
def test_the_end_of_a_command_outweighs_its_flag(end: str, flag: Any) -> None:
    assert status_of(text=f"out\n\n{end}\n", isError=flag) == "error"


@pytest.mark.parametrize(
    "words",
    [
        "Command exited with code 0",
        "Command exited with code 2\nand more",
        "see: Command exited with code 2",
        "Command exited",
    ],
)
def test_other_words_of_a_command_say_nothing_of_its_end(words: str) -> None:
    assert status_of(text=words, isError=False) == "success"


def test_the_end_of_a_command_in_another_tools_text_is_text() -> None:
    rows = chain(assistant(call("a")), result("a", text=ENDS[0], isError=False))
    assert of(events(*rows), CallCompleted)[0].outcome.status == "success"


@pytest.mark.parametrize("name", [None, "bash", "Shell"])
def test_the_end_of_a_command_is_known_by_the_name_of_call_or_result(name: str | None) -> None:
    assert status_of(text=ENDS[0], isError=False, toolName=name) == "error"


@pytest.mark.parametrize(
    "details",
    [
        {"exitCode": 1},
        {"exitCode": "1"},
        {"exit_code": -3},
        {"error": "no"},
        {"error": {"message": "no"}},
        {"success": False},
        {"isError": "true"},
        {"rejected": True},
        {"cancelled": {}},
    ],
)
def test_details_that_tell_a_failure_outweigh_the_flag(details: Any) -> None:
    assert status_of(details=details, isError=False) == "error"


@pytest.mark.parametrize("details", [{"exitCode": 0}, {"exitCode": "0"}, {"error": ""}, [1], "x"])
def test_other_details_leave_the_flag_alone(details: Any) -> None:
    assert status_of(details=details, isError=False) == "success"


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"exitCode": 0}, "success"),
        ({"exitCode": "0"}, "success"),
        ({"exitCode": 2}, "error"),
        ({"exitCode": "2"}, "error"),
        ({"exitCode": 0, "cancelled": "true"}, "error"),
        ({"cancelled": 1}, "error"),
        ({"exitCode": "x"}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_a_command_of_the_user_is_green_only_with_an_exit_of_zero(fields: Any, status: str) -> None:
    row_ = {"role": "bashExecution", "command": "x", "output": "out", **fields}
    assert of(events(*chain(row_)), CallCompleted)[0].outcome.status == status


def test_a_block_that_is_none_is_noted_wherever_it_stands() -> None:
    found = events(*chain({"role": "user", "content": [7]}, assistant("x"), result("q") | {
        "content": [{"type": "hologram"}, {"type": "thinking"}]
    }))  # fmt: skip
    assert noted(found, "unknown-block") == [
        (2, "a stray content value"),
        (3, "a stray content value"),
        (4, "a content block of unknown type 'hologram'"),
        (4, "a content block of unknown type 'thinking'"),
    ]


def test_a_call_and_its_result_are_paired_by_id() -> None:
    found = events(*chain(assistant(call("a", path="x")), result("a", isError=True, durationMs=3)))
    start, end = of(found, CallStarted, CallCompleted)
    assert (start.call_id, start.name, start.args, start.channel) == (
        "a",
        "read",
        {"path": "x"},
        "pi",
    )
    assert (end.call_id, end.outcome.status) == ("a", "error")
    assert end.outcome.value == {"text": "A", "details": None, "durationMs": 3}


def test_a_call_that_is_never_answered_is_closed_where_it_stands() -> None:
    found = events(*chain(assistant(call("a")), {"role": "user", "content": "go on"}))
    (end,) = of(found, CallStarted, CallCompleted)
    assert (end.call_id, end.outcome, end.time, end.origin.line) == ("a", None, None, 2)


def test_a_result_on_another_branch_answers_nothing() -> None:
    rows = [
        entry("a", None, message=assistant(call("x"))),
        entry("b", "a", message=result("x")),
        message("c", "a", "user", "again"),
    ]
    assert [event.outcome for event in of(events(*rows), CallCompleted)] == [None]
    assert of(events(*rows, options=ALL), CallStarted)[0].call_id == "x"


def test_a_recurring_id_is_numbered() -> None:
    found = events(*chain(assistant(call("a")), result("a"), assistant(call("a")), result("a")))
    assert [event.call_id for event in of(found, CallCompleted)] == ["a", "a-2"]
    assert codes(found) == []


def outcomes(found: list[AnyEvent]) -> list[tuple[Any, str | None]]:
    """Which arguments end with which text, in order; None where nothing was recorded."""
    args: dict[str | None, Any] = {each.call_id: each.args for each in of(found, CallStarted)}
    return [
        (
            args.get(each.call_id, each.args),
            each.outcome.value["text"] if each.outcome else None,
        )
        for each in of(found, CallCompleted)
    ]


FIRST, SECOND, ANSWER = {"path": "1"}, {"path": "2"}, {"role": "user", "content": "go on"}


@pytest.mark.parametrize("stop", ["aborted", "error"])
def test_a_call_given_up_with_its_message_takes_no_result_of_a_later_one(stop: str) -> None:
    found = events(
        *chain(
            assistant(call("c", path="1"), stopReason=stop), ANSWER,
            assistant(call("c", path="2")), result("c"),
        )
    )  # fmt: skip
    assert outcomes(found) == [(SECOND, "A")]
    assert [each.args for each in of(found, CallStarted)] == [FIRST, SECOND]
    assert codes(found) == []


@pytest.mark.parametrize("stop", ["aborted", "error"])
def test_a_given_up_call_takes_no_result_of_an_older_one(stop: str) -> None:
    found = events(
        *chain(
            assistant(call("c", path="1")), assistant(call("c", path="2"), stopReason=stop),
            ANSWER, result("c"),
        )
    )  # fmt: skip
    assert outcomes(found) == [(FIRST, "A")]


def test_the_result_of_a_given_up_call_stands_right_behind_it() -> None:
    aborted = assistant(call("c", path="1"), call("d", path="2"), stopReason="aborted")
    found = events(*chain(aborted, result("d", "D"), result("c", "C")))
    assert outcomes(found) == [(SECOND, "D"), (FIRST, "C")]
    found = events(*chain(aborted, ANSWER, result("c", "C")))
    assert outcomes(found) == [(None, "C")]
    assert codes(found) == ["orphan-result"]


def test_a_result_belongs_to_the_nearest_call_that_waits() -> None:
    rows = [assistant(call("c", path="1")), ANSWER, assistant(call("c", path="2")), result("c")]
    found = events(*chain(*rows))
    assert outcomes(found) == [(FIRST, None), (SECOND, "A")]
    assert codes(found) == []
    found = events(*chain(*rows, result("c", "B")))
    assert outcomes(found) == [(SECOND, "A"), (FIRST, "B")]
    assert noted(found, "duplicate-call-id") == [
        (4, "a call with the id of one that waits for its result")
    ]


def test_the_calls_of_a_message_with_one_id_are_answered_in_their_order() -> None:
    both = assistant(call("c", path="1"), call("c", path="2"))
    found = events(*chain(both, result("c"), result("c", "B")))
    assert outcomes(found) == [(FIRST, "A"), (SECOND, "B")]
    assert codes(found) == ["duplicate-call-id"]


def test_calls_without_an_id_are_no_duplicates() -> None:
    found = events(*chain(assistant(call(None, path="1"), call("", path="2"))))
    assert outcomes(found) == [(FIRST, None), (SECOND, None)]
    assert codes(found) == []


def test_a_second_result_of_a_call_is_a_notice_and_no_card() -> None:
    found = events(*chain(assistant(call("c", path="1")), result("c"), result("c", "B")))
    assert outcomes(found) == [(FIRST, "A")]
    assert noted(found, "duplicate-result") == [
        (4, "another result of a call that has one, not shown")
    ]
    assert all(event.problem for event in of(found, Noted))


def test_a_result_in_front_of_its_call_is_an_orphan() -> None:
    found = events(*chain(result("c"), assistant(call("c", path="1"))))
    assert outcomes(found) == [(None, "A"), (FIRST, None)]
    assert codes(found) == ["orphan-result"]


def test_ids_of_one_branch_answer_none_of_another() -> None:
    rows = [
        message("a", None, "user", "go"),
        entry("b", "a", message=assistant(call("c", path="1"), stopReason="aborted")),
        entry("x", "a", message=assistant(call("c", path="0"))),
        entry("d", "a", message=assistant(call("c", path="2"))),
        entry("e", "d", message=result("c")),
    ]
    assert outcomes(events(*rows)) == [(SECOND, "A")]
    whole = events(*rows, options=ALL)
    assert outcomes(whole) == [({"path": "0"}, None), (SECOND, "A")]
    assert set(codes(whole)) == {"branch"}


def test_a_call_that_two_branches_answer_is_shown_with_either() -> None:
    rows = [
        entry("a", None, message=assistant(call("c", path="1"))),
        entry("b", "a", message=result("c", "left")),
        entry("d", "a", message=result("c", "right")),
        entry("e", "a", message=result("c", "last")),
    ]
    assert outcomes(events(*rows)) == [(FIRST, "last")]
    whole = events(*rows, options=ALL)
    assert outcomes(whole) == [(FIRST, "left"), (FIRST, "right"), (FIRST, "last")]
    assert [each.call_id for each in of(whole, CallCompleted)] == ["c", "c-2", "c-3"]


def test_calls_are_paired_in_a_circle_of_parents_too() -> None:
    rows = [
        entry("a", "c", message=assistant(call("x", path="1"))),
        entry("b", "a", message=result("x")),
        message("c", "b", "user", "round"),
        entry("d", "b", message=result("x", "B")),
    ]
    assert outcomes(events(*rows, options=ALL)) == [(FIRST, "A")]


def test_many_entries_on_a_line_are_read_in_one_go() -> None:
    rows = [message(f"e{n}", f"e{n - 1}" if n else None, "user", str(n)) for n in range(3000)]
    found = events(b" ".join(map(row, rows)))
    assert prompts(found) == [str(n) for n in range(3000)]


def test_a_given_number_is_not_given_twice() -> None:
    ids = CallIds()
    assert [ids.fresh(each) for each in ("a-2", "a", "a", "a")] == ["a-2", "a", "a-3", "a-4"]


def test_a_result_without_an_id_or_a_call_is_shown_with_a_notice() -> None:
    found = events(*chain(result(None, toolName="ls"), result("q")))
    assert [(event.call_id, event.name) for event in of(found, CallCompleted)] == [
        (None, "ls"),
        ("q", "unknown"),
    ]
    assert codes(found) == ["orphan-result", "orphan-result"]


def test_a_result_that_says_nothing_is_no_outcome() -> None:
    bare = {"role": "toolResult", "toolCallId": "a"}
    said = {**bare, "isError": False}
    for message_, recorded in ((bare, False), (said, True)):
        found = events(*chain(assistant(call("a")), message_))
        assert (of(found, CallCompleted)[0].outcome is not None) == recorded


def test_a_call_without_a_name_or_with_odd_arguments_is_kept() -> None:
    odd = {"type": "toolCall", "id": "a", "arguments": "x"}
    found = events(*chain(assistant(odd), result("a")))
    start = of(found, CallStarted)[0]
    assert (start.name, start.args) == ("unknown", "x")


def test_an_id_too_large_for_an_integer_breaks_nothing() -> None:
    digits = b"9" * 5000
    rows = row(message("a", None, "user", "hi", timestamp=0)).replace(
        b": 0}", b": " + digits + b"}"
    )
    assert prompts(events(rows)) == ["hi"]


def test_nesting_too_deep_is_a_problem_and_not_the_end() -> None:
    deep = b'{"type": "custom", "id": "x", "data": ' + b"[" * 3000 + b"]" * 3000 + b"}"
    found = events(message("a", None, "user", "a"), deep, message("b", "a", "user", "b"))
    assert prompts(found) == ["a", "b"]
    assert codes(found) == ["too-deep"]


# -- nothing is lost, nothing raises ------------------------------------------------------------


CASES = {path.parent.name: path.read_bytes() for path in sorted(FIXTURES.glob("*/input.jsonl"))}
STEADY = settings(
    deadline=None,
    derandomize=True,
    max_examples=120,
    suppress_health_check=[HealthCheck.too_slow],
)


def accounted(data: bytes) -> None:
    """Every entry is on a shown branch or counted; with all branches, nothing is left to count."""
    tree = read_tree(split_lines([data]))
    for options in (ReadOptions(), ALL):
        with suppress(ReplayError):
            found = events_of(data, options)
            told = " ".join(each.message for each in of(found, Noted))
            for kind in ("branch", "cut"):
                hidden = tree.kinds.count(kind)
                if hidden and not (kind == "branch" and options.all_branches):
                    assert f"{hidden} entr" in told


@STEADY
@given(name=st.sampled_from(sorted(CASES)), part=st.floats(0, 1))
def test_any_prefix_is_read(name: str, part: float) -> None:
    accounted(CASES[name][: int(len(CASES[name]) * part)])


@STEADY
@given(
    name=st.sampled_from(sorted(CASES)),
    cuts=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 60), st.binary(max_size=8)), max_size=6
    ),
)
def test_any_mutilation_is_read(name: str, cuts: list[tuple[float, int, bytes]]) -> None:
    data = CASES[name]
    for part, length, put in cuts:
        at = int(len(data) * part)
        data = data[:at] + put + data[at + length :]
    accounted(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
PLACES = [
    (name, number, key)
    for name, data in CASES.items()
    for number, line in enumerate(data.split(b"\n"))
    if line.startswith(b'{"type": "message"') and line.endswith(b"}")
    for key in ("id", "parentId", "type", "message", *(json.loads(line)["message"] or ()))
]


@STEADY
@given(place=st.sampled_from(PLACES), value=JSON)
def test_a_value_of_any_type_in_any_field_is_read(place: tuple[str, int, str], value: Any) -> None:
    name, number, key = place
    lines = CASES[name].split(b"\n")
    record = json.loads(lines[number])
    holder = record if key in record else record["message"]
    holder[key] = value
    lines[number] = json.dumps(record).encode()
    accounted(b"\n".join(lines))


@STEADY
@given(
    st.lists(
        st.tuples(st.sampled_from("abcdx"), st.sampled_from(["a", "b", "c", "d", "x", None, 7])),
        min_size=1,
        max_size=9,
    )
)
def test_every_entry_of_any_tree_is_shown_or_counted(links: list[tuple[str, Any]]) -> None:
    rows = [message(name, parent, "user", str(n)) for n, (name, parent) in enumerate(links)]
    data = joined(HEAD, *rows)
    assert prompts(events_of(data, ALL)) == [str(n) for n in range(len(links))]
    shown = prompts(events_of(data))
    assert str(len(links) - 1) in shown
    kinds = read_tree(split_lines([data])).kinds
    assert kinds.count("active") == len(shown)
    accounted(data)


def test_texts_of_a_session_are_told_once() -> None:
    found = events(*chain(assistant(text("a"), text("b")), assistant({"type": "image"})))
    assert [event.text for event in of(found, TextSeen)] == ["a", "b", "[image: unknown kind]"]
