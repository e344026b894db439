"""Replay facts 11.10, cases 207 to 235: identity, order and what is shown once.

Many of them are about a live run inside pi. Where such a case has a meaning for a recorded run,
that is what is tested; where it has none, ``NOT_OFFLINE`` says why.
"""

import io
import json

import pytest

from cursor_replay.events import SessionSeen
from cursor_replay.ingest.formats.sdk import steps as sdk_steps
from cursor_replay.ingest.formats.sdk import updates as sdk_updates
from cursor_replay.ingest.lines import MAX_LINE
from cursor_replay.ingest.source import StreamSource
from cursor_replay.items import Answer, Card, Notice, Prompt

from .helpers_cases import (
    asked,
    at,
    cards_of,
    case,
    chunk,
    completed,
    err,
    kinds,
    numbers_in,
    ok,
    replay,
    said,
    started,
    text_of,
    thought,
    turn_ended,
)

NOT_OFFLINE = {
    210: "marks calls that the bridge ran in the same process; a record has no such registry",
    217: "whether a card is queued, traced or skipped depends on a live run and its tool list",
    218: "traces stand for cards that a live request cannot show; here every call has its card",
    219: "a tool is inactive only for a live request",
    220: "a request without a tool exists only in a live run",
    231: "a wrapper returns a recorded result to pi; here nothing is executed or returned",
    234: "a recorded run is never idle: there is no time but the recorded one",
}

READ = {"path": "a.ts"}
TEXT = ok({"content": "text"})


# -- identity ---------------------------------------------------------------------------------


def test_case_207_the_same_call_twice_is_one_card():
    cards = cards_of(
        started("c1", "read", READ),
        completed("c1", "read", READ, TEXT),
        completed("c1", "read", READ, TEXT),
    )
    assert [text_of(card) for card in cards] == ["text"]


def test_case_207_a_start_that_comes_after_its_completion_opens_nothing():
    cards = cards_of(
        completed("c1", "read", READ, TEXT),
        started("c1", "read", READ),
        turn_ended(),
    )
    assert [card.status for card in cards] == ["succeeded"]


def test_case_208_a_completion_without_an_id_is_the_one_that_was_started():
    cards = cards_of(
        started("c1", "read", READ),
        completed(None, "read", READ, TEXT),
        completed("c1", "read", READ, TEXT),
    )
    assert [card.status for card in cards] == ["succeeded"]


def test_case_208_a_completion_without_an_id_and_one_with_an_id_are_one_call():
    cards = cards_of(
        completed(None, "read", READ, TEXT),
        completed("c1", "read", READ, TEXT),
    )
    assert len(cards) == 1


def test_case_209_a_step_with_another_id_belongs_to_the_open_call_of_its_name_and_arguments():
    cards = cards_of(
        started("call-a", "read", READ),
        completed("step-9", "read", READ, TEXT, channel="step"),
        completed("call-a", "read", READ, TEXT),
        turn_ended(),
    )
    assert [(card.status, text_of(card)) for card in cards] == [("succeeded", "text")]


@pytest.mark.parametrize(
    ("name", "args"),
    [
        case(209, "other arguments", "read", {"path": "b.ts"}),
        case(209, "another spelling of the tool", "read_file", READ),
    ],
)
def test_a_step_belongs_to_no_call_that_differs(name, args):
    cards = cards_of(
        started("call-a", "read", READ),
        completed("step-9", name, args, TEXT, channel="step"),
        turn_ended(),
    )
    assert [card.status for card in cards] == ["succeeded", "incomplete"]


@pytest.mark.parametrize(
    "args", [case(211, "no arguments", None), case(211, "empty arguments", {})]
)
def test_a_completion_with_a_result_alone_takes_the_arguments_of_its_start(args):
    (card,) = cards_of(started("c1", "read", READ), completed("c1", "unknown", args, TEXT))
    assert (card.tool, card.source_tool, card.arguments) == ("read", "read", READ)


