"""webSearch and webFetch (replay facts 3.16 and 10): collapsed by default, whatever the server."""

from cursor_replay.items import Json
from cursor_replay.lenient import as_object, as_objects, as_text
from cursor_replay.normalize.bounds import bounded, brief, heading
from cursor_replay.normalize.tools.activity import activity
from cursor_replay.normalize.tools.mcp import read_content
from cursor_replay.normalize.tools.spec import Call, Draft, present

_QUERY = ("search_term", "searchTerm", "query", "q")
_TARGET = ("url", "uri", "href")


def web_search(call: Call) -> Draft:
    """A search: the query and what was found."""
    return _web(call, "Cursor web search", "web search", "query", _QUERY)


def web_fetch(call: Call) -> Draft:
    """A page: its address and its text."""
    return _web(call, "Cursor web fetch", "web fetch", "url", _TARGET)


def _web(call: Call, title: str, words: str, argument: str, keys: tuple[str, ...]) -> Draft:
    target = _first(call.args, keys)
    shown = brief(target) if target else None
    text, failed = _text(call)
    return activity(
        call,
        title=title,
        header=heading(words, target),
        body=text if call.done else "",
        summary=shown,
        arguments=present(**{argument: shown}),
        failed=call.failed or failed,
        extra={"collapse_details_by_default": True},
    )


def _first(args: dict[str, Json], keys: tuple[str, ...]) -> str | None:
    """The first non-blank spelling, at the top or in the arguments of an MCP call."""
    holders = (args, as_object(args.get("args")), as_object(args.get("arguments")))
    found = (holder.get(key) for holder in holders for key in keys)
    return next((v.strip() for v in found if isinstance(v, str) and v.strip()), None)


def _text(call: Call) -> tuple[str, bool]:
    value = call.result
    references = [_reference(each) for each in as_objects(value.get("references"))]
    if any(references):
        return bounded("\n\n".join(filter(None, references))), False
    page = as_text(value.get("markdown"))
    if page is None and isinstance(value.get("content"), str):
        page = as_text(value["content"])
    if page is not None:
        return bounded(page), False
    content = read_content(call)
    return content.body, content.failed


def _reference(reference: dict[str, Json]) -> str:
    chunk = as_text(reference.get("chunk"))
    if chunk:
        return chunk
    return heading(as_text(reference.get("title")), as_text(reference.get("url")))
