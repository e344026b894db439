"""The shapes a card is drawn from: spans, blocks and the view they make up.

Every surface draws these and nothing else of a card. Knows no tool, no colour and no width.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from cursor_replay.render.diffs import DiffLine
from cursor_replay.render.limits import Fold

Role = Literal["title", "command", "accent", "muted", "output", "warning", "error"]
State = Literal["pending", "success", "error"]


class Span(NamedTuple):
    """A run of text in one role. Only a ``command`` may hold newlines."""

    text: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock:
    """Text without a language: tool output, a preview, an error, a closing remark."""

    text: str
    role: Role = "output"
    fold: Fold | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    """File content; ``path`` is the file name that decides the highlighting, None for none."""

    text: str
    path: str | None = None
    fold: Fold | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffBlock:
    """The lines of a diff; a fold counts diff lines."""

    lines: tuple[DiffLine, ...]
    fold: Fold | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageBlock:
    """An image by its path as recorded; never its bytes."""

    path: str
    mime: str | None = None


Block = TextBlock | CodeBlock | DiffBlock | ImageBlock


class View(NamedTuple):
    """What is drawn of one card.

    ``state`` picks the background. ``mark`` and ``word`` say the same without colour; ``word`` is
    empty for a success and where the head already says it. ``executed`` says who ran the call,
    empty for a replay of what Cursor ran.
    """

    head: tuple[Span, ...]
    state: State
    mark: str
    word: str
    blocks: tuple[Block, ...] = ()
    executed: str = ""

    @property
    def title(self) -> str:
        """The head as one string, without mark and word."""
        return "".join([span.text for span in self.head])
