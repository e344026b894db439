"""What surfaces say of a call, how pi's own records check them, and what counts as a refusal."""

import hashlib
import json
import os

import pytest

from cursor_replay.diagnose.calls import reason_of
from cursor_replay.diagnose.collect import Found
from cursor_replay.diagnose.sightings import DECISIONS, Sightings
from cursor_replay.diagnose.surfaces import _likely
from cursor_replay.events import (
    CallCompleted,
    CallDiscarded,
    CallStarted,
    Outcome,
    SessionSeen,
    call_hash,
)
from cursor_replay.items import Card, Evidence
from cursor_replay.normalize.normalizer import Normalizer

COMMAND = {"command": "hoist --all"}
OLD = 1_780_300_900
HERE = Evidence(file="run.jsonl", line=1)


def digest(call_id):
    return hashlib.sha256(call_id.encode()).hexdigest()[:8]


def at(line):
    return Evidence(file="run.jsonl", line=line)


def start(call_id, name="shell", args=None, *, line=1, partial=False, channel="message"):
    return CallStarted(
        origin=at(line), channel=channel, call_id=call_id, name=name, args=args or COMMAND,
        partial=partial,
    )  # fmt: skip


def done(call_id, name="shell", args=None, outcome=None, *, line=2, channel="message"):
    return CallCompleted(
        origin=at(line), channel=channel, call_id=call_id, name=name, args=args or COMMAND,
        outcome=outcome,
    )  # fmt: skip


def gave_up(call_id, reason="abort", name="shell"):
    key = digest(call_id) if call_id else None
    return CallDiscarded(origin=at(9), call_hash=key, name=name, reason=reason)


def watched(form, *events, sightings=None):
    sightings = sightings or Sightings()
    head = SessionSeen(origin=HERE, format=form)
    assert list(sightings.watch([head, *events])) == [head, *events]
    return sightings


def states(call):
    return {each["surface"]: each["state"] for each in call["surfaces"]}


def says(call):
    return {each["surface"]: each["says"] for each in call["surfaces"]}


# -- watching ---------------------------------------------------------------------------------


def test_a_call_is_known_by_the_hash_of_its_id_whatever_is_in_it():
    assert call_hash("call_1\nfc_2") == digest("call_1\nfc_2") == "4241bd9e"
    sightings = watched("sdk-stream", start("call_1\nfc_2", line=4))
    assert sightings.of("4241bd9e")["stream"].started == 4


@pytest.mark.parametrize(
    ("form", "channel", "surface"),
    [
        ("sdk-stream", "message", "stream"),
        ("sdk-updates", "update", "onDelta"),
        ("sdk-steps", "step", "onStep"),
        ("sdk-turns", "turn", "conversation"),
        ("agent-messages", "turn", "messages"),
        ("stream-json", "cli", "stream-json"),
        ("acp", "message", "ACP"),
        ("hooks", "message", "hooks"),
        ("cloud-sse", "message", "cloud events"),
        ("sdk-store", "message", "SDK store"),
        ("sdk-ndjson-store", "message", "SDK store"),
        ("pi-session", "pi", "pi session"),
    ],
)
def test_a_surface_is_called_what_its_users_call_it(form, channel, surface):
    sightings = watched(form, done("c1", outcome=Outcome(status="success"), channel=channel))
    assert list(sightings.of(digest("c1"))) == [surface]


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (Outcome(status="success"), True),
        (Outcome(status="error", error="no"), True),
        (Outcome(status="unknown", value="text"), True),
        (Outcome(value="a result without a status"), True),
        (None, False),
    ],
)
def test_a_call_is_completed_where_a_surface_tells_a_result(outcome, told):
    sightings = watched("sdk-stream", start("c1"), done("c1", outcome=outcome))
    assert sightings.is_completed(digest("c1")) is told


def test_a_call_that_only_began_is_not_completed_and_an_unknown_one_neither():
    sightings = watched("sdk-stream", start("c1"))
    assert not sightings.is_completed(digest("c1"))
    assert not sightings.is_completed(digest("c2"))
    assert not sightings.is_completed(None)


def test_the_first_place_that_tells_of_a_call_is_kept():
    sightings = watched(
        "sdk-stream",
        start("c1", line=3, partial=True),
        start("c1", line=4, partial=True),
        start("c1", line=6),
        start("c1", line=8),
    )
    seen = sightings.of(digest("c1"))["stream"]
    assert (seen.arguments, seen.started, seen.ended) == (3, 6, None)


# -- joins without ids ------------------------------------------------------------------------


def spare(sightings):
    """Completions without an id that may be that of the call c1."""
    return _likely(digest("c1"), "onStep", sightings, [Found("run", sightings=sightings)])


