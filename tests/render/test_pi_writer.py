"""The pi session writer on hand-made items (pi facts 1.3 to 1.6, replay facts 3 and 9.6)."""

import base64
import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError
from render_cards import AT, card

from cursor_replay import __version__
from cursor_replay.items import (
    UNKNOWN_OUTCOME,
    Activity,
    Answer,
    ContextPart,
    Evidence,
    Image,
    Item,
    NativeEdit,
    Notice,
    Prompt,
    Sealed,
    Session,
    TextContent,
    Thought,
    Time,
    Timing,
    TurnEnd,
    Usage,
)
from cursor_replay.pi_session import lines
from cursor_replay.pi_session.kept import for_pi, from_pi
from cursor_replay.render.pi.session import PiRenderer

NOON = Time(at="2026-05-04T12:00:00.000Z")
NOON_MS = 1_777_896_000_000
LATER = Time(at="2026-05-04T12:00:03.250Z")
HEAD = Session(format="sdk-stream", file="run.jsonl", session_id="s-1", model="grok-4.6")
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(16)).decode()


def written(*items: Item, head: Session = HEAD, **how: Any) -> list[dict[str, Any]]:
    renderer = PiRenderer(**how)
    text = "".join(renderer.render(Sealed(item)) for item in (head, *items)) + renderer.close()
    assert text.endswith("\n")
    return [json.loads(line) for line in text.split("\n")[:-1]]


def messages(*items: Item, **how: Any) -> list[dict[str, Any]]:
    return [each["message"] for each in written(*items, **how) if each["type"] == "message"]


def entries(kind: str, *items: Item, **how: Any) -> list[dict[str, Any]]:
    return [each for each in written(*items, **how) if each["type"] == kind]


def prompt(text: str = "go", **more: Any) -> Prompt:
    return Prompt(text=text, turn=1, evidence=AT, **more)


def answer(text: str, **more: Any) -> Answer:
    return Answer(text=text, turn=1, evidence=AT, **more)


def thought(text: str, **more: Any) -> Thought:
    return Thought(text=text, turn=1, evidence=AT, **more)


def end(status: str = "success", **more: Any) -> TurnEnd:
    return TurnEnd(status=status, turn=1, evidence=AT, **more)


def at(line: int, until: int | None = None, block: int | None = None) -> Evidence:
    return Evidence(file="run.jsonl", line=line, end_line=until, block=block)


def shape(message: dict[str, Any]) -> Any:
    if message["role"] == "assistant":
        return [block["type"] for block in message["content"]], message["stopReason"]
    return message["role"]


def kept(*items: Item) -> dict[str, Any]:
    (found,) = [e for e in entries("message", *items) if "cards" in e.get("cursorReplay", {})]
    (only,) = found["cursorReplay"]["cards"].values()
    return only


# -- the head -----------------------------------------------------------------------------------


def test_the_head_names_session_model_and_level_before_who_wrote_it() -> None:
    head = replace(HEAD, title="Fix the gate", cwd="/srv/gate")
    found = written(prompt(time=NOON), head=head, folder=lambda _: "/srv")
    assert found[0] == {
        "type": "session",
        "version": 3,
        "id": "s-1",
        "timestamp": NOON.at,
        "cwd": "/srv",
    }
    kinds = ["session_info", "model_change", "thinking_level_change", "custom", "message"]
    assert [each["type"] for each in found[1:]] == kinds
    assert found[1]["name"] == "Fix the gate"
    assert (found[2]["provider"], found[2]["modelId"]) == ("cursor", "grok-4.6")
    assert found[3]["thinkingLevel"] == "off"


def test_the_provenance_says_what_it_was_made_of_and_what_cannot_be_known() -> None:
    how = {"source": {"sha256": "00ff"}, "unknown": {"sdk-stream": ("what it cost",)}}
    data = entries("custom", prompt(), head=replace(HEAD, scrubbed=False), **how)[0]["data"]
    assert data == {
        "version": __version__,
        "source": {
            "format": "sdk-stream",
            "file": "run.jsonl",
            "sessionId": "s-1",
            "sha256": "00ff",
        },
        "scrubbed": False,
        "timesRecorded": False,
        "unknown": ["what it cost", "when anything happened: the times of this session are none"],
    }


