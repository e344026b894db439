"""A transcript's cards completed by the files beside it.

Owns which card a side file belongs to. A read of a spilled tool output shows the spilled text; a
command that a terminal of the project ran last is said to be so, and nothing is taken from it: the
terminals belong to all sessions of the project, and a command may have run before. An attached
image is said to be there or gone. Knows no folder.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from cursor_replay.items import Card, Evidence, Item, Notice, Origin, Prompt, TextContent
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
        """None when not recorded."""


class Files(Protocol):
    """Looks up the files beside one transcript."""

    def spilled(self, name: str) -> tuple[str, str] | None:
        """(file, text) of a spilled tool output."""

    def asset_size(self, name: str) -> int | None:
        """Bytes of an image."""

    def terminals(self) -> Iterator[Terminal]:
        """Every terminal."""


def completed(items: Iterable[Item], files: Files) -> Iterator[Item]:
    """Pass ``items`` on, with what the side files add to them."""
    terminals: dict[str, Terminal] | None = None
    for item in items:
        match item:
            case Card(status="unrecorded", source_tool="read"):
                yield _read(item, files)
            case Card(status="unrecorded", source_tool="shell"):
                yield item
                if terminals is None:
                    terminals = {each.command: each for each in files.terminals()}
                if terminal := terminals.get(_command(item)):
                    yield _ran_last(item, terminal)
            case Prompt():
                yield item
                yield from _images(item, files)
            case _:
                yield item


def _command(card: Card) -> str:
    command = card.arguments.get("command")
    return command.strip() if isinstance(command, str) else ""


def _ran_last(card: Card, terminal: Terminal) -> Notice:
    code = terminal.exit_code
    ended = "" if code is None else f" and ended with exit code {code}"
    return Notice(
        code="terminal",
        level="info",
        message=f"a terminal of this project ran this command last{ended}; maybe not this time",
        turn=card.turn,
        parent=card.parent,
        evidence=Evidence(file=terminal.file, line=1),
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
