"""What pi would choke on: every row of pi facts 1.4 and 1.5, as mutations of a session that is fine."""

import json
import time
from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.ingest.lines import split_lines
from cursor_replay.pi_session.check import Tally, check
from cursor_replay.pi_session.findings import ROWS

STAMP = "2026-10-02T09:30:00.000Z"
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
USAGE = {
    "input": 40,
    "output": 7,
    "cacheRead": 0,
    "cacheWrite": 0,
    "totalTokens": 47,
    "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0},
}


def text(words):
    return {"type": "text", "text": words}


def call(name, tool, **arguments):
    return {"type": "toolCall", "id": name, "name": tool, "arguments": arguments}


def user(words):
    return {"role": "user", "content": [text(words)], "timestamp": 1_790_000_000_000}


def assistant(*blocks, stop="stop"):
    return {
        "role": "assistant",
        "content": list(blocks),
        "api": "cursor-replay",
        "provider": "cursor",
        "model": "grok-4.6",
        "usage": USAGE,
        "stopReason": stop,
        "timestamp": 1_790_000_000_000,
    }


def result(name, tool, *blocks, **more):
    return {
        "role": "toolResult",
        "toolCallId": name,
        "toolName": tool,
        "content": list(blocks),
        "isError": False,
        "timestamp": 1_790_000_000_000,
        **more,
    }


def good():
    """Line numbers: header 1, name 2, model 3, level 4, custom 5, user 6, calls 7, results 8 and 9,
    answer 10, user 11, edit 12, result 13, answer 14."""
    header = {
        "type": "session",
        "version": 3,
        "id": "basket-1",
        "timestamp": STAMP,
        "cwd": "/basket",
    }
    image = {"type": "image", "data": DOT, "mimeType": "image/png"}
    bodies = [
        {"type": "session_info", "name": "Count the pears"},
        {"type": "model_change", "provider": "cursor", "modelId": "grok-4.6"},
        {"type": "thinking_level_change", "thinkingLevel": "high"},
        {"type": "custom", "customType": "cursor-replay", "data": {"from": "pears.jsonl"}},
        {"type": "message", "message": user("How many pears are in the basket?")},
        {
            "type": "message",
            "message": assistant(
                {"type": "thinking", "thinking": "Look first."},
                text("I will look."),
                call("look-1", "read", path="basket.png"),
                call("count-2", "bash", command="ls basket"),
                stop="toolUse",
            ),
        },
        {"type": "message", "message": result("look-1", "read", text("an image"), image)},
        {"type": "message", "message": result("count-2", "bash", text("pear\npear\n"))},
        {"type": "message", "message": assistant(text("Two."))},
        {"type": "message", "message": user("Write it down.")},
        {
            "type": "message",
            "message": assistant(call("note-3", "edit", path="n.md", edits=[]), stop="toolUse"),
        },
        {
            "type": "message",
            "message": result("note-3", "edit", text("done"), details={"diff": "+1 two"}),
        },
        {"type": "message", "message": assistant(text("Done."))},
    ]
    entries = [header]
    for number, body in enumerate(bodies, start=2):
        parent = f"line{number - 1}" if number > 2 else None
        entries.append({"id": f"line{number}", "parentId": parent, "timestamp": STAMP, **body})
    return entries


def dump(entries):
    return "".join(json.dumps(each) + "\n" for each in entries).encode()


def checked(data, *, exists=lambda _: True, limit=1 << 26):
    return list(check(split_lines([data], limit=limit), exists=exists))


def told(data):
    return {f"{each.line} {each.severity} {each.code}" for each in checked(data)}


class Mutation(NamedTuple):
    name: str
    apply: Callable
    expected: tuple[str, ...]

    def bytes(self):
        entries = good()
        made = self.apply(entries)
        return made if isinstance(made, bytes) else dump(entries)


MUTATIONS: list[Mutation] = []


def mutation(name, apply, *expected):
    MUTATIONS.append(Mutation(name, apply, expected))


