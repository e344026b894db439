import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ingest_words import codes, of, texts

from cursor_replay.errors import ReplayError
from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    CallUnrecorded,
    Noted,
    PromptSeen,
    SessionSeen,
    ThoughtSeen,
)
from cursor_replay.ingest.formats.chat import blobs as chat_blobs
from cursor_replay.ingest.formats.chat import store as chat_store
from cursor_replay.ingest.formats.chat.store import ChatStore
from cursor_replay.ingest.source import StoreSource, open_source
from cursor_replay.ingest.store import ReadOptions, SessionInfo
from cursor_replay.ingest.wholes import recognise_store
from cursor_replay.items import Time
from cursor_replay.pipeline import replay
from cursor_replay.render.registry import make

FIXTURES = Path(__file__).parents[2] / "fixtures"
sys.path.insert(0, str(FIXTURES))
from build_stores import build  # noqa: E402 - a script beside the cases

META = {"agentId": "agent-1", "name": "Shop", "createdAt": 1780000000000}
HELLO = {"role": "user", "content": "Hello."}
ANSWER = {"role": "assistant", "content": [{"type": "text", "text": "Hi."}], "id": "1"}

Made = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    def make_store(*messages: Any, **source: Any) -> Path:
        return store_in(tmp_path, *messages, **source)

    return make_store


def store_in(target: Path, *messages: Any, **source: Any) -> Path:
    number = len(list(target.iterdir()))
    case = target / f"case-{number}"
    case.mkdir()
    whole = {"builder": "chat_store", "meta": META, "messages": list(messages), **source}
    (case / "store.json").write_text(json.dumps(whole), "utf-8")
    return build(case, target / f"home-{number}")


def fixture(name: str, folder: Path) -> Path:
    return build(FIXTURES / "chat-store" / name, folder)


def events(path: Path) -> list[AnyEvent]:
    with closing(ChatStore(path)) as store:
        (info,) = store.sessions()
        return list(store.events(info.id, ReadOptions()))


def info(path: Path) -> SessionInfo:
    with closing(ChatStore(path)) as store:
        (session,) = store.sessions()
        return session


def notes(path: Path) -> dict[str, str]:
    return {event.code: event.message for event in of(events(path), Noted)}


def change(path: Path, statement: str, *parameters: Any) -> Path:
    with closing(sqlite3.connect(path / "store.db")) as database, database:
        database.execute(statement, parameters)
    return path


def change_blob(path: Path, text: str, data: bytes) -> Path:
    return change(
        path, "UPDATE blobs SET data = ? WHERE instr(data, CAST(? AS BLOB)) > 0", data, text
    )


# -- recognising ------------------------------------------------------------------------------


def test_a_store_is_held_as_a_folder_and_as_a_file(made: Made) -> None:
    folder = made(HELLO)
    assert chat_store.holds(folder)
    assert chat_store.holds(folder / "store.db")
    found = recognise_store(folder)
    assert found is not None
    assert found.name == "chat-store"


def test_nothing_else_is_held(tmp_path: Path, made: Made) -> None:
    (tmp_path / "store.db").write_bytes(b"SQLite format 3\0" + bytes(200))
    assert not chat_store.holds(tmp_path)
    assert not chat_store.holds(tmp_path / "nowhere")
    assert not chat_store.holds(Path("\0"))
    agent = fixture("sdk-agent", tmp_path / "sdk")
    assert not chat_store.holds(agent.parent.parent / "index.db")
    both = change(made(HELLO), "CREATE TABLE agents (agent_id)")
    assert chat_store.holds(both)
    assert not chat_store.holds(change(both, "CREATE TABLE runs (run_id)"))


@pytest.mark.parametrize(
    "tables",
    [
        ("blobs (sha TEXT, size INT)", "meta (key, value)"),
        ("blobs (id, data)", "meta (name, content)"),
        ("blobs (id)", "meta (key)"),
    ],
)
def test_other_tables_of_the_same_names_are_no_store(
    tmp_path: Path, tables: tuple[str, ...]
) -> None:
    with closing(sqlite3.connect(tmp_path / "store.db")) as database, database:
        for each in tables:
            database.execute(f"CREATE TABLE {each}")
    assert not chat_store.holds(tmp_path)
    with pytest.raises(ReplayError, match="a database of no store known here"):
        open_source(str(tmp_path / "store.db"))


