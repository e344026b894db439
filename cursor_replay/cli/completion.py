"""``cursor-replay completion``: a completion script for a shell (click writes it)."""

import click
from click.shell_completion import get_completion_class

PLACES = {
    "bash": "~/.local/share/bash-completion/completions/cursor-replay",
    "zsh": "~/.zfunc/_cursor-replay  (with ~/.zfunc in fpath)",
    "fish": "~/.config/fish/completions/cursor-replay.fish",
}
HOW = {shell: f"cursor-replay completion {shell} > {place}" for shell, place in PLACES.items()}
"""The folder has to be there: ``mkdir -p`` it first."""


LINES = "\n".join(f"  {line}" for line in HOW.values())


@click.command(epilog=f"\b\nInstall it with one of (make the folder first):\n{LINES}")
@click.argument("shell", type=click.Choice(list(HOW)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL: commands, options and their values."""
    found = get_completion_class(shell)
    if found is None:  # pragma: no cover - click has had these three since 8.0
        raise click.BadParameter(f"click knows no completion for {shell}")
    made = found(ctx.find_root().command, {}, "cursor-replay", "_CURSOR_REPLAY_COMPLETE")
    click.echo(made.source())
    click.echo(f"# Install: {HOW[shell]}")
