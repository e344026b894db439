"""Why a started call has no outcome, and whether it is shown (#52; replay facts section 6).

Owns the table of reasons, and the three policies of the reference. A reason says what the recording
shows, never more: a lost completion and a refused call look alike where nothing but the start is
recorded.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from cursor_replay.events import CallCompleted
from cursor_replay.items import (
    GOOD_ENDS,
    Card,
    Incomplete,
    Item,
    Json,
    Notice,
    Prompt,
    ReasonId,
    TurnEnd,
)
from cursor_replay.lenient import as_object, as_text

Ending = Literal["end", "abort", "failure", "drain", "stopped", "cut", "live"]
"""How the run or the recording ended while the call was open."""


class Reason(NamedTuple):
    """One row: what a reader sees, what it means, and what to do about it.

    The words are the reference's where it has any.
    """

    words: str
    meaning: str
    advice: str


REASONS: dict[ReasonId, Reason] = {
    "no-completion-at-run-end": Reason(
        "missing completion",
        "the run ended well and nothing more was heard of the call",
        "a refused call looks like this too: see the permission rules and hooks of the run",
    ),
    "denied": Reason(
        "denied",
        "a permission rule, a hook or the user refused it",
        "allow it in the permission rules, or ask for it to be approved",
    ),
    "abort": Reason(
        "aborted",
        "the run was aborted or cancelled while it was open",
        "whether it took effect is not known: look at the workspace",
    ),
    "sdk-failure": Reason(
        "SDK run failed",
        "the run failed while it was open",
        "the end of the run says why it failed",
    ),
    "run-drain": Reason(
        "run ended during drain",
        "what was left of the run was thrown away while it was open",
        "the completion may be in the next turn's recording",
    ),
    "process-died": Reason(
        "no end of its run is recorded",
        "the record of the run stops while it was open",
        "look for a crash at that time; another surface may have the end",
    ),
    "capture-cut": Reason(
        "the capture was cut",
        "the recording says that it is cut, or ends inside a line",
        "record again with a higher limit, or read another surface of the run",
    ),
    "arguments-cut": Reason(
        "its arguments never arrived whole",
        "a part of its arguments was recorded, and no start",
        "the model's answer was cut off, or the capture was: then the call was not made",
    ),
    "running": Reason(
        "still running",
        "the recording is live, or was written to just now",
        "wait for it, and ask again",
    ),
    "not-recorded": Reason(
        "outcome not recorded",
        "recordings of this format hold no outcome",
        "another store of the same session may have it: render the session by its id",
    ),
}

_BY_ENDING: dict[Ending, ReasonId] = {
    "end": "no-completion-at-run-end",
    "abort": "abort",
    "failure": "sdk-failure",
    "drain": "run-drain",
    "stopped": "process-died",
    "cut": "capture-cut",
    "live": "running",
}


GIVEN: dict[str, ReasonId] = {
    "no-completion-at-run-end": "no-completion-at-run-end",
    "abort": "abort",
    "sdk-failure": "sdk-failure",
    "run-drain": "run-drain",
}
"""The words of the coordinator's records."""


ENDINGS: dict[str, Ending] = {
    "success": "end",
    "cancelled": "abort",
    "aborted": "abort",
    "error": "failure",
    "expired": "failure",
}
"""How a run ended, by the word of its end; any other word is an end like success."""


def reason_of(why: Ending, given: str | None = None, *, partial: bool) -> ReasonId:
    """The reason of a call that was open at the end.

    ``given`` is what pi's own records say, which is believed; ``partial``: only its arguments had
    begun.
    """
    if given in GIVEN:
        return GIVEN[given]
    return "arguments-cut" if partial and why != "live" else _BY_ENDING[why]


def output_seen(known: Incomplete) -> str | None:
    """What is said of a shell whose output arrived: it ran, whatever became of it."""
    if not known.outputs:
        return None
    chunks = "1 chunk" if known.outputs == 1 else f"{known.outputs:,} chunks"
    whose = ", which may be another shell's" if known.ambiguous else ""
    return f"{chunks} of output arrived{whose}"


NO_RESULT = "completed without a result"
"""What is said of a completion that carries none."""
_DENIED = re.compile(
    r"user (?:rejected|denied|declined)\b|(?:rejected|denied|declined)\.?\s*\Z"
    r"|(?:rejected|declined|permission denied): "
    r"|(?:rejected|denied|declined) by (?:a |the )?(?:policy|user|hook|rule)\b"
    r"|user chose to skip|command blocked by|blocked by (?:a |the )?(?:policy|permissions?|hook)\b",
    re.IGNORECASE,
)
"""How surfaces word a refusal (SDK formats facts section 5)."""