def test_the_folder_is_chosen_from_the_recorded_one() -> None:
    asked = []
    written(head=replace(HEAD, cwd="/gone"), folder=lambda cwd: asked.append(cwd) or "/")
    assert asked == ["/gone"]


def test_a_session_that_holds_nothing_is_a_head_that_pi_loads() -> None:
    assert [each["type"] for each in written()] == [
        "session",
        "model_change",
        "thinking_level_change",
        "custom",
    ]


@pytest.mark.parametrize("recorded", [None, "", "-x", "a b", "ends.", "x" * 200])
def test_an_id_that_pi_would_not_take_is_made_of_what_is_known(recorded: str | None) -> None:
    (header, *_) = written(head=replace(HEAD, session_id=recorded))
    assert header["id"].startswith("cursor-replay-")
    assert header["id"] == written(head=replace(HEAD, session_id=recorded))[0]["id"]


def test_what_becomes_known_of_the_session_later_is_an_entry_of_its_own() -> None:
    later = replace(HEAD, title="Named late", model="other", revision=1)
    found = written(prompt(time=NOON), later, answer("ok"))
    kinds = [each["type"] for each in found]
    assert kinds[5:] == ["session_info", "model_change", "message"]
    assert found[-1]["message"]["model"] == "other"


def test_a_session_begins_with_the_first_time_that_is_told() -> None:
    called = card("read", id="a", timing=Timing(started=NOON, completed=LATER))
    found = written(prompt(), answer("I'll look."), called)
    assert found[0]["timestamp"] == NOON.at
    assert found[3]["data"]["timesRecorded"] is True
    assert found[3]["data"]["unknown"] == []
    assert [each["timestamp"] for each in found[1:]] == [NOON.at] * 5 + [LATER.at]
    assert found[5]["message"]["content"][1]["id"] == "a"


def test_ids_of_replays_are_made_of_that_time_also_where_the_prompt_has_none() -> None:
    called = card("read", id="cursor-replay-7-1-tool-1", timing=Timing(started=NOON))
    (said, _) = messages(prompt(), called)[1:]
    assert said["content"][0]["id"] == f"cursor-replay-{NOON_MS}-1-tool-1"


def test_times_never_run_backwards() -> None:
    found = written(prompt(time=LATER), answer("a", time=NOON), prompt())
    stamps = [each["timestamp"] for each in found]
    assert stamps == sorted(stamps)
    assert found[-2]["cursorReplay"]["time"]["at"] == NOON.at


def test_without_a_recorded_time_a_session_begins_at_the_epoch_and_says_so() -> None:
    found = written(prompt(), answer("ok"))
    assert {each["timestamp"] for each in found} == {"1970-01-01T00:00:00.000Z"}
    assert found[3]["data"]["timesRecorded"] is False
    assert all("time" not in each.get("cursorReplay", {}) for each in found)


def test_an_item_without_a_time_takes_the_last_one_that_was_recorded() -> None:
    found = written(prompt(time=NOON), answer("a", time=LATER), prompt())
    said = [each for each in found if each["type"] == "message"]
    assert [each["timestamp"] for each in said] == [NOON.at, LATER.at, LATER.at]
    assert said[0]["message"]["timestamp"] == NOON_MS
    assert said[1]["message"]["timestamp"] == NOON_MS + 3250
    assert "time" not in said[2]["cursorReplay"]


# -- messages ------------------------------------------------------------------------------------


def test_a_turn_is_thinking_tools_answer_in_the_recorded_order() -> None:
    calls = [card("read", id="a", evidence=at(3)), card("bash", id="b", evidence=at(5))]
    said = (thought("hm"), answer("First"), *calls, answer("Done"))
    assert [shape(each) for each in messages(prompt(), *said, end())] == [
        "user",
        (["thinking", "text", "toolCall"], "toolUse"),
        "toolResult",
        (["toolCall"], "toolUse"),
        "toolResult",
        (["text"], "stop"),
    ]


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        (at(3, block=0), at(3, block=1), True),  # two calls of one record
        (at(3, until=6), at(4, until=5), True),  # the second began before the first ended
        (at(3, until=4), at(5, until=6), False),
        (at(3), at(4), False),
        (at(3, until=9), replace(at(4), file="other.jsonl"), False),
    ],
)
def test_calls_share_a_message_where_they_ran_side_by_side(
    first: Evidence, second: Evidence, *, together: bool
) -> None:
    two = card("read", id="a", evidence=first), card("read", id="b", evidence=second)
    said = [each for each in messages(*two) if each["role"] == "assistant"]
    assert len(said) == (1 if together else 2)


