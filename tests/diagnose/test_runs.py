"""Three runs as the SDK dumps them: one surface alone, a debug folder, and all surfaces together.

``runs/<run>`` holds what each surface told of one run, in the SDK's own shapes: a call that was
refused without a word (``incomplete``), a run that was cancelled, and one that failed before any
call (``backenderror``). No surface is asked for more than it tells.
"""

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from cursor_replay.cli.main import cli

RUNS = Path(__file__).parent / "runs"
SURFACES = ("stream", "onDelta", "onStep", "conversation", "run-result")
TARGETS = {"incomplete": "sweep --all quay", "cancelled": "count --slow gulls"}
CALLS = {"incomplete": "call_sweep", "cancelled": "call_count"}
ENDS = {"incomplete": "success", "cancelled": "cancelled", "backenderror": "error"}
OLD = 1_780_300_900


def digest(call_id):
    return hashlib.sha256(call_id.encode()).hexdigest()[:8]


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))

    def run(*args):
        result = CliRunner().invoke(cli, ["incomplete", *map(str, args)], prog_name="cursor-replay")
        assert result.exit_code == 0, result.output
        return result.stdout

    return run


@pytest.fixture
def calls(run):
    def calls(*args):
        return [json.loads(line) for line in run(*args, "--json").splitlines()]

    return calls


@pytest.fixture
def folder(tmp_path):
    """A copy of a run's dumps, last written long ago."""

    def folder(name):
        copy = tmp_path / name
        shutil.copytree(RUNS / name, copy)
        return _old(copy)

    return folder


def _old(path):
    for each in (path, *path.iterdir()):
        os.utime(each, (OLD, OLD))
    return path


def records(name, surface):
    text = (RUNS / name / f"{surface}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def states(call):
    return {each["surface"]: each["state"] for each in call["surfaces"]}


# -- one surface alone ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dump", "told"),
    [
        (("incomplete", "stream"), (4, "no-completion-at-run-end", "success")),
        (("incomplete", "onDelta"), (3, "no-completion-at-run-end", "success")),
        (("cancelled", "stream"), (4, "abort", "cancelled")),
        # nothing in the updates of a cancelled run says that it was cancelled
        (("cancelled", "onDelta"), (3, "process-died", None)),
    ],
)
def test_a_surface_that_tells_starts_gives_the_reason(dump, told, folder, calls):
    (name, surface), (line, reason, end) = dump, told
    (call,) = calls(folder(name) / f"{surface}.jsonl")
    assert (call["tool"], call["target"]) == ("shell", TARGETS[name])
    assert (call["reason"], call["started"]["line"]) == (reason, line)
    assert call["call_id_hash"] == digest(CALLS[name])
    assert call["evidence"].get("run_end") == end
    assert call["evidence"]["said_text"] is True
    assert states(call) == {surface: "started"}


@pytest.mark.parametrize("surface", ["onStep", "conversation", "run-result"])
@pytest.mark.parametrize("name", ["incomplete", "cancelled", "backenderror"])
def test_a_surface_that_tells_no_open_calls_gives_none_and_claims_nothing_of_starts(
    name, surface, folder, calls, run
):
    path = folder(name) / f"{surface}.jsonl"
    assert calls(path) == []
    head = run(path).splitlines()[0]
    assert head == "No call without an outcome in 1 recording: open calls are not told there"


@pytest.mark.parametrize("surface", ["stream", "run-result"])
def test_a_run_that_failed_before_any_call_says_how_it_ended(surface, folder, calls, run):
    path = folder("backenderror") / f"{surface}.jsonl"
    assert calls(path) == []
    said = " ".join(run(path, "--width", 200).split())
    assert "the run ended: error ([resource_exhausted] The tide is out)" in said


@pytest.mark.parametrize("surface", ["onDelta", "onStep", "conversation"])
def test_a_surface_of_a_failed_run_without_its_end_says_that_there_is_none(surface, folder, run):
    said = run(folder("backenderror") / f"{surface}.jsonl", "--width", 200)
    assert "no end of the run" in said


def test_the_policies_of_a_refused_shell_are_those_of_a_run_that_said_something(folder, calls):
    (call,) = calls(folder("incomplete") / "stream.jsonl")
    assert call["policies"] == {"A": "card", "B": "hidden", "C": "hidden"}
    (call,) = calls(folder("cancelled") / "stream.jsonl")
    assert call["policies"] == {"A": "trace", "B": "trace", "C": "trace"}


# -- all surfaces together --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "reason"), [("incomplete", "no-completion-at-run-end"), ("cancelled", "abort")]
)
def test_all_surfaces_of_a_run_tell_one_call(name, reason, folder, calls):
    (call,) = calls(folder(name), "--all-problems")
    assert (call["reason"], call["target"]) == (reason, TARGETS[name])
    assert call["evidence"]["run_end"] == ENDS[name]
    assert states(call) == {
        "stream": "started",
        "onDelta": "started",
        "onStep": "silent",
        "conversation": "silent",
        "run result": "silent",
    }


def test_a_failed_run_without_a_call_has_nothing_to_report(folder, calls):
    assert calls(folder("backenderror"), "--all-problems") == []


def test_the_updates_of_a_cancelled_run_learn_its_end_from_the_result_beside_them(folder, calls):
    path = folder("cancelled")
    for surface in ("stream", "onStep", "conversation"):
        (path / f"{surface}.jsonl").unlink()
    (call,) = calls(path)
    assert (call["reason"], call["evidence"]["run_end"]) == ("abort", "cancelled")
    (note,) = call["ambiguous"]
    assert note.startswith("only ")
    assert note.endswith("run-result.jsonl tells how the run ended")


