"""What stands beside a message of ours under ``cursorReplay``, because pi has no field for it.

pi keeps unknown fields of an entry and ignores them (pi facts 1.2). Shapes, every key optional:

- of an assistant message ``cards`` (call id to the public JSON of its card, without what the
  message and the result say already; ``diff`` is the change in pi's form where no result carries
  it, ``arguments`` are the recorded ones where pi's tool does not take them as they are) and
  ``end`` (the public JSON of the turn's recorded end)
- of a user's message ``context`` (what surrounded the prompt)
- of every message ``time`` (the recorded time; absent when the entry's own is only carried on)

Owns the two spellings of a change in ``details``: pi draws ``diff`` in a numbered form of its own,
the recorded text stands in ``patch`` (pi facts 1.6).
"""

from typing import Any

CHANGES = ("nativeEdit", "activity")
"""The variants of details that hold a change."""
CARRIED = frozenset({"type", "id", "tool", "arguments", "turn", "revision"})
"""Fields of a card that stand in the message itself, or depend on the place in the file."""

Fields = dict[str, Any]


def for_pi(details: Fields, shown: str) -> Fields:
    """Details as pi wants them: ``diff`` is ``shown``, the recorded text moves to ``patch``."""
    if details.get("variant") not in CHANGES:
        return details
    rest = {key: value for key, value in details.items() if key != "diff"}
    if "diff" in details:
        rest["patch"] = details["diff"]
    return {**rest, "diff": shown} if shown else rest


def from_pi(details: Fields) -> Fields:
    """The details that :func:`for_pi` was given."""
    if details.get("variant") not in CHANGES:
        return details
    rest = {key: value for key, value in details.items() if key not in ("diff", "patch")}
    return {**rest, "diff": details["patch"]} if "patch" in details else rest