def test_calls_stand_in_the_order_of_their_starts_and_results_in_that_of_their_ends() -> None:
    late, soon = card("read", id="a", evidence=at(3, 9)), card("read", id="b", evidence=at(4, 6))
    said, *results = messages(soon, late)
    assert [block["id"] for block in said["content"]] == ["a", "b"]
    assert [each["toolCallId"] for each in results] == ["b", "a"]


def test_a_call_that_completes_after_its_turn_is_written_once() -> None:
    given_up = card("cursor", id="a", status="incomplete", title="Cursor shell did not complete")
    done = card("bash", id="a", title="Cursor shell", summary="make", revision=1)
    found = written(given_up, end(), done)
    calls = [each for each in messages(given_up, end(), done) if each["role"] == "assistant"]
    assert [block["id"] for each in calls for block in each["content"]] == ["a"]
    assert not [each for each in messages(given_up, end(), done) if each["role"] == "toolResult"]
    told = found[-1]["data"]
    assert told["code"] == "completed-late"
    assert told["message"].endswith("(succeeded): Cursor shell make")
    assert told["card"]["status"] == "succeeded"


@pytest.mark.parametrize(
    ("tool", "arguments", "given"),
    [
        ("read", {"path": "a", "offset": "<img src=x>"}, {"path": "a"}),
        ("read", {"path": "a", "limit": {"toString": 1}}, {"path": "a"}),
        ("read", {"path": "a", "limit": None, "offset": 3}, {"path": "a", "offset": 3}),
        ("bash", {"command": {"toString": 1}}, {}),
        ("bash", {"command": "ls", "timeout": True}, {"command": "ls"}),
        ("grep", {"pattern": ["x"], "ignoreCase": 1, "literal": True}, {"literal": True}),
        ("ls", {"path": 5}, {}),
        ("edit", {"path": "a", "edits": [{"oldText": 1, "newText": ""}]}, {"path": "a"}),
        ("write", {"path": "a", "content": {"a": 1}}, {"path": "a"}),
        ("cursor", {"activityTitle": {"a": 1}}, {"activityTitle": {"a": 1}}),
    ],
)
def test_pi_gets_no_argument_of_a_type_that_its_tool_does_not_take(
    tool: str, arguments: dict[str, Any], given: dict[str, Any]
) -> None:
    only = card(tool, id="a", arguments=arguments)
    (said, *_) = messages(only)
    assert said["content"][0]["arguments"] == given
    assert kept(only).get("arguments") == (None if given == arguments else arguments)


@pytest.mark.parametrize("form", ["stream-json", "acp", "hooks", "cloud-sse"])
def test_the_tokens_of_a_whole_run_are_not_those_of_its_last_message(form: str) -> None:
    usage = Usage(input_tokens=1_125_429, output_tokens=540, cache_read_tokens=1_015_493)
    (said,) = [
        each["message"]
        for each in written(answer("x"), end(usage=usage), head=replace(HEAD, format=form))
        if each["type"] == "message"
    ]
    assert said["usage"]["totalTokens"] == 0


def test_a_batch_without_end_is_written_in_parts() -> None:
    many = [card("read", id=f"c{n}", evidence=at(3, block=n)) for n in range(450)]
    said = [each for each in messages(*many) if each["role"] == "assistant"]
    assert [len(each["content"]) for each in said] == [200, 200, 50]


def test_nothing_is_held_back_but_one_message() -> None:
    renderer = PiRenderer()
    renderer.render(Sealed(HEAD))
    assert renderer.render(Sealed(prompt(time=NOON))).count("\n") == 5
    assert renderer.render(Sealed(card("read", id="a"))) == ""
    assert renderer.render(Sealed(answer("x"))).count("\n") == 2


