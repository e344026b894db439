"""The group: help, version, exit codes of wrong usage, and what it does not import."""

import subprocess
import sys

import pytest

from cursor_replay import __version__
from cursor_replay.cli.main import COMMANDS, cli

HEAVY = ("rich", "pygments", "unidiff", "pydantic")


def imported_by(*args):
    code = (
        "import sys\n"
        "from cursor_replay.__main__ import main\n"
        f"sys.argv = ['cursor-replay', *{args!r}]\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n    assert not end.code\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout, done.stderr


@pytest.mark.parametrize("args", [("--help",), ("--version",), ("render", "--help")])
def test_help_imports_nothing_heavy(args):
    stdout, stderr = imported_by(*args)
    assert stdout
    assert stderr == "[]\n"


def test_the_version_is_the_packages(run):
    assert run("--version").output == f"cursor-replay {__version__}\n"


def test_help_lists_every_command_and_examples(run):
    told = run("-h").output
    for name, row in COMMANDS.items():
        assert f"  {name}" in told
        assert row.summary in told
    assert "cursor-replay render transcript.jsonl" in told
    assert "141" in told


@pytest.mark.parametrize("name", COMMANDS)
def test_every_row_of_the_table_is_a_command_with_that_help(name, run):
    found = cli.get_command(None, name)
    assert found.name == name
    assert run(name, "--help").exit_code == 0
    assert found.epilog


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("nonsense",),
        ("render",),
        ("render", "x", "--format", "pdf"),
        ("render", "x", "--turn", "two"),
        ("render", "x", "--max-line", "big"),
        ("render", "x", "--max-line", "0"),
        ("render", "x", "--input-format", "nonsense"),
        ("render", "x", "--width", "3"),
        ("completion", "csh"),
    ],
)
def test_wrong_usage_is_exit_2(args, run):
    done = run(*args)
    assert done.exit_code == 2
    assert "Traceback" not in done.output


def test_the_module_can_be_run(command):
    program, environment = command
    done = subprocess.run(
        [*program, "--version"], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"cursor-replay {__version__}\n")


@pytest.mark.parametrize("given", ["run.jsonl", "-"])
def test_a_recording_in_place_of_a_command_gets_a_hint(given, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.jsonl").write_text("{}")
    done = run(given)
    assert done.exit_code == 2
    assert f"to show {given}: cursor-replay render {given}" in done.output
