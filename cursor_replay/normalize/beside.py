"""A transcript's cards completed by the files beside it.

Owns which card a side file belongs to. A read of a spilled tool output shows the spilled text; a
shell call whose command is the last one of exactly one terminal, and stands in exactly one card,
takes that terminal's output and exit code; an attached image is said to be there or gone. Where it
is not sure nothing is taken. Knows no folder.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, Protocol

from cursor_replay.items import Card, Evidence, Item, Notice, Origin, Prompt, TextContent
from cursor_replay.normalize.bounds import bounded
from cursor_replay.normalize.tools.files import cut_read

_SPILLED = re.compile(r"(?:^|[\\/])agent-tools[\\/]([^\\/]+\.txt)$")
_ASSET = re.compile(r"[\\/]assets[\\/]([^\\/\r\n<>\"]+?\.\w{2,5})(?=[\s<>\"]|$)")


class Terminal(Protocol):
    """A terminal as it was left."""

    @property
    def file(self) -> str:
        """Where it is."""

    @property
    def command(self) -> str:
        """The last command."""

    @property
    def exit_code(self) -> int | None:
        """None while it ran, or when not recorded."""

    @property
    def output(self) -> str:
        """What was printed."""


class Files(Protocol):
    """Looks up the files beside one transcript."""

    def spilled(self, name: str) -> tuple[str, str] | None:
        """(file, text) of a spilled tool output."""

    def asset_size(self, name: str) -> int | None:
        """Bytes of an image."""

    def terminals(self) -> Iterator[Terminal]:
        """Every terminal."""


class Beside(NamedTuple):
    """The files, and the items once more: only the whole tells which command is the only one."""

    files: Files
    again: Callable[[], Iterable[Item]]


def completed(items: Iterable[Item], beside: Beside) -> Iterator[Item]:
    """Pass ``items`` on, with what the side files add to them."""
    terminals = _only(beside)
    for item in items:
        match item:
            case Card(status="unrecorded", source_tool="read"):
                yield _read(item, beside.files)
            case Card(status="unrecorded", source_tool="shell"):
                terminal = terminals.get(_command(item))
                yield _ran(item, terminal) if terminal else item
            case Prompt():
                yield item
                yield from _images(item, beside.files)
            case _:
                yield item


def _only(beside: Beside) -> dict[str, Terminal]:
    """Terminals by their command, where both the command and its card are the only ones."""
    terminals = list(beside.files.terminals())
    if not terminals:
        return {}
    cards = (each for each in beside.again() if isinstance(each, Card))
    calls = Counter(_command(each) for each in cards if each.source_tool == "shell")
    left = Counter(each.command for each in terminals)
    once = (each for each in terminals if left[each.command] == calls[each.command] == 1)
    return {each.command: each for each in once}


def _command(card: Card) -> str:
    command = card.arguments.get("command")
    return command.strip() if isinstance(command, str) else ""


def _ran(card: Card, terminal: Terminal) -> Card:
    code = terminal.exit_code
    text = terminal.output or "(no output)"
    words = f"Command exited with code {code}" if code else ""
    return replace(
        card,
        content=(TextContent(text=bounded("\n\n".join(filter(None, (text, words))))),),
        status=card.status if code is None else "failed" if code else "succeeded",
        reason=words or None,
        outcome_from=Origin(store="terminal", evidence=Evidence(file=terminal.file, line=1)),
    )


def _read(card: Card, files: Files) -> Card:
    """The text that was spilled is known; whether the read went well is not."""
    path = card.arguments.get("path")
    name = _SPILLED.search(path) if isinstance(path, str) else None
    found = files.spilled(name[1]) if name else None
    if found is None:
        return card
    file, text = found
    origin = Origin(store="agent-tools", evidence=Evidence(file=file, line=1))
    return replace(card, content=(TextContent(text=cut_read(text, None)),), outcome_from=origin)


def _images(prompt: Prompt, files: Files) -> Iterator[Notice]:
    for part in prompt.context:
        if part.tag != "image_files":
            continue
        for name in dict.fromkeys(_ASSET.findall(part.text)):
            size = files.asset_size(name)
            where = "is gone" if size is None else f"is beside the transcript ({size:,} bytes)"
            yield Notice(
                code="image",
                level="info",
                message=f"the attached image {name} {where}",
                turn=prompt.turn,
                evidence=prompt.evidence,
            )
