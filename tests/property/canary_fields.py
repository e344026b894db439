"""What is structure in a store, a folder and a text: all other strings can hold a secret.

A table a kind of recording. ``fixed`` has to stay, or the recording is not read as such: what a
record is, ids that are part of another string, times, sealed bytes. ``joins`` are ids that mean the
same wherever they stand, so the same secret stands for them. Of a path in ``parted`` the last part
is shown alone, and half a secret is known to no rule: it gets one without a slash.
"""

import json
import re
from typing import Any, NamedTuple

from canaries import Turns
from recorded import changed


class Kind(NamedTuple):
    """The keys of a kind of recording that are no text."""

    fixed: frozenset[str]
    joins: frozenset[str]
    names: frozenset[str]
    parted: frozenset[str] = frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SDK = Kind(
    fixed=_words("""
        builder status type role kind created updated ended at agents runs run_events
    """),
    joins=_words("id agent agentId agent_id runId run_id active call_id request_id"),
    names=_words("name"),
)
KINDS: dict[str, Kind] = {
    "chat-store": Kind(
        fixed=_words("""
            builder folder open meta_form root_form key root role type __type hex mimeType data
            created_at updated_at
        """),
        joins=_words("agentId toolCallId tool_call_id id"),
        names=_words("toolName name"),
    ),
    "ide-state": Kind(
        fixed=_words("""
            builder key composerId bubbleId subagentComposerIds parentComposerId agentId
            generatingBubbleIds createdAt status type scheme workspaceId id beforeContentId
            afterContentId
        """),
        joins=_words("toolCallId modelCallId"),
        names=_words("name"),
    ),
    "sdk-store": _SDK,
    "sdk-ndjson-store": _SDK,
    "debug-artifacts": Kind(
        fixed=_words("""
            ts capturedAt createdAt updatedAt startedAt finalizedAt timestamp phase event type role
            status kind case variant source mode layer outcome reason action disposition callIdHash
            identity parentId
        """),
        joins=_words("""
            callId call_id toolCallId replayToolId toolId piToolCallId modelCallId id runId run_id
            agentId agent_id session_id
        """),
        names=_words("toolName piToolName sourceToolName name"),
        parted=_words("sessionKey"),
    ),
    "legacy-txt": Kind(frozenset(), frozenset(), frozenset()),
    "cloud-sse": Kind(
        fixed=_words("type status runId agentId"),
        joins=_words("callId"),
        names=_words("name"),
    ),
}


def filled(value: Any, kind: Kind, turns: Turns, *, names: bool = False) -> Any:
    """A JSON value with a secret in every field, also in those of JSON inside a string.

    ``names`` are those of tools too; a call of another name is shown in another way.
    """

    def put(place: tuple[str | int, ...], text: str) -> str:
        key = next((each for each in reversed(place) if isinstance(each, str)), "")
        if key in kind.fixed or (key in kind.names and not names):
            return text
        if key in kind.parted:
            return turns(text, without="/")
        if text[:1] in ("{", "["):
            try:
                return json.dumps(filled(json.loads(text), kind, turns, names=names))
            except ValueError:
                pass
        return turns.same(text) if key in kind.joins | kind.names else turns(text)

    return changed(value, put)


_PAYLOADS = frozenset(
    {"args", "input", "arguments", "params", "result", "value", "output", "success"}
)


def keyed(value: Any, turns: Turns, *, inside: bool = False) -> Any:
    """A JSON value in which each object of a tool's payload has a secret as a key as well."""
    if isinstance(value, list):
        return [keyed(each, turns, inside=inside) for each in value]
    if not isinstance(value, dict):
        return value
    more = {f"{turns.next()} ": 1} if inside else {}
    return {
        **{
            key: keyed(each, turns, inside=inside or key in _PAYLOADS)
            for key, each in value.items()
        },
        **more,
    }


def filled_lines(text: str, kind: Kind, turns: Turns, *, names: bool = False) -> str:
    """A JSON document or JSON lines with a secret in every field; behind a line that is cut off."""
    try:
        return json.dumps(filled(json.loads(text), kind, turns, names=names))
    except ValueError:
        lines = text.splitlines()
    if len(lines) < 2:
        return f"{text} {turns.next()}"
    return "\n".join(filled_lines(each, kind, turns, names=names) for each in lines) + "\n"


_DATA = re.compile(r"(data: ?)(.+)")
_MARKS = re.compile(
    r"(?:event|id|retry):.*|user:|assistant:|A:|</?user_query>|</?attached_files>|@@|\*\*\* \w+ Patch|"
)
_BEGINS = re.compile(
    r"(\[Thinking\] |Turn ended: \w+\.?|  \w+: |\*\*\* \w+ File: |[-+](?=\S)|: |)(.*)", re.DOTALL
)
_NAMED = re.compile(r"(\[Tool (?:call|result)\] )(.*)")


def filled_text(text: str, kind: Kind, turns: Turns, *, names: bool = False) -> str:
    """A text with a secret in every line that says something, also in the data of an event."""
    return "\n".join(_line(each, kind, turns, names=names) for each in text.split("\n"))


def _line(line: str, kind: Kind, turns: Turns, *, names: bool) -> str:
    if _MARKS.fullmatch(line):
        return line
    if data := _DATA.fullmatch(line):
        return data[1] + " ".join(filled_lines(data[2], kind, turns, names=names).split("\n"))
    if named := _NAMED.fullmatch(line):
        return named[1] + (" ".join(turns.same(named[2]).split("\n")) if names else named[2])
    begins = _BEGINS.fullmatch(line)
    assert begins
    said = turns(begins[2])
    return begins[1] + (" ".join(said.split("\n")) if begins[1] == ": " else said)