def test_a_file_that_is_no_database_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(ReplayError):
        ChatStore(tmp_path)


# -- the session ------------------------------------------------------------------------------


def test_a_listing_shows_what_the_store_and_its_folder_record(tmp_path: Path) -> None:
    path = fixture("a-conversation", tmp_path)
    assert info(path) == SessionInfo(
        id="22222222-0000-4000-8000-000000000002",
        store="chat-store",
        path=path,
        workspace="/home/ada/shop",
        title="Cart totals",
        started=Time(at="2026-05-28T20:26:40.000Z"),
        changed=Time(at="2026-05-28T20:36:40.000Z"),
        prompts=1,
        calls=4,
        state="finished",
    )


@pytest.mark.parametrize("name", ["New Agent", "new chat", "UNTITLED", " Cursor Agent ", "", None])
def test_a_placeholder_is_no_title_and_the_first_prompt_is_one(made: Made, name: Any) -> None:
    prompt = {"role": "user", "content": "\n[Image]\nFix it.\nNow."}
    assert info(made(prompt, meta={**META, "name": name})).title == "Fix it."
    assert info(made(meta={**META, "name": name})).title is None


def test_a_title_is_one_line(made: Made) -> None:
    assert info(made(meta_json={"title": "Cart\nwith totals"})).title == "Cart"


def test_without_a_meta_json_the_file_says_when_it_changed(made: Made) -> None:
    path = made(HELLO)
    session = info(path)
    assert session.workspace is None
    assert session.started == Time(at="2026-05-28T20:26:40.000Z")
    assert session.changed is not None
    assert session.changed.basis == "file"


def test_without_an_agent_id_the_folder_names_the_session(made: Made) -> None:
    path = made(HELLO, meta={"name": "x"}, folder="chats/abc/77777777")
    assert info(path).id == "77777777"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"title": 7, "createdAtMs": "x"}'])
def test_a_meta_json_that_says_nothing_is_no_meta_json(made: Made, text: str) -> None:
    path = made(HELLO)
    (path / "meta.json").write_text(text, "utf-8")
    assert info(path).title == "Shop"
    assert info(path).started == Time(at="2026-05-28T20:26:40.000Z")


def test_a_meta_json_that_is_a_folder_is_none(made: Made) -> None:
    path = made(HELLO)
    (path / "meta.json").mkdir()
    assert info(path).title == "Shop"


@pytest.mark.parametrize("form", ["hex", "plain"])
def test_the_meta_row_may_be_hex_or_plain(made: Made, form: str) -> None:
    assert info(made(HELLO, meta_form=form)).id == "agent-1"


def test_the_meta_row_may_be_a_blob(made: Made) -> None:
    path = made(HELLO, meta_form="plain")
    change(path, "UPDATE meta SET value = CAST(value AS BLOB)")
    assert info(path).id == "agent-1"


def test_a_session_is_finished_when_the_last_word_is_an_answer(made: Made) -> None:
    waiting = {**ANSWER, "content": [{"type": "tool-call", "toolCallId": "a", "toolName": "LS"}]}
    said = {"type": "text", "text": "Wait."}
    assert info(made(HELLO, ANSWER)).state == "finished"
    assert info(made(HELLO)).state == "unknown"
    assert info(made(HELLO, ANSWER, HELLO | {"content": "And?"})).state == "unknown"
    assert info(made(HELLO, {**waiting, "content": [*waiting["content"], said]})).state == "unknown"
    assert info(made(HELLO, ANSWER, pending=ANSWER)).state == "unknown"
    assert info(made(HELLO, ANSWER, root_form="missing")).state == "unknown"


def test_the_model_comes_from_the_meta_row(made: Made) -> None:
    path = made(HELLO, meta={**META, "lastUsedModel": "m-1"})
    assert [event.model for event in of(events(path), SessionSeen)] == ["m-1"]


@pytest.mark.parametrize("name", ["default", "Default", " default ", ""])
def test_the_default_is_no_model(made: Made, name: str) -> None:
    path = made(HELLO, meta={**META, "lastUsedModel": name})
    assert not of(events(path), SessionSeen)


