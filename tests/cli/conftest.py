"""What every test of the command line needs: a recording on disk and a way to run."""

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parent))

from recordings import TRANSCRIPT

from cursor_replay.cli.main import cli


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLUMNS", "LINES", "PAGER", "LESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def transcript(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(TRANSCRIPT, encoding="utf-8")
    return path


@pytest.fixture
def run():
    def run(*args, **more):
        return CliRunner().invoke(
            cli, [str(arg) for arg in args], prog_name="cursor-replay", **more
        )

    return run


@pytest.fixture
def command():
    """The real program: argument list and environment for a process of its own."""
    return [sys.executable, "-m", "cursor_replay"], dict(os.environ)
