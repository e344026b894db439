"""Where the surfaces of a run disagree, and what is wrong with one by itself."""

from collections.abc import Iterable, Iterator, Sequence

from cursor_replay.diagnose.collect import Found
from cursor_replay.diagnose.report import Call, Problem
from cursor_replay.diagnose.sightings import DECISIONS, Sightings


def completed_elsewhere(
    call: Call, group: Sequence[tuple[Found, Call]], run: Sequence[Found]
) -> Problem | None:
    """The problem that a recording completes a call which others leave open, or None."""
    own = [found for found, _ in group]
    where = [
        name
        for each in run
        if all(each is not found for found in own)
        for name, seen in each.sightings.of(call.call_id_hash).items()
        if seen.outcome in ("success", "error", "unknown")
    ]
    if not where:
        return None
    at = call.started
    return Problem(
        code="completed-elsewhere",
        message=f"{_name(call)} is completed by {' and '.join(dict.fromkeys(where))}",
        file=at.file if at else None,
        line=at.line if at else None,
    )


def cross_checked(calls: Iterable[Call], run: Sequence[Found]) -> Iterator[Problem]:
    """What pi's own records and the surfaces say against each other, and results without calls."""
    yield from _discarded(run)
    if any(DECISIONS in each.sightings.named for each in run):
        yield from _not_given_up(calls, run)
    for found in run:
        for key, (surface, line) in found.sightings.unstarted.items():
            if not any(_starts(each.sightings, key) for each in run):
                name = f"{found.sightings.tool_of(key).canonical} call {key}"
                words = f"the {name} ends without having started ({surface})"
                yield Problem(code="orphan-result", message=words, file=found.name, line=line)
        if len(found.sightings.sessions) > 1:
            words = f"{len(found.sightings.sessions)} session ids in one recording"
            yield Problem(code="mixed-sessions", message=words, file=found.name)


def _discarded(run: Sequence[Found]) -> Iterator[Problem]:
    for found in run:
        for key, surfaces in found.sightings.calls.items():
            if DECISIONS in surfaces and any(each.sightings.is_completed(key) for each in run):
                name = f"{found.sightings.tool_of(key).canonical} call {key}"
                words = f"pi gave up on the {name}, and its completion is recorded"
                yield Problem(code="discarded-but-completed", message=words, file=found.name)


def _not_given_up(calls: Iterable[Call], run: Sequence[Found]) -> Iterator[Problem]:
    """Calls of a run that ended, which pi's own records do not mention."""
    for call in calls:
        given = any(DECISIONS in each.sightings.of(call.call_id_hash) for each in run)
        ended = call.evidence.run_end is not None and call.call_id_hash is not None
        if not given and ended and call.reason != "denied":
            words = f"{_name(call)} has no completion here, and pi's records do not give it up"
            yield Problem(code="not-discarded", message=words)


def _starts(sightings: Sightings, key: str) -> bool:
    return any(each.started or each.arguments for each in sightings.of(key).values())


def _name(call: Call) -> str:
    identity = f" {call.call_id_hash}" if call.call_id_hash else ""
    return f"the {call.tool} call{identity}"
