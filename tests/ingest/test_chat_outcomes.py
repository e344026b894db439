"""A chat store's results: green only what is recorded as a success, and nothing lost."""

import json
from typing import Any

import pytest
from ingest_words import codes, of, texts

from cursor_replay.events import AnyEvent, CallCompleted, CallStarted, PromptSeen, ThoughtSeen
from cursor_replay.ingest.formats.chat.messages import Decoder, Message
from cursor_replay.items import Card, Evidence
from cursor_replay.normalize.normalizer import Normalizer

ARGS = {
    "Read": {"path": "a"}, "Write": {"path": "a", "contents": "q"}, "Grep": {"pattern": "p"},
    "Task": {"description": "d", "prompt": "p"}, "Shell": {"command": "make"},
    "Edit": {"path": "a"},
}  # fmt: skip
UP = [True, "true", "True", 1, "1"]
DOWN = [False, "false", 0, "0"]
RAN = {"command": "make", "executionTime": 5, "interleavedOutput": "x"}


def decoded(*messages: dict[str, Any]) -> list[AnyEvent]:
    decoder = Decoder()
    found: list[AnyEvent] = []
    for number, each in enumerate(messages, 1):
        at = Evidence(file="store.db", line=number)
        found += decoder.feed(Message.model_validate(each), at)
    return [*found, *decoder.close(Evidence(file="store.db", line=1))]


def asked(name: str, call_id: Any = "c") -> dict[str, Any]:
    part = {"type": "tool-call", "toolCallId": call_id, "toolName": name, "args": ARGS[name]}
    return {"role": "assistant", "content": [part]}


def answered(result: Any, high: Any = None, /, call_id: Any = "c", **part: Any) -> dict[str, Any]:
    held = {"type": "tool-result", "toolCallId": call_id, "result": result, **part}
    options = {} if high is None else {"cursor": {"highLevelToolCallResult": high}}
    return {"role": "tool", "content": [held], "providerOptions": options}


def cards(*messages: dict[str, Any]) -> list[Card]:
    normalizer = Normalizer(file="store.db")
    items = [item for event in decoded(*messages) for item in normalizer.feed(event)]
    return [each for each in (*items, *normalizer.close()) if isinstance(each, Card)]


def card(name: str, *result: Any, **part: Any) -> Card:
    (made,) = cards(asked(name), answered(*result, toolName=name, **part))
    return made


def shown(made: Card) -> str:
    return "".join(part.text for part in made.content)


@pytest.mark.parametrize("flag", UP)
@pytest.mark.parametrize("where", ["isError", "is_error", "high"])
@pytest.mark.parametrize(
    ("name", "result", "output"),
    [
        ("Shell", "Exit code: 0\n\nok", None),
        ("Shell", "Exit code: 0\n\nok", {"success": {**RAN, "exitCode": 0}}),
        ("Read", "bad", None),
        ("Read", "bad", {"success": {"content": "abc"}}),
        ("Read", "", None),
        ("Edit", "x", {"success": {}}),
    ],
)
def test_an_error_flag_is_a_failure_whatever_stands_beside_it(
    name: str, result: str, output: Any, where: str, flag: Any
) -> None:
    high = {"output": output} if output else {}
    if where == "high":
        made = card(name, result, {**high, "isError": flag})
    else:
        made = card(name, result, high, **{where: flag})
    assert made.status == "failed"
    assert result in shown(made)


@pytest.mark.parametrize("flag", [*DOWN, None])
@pytest.mark.parametrize(
    ("result", "output"),
    [
        ("Exit code: 1\n\nx", {"success": RAN}),
        ("Exit code: 1\n\nx", {"success": {**RAN, "exitCode": 0}}),
        ("Exit code: 1\n\nx", {"success": {}}),
        ("Exit code: 1\n\nx", None),
        ("  Exit code: 1 x", None),
        ("x\nCommand exited with code 1", None),
        ([{"type": "text", "text": "Exit code: 1\n\nx"}], None),
        ({"exitCode": 1, "stdout": "x"}, None),
        ({"exitCode": "1", "stdout": "x"}, None),
        ("x", {"success": {**RAN, "exitCode": "1"}}),
        ("x", {"failure": {**RAN, "exitCode": 1}}),
    ],
)
def test_an_exit_code_is_a_failure_whatever_stands_beside_it(
    result: Any, output: Any, flag: Any
) -> None:
    made = card("Shell", result, {"output": output, "isError": flag})
    assert (made.status, made.reason) == ("failed", "Command exited with code 1")
    assert "x" in shown(made)


