"""Several recordings to one report: a call is one, however many surfaces tell of it.

Calls are the same by the hash of their id. The most telling reason wins; what other recordings of
the run know (its end, an outcome) is used and said. Owns the cross-checks between surfaces.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cursor_replay.diagnose.calls import policies
from cursor_replay.diagnose.collect import Found
from cursor_replay.diagnose.report import Call, Problem, Report, Seen
from cursor_replay.diagnose.sightings import DECISIONS, Sightings
from cursor_replay.diagnose.surfaces import surfaces_of
from cursor_replay.items import ReasonId, TurnEnd
from cursor_replay.normalize.incomplete import ENDINGS, GIVEN, REASONS, reason_of

_TELLING: tuple[ReasonId, ...] = (
    "denied", "abort", "sdk-failure", "run-drain", "no-completion-at-run-end", "arguments-cut",
    "running", "capture-cut", "process-died", "not-recorded",
)  # fmt: skip
"""Reasons, the most telling first."""
_END_UNKNOWN: tuple[ReasonId, ...] = ("capture-cut", "process-died", "running")


def report_of(found: Sequence[Found], sightings: Sightings, *, one_run: bool) -> Report:
    """The report. ``one_run``: the recordings are known to be of one and the same run."""
    groups: dict[str, list[Call]] = {}
    for number, each in enumerate(found):
        for identity, call in each.calls.items():
            key = call.call_id_hash or f"{number} {identity}"
            groups.setdefault(key, []).append(each.with_end(call))
    problems = [problem for each in found for problem in each.problems]
    calls = []
    for group in groups.values():
        call = _joined(group)
        if call.reason != "denied" and sightings.is_completed(call.call_id_hash):
            problems.append(_completed_elsewhere(call, sightings))
            continue
        if one_run:
            call = _with_known_end(call, found)
        calls.append(_told(call, sightings))
    calls += _unstarted(sightings, groups)
    names = {each.path: each.name for each in found}  # as recorded, and as it may be shown
    problems += _cross_checked(calls, sightings, names)
    return Report(
        recordings=tuple(each.recording for each in found),
        calls=tuple(calls),
        counted=tuple(sum((each.counted for each in found), Counter()).most_common()),
        problems=tuple(problems),
    )


def is_one_run(found: Sequence[Found]) -> bool:
    """Whether recordings of one folder can be the surfaces of one run: each format once."""
    formats = [each.format for each in found]
    sessions = {each.session for each in found if each.session}
    return len(formats) == len(set(formats)) and len(sessions) <= 1


def _joined(group: Sequence[Call]) -> Call:
    """One call that several recordings tell: the most telling reason, the fullest evidence."""
    order = sorted(group, key=lambda each: _TELLING.index(each.reason))
    best = order[0]
    if len(group) == 1:
        return best
    evidence = best.evidence
    for each in order[1:]:
        evidence = _fuller(evidence, each.evidence)
    timed = [each for each in order if each.started and each.started.time]
    return replace(
        best,
        target=next((each.target for each in order if each.target), None),
        started=(timed or order)[0].started,
        evidence=evidence,
        policies=policies(best.reason, best.tool, said_text=evidence.said_text),
        ambiguous=tuple(dict.fromkeys(note for each in order for note in each.ambiguous)),
    )


def _fuller(one: Seen, other: Seen) -> Seen:
    """What two recordings saw of one call. The same things are counted in both: the larger one."""
    return Seen(
        partial_arguments=max(one.partial_arguments, other.partial_arguments),
        output_chunks=max(one.output_chunks, other.output_chunks),
        last_output=one.last_output or other.last_output,
        output_ambiguous=one.output_ambiguous or other.output_ambiguous,
        siblings_completed=max(one.siblings_completed, other.siblings_completed),
        siblings=max(one.siblings, other.siblings, key=len),
        run_end=one.run_end or other.run_end,
        run_end_reason=one.run_end_reason or other.run_end_reason,
        said_text=one.said_text or other.said_text,
        open_ms=one.open_ms if one.open_ms is not None else other.open_ms,
        refusal=one.refusal or other.refusal,
    )


def _with_known_end(call: Call, found: Iterable[Found]) -> Call:
    """The reason that the end of the run gives, where this call's recording does not tell it."""
    if call.reason not in _END_UNKNOWN or call.started is None:
        return call
    turn, others = call.started.turn, (each for each in found if not _knows(each, call))
    told = ((each.name, end) for each in others if (end := _end_in(each, turn)))
    name, end = next(told, (None, None))
    if end is None:
        return call
    reason = reason_of(ENDINGS.get(end.status, "end"), partial=False)
    evidence = replace(call.evidence, run_end=end.status, run_end_reason=end.reason)
    return replace(
        call,
        reason=reason,
        meaning=REASONS[reason].meaning,
        suggestion=REASONS[reason].advice,
        evidence=evidence,
        policies=policies(reason, call.tool, said_text=evidence.said_text),
        ambiguous=(*call.ambiguous, f"only {name} tells how the run ended"),
    )


