"""The table of outputs: name, where the renderer lives, which options it takes, extensions.

Light on purpose (the command line reads it for ``--help``): a renderer's module is imported when
one is made, not before.
"""

from importlib import import_module
from pathlib import PurePath
from typing import Any, NamedTuple, Protocol, cast, runtime_checkable

from cursor_replay.items import Sealed


class Renderer(Protocol):
    """Renders one item at a time; the pieces, joined without anything between, are the output."""

    def render(self, sealed: Sealed) -> str:
        """Return the item's text with its own line ends, or an empty string."""
        ...


@runtime_checkable
class Resizable(Protocol):
    """A renderer whose lines depend on the width of a terminal."""

    def resize(self, width: int) -> None:
        """Draw what follows in ``width`` columns."""
        ...


@runtime_checkable
class Closing(Protocol):
    """A renderer that holds something back until it is told that nothing follows."""

    def close(self) -> str:
        """Return the end of the output."""
        ...


class Row(NamedTuple):
    """One output: ``target`` is ``module:Class``, ``options`` its keyword arguments."""

    target: str
    options: tuple[str, ...]
    extensions: tuple[str, ...]
    description: str


RENDERERS: dict[str, Row] = {
    "terminal": Row(
        "cursor_replay.render.terminal:TerminalRenderer",
        ("width", "theme", "depth", "expand"),
        (".ansi",),
        "cards as pi draws them, in colour where the terminal has it",
    ),
    "text": Row(
        "cursor_replay.render.text:TextRenderer",
        ("expand",),
        (".txt", ".text", ".log"),
        "the same cards without any escape codes",
    ),
    "markdown": Row(
        "cursor_replay.render.markdown:MarkdownRenderer",
        ("expand",),
        (".md", ".markdown"),
        "collapsible cards that fit an issue or a pull request",
    ),
    "json": Row(
        "cursor_replay.render.json:JsonRenderer",
        (),
        (".json", ".jsonl", ".ndjson"),
        "one documented object a line",
    ),
    "pi": Row(
        "cursor_replay.render.pi.session:PiRenderer",
        ("folder", "source", "unknown"),
        (),
        "a pi session, to open in pi (see `cursor-replay pi`)",
    ),
}


def make(name: str, /, **options: Any) -> Renderer:
    """Return the renderer ``name``; options that it does not take are left out."""
    row = RENDERERS[name]
    module, _, attribute = row.target.partition(":")
    taken = {key: value for key, value in options.items() if key in row.options}
    return cast("Renderer", getattr(import_module(module), attribute)(**taken))


def name_for(path: str) -> str | None:
    """Return the output that ``path``'s extension stands for, or None."""
    suffix = PurePath(path).suffix.lower()
    return next((name for name, row in RENDERERS.items() if suffix in row.extensions), None)
