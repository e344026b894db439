"""edit in all its dialects (replay facts 3.6): StrReplace, ApplyPatch, notebooks, SDK diffs.

A card is pi's own ``edit`` only when the recorded arguments satisfy pi's schema: a path and
replacements with a non-empty old text. Path-only edits, patches and notebooks are neutral.
"""

from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from cursor_replay.items import Json, NativeEdit
from cursor_replay.lenient import ABSENT_ON_ERROR, Text, as_int, as_object, as_text
from cursor_replay.normalize.bounds import bounded, heading, plural
from cursor_replay.normalize.diffs import (
    PatchFile,
    count_changes,
    first_hunk_line,
    patch_as_diff,
    read_patch,
    with_display_paths,
)
from cursor_replay.normalize.tools.activity import activity
from cursor_replay.normalize.tools.files import NO_PATH
from cursor_replay.normalize.tools.spec import (
    PATH,
    Arguments,
    Call,
    Draft,
    named,
    native,
    present,
)

_OLD = ("oldText", "old_text", "oldString", "old_string", "oldStr", "old_str")
_NEW = ("newText", "new_text", "newString", "new_string", "newStr", "new_str")
_DIFF = ("diffString", "diff", "unifiedDiff", "patch")
_CELL = {
    "cellId", "cell_id", "cellIndex", "cell_index", "cellType", "cell_type", "notebookPath",
    "notebook_path", "target_notebook", "cell_idx",
}  # fmt: skip


_SEPARATORS = str.maketrans("", "", " \t_-")


class EditArgs(Arguments):
    """Every spelling of an edit; ``strReplace`` and ``multiStrReplace`` are the 2025 forms."""

    path: Text = named(*PATH, "notebookPath", "notebook_path", "target_notebook")
    edits: Annotated[list[Any] | None, ABSENT_ON_ERROR] = named("edits")
    patch: Text = named("patch", "patchContent", "input")


def edit(call: Call) -> Draft:
    """An edit card: pi's when it can be, else neutral activity with the recorded diff."""
    if call.args.keys() & _LIFTED:
        call = _lifted(call)
    args = EditArgs.read(call.args)
    pairs = _pairs(call, args)
    text = call.raw if isinstance(call.raw, str) else args.patch
    if text and not pairs and (files := read_patch(text)):
        return _patch(call, files)
    shown = call.path(args.path or as_text(call.result.get("path")))
    diff = with_display_paths(_recorded_diff(call), call.cwd) if call.done else ""
    if pairs and shown and not _is_notebook(call, args):
        return _native(call, shown, pairs, diff)
    return _neutral(call, shown, diff)


_LIFTED = {"strReplace", "multiStrReplace", "applyPatch"}


def _lifted(call: Call) -> Call:
    """The 2025 forms ``strReplace``, ``multiStrReplace`` and ``applyPatch`` at the top level."""
    args = {key: value for key, value in call.args.items() if key not in _LIFTED}
    for key in _LIFTED:
        args |= as_object(call.args.get(key))
    return replace(call, args=args)


def _pairs(call: Call, args: EditArgs) -> list[dict[str, Json]]:
    """The replacements of ``edits`` when every entry is one, else the single pair, else none."""
    listed = [_pair(as_object(each)) for each in args.edits or []]
    pairs = [pair for pair in listed if pair]
    if pairs and len(pairs) == len(listed):
        return pairs
    single = _pair(call.args)
    return [single] if single else []


def _pair(holder: dict[str, Json]) -> dict[str, Json] | None:
    old = next((holder[key] for key in _OLD if isinstance(holder.get(key), str)), None)
    new = next((holder[key] for key in _NEW if isinstance(holder.get(key), str)), None)
    return {"oldText": old, "newText": new} if old and new is not None else None


