"""The SDK's store in SQLite: whose it is, what a listing says, how runs end, and what stays untouched."""

import copy
import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sdk_stores import (
    AGENT,
    BUILD,
    END,
    FIXTURES,
    KEY,
    LATER,
    OTHER,
    RUN,
    START,
    Source,
    agent,
    builder,
    built,
    cards,
    ended,
    events_of,
    fixture,
    folder_of,
    items,
    numbered,
    run,
    said,
    sessions,
    shell,
    source,
    status,
    store,
    told,
    user,
    with_key,
)

from cursor_replay.errors import AmbiguousError, InputError, ReplayError
from cursor_replay.ingest import database
from cursor_replay.ingest.database import Database
from cursor_replay.ingest.formats.sdk import store as sdk_store
from cursor_replay.ingest.formats.sdk.store import holds, open_store
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.ingest.wholes import recognise_store
from cursor_replay.items import Answer, Notice, Prompt, Time, TurnEnd, Usage

FORM = "sdk-store"
BOTH = pytest.mark.parametrize("form", list(BUILD))
NOBODY = 65534
HASH = "0123456789abcdef" * 4


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Path]:
    """Build a store of these runs in a folder of its own."""
    made = iter(range(100))

    def make(*runs: Source, agents: list[Source] | None = None, form: str = FORM) -> Path:
        return built(form, source(*runs, agents=agents), tmp_path / f"store {next(made)}")

    return make


def changed(folder: Path, *queries: str) -> Path:
    with closing(sqlite3.connect(folder / "index.db", isolation_level=None)) as connection:
        for query in queries:
            connection.execute(query)
    return folder


# -- whose it is ------------------------------------------------------------------------------


def test_the_database_its_folder_and_nothing_around_it_is_a_store(
    make: Callable[..., Path],
) -> None:
    folder = make(run())
    assert holds(folder)
    assert holds(folder / "index.db")
    assert not holds(folder.parent)
    assert not holds(folder / "missing")
    assert not holds(Path("a\0b"))


def test_a_store_is_recognised_by_its_tables(make: Callable[..., Path], tmp_path: Path) -> None:
    found = recognise_store(make(run()))
    assert found is not None
    assert found.name == FORM
    assert not holds(changed(make(run()), "DROP TABLE runs"))
    (tmp_path / "index.db").write_bytes(b"no database")
    assert not holds(tmp_path)


@pytest.fixture
def checkpoints(make: Callable[..., Path]) -> Path:
    folder = make(run()) / "agents" / f"agent-{HASH}"
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(folder / "store.db")) as connection:
        connection.execute("CREATE TABLE blobs (id TEXT, data BLOB)")
        connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
    return folder


def test_checkpoints_name_the_database_they_belong_to(checkpoints: Path) -> None:
    index = checkpoints.parent.parent / "index.db"
    for path in (checkpoints, checkpoints / "store.db"):
        assert holds(path)
        with pytest.raises(InputError) as caught:
            items(path)
        words = f"{path} holds checkpoints of an SDK store; open the store at {index}"
        assert str(caught.value) == words


