"""Recordings that were last written long ago, and what the command tells of them."""

import json
import os

import pytest
from click.testing import CliRunner

from cursor_replay.cli.main import cli

OLD = 1_700_000_000


@pytest.fixture
def write(tmp_path):
    """Write a recording, or a file of a folder; ``half`` is a last line without its end."""

    def write(name, *rows, half=""):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
        path.write_text("".join(lines) + half, "utf-8")
        os.utime(path, (OLD, OLD))
        return path

    return write


@pytest.fixture
def report(monkeypatch, tmp_path):
    """The calls and the problems that the command tells."""
    monkeypatch.setenv("HOME", str(tmp_path))

    def report(*sources):
        args = ["incomplete", *map(str, sources), "--json", "--all-problems"]
        result = CliRunner().invoke(cli, args, prog_name="cursor-replay")
        assert result.exit_code == 0, result.output
        told = [json.loads(line) for line in result.stdout.splitlines()]
        calls = [each for each in told if each["type"] == "call"]
        return calls, [each for each in told if each["type"] == "problem"]

    return report
