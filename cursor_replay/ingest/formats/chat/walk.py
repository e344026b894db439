"""Which blobs of a chat store are the conversation, and in which order (transcript facts 2).

Owns the rule that the root decides: what it lists is shown as often as it lists it, anything else
is only counted. Without a readable root all messages are shown as they were stored, and a notice
says so. Knows no part of a message.
"""

import json
from collections.abc import Iterator
from hashlib import sha256

from cursor_replay.events import AnyEvent, Noted, SessionSeen
from cursor_replay.ingest.database import Database
from cursor_replay.ingest.formats.chat.blobs import Blobs, Root, Strays, Unread, read_root
from cursor_replay.ingest.formats.chat.messages import Decoder, Message
from cursor_replay.ingest.formats.chat.meta import ChatMeta
from cursor_replay.ingest.formats.chat.turns import turn_events
from cursor_replay.ingest.jsontext import decode
from cursor_replay.items import Evidence, Json


class ChatWalk:
    """One walk over the conversation.

    ``whole`` is said at its end: the root was read, and no message was still being written.
    """

    def __init__(self, database: Database, meta: ChatMeta, name: str) -> None:
        self._blobs, self._meta, self._name = Blobs(database), meta, name
        self._line = 0
        self.decoder = Decoder(model=meta.model)
        self.whole = False

    def events(self, *, strays: bool = True) -> Iterator[AnyEvent]:
        """Facts of the session, its messages and, with ``strays``, what the root leaves out."""
        start = Evidence(file=self._name, line=1)
        if self._meta.model:
            yield SessionSeen(origin=start, model=self._meta.model)
        if self._meta.is_subagent:
            words = "this is the session of a sub-agent"
            yield Noted(origin=start, code="sub-agent", level="info", message=words)
        found = self._root()
        if isinstance(found, Root):
            yield from self._listed(found, start)
            self.whole = found.pending is None
        else:
            yield from self._stored(found, start)
        yield from self.decoder.close(self._at(None))
        if nameless := self._blobs.nameless():
            words = f"{_counted(nameless, 'blob')} with an id that is no text: not shown"
            yield _problem(start, "unknown-record", words)
        if strays and isinstance(found, Root):
            yield from self._left(found, start)

    def _root(self) -> Root | Unread:
        if not self._meta.readable:
            return Unread(code="unreadable-meta", words="the meta row of the store is unreadable")
        if not self._meta.root:
            return Unread(code="no-root", words="the store names no root of its conversation")
        data = self._blobs.read(self._meta.root)
        if isinstance(data, Unread):
            return Unread(code="no-root", words="the root of the conversation is not in the store")
        unknown = Unread(
            code="unreadable-root", words="the root of the conversation is in a form not known here"
        )
        return read_root(data) or unknown

    def _listed(self, root: Root, start: Evidence) -> Iterator[AnyEvent]:
        for key in root.messages:
            yield from self._message(key, self._next(key))
        if root.odd:
            words = f"{_counted(root.odd, 'item')} in the list of messages cannot be an id"
            yield Noted(origin=start, code="unknown-record", message=words, problem=True)
        if root.turns and not root.messages:
            yield from self._turns(root.turns, start)
        if root.pending is not None:
            origin = self._next(self._meta.root)
            yield from self._json(root.pending, origin)
            words = "the last message was still being written"
            yield Noted(origin=origin, code="pending-message", level="info", message=words)
        if not (root.messages or root.turns or root.pending):
            yield Noted(origin=start, code="no-messages", level="info", message=_empty(self._meta))

    def _turns(self, turns: tuple[str, ...], start: Evidence) -> Iterator[AnyEvent]:
        words = "the root lists no messages but turns: of tool calls only the target is read"
        yield Noted(origin=start, code="turns-only", message=words, problem=True)
        for key in turns:
            origin = self._next(key)
            turn = self._blobs.read(key)
            if isinstance(turn, Unread):
                yield _problem(origin, turn.code, "a turn that the store does not hold")
            else:
                yield from turn_events(turn, self._bytes, self._prompt, origin)

    def _bytes(self, key: str) -> bytes | None:
        data = self._blobs.read(key)
        return data if isinstance(data, bytes) else None

    def _prompt(self, text: str, origin: Evidence) -> Iterator[AnyEvent]:
        yield from self.decoder.feed(Message(role="user", content=text), origin)

    def _stored(self, why: Unread, start: Evidence) -> Iterator[AnyEvent]:
        """Every message in the order of the rows; one that is only spelled again is left out."""
        words = f"{why.words}; what follows are its messages in the order they were stored"
        words += ", superseded ones among them: the order is a guess"
        yield Noted(origin=start, code=why.code, message=words, problem=True)
        known: set[bytes] = set()
        again = others = 0
        for key in self._blobs.json_ids():
            data = self._blobs.read(key)
            mark = _mark(data) if isinstance(data, bytes) else key.encode()
            again += mark in known
            others += mark is None
            if mark is not None and mark not in known:
                known.add(mark)
                yield from self._message(key, self._next(key), data)
        for count, what in ((again, "of messages spelled again"), (others, "of no message")):
            if count:
                words = f"{_counted(count, 'blob')} {what}: not shown"
                yield Noted(origin=start, code="not-shown", level="info", message=words)
        if not known:
            yield Noted(origin=start, code="no-messages", level="info", message=_empty(self._meta))

    def _message(
        self, key: str, origin: Evidence, data: bytes | Unread | None = None
    ) -> Iterator[AnyEvent]:
        data = self._blobs.read(key) if data is None else data
        if isinstance(data, Unread):
            yield _problem(origin, data.code, data.words)
        else:
            yield from self._json(data, origin)

    def _json(self, data: bytes, origin: Evidence) -> Iterator[AnyEvent]:
        decoded = decode(data)
        for code, words in decoded.problems:
            yield _problem(origin, code, words)
        for value in decoded.values:
            if isinstance(value, dict):
                yield from self.decoder.feed(Message.model_validate(value), origin)
            else:
                yield _problem(origin, "not-an-object", "JSON, but not an object")
        if not decoded.values and not decoded.problems:
            yield _problem(origin, "not-json", "an empty message")

    def _left(self, root: Root, start: Evidence) -> Iterator[AnyEvent]:
        """Said once: nothing of it belongs to the conversation as it stands."""
        found = self._blobs.strays(self._meta.root or "", set(root.messages))
        for words in _stray_words(found):
            yield Noted(origin=start, code="orphans", level="info", message=words)

    def _next(self, key: str | None) -> Evidence:
        self._line += 1
        return self._at(key)

    def _at(self, key: str | None) -> Evidence:
        return Evidence(file=self._name, line=max(self._line, 1), row=key)


def _mark(data: bytes) -> bytes | None:
    """What a message says, whatever the order of its keys; None for what is no message."""
    values = decode(data).values
    if values and not (isinstance(values[0], dict) and "role" in values[0]):
        return None
    said: Json = values or data.hex()
    return sha256(json.dumps(said, sort_keys=True).encode()).digest()


def _empty(meta: ChatMeta) -> str:
    if meta.has_conversation is False:
        return "the chat holds no message: it was opened and not used"
    return "the conversation holds no message"


def _stray_words(found: Strays) -> Iterator[str]:
    lost = found.messages + found.others
    if lost:
        kinds = ((found.messages, "message"), (found.others, "other blob"))
        parts = " and ".join(_counted(count, what) for count, what in kinds if count)
        yield f"{parts} of {_counted(found.total, 'blob')} left over or superseded: not shown"
    if found.below:
        parts = _counted(found.below, "message")
        yield f"{parts} of sub-agents or of what was summarised: not shown"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _problem(origin: Evidence, code: str, message: str) -> Noted:
    return Noted(origin=origin, code=code, message=message, problem=True)
