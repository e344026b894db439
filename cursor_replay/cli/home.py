"""The user's home folder, as far as scrubbing has to be told of it."""

from pathlib import Path


def own_home() -> str | None:
    """The home folder when it does not look like one, so that only this run knows it."""
    from cursor_replay.scrub import Sealer

    home = str(Path("~").expanduser())
    known = len(Path(home).parts) < 2 or home == "~" or Sealer().text(home) != home
    return None if known else home