def test_thinking_that_cursor_took_out_is_marked() -> None:
    (said,) = messages(thought("", removed=True))
    assert said["content"] == [{"type": "thinking", "thinking": "", "redacted": True}]


def test_a_prompt_keeps_what_surrounded_it_beside_the_message() -> None:
    around = (ContextPart(tag="rules", text="be brief"),)
    (entry,) = entries("message", prompt(context=around))
    assert entry["message"]["content"] == [{"type": "text", "text": "go"}]
    assert entry["cursorReplay"]["context"] == [{"tag": "rules", "text": "be brief"}]


@pytest.mark.parametrize("asked", [prompt("note", author="cursor"), prompt(" ")])
def test_a_prompt_that_no_human_typed_is_no_user_message(asked: Prompt) -> None:
    assert messages(asked) == []
    assert entries("custom", asked)[-1]["customType"] == lines.PROMPT


def test_a_sub_agents_words_are_not_put_into_the_agents_mouth() -> None:
    found = written(answer("mine"), answer("theirs", parent="t"))
    assert found[-2]["message"]["content"] == [{"type": "text", "text": "mine"}]
    assert (found[-1]["customType"], found[-1]["data"]["text"]) == (lines.ASIDE, "theirs")


def test_a_notice_stands_behind_the_message_it_came_after() -> None:
    notice = Notice(code="not-json", message="a line that is no JSON", count=3)
    found = written(answer("a"), notice, answer("b"), end())
    assert [b["text"] for b in found[-2]["message"]["content"]] == ["a", "b"]
    data = found[-1]["data"]
    assert (found[-1]["customType"], data["code"], data["count"]) == (lines.NOTICE, "not-json", 3)


def test_a_notice_in_front_of_everything_is_written_at_once() -> None:
    found = written(Notice(code="bom", message="a byte order mark"), prompt())
    assert [each["type"] for each in found[-2:]] == ["custom", "message"]


def test_many_notices_do_not_wait_for_ever() -> None:
    many = [Notice(code="x", message="m")] * 201
    found = written(answer("a"), *many)
    assert [each["type"] for each in found[4:6]] == ["message", "custom"]
    assert found[4]["message"]["stopReason"] == "stop"


def test_only_a_message_with_calls_says_that_it_goes_on_with_tools() -> None:
    many = [answer(f"{n}") for n in range(450)]
    assert {each["stopReason"] for each in messages(*many)} == {"stop"}


# -- how a turn ends -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "stop", "error"),
    [
        ("success", "stop", None),
        ("unknown", "stop", None),
        ("length", "length", None),
        ("aborted", "aborted", None),
        ("cancelled", "aborted", None),
        ("error", "error", "boom"),
        ("expired", "error", "boom"),
    ],
)
def test_the_end_of_a_turn_closes_its_last_message(
    status: str, stop: str, error: str | None
) -> None:
    (said,) = messages(answer("x"), end(status, reason="boom"))
    assert (said["stopReason"], said.get("errorMessage")) == (stop, error)


def test_an_end_of_its_own_word_and_no_reason_says_that_word() -> None:
    (said,) = messages(answer("x"), end("max_turns"))
    assert said["errorMessage"] == "max_turns"


def test_a_failed_turn_that_said_nothing_is_a_message_that_says_why() -> None:
    (said,) = messages(end("error", reason="503"))
    assert (said["content"], said["errorMessage"]) == ([], "503")


def test_a_good_end_behind_a_result_is_kept_without_an_empty_message() -> None:
    found = written(card("read", id="a"), end(duration_ms=12.0))
    assert found[-2]["message"]["role"] == "toolResult"
    assert (found[-1]["customType"], found[-1]["data"]["status"]) == (lines.END, "success")


def test_a_turn_without_a_recorded_end_keeps_none() -> None:
    (entry,) = entries("message", answer("x"))
    assert entry["message"]["stopReason"] == "stop"
    assert "end" not in entry["cursorReplay"]


