"""Option values that click has no type for: sizes, turn ranges, input format names."""

import re
import sys
from typing import Any

import click
from click.shell_completion import CompletionItem

_SIZE = re.compile(r"(\d+)\s*([kmg]?)(?:i?b)?", re.IGNORECASE | re.ASCII)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_TURNS = re.compile(r"(\d+)(-(\d+)?)?", re.ASCII)


class Size(click.ParamType):
    """Bytes: ``4096``, ``64K``, ``256MB``, ``1g`` (units of 1024)."""

    name = "size"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the number of bytes; usage error for anything else, zero included."""
        if isinstance(value, int):
            return value
        found = _SIZE.fullmatch(value.strip())
        size = int(found[1]) * _UNITS[found[2].lower()] if found else 0
        return size or self.fail(f"{value!r} is not a size such as 4096, 64K or 256MB", param, ctx)


class Turns(click.ParamType):
    """A turn or a range of turns, ends included: ``3``, ``2-4``, ``5-``."""

    name = "turns"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Return (first, last); usage error for anything else."""
        if isinstance(value, tuple):
            return value
        found = _TURNS.fullmatch(value.strip())
        if not found:
            self.fail(f"{value!r} is not a turn such as 3, 2-4 or 5-", param, ctx)
        first = int(found[1])
        last = int(found[3]) if found[3] else sys.maxsize if found[2] else first
        return (first, last) if first <= last else (last, first)


class InputFormat(click.ParamType):
    """The name of a row of the ``FORMATS`` table, which is imported only when it is needed."""

    name = "name"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name as the table spells it; usage error for an unknown one."""
        names = {name.casefold(): name for name in _input_formats()}
        known = ", ".join(names.values())
        name = names.get(str(value).casefold())
        return name or self.fail(f"{value!r} is not one of {known}", param, ctx)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """Offer the names that start as typed."""
        return [CompletionItem(name) for name in _input_formats() if name.startswith(incomplete)]


def _input_formats() -> list[str]:
    from cursor_replay.ingest.detect import FORMATS

    return [row.name for row in FORMATS]
