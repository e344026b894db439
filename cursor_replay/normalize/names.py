"""Which row of ``TOOLS`` a recorded name means (replay facts 2.2 and 2.3).

Names are compared without case and by own keys only: ``constructor`` is just an unknown tool.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from cursor_replay.items import Json
from cursor_replay.lenient import as_text
from cursor_replay.normalize.bounds import one_line
from cursor_replay.normalize.tools import INDEX, UNKNOWN
from cursor_replay.normalize.tools.mcp import DIRECT
from cursor_replay.normalize.tools.spec import ToolSpec

_WEB_WORDS = {
    "webSearch": r"web[-_ ]?search|search[-_ ]?web|browser[-_ ]?search",
    "webFetch": r"web[-_ ]?fetch|fetch[-_ ]?web|browser[-_ ]?fetch|fetch[-_ ]?url",
}
_WEB = {kind: re.compile(words, re.IGNORECASE) for kind, words in _WEB_WORDS.items()}


class Named(NamedTuple):
    """The row, and the name as it may be shown (white space collapsed, case kept)."""

    spec: ToolSpec
    name: str


def collapse(name: str) -> str:
    """Runs of white space to one space, trimmed; nothing left is ``unknown``."""
    return one_line(name) or "unknown"


def resolve(name: str, args: Json, *, direct_mcp: bool = False) -> Named:
    """The row for a recorded name; ``direct_mcp`` reads ``<server>-<tool>`` as an MCP call.

    Web tools are found under the raw name, the normalised name and, for MCP calls only, the
    tool name in the arguments. The provider is not consulted.
    """
    found = _row(name, direct_mcp)
    if found.spec.canonical == "mcp" and (web := _inner_web_kind(args)):
        return Named(INDEX[web.lower()], found.name)
    return found


@lru_cache(maxsize=512)
def _row(name: str, direct_mcp: bool) -> Named:  # noqa: FBT001 - a cache key
    """A session calls few names very often."""
    shown = collapse(name.removeprefix("functions."))
    spec = INDEX.get(shown.lower(), UNKNOWN)
    if spec is UNKNOWN and (
        (direct_mcp and DIRECT.fullmatch(shown)) or shown.lower().startswith("mcp_")
    ):
        spec = INDEX["mcp"]
    web = web_kind(shown)
    return Named(INDEX[web.lower()] if web else spec, shown)


def web_kind(name: str) -> str | None:
    """``webSearch`` or ``webFetch`` when the whole name says so, with at most one separator."""
    return next((kind for kind, words in _WEB.items() if words.fullmatch(name)), None)


def _inner_web_kind(args: Json) -> str | None:
    if not isinstance(args, dict):
        return None
    inner = as_text(args.get("toolName")) or as_text(args.get("tool_name"))
    return web_kind(inner.strip()) if inner else None