def at_line(line, apply):
    return lambda entries: apply(entries[line - 1])


def put(line, key, value):
    return at_line(line, lambda entry: entry.__setitem__(key, value))


def drop(line, key):
    return at_line(line, lambda entry: entry.pop(key))


def put_message(line, key, value):
    return at_line(line, lambda entry: entry["message"].__setitem__(key, value))


def drop_message(line, key):
    return at_line(line, lambda entry: entry["message"].pop(key))


def put_block(line, place, key, value):
    return at_line(line, lambda entry: entry["message"]["content"][place].__setitem__(key, value))


def drop_block(line, place, key):
    return at_line(line, lambda entry: entry["message"]["content"][place].pop(key))


def add_block(line, block):
    return at_line(line, lambda entry: entry["message"]["content"].append(block))


def tail(**body):
    """One more entry at the end: line 15."""

    def apply(entries):
        entries.append({"id": "line15", "parentId": "line14", "timestamp": STAMP, **body})

    return apply


def tail_message(**message):
    return tail(type="message", message=message)


def raw(change):
    return lambda entries: change(dump(entries).splitlines(keepends=True))


def with_line(before, line):
    """The bytes with one more line in front of line ``before``."""
    return raw(lambda lines: b"".join([*lines[: before - 1], line, *lines[before - 1 :]]))


def renamed(line, name):
    """Another id for a line, and for whoever names it."""

    def apply(entries):
        old = entries[line - 1]["id"]
        for each in entries[line - 1 :]:
            for key in ("id", "parentId"):
                if each.get(key) == old:
                    each[key] = name

    return apply


def both(*changes):
    def apply(entries):
        for change in changes:
            change(entries)

    return apply


def moved_results(entries):
    """The first result in front of its call, the chain of parents in file order."""
    entries.insert(6, entries.pop(7))
    for number, entry in enumerate(entries[1:], start=2):
        entry["id"] = f"line{number}"
        entry["parentId"] = f"line{number - 1}" if number > 2 else None