def test_case_211_arguments_that_arrive_in_pieces_are_never_lost():
    (card,) = cards_of(
        started("c1", "read", {"path": "a"}, partial=True),
        started("c1", "read", {"path": "a.ts"}, partial=True),
        started("c1", "read", {}),
        started("c1", "read"),
        completed("c1", "read", None, TEXT),
    )
    assert card.arguments == READ


# In a live run the bridge shows its calls itself and the completion is ignored. A record holds
# the completion alone, so it is shown once, and its provenance says who ran it.
@pytest.mark.parametrize(
    ("name", "args"),
    [
        case(212, "as an MCP tool", "mcp", {"toolName": "pi__bash", "args": {"command": "ls"}}),
        case(212, "by its own name", "mcp_pi__bash", {"command": "ls"}),
    ],
)
def test_a_bridge_call_is_shown_once_as_what_it_is(name, args):
    outcome = ok({"content": [{"text": "a.ts"}]})
    (card,) = cards_of(
        started("c1", name, args), completed("c1", name, args, outcome), completed("c1", name)
    )
    assert (card.provenance, card.tool, card.arguments) == ("bridge", "bash", {"command": "ls"})
    assert card.id.startswith("cursor-pi-bridge-")
    assert text_of(card) == "a.ts"


def test_a_bridge_call_that_answers_with_an_error_has_failed():
    value = {"isError": True, "content": [{"text": "no such file"}]}
    (card,) = cards_of(completed("c1", "mcp", {"toolName": "pi__read", "args": {}}, ok(value)))
    assert (card.status, text_of(card)) == ("failed", "no such file")


def test_case_213_one_call_seen_by_two_sources_is_shown_once():
    cards = cards_of(
        started("c1", "read", READ),
        completed("c1", "read", READ, TEXT),
        completed(None, "read", READ, TEXT, channel="step"),
        completed("c1", "read", READ, TEXT, channel="message"),
        completed(None, "read", READ, TEXT, channel="turn"),
    )
    assert len(cards) == 1


def test_case_213_two_calls_seen_by_two_sources_are_two():
    cards = cards_of(
        completed("c1", "read", READ, TEXT),
        completed("c2", "read", READ, TEXT),
        completed(None, "read", READ, TEXT, channel="step"),
        completed(None, "read", READ, TEXT, channel="step"),
    )
    assert len(cards) == 2


# Two identical steps without ids are two calls (S13): the reference collapses them into one.
def test_case_214_two_equal_steps_without_ids_are_two_calls():
    step = completed(None, "read", READ, TEXT, channel="step")
    assert len(cards_of(step, step)) == 2


def test_case_214_two_ids_with_one_payload_are_two_calls():
    with_starts = cards_of(
        started("c1", "read", READ),
        started("c2", "read", READ),
        completed("c1", "read", READ, TEXT),
        completed("c2", "read", READ, TEXT),
    )
    without = cards_of(completed("c1", "read", READ, TEXT), completed("c2", "read", READ, TEXT))
    assert [len(with_starts), len(without)] == [2, 2]


def test_case_215_a_step_completes_a_call_that_no_update_completed():
    cards = cards_of(
        started("c1", "read", READ),
        completed(None, "read", READ, TEXT, channel="step"),
        turn_ended(),
    )
    assert [(card.status, text_of(card)) for card in cards] == [("succeeded", "text")]


def test_case_216_no_part_of_a_call_id_is_ever_shown():
    secret = "s" + "k-" + "9f8e" * 6
    call_id = f"call_1\n{secret}"
    items = replay(
        asked(),
        started(call_id, "task", {"description": "d"}),
        started(f"{call_id}-2", "read", READ, parent=call_id),
        completed(f"{call_id}-2", "read", READ, TEXT, parent=call_id),
        completed(call_id, "task", None, ok({"result": "done"})),
        started(f"{call_id}-3", "shell", {"command": "ls"}),
        turn_ended("error"),
    )
    assert [item.status for item in items if isinstance(item, Card)] == [
        "succeeded",
        "succeeded",
        "incomplete",
    ]
    assert secret not in repr(items)
    assert "call_1" not in repr(items)


# -- order ------------------------------------------------------------------------------------


