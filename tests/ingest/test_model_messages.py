from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ingest_words import codes, of, texts

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    Outcome,
    PromptSeen,
    SessionSeen,
    ThoughtSeen,
)
from cursor_replay.ingest.formats.chat.messages import Decoder, Message
from cursor_replay.ingest.formats.chat.results import decode_tool_result, without_bytes
from cursor_replay.items import ContextPart, Evidence

HEX = {"__type": "Uint8Array", "hex": "89504e47"}


def decoded(*messages: dict[str, Any], model: str | None = None) -> list[AnyEvent]:
    decoder = Decoder(model=model)
    events: list[AnyEvent] = []
    for number, message in enumerate(messages, 1):
        events += decoder.feed(
            Message.model_validate(message), Evidence(file="store.db", line=number, row="ab")
        )
    return [*events, *decoder.close(Evidence(file="store.db", line=len(messages)))]


def assistant(*parts: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(parts), "id": "1"}


def call(call_id: Any, name: Any = "Shell", args: Any = None) -> dict[str, Any]:
    return {"type": "tool-call", "toolCallId": call_id, "toolName": name, "args": args}


def answer(call_id: Any, **more: Any) -> dict[str, Any]:
    part = {"type": "tool-result", "toolCallId": call_id, "toolName": "Shell", **more}
    return {"role": "tool", "content": [part], "id": call_id}


def high(output: Any, *, is_error: Any = False) -> dict[str, Any]:
    return {"highLevelToolCallResult": {"output": output, "isError": is_error}}


def outcome(result: Any = None, output: Any = None, is_error: Any = None, **part: Any) -> Outcome:
    cursor = {} if output is None and is_error is None else high(output, is_error=is_error)
    found = decode_tool_result({"toolName": "Read", "result": result, **part}, cursor)
    assert found is not None
    return found


def test_the_system_prompt_is_counted_and_never_shown() -> None:
    events = decoded(
        {"role": "system", "content": "private rules"},
        {"role": "developer", "content": [{"type": "text", "text": "x"}]},
    )
    assert [event.message for event in of(events, Noted)] == [
        "a system prompt of 13 characters, not shown",
        "a system prompt of 1 character, not shown",
    ]
    assert "private" not in repr(events)


def test_context_waits_for_the_text_it_belongs_to() -> None:
    events = decoded(
        {"role": "user", "content": "<user_info>\nlinux\n</user_info>"},
        {"role": "user", "content": "<user_query>\nGo\n</user_query>"},
    )
    (prompt,) = of(events, PromptSeen)
    assert (prompt.text, prompt.context) == ("Go", (ContextPart(tag="user_info", text="linux"),))


def test_context_that_nothing_follows_is_a_record_nobody_typed() -> None:
    events = decoded(
        {"role": "user", "content": "<user_info>\nlinux\n</user_info>"}, assistant("x")
    )
    assert [type(event).__name__ for event in events] == ["PromptSeen", "TextSeen"]
    assert of(events, PromptSeen)[0].author == "cursor"


def test_the_texts_of_one_user_message_are_one_prompt() -> None:
    parts = [{"type": "text", "text": "<user_info>\nlinux\n</user_info>"}, "Go"]
    (prompt,) = decoded({"role": "user", "content": parts})
    assert isinstance(prompt, PromptSeen)
    assert prompt.text == "Go"


def test_images_and_files_are_said_without_a_byte_of_them() -> None:
    parts = [
        {"type": "image", "image": HEX},
        {"type": "file", "filename": "a]\nb.pdf", "data": "JVBE"},
        {"type": "file", "mediaType": "audio/wav"},
        {"type": "file"},
        {"type": "text", "text": "See."},
    ]
    (prompt,) = of(decoded({"role": "user", "content": parts}), PromptSeen)
    assert (
        prompt.text == "[Image]\n[File: a) b.pdf]\n[File: audio/wav]\n[File: without a name]\nSee."
    )


def test_an_image_alone_is_a_prompt() -> None:
    (prompt,) = decoded({"role": "user", "content": {"type": "image", "image": HEX}})
    assert isinstance(prompt, PromptSeen)
    assert prompt.text == "[Image]"


def test_other_parts_of_a_user_message_are_not_lost() -> None:
    events = decoded({"role": "user", "content": [{"type": "video"}, 7]})
    assert codes(events) == ["unknown-block", "unknown-block"]
    assert not of(events, PromptSeen)


def test_an_empty_user_message_is_an_empty_prompt() -> None:
    assert [event.text for event in of(decoded({"role": "user"}), PromptSeen)] == [""]


