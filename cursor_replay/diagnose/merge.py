"""Recordings to one report: in a run a call is one, however many surfaces tell of it.

Calls are the same by the hash of their id, else by tool and target, which is said. The most telling
reason wins; what other recordings of the run know (its end, an outcome) is used and said.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cursor_replay.diagnose.calls import policies
from cursor_replay.diagnose.checks import completed_elsewhere, cross_checked
from cursor_replay.diagnose.collect import Found
from cursor_replay.diagnose.report import Call, Problem, Report, Seen
from cursor_replay.diagnose.runs import runs_in
from cursor_replay.diagnose.sightings import DECISIONS
from cursor_replay.diagnose.surfaces import surfaces_of
from cursor_replay.items import ReasonId, TurnEnd
from cursor_replay.normalize.bounds import plural
from cursor_replay.normalize.incomplete import ENDINGS, GIVEN, REASONS, reason_of

_TELLING: tuple[ReasonId, ...] = (
    "denied", "abort", "sdk-failure", "run-drain", "no-completion-at-run-end", "arguments-cut",
    "running", "capture-cut", "process-died", "not-recorded",
)  # fmt: skip
"""Reasons, the most telling first."""
_END_UNKNOWN: tuple[ReasonId, ...] = ("capture-cut", "process-died", "running")

_Told = tuple[Found, Call]
"""A call, and the recording that tells it."""


def report_of(found: Sequence[Found]) -> Report:
    """The report on recordings, of one run or of several."""
    calls: list[Call] = []
    problems = [problem for each in found for problem in each.problems]
    for run in runs_in(found):
        its, more = _of_run(run)
        calls += its
        problems += more
    scrubbed = all(each.scrubbed for each in found)
    return Report(
        recordings=tuple(each.recording for each in found),
        calls=tuple(calls if scrubbed else (replace(each, scrubbed=False) for each in calls)),
        counted=tuple(sum((each.counted for each in found), Counter()).most_common()),
        problems=tuple(problems),
        scrubbed=scrubbed,
    )


def _of_run(run: Sequence[Found]) -> tuple[list[Call], list[Problem]]:
    calls: list[Call] = []
    problems: list[Problem] = []
    for group in _groups(run):
        call = _joined(group)
        if call.reason != "denied" and (where := completed_elsewhere(call, group, run)):
            problems.append(where)
            continue
        call = _with_given_reason(_with_known_end(call, group, run), run)
        calls.append(_with_surfaces(call, group, run))
    calls += _unstarted(run, calls)
    return calls, [*problems, *cross_checked(calls, run)]


def _groups(run: Sequence[Found]) -> list[list[_Told]]:
    """The calls of a run, each with all that tell it; one recording tells a call once."""
    groups: list[list[_Told]] = []
    for found in run:
        for call in map(found.with_end, found.calls.values()):
            free = [each for each in groups if all(other is not found for other, _ in each)]
            home = next((each for each in free if _is_same(call, each)), None)
            if home is None:
                groups.append([(found, call)])
            else:
                home.append((found, call))
    return groups


def _is_same(call: Call, group: Sequence[_Told]) -> bool:
    for _, other in group:
        if call.call_id_hash and other.call_id_hash:
            if call.call_id_hash == other.call_id_hash:
                return True
        elif (call.tool, call.target, call.reason) == (other.tool, other.target, other.reason):
            return True
    return False


def _joined(group: Sequence[_Told]) -> Call:
    """One call that several recordings tell: the most telling reason, the fullest evidence."""
    order = sorted((call for _, call in group), key=lambda each: _TELLING.index(each.reason))
    best = order[0]
    if len(group) == 1:
        return best
    evidence = best.evidence
    for each in order[1:]:
        evidence = _fuller(evidence, each.evidence)
    timed = [each for each in order if each.started and each.started.time]
    notes = [note for each in order for note in each.ambiguous]
    if len({each.call_id_hash for each in order}) > 1:
        notes.append("joined by tool and target with a surface that has no ids")
    return replace(
        best,
        target=next((each.target for each in order if each.target), None),
        call_id_hash=next((each.call_id_hash for each in order if each.call_id_hash), None),
        started=(timed or order)[0].started,
        evidence=evidence,
        policies=policies(best.reason, best.tool, said_text=evidence.said_text),
        ambiguous=tuple(dict.fromkeys(notes)),
    )


def _fuller(one: Seen, other: Seen) -> Seen:
    """What two recordings saw of one call. The same things are counted in both: the larger one."""
    return Seen(
        partial_arguments=max(one.partial_arguments, other.partial_arguments),
        output_chunks=max(one.output_chunks, other.output_chunks),
        last_output=one.last_output or other.last_output,
        last_output_at=one.last_output_at or other.last_output_at,
        output_ambiguous=one.output_ambiguous or other.output_ambiguous,
        siblings_completed=max(one.siblings_completed, other.siblings_completed),
        siblings=max(one.siblings, other.siblings, key=len),
        run_end=one.run_end or other.run_end,
        run_end_reason=one.run_end_reason or other.run_end_reason,
        said_text=one.said_text or other.said_text,
        open_ms=one.open_ms if one.open_ms is not None else other.open_ms,
        refusal=one.refusal or other.refusal,
    )


def _with_known_end(call: Call, group: Sequence[_Told], run: Sequence[Found]) -> Call:
    """The reason that the end of the run gives, where nothing that tells the call tells it."""
    if call.reason not in _END_UNKNOWN or call.started is None:
        return call
    others = (each for each in run if all(each is not found for found, _ in group))
    turn = call.started.turn
    told = ((each.name, end) for each in others if (end := _end_in(each, turn)))
    name, end = next(told, (None, None))
    if end is None:
        return call
    reason = reason_of(ENDINGS.get(end.status, "end"), partial=False)
    evidence = replace(call.evidence, run_end=end.status, run_end_reason=end.reason)
    notes = (*call.ambiguous, f"only {name} tells how the run ended")
    return replace(_for_reason(call, reason), evidence=evidence, ambiguous=notes)


def _with_given_reason(call: Call, run: Sequence[Found]) -> Call:
    """The reason of pi's own records, which is believed."""
    records = (each.sightings.of(call.call_id_hash).get(DECISIONS) for each in run)
    given = next((GIVEN.get(each.given_up or "") for each in records if each), None)
    if given is None or call.reason in (given, "denied"):
        return call
    return _for_reason(call, given)


