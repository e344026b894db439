"""A progress bar on stderr while something big is read, if someone is there to see it."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

import click

from cursor_replay.cli import screen

if TYPE_CHECKING:
    from cursor_replay.ingest.source import Source

BIG = 8 << 20
"""Bytes of input from which a bar is shown."""
_T = TypeVar("_T")


def watched(pieces: Iterable[_T], source: "Source", label: str) -> Iterator[_T]:
    """Pass the pieces on that are made while ``source`` is read."""
    size = source.size or 0
    if size < BIG or not screen.is_terminal(sys.stderr):
        yield from pieces
        return
    with click.progressbar(
        length=size, label=label, file=sys.stderr, update_min_steps=size // 200
    ) as bar:
        done = 0
        for piece in pieces:
            yield piece
            bar.update(source.position - done)
            done = source.position
        bar.update(size - done)
