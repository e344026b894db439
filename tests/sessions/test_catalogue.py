"""Grouping, order and description of what is on a machine."""

import hashlib
import json
from pathlib import Path

import pytest
from made_home import ENDED, PROJECT, WORKSPACE, jsonl, put, query, says, snapshot, transcript, user

from cursor_replay.errors import AmbiguousError, InputError
from cursor_replay.ingest.sessions import catalogue as catalogue_module
from cursor_replay.ingest.sessions.catalogue import Catalogue, is_of
from cursor_replay.ingest.sessions.listing import Row, mentions, narrowed, row_of
from cursor_replay.ingest.sessions.places import Place
from cursor_replay.ingest.sessions.roots import roots_below
from cursor_replay.ingest.sessions.workspaces import is_slug_of, slugs
from cursor_replay.ingest.store import SessionInfo

STAMP = "Monday, Sep 14, 2026, 10:05 AM (UTC+2)"


def catalogue(home: Path, workspace: str = WORKSPACE) -> Catalogue:
    return Catalogue(roots_below(home, workspace=Path(workspace)))


def rows(home: Path) -> list[Row]:
    found = catalogue(home)
    return [row for each in found.sessions() if (row := row_of(found, each))]


def test_a_transcript_is_described(tmp_path: Path) -> None:
    transcript(
        tmp_path,
        "7f3a9c00",
        query("Add a voucher field\nto the checkout", STAMP),
        says("On it.", ("Read", {"path": "/srv/a"}), ("Shell", {"command": "ls"})),
        user("<user_query>\nBriefly inform the user about the task result\n</user_query>"),
        says("Done."),
        query("And a test", "Monday, Sep 14, 2026, 10:09 AM (UTC+2)"),
        says("", ("Write", {"path": "/srv/b", "contents": '"type":"tool_use"'})),
        ENDED,
    )
    [row] = rows(tmp_path)
    assert (row.id, row.title, row.prompts, row.calls) == ("7f3a9c00", "Add a voucher field", 2, 3)
    assert row.started is not None
    assert (row.started.at, row.started.basis) == ("2026-09-14T08:05:00.000Z", "recorded")
    assert row.changed is not None
    assert (row.changed.at, row.changed.basis) == ("2027-01-15T08:00:00.000Z", "file")
    assert (row.state, row.slug, row.workspace) == ("finished", PROJECT, None)


def test_writers_that_put_a_space_behind_colons_are_counted_too(tmp_path: Path) -> None:
    records = (query("Hello"), says("", ("Read", {"path": "/a"})))
    text = "".join(json.dumps(each) + "\n" for each in records)
    put(tmp_path / ".cursor/projects/s/agent-transcripts/a1.jsonl", text)
    [row] = rows(tmp_path)
    assert (row.prompts, row.calls, row.title) == (1, 1, "Hello")


def test_the_last_chat_title_wins(tmp_path: Path) -> None:
    def renamed(title: str) -> tuple[str, object]:
        given = {"namespace": "cursor-app-control", "toolName": "rename_chat"}
        return "CallDynamicTool", {**given, "arguments": {"title": title}}

    transcript(
        tmp_path, "a1", query("Hello"), says("", renamed("First")), says("", renamed("Vouchers"))
    )
    assert rows(tmp_path)[0].title == "Vouchers"


@pytest.mark.parametrize(
    ("records", "state"),
    [
        ([says("x"), ENDED], "finished"),
        ([says("x"), {"type": "turn_ended", "status": "aborted"}], "finished"),
        ([says("x"), {"type": "turn_ended", "status": "error", "error": "limit"}], "error"),
        ([ENDED, says("x")], "unknown"),
        ([says('{"type":"turn_ended","status":"success"}')], "unknown"),
        ([], "unknown"),
    ],
)
def test_only_a_marker_at_the_end_tells_the_state(
    tmp_path: Path, records: list[object], state: str
) -> None:
    transcript(tmp_path, "a1", *records)
    assert rows(tmp_path)[0].state == state


