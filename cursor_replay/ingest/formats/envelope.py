"""The user envelope: what a human typed, and what Cursor put around it (facts 1.5).

Tags are taken by position (leading, well formed), never by a closed list: new ones appear with
every build. Markers are not escaped, so a query runs from the first opening ``<user_query>`` to
the *last* closing one, and ``<timestamp>`` counts only in front.
"""

import re
from dataclasses import dataclass, field

from cursor_replay.ingest.times import from_words
from cursor_replay.items import ContextPart, Time

_OPEN = re.compile(r"\s*<([a-z][a-z0-9]*(?:[_-][a-z0-9]+)*)>")
_QUERY_OPEN, _QUERY_CLOSE = "<user_query>", "</user_query>"
_NOT_TYPED = (
    "Perform any necessary follow-up actions in response to the subagent completion",
    "Briefly inform the user about the task result",
    "You are the forked subagent; continue executing your task.",
    "The beginning of the above subagent result",
    "Your previous response was interrupted. Continue from where you left off.",
)
_PLACEHOLDERS = re.compile(r"(?:\[(?:Image|File: [^\]\n]*)\][ \t]*\n)+")
"""What the writer puts in front for images and files; the envelope begins behind it."""
_PLAIN_TAGS = {"timestamp", "rules"}


@dataclass(slots=True)
class Envelope:
    """``query`` is None when the record holds context only."""

    query: str | None = None
    context: list[ContextPart] = field(default_factory=list)
    time: Time | None = None

    @property
    def typed(self) -> bool:
        """Whether a human may have typed it: Cursor's own sentences share the wrapper."""
        return self.query is not None and not self.query.startswith(_NOT_TYPED)


def open_envelope(text: str) -> Envelope:
    """Split the text of a user record; text without any envelope is the query as it stands."""
    placed = _PLACEHOLDERS.match(text)
    if placed and _QUERY_OPEN in text:
        envelope = open_envelope(text[placed.end() :])
        envelope.query = f"{placed[0].strip()}\n{envelope.query or ''}".rstrip()
        return envelope
    envelope = Envelope()
    wrapped = _QUERY_OPEN in text
    at = 0
    while (found := _OPEN.match(text, at)) and found[1] != "user_query":
        tag, start = found[1], found.end()
        end = text.find(f"</{tag}>", start)
        if end < 0 or not (wrapped or "_" in tag or "-" in tag or tag in _PLAIN_TAGS):
            break
        _put(envelope, tag, text[start:end])
        at = end + len(tag) + 3
    rest = text[at:]
    if rest.lstrip().startswith(_QUERY_OPEN):
        _query(envelope, rest.lstrip())
    elif rest.strip() or not (envelope.context or envelope.time):
        envelope.query = rest.strip()
    return envelope


def _query(envelope: Envelope, text: str) -> None:
    end = text.rfind(_QUERY_CLOSE)
    inner = text[len(_QUERY_OPEN) :] if end < 0 else text[len(_QUERY_OPEN) : end]
    envelope.query = inner.strip("\n").strip()
    after = "" if end < 0 else text[end + len(_QUERY_CLOSE) :].strip()
    if after:
        envelope.context.append(ContextPart(tag="after_query", text=after))


def _put(envelope: Envelope, tag: str, text: str) -> None:
    if tag == "timestamp":
        envelope.time = from_words(text)
        if envelope.time is not None:
            return
    envelope.context.append(ContextPart(tag=tag, text=text.strip("\n")))
