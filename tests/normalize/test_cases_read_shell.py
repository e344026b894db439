"""Replay facts 11.2 and 11.3, cases 20 to 48 (read and shell), and shell output, 199 to 206."""

import builtins
import io
import os

import pytest

from cursor_replay.ingest.formats.sdk.proto import decode_result
from cursor_replay.normalize.bounds import limit_text
from cursor_replay.normalize.tools.files import read_transcript
from cursor_replay.normalize.tools.shell import shell_transcript

from .helpers_cases import (
    called,
    card,
    cards_of,
    case,
    check,
    chunk,
    completed,
    err,
    numbers_in,
    ok,
    row,
    shown,
    started,
    text_of,
)


def numbered(first: int, last: int) -> str:
    return "\n".join(f"line {number}" for number in range(first, last + 1))


# -- read -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "outcome", "transcript"),
    [
        case(
            20,
            "three lines",
            {"path": "README.md"},
            ok({"content": "one\ntwo\nthree", "totalLines": 3}),
            "read README.md\n\none\ntwo\nthree\n",
        ),
        case(
            21,
            "a path inside the workspace",
            {"path": "/repo/README.md"},
            ok({"content": "one"}),
            "read README.md\n\none\n",
        ),
        case(22, "no arguments", None, ok(), "read unknown\n"),
        case(
            23,
            "an error object",
            {"path": "a.md"},
            err({"message": "denied", "code": "EACCES"}),
            'read a.md\n\nError: {\n  "message": "denied",\n  "code": "EACCES"\n}\n',
        ),
        case(24, "an error without a value", {"path": "a.md"}, err(), "read a.md\n\nError\n"),
        case(
            26,
            "12 lines, and the rest counted from the total",
            {"path": "a.md"},
            ok({"content": numbered(1, 25), "totalLines": 100}),
            f"read a.md\n\n{numbered(1, 12)}\n... (88 more lines truncated)\n",
        ),
        case(35, "an empty value", {"path": "gone.md"}, ok({}), "read gone.md\n\n{}\n"),
    ],
)
def test_the_short_form_of_a_read(args, outcome, transcript):
    assert shown(read_transcript(called("read", args, outcome))) == transcript


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        row(
            20,
            "the card",
            "read",
            {"path": "README.md"},
            ok({"content": "one\ntwo\nthree", "totalLines": 3}),
            tool="read",
            arguments={"path": "README.md"},
            text="one\ntwo\nthree",
            details=None,
            failed=False,
        ),
        row(
            21,
            "no absolute path",
            "read_file",
            {"target_file": "/repo/README.md"},
            ok({"content": "one"}),
            transcript="read README.md\n\none\n",
            arguments={"path": "README.md"},
            without=["/repo"],
        ),
        row(22, "no arguments", "read", None, ok(), transcript="read unknown\n", arguments={}),
        row(
            23,
            "an error object, without the header",
            "read",
            {"path": "a.md"},
            err({"message": "denied", "code": "EACCES"}),
            text='Error: {\n  "message": "denied",\n  "code": "EACCES"\n}',
            failed=True,
        ),
        # An object that only repeats the call's own path beside its message holds no more than
        # the message, so that is shown; the reference prints the whole object.
        row(
            23,
            "an error object that repeats the path",
            "read",
            {"path": "a.md"},
            err({"message": "denied", "path": "a.md"}),
            text="Error: denied",
            failed=True,
        ),
        row(23, "an error text", "read", {"path": "a"}, err("gone"), text="Error: gone"),
        row(24, "no error value", "read", {"path": "a.md"}, err(), text="Error", failed=True),
        row(24, "an empty error text", "read", {"path": "a.md"}, err(""), text="Error"),
        row(
            25,
            "five more lines",
            "read",
            {"path": "a.md"},
            ok({"content": numbered(1, 25), "totalLines": 25}),
            text=f"{numbered(1, 20)}\n\n[5 more lines in file. Use offset=21 to continue.]",
        ),
        # Plurals are right here (S17); the reference says "1 more lines".
        row(
            25,
            "one more line",
            "read",
            {"path": "a.md"},
            ok({"content": numbered(1, 21), "totalLines": 21}),
            text=f"{numbered(1, 20)}\n\n[1 more line in file. Use offset=21 to continue.]",
        ),
        row(
            25,
            "a final newline is no line",
            "read",
            {"path": "a.md"},
            ok({"content": f"{numbered(1, 20)}\n", "totalLines": 20}),
            text=f"{numbered(1, 20)}\n",
        ),
        row(
            26,
            "more than the content holds",
            "read",
            {"path": "a.md"},
            ok({"content": numbered(1, 25), "totalLines": 100}),
            text=f"{numbered(1, 20)}\n\n[80 more lines in file. Use offset=21 to continue.]",
        ),
        row(
            27,
            "a total nobody recorded",
            "read",
            {"path": "a.md"},
            ok({"content": numbered(1, 25)}),
            text=f"{numbered(1, 20)}\n... (5 more lines truncated)",
        ),
        row(
            29,
            "one long line",
            "read",
            {"path": "a.md"},
            ok({"content": "x" * 4010}),
            text="x" * 4000 + "\n... (10 more chars truncated)",
        ),
        row(
            29,
            "one long line of a file with a total",
            "read",
            {"path": "a.md"},
            ok({"content": "x" * 4010, "totalLines": 1}),
            text="x" * 4000 + "\n... (10 more chars truncated)",
        ),
        row(35, "an empty value", "read", {"path": "gone.md"}, ok({}), text="{}"),
        row(
            36,
            "a bare text as result",
            "read",
            {"path": "a.md"},
            decode_result("hello", tool="read"),
            text="hello",
            failed=False,
        ),
    ],
)
def test_the_card_of_a_read(name, args, outcome, expected):
    if expected.get("details", 0) is None:
        assert card(name, args, outcome).details is None
        expected = {key: value for key, value in expected.items() if key != "details"}
    check(name, args, outcome, expected)