def test_a_completion_without_an_id_may_be_that_of_an_open_call():
    sightings = watched("sdk-stream", start("c1"))
    watched(
        "sdk-steps", done(None, outcome=Outcome(status="success"), channel="step"),
        sightings=sightings,
    )  # fmt: skip
    assert spare(sightings) == 1


@pytest.mark.parametrize(
    ("name", "args"), [("shell", {"command": "hoist --one"}), ("read", COMMAND)]
)
def test_a_completion_of_another_tool_or_with_other_arguments_is_another_call(name, args):
    sightings = watched("sdk-stream", start("c1"))
    step = done(None, name, args, Outcome(status="success"), channel="step")
    watched("sdk-steps", step, sightings=sightings)
    assert spare(sightings) == 0


def test_a_completion_without_an_id_belongs_to_the_call_that_is_known_to_have_completed():
    result = Outcome(status="success")
    sightings = watched("sdk-stream", start("c1"), start("c2"), done("c2", outcome=result))
    step = done(None, outcome=result, channel="step")
    watched("sdk-steps", step, sightings=sightings)
    assert spare(sightings) == 0
    watched("sdk-steps", step, sightings=sightings)
    assert spare(sightings) == 1


# -- pi's own records -------------------------------------------------------------------------


def test_what_pi_gave_up_is_kept_by_hash_and_what_it_left_out_by_tool():
    sightings = watched(
        "sdk-updates",
        start("c1", channel="update"),
        gave_up("c1", "no-completion-at-run-end"),
        gave_up(None, None, "bash"),
        gave_up(None, None, "read"),
    )
    assert sightings.of(digest("c1"))[DECISIONS].given_up == "no-completion-at-run-end"
    assert sightings.left_out == {"shell": 1, "read": 1}


def stamped(ms, **payload):
    return {"ts": f"2026-06-01T08:00:00.{ms:03d}Z", "elapsedMs": ms, "turn": 1, **payload}


def update(ms, kind, **fields):
    return stamped(ms, update={"type": kind, **fields})


def discarded(call_id, reason, tool="shell"):
    kind = "discarded-incomplete-started-tool-call"
    body = {"event": kind, "toolName": tool, "callIdHash": digest(call_id), "reason": reason}
    return stamped(900, phase=kind, payload=body)


def decision(action, tool="shell"):
    body = {"action": action, "toolName": tool, "source": "started"}
    return stamped(901, decision={**body, "reason": "successful-run-text-produced"})


OPEN = [
    update(100, "user-message-appended", userMessage={"text": "Hoist the flags."}),
    update(
        200, "tool-call-started", callId="c1", toolCall={"type": "shell", "args": COMMAND}
    ),
    update(300, "text-delta", text="They fly."),
]  # fmt: skip
DONE = update(
    400,
    "tool-call-completed",
    callId="c1",
    toolCall={
        "type": "shell",
        "args": COMMAND,
        "result": {"status": "success", "value": {"stdout": "up\n", "exitCode": 0}},
    },
)
ENDED = update(800, "turn-ended")


@pytest.mark.parametrize("action", ["skip-incomplete-fast-local", "skip-incomplete-successful-run"])
def test_both_names_of_the_decision_to_show_no_card_are_read(action, write, report, tmp_path):
    write("run/on-delta.jsonl", *OPEN, ENDED)
    write("run/coordinator-events.jsonl", discarded("c1", "no-completion-at-run-end"))
    write("run/display-decisions.jsonl", decision(action))
    (call,), problems = report(tmp_path / "run")
    assert states(call) == {"onDelta": "started", "debug decisions": "given-up"}
    assert says(call)["debug decisions"] == (
        "gave up on it: missing completion; no card for 1 shell call"
    )
    assert problems == []


def test_a_reason_that_nobody_knows_is_said_to_be_unknown(write, report, tmp_path):
    write("run/on-delta.jsonl", *OPEN, ENDED)
    write("run/coordinator-events.jsonl", discarded("c1", "new-in-2027"))
    (call,), _ = report(tmp_path / "run")
    assert call["reason"] == "no-completion-at-run-end"
    assert says(call)["debug decisions"] == "gave up on it, without a reason known here"


def test_a_call_that_pi_gave_up_and_that_completed_is_a_finding_and_no_open_call(
    write, report, tmp_path
):
    write("run/on-delta.jsonl", *OPEN, DONE, ENDED)
    write("run/coordinator-events.jsonl", discarded("c1", "no-completion-at-run-end"))
    calls, problems = report(tmp_path / "run")
    assert calls == []
    (problem,) = problems
    assert problem["code"] == "discarded-but-completed"
    assert digest("c1") in problem["message"]
    assert "shell" in problem["message"]


