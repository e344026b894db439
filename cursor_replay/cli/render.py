"""``cursor-replay render``: from a file or standard input to cards.

Owns the options and their defaults; reading, filtering and writing are elsewhere.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from cursor_replay.cli import output, params, screen
from cursor_replay.cli.filters import Filters, filters, kept
from cursor_replay.cli.home import own_home
from cursor_replay.cli.located import STDIN, Located, located
from cursor_replay.cli.options import (
    check_which,
    how_it_is_read,
    policy_of,
    what_is_shown,
    which_recording,
)
from cursor_replay.cli.progress import watched
from cursor_replay.items import Card, Sealed, Session
from cursor_replay.render import registry

if TYPE_CHECKING:
    from cursor_replay.ingest.source import Source
    from cursor_replay.scrub import Choices

MOST_TOOLS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options as given; None where the option was left out.

    ``force`` replaces a pi session that is there, ``private`` lets the output name a home folder.
    """

    file: str | None
    latest: bool
    session: str | None
    root: Path | None
    all_branches: bool
    subagents: bool
    format: str | None
    output: str | None
    input_format: str | None
    expand: bool
    width: int | None
    theme: Literal["dark", "light"]
    color: screen.Color
    tools: tuple[str, ...]
    errors: bool
    turns: tuple[tuple[int, int], ...]
    thinking: bool
    pager: bool | None
    scrub: bool
    choices: "Choices"
    cwd: str | None
    strict: bool
    max_line: int
    incomplete: str | None = None
    lifecycle: bool = False
    force: bool = True
    private: bool = False

    @property
    def target(self) -> Path | None:
        """The file to write, or None for standard output."""
        return None if self.output in {None, STDIN} else Path(str(self.output))

    @property
    def surface(self) -> str:
        """The name of the output: as asked, by the extension, else by where it goes."""
        named = self.format or registry.name_for(self.output or "")
        if named:
            return named
        if self.target:
            rows = registry.RENDERERS.values()
            known = ", ".join(each for row in rows for each in row.extensions)
            name = click.format_filename(str(self.output))  # a part of it may be half a secret
            raise click.UsageError(f"{name} does not tell the format; give -f, or one of {known}")
        drawn = self.width or screen.wants_cards(self.color, sys.stdout)
        return "terminal" if drawn else "text"


@click.command(
    epilog="""\b
Examples:
  cursor-replay render transcript.jsonl
  cursor-replay render --latest
  cursor-replay render 7f3a9c --subagents
  cursor-agent -p --output-format stream-json "..." | cursor-replay render -
  cursor-replay render run/onDelta.jsonl -o run.md
  cursor-replay render run.jsonl --errors --turn 3-
  cursor-replay render run.jsonl -f json --tool bash | jq -r '.summary // empty'

Without -f the output is what the extension of -o says, else the terminal's; plain
text when standard output is no terminal (--color always or --width keep the cards).""",
)
@which_recording
@click.option(
    "-f",
    "--format",
    type=click.Choice(list(registry.RENDERERS), case_sensitive=False),
    help="Output format.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    help="Write to this file, in one step; its extension names the format.",
)
@click.option("--expand", is_flag=True, help="Show every card whole.")
@click.option("--width", type=click.IntRange(20, 1000), help="Columns to draw in.")
@click.option(
    "--theme",
    type=click.Choice(["dark", "light"]),
    default="dark",
    show_default=True,
    help="Colours for a dark or a light terminal.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Use colours; auto honours NO_COLOR and FORCE_COLOR.",
)
@click.option(
    "--tool",
    "tools",
    multiple=True,
    shell_complete=params.complete_tool,
    metavar="NAME",
    help="Only cards of this tool, by pi's or Cursor's name; may be repeated.",
)
@click.option("--errors", is_flag=True, help="Only what failed or did not complete.")
@click.option(
    "--turn",
    "turns",
    type=params.turns,
    multiple=True,
    metavar="N",
    help="Only this turn, or turns 2-4, or 5-; may be repeated.",
)
@click.option(
    "--no-thinking", "thinking", flag_value=False, default=True, help="Leave out thoughts."
)
@click.option(
    "--pager/--no-pager",
    default=None,
    help="Page the output; by default when it is longer than the terminal.",
)
@what_is_shown
@how_it_is_read
def render(**options: Any) -> None:
    """Render a recorded session as cards.

    FILE is a recording, a database or a folder, recognised by its content, or the id of a
    session (the beginning is enough; see `cursor-replay sessions`); - reads standard input
    and shows cards as the lines arrive.
    """
    check_which(options["file"], latest=options["latest"])
    run(Request(**options, force=options["format"] != "pi"))


