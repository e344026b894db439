"""What ``check-pi`` can find in entries, messages and blocks, and between calls and results.

Without a row, because pi needs none of them (pi facts 1.4): any timestamp, ``api``, ``toolName``,
``isError``, a missing ``stopReason``, unknown fields, the order of parallel results.
"""

from cursor_replay.pi_session.codes import Row, blank, crash, hidden, lost, note

_TOTALS = " and its totals fail"
_PROMPT = ", its totals or the next prompt fail"
_PAGE = " and its HTML export is a blank page"

ENTRIES = {
    "no-message": Row(
        "error",
        "crash-on-load",
        "an entry of type message whose message is {type}",
        "pi crashes when it loads the file",
        "Leave the entry out.",
    ),
    "message-not-object": crash(
        "an entry of type message whose message is {type}", "Leave the entry out.", ""
    ),
    "unknown-type": note(
        "an entry of a type that pi does not know", "pi keeps it as a link and shows nothing of it"
    ),
    "unknown-role": note("a message of a role that pi does not know", "pi skips it", "degraded"),
    "name-not-a-string": crash("a session_info whose name is {type}", "Write a string.", ""),
    "bash-incomplete": crash(
        "a bashExecution whose command or output is {type}",
        "Write a string, '' if there is none.",
        _TOTALS,
    ),
    "context-edit": Row(
        "error",
        "crash-on-load",
        "a context_edit whose replacement is {type}",
        "pi 1.6.0 crashes when it loads the file",
        "Write null, or an object with a content.",
    ),
    "compaction-tokens": crash(
        "a compaction whose tokensBefore is {type}", "Write a number, 0 if it is not known.", _PAGE
    ),
    "compaction-summary": note(
        "a compaction whose summary is {type}", "pi tells the model nothing of what was", "degraded"
    ),
    "summary-missing": blank("a branch_summary whose summary is {type}", "Write a string."),
    "compaction-keeps-nothing": lost(
        "firstKeptEntryId is of no entry above the compaction",
        "Name the first entry that is kept.",
        "pi drops everything above it but the summary",
    ),
    "label-of-nothing": note("a label whose targetId is of no entry", "pi shows it nowhere"),
    "thinking-level": note(
        "a thinkingLevel that pi does not know", "pi takes the nearest one the model has"
    ),
    "no-model": note(
        "no provider or no model is named", "pi says it could not restore it and takes another"
    ),
    "no-thinking-level": note(
        "no thinking_level_change on the branch the session ends on",
        "pi appends one when it opens the file",
        "file-changes",
    ),
}

MESSAGES = {
    "user-content-empty": note("a user's content is empty", "pi shows no bubble", "degraded"),
    "content-absent": blank("content is {type}", "Write a list of blocks, [] if there is none."),
    "content-not-a-list": crash(
        "content is {type}, not a list", "Write a list of blocks.", _PROMPT
    ),
    "usage-without-cost": crash(
        "usage.cost is {type}", "Write usage with a cost; all zeros will do.", _PROMPT
    ),
    "usage-incomplete": note(
        "a count of usage is missing or no number", "pi's totals are wrong", "degraded"
    ),
    "unknown-stop-reason": note("a stopReason that pi does not know", "pi takes it for stop"),
}

BLOCKS = {
    "block-null": crash("a block that is null", "Leave it out.", _PROMPT),
    "unknown-block": note("a block that pi does not know", "pi skips it", "degraded"),
    "text-without-text": crash("a text block whose text is {type}", "Write a string.", _PAGE),
    "text-missing": Row(
        "error",
        "prompt-fails",
        "a text block whose text is {type}",
        "pi shows nothing of it and the next prompt fails with some models",
        "Write a string.",
    ),
    "thinking-without-thinking": crash(
        "a thinking block whose thinking is {type}", "Write a string, '' if there is none.", _PAGE
    ),
    "image-incomplete": Row(
        "error",
        "skipped",
        "an image without data or mimeType",
        "pi shows no image and sends a broken one to the model",
        "Write base64 data and its mimeType.",
    ),
    "call-without-id": Row(
        "error",
        "prompt-fails",
        "a call whose id is {type}",
        "the next prompt fails and no result is shown",
        "Give every call an id.",
    ),
    "call-arguments": Row(
        "error",
        "blank-html",
        "a call whose arguments are {type}",
        "its card loses its head and pi's HTML export is a blank page with most tools",
        "Write an object.",
    ),
    "argument-object": blank(
        "an argument that is {type}, where pi's tool takes a text or a number",
        "Leave the argument out.",
    ),
    "argument-markup": Row(
        "error",
        "degraded",
        "an argument that is a text with a '<', where pi's tool takes a number",
        "pi 0.84.0 writes it into its HTML export as it is, where it can be a script",
        "Leave the argument out.",
    ),
    "call-without-name": note("a call whose name is {type}", "its card has no name", "degraded"),
    "odd-call-id": note(
        "a call id that is not 1 to 64 of A-Z a-z 0-9 _ -",
        "some models refuse it when the session goes on",
    ),
}

PAIRS = {
    "result-without-call-id": hidden(
        "a result whose toolCallId is {type}", "Name the call it belongs to."
    ),
    "orphan-result": hidden("a result of no call above it", "Put it behind its call."),
    "second-result": hidden("another result of a call that has one", "Keep one of them."),
    "result-of-failed-message": hidden(
        "a result of a call whose message was aborted or failed",
        "Leave it out, or write stopReason toolUse.",
    ),
    "duplicate-call-id": Row(
        "error",
        "result-hidden",
        "the id of a call that still waits for its result (line {first})",
        "one of both cards never shows a result",
        "Give every call an id of its own.",
    ),
    "reused-call-id": note(
        "the id of an earlier call (line {first})", "the HTML export shows one result in both cards"
    ),
    "call-without-result": note(
        "a call without a result", "its card stays grey as if it were still running", "degraded"
    ),
    "edit-without-diff": note(
        "the result of an edit without details.diff", "its card stays grey and shows no diff"
    ),
    "diff-not-text": blank("the result of an edit whose diff is {type}", "Write a string."),
}