def test_checkpoints_are_known_by_a_relative_path(
    checkpoints: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(checkpoints)
    assert holds(Path("store.db"))
    assert holds(Path())


def test_other_databases_of_that_name_are_somebody_elses(checkpoints: Path) -> None:
    other = checkpoints.with_name("agent-1")
    shutil.copytree(checkpoints, other)
    assert not holds(other / "store.db")
    elsewhere = checkpoints.parent.with_name("chats") / f"agent-{HASH}"
    shutil.copytree(checkpoints, elsewhere)
    assert not holds(elsewhere / "store.db")
    (checkpoints.parent.parent / "index.db").unlink()
    assert not holds(checkpoints / "store.db")
    (checkpoints / "store.db").unlink()
    assert not holds(checkpoints)


def test_what_may_not_be_looked_into_is_none(make: Callable[..., Path], checkpoints: Path) -> None:
    folder = make(run())
    folder.chmod(0)
    mine = os.geteuid()
    if mine == 0:  # the superuser may look everywhere
        os.seteuid(NOBODY)
    try:
        assert not holds(folder / "index.db")
        assert mine != 0 or not holds(checkpoints)
    finally:
        os.seteuid(mine)
        folder.chmod(0o700)


def test_what_is_forced_to_be_a_store_and_is_none_is_said(
    make: Callable[..., Path], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"index\.db: no such file"):
        open_store(tmp_path)
    with pytest.raises(InputError, match="is no store of the Cursor SDK"):
        open_store(changed(make(run()), "DROP TABLE runs"))
    nameless = changed(make(run()), "DROP TABLE run_events", "CREATE TABLE run_events (seq)")
    with pytest.raises(InputError, match="has events that belong to no run"):
        open_store(nameless)


# -- the listing ------------------------------------------------------------------------------


@BOTH
def test_a_listing_says_what_is_recorded(make: Callable[..., Path], form: str) -> None:
    folder = make(
        numbered(1, user("Why?"), shell("a", done=False), shell("a"), shell("b"), updated=LATER),
        numbered(2, user("And?"), user("Quick!"), shell("c"), updated=END),
        form=form,
    )
    (found,) = sessions(form, folder)
    assert found.id == AGENT
    assert found.store == form
    assert found.path == (folder / "index.db" if form == FORM else folder)
    assert found.workspace == "/srv/harbour"
    assert found.title == "tides"
    assert found.started == Time(at=START)
    assert found.changed == Time(at=END)
    assert found.prompts == 3
    assert found.calls == 3
    assert found.state == "finished"
    assert found.parent is None


@BOTH
def test_sessions_come_newest_first(make: Callable[..., Path], form: str) -> None:
    folder = make(agents=[agent(), agent(id=OTHER, updated=END)], form=form)
    assert [each.id for each in sessions(form, folder)] == [OTHER, AGENT]


@BOTH
def test_two_agents_are_to_be_chosen_from(make: Callable[..., Path], form: str) -> None:
    agents = [agent(), agent(id=OTHER, name="lamps")]
    folder = make(run(said("Here.")), run(id="run-2", agent=OTHER), agents=agents, form=form)
    with pytest.raises(AmbiguousError):
        items(folder)
    assert told(items(folder, session=AGENT))[1] == ("answer", "Here.")


@BOTH
@pytest.mark.parametrize("name", [None, "", "New Agent", "new chat ", "Untitled", "Cursor Agent"])
def test_a_placeholder_gives_way_to_the_first_line_a_human_typed(
    make: Callable[..., Path], form: str, name: str | None
) -> None:
    wrapped = "<timestamp>Monday, May 4, 2026, 9:01 AM (UTC)</timestamp>\n<user_query>\nWhy?\nNow!\n</user_query>"
    agents = [agent(name=name)]
    runs = numbered(1, said("..."), user("")), numbered(2, status("RUNNING"), user(wrapped))
    (found,) = sessions(form, make(*runs, agents=agents, form=form))
    assert found.title == "Why?"


@BOTH
def test_an_agent_nobody_asked_anything_has_no_title(make: Callable[..., Path], form: str) -> None:
    (found,) = sessions(form, make(run(), agents=[agent(name=None)], form=form))
    assert found.title is None
    assert (found.prompts, found.calls) == (0, 0)


@BOTH
@pytest.mark.parametrize(
    ("word", "state"),
    [
        ("RUNNING", "running"),
        ("Creating", "running"),
        ("QUEUED", "running"),
        ("FINISHED", "finished"),
        ("cancelled", "finished"),
        ("ERROR", "error"),
        ("EXPIRED", "error"),
        ("PAUSED", "unknown"),
    ],
)
def test_the_last_run_tells_how_an_agent_stands(
    make: Callable[..., Path], form: str, word: str, state: str
) -> None:
    runs = numbered(1, status="ERROR"), numbered(2, user("Why?"), status=word)
    (found,) = sessions(form, make(*runs, form=form))
    assert found.state == state


@BOTH
@pytest.mark.parametrize(
    "end",
    [
        (status("FINISHED"),),
        (status("FINISHED"), ended("done")),
        (ended("result", status="finished"),),
    ],
)
def test_a_run_whose_events_have_ended_is_over_before_its_row_says_so(
    make: Callable[..., Path], form: str, end: tuple[dict[str, Any], ...]
) -> None:
    folder = make(run(status("RUNNING"), said("Done."), *end, status="RUNNING"), form=form)
    assert sessions(form, folder)[0].state == "finished"
    assert told(items(folder))[-1] == ("turn_end", "success")


@BOTH
def test_an_agent_without_runs_tells_itself_how_it_stands(
    make: Callable[..., Path], form: str
) -> None:
    for word, state in (("RUNNING", "running"), ("error", "error"), ("IDLE", "unknown")):
        (found,) = sessions(form, make(agents=[agent(status=word)], form=form))
        assert (found.state, found.title) == (state, "tides")


@BOTH
def test_an_event_is_a_change(make: Callable[..., Path], form: str) -> None:
    late = {**said("Still here."), "at": "2026-05-04T09:30:00.000Z"}
    (found,) = sessions(form, make(run(late, status="RUNNING"), form=form))
    assert found.changed == Time(at="2026-05-04T09:30:00.000Z")


def test_what_is_read_in_place_is_not_counted(
    make: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make(run(user("Why?"), shell("a")), agents=[agent(name=None)])
    monkeypatch.setattr(database, "LARGEST_COPY", 0)
    before = folder_of(folder)
    (found,) = sessions(FORM, folder)
    assert (found.prompts, found.calls, found.title) == (None, None, "Why?")
    assert told(items(folder))[1] == ("prompt", "Why?")
    assert folder_of(folder) == before


def test_a_sqlite_without_json_does_not_count(
    make: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sdk_store, "_COUNTS", "SELECT json_is_not_here(run_id) FROM run_events")
    (found,) = sessions(FORM, make(run(user("Why?"))))
    assert (found.prompts, found.calls) == (None, None)


def test_payloads_that_are_no_json_are_not_counted_and_disturb_nothing(
    make: Callable[..., Path],
) -> None:
    folder = make(run(user("Why?"), {"text": '{"user" "tool_call"'}, shell("a")))
    changed(
        folder,
        "UPDATE run_events SET payload_json = CAST(payload_json AS BLOB) WHERE seq = 3",
        "INSERT INTO run_events VALUES (NULL, 1, '1', 'x', 'tool_call', NULL, NULL, 1)".replace(
            "(NULL,", "('run-x',"
        ),
    )
    (found,) = sessions(FORM, folder)
    assert (found.prompts, found.calls) == (1, 0)
    assert told(items(folder))[2:4] == [("notice", "not-json"), ("card", "shell succeeded")]


# -- a session --------------------------------------------------------------------------------


def as_stream(made: Source, path: Path) -> Path:
    """The messages of a source as lines of ``run.stream()``."""
    lines = [json.dumps(each.payload["message"]) for each in events_of(made)]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


@BOTH
@pytest.mark.parametrize("case", ["two-turns"])
def test_a_run_gives_the_cards_of_its_stream(tmp_path: Path, form: str, case: str) -> None:
    made = fixture(form, case)
    streamed = items(as_stream(made, tmp_path / "run.jsonl"))
    stored = items(built(form, made, tmp_path / "store"))
    assert told(stored)[1:] == told(streamed)[1:]
    assert [plain(card) for card in cards(stored)] == [plain(card) for card in cards(streamed)]
    assert all(card.timing and card.timing.completed for card in cards(stored))


def plain(card: Any) -> dict[str, Any]:
    """A card without times and without its place in a database."""
    fields = {
        name: getattr(card, name) for name in card.__slots__ if name not in ("timing", "evidence")
    }
    return {**fields, "lines": (card.evidence.line, card.evidence.end_line)}


@BOTH
def test_every_row_has_its_own_time_before_that_of_an_envelope(
    make: Callable[..., Path], form: str
) -> None:
    text = "<timestamp>Monday, May 4, 2026, 8:00 AM (UTC)</timestamp>\n<user_query>\nWhy?\n</user_query>"
    shown = items(
        make(run(user(text), said("So."), {**status("FINISHED"), "at": "now"}), form=form)
    )
    times = [getattr(item, "time", None) for item in shown[1:]]
    assert times[0] == Time(at="2026-05-04T09:00:00.100Z")
    assert times[1] == Time(at="2026-05-04T09:00:00.200Z")
    assert times[2] == Time(at="2026-05-04T09:00:00.100Z", basis="turn")


@BOTH
def test_a_text_that_no_event_ended_is_not_continued_by_the_next_run(
    make: Callable[..., Path], form: str
) -> None:
    shown = items(make(numbered(1, said("A"), status="RUNNING"), numbered(2, said("B")), form=form))
    assert told(shown)[1:3] == [("answer", "A"), ("answer", "B")]


@BOTH
def test_a_model_is_said_when_it_changes(make: Callable[..., Path], form: str) -> None:
    models = ["one", "one", "two", None]
    runs = [numbered(at, said("."), model=model) for at, model in enumerate(models, 1)]
    shown = items(make(*runs, form=form))
    assert [word for kind, word in told(shown) if kind == "session"] == ["one", "two"]


@BOTH
def test_another_agent_in_a_message_does_not_rename_the_session(
    make: Callable[..., Path], form: str
) -> None:
    foreign = {**said("Hello."), "agent_id": OTHER}
    shown: Any = items(make(run(foreign), form=form))
    assert [item.session_id for item in shown if item.type == "session"] == [AGENT]


def test_runs_are_in_the_order_of_their_turns_and_without_turns_of_their_times(
    make: Callable[..., Path],
) -> None:
    runs = numbered(2, said("B")), numbered(1, said("A")), numbered(3, said("C"), turn=None)
    assert [word for kind, word in told(items(make(*runs))) if kind == "answer"] == ["A", "B", "C"]
    early = run(said("A"), id="run-z", turn=None)
    late = run(said("B"), id="run-a", turn=None, created=LATER)
    assert [word for kind, word in told(items(make(late, early))) if kind == "answer"] == ["A", "B"]


@BOTH
def test_what_only_a_run_names_is_a_session_too(make: Callable[..., Path], form: str) -> None:
    folder = make(run(user("Why?"), agent=OTHER, updated=LATER), agents=[], form=form)
    (found,) = sessions(form, folder)
    assert (found.id, found.title, found.workspace) == (OTHER, "Why?", None)
    assert (found.started, found.changed) == (Time(at=START), Time(at=LATER))


@BOTH
def test_events_of_a_run_without_a_row_belong_to_the_agent_they_name(
    make: Callable[..., Path], form: str
) -> None:
    lost = numbered(2, said("Lost."), agent=OTHER, without_row=True)
    folder = make(run(), lost, agents=[agent(), agent(id=OTHER)], form=form)
    shown = told(items(folder, session=OTHER))
    assert shown[1:] == [("notice", "run-without-row"), ("answer", "Lost.")]


def test_the_events_of_a_run_whose_row_has_no_id_are_shown(make: Callable[..., Path]) -> None:
    folder = changed(make(run(said("Here."))), "UPDATE runs SET run_id = NULL")
    assert told(items(folder))[1:] == [("notice", "run-without-row"), ("answer", "Here.")]


@BOTH
def test_events_that_name_nobody_belong_to_the_only_agent_or_stand_alone(
    make: Callable[..., Path], form: str
) -> None:
    lost = numbered(2, {"payload": {"type": "done"}}, without_row=True)
    folder = make(lost, form=form)
    assert told(items(folder))[1:] == [("notice", "run-without-row")]
    folder = make(lost, agents=[agent(), agent(id=OTHER)], form=form)
    assert {each.id for each in sessions(form, folder)} == {AGENT, OTHER, lost["id"]}


def test_a_run_named_by_no_text_is_found_again(make: Callable[..., Path]) -> None:
    folder = changed(
        make(run(said("Here."))),
        "CREATE TABLE loose AS SELECT * FROM run_events",
        "DROP TABLE run_events",
        "ALTER TABLE loose RENAME TO run_events",
        "UPDATE run_events SET run_id = x'00ff'",
    )
    assert ("answer", "Here.") in told(items(folder))


def test_a_session_that_is_not_there_is_said(make: Callable[..., Path]) -> None:
    with store(FORM, make(run())) as opened, pytest.raises(InputError, match="no session 'x'"):
        list(opened.events("x", ReadOptions()))


# -- how a run ends ---------------------------------------------------------------------------


def ends(folder: Path) -> list[TurnEnd]:
    return [item for item in items(folder) if isinstance(item, TurnEnd)]


@BOTH
def test_a_run_that_both_say_has_ended_ends_once(make: Callable[..., Path], form: str) -> None:
    folder = make(
        run(
            status("error", "[internal] gone"),
            ended("result", status="error", errorCode="internal"),
            ended("done"),
            status="ERROR",
            error="other",
        ),
        form=form,
    )
    (end,) = ends(folder)
    assert (end.status, end.reason) == ("error", "[internal] gone")
    assert end.time == Time(at="2026-05-04T09:00:00.100Z")


@BOTH
def test_the_row_adds_what_the_events_leave_out(make: Callable[..., Path], form: str) -> None:
    usage = {"inputTokens": 5, "outputTokens": 2, "totalTokens": 7}
    folder = make(
        numbered(1, status("ERROR"), status="ERROR", error="internal", usage=usage),
        numbered(
            2, {"type": "usage", "usage": {"inputTokens": 9}}, status("FINISHED"), usage=usage
        ),
        numbered(3, status("FINISHED"), usage={"totalTokens": 7}),
        numbered(4, status("FINISHED"), error="no reason for a success"),
        form=form,
    )
    first, second, third, fourth = ends(folder)
    assert (first.reason, first.usage) == ("internal", Usage(input_tokens=5, output_tokens=2))
    assert second.usage == Usage(input_tokens=9)
    assert third.usage is None
    assert fourth.reason is None


@BOTH
@pytest.mark.parametrize("word", ["RUNNING", "QUEUED", "PAUSED", ""])
def test_a_run_without_a_word_of_its_end_does_not_end(
    make: Callable[..., Path], form: str, word: str
) -> None:
    assert ends(make(run(said("Part"), status=word), form=form)) == []


@BOTH
def test_what_comes_behind_an_end_comes_behind_it(make: Callable[..., Path], form: str) -> None:
    folder = make(run(status("ERROR"), said("Again."), status("FINISHED")), form=form)
    assert told(items(folder))[1:] == [
        ("turn_end", "error"),
        ("answer", "Again."),
        ("turn_end", "success"),
    ]


@BOTH
def test_two_different_ends_are_two(make: Callable[..., Path], form: str) -> None:
    folder = make(run(status("CANCELLED"), status("FINISHED")), form=form)
    assert told(items(folder))[1:] == [("turn_end", "cancelled"), ("turn_end", "success")]


@BOTH
def test_a_row_and_events_that_disagree_are_said(make: Callable[..., Path], form: str) -> None:
    shown: Any = items(make(run(status("FINISHED"), status="ERROR"), form=form))
    assert told(shown)[1:] == [("turn_end", "success"), ("notice", "status-differs")]
    assert shown[2].message == "the run is recorded as error, its events end with success"


@BOTH
@pytest.mark.parametrize(
    ("events", "result", "answers"),
    [
        ([said("A "), said("word.")], "A word.", ["A word."]),
        ([said("A ")], "A word.", ["A word."]),
        ([], "A word.", ["A word."]),
        ([said("First."), shell("a")], "Then.", ["First.", "Then."]),
        ([said("First."), shell("a"), said("The")], "Then.", ["First.", "Then."]),
        ([said("First."), shell("a")], "First.", ["First."]),
        ([said("Other.")], "A word.", ["Other."]),
        ([said("A word.")], "A word.\n", ["A word."]),
        ([said("A word.")], None, ["A word."]),
    ],
)
def test_the_result_tells_the_rest_of_the_last_answer_and_repeats_nothing(
    make: Callable[..., Path],
    form: str,
    events: list[dict[str, Any]],
    result: str | None,
    answers: list[str],
) -> None:
    shown = items(make(run(*events, result=result), form=form))
    assert [item.text for item in shown if isinstance(item, Answer)] == answers


@BOTH
@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((1, 2, 3), None),
        ((0, 1, 2), None),
        ((2, 3), "1 row"),
        ((1, 5, 1002), "999 rows"),
        ((1, 1201), "1,199 rows"),
    ],
)
def test_numbers_that_are_not_there_are_a_gap(
    make: Callable[..., Path], form: str, numbers: tuple[int, ...], words: str | None
) -> None:
    events = [{**said("."), "seq": number} for number in numbers]
    shown = items(make(run(*events), form=form))
    gaps = [item.message for item in shown if isinstance(item, Notice)]
    assert gaps == ([f"the store has gaps ({words} missing)"] if words else [])