def test_files_that_are_named_one_by_one_are_one_call_too(folder, calls):
    path = folder("cancelled")
    (call,) = calls(path / "stream.jsonl", path / "onDelta.jsonl")
    assert call["reason"] == "abort"
    assert states(call) == {"stream": "started", "onDelta": "started"}


def test_two_runs_that_are_read_together_keep_their_own_ends(folder, calls):
    one, other = folder("incomplete"), folder("cancelled")
    told = calls(one / "onDelta.jsonl", other / "onDelta.jsonl")
    assert [(call["target"], call["reason"]) for call in told] == [
        ("sweep --all quay", "no-completion-at-run-end"),
        ("count --slow gulls", "process-died"),
    ]


# -- a debug folder ---------------------------------------------------------------------------


def _stamped(ms, **payload):
    return {"ts": f"2026-06-01T08:00:{ms // 1000:02d}.{ms % 1000:03d}Z", "elapsedMs": ms, **payload}


def _write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.fixture
def debug(tmp_path):
    """The same records as pi-cursor-sdk writes them: the folder of one turn of a run."""

    def debug(name, *, gives_up=None, keep=None):
        path = tmp_path / f"{name}-debug"
        path.mkdir()
        layers = {
            "on-delta": ("onDelta", "update"),
            "stream-events": ("stream", "event"),
            "on-step": ("onStep", "step"),
        }
        for file, (surface, key) in layers.items():
            rows = records(name, surface)
            _write(
                path / f"{file}.jsonl",
                [_stamped(100 * n, turn=1, **{key: row}) for n, row in enumerate(rows, 1)],
            )
        (path / "conversation.json").write_text(json.dumps(records(name, "conversation")), "utf-8")
        (result,) = records(name, "run-result")
        (path / "wait-result.json").write_text(json.dumps(result, indent=2), "utf-8")
        if gives_up:
            _write(path / "coordinator-events.jsonl", [_discarded(CALLS[name], gives_up)])
        for each in path.iterdir():
            if keep is not None and each.name not in keep:
                each.unlink()
        return _old(path)

    return debug


def _discarded(call_id, reason):
    kind = "discarded-incomplete-started-tool-call"
    body = {"event": kind, "toolName": "shell", "callIdHash": digest(call_id), "reason": reason}
    return _stamped(2000, turn=1, phase=kind, payload=body)


@pytest.mark.parametrize(
    ("name", "reason"), [("incomplete", "no-completion-at-run-end"), ("cancelled", "abort")]
)
def test_a_debug_folder_tells_the_call_once_and_what_pi_did(name, reason, debug, calls):
    (call,) = calls(debug(name, gives_up=reason), "--all-problems")
    assert (call["tool"], call["target"], call["reason"]) == ("shell", TARGETS[name], reason)
    assert call["started"]["file"].endswith("on-delta.jsonl")
    assert call["started"]["time"]["at"] == "2026-06-01T08:00:00.300Z"
    assert call["evidence"]["run_end"] == ENDS[name]
    assert states(call) == {
        "onDelta": "started",
        "stream": "started",
        "onStep": "silent",
        "conversation": "silent",
        "debug decisions": "given-up",
        "run result": "silent",
    }


@pytest.mark.parametrize(
    ("name", "file", "reason"),
    [
        ("incomplete", "on-delta.jsonl", "no-completion-at-run-end"),
        ("incomplete", "stream-events.jsonl", "no-completion-at-run-end"),
        ("cancelled", "on-delta.jsonl", "abort"),
        ("cancelled", "stream-events.jsonl", "abort"),
    ],
)
def test_the_result_of_a_run_is_enough_beside_one_surface_of_a_debug_folder(
    name, file, reason, debug, calls
):
    (call,) = calls(debug(name, keep={file, "wait-result.json"}))
    assert (call["reason"], call["evidence"]["run_end"]) == (reason, ENDS[name])


def test_what_pi_gave_up_is_believed_where_no_end_is_recorded(debug, calls):
    kept = {"on-delta.jsonl", "coordinator-events.jsonl"}
    (call,) = calls(debug("cancelled", gives_up="abort", keep=kept))
    assert call["reason"] == "abort"
    assert "run_end" not in call["evidence"]


def test_a_debug_folder_of_a_run_that_failed_before_any_call_has_nothing_to_report(
    debug, calls, run
):
    path = debug("backenderror")
    assert calls(path, "--all-problems") == []
    said = " ".join(run(path, "--width", 200).split())
    assert "the run ended: error ([resource_exhausted] The tide is out)" in said


@pytest.mark.parametrize("surface", ["on-step.jsonl", "conversation.json"])
def test_a_debug_folder_with_only_what_tells_no_open_calls_gives_none(surface, debug, calls):
    assert calls(debug("incomplete", keep={surface, "wait-result.json"})) == []


# -- a failed run with an open call -----------------------------------------------------------


def test_a_call_that_was_open_when_a_run_failed_is_told_with_its_words(tmp_path, calls):
    *before, end = records("backenderror", "stream")
    ids = {key: end[key] for key in ("agent_id", "run_id")}
    call = {"type": "tool_call", **ids, "call_id": "call_bell", "name": "shell"}
    path = tmp_path / "stream.jsonl"
    _write(path, [*before, {**call, "status": "running", "args": {"command": "ring"}}, end])
    (told,) = calls(path)
    assert (told["reason"], told["target"]) == ("sdk-failure", "ring")
    assert told["evidence"]["run_end_reason"] == "[resource_exhausted] The tide is out"
    assert told["policies"] == {"A": "card", "B": "card", "C": "card"}


def test_every_run_has_every_surface():
    for name in ("incomplete", "cancelled", "backenderror"):
        assert {each.stem for each in (RUNS / name).iterdir()} == set(SURFACES)
