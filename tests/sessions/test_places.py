"""Where sessions are looked for, and what is found there by name alone."""

import os
from pathlib import Path

import pytest
from made_home import put

from cursor_replay.ingest.sessions.places import children_of, places, transcript_in
from cursor_replay.ingest.sessions.roots import Roots, machine_roots, roots_below
from cursor_replay.ingest.sessions.workspaces import recorded_workspace


def found(home: Path) -> set[tuple[str, str, str | None, str | None]]:
    return {
        (each.store, each.id, each.slug, each.parent)
        for each in places(roots_below(home, workspace=home))
    }


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (".cursor/projects/s/agent-transcripts/a1/a1.jsonl", ("transcript", "a1", "s", None)),
        (".cursor/projects/s/agent-transcripts/a1.jsonl", ("transcript", "a1", "s", None)),
        (".cursor/projects/s/agent-transcripts/a1.txt", ("legacy-txt", "a1", "s", None)),
        (".cursor/projects/s/agent-transcripts/a1.json", ("transcript-json", "a1", "s", None)),
        (
            ".cursor/projects/s/agent-transcripts/a1/subagents/c1.jsonl",
            ("transcript", "c1", "s", "a1"),
        ),
        (".cursor/projects/agent-transcripts/a1/a1.jsonl", ("transcript", "a1", None, None)),
        (".cursor/chats/0cc175/b2/store.db", ("chat-store", "b2", None, None)),
        (".cursor/acp-sessions/b2/store.db", ("chat-store", "b2", None, None)),
        (".config/cursor/chats/0cc175/b2/store.db", ("chat-store", "b2", None, None)),
        (".cursor/projects/s/sdk-agent-store/d1/index.db", ("sdk-store", "d1", None, None)),
        (
            ".cursor/projects/s/sdk-agent-store/d1/pi-sessions/p1/index.db",
            ("sdk-store", "p1", None, None),
        ),
        (
            ".config/Cursor/User/globalStorage/state.vscdb",
            ("ide-state", "state.vscdb", None, None),
        ),
        (
            "Library/Application Support/Cursor/User/globalStorage/state.vscdb",
            ("ide-state", "state.vscdb", None, None),
        ),
        (
            ".pi/agent/sessions/--srv-shop--/2026-09-14T10-00-00-000Z_u7.jsonl",
            ("pi-session", "u7", None, None),
        ),
        (".debug/cursor-sdk-events/sessions/demo-1a2b3c4d/x", ("debug-artifacts", "demo-1a2b3c4d", None, None)),
        ("loose-1.jsonl", ("transcript", "loose-1", None, None)),
    ],
)  # fmt: skip
def test_every_layout_is_found(tmp_path: Path, path: str, wanted: tuple[str, ...]) -> None:
    put(tmp_path / path, '{"role":"user"}\n')
    assert found(tmp_path) == {wanted}


def test_other_files_are_no_places(tmp_path: Path) -> None:
    for name in ("agent-transcripts/a/b.jsonl", "agent-transcripts/a/a.md", "agent-tools/a.txt"):
        put(tmp_path / ".cursor/projects/s" / name, "{}\n")
    put(tmp_path / ".cursor/chats/0cc175/b2/meta.json", "{}")
    assert found(tmp_path) == set()


def test_a_wal_that_is_newer_than_its_database_tells_the_time(tmp_path: Path) -> None:
    put(tmp_path / ".cursor/chats/m/b2/store.db", "x", at=1000)
    put(tmp_path / ".cursor/chats/m/b2/store.db-wal", "x", at=2000)
    [place] = places(roots_below(tmp_path, workspace=tmp_path))
    assert place.changed == 2000 * 10**9


def test_a_folder_that_is_a_dot_cursor_itself_is_taken_as_that(tmp_path: Path) -> None:
    put(tmp_path / "projects/s/agent-transcripts/a1.jsonl", "{}\n")
    assert found(tmp_path) == {("transcript", "a1", "s", None)}


