"""The program as a process: pipes that close, input that is still arriving, signals, a terminal."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from recordings import TRANSCRIPT, lines, many_turns, prompt

pty = pytest.importorskip("pty", reason="needs a Unix terminal")


def test_a_reader_that_leaves_is_no_error(command, tmp_path):
    program, environment = command
    path = tmp_path / "long.jsonl"
    path.write_text(many_turns(20_000))
    child = subprocess.Popen(
        [*program, "render", str(path), "-f", "json"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout.readline().startswith(b'{"type":"session"')
    child.stdout.close()
    told = child.stderr.read()
    child.stderr.close()
    assert (child.wait(60), told) == (141, b"")


def test_cards_appear_while_the_input_is_still_open(command):
    program, environment = command
    with subprocess.Popen(
        [*program, "render", "-", "-f", "json"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        child.stdin.write(TRANSCRIPT.encode())
        child.stdin.flush()
        seen = [child.stdout.readline() for _ in range(4)]
        assert any(b'"type":"card"' in line for line in seen)
        child.stdin.close()
        child.stdout.read()
        assert child.wait(60) == 0


def test_an_interrupt_is_quiet(command):
    program, environment = command
    with subprocess.Popen(
        [*program, "render", "-", "-f", "json"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        child.stdin.write(lines(prompt("hello")).encode())
        child.stdin.flush()
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        assert child.wait(60) == 130
        assert child.stderr.read() == b""


def test_exit_codes_are_the_programs(command, tmp_path):
    program, environment = command
    missing = [*program, "render", str(tmp_path / "none")]
    done = subprocess.run(missing, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("cursor-replay: ")
    wrong = subprocess.run([*program, "render"], env=environment, capture_output=True, check=False)
    assert wrong.returncode == 2


def test_output_is_utf8_in_any_locale(command, transcript):
    program, environment = command
    done = subprocess.run(
        [*program, "render", str(transcript), "-f", "text"],
        env=environment | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert "reading é" in done.stdout.decode("utf-8")


def in_a_terminal(program, environment):
    """Run ``program`` on a terminal of its own and return what it showed."""
    leader, follower = pty.openpty()
    child = subprocess.Popen(
        program, env=environment, stdin=follower, stdout=follower, stderr=follower
    )
    os.close(follower)
    shown = b""
    try:
        while piece := os.read(leader, 65536):
            shown += piece
    except OSError:  # Linux says EIO when the other end is gone
        pass
    finally:
        os.close(leader)
    return child.wait(60), shown.decode()


def test_a_terminal_gets_colours_and_a_pager(command, tmp_path):
    program, environment = command
    path = tmp_path / "long.jsonl"
    path.write_text(many_turns(60))
    pager = f"{sys.executable} -c \"import sys; print('PAGED', len(sys.stdin.read()) > 999)\""
    environment |= {"COLORTERM": "truecolor", "PAGER": pager}
    code, shown = in_a_terminal([*program, "render", str(path)], environment)
    assert (code, shown.strip()) == (0, "PAGED True")
    code, shown = in_a_terminal([*program, "render", str(path), "--no-pager"], environment)
    assert code == 0
    assert "\x1b[48;2;" in shown
    code, shown = in_a_terminal(
        [*program, "render", str(path), "--no-pager"], environment | {"NO_COLOR": "1"}
    )
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("closed", "told"),
    [
        ("<&-", "cursor-replay: standard input is closed\n"),
        (">&-", "cursor-replay: standard output is closed; -o writes to a file\n"),
    ],
)
def test_a_stream_that_was_closed_is_told_in_one_line(command, transcript, closed, told):
    program, environment = command
    with transcript.open("rb") as stdin:
        done = subprocess.run(
            ["/bin/sh", "-c", f'"$@" {closed}', "sh", *program, "render", "-"],
            env=environment,
            stdin=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)


@pytest.mark.parametrize("closed", ["2>&-", "<&- >&- 2>&-"])
def test_what_is_not_needed_may_be_closed(command, transcript, tmp_path, closed):
    program, environment = command
    out = tmp_path / "run.md"
    script = f'"$@" {closed}'
    arguments = [*program, "render", str(transcript), "-o", str(out)]
    done = subprocess.run(["/bin/sh", "-c", script, "sh", *arguments], env=environment, check=False)
    assert done.returncode == 0
    assert "first question" in out.read_text(encoding="utf-8")


HOLDS_A_COPY = """
import sys, time
from pathlib import Path
import cursor_replay.__main__ as program
from cursor_replay.ingest.database import Database

def hold(**_):
    database = Database(Path(sys.argv[1]))
    print("ready" if database.copied else "no copy", flush=True)
    time.sleep(60)

program.cli = hold
program.main()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a program without telling it")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_program_that_is_ended_leaves_no_copy_of_a_database(tmp_path, number):
    path, room = tmp_path / "store.db", tmp_path / "room"
    room.mkdir()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (a)")
    command = [sys.executable, "-c", HOLDS_A_COPY, str(path)]
    environment = {**os.environ, "TMPDIR": str(room)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        assert list(room.iterdir()) != []
        child.send_signal(number)
        assert child.wait(timeout=30) == 128 + number
    assert list(room.iterdir()) == []
