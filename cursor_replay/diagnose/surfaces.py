"""What each surface says of one call, in words."""

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
    call: Call, sightings: Sightings
) -> tuple[tuple[SurfaceSays, ...], tuple[str, ...]]:
    """What every surface that was read says, and what of the joins is not certain."""
    seen = sightings.of(call.call_id_hash)
    told = []
    notes = []
    for surface in sightings.named:
        if surface in seen:
            told.append(_said(surface, seen[surface], call, sightings))
        elif count := sightings.likely(call.call_id_hash, surface):
            says = f"tells {plural(count, 'completed call')} of this tool with these arguments"
            told.append(SurfaceSays(surface=surface, state="likely", says=f"{says}, without an id"))
            notes.append(f"{surface} may tell its completion: it has no ids")
        elif call.call_id_hash is None:
            says = "the call has no id to look for"
            told.append(SurfaceSays(surface=surface, state="no-id", says=says))
        elif surface in SILENT:
            told.append(SurfaceSays(surface=surface, state="silent", says=SILENT[surface]))
        else:
            says = "does not mention it"
            told.append(SurfaceSays(surface=surface, state="not-mentioned", says=says))
    return tuple(told), tuple(notes)


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
