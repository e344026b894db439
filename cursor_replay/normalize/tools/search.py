"""grep, glob, ls, semSearch (replay facts 3.3 to 3.5 and 3.14, the defects of S2 mended)."""

from functools import partial

from cursor_replay.items import Json
from cursor_replay.lenient import (
    Flag,
    Int,
    Text,
    Texts,
    as_int,
    as_object,
    as_objects,
    as_text,
    as_texts,
)
from cursor_replay.normalize.bounds import LINE_CHARS, bounded, brief, capped_list, heading, plural
from cursor_replay.normalize.json_words import compact
from cursor_replay.normalize.tools.activity import activity
from cursor_replay.normalize.tools.spec import (
    PATH,
    Arguments,
    Call,
    Draft,
    named,
    native,
    present,
)


class GrepArgs(Arguments):
    """``Grep``, ``rg`` and the SDK's ``grep``."""

    pattern: Text = named("pattern", "query")
    path: Text = named(*PATH, "target_directory")
    glob: Text = named("glob", "include_pattern", "includePattern")
    insensitive: Flag = named("caseInsensitive", "case_insensitive", "-i", "ignoreCase")
    context: Int = named("context", "contextBefore", "contextAfter", "-C", "-B", "-A")
    limit: Int = named("headLimit", "head_limit", "limit")


def grep(call: Call) -> Draft:
    """Matches as pi prints them: ``file:line: text``, context ``file-line- text``."""
    args = GrepArgs.read(call.args)
    shown = call.path(args.path)
    arguments = present(
        pattern=args.pattern,
        path=shown,
        glob=args.glob,
        ignoreCase=args.insensitive,
        context=args.context,
        limit=args.limit,
    )
    header = heading(f"$ grep {compact(args.pattern or '')}", shown or args.glob)
    return native(
        call,
        "grep",
        title="Cursor grep",
        arguments=arguments or dict(call.args),
        header=header,
        body=partial(_grep_body, call),
        summary=brief(args.pattern, LINE_CHARS) if args.pattern else None,
    )


def _grep_body(call: Call) -> str:
    rows: list[str] = []
    empty = False
    unions = _unions(call.result)
    for union in unions:
        found, none = _union_rows(call, union)
        rows += found
        empty = empty or none
    if rows:
        notes = ["(results were truncated)"] if any(_is_cut(each) for each in unions) else []
        return bounded("\n".join([*capped_list(rows, "match"), *notes]))
    total = as_int(call.result.get("totalMatches"))
    if total == 0 or (empty and total is None):
        return "(no matches)"
    if total is not None:
        return plural(total, "match")
    return call.fallback()


def _unions(value: dict[str, Json]) -> list[dict[str, Json]]:
    """The result of the open editor first, then every workspace, then the value itself."""
    spaces = as_object(value.get("workspaceResults"))
    active = as_object(value.get("activeEditorResult"))
    found = [each for each in [active, *spaces.values()] if isinstance(each, dict) and each]
    return found or ([value] if value else [])


_KINDS = ("content", "files", "count")


def _parts(union: dict[str, Json]) -> tuple[str | None, dict[str, Json]]:
    """(kind, output) of the SDK's ``{type, output}`` or protobuf's ``{<kind>: {...}}``."""
    kind = as_text(union.get("type"))
    if kind in _KINDS:
        return kind, as_object(union.get("output"))
    nested = next((k for k in _KINDS if isinstance(union.get(k), dict)), None)
    return (nested, as_object(union[nested])) if nested else (None, union)


def _is_cut(union: dict[str, Json]) -> bool:
    _, output = _parts(union)
    return output.get("clientTruncated") is True or output.get("ripgrepTruncated") is True


def _union_rows(call: Call, union: dict[str, Json]) -> tuple[list[str], bool]:
    """The rows of one union, and whether it says that nothing was found."""
    kind, output = _parts(union)
    match kind:
        case "content":
            matches = as_objects(output.get("matches"))
            return [row for each in matches for row in _match_rows(call, each)], not matches
        case "files":
            files = as_texts(output.get("files"))
            return [_file(call, each) for each in files], not files
        case "count":
            counts = as_objects(output.get("counts"))
            return [
                f"{_file(call, as_text(each.get('file')) or '')}: {as_int(each.get('count')) or 0}"
                for each in counts
            ], not counts
        case _:
            return [], as_int(output.get("totalMatches")) == 0


def _file(call: Call, file: str) -> str:
    return call.path(file.removesuffix(":")) or ""


def _match_rows(call: Call, match: dict[str, Json]) -> list[str]:
    file = _file(call, as_text(match.get("file")) or "")
    nested = match.get("matches")
    if isinstance(nested, list):
        return [_proto_row(file, each) for each in as_objects(nested)] or [file]
    number, text = as_int(match.get("lineNumber")), match.get("line")
    before, after = (as_texts(match.get(key)) for key in ("beforeContext", "afterContext"))
    start = number - len(before) if number is not None else None
    rows = [
        _context_row(file, start + i if start is not None else None, line)
        for i, line in enumerate(before)
    ]
    rows.append(_row(file, number, text if isinstance(text, str) else None))
    return rows + [
        _context_row(file, number + 1 + i if number is not None else None, line)
        for i, line in enumerate(after)
    ]


def _proto_row(file: str, match: dict[str, Json]) -> str:
    number, text = as_int(match.get("lineNumber")), as_text(match.get("content")) or ""
    row = _context_row if match.get("isContextLine") is True else _row
    return row(file, number, text)


def _row(file: str, number: int | None, text: str | None) -> str:
    at = f"{file}:{number}" if number is not None else file
    return at if text is None else f"{at}: {text}"