def _for_reason(call: Call, reason: ReasonId) -> Call:
    row = REASONS[reason]
    shown = policies(reason, call.tool, said_text=call.evidence.said_text)
    return replace(call, reason=reason, meaning=row.meaning, suggestion=row.advice, policies=shown)


def _end_in(found: Found, turn: int) -> TurnEnd | None:
    """The end of a turn; a recording without prompts has its only end in any."""
    if turn in found.ends:
        return found.ends[turn]
    return next(iter(found.ends.values())) if len(found.ends) == 1 else None


def _with_surfaces(call: Call, group: Sequence[_Told], run: Sequence[Found]) -> Call:
    surfaces, notes = surfaces_of(
        call, [found for found, its in group if its.call_id_hash is None], run
    )
    lost = sum(found.lost for found, _ in group)
    if lost:
        pieces = plural(lost, "piece")
        notes = (*notes, f"{pieces} of its recording could not be read: its end may be there")
    return replace(call, surfaces=surfaces, ambiguous=(*call.ambiguous, *notes))


def _unstarted(run: Sequence[Found], known: Sequence[Call]) -> Iterator[Call]:
    """Calls that only pi's records tell of: they were given up, and no start is recorded."""
    told = {call.call_id_hash for call in known}
    for found in run:
        for key, surfaces in found.sightings.calls.items():
            record = surfaces.get(DECISIONS)
            others = (each.sightings.of(key).keys() - {DECISIONS} for each in run)
            if record is None or key in told or any(others):
                continue
            told.add(key)
            reason = GIVEN.get(record.given_up or "", "no-completion-at-run-end")
            tool = found.sightings.tool_of(key)
            call = Call(
                tool=tool.canonical,
                title=tool.title,
                call_id_hash=key,
                reason=reason,
                meaning=REASONS[reason].meaning,
                evidence=Seen(),
                policies=policies(reason, tool.canonical, said_text=None),
                suggestion="its start is not recorded here: read the other files of the run too",
            )
            yield _with_surfaces(call, [], run)
