"""From a call to its card: ask the tool's row, then add id, status, place and time.

Owns what holds for every tool: the status rule, the incomplete card, the deterministic ids.
"""

from dataclasses import replace

from cursor_replay.events import Outcome
from cursor_replay.items import (
    UNKNOWN_OUTCOME,
    Activity,
    Card,
    Evidence,
    Incomplete,
    Json,
    Provenance,
    Status,
    TextContent,
    Time,
    Timing,
)
from cursor_replay.normalize.bounds import LINE_CHARS, brief, heading
from cursor_replay.normalize.incomplete import Ending
from cursor_replay.normalize.json_words import compact
from cursor_replay.normalize.names import Named, collapse, resolve
from cursor_replay.normalize.tools import UNKNOWN
from cursor_replay.normalize.tools.mcp import BRIDGE_PREFIX, mcp_target
from cursor_replay.normalize.tools.recorded import RECORDED, executed_by
from cursor_replay.normalize.tools.spec import Call, Draft

NOT_ANSWERED = "no result recorded"
_PREFIX: dict[Provenance, str] = {
    "replay": "cursor-replay",
    "bridge": "cursor-pi-bridge",
    "pi": "pi",
}
"""The ids of a pi session tell by their beginning who ran a call: none may claim another's."""


def make_call(
    name: str,
    args: Json,
    *,
    outcome: Outcome | None,
    cwd: str | None,
    todos: tuple[dict[str, Json], ...] = (),
    direct_mcp: bool = False,
) -> tuple[Named, Call]:
    """The row and the call for a recorded name, its arguments and its outcome."""
    found = resolve(name, args, direct_mcp=direct_mcp)
    return found, Call(
        name=found.name,
        canonical=found.spec.canonical,
        args=args if isinstance(args, dict) else {},
        raw=None if isinstance(args, dict) else args,
        done=outcome is not None,
        status=outcome.status if outcome else None,
        value=outcome.value if outcome else None,
        error=outcome.error if outcome else None,
        cwd=cwd,
        todos=todos,
    )


def recorded_call(
    name: str,
    args: Json,
    *,
    call_id: str | None,
    outcome: Outcome | None,
    cwd: str | None,
    ours: bool,
) -> tuple[Named, Call]:
    """The row and the call of a card that a pi session holds: no tool's rule applies to it."""
    shown = collapse(name)
    return Named(RECORDED, shown), Call(
        name=shown,
        canonical=RECORDED.canonical,
        args=args if isinstance(args, dict) else {},
        raw=None if isinstance(args, dict) else args,
        done=outcome is not None,
        status=outcome.status if outcome else None,
        value=outcome.value if outcome else None,
        cwd=cwd,
        call_id=call_id,
        ours=ours,
    )


def source_tool(found: Named) -> str:
    """The canonical name, or the raw one when nobody claims it."""
    return brief(found.name) if found.spec is UNKNOWN else found.spec.canonical


def provenance(call: Call) -> Provenance:
    """``bridge`` for calls that pi itself ran (its ``pi__*`` tools), else ``replay``.

    A recorded card tells it by its id.
    """
    if call.name.startswith(BRIDGE_PREFIX) and call.canonical != RECORDED.canonical:
        return "bridge"
    if call.canonical != "mcp":
        return executed_by(call.call_id) if call.canonical == RECORDED.canonical else "replay"
    _, tool = mcp_target(call.name, call.args)
    return "bridge" if (tool or call.name).startswith(BRIDGE_PREFIX) else "replay"


def card_id(session: int, turn: int, number: int, origin: Provenance = "replay") -> str:
    """``cursor-replay-<session>-<turn>-tool-<n>``; the same input always gives the same id."""
    return f"{_PREFIX[origin]}-{session}-{turn}-tool-{number}"