def test_assistant_parts_keep_their_place() -> None:
    events = decoded(assistant("a", {"type": "text", "text": "b"}, {"type": "text", "text": 3}))
    assert texts(events) == ["a", "b", "3"]
    assert [event.origin.block for event in events] == [0, 1, 2]
    assert {event.origin.row for event in events} == {"ab"}


def test_a_signature_is_shown_nowhere_and_without_a_text_means_removed_thinking() -> None:
    events = decoded(
        assistant(
            {"type": "reasoning", "text": "Hm.", "signature": "opaque-1"},
            {"type": "reasoning", "text": " ", "signature": "opaque-2"},
            {"type": "reasoning"},
            {"type": "redacted-reasoning", "data": "opaque-3"},
        )
    )
    thoughts = of(events, ThoughtSeen)
    assert [(each.text, each.removed) for each in thoughts] == [
        ("Hm.", False), ("", True), ("", False), ("", True),
    ]  # fmt: skip
    assert "opaque" not in repr(events)


def test_thinking_inside_a_text_counts_only_in_front() -> None:
    events = decoded(
        assistant("<think>\nHm.\n</think>\nSo.", "Write <think>x</think>.", "<think>no end")
    )
    assert [each.text for each in of(events, ThoughtSeen)] == ["Hm."]
    assert texts(events) == ["So.", "Write <think>x</think>.", "<think>no end"]


def test_a_message_names_the_model_only_where_the_store_does_not() -> None:
    part = {
        "type": "reasoning",
        "text": "Hm.",
        "providerOptions": {"cursor": {"modelName": "m-1"}},
    }
    assert [each.model for each in of(decoded(assistant(part, part)), SessionSeen)] == ["m-1"]
    assert not of(decoded(assistant(part), model="m-2"), SessionSeen)


def test_a_summary_is_a_compaction_and_nobody_typed_it() -> None:
    message = {
        "role": "user",
        "content": "All so far.",
        "providerOptions": {"cursor": {"isSummary": True}},
    }
    noted, prompt = decoded(message)
    assert isinstance(noted, Noted)
    assert isinstance(prompt, PromptSeen)
    assert (noted.code, noted.level) == ("compaction", "info")
    assert (prompt.author, prompt.text) == ("cursor", "")
    assert prompt.context == (ContextPart(tag="conversation_summary", text="All so far."),)


def test_an_attachment_in_an_answer_is_said() -> None:
    (noted,) = decoded(assistant({"type": "file", "filename": "a.csv"}))
    assert isinstance(noted, Noted)
    assert (noted.message, noted.problem) == ("[File: a.csv] in an answer", False)


@pytest.mark.parametrize("role", [None, 7, "robot"])
def test_a_message_of_an_unknown_role_is_a_problem(role: Any) -> None:
    (noted,) = decoded({"role": role, "content": "x"})
    assert isinstance(noted, Noted)
    assert (noted.code, noted.problem) == ("unknown-record", True)


@pytest.mark.parametrize("role", ["assistant", "tool"])
@pytest.mark.parametrize("content", [None, "", []])
def test_a_message_without_content_is_said(role: str, content: Any) -> None:
    assert codes(decoded({"role": role, "content": content})) == ["empty-record"]


def test_a_result_answers_the_call_with_its_id_also_with_a_newline_in_it() -> None:
    started, completed = decoded(
        assistant(call("call_1\nfc_1", args={"command": "ls"})), answer("call_1\nfc_1", result="a")
    )
    assert isinstance(started, CallStarted)
    assert isinstance(completed, CallCompleted)
    assert started.call_id == completed.call_id == "call_1\nfc_1"
    assert (started.args, completed.args) == ({"command": "ls"}, None)


def test_an_id_that_is_used_again_is_another_call() -> None:
    events = decoded(
        assistant(call("x")), answer("x", result="1"), assistant(call("x")), answer("x", result="2")
    )
    keys = [event.call_id for event in of(events, CallStarted, CallCompleted)]
    assert keys[0] == keys[1] != keys[2] == keys[3]
    assert not codes(events)


def test_a_second_result_of_one_call_is_a_problem_and_no_card() -> None:
    events = decoded(assistant(call("x")), answer("x", result="1"), answer("x", result="2"))
    assert codes(events) == ["completed-again"]
    assert len(of(events, CallCompleted)) == 1