@pytest.mark.parametrize(
    ("name", "text", "counts"),
    [
        ("a1.jsonl", "", (None, None)),
        ("a1.jsonl", "\n\n", (None, None)),
        ("a1.jsonl", "no json\n", (None, None)),
        ("a1.jsonl", "{}", (None, None)),
        ("a1.jsonl", '{"role":"user"', (0, 0)),
        ("a1.jsonl", '{"role":"user","message":null}\n', (0, 0)),
        ("a1.jsonl", '{"message":{"content":"q"},"role":"user"}\n', (None, None)),
        ("a1.txt", "user:\nq\n\nassistant:\n[Tool call] Read\n  path: a\n", (None, None)),
        ("a1.json", '[{"role":"user","text":"q"}]', (None, None)),
    ],
)
def test_what_cannot_be_counted_is_left_out_never_nought(
    tmp_path: Path, name: str, text: str, counts: tuple[int | None, int | None]
) -> None:
    put(tmp_path / ".cursor/projects/s/agent-transcripts" / name, text)
    [row] = rows(tmp_path)
    assert (row.prompts, row.calls) == counts
    assert row.state == "unknown"


def test_a_title_is_bounded_and_one_line(tmp_path: Path) -> None:
    transcript(tmp_path, "a1", query("word " * 5000))
    title = rows(tmp_path)[0].title
    assert title is not None
    assert len(title) == 200
    assert title.endswith("…")


def test_an_end_that_stands_inside_a_call_is_none(tmp_path: Path) -> None:
    transcript(tmp_path, "a1", query("x"), says("", ("Write", ENDED)))
    assert rows(tmp_path)[0].state == "unknown"


def test_words_of_any_store_of_a_session_are_found(tmp_path: Path) -> None:
    transcript(tmp_path, "a1", query("voucher"), slug="one")
    transcript(tmp_path, "a1", query("refund"), says("longer"), slug="two")
    [session] = catalogue(tmp_path).sessions()
    assert mentions(session, ["voucher", "refund"])


def test_a_workspace_is_named_by_a_file_never_by_decoding_a_slug(tmp_path: Path) -> None:
    transcript(tmp_path, "a1", query("Hello"), slug="my-shop-api-v2")
    trusted = {"workspacePath": "/srv/my shop/api.v2"}
    project = tmp_path / ".cursor/projects/my-shop-api-v2"
    put(project / ".workspace-trusted", json.dumps(trusted))
    assert rows(tmp_path)[0].workspace == "/srv/my shop/api.v2"


def test_the_log_of_the_worker_names_it_too(tmp_path: Path) -> None:
    transcript(tmp_path, "a1", query("Hello"), slug="other")
    put(
        tmp_path / ".cursor/projects/other/worker.log", 'start workspacePath="/srv/other one" pid=1'
    )
    assert rows(tmp_path)[0].workspace == "/srv/other one"


@pytest.mark.parametrize(
    ("slug", "workspace", "same"),
    [
        ("srv-a-b", "/srv/a b", True),
        ("srv-a--b", "/srv/a--b", True),
        ("srv-a-b", "/srv/a--b", True),
        ("d-1-Backend-x", "D:\\1-Backend\\x", True),
        ("home-jo-doe-example-com-x", "/home/jo.doe@example.com/x", True),
        ("srv-a", "/srv/b", False),
        ("empty-window", "/srv/a", False),
    ],
)
def test_a_slug_is_compared_forward(slug: str, workspace: str, *, same: bool) -> None:
    assert is_slug_of(slug, workspace) is same


def test_a_slug_has_two_spellings() -> None:
    assert slugs("/srv/a--b") == {"srv-a--b", "srv-a-b"}


