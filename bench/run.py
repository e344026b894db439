"""Measure ``cursor-replay`` on generated transcripts of 1, 20 and 100 MB.

Every row is a child process of its own, measured by ``wait4``: CPU seconds (user and system),
wall seconds and the peak of its resident memory. Each file is also read by a plain ``json.loads``
and ``json.dumps`` loop in the same run, and the ratio compares the CPU seconds of the two.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from generate import generate

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent / ".bench"
MAIN = [sys.executable, "-m", "cursor_replay"]
READ_AND_WRITE = """
import json, sys
for line in open(sys.argv[1], "rb"):
    sys.stdout.write(json.dumps(json.loads(line), ensure_ascii=False) + "\\n")
"""
PLAIN = [sys.executable, "-c", READ_AND_WRITE]
OUTPUTS: dict[str, list[str]] = {
    "json": ["-f", "json"],
    "text": ["-f", "text"],
    "markdown": ["-f", "markdown"],
    "terminal": ["-f", "terminal", "--color", "always"],
    "pi": ["-f", "pi"],
}
START = 7


class Run(NamedTuple):
    """What one child used: seconds and megabytes (of a million bytes)."""

    cpu: float
    wall: float
    rss: float


def measure(command: list[str]) -> Run:
    """Run ``command`` with its output thrown away; a failing one ends the benchmark."""
    environment = os.environ | {"COLORTERM": "truecolor", "TERM": "xterm-256color"}
    begin = time.perf_counter()
    with Path(os.devnull).open("wb") as nowhere:
        child = subprocess.Popen(command, stdout=nowhere, env=environment)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"exit {child.returncode}: {' '.join(command)}")
    wall = time.perf_counter() - begin
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss * unit / 1e6)


def first_card(path: Path) -> float:
    """Return the seconds until the first card's JSON line stands in the pipe."""
    command = [*MAIN, "render", str(path), "-f", "json"]
    begin = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        for line in child.stdout or ():
            if line.startswith(b'{"type":"card"'):
                break
        seconds = time.perf_counter() - begin
        child.kill()
    return seconds


def median_wall(command: list[str]) -> float:
    """Return the median wall seconds of some runs, after one that warms the disk."""
    measure(command)
    return statistics.median(measure(command).wall for _ in range(START))


def sized(megabytes: int) -> Path:
    """Return the transcript of that size, made once."""
    CACHE.mkdir(exist_ok=True)
    path = CACHE / f"{megabytes}mb.jsonl"
    if not path.exists():
        generate(path, megabytes * 1_000_000)
    return path


def report(path: Path, names: list[str]) -> None:
    """Print one table: the plain pass, then each output beside it."""
    megabytes = path.stat().st_size / 1e6
    print(f"\n{megabytes:.1f} MB transcript")
    print(f"{'':>12} {'MB/s':>8} {'CPU s':>8} {'wall s':>8} {'RSS MB':>8} {'x plain':>8}")
    plain = measure([*PLAIN, str(path)])
    rows = [("plain json", plain)]
    rows += [(name, measure([*MAIN, "render", str(path), *OUTPUTS[name]])) for name in names]
    for name, run in rows:
        speed, ratio = megabytes / run.cpu, run.cpu / plain.cpu
        print(
            f"{name:>12} {speed:>8.1f} {run.cpu:>8.2f} {run.wall:>8.2f} "
            f"{run.rss:>8.1f} {ratio:>8.2f}",
            flush=True,
        )


def start_up() -> None:
    """Print how long the quick commands take beside importing click."""
    floor = median_wall([sys.executable, "-c", "import click"])
    print(f"\nstart-up, median of {START}: import click {floor * 1000:.0f} ms")
    for option in ("--version", "--help"):
        wall = median_wall([*MAIN, option])
        print(f"{option:>12} {wall * 1000:.0f} ms, x {wall / floor:.2f}", flush=True)


def main() -> None:
    """Measure: ``run.py [--sizes 1 20 100] [--outputs json text markdown terminal]``."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 20, 100])
    parser.add_argument("--outputs", nargs="+", choices=OUTPUTS, default=list(OUTPUTS))
    given = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} CPUs, {sys.platform}")
    start_up()
    for megabytes in given.sizes:
        report(sized(megabytes), given.outputs)
    largest = max(given.sizes)
    print(f"\nfirst card of the {largest} MB file: {first_card(sized(largest)):.3f} s")


if __name__ == "__main__":
    main()
