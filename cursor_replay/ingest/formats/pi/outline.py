"""The lines of a pi session as far as its tree needs them: ids, links, and who answers whom.

Owns what the first pass keeps of a line. Knows neither the tree nor an event.
"""

from collections.abc import Iterator
from sys import intern
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import ConfigDict, OnErrorOmit, ValidationError

from cursor_replay.ingest.jsontext import decode
from cursor_replay.ingest.lines import Line
from cursor_replay.items import camel
from cursor_replay.lenient import ABSENT_ON_ERROR, Record, Text

FAILED = ("error", "aborted")
"""Stop reasons of a message whose calls were given up with it (pi facts 1.5)."""


class _Call(Record):
    type: Literal["toolCall"]
    id: Text = None


class _Message(Record):
    model_config = ConfigDict(alias_generator=camel)
    role: Text = None
    tool_call_id: Text = None
    model: Text = None
    stop_reason: Text = None
    content: Annotated[list[OnErrorOmit[_Call]] | _Call | None, ABSENT_ON_ERROR] = None


class Outline(Record):
    """Any line as far as the tree needs it; the first of type ``session`` is the header."""

    model_config = ConfigDict(alias_generator=camel)
    type: Text = None
    id: Text = None
    parent_id: Any = False
    name: Text = None
    model_id: Text = None
    message: Annotated[_Message | None, ABSENT_ON_ERROR] = None
    version: Any = None
    cwd: Text = None
    parent_session: Text = None


class Link(NamedTuple):
    """An entry: its line, its id, its ``parentId`` (False when it has none).

    ``answers`` is the call id a tool result names (empty when it names none), ``calls`` are the ids
    of an answer's calls, ``failed`` says that they were given up with it, ``title`` is the name a
    ``session_info`` gives, ``model`` what a change of the model or an answer names.
    """

    line: int
    id: str | None
    parent: Any
    answers: str | None = None
    calls: tuple[str, ...] = ()
    failed: bool = False
    title: str | None = None
    model: str | None = None


class Trouble(NamedTuple):
    """Something that could not be read as written: its line, a code and words."""

    line: int
    code: str
    words: str


def outlines(line: Line, troubles: list[Trouble]) -> Iterator[Outline]:
    """The records of a line; what is wrong with it goes to ``troubles``."""
    if line.dropped:
        words = f"{line.dropped:,} bytes long, over the limit (--max-line raises it)"
        troubles.append(Trouble(line.number, "line-too-long", words))
        return
    if not line.data.strip():
        return
    try:
        yield Outline.model_validate_json(line.data)
    except ValidationError:
        decoded = decode(line.data, ended=line.ended)
        troubles += [Trouble(line.number, code, words) for code, words in decoded.problems]
        for value in decoded.values:
            if isinstance(value, dict):
                yield Outline.model_validate(value)
            else:
                troubles.append(Trouble(line.number, "not-an-object", "JSON, but not an object"))


def link_of(record: Outline, line: int) -> Link:
    """The entry that a record is."""
    message = (record.message if record.type == "message" else None) or _Message()
    model = record.model_id or (record.message and record.message.model)
    return Link(
        line,
        record.id,
        record.parent_id,
        message.tool_call_id or "" if message.role == "toolResult" else None,
        _calls(message) if message.role == "assistant" else (),
        message.stop_reason in FAILED,
        record.name or "" if record.type == "session_info" else None,
        intern(model) if model else None,
    )


def _calls(message: _Message) -> tuple[str, ...]:
    content = message.content
    found = content if isinstance(content, list) else [content] if content else []
    return tuple(each.id or "" for each in found)