_BLOCKED = "Do not suggest workarounds to the blocked tool"
"""What Cursor puts behind the words of a hook that refuses (SDK formats facts 5)."""
_OF_SDK = frozenset(
    {
        "sdk-stream", "sdk-updates", "sdk-steps", "sdk-turns", "agent-messages", "sdk-store",
        "sdk-ndjson-store", "debug-artifacts", "debug-records",
    }
)  # fmt: skip
"""Formats in which a shell that completes without any result was refused (SDK formats facts 5)."""


def is_denied(card: Card, error: Json = None) -> bool:
    """Whether a surface words a refusal; ``error`` is the recorded one, which may be longer."""
    if card.status != "failed":
        return False
    words = error if isinstance(error, str) else as_text(as_object(error).get("message"))
    return _DENIED.match(card.reason or "") is not None or _BLOCKED in (words or card.reason or "")


def completed_without(card: Card, event: CallCompleted, form: str) -> ReasonId | None:
    """Why a call that ended has no usable outcome; None for all others."""
    if is_denied(card, event.outcome.error if event.outcome else None):
        return "denied"
    if card.status != "unrecorded" or card.reason != NO_RESULT:
        return None
    refused = card.source_tool == "shell" and form in _OF_SDK and not event.shortened
    return "denied" if refused else "not-recorded"


# -- policies ---------------------------------------------------------------------------------

Policy = Literal["A", "B", "C", "all", "none"]
POLICIES: dict[Policy, str] = {
    "A": "hides reads and searches after a successful run that said something",
    "B": "hides shell commands as well",
    "C": "hides every call after a successful run that said something",
    "all": "shows every call",
    "none": "shows none of them",
}
"""A to C are those of the reference, oldest first; C is the default."""
_LOCAL = frozenset({"read", "grep", "glob", "ls"})
"""Fast local tools (replay facts 2.4)."""


def is_hidden(card: Card, policy: Policy) -> bool:
    """Whether a policy leaves the card of a call that did not complete out."""
    known = card.incomplete
    if known is None or card.status != "incomplete":  # a refusal is an outcome of its own
        return False
    if policy in ("all", "none"):
        return policy == "none"
    if known.reason == "arguments-cut":  # to the reference it never started
        return known.said_text and known.run_end in GOOD_ENDS
    return hides(policy, known.reason, card.source_tool, said_text=known.said_text)


def hides(policy: Policy, reason: ReasonId, tool: str, *, said_text: bool) -> bool:
    """Whether the reference, under A, B or C, hides a call: only after a good run with a text."""
    if reason != "no-completion-at-run-end" or not said_text:
        return False
    tools = _LOCAL if policy == "A" else _LOCAL | {"shell"}
    return policy == "C" or tool in tools


_TOLD_BESIDE = frozenset({"discarded-incomplete", "incomplete-skipped"})
"""What pi's own records say of the call whose card is left out."""


def under(items: Iterable[Item], policy: Policy) -> Iterator[Item]:
    """Pass items on under a policy; what is left out of a turn is counted at its end."""
    if policy == "all":
        yield from items
        return
    left_out, turn = 0, 0
    beside: list[Item] = []
    for item in items:
        if isinstance(item, Card) and is_hidden(item, policy):
            left_out, turn = left_out + 1, item.turn
            continue
        if isinstance(item, Notice) and item.code in _TOLD_BESIDE:
            beside.append(item)
            continue
        if isinstance(item, (Prompt, TurnEnd)):
            if not left_out:
                yield from beside
            beside = []
        if left_out and isinstance(item, Prompt):
            yield _counted(left_out, turn)
            left_out = 0
        yield item
        if left_out and isinstance(item, TurnEnd):
            yield _counted(left_out, turn)
            left_out = 0
    if left_out:
        yield _counted(left_out, turn)
    else:
        yield from beside


def _counted(count: int, turn: int) -> Notice:
    calls = "1 call" if count == 1 else f"{count} calls"
    how = "--incomplete all shows them" if count > 1 else "--incomplete all shows it"
    message = f"{calls} did not complete and {'is' if count == 1 else 'are'} not shown ({how})"
    return Notice(code="incomplete-hidden", level="info", message=message, count=count, turn=turn)
