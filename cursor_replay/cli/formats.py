"""``cursor-replay formats``: the inputs that are recognised."""

import click


@click.command(
    epilog="""\b
Example:
  cursor-replay render dump.jsonl --input-format NAME""",
)
def formats() -> None:
    """List the inputs that are recognised.

    An input is recognised by its content, never by its name; `render --input-format NAME` settles
    it by hand.
    """
    from cursor_replay.ingest.detect import FORMATS

    for row in FORMATS:
        click.echo(click.style(row.name, bold=True) + f"  {row.title}")
        click.echo(click.wrap_text(row.description, 88, "    ", "    "))
