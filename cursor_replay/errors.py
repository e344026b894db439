"""The one exception family a user ever sees.

Owns the shape of a user-facing error: what happened, where, and what to do, on one line.
Knows nothing of exit codes (``cli/exits.py`` does) and never carries payload text.
"""


class ReplayError(Exception):
    """A problem the user can act on; ``str(error)`` is one clear line without payload."""


class InputError(ReplayError):
    """The input cannot be opened, is empty, or is in no format we know."""


class AmbiguousError(ReplayError):
    """What was asked for fits several things; ``candidates`` are lines that tell them apart."""

    def __init__(self, message: str, candidates: tuple[str, ...]) -> None:
        super().__init__(message)
        self.candidates = candidates


class StrictError(ReplayError):
    """``--strict`` met its first reading problem."""
