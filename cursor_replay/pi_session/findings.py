"""A finding: the one thing that leaves the check."""

import sys
from typing import Any

from cursor_replay.pi_session.codes import FILE, LINES, TREE, Effect, Row, Severity
from cursor_replay.pi_session.entry_codes import BLOCKS, ENTRIES, MESSAGES, PAIRS
from cursor_replay.records import dataclass

ROWS: dict[str, Row] = {**FILE, **LINES, **TREE, **ENTRIES, **MESSAGES, **BLOCKS, **PAIRS}
"""Every code there is."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found in line ``line`` (1-based).

    ``message`` says what is wrong, what pi does with it and how to mend it; ``effect`` names the
    second for machines.
    """

    line: int
    code: str
    severity: Severity
    message: str
    effect: Effect


def found(code: str, line: int, **words: Any) -> Finding:
    """The finding of a row of :data:`ROWS`; ``words`` are counts, line numbers and type names."""
    row = ROWS[code]
    message = sys.intern(row.text.format(**words))  # a million blank lines share their words
    return Finding(line, code, row.severity, message, row.effect)


def counted(count: int, one: str, many: str) -> str:
    """How many of something, in words."""
    return f"{count:,} {one if count == 1 else many}"


def entries(count: int) -> str:
    """How many entries, in words."""
    return counted(count, "entry", "entries")
