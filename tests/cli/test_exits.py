"""Exceptions become one line and a code; a bug never shows its payload."""

import errno

import click
import pytest
from click.testing import CliRunner

from cursor_replay.cli.exits import guard
from cursor_replay.errors import AmbiguousError, InputError

SECRET = "sk-not-a-real-secret"


def outcome(error, **more):
    @click.command()
    @click.pass_context
    def command(ctx):
        with guard(ctx):
            raise error

    return CliRunner().invoke(command, **more)


def test_a_problem_of_the_user_is_one_line_and_1():
    done = outcome(InputError("a.jsonl: no such file"))
    assert (done.exit_code, done.output) == (1, "cursor-replay: a.jsonl: no such file\n")


def test_a_message_stays_on_its_line_and_writes_no_controls():
    done = outcome(InputError("bad\x1b[2J\nname \udc80é"))
    assert done.output == "cursor-replay: bad\ufffdname \ufffdé\n"


def test_a_bug_tells_its_type_and_place_only():
    done = outcome(ValueError(SECRET))
    assert done.exit_code == 3
    assert done.output.startswith("cursor-replay: internal error: ValueError at cursor_replay.")
    assert SECRET not in done.output
    assert done.output.count("\n") == 1


def test_frames_on_request_but_never_the_text():
    done = outcome(ValueError(SECRET), env={"CURSOR_REPLAY_TRACEBACK": "1"})
    assert done.exit_code == 3
    assert "cursor-replay:   test_exits:" in done.output
    assert SECRET not in done.output


@pytest.mark.parametrize(
    ("error", "code"),
    [(KeyboardInterrupt(), 130), (BrokenPipeError(errno.EPIPE, "x"), 141)],
)
def test_interrupts_and_closed_pipes_are_quiet(error, code):
    done = outcome(error)
    assert (done.exit_code, done.output) == (code, "")


def test_usage_errors_stay_clicks_own():
    assert outcome(click.UsageError("wrong")).exit_code == 2
    assert outcome(click.exceptions.Exit(5)).exit_code == 5


def test_secrets_and_homes_in_a_message_and_its_candidates_are_masked():
    secret = "gh" + "p_" + "a1B2c3D4" * 4 + "e5F6"
    done = outcome(
        AmbiguousError(f"{secret} is two", (f"a1  use {secret}", "a2  /home/jo/x\x1b[2J"))
    )
    assert done.exit_code == 2
    assert done.output == (
        "cursor-replay: [redacted:github-token] is two\n  a1  use [redacted:github-token]\n  a2  ~/x\n"
    )


GH = "gh" + "p_" + "A1b2C3d4E5f6" * 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["render", "x", "--rules", f"/home/joe/{GH}.toml"],
        ["render", "x", "-f", GH],
        ["render", "x", f"--{GH}"],
        ["scrub", "x", GH],
        [GH],
    ],
)
def test_what_click_repeats_of_the_arguments_is_masked(run, arguments):
    done = run(*arguments)
    assert done.exit_code == 2
    assert GH not in done.output
    assert "/home/joe" not in done.output
    assert "[redacted:github-token]" in done.output
