"""Protobuf tool calls: both encodings, and every spelling of a result."""

from typing import Any

import pytest

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.sdk.proto import decode_call, decode_result
from cursor_replay.items import Time


def oneof(case: str, value: Any) -> dict[str, Any]:
    return {"case": case, "value": value}


@pytest.mark.parametrize(
    "call",
    [
        {"readToolCall": {"args": {"path": "a"}}, "toolCallId": "t", "hookAdditionalContexts": []},
        {"toolCallId": "t", "readToolCall": {"args": {"path": "a"}}},
        {"tool": oneof("readToolCall", {"args": {"path": "a"}}), "toolCallId": "t"},
        {**oneof("readToolCall", {"args": {"path": "a"}}), "toolCallId": "t"},
    ],
)
def test_a_tool_is_found_in_every_encoding(call: dict[str, Any]) -> None:
    found = decode_call(call)
    assert (found.name, found.args, found.outcome, found.call_id) == (
        "read",
        {"path": "a"},
        None,
        "t",
    )


def test_the_id_may_stand_in_the_arguments() -> None:
    assert decode_call({"webSearchToolCall": {"args": {"toolCallId": "w"}}}).call_id == "w"
    assert decode_call({"webSearchToolCall": {"args": None}}).call_id is None
    assert decode_call({"webSearchToolCall": {"args": {}}, "toolCallId": ""}).call_id is None


def test_times_are_int64_strings() -> None:
    found = decode_call({"lsToolCall": {}, "startedAtMs": "1000", "completedAtMs": 2000})
    assert found.started == Time(at="1970-01-01T00:00:01.000Z")
    assert found.completed == Time(at="1970-01-01T00:00:02.000Z")
    assert decode_call({"lsToolCall": {}, "startedAtMs": "soon"}).started is None


@pytest.mark.parametrize("call", [{}, {"toolCallId": "t"}, {"readToolCall": "x"}, {"tool": 5}])
def test_a_nameless_call_is_unknown(call: dict[str, Any]) -> None:
    assert decode_call(call).name == "unknown"


