"""Which recordings are of one run: only those are joined, and only what they say is compared.

Ids decide where records name them. Without any, files of one folder can be the surfaces of one run
when each is of another format.
"""

from collections.abc import Sequence
from pathlib import PurePath

from cursor_replay.diagnose.collect import Found


def runs_in(found: Sequence[Found]) -> list[list[Found]]:
    """The recordings run by run, in the order in which they were read."""
    runs: list[list[Found]] = []
    for each in found:
        fitting = [run for run in runs if _fits(each, run)]
        linked = [run for run in fitting if any(_shares(each, other) for other in run)]
        beside = [run for run in fitting if all(_is_beside(each, other) for other in run)]
        home = next(iter(linked or beside), None)
        if home is None:
            runs.append([each])
        else:
            home.append(each)
    return runs


def _fits(one: Found, run: Sequence[Found]) -> bool:
    return not any(one.sightings.is_of_another_run(other.sightings) for other in run)


def _shares(one: Found, other: Found) -> bool:
    return one.sightings.shares(other.sightings)


def _is_beside(one: Found, other: Found) -> bool:
    """Whether two files can be two surfaces of a run by where they lie and what they are."""
    return one.format != other.format and PurePath(one.path).parent == PurePath(other.path).parent
