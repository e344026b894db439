"""Legacy text transcripts: marks that are not escaped, values of any shape, and nothing lost."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ingest_words import codes, of, texts

from cursor_replay.errors import ReplayError
from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    CallUnrecorded,
    Noted,
    Outcome,
    PromptSeen,
    TextSeen,
    ThoughtSeen,
    TurnEnded,
)
from cursor_replay.ingest.formats.legacy import txt as legacy_txt
from cursor_replay.ingest.formats.legacy.args import arguments
from cursor_replay.ingest.lines import split_lines
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures" / "legacy-txt").glob("*/input.txt"))
STEADY = settings(
    deadline=None, derandomize=True, max_examples=200, suppress_health_check=[HealthCheck.too_slow]
)


def read(text: str | bytes, *, limit: int = 1_000_000) -> list[AnyEvent]:
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return list(
        legacy_txt.decode(lambda: split_lines([data], limit=limit), "old.txt", ReadOptions())
    )


def calls(text: str) -> list[tuple[str, Any]]:
    found = of(read(text), CallUnrecorded, CallCompleted)
    return [(call.name, call.args) for call in found]


QUERY = "user:\n<user_query>\nq\n</user_query>\n\n"


# -- recognition --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "head",
    [
        "user:\n<user_query>\nhello\n",
        "\n\nA:\n[Thinking] hm\n",
        "user:\n<external_links>\nsee\n{\n",
        "user:\n\n<attached_files>\nsee\n",
        "user:\nhi\n\nassistant:\n[Tool result] Read\n",
        "assistant:\n[Tool call] Read\n  path: a\n",
        "\ufeffuser:\r\n<user_query>\r\nhello\r\n",
    ],
)
def test_a_role_line_and_a_mark_make_a_transcript(head: str) -> None:
    assert legacy_txt.fits(head.encode())


@pytest.mark.parametrize(
    "head",
    [
        "",
        "\n",
        "user:\n  name: ada\n\nassistant:\n  name: bob\n",
        "user:\nhello\n\nassistant:\nhello\n",
        "# Notes\n\nuser:\n<user_query>\nhello\n",
        "user: hello\n[Tool call] Read\n",
        '{"role":"user","message":{"content":[{"type":"text","text":"[Tool call] Read"}]}}\n',
        "[Tool call] Read\n  path: a\n",
        "event: status\ndata: {}\n",
        "user: \nhello\n\nassistant:\nhi\n\nTurn ended: success.\n",
        "user:\nHow do I write <my_tag>?\n\nassistant:\n<my_tag>\n",
        "user:\nhello\n\nassistant:\n<thinking_block>\nhm\n</thinking_block>\n",
        "user:\n<my_tag>\nhello\n",
        "user:\nhello\n\nassistant:\n<attached_files>\n",
        "user:\n<timestamp>\n",
        "A:\nTurn ended: yes the game ended\n",
    ],
)
def test_other_texts_are_no_transcript(head: str) -> None:
    assert not legacy_txt.fits(head.encode())


def test_a_first_prompt_may_hold_json(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    files = '<attached_files>\n{"role": "user"}\n</attached_files>'
    path.write_text(f"user:\n{files}\n<user_query>\nq\n</user_query>\n")
    assert [each.text for each in of(open_source(str(path)).events(), PromptSeen)] == ["q"]


def test_a_head_in_utf16_is_read_like_any_other() -> None:
    assert legacy_txt.fits("user:\n<user_query>\nhello\n".encode("utf-16"))


def test_a_file_is_recognised_and_introduced(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(QUERY)
    source = open_source(str(path))
    head, note, prompt = source.events()
    assert (head.format, note.code, prompt.text) == ("legacy-txt", "no-clear-marks", "q")  # type: ignore[union-attr]


# -- steps --------------------------------------------------------------------------------------


def test_the_head_says_once_that_the_marks_are_not_clear() -> None:
    first, *rest = read(QUERY)
    assert isinstance(first, Noted)
    assert (first.code, first.level, first.problem) == ("no-clear-marks", "info", False)
    assert codes(rest) == []


def test_a_user_text_is_opened_like_a_transcripts() -> None:
    text = "user:\n<timestamp>Friday, Jul 31, 2026, 5:10 PM (UTC)</timestamp>\n<user_query>\nq\n</user_query>"
    (prompt,) = of(read(text), PromptSeen)
    assert (prompt.text, prompt.time.at) == ("q", "2026-07-31T17:10:00.000Z")


def test_text_before_any_role_is_the_assistants() -> None:
    assert texts(read("tail of an answer\n\nassistant:\nmore\n")) == ["tail of an answer", "more"]


def test_a_role_line_without_a_blank_line_before_it_is_text() -> None:
    assert texts(read("assistant:\nsay\nuser:\nA: \n")) == ["say\nuser:\nA:"]


def test_an_empty_thought_is_no_thought() -> None:
    events = read("assistant:\n[Thinking] \nThe answer.\n")
    assert of(events, ThoughtSeen) == []
    assert texts(events) == ["The answer."]


def test_a_thought_at_the_end_of_a_file_may_be_empty() -> None:
    assert len(read("assistant:\n[Thinking] ")) == 1


@pytest.mark.parametrize(
    ("said", "thought", "answer"),
    [
        ("one\ntwo", "one", ["two"]),
        ("**T**\n\none\ntwo\n\nthree", "**T**\n\none", ["two\n\nthree"]),
        ("so:\n1. a\n2. b\n\nend\nI go.", "so:\n1. a\n2. b\n\nend", ["I go."]),
        ("see\n```\na\nb\n```\n\nend", "see\n```\na\nb\n```\n\nend", []),
        ("hard break  \nstill", "hard break  \nstill", []),
        ("alone", "alone", []),
    ],
)
def test_prose_right_under_prose_is_where_an_answer_begins(
    said: str, thought: str, answer: list[str]
) -> None:
    events = read(f"assistant:\n[Thinking] {said}\n")
    assert [each.text for each in of(events, ThoughtSeen)] == [thought]
    assert texts(events) == answer


def test_a_result_with_a_body_names_neither_success_nor_error() -> None:
    events = read("assistant:\n[Tool call] LS\n\n[Tool result] LS\na\n\nb\n")
    (start,) = of(events, CallStarted)
    (end,) = of(events, CallCompleted)
    assert (start.origin.line, end.origin.line) == (2, 4)
    assert end.outcome == Outcome(status="unknown", value="a\n\nb")


@pytest.mark.parametrize("tool", ["Shell", "shell", "Bash", "run_terminal_cmd"])
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("Exit code: 2\n\nout", 2),
        ("out\nexit code 1", 1),
        ("Exit Code: -1", -1),
        ("out\n\n[exit code: 3]", 3),
        ("Process exited with exit code 4", 4),
        ("out\nand more\nCommand failed with exit code 5.", 5),
    ],
)
def test_a_body_of_a_shell_that_says_a_bad_exit_is_believed(
    tool: str, body: str, code: int
) -> None:
    (end,) = of(read(f"A:\n[Tool call] {tool}\n\n[Tool result] {tool}\n{body}\n"), CallCompleted)
    assert end.outcome == Outcome(status="unknown", value={"output": body, "exitCode": code})


def test_the_line_about_an_exit_is_not_told_twice() -> None:
    body = "out\n\nCommand exited with code 2"
    (end,) = of(read(f"A:\n[Tool call] Shell\n\n[Tool result] Shell\n{body}\n"), CallCompleted)
    assert end.outcome == Outcome(status="unknown", value={"output": "out", "exitCode": 2})


@pytest.mark.parametrize(
    ("tool", "body"),
    [
        ("Shell", "Exit code: 0\n\nout"),
        ("Shell", "a\nexit code 2\nb"),
        ("Shell", "the exit code 2 means nothing here, see the manual"),
        ("Read", "Exit code: 2"),
    ],
)
def test_other_bodies_say_nothing_of_how_it_went(tool: str, body: str) -> None:
    (end,) = of(read(f"A:\n[Tool call] {tool}\n\n[Tool result] {tool}\n{body}\n"), CallCompleted)
    assert end.outcome == Outcome(status="unknown", value=body)


@pytest.mark.parametrize("result", ["", "\n[Tool result] LS", "\n[Tool result] LS\n \n\n"])
def test_a_call_without_a_body_is_unrecorded(result: str) -> None:
    events = read(f"assistant:\n[Tool call] LS\n  path: a\n{result}")
    assert of(events, CallStarted, CallCompleted) == []
    assert [each.args for each in of(events, CallUnrecorded)] == [{"path": "a"}]


def test_results_follow_the_calls_of_a_step_in_their_order() -> None:
    text = (
        "assistant:\n[Tool call] Read\n  path: a\n[Tool call] LS\n[Tool call] Read\n  path: b\n\n"
        "[Tool result] Read\nA\n\n[Tool result] LS\n\n[Tool result] Read\nB\n"
    )
    found = of(read(text), CallUnrecorded, CallCompleted)
    assert [(each.name, getattr(each, "outcome", None)) for each in found] == [
        ("Read", Outcome(status="unknown", value="A")),
        ("LS", None),
        ("Read", Outcome(status="unknown", value="B")),
    ]


def test_a_result_of_a_call_nobody_waits_for_is_a_line_of_the_body() -> None:
    text = "assistant:\n[Tool call] Read\n\n[Tool result] Read\nx\n[Tool result] Read\ny\n"
    (end,) = of(read(text), CallCompleted)
    assert end.outcome == Outcome(status="unknown", value="x\n[Tool result] Read\ny")


def test_an_orphan_result_is_noted_and_its_body_shown() -> None:
    events = read("assistant:\n[Tool result] Read\nbody\n")
    assert codes(events) == ["no-clear-marks", "orphan-result"]
    assert texts(events) == ["[Tool result] Read\nbody"]


def test_marks_between_a_call_and_its_result_are_lines_of_a_value() -> None:
    value = "x\n\nuser:\na\n\nassistant:\n[Thinking] b\n\nTurn ended: success."
    text = f"assistant:\n[Tool call] Write\n  contents: {value}\n\n[Tool result] Write\n"
    assert calls(text) == [("Write", {"contents": value})]


def test_a_call_that_was_broken_off_ends_at_the_next_role() -> None:
    text = f"assistant:\n[Tool call] Shell\n  command: ls\n\n{QUERY}assistant:\nDone.\n"
    events = read(text)
    assert [each.args for each in of(events, CallUnrecorded)] == [{"command": "ls"}]
    assert [each.text for each in of(events, PromptSeen)] == ["q"]
    assert texts(events) == ["Done."]


def test_a_call_after_a_role_proves_that_the_role_was_one() -> None:
    text = "assistant:\n[Tool call] Shell\n  command: ls\n\nassistant:\n[Tool call] LS\n\n[Tool result] Shell\n"
    assert calls(text) == [("Shell", {"command": "ls"}), ("LS", "[Tool result] Shell")]


def test_marks_wait_for_a_proof_only_so_long() -> None:
    steps = "assistant:\nhm\n\n" * 300
    events = read(f"assistant:\n[Tool call] Write\n  contents: x\n\n{steps}[Tool result] Write\n")
    assert len(of(events, CallUnrecorded)) == 1
    assert len(texts(events)) == 301


def test_a_query_that_is_never_closed_ends_at_the_next_one() -> None:
    text = f"user:\n<user_query>\nopen\n\nassistant:\nanswer\n\n{QUERY}"
    events = read(text)
    assert [each.text for each in of(events, PromptSeen)] == ["open", "q"]
    assert texts(events) == ["answer"]


def test_a_prompt_may_hold_every_mark_of_a_step() -> None:
    text = "user:\nsee\n[Thinking] a\n[Tool call] Read\n[Tool result] Read\n\nassistant:\nok\n"
    (prompt,) = of(read(text), PromptSeen)
    assert prompt.text == "see\n[Thinking] a\n[Tool call] Read\n[Tool result] Read"


@pytest.mark.parametrize(
    ("line", "status", "reason"),
    [
        ("Turn ended: success.", "success", None),
        ("Turn ended: Error. Out of usage.", "error", "Out of usage"),
        ("Turn ended: aborted", "aborted", None),
        ("Turn ended: error: no (really).", "error", "no (really)"),
    ],
)
def test_a_turn_ends_with_its_word(line: str, status: str, reason: str | None) -> None:
    (end,) = of(read(f"assistant:\nok\n\n{line}\n"), TurnEnded)
    assert (end.status, end.reason) == (status, reason)


def test_a_sentence_that_only_begins_like_an_end_is_text() -> None:
    assert texts(read("assistant:\nok\n\nTurn ended: \n")) == ["ok\n\nTurn ended:"]
    assert texts(read("assistant:\nTurn ended: success.\n")) == ["Turn ended: success."]


# -- values -------------------------------------------------------------------------------------


def args(tool: str, text: str) -> Any:
    return arguments(tool, text.split("\n"))


def test_a_value_goes_on_at_column_0_with_its_blank_lines() -> None:
    text = "  path: a.md\n  contents: # T\n\nbody\n"
    assert args("Write", text) == {"path": "a.md", "contents": "# T\n\nbody\n"}


def test_a_line_of_a_file_that_looks_like_a_key_is_a_line() -> None:
    text = "  contents: a: 1\n  name: x\n  path: y\n  path: z"
    assert args("Write", text) == {"contents": "a: 1\n  name: x", "path": "y\n  path: z"}


def test_an_unknown_tool_has_any_key_while_no_text_is_open() -> None:
    assert args("Brew", "  leaf: green\n  steep: 3m") == {"leaf": "green", "steep": "3m"}
    assert args("Brew", "  prompt: x\n  steep: 3m") == {"prompt": "x", "steep": "3m"}
    assert args("Brew", "  prompt: x\ny\n  steep: 3m") == {"prompt": "x\ny\n  steep: 3m"}
    assert args("Brew", "  prompt: x\ny\n  model: m") == {"prompt": "x\ny", "model": "m"}


def test_numbers_flags_and_lists_are_what_they_are_only_where_they_are_meant() -> None:
    text = '  offset: -5\n  -A: 3\n  -i: true\n  pattern: 12\n  paths: ["a", "b"]\n  limit: 1e3'
    assert args("Grep", text) == {
        "offset": -5,
        "-A": 3,
        "-i": True,
        "pattern": "12",
        "paths": ["a", "b"],
        "limit": "1e3",
    }


@pytest.mark.parametrize(
    "value",
    ["[not json", '{"a":1,"a":2}', "[NaN]", '["\\ud800"]', "[" * 500 + "]" * 500],
)
def test_a_list_that_would_lose_something_stays_text(value: str) -> None:
    assert args("TodoWrite", f"  todos: {value}") == {"todos": value}


def test_a_patch_without_a_key_is_the_input_itself() -> None:
    assert args("ApplyPatch", "*** Begin Patch\n  path: a\n*** End Patch") == (
        "*** Begin Patch\n  path: a\n*** End Patch"
    )


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_no_lines_are_no_arguments(text: str) -> None:
    assert args("LS", text) == {}


def test_a_key_without_a_value_has_an_empty_one() -> None:
    assert args("Write", "\n  path:\n  contents: ") == {"path": "", "contents": ""}


# -- odd bytes ----------------------------------------------------------------------------------


def test_line_ends_marks_and_bad_bytes_are_named() -> None:
    events = read(b"\xef\xbb\xbfuser:\r\nhi \xff\r\n")
    assert codes(events) == ["no-clear-marks", "crlf", "byte-order-mark", "crlf", "invalid-utf8"]
    assert [each.problem for each in of(events, Noted)] == [False, False, False, False, True]
    assert [each.text for each in of(events, PromptSeen)] == ["hi \ufffd"]


def test_a_replacement_character_of_the_file_itself_is_no_problem() -> None:
    assert codes(read("user:\n\ufffd\n")) == ["no-clear-marks"]


def test_a_line_over_the_limit_is_named_with_its_size() -> None:
    events = read("assistant:\n" + "x" * 5000 + "\nok\n", limit=100)
    assert codes(events) == ["no-clear-marks", "line-too-long"]
    assert texts(events) == ["ok"]


# -- properties ---------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        "user:", "assistant:", "A:", "", "", "[Thinking] hm", "[Thinking] ", "[Tool call] Write",
        "[Tool call] Brew", "[Tool call] Read", "[Tool result] Write", "[Tool result] Brew",
        "[Tool result] Read", "  path: a.md", "  contents: # T", "  offset: 12", "  leaf: green",
        '  todos: [{"id":"1"}]', "  -i: true", "<user_query>", "</user_query>", "Turn ended: success.",
        "Turn ended: error. No more.", "*** Begin Patch", "  indented", "- list", "```", "a line",
    ]
)  # fmt: skip
LINES = st.lists(PIECES | st.text("ab :[]\u2028é", max_size=12), max_size=30)
TAG = re.compile("</?[a-z]+_[a-z]+>")
MARKS = ("user:", "assistant:", "A:", "[Tool call] ", "[Tool result] ")


def told(events: list[AnyEvent]) -> str:
    """Everything the events hold, arguments as text and as JSON."""
    parts: list[str] = []
    for event in events:
        match event:
            case PromptSeen():
                parts += [event.text, *(f"{part.tag} {part.text}" for part in event.context)]
            case TextSeen() | ThoughtSeen():
                parts.append(event.text)
            case CallUnrecorded() | CallStarted():
                parts += [event.name, *spelled(event.args)]
            case CallCompleted():
                parts += [event.name, event.outcome.value if event.outcome else ""]
            case TurnEnded():
                parts += [event.status, event.reason or ""]
            case _:
                pass
    return "\n".join(parts)


def spelled(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [line for key, each in value.items() for line in [key, *spelled(each)]]
    return [value if isinstance(value, str) else dumped(value)]


def dumped(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def same(text: str) -> str:
    """JSON in the one spelling that is looked for; another text as it is."""
    try:
        return dumped(json.loads(text)) if text.startswith(("[", "{")) else text
    except ValueError:
        return text


def words(line: str) -> list[str]:
    """What has to be found of a line: without the mark or the key in front of it."""
    line = line.removeprefix("[Thinking] ").removeprefix("[Thinking]")
    if line.rstrip() in MARKS or line.startswith(MARKS[3:]):
        return []
    if line.startswith("Turn ended: "):
        line = TAG.sub(" ", line.removeprefix("Turn ended: "))
        return re.findall(r"\w+", line.lower())
    if line.startswith("  ") and ":" in line:
        return [same(word.strip()) for word in line.split(":", 1)]
    return [part.strip() for part in TAG.split(line)]


def lost(lines: list[str], events: list[AnyEvent]) -> list[str]:
    whole = told(events)
    return [
        line
        for line in lines
        if line.strip() not in whole
        and not all(word in whole or word in whole.lower() for word in words(line))
    ]


@STEADY
@given(LINES)
def test_every_line_is_in_some_event(lines: list[str]) -> None:
    assert lost(lines, read("\n".join(lines))) == []


@STEADY
@given(LINES)
def test_every_line_of_a_transcript_is_in_some_event(lines: list[str]) -> None:
    step = ["user:", "<user_query>", "q", "</user_query>", "", "assistant:", *lines]
    assert lost(step, read("\n".join(step))) == []


@STEADY
@given(LINES)
def test_every_call_mark_is_a_call_or_a_line(lines: list[str]) -> None:
    text = "\n".join(["assistant:", *lines])
    events = read(text)
    marks = sum(line.startswith("[Tool call] ") for line in lines)
    quoted = told(events).count("[Tool call] ")
    assert len(of(events, CallUnrecorded, CallCompleted)) + quoted == marks


@STEADY
@given(
    path=st.sampled_from(FIXTURES),
    at=st.floats(0, 1),
    length=st.integers(0, 9),
    new=st.binary(max_size=6),
)
def test_a_mutilated_file_loses_no_line_it_still_has(
    path: Path, at: float, length: int, new: bytes
) -> None:
    data = path.read_bytes()
    place = int(len(data) * at)
    changed = data[:place] + new + data[place + length :]
    lines = [line.data.decode("utf-8", "replace") for line in split_lines([changed])]
    assert lost(lines, read(changed)) == []


@STEADY
@given(path=st.sampled_from(FIXTURES), at=st.floats(0, 1))
def test_any_prefix_of_a_file_is_read_or_not_recognised(
    tmp_path_factory: pytest.TempPathFactory, path: Path, at: float
) -> None:
    data = path.read_bytes()
    cut = tmp_path_factory.mktemp("cut") / "cut.txt"
    cut.write_bytes(data[: int(len(data) * at)])
    try:
        events = list(open_source(str(cut)).events())
    except ReplayError:  # cut off before anything that tells what it is
        assert not legacy_txt.fits(cut.read_bytes())
        return
    assert lost(cut.read_bytes().decode("utf-8", "replace").split("\n"), events) == []
