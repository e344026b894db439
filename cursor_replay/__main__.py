"""The way in: ``cursor-replay`` and ``python -m cursor_replay``."""

import signal
import sys
from types import FrameType

from cursor_replay.cli.main import cli


def main() -> None:
    """Run the command line and exit with its code (see ``cli/exits.py``)."""
    for name in ("SIGTERM", "SIGHUP"):
        if (number := getattr(signal, name, None)) is not None:
            signal.signal(number, _leave)
    cli(prog_name="cursor-replay")


def _leave(number: int, _frame: FrameType | None) -> None:
    """End as an exception does: private copies of databases are removed on the way."""
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