def test_case_221_the_final_text_follows_its_tool_once():
    items = replay(
        asked(),
        started("c1", "read", READ),
        completed("c1", "read", READ, TEXT),
        said("Done", partial=True),
        said(".", partial=True),
        turn_ended(),
    )
    assert kinds(items) == ["prompt", "card", "answer", "turn_end"]
    assert _answers(items) == ["Done."]


# A live run holds text back until the tool turn closes; a record is shown in its own order.
def test_case_222_what_is_said_stays_where_it_was_recorded():
    items = replay(
        asked(),
        thought("First", partial=True),
        said("I read it.", partial=True),
        started("c1", "read", READ),
        thought("Meanwhile", partial=True),
        said("It says", partial=True),
        completed("c1", "read", READ, TEXT),
        said(" text.", partial=True),
        turn_ended(),
    )
    assert kinds(items) == [
        "prompt", "thought", "answer", "thought", "answer", "card", "answer", "turn_end",
    ]  # fmt: skip
    assert _answers(items) == ["I read it.", "It says", " text."]


def test_case_223_a_text_that_arrives_in_pieces_is_one_answer():
    items = replay(
        asked(), said("Disconnect", partial=True), said("ing…", partial=True), turn_ended()
    )
    assert _answers(items) == ["Disconnecting…"]


def test_case_223_the_whole_text_after_its_beginning_is_said_once():
    assert _answers(_stream(("Disconnect", 1), ("Disconnecting…", None))) == ["Disconnecting…"]


def test_case_224_a_beginning_from_an_earlier_turn_takes_nothing_from_the_final_text():
    items = replay(
        asked(),
        said("Disconnect", partial=True),
        started("c1", "read", READ),
        completed("c1", "read", READ, TEXT),
        said("Disconnecting…", partial=True),
        turn_ended(),
    )
    assert _answers(items) == ["Disconnect", "Disconnecting…"]


def test_case_225_a_text_before_a_tool_is_not_repeated_at_the_end():
    items = replay(
        asked(),
        said("I read it.", partial=True),
        started("c1", "read", READ),
        completed("c1", "read", READ, TEXT),
        turn_ended(),
    )
    assert _answers(items) == ["I read it."]


# The final text of a live run is chosen from the run's result; a stream-json file repeats the
# streamed text as a whole and again as its result, and each is shown once.
@pytest.mark.parametrize(
    ("spoken", "result", "answers"),
    [
        case(
            226,
            "equal to what was streamed",
            [("It ", 1), ("works.", 2), ("It works.", None)],
            "It works.",
            ["It works."],
        ),
        case(226, "no result", [("It ", 1), ("works.", 2)], None, ["It works."]),
        case(
            226,
            "the rest after a beginning",
            [("It works", 1), ("It works. Done.", None)],
            "It works. Done.",
            ["It works. Done."],
        ),
        case(
            226,
            "another whole text",
            [("Working", 1), ("It works.", None)],
            "It works.",
            ["Working", "It works."],
        ),
        case(226, "a result alone", [], "It works.", ["It works."]),
        case(226, "a blank result", [], " ", []),
    ],
)
def test_the_final_text_is_shown_once(spoken, result, answers):
    assert _answers(_stream(*spoken, result=result)) == answers


def test_case_227_a_context_summary_is_a_notice_and_no_part_of_the_answer():
    items = replay(
        asked(),
        thought("Reading", partial=True),
        *_updates({"type": "summary", "summary": "Earlier: two files read."}),
        thought(" on", partial=True),
        said("Done.", partial=True),
        turn_ended(),
    )
    (notice,) = [item for item in items if isinstance(item, Notice)]
    assert notice.message == "Cursor summary: Earlier: two files read."
    assert _answers(items) == ["Done."]
    assert [kind for kind in kinds(items) if kind != "notice"] == [
        "prompt",
        "thought",
        "answer",
        "turn_end",
    ]


def test_case_228_the_card_of_a_plan_comes_before_the_text_about_it():
    items = replay(
        asked(),
        started("c1", "createPlan", {"plan": "Plan:\n1. do it"}),
        completed("c1", "createPlan", None, ok({})),
        said("Plan:\n1. do it", partial=True),
        turn_ended(),
    )
    assert kinds(items) == ["prompt", "card", "answer", "turn_end"]
    assert _answers(items) == ["Plan:\n1. do it"]