# the header is refused
mutation("no header line", lambda entries: entries.pop(0) and None, "1 error no-header")
mutation("header without type", drop(1, "type"), "1 error no-header")
mutation("header of another type", put(1, "type", "sessions"), "1 error no-header")
mutation("header without id", drop(1, "id"), "1 error header-id")
mutation("header with a number for an id", put(1, "id", 7), "1 error header-id")
mutation("header with null for an id", put(1, "id", None), "1 error header-id")
mutation("UTF-8 byte order mark", lambda e: b"\xef\xbb\xbf" + dump(e), "1 error byte-order-mark")
mutation("plain text", lambda _: b"pears\nand more pears\n", "1 error no-header")
mutation("blank lines only", lambda _: b"\n\n", "1 error no-header")
mutation("a number before the header", with_line(1, b"5\n"), "1 error no-header")
mutation("an array before the header", with_line(1, b"[]\n"), "1 error no-header")
mutation("an object before the header", with_line(1, b"{}\n"), "1 error no-header")
# the file is rewritten
mutation("no version", drop(1, "version"), "1 error version-1")
mutation("version null", put(1, "version", None), "1 error version-1")
mutation("version 1", put(1, "version", 1), "1 error version-1")
mutation("version '1'", put(1, "version", "1"), "1 error version-1")
mutation("version 2", put(1, "version", 2), "1 error old-version")
mutation("version 2.5", put(1, "version", 2.5), "1 error old-version")
mutation("a word for a version", put(1, "version", "two"), "1 error old-version")
mutation("an object for a version", put(1, "version", {}), "1 error old-version")
mutation("empty file", lambda _: b"", "1 error empty-file")
# the header is accepted
mutation("version 99", put(1, "version", 99), "1 note other-version")
mutation("version '3'", put(1, "version", "3"), "1 note other-version")
mutation("header without timestamp", drop(1, "timestamp"))
mutation("header without cwd", drop(1, "cwd"), "1 note no-cwd")
mutation("header with an empty cwd", put(1, "cwd", ""), "1 note no-cwd")
mutation("header with a number for a cwd", put(1, "cwd", 5), "1 note no-cwd")
mutation("odd characters in the header's id", put(1, "id", "pears & more"), "1 note odd-session-id")
mutation("unknown fields", both(put(1, "x", 1), put(6, "x", 1), put_message(6, "x", {"y": 1})))
# lines
mutation(
    "bad JSON line between turns",
    with_line(11, b"{pears\n"),
    "11 error not-json",
)
mutation(
    "bad JSON in the place of an entry",
    raw(lambda lines: b"".join([*lines[:9], b"{pears\n", *lines[10:]])),
    "10 error not-json",
    "11 error unknown-parent",
    "1 note no-thinking-level",
)
mutation("NaN", raw(lambda x: b"".join([*x, b'{"a":NaN}\n'])), "15 error not-json")
mutation("blank line", with_line(5, b"\n"), "5 note blank-line")
mutation("spaces only", with_line(5, b" \t \n"), "5 note blank-line")
mutation("array line", with_line(5, b'["pears"]\n'), "5 error not-an-object")
mutation("number line", with_line(5, b"5\n"), "5 error not-an-object")
mutation("null line", with_line(5, b"null\n"), "5 error not-an-object")
mutation("string line", with_line(5, b'"pears"\n'), "5 error not-an-object")
mutation(
    "number as the last line",
    with_line(15, b"5\n"),
    "15 error not-an-object",
    "15 error ends-on-nothing",
    "15 note second-root",
    "1 note no-thinking-level",
)
mutation("null as the last line", with_line(15, b"null\n"), "15 error not-an-object")
mutation("CRLF", lambda e: dump(e).replace(b"\n", b"\r\n"), "1 note windows-line-ends")
mutation("leading spaces", raw(lambda lines: b"  " + b"  ".join(lines)))
mutation(
    "U+2028 inside a string",
    raw(lambda lines: b"".join(lines).replace(b"Two.", "Two\u2028.".encode())),
)
mutation(
    "invalid UTF-8", raw(lambda x: b"".join(x).replace(b"Two.", b"T\xff")), "10 note invalid-utf8"
)
mutation("missing final newline", lambda e: dump(e)[:-1], "14 error no-final-newline")
mutation("cut-off last line", lambda e: dump(e)[:-30], "14 error cut-line")
mutation("junk before the header", with_line(1, b"hi\n"), "1 note junk-before-header")
mutation("null before the header", with_line(1, b"null\n"), "1 note junk-before-header")
mutation("blank line before the header", with_line(1, b"\n"), "1 note blank-line")
mutation("BOM inside", with_line(5, b'\xef\xbb\xbf{"type":"custom"}\n'), "5 error not-json")
mutation("BOM on junk", with_line(1, b"\xef\xbb\xbf\n"), "1 note junk-before-header")
mutation("BOM on an entry", with_line(1, b"\xef\xbb\xbf{}\n"), "1 note junk-before-header")
mutation("second header", lambda e: dump(e) + dump(e[:1]), "15 note second-header")
mutation("header alone", lambda e: dump(e[:1]), "1 note no-entries")
# what entries say of each other
mutation("entry without timestamp", drop(6, "timestamp"))
mutation("entry with a bad timestamp", put(6, "timestamp", "noon"))
mutation("entry with a numeric timestamp", put(6, "timestamp", 5))
LEVEL_LOST = "1 note no-thinking-level"
mutation("entry without id", drop(6, "id"), "6 error no-id", "7 error unknown-parent", LEVEL_LOST)
mutation(
    "entry with id null", put(6, "id", None), "6 error no-id", "7 error unknown-parent", LEVEL_LOST
)
mutation(
    "entry with a number for an id",
    put(6, "id", 6),
    "6 error no-id",
    "7 error unknown-parent",
    LEVEL_LOST,
)
mutation("last entry without id", drop(14, "id"), "14 error no-id")
mutation("entry without parentId", drop(11, "parentId"), "11 error no-parent", LEVEL_LOST)
mutation("entry with an empty parentId", put(11, "parentId", ""), "11 error no-parent", LEVEL_LOST)
mutation(
    "entry with an unknown parentId",
    put(11, "parentId", "pear"),
    "11 error unknown-parent",
    LEVEL_LOST,
)
mutation("entry with parentId null", put(11, "parentId", None), "11 note second-root", LEVEL_LOST)
mutation("first entry without parentId", drop(2, "parentId"))
mutation(
    "first entry with an unknown parent", put(2, "parentId", "pear"), "2 note first-without-parent"
)
mutation(
    "duplicate id, children name the old one",
    put(10, "id", "line6"),
    "10 error duplicate-id",
    "7 error cycle-aside",
    "11 error unknown-parent",
    LEVEL_LOST,
)
mutation(
    "duplicate id of an entry above, children follow",
    renamed(10, "line6"),
    "10 error duplicate-id",
    "7 error parent-cycle",
    LEVEL_LOST,
)
mutation(
    "duplicate id without a circle",
    both(put(3, "id", "line9"), put(4, "parentId", "line2")),
    "9 error duplicate-id",
)
mutation(
    "an entry is its own parent", put(11, "parentId", "line11"), "11 error parent-cycle", LEVEL_LOST
)
mutation(
    "two entries name each other", put(7, "parentId", "line8"), "7 error parent-cycle", LEVEL_LOST
)
mutation("the whole file is a circle", put(2, "parentId", "line14"), "2 error parent-cycle")
mutation(
    "a circle beside the branch",
    lambda entries: entries.insert(5, {"type": "custom", "id": "a", "parentId": "a"}),
    "6 error cycle-aside",
)
# what entries hold
mutation("message null", put(14, "message", None), "14 error no-message")
mutation("message absent", drop(14, "message"), "14 error no-message")
mutation("message is a string", put(14, "message", "Done."), "14 error message-not-object")
mutation("unknown type", tail(type="pear", data=1), "15 note unknown-type")
mutation("no type", tail(data=1), "15 note unknown-type")
mutation("unknown role", put_message(14, "role", "pear"), "14 note unknown-role")
mutation("no role", drop_message(14, "role"), "14 note unknown-role")
mutation("model change without model", drop(3, "modelId"), "3 note no-model")
mutation("unknown thinkingLevel", put(4, "thinkingLevel", "loud"), "4 note thinking-level")
mutation("no thinking_level_change", put(4, "type", "custom"), LEVEL_LOST)
mutation("name is a number", put(2, "name", 5), "2 error name-not-a-string")
mutation("name absent", drop(2, "name"))
mutation("label", tail(type="label", targetId="line6", label="start"))
mutation(
    "label of nothing", tail(type="label", targetId="pear", label="x"), "15 note label-of-nothing"
)
mutation("label without target", tail(type="label", label="x"), "15 note label-of-nothing")
COMPACTION = {
    "type": "compaction",
    "summary": "pears",
    "firstKeptEntryId": "line11",
    "tokensBefore": 9,
}
mutation("compaction", tail(**COMPACTION))
mutation(
    "compaction that keeps what is unknown",
    tail(**{**COMPACTION, "firstKeptEntryId": "pear"}),
    "15 error compaction-keeps-nothing",
)
mutation(
    "compaction that keeps itself",
    tail(**{**COMPACTION, "firstKeptEntryId": "line15"}),
    "15 error compaction-keeps-nothing",
)
mutation(
    "compaction without tokensBefore",
    tail(**{**COMPACTION, "tokensBefore": None}),
    "15 error compaction-tokens",
)
mutation(
    "compaction without summary",
    tail(**{**COMPACTION, "summary": None}),
    "15 note compaction-summary",
)
mutation("branch summary", tail(type="branch_summary", fromId="line10", summary="x"))
mutation(
    "branch summary without summary",
    tail(type="branch_summary", fromId="x"),
    "15 error summary-missing",
)
mutation("usage entry without usage", tail(type="usage", kind="k"), "15 error usage-without-cost")
mutation("context edit that omits", tail(type="context_edit", targetId="line6", replacement=None))
mutation(
    "context edit without replacement",
    tail(type="context_edit", targetId="line6"),
    "15 error context-edit",
)
mutation("custom message", tail(type="custom_message", customType="c", content="x", display=True))
mutation(
    "custom message without content",
    tail(type="custom_message", display=True),
    "15 error content-absent",
)
mutation(
    "custom message with a number",
    tail(type="custom_message", content=5),
    "15 error content-not-a-list",
)
mutation("shell command of the user", tail_message(role="bashExecution", command="ls", output="x"))
mutation(
    "shell command without output",
    tail_message(role="bashExecution", command="ls"),
    "15 error bash-incomplete",
)
mutation("system message", tail_message(role="system", content=""))
# user
mutation("user without content", drop_message(6, "content"), "6 error content-absent")
mutation("user content null", put_message(6, "content", None), "6 error content-absent")
mutation("user content a number", put_message(6, "content", 5), "6 error content-not-a-list")
mutation("user content an empty list", put_message(6, "content", []), "6 note user-content-empty")
mutation("user content an empty string", put_message(6, "content", ""), "6 note user-content-empty")
mutation("user content a string", put_message(6, "content", "pears"))
mutation("user text block without text", drop_block(6, 0, "text"), "6 error text-missing")
# assistant
mutation("no usage", drop_message(14, "usage"), "14 error usage-without-cost")
mutation("usage null", put_message(14, "usage", None), "14 error usage-without-cost")
mutation("usage {}", put_message(14, "usage", {}), "14 error usage-without-cost")
mutation(
    "no usage.cost",
    put_message(14, "usage", {key: USAGE[key] for key in USAGE if key != "cost"}),
    "14 error usage-without-cost",
)
mutation(
    "usage without a count",
    put_message(14, "usage", {"cost": {"total": 0}}),
    "14 note usage-incomplete",
)
mutation("usage without totalTokens", put_message(14, "usage", {**USAGE, "totalTokens": None}))
mutation(
    "assistant content a string", put_message(14, "content", "Done."), "14 error content-not-a-list"
)
mutation(
    "assistant content an object", put_message(14, "content", {}), "14 error content-not-a-list"
)
mutation("assistant content absent", drop_message(14, "content"), "14 error content-absent")
mutation("assistant content null", put_message(14, "content", None), "14 error content-absent")
mutation("assistant content empty", put_message(14, "content", []))
mutation("no api", drop_message(14, "api"))
mutation("no provider", drop_message(14, "provider"), "14 note no-model")
mutation("no model", drop_message(14, "model"), "14 note no-model")
mutation("no message timestamp", drop_message(14, "timestamp"))
mutation("no stopReason", drop_message(14, "stopReason"))
mutation("unknown stopReason", put_message(14, "stopReason", "full"), "14 note unknown-stop-reason")
mutation(
    "thinking without thinking", drop_block(7, 0, "thinking"), "7 error thinking-without-thinking"
)
mutation("thinking null", put_block(7, 0, "thinking", None), "7 error thinking-without-thinking")
mutation("text without text", drop_block(7, 1, "text"), "7 error text-without-text")
mutation("text is a number", put_block(7, 1, "text", 5), "7 error text-without-text")
mutation("unknown block type", add_block(14, {"type": "pear"}), "14 note unknown-block")
mutation("block is a string", add_block(14, "pear"), "14 note unknown-block")
mutation("block is null", add_block(14, None), "14 error block-null")
# calls
mutation(
    "call without id", drop_block(7, 2, "id"), "7 error call-without-id", "8 error orphan-result"
)
mutation("call without arguments", drop_block(7, 2, "arguments"), "7 error call-arguments")
mutation("call with arguments null", put_block(7, 2, "arguments", None), "7 error call-arguments")
mutation(
    "call with a string for arguments", put_block(7, 2, "arguments", "ls"), "7 error call-arguments"
)
mutation("call without name", drop_block(7, 2, "name"), "7 note call-without-name")
mutation(
    "call id of 65 characters",
    both(put_block(7, 2, "id", "p" * 65), put_message(8, "toolCallId", "p" * 65)),
    "7 note odd-call-id",
)
mutation(
    "call id with odd characters",
    both(put_block(7, 2, "id", "pear|1"), put_message(8, "toolCallId", "pear|1")),
    "7 note odd-call-id",
)
mutation(
    "one id for two calls that wait",
    both(put_block(7, 3, "id", "look-1"), put_message(9, "toolCallId", "look-1")),
    "7 error duplicate-call-id",
)
mutation(
    "id of a call that was answered",
    both(put_block(12, 0, "id", "look-1"), put_message(13, "toolCallId", "look-1")),
    "12 note reused-call-id",
)
# results
mutation("result content a string", put_message(9, "content", "pear"), "9 error content-not-a-list")
mutation("result content absent", drop_message(9, "content"), "9 error content-absent")
mutation("result content empty", put_message(9, "content", []))
mutation(
    "result without toolCallId",
    drop_message(9, "toolCallId"),
    "9 error result-without-call-id",
    "7 note call-without-result",
)
mutation("result without toolName", drop_message(9, "toolName"))
mutation("result without isError", drop_message(9, "isError"))
mutation("result without timestamp", drop_message(9, "timestamp"))
mutation("odd details", put_message(9, "details", "pears"))
mutation("result with broken usage", put_message(9, "usage", {}), "9 error usage-without-cost")
mutation("edit without diff", drop_message(13, "details"), "13 note edit-without-diff")
for odd in (5, {"a": 1}, ["x"], True):
    mutation(
        f"edit whose diff is {odd!r}",
        put_message(13, "details", {"diff": odd}),
        "13 error diff-not-text",
    )