def test_a_result_whose_call_is_gone_says_what_it_was_about() -> None:
    message = answer("x", result="a")
    message["providerOptions"] = {"cursor": high({"success": {"command": "ls", "exitCode": 0}})}
    (completed,) = of(decoded(message), CallCompleted)
    assert (completed.call_id, completed.args) == ("x", {"command": "ls"})
    (unnamed,) = of(decoded(answer(None, result="a")), CallCompleted)
    assert (unnamed.call_id, unnamed.args) == (None, None)


def test_a_call_without_an_id_or_a_name_is_still_a_call() -> None:
    (started,) = of(decoded(assistant({"type": "tool-call", "input": {"a": 1}})), CallStarted)
    assert (started.call_id, started.name, started.args) == (None, "unknown", {"a": 1})


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        ('{"path": "a"}', {"path": "a"}),
        ("*** Begin Patch", "*** Begin Patch"),
        ("{half", "{half"),
        ({"blob": HEX}, {"blob": "(4 bytes)"}),
        (None, None),
    ],
)
def test_arguments_may_be_json_in_a_string_or_a_text(args: Any, wanted: Any) -> None:
    (started,) = of(decoded(assistant(call("x", args=args))), CallStarted)
    assert started.args == wanted


def test_openai_leaves_are_calls_and_results() -> None:
    leaf = {"id": "x", "type": "function", "function": {"name": "LS", "arguments": "{}"}}
    events = decoded(
        {"role": "assistant", "content": "Listing.", "tool_calls": [leaf, 7, {"id": "y"}]},
        {"role": "tool", "tool_call_id": "x", "content": "a.txt"},
    )
    first, second = of(events, CallStarted)
    (completed,) = of(events, CallCompleted)
    assert (first.call_id, first.name, first.args, first.origin.block) == ("x", "LS", {}, 1)
    assert (second.call_id, second.name) == ("y", "unknown")
    assert (completed.call_id, completed.outcome) == (
        "x",
        Outcome(status="unknown", value="a.txt"),
    )


def test_one_structured_result_beside_two_results_belongs_to_neither() -> None:
    message = answer("x", result="1")
    message["content"] += answer("y", result="2")["content"]
    message["providerOptions"] = {"cursor": high({"error": {"error": "whose?"}}, is_error=True)}
    events = decoded(message)
    outcomes = [event.outcome for event in of(events, CallCompleted)]
    assert outcomes == [
        Outcome(status="unknown", value="1"),
        Outcome(status="unknown", value="2"),
    ]
    assert codes(events) == ["shared-outcome"]


def test_a_structured_result_may_stand_in_the_part_itself() -> None:
    own = {"cursor": high({"error": {"error": "no"}}, is_error=True)}
    (completed,) = of(decoded(answer("x", result="1", providerOptions=own)), CallCompleted)
    assert completed.outcome == Outcome(status="error", value={"error": "no"}, error="no")


# -- results ----------------------------------------------------------------------------------


def test_the_structured_output_is_preferred() -> None:
    given = outcome("as the model saw it", {"success": {"content": "a"}, "isBackground": False})
    assert given == Outcome(status="success", value={"content": "a"})


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ({"error": {"errorMessage": "gone"}}, "gone"),
        ({"rejected": {"reason": "not now"}}, "rejected: not now"),
        ({"permissionDenied": {}}, "permission denied"),
        ({"case": "error", "value": {"error": "gone"}}, "gone"),
        ({"aCaseOfTomorrow": {}}, "a case of tomorrow"),
        ({"failure": {"exitCode": 0}}, "x"),
    ],
)
def test_a_structured_case_that_is_no_success_is_an_error(output: Any, error: str) -> None:
    given = outcome("x", output)
    assert (given.status, given.error) == ("error", error)


@pytest.mark.parametrize("body", [{"exitCode": 2}, {"signal": "SIGKILL"}, {"aborted": True}])
def test_a_failure_with_an_end_is_a_command_that_ran(body: Any) -> None:
    given = outcome("x", {"failure": body}, is_error=True, toolName="Shell")
    assert given == Outcome(status="success", value=body)
    assert outcome("x", {"failure": body}, is_error=True).status == "error"


def test_is_error_wins_over_a_success() -> None:
    given = outcome("it broke", {"success": {"content": "a"}}, is_error=True)
    assert given == Outcome(status="error", value={"content": "a"}, error="it broke")
    assert outcome(None, {"success": {}}, is_error=True).error == "the tool reported an error"


def test_without_a_structured_output_is_error_says_how_it_went() -> None:
    assert outcome("a") == Outcome(status="unknown", value="a")
    assert outcome("a", is_error=False) == Outcome(status="success", value="a")
    assert outcome("a", is_error=True) == Outcome(status="error", value="a", error="a")
    assert outcome("a", isError=True) == Outcome(status="error", value="a", error="a")
    assert outcome(None, is_error=True).error == "the tool reported an error"


