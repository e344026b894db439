"""A card as a call of pi's, its result, and what pi has no field for (pi facts 1.6).

A recorded success or failure is a result. Every other card has none: pi keeps such a call on the
pending background, and nothing is claimed (pi facts 1.5).
"""

from typing import Any

from pydantic import TypeAdapter

from cursor_replay.items import Card, Details, Json, Prompt, TextContent
from cursor_replay.pi_session import lines
from cursor_replay.pi_session.arguments import unfit
from cursor_replay.pi_session.kept import CARRIED, Fields, for_pi, from_pi
from cursor_replay.render.pi.numbered import shown_change

NEUTRAL = "cursor"
_ANSWERED = frozenset({"succeeded", "failed"})
_WORDS = {("grep", "(no matches)"): "No matches found"}
"""Texts that pi words in its own way, by tool."""
_CARD = TypeAdapter(Card)
_DETAILS: TypeAdapter[Details] = TypeAdapter(Details)


def is_answered(card: Card) -> bool:
    """Whether how the call went is recorded."""
    return card.status in _ANSWERED


def call_of(card: Card, identity: str) -> lines.ToolCall:
    """The call, under pi's tool name and with the arguments that pi's tool takes."""
    wrong = unfit(card.tool, card.arguments)
    given = {name: value for name, value in card.arguments.items() if name not in wrong}
    return lines.ToolCall(id=identity, name=card.tool or NEUTRAL, arguments=given)


def result_of(card: Card, identity: str, timestamp: int) -> lines.ToolResult:
    """The result of an answered card."""
    details = _details(card)
    return lines.ToolResult(
        tool_call_id=identity,
        tool_name=card.tool or NEUTRAL,
        content=[*(lines.Text(text=text) for text in _texts(card)), *images_of(card)],
        details=for_pi(details, shown_change(card)) if details is not None else None,
        is_error=card.status == "failed",
        duration_ms=card.timing.duration_ms if card.timing else None,
        timestamp=timestamp,
    )


def kept_of(card: Card, identity: str) -> Fields:
    """What of a card stands neither in its call nor in its result."""
    kept = _json(_CARD, card)
    kept = {key: value for key, value in kept.items() if key not in CARRIED}
    if card.id != identity:
        kept["id"] = card.id
    if unfit(card.tool, card.arguments):
        kept["arguments"] = card.arguments
    if not is_answered(card):
        if change := shown_change(card):
            kept["diff"] = change
        return kept
    kept.pop("images", None)
    if _texts(card) == [part.text for part in card.content]:
        del kept["content"]
    details = kept.pop("details", None)
    written = _details(card)
    if (from_pi(for_pi(written, shown_change(card))) if written else None) != details:
        kept["details"] = details
    return kept


def images_of(item: Card | Prompt) -> list[lines.Text | lines.Image]:
    """The images of a result or a prompt."""
    return [lines.Image(data=one.data, mime_type=one.mime_type) for one in item.images or ()]


def _texts(card: Card) -> list[str]:
    """What the result says; a failure without a text says why it is one."""
    texts = [part.text for part in card.content if isinstance(part, TextContent)]
    if not texts and card.status == "failed" and card.reason:
        return [card.reason]
    return [_WORDS.get((card.tool, text), text) for text in texts]


def _details(card: Card) -> Fields | None:
    """Pi draws a finished edit as such only when its details hold the change."""
    if card.details is None and card.tool == "edit" and card.status == "succeeded":
        return {"variant": "nativeEdit"}
    return None if card.details is None else _json(_DETAILS, card.details)


def _json(adapter: TypeAdapter[Any], value: Json) -> Fields:
    dumped: Fields = adapter.dump_python(value, mode="json", by_alias=True, exclude_none=True)
    return dumped