@pytest.mark.parametrize(
    ("used", "wanted"),
    [
        # the cache is part of the input: taken out of it, and total is input and output
        ((1000, 50, 700, 100), {"input": 200, "output": 50, "totalTokens": 1050}),
        ((1000, 50, None, None), {"input": 1000, "output": 50, "totalTokens": 1050}),
        # not the current partition, or no counts: not accepted
        ((10, 5, 700, 0), {"input": 0, "output": 0, "totalTokens": 0}),
        ((10, -5, 0, 0), {"input": 0, "output": 0, "totalTokens": 0}),
        ((1000, 50, -5, 0), {"input": 0, "output": 0, "totalTokens": 0}),
    ],
)
def test_the_tokens_of_a_turn_are_those_of_its_last_message(
    used: tuple[int | None, ...], wanted: dict[str, int]
) -> None:
    names = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    usage = Usage(**dict(zip(names, used, strict=True)))
    first, _, last = messages(card("read", id="a"), end(usage=usage))
    assert first["usage"]["totalTokens"] == 0
    assert {key: last["usage"][key] for key in wanted} == wanted
    assert last["usage"]["cost"] == {
        "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0,
    }  # fmt: skip


# -- calls ---------------------------------------------------------------------------------------


def test_a_success_and_a_failure_are_results() -> None:
    good = card("bash", text="ok", id="a", timing=Timing(completed=LATER, duration_ms=4200))
    bad = card("bash", "failed", text="no\n\nCommand exited with code 3", id="b")
    found = [each for each in messages(good, bad) if each["role"] == "toolResult"]
    assert found[0] == {
        "role": "toolResult",
        "toolCallId": "a",
        "toolName": "bash",
        "content": [{"type": "text", "text": "ok"}],
        "isError": False,
        "durationMs": 4200.0,
        "timestamp": NOON_MS + 3250,
    }
    assert (found[1]["isError"], "durationMs" in found[1]) == (True, False)


@pytest.mark.parametrize("status", ["unrecorded", "incomplete", "running"])
def test_a_call_without_a_recorded_outcome_has_no_result(status: str) -> None:
    found = messages(card("bash", status, id="a", text="half"))
    assert [shape(each) for each in found] == [(["toolCall"], "toolUse")]


def test_what_came_back_without_an_outcome_is_kept_beside_the_call() -> None:
    only = kept(card("bash", "unrecorded", id="a", text="moored", reason=UNKNOWN_OUTCOME))
    assert only["content"] == [{"type": "text", "text": "moored"}]
    assert (only["status"], only["reason"]) == ("unrecorded", UNKNOWN_OUTCOME)


def test_a_call_that_never_completed_closes_with_the_reason_of_its_turn() -> None:
    calls = [
        card("read", id="a", evidence=at(3, 4)),
        card("cursor", "incomplete", id="b", evidence=at(3), arguments={"incomplete": True}),
    ]
    assert [shape(each) for each in messages(*calls, end("aborted"))] == [
        (["toolCall"], "toolUse"),
        "toolResult",
        (["toolCall"], "aborted"),
    ]


def test_an_unrecorded_call_is_not_called_aborted_because_its_turn_was() -> None:
    found = messages(card("read", "unrecorded", id="a"), end("aborted"))
    assert [shape(each) for each in found] == [(["toolCall"], "toolUse"), ([], "aborted")]


def test_a_call_missing_its_completion_in_a_good_turn_stays_open() -> None:
    found = messages(card("cursor", "incomplete", id="a"), end())
    assert [shape(each) for each in found] == [(["toolCall"], "toolUse")]


def test_a_failure_without_a_text_says_its_reason() -> None:
    _, result = messages(card("read", "failed", id="a", reason="gone"))
    assert result["content"] == [{"type": "text", "text": "gone"}]
    assert kept(card("read", "failed", id="a", reason="gone"))["content"] == []


def test_a_search_without_a_match_is_worded_as_pi_does() -> None:
    _, result = messages(card("grep", id="a", text="(no matches)"))
    assert result["content"] == [{"type": "text", "text": "No matches found"}]
    assert kept(card("grep", id="a", text="(no matches)"))["content"][0]["text"] == "(no matches)"


