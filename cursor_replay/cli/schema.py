"""``cursor-replay schema``: the JSON Schema of one line of a JSON output."""

import json

import click


@click.command(
    epilog="""\b
Examples:
  cursor-replay schema > cursor-replay.schema.json
  cursor-replay schema incomplete""",
)
@click.argument("output", type=click.Choice(["items", "incomplete"]), default="items")
def schema(output: str) -> None:
    """Print the JSON Schema of one line of `render -f json` (items), or of `incomplete --json`."""
    if output == "items":
        from cursor_replay.render.json import schema as made
    else:
        from cursor_replay.render.diagnosis.documents import schema as made

    click.echo(json.dumps(made(), indent=2))
