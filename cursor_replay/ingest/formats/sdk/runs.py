"""The events of one run in the Cursor SDK's local store (SDK formats facts 1.2; live facts 7.1).

Owns the payload around a message, and how a run ends: its events and its row may both say so, in
either order, and it ends once. The messages themselves are those of ``sdk_messages``. Knows no
store.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from pydantic import ValidationError

from cursor_replay.events import (
    AnyEvent,
    CallCompleted,
    Noted,
    SessionSeen,
    TextSeen,
    TurnEnded,
    UsageSeen,
)
from cursor_replay.ingest.formats.sdk.messages import RECORD, Decoder, fits
from cursor_replay.ingest.formats.sdk.rows import ENDED, EVENT_TYPE, EventRow, Run
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import as_object, as_text

Place = Callable[[EventRow], Evidence]


class RunReader:
    """Rows of one run to events; ``ended`` tells afterwards whether the run is over."""

    def __init__(self, run: Run, decoder: Decoder) -> None:
        self.ended = False
        self._run = run
        self._decoder = decoder
        self._end: TurnEnded | None = None
        self._outcome: str | None = None
        self._counted = False
        self._said: list[str] = []
        self._behind_call = 0
        self._highest = 0
        self._missing = 0

    def events(self, rows: Iterable[EventRow], place: Place) -> Iterator[AnyEvent]:
        """The events of the rows, which are in order."""
        for row in rows:
            self._number(row.seq)
            for event in self._row(row, place(row)):
                yield from self._passed(event)

    def close(self, origin: Evidence) -> Iterator[AnyEvent]:
        """What the run's own row (at ``origin``) adds, and its end."""
        rest = self._untold()
        if rest:
            yield TextSeen(origin=origin, time=self._run.ended, text=rest, partial=True)
        by_row = next(self._by_row(origin), None)
        end = self._end if self.ended else by_row
        if end is not None:
            self.ended = True
            yield self._completed(end)
        if by_row and self._outcome and by_row.status != self._outcome:
            words = f"the run is recorded as {by_row.status}, its events end with {self._outcome}"
            yield Noted(origin=origin, code="status-differs", message=words)
        if self._missing:
            rows = "1 row" if self._missing == 1 else f"{self._missing:,} rows"
            words = f"the store has gaps ({rows} missing)"
            yield Noted(origin=origin, code="gaps", level="info", message=words)

    def _row(self, row: EventRow, origin: Evidence) -> Iterator[AnyEvent]:
        for code, words in row.problems:
            yield _problem(origin, code, words)
        if row.payload is None:
            if not row.problems:
                yield _problem(origin, *_LOST[row.elsewhere])
            return
        message = _message(row)
        if message is None:
            return
        try:
            record = RECORD.validate_python(message)
        except ValidationError:
            yield _problem(origin, "unknown-record", "an event of unknown type")
            return
        for event in self._decoder.feed(record, origin):
            if not (isinstance(event, SessionSeen) and event.session_id):
                yield replace(event, time=row.time) if row.time else event

    def _passed(self, event: AnyEvent) -> Iterator[AnyEvent]:
        """Hold the end of the run back until nothing comes behind it."""
        if isinstance(event, TurnEnded):
            yield from self._held(event)
            return
        if self._end is not None and not isinstance(event, Noted):
            yield self._end
            self._end = None
        match event:
            case TextSeen():
                self._said.append(event.text)
            case CallCompleted():
                self._behind_call = len(self._said)
            case UsageSeen():
                self._counted = True
        yield event

    def _held(self, event: TurnEnded) -> Iterator[AnyEvent]:
        """A second word for the same end adds its reason; another word is another end."""
        held = self._end
        if held is not None and held.status == event.status:
            self._end = replace(held, reason=held.reason or event.reason)
            return
        if held is not None:
            yield held
        self._end, self._outcome, self.ended = event, event.status, True

    def _by_row(self, origin: Evidence) -> Iterator[TurnEnded]:
        """The end as the row of the run has it."""
        run = self._run
        if run.status in ENDED:
            message = {"type": "status", "status": run.status, "message": run.error}
            for event in self._decoder.feed(RECORD.validate_python(message), origin):
                if isinstance(event, TurnEnded):
                    yield replace(event, time=run.ended)

    def _completed(self, end: TurnEnded) -> TurnEnded:
        usage = None if self._counted else self._run.usage
        reason = None if end.status == "success" else self._run.error
        return replace(end, usage=end.usage or usage, reason=end.reason or reason)

    def _untold(self) -> str:
        """What ``result`` has and no event: it is the text behind the last completed call."""
        result, said = self._run.result or "", "".join(self._said)
        tail = "".join(self._said[self._behind_call :])
        if not result.startswith(tail) or (not tail and result.strip() in said):
            return ""
        rest = result[len(tail) :]
        return rest if rest.strip() else ""

    def _number(self, seq: int | None) -> None:
        """Count what is not there: numbers begin at 1, and a row that was not written is a gap."""
        if seq is not None and seq > self._highest:
            self._missing += seq - self._highest - 1
            self._highest = seq


_LOST = {
    True: ("payload-elsewhere", "the payload of an event is not stored in its row"),
    False: ("no-payload", "an event without a payload"),
}


def _message(row: EventRow) -> Json | None:
    """The message of a payload; None for ``done``, and no message for what is not known."""
    payload = as_object(row.payload)
    if row.kind not in (None, EVENT_TYPE):
        return {}
    match payload.get("type"):
        case "sdk_message":
            return as_object(payload.get("message"))
        case "result" if as_text(payload.get("status")):
            words = payload.get("errorCode")
            return {"type": "status", "status": payload["status"], "message": words}
        case "done":
            return None
    return payload if fits(payload) else {}


def _problem(origin: Evidence, code: str, message: str) -> Noted:
    return Noted(origin=origin, code=code, message=message, problem=True)