def test_case_229_a_web_search_that_stands_in_agent_messages_alone_is_a_neutral_card():
    search = {
        "webSearchToolCall": {
            "args": {"searchTerm": "jsonl spec", "toolCallId": "w-1"},
            "result": {
                "success": {"references": [{"title": "Results", "chunk": "1. jsonlines.org"}]}
            },
        }
    }
    turn = {"steps": [{"assistantMessage": {"text": "Here."}}, {"toolCall": search}]}
    record = sdk_steps.RECORD.validate_python(
        {
            "type": "assistant",
            "uuid": "u",
            "agent_id": "a",
            "message": {"agentConversationTurn": turn},
        }
    )
    items = replay(*sdk_steps.Decoder().feed(record, at()))
    assert kinds(items) == ["answer", "card"]
    (card,) = [item for item in items if isinstance(item, Card)]
    assert (card.tool, card.title) == ("cursor", "Cursor web search")
    assert text_of(card) == "web search jsonl spec\n\n1. jsonlines.org"


def test_case_230_a_replayed_edit_and_write_change_no_file(tmp_path):
    file = tmp_path / "a.ts"
    file.write_text("old\n")
    cards = cards_of(
        completed(
            "c1",
            "StrReplace",
            {"path": str(file), "old_string": "old", "new_string": "new"},
            ok({}),
        ),
        completed("c2", "write", {"path": str(file), "content": "new"}, ok({})),
        completed("c3", "delete", {"path": str(file)}, ok({"fileSize": 4})),
        cwd=str(tmp_path),
    )
    assert [card.tool for card in cards] == ["edit", "write", "cursor"]
    assert file.read_text() == "old\n"


def test_case_232_a_recorded_error_is_a_failed_card_with_its_text():
    (card,) = cards_of(completed("c1", "read", READ, err("no such file")))
    assert (card.status, text_of(card), card.reason) == (
        "failed",
        "Error: no such file",
        "no such file",
    )


def test_case_233_blank_text_is_no_answer():
    items = replay(asked(), said("The answer."), said("  \n"), turn_ended())
    assert _answers(items) == ["The answer."]


def test_case_235_a_prompt_after_a_tool_opens_the_next_turn():
    items = replay(
        asked("One"),
        completed("c1", "read", READ, TEXT),
        asked("Two"),
        completed("c1", "read", READ, TEXT),
        said("Done."),
    )
    assert [(item.type, item.turn) for item in items if not hasattr(item, "format")] == [
        ("prompt", 1),
        ("card", 1),
        ("prompt", 2),
        ("card", 2),
        ("answer", 2),
    ]


def test_a_user_record_that_no_human_typed_opens_no_turn():
    items = replay(asked("One"), said("a"), asked("Note", author="cursor"), said("b"))
    assert [item.turn for item in items if isinstance(item, (Answer, Prompt))] == [1, 1, 1, 1]


# -- what a recorded run has beside the numbered cases ------------------------------------------


def test_cards_are_numbered_from_one_in_every_turn():
    cards = cards_of(
        SessionSeen(origin=at(), session_id="agent-1"),
        asked("One"),
        completed("c1", "read", READ, TEXT),
        completed("c2", "read", {"path": "b"}, TEXT),
        asked("Two"),
        completed("c3", "read", READ, TEXT),
    )
    heads = {card.id.rsplit("-", 3)[0] for card in cards}
    assert len(heads) == 1
    assert [card.id.split("-", 3)[3] for card in cards] == ["1-tool-1", "1-tool-2", "2-tool-1"]


