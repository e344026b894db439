"""A secret in what is typed at a command is in no message, whatever is wrong with it."""

import re
from collections.abc import Iterator

import click
import pytest
from canaries import SECRETS, run, seen
from recorded import as_bytes

from cursor_replay.cli.main import cli

NAMES = list(SECRETS)
STEP = 4
"""Each option gets every fourth class, another fourth than its neighbour."""
EXCUSED = {"google-refresh"}
"""A path that is told has no two slashes in a row, and this token has."""


@pytest.fixture(autouse=True)
def _own_machine(tmp_path, monkeypatch):
    """A folder with a recording to stand in, and a home without anything."""
    (tmp_path / "home").mkdir()
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "home" / "pi"))
    (here / "run.jsonl").write_bytes(as_bytes([{"role": "assistant", "message": {"content": "x"}}]))


def leaves(
    group: click.Group = cli, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that is no group, by what is typed for it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        elif command:
            yield (*path, name), command


def typed(path: tuple[str, ...]) -> tuple[str, ...]:
    """What stands for a command whose name is not typed: ``pi FILE`` is ``pi write FILE``."""
    return path[:1] if path == ("pi", WRITE) else path


WRITE = "write"
COMMANDS = dict(leaves())
OPTIONS = [
    (path, option, name)
    for path, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, click.Option)
    for name in (*option.opts, *option.secondary_opts)
]


def every() -> Iterator[tuple[str, str]]:
    return ((name, secret) for name, (secret, _) in SECRETS.items())


def of_turn(number: int) -> Iterator[tuple[str, str]]:
    for name in NAMES[number % STEP :: STEP]:
        yield name, SECRETS[name][0]


def asked(path: tuple[str, ...]) -> tuple[str, ...]:
    """A command with the recording that it may want."""
    takes = any(isinstance(each, click.Argument) for each in COMMANDS[path].params)
    return (*typed(path), *(("run.jsonl",) if takes else ()))


def test_every_command_and_option_is_found():
    assert {path[0] for path in COMMANDS} == set(cli.list_commands(click.Context(cli)))
    assert len(OPTIONS) > 90


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "number", range(len(OPTIONS)), ids=lambda n: "".join(OPTIONS[n][0][-1:] + OPTIONS[n][2:])
)
def test_a_secret_as_the_value_of_an_option_is_in_no_message(number):
    path, option, name = OPTIONS[number]
    opens = ("--open",) if name == "--pi" else ()
    for kind, secret in of_turn(number):
        given = (f"{name}={secret}",) if option.is_flag else (name, secret)
        text = run(*asked(path), *opens, *given)
        assert seen(text) - EXCUSED == set(), kind
        assert "internal error" not in text, kind


@pytest.mark.parametrize("path", COMMANDS, ids="-".join)
def test_a_secret_as_the_argument_of_a_command_is_in_no_message(path):
    for kind, secret in of_turn(len(path[-1])):
        for args in ((secret,), ("run.jsonl", secret), ("run.jsonl", "run.jsonl", secret)):
            text = run(*typed(path), *args)
            assert seen(text) - EXCUSED == set(), (kind, args)
            assert "internal error" not in text, kind


@pytest.mark.parametrize("path", [(), *COMMANDS], ids="-".join)
def test_a_secret_as_an_option_that_is_unknown_is_in_no_message(path):
    # A short option takes its letter away from what is glued to it.
    letters = {"h", *(name[1] for where, _, name in OPTIONS if where == path)}
    for kind, secret in of_turn(len(path)) if path else every():
        given = [f"--{secret}", f"--{secret}=x"]
        given += [] if secret[0] in letters else [f"-{secret}"]
        for option in given:
            assert seen(run(*typed(path), option)) == set(), (kind, option[:3])


def test_a_secret_as_a_command_is_in_no_message():
    for kind, secret in every():
        for args in ((secret,), (secret, "run.jsonl"), ("pi", "extension", secret)):
            text = run(*args)
            assert seen(text) == set(), kind
            assert "internal error" not in text, kind


def test_nothing_was_told_because_nothing_was_asked():
    assert re.search("No such option", run("--x"))
    assert re.search("no such file", run("render", "gone.jsonl"))