def test_case_28_a_limit_of_three_lines_leaves_17():
    assert limit_text(numbered(1, 20), lines=3, chars=4000) == (
        "line 1\nline 2\nline 3\n... (17 more lines truncated)"
    )


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    """A workspace with files a preview could show; whoever opens one fails the test."""
    root = tmp_path / "repo"
    root.mkdir()
    (root / "README.md").write_text("the current text\n")
    (root / ".env").write_text("KEY=" + "s3cr" + "et\n")
    (tmp_path / "outside.txt").write_text("the current text\n")
    (root / "link.txt").symlink_to(tmp_path / "outside.txt")
    (root / "safe.txt").write_text("the current text\n")
    (root / "sub").mkdir()
    (root / "sub" / ".env").symlink_to(root / "safe.txt")

    def refuse(*_args, **_more):
        raise AssertionError("a replay reads nothing of the workspace")

    with monkeypatch.context() as patched:
        for module, name in ((builtins, "open"), (io, "open"), (os, "open"), (os, "stat")):
            patched.setattr(module, name, refuse)
        yield root


# A local read preview (replay facts 4.5) shows the file as it is now under a call of the past
# (S15). It is left out on purpose: nothing of the workspace is read, whatever the path.
@pytest.mark.parametrize(
    "path",
    [
        case(30, "a file in the workspace", "README.md"),
        case(31, "a file of secrets", ".env"),
        case(32, "a file outside", "../outside.txt"),
        case(33, "a link named like a file of secrets", "sub/.env"),
        case(34, "a link that leads outside", "link.txt"),
    ],
)
def test_a_read_without_content_previews_no_file(workspace, path):
    outcome = ok({"content": "", "totalLines": 1, "fileSize": 17})
    call = called("read", {"path": path}, outcome, cwd=str(workspace))
    short = shown(read_transcript(call))
    draft = card("read", {"path": path}, outcome, cwd=str(workspace))
    assert short == f"read {path}\n\n(content not recorded, 17 bytes)\n"
    assert draft.text == "(content not recorded, 17 bytes)"
    assert draft.details is None
    assert draft.arguments == {"path": path}