for odd in (0, False, None):
    mutation(
        f"edit whose diff is {odd!r}",
        put_message(13, "details", {"diff": odd}),
        "13 note edit-without-diff",
    )
mutation(
    "an object for a command",
    both(
        put_block(7, 2, "name", "bash"),
        put_block(7, 2, "arguments", {"command": {"toString": 1}}),
    ),
    "7 error argument-object",
)
mutation(
    "markup for a number",
    both(
        put_block(7, 2, "name", "read"),
        put_block(7, 2, "arguments", {"path": "a", "offset": "<img>"}),
    ),
    "7 error argument-markup",
)
mutation(
    "a text for a number",
    both(
        put_block(7, 2, "name", "read"), put_block(7, 2, "arguments", {"path": "a", "offset": "3"})
    ),
)
mutation(
    "failed edit without diff", both(drop_message(13, "details"), put_message(13, "isError", True))
)
mutation("image without data", drop_block(8, 1, "data"), "8 error image-incomplete")
mutation("image without mimeType", drop_block(8, 1, "mimeType"), "8 error image-incomplete")
mutation(
    "orphan result",
    put_message(9, "toolCallId", "pear"),
    "9 error orphan-result",
    "7 note call-without-result",
)
mutation(
    "second result", tail_message(**result("look-1", "read", text("x"))), "15 error second-result"
)
mutation(
    "result before its call", moved_results, "7 error orphan-result", "8 note call-without-result"
)
mutation(
    "result on another branch",
    lambda entries: entries[9].__setitem__("parentId", "line8"),
    "7 note call-without-result",
)
mutation(
    "results in another order",
    both(put_message(8, "toolCallId", "count-2"), put_message(9, "toolCallId", "look-1")),
)
mutation(
    "call without result",
    tail_message(**assistant(call("wait-4", "bash"))),
    "15 note call-without-result",
)
mutation(
    "call of an aborted message", tail_message(**assistant(call("wait-4", "bash"), stop="aborted"))
)
mutation(
    "result of an aborted message",
    put_message(12, "stopReason", "aborted"),
    "13 error result-of-failed-message",
)


