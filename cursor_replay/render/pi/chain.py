"""Ids and times of a pi session: a chain of entries, each the child of the one before.

No clock and no chance: the same items give the same bytes. Times never run backwards: an item
without a recorded one, or with an earlier one, takes that of the item before. A session begins
with the first time of its items, one without any at the epoch.
"""

import hashlib
import re
from datetime import datetime

from cursor_replay.items import Card, Item, Session, Time
from cursor_replay.pi_session.lines import CALL_ID_CHARS

EPOCH = "1970-01-01T00:00:00.000Z"
_OWN_ID = re.compile(r"cursor-replay-(\d+)-(\d+-tool-\d+)")
_CALL_ID = re.compile(rf"[A-Za-z0-9_-]{{1,{CALL_ID_CHARS}}}")
_SESSION_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?")
_NOT_ID = re.compile(r"[^A-Za-z0-9_-]+")


def milliseconds(stamp: str) -> int:
    """Epoch milliseconds of an ISO time with milliseconds and ``Z``."""
    moment = datetime.fromisoformat(stamp)
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000


def time_of(item: Item) -> Time | None:
    """The time an item tells, None for one that has none."""
    if isinstance(item, Card):
        return item.timing.started or item.timing.completed if item.timing else None
    return getattr(item, "time", None)


class Chain:
    """Hands out the id, the parent and the time of the next entry."""

    def __init__(self) -> None:
        self._count = 0
        self.start: str | None = None
        self.last = EPOCH

    def begin(self, first: Time | None) -> str:
        """The time of the header; every call id is made of it."""
        self.start = first.at if first else None
        self.last = self.start or EPOCH
        return self.last

    def stamp(self, time: Time | None) -> str:
        """The time of what comes next, carried on where none is recorded."""
        if time is not None and time.at > self.last:
            self.last = time.at
        return self.last

    def entry(self, time: Time | None = None) -> dict[str, str | None]:
        """``id``, ``parentId`` and ``timestamp`` of the next entry."""
        parent = f"{self._count:08x}" if self._count else None
        self._count += 1
        return {"id": f"{self._count:08x}", "parent_id": parent, "timestamp": self.stamp(time)}


class CallIds:
    """Ids of calls: ``cursor-replay-<ms>-<n>-tool-<k>`` of a replay, others as they are recorded.

    ``<ms>`` is the start of the session where that is known (replay facts 9.3). The ids of a pi
    session stay; one that pi could not go on with is made anew from a digest of it.
    """

    def __init__(self, *, start: str | None, recorded: bool) -> None:
        self._start = None if start is None or recorded else milliseconds(start)
        self._seed: str | None = None

    def of(self, card_id: str) -> str:
        """The id of the call of a card with this id."""
        own = _OWN_ID.fullmatch(card_id) if self._start is not None else None
        if own is not None:
            self._seed = self._seed or own[1]
            if own[1] == self._seed:
                return f"cursor-replay-{self._start}-{own[2]}"
        return card_id if _CALL_ID.fullmatch(card_id) else _made_anew(card_id)


def _made_anew(identity: str) -> str:
    digest = hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:24]
    begun = _NOT_ID.sub("-", identity[: CALL_ID_CHARS - len(digest) - 1])
    return f"{begun}-{digest}"


def session_id(session: Session) -> str:
    """The recorded id, or one made of what is known of the session."""
    recorded = session.session_id or ""
    if _SESSION_ID.fullmatch(recorded):
        return recorded
    known = f"{session.format}\n{recorded}\n{session.file}"
    return f"cursor-replay-{hashlib.sha256(known.encode('utf-8', 'replace')).hexdigest()[:32]}"
