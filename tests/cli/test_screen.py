"""What the terminal can do, read from a stream and the environment."""

import io
import os
import sys

import pytest

from cursor_replay.cli import screen


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("color", "stream", "environment", "expected"),
    [
        ("never", Terminal(), {"COLORTERM": "truecolor", "FORCE_COLOR": "1"}, "none"),
        ("auto", io.StringIO(), {"COLORTERM": "truecolor"}, "none"),
        ("auto", io.StringIO(), {"FORCE_COLOR": "1"}, "256"),
        ("auto", Terminal(), {}, "256"),
        ("auto", Terminal(), {"COLORTERM": "truecolor"}, "truecolor"),
        ("auto", Terminal(), {"TERM": "xterm"}, "16"),
        ("auto", Terminal(), {"TERM": "dumb"}, "none"),
        ("auto", Terminal(), {"NO_COLOR": "1"}, "none"),
        ("auto", Terminal(), {"NO_COLOR": "1", "FORCE_COLOR": "1"}, "none"),
        ("auto", Terminal(), {"NO_COLOR": ""}, "256"),
        ("always", io.StringIO(), {}, "256"),
        ("always", io.StringIO(), {"NO_COLOR": "1", "COLORTERM": "24bit"}, "truecolor"),
        ("always", io.StringIO(), {"TERM": "dumb"}, "16"),
    ],
)
def test_the_colours_there_are(color, stream, environment, expected, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert screen.depth(color, stream) == expected


@pytest.mark.parametrize(
    ("stream", "columns", "expected"),
    [
        (None, None, 100),
        (io.StringIO(), None, 100),
        (io.StringIO(), "72", 72),
        (io.StringIO(), "wide", 100),
        (io.StringIO(), "0", 100),
        (Terminal(), "72", 72),
    ],
)
def test_the_width_there_is(stream, columns, expected, monkeypatch):
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    assert screen.columns(stream) == expected


def test_the_height_is_the_terminals(monkeypatch):
    monkeypatch.setenv("LINES", "40")
    assert screen.rows() == 40


@pytest.mark.parametrize(
    ("stdin", "stdout", "environment", "expected"),
    [
        (Terminal(), Terminal(), {"PAGER": sys.executable}, True),
        (Terminal(), Terminal(), {"PAGER": f"{sys.executable} -x"}, True),
        (Terminal(), Terminal(), {"PAGER": "no-such-pager"}, False),
        (Terminal(), Terminal(), {"PAGER": sys.executable, "TERM": "dumb"}, False),
        (io.StringIO(), Terminal(), {"PAGER": sys.executable}, False),
        (Terminal(), io.StringIO(), {"PAGER": sys.executable}, False),
    ],
)
def test_a_pager_needs_a_terminal_at_both_ends(stdin, stdout, environment, expected, monkeypatch):
    monkeypatch.setattr(sys, "stdin", stdin)
    monkeypatch.setattr(sys, "stdout", stdout)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert screen.can_page() is expected


def test_less_is_the_pager_when_none_is_named(monkeypatch, tmp_path):
    less = tmp_path / "less"
    less.write_text("#!/bin/sh\n")
    less.chmod(0o755)
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("PATH", str(tmp_path) + os.pathsep)
    assert screen.can_page()
