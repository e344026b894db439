"""read, write, delete and readLints (replay facts 3.1, 3.7, 3.8, 3.9)."""

from dataclasses import replace
from functools import partial

from cursor_replay.items import Clip, Json, NativeWrite
from cursor_replay.lenient import Int, Text, Texts, as_int, as_object, as_objects, as_text
from cursor_replay.normalize.bounds import (
    READ_CHARS,
    READ_LINES,
    READ_TRANSCRIPT_LINES,
    bounded,
    heading,
    limit_text,
    plural,
    section,
    trimmed,
)
from cursor_replay.normalize.tools.activity import activity
from cursor_replay.normalize.tools.spec import (
    PATH,
    Arguments,
    Call,
    Draft,
    error_or,
    named,
    native,
    present,
)

NO_PATH = "unknown"


class ReadArgs(Arguments):
    """``Read`` / ``ReadFile`` / SDK ``read``; an offset may be negative (from the end)."""

    path: Text = named(*PATH)
    offset: Int = named("offset", "start_line_one_indexed", "startLine")
    limit: Int = named("limit")


def read(call: Call) -> Draft:
    """File content, cut to what a reader needs; pi shows it only when expanded."""
    args = ReadArgs.read(call.args)
    shown = call.path(args.path)
    return native(
        call,
        "read",
        title="Cursor read",
        arguments=_arguments(call.args, path=shown, offset=args.offset, limit=args.limit),
        header=f"read {shown or NO_PATH}",
        body=partial(_read_body, call),
        summary=shown,
    )


def _read_body(call: Call) -> str:
    content = _content(call)
    return _no_content(call) if content is None else cut_read(content, _total(call))


def _total(call: Call) -> int | None:
    return as_int(call.result.get("totalLines"))


def read_transcript(call: Call) -> str:
    """The short form of a read (header and at most 12 lines)."""
    shown = call.path(ReadArgs.read(call.args).path)
    content = _content(call)
    if content is None:
        body = _no_content(call)
    else:
        body = bounded(content, lines=READ_TRANSCRIPT_LINES, chars=READ_CHARS, total=_total(call))
    return section(f"read {shown or NO_PATH}", error_or(call, body))


def _content(call: Call) -> str | None:
    """None when there is nothing but the value itself to show."""
    if isinstance(call.value, str):
        return call.value
    content = call.result.get("content")
    if isinstance(content, str) and content:
        return content
    output = call.result.get("output")
    return output if isinstance(output, str) and output else None


def _no_content(call: Call) -> str:
    """Binary and blob-stored files come without content; an empty file is said to be empty."""
    size = as_int(call.result.get("fileSize"))
    if call.result.get("isEmpty") is True or size == 0:
        return "(empty file)"
    if size is not None:
        return f"(content not recorded, {plural(size, 'byte')})"
    return call.fallback()


def cut_read(content: str, total: int | None) -> str:
    """File content as a read card keeps it; ``total`` is the number of lines where recorded."""
    return Clip(content, cut=partial(_cut_masked_read, total=total))


def _cut_masked_read(content: str, total: int | None) -> str:
    if total is None:
        return limit_text(content, lines=READ_LINES, chars=READ_CHARS)
    rows = content.rstrip("\n").split("\n")
    total = max(total, len(rows))
    kept = "\n".join(rows[:READ_LINES])
    if len(kept) > READ_CHARS:
        return limit_text(content, lines=READ_LINES, chars=READ_CHARS)
    hidden = total - READ_LINES
    if hidden <= 0:
        return content
    more = plural(hidden, "more line")
    return f"{kept}\n\n[{more} in file. Use offset={READ_LINES + 1} to continue.]"


def _arguments(args: dict[str, Json], **known: Json) -> dict[str, Json]:
    """The recorded arguments; the spellings of a path and null values give way to ``known``."""
    there = {key: value for key, value in known.items() if value is not None}
    return there | {
        key: value for key, value in args.items() if key not in _FOLDED and key not in there
    }


_FOLDED = {*PATH, "toolCallId", "includeLineNumbers"}


class WriteArgs(Arguments):
    """``Write`` (``contents``), SDK ``write`` (``fileText``), hooks and 2025 forms."""

    path: Text = named(*PATH)
    content: Text = named("content", "fileContent", "contents", "fileText", "file_text")


_CONTENT_KEYS = {"content", "fileContent", "contents", "fileText", "file_text"}