def test_the_variables_of_cursor_and_pi_move_their_folders(tmp_path: Path) -> None:
    home, data, agent = tmp_path / "home", tmp_path / "data", tmp_path / "agent"
    for folder in (home / ".cursor", data, agent / "sessions", home / ".pi/agent/sessions"):
        folder.mkdir(parents=True)
    environ = {"CURSOR_DATA_DIR": str(data), "PI_CODING_AGENT_DIR": str(agent)}
    roots = machine_roots(environ, home=home, workspace=tmp_path)
    assert roots.data == (data, home / ".cursor")
    assert roots.pi == (agent / "sessions",)


def test_a_pi_session_folder_of_its_own_wins(tmp_path: Path) -> None:
    (tmp_path / "flat").mkdir()
    environ = {"PI_CODING_AGENT_SESSION_DIR": str(tmp_path / "flat")}
    assert machine_roots(environ, home=tmp_path, workspace=tmp_path).pi == (tmp_path / "flat",)


def test_windows_keeps_the_ide_below_appdata(tmp_path: Path) -> None:
    (tmp_path / "Roaming" / "Cursor").mkdir(parents=True)
    roots = machine_roots({"APPDATA": str(tmp_path / "Roaming")}, home=tmp_path, workspace=tmp_path)
    assert roots.state == (tmp_path / "Roaming" / "Cursor",)


def test_the_debug_folder_of_the_workspace_is_a_root(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    environ = {"PI_CURSOR_SDK_EVENT_DEBUG_DIR": "logs"}
    assert machine_roots(environ, home=tmp_path, workspace=tmp_path).debug == (tmp_path / "logs",)


def test_inside_wsl_the_homes_of_windows_are_looked_at_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "users" / "jo" / ".cursor").mkdir(parents=True)
    (tmp_path / "users" / "public").mkdir()
    monkeypatch.setattr("cursor_replay.ingest.sessions.roots._WSL_USERS", str(tmp_path / "users"))
    environ = {"WSL_DISTRO_NAME": "any"}
    roots = machine_roots(environ, home=tmp_path / "none", workspace=tmp_path)
    assert roots.data == (tmp_path / "users" / "jo" / ".cursor",)


def test_a_root_that_is_not_there_is_none(tmp_path: Path) -> None:
    roots = machine_roots({}, home=tmp_path / "none", workspace=tmp_path)
    assert roots == Roots((), (), (), (), (), tmp_path)


def test_the_children_of_a_transcript_lie_beside_it_oldest_first(tmp_path: Path) -> None:
    main = put(tmp_path / "a1/a1.jsonl", "{}\n")
    put(tmp_path / "a1/subagents/c1.txt", "x", at=2000)
    put(tmp_path / "a1/subagents/c2.jsonl", "{}\n", at=1000)
    put(tmp_path / "a1/subagents/c3.jsonl/x", "")
    assert [(each.id, each.parent) for each in children_of(main)] == [("c2", "a1"), ("c1", "a1")]


def test_the_folder_of_a_transcript_stands_for_it(tmp_path: Path) -> None:
    main = put(tmp_path / "a1/a1.jsonl", "{}\n")
    assert transcript_in(tmp_path / "a1") == main
    assert transcript_in(tmp_path) is None
    assert transcript_in(main) is None


def test_a_folder_given_by_name_may_hold_other_files(tmp_path: Path) -> None:
    for name in ("package.json", "README.txt", "events.jsonl"):
        put(tmp_path / name, '{"name":"shop"}\n')
    assert found(tmp_path) == set()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes by name here")
def test_a_pipe_is_no_place_and_is_never_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / ".cursor/projects/s/agent-transcripts/a1"
    (folder / "subagents").mkdir(parents=True)
    for path in (
        folder / "a1.jsonl",
        folder / "subagents/c1.jsonl",
        folder.parents[1] / ".workspace-trusted",
    ):
        os.mkfifo(path)
    assert found(tmp_path) == set()
    assert children_of(folder / "a1.jsonl") == []
    assert recorded_workspace(folder.parents[1]) is None


def test_a_folder_of_a_user_that_is_not_there_is_no_root(tmp_path: Path) -> None:
    environ = {"PI_CURSOR_SDK_EVENT_DEBUG_DIR": "~nobody-of-that-name/x"}
    assert machine_roots(environ, home=tmp_path, workspace=tmp_path).debug == ()
