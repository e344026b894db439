"""Every reason in every format that can show it: recordings of our own, and what must be said.

``goldens/<format>/<reason>/input*`` is the recording (a file, or a folder of files) and
``expected.json`` names the calls of the report in order. An expected call names what matters; every
key named must match, the calls are all of them, and ``call_id`` is the recorded id itself.
"""

import hashlib
import json
import os
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from cursor_replay.cli.main import cli
from cursor_replay.events import SessionSeen
from cursor_replay.ingest.source import open_source
from cursor_replay.normalize.incomplete import REASONS

GOLDENS = Path(__file__).parent / "goldens"
FORMATS = (
    "sdk-stream", "sdk-updates", "sdk-steps", "sdk-turns", "agent-messages", "stream-json", "acp",
    "hooks", "cloud-sse", "transcript", "legacy-txt", "transcript-json", "pi-session",
    "debug-artifacts", "sdk-ndjson-store",
)  # fmt: skip
OLD = 1_780_300_900
"""When a recording that nobody writes any more was last written."""

_ONLY_DONE = "it holds calls that completed, and nothing of a call that only began"
_NO_CALLS_OPEN = "it holds no start and no end of a call, so none is ever open"
_PI_ALONE = "only pi's own records tell that a run ended while it was drained"
_NO_PARTS = "it tells no part of arguments apart from a start"

CANNOT: dict[tuple[str, str], str] = {
    ("sdk-stream", "run-drain"): _PI_ALONE,
    ("sdk-stream", "arguments-cut"): "a part of the arguments is told as a running call",
    ("sdk-updates", "run-drain"): _PI_ALONE,
    ("sdk-updates", "abort"): "the update that ends a turn carries no status",
    ("sdk-updates", "sdk-failure"): "the update that ends a turn carries no status",
    ("stream-json", "run-drain"): _PI_ALONE,
    ("stream-json", "arguments-cut"): _NO_PARTS,
    ("stream-json", "abort"): "a run that was stopped writes no result line",
    ("acp", "run-drain"): _PI_ALONE,
    ("acp", "arguments-cut"): _NO_PARTS,
    ("hooks", "run-drain"): _PI_ALONE,
    ("hooks", "arguments-cut"): "a hook is called with whole arguments",
    ("cloud-sse", "run-drain"): _PI_ALONE,
    ("sdk-ndjson-store", "run-drain"): _PI_ALONE,
    ("sdk-ndjson-store", "arguments-cut"): "a part of the arguments is told as a running call",
    ("pi-session", "running"): "a card is written when its call is over",
    **{
        (form, reason): _ONLY_DONE
        for form in ("sdk-steps", "sdk-turns", "agent-messages")
        for reason in REASONS
        if reason not in ("denied", "not-recorded")
    },
    **{
        (form, reason): _NO_CALLS_OPEN
        for form in ("transcript", "legacy-txt", "transcript-json")
        for reason in REASONS
        if reason not in ("denied", "not-recorded")
    },
    ("transcript", "denied"): "its records hold no results, so nothing tells of a refusal",
    ("legacy-txt", "denied"): "a result is a text without a word of how the call went",
}
"""Why a pair of format and reason has no recording."""


def _pairs() -> list[tuple[str, str]]:
    folders = sorted(each.parent for each in GOLDENS.glob("*/*/expected.json"))
    return [(each.parent.name, each.name) for each in folders]


@pytest.fixture
def report(tmp_path, monkeypatch):
    """Run the command on a recording and return its lines; no store of this machine is read."""
    monkeypatch.setenv("HOME", str(tmp_path))

    def run(*sources, **how):
        args = ["incomplete", *map(str, sources), "--json", *how.get("more", ())]
        result = CliRunner().invoke(cli, args, prog_name="cursor-replay")
        assert result.exit_code == 0, result.output
        return [json.loads(line) for line in result.stdout.splitlines()]

    return run


def _dated(path: Path, moment: float) -> None:
    for each in [path, *(path.iterdir() if path.is_dir() else ())]:
        os.utime(each, (moment, moment))


@pytest.mark.parametrize("pair", _pairs(), ids="/".join)
def test_a_recording_gives_the_report_that_was_worked_out_for_it(pair, report, tmp_path):
    folder = GOLDENS.joinpath(*pair)
    reason = pair[1]
    (given,) = folder.glob("input*")
    copy = _copied(given, tmp_path)
    _dated(copy, time.time() if reason == "running" else OLD)
    wanted = json.loads((folder / "expected.json").read_text("utf-8"))["calls"]
    assert wanted
    assert {each["reason"] for each in wanted} >= {reason}
    calls = report(copy)
    told = [_comparable(each, call) for each, call in zip(wanted, calls, strict=False)]
    assert told == wanted
    assert len(calls) == len(wanted)


def _copied(given: Path, folder: Path) -> Path:
    """The recording in a place of its own: what git checked out stays as it is."""
    copy = folder / given.name
    if given.is_dir():
        copy.mkdir()
        for each in given.iterdir():
            (copy / each.name).write_bytes(each.read_bytes())
    else:
        copy.write_bytes(given.read_bytes())
    return copy


def _comparable(wanted, call):
    """What the report says, under the keys and in the words of the expected call."""
    seen, started = call["evidence"], call.get("started", {})
    whole = {
        "target": None, "run_end": None, "run_end_reason": None, "open_ms": None,
        "last_output": None, "refusal": None, **seen, **call, "line": started.get("line"),
        "surfaces": {each["surface"]: each["state"] for each in call["surfaces"]},
        "call_id": _id_of(wanted, call),
    }  # fmt: skip
    return {key: whole[key] for key in wanted}


def _id_of(wanted, call):
    """The recorded id if the report names it by its hash, else what it names."""
    recorded, told = wanted.get("call_id"), call.get("call_id_hash")
    if recorded is None:
        return told
    is_its = told == hashlib.sha256(recorded.encode()).hexdigest()[:8]
    return recorded if is_its else f"not the id of {recorded}: {told}"


def test_the_recordings_and_the_reasons_why_there_is_none_cover_every_pair():
    there = set(_pairs())
    assert there | set(CANNOT) == {(form, reason) for form in FORMATS for reason in REASONS}
    assert there & set(CANNOT) == set()


@pytest.mark.parametrize("pair", sorted(CANNOT), ids="/".join)
def test_a_pair_without_a_recording_has_a_reason(pair):
    assert len(CANNOT[pair].split()) > 5


def test_no_folder_of_recordings_is_left_without_an_expectation():
    folders = {each for each in GOLDENS.glob("*/*") if each.is_dir()}
    assert folders == {each.parent for each in GOLDENS.glob("*/*/expected.json")}
    assert {each.parent.name for each in folders} <= set(FORMATS)


@pytest.mark.parametrize("pair", _pairs(), ids="/".join)
def test_a_recording_is_read_as_the_format_of_its_folder(pair):
    (given,) = GOLDENS.joinpath(*pair).glob("input*")
    source = open_source(str(given))
    named = [each.format for each in source.events() if isinstance(each, SessionSeen)]
    source.close()
    assert [each for each in named if each] == [pair[0]]