# The card says the same collapsed and expanded, and its call has no suffix.
@pytest.mark.parametrize(
    "words",
    [
        case(37, "no notice", "local file preview at transcript time"),
        case(38, "no suffix", " · local file preview"),
    ],
)
def test_no_card_speaks_of_a_preview(words):
    draft = card("read", {"path": "README.md"}, ok({"content": "", "fileSize": 12}))
    assert words not in repr(draft)
    assert draft.summary == "README.md"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        case(30, "an empty file", {"content": "", "fileSize": 0}, "(empty file)"),
        case(30, "said to be empty", {"content": "", "isEmpty": True}, "(empty file)"),
        case(30, "one byte", {"content": "", "fileSize": 1}, "(content not recorded, 1 byte)"),
        case(30, "an unknown size", {"content": ""}, '{\n  "content": ""\n}'),
    ],
)
def test_a_read_without_content_says_what_is_known(value, text):
    assert card("read", {"path": "a"}, ok(value)).text == text


# -- shell ------------------------------------------------------------------------------------


def test_case_39_the_trace_of_a_command():
    call = called(
        "shell",
        {"command": "date"},
        ok({"stdout": "Thu Jan  1\n", "stderr": "", "exitCode": 0, "executionTime": 12}),
    )
    assert shown(shell_transcript(call)) == "$ date\n\nThu Jan  1\n\nTook 0.0s\n"


def test_case_44_a_silent_command_tells_how_long_it_took():
    call = called(
        "shell", {"command": "true"}, ok({"stdout": "", "stderr": "", "executionTime": 1499})
    )
    assert shown(shell_transcript(call)) == "$ true\n\n(no output)\n\nTook 1.5s\n"


def test_case_46_the_trace_of_a_call_without_a_command_starts_with_its_arguments():
    call = called("shell", {"foo": 1}, ok({"stdout": "x"}))
    assert shown(shell_transcript(call)) == '$ {"foo":1}\n\nx\n'


def test_case_45_the_trace_of_an_error_takes_no_time():
    call = called("shell", {"command": "ls"}, err("spawn failed"))
    assert shown(shell_transcript(call)) == "$ ls\n\nError: spawn failed\n"


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        row(
            40,
            "a timeout in seconds",
            "shell",
            {"command": "make", "timeout": 30000},
            ok({"stdout": "built\n", "stderr": "", "exitCode": 0, "executionTime": 12}),
            tool="bash",
            arguments={"command": "make", "timeout": 30},
            text="built",
            failed=False,
        ),
        row(
            41,
            "a non-zero exit",
            "shell",
            {"command": "make"},
            ok({"stdout": "", "stderr": "error\n", "exitCode": 7}),
            text="error\n\nCommand exited with code 7",
            failed=True,
        ),
        row(
            42,
            "a timeout",
            "shell",
            {"command": "sleep 9", "timeout": 1000},
            ok({"stdout": "", "stderr": "", "exitCode": 0, "executionTime": 1113}),
            text="Command backgrounded after 1 second timeout",
            failed=True,
        ),
        # Plurals are right (S17): the reference says "2 second timeout". Halves round up.
        row(
            43,
            "output, exit and timeout",
            "shell",
            {"command": "make", "timeout": 1500},
            ok({"stdout": "out\n", "stderr": "bad\n", "exitCode": 2, "executionTime": 1500}),
            text=(
                "out\n\nbad\n\nCommand exited with code 2\n\n"
                "Command backgrounded after 2 seconds timeout"
            ),
            arguments={"command": "make", "timeout": 1.5},
            failed=True,
        ),
        row(
            44,
            "no output",
            "shell",
            {"command": "true"},
            ok({"stdout": "", "stderr": "", "exitCode": 0, "executionTime": 1499}),
            text="(no output)",
            failed=False,
        ),
        row(
            45,
            "an error object",
            "shell",
            {"command": "ls", "description": "list"},
            err({"message": "denied", "code": 1}),
            text='Error: {\n  "message": "denied",\n  "code": 1\n}',
            arguments={"command": "ls"},
            failed=True,
        ),
        # The SDK's own error repeats the command beside its message: the message says it all.
        row(
            45,
            "an error that repeats the command",
            "shell",
            {"command": "ls"},
            err({"message": "rejected", "command": "ls", "workingDirectory": "/repo"}),
            text="Error: rejected",
            failed=True,
        ),
        row(
            46,
            "no command",
            "shell",
            {"foo": 1},
            ok({"stdout": "x"}),
            arguments={"foo": 1},
            transcript='$ {"foo":1}\n\nx\n',
        ),
        # A timeout of 0 is no timeout; the reference calls the command timed out.
        row(
            47,
            "a timeout of zero",
            "shell",
            {"command": "true", "timeout": 0},
            ok({"stdout": "", "stderr": "", "exitCode": 0, "executionTime": 0}),
            text="(no output)",
            arguments={"command": "true"},
            failed=False,
        ),
        # Signal and working directory are shown (S2); the reference ignores both.
        row(
            48,
            "killed by a signal",
            "shell",
            {"command": "sleep 9"},
            ok({"stdout": "", "stderr": "", "exitCode": 0, "signal": "SIGKILL"}),
            text="Command killed by signal SIGKILL",
            failed=True,
        ),
        row(
            48,
            "a working directory outside",
            "shell",
            {"command": "ls", "workingDirectory": "/srv/other"},
            ok({"stdout": "x"}),
            arguments={"command": "ls", "cwd": "/srv/other"},
        ),
        row(
            48,
            "the workspace as working directory",
            "shell",
            {"command": "ls", "workingDirectory": "/repo"},
            ok({"stdout": "x"}),
            arguments={"command": "ls"},
        ),
    ],
)
def test_the_card_of_a_command(name, args, outcome, expected):
    check(name, args, outcome, expected)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"stdout": "", "stderr": "", "interleavedOutput": "both\n"}, "both"),
        ({"output": "old form\n"}, "old form"),
        ("a bare text", "a bare text"),
        ("", "(no output)"),
        (
            {"stdout": "x", "aborted": True},
            "x\n\nCommand aborted",
        ),
        (
            {"stdout": "x", "isBackground": True},
            "x\n\nCommand continues in the background",
        ),
        (
            {"stdout": "x", "backgroundReason": "USER_REQUEST"},
            "x\n\nCommand continues in the background",
        ),
        ({"stdout": 5, "stderr": None, "exitCode": True}, "(no output)"),
    ],
)
def test_other_spellings_of_a_command_result_are_read(value, text):
    assert card("shell", {"command": "x"}, ok(value)).text == text