def _knows(found: Found, call: Call) -> bool:
    """Whether a recording tells this call: then it has told the end of its run, where it knows."""
    key, start = call.call_id_hash, call.started
    its = found.calls.values()
    return any(each.call_id_hash == key if key else each.started == start for each in its)


def _end_in(found: Found, turn: int) -> TurnEnd | None:
    """The end of a turn; a recording without prompts has its only end in any."""
    if turn in found.ends:
        return found.ends[turn]
    return next(iter(found.ends.values())) if len(found.ends) == 1 else None


def _told(call: Call, sightings: Sightings) -> Call:
    surfaces, notes = surfaces_of(call, sightings)
    return replace(call, surfaces=surfaces, ambiguous=(*call.ambiguous, *notes))


def _unstarted(sightings: Sightings, known: dict[str, list[Call]]) -> Iterator[Call]:
    """Calls that only pi's records tell of: they were given up, and no start is recorded."""
    for key, surfaces in sightings.calls.items():
        record = surfaces.get(DECISIONS)
        if record is None or key in known or len(surfaces) > 1:
            continue
        reason = GIVEN.get(record.given_up or "", "no-completion-at-run-end")
        tool = sightings.tool_of(key)
        call = Call(
            tool=tool.canonical,
            title=tool.title,
            call_id_hash=key,
            reason=reason,
            meaning=REASONS[reason].meaning,
            evidence=Seen(),
            policies=policies(reason, tool.canonical, said_text=None),
            suggestion="its start is not recorded here: read the other files of the run as well",
        )
        yield _told(call, sightings)


def _completed_elsewhere(call: Call, sightings: Sightings) -> Problem:
    where = [
        name for name, each in sightings.of(call.call_id_hash).items() if each.outcome is not None
    ]
    at = call.started
    return Problem(
        code="completed-elsewhere",
        message=f"{_name(call)} is completed by {' and '.join(where)}",
        file=at.file if at else None,
        line=at.line if at else None,
    )


def _cross_checked(
    calls: Iterable[Call], sightings: Sightings, names: dict[str, str]
) -> Iterator[Problem]:
    """Where surfaces disagree about a call, and what is wrong with a surface by itself."""
    for key, surfaces in sightings.calls.items():
        if DECISIONS in surfaces and sightings.is_completed(key):
            words = f"pi gave up on the {_tool(key, sightings)}, and its completion is recorded"
            yield Problem(code="discarded-but-completed", message=words)
    if DECISIONS in sightings.named:
        yield from _not_given_up(calls, sightings)
    for key, (file, line) in sightings.unstarted.items():
        words = f"the {_tool(key, sightings)} ends without having started"
        yield Problem(code="orphan-result", message=words, file=names.get(file), line=line)
    for file, sessions in sightings.sessions.items():
        if len(sessions) > 1:
            words = f"{len(sessions)} session ids in one recording"
            yield Problem(code="mixed-sessions", message=words, file=names.get(file))


def _not_given_up(calls: Iterable[Call], sightings: Sightings) -> Iterator[Problem]:
    """Calls of a run that ended, which pi's own records do not mention."""
    for call in calls:
        record = sightings.of(call.call_id_hash).get(DECISIONS)
        ended = call.evidence.run_end is not None and call.call_id_hash is not None
        if record is None and ended and call.reason != "denied":
            words = f"{_name(call)} has no completion here, and pi's records do not give it up"
            yield Problem(code="not-discarded", message=words)


def _tool(key: str, sightings: Sightings) -> str:
    return f"{sightings.tool_of(key).canonical} call {key}"


def _name(call: Call) -> str:
    identity = f" {call.call_id_hash}" if call.call_id_hash else ""
    return f"the {call.tool} call{identity}"