def test_the_good_session_has_no_finding():
    tally = Tally()
    data = dump(good())
    assert list(check(split_lines([data]), exists=lambda _: True, tally=tally)) == []
    assert tally == Tally(entries=13, messages=9)


def test_there_are_enough_of_them():
    assert len(MUTATIONS) >= 85
    assert len({each.name for each in MUTATIONS}) == len(MUTATIONS)


@pytest.mark.parametrize("mutant", MUTATIONS, ids=lambda each: each.name)
def test_mutation(mutant):
    assert told(mutant.bytes()) == set(mutant.expected)


def test_every_code_has_a_mutation():
    tested = {words.split()[2] for each in MUTATIONS for words in each.expected}
    assert set(ROWS) - tested == {"cwd-missing", "line-too-long", "nested-too-deeply"}


def message_of(data, code):
    return next(each.message for each in checked(data) if each.code == code)


def mutant(name):
    return next(each.bytes() for each in MUTATIONS if each.name == name)


def test_what_is_lost_is_counted():
    words = message_of(mutant("entry with an unknown parentId"), "unknown-parent")
    assert "pi loses 9 entries above it" in words
    entries = good()[:3]
    entries[2]["parentId"] = "pear"
    assert "pi loses 1 entry above it" in message_of(dump(entries), "unknown-parent")


