"""The bounded floor for tools nobody knows (replay facts 3.17, #52).

Never whole JSON, never an error text in a one-line label.
"""

from cursor_replay.items import Json
from cursor_replay.normalize.bounds import (
    FALLBACK_CHARS,
    FALLBACK_ENTRIES,
    FALLBACK_LINES,
    bounded,
    brief,
    heading,
    join_with,
    joined,
    one_line,
    one_value,
)
from cursor_replay.normalize.json_words import compact, number, pretty
from cursor_replay.normalize.tools.activity import activity
from cursor_replay.normalize.tools.spec import Call, Draft

SOURCE = "unregisteredActivity"
_SHOWN_ITEMS = 3


def unknown(call: Call) -> Draft:
    """Title, the first eight arguments, and at most six lines of result."""
    named = call.name != "unknown"
    title = heading("Cursor", brief(call.name)) if named else "Cursor tool"
    entries = call.args or ({"input": call.raw} if call.raw is not None else {})
    line = _arguments_line(entries)
    result = _result(call) if call.done else ""
    body = heading(line, result, separator="\n\n")
    first = line or result
    label = _label(first) if first else None
    draft = activity(
        call,
        title=title,
        header=call.name if named else "Cursor tool",
        body=body,
        summary=None if call.failed else label,
        details_summary=None if call.failed else label or (call.name if named else "tool"),
        source=SOURCE,
    )
    if not call.failed:
        return draft
    failed_body = heading(line, _error(call), separator="\n\n")
    return activity(
        Call(name=call.name, canonical=call.canonical, cwd=call.cwd),
        title=title,
        header=call.name if named else "Cursor tool",
        body=failed_body,
        source=SOURCE,
        failed=True,
    )


def _label(text: str) -> str:
    return text if "\n" not in text else brief(next(t for t in text.split("\n") if t.strip()))


def _arguments_line(args: dict[str, Json]) -> str:
    shown = [joined(brief(key), "=", _value(each)) for key, each in _first(args)]
    more = len(args) - len(shown)
    return joined(join_with(", ", shown), f" (+{more} more)" if more > 0 else "")


def _first(args: dict[str, Json]) -> list[tuple[str, Json]]:
    return list(args.items())[:FALLBACK_ENTRIES]


def _value(value: Json) -> str:
    if isinstance(value, str):
        return one_value(value)
    if isinstance(value, list):
        items = [_value(each) for each in value[:_SHOWN_ITEMS]]
        more = len(value) - len(items)
        return joined("[", join_with(", ", items + ([f"+{more} more"] if more > 0 else [])), "]")
    if isinstance(value, dict):
        return brief(pretty(value))
    if isinstance(value, float):
        return number(value)
    return compact(value)


def _result(call: Call) -> str:
    if call.failed or call.value is None:
        return ""
    text = call.value if isinstance(call.value, str) else pretty(call.value)
    return brief(one_line(text), FALLBACK_CHARS)


def _error(call: Call) -> str:
    text = call.error if isinstance(call.error, str) else pretty(call.error) if call.error else ""
    shown = bounded(text, lines=FALLBACK_LINES, chars=FALLBACK_CHARS - len("Error: "))
    return joined("Error: ", shown) if text else "Error"