def test_an_unfinished_call_says_what_it_was_about():
    items = replay(asked(), started("c1", "shell", {"command": "sleep 9"}), turn_ended("cancelled"))
    (card,) = [item for item in items if isinstance(item, Card)]
    assert (card.tool, card.status, card.reason) == ("cursor", "incomplete", "aborted")
    assert card.title == "Cursor shell did not complete"
    assert text_of(card) == "Cursor shell did not complete\nsleep 9\naborted"
    assert card.arguments == {
        "activityTitle": "Cursor shell did not complete",
        "activitySummary": "sleep 9 · aborted",
        "incomplete": True,
        "command": "sleep 9",
    }


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("success", "missing completion"),
        ("cancelled", "aborted"),
        ("aborted", "aborted"),
        ("error", "SDK run failed"),
        ("expired", "SDK run failed"),
        ("whatever", "missing completion"),
    ],
)
def test_why_a_call_did_not_complete_follows_from_how_the_turn_ended(status, reason):
    (card,) = cards_of(asked(), started("c1", "read", READ), turn_ended(status))
    assert card.reason == reason


def test_a_call_that_is_open_where_the_recording_stops_says_so():
    (card,) = cards_of(asked(), started("c1", "read", READ))
    assert card.reason == "no end of its run is recorded"


def test_a_call_that_is_open_after_the_last_turn_has_no_completion():
    (card,) = cards_of(asked(), turn_ended(), started("c1", "read", READ))
    assert card.reason == "missing completion"


def test_an_unfinished_unknown_call_is_named_by_its_own_name():
    (card,) = cards_of(asked(), started("c1", "mystery", {"a": 2}), turn_ended())
    assert card.title == "Cursor mystery did not complete"
    assert card.details.source_tool_name == "unregisteredActivity"


def test_an_unfinished_image_is_unregistered_activity():
    (card,) = cards_of(asked(), started("c1", "generateImage", {"prompt": "a cat"}), turn_ended())
    assert card.title == "Cursor image generation did not complete"
    assert card.details.source_tool_name == "unregisteredActivity"


def test_a_completion_that_comes_too_late_revises_the_incomplete_card():
    first, second = cards_of(
        asked(), started("c1", "read", READ), turn_ended(), completed("c1", "read", READ, TEXT)
    )
    assert (first.id, first.status, first.revision) == (second.id, "incomplete", 0)
    assert (second.status, second.revision) == ("succeeded", 1)


def test_a_running_card_is_shown_when_a_call_starts():
    running, done = cards_of(
        asked(),
        started("c1", "read", READ),
        started("c1", "read", READ),
        completed("c1", "read", READ, TEXT),
        running=True,
    )
    assert (running.id, running.status, running.revision) == (done.id, "running", 0)
    assert (done.status, done.revision) == ("succeeded", 1)


def test_an_unfinished_running_card_is_revised():
    running, done = cards_of(asked(), started("c1", "read", READ), turn_ended(), running=True)
    assert [(running.status, running.revision), (done.status, done.revision)] == [
        ("running", 0),
        ("incomplete", 1),
    ]


def test_a_completion_without_a_result_is_not_recorded():
    (card,) = cards_of(started("c1", "shell", {"command": "ls"}), completed("c1", "shell"))
    assert (card.status, card.reason) == ("unrecorded", "completed without a result")
    assert text_of(card) == ""


def test_what_a_sub_agent_did_follows_the_card_of_its_task():
    items = replay(
        asked(),
        started("t1", "task", {"description": "look"}),
        thought("hm", partial=True, parent="t1"),
        started("c1", "read", READ, parent="t1"),
        completed("c1", "read", READ, TEXT, parent="t1"),
        said("Found.", partial=True, parent="t1"),
        said("Meanwhile."),
        completed("t1", "task", None, ok({"result": "done"})),
    )
    assert kinds(items) == ["prompt", "answer", "card", "thought", "card", "answer"]
    task = items[3]
    assert [item.parent for item in items[3:]] == [None, task.id, task.id, task.id]


def test_what_a_sub_agent_did_is_kept_when_its_task_never_ends():
    items = replay(
        asked(),
        started("t1", "task", {"description": "look"}),
        started("c1", "read", READ, parent="t1"),
        said("Found.", partial=True, parent="t1"),
        turn_ended("cancelled"),
    )
    assert kinds(items) == ["prompt", "card", "answer", "card", "turn_end"]
    task, answer, read = items[2:5]
    assert (task.status, read.status) == ("incomplete", "incomplete")
    assert (answer.parent, read.parent) == (task.id, task.id)


