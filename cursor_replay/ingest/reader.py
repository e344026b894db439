"""JSON lines to events: a record at a time, whatever its format.

Owns the fast path for the format in use, detection for everything else, and the rule what to do
with a line no format knows: it becomes a counted notice, and reading goes on.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pydantic import ValidationError

from cursor_replay.errors import InputError
from cursor_replay.events import AnyEvent, Noted, SessionSeen
from cursor_replay.ingest.detect import Decoder, Format, recognise, records_in, unwrap
from cursor_replay.ingest.jsontext import MARK, decode
from cursor_replay.ingest.lines import Line
from cursor_replay.ingest.surfaces import SDK, Surfaces
from cursor_replay.items import Evidence, Json

_UNKNOWN_LINES = 2000
"""Lines without any known record after which the whole input is called unknown."""
_TRUNCATED = "artifact_truncated"


class RecordReader:
    """Lines to events: fast path for the format in use, detection for everything else."""

    def __init__(self, name: str, form: Format | None) -> None:
        self._name = name
        self._forced = form
        self._form = form
        self._decoders: dict[str, Decoder] = {}
        self._surfaces = Surfaces()
        self._known = False
        self._nul = False
        self._cut = False
        self._too_long = False

    def events(self, lines: Iterable[Line]) -> Iterator[AnyEvent]:
        """Everything before the first known record is held back (it may be no Cursor file)."""
        held: list[AnyEvent] | None = []
        last = Line(0, b"")
        for line in lines:
            last = line
            if held is None:
                yield from self._line(line)
                continue
            held += self._line(line)
            if self._known:
                yield from sorted(held, key=_is_no_head)
                held = None
            elif line.number >= _UNKNOWN_LINES:
                break
        if held is not None:
            raise InputError(self._unknown(last))
        end = self._at(last)
        if not last.ended and not self._cut:
            yield _info(end, "no-final-newline", "the last line has no line end")
        for decoder in self._decoders.values():
            yield from decoder.close(end)
        yield from self._surfaces.close()

    def _unknown(self, last: Line) -> str:
        if last.number == 0:
            return f"{self._name} is empty"
        if self._nul:
            return f"{self._name} is a binary file, not a transcript"
        if self._too_long:
            return f"{self._name} holds no record under the limit for lines (--max-line raises it)"
        if self._forced:
            return f"{self._name} holds no record of the format {self._forced.name}"
        return (
            f"{self._name} is in no format known here "
            "(see `cursor-replay formats`; --input-format overrides)"
        )

    def _at(self, line: Line) -> Evidence:
        return Evidence(file=self._name, line=max(line.number, 1))

    def _line(self, line: Line) -> Iterator[AnyEvent]:
        """Events of one line. Decoding happens at once, so that ``_known`` is true right away."""
        origin = self._at(line)
        if line.dropped:
            self._too_long = True
            words = f"{line.dropped:,} bytes long, over the limit (--max-line raises it)"
            return iter([_problem(origin, "line-too-long", words)])
        if not line.data.strip():
            return iter(())
        notes = list(_line_notes(line, origin))
        if self._form is not None and self._known:
            try:
                record = self._form.record.validate_json(line.data)
            except ValidationError:
                pass
            else:
                if notes:
                    return iter([*notes, *self._feed(self._form, record, origin)])
                return self._feed(self._form, record, origin)
        return iter([*notes, *self._slow(line, origin)])

    def _slow(self, line: Line, origin: Evidence) -> Iterator[AnyEvent]:
        decoded = decode(line.data, ended=line.ended)
        self._nul = self._nul or b"\0" in line.data
        self._cut = any(code == "cut-line" for code, _ in decoded.problems)
        for code, words in decoded.problems:
            yield (_info if code == MARK else _problem)(origin, code, words)
        for value in decoded.values:
            yield from self._value(value, origin)

    def _value(self, value: Json, origin: Evidence) -> Iterator[AnyEvent]:
        records = records_in(value)
        if records is None:
            yield _problem(origin, "not-an-object", "JSON, but not an object")
            return
        for index, each in enumerate(records):
            at = replace(origin, block=index) if len(records) > 1 else origin
            yield from self._record(each, at)

    def _record(self, value: dict[str, Json], origin: Evidence) -> Iterator[AnyEvent]:
        record, time = unwrap(value)
        if isinstance(record, dict) and record.get("type") == _TRUNCATED:
            yield _problem(origin, "truncated-artifact", "the writer's size limit was reached")
            return
        form = self._forced or (recognise(record) if isinstance(record, dict) else None)
        try:
            validated = form.record.validate_python(record) if form else None
        except ValidationError:
            form = None
        if form is None:
            yield _problem(origin, "unknown-record", "a record of unknown type")
            return
        if not self._known:
            yield SessionSeen(origin=origin, format=form.name)
        self._known, self._form = True, form
        for event in self._feed(form, validated, origin):
            yield replace(event, time=time) if time and event.time is None else event

    def _feed(self, form: Format, record: object, origin: Evidence) -> Iterator[AnyEvent]:
        decoder = self._decoders.get(form.name)
        if decoder is None:
            decoder = self._decoders[form.name] = form.decoder()
        events = decoder.feed(record, origin)
        return self._merged(form.name, events) if form.name in SDK else events

    def _merged(self, surface: str, events: Iterator[AnyEvent]) -> Iterator[AnyEvent]:
        for event in events:
            yield from self._surfaces.merge(surface, event)


def _is_no_head(event: AnyEvent) -> bool:
    """Session facts first: notes on the lines before the first record come after its head."""
    return not isinstance(event, SessionSeen)


def _line_notes(line: Line, origin: Evidence) -> Iterator[Noted]:
    if line.crlf:
        yield _info(origin, "crlf", "CRLF line ends")
    if line.bom:
        yield _info(origin, "byte-order-mark", "a byte order mark")


def _info(origin: Evidence, code: str, message: str) -> Noted:
    return Noted(origin=origin, code=code, level="info", message=message)


def _problem(origin: Evidence, code: str, message: str) -> Noted:
    return Noted(origin=origin, code=code, message=message, problem=True)