@pytest.mark.parametrize("name", ["Read", "Write", "Task", "Grep", "Shell"])
@pytest.mark.parametrize("result", ["", None, {}, []])
@pytest.mark.parametrize("high", [None, {}, {"output": {}}, {"output": None}, {"output": ""}])
def test_an_empty_result_without_a_word_is_unrecorded(name: str, result: Any, high: Any) -> None:
    assert card(name, result, high).status == "unrecorded"


def test_an_empty_result_of_a_shell_is_a_success_only_with_its_exit_code() -> None:
    for high in ({"output": {"success": {}}}, {"isError": False}):
        made = card("Shell", "", high)
        assert (made.status, shown(made)) == ("unrecorded", "")
    for result, high in (("", {"output": {"success": {"exitCode": 0}}}), ("Exit code: 0", None)):
        assert card("Shell", result, high).status == "succeeded"


@pytest.mark.parametrize("flag", DOWN)
@pytest.mark.parametrize("name", ["Read", "Write", "Task", "Grep", "Shell"])
def test_a_flag_that_says_no_error_is_a_success(name: str, flag: Any) -> None:
    assert card(name, "ok", isError=flag).status == "succeeded"
    assert card(name, "ok", {"isError": flag}).status == "succeeded"


@pytest.mark.parametrize("name", ["Read", "Write", "Task", "Grep", "Shell"])
@pytest.mark.parametrize("result", ["Error: not found", "ok", [{"type": "text", "text": "ok"}]])
def test_a_text_alone_is_shown_and_no_success(name: str, result: Any) -> None:
    made = card(name, result)
    assert made.status == "unrecorded"
    assert name == "Write" or ("ok" in shown(made)) == ("Error" not in result)


@pytest.mark.parametrize("name", ["Read", "Grep", "Shell"])
@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"error": "boom"}, "boom"),
        ({"error": {"message": "boom"}}, "boom"),
        ({"error": "boom", "output": "o"}, "boom"),
        ({"success": False, "error": "boom"}, "boom"),
        ({"success": "false", "message": "boom"}, "boom"),
        ({"status": "timeout", "message": "boom"}, "boom"),
        ({"status": "error", "error": "boom"}, "boom"),
        ({"rejected": {"reason": "boom"}}, "rejected: boom"),
        ({"isError": "true", "content": [{"type": "text", "text": "boom"}]}, "boom"),
    ],
)
@pytest.mark.parametrize("flag", [None, False])
def test_an_object_that_tells_a_failure_is_one(
    name: str, result: Any, words: str, flag: Any
) -> None:
    made = card(name, result, {"isError": flag})
    assert (made.status, made.reason) == ("failed", words)
    inside = card(name, "as shown", {"output": {"success": result}, "isError": flag})
    assert inside.status == "failed" or result.get("status")


@pytest.mark.parametrize(
    ("result", "status"),
    [
        ({"exitCode": 0, "stdout": "x"}, "succeeded"),
        ({"stdout": "x"}, "unrecorded"),
        ({"success": True, "stdout": "x"}, "succeeded"),
        ({"success": {"stdout": "x"}}, "succeeded"),
    ],
)
def test_an_object_is_a_success_when_it_says_so(result: Any, status: str) -> None:
    made = card("Shell", result)
    assert made.status == status
    assert "x" in shown(made)


def test_a_structured_output_of_no_known_form_is_shown_and_no_success() -> None:
    assert card("Read", "", {"output": {"later": "x"}}).status == "unrecorded"
    assert card("Read", "", {"output": {"success": True}}).status == "succeeded"
    assert card("Read", "", {"output": {"success": False}}).status == "failed"
    made = card("Read", "", {"output": "only here"})
    assert (made.status, shown(made)) == ("unrecorded", "only here")


@pytest.mark.parametrize("named", [{}, {"toolName": None}, {"toolName": "mcp_shell"}])
def test_a_result_belongs_to_the_tool_of_its_call(named: Any) -> None:
    (made,) = cards(asked("Shell"), answered("Exit code: 7\n\nfoo", **named))
    assert (made.source_tool, made.status) == ("shell", "failed")
    assert made.reason == "Command exited with code 7"


@pytest.mark.parametrize("call_id", [5, 0, "5"])
def test_an_id_may_be_a_number(call_id: Any) -> None:
    events = decoded(asked("Shell", call_id), answered("x", call_id=call_id))
    ids = [each.call_id for each in of(events, CallStarted, CallCompleted)]
    assert ids == [str(call_id), str(call_id)]


