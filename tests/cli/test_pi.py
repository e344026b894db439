"""``pi``: a recording as a pi session, opened in a pi that is a script here (the real one: tests/pi)."""

import hashlib
import json
import os
import stat
import sys
from pathlib import Path

import pytest
from recordings import TRANSCRIPT

from cursor_replay.cli import pi_home, screen


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    folder.mkdir()
    for name in ("PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    return folder


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A current folder that is nobody's home."""
    folder = tmp_path / "place"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def program(tmp_path):
    """A pi that tells how it was started and what is typed first, and ends with 7."""
    path = tmp_path / "pi"
    told = tmp_path / "told.json"
    path.write_text(
        f"#!{sys.executable}\nimport json, os, sys\n"
        "typed = sys.stdin.isatty() or sys.stdin.readline()\n"
        f"json.dump([sys.argv[1:], os.getcwd(), typed], open({str(told)!r}, 'w'))\nsys.exit(7)\n"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path, told


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_session_goes_to_standard_output_or_a_file(transcript, run, tmp_path, elsewhere):
    printed = run("pi", transcript)
    target = tmp_path / "s.jsonl"
    assert run("pi", transcript, "-o", target).exit_code == 0
    assert target.read_text("utf-8") == printed.output
    assert lines(printed.output)[0]["cwd"] == str(elsewhere)


def test_it_is_the_same_as_render_to_pi(transcript, run):
    assert run("pi", transcript).output == run("render", transcript, "-f", "pi").output


def test_the_same_recording_gives_the_same_bytes(transcript, run):
    assert run("pi", transcript).output == run("pi", transcript).output


def test_standard_input_is_read(run):
    done = run("pi", "-", input=TRANSCRIPT)
    assert done.exit_code == 0
    source = lines(done.output)[3]["data"]["source"]
    assert "sha256" not in source


def test_the_provenance_has_the_digest_of_the_input(transcript, run):
    data = lines(run("pi", transcript).output)[3]["data"]
    assert data["source"]["sha256"] == hashlib.sha256(transcript.read_bytes()).hexdigest()
    assert data["source"]["format"] == "transcript"
    assert data["unknown"][0] == "whether a call went well, and what it gave"


def test_the_terminal_is_not_filled_with_json_unless_asked(transcript, run, monkeypatch):
    monkeypatch.setattr(screen, "is_terminal", lambda _: True)
    refused = run("pi", transcript)
    assert refused.exit_code == 2
    assert "-o FILE, or --open" in refused.output
    assert run("pi", transcript, "-o", "-").exit_code == 0


def test_somebody_who_is_there_is_told_how_to_open_it(transcript, run, tmp_path, monkeypatch):
    monkeypatch.setattr(screen, "is_terminal", lambda _: True)
    done = run("pi", transcript, "-o", tmp_path / "s.jsonl")
    assert "pi --session" in done.stderr


@pytest.mark.parametrize("command", [["pi"], ["render", "-f", "pi"]])
def test_a_session_that_is_there_is_not_replaced(command, transcript, run, tmp_path):
    target = tmp_path / "s.jsonl"
    target.write_text("pi went on here\n")
    refused = run(command[0], transcript, *command[1:], "-o", target)
    assert refused.exit_code == 1
    assert "--force` replaces it" in refused.stderr
    assert target.read_text() == "pi went on here\n"
    assert run("pi", transcript, "-o", target, "--force").exit_code == 0
    assert lines(target.read_text("utf-8"))[0]["type"] == "session"


def test_its_own_input_is_never_replaced(transcript, run):
    before = transcript.read_bytes()
    assert run("pi", transcript, "-o", transcript, "--force").exit_code == 1
    assert transcript.read_bytes() == before


def test_a_broken_run_leaves_no_file(tmp_path, run):
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    target = tmp_path / "s.jsonl"
    assert run("pi", empty, "-o", target).exit_code == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["empty.jsonl", "home"]


# -- which folder ---------------------------------------------------------------------------------


def test_the_folder_can_be_named(transcript, run, home):
    assert lines(run("pi", transcript, "--cwd", home).output)[0]["cwd"] == str(home)


def test_a_folder_that_is_not_there_is_refused(transcript, run, tmp_path):
    refused = run("pi", transcript, "--cwd", tmp_path / "gone")
    assert refused.exit_code == 2
    assert "a folder that exists" in refused.output


def recorded_in(folder, tmp_path):
    path = tmp_path / "run.jsonl"
    head = {"type": "system", "subtype": "init", "cwd": str(folder), "session_id": "s"}
    said = {"type": "assistant", "session_id": "s", "message": {"content": "hello"}}
    path.write_text(json.dumps(head) + "\n" + json.dumps(said) + "\n")
    return path


def test_the_recorded_folder_is_used_when_it_is_there(run, tmp_path, elsewhere):
    there = tmp_path / "work"
    there.mkdir()
    assert lines(run("pi", recorded_in(there, tmp_path)).output)[0]["cwd"] == str(there)
    there.rmdir()
    assert lines(run("pi", recorded_in(there, tmp_path)).output)[0]["cwd"] == str(elsewhere)


def test_a_home_folder_is_not_named(run, tmp_path, home, monkeypatch):
    work = home / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    text = run("pi", recorded_in(work, tmp_path)).output
    assert lines(text)[0]["cwd"] == os.path.abspath(os.sep)  # noqa: PTH100
    assert str(home) not in text


# -- opening --------------------------------------------------------------------------------------


def test_it_is_opened_in_pi_with_our_cards(transcript, run, program, elsewhere, home):
    path, told = program
    done = run("pi", transcript, "--open", "--pi", path)
    assert done.exit_code == 7
    args, cwd, _ = json.loads(told.read_text())
    session = Path(args[1])
    assert args == ["--session", str(session), "-e", str(pi_home.extension_path())]
    assert cwd == str(elsewhere)
    slug = str(elsewhere).lstrip("/").replace("/", "-")
    assert session.parent == home / ".pi" / "agent" / "sessions" / f"--{slug}--"
    header = lines(session.read_text("utf-8"))[0]
    stamp = header["timestamp"].replace(":", "-").replace(".", "-")
    assert session.name == f"{stamp}_{header['id']}.jsonl"
    assert str(session) in done.stderr.replace("~", str(home))


@pytest.fixture
def start(request, transcript, run, program):
    """Open the recording in pi, from a folder that is nobody's home; how the command ended."""
    request.getfixturevalue("elsewhere")
    return lambda *args: run("pi", transcript, "--open", "--pi", program[0], *args)


@pytest.fixture
def opened(start, program):
    """Open the recording in pi; the session pi was given, and what was said on standard error."""

    def open_it(*args):
        done = start(*args)
        assert done.exit_code == 7, done.output
        return Path(json.loads(program[1].read_text())[0][1]), done.stderr

    return open_it


def go_on(session):
    """What pi does with a session that is talked in."""
    with session.open("a") as stream:
        stream.write('{"type":"label"}\n')
    return session.read_bytes()


def grow(transcript):
    with transcript.open("a") as stream:
        stream.write(TRANSCRIPT.splitlines()[-1] + "\n")


def test_a_session_that_pi_went_on_with_is_opened_as_it_is(opened):
    session, _ = opened()
    before = go_on(session)

    again, said = opened()

    assert (again, session.read_bytes()) == (session, before)
    assert "beside" not in said
    assert [each.name for each in session.parent.parent.glob(".*")] == []


@pytest.mark.parametrize("flags", [(), ("--force",)])
def test_a_recording_that_has_grown_is_a_session_beside_the_one_pi_went_on_with(
    transcript, opened, flags
):
    first, _ = opened()
    before = go_on(first)
    grow(transcript)

    second, said = opened(*flags)

    assert first.read_bytes() == before
    assert second == first.with_name(f"{first.stem}-2.jsonl")
    assert f"{first.name} stays as it is" in said
    assert len(second.read_bytes()) > len(before)
    assert opened()[0] == second
    before = go_on(second)
    grow(transcript)
    assert opened(*flags)[0] == first.with_name(f"{first.stem}-3.jsonl")
    assert second.read_bytes() == before


def test_a_file_of_that_name_that_is_none_of_ours_is_left_alone(opened):
    session, _ = opened()
    session.write_text("another\n")
    assert opened()[0] != session
    assert session.read_text() == "another\n"


def test_force_begins_afresh_beside_what_was_said_in_pi(opened):
    session, _ = opened()
    untouched = session.read_bytes()
    assert opened("--force")[0] == session
    before = go_on(session)

    fresh, said = opened("--force")

    assert fresh == session.with_name(f"{session.stem}-2.jsonl")
    assert fresh.read_bytes() == untouched
    assert session.read_bytes() == before
    assert f"{session.name} stays as it is" in said


def test_the_session_folder_of_pis_settings_is_used(opened, home, elsewhere, monkeypatch):
    agent = home / ".pi" / "agent"
    agent.mkdir(parents=True)
    for asked, folder in (("~/mine", home / "mine"), ("here", elsewhere / "here")):
        (agent / "settings.json").write_text(json.dumps({"sessionDir": asked}))
        assert opened()[0].parent == folder
    monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", "~/asked")
    assert opened()[0].parent == home / "asked"


@pytest.mark.parametrize("settings", ["{", "[]", "\xff", '{"sessionDir": 5}', '{"sessionDir": ""}'])
def test_settings_that_name_no_folder_are_passed_over(opened, home, settings):
    agent = home / ".pi" / "agent"
    agent.mkdir(parents=True)
    (agent / "settings.json").write_text(settings, "latin-1")
    assert opened()[0].parents[1] == agent / "sessions"


def test_a_relative_folder_is_below_the_one_pi_is_started_in(opened, tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", "here")
    assert opened("--cwd", tmp_path / "other")[0].parent == tmp_path / "other" / "here"


def one_line(done):
    """What a failed command says, which is one line and no trace of a bug."""
    assert done.exit_code == 1, done.output
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize("name", ["PI_CODING_AGENT_SESSION_DIR", "PI_CODING_AGENT_DIR"])
def test_a_folder_that_cannot_be_written_is_one_line(start, tmp_path, monkeypatch, name):
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        monkeypatch.setenv(name, str(path))
        assert "cannot write" in one_line(start())


def test_a_file_where_the_folder_of_the_project_should_be_is_one_line(opened, start):
    project = opened()[0].parent
    for each in project.iterdir():
        each.unlink()
    project.rmdir()
    project.write_text("a file")
    assert "cannot write" in one_line(start())
    assert [each.name for each in project.parent.iterdir()] == [project.name]


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("content", ["garbage", "", "#!/no/such/interpreter\n"])
def test_a_pi_that_cannot_be_started_is_one_line(transcript, run, tmp_path, content):
    path = tmp_path / "pi"
    path.write_text(content)
    path.chmod(0o755)
    done = run("pi", transcript, "--open", "--pi", path)
    assert done.exit_code == 1
    assert f"cannot start {path}" in done.stderr.splitlines()[-1]


@pytest.mark.usefixtures("elsewhere")
def test_a_recording_on_standard_input_leaves_pi_the_terminal(run, program, tmp_path, monkeypatch):
    path, told = program
    (tmp_path / "tty").write_text("typed\n")
    monkeypatch.setattr(pi_home, "TERMINAL", str(tmp_path / "tty"))
    assert run("pi", "-", "--open", "--pi", path, input=TRANSCRIPT).exit_code == 7
    assert json.loads(told.read_text())[2] == "typed\n"


@pytest.mark.usefixtures("elsewhere")
def test_a_recording_on_standard_input_without_a_terminal_is_refused(
    run, program, home, tmp_path, monkeypatch
):
    monkeypatch.setattr(pi_home, "TERMINAL", str(tmp_path / "none"))
    line = one_line(run("pi", "-", "--open", "--pi", program[0], input=TRANSCRIPT))
    assert "no terminal" in line
    assert not (home / ".pi").exists()


@pytest.mark.usefixtures("elsewhere")
def test_the_folders_of_pi_can_be_named(transcript, run, program, tmp_path, monkeypatch):
    path, told = program
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    run("pi", transcript, "--open", "--pi", path)
    assert Path(json.loads(told.read_text())[0][1]).parents[1] == tmp_path / "agent" / "sessions"
    monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", str(tmp_path / "flat"))
    run("pi", transcript, "--open", "--pi", path)
    assert Path(json.loads(told.read_text())[0][1]).parent == tmp_path / "flat"


def test_a_named_file_is_opened_where_it_is(opened, start, elsewhere, home):
    assert opened("-o", "s.jsonl", "--cwd", home)[0] == elsewhere / "s.jsonl"
    assert start("-o", "-").exit_code == 2


def test_without_a_pi_nothing_is_written(transcript, run, home):
    done = run("pi", transcript, "--open", "--pi", "no-such-pi")
    assert done.exit_code == 1
    assert "no-such-pi is not to be found" in done.stderr
    assert not (home / ".pi").exists()


# -- the extension --------------------------------------------------------------------------------


def test_the_path_of_the_extension_is_printed(run):
    path = Path(run("pi", "extension").output.strip())
    assert path.is_file()
    assert path.suffix == ".ts"


def test_the_extension_is_installed_where_pi_loads_it(run, home):
    done = run("pi", "extension", "--install")
    target = home / ".pi" / "agent" / "extensions" / "cursor_replay.ts"
    assert done.output.strip() == str(target)
    assert target.read_bytes() == pi_home.extension_path().read_bytes()
    assert run("pi", "extension", "--install").exit_code == 0
    target.write_text("// another version\n")
    refused = run("pi", "extension", "--install")
    assert refused.exit_code == 1
    assert "another version" in refused.stderr
    assert run("pi", "extension", "--install", "--force").exit_code == 0


def test_an_extension_that_cannot_be_written_is_one_line(run, home):
    (home / ".pi").write_text("a file")
    assert "cannot write" in one_line(run("pi", "extension", "--install"))


# -- usage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("args", [["x.jsonl", "--pi", "pi"], ["extension", "--force"]])
def test_an_option_that_would_do_nothing_is_refused(args, run):
    assert run("pi", *args).exit_code == 2


@pytest.mark.parametrize("args", [[], ["a.jsonl", "--latest"]])
def test_one_recording_has_to_be_named(args, run):
    assert run("pi", *args).exit_code == 2


def test_help_speaks_of_one_command(run):
    shown = run("pi", "--help").output
    assert shown.startswith("Usage: cursor-replay pi [OPTIONS] [FILE]")
    assert "pi extension --install" in shown
