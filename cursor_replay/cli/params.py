"""Option values that click has no type for: sizes, turn ranges, input format names.

Plain functions: click calls them with the text as typed.
"""

import re
import sys
from datetime import datetime, timedelta

import click
from click.shell_completion import CompletionItem

_SIZE = re.compile(r"(\d+)\s*([kmg]?)(?:i?b)?", re.IGNORECASE | re.ASCII)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_TURNS = re.compile(r"(\d+)(-(\d+)?)?", re.ASCII)


def size(value: str) -> int:
    """Return the bytes of ``4096``, ``64K``, ``256MB`` or ``1g`` (units of 1024), never 0."""
    found = _SIZE.fullmatch(value.strip())
    count = int(found[1]) * _UNITS[found[2].lower()] if found else 0
    if not count:
        raise click.BadParameter(f"{value!r} is not a size such as 4096, 64K or 256MB")
    return count


def turns(value: str) -> tuple[int, int]:
    """Return (first, last) of ``3``, ``2-4`` or ``5-``; both ends belong to it."""
    found = _TURNS.fullmatch(value.strip())
    if not found:
        raise click.BadParameter(f"{value!r} is not a turn such as 3, 2-4 or 5-")
    first = int(found[1])
    last = int(found[3]) if found[3] else sys.maxsize if found[2] else first
    return (first, last) if first <= last else (last, first)


_AGO = re.compile(r"(\d{1,5})\s*([mhdw])", re.IGNORECASE | re.ASCII)
_SPANS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def since(value: str) -> datetime:
    """Return the moment of ``2026-09-14``, ``2026-09-14T10:00`` or of ``3d``, ``12h``, ``30m`` ago.

    A date without a zone is the user's own.
    """
    ago = _AGO.fullmatch(value.strip())
    try:
        if ago:
            span = timedelta(**{_SPANS[ago[2].lower()]: int(ago[1])})
            return datetime.now().astimezone() - span
        return datetime.fromisoformat(value.strip()).astimezone()
    except (ValueError, OverflowError):
        raise click.BadParameter(
            f"{value!r} is not a date such as 2026-09-14, or 3d, 12h"
        ) from None


def input_format(value: str) -> str:
    """Return the name of a row of the ``FORMATS`` table as the table spells it."""
    names = input_formats()
    name = next((name for name in names if name.casefold() == value.casefold()), None)
    if name is None:
        raise click.BadParameter(f"{value!r} is not one of {', '.join(names)}")
    return name


def input_formats() -> list[str]:
    """Name the input formats; imports the readers, so only when someone asks."""
    from cursor_replay.ingest.detect import FORMATS

    return [row.name for row in FORMATS]


def complete_input_format(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[str]:
    """Offer the names that start as typed."""
    return [name for name in input_formats() if name.startswith(incomplete)]


_BEGUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{2,}")


def complete_recording(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Offer files, and the ids of sessions that start as typed once three characters are."""
    files = [CompletionItem(incomplete, type="file")]
    if not _BEGUN.fullmatch(incomplete):
        return files
    from cursor_replay.cli.sessions import catalogue

    found = (each.id for each in catalogue(None).sessions())
    return files + [CompletionItem(each) for each in found if each.startswith(incomplete)]


PI_TOOLS = ("read", "bash", "edit", "write", "grep", "find", "ls", "cursor")


def complete_tool(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[str]:
    """Offer pi's tool names and Cursor's that start as typed."""
    from cursor_replay.normalize.tools import TOOLS

    names = {*PI_TOOLS, *(spec.canonical for spec in TOOLS)}
    return sorted(name for name in names if name.startswith(incomplete))
