"""Tool results as the IDE keeps them, in the SDK's value shapes.

Only the results of shell, edits and refusals are in transcript facts 3; the other shapes are
reported by public readers of this database and were not measured. A shape that differs is kept.

One pure function a tool: the recorded object in, a value that the tool's card understands out, or
an :class:`~cursor_replay.events.Outcome` where the object itself says that the call failed. Fields
that nobody knows are kept. Knows no status words (``tools.py`` does) and no database.
"""

import posixpath
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.ide.rows import parsed
from cursor_replay.ingest.formats.spelled import failure_in, is_false, is_true
from cursor_replay.items import Json
from cursor_replay.lenient import as_int, as_object, as_objects, as_text

Contents = Callable[[str], str | None]
Result = dict[str, Json]


class Look(NamedTuple):
    """What a result may need beside itself: the path of the call and the stored file contents."""

    path: str | None
    content: Contents


Reader = Callable[[Result, Look], Json | Outcome]


def uri_path(uri: Json) -> str | None:
    """The path of a URI as text or as an object, percent signs decoded; other text is a path."""
    if isinstance(uri, dict):
        local = as_text(uri.get("fsPath")) if uri.get("scheme") in (None, "file") else None
        return local or as_text(uri.get("path")) or uri_path(as_text(uri.get("external")))
    text = as_text(uri)
    if text is None or "://" not in text:
        return text
    try:
        parts = urlsplit(text)
        path = unquote(parts.path)
    except ValueError:
        return None
    if parts.netloc.endswith("~"):  # a masked home folder, which took the slash with it
        return f"~{path}"
    drive = path[2:4] in (":", ":/") and path.startswith("/")
    return (path[1:] if drive else path) or None


_ABORTED = (2, "RUN_TERMINAL_COMMAND_ENDED_REASON_EXECUTION_ABORTED")


def shell(result: Result, _: Look) -> Json | Outcome:
    """``{output, exitCode, notInterrupted, …}``; an exit code of zero may be left out."""
    recorded = [result[key] for key in ("exitCodeV2", "exitCode") if result.get(key) is not None]
    codes = [code for each in recorded if (code := as_int(each)) is not None]
    flags = ("isRunningInBackground", "poppedOutIntoBackground")
    background = any(is_true(result.get(key)) for key in flags)
    stopped = is_false(result.get("notInterrupted")) or result.get("endedReason") in _ABORTED
    value: Result = {
        **result,
        "exitCode": next((code for code in codes if code), codes[0] if codes else None),
        "isBackground": background,
    }
    if stopped and not background:
        return {**value, "aborted": True}
    unread = len(codes) < len(recorded) and not value["exitCode"]
    return Outcome(status="unknown", value=value) if unread else value


def read(result: Result, _: Look) -> Json | Outcome:
    """``{contents, totalLinesInFile}``; contents may be gone though the file has lines."""
    content = next(
        (result[k] for k in ("contents", "content") if isinstance(result.get(k), str)), None
    )
    totals = (as_int(result.get(key)) for key in ("totalLinesInFile", "totalLines"))
    total = next((each for each in totals if each is not None), None)
    if content is None:
        return Outcome(status="unknown", value=result) if total else result
    if not content and total:
        words = f"(no content recorded; the file has {total} lines)"
        return Outcome(status="unknown", value=words)
    return {"content": content, "totalLines": total, "isEmpty": not content}


def ls(result: Result, _: Look) -> Json:
    """``{files: [{name, isDirectory}]}`` of older builds; the newer tree is understood as it is."""
    files = as_objects(result.get("files"))
    names = [(as_text(each.get("name")) or "?", each.get("isDirectory") is True) for each in files]
    return (
        {"children": [f"{name}/" if folder else name for name, folder in names]}
        if names
        else result
    )


def grep(result: Result, _: Look) -> Json:
    """``{internal: {results: [{resource, results: [{match}]}]}}`` of older builds."""
    internal = result.get("internal")
    if not isinstance(internal, dict):
        return result
    matches = [
        {"file": uri_path(each.get("resource")) or "?", "matches": _hits(each)}
        for each in as_objects(internal.get("results"))
    ]
    cut = internal.get("limitHit") is True
    return {"type": "content", "output": {"matches": matches, "clientTruncated": cut}}


def _hits(file: Result) -> list[Result]:
    hits = (as_object(each.get("match")) for each in as_objects(file.get("results")))
    return [
        {"lineNumber": _line(hit), "content": as_text(hit.get("previewText"))}
        for hit in hits
        if hit
    ]


