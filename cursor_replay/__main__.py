"""The way in: ``cursor-replay`` and ``python -m cursor_replay``."""

from cursor_replay.cli.main import cli


def main() -> None:
    """Run the command line and exit with its code (see ``cli/exits.py``)."""
    cli(prog_name="cursor-replay")


if __name__ == "__main__":
    main()