def test_the_sdk_names_the_root_in_its_index(tmp_path: Path) -> None:
    session = info(fixture("sdk-agent", tmp_path))
    assert (session.title, session.workspace) == ("nightly", "/srv/app")
    assert session.started == Time(at="2026-05-28T20:26:40.000Z")
    assert session.changed == Time(at="2026-05-29T08:31:00.000Z")


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM agents",
        "DROP TABLE agents",
        "UPDATE agents SET latest_checkpoint_ref_json = NULL",
        "UPDATE agents SET latest_checkpoint_ref_json = '{'",
    ],
)
def test_an_index_that_does_not_know_the_agent_leaves_the_order_a_guess(
    tmp_path: Path, statement: str
) -> None:
    path = fixture("sdk-agent", tmp_path)
    with closing(sqlite3.connect(path.parent.parent / "index.db")) as database, database:
        database.execute(statement)
    given = events(path)
    assert codes(given) == ["no-root"]
    assert texts(given) == ["All is well."]


# -- the conversation -------------------------------------------------------------------------


def test_the_root_decides_order_and_number(made: Made) -> None:
    second = {**ANSWER, "content": "Again."}
    path = made(HELLO, ANSWER, second, root=[2, 0, 1, 1])
    given = events(path)
    assert texts(given) == ["Again.", "Hi.", "Hi."]
    assert [event.origin.line for event in given] == [1, 2, 3, 4]
    assert given[2].origin.row == given[3].origin.row
    assert not codes(given)


def test_what_the_root_does_not_lead_to_is_counted_once(made: Made) -> None:
    other = {"id": "1", "content": ANSWER["content"], "role": "assistant"}
    path = made(HELLO, ANSWER, other, superseded=[[0], [0, 2]], root=[0, 1])
    assert texts(events(path)) == ["Hi."]
    assert notes(path) == {
        "orphans": "1 message and 2 other blobs of 6 blobs left over or superseded: not shown"
    }


def test_messages_of_sub_agents_are_counted(made: Made) -> None:
    path = made(HELLO, ANSWER, ANSWER | {"content": "a"}, root=[0, 1], subagents=[1, 2])
    assert notes(path) == {
        "orphans": "1 message of sub-agents or of what was summarised: not shown"
    }


def test_a_message_that_is_not_there_is_a_problem_in_its_place(made: Made) -> None:
    given = events(made(HELLO, ANSWER, root=[0, "ab" * 32, 1]))
    assert [type(event).__name__ for event in given] == ["PromptSeen", "Noted", "TextSeen"]
    noted = given[1]
    assert isinstance(noted, Noted)
    assert (noted.code, noted.problem, noted.origin.line) == ("missing-blob", True, 2)
    assert noted.origin.row == "ab" * 32


def test_an_entry_of_the_root_that_is_no_id_is_a_problem(made: Made) -> None:
    path = made(HELLO, ANSWER, root=[0, "abcd", 1])
    assert notes(path) == {"unknown-record": "1 item in the list of messages cannot be an id"}


def test_a_blob_that_is_too_large_is_a_problem(made: Made, monkeypatch: Any) -> None:
    monkeypatch.setattr(chat_blobs, "LARGEST", 400)
    path = made(HELLO, {"role": "user", "content": "x" * 400}, ANSWER)
    assert notes(path) == {"blob-too-large": "a message of 428 bytes, too large to be read"}
    assert texts(events(path)) == ["Hi."]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{half", "not-json"),
        ("[1, 2]", "not-an-object"),
        ("\0\0", "nul-padding"),
        ("", "not-json"),
        ("\x0a\x02hi", "not-json"),
        ("[" * 500 + "]" * 500, "too-deep"),
        ('{"title": "no message"}', "unknown-record"),
    ],
)
def test_a_listed_blob_that_is_no_message_is_a_problem(made: Made, message: str, code: str) -> None:
    path = made(HELLO, message, ANSWER)
    assert codes(events(path)) == [code]
    assert texts(events(path)) == ["Hi."]


def test_a_blob_may_be_stored_as_text(made: Made) -> None:
    path = change(made(HELLO, ANSWER), "UPDATE blobs SET data = CAST(data AS TEXT) WHERE rowid = 2")
    assert texts(events(path)) == ["Hi."]


def test_a_blob_without_data_is_missing(made: Made) -> None:
    path = change(made(HELLO, ANSWER), "UPDATE blobs SET data = NULL WHERE rowid = 2")
    assert "missing-blob" in codes(events(path))