# -- odd rows ---------------------------------------------------------------------------------


def test_bytes_that_are_no_utf8_are_noted(make: Callable[..., Path]) -> None:
    folder = make(run(said("caf_"), status("FINISHED")))
    changed(
        folder,
        "UPDATE run_events SET payload_json ="
        " CAST(replace(CAST(payload_json AS BLOB), x'6361665f', x'636166ff') AS TEXT)",
    )
    assert ("answer", "caf\ufffd") in told(items(folder))
    codes = [item.code for item in items(folder) if isinstance(item, Notice)]
    assert codes[0] == "invalid-utf8"


def test_odd_rows_of_every_kind_are_counted_with_their_place(make: Callable[..., Path]) -> None:
    folder = make(
        run(
            {"ref": "blob-1"},
            {},
            {"payload": {"type": "result"}},
            {"message": said("."), "kind": "x"},
        )
    )
    shown: Any = items(folder)
    assert [(item.code, item.evidence.row, item.count) for item in shown[1:4]] == [
        ("payload-elsewhere", f"{RUN}/1", 1),
        ("no-payload", f"{RUN}/2", 1),
        ("unknown-record", f"{RUN}/3", 2),
    ]


def test_a_table_without_most_of_its_columns_is_read(make: Callable[..., Path]) -> None:
    folder = changed(
        make(run(said("Here."), status("FINISHED"))),
        "CREATE TABLE bare AS SELECT run_id, seq, payload_json FROM run_events",
        "DROP TABLE run_events",
        "ALTER TABLE bare RENAME TO run_events",
        "DROP TABLE agents",
        "CREATE TABLE agents (colour)",
        "INSERT INTO agents VALUES (1)",
    )
    (found,) = sessions(FORM, folder)
    assert (found.prompts, found.changed) == (None, Time(at=START))
    assert told(items(folder))[1:] == [("answer", "Here."), ("turn_end", "success")]


