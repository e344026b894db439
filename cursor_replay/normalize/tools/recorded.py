"""Cards that a pi session holds ready-made (replay facts 1.6 and 3.18, pi facts 1.6).

Owns what is read back of them: arguments, text and details are kept as recorded and nothing is cut
again. Error results lose their details on the way through pi (replay facts 13, S1): title and
reason are then those of the call's arguments and of the text.
"""

import re
from collections.abc import Iterator

from cursor_replay.images import recorded_image
from cursor_replay.items import (
    Activity,
    Details,
    GenerateImage,
    GenericFallback,
    Image,
    Json,
    Provenance,
)
from cursor_replay.lenient import as_int, as_number, as_object, as_text
from cursor_replay.normalize.bounds import LINE_CHARS, brief, heading
from cursor_replay.normalize.details import pi_edit, read_details
from cursor_replay.normalize.tools.spec import Call, Draft, ToolSpec

_BY: dict[str, Provenance] = {"cursor-replay-": "replay", "cursor-pi-bridge-": "bridge"}
_NATIVE = {"read", "bash", "edit", "write", "grep", "find", "ls"}
_TARGETS = ("command", "pattern", "path")
_CURSOR = "cursor"
_CARD_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")


def is_card_id(call_id: str) -> bool:
    """Whether a recorded id can name a card; old ids of the bridge are longer than 64."""
    return _CARD_ID.fullmatch(call_id) is not None


def executed_by(call_id: str | None) -> Provenance:
    """Who ran a recorded call: what names itself neither a replay nor bridged, pi ran for real."""
    return next((who for start, who in _BY.items() if (call_id or "").startswith(start)), "pi")


def recorded(call: Call) -> Draft:
    """The card as it stands; what it says is only put in its places."""
    given = call.result.get("details")
    details = read_details(given, ours=call.ours)
    if details is None and call.name == "edit":
        details = pi_edit(call.args, given)
    said = as_text(call.result.get("text")) or ""
    text = heading(said, _limits(said, given), separator="\n\n")
    title = _title(call, details)
    incomplete = call.failed and call.args.get("incomplete") is True
    return Draft(
        tool=brief(call.name),
        arguments=call.args,
        title=title,
        summary=_summary(call, details),
        text=text,
        header=title,
        body=text,
        details=details,
        images=_images(call),
        failed=call.failed,
        reason=_reason(call, said, title, incomplete=incomplete) if call.failed else None,
        duration_ms=as_number(call.result.get("durationMs")),
        source=_source(details) or brief(call.name),
        incomplete=incomplete,
    )


def _images(call: Call) -> tuple[Image, ...] | None:
    given = call.result.get("images")
    found = map(recorded_image, given if isinstance(given, list) else ())
    return tuple(each for each in found if each) or None


RECORDED = ToolSpec(canonical="recorded", title="pi", card=recorded)
"""The row of every recorded card; it is in no table, for no recorded name means it."""


def _title(call: Call, details: Details | None) -> str:
    if isinstance(details, Activity):
        return details.title
    if isinstance(details, GenerateImage):
        return "Cursor image generation"
    if call.name in _NATIVE:
        return f"Cursor {call.name}" if executed_by(call.call_id) == "replay" else call.name
    named = (as_text(call.args.get(key)) for key in ("activityTitle", "title"))
    own = next((title for title in named if title and title.strip()), None)
    return brief(own, LINE_CHARS) if own and call.name == _CURSOR else _name(call)


def _name(call: Call) -> str:
    return "Cursor activity" if call.name == _CURSOR else brief(call.name)


def _summary(call: Call, details: Details | None) -> str | None:
    if details is not None and details.summary:
        return details.summary
    keys = _TARGETS if call.name in _NATIVE else ("activitySummary",)
    found = next((text for key in keys if (text := as_text(call.args.get(key)))), None)
    return brief(found, LINE_CHARS) if found else None


def _source(details: Details | None) -> str | None:
    if isinstance(details, GenerateImage):
        return details.variant
    if isinstance(details, Activity | GenericFallback):
        return details.source_tool_name
    return None


def _reason(call: Call, text: str, title: str, *, incomplete: bool) -> str | None:
    """What the details say, else a line of the text: pi's tools end with it, others begin so."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if incomplete:
        named = as_text(call.args.get("activitySummary")) if len(lines) < 2 else None
        last = named or next(reversed(lines), None)
        return brief(last, LINE_CHARS) if last else None
    lines = [line for line in lines if line != title]
    told = _told(call.result.get("details"))
    if told or not lines:
        return brief(told, LINE_CHARS) if told else None
    line = lines[-1] if call.name == "bash" else lines[0]
    return brief(line.removeprefix("Error: "), LINE_CHARS)


def _told(details: Json) -> str | None:
    """What the details of a tool say of its failure, whatever its flag and its text say."""
    given = as_object(details)
    code = as_int(given.get("exitCode", given.get("exit_code")))
    error = given.get("error")
    words = as_text(error) or as_text(as_object(error).get("message"))
    return words or (f"Command exited with code {code}" if code else None)


# -- what pi says of a result that it cut -----------------------------------------------------

_REACHED = {
    "matchLimitReached": "matches",
    "resultLimitReached": "results",
    "entryLimitReached": "entries",
}


def _limits(text: str, details: Json) -> str | None:
    """The line about what pi left out (pi facts 2.1), unless the text ends with its like."""
    given = as_object(details)
    if "variant" in given:
        return None
    parts = ", ".join(_parts(given))
    path = as_text(given.get("fullOutputPath"))
    last = text.rstrip().rpartition("\n")[2]
    if not (parts or path) or (last.startswith("[") and last.endswith("]")):
        return None
    where = f"Full output: {path}" if path else None
    return f"[{heading(where, f'Truncated: {parts}' if parts else None, separator='. ')}]"


def _parts(details: dict[str, Json]) -> Iterator[str]:
    cut = as_object(details.get("truncation"))
    if cut.get("truncated") is True:
        shown, total = as_int(cut.get("outputLines")), as_int(cut.get("totalLines"))
        known = shown is not None and total is not None
        yield f"showing {shown} of {total} lines" if known else "not the whole output"
    for key, noun in _REACHED.items():
        count = as_int(details.get(key))
        if count is not None:
            yield f"{count} {noun} limit"
    if details.get("linesTruncated") is True:
        yield "some lines truncated"
