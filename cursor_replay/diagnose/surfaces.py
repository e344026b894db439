"""What each surface says of one call, in words."""

from collections import Counter
from collections.abc import Sequence

from cursor_replay.diagnose.collect import Found
from cursor_replay.diagnose.report import Call, SurfaceSays
from cursor_replay.diagnose.sightings import DECISIONS, SILENT, Sighting, Sightings
from cursor_replay.items import ReasonId
from cursor_replay.normalize.bounds import plural
from cursor_replay.normalize.incomplete import GIVEN, REASONS

_ENDED = {
    "success": ("completed", "completed"),
    "unknown": ("completed", "completed, without a word of how it went"),
    "error": ("failed", "ended with an error"),
    "none": ("no-result", "completed without a result"),
}


def surfaces_of(
    call: Call, tellers: Sequence[Found], run: Sequence[Found]
) -> tuple[tuple[SurfaceSays, ...], tuple[str, ...]]:
    """What every surface of a run says of a call, and what of it is not certain.

    ``tellers`` are the recordings that tell it without an id.
    """
    told: dict[str, SurfaceSays] = {}
    notes = []
    for found in run:
        is_teller = any(found is each for each in tellers)
        for surface in found.sightings.named:
            says = _says(surface, call, found, run, is_teller=is_teller)
            known = told.get(surface)
            if known is None or known.state in _NOTHING:
                told[surface] = says
            if says.state == "likely":
                notes.append(f"{surface} may tell its completion: it has no ids")
    return tuple(told.values()), tuple(dict.fromkeys(notes))


_NOTHING = ("not-mentioned", "silent", "no-id")


def _says(
    surface: str, call: Call, found: Found, run: Sequence[Found], *, is_teller: bool
) -> SurfaceSays:
    sightings = found.sightings
    seen = sightings.of(call.call_id_hash).get(surface)
    if seen is not None:
        return _said(surface, seen, call, sightings)
    if is_teller and surface != DECISIONS:
        says = "tells it without an id"
        return SurfaceSays(surface=surface, state="no-id", says=says)
    if count := _likely(call.call_id_hash, surface, sightings, run):
        says = f"tells {plural(count, 'completed call')} of this tool with these arguments"
        return SurfaceSays(surface=surface, state="likely", says=f"{says}, without an id")
    if surface in SILENT:
        return SurfaceSays(surface=surface, state="silent", says=SILENT[surface])
    if call.call_id_hash is None:
        says = "the call has no id to look for"
        return SurfaceSays(surface=surface, state="no-id", says=says)
    return SurfaceSays(surface=surface, state="not-mentioned", says="does not mention it")


def _likely(call: str | None, surface: str, sightings: Sightings, run: Sequence[Found]) -> int:
    """Completions of this tool and these arguments that a surface without ids has to spare.

    Taken off are those that belong to calls which are known to have completed.
    """
    all_of = [each.sightings for each in run]
    shape = next((each.shape_of[call] for each in all_of if call in each.shape_of), "")
    told = sightings.shapes.get(surface, Counter())[shape]
    alike = {other for each in all_of for other, its in each.shape_of.items() if its == shape}
    known = sum(any(each.is_completed(other) for each in all_of) for other in alike)
    return max(0, told - known)


def _said(surface: str, seen: Sighting, call: Call, sightings: Sightings) -> SurfaceSays:
    if surface == DECISIONS:
        return SurfaceSays(surface=surface, state="given-up", says=_given_up(seen, call, sightings))
    if seen.outcome is not None:
        state, says = _ENDED[seen.outcome]
        if call.reason == "denied":
            says = f"refused ({says})"
        return SurfaceSays(surface=surface, state=state, says=says, line=seen.ended)
    if seen.started is not None:
        says = "started, and never completed"
        return SurfaceSays(surface=surface, state="started", says=says, line=seen.started)
    says = "a part of its arguments, and no start"
    return SurfaceSays(surface=surface, state="arguments", says=says, line=seen.arguments)


def _given_up(seen: Sighting, call: Call, sightings: Sightings) -> str:
    reason = GIVEN.get(seen.given_up or "")
    why = f": {REASONS[reason].words}" if reason else ", without a reason known here"
    hidden = sightings.left_out[call.tool]
    shown = f"; no card for {plural(hidden, f'{call.tool} call')}" if hidden else ""
    return f"gave up on it{why}{shown}"


def reason_words(reason: ReasonId) -> str:
    """The reason in the reference's words."""
    return REASONS[reason].words
