"""The table of outputs."""

import subprocess
import sys

import pytest

from cursor_replay.render import registry
from cursor_replay.render.json import JsonRenderer


def test_a_renderer_gets_only_the_options_it_takes():
    made = registry.make("json", width=80, theme="dark", depth="none", expand=True)
    assert isinstance(made, JsonRenderer)


@pytest.mark.parametrize("name", registry.RENDERERS)
def test_every_row_can_be_made(name):
    made = registry.make(name, width=80, theme="dark", depth="none", expand=True)
    assert callable(made.render)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.md", "markdown"),
        ("a.MARKDOWN", "markdown"),
        ("a.txt", "text"),
        ("x/a.text", "text"),
        ("a.log", "text"),
        ("a.json", "json"),
        ("a.jsonl", "json"),
        ("a.ndjson", "json"),
        ("a.ansi", "terminal"),
        ("a.html", None),
        ("md", None),
        ("", None),
    ],
)
def test_an_extension_stands_for_an_output(path, name):
    assert registry.name_for(path) == name


def test_no_extension_is_claimed_twice():
    claimed = [suffix for row in registry.RENDERERS.values() for suffix in row.extensions]
    assert len(claimed) == len(set(claimed))


def test_the_table_itself_imports_no_renderer():
    code = (
        "import sys, cursor_replay.render.registry\n"
        "print([name for name in ('rich', 'pygments', 'pydantic') if name in sys.modules])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert told == "[]\n"