def test_deep_arguments_are_read_or_said(made: Made) -> None:
    deep: Any = "x"
    for _ in range(380):
        deep = [deep]
    call = {"type": "tool-call", "toolCallId": "a", "toolName": "Unknown", "args": {"deep": deep}}
    path = made(HELLO, {"role": "assistant", "content": [call]})
    assert of(events(path), CallStarted) or "too-deep" in codes(events(path))
    with closing(open_source(str(path))) as source:
        assert [sealed.item.type for sealed in replay(source)].count("card") == 1


def test_a_message_that_is_still_written_comes_last(made: Made) -> None:
    given = events(made(HELLO, pending={"role": "assistant", "content": "It is"}))
    assert texts(given) == ["It is"]
    assert codes(given) == ["pending-message"]
    assert given[-1].origin.line == 2


def test_a_pending_message_may_be_all_there_is_and_may_be_cut(made: Made) -> None:
    assert codes(events(made(pending='{"role": "assis'))) == ["not-json", "pending-message"]


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ({"root_form": "missing"}, "no-root"),
        ({"root_form": "unreadable"}, "unreadable-root"),
        ({"root_form": "unknown"}, "unreadable-root"),
        ({"meta_form": "none"}, "unreadable-meta"),
    ],
)
def test_without_a_root_the_messages_come_as_stored_and_a_problem_says_so(
    made: Made, source: Any, code: str
) -> None:
    given = events(made(HELLO, ANSWER, **source))
    first = given[0]
    assert isinstance(first, Noted)
    assert (first.code, first.problem) == (code, True)
    assert "the order is a guess" in first.message
    assert texts(given) == ["Hi."]
    assert len(of(given, PromptSeen)) == 1


@pytest.mark.parametrize("value", ["", "zz", "7b", "{", "[]", 7, None])
def test_a_meta_row_that_is_none_leaves_the_messages(made: Made, value: Any) -> None:
    path = change(made(HELLO, ANSWER), "UPDATE meta SET value = ?", value)
    assert codes(events(path)) == ["unreadable-meta"]
    assert texts(events(path)) == ["Hi."]
    assert info(path).id == path.name


@pytest.mark.parametrize("meta", [META, {}, META | {"latestRootBlobId": 7}])
def test_a_meta_row_without_a_root_leaves_the_messages(made: Made, meta: Any) -> None:
    path = change(made(HELLO, ANSWER), "UPDATE meta SET value = ?", json.dumps(meta))
    assert codes(events(path)) == ["no-root"]
    assert texts(events(path)) == ["Hi."]


def test_a_guess_shows_a_message_once_however_its_keys_stand(made: Made) -> None:
    again = {"id": "1", "content": ANSWER["content"], "role": "assistant"}
    path = made(HELLO, ANSWER, again, "{half", '{"a": 1}', root_form="missing")
    given = events(path)
    assert texts(given) == ["Hi."]
    assert codes(given) == ["no-root", "not-json", "not-shown", "not-shown"]


def test_a_guess_without_a_message_says_that_too(made: Made) -> None:
    assert codes(events(made(root_form="missing"))) == ["no-root", "no-messages"]


def test_a_guess_names_what_is_too_large(made: Made, monkeypatch: Any) -> None:
    path = made(HELLO, {"role": "user", "content": "x" * 400}, root_form="missing")
    monkeypatch.setattr(chat_blobs, "LARGEST", 400)
    assert codes(events(path)) == ["no-root", "blob-too-large"]


def test_a_root_without_messages_is_clear(made: Made) -> None:
    path = made(root_form="empty")
    assert notes(path) == {"no-messages": "the conversation holds no message"}
    unused = made(root_form="empty", meta_json={"hasConversation": False})
    assert notes(unused)["no-messages"] == "the chat holds no message: it was opened and not used"


def test_a_sub_agent_is_said(made: Made) -> None:
    assert notes(made(HELLO, meta_json={"isSubagent": True})) == {
        "sub-agent": "this is the session of a sub-agent"
    }


# -- turns ------------------------------------------------------------------------------------


def test_messages_win_over_turns(tmp_path: Path) -> None:
    given = events(fixture("sdk-agent", tmp_path))
    assert texts(given) == ["All is well."]
    assert len(of(given, PromptSeen)) == 1