def test_images_are_blocks() -> None:
    image = (Image(mime_type="image/png", data=PNG),)
    block = {"type": "image", "data": PNG, "mimeType": "image/png"}
    _, result = messages(card("cursor", id="a", images=image))
    assert result["content"] == [block]
    (asked,) = messages(prompt("", images=image))
    assert asked["content"] == [block]


# -- changes -------------------------------------------------------------------------------------

PATCH = (
    "--- a/t.py\n+++ b/t.py\n"
    "@@ -9,3 +9,4 @@\n one\n-two\n+deux\n+trois\n four\n"
    "@@ -99,2 +100,2 @@\n-x\n+y\n z\n"
)
NUMBERED = "   9 one\n- 10 two\n+ 10 deux\n+ 11 trois\n  11 four\n     ...\n- 99 x\n+100 y\n 100 z"


def edit(diff: str | None, **more: Any) -> Any:
    details = NativeEdit(path="t.py", diff_string=diff, diff=diff, first_changed_line=10)
    return card("edit", id="a", details=details, **more)


def test_an_edits_result_carries_the_change_in_pis_own_form() -> None:
    _, result = messages(edit(PATCH))
    details = result["details"]
    assert details["diff"] == NUMBERED
    assert (details["patch"], details["diffString"]) == (PATCH, PATCH)
    assert (details["firstChangedLine"], details["variant"]) == (10, "nativeEdit")


def test_an_edit_without_a_recorded_change_shows_what_its_arguments_say_without_numbers() -> None:
    edits = [{"oldText": "rate: 1\n", "newText": "rate: 2\n"}]
    _, result = messages(edit(None, arguments={"path": "t.py", "edits": edits}))
    assert result["details"]["diff"] == "- rate: 1\n+ rate: 2"
    assert "patch" not in result["details"]


def test_an_edit_without_any_details_is_drawn_all_the_same() -> None:
    arguments = {"path": "t.py", "edits": [{"oldText": "a", "newText": "b"}]}
    _, result = messages(card("edit", id="a", arguments=arguments))
    assert result["details"] == {"variant": "nativeEdit", "diff": "- a\n+ b"}


def test_a_change_whose_outcome_is_unknown_is_kept_for_those_who_draw_it() -> None:
    edits = {"path": "t.py", "edits": [{"oldText": "a", "newText": "b"}]}
    assert kept(card("edit", "unrecorded", id="a", arguments=edits))["diff"] == "- a\n+ b"


def test_an_activitys_change_is_in_pis_form_too() -> None:
    details = Activity(source_tool_name="edit", title="Cursor edit", diff_string=PATCH, diff=PATCH)
    _, result = messages(card("cursor", id="a", details=details))
    assert result["details"]["diff"] == NUMBERED


@pytest.mark.parametrize("variant", ["nativeEdit", "activity", "generateImage", "genericFallback"])
@pytest.mark.parametrize("shown", ["", "+1 a"])
@pytest.mark.parametrize("diff", [{}, {"diff": "@@"}, {"diff": ""}])
def test_details_come_back_from_pis_spelling(
    variant: str, shown: str, diff: dict[str, str]
) -> None:
    details = {"variant": variant, "path": "t.py", **diff}
    assert from_pi(for_pi(details, shown)) == details


# -- ids -----------------------------------------------------------------------------------------


def call_ids(*items: Item, **how: Any) -> list[str]:
    said = [each for each in messages(*items, **how) if each["role"] == "assistant"]
    return [block["id"] for each in said for block in each["content"]]


def test_a_replays_id_is_made_of_the_start_of_its_session() -> None:
    first = card("read", id="cursor-replay-77-1-tool-1", timing=Timing(started=NOON))
    child = card("read", id="cursor-replay-88-1-tool-1", parent=first.id)
    assert call_ids(first, child) == [
        f"cursor-replay-{NOON_MS}-1-tool-1",
        "cursor-replay-88-1-tool-1",  # another recording's
    ]


def test_a_sub_agents_card_names_its_task_by_the_id_in_the_file() -> None:
    task = card("cursor", id="cursor-replay-77-1-tool-1", timing=Timing(started=NOON))
    child = card("read", id="cursor-replay-77-1-tool-2", parent=task.id)
    found = entries("message", task, child)[2]["cursorReplay"]["cards"]
    assert (
        found[f"cursor-replay-{NOON_MS}-1-tool-2"]["parent"] == f"cursor-replay-{NOON_MS}-1-tool-1"
    )