@pytest.mark.parametrize("flag", [True, False])
def test_of_one_flag_for_two_results_nobody_knows_whose_it_is(flag: bool) -> None:  # noqa: FBT001 - a parameter of the test
    message = answered("A", {"isError": flag, "output": {"error": {"error": "which?"}}})
    message["content"] += answered("B", call_id="d")["content"]
    messages = (asked("Read"), asked("Read", "d"), message)
    assert [(each.status, shown(each)) for each in cards(*messages)] == [
        ("unrecorded", "A"),
        ("unrecorded", "B"),
    ]
    assert codes(decoded(*messages)) == ["shared-outcome"]


def test_a_result_beside_another_keeps_its_own_flag() -> None:
    message = answered("A", {"isError": True}, isError=False)
    message["content"] += answered("B", call_id="d", isError=True)["content"]
    found = cards(asked("Read"), asked("Read", "d"), message)
    assert [each.status for each in found] == ["succeeded", "failed"]


# -- nothing is lost --------------------------------------------------------------------------

ODD = [["lost"], {"a": "lost"}, 5, True, [{"b": ["lost"]}]]


@pytest.mark.parametrize("value", ODD)
def test_a_text_of_another_type_is_shown_as_json(value: Any) -> None:
    compact = json.dumps(value, separators=(",", ":"))
    part = {"type": "text", "text": value}
    assert texts(decoded({"role": "assistant", "content": part})) == [compact]
    assert texts(decoded({"role": "assistant", "content": [part]})) == [compact]
    (prompt,) = of(decoded({"role": "user", "content": [part]}), PromptSeen)
    assert prompt.text == compact
    thought = {"type": "reasoning", "text": value, "signature": "opaque"}
    (said,) = of(decoded({"role": "assistant", "content": [thought]}), ThoughtSeen)
    assert (said.text, said.removed) == (compact, False)


@pytest.mark.parametrize("leaf", [{"id": "q", "function": {"name": "Shell", "arguments": "{}"}}])
def test_one_call_may_stand_without_a_list(leaf: Any) -> None:
    for calls in (leaf, [leaf]):
        events = decoded({"role": "assistant", "content": "", "tool_calls": calls})
        assert [(each.call_id, each.name) for each in of(events, CallStarted)] == [("q", "Shell")]
        assert not codes(events)


@pytest.mark.parametrize("calls", ["text", 7, ["text"], [7], [["a"]], {"a": 1}, [{}]])
def test_calls_of_another_form_are_a_problem(calls: Any) -> None:
    events = decoded({"role": "assistant", "content": "a", "tool_calls": calls})
    assert (texts(events), codes(events)) == (["a"], ["unknown-block"])


@pytest.mark.parametrize(
    "content",
    ["said", ["said"], [{"type": "text", "text": "said"}], {"type": "text", "text": "said"}],
)
@pytest.mark.parametrize("name", [None, "Shell"])
def test_a_tools_text_without_an_id_is_a_result_without_its_call(content: Any, name: Any) -> None:
    message = {"role": "tool", "content": content, "name": name}
    assert not texts(decoded(message))
    assert codes(decoded(message)) == ["orphan-result"]
    (made,) = cards(message)
    assert made.status == "unrecorded"
    assert "said" in shown(made)


def test_an_empty_text_of_a_tool_is_said_without_a_card() -> None:
    message = {"role": "tool", "content": [{"type": "text", "text": ""}]}
    assert codes(decoded(message)) == ["orphan-result"]
    assert not cards(message)


@pytest.mark.parametrize("flag", UP)
@pytest.mark.parametrize("key", ["isError", "is_error"])
@pytest.mark.parametrize("call_id", ["c", 5])
def test_an_openai_result_may_say_that_it_failed(call_id: Any, key: str, flag: Any) -> None:
    leaf = {"role": "tool", "tool_call_id": call_id, "content": "no", key: flag}
    (made,) = cards(asked("Read", call_id), leaf)
    assert (made.status, made.reason) == ("failed", "no")


@pytest.mark.parametrize("name", ["default", "Default"])
def test_the_default_is_no_model(name: str) -> None:
    options = {"cursor": {"modelName": name}}
    part = {"type": "reasoning", "text": "Hm.", "providerOptions": options}
    events = decoded({"role": "assistant", "content": [part]})
    assert [type(each) for each in events] == [ThoughtSeen]