def _is_notebook(call: Call, args: EditArgs) -> bool:
    plain = call.name.translate(_SEPARATORS).lower()
    if plain in ("editnotebook", "notebookedit") or not _CELL.isdisjoint(call.args):
        return True
    return (args.path or "").endswith(".ipynb") and plain != "strreplace"


def _recorded_diff(call: Call) -> str:
    return next((text for key in _DIFF if (text := as_text(call.result.get(key)))), "")


def _counts(call: Call, diff: str) -> tuple[int | None, int | None]:
    added, removed = (as_int(call.result.get(k)) for k in ("linesAdded", "linesRemoved"))
    if added is None and removed is None and diff and (counts := count_changes(diff)):
        return counts.added, counts.removed
    return added, removed


def _body(call: Call, diff: str, added: int | None, removed: int | None) -> str:
    if not call.done:
        return ""
    counts = heading(
        f"+{added}" if added is not None else "", f"-{removed}" if removed is not None else ""
    )
    message = as_text(call.result.get("message")) if not diff else None
    parts = heading(counts, message, bounded(diff) if diff else "", separator="\n\n")
    return parts or call.fallback()


def _native(call: Call, path: str, pairs: list[dict[str, Json]], diff: str) -> Draft:
    added, removed = _counts(call, diff)
    counts = count_changes(diff) if diff else None
    first = counts.first if counts else first_hunk_line(diff) if diff else None
    return native(
        call,
        "edit",
        title="Cursor edit",
        arguments={"path": path, "edits": list(pairs), **_everywhere(call)},
        header=f"edit {path}",
        body=partial(_body, call, diff, added, removed),
        whole=True,
        summary=path,
        details=NativeEdit(
            path=path,
            lines_added=added,
            lines_removed=removed,
            diff_string=diff or None,
            diff=diff or None,
            first_changed_line=first,
        ),
    )


def _everywhere(call: Call) -> dict[str, Json]:
    """``replaceAll`` is no field of pi's, but says more than one place was changed."""
    spelled = (call.args.get("replace_all"), call.args.get("replaceAll"))
    return {"replaceAll": True} if True in spelled else {}


def _neutral(call: Call, shown: str | None, diff: str) -> Draft:
    added, removed = _counts(call, diff)
    changes = ", ".join(
        f"{verb} {plural(count, 'line')}"
        for verb, count in (("added", added), ("removed", removed))
        if count
    )
    return activity(
        call,
        title="Cursor edit",
        header=f"edit {shown or NO_PATH}",
        body=_body(call, diff, added, removed),
        summary=shown,
        details_summary=None if call.failed or not call.done else _summary(shown, changes),
        arguments={**_other(call), **present(path=shown)},
        extra=present(
            path=shown,
            diff_string=diff or None,
            diff=diff or None,
            lines_added=added,
            lines_removed=removed,
        ),
    )


def _summary(shown: str | None, changes: str) -> str:
    return " ".join(word for word in (shown or "replayed", changes) if word)


def _other(call: Call) -> dict[str, Json]:
    return {k: v for k, v in call.args.items() if k not in PATH and k != "toolCallId"}


def _patch(call: Call, files: list[PatchFile]) -> Draft:
    """``ApplyPatch``: several files may change in one call, so the card is neutral."""
    diff = patch_as_diff(files, call.cwd)
    paths = [call.path(file.moved_to or file.path) or NO_PATH for file in files]
    where = paths[0] if len(paths) == 1 else plural(len(paths), "file")
    lines = [line for file in files for line in file.lines]
    return activity(
        call,
        title="Cursor edit",
        header=f"edit {', '.join(paths)}",
        body=bounded(diff),
        summary=where,
        arguments={"path": paths[0]} if len(paths) == 1 else {"paths": paths},
        extra={
            "path": paths[0] if len(paths) == 1 else None,
            "diff": diff,
            "lines_added": sum(line.startswith("+") for line in lines),
            "lines_removed": sum(line.startswith("-") for line in lines),
        },
    )
