"""``cursor-replay pi``: a recording as a pi session, and the extension that draws its cards.

Owns where the session goes. Writing it is `render -f pi`; pi itself is in ``pi_home.py``.
"""

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from cursor_replay.cli import screen
from cursor_replay.cli.exits import say
from cursor_replay.cli.options import (
    check_which,
    how_it_is_read,
    what_is_shown,
    which_recording,
)

_WRITE = "write"
_EPILOG = """\b
Examples:
  cursor-replay pi transcript.jsonl -o session.jsonl
  cursor-replay pi --latest --open
  pi --session session.jsonl -e "$(cursor-replay pi extension)"
  cursor-replay pi extension --install

A call whose outcome was not recorded is written without a result: pi keeps it grey.
Without --cwd the session's folder is the recorded one if it is there, else this one;
a home folder is not named unless --cwd or --open asks for it."""


class _PiGroup(click.Group):
    """A group in which whatever is no subcommand is a recording to write."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the writing command in front of its arguments."""
        named = bool(args) and args[0] in self.commands
        return super().parse_args(ctx, args if named else [_WRITE, *args])


class _GroupContext(click.Context):
    """A context that goes by the name of its group: `cursor-replay pi FILE`."""

    @property
    def command_path(self) -> str:
        """The group's own."""
        return self.parent.command_path if self.parent else super().command_path


class _Writing(click.Command):
    """The command that the group is when no other is named."""

    context_class = _GroupContext


@click.group(cls=_PiGroup, epilog=_EPILOG, subcommand_metavar="[OPTIONS] [FILE]")
def pi() -> None:
    """Write a recording as a pi session, or open it in pi."""


@pi.command(_WRITE, cls=_Writing, epilog=_EPILOG)
@which_recording
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    help="Write to this file, in one step; - is standard output.",
)
@click.option("--open", "opens", is_flag=True, help="Open it in the installed pi, with our cards.")
@click.option("--pi", "program", metavar="PATH", help="The pi to open it with.")
@click.option(
    "--force", is_flag=True, help="Replace a file that is there; with --open alone, begin afresh."
)
@what_is_shown
@how_it_is_read
@click.pass_context
def write(ctx: click.Context, /, **options: Any) -> None:
    """Write a recording as a pi session (version 3, for pi 0.84 to 1.6).

    FILE is a recording, a database or a folder, or the id of a session; - reads standard
    input. Without -o the session goes to standard output. `cursor-replay pi extension` gives
    the extension that draws the cards of Cursor's own tools.
    """
    check_which(options["file"], latest=options["latest"])
    opens, program = options.pop("opens"), options.pop("program")
    if opens:
        ctx.exit(_open(options, program))
    if program is not None:
        raise click.UsageError("--pi names the pi for --open; give both")
    if options["output"] is None and screen.is_terminal(sys.stdout):
        raise click.UsageError("give -o FILE, or --open; -o - writes to the terminal all the same")
    _write(options, private=False)
    _tell(options["output"])


def _open(options: dict[str, Any], program: str | None) -> int:
    """Write the session where pi lists it, or to -o, and start pi."""
    from cursor_replay.cli import pi_home

    if options["output"] == "-":
        raise click.UsageError("--open and -o - exclude each other")
    found = pi_home.program(program)
    with ExitStack() as stack:
        piped = options["file"] == "-"
        stdin = stack.enter_context(pi_home.terminal()) if piped else None
        session = _written(options)
        say(f"the session is {session}")
        return pi_home.run(found, session, cwd=options["cwd"] or ".", stdin=stdin)


def _written(options: dict[str, Any]) -> Path:
    if options["output"]:
        _write(options, private=True)
        return Path(options["output"]).absolute()
    return _placed(options)


def _placed(options: dict[str, Any]) -> Path:
    from cursor_replay.cli import pi_home

    folder = pi_home.sessions_folder(options["cwd"] or ".").absolute()
    with pi_home.placing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    part = folder / f".cursor-replay-{os.getpid()}.part"
    try:
        _write({**options, "output": str(part), "force": True}, private=True)
        return pi_home.place_session(part, folder, afresh=options["force"])
    finally:
        part.unlink(missing_ok=True)


def _write(options: dict[str, Any], *, private: bool) -> None:
    from cursor_replay.cli.render import Request, run

    run(Request(**{**_AS_IS, **options, "private": private}))


_AS_IS: dict[str, Any] = {
    "format": "pi",
    "expand": False,
    "width": None,
    "theme": "dark",
    "color": "never",
    "tools": (),
    "errors": False,
    "turns": (),
    "thinking": True,
    "pager": False,
}
"""The options of `render` that say nothing about a session."""


def _tell(output: str | None) -> None:
    """Say how to look at what was written, to somebody who is there."""
    if output not in {None, "-"} and screen.is_terminal(sys.stderr):
        name = click.format_filename(str(output))
        say(f'to open it: pi --session {name} -e "$(cursor-replay pi extension)"')


@pi.command()
@click.option("--install", is_flag=True, help="Copy it to where pi loads it by itself.")
@click.option("--force", is_flag=True, help="Replace another version there.")
def extension(*, install: bool, force: bool) -> None:
    """Print the path of the extension that draws our cards in pi."""
    from cursor_replay.cli import pi_home

    if force and not install:
        raise click.UsageError("--force is for --install")
    click.echo(pi_home.install_extension(force=force) if install else pi_home.extension_path())