def _context_row(file: str, number: int | None, text: str) -> str:
    return f"{file}-{number}- {text}" if number is not None else f"{file}- {text}"


class GlobArgs(Arguments):
    """``Glob`` and the SDK's ``glob``."""

    pattern: Text = named("globPattern", "glob_pattern", "pattern", "query")
    directory: Text = named("targetDirectory", "target_directory", "path")
    limit: Int = named("limit", "headLimit", "head_limit")


def glob(call: Call) -> Draft:
    """File names, a line each; says when the list was shortened (the reference never did)."""
    args = GlobArgs.read(call.args)
    pattern, shown = args.pattern or "*", call.path(args.directory)
    return native(
        call,
        "find",
        title="Cursor find",
        arguments=present(pattern=pattern, path=shown, limit=args.limit),
        header=f"$ glob {pattern}" + (f" in {shown}" if shown else ""),
        body=partial(_glob_body, call),
        summary=pattern,
    )


def _glob_body(call: Call) -> str:
    files = [call.path(each) or each for each in as_texts(call.result.get("files"))]
    totals = [as_int(call.result.get(key)) for key in ("totalFiles", "totalMatches")]
    if not files:
        return "No files found matching pattern" if 0 in totals else call.fallback()
    rows = capped_list(files, "file")
    cut = [call.result.get(key) is True for key in ("clientTruncated", "ripgrepTruncated")]
    total = totals[0]
    if any(cut) or (total is not None and total > len(files)):
        more = f" of {total}" if total is not None and total > len(files) else ""
        rows = [*rows, f"(truncated by Cursor: {plural(len(files), 'file')}{more} returned)"]
    return bounded("\n".join(rows))


class LsArgs(Arguments):
    """``LS`` and the SDK's ``ls``."""

    path: Text = named("path", "target_directory", "targetDirectory", *PATH)


def ls(call: Call) -> Draft:
    """A directory tree, two spaces a level, ``/`` after directories."""
    shown = call.path(LsArgs.read(call.args).path) or "."
    arguments = {k: v for k, v in call.args.items() if k not in ("target_directory", "toolCallId")}
    return native(
        call,
        "ls",
        title="Cursor ls",
        arguments={**arguments, **(present(path=shown) if call.args else {})},
        header=f"ls {shown}",
        body=partial(_ls_body, call),
        summary=shown,
    )


def _ls_body(call: Call) -> str:
    rows = _tree(as_object(call.result.get("directoryTreeRoot")) or call.result, 0)
    return bounded("\n".join(capped_list(rows, "entry"))) if rows else call.fallback()


_MAX_DEPTH = 60


def _tree(node: dict[str, Json], depth: int) -> list[str]:
    """Rows of both spellings: ``absPath/childrenDirs/childrenFiles`` and ``name/children``."""
    if depth > _MAX_DEPTH:
        return []
    name = next((node[k] for k in ("name", "path", "relativePath") if as_text(node.get(k))), None)
    if "absPath" in node:
        return _sdk_tree(node, depth)
    spelled = (node.get(key) for key in ("children", "entries", "files"))
    children: list[Json] = next((each for each in spelled if isinstance(each, list)), [])
    rows = [f"{'  ' * depth}{name}"] if name else []
    below = depth + 1 if name else depth
    for child in children:
        rows += _tree(child, below) if isinstance(child, dict) else _leaf(child, below)
    return rows


def _leaf(child: Json, depth: int) -> list[str]:
    return [f"{'  ' * depth}{child}"] if isinstance(child, str) else []


def _sdk_tree(node: dict[str, Json], depth: int) -> list[str]:
    """The root's own name is the header already; a directory not listed says how much is in it."""
    rows: list[str] = []
    if depth:
        name = (as_text(node.get("absPath")) or "").replace("\\", "/").rstrip("/").split("/")[-1]
        unread = node.get("childrenWereProcessed") is False
        inside = as_int(node.get("numFiles"))
        note = f"  ({plural(inside, 'file')}, not listed)" if unread and inside else ""
        rows.append(f"{'  ' * (depth - 1)}{name}/{note}")
    for child in as_objects(node.get("childrenDirs")):
        rows += _tree({"absPath": "", **child}, depth + 1)
    for child in as_objects(node.get("childrenFiles")):
        rows.append(f"{'  ' * depth}{as_text(child.get('name')) or '?'}")
    if not rows and not depth:
        return ["(empty directory)"]
    return rows


class SemSearchArgs(Arguments):
    """``SemanticSearch``, ``codebase_search`` and the SDK's ``semSearch``."""

    query: Text = named("query")
    directories: Texts = named("targetDirectories", "target_directories")
    explanation: Text = named("explanation")


def sem_search(call: Call) -> Draft:
    """A semantic search: why, where, and what came back."""
    args = SemSearchArgs.read(call.args)
    query = brief(args.query or "semantic search")
    where = [call.path(each) or each for each in args.directories or []]
    results = as_text(call.result.get("results"))
    parts = [
        f"Explanation: {args.explanation}" if args.explanation else "",
        f"Scope: {', '.join(where)}" if where else "",
        bounded(results) if results else "",
    ]
    found = call.fallback() if call.done and not any(parts) else ""
    summary = heading(query, f"({plural(len(where), 'dir')})" if where else "")
    return activity(
        call,
        title="Cursor semantic search",
        header=heading("semSearch", query),
        body=heading(*parts, found, separator="\n\n"),
        summary=summary,
        arguments=present(
            query=query,
            targetDirectories=where or None,
            explanation=brief(args.explanation) if args.explanation else None,
        ),
    )