def test_junk_is_counted():
    assert "1 line without" in message_of(mutant("junk before the header"), "junk-before-header")
    words = message_of(b"a\nb\n" + dump(good()), "junk-before-header")
    assert "2 lines without" in words


def test_what_a_double_id_loses_is_counted():
    entries = good()
    entries.append({"type": "custom", "id": "line10", "parentId": "line4"})
    entries.append({"type": "custom", "id": "line16", "parentId": "line10"})
    assert "line 10 again" in message_of(dump(entries), "duplicate-id")
    entries[10]["parentId"] = "line10"
    entries.append({"type": "custom", "id": "line17", "parentId": "line14"})
    words = message_of(dump(entries), "duplicate-id")
    assert "(6 entries of the branch)" in words  # 5 to 10 hang above the first of both


def test_a_folder_that_does_not_exist_is_an_error():
    asked = []
    found = checked(dump(good()), exists=asked.append)
    assert [(each.line, each.severity, each.code) for each in found] == [
        (1, "error", "cwd-missing")
    ]
    assert asked == ["/basket"]


def test_calls_of_other_branches_wait_only_if_nobody_ever_answers():
    entries = good()
    side = {"type": "message", "message": assistant(call("side-1", "bash"))}
    entries.insert(11, {"id": "side", "parentId": "line11", **side})
    assert told(dump(entries)) == {"12 note call-without-result"}
    answer = {"type": "message", "message": result("side-1", "bash")}
    entries.insert(12, {"id": "answer", "parentId": "side", **answer})
    assert told(dump(entries)) == set()


