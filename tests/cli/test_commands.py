"""The small commands: formats, schema, completion."""

import json

import pytest

from cursor_replay.cli.params import complete_input_format, input_formats
from cursor_replay.ingest.detect import FORMATS
from cursor_replay.render.json import schema


def test_formats_names_and_describes_every_input(run):
    told = run("formats").output
    for row in FORMATS:
        assert f"{row.name}  {row.title}\n" in told
    assert " ".join(FORMATS[0].description.split()) in " ".join(told.split())


def test_schema_prints_the_schema(run):
    assert json.loads(run("schema").output) == schema()


@pytest.mark.parametrize(
    ("shell", "sign"),
    [("bash", "complete -o"), ("zsh", "#compdef cursor-replay"), ("fish", "complete --no-files")],
)
def test_completion_is_a_script_and_tells_where_it_goes(shell, sign, run):
    done = run("completion", shell)
    assert done.exit_code == 0
    assert sign in done.output
    assert f"# Install: cursor-replay completion {shell} > ~/" in done.output


def test_input_formats_are_completed():
    names = input_formats()
    assert complete_input_format(None, None, "") == names
    assert complete_input_format(None, None, "chat") == ["chat-store"]


def test_the_shell_can_ask_for_commands(run):
    asked = {"_CURSOR_REPLAY_COMPLETE": "bash_complete", "COMP_WORDS": "cursor-replay sc"}
    done = run(env={**asked, "COMP_CWORD": "1"})
    assert done.output == "plain,scrub\nplain,schema\n"
