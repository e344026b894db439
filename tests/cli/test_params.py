"""Option values: sizes and turns."""

import sys

import click
import pytest

from cursor_replay.cli import params
from cursor_replay.cli.render import render
from cursor_replay.ingest.lines import MAX_LINE


@pytest.mark.parametrize(
    ("text", "expected"),
    [("4096", 4096), ("64K", 65536), ("1 kb", 1024), ("2MiB", 2 << 20), ("1g", 1 << 30), ("5b", 5)],
)
def test_a_size_is_read(text, expected):
    assert params.size(text) == expected


@pytest.mark.parametrize("text", ["", "0", "0M", "x", "1.5M", "-1", "1T", "\u0661"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(click.BadParameter, match="is not a size"):
        params.size(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3", (3, 3)), ("2-4", (2, 4)), ("4-2", (2, 4)), ("5-", (5, sys.maxsize))],
)
def test_turns_are_read(text, expected):
    assert params.turns(text) == expected


@pytest.mark.parametrize("text", ["", "-", "-3", "a", "1-2-3", "1,2"])
def test_what_is_no_turn_is_refused(text):
    with pytest.raises(click.BadParameter, match="is not a turn"):
        params.turns(text)


def test_input_format_names_are_found_without_case():
    assert params.input_format("TRANSCRIPT") == "transcript"
    with pytest.raises(click.BadParameter, match="is not one of transcript, "):
        params.input_format("nonsense")


def test_the_limit_of_a_line_is_the_readers_own():
    (option,) = [option for option in render.params if option.name == "max_line"]
    assert params.size(option.default) == MAX_LINE