def test_a_line_over_the_limit_hides_what_hangs_on_it():
    data = dump(good()).replace(b"Look first.", b"Look " * 400)
    found = {(each.line, each.code) for each in checked(data, limit=1500)}
    assert {(7, "line-too-long"), (1, "no-thinking-level")} <= found
    assert not {"unknown-parent", "orphan-result"} & {code for _, code in found}


def test_nesting_is_no_recursion_of_ours():
    nested = (
        b'{"type":"custom","id":"n","parentId":"line14","x":' + b"[" * 9**5 + b"]" * 9**5 + b"}\n"
    )
    assert told(dump(good()) + nested) == {"15 error nested-too-deeply"}


def test_numbers_of_any_length_are_numbers():
    long = (
        dump(good())
        .replace(b'"tokens": 0', b"")
        .replace(b'"input": 40', b'"input": ' + b"4" * 5000)
    )
    assert told(long) == set()
    assert told(dump(good()).replace(b'"version": 3', b'"version": ' + b"9" * 400)) == {
        "1 note other-version"
    }


@pytest.mark.parametrize(
    ("version", "code"),
    [
        ('" "', "version-1"), ("[]", "version-1"), ("[3]", "other-version"), ("[1,2]", "old-version"),
        ("true", "version-1"), ("false", "version-1"), ('"3e0"', "other-version"), ("-1", "version-1"),
        ("-" + "9" * 400, "version-1"), ("3.0", None),
    ],
)  # fmt: skip
def test_versions_are_compared_as_javascript_does(version, code):
    data = dump(good()).replace(b'"version": 3', f'"version": {version}'.encode())
    assert [each.code for each in checked(data)] == ([code] if code else [])


