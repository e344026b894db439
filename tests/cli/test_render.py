"""``render``: options, formats, filters and files, through the whole program."""

import json

import click
import pytest
from recordings import TRANSCRIPT, many_turns

from cursor_replay.cli import output, progress, screen
from cursor_replay.cli import render as command
from cursor_replay.cli.params import complete_tool


def items(text):
    return [json.loads(line) for line in text.splitlines()]


def kinds(text):
    return [item["type"] for item in items(text)]


def test_cards_are_drawn_without_colours_when_nobody_sees_them(transcript, run):
    done = run("render", transcript)
    assert done.exit_code == 0
    assert "read" in done.output
    assert "not recorded" in done.output
    assert "\x1b" not in done.output


def test_colours_can_be_asked_for_and_refused(transcript, run):
    assert "\x1b[" in run("render", transcript, "--color", "always").output
    assert "\x1b[" in run("render", transcript, env={"FORCE_COLOR": "1"}).output
    refused = run("render", transcript, env={"FORCE_COLOR": "1", "NO_COLOR": "1"})
    assert "\x1b" not in refused.output


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("text", "[not recorded] read /w/a.py"),
        ("markdown", "## Turn 1"),
        ("JSON", '{"type":"session"'),
    ],
)
def test_every_format_can_be_asked_for(name, sign, transcript, run):
    assert sign in run("render", transcript, "-f", name).output


@pytest.mark.parametrize(
    ("file", "sign"),
    [
        ("run.md", "## Turn 1"),
        ("run.txt", "[not recorded] read /w/a.py"),
        ("run.ndjson", '{"type":"session"'),
        ("run.ansi", "\x1b[38;2;"),
    ],
)
def test_the_extension_names_the_format(file, sign, transcript, run, tmp_path):
    target = tmp_path / "made"
    target.mkdir()
    done = run("render", transcript, "-o", target / file)
    assert (done.exit_code, done.output) == (0, "")
    assert sign in (target / file).read_text(encoding="utf-8")


def test_a_file_is_coloured_only_when_that_makes_sense(transcript, run, tmp_path):
    path = tmp_path / "cards.ansi"
    run("render", transcript, "-o", path, "--color", "never")
    assert "\x1b" not in path.read_text(encoding="utf-8")
    path = tmp_path / "cards.out"
    run("render", transcript, "-o", path, "-f", "terminal", "--color", "always")
    assert "\x1b[" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["page.html", "cards", "a.b.c"])
def test_a_name_that_tells_no_format_is_refused_before_anything_is_written(
    name, transcript, run, tmp_path
):
    done = run("render", transcript, "-o", tmp_path / name)
    assert done.exit_code == 2
    assert f"{name} does not tell the format; give -f, or one of .ansi" in done.output
    assert not (tmp_path / name).exists()


def test_without_a_terminal_the_output_is_plain_text(transcript, run):
    assert "[not recorded] read /w/a.py" in run("render", transcript).output
    assert "○ read /w/a.py" in run("render", transcript, "--width", "60").output


def test_a_dash_is_standard_output(transcript, run):
    assert "second question" in run("render", transcript, "-o", "-").output


def test_standard_input_is_read(run):
    done = run("render", "-", "-f", "json", input=TRANSCRIPT)
    assert kinds(done.output).count("card") == 3


def test_the_width_is_obeyed(transcript, run):
    lines = run("render", transcript, "--width", "30").output.splitlines()
    assert max(map(len, lines)) <= 30


def test_filters_leave_what_was_asked_for(transcript, run):
    tools = run("render", transcript, "-f", "json", "--tool", "READ", "--tool", "grep")
    assert [item["tool"] for item in items(tools.output)[1:]] == ["read", "grep"]
    second = run("render", transcript, "-f", "json", "--turn", "2")
    assert {item["turn"] for item in items(second.output)[1:]} == {2}
    wrong = run("render", transcript, "-f", "json", "--errors")
    assert kinds(wrong.output) == ["session", "turn_end"]


def test_filters_that_leave_nothing_say_so(transcript, run):
    done = run("render", transcript, "-f", "json", "--turn", "9")
    assert done.exit_code == 0
    assert kinds(done.stdout) == ["session"]
    assert done.stderr == "cursor-replay: nothing in this input passes these filters\n"
    assert run("render", transcript, "--turn", "1").stderr == ""


