"""The command group. Its commands are imported when they run, so ``--help`` stays quick."""

from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, cast

import click

from cursor_replay import __version__
from cursor_replay.cli.exits import guard, masked_error


class Row(NamedTuple):
    """A command: ``module:attribute`` and its line in the group's help."""

    target: str
    summary: str


COMMANDS: dict[str, Row] = {
    "render": Row("cursor_replay.cli.render:render", "Render a transcript or dump as cards."),
    "incomplete": Row(
        "cursor_replay.cli.incomplete:incomplete", "Say why started calls have no outcome."
    ),
    "sessions": Row("cursor_replay.cli.sessions:sessions", "List the sessions on this machine."),
    "pi": Row("cursor_replay.cli.pi:pi", "Write a recording as a pi session, or open it in pi."),
    "check-pi": Row("cursor_replay.cli.check_pi:check_pi", "Check pi sessions for what breaks pi."),
    "scrub": Row("cursor_replay.cli.scrub:scrub", "Copy a recording without its secrets."),
    "formats": Row("cursor_replay.cli.formats:formats", "List the inputs that are recognised."),
    "schema": Row("cursor_replay.cli.schema:schema", "Print the JSON Schema of a JSON output."),
    "completion": Row("cursor_replay.cli.completion:completion", "Print a completion script."),
}


class LazyGroup(click.Group):
    """A group over :data:`COMMANDS`; its help is written from the table, importing nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands in the table's order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command ``cmd_name``, or return None for an unknown one."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].target.partition(":")
        return cast("click.Command", getattr(import_module(module), attribute))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a recording in its place gets a hint."""
        first = args[0] if args else ""
        if first not in COMMANDS and (first == "-" or _is_file(first)):
            name = click.format_filename(first)
            raise click.UsageError(f"to show {name}: cursor-replay render {name}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the table's summaries."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, row.summary) for name, row in COMMANDS.items()])

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the group's own options; what is wrong with them is told without a secret."""
        try:
            return super().make_context(*args, **kwargs)
        except click.ClickException as error:
            raise masked_error(error) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what goes wrong in it becomes a message and an exit code."""
        with guard(ctx):
            return super().invoke(ctx)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # a name that no file can have
        return False


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Examples:
  cursor-replay render transcript.jsonl
  cursor-agent -p --output-format stream-json "..." | cursor-replay render -
  cursor-replay render run.jsonl -o run.md
  cursor-replay render run.jsonl -f json --tool bash | jq -r '.summary // empty'
  cursor-replay incomplete --latest
  cursor-replay scrub transcript.jsonl -o clean.jsonl

\b
Exit codes: 0 done, 1 the input or output is at fault, 2 wrong usage,
3 a bug in cursor-replay, 130 interrupted, 141 the reader of a pipe left.""",
)
@click.version_option(__version__, prog_name="cursor-replay", message="%(prog)s %(version)s")
def cli() -> None:
    """Turn Cursor agent transcripts and SDK event dumps into replay cards.

    What was recorded is shown, nothing is executed, and secrets are masked on the way out.
    """