def test_version_1_is_one_chain_whatever_the_links():
    entries = good()
    entries[0]["version"] = 1
    for entry in entries[1:]:
        del entry["id"], entry["parentId"]
    entries.append(
        {"type": "compaction", "summary": "x", "tokensBefore": 1, "firstKeptEntryIndex": 2}
    )
    entries.append({"type": "label", "targetId": "line6", "label": "x"})
    assert told(dump(entries)) == {"1 error version-1"}


def test_a_chain_of_100_000_lines_is_quick():
    rows = (
        f'{{"type":"custom","id":"e{n}","parentId":"e{n - 1}"}}\n'
        if n
        else '{"type":"custom","id":"e0"}\n'
        for n in range(100_000)
    )
    begun = time.monotonic()
    assert told(dump(good()[:1]) + "".join(rows).encode()) == {LEVEL_LOST}
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize(
    "parent",
    [
        lambda n: (n + 1) % 100_000,
        lambda n: n ^ 1,
        lambda n: min(n + 1, 99_999),
        lambda _: 0,
    ],
    ids=["one circle", "many circles", "all hang on one", "a star"],
)
def test_circles_of_100_000_lines_end(parent):
    rows = "".join(
        f'{{"type":"custom","id":"e{n}","parentId":"e{parent(n)}"}}\n' for n in range(100_000)
    )
    begun = time.monotonic()
    found = told(dump(good()[:1]) + rows.encode())
    assert any(each.endswith(("parent-cycle", "cycle-aside")) for each in found)
    assert time.monotonic() - begun < 20


def test_no_value_of_the_file_is_in_a_finding():
    for each in MUTATIONS:
        entries = json.loads(json.dumps(good()).replace("pear", "CANARY").replace("line", "CANARY"))
        each.apply(entries)
        data = dump(entries).replace(b"pear", b"CANARY")
        assert not any("CANARY" in found.message + found.code for found in checked(data))


@given(st.binary(max_size=400))
def test_any_bytes_raise_nothing(data):
    checked(data)
    checked(b'{"type":"session","version":3,"id":"a"}\n' + data)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
PLACES = st.integers(0, 13)
KEYS = (
    "type",
    "id",
    "parentId",
    "message",
    "role",
    "content",
    "usage",
    "toolCallId",
    "version",
    "cwd",
)


@given(st.lists(st.tuples(PLACES, st.sampled_from(KEYS), st.booleans(), JSON), max_size=6))
def test_any_value_anywhere_raises_nothing(changes):
    entries = good()
    for place, key, deep, value in changes:
        there = entries[place].get("message")
        target = there if deep and isinstance(there, dict) else entries[place]
        target[key] = value
    for each in checked(dump(entries)):
        assert each.code in ROWS
        assert 1 <= each.line <= 14


@given(
    st.lists(st.integers(0, 13) | st.none(), min_size=14, max_size=14), st.lists(PLACES, max_size=3)
)
def test_any_shape_of_the_tree_ends(parents, doubles):
    entries = good()
    for entry, parent in zip(entries, parents, strict=True):
        entry["parentId"] = None if parent is None else f"line{parent}"
    for place in doubles:
        entries[place]["id"] = "line5"
    checked(dump(entries))