def test_this_workspace_comes_first_then_the_newest(tmp_path: Path) -> None:
    transcript(tmp_path, "old-here", query("x"), at=1_700_000_000)
    transcript(tmp_path, "new-here", query("x"), at=1_700_000_500)
    transcript(tmp_path, "newest-there", query("x"), slug="else", at=1_800_000_000)
    transcript(tmp_path, "older-there", query("x"), slug="else", at=1_700_000_900)
    ids = [each.id for each in catalogue(tmp_path).sessions()]
    assert ids == ["new-here", "old-here", "newest-there", "older-there"]


def test_the_same_id_under_two_slugs_is_one_session_and_the_longer_copy_is_read(
    tmp_path: Path,
) -> None:
    transcript(tmp_path, "a1", query("x"), slug="one")
    long = transcript(tmp_path, "a1", query("x"), says("more"), slug="two")
    [session] = catalogue(tmp_path).sessions()
    assert session.path == long
    [row] = rows(tmp_path)
    assert row.note == "2 copies in different transcript folders; the longest is read"


def test_chats_know_their_workspace_by_its_digest(tmp_path: Path) -> None:
    digest = hashlib.md5(WORKSPACE.encode(), usedforsecurity=False).hexdigest()
    put(tmp_path / f".cursor/chats/{digest}/b2/store.db", "x")
    put(tmp_path / ".cursor/chats/0000/b3/store.db", "x")
    sessions = {each.id: each for each in catalogue(tmp_path).sessions()}
    assert is_of(sessions["b2"], WORKSPACE)
    assert not is_of(sessions["b3"], WORKSPACE)


def test_a_store_that_cannot_be_read_is_counted_not_fatal(tmp_path: Path) -> None:
    put(tmp_path / ".cursor/projects/s/sdk-agent-store/d/index.db", "no database")
    put(tmp_path / ".cursor/chats/m/b2/store.db", "no database")
    transcript(tmp_path, "a1", query("x"))
    found = catalogue(tmp_path)
    described = [row_of(found, each) for each in found.sessions()]
    assert [row.id for row in described if row] == ["a1"]
    assert found.unreadable == 2


def test_a_session_is_found_by_its_id_or_the_beginning_of_it(tmp_path: Path) -> None:
    transcript(tmp_path, "7f3a9c00-1", query("x"))
    transcript(tmp_path, "7f3a9c00-12", query("x"))
    found = catalogue(tmp_path)
    assert found.find("7f3a9c00-1").id == "7f3a9c00-1"
    assert found.find("7f3a9c00-12").id == "7f3a9c00-12"
    with pytest.raises(AmbiguousError) as error:
        found.find("7f3a")
    assert str(error.value) == "'7f3a' is the beginning of 2 ids"
    assert len(error.value.candidates) == 2
    with pytest.raises(InputError, match="no session of that id"):
        found.find("3a9c")  # the middle of an id is not its beginning


def test_many_candidates_are_cut(tmp_path: Path) -> None:
    for number in range(30):
        transcript(tmp_path, f"aaaa-{number:02}", query("x"))
    with pytest.raises(AmbiguousError) as error:
        catalogue(tmp_path).find("aaaa")
    assert error.value.candidates[-1] == "... and 10 more"


def test_the_latest_session_is_one_of_this_workspace(tmp_path: Path) -> None:
    transcript(tmp_path, "there", query("x"), slug="else", at=1_800_000_000)
    with pytest.raises(InputError, match="no session of /srv/shop/web"):
        catalogue(tmp_path).latest()
    transcript(tmp_path, "here", query("x"), at=1_700_000_000)
    assert catalogue(tmp_path).latest().id == "here"


