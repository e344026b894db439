"""Tool calls of model messages: which result answers which call.

Owns the ids, the two spellings of a call (AI SDK parts, OpenAI ``tool_calls``) and arguments that
are JSON in a string. Knows no tool.
"""

from typing import NamedTuple

from cursor_replay.events import CallCompleted, CallStarted, Noted
from cursor_replay.ingest.formats.chat.results import decode_tool_result, without_bytes
from cursor_replay.ingest.jsontext import decode
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import as_object, as_text

_AGAIN = "\0"
"""Between an id that is used again and the number of its use; no recorded id holds a NUL."""

_UNNAMED = "unknown"
_TARGETS = ("command", "path", "pattern", "url")
"""Arguments that structured results repeat (SDK formats facts, appendix A)."""


def cursor_options(options: Json) -> dict[str, Json]:
    """What stands under ``cursor`` in a ``providerOptions`` object."""
    return as_object(as_object(options).get("cursor"))


class _Open(NamedTuple):
    """A call without a result: the id of its card, and its name."""

    key: str
    name: str


class ModelCalls:
    """The calls of one conversation. ``open`` are those without a result, by recorded id.

    An id may be used again; a result is for the latest call that has it. A result whose call was
    compacted away stands for itself.
    """

    def __init__(self) -> None:
        self._uses: dict[str, int] = {}
        self.open: dict[str, _Open] = {}

    def started(self, call_id: Json, name: Json, args: Json, origin: Evidence) -> CallStarted:
        """A call as the model made it."""
        known = as_id(call_id)
        key = self._key(known)
        named = as_text(name) or _UNNAMED
        if known is not None and key is not None:
            self.open[known] = _Open(key, named)
        return CallStarted(
            origin=origin,
            channel="cli",
            call_id=key,
            name=named,
            args=without_bytes(_parsed(args)),
        )

    def leaf_started(self, call: dict[str, Json], origin: Evidence) -> CallStarted:
        """The OpenAI spelling: ``{id, type, function: {name, arguments}}``."""
        function = as_object(call.get("function")) or call
        return self.started(call.get("id"), function.get("name"), function.get("arguments"), origin)

    def completed(
        self, part: dict[str, Json], cursor: dict[str, Json], origin: Evidence
    ) -> CallCompleted | Noted:
        """A result; a second one for a call that has one is a note: it could be anything's."""
        known = as_id(part.get("toolCallId"))
        if known in self._uses and known not in self.open:
            words = "a call that has its result gets another one, which is not shown"
            return Noted(origin=origin, code="completed-again", message=words, problem=True)
        call = self.open.pop(known, None) if known is not None else None
        named = call.name if call and call.name != _UNNAMED else as_text(part.get("toolName"))
        outcome = decode_tool_result(part, cursor, called=named)
        return CallCompleted(
            origin=origin,
            channel="cli",
            call_id=call.key if call else self._key(known),
            name=named or _UNNAMED,
            args=None if call or outcome is None else _repeated(outcome.value),
            outcome=outcome,
        )

    def _key(self, call_id: str | None) -> str | None:
        if call_id is None:
            return None
        uses = self._uses[call_id] = self._uses.get(call_id, 0) + 1
        return call_id if uses == 1 else f"{call_id}{_AGAIN}{uses}"


def as_id(value: Json) -> str | None:
    """An id is a text; other writers number their calls."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_number else as_text(value)


def _repeated(value: Json) -> Json:
    """Of a call that is not in the conversation any more: what its result says it was about."""
    held = as_object(value)
    return {key: held[key] for key in _TARGETS if as_text(held.get(key))} or None


def _parsed(args: Json) -> Json:
    """Arguments in a string are JSON, or a text of their own (a patch)."""
    if not isinstance(args, str) or not args.lstrip().startswith(("{", "[")):
        return args
    values = decode(args.encode("utf-8", "replace")).values
    return values[0] if len(values) == 1 else args