def test_content_that_was_moved_to_a_blob_is_taken_from_the_text() -> None:
    given = outcome("1|a", {"success": {"path": "a", "contentBlobId": "AA=="}})
    assert given.value == {"path": "a", "content": "1|a"}
    assert outcome("1|a", {"success": {}}).value == "1|a"
    assert outcome("", {"success": {"contentBlobId": "AA=="}}).value == {"contentBlobId": "AA=="}
    kept = {"contentBlobId": "AA==", "content": "a"}
    assert outcome("1|a", {"success": kept}).value == kept


def test_the_text_of_a_shell_result_says_its_exit_code() -> None:
    def told(text: str, name: str = "Shell") -> Outcome:
        found = decode_tool_result({"toolName": name, "result": text}, {})
        assert found is not None
        return found

    framed = "Exit code: 3\n\nCommand output:\n\n```\n%s\n```\n\nCommand completed in 12 ms."
    assert told(framed % "a\n```\nb").value == {
        "exitCode": 3,
        "output": "a\n```\nb",
        "executionTime": 12,
    }
    assert told("Exit code: 0").value == {"exitCode": 0, "output": "Exit code: 0"}
    other = framed % "a" + "\nThe rest is in a file."
    assert told(other).value == {"exitCode": 3, "output": other}
    assert told("Exit code: 1\n", "Read") == Outcome(status="unknown", value="Exit code: 1\n")
    assert told("Exit codes: 1") == Outcome(status="unknown", value="Exit codes: 1")


def test_every_spelling_of_what_the_model_saw_is_read() -> None:
    image = {"type": "image", "data": "iVBO", "mimeType": "image/png"}
    text = {"type": "text", "text": "a"}
    assert outcome([text, image]).value == "a\n[image image/png omitted]"
    assert outcome(None, experimental_content=[text]).value == "a"
    assert outcome("a", experimental_content=[text, image]).value == "a\n[image image/png omitted]"
    assert outcome({"files": ["a"]}).value == {"files": ["a"]}
    assert outcome([1, 2]).value == [1, 2]
    assert decode_tool_result({"toolName": "Read", "result": None}, {}) is None
    assert (
        outcome(None, content=[{"mediaType": "audio/wav"}]).value == "[content audio/wav omitted]"
    )


@pytest.mark.parametrize(
    ("output", "wanted"),
    [
        ({"type": "text", "value": "a"}, Outcome(status="unknown", value="a")),
        ({"type": "json", "value": {"a": 1}}, Outcome(status="unknown", value={"a": 1})),
        (
            {"type": "content", "value": [{"type": "text", "text": "a"}]},
            Outcome(status="unknown", value="a"),
        ),
        ({"type": "error-text", "value": "no"}, Outcome(status="error", value="no", error="no")),
        (
            {"type": "execution-denied", "reason": "no"},
            Outcome(status="error", value="no", error="no"),
        ),
    ],
)
def test_newer_typed_outputs_are_read(output: Any, wanted: Outcome) -> None:
    assert decode_tool_result({"toolName": "Read", "output": output}, {}) == wanted


def test_bytes_are_named_by_their_number_wherever_they_are() -> None:
    value = {"a": [HEX, {"type": "Buffer", "data": [1, 2]}], "b": {"type": "Buffer", "data": "x"}}
    assert without_bytes(value) == {
        "a": ["(4 bytes)", "(2 bytes)"],
        "b": {"type": "Buffer", "data": "x"},
    }


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["type", "text", "toolCallId", "toolName", "args", "result", "output", "success",
             "failure", "function", "cursor", "providerOptions", "highLevelToolCallResult",
             "isError", "isSummary", "experimental_content", "__type", "hex"]
        ),
        inner | st.sampled_from(["text", "tool-call", "tool-result", "reasoning", "image", "file"]),
        max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


@example("user", {"type": "tool-result", "text": None, "output": {"type": []}}, None, None)
@given(
    st.sampled_from(["user", "assistant", "tool", "system", "robot"]),
    _JSON,
    _JSON,
    _JSON,
)
def test_any_message_gives_something_and_raises_nothing(
    role: str, content: Any, options: Any, calls: Any
) -> None:
    message = {
        "role": role,
        "content": content,
        "providerOptions": options,
        "tool_calls": calls,
        "tool_call_id": content,
    }
    assert decoded(message)