@pytest.mark.parametrize(
    ("arguments", "args"),
    [
        ('{"cups": 2}', {"cups": 2}),
        ('{"cups": ', '{"cups": '),
        ({"cups": 2}, {"cups": 2}),
        (None, None),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_the_function_form_has_arguments_in_a_string(arguments: Any, args: Any) -> None:
    found = decode_call({"function": {"name": "brew_tea", "arguments": arguments}})
    assert (found.name, found.args, found.outcome) == ("brew_tea", args, None)


def test_the_function_form_may_have_a_result_beside_it() -> None:
    found = decode_call({"function": {"name": "brew_tea"}, "result": {"success": {"cups": 2}}})
    assert found.outcome == Outcome(status="success", value={"cups": 2})


def outcome(result: Any, tool: str = "read") -> Outcome:
    found = decode_call({f"{tool}ToolCall": {"args": {}, "result": result}}).outcome
    assert found is not None
    return found


@pytest.mark.parametrize(
    "result",
    [
        {"success": {"content": "A"}},
        {"result": oneof("success", {"content": "A"})},
        {"result": {"success": {"content": "A"}}},
        {"sandboxPolicy": {"type": "X"}, "success": {"content": "A"}},
        {"success": {"content": "A"}, "pid": 7, "terminalsFolder": "/t"},
        {"status": "success", "value": {"content": "A"}},
    ],
)
def test_a_success_is_found_in_every_spelling(result: dict[str, Any]) -> None:
    assert outcome(result) == Outcome(status="success", value={"content": "A"})


@pytest.mark.parametrize(
    ("tool", "result", "words"),
    [
        ("read", {"error": {"errorMessage": "File not found"}}, "File not found"),
        ("edit", {"error": {"path": "a", "error": "no", "modelVisibleError": "No!"}}, "no"),
        ("edit", {"error": {"path": "a", "modelVisibleError": "No!"}}, "No!"),
        ("edit", {"fileNotFound": {"path": "a"}}, "file not found"),
        ("edit", {"writePermissionDenied": {"error": "ro"}}, "write permission denied: ro"),
        ("delete", {"permissionDenied": {"clientVisibleError": "ro"}}, "permission denied: ro"),
        ("shell", {"rejected": {"reason": "User rejected"}}, "rejected: User rejected"),
        ("shell", {"rejected": {"reason": "rejected"}}, "rejected"),
        ("shell", {"rejected": {}}, "rejected"),
        ("shell", {"timeout": {"timeoutMs": 30000}}, "timeout after 30000 ms"),
        ("ls", {"timeout": {"directoryTreeRoot": {}}}, "timeout"),
        ("shell", {"spawnError": {"error": "ENOENT"}}, "spawn error: ENOENT"),
        ("mcp", {"permissionDenied": {"error": "policy"}}, "permission denied: policy"),
        ("recordScreen", {"failure": {"error": "No display"}}, "No display"),
        ("webFetch", {"error": {"url": "u", "error": "HTTP 503"}}, "HTTP 503"),
        ("grep", {"error": "bare text"}, "bare text"),
        ("grep", {"rejected": "bare text"}, "rejected: bare text"),
        ("grep", {"error": {}}, "error"),
        ("grep", {"result": oneof("error", {"error": "no"})}, "no"),
        ("brewTea", {"quotaExceeded": {}}, "quota exceeded"),
    ],
)
def test_every_error_case_has_its_words(tool: str, result: dict[str, Any], words: str) -> None:
    found = outcome(result, tool)
    assert (found.status, found.error) == ("error", words)


def test_a_failed_command_is_a_finished_one() -> None:
    body = {"exitCode": 2, "stderr": "boom"}
    assert outcome({"failure": body}, "shell") == Outcome(status="success", value=body)
    assert outcome({"failure": body}, "piBash").status == "success"
    assert outcome({"failure": body}, "recordScreen").status == "error"


def test_siblings_that_say_something_are_kept() -> None:
    assert outcome({"success": {"stdout": ""}, "isBackground": True}, "shell").value == {
        "stdout": "",
        "isBackground": True,
    }
    assert outcome({"success": {}, "planUri": "file:///p"}, "createPlan").value == {
        "planUri": "file:///p"
    }
    assert outcome({"success": {"stdout": ""}, "isBackground": False}, "shell").value == {
        "stdout": ""
    }


@pytest.mark.parametrize(
    "case", ["startSuccess", "saveSuccess", "discardSuccess", "complete", "stillRunning"]
)
def test_other_good_cases_keep_their_name(case: str) -> None:
    assert outcome({case: {"path": "a"}}) == Outcome(
        status="success", value={"path": "a", "case": case}
    )


def test_an_asynchronous_question_is_a_success() -> None:
    assert outcome({"async": {}}, "askQuestion") == Outcome(status="success", value={})


def test_nested_oneofs_are_folded() -> None:
    value = {
        "output": oneof("content", "A"),
        "list": [oneof("text", {"text": "x"}), 5],
        "plain": {"case": "upper"},
        "odd": oneof(None, 1),  # type: ignore[arg-type]
    }
    assert outcome({"result": oneof("success", value)}).value == {
        "content": "A",
        "list": [{"text": {"text": "x"}}, 5],
        "plain": {"case": "upper"},
        "odd": {"case": None, "value": 1},
    }


@pytest.mark.parametrize("empty", [None, {}, "", []])
def test_no_result_is_no_outcome(empty: Any) -> None:
    assert decode_call({"readToolCall": {"result": empty}}).outcome is None


@pytest.mark.parametrize("empty", [None, {}])
def test_an_empty_result_claims_nothing(empty: Any) -> None:
    assert decode_result(empty, tool="shell") is None


@pytest.mark.parametrize("word", ["cancelled", "rejected", "failed", "denied", "timeout"])
def test_a_status_word_that_means_no_success_is_none(word: str) -> None:
    bare = decode_result({"status": word}, tool="shell")
    assert bare == Outcome(status="error", error=word)
    told = decode_result({"status": word, "message": "by the user", "value": {}}, tool="shell")
    assert told == Outcome(status="error", error="by the user", value={})


def test_the_envelope_of_the_sdk_is_taken_off() -> None:
    assert decode_result({"status": "success", "value": 5}, tool="read") == Outcome(
        status="success", value=5
    )
    assert decode_result({"status": "error", "error": {"message": "no"}}, tool="read") == Outcome(
        status="error", error={"message": "no"}
    )


@pytest.mark.parametrize(
    "value",
    [
        "hello",
        ["a"],
        5,
        {"status": "done", "text": "x"},
        {"content": "A", "totalLines": 1},
        {"workspaceResults": {"/w": {"type": "files", "output": {"files": []}}}},
        {"directoryTreeRoot": {"absPath": "/w"}},
        {"message": "boom"},
        {"status": "failed", "taskId": "t"},
    ],
)
def test_a_bare_value_of_the_sdk_is_the_value_and_has_no_status(value: Any) -> None:
    assert decode_result(value, tool="read") == Outcome(value=value)
