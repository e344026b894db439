"""The neutral activity card every Cursor-only tool shares (replay facts 3.0)."""

from cursor_replay.items import Activity, Json
from cursor_replay.normalize.bounds import section, trimmed
from cursor_replay.normalize.tools.spec import Call, Draft


def activity(
    call: Call,
    *,
    title: str,
    header: str,
    body: str,
    summary: str | None = None,
    details_summary: str | None = None,
    arguments: dict[str, Json] | None = None,
    source: str | None = None,
    failed: bool | None = None,
    todos: tuple[dict[str, Json], ...] | None = None,
    extra: dict[str, Json] | None = None,
) -> Draft:
    """A ``cursor`` card: tool-specific arguments plus ``activityTitle`` and ``activitySummary``.

    ``extra`` are further fields of :class:`Activity`. On error only ``details_summary`` (the
    tool's own) is kept, so that no error text can reach a one-line label.
    """
    shown = call.error_text() if call.failed else body
    one_line = summary or None
    card_arguments = dict(arguments) if arguments else {}
    card_arguments["activityTitle"] = title
    if one_line is not None:
        card_arguments["activitySummary"] = one_line
    own = details_summary if details_summary is not None or call.failed else one_line
    transcript = section(header, shown) if shown else ""
    return Draft(
        tool="cursor",
        arguments=card_arguments,
        title=title,
        summary=details_summary if details_summary is not None else one_line,
        text=shown if call.failed else trimmed(transcript) if shown else "",
        header=header,
        body=shown,
        details=Activity(
            source_tool_name=source or call.canonical,
            title=title,
            summary=own,
            expanded_text=transcript or None,
            **(extra or {}),
        ),
        failed=call.failed if failed is None else failed,
        todos=todos,
    )