def test_a_sub_agent_of_an_unknown_task_speaks_for_itself():
    items = replay(asked(), said("Found.", parent="gone"))
    assert _answers(items) == ["Found."]


def test_a_merge_of_todos_is_folded_into_the_list_as_it_stood():
    whole = {
        "todos": [
            {"id": "1", "content": "Write", "status": "pending"},
            {"id": "2", "content": "Test", "status": "pending"},
        ]
    }
    patch = {
        "merge": True,
        "todos": [{"id": "1", "status": "completed"}, {"content": "Ship", "status": "pending"}],
    }
    first, second = cards_of(
        completed("c1", "TodoWrite", whole, ok({})), completed("c2", "TodoWrite", patch, ok({}))
    )
    assert first.summary == "0/2 completed, 2 pending"
    assert second.summary == "1/3 completed, 2 pending"
    assert text_of(second) == (
        "updateTodos\n\n✓ Write (completed)\n○ Test (pending)\n○ Ship (pending)"
    )


def test_a_failed_change_of_todos_changes_nothing():
    whole = {"todos": [{"id": "1", "content": "Write", "status": "pending"}]}
    patch = {"merge": True, "todos": [{"id": "1", "status": "completed"}]}
    cards = cards_of(
        completed("c1", "TodoWrite", whole, ok({})),
        completed("c2", "TodoWrite", {"todos": []}, err("no")),
        completed("c3", "TodoWrite", patch, ok({})),
    )
    assert cards[2].summary == "1/1 completed"


def test_chunks_of_output_belong_to_no_answer():
    items = replay(asked(), said("Running", partial=True), chunk("x\n"), said(" it."))
    assert _answers(items) == ["Running it."]


def test_the_same_input_always_gives_the_same_ids():
    def run():
        return [card.id for card in cards_of(asked("Hello"), completed("c1", "read", READ, TEXT))]

    assert run() == run()


@pytest.mark.parametrize("number", sorted(NOT_OFFLINE))
def test_a_case_that_cannot_happen_offline_has_a_reason(number):
    assert len(NOT_OFFLINE[number]) > 20


def test_every_number_from_207_to_235_is_here_or_has_a_reason():
    tested = numbers_in(globals())
    assert tested | set(NOT_OFFLINE) == set(range(207, 236))
    assert tested & set(NOT_OFFLINE) == set()


def _answers(items):
    return [item.text for item in items if isinstance(item, Answer)]


def _updates(*records):
    decoder = sdk_updates.Decoder()
    for record in records:
        yield from decoder.feed(sdk_updates.RECORD.validate_python(record), at())


def _stream(*spoken, result=None):
    """A stream-json run: (text, time) pairs; text without a time is the whole of what was said."""
    rows = [
        {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/repo"},
        {
            "type": "user",
            "message": {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
            "session_id": "s",
        },
    ]
    for text, time in spoken:
        message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
        stamp = {} if time is None else {"timestamp_ms": time}
        rows.append({"type": "assistant", "message": message, "session_id": "s", **stamp})
    end = {} if result is None else {"result": result}
    rows.append(
        {"type": "result", "subtype": "success", "is_error": False, "session_id": "s", **end}
    )
    data = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    source = StreamSource(
        io.BytesIO(data), name="run.jsonl", size=None, form=None, max_line=MAX_LINE
    )
    items = replay(*source.events())
    assert [item.text for item in items if isinstance(item, Prompt)] == ["Hi"]
    return items


def test_a_second_result_for_one_call_is_not_dropped_without_a_word():
    other = ok({"content": "another text"})
    items = replay(
        asked(),
        completed("c1", "read", READ, TEXT),
        completed("c1", "read", READ, TEXT),
        completed("c1", "read", READ, other, channel="message"),
        completed("c1", "read", READ, other, origin=at(7)),
    )
    assert kinds(items) == ["prompt", "card", "notice"]
    assert (items[-1].code, items[-1].evidence.line) == ("completed-again", 7)