def test_turns_are_read_where_no_message_is_listed(tmp_path: Path) -> None:
    path = fixture("turns-only", tmp_path)
    given = events(path)
    assert codes(given) == ["turns-only"]
    assert texts(given) == ["Looking."]
    assert [(each.text, each.duration_ms) for each in of(given, ThoughtSeen)] == [("I look.", 210)]
    assert [(each.name, each.args) for each in of(given, CallUnrecorded)] == [
        ("read", {"path": "README.md"}),
        ("tool 99", None),
    ]
    (shell,) = of(given, CallCompleted)
    assert shell.args == {"command": "ls"}
    assert shell.outcome.value == {"stdout": "README.md\n", "stderr": "", "exitCode": 2}
    assert info(path).calls == 2


@pytest.mark.parametrize(
    ("lost", "wanted"),
    [
        ("Look.", "unknown-record"),
        ("Looking.", "unknown-record"),
        ("README.md\n", None),
    ],
)
def test_a_lost_part_of_a_turn_is_a_problem(tmp_path: Path, lost: str, wanted: str | None) -> None:
    path = fixture("turns-only", tmp_path)
    change(path, "DELETE FROM blobs WHERE instr(data, CAST(? AS BLOB)) > 0", lost)
    assert codes(events(path)) == ["turns-only", *([wanted] if wanted else [])]


def test_a_shell_turn_without_its_command_is_a_problem_and_without_output_unrecorded(
    tmp_path: Path,
) -> None:
    path = fixture("turns-only", tmp_path)
    change(path, "DELETE FROM blobs WHERE instr(data, CAST(? AS BLOB)) > 0", "README.md\n")
    (shell,) = of(events(path), CallCompleted)
    assert shell.outcome is None
    change(path, "DELETE FROM blobs WHERE data = CAST(? AS BLOB)", "\n\x02ls")
    assert codes(events(path)) == ["turns-only", "unknown-record"]


def test_a_turn_that_is_lost_or_of_another_form_is_a_problem(tmp_path: Path) -> None:
    lost, other = (fixture("turns-only", tmp_path / name) for name in ("a", "b"))
    change(lost, "DELETE FROM blobs WHERE instr(data, CAST(? AS BLOB)) > 0", "request-1")
    assert codes(events(lost)) == ["turns-only", "missing-blob", "orphans"]
    change_blob(other, "request-1", b" ")
    assert codes(events(other)) == ["turns-only", "unknown-record", "orphans"]