def test_an_empty_machine_has_no_latest_session(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no session of"):
        catalogue(tmp_path).latest()


def test_sub_agents_are_left_out_while_their_parent_is_there(tmp_path: Path) -> None:
    main = transcript(tmp_path, "a1", query("x"))
    put(main.parent / "subagents/c1.jsonl", jsonl(query("y")))
    put(main.parent.parent / "gone/subagents/c2.jsonl", jsonl(query("z")))
    every = catalogue(tmp_path).sessions()
    kept = narrowed(every, workspace=None, since=None, subagents=False)
    assert {each.id for each in kept} == {"a1", "c2"}
    kept = narrowed(every, workspace=None, since=None, subagents=True)
    assert {each.id for each in kept} == {"a1", "c1", "c2"}


def test_sessions_are_narrowed_by_workspace_and_time(tmp_path: Path) -> None:
    transcript(tmp_path, "a1", query("x"), at=1_700_000_000)
    transcript(tmp_path, "a2", query("x"), at=1_800_000_000)
    transcript(tmp_path, "a3", query("x"), slug="else", at=1_800_000_000)
    every = catalogue(tmp_path).sessions()
    kept = narrowed(every, workspace=WORKSPACE, since="2026-01-01", subagents=False)
    assert [each.id for each in kept] == ["a2"]


def test_words_are_searched_in_prompts_and_answers_in_any_case(tmp_path: Path) -> None:
    transcript(tmp_path, "a1", query("Add a VOUCHER"), says("The checkout has it now."))
    [session] = catalogue(tmp_path).sessions()
    assert mentions(session, ["voucher", "CHECKOUT"])
    assert not mentions(session, ["voucher", "refund"])


def test_a_session_that_cannot_be_read_mentions_nothing(tmp_path: Path) -> None:
    put(tmp_path / ".cursor/projects/s/agent-transcripts/a1.jsonl", "no json\n")
    [session] = catalogue(tmp_path).sessions()
    assert not mentions(session, ["json"])


def test_a_pi_session_is_described(tmp_path: Path) -> None:
    def entry(role: str, number: int, **more: object) -> dict[str, object]:
        stamp = f"2026-09-14T10:0{number}:00.000Z"
        return {"type": "message", "id": f"m{number}", "parentId": None, "timestamp": stamp,
                "message": {"role": role, **more}}  # fmt: skip

    head = {"type": "session", "version": 3, "id": "u7", "cwd": WORKSPACE,
            "timestamp": "2026-09-14T10:00:00.000Z"}  # fmt: skip
    call = {"type": "toolCall", "id": "t1", "name": "bash", "arguments": {}}
    text = jsonl(
        head,
        entry("user", 1, content=[{"type": "text", "text": "Add a voucher"}]),
        entry("assistant", 2, content=[call], stopReason="toolUse"),
        {"type": "session_info", "id": "i", "parentId": None, "name": "Vouchers"},
        entry("user", 3, content="Thanks"),
        entry("assistant", 4, content=[], stopReason="stop"),
        "odd",
    )
    put(tmp_path / ".pi/agent/sessions/--srv-shop-web--/2026-09-14T10-00-00-000Z_u7.jsonl", text)
    [row] = rows(tmp_path)
    assert (row.id, row.workspace, row.title) == ("u7", WORKSPACE, "Vouchers")
    assert (row.prompts, row.calls, row.state) == (2, 1, "finished")
    assert row.changed is not None
    assert (row.changed.at, row.changed.basis) == ("2026-09-14T10:04:00.000Z", "recorded")
    [session] = catalogue(tmp_path).sessions()
    assert is_of(session, WORKSPACE)


def test_looking_changes_nothing(tmp_path: Path) -> None:
    transcript(tmp_path, "a1", query("x"))
    before = snapshot(tmp_path)
    assert rows(tmp_path)
    assert snapshot(tmp_path) == before


def test_a_reader_with_a_bug_costs_its_own_sessions_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript(tmp_path, "a1", query("x"))
    transcript(tmp_path, "a2", query("y"))
    real = catalogue_module.transcripts.describe

    def broken(place: Place) -> SessionInfo:
        return real(place) if place.id == "a1" else None + place.id  # type: ignore[operator]

    monkeypatch.setitem(catalogue_module._DESCRIBERS, "transcript", broken)
    found = catalogue(tmp_path)
    described = [row_of(found, each) for each in found.sessions()]
    assert [row.id for row in described if row] == ["a1"]
    assert found.unreadable == 1
