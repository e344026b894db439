"""The blobs of a chat store: a content-addressed tree whose root lists the conversation.

Owns how blobs are read (one at a time, of a bounded size), what a root says (transcript facts 2,
SDK formats facts 3.3) and which blobs a root leads to. Knows no message.
"""

from collections.abc import Iterator

from cursor_replay.ingest.database import Database
from cursor_replay.ingest.protowire import delimited, read_fields
from cursor_replay.records import dataclass

LARGEST = 64 * 1024 * 1024
"""Bytes of one blob that is read; a larger one becomes a notice."""
_ID = 32
_DEEPEST = 8
_MESSAGES, _PENDING, _TURNS = 1, 4, 8
"""Field numbers of a root."""
_IS_NAMED = "typeof(id) = 'text'"
_IS_JSON = "hex(substr(data, 1, 1)) = '7B'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """What a root says: ids in order, and an assistant message that was still being written.

    ``odd`` counts the entries of the list of messages that are no ids.
    """

    messages: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    pending: bytes | None = None
    odd: int = 0


def read_root(data: bytes) -> Root | None:
    """The root in ``data``; None when it is no protobuf, or says nothing that is known here."""
    fields = read_fields(data)
    if fields is None:
        return None
    listed = delimited(fields, _MESSAGES)
    pending = delimited(fields, _PENDING)
    root = Root(
        messages=_ids(listed),
        turns=_ids(delimited(fields, _TURNS)),
        pending=pending[-1] if pending and pending[-1] else None,
        odd=sum(len(each) != _ID for each in listed),
    )
    return root if root != Root() or not data else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """Why there are no bytes, as the code and the words of a notice."""

    code: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Strays:
    """Blobs that are not shown: ``messages`` of JSON, ``others``, and messages ``below`` the root.

    The root leads to those below it without listing them: sub-agents, summarised parts.
    """

    messages: int
    others: int
    below: int
    total: int


class Blobs:
    """The ``blobs`` table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, key: str) -> bytes | Unread:
        """The bytes of one blob."""
        query = "SELECT length(CAST(data AS BLOB)) FROM blobs WHERE id = ?"
        row = self._database.row(query, (key,))
        if row is None or row[0] is None:
            return Unread(code="missing-blob", words="a message that the store does not hold")
        if row[0] > LARGEST:
            words = f"a message of {row[0]:,} bytes, too large to be read"
            return Unread(code="blob-too-large", words=words)
        query = "SELECT CAST(data AS BLOB) FROM blobs WHERE id = ?"
        found = self._database.row(query, (key,))
        return found[0] if found else b""

    def json_ids(self) -> Iterator[str]:
        """The ids of the JSON blobs in the order they were stored."""
        query = f"SELECT id FROM blobs WHERE {_IS_NAMED} AND {_IS_JSON} ORDER BY rowid"  # noqa: S608 - a constant
        for (key,) in self._database.rows(query):
            yield key

    def nameless(self) -> int:
        """How many blobs have an id that is no text: nothing can lead to them."""
        query = f"SELECT count(*) FROM blobs WHERE NOT {_IS_NAMED}"  # noqa: S608 - a constant
        row = self._database.row(query)
        return row[0] if row else 0

    def strays(self, root: str, shown: set[str]) -> Strays:
        """What the root leads to beside ``shown``, and what it does not lead to."""
        query = f"SELECT id, {_IS_JSON} FROM blobs WHERE {_IS_NAMED}"  # noqa: S608 - a constant
        is_json = dict(self._database.rows(query))
        reached = self._reached(root, is_json)
        lost = [key for key in is_json if key not in reached and key not in shown]
        messages = sum(bool(is_json[key]) for key in lost)
        below = sum(bool(is_json[key]) for key in reached - shown)
        return Strays(
            messages=messages, others=len(lost) - messages, below=below, total=len(is_json)
        )

    def _reached(self, root: str, known: dict[str, int]) -> set[str]:
        """The ids in ``known`` that can be reached; messages in JSON lead nowhere."""
        reached: set[str] = set()
        waiting = [root]
        while waiting:
            key = waiting.pop()
            if key not in known or key in reached:
                continue
            reached.add(key)
            data = b"" if known[key] else self.read(key)
            if isinstance(data, bytes):
                waiting += [each for each in _references(data, _DEEPEST) if each in known]
        return reached


def _references(data: bytes, depth: int) -> Iterator[str]:
    """Every field of 32 bytes in a message and the messages inside it, as an id."""
    for _, value in read_fields(data) or ():
        if not isinstance(value, bytes):
            continue
        if len(value) == _ID:
            yield value.hex()
        elif depth and len(value) > _ID:
            yield from _references(value, depth - 1)


def _ids(values: list[bytes]) -> tuple[str, ...]:
    return tuple(value.hex() for value in values if len(value) == _ID)
