"""Exit codes: the only place where an exception becomes a message and a code.

A message never carries payload: of an unforeseen exception only the type and the place are told.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

import click

from cursor_replay.errors import AmbiguousError, ReplayError

PROBLEM = 1
USAGE = 2
BUG = 3
INTERRUPTED = 130
READER_LEFT = 141
"""What a shell reports of a program ended by SIGPIPE, as most programs in a pipeline are."""
_OPTION = re.compile(r"(?<=--)[^'\"]+")
"""The name of an option; what is glued to a dash is no token to the rules."""


@contextmanager
def guard(ctx: click.Context) -> Iterator[None]:
    """Turn what the body raises into one line on stderr and an exit code.

    Usage errors and deliberate exits are click's own and pass through, the former masked: they
    repeat what was given.
    """
    try:
        yield
    except click.ClickException as error:
        raise masked_error(error) from None
    except (click.Abort, click.exceptions.Exit):
        raise
    except AmbiguousError as error:
        say(str(error))
        for line in error.candidates:
            say(line, mark="  ")
        ctx.exit(USAGE)
    except ReplayError as error:
        say(str(error))
        ctx.exit(PROBLEM)
    except BrokenPipeError:
        _silence_stdout()
        ctx.exit(READER_LEFT)
    except KeyboardInterrupt:
        ctx.exit(INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - a bug: told without its payload
        _report(error)
        ctx.exit(BUG)


def say(message: str, *, mark: str = "cursor-replay: ") -> None:
    """Print one line on stderr: a name in it may hold anything, also a secret."""
    line = "".join(char if char.isprintable() else "\ufffd" for char in _masked(message))
    with suppress(OSError):
        click.echo(f"{mark}{line}", err=True)


def _masked(text: str) -> str:
    """``text`` without its secrets; where that fails it is not told at all."""
    try:
        from cursor_replay.cli.masking import environment_secrets
        from cursor_replay.scrub import Sealer

        return Sealer(secrets=environment_secrets(os.environ)).text(text)
    except Exception as error:  # noqa: BLE001 - a bug: what it is about may be a secret
        return f"a message that cannot be masked: {type(error).__name__}"


def masked_error(error: click.ClickException) -> click.ClickException:
    """Mask what click says, and what it builds its sentence of when it is shown."""
    for name in ("message", "ui_filename", "option_name", "param_hint"):
        if isinstance(said := getattr(error, name, None), str):
            setattr(error, name, _OPTION.sub(lambda found: _masked(found[0]), _masked(said)))
    return error


def _report(error: Exception) -> None:
    """Name the exception's type and place; frames on request, its text never."""
    places = _places(error.__traceback__)
    ours = [place for place in places if place.startswith("cursor_replay.")]
    say(f"internal error: {type(error).__name__} at {(ours or places)[-1]}")
    if os.environ.get("CURSOR_REPLAY_TRACEBACK"):
        for place in places:
            say(f"  {place}")


def _places(traceback: TracebackType | None) -> list[str]:
    """Return ``module:line`` of each frame, outermost first."""
    places = []
    while traceback is not None:
        frame = traceback.tb_frame
        module = frame.f_globals.get("__name__") or Path(frame.f_code.co_filename).stem
        places.append(f"{module}:{traceback.tb_lineno}")
        traceback = traceback.tb_next
    return places


def _silence_stdout() -> None:
    """Keep the interpreter's last flush from complaining about the closed pipe."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
