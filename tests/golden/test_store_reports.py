"""Why calls in stores have no outcome: the fixtures of databases and folders, reason by reason."""

from contextlib import closing

import pytest
from fixture_cases import CASES, NAMES, input_of, options

from cursor_replay.diagnose.collect import collect
from cursor_replay.diagnose.merge import report_of
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.pipeline import replay

CASE_OF = dict(zip(NAMES, CASES, strict=True))
WANTED = {
    # a shell that the user refused, and a message that was still being written
    "chat-store/failed-and-rejected": [("shell", "rm -r build", "denied", None)],
    "chat-store/pending-message": [("shell", "npm start", "process-died", None)],
    "chat-store/turns-only": [
        ("read", "README.md", "not-recorded", None),
        ("tool 99", None, "not-recorded", None),
    ],
    # `userDecision` of the IDE, and a call that was loading when the file was written
    "ide-state/modern-chat": [("shell", "rm -r build", "denied", "success")],
    "ide-state/running-chat": [("shell", "make check", "process-died", None)],
    # how a run ended stands in its row alone, or in its events and its row
    "sdk-store/end-in-the-run-row": [("shell", "sleep 9", "abort", "cancelled")],
    "sdk-store/failed-runs": [
        ("shell", "ls boats", "sdk-failure", "error"),
        ("shell", "ls boats", "abort", "cancelled"),
    ],
    "sdk-store/running": [("shell", "sleep 60", "process-died", None)],
    "debug-artifacts/aborted-run": [("shell", "sail", "abort", "aborted")],
    "debug-artifacts/failed-run": [("shell", "hoist", "sdk-failure", "error")],
    "debug-artifacts/queue-alone": [],
    "debug-artifacts/session-drained-in-the-next-turn": [],
}


@pytest.mark.parametrize("name", WANTED)
def test_a_store_tells_why_its_calls_have_no_outcome(name):
    how = options(CASE_OF[name])
    path = str(input_of(CASE_OF[name]))
    read = ReadOptions(session=how.get("session"))
    with closing(open_source(path, options=read)) as source:
        report = report_of([collect(replay(source), name=source.name)])
    told = [(each.tool, each.target, each.reason, each.evidence.run_end) for each in report.calls]
    assert told == WANTED[name]


@pytest.mark.parametrize("form", ["chat-store", "ide-state", "sdk-store"])
def test_stores_without_such_a_call_have_none(form):
    for name, case in CASE_OF.items():
        if name.startswith(form) and name not in WANTED:
            read = ReadOptions(session=options(case).get("session"))
            with closing(open_source(str(input_of(case)), options=read)) as source:
                assert report_of([collect(replay(source), name=name)]).calls == (), name
