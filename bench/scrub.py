"""Measure the scrubber: what it finds, what it finds wrongly, and how fast it is.

Recall and false alarms are counted on the corpus of ``scrub_corpus.py``. Speed is that of masking
every line of a generated transcript as text, beside a bare read of the same file; the figures of a
machine that does other things at the same time vary, so each is the best of some passes.
"""

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

from run import sized
from scrub_corpus import SHAPES, decoys, is_left, minified, samples

from cursor_replay.scrub import clean

PASSES = 3


def recall() -> None:
    """Print how many shapes are found in all of their surroundings, and what is missed."""
    missed: dict[str, list[str]] = defaultdict(list)
    places: Counter[str] = Counter()
    for sample in samples():
        places[sample.shape] += 1
        if is_left(sample, clean(sample.text)):
            missed[sample.shape].append(sample.surrounding)
    found = len(SHAPES) - len(missed)
    total, lost = places.total(), sum(map(len, missed.values()))
    print(f"shapes found everywhere   {found} of {len(SHAPES)}")
    print(
        f"samples masked            {total - lost} of {total}, at least {min(places.values())} each"
    )
    for shape, where in missed.items():
        print(f"  {shape:<24} missed: {', '.join(where)}")


def false_alarms(shown: int) -> None:
    """Print how many decoys are changed."""
    for what, lines in (("decoys", decoys()), ("minified lines", minified())):
        changed = [(line, masked) for line in lines if (masked := clean(line)) != line]
        print(f"false alarms              {len(changed)} of {len(lines)} {what}")
        for line, masked in changed[:shown]:
            at = max(0, _first_difference(line, masked) - 60)
            print(f"  - {line[at : at + 160]}\n  + {masked[at : at + 160]}")


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), 0)


def best(task: Callable[[], object]) -> float:
    """Return the least CPU seconds of some passes."""
    seconds = []
    for _ in range(PASSES):
        begin = time.process_time()
        task()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def speed(path: Path) -> None:
    """Print MB/s of a bare read and of masking."""
    megabytes = path.stat().st_size / 1e6

    def read() -> None:
        with path.open("rb") as stream:
            for _ in stream:
                pass

    lines = path.read_text("utf-8").splitlines()
    masking = best(lambda: [clean(line) for line in lines])
    print(f"read only                 {megabytes / best(read):.0f} MB/s")
    print(
        f"masking                   {megabytes / masking:.1f} MB/s, {megabytes:.0f} MB transcript"
    )


def main() -> None:
    """Measure: ``scrub.py [--size MB] [--show N]``."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--size", type=int, default=20, help="megabytes of transcript")
    parser.add_argument("--show", type=int, default=20, help="false alarms to print")
    given = parser.parse_args()
    recall()
    false_alarms(given.show)
    speed(sized(given.size))


if __name__ == "__main__":
    main()