def write(call: Call) -> Draft:
    """A written file: pi's write card when the content is recorded, else neutral activity."""
    args = WriteArgs.read(call.args)
    shown = call.path(args.path or as_text(call.result.get("path")))
    after = as_text(call.result.get("fileContentAfterWrite"))
    header = f"write {shown or NO_PATH}"
    body = partial(_write_body, call, args.content if args.content is not None else after)
    if args.content is None or shown is None:
        return activity(
            call,
            title="Cursor write",
            header=header,
            body=body() if call.done else "",
            summary=shown or "file",
            details_summary=None if call.failed else shown or "wrote file",
            arguments=_arguments(call.args, path=shown),
            extra=present(path=shown, file_content_after_write=after, file_size=_size(call)),
        )
    kept = {key: value for key, value in call.args.items() if key not in _CONTENT_KEYS}
    kept["content"] = args.content
    draft = native(
        call,
        "write",
        title="Cursor write",
        arguments=_arguments(kept, path=shown),
        header=header,
        body=body,
        summary=shown,
        whole=True,
        details=NativeWrite(path=None if call.failed else shown),
    )
    return _with_result(call, draft, args.content, after) if call.done else draft


def _with_result(call: Call, draft: Draft, content: str, after: str | None) -> Draft:
    details = NativeWrite(
        path=None if call.failed else as_text(draft.arguments.get("path")),
        lines_created=as_int(call.result.get("linesCreated")),
        file_size=_size(call),
        file_content_after_write=after if after != content else None,
        expanded_text=draft.transcript,
    )
    return replace(draft, details=details, text=trimmed(draft.text))


def _size(call: Call) -> int | None:
    return as_int(call.result.get("fileSize"))


def _write_body(call: Call, content: str | None) -> str:
    created, size = as_int(call.result.get("linesCreated")), _size(call)
    facts = []
    if created is not None:
        facts.append(f"Created {plural(created, 'line')}")
    if size is not None:
        facts.append(f"File size: {plural(size, 'byte')}")
    if not facts and content is None:
        return call.fallback()
    return heading("\n".join(facts), bounded(content) if content else "", separator="\n\n")


class PathArgs(Arguments):
    """A call about one path."""

    path: Text = named(*PATH)


def delete(call: Call) -> Draft:
    """A deleted file and how large it was."""
    shown = call.path(PathArgs.read(call.args).path)
    size = as_int(call.result.get("fileSize"))
    body = f"Deleted {plural(size, 'byte')}" if size is not None else call.fallback()
    return activity(
        call,
        title="Cursor delete",
        header=f"delete {shown or NO_PATH}",
        body=body if call.done else "",
        summary=shown or NO_PATH,
        arguments=_arguments(call.args, path=shown),
        extra=present(path=shown, file_size=size),
    )


class LintArgs(Arguments):
    """``ReadLints``: one path or several."""

    paths: Texts = named("paths")
    path: Text = named(*PATH)


def read_lints(call: Call) -> Draft:
    """Diagnostics with their line numbers, or that there are none."""
    args = LintArgs.read(call.args)
    files = as_objects(call.result.get("fileDiagnostics"))
    named_paths = [*(args.paths or ([args.path] if args.path else []))]
    reported = [path for each in files if (path := as_text(each.get("path")))]
    paths = _distinct([call.path(path) or path for path in [*named_paths, *reported]])
    rows = [row for each in files for row in _lint_rows(call, each)]
    where = ", ".join(paths)
    body = "\n".join(rows) or (f"No diagnostics in {where}" if where else call.fallback())
    count = plural(len(rows), "diagnostic") if call.done and not call.failed else ""
    summary = heading(count, f"in {where}" if count and where else where, separator=" ")
    known = bool(paths or rows)
    return activity(
        call,
        title="Cursor diagnostics",
        header=heading("readLints", where, separator=" "),
        body=bounded(body) if call.done else "",
        summary=(summary if known else None) or None,
        arguments=present(
            paths=paths or None,
            path=paths[0] if len(paths) == 1 else None,
            diagnosticCount=len(rows) if call.done and known and not call.failed else None,
        ),
    )


def _distinct(paths: list[str]) -> list[str]:
    """Each file once: a relative path may name the same file as an absolute one."""
    known = list(dict.fromkeys(paths))
    return [each for each in known if not any(other.endswith(f"/{each}") for other in known)]


def _lint_rows(call: Call, file: dict[str, Json]) -> list[str]:
    path = call.path(as_text(file.get("path"))) or NO_PATH
    return [_lint_row(path, each) for each in as_objects(file.get("diagnostics"))]


def _lint_row(path: str, item: dict[str, Json]) -> str:
    """``path:line:column: severity source [code]: message``; positions as recorded."""
    start = as_object(as_object(item.get("range")).get("start"))
    line, column = as_int(start.get("line")), as_int(start.get("character", start.get("column")))
    at = f":{line}" if line is not None else ""
    at += f":{column}" if at and column is not None else ""
    severity = as_text(item.get("severity")) or "diagnostic"
    severity = severity.removeprefix("DIAGNOSTIC_SEVERITY_").lower()
    code = item.get("code")
    label = heading(
        severity, as_text(item.get("source")), f"[{code}]" if code not in (None, "") else "",
        separator=" ",
    )  # fmt: skip
    return f"{path}{at}: {label}: {as_text(item.get('message')) or ''}"