@pytest.mark.parametrize("step", ["2001", "0a01ff", "4a0120", "4a020801", "ff", ""])
def test_a_step_of_another_form_is_a_problem(tmp_path: Path, step: str) -> None:
    path = fixture("turns-only", tmp_path)
    change_blob(path, "Looking.", bytes.fromhex(step))
    assert codes(events(path)) == ["turns-only", "unknown-record"]


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("5a020a00", "tool 11"),
        ("b201020a00", "applyAgentDiff"),
        ("b20100", "applyAgentDiff"),
        ("ca03026964", "unknown tool"),
        ("0801", "unknown tool"),
    ],
)
def test_a_call_of_the_state_is_named_by_its_tool_or_the_number_of_it(
    tmp_path: Path, call: str, name: str
) -> None:
    path = fixture("turns-only", tmp_path)
    change_blob(path, "Looking.", b"\x12" + bytes([len(call) // 2]) + bytes.fromhex(call))
    assert of(events(path), CallUnrecorded)[0].name == name


@pytest.mark.parametrize("code", [-1, -9, -(2**31)])
def test_a_negative_exit_code_of_a_shell_turn_is_one(made: Made, code: int) -> None:
    path = made(turns=[{"shell": ["ls", "", "no", 2**64 + code]}])
    (shell,) = of(events(path), CallCompleted)
    assert shell.outcome.value["exitCode"] == code
    with closing(open_source(str(path))) as source:
        cards = [each.item for each in replay(source) if each.item.type == "card"]
    assert [(each.status, each.reason) for each in cards] == [
        ("failed", f"Command exited with code {code}")
    ]


# -- what must never happen -------------------------------------------------------------------


def test_the_key_of_the_store_is_in_no_event_and_no_output(made: Made) -> None:
    key = "".join(f"{number % 16:x}" for number in range(3, 67))
    for form in ("hex", "plain"):
        path = made(HELLO, ANSWER, key=key, meta_form=form)
        assert key not in repr([info(path), *events(path)])
        with closing(open_source(str(path))) as source:
            items = list(replay(source))
        for name in ("json", "text", "markdown", "terminal"):
            renderer = make(name)
            text = "".join(renderer.render(item) for item in items)
            assert key not in text
            assert "EncryptionKey" not in text


@pytest.mark.parametrize("name", ["a-conversation", "sdk-agent", "turns-only", "unreadable-root"])
def test_reading_never_changes_a_store(tmp_path: Path, name: str) -> None:
    path = fixture(name, tmp_path)
    before = state(tmp_path)
    assert chat_store.holds(path)
    info(path)
    events(path)
    assert state(tmp_path) == before


def test_a_store_with_a_live_wal_is_read_whole_and_left_alone(made: Made) -> None:
    path = made(HELLO)
    more = {"role": "assistant", "content": "From the log."}
    with closing(sqlite3.connect(path / "store.db")) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("INSERT INTO blobs VALUES ('x', ?)", (json.dumps(more).encode(),))
        writer.execute("UPDATE meta SET value = '-'")
        writer.commit()
        before = state(path)
        assert texts(events(path)) == ["From the log."]
        assert state(path) == before


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_source_opens_the_store_and_names_it(tmp_path: Path) -> None:
    path = fixture("a-conversation", tmp_path)
    with closing(open_source(str(path))) as source:
        assert isinstance(source, StoreSource)
        head = next(iter(source.events()))
    assert isinstance(head, SessionSeen)
    assert (head.format, head.title, head.cwd) == ("chat-store", "Cart totals", "/home/ada/shop")


_CUT = st.tuples(st.integers(0, 2000), st.integers(0, 40), st.binary(max_size=6))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(range(1, 16)), _CUT)
def test_any_mutilation_of_a_blob_raises_nothing_and_loses_no_other_message(
    tmp_path_factory: pytest.TempPathFactory, row: int, cut: tuple[int, int, bytes]
) -> None:
    path = fixture("a-conversation", tmp_path_factory.mktemp("cut"))
    at, length, new = cut
    with closing(sqlite3.connect(path / "store.db")) as database, database:
        (data,) = database.execute("SELECT data FROM blobs WHERE rowid = ?", (row,)).fetchone()
        at %= len(data) + 1
        data = data[:at] + new + data[at + length :]
        database.execute("UPDATE blobs SET data = ? WHERE rowid = ?", (data, row))
    given = events(path)
    lines = {event.origin.line for event in given}
    root = 15
    if row != root:
        # The context of row 2 is told with the prompt of row 3, unless either is damaged.
        assert {*range(1, 12)} - lines <= {2, row}
    assert given


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 40_000), st.integers(0, 3), st.binary(max_size=64))
def test_any_mutilation_of_the_file_raises_only_input_errors(
    tmp_path_factory: pytest.TempPathFactory, at: int, how: int, new: bytes
) -> None:
    path = fixture("a-conversation", tmp_path_factory.mktemp("cut"))
    data = (path / "store.db").read_bytes()
    at %= len(data)
    cut = [data[:at], data[:at] + new + data[at + len(new) :], data[:at] + new, new + data][how]
    (path / "store.db").write_bytes(cut)
    chat_store.holds(path)
    with suppress(ReplayError):
        assert events(path)


@pytest.mark.parametrize("key", [None, b"\xff\xfe\x00abc", 7, 1.5])
def test_a_blob_whose_id_is_no_text_is_counted(tmp_path: Path, key: Any) -> None:
    with closing(sqlite3.connect(tmp_path / "store.db")) as connection, connection:
        connection.execute("CREATE TABLE blobs (id, data)")
        connection.execute("CREATE TABLE meta (key, value)")
        blob = json.dumps({"role": "user", "content": "hi"}).encode()
        connection.execute("INSERT INTO blobs VALUES (?, ?)", (key, blob))
        meta = json.dumps({"agentId": "a", "latestRootBlobId": ""})
        connection.execute("INSERT INTO meta VALUES ('0', ?)", (meta,))
    with closing(open_source(str(tmp_path))) as source:
        notes = [each.message for each in source.events() if isinstance(each, Noted)]
    assert "1 blob with an id that is no text: not shown" in notes
