"""What is masked: the options of every command that gives output, and where settings are found.

Owns the options, the files they are read from, and the environment. What may be set is in
``scrub/settings.py``.
"""

import functools
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cursor_replay.cli.exits import say
from cursor_replay.errors import InputError

if TYPE_CHECKING:
    from cursor_replay.scrub import Choices
    from cursor_replay.scrub.settings import Settings

_OWN, _PROJECT = "cursor-replay.toml", "pyproject.toml"
_TABLE = ("tool", "cursor-replay")
_LARGEST = 1 << 20
_SHORTEST = 8
_SECRET_NAME = re.compile(r"(?:key|pass|token|secret|password)[_-]?\d{0,3}\Z", re.IGNORECASE)

_OPTIONS = (
    click.option(
        "--no-scrub",
        "scrub",
        flag_value=False,
        default=True,
        help="Do not mask secrets. The output's head says so.",
    ),
    click.option(
        "--mask",
        "style",
        type=click.Choice(["kind", "plain"]),
        help="Write [redacted:github-token#2] or [redacted]; kind by default.",
    ),
    click.option("--keep-emails", is_flag=True, help="Do not mask e-mail addresses."),
    click.option(
        "--rules",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Also the rules and allowances of this TOML file.",
    ),
)


def masking(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--no-scrub``, ``--mask``, ``--keep-emails`` and ``--rules`` to a command.

    It gets ``scrub`` and ``choices``, which is everything else.
    """

    @functools.wraps(command)
    def with_choices(
        *args: Any, style: Any, keep_emails: bool, rules: Path | None, **options: Any
    ) -> Any:
        choices = choices_of(style=style, keep_emails=keep_emails, rules=rules)
        return command(*args, choices=choices, **options)

    decorated: Callable[..., Any] = with_choices
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def choices_of(*, style: Any, keep_emails: bool, rules: Path | None) -> "Choices":
    """The choices of these options, this workspace's settings and this environment.

    Raises InputError for settings that cannot be read.
    """
    from dataclasses import replace

    from cursor_replay.scrub import Choices
    from cursor_replay.scrub.settings import applied

    base = Choices(keep_emails=keep_emails, secrets=environment_secrets(os.environ))
    choices = applied(base, _settings(rules))
    return replace(choices, style=style) if style else choices


def environment_secrets(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The values of variables whose names say that they are secret, if they are long enough."""
    from cursor_replay.scrub.known import is_harmless
    from cursor_replay.scrub.rules.judge import spares_argument
    from cursor_replay.scrub.sensitive import is_sensitive

    values = (
        value.strip()
        for name, value in environment.items()
        if is_sensitive(name) or _SECRET_NAME.search(name)
    )
    return tuple(
        value
        for value in values
        if len(value) >= _SHORTEST
        and not (value.isdecimal() or is_harmless(value) or spares_argument(value))
    )


def _settings(rules: Path | None) -> "Iterator[Settings]":
    if found := _of_workspace():
        settings = _read(found)
        if allowed := len(settings.allow) + len(settings.allow_patterns):
            say(f"{found} lets through what fits {allowed} of its entries")
        yield settings
    if rules:
        yield _read(rules)


def _of_workspace() -> Path | None:
    """The nearest file with settings, from this folder upwards."""
    try:
        here = Path.cwd()
    except OSError:
        return None  # the folder one stood in is gone
    for folder in (here, *here.parents):
        own, project = folder / _OWN, folder / _PROJECT
        if own.is_file():
            return own
        if project.is_file() and _has_table(project):
            return project
    return None


def _has_table(path: Path) -> bool:
    """Whether a project has settings; one that cannot be read has none, which is told."""
    import tomllib

    try:
        text = _text(path)
        value = tomllib.loads(text) if _TABLE[-1] in text else {}
    except InputError as error:
        say(str(error))
        return False
    except (tomllib.TOMLDecodeError, RecursionError):
        say(f"{path}: not TOML, so no settings are taken from it")
        return False
    tool = value.get(_TABLE[0])
    return isinstance(tool, dict) and _TABLE[-1] in tool


def _read(path: Path) -> "Settings":
    from cursor_replay.scrub.settings import read_settings

    table = _TABLE if path.name == _PROJECT else ()
    return read_settings(_text(path), str(path), table=table)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(f"{path}: too large for settings")
        return path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or type(error).__name__}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8") from None
