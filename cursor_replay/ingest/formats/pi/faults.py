"""What went wrong when pi showed a replayed call (replay facts sections 9.5 and 12: #35, #203).

A replay is answered from the record. A result that carries what pi's own tools leave behind may
have been made by running the call again; one that says the tool is not there was never shown.
"""

import re
from collections.abc import Iterator

from cursor_replay.events import Noted
from cursor_replay.ingest.formats.pi.blocks import said
from cursor_replay.ingest.formats.pi.records import ToolResult
from cursor_replay.ingest.formats.pi.words import Place
from cursor_replay.ingest.formats.spelled import is_true
from cursor_replay.lenient import as_object

REPLAY = "cursor-replay-"
_OWN = frozenset(
    {"truncation", "fullOutputPath", "matchLimitReached", "linesTruncated", "resultLimitReached",
     "entryLimitReached"}
)  # fmt: skip
"""Details of pi's read, bash, grep, find and ls (pi facts 1.6)."""
_ABSENT = re.compile(r"\s*Tool \S{1,100} not found\s*")
_EXECUTED = "its result carries what pi's own tool leaves behind: pi may have run the call again"
_FAULT = "pi could not show this replayed call: it has no such tool"


def faults(message: ToolResult, at: Place) -> Iterator[Noted]:
    """What is wrong with the result of a replayed call; nothing for any other."""
    if not (message.tool_call_id or "").startswith(REPLAY):
        return
    details = as_object(message.details)
    if "variant" not in details and not _OWN.isdisjoint(details):
        yield Noted(origin=at.origin, code="replay-executed", level="info", message=_EXECUTED)
    elif is_true(message.is_error) and _ABSENT.fullmatch(said(message.content)):
        yield Noted(origin=at.origin, code="replay-fault", message=_FAULT)