@pytest.mark.parametrize(
    "identity",
    ["cursor-replay-1796000000000-4-tool-2", "cursor-pi-bridge-" + "0a" * 16 + "-t3", "call_1"],
)
def test_the_ids_of_a_pi_session_stay(identity: str) -> None:
    head = replace(HEAD, format="pi-session")
    item = card("bash", id=identity, timing=Timing(started=NOON))
    assert call_ids(item, head=head) == [identity]


@pytest.mark.parametrize("identity", ["a b", "ü", "x" * 65, "cursor-pi-bridge-" + "0" * 60])
def test_an_id_that_a_model_would_refuse_is_made_anew_and_the_same_each_time(identity: str) -> None:
    (found,) = call_ids(card("bash", id=identity))
    assert found != identity
    assert len(found) <= 64
    assert found == call_ids(card("bash", id=identity))[0]
    assert found.startswith("cursor-pi-bridge-") == identity.startswith("cursor-pi-bridge-")


# -- what cannot be built (pi facts 1.4) ---------------------------------------------------------

USED = lines.Usage()
GOOD: dict[str, Any] = {"content": [], "model": "m", "stop_reason": "stop", "timestamp": 0}


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: lines.Assistant(**{**GOOD, "content": "text"}),
        lambda: lines.Assistant(**{**GOOD, "usage": None}),
        lambda: lines.Assistant(**{**GOOD, "usage": {"input": 1, "cost": None}}),
        lambda: lines.Assistant(**{**GOOD, "stop_reason": "done"}),
        lambda: lines.Thinking.model_validate({"type": "thinking"}),
        lambda: lines.Text.model_validate({"type": "text"}),
        lambda: lines.ToolCall(id="", name="read", arguments={}),
        lambda: lines.ToolCall(id="a b", name="read", arguments={}),
        lambda: lines.ToolCall(id="x" * 65, name="read", arguments={}),
        lambda: lines.ToolCall(id="a\n", name="read", arguments={}),
        lambda: lines.ToolCall(id="a", name="", arguments={}),
        lambda: lines.ToolCall.model_validate({"id": "a", "name": "read", "arguments": "{}"}),
        lambda: lines.ToolResult.model_validate(
            {
                "toolCallId": "a",
                "toolName": "x",
                "content": "text",
                "isError": False,
                "timestamp": 0,
            }
        ),
        lambda: lines.ToolResult.model_validate(
            {"toolName": "x", "content": [], "isError": False, "timestamp": 0}
        ),
        lambda: lines.User(content=[], timestamp=0),
        lambda: lines.Image(data="not base64!", mime_type="image/png"),
        lambda: lines.Header(id="s", timestamp="2026", cwd="/"),
        lambda: lines.Header(id="s", timestamp=NOON.at, cwd=""),
        lambda: lines.Header.model_validate(
            {"version": 2, "id": "s", "timestamp": NOON.at, "cwd": "/"}
        ),
        lambda: lines.SessionInfo(id="00000001", parent_id=None, timestamp=NOON.at, name=""),
        lambda: lines.SessionInfo(id="x", parent_id=None, timestamp=NOON.at, name="n"),
        lambda: lines.SessionInfo.model_validate(
            {"id": "00000001", "timestamp": NOON.at, "name": "no parent"}
        ),
    ],
)
def test_what_pi_would_choke_on_cannot_be_built(wrong: Any) -> None:
    with pytest.raises(ValidationError):
        wrong()


def test_a_line_separator_in_a_text_does_not_end_a_line() -> None:
    renderer = PiRenderer()
    text = renderer.render(Sealed(HEAD)) + renderer.render(Sealed(prompt("a\u2028b\x85c")))
    assert len(text.splitlines()) == text.count("\n")


def test_two_texts_of_one_result_are_two_blocks() -> None:
    two = (TextContent(text="a"), TextContent(text="b"))
    _, result = messages(replace(card("read", id="a"), content=two))
    assert [part["text"] for part in result["content"]] == ["a", "b"]
