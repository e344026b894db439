"""``cursor-replay sessions``, and ``render`` by id."""

import json
import os
import re
from pathlib import Path

import pytest
from recordings import answer, lines, prompt

from cursor_replay.cli.params import complete_recording

STAMP = "<timestamp>Monday, Sep 14, 2026, 10:05 AM (UTC+2)</timestamp>\n"


def asked(text, stamp=""):
    return prompt(f"{stamp}<user_query>\n{text}\n</user_query>")


def put(path, text, at=1_800_000_000):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (at, at))
    return path


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with two sessions of this workspace, one of another, and a sub-agent."""
    workspace = tmp_path / "shop"
    workspace.mkdir()
    monkeypatch.chdir(workspace)
    home = tmp_path / "home-folder"
    slug = re.sub("[^A-Za-z0-9]", "-", str(workspace).lstrip("/"))
    mine = home / ".cursor" / "projects" / slug / "agent-transcripts"
    other = home / ".cursor" / "projects" / "elsewhere" / "agent-transcripts"
    first = lines(asked("add a voucher", STAMP), answer("on it", ("Task", {"prompt": "map it"})))
    put(mine / "7f3a9c00" / "7f3a9c00.jsonl", first)
    child = lines(asked("map it"), answer("two rooms", ("Shell", {"command": "ls"})))
    put(mine / "7f3a9c00" / "subagents" / "c1.jsonl", child)
    put(mine / "7f3b0000.jsonl", lines(asked("older one"), answer("fine")), at=1_700_000_000)
    put(other / "99aa.jsonl", lines(asked("not here"), answer("no")), at=1_900_000_000)
    return home


def test_the_table_lists_this_workspace_first(run, home):
    result = run("sessions", "--root", home)
    assert result.exit_code == 0
    head, *rows = result.stdout.splitlines()
    assert head.split() == [
        "id", "stores", "workspace", "title", "started", "changed", "prompts", "calls", "state",
    ]  # fmt: skip
    assert [row.split()[0] for row in rows] == ["7f3a9c00", "7f3b0000", "99aa"]
    assert "add a voucher" in rows[0]
    assert "2026-09-14 08:05" in rows[0]
    assert "<= 2027-01-15 08:00" in rows[0]


def test_json_lines_say_what_is_recorded_and_nothing_else(run, home):
    result = run("sessions", "--root", home, "--json")
    first, second, _ = map(json.loads, result.stdout.splitlines())
    assert first["started"] == {"at": "2026-09-14T08:05:00.000Z", "basis": "recorded"}
    assert first["changed"]["basis"] == "file"
    assert (first["prompts"], first["calls"], first["state"]) == (1, 1, "unknown")
    assert "started" not in second
    assert [each["store"] for each in first["stores"]] == ["transcript"]


def test_a_limit_says_how_many_are_left(run, home):
    result = run("sessions", "--root", home, "--limit", "1")
    assert len(result.stdout.splitlines()) == 2
    assert result.stderr == "cursor-replay: 2 more; --limit 0 lists all\n"


def test_filters_that_leave_nothing_say_so(run, home):
    result = run("sessions", "--root", home, "--search", "no such words")
    assert (result.stdout, result.exit_code) == ("", 0)
    assert "no session passes these filters" in result.stderr


def test_an_empty_machine_says_so(run, tmp_path):
    result = run("sessions", "--root", tmp_path)
    assert (result.stdout, result.exit_code) == ("", 0)
    assert result.stderr == "cursor-replay: no sessions found\n"


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (["--workspace", "."], ["7f3a9c00", "7f3b0000"]),
        (["--since", "2026-01-01"], ["7f3a9c00", "99aa"]),
        (["--search", "VOUCHER it"], ["7f3a9c00"]),
        (["--subagents"], ["c1", "7f3a9c00", "7f3b0000", "99aa"]),
    ],
)
def test_the_list_is_narrowed(run, home, options, ids):
    result = run("sessions", "--root", home, "--json", *options)
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ids


def test_what_is_no_moment_is_wrong_usage(run, home):
    result = run("sessions", "--root", home, "--since", "yesterday")
    assert result.exit_code == 2
    assert "is not a date such as 2026-09-14" in result.stderr


def test_secrets_and_homes_in_a_listing_are_masked(run, tmp_path):
    secret = "gh" + "p_" + "a1B2c3D4" * 4 + "e5F6"
    path = tmp_path / ".cursor/projects/home-jo-shop/agent-transcripts/a1.jsonl"
    put(path, lines(asked(f"use {secret} in /home/jo/x\x1b[2J")))
    for options in (["--json"], []):
        result = run("sessions", "--root", tmp_path, *options)
        assert secret not in result.stdout
        assert "home-jo" not in result.stdout
        assert "/home/jo" not in result.stdout
        assert "\x1b" not in result.stdout
    assert secret in run("sessions", "--root", tmp_path, "--json", "--no-scrub").stdout


def test_a_terminal_gets_the_columns_there_is_room_for(run, home, monkeypatch):
    monkeypatch.setattr("cursor_replay.cli.screen.is_terminal", lambda _stream: True)
    for width in (60, 85, 100, 140, 200):
        monkeypatch.setattr("cursor_replay.cli.screen.columns", lambda _stream, w=width: w)
        result = run("sessions", "--root", home)
        plain = re.sub(r"\x1b\[[\d;]*m", "", result.stdout)
        assert max(map(len, plain.splitlines())) <= width
        assert ("started" in plain) is (width >= 150)
        assert "add a v" in plain


def test_render_takes_an_id_or_the_beginning_of_one(run, home):
    result = run("render", "7f3a", "--root", home)
    assert result.exit_code == 0
    assert "add a voucher" in result.stdout
    assert "sub-agent: 1 call, 1 answer (--subagents shows them)" in result.stdout
    assert "two rooms" not in result.stdout


def test_sub_agents_are_shown_when_asked_for(run, home):
    result = run("render", "7f3a9c00", "--root", home, "--subagents")
    assert "two rooms" in result.stdout


def test_json_and_filters_see_what_sub_agents_did(run, home):
    kinds = [
        json.loads(line).get("source_tool")
        for line in run("render", "7f3a9c00", "--root", home, "-f", "json").stdout.splitlines()
    ]
    assert "shell" in kinds
    assert "$ ls" in run("render", "7f3a9c00", "--root", home, "--tool", "bash").stdout


def test_a_path_shows_its_sub_agents_too(run, home):
    [path] = home.rglob("7f3a9c00.jsonl")
    for asked_for in (path, path.parent):
        assert "sub-agent: 1 call" in run("render", asked_for).stdout


def test_an_ambiguous_id_lists_its_candidates(run, home):
    result = run("render", "7f3", "--root", home)
    assert result.exit_code == 1  # too short for an id: a file that is not there
    result = run("render", "7f3a9c00x", "--root", home)
    assert (result.exit_code, "no session of that id" in result.stderr) == (1, True)
    put(Path(next(home.rglob("7f3b0000.jsonl"))).with_name("7f3b0001.jsonl"), lines(asked("x")))
    result = run("render", "7f3b", "--root", home)
    assert result.exit_code == 2
    first, *candidates = result.stderr.splitlines()
    assert first == "cursor-replay: '7f3b' is the beginning of 2 ids"
    assert [line.split()[0] for line in candidates] == ["7f3b0001", "7f3b0000"]


def test_the_latest_is_of_this_workspace(run, home):
    result = run("render", "--latest", "--root", home)
    assert "add a voucher" in result.stdout


def test_a_file_and_the_latest_exclude_each_other(run, home):
    assert run("render").exit_code == 2
    assert "give FILE or --latest" in run("render").stderr
    result = run("render", "7f3a9c00", "--latest", "--root", home)
    assert (result.exit_code, "exclude each other" in result.stderr) == (2, True)


def test_a_file_of_that_name_goes_before_an_id(run, home):
    Path("7f3a9c00").write_text(lines(asked("the file")), encoding="utf-8")
    assert "the file" in run("render", "7f3a9c00", "--root", home).stdout


def test_a_store_that_cannot_be_read_is_left_out_with_a_word(run, home):
    put(home / ".cursor/chats/0cc175/7f3a9c00/store.db", "no database")
    result = run("render", "7f3a9c00", "--root", home)
    assert result.exit_code == 0
    assert "add a voucher" in result.stdout
    assert "left out" in result.stderr


def test_the_machine_itself_is_looked_at_without_a_root(run, home, monkeypatch):
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    assert "add a voucher" in run("sessions").stdout
    assert "add a voucher" in run("render", "--latest").stdout


def test_the_shell_is_offered_files_and_the_ids_that_begin_so(home, monkeypatch):
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for typed, ids in (("7f3", ["7f3a9c00", "7f3b0000"]), ("7f", []), ("./x", [])):
        first, *rest = complete_recording(None, None, typed)
        assert (first.type, first.value) == ("file", typed)
        assert [each.value for each in rest] == ids


def test_the_output_never_replaces_what_is_read(run, home):
    [path] = home.rglob("7f3a9c00.jsonl")
    [child] = home.rglob("c1.jsonl")
    before = path.read_bytes(), child.read_bytes()
    for target in (path, child):
        result = run("render", "7f3a9c00", "--root", home, "-f", "json", "-o", target)
        assert (result.exit_code, "own input" in result.stderr) == (1, True)
    assert (path.read_bytes(), child.read_bytes()) == before


def test_a_transcript_that_says_nothing_gives_way_to_another_store(run, home):
    [path] = home.rglob("7f3b0000.jsonl")
    path.write_text("", encoding="utf-8")
    result = run("render", "7f3b0000", "--root", home)
    assert (result.exit_code, "is empty" in result.stderr) == (1, True)


def test_a_sub_agent_that_cannot_be_read_costs_only_itself(run, home):
    [child] = home.rglob("c1.jsonl")
    child.write_text("no json\n", encoding="utf-8")
    result = run("render", "7f3a9c00", "--root", home, "--subagents")
    assert result.exit_code == 0
    assert "add a voucher" in result.stdout
    assert "this sub-agent cannot be read" in result.stdout


def test_copies_of_a_session_are_said(run, home):
    [path] = home.rglob("7f3b0000.jsonl")
    put(path.parents[2] / "two" / "agent-transcripts" / "7f3b0000.jsonl", lines(asked("short")))
    put(path.with_suffix(".txt"), "user:\nq\n")
    result = run("render", "7f3b0000", "--root", home)
    assert "older one" in result.stdout
    assert "stands in 3 places" in result.stderr


def test_a_name_in_a_listing_stays_on_its_line(run, tmp_path):
    folder = tmp_path / ".cursor/projects/s"
    put(folder / "agent-transcripts" / "a\nforged  row.jsonl", lines(asked("x")))
    put(folder / ".workspace-trusted", json.dumps({"workspacePath": "/srv/a\nb\x1b[2J"}))
    for options in ([], ["--no-scrub"]):
        result = run("sessions", "--root", tmp_path, *options)
        assert len(result.stdout.splitlines()) == 2
        assert "\x1b" not in result.stdout


def test_options_of_a_path_do_not_go_with_an_id(run, home):
    for option in (["--session", "x"], ["--input-format", "transcript"]):
        result = run("render", "7f3a9c00", "--root", home, *option)
        assert (result.exit_code, "go with a path" in result.stderr) == (2, True)


def test_odd_names_and_places_are_no_bugs(run, home, tmp_path, monkeypatch):
    assert run("render", "a" * 300, "--root", home).exit_code == 1
    monkeypatch.chdir(home)
    assert run("render", ".").exit_code == 1
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert run("sessions", "--root", home).exit_code == 0
    assert run("render", "7f3a9c00", "--root", home).exit_code == 0
