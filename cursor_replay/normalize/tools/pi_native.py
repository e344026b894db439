"""Cursor's ``pi*`` tools (SDK 1.0.27 to 1.0.32): pi's own arguments, pi's own output text."""

from functools import partial

from cursor_replay.items import Json, NativeEdit
from cursor_replay.lenient import as_objects, as_text
from cursor_replay.normalize.bounds import LINE_CHARS, bounded, brief, heading
from cursor_replay.normalize.diffs import count_changes
from cursor_replay.normalize.tools.spec import Call, Draft, ToolSpec, native

_TOOLS = {
    "piRead": "read", "piBash": "bash", "piEdit": "edit", "piWrite": "write", "piGrep": "grep",
    "piFind": "find", "piLs": "ls",
}  # fmt: skip
_TARGET = ("command", "pattern", "path")


def pi_native(call: Call, tool: str) -> Draft:
    """A call whose arguments already are pi's."""
    output = as_text(call.result.get("output"))
    arguments: dict[str, Json] = {k: v for k, v in call.args.items() if k != "toolCallId"}
    if "path" in arguments:
        arguments["path"] = call.path(as_text(arguments["path"])) or ""
    target = next((t for key in _TARGET if (t := as_text(arguments.get(key)))), None)
    return native(
        call,
        tool,
        title=f"Cursor {tool}",
        arguments=arguments,
        header=heading(tool, target),
        body=lambda: bounded(output) if output else call.fallback(),
        summary=brief(target, LINE_CHARS) if target else None,
        details=_edit_details(call, target) if tool == "edit" else None,
    )


def _edit_details(call: Call, path: str | None) -> NativeEdit | None:
    if not as_objects(call.args.get("edits")):
        return None
    diff = as_text(call.result.get("diff")) or as_text(call.result.get("patch"))
    counts = count_changes(diff) if diff else None
    return NativeEdit(
        path=path,
        diff_string=diff,
        diff=diff,
        lines_added=counts.added if counts else None,
        lines_removed=counts.removed if counts else None,
        first_changed_line=counts.first if counts else None,
    )


SPECS: tuple[ToolSpec, ...] = tuple(
    ToolSpec(
        canonical=name,
        title=f"Cursor {tool}",
        disposition="native",
        card=partial(pi_native, tool=tool),
    )
    for name, tool in _TOOLS.items()
)
