"""What an edit of the IDE changed: the recorded diff, or one of the two texts it points to.

Owns the readers of such results (transcript facts 3) and the comparison with its bounds: what a
change leaves alone at both ends is cut off first, and a change too large to be compared line by
line is shown as removed and added. Knows no database.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.ide.results import Look, Result
from cursor_replay.ingest.formats.spelled import is_false, is_true
from cursor_replay.items import Json
from cursor_replay.lenient import as_int, as_object, as_objects, as_text

_CONTEXT = 3
_MOST = 1_000_000
"""Old times new lines of a change that are compared line by line."""
_ROW = re.compile(r"[^\n]*\n|[^\n]+")
_Code = tuple[str, int, int, int, int]
_MARKS = {"equal": " ", "delete": "-", "insert": "+"}


def edit(result: Result, look: Look) -> Json | Outcome:
    """A diff: recorded in chunks, or made from both stored contents; else the path alone.

    Of a change that is in neither place only the record can tell that it was made.
    """
    if is_true(result.get("applyFailed")) or is_false(result.get("isApplied")):
        return Outcome(status="error", error=as_text(result.get("resultForModel")) or "not applied")
    chunks = as_objects(as_object(result.get("diff")).get("chunks"))
    recorded = "\n".join(text for each in chunks if (text := as_text(each.get("diffString"))))
    diff = recorded or _compared(result, look)
    message = as_text(result.get("resultForModel"))
    if diff:
        counts = {key: _total(chunks, key) for key in ("linesAdded", "linesRemoved")}
        return {"diffString": diff, **counts}
    if diff == "" and message is None:
        message = "nothing changed"
    value: Json = {"message": message or "the change itself is not recorded"}
    told = message is not None or is_true(result.get("isApplied"))
    return value if told else Outcome(status="unknown", value=value)


def _total(chunks: list[Result], key: str) -> int | None:
    """A sum where it is recorded."""
    counts = [count for each in chunks if (count := as_int(each.get(key))) is not None]
    return sum(counts) if counts else None


def _compared(result: Result, look: Look) -> str | None:
    """None without both sides; an edit that names no content before it made the file."""
    before, after = _side(result, "before", look), _side(result, "after", look)
    created = not as_text(result.get("beforeContentId")) and before is None
    if after is None or (before is None and not created):
        return None
    return unified(before, after, look.path)


def _side(result: Result, side: str, look: Look) -> str | None:
    recorded = result.get(f"contents{side.capitalize()}Edit")
    if isinstance(recorded, str):
        return recorded
    key = as_text(result.get(f"{side}ContentId"))
    return look.content(key) if key else None


def write(result: Result, look: Look) -> Json | Outcome:
    """The file as it was after the write, where it is stored."""
    after = _side(result, "after", look)
    made = edit(result, look)
    failed = isinstance(made, Outcome) and made.status == "error"
    return made if after is None or failed else {"fileContentAfterWrite": after}


def unified(before: str | None, after: str, path: str | None) -> str:
    """The diff with its file header; empty when nothing differs. ``before`` None is a new file."""
    old, new = _ROW.findall(before or ""), _ROW.findall(after)
    if old == new:
        return ""
    name = path or "file"
    head = ["--- /dev/null" if before is None else f"--- a/{name}", f"+++ b/{name}"]
    return "\n".join([*head, *_hunks(old, new)]) + "\n"


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    lead = max(_common(old, new) - _CONTEXT, 0)
    tail = max(_common(old[lead:][::-1], new[lead:][::-1]) - _CONTEXT, 0)
    inner_old, inner_new = old[lead : len(old) - tail], new[lead : len(new) - tail]
    for group in _groups(inner_old, inner_new):
        first, last = group[0], group[-1]
        left = _span(lead + first[1], last[2] - first[1])
        right = _span(lead + first[3], last[4] - first[3])
        yield f"@@ -{left} +{right} @@"
        for code in group:
            yield from _rows(code, inner_old, inner_new)


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many rows both begin with."""
    shorter = min(len(old), len(new))
    return next((index for index in range(shorter) if old[index] != new[index]), shorter)


def _groups(old: list[str], new: list[str]) -> Iterator[list[_Code]]:
    if len(old) * len(new) <= _MOST:
        yield from SequenceMatcher(None, old, new).get_grouped_opcodes(_CONTEXT)
        return
    before = _common(old, new)
    after = _common(old[before:][::-1], new[before:][::-1])
    left, right = len(old) - after, len(new) - after
    yield [
        ("equal", 0, before, 0, before),
        ("replace", before, left, before, right),
        ("equal", left, len(old), right, len(new)),
    ]


def _span(start: int, length: int) -> str:
    """``start,length`` as a hunk header counts: from one, or the line before an empty span."""
    return f"{start + 1 if length else start},{length}"


def _rows(code: _Code, old: list[str], new: list[str]) -> Iterator[str]:
    kind, old_from, old_to, new_from, new_to = code
    if kind == "replace":
        yield from _marked("-", old[old_from:old_to])
        yield from _marked("+", new[new_from:new_to])
        return
    rows = new[new_from:new_to] if kind == "insert" else old[old_from:old_to]
    yield from _marked(_MARKS[kind], rows)


def _marked(mark: str, rows: list[str]) -> Iterator[str]:
    for row in rows:
        yield mark + row.removesuffix("\n")
        if not row.endswith("\n"):
            yield "\\ No newline at end of file"
