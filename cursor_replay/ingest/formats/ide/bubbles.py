"""One bubble of the IDE's chat to events: a prompt, thinking, an answer, a tool call.

Owns the fields of a bubble (transcript facts 3): ``type`` 1 is the user, 2 the assistant; thinking
comes before text, text before a call. Knows neither the database nor the order of bubbles.
"""

from collections.abc import Iterator

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    CallStarted,
    Noted,
    PromptSeen,
    TextSeen,
    ThoughtSeen,
)
from cursor_replay.ingest.formats.envelope import open_envelope
from cursor_replay.ingest.formats.ide.composers import model_name
from cursor_replay.ingest.formats.ide.results import Contents, uri_path
from cursor_replay.ingest.formats.ide.rows import moment, parsed
from cursor_replay.ingest.formats.ide.tools import decode_call, is_call
from cursor_replay.ingest.formats.spelled import json_text
from cursor_replay.items import ContextPart, Evidence, Json, Time
from cursor_replay.lenient import as_int, as_number, as_object, as_objects, as_text

USER, ASSISTANT = 1, 2
Bubble = dict[str, Json]
_TIMING = ("clientStartTime", "clientRpcSendTime", "clientSettleTime", "clientEndTime")
_DEEPEST = 100
"""Levels of an editor document that are walked for its text."""


def kind_of(bubble: Bubble, header: Bubble) -> int | None:
    """Who speaks; the header repeats it."""
    known = (as_int(each.get("type")) for each in (bubble, header))
    return next((kind for kind in known if kind in (USER, ASSISTANT)), None)


def time_of(bubble: Bubble, header: Bubble) -> Time | None:
    """When it was made; older builds time the request, some only since their own start."""
    timing = as_object(bubble.get("timingInfo"))
    return moment(
        bubble.get("createdAt"), header.get("createdAt"), *(timing.get(key) for key in _TIMING)
    )


def model_of(bubble: Bubble) -> str | None:
    """The model that spoke."""
    return model_name(as_object(bubble.get("modelInfo")).get("modelName"))


def decode_bubble(
    bubble: Bubble, header: Bubble, origin: Evidence, content: Contents, *, typed: bool = True
) -> Iterator[AnyEvent]:
    """Events of one bubble, none when it holds nothing to show.

    ``typed`` False says that no human wrote the prompts here. ``content`` gives the text stored
    under a content id.
    """
    time = time_of(bubble, header)
    match kind_of(bubble, header):
        case 1:
            yield from _prompt(bubble, origin, time, typed=typed)
        case 2:
            yield from _said(bubble, origin, time)
        case _:
            message = "a message of neither the user nor the assistant"
            yield Noted(origin=origin, code="unknown-record", message=message, problem=True)
            return
    former = parsed(bubble.get("toolFormerData"))
    data = as_object(former)
    if former and not data:
        message = "a tool call in a form not known here"
        yield Noted(origin=origin, code="unknown-block", message=message, problem=True)
    if is_call(data):
        yield _call(data, origin, time, as_text(bubble.get("bubbleId")) or origin.row, content)


def _prompt(
    bubble: Bubble, origin: Evidence, time: Time | None, *, typed: bool
) -> Iterator[AnyEvent]:
    envelope = open_envelope(_text(bubble))
    context = (*_attached(bubble), *envelope.context)
    if not (envelope.query or context):
        return
    yield PromptSeen(
        origin=origin,
        time=time or envelope.time,
        text=envelope.query or "",
        author="human" if typed and envelope.typed else "cursor",
        context=context,
    )


def _text(bubble: Bubble) -> str:
    """The plain text, else that of the editor's document."""
    text = json_text(bubble.get("text"))
    if text:
        return text
    rich = parsed(bubble.get("richText"))
    return rich if isinstance(rich, str) else "".join(_leaves(as_object(rich).get("root"))).strip()


def _leaves(node: Json, depth: int = 0) -> Iterator[str]:
    """Texts in order, a line for each paragraph."""
    held = as_object(node)
    yield as_text(held.get("text")) or ""
    if depth < _DEEPEST:
        for child in as_objects(held.get("children")):
            yield from _leaves(child, depth + 1)
    if held.get("type") in ("paragraph", "linebreak"):
        yield "\n"


def _attached(bubble: Bubble) -> Iterator[ContextPart]:
    """The names of what was attached, never what is in it."""
    chosen = as_objects(as_object(bubble.get("context")).get("fileSelections"))
    paths = [path for each in chosen if (path := uri_path(each.get("uri")))]
    if paths:
        yield ContextPart(tag="attached_files", text="\n".join(paths))
    images = bubble.get("images")
    if isinstance(images, list) and images:
        count = len(images)
        words = "1 image" if count == 1 else f"{count} images"
        yield ContextPart(tag="image_files", text=words)


def _said(bubble: Bubble, origin: Evidence, time: Time | None) -> Iterator[AnyEvent]:
    thinking = bubble.get("thinking")
    held = thinking.get("text") if isinstance(thinking, dict) else thinking
    thought = json_text(held)
    hidden = as_text(as_object(thinking).get("redactedThinking")) is not None
    if thought or hidden:
        yield ThoughtSeen(
            origin=origin,
            time=time,
            text=thought,
            removed=not thought,
            duration_ms=as_number(bubble.get("thinkingDurationMs")),
        )
    text = json_text(bubble.get("text"))
    if text.strip():
        yield TextSeen(origin=origin, time=time, text=text)
    failure = as_object(parsed(bubble.get("errorDetails")))
    words = as_text(failure.get("message")) or as_text(failure.get("error"))
    if words:
        yield Noted(origin=origin, time=time, code="provider-error", level="error", message=words)


def _call(
    data: Bubble, origin: Evidence, time: Time | None, call_id: str | None, content: Contents
) -> AnyEvent:
    """A bubble is one call, whatever its ``toolCallId`` says: those come twice."""
    call = decode_call(data, content)
    if call.open:
        return CallStarted(
            origin=origin,
            time=time,
            channel="transcript",
            call_id=call_id,
            name=call.name,
            args=call.args,
        )
    return CallCompleted(
        origin=origin,
        channel="transcript",
        call_id=call_id,
        name=call.name,
        args=call.args,
        outcome=call.outcome,
        started=time,
    )
