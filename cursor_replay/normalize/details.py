"""Recorded card details back to typed ones (replay facts 3.18).

The reading side of the ``details`` union, for cards that another program wrote: unknown variants
are no details, unknown fields are dropped, wrong-typed fields are absent, and nothing is repaired
into something it was not.
"""

import re
from dataclasses import fields
from typing import Any, get_args

from cursor_replay.items import (
    Activity,
    Details,
    GenerateImage,
    GenericFallback,
    Json,
    NativeEdit,
    NativeWrite,
    camel,
)
from cursor_replay.lenient import as_int, as_text
from cursor_replay.normalize.diffs import count_changes
from cursor_replay.normalize.tools import REFERENCE, TOOLS

_VARIANTS: dict[str, type[Any]] = {
    "nativeEdit": NativeEdit,
    "nativeWrite": NativeWrite,
    "activity": Activity,
    "generateImage": GenerateImage,
    "genericFallback": GenericFallback,
}
_OTHER = {"generateImage"}
_SOURCES = frozenset({spec.canonical for spec in REFERENCE} - _OTHER)
_OURS = frozenset({spec.canonical for spec in TOOLS} - _OTHER)
_UNREGISTERED = "unregisteredActivity"


def read_details(value: Json, *, ours: bool = False) -> Details | None:
    """The details of a recorded card, None when they are none we know.

    In a session of ``ours`` an activity may be of any tool of the table, else of the reference's.
    """
    variant = value.get("variant") if isinstance(value, dict) else None
    kind = _VARIANTS.get(variant) if isinstance(variant, str) else None
    if kind is None:
        return None
    if kind is Activity:
        return _activity(value, _OURS if ours else _SOURCES)
    return _made(kind, value)


_NUMBERED = re.compile(r"^([+-]) *\d+(?: |$)", re.MULTILINE)


def pi_edit(args: dict[str, Json], value: Json) -> NativeEdit | None:
    """The details of pi's own ``edit``, which name no variant: ``diff``, ``patch`` (pi facts 1.6).

    Counts come from the patch; a diff in pi's numbered form has a sign and a number on every line.
    """
    if not isinstance(value, dict) or "variant" in value:
        return None
    diff, patch = as_text(value.get("diff")), as_text(value.get("patch"))
    if not (diff or patch):
        return None
    counts = count_changes(patch or diff or "")
    signs = _NUMBERED.findall(diff or "")
    return NativeEdit(
        path=as_text(args.get("path")),
        diff_string=diff or patch,
        diff=diff or patch,
        lines_added=counts.added if counts else signs.count("+") if signs else None,
        lines_removed=counts.removed if counts else signs.count("-") if signs else None,
        first_changed_line=as_int(value.get("firstChangedLine")),
    )


def _activity(value: dict[str, Json], sources: frozenset[str]) -> Details | None:
    if not (as_text(value.get("title")) or "").strip():
        return None
    source = value.get("sourceToolName")
    known = source if isinstance(source, str) and source in sources else _UNREGISTERED
    return _made(Activity, {**value, "sourceToolName": known})


def _made(kind: type[Any], value: dict[str, Json]) -> Details:
    """Every declared field whose value has exactly its declared type (a bool is no number)."""
    known = {each.name: value.get(camel(each.name)) for each in fields(kind)}
    types = {each.name: get_args(each.type) or (each.type,) for each in fields(kind)}
    del known["variant"]
    kept = {k: v for k, v in known.items() if v is not None and type(v) in types[k]}
    made: Details = kind(**kept)
    return made
