"""The report as JSON, one object a line, and the schema of such a line."""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from cursor_replay.diagnose.report import Call, Problem, Report
from cursor_replay.render.json import one_line


def render(report: Report) -> Iterator[str]:
    """A line a call, then a line a problem; what is not known is left out."""
    for each in (*report.calls, *report.problems):
        line = _adapter().dump_json(each, exclude_none=True).decode()
        yield one_line(line) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of one line: a ``oneOf`` told apart by ``type``."""
    made = _adapter().json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "One line of `cursor-replay incomplete --json`.",
        **made,
    }


@cache
def _adapter() -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[Call | Problem, Field(discriminator="type")])