def test_an_open_call_that_pi_did_not_give_up_is_a_finding(write, report, tmp_path):
    write("run/on-delta.jsonl", *OPEN, ENDED)
    write("run/coordinator-events.jsonl", discarded("c9", "no-completion-at-run-end", "read"))
    calls, problems = report(tmp_path / "run")
    assert states(calls[0]) == {"onDelta": "started", "debug decisions": "not-mentioned"}
    assert [each["code"] for each in problems] == ["not-discarded"]
    assert digest("c1") in problems[0]["message"]


def test_nothing_follows_for_pi_where_its_records_are_not_there(write, report, tmp_path):
    write("run/on-delta.jsonl", *OPEN, ENDED)
    (call,), problems = report(tmp_path / "run")
    assert states(call) == {"onDelta": "started"}
    assert problems == []


def test_nothing_follows_for_pi_where_the_run_has_no_end(write, report, tmp_path):
    write("run/on-delta.jsonl", *OPEN)
    write(
        "run/coordinator-events.jsonl", stamped(1, phase="tool_lifecycle", payload={"callId": "x"})
    )
    _, problems = report(tmp_path / "run")
    assert problems == []


def test_a_refused_call_needs_no_word_of_pi(write, report, tmp_path):
    refused = json.loads(json.dumps(DONE))
    refused["update"]["toolCall"]["result"] = {"status": "error", "error": "rejected"}
    write("run/on-delta.jsonl", *OPEN, refused, ENDED)
    write(
        "run/coordinator-events.jsonl", stamped(1, phase="tool_lifecycle", payload={"callId": "x"})
    )
    (call,), problems = report(tmp_path / "run")
    assert call["reason"] == "denied"
    assert problems == []


def test_a_call_that_only_pi_knows_is_listed_without_a_start(write, report, tmp_path):
    write("run/on-delta.jsonl", OPEN[0], OPEN[2], ENDED)
    write("run/coordinator-events.jsonl", discarded("c7", "abort", "edit"))
    (call,), _ = report(tmp_path / "run")
    assert (call["tool"], call["reason"], call["call_id_hash"]) == ("edit", "abort", digest("c7"))
    assert "started" not in call
    assert "target" not in call
    assert states(call) == {"onDelta": "not-mentioned", "debug decisions": "given-up"}
    assert call["policies"] == {"A": "trace", "B": "trace", "C": "trace"}
    assert "its start is not recorded here" in call["suggestion"]


def test_whether_a_call_that_only_pi_knows_was_hidden_is_not_known(write, report, tmp_path):
    write("run/on-delta.jsonl", OPEN[0], OPEN[2], ENDED)
    write("run/coordinator-events.jsonl", discarded("c7", "no-completion-at-run-end", "edit"))
    (call,), _ = report(tmp_path / "run")
    assert call["policies"] == {"A": "unknown", "B": "unknown", "C": "unknown"}


def test_a_name_in_pis_records_is_not_repeated(write, report, tmp_path):
    write("run/on-delta.jsonl", OPEN[0], ENDED)
    write("run/coordinator-events.jsonl", discarded("c7", "abort", "hoist-the-private-flag"))
    calls, problems = report(tmp_path / "run")
    assert "private" not in json.dumps([calls, problems])


# -- refusals ---------------------------------------------------------------------------------

AGENT_NOTE = "Agent note: Do not suggest workarounds to the blocked tool."


def reason(name, outcome, *, form="sdk-stream"):
    """Why the one call of a run has no usable outcome."""
    normalizer = Normalizer(file="run.jsonl")
    events = [
        SessionSeen(origin=HERE, format=form),
        start("c1", name),
        done("c1", name, outcome=outcome),
    ]
    items = [item for event in events for item in normalizer.feed(event)]
    (card,) = [item for item in [*items, *normalizer.close()] if isinstance(item, Card)]
    return reason_of(card)


@pytest.mark.parametrize(
    "error",
    [
        "rejected",
        "Rejected: the harbour master says no",
        "rejected: the harbour master says no",
        "User rejected the command",
        "user declined to run this",
        "denied by policy",
        "permission denied: Command blocked by permissions configuration",
        "Command blocked by permissions configuration",
        "User chose to skip this step",
        f"The locker is shut\n\n{AGENT_NOTE}",
        f"The quay is closed today\n\n{AGENT_NOTE}",
    ],
)
@pytest.mark.parametrize("name", ["shell", "read", "write", "mcp"])
def test_the_words_of_a_refusal_are_known(name, error):
    assert reason(name, Outcome(status="error", error=error)) == "denied"


@pytest.mark.parametrize(
    "error",
    [
        "flags.md: No such file",
        "the harbour master denied nothing",
        "grep: locker.txt: Permission denied",
        "EACCES: permission denied, open 'locker.txt'",
        "permission denied, open 'locker.txt'",
        "cannot push: the remote rejected the change",
        "Access to the tide table was denied by its server",
        "expected 'denied' but found 'allowed'",
        "deniedlist.txt: not a file",
        "2 of 3 hunks were rejected",
        "connection refused",
        "",
    ],
)
@pytest.mark.parametrize("name", ["shell", "read", "write", "mcp"])
def test_an_ordinary_error_that_mentions_such_words_is_an_outcome(name, error):
    assert reason(name, Outcome(status="error", error=error)) is None