def test_a_session_without_cards_is_fine(run, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(TRANSCRIPT.splitlines(keepends=True)[0])
    done = run("render", path, "-f", "text")
    assert done.exit_code == 0
    assert "first question" in done.output


def test_what_was_not_scrubbed_is_told(transcript, run):
    for name in ("terminal", "text", "markdown"):
        told = run("render", transcript, "-f", name, "--no-scrub").output
        assert "not scrubbed" in told.lower()
    assert not items(run("render", transcript, "-f", "json", "--no-scrub").output)[0]["scrubbed"]


def test_paths_are_shown_relative_to_the_folder_given(transcript, run):
    assert (
        "[not recorded] read a.py\n"
        in run("render", transcript, "-f", "text", "--cwd", "/w").output
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (str, "no such file"),
        (lambda path: path.mkdir(), "is a folder"),
        (lambda path: path.write_text(""), "is empty"),
        (lambda path: path.write_text("hello\n"), "in no format known here"),
    ],
)
def test_inputs_that_cannot_be_read_are_one_line_and_exit_1(make, message, run, tmp_path):
    path = tmp_path / "input"
    make(path)
    done = run("render", path)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("cursor-replay: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_strict_stops_and_leaves_the_old_output(run, tmp_path):
    path, target = tmp_path / "run.jsonl", tmp_path / "out.md"
    path.write_text(TRANSCRIPT + "not json\n")
    target.write_text("old")
    assert run("render", path).exit_code == 0
    done = run("render", path, "--strict", "-o", target)
    assert done.exit_code == 1
    assert "run.jsonl:7" in done.stderr
    assert target.read_text() == "old"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["out.md", "run.jsonl"]


def test_the_input_is_never_overwritten(transcript, run):
    done = run("render", transcript, "-o", transcript)
    assert done.exit_code == 1
    assert "its own input" in done.stderr
    assert transcript.read_text(encoding="utf-8") == TRANSCRIPT


def test_lines_over_the_limit_are_a_notice(transcript, run):
    done = run("render", transcript, "-f", "json", "--max-line", "150")
    notices = [item["code"] for item in items(done.output) if item["type"] == "notice"]
    assert "line-too-long" in notices


def test_a_bug_is_exit_3_without_its_payload(transcript, run, monkeypatch):
    def broken(*_args, **_options):
        raise LookupError("secret payload")

    monkeypatch.setattr(command.registry, "make", broken)
    done = run("render", transcript)
    assert done.exit_code == 3
    assert "internal error: LookupError at cursor_replay.cli.render:" in done.stderr
    assert "secret" not in done.stderr


class Pager:
    """Stands in for the real one, and for a terminal of ten lines."""

    def __init__(self, monkeypatch):
        self.shown = None
        monkeypatch.setattr(screen, "can_page", lambda **_: True)
        monkeypatch.setattr(screen, "rows", lambda: 10)
        monkeypatch.setattr(output.click, "echo_via_pager", self.page)

    def page(self, pieces):
        self.shown = "".join(pieces)


def test_long_output_is_paged_and_short_is_not(transcript, run, monkeypatch, tmp_path):
    pager = Pager(monkeypatch)
    long = tmp_path / "long.jsonl"
    long.write_text(many_turns(9))
    assert run("render", long).output == ""
    assert pager.shown.count("again") == 9
    pager.shown = None
    assert run("render", transcript, "--tool", "nothing").exit_code == 0
    assert pager.shown is None
    run("render", transcript, "--tool", "nothing", "--pager")
    assert pager.shown is not None


@pytest.mark.parametrize("args", [("--no-pager",), ("-f", "json"), ("-o", "out.txt")])
def test_there_are_times_for_no_pager(args, transcript, run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    pager = Pager(monkeypatch)
    assert run("render", transcript, *args).exit_code == 0
    assert pager.shown is None


def test_arriving_input_is_never_paged(run, monkeypatch):
    pager = Pager(monkeypatch)
    assert "second question" in run("render", "-", input=TRANSCRIPT).output
    assert pager.shown is None


def test_a_big_file_shows_its_progress_to_who_is_there(transcript, run, monkeypatch, tmp_path):
    ups = []

    class Bar:
        def __init__(self, **given):
            self.given = given

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def update(self, steps):
            ups.append(steps)

    monkeypatch.setattr(progress, "BIG", 10)
    monkeypatch.setattr(click, "progressbar", Bar)
    target = tmp_path / "out.txt"
    run("render", transcript, "-o", target)
    assert ups == []
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)
    assert run("render", transcript, "-o", target, "--no-pager").exit_code == 0
    assert sum(ups) == transcript.stat().st_size


def test_a_tool_that_is_not_there_is_told_which_are(transcript, run):
    done = run("render", transcript, "-f", "json", "--tool", "nosuch")
    assert done.stderr.startswith(
        "cursor-replay: nothing in this input passes these filters; its tools: "
    )
    assert "read" in done.stderr


def test_tool_names_complete():
    assert complete_tool(None, None, "re")[:2] == ["read", "readAgentTranscript"]
    assert complete_tool(None, None, "ba") == ["bash"]