def make_card(
    found: Named,
    call: Call,
    draft: Draft,
    *,
    identity: str,
    status: Status,
    turn: int,
    evidence: Evidence,
    started: Time | None = None,
    completed: Time | None = None,
    parent: str | None = None,
    reason: str | None = None,
    incomplete: Incomplete | None = None,
    revision: int = 0,
) -> Card:
    """Put a draft into its place."""
    return Card(
        id=identity,
        tool=draft.tool,
        source_tool=draft.source or source_tool(found),
        title=draft.title,
        summary=draft.summary,
        arguments=_with_raw(call, draft),
        content=(TextContent(text=draft.text),) if draft.text else (),
        images=draft.images,
        details=draft.details,
        status=status,
        reason=reason or draft.reason or _reason(call, status),
        provenance=provenance(call),
        turn=turn,
        timing=_timing(started, completed, draft.duration_ms),
        parent=parent,
        evidence=evidence,
        incomplete=incomplete,
        revision=revision,
    )


def _with_raw(call: Call, draft: Draft) -> dict[str, Json]:
    """An input that was no object (a text, a list) and that no tool made sense of is kept."""
    if call.raw is None or (call.canonical in ("unknown", "edit") and draft.body):
        return draft.arguments
    raw = call.raw if isinstance(call.raw, str) else compact(call.raw)
    return {**draft.arguments, "input": brief(raw)}


def outcome_status(call: Call, draft: Draft) -> Status:
    """``unrecorded`` unless a result stands in the source; then what the result says."""
    if not call.done:
        return "unrecorded"
    if draft.failed:
        return "incomplete" if draft.incomplete else "failed"
    return "unrecorded" if call.status == "unknown" else "succeeded"


def _reason(call: Call, status: Status) -> str | None:
    if call.failed:
        return _failure(call)
    return UNKNOWN_OUTCOME if call.status == "unknown" and status == "unrecorded" else None


def _failure(call: Call) -> str | None:
    text = call.error_text().removeprefix("Error: ")
    return brief(text) if text != "Error" and not text.startswith(("{", "[")) else None


def _timing(started: Time | None, completed: Time | None, duration: float | None) -> Timing | None:
    if started is None and completed is None and duration is None:
        return None
    return Timing(started=started, completed=completed, duration_ms=duration)


_UNANSWERED: dict[Ending, str] = {
    "abort": "aborted",
    "failure": "the turn ended in an error",
}


def unanswered(why: Ending, words: str | None) -> tuple[Status, str]:
    """Status and reason of a recorded card without a result; ``words`` are the turn's end's own.

    pi closes such a call only with the message it stands in (pi facts 1.5).
    """
    if why not in _UNANSWERED:
        return "unrecorded", NOT_ANSWERED
    return "incomplete", brief(words or _UNANSWERED[why], LINE_CHARS)


def incomplete_draft(found: Named, draft: Draft, reason: str, *, seen: str | None) -> Draft:
    """The card of a call that never completed, with its target (the reference shows none, S4).

    ``seen`` is what was seen of it since.
    """
    title = heading(_incomplete_title(found, draft), "did not complete")
    target = draft.summary
    summary = heading(target, reason, separator=" · ")
    text = heading(title, heading(target), reason, seen, separator="\n")
    source = found.spec.canonical
    known = found.spec is not UNKNOWN and source != "generateImage"
    return replace(
        draft,
        tool="cursor",
        title=title,
        summary=summary,
        text=text,
        arguments={
            "activityTitle": title,
            "activitySummary": summary,
            "incomplete": True,
            **_target(draft),
        },
        details=Activity(
            source_tool_name=source if known else "unregisteredActivity",
            title=title,
            summary=summary,
            expanded_text=text,
        ),
        failed=True,
    )


def _incomplete_title(found: Named, draft: Draft) -> str:
    return draft.title if found.spec is UNKNOWN else found.spec.title


def _target(draft: Draft) -> dict[str, Json]:
    """What the call was about, bounded: never a whole file."""
    keys = ("path", "command", "pattern", "query", "url", "toolName", "description")
    return {key: brief(value) for key in keys if isinstance(value := draft.arguments.get(key), str)}