def _line(hit: Result) -> int | None:
    """The editor counts lines from zero (its convention, not measured in a recording)."""
    places = as_objects(hit.get("rangeLocations"))
    source = as_object(places[0].get("source")) if places else {}
    line = as_int(source.get("startLineNumber"))
    return None if line is None else line + 1


def glob(result: Result, _: Look) -> Json:
    """``{directories: [{absPath, files: [{relPath}]}]}``, or ``{files: [{uri}]}`` before that."""
    folders = as_objects(result.get("directories"))
    if folders:
        totals = [as_int(each.get("totalFiles")) for each in folders]
        return {
            "files": [file for each in folders for file in _inside(each)],
            "totalFiles": sum(total for total in totals if total) or None,
            "ripgrepTruncated": any(each.get("ripgrepTruncated") is True for each in folders),
        }
    files = as_objects(result.get("files"))
    if not files:
        return result
    found = (
        next(
            (
                p
                for k in ("uri", "relativeWorkspacePath", "path", "name")
                if (p := uri_path(f.get(k)))
            ),
            None,
        )
        for f in files
    )
    cut = result.get("limitHit") is True
    return {
        "files": [f for f in found if f],
        "totalFiles": as_int(result.get("numResults")),
        "clientTruncated": cut,
    }


def _inside(folder: Result) -> list[str]:
    root = (as_text(folder.get("absPath")) or "").replace("\\", "/")
    paths = [as_text(each.get("relPath")) for each in as_objects(folder.get("files"))]
    return [
        posixpath.normpath(posixpath.join(root, path.replace("\\", "/"))) for path in paths if path
    ]


def delete(result: Result, _: Look) -> Json | Outcome:
    """``{fileDeletedSuccessfully, fileNonExistent}``."""
    if is_true(result.get("fileNonExistent")):
        return Outcome(status="error", error="the file does not exist")
    if is_false(result.get("fileDeletedSuccessfully")):
        return Outcome(status="error", error="the file was not deleted")
    return "Deleted" if is_true(result.get("fileDeletedSuccessfully")) else result


def todos(result: Result, _: Look) -> Json | Outcome:
    """``{success, finalTodos}``: the whole list."""
    if is_false(result.get("success")):
        return Outcome(status="error", error="the list was not changed")
    final = result.get("finalTodos")
    return {"todos": final} if isinstance(final, list) else result


def lints(result: Result, _: Look) -> Json:
    """``{linterErrorsByFile: [{relativeWorkspacePath, errors}]}``."""
    files = as_objects(result.get("linterErrorsByFile"))
    if not files:
        return result
    found = [
        {
            "path": each.get("relativeWorkspacePath"),
            "diagnostics": [_lint(error) for error in as_objects(each.get("errors"))],
        }
        for each in files
    ]
    return {"fileDiagnostics": found}


def _lint(error: Result) -> Result:
    return {**error, "range": {"start": as_object(error.get("range")).get("startPosition")}}


def semantic(result: Result, _: Look) -> Json:
    """``{codeResults: [{codeBlock: {relativeWorkspacePath, contents}}]}``."""
    blocks = [as_object(each.get("codeBlock")) for each in as_objects(result.get("codeResults"))]
    keys = ("relativeWorkspacePath", "contents")
    texts = ["\n".join(as_text(block.get(key)) or "?" for key in keys) for block in blocks]
    return {"results": "\n\n".join(text.rstrip() for text in texts)} if texts else result


def mcp(result: Result, _: Look) -> Json | Outcome:
    """``{selectedTool, result}``: what the server answered, JSON inside a string or an object."""
    inner = parsed(result["result"]) if "result" in result else result
    if isinstance(inner, str):
        inner = {"content": [{"type": "text", "text": inner}]}
    if not isinstance(inner, dict):
        return inner
    words = failure_in({**inner, "isError": None})
    if words:
        return Outcome(status="error", value=inner, error=words)
    failed = is_true(inner.get("isError")) or is_true(result.get("isError"))
    return {**inner, "isError": True} if failed else inner


def task(result: Result, _: Look) -> Json | Outcome:
    """``{completedTaskResult: {summary}}`` of older builds; newer ones name the agent."""
    done = as_object(result.get("completedTaskResult"))
    summary = as_text(done.get("summary"))
    if is_true(done.get("subagentErrored")):
        return Outcome(status="error", error=summary or "the sub-agent failed")
    if summary is not None:
        return {"result": summary}
    if "agentId" not in result:
        return result
    told = {**result, "result": "(its answer is not recorded here)"}
    return Outcome(status="unknown", value=told)


def same(result: Result, _: Look) -> Json:
    """As recorded."""
    return result