def test_an_aborted_command_has_failed():
    assert card("shell", {"command": "x"}, ok({"stdout": "", "aborted": True})).failed


def test_input_typed_into_a_shell_is_text_not_a_command():
    draft = card("writeShellStdin", {"shellId": 3, "chars": "y\n"}, ok({"shellId": 3}))
    assert draft.tool == "cursor"
    assert draft.text == "write to shell 3\n\ny"
    assert draft.arguments == {
        "shellId": 3,
        "activityTitle": "Cursor shell input",
        "activitySummary": "shell 3",
    }


def test_input_typed_into_an_unnamed_shell():
    draft = card("writeShellStdin", {"chars": "y"}, ok({}))
    assert draft.transcript == "write to shell\n\ny\n"


# -- shell output deltas (cases 199 to 206) ---------------------------------------------------

EMPTY = ok({"stdout": "", "stderr": "", "exitCode": 0})


def test_case_199_stdout_and_stderr_are_kept_apart():
    (only,) = cards_of(
        started("c1", "shell", {"command": "make"}),
        chunk("out 1\n"),
        chunk("bad\n", "stderr"),
        chunk("out 2\n"),
        completed("c1", "shell", {"command": "make"}, EMPTY),
    )
    assert text_of(only) == "out 1\nout 2\n\nbad"


def test_case_200_every_chunk_is_kept():
    """Progress lines (three at most) belong to a live run; offline every chunk counts alike."""
    (only,) = cards_of(
        started("c1", "shell", {"command": "make"}),
        *(chunk(f"{number}\n") for number in (1, 2, 3, 4)),
        completed("c1", "shell", None, EMPTY),
    )
    assert text_of(only) == "1\n2\n3\n4"


def test_case_201_blank_chunks_are_kept_too():
    (only,) = cards_of(
        started("c1", "shell", {"command": "make"}),
        *(chunk(data) for data in ("a\n", "\n", "  \n", "b\n")),
        completed("c1", "shell", None, EMPTY),
    )
    assert text_of(only) == "a\n\n  \nb"


