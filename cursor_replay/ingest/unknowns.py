"""What a recording of each format cannot know, in sentences for its readers.

Told where a recording is turned into another program's session, which would otherwise look as if it
knew. ``docs/formats.md`` says the same at length.
"""

from collections.abc import Mapping
from types import MappingProxyType

_OUTCOMES = "whether a call went well, and what it gave"
_TOKENS = "how many tokens were used"
_TIMES = "when anything happened, unless a prompt says so"
_RUN = "which tokens a turn used: the count is that of the run"
_CUT = "how many tokens a turn used whose end is not in it"
_STEPS = "which of two calls with the same arguments is which: calls have no ids"
_COSTS = "what it cost"
_ORDER = "the order of calls that ran side by side"

_KNOWN: dict[str, tuple[str, ...]] = {
    "transcript": (_OUTCOMES, "the thoughts that were taken out", _TOKENS, _TIMES),
    "transcript-json": (_TOKENS, "whether a result without a status went well"),
    "legacy-txt": (
        "where a value ends: its marks are not escaped, so a text can look like a call",
        "whether a call went well",
        _TOKENS,
    ),
    "agent-messages": (_STEPS, _TOKENS),
    "sdk-stream": (_CUT, "how much output arrived before a call ended"),
    "sdk-updates": (_CUT, _ORDER, "how a call went whose completion carries no result"),
    "sdk-steps": (_STEPS, _TOKENS, "a call that began and never ended"),
    "sdk-turns": (_STEPS, _TOKENS, "a call that began and never ended"),
    "stream-json": (_RUN, "what sub-agents did"),
    "acp": (_RUN, "what happened before the dump began"),
    "hooks": (_RUN, "calls that no hook was asked about", "the answer between two calls"),
    "debug-records": ("what the other files of the turn's folder tell",),
    "debug-artifacts": ("what was over the limit of an artifact", "a turn that crashed"),
    "pi-session": ("which details pi dropped from the results of failed calls",),
    "cloud-sse": (_RUN, "what the stream sent before it was opened"),
    "sdk-store": (_TOKENS,),
    "sdk-ndjson-store": (_TOKENS,),
    "chat-store": (_TOKENS, "when a call began and ended", "what a compaction took out"),
    "ide-state": (_TOKENS, "when a call ended", "what the IDE has purged"),
}

UNKNOWNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {name: (*known, _COSTS) for name, known in _KNOWN.items()}
)
"""Format name to what it cannot know; costs are recorded nowhere."""
