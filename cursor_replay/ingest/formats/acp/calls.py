"""The calls of an ACP dump as they go on (transcript facts 5).

Owns that a ``toolCallId`` may come back after its call is over, that Cursor's own methods tell more
of the call with the same id, what a refused permission means, and that a plan is the whole list
each time.
"""

from collections import Counter
from collections.abc import Iterator

from cursor_replay.events import AnyEvent, CallCompleted, CallStarted, Noted, Outcome
from cursor_replay.ingest.formats.acp.tools import ENDS, AcpCall
from cursor_replay.ingest.formats.reported import reported
from cursor_replay.items import Evidence, Json
from cursor_replay.lenient import as_object, as_objects, as_text

EXTENSIONS = {
    "cursor/ask_question": "askQuestion",
    "cursor/create_plan": "createPlan",
    "cursor/update_todos": "updateTodos",
    "cursor/task": "task",
    "cursor/generate_image": "generateImage",
}
_NO = {"rejected", "cancelled", "canceled", "skipped", "declined", "dismissed"}


class Calls:
    """The calls since the last prompt, by the id the agent gave them; ``mark`` is the session's."""

    def __init__(self, mark: str = "") -> None:
        self._mark = mark
        self._calls: dict[str, AcpCall] = {}
        self._uses: Counter[str] = Counter()
        self._plan: Json = None

    def next_turn(self) -> None:
        """Forget what is over: an id after a new prompt is a new call."""
        self._calls = {key: call for key, call in self._calls.items() if not call.over}

    def told(
        self, update: dict[str, Json], origin: Evidence, *, new: bool = False
    ) -> Iterator[AnyEvent]:
        """A ``tool_call`` (``new``), a ``tool_call_update``, or what a permission is asked for."""
        key = as_text(update.get("toolCallId"))
        if key is None:
            words = "a tool call without an id"
            yield Noted(origin=origin, code="unknown-record", message=words, problem=True)
            return
        status = (as_text(update.get("status")) or "").lower()
        call = self._calls.get(key)
        if call is None or (new and call.over and not _repeats(call, update)):
            call = self._new(key)
        if call.rejected and not update.get("rawOutput"):
            return
        call.learn(update)
        if status in ENDS:
            call.over = True
            yield _completed(call, call.outcome(status), origin)
        elif not call.over:
            yield _started(call, origin)

    def extended(
        self, method: str, params: dict[str, Json], origin: Evidence, *, asks: bool
    ) -> Iterator[AnyEvent]:
        """A method of Cursor's own. One that asks ends with its answer, a lone one at once."""
        key = as_text(params.get("toolCallId")) or ""
        call = self._calls.get(key)
        alone = call is None or call.over
        if call is None or call.over:
            call = self._new(key)
        call.name = EXTENSIONS[method]
        call.given = {k: v for k, v in params.items() if k not in ("toolCallId", "sessionId")}
        if alone and not asks:
            call.over = True
            yield _completed(call, None, origin)
        else:
            yield _started(call, origin)

    def permitted(
        self, params: dict[str, Json], outcome: dict[str, Json], origin: Evidence
    ) -> Iterator[AnyEvent]:
        """The answer to a permission question; a refusal ends its call."""
        chosen = as_text(outcome.get("optionId")) or ""
        kinds = (
            as_text(each.get("kind"))
            for each in as_objects(params.get("options"))
            if each.get("optionId") == chosen
        )
        word = next(kinds, None) or chosen or as_text(outcome.get("outcome")) or "answered"
        words = word.replace("_", " ").replace("-", " ")
        asked = as_object(params.get("toolCall"))
        call = self._calls.get(as_text(asked.get("toolCallId")) or "")
        message = f"{(call.kind if call else '') or 'a call'}: {words}"
        yield Noted(origin=origin, code="permission", level="info", message=message)
        if words.startswith("reject") and call is not None and not call.over:
            call.over = call.rejected = True
            yield _completed(call, Outcome(status="error", error="rejected"), origin)

    def replied(
        self, params: dict[str, Json], result: Json, origin: Evidence
    ) -> Iterator[AnyEvent]:
        """The answer to a question of Cursor's own methods."""
        call = self._calls.get(as_text(params.get("toolCallId")) or "")
        if call is None or call.over:
            return
        call.over = True
        value = result.get("outcome", result) if isinstance(result, dict) else result
        word = value.get("outcome") if isinstance(value, dict) else value
        if isinstance(word, str) and word.lower() in _NO:
            yield _completed(call, Outcome(status="error", error=word), origin)
            return
        outcome = reported(value, exits=False, well=True) if value not in (None, {}) else None
        yield _completed(call, outcome, origin)

    def planned(self, given: Json, origin: Evidence) -> Iterator[AnyEvent]:
        """One card a change of the plan."""
        if given is not None and not isinstance(given, list):
            words = "a plan in a form not known here"
            yield Noted(origin=origin, code="unknown-record", message=words, problem=True)
            return
        entries: Json = given or []
        if entries == self._plan:
            return
        self._plan = entries
        call = AcpCall(self._own_id("plan"), name="updateTodos", given={"todos": entries})
        yield _completed(call, Outcome(status="success", value={"todos": entries}), origin)

    def _new(self, key: str) -> AcpCall:
        call = self._calls[key] = AcpCall(self._own_id(key))
        return call

    def _own_id(self, given: str) -> str:
        """The id as it is given, as long as nothing else has it."""
        self._uses[given] += 1
        again = f" {self._uses[given]}" if self._uses[given] > 1 else ""
        return f"{given}{again}{self._mark}"


def _repeats(call: AcpCall, update: dict[str, Json]) -> bool:
    """Whether a ``tool_call`` of a finished call only tells it again."""
    again = AcpCall("")
    again.learn(update)
    same = (again.kind, again.title, again.given) == (call.kind, call.title, call.given)
    return same and (as_text(update.get("status")) or "").lower() in ENDS


def _started(call: AcpCall, origin: Evidence) -> CallStarted:
    return CallStarted(
        origin=origin,
        channel="message",
        call_id=call.call_id,
        name=call.tool(),
        args=call.args(),
    )


def _completed(call: AcpCall, outcome: Outcome | None, origin: Evidence) -> CallCompleted:
    return CallCompleted(
        origin=origin,
        channel="message",
        call_id=call.call_id,
        name=call.tool(),
        args=call.args(),
        outcome=outcome,
    )
