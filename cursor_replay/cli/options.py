"""The options of every command that reads one recording: which one, and how it is read."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cursor_replay.cli import params
from cursor_replay.cli.masking import masking

if TYPE_CHECKING:
    from cursor_replay.normalize.incomplete import Policy

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_WHICH: tuple[Decorator, ...] = (
    click.argument(
        "file",
        type=click.Path(allow_dash=True),
        required=False,
        shell_complete=params.complete_recording,
    ),
    click.option("--latest", is_flag=True, help="The newest session of this workspace."),
    click.option(
        "--session",
        metavar="ID",
        help="Of a store that holds several: the session whose id begins so.",
    ),
    click.option(
        "--root",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="DIR",
        help="Look for ids and --latest below this folder (see `cursor-replay sessions`).",
    ),
    click.option("--subagents", is_flag=True, help="Show what sub-agents did, under their task."),
    click.option(
        "--all-branches", is_flag=True, help="Also what a pi session left behind when it branched."
    ),
    click.option(
        "--input-format",
        type=params.input_format,
        shell_complete=params.complete_input_format,
        metavar="NAME",
        help="Read the input as this format (see `cursor-replay formats`).",
    ),
)
_HOW: tuple[Decorator, ...] = (
    click.option(
        "--cwd",
        type=click.Path(file_okay=False),
        metavar="DIR",
        help="Show paths relative to this folder.",
    ),
    click.option("--strict", is_flag=True, help="Stop at the first reading problem, with exit 1."),
    click.option(
        "--max-line",
        type=params.size,
        default="64M",
        show_default=True,
        metavar="SIZE",
        help="Skip lines longer than this, with a notice.",
    ),
)


_SHOWN: tuple[Decorator, ...] = (
    click.option(
        "--incomplete",
        type=click.Choice(["policy", "all", "none", "A", "B", "C"], case_sensitive=False),
        help="Which calls that never completed are shown: policy (or C) hides them when the run "
        "ended well and said something, all and none do what they say, A hides only reads and "
        "searches then, B also shell commands.  [default: policy; all with --errors and --tool]",
    ),
    click.option(
        "--lifecycle",
        is_flag=True,
        help="Also the progress lines of calls that were open for 75 ms and more.",
    ),
)


def _applied(decorators: tuple[Decorator, ...]) -> Decorator:
    def apply(command: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return apply


which_recording = _applied(_WHICH)
"""FILE, ``--latest``, ``--session``, ``--root``, ``--subagents``, ``--all-branches`` and
``--input-format``."""
what_is_shown = _applied(_SHOWN)
"""``--incomplete``, ``--lifecycle``."""


def how_it_is_read(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--cwd``, ``--strict``, ``--max-line``, and the options of ``masking``."""
    return masking(_applied(_HOW)(command))


def policy_of(asked: str | None, *, narrow: bool = False) -> "Policy":
    """The policy that ``--incomplete`` names; who looks for some calls sees all of them."""
    from cursor_replay.normalize.incomplete import POLICIES

    if asked is None:
        return "all" if narrow else "C"
    return next((each for each in POLICIES if each.lower() == asked.lower()), "C")


def check_which(file: str | None, *, latest: bool, name: str = "FILE") -> None:
    """Raise a usage error unless exactly one of the argument ``name`` and ``--latest`` is given."""
    if latest and file is not None:
        raise click.UsageError(f"{name} and --latest exclude each other")
    if not latest and file is None:
        raise click.UsageError(f"give {name} or --latest")
