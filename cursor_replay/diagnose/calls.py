"""From a sealed card to the ``Call`` of the report, if it has no usable outcome.

Owns which cards those are, what they were about, and what the reference would have shown.
"""

from cursor_replay.diagnose.report import Call, Policies, Seen, Shown, Started
from cursor_replay.items import UNKNOWN_OUTCOME, Card, Incomplete, ReasonId
from cursor_replay.normalize.cards import NOT_ANSWERED
from cursor_replay.normalize.incomplete import (
    NO_RESULT,
    REASONS,
    Policy,
    hides,
    is_denied,
)
from cursor_replay.normalize.tools import TOOLS

_TARGETS = ("command", "pattern", "query", "path", "url", "toolName", "description", "prompt")
"""The most telling first: many searches look into one folder."""
_TARGET_CHARS = 120
_KNOWN = frozenset(spec.canonical for spec in TOOLS)
_SUFFIX = " did not complete"
_BY_TITLE = {spec.title: spec.canonical for spec in reversed(TOOLS)}
_OF_PI = {"bash": "shell", "find": "glob"}
_BY_WORDS = {row.words: reason for reason, row in REASONS.items()}
_NO_CARD: frozenset[ReasonId] = frozenset(
    {"process-died", "capture-cut", "arguments-cut", "running", "not-recorded"}
)
"""Reasons for which the reference has no rule: it never got so far, or never reads such a file."""
_WELL_ENDED: ReasonId = "no-completion-at-run-end"
_WHOSE = "its output may be that of another shell"
_RAN = "it ran, for output arrived; whether it came to its end is not known"


def call_of(card: Card) -> Call | None:
    """The report of a card; None when its outcome is there, or pi itself ran it."""
    reason = reason_of(card)
    if reason is None:
        return None
    known = card.incomplete or Incomplete(reason=reason)
    row = REASONS[reason]
    lacks = reason == "not-recorded" and card.reason in (NO_RESULT, NOT_ANSWERED)
    tool = _tool(card)
    return Call(
        tool=tool,
        title=card.title.removesuffix(_SUFFIX),
        target=target_of(card),
        call_id_hash=known.call_id_hash,
        reason=reason,
        meaning=(card.reason or "") if lacks else row.meaning,
        started=_started(card),
        evidence=_seen(known, card),
        policies=policies(reason, tool, said_text=known.said_text),
        suggestion=_RAN if known.outputs and not known.ambiguous else row.advice,
        ambiguous=(_WHOSE,) if known.ambiguous and known.outputs else (),
    )


def reason_of(card: Card) -> ReasonId | None:
    """Why a card has no usable outcome, or None. Bridged calls are pi's to report."""
    if card.provenance == "bridge" or card.status == "running":
        return None
    if card.incomplete is not None:
        return card.incomplete.reason
    if card.status == "incomplete":
        return _BY_WORDS.get(card.reason or "", _WELL_ENDED)
    if is_denied(card):
        return "denied"
    lacks = card.status == "unrecorded" and card.reason != UNKNOWN_OUTCOME
    return "not-recorded" if lacks else None


def _tool(card: Card) -> str:
    """Cursor's name of the tool; a card of a pi session has pi's, or stands for any other."""
    if card.source_tool != card.tool:
        return card.source_tool
    named = _BY_TITLE.get(card.title.removesuffix(_SUFFIX)) if card.tool == "cursor" else None
    return named or _OF_PI.get(card.tool, card.tool)


def target_of(card: Card) -> str | None:
    """What a call was about, on one line; its text is masked already and may be cut."""
    values = (card.arguments.get(key) for key in _TARGETS)
    text = next((each for each in values if isinstance(each, str) and each.strip()), None)
    return _one_line(text if text is not None else _summary(card))


def _summary(card: Card) -> str | None:
    """What a card says of its target; where that is the arguments themselves it stays out."""
    why = card.reason or ""
    text = (card.summary or "").removesuffix(f" · {why}").removesuffix(why)
    return text if card.source_tool in _KNOWN and not text.startswith(("{", "[")) else None


def _one_line(text: str | None) -> str | None:
    line = " ".join((text or "").split())
    if len(line) > _TARGET_CHARS:
        line = line[: _TARGET_CHARS - 1] + "…"
    return line or None


def policies(reason: ReasonId, tool: str, *, said_text: bool | None) -> Policies:
    """What the reference would have shown under each of its three policies (replay facts 6).

    ``said_text`` None: whether the agent said anything is not known.
    """

    def shown(policy: Policy) -> Shown:
        if reason in _NO_CARD or (said_text is None and reason == _WELL_ENDED):
            return "unknown"
        if reason == "abort":
            return "trace"
        return "hidden" if hides(policy, reason, tool, said_text=bool(said_text)) else "card"

    return Policies(A=shown("A"), B=shown("B"), C=shown("C"))


def _started(card: Card) -> Started:
    at = card.evidence
    return Started(
        file=at.file,
        line=at.line,
        row=at.row,
        turn=card.turn,
        time=card.timing.started if card.timing else None,
    )


def _seen(known: Incomplete, card: Card) -> Seen:
    return Seen(
        partial_arguments=known.partials,
        output_chunks=known.outputs,
        last_output=known.last_output,
        last_output_at=known.last_output_at,
        output_ambiguous=known.ambiguous,
        siblings_completed=known.siblings,
        siblings=known.sibling_names,
        run_end=known.run_end,
        said_text=known.said_text,
        open_ms=known.elapsed_ms,
        refusal=_one_line(card.reason) if known.reason == "denied" else None,
    )
