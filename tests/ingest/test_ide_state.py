"""The IDE's ``state.vscdb``: the order of messages, what is counted, and no scan of a table."""

import json
import re
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from ingest_words import codes, of, texts

from cursor_replay.errors import AmbiguousError, InputError, ReplayError
from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    Noted,
    PromptSeen,
    SessionSeen,
    TextSeen,
    TurnEnded,
)
from cursor_replay.ingest.database import Database
from cursor_replay.ingest.formats.ide import composers as ide_composers
from cursor_replay.ingest.formats.ide import rows as ide_rows
from cursor_replay.ingest.formats.ide.composers import workspace_folder
from cursor_replay.ingest.formats.ide.state import IdeState, holds
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions, SessionInfo
from cursor_replay.pipeline import replay

FIXTURES = Path(__file__).parents[2] / "fixtures"
sys.path.insert(0, str(FIXTURES / "builders"))
from ide_state import build  # noqa: E402 - a builder of the fixtures

CASES = sorted(path.parent for path in (FIXTURES / "ide-state").glob("*/store.json"))
A, B, C = "chat-a", "chat-b", "chat-c"
Row = dict[str, Any]


def source(case: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((case / "store.json").read_text("utf-8"))
    return found


def composer(chat: str, /, *bubbles: Any, **fields: Any) -> Row:
    headers = [{"bubbleId": each, "type": 2} if isinstance(each, str) else each for each in bubbles]
    value = {"composerId": chat, "fullConversationHeadersOnly": headers, **fields}
    return {"key": f"composerData:{chat}", "value": value}


def bubble(chat: str, name: str, text: str = "", **fields: Any) -> Row:
    value = {"type": 2, "bubbleId": name, "text": text or name, **fields}
    return {"key": f"bubbleId:{chat}:{name}", "value": value}


def made(folder: Path, *rows: Row, **more: Any) -> Path:
    return build({"rows": list(rows), **more}, folder)


def listed(path: Path) -> list[SessionInfo]:
    with closing(IdeState(path)) as store:
        return list(store.sessions())


def read(path: Path, chat: str = A) -> list[AnyEvent]:
    with closing(IdeState(path)) as store:
        return list(store.events(chat, ReadOptions()))


def notes(events: list[AnyEvent]) -> dict[str, str]:
    return {each.code: each.message for each in of(events, Noted)}


# -- recognising ------------------------------------------------------------------------------


def test_a_database_with_the_key_value_table_is_recognised(tmp_path: Path) -> None:
    assert holds(made(tmp_path))


def test_other_files_are_not(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE blobs (id, data)")
    (tmp_path / "text").write_text("cursorDiskKV")
    for path in (other, tmp_path / "text", tmp_path / "gone", tmp_path):
        assert not holds(path)


@pytest.mark.parametrize("columns", ["key", "value", "k, v", "id, key"])
def test_a_table_of_that_name_with_other_columns_is_not(tmp_path: Path, columns: str) -> None:
    path = tmp_path / "state.vscdb"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE cursorDiskKV ({columns})")
    assert not holds(path)
    with pytest.raises(InputError, match="a database of no store known here"):
        open_source(str(path))


@pytest.mark.parametrize("name", ["default", "Default", " default "])
def test_the_default_is_no_model_of_a_chat(tmp_path: Path, name: str) -> None:
    path = made(tmp_path, composer(A, "b1", modelConfig={"modelName": name}), bubble(A, "b1"))
    assert not of(read(path), SessionSeen)


def test_a_damaged_database_is_one_clear_line(tmp_path: Path) -> None:
    path = made(tmp_path, composer(A, "b1"), *(bubble(A, f"b{n}", "x" * 2000) for n in range(50)))
    data = bytearray(path.read_bytes())
    data[8192:-4096] = b"\xff" * (len(data) - 12288)
    path.write_bytes(data)
    with pytest.raises(InputError, match="not a readable database"):
        listed(path)


def test_a_damaged_schema_is_one_clear_line(tmp_path: Path) -> None:
    path = made(tmp_path, composer(A, "b1"))
    data = bytearray(path.read_bytes())
    data[100:4096] = b"\xff" * 3996
    path.write_bytes(data)
    with pytest.raises(InputError, match="not a readable database"):
        IdeState(path)


def test_a_failure_behind_the_opening_closes_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> frozenset[str]:
        raise InputError("no")

    closed = []
    plain = Database.close

    def noted(self: Database) -> None:
        closed.append(self.path)
        plain(self)

    monkeypatch.setattr(Database, "columns", refuse)
    monkeypatch.setattr(Database, "close", noted)
    path = made(tmp_path)
    with pytest.raises(InputError):
        IdeState(path)
    assert closed == [path]


# -- order ------------------------------------------------------------------------------------


def test_only_the_header_list_orders_messages(tmp_path: Path) -> None:
    rows = [bubble(A, "b1"), bubble(A, "b3"), composer(A, "b3", "b1", "b2"), bubble(A, "b2")]
    events = read(made(tmp_path, *rows))
    assert texts(events) == ["b3", "b1", "b2"]
    places = [(each.origin.line, each.origin.row) for each in of(events, TextSeen)]
    assert places == [
        (1, "bubbleId:chat-a:b3"),
        (2, "bubbleId:chat-a:b1"),
        (3, "bubbleId:chat-a:b2"),
    ]


def test_messages_of_a_chat_whose_name_begins_alike_stay_out(tmp_path: Path) -> None:
    rows = [composer(A, "b1"), bubble(A, "b1"), bubble(f"{A}2", "b2"), bubble(f"{A};", "b3")]
    assert notes(read(made(tmp_path, *rows))) == {}


def test_orphans_are_counted_and_never_shown(tmp_path: Path) -> None:
    rows = [composer(A, "b1"), bubble(A, "b1"), bubble(A, "b2"), bubble(A, "b3")]
    events = read(made(tmp_path, *rows))
    assert texts(events) == ["b1"]
    (note,) = of(events, Noted)
    assert (note.code, note.level, note.problem) == ("orphans-messages", "info", False)
    assert note.message.startswith("2 stored messages are in no list of this chat")
    assert note.origin.line == 2


def test_what_is_missing_is_counted_with_the_place_of_the_first(tmp_path: Path) -> None:
    rows = [
        composer(A, "b1", "b2", "b3", "b4", {"type": 2}, "b1", 7, "b5"),
        bubble(A, "b1"),
        {"key": "bubbleId:chat-a:b2", "value": None},
        {"key": "bubbleId:chat-a:b3", "value": None},
        {"key": "bubbleId:chat-a:b5", "value": {"type": 2, "text": ""}},
    ]
    events = read(made(tmp_path, *rows))
    assert notes(events) == {
        "purged-messages": "2 messages were purged by Cursor",
        "missing-messages": "1 message is listed but not stored",
        "no-id-messages": "2 entries of the message list name none",
        "repeated-messages": "1 message is listed again and shown once",
        "empty-messages": "1 message holds nothing to show",
    }
    lines = {each.code: (each.origin.line, each.problem) for each in of(events, Noted)}
    assert lines == {
        "purged-messages": (2, True),
        "missing-messages": (4, True),
        "no-id-messages": (5, True),
        "repeated-messages": (6, False),
        "empty-messages": (8, False),
    }


def test_a_message_that_is_no_json_object_costs_itself_alone(tmp_path: Path) -> None:
    rows = [
        composer(A, "b1", "b2", "b3", "b4", "b5"),
        {"key": "bubbleId:chat-a:b1", "text": '{"half'},
        {"key": "bubbleId:chat-a:b2", "text": "[1]"},
        {"key": "bubbleId:chat-a:b3", "text": ""},
        {"key": "bubbleId:chat-a:b4", "text": '{"type":2,"text":"\\ud800"}'},
        bubble(A, "b5"),
    ]
    path = made(tmp_path, *rows)
    events = read(path)
    assert codes(events) == ["not-json", "not-an-object", "not-an-object", "lone-surrogate"]
    assert [each.origin.line for each in of(events, Noted)] == [1, 2, 3, 4]
    assert texts(events) == ["�", "b5"]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE cursorDiskKV SET value = 7 WHERE key LIKE '%:b1'")
        connection.execute("UPDATE cursorDiskKV SET value = x'ff' WHERE key LIKE '%:b2'")
    assert codes(read(path))[:3] == ["not-an-object", "invalid-utf8", "not-json"]


def test_a_value_over_the_limit_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [composer(A, "b1", "b2"), bubble(A, "b1", "x" * 5000), bubble(A, "b2")]
    path = made(tmp_path, *rows)
    monkeypatch.setattr(
        ide_rows.Rows.get, "__kwdefaults__", {"limit": 4000, "query": ide_rows.VALUE}
    )
    events = read(path)
    assert texts(events) == ["b2"]
    message = "1 message is over the limit of 64 MB and not read"
    assert notes(events) == {"too-large-messages": message}


def test_a_chat_without_its_list_says_so(tmp_path: Path) -> None:
    rows = [{"key": "composerData:chat-a", "value": None}, bubble(A, "b1")]
    events = read(made(tmp_path, *rows))
    assert notes(events)["no-message-list"] == "the list of messages cannot be read (purged)"
    assert notes(events)["orphans-messages"].startswith("1 stored message is in no list")


def test_a_copy_in_the_composer_stands_in_for_a_purged_message(tmp_path: Path) -> None:
    spare = {"b1": {"type": 1, "text": "Go"}, "b2": 7}
    rows = [composer(A, "b1", "b2", conversationMap=spare)]
    events = read(made(tmp_path, *rows))
    assert of(events, PromptSeen)[0].text == "Go"
    assert codes(events) == ["missing-messages"]


def test_older_builds_keep_messages_in_the_composer(tmp_path: Path) -> None:
    old = [{"type": 1, "text": "Go"}, {"type": 2, "text": "Gone", "bubbleId": "b2"}, "junk"]
    row = {"key": "composerData:chat-a", "value": {"fullConversationHeadersOnly": [], "x": 1}}
    row["value"]["conversation"] = old
    path = build({"rows": [json.loads(json.dumps(row).replace('"junk"', "{}"))]}, tmp_path)
    events = read(path)
    assert of(events, PromptSeen)[0].origin.row == "composerData:chat-a"
    assert texts(events) == ["Gone"]
    assert codes(events) == ["no-id-messages"]


# -- what is known of a chat ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "state", "end"),
    [
        ({"status": "completed"}, "finished", "success"),
        ({"status": "aborted"}, "finished", "aborted"),
        ({"status": "cancelled"}, "finished", "cancelled"),
        ({"status": "error"}, "error", "error"),
        ({"status": "none"}, "unknown", None),
        ({"status": 7}, "unknown", None),
        ({"status": "generating"}, "running", None),
        ({"status": "none", "generatingBubbleIds": ["b1"]}, "running", None),
        ({"status": "completed", "generatingBubbleIds": ["b1"]}, "finished", "success"),
    ],
)
def test_the_status_says_how_it_ended(
    tmp_path: Path, fields: Any, state: str, end: str | None
) -> None:
    path = made(tmp_path, composer(A, "b1", **fields), bubble(A, "b1"))
    assert listed(path)[0].state == state
    ends = of(read(path), TurnEnded)
    assert [each.status for each in ends] == ([end] if end else [])


@pytest.mark.parametrize("name", ["New Agent", "new chat", " Untitled ", "Cursor Agent", "", 7])
def test_a_placeholder_is_no_title(tmp_path: Path, name: Any) -> None:
    path = made(tmp_path, composer(A, "b1", name=name), bubble(A, "b1"))
    assert listed(path)[0].title is None


def test_a_listing_says_what_is_recorded(tmp_path: Path) -> None:
    folder = {"id": "w", "uri": {"scheme": "file", "fsPath": "/home/dev/a", "path": "/home/dev/a"}}
    fields = {
        "name": "Tides",
        "createdAt": 1785747600000,
        "lastUpdatedAt": 1785748200000,
        "status": "completed",
        "workspaceIdentifier": folder,
    }
    headers = [{"bubbleId": "b1", "type": 1}, {"bubbleId": "b2", "type": 2}, "junk"]
    path = made(tmp_path, composer(A, **{**fields, "fullConversationHeadersOnly": headers}))
    (info,) = listed(path)
    assert (info.id, info.store, info.path) == (A, "ide-state", path)
    assert (info.workspace, info.title, info.prompts) == ("/home/dev/a", "Tides", 1)
    assert (info.calls, info.state, info.parent) == (None, "finished", None)
    assert info.started is not None
    assert info.changed is not None
    assert (info.started.at, info.started.basis) == ("2026-08-03T09:00:00.000Z", "recorded")
    assert info.changed.at == "2026-08-03T09:10:00.000Z"


def test_an_empty_tab_is_no_session_and_a_chat_that_lost_its_list_is(tmp_path: Path) -> None:
    rows = [
        composer("tab"),
        composer(B),
        bubble(B, "b1"),
        {"key": "composerData:gone", "value": None},
    ]
    (info,) = listed(made(tmp_path, *rows))
    assert (info.id, info.prompts) == (B, None)


def test_a_chat_too_large_for_a_listing_is_listed_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cursor_replay.ingest.formats.ide.state.LISTED", 100)
    head = {"composerId": A, "recency": 1785747600000, "value": {"name": "Tides"}}
    path = made(tmp_path, composer(A, "b1", name="x" * 200), heads=[head])
    (info,) = listed(path)
    assert (info.title, info.started, info.prompts) == ("Tides", None, None)
    assert ide_composers.LISTED == 16 * 2**20


def test_without_a_head_table_the_chat_written_last_comes_first(tmp_path: Path) -> None:
    path = made(tmp_path, *(composer(each, "b1") for each in (A, C, B)))
    assert [each.id for each in listed(path)] == [B, C, A]
    with closing(sqlite3.connect(path)) as connection, connection:
        row = ("composerData:chat-a", json.dumps(composer(A, "b1")["value"]))
        connection.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", row)
    assert [each.id for each in listed(path)] == [A, B, C]


def test_the_head_table_comes_first_by_recency(tmp_path: Path) -> None:
    heads = [
        {"composerId": A, "recency": 1785747600000, "value": {"name": "From the head"}},
        {"composerId": B, "lastUpdatedAt": 1785834000000, "value": []},
        {"composerId": 7, "recency": 1785834000001, "value": {}},
        {"composerId": "no-data", "recency": 1785834000002, "value": {}},
    ]
    path = made(tmp_path, *(composer(each, "b1") for each in (A, B, C)), heads=heads)
    found = listed(path)
    assert [each.id for each in found] == [B, A, C]
    assert [each.title for each in found] == [None, "From the head", None]
    assert [each.changed and each.changed.at for each in found] == [
        "2026-08-04T09:00:00.000Z",
        "2026-08-03T09:00:00.000Z",
        None,
    ]


def test_a_head_table_of_other_columns_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = made(tmp_path, composer(A, "b1"), composer(B, "b1"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE composerHeaders (composerId TEXT, value BLOB)")
        value = json.dumps({"name": "In bytes"}).encode()
        connection.execute("INSERT INTO composerHeaders VALUES (?, ?)", (A, value))
        connection.execute("INSERT INTO composerHeaders VALUES (x'07', NULL)")
    assert [(each.id, each.title) for each in listed(path)] == [(A, "In bytes"), (B, None)]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE composerHeaders")
        connection.execute("CREATE TABLE composerHeaders (id TEXT)")
    assert [each.id for each in listed(path)] == [B, A]


def test_names_of_older_builds_stand_in_an_item(tmp_path: Path) -> None:
    known = [{"composerId": A, "name": "Tides", "lastUpdatedAt": 1785747600000}, {}, 7]
    path = made(
        tmp_path, composer(A, "b1"), items={"composer.composerData": {"allComposers": known}}
    )
    (info,) = listed(path)
    assert info.title == "Tides"
    assert info.changed is not None
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE ItemTable")
    assert listed(path)[0].title is None


def test_a_sub_agent_names_its_parent_and_its_task_is_no_prompt_of_a_human(tmp_path: Path) -> None:
    first, second = {"bubbleId": "b1", "type": 1}, {"bubbleId": "b2", "type": 1}
    rows = [
        composer(A, first, second, subagentInfo={"parentComposerId": B}),
        bubble(A, "b1", type=1),
        bubble(A, "b2", type=1),
        composer(C, first, parentComposerId=B),
    ]
    path = made(tmp_path, *rows)
    assert [(each.id, each.parent, each.prompts) for each in listed(path)] == [(C, B, 0), (A, B, 1)]
    assert [each.author for each in of(read(path), PromptSeen)] == ["cursor", "human"]


def test_the_head_table_knows_sub_agents_too(tmp_path: Path) -> None:
    first = {"bubbleId": "b1", "type": 1}
    heads = [
        {"composerId": A, "isSubagent": 1, "recency": 2, "value": {}},
        {"composerId": B, "isSubagent": 1, "recency": 1, "value": {"isBestOfNSubcomposer": True}},
    ]
    rows = [
        composer(A, first),
        bubble(A, "b1", type=1),
        composer(B, first, subagentInfo={"parentComposerId": A}, isBestOfNSubcomposer=True),
        bubble(B, "b1", type=1),
    ]
    path = made(tmp_path, *rows, heads=heads)
    assert [(each.id, each.prompts) for each in listed(path)] == [(A, 0), (B, 1)]
    assert of(read(path), PromptSeen)[0].author == "cursor"
    assert of(read(path, B), PromptSeen)[0].author == "human"


def test_a_list_of_messages_that_is_none_gives_way_to_the_older_one(tmp_path: Path) -> None:
    path = made(
        tmp_path,
        composer(A, fullConversationHeadersOnly="x", conversation=[{"type": 2, "text": "Hi"}]),
    )
    assert texts(read(path)) == ["Hi"]


def test_contents_of_an_edit_may_be_stored_as_bytes(tmp_path: Path) -> None:
    data = {"name": "edit_file_v2", "params": {"relativeWorkspacePath": "a"}, "status": "completed"}
    data["result"] = {"beforeContentId": "content:old", "afterContentId": "content:new"}  # type: ignore[assignment]
    path = made(
        tmp_path,
        composer(A, "b1"),
        bubble(A, "b1", toolFormerData=data),
        contents={"old": "x\n", "new": "y\n"},
    )
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE cursorDiskKV SET value = CAST(value AS BLOB)")
    (done,) = of(read(path), CallCompleted)
    assert done.outcome.value["diffString"].endswith("@@ -1,1 +1,1 @@\n-x\n+y\n")


def test_the_model_of_a_message_is_said_when_it_changes(tmp_path: Path) -> None:
    def by(name: str) -> dict[str, Any]:
        return {"modelInfo": {"modelName": name}}

    rows = [
        composer(A, "b1", "b2", "b3", modelConfig={"modelName": "mock-small"}, isArchived=True),
        bubble(A, "b1", **by("mock-small")),
        bubble(A, "b2", **by("mock-large")),
        bubble(A, "b3", **by("default")),
    ]
    events = read(made(tmp_path, *rows))
    assert [each.model for each in of(events, SessionSeen)] == ["mock-small", "mock-large"]
    assert codes(events) == ["archived"]


# -- workspaces -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("note", "folder"),
    [
        ({"folder": "file:///home/dev/tide%20book"}, "/home/dev/tide book"),
        ({"folder": "vscode-remote://ssh-remote%2Bquay/srv/a"}, "/srv/a"),
        ({"workspace": "file:///home/dev/a.code-workspace"}, None),
        ({"folder": 7}, None),
        ([], None),
    ],
)
def test_a_workspace_id_leads_to_its_folder(tmp_path: Path, note: Any, folder: Any) -> None:
    head = {"composerId": A, "workspaceId": "0c0ffee1", "value": {}}
    path = made(tmp_path, composer(A, "b1"), heads=[head], workspaces={"0c0ffee1": note})
    assert listed(path)[0].workspace == folder


def test_only_a_plain_workspace_id_is_followed(tmp_path: Path) -> None:
    path = made(tmp_path, workspaces={"w": {"folder": "file:///a"}})
    (path.parent / "workspace.json").write_text('{"folder": "file:///b"}')
    assert workspace_folder(path, "w") == "/a"
    for name in ("../globalStorage", "", "x/y", ".", None, "gone"):
        assert workspace_folder(path, name) is None
    (tmp_path / "User/workspaceStorage/w/workspace.json").write_text("[" * 60000)
    assert workspace_folder(path, "w") is None


# -- through the whole program ----------------------------------------------------------------


def test_several_chats_have_to_be_told_apart(tmp_path: Path) -> None:
    path = made(tmp_path, composer(A, "b1", name="Tides"), composer(B, "b1"))
    with pytest.raises(AmbiguousError) as caught:
        open_source(str(path))
    assert caught.value.candidates == ("chat-b", "chat-a  Tides")
    with closing(open_source(str(path), options=ReadOptions(session="chat-b"))) as opened:
        assert next(iter(opened.events())).session_id == "chat-b"  # type: ignore[union-attr]


def test_the_newest_are_listed_without_reading_the_others(tmp_path: Path) -> None:
    rows = [composer(f"chat-{n}", "b1") for n in range(50)]
    asked = []
    with closing(IdeState(made(tmp_path, *rows))) as store:
        plain = store._rows.get

        def counted(key: str, **how: Any) -> Any:
            asked.append(key)
            return plain(key, **how)

        store._rows.get = counted  # type: ignore[method-assign]
        newest = list(islice(store.sessions(), 3))
    assert [each.id for each in newest] == ["chat-49", "chat-48", "chat-47"]
    assert [each for each in asked if each.startswith("composerData:")] == [
        "composerData:chat-49",
        "composerData:chat-48",
        "composerData:chat-47",
    ]


# -- no query scans a table of ours -----------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_query_seeks_in_an_index(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Sequence[Any]] = {}
    plain = Database.rows

    def noted(self: Database, query: str, parameters: Sequence[Any] = ()) -> Iterator[Any]:
        asked[query] = parameters
        return plain(self, query, parameters)

    monkeypatch.setattr(Database, "rows", noted)
    path = build(source(case), tmp_path)
    for info in listed(path):
        read(path, info.id)
    keyed = {query: given for query, given in asked.items() if "cursorDiskKV WHERE" in query}
    assert len(keyed) >= 3
    with closing(sqlite3.connect(path)) as connection:
        for query, parameters in asked.items():
            if query.startswith("PRAGMA"):
                continue
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}", parameters)]
            for step in plan:
                if "cursorDiskKV" in step or "ItemTable" in step:
                    assert re.match(r"SEARCH \w+ USING (COVERING )?INDEX \S+ \(key", step), step
            assert "LIKE" not in query


# -- a store is never changed -----------------------------------------------------------------


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.mark.parametrize("writer", [False, True])
def test_reading_never_changes_a_store(tmp_path: Path, *, writer: bool) -> None:
    path = build(source(CASES[0]), tmp_path)
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        if writer:
            row = ("composerData:late", json.dumps(composer("late", "b1")["value"]))
            connection.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", row)
            connection.commit()
        else:
            connection.close()
        before = snapshot(tmp_path)
        assert any(name.endswith("-wal") for name in before) == writer
        assert holds(path)
        found = [each.id for each in listed(path)]
        for each in found:
            read(path, each)
        assert snapshot(tmp_path) == before
        assert ("late" in found) == writer
    finally:
        connection.close()


# -- any value in any place -------------------------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        ["{}", "[", '{"rejected":true}', "completed", "composer.content.x", "\ud800"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value, also inside the strings that hold JSON."""
    yield at
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in pairs:
            yield from places(each, (*at, key))


def put(value: Any, at: tuple[Any, ...], new: Any) -> Any:
    if not at:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[at[0]] = put(value[at[0]], at[1:], new)
    return copy


SPOTS = [
    (number, row, place)
    for number, case in enumerate(CASES)
    for row, each in enumerate(source(case)["rows"])
    for place in places(each.get("value"))
]


def accounted(events: list[AnyEvent], headers: int) -> bool:
    """Whether every header is shown or counted; a count may hold one that is shown as well."""
    sums = [each for each in of(events, Noted) if each.code.endswith("-messages")]
    shown = {
        each.origin.line for each in events if each not in sums and not isinstance(each, TurnEnded)
    }
    counted = sum(
        int(each.message.split(" ")[0]) for each in sums if each.code != "orphans-messages"
    )
    return len(shown) + counted >= headers


@settings(
    deadline=None,
    derandomize=True,
    max_examples=250,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.sampled_from(SPOTS), JSON)
@example(SPOTS[0], {"fullConversationHeadersOnly": [{}, None, {"bubbleId": 1}]})
def test_any_value_in_any_place_loses_no_header(spot: Any, value: Any) -> None:
    number, row, place = spot
    made_of = source(CASES[number])
    whole = put(made_of["rows"][row].get("value"), place, value)
    text = json.dumps(encoded(whole), allow_nan=True)
    made_of["rows"][row] = {"key": made_of["rows"][row]["key"], "text": text}
    with TemporaryDirectory() as folder:
        path = build(made_of, Path(folder))
        try:
            for info in listed(path):
                with closing(IdeState(path)) as store:
                    got = store._rows.get(f"composerData:{info.id}")
                    headers = ide_composers.Composer(got.value).headers
                    assert accounted(list(store.events(info.id, ReadOptions())), len(headers))
                how = ReadOptions(session=info.id)
                with closing(open_source(str(path), options=how)) as opened:
                    assert list(replay(opened))
        except ReplayError:
            pass


def encoded(value: Any) -> Any:
    """``params``, ``rawArgs`` and ``result`` as JSON in strings, as the builder does."""
    if isinstance(value, list):
        return [encoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: json.dumps(each)
        if key in ("params", "rawArgs", "result") and isinstance(each, dict)
        else encoded(each)
        for key, each in value.items()
    }


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.integers(0, 400))
def test_half_a_message_costs_itself_alone(length: int) -> None:
    whole = json.dumps({"type": 2, "text": "x" * 300, "createdAt": "2026-08-03T09:00:00Z"})
    with TemporaryDirectory() as folder:
        cut = {"key": "bubbleId:chat-a:b1", "text": whole[:length]}
        path = build({"rows": [composer(A, "b1", "b2"), cut, bubble(A, "b2")]}, Path(folder))
        events = read(path)
        assert texts(events)[-1] == "b2"
        assert bool(of(events, Noted)) == (length < len(whole))


def test_the_calls_of_a_chat_are_as_many_as_its_headers_say(tmp_path: Path) -> None:
    events = read(
        build(source(FIXTURES / "ide-state" / "modern-chat"), tmp_path),
        "aaaa1111-0000-4000-8000-000000000001",
    )
    assert len(of(events, CallCompleted)) == 7