def run(request: Request) -> None:
    """Read, filter, render and deliver; tell when a filter left nothing."""
    from cursor_replay.ingest.store import ReadOptions

    if request.target:
        output.check_target(request.target)
        if not request.force:
            output.check_new(request.target)
    else:
        output.check_stdout()
    surface = request.surface
    with located(
        None if request.latest else request.file,
        ReadOptions(session=request.session, all_branches=request.all_branches),
        root=request.root,
        input_format=request.input_format,
        max_line=request.max_line,
    ) as found:
        if request.target:
            output.check_overwrites(request.target, found.inputs)
        shown = _Shown(_items(request, found), _filters(request))
        renderer = _renderer(request, surface, found)
        _deliver(request, found.source, _drawn(request, renderer, shown))
    if shown.came_to_nothing:
        click.echo(f"cursor-replay: {shown.nothing()}", err=True)


def _items(request: Request, found: Located) -> Iterator[Sealed]:
    """The sealed items. Sub-agents are folded unless somebody looks for what may be in them."""
    from cursor_replay.pipeline import child, replay

    narrow = request.errors or request.tools
    return replay(
        found.source,
        cwd=request.cwd,
        scrub=request.scrub,
        choices=request.choices,
        strict=request.strict,
        others=found.others,
        beside=found.beside,
        known=found.known,
        children=[
            child(each.id, str(each.path), cwd=request.cwd, strict=request.strict)
            for each in found.children
        ],
        fold=not (request.subagents or narrow or request.surface == "json"),
        home=own_home(),
        incomplete=policy_of(request.incomplete, narrow=bool(narrow)),
        lifecycle=request.lifecycle,
    )


class _Shown:
    """Passes on what the filters leave; counts it, and remembers which tools there were."""

    def __init__(self, items: Iterator[Sealed], wanted: Filters) -> None:
        self._wanted = wanted
        self._items = items
        self._tools: set[str] = set()
        self._count = 0
        self._ended = False

    def __iter__(self) -> Iterator[Sealed]:
        for sealed in kept(self._watched(), self._wanted):
            self._count += not isinstance(sealed.item, Session)
            yield sealed
        self._ended = True

    def _watched(self) -> Iterator[Sealed]:
        for sealed in self._items:
            if isinstance(sealed.item, Card) and len(self._tools) < MOST_TOOLS:
                self._tools.add(sealed.item.source_tool)
            yield sealed

    @property
    def came_to_nothing(self) -> bool:
        """Whether all was read and a filter left nothing of it."""
        return self._wanted.narrow and self._ended and not self._count

    def nothing(self) -> str:
        """What to say then."""
        words = "nothing in this input passes these filters"
        known = ", ".join(sorted(self._tools)) or "none"
        return f"{words}; its tools: {known}" if self._wanted.tools else words


def _drawn(request: Request, renderer: registry.Renderer, shown: Iterable[Sealed]) -> Iterator[str]:
    """Render lazily; a terminal that changes its width while a run goes on is followed."""
    follows = request.width is None and request.target is None and screen.is_terminal(sys.stdout)
    for sealed in shown:
        if follows and isinstance(renderer, registry.Resizable):
            renderer.resize(screen.columns(sys.stdout))
        yield renderer.render(sealed)
    if isinstance(renderer, registry.Closing):
        yield renderer.close()


def _filters(request: Request) -> Filters:
    return filters(
        tools=request.tools,
        turns=request.turns,
        errors=request.errors,
        thinking=request.thinking,
    )


def _deliver(request: Request, source: "Source", pieces: Iterator[str]) -> None:
    """Choose the sink: a file, the pager, or standard output."""
    if request.target:
        output.to_file(watched(pieces, source, "rendering"), request.target)
    elif _pages(request):
        output.to_pager(pieces, height=screen.rows(), always=bool(request.pager))
    else:
        output.to_stdout(pieces, at_once=request.file == STDIN)


def _renderer(request: Request, surface: str, found: Located) -> registry.Renderer:
    if surface == "pi":
        from cursor_replay.cli.pi_session import session_options

        return registry.make(
            surface, **session_options(found, cwd=request.cwd, private=request.private)
        )
    stream = None if request.target else sys.stdout
    return registry.make(
        surface,
        width=request.width or screen.columns(stream),
        theme=request.theme,
        depth=_depth(request) if surface == "terminal" else "none",
        expand=request.expand,
    )


def _depth(request: Request) -> screen.Depth:
    """Return the colours: a file is coloured when that was asked for or it ends in .ansi."""
    if request.target is None or request.color != "auto":
        return screen.depth(request.color, sys.stdout)
    return "truecolor" if registry.name_for(request.target.name) == "terminal" else "none"


def _pages(request: Request) -> bool:
    """Say whether to page: never for input that is still arriving or output for a program."""
    if request.pager:
        return screen.can_page(asked=True)
    if request.pager is False or request.file == STDIN or request.surface in {"json", "pi"}:
        return False
    return screen.can_page()