def test_damage_in_one_run_leaves_the_others(
    make: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make(numbered(1, said("A"), said("B")), numbered(2, said("C")))
    rows = Database.rows

    def damaged(self: Database, query: str, parameters: Any = ()) -> Any:
        for at, row in enumerate(rows(self, query, parameters)):
            if at == 1 and "ORDER BY seq" in query:
                raise InputError("torn")
            yield row

    monkeypatch.setattr(Database, "rows", damaged)
    shown = told(items(folder))
    assert shown[1:] == [
        ("notice", "damaged"),
        ("answer", "A"),
        ("turn_end", "success"),
        ("answer", "C"),
        ("turn_end", "success"),
        ("notice", "losses"),
    ]


# -- nothing is touched, and no key is read ---------------------------------------------------


def test_the_key_is_in_no_output_and_its_column_is_not_selected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = built(FORM, with_key(fixture(FORM, "two-turns")), tmp_path)
    assert KEY in (folder / "index.db").read_text("latin-1")
    read: set[tuple[str, str]] = set()
    opened = database._opened

    def watched(path: Path, how: str) -> sqlite3.Connection:
        connection = opened(path, how)
        connection.set_authorizer(lambda action, *rest: seen(action, rest))
        return connection

    def seen(action: int, rest: Any) -> int:
        if action == sqlite3.SQLITE_READ:
            read.add((rest[0], rest[1]))
        return sqlite3.SQLITE_OK

    monkeypatch.setattr(database, "_opened", watched)
    shown = repr(items(folder)) + repr(sessions(FORM, folder))
    assert KEY not in shown
    assert ("agents", "name") in read
    assert {column for table, column in read if table == "agents"} == {
        "agent_id", "workspace_ref", "status", "name", "created_at", "updated_at",
    }  # fmt: skip


def looked_at(folder: Path) -> list[tuple[str, str]]:
    sessions(FORM, folder)
    holds(folder)
    return told(items(folder))


def test_a_closed_store_stays_as_it_is(tmp_path: Path) -> None:
    folder = built(FORM, fixture(FORM, "two-turns"), tmp_path)
    before = folder_of(folder)
    assert len(looked_at(folder)) == 15
    assert folder_of(folder) == before


def test_rows_in_the_wal_of_a_live_writer_are_seen_and_nothing_changes(tmp_path: Path) -> None:
    made = source(run(user("Why?"), said("Because."), status="RUNNING"))
    with closing(sqlite3.connect(tmp_path / "index.db", isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        builder.fill(writer, made)
        before = folder_of(tmp_path)
        assert (tmp_path / "index.db").stat().st_size < (tmp_path / "index.db-wal").stat().st_size
        shown = [("session", ""), ("prompt", "Why?"), ("answer", "Because.")]
        assert looked_at(tmp_path) == shown
        assert sessions(FORM, tmp_path)[0].state == "running"
        assert folder_of(tmp_path) == before
        more = source(run(said("?"), said("?"), said(" And more.")))
        row = list(events_of(more))[-1]
        builder.insert(writer, "run_events", builder.event(row))
        assert looked_at(tmp_path)[-1] == ("answer", "Because. And more.")


def test_a_wal_that_was_left_over_is_read_and_stays(tmp_path: Path) -> None:
    live, dead = tmp_path / "live", tmp_path / "dead"
    for folder in (live, dead):
        folder.mkdir()
    with closing(sqlite3.connect(live / "index.db", isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        builder.fill(writer, fixture(FORM, "two-turns"))
        for name in ("index.db", "index.db-wal"):
            shutil.copyfile(live / name, dead / name)
    before = folder_of(dead)
    assert sorted(before) == [".", "index.db", "index.db-wal"]
    assert len(looked_at(dead)) == 15
    assert folder_of(dead) == before


# -- any store --------------------------------------------------------------------------------

MADE = fixture(FORM, "two-turns")
ROWS = [dict(builder.event(each)) for each in events_of(MADE)]
STEADY = settings(
    deadline=None, derandomize=True, max_examples=40, suppress_health_check=list(HealthCheck)
)


def written(rows: list[dict[str, Any]], folder: Path) -> Path:
    path = folder / "index.db"
    path.unlink(missing_ok=True)
    made = {**MADE, "runs": [{**each, "events": []} for each in MADE["runs"]]}
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        builder.fill(connection, made)
        for row in rows:
            builder.insert(connection, "run_events", row)
        connection.execute("COMMIT")
    return folder


@STEADY
@given(kept=st.sets(st.sampled_from(range(len(ROWS)))))
def test_any_rows_of_a_store_give_what_they_hold(
    tmp_path_factory: pytest.TempPathFactory, kept: set[int]
) -> None:
    rows = [ROWS[at] for at in sorted(kept)]
    folder = written(rows, tmp_path_factory.getbasetemp())
    messages = [json.loads(row["payload_json"])["message"] for row in rows]
    shown = items(folder)
    prompts = [item for item in shown if isinstance(item, Prompt)]
    assert len(prompts) == sum(each["type"] == "user" for each in messages)
    calls = {each["call_id"] for each in messages if each["type"] == "tool_call"}
    assert len(cards(shown)) == len(calls)
    assert sum(isinstance(item, TurnEnd) for item in shown) == 2


@STEADY
@given(at=st.sampled_from(range(len(ROWS))), data=st.data())
def test_any_mutilated_row_is_shown_or_counted(
    tmp_path_factory: pytest.TempPathFactory, at: int, data: st.DataObject
) -> None:
    rows = copy.deepcopy(ROWS)
    text = rows[at]["payload_json"]
    cut = data.draw(st.integers(0, len(text) - 1))
    rows[at]["payload_json"] = text[:cut] + data.draw(st.text(max_size=3))
    assume(rows[at]["payload_json"] != text)
    shown = items(written(rows, tmp_path_factory.getbasetemp()))
    lost = sum(item.count for item in shown if isinstance(item, Notice) and item.code == "losses")
    assert lost >= 1


VALUES = (
    st.none()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(max_size=9)
    | st.binary(max_size=9)
)


@STEADY
@given(
    table=st.sampled_from(["agents", "runs", "run_events"]),
    data=st.data(),
    value=VALUES,
)
def test_any_value_in_any_column_raises_nothing_but_a_replay_error(
    tmp_path_factory: pytest.TempPathFactory, table: str, data: st.DataObject, value: Any
) -> None:
    folder = written(ROWS, tmp_path_factory.getbasetemp())
    column = data.draw(st.sampled_from(list(builder.TABLES[table])))
    with closing(sqlite3.connect(folder / "index.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema=1")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '')")
    with closing(sqlite3.connect(folder / "index.db", isolation_level=None)) as connection:
        query = f"UPDATE OR IGNORE {table} SET {column} = ?"  # noqa: S608 - our own names
        connection.execute(query, [value])
    try:
        found = sessions(FORM, folder)
        for each in found:
            assert items(folder, session=each.id)
    except ReplayError:
        pass


@STEADY
@given(data=st.data())
def test_any_bytes_in_the_file_raise_nothing_but_a_replay_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = written(ROWS, tmp_path_factory.getbasetemp())
    path = folder / "index.db"
    whole = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place : place + 4] = data.draw(st.binary(min_size=4, max_size=4))
    path.write_bytes(bytes(whole[: data.draw(st.integers(len(whole) // 2, len(whole)))]))
    try:
        for each in sessions(FORM, folder):
            items(folder, session=each.id)
    except ReplayError:
        pass


def test_every_case_of_the_fixtures_is_in_the_listing(tmp_path: Path) -> None:
    for case in sorted((FIXTURES / FORM).iterdir()):
        found = sessions(FORM, built(FORM, fixture(FORM, case.name), tmp_path / case.name))
        assert all(each.store == FORM and each.started for each in found), case
