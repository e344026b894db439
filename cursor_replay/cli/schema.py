"""``cursor-replay schema``: the JSON Schema of one line of ``-f json``."""

import json

import click


@click.command(
    epilog="""\b
Example:
  cursor-replay schema > cursor-replay.schema.json""",
)
def schema() -> None:
    """Print the JSON Schema of one line of the JSON output."""
    from cursor_replay.render.json import schema as item_schema

    click.echo(json.dumps(item_schema(), indent=2))
