"""The SDK's store as NDJSON files: whose it is, odd lines, and what it has in common with ``index.db``."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sdk_stores import (
    AGENT,
    END,
    KEY,
    OTHER,
    START,
    Source,
    agent,
    built,
    cards,
    fixture,
    folder_of,
    items,
    numbered,
    run,
    said,
    sessions,
    source,
    status,
    store,
    told,
    user,
    with_key,
)

from cursor_replay.errors import InputError, ReplayError
from cursor_replay.ingest.formats.sdk import ndjson as sdk_ndjson
from cursor_replay.ingest.formats.sdk.ndjson import holds, open_store
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.ingest.wholes import recognise_store
from cursor_replay.items import Notice, Prompt, Time

FORM = "sdk-ndjson-store"
NOBODY = 65534
EVENTS = "run_events.ndjson"


def made(folder: Path, *runs: Source, agents: list[Source] | None = None) -> Path:
    return built(FORM, source(*runs, agents=agents), folder)


def lines(folder: Path, name: str = EVENTS) -> list[bytes]:
    return (folder / name).read_bytes().splitlines(keepends=True)


def put(folder: Path, given_: Iterable[bytes], name: str = EVENTS) -> Path:
    (folder / name).write_bytes(b"".join(given_))
    return folder


def notes(folder: Path) -> list[tuple[str, str, int]]:
    """(code, file, line) of what could not be read."""
    return [
        (item.code, Path(item.evidence.file).name, item.evidence.line)
        for item in items(folder)
        if isinstance(item, Notice) and item.evidence
    ]


def test_a_folder_with_events_is_a_store(tmp_path: Path) -> None:
    assert not holds(tmp_path)
    folder = made(tmp_path / "store", run())
    assert holds(folder)
    found = recognise_store(folder)
    assert found is not None
    assert found.name == FORM
    assert not holds(folder / EVENTS)
    assert not holds(tmp_path / "missing")
    assert not holds(Path("a\0b"))


def test_what_may_not_be_looked_into_is_none(tmp_path: Path) -> None:
    folder = made(tmp_path / "store", run())
    folder.chmod(0)
    mine = os.geteuid()
    if mine == 0:  # the superuser may look everywhere
        os.seteuid(NOBODY)
    try:
        assert not holds(folder)
    finally:
        os.seteuid(mine)
        folder.chmod(0o700)


def test_a_missing_file_a_refused_one_and_an_impossible_one_are_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"run_events\.ndjson: no such file"):
        open_store(tmp_path)
    (tmp_path / EVENTS).mkdir()
    with pytest.raises(InputError, match=r"cannot be opened \(IsADirectoryError\)"):
        open_store(tmp_path)
    shared = made(Path(tempfile.mkdtemp()), run())
    shared.chmod(0o755)
    (shared / "runs.ndjson").chmod(0)
    mine = os.geteuid()
    if mine == 0:  # the superuser may read everything
        os.seteuid(NOBODY)
    try:
        with pytest.raises(InputError, match=r"runs\.ndjson: not permitted to read it"):
            sessions(FORM, shared)
    finally:
        os.seteuid(mine)
        shutil.rmtree(shared)


def test_a_read_that_fails_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Torn:
        def seek(self, _: int) -> None:
            return None

        def readline(self, _: int) -> bytes:
            raise OSError

        def close(self) -> None:
            return None

    monkeypatch.setattr(sdk_ndjson, "_opened", lambda _: Torn())
    with (
        store(FORM, made(tmp_path, run(), agents=[])) as opened,
        pytest.raises(InputError, match=r"cannot be read \(OSError\)"),
    ):
        opened._tables.tallies()


def test_events_alone_are_a_session(tmp_path: Path) -> None:
    folder = made(tmp_path, run(user("Why?"), said("So."), status("FINISHED")))
    for name in ("agents.ndjson", "runs.ndjson", "checkpoints.ndjson"):
        (folder / name).unlink()
    (found,) = sessions(FORM, folder)
    assert (found.id, found.title, found.state) == (AGENT, "Why?", "finished")
    assert found.started == Time(at="2026-05-04T09:00:00.100Z")
    assert told(items(folder))[1:] == [
        ("notice", "run-without-row"),
        ("prompt", "Why?"),
        ("answer", "So."),
        ("turn_end", "success"),
    ]


def test_the_last_line_of_a_rewritten_record_holds(tmp_path: Path) -> None:
    folder = made(
        tmp_path,
        run(said("So."), model="old"),
        run(model="new"),
        agents=[agent(), agent(name="new")],
    )
    assert sessions(FORM, folder)[0].title == "new"
    assert told(items(folder))[0] == ("session", "new")


def test_an_error_may_be_a_word_or_an_object(tmp_path: Path) -> None:
    errors: list[Any] = [
        "gone",
        {"message": "[internal] gone", "code": "internal"},
        {"code": "internal"},
        [1],
    ]
    runs = [numbered(at, status="ERROR", error=error) for at, error in enumerate(errors, 1)]
    ends = [word for kind, word in told(items(made(tmp_path, *runs))) if kind == "turn_end"]
    assert ends == ["error gone", "error [internal] gone", "error internal", "error"]


def test_events_are_shown_by_their_numbers_and_stand_in_their_lines(tmp_path: Path) -> None:
    folder = made(tmp_path, run(user("Why?"), said("Be"), said("cause"), said(".")))
    first, second, third, fourth = lines(folder)
    put(folder, [first, fourth, b"\n", second, third.replace(b'"seq":3,"offset":"3"', b'"x":1')])
    shown: Any = items(folder)
    assert told(shown)[1:3] == [("prompt", "Why?"), ("answer", "Because.")]
    assert shown[2].evidence.line == 4


def test_a_number_may_stand_in_the_offset_alone(tmp_path: Path) -> None:
    folder = made(tmp_path, run(said("A"), said("B")))
    first, second = (line.replace(b'"seq"', b'"was"') for line in lines(folder))
    assert told(items(put(folder, [second, first])))[1] == ("answer", "AB")


def test_lines_that_name_no_run_are_told_in_every_session(tmp_path: Path) -> None:
    agents = [agent(), agent(id=OTHER)]
    folder = made(tmp_path, run(said("A")), numbered(2, said("B"), agent=OTHER), agents=agents)
    stray = [b"{]\n", b"[1]\n", b"7\n", b'{"runId":7}\n', b" \n"]
    put(folder, [*stray, *lines(folder)])
    for session in (AGENT, OTHER):
        shown = [item for item in items(folder, session=session) if isinstance(item, Notice)]
        assert [(note.code, note.count) for note in shown] == [
            ("not-json", 1),
            ("unknown-record", 3),
            ("losses", 4),
        ]


def test_lines_of_the_other_files_that_name_nobody_are_told_with_their_place(
    tmp_path: Path,
) -> None:
    folder = made(tmp_path, run(said("A")))
    put(folder, [b"{}\n", *lines(folder, "agents.ndjson")], "agents.ndjson")
    put(folder, [*lines(folder, "runs.ndjson"), b"{]\n", b"null\n"], "runs.ndjson")
    assert notes(folder) == [
        ("unknown-record", "agents.ndjson", 1),
        ("not-json", "runs.ndjson", 2),
        ("unknown-record", "runs.ndjson", 3),
    ]


def test_a_line_that_is_still_being_written_is_told_as_such(tmp_path: Path) -> None:
    folder = made(tmp_path, run(said("A"), said("B"), status="RUNNING"))
    first, second = lines(folder)
    put(folder, [first, second[:40]])
    assert told(items(folder))[1:3] == [("answer", "A"), ("notice", "cut-line")]
    assert told(items(put(folder, [first, second[:-1]])))[1:] == [("answer", "AB")]


def test_a_line_over_the_limit_is_told_and_the_next_one_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made(tmp_path, run(said("A"), said("x" * 2000), said("B")))
    monkeypatch.setattr(sdk_ndjson, "MAX_LINE", 600)
    assert notes(folder) == [("line-too-long", EVENTS, 2), ("gaps", "runs.ndjson", 1)]
    assert ("answer", "AB") in told(items(folder))


@pytest.mark.parametrize("over", [0, 1])
def test_a_line_of_exactly_the_limit_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, over: int
) -> None:
    folder = made(tmp_path, run(said("A"), agent=AGENT, result=None))
    (only,) = lines(folder)
    put(folder, [only[: -1 if over else None]])
    monkeypatch.setattr(sdk_ndjson, "MAX_LINE", len(only) - over)
    assert ("answer", "A") in told(items(folder))


def test_line_ends_marks_and_several_records_on_a_line_are_read(tmp_path: Path) -> None:
    folder = made(tmp_path, run(said("A"), said("B"), said("C"), status("FINISHED")))
    first, second, third, fourth = (line.rstrip() for line in lines(folder))
    put(folder, [b"\xef\xbb\xbf", first, b"\r\n", second, b" ", third, b"\n", fourth, b"\n"])
    shown: Any = items(folder)
    assert told(shown)[1:] == [
        ("notice", "several-values"),
        ("answer", "ABC"),
        ("turn_end", "success"),
        ("notice", "losses"),
    ]
    assert (shown[1].evidence.line, shown[1].evidence.block, shown[1].count) == (2, 0, 1)


def test_a_payload_kept_as_text_is_read(tmp_path: Path) -> None:
    folder = made(tmp_path, run(user("Why?")))
    record = json.loads(lines(folder)[0])
    record["payload"] = json.dumps(record["payload"])
    put(folder, [json.dumps(record).encode()])
    assert told(items(folder))[1] == ("prompt", "Why?")


def test_bytes_that_are_no_utf8_are_noted_where_they_stand(tmp_path: Path) -> None:
    folder = made(tmp_path, run(said("caf_"), status("FINISHED")))
    put(folder, [line.replace(b"caf_", b"caf\xe9") for line in lines(folder)])
    assert notes(folder) == [("invalid-utf8", EVENTS, 1)]
    assert ("answer", "caf\ufffd") in told(items(folder))


def test_a_file_that_is_replaced_while_it_is_read_is_told(tmp_path: Path) -> None:
    folder = made(tmp_path, run(said("A"), said("B")))
    with store(FORM, folder) as opened:
        opened.sessions()
        os.truncate(folder / EVENTS, len(lines(folder)[0]))
        codes = [getattr(event, "code", None) for event in opened.events(AGENT, ReadOptions())]
    assert "no-payload" in codes


def test_a_session_is_read_as_often_as_it_is_asked_for(tmp_path: Path) -> None:
    with store(FORM, made(tmp_path, run(said("A")))) as opened:
        first, second = (list(opened.events(AGENT, ReadOptions())) for _ in range(2))
    assert first == second


def test_a_run_of_no_event_and_an_agent_of_no_run_are_sessions(tmp_path: Path) -> None:
    folder = made(tmp_path, run(agent=OTHER, status="QUEUED"), agents=[agent(name=None)])
    assert [(each.id, each.title, each.state) for each in sessions(FORM, folder)] == [
        (AGENT, None, "unknown"),
        (OTHER, None, "running"),
    ]


def test_the_key_is_in_no_output(tmp_path: Path) -> None:
    folder = built(FORM, with_key(fixture(FORM, "two-turns")), tmp_path)
    assert KEY.encode() in b"".join(lines(folder, "agents.ndjson"))
    assert KEY not in repr(items(folder)) + repr(sessions(FORM, folder))


def test_checkpoints_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    opened = sdk_ndjson._opened

    def watched(path: Path) -> Any:
        names.append(path.name)
        return opened(path)

    monkeypatch.setattr(sdk_ndjson, "_opened", watched)
    items(made(tmp_path, run(said("A"))))
    assert sorted(names) == ["agents.ndjson", EVENTS, "runs.ndjson"]


def test_reading_changes_nothing(tmp_path: Path) -> None:
    folder = built(FORM, fixture(FORM, "two-turns"), tmp_path)
    before = folder_of(folder)
    sessions(FORM, folder)
    items(folder)
    assert folder_of(folder) == before


MADE = fixture(FORM, "two-turns")
STEADY = settings(
    deadline=None, derandomize=True, max_examples=60, suppress_health_check=list(HealthCheck)
)


@STEADY
@given(data=st.data())
def test_any_beginning_of_the_events_gives_every_whole_one(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = built(FORM, MADE, tmp_path_factory.getbasetemp() / "beginning")
    whole = b"".join(lines(folder))
    end = data.draw(st.integers(0, len(whole)))
    put(folder, [whole[:end]])
    records = [json.loads(line) for line in lines(folder) if line.endswith(b'"}\n')]
    messages = [record["payload"]["message"] for record in records]
    shown = items(folder)
    asked = sum(each["type"] == "user" for each in messages)
    begun = {each["call_id"] for each in messages if each["type"] == "tool_call"}
    assert asked <= sum(isinstance(item, Prompt) for item in shown) <= asked + 1
    assert len(begun) <= len(cards(shown)) <= len(begun) + 1


@STEADY
@given(data=st.data(), name=st.sampled_from(["agents.ndjson", "runs.ndjson", EVENTS]))
def test_any_mutilated_line_raises_nothing_and_the_others_are_shown(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, name: str
) -> None:
    folder = built(FORM, MADE, tmp_path_factory.getbasetemp() / "mutilated")
    kept = lines(folder, name)
    at = data.draw(st.integers(0, len(kept) - 1))
    cut = data.draw(st.integers(0, len(kept[at]) - 3))
    kept[at] = kept[at][:cut] + data.draw(st.binary(max_size=4)).replace(b"\n", b"") + b"\n"
    put(folder, kept, name)
    try:
        found = sessions(FORM, folder)
        shown = [item for each in found for item in items(folder, session=each.id)]
    except ReplayError as error:
        pytest.fail(str(error))
    if name == EVENTS:
        assert sum(isinstance(item, Prompt) for item in shown) >= 1
        assert not kept[at].strip() or any(isinstance(item, Notice) for item in shown)


def test_times_are_those_of_the_rows(tmp_path: Path) -> None:
    (found,) = sessions(FORM, made(tmp_path, run(said("A"), updated=END)))
    assert (found.started, found.changed) == (Time(at=START), Time(at=END))