def test_case_202_output_of_overlapping_commands_belongs_to_neither():
    first, second = cards_of(
        started("c1", "shell", {"command": "one"}),
        chunk("before\n"),
        started("c2", "shell", {"command": "two"}),
        chunk("whose?\n"),
        completed("c1", "shell", None, EMPTY),
        chunk("after\n"),
        completed("c2", "shell", None, EMPTY),
    )
    assert [text_of(first), text_of(second)] == ["(no output)", "(no output)"]


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        case(
            203,
            "blank output is filled",
            ok({"stdout": " \n", "exitCode": 3}),
            "streamed\n\nCommand exited with code 3",
        ),
        case(203, "completed stdout wins", ok({"stdout": "whole\n", "stderr": ""}), "whole"),
        case(203, "completed stderr wins", ok({"stdout": "", "stderr": "whole\n"}), "whole"),
        case(203, "an error is not filled", err("denied"), "Error: denied"),
        case(203, "a bare text is not filled", ok("whole"), "whole"),
        case(203, "a result without a status is not filled", None, ""),
    ],
)
def test_streamed_output_fills_a_success_without_any(outcome, text):
    (only,) = cards_of(
        started("c1", "shell", {"command": "make"}),
        chunk("streamed\n"),
        completed("c1", "shell", None, outcome),
    )
    assert text_of(only) == text


def test_case_203_a_command_without_chunks_stays_silent():
    (only,) = cards_of(
        started("c1", "shell", {"command": "x"}), completed("c1", "shell", None, EMPTY)
    )
    assert text_of(only) == "(no output)"


def test_case_204_blank_first_lines_of_a_chunk_are_output():
    """No progress line is shown offline; the chunk itself is output like any other."""
    (only,) = cards_of(
        started("c1", "shell", {"command": "serve"}),
        chunk("\nready\n"),
        completed("c1", "shell", None, EMPTY),
    )
    assert text_of(only) == "\nready"


def test_case_205_an_empty_completion_is_shown_with_what_was_streamed():
    (only,) = cards_of(
        started("c1", "shell", {"command": "make"}),
        chunk("done\n"),
        completed("c1", "shell", {"command": "make"}, EMPTY),
    )
    assert (only.tool, only.status, text_of(only)) == ("bash", "succeeded", "done")


def test_case_206_two_overlapping_commands_have_no_output_and_no_excuse():
    items = cards_of(
        started("c1", "shell", {"command": "one"}),
        started("c2", "shell", {"command": "two"}),
        chunk("whose?\n"),
        completed("c1", "shell", None, EMPTY),
        completed("c2", "shell", None, EMPTY),
    )
    assert [text_of(item) for item in items] == ["(no output)", "(no output)"]
    assert "ambiguous" not in repr(items)


def test_output_without_a_running_command_is_nobodys():
    (only,) = cards_of(
        chunk("early\n"),
        started("c1", "shell", {"command": "one"}),
        completed("c1", "shell", None, EMPTY),
    )
    assert text_of(only) == "(no output)"


def test_a_read_that_runs_beside_a_command_takes_none_of_its_output():
    cards = cards_of(
        started("c1", "shell", {"command": "make"}),
        started("c2", "read", {"path": "a"}),
        chunk("built\n"),
        completed("c2", "read", None, ok({"content": "text"})),
        completed("c1", "shell", None, EMPTY),
    )
    assert [text_of(each) for each in cards] == ["text", "built"]


def test_a_command_whose_arguments_still_arrive_is_not_running_yet():
    first, second = cards_of(
        started("c1", "shell", {"command": "one"}),
        started("c2", "shell", {"command": "tw"}, partial=True),
        chunk("from one\n"),
        completed("c1", "shell", None, EMPTY),
        started("c2", "shell", {"command": "two"}),
        chunk("from two\n"),
        completed("c2", "shell", None, EMPTY),
    )
    assert [text_of(first), text_of(second)] == ["from one", "from two"]


def test_a_timeout_that_is_a_boolean_is_none():
    assert card("shell", {"command": "x", "timeout": True}).arguments == {"command": "x"}


def test_every_number_from_20_to_48_and_from_199_to_206_is_here():
    assert numbers_in(globals()) == {*range(20, 49), *range(199, 207)}