@pytest.mark.parametrize(
    "value",
    [
        {"stdout": "", "stderr": "Permission denied (publickey).", "exitCode": 255},
        {"stdout": "rejected: 3\n", "stderr": "", "exitCode": 0},
        {"stdout": "denied\n", "stderr": "", "exitCode": 1},
    ],
)
def test_a_command_that_ran_was_not_refused_whatever_it_printed(value):
    assert reason("shell", Outcome(status="success", value=value)) is None


def test_a_tool_of_mcp_that_answers_with_an_error_was_not_refused():
    value = {"isError": True, "content": [{"text": "the gate is stuck"}]}
    assert reason("mcp", Outcome(status="success", value=value)) is None


@pytest.mark.parametrize(("name", "wanted"), [("shell", "denied"), ("read", "not-recorded")])
def test_an_sdk_shell_that_completed_without_a_result_was_refused_and_no_other_tool(name, wanted):
    assert reason(name, None) == wanted


HOOK = {
    "conversation_id": "44444444-bbbb-4000-8000-0000000000bb",
    "generation_id": "generation-1",
    "cursor_version": "2026.02.13",
}


def hook(event, **fields):
    return {**HOOK, "hook_event_name": event, **fields}


def test_a_command_of_a_log_without_its_end_hooks_was_not_refused_for_all_that_is_known(
    write, report
):
    path = write(
        "hooks.jsonl",
        hook("beforeSubmitPrompt", prompt="Hoist the flags."),
        hook("beforeShellExecution", command="hoist --all", cwd="/repo"),
        hook("stop", status="completed"),
    )
    (call,), _ = report(path)
    assert (call["target"], call["reason"]) == ("hoist --all", "not-recorded")


def acp(**fields):
    return {"jsonrpc": "2.0", **fields}


def acp_update(**fields):
    session = "33333333-aaaa-4bbb-8ccc-00000000bb01"
    return acp(method="session/update", params={"sessionId": session, "update": fields})


def test_a_bare_completion_of_an_acp_command_was_not_refused_for_all_that_is_known(write, report):
    call_of = {"sessionUpdate": "tool_call", "toolCallId": "t1", "kind": "execute"}
    path = write(
        "acp.jsonl",
        acp_update(**call_of, title="`hoist --all`", status="pending", rawInput=COMMAND),
        acp_update(sessionUpdate="tool_call_update", toolCallId="t1", status="completed"),
    )
    (call,), _ = report(path)
    assert (call["target"], call["reason"]) == ("hoist --all", "not-recorded")


def test_a_command_whose_result_a_cloud_run_left_out_was_not_refused_for_all_that_is_known(
    tmp_path, report
):
    call = {"callId": "t1", "name": "shell", "args": COMMAND}
    frames = [
        ("status", {"status": "RUNNING", "agentId": "bc-flag", "runId": "run-flag"}),
        ("tool_call", {**call, "status": "running"}),
        ("tool_call", {**call, "status": "completed", "truncated": {"result": True}}),
        ("status", {"status": "FINISHED"}),
    ]
    path = tmp_path / "cloud.txt"
    text = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in frames)
    path.write_text(text, "utf-8")
    os.utime(path, (OLD, OLD))
    (call,), _ = report(path)
    assert (call["target"], call["reason"]) == ("hoist --all", "not-recorded")


def test_a_call_without_a_recorded_id_has_no_hash(write, report):
    path = write(
        "hooks.jsonl",
        hook("beforeSubmitPrompt", prompt="Hoist the flags."),
        hook("beforeShellExecution", command="hoist --one", cwd="/repo"),
        hook("afterShellExecution", command="hoist --one", output="up\n", duration=3),
        hook("beforeShellExecution", command="hoist --all", cwd="/repo"),
        hook("stop", status="aborted"),
    )
    (call,), _ = report(path)
    assert (call["target"], call["reason"]) == ("hoist --all", "abort")
    assert "call_id_hash" not in call


# -- what pi itself ran -----------------------------------------------------------------------


def test_a_call_over_the_bridge_is_never_reported(write, report, tmp_path):
    bridged = {"type": "mcp", "args": {"toolName": "pi__bash", "args": {"command": "hoist"}}}
    write(
        "run/on-delta.jsonl",
        OPEN[0],
        update(150, "tool-call-started", callId="b1", toolCall=bridged),
        ENDED,
    )
    assert report(tmp_path / "run") == ([], [])
