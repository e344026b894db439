"""What stands beside a database and belongs to what it says: its WAL and its rollback journal.

Owns their names, and what of them is harmful in a copy. Reads nothing of a database itself.
"""

from pathlib import Path
from typing import NamedTuple

LOGS = ("-wal", "-journal")


_SUPER = bytes.fromhex("d9d505f920a163d7")
"""How a rollback journal ends that belongs to a commit of several databases."""


def forget_others(journal: Path) -> None:
    """Cut off what a copied journal says of other files: SQLite would delete those it names.

    The trailer is page number, name, length of the name, checksum (4 bytes each) and a mark.
    """
    try:
        data = journal.read_bytes()
    except FileNotFoundError:
        return
    while data.endswith(_SUPER):
        length = int.from_bytes(data[-16:-12], "big")
        data = data[: max(0, len(data) - 20 - length)]
    journal.write_bytes(data)


class State(NamedTuple):
    """Sizes and times of a database and its logs: changed when somebody wrote."""

    stamps: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return sum(size for size, _ in self.stamps)


def state_of(path: Path) -> State:
    """How a database is now; raises OSError where it is not there."""
    info = path.stat()
    logs = (_stamp(beside(path, log)) for log in LOGS)
    return State(((info.st_size, info.st_mtime_ns), *logs))


def _stamp(path: Path) -> tuple[int, int]:
    try:
        info = path.stat()
    except FileNotFoundError:
        return 0, 0
    return info.st_size, info.st_mtime_ns


def size_of(path: Path) -> int:
    """Bytes of a file; 0 when there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def beside(path: Path, suffix: str) -> Path:
    """The file whose name goes on with ``suffix``."""
    return path.with_name(f"{path.name}{suffix}")
