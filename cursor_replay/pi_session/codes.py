"""What ``check-pi`` can find in a file, its lines and its tree: a code, its weight and its words.

Measured on pi 0.84.0 and 1.6.0 (pi facts 1.1 to 1.4). Words hold places for counts, line numbers
and the names of JSON types; no value of a file ever enters them.
"""

from typing import Literal, NamedTuple

Severity = Literal["error", "note"]
"""``error``: refused, rewritten, a crash, a failing prompt, something lost. ``note``: the rest."""

Effect = Literal[
    "refused",
    "rewritten",
    "crash-on-load",
    "crash-in-tui",
    "prompt-fails",
    "blank-html",
    "history-lost",
    "result-hidden",
    "skipped",
    "asked-or-exit",
    "unknown",
    "degraded",
    "file-changes",
    "accepted",
]


class Row(NamedTuple):
    """A code: its words may name counts and types, as ``wrong.format(**words)``."""

    severity: Severity
    effect: Effect
    wrong: str
    does: str
    mend: str = ""

    @property
    def text(self) -> str:
        """What is wrong, what pi does, how to mend it."""
        return f"{self.wrong}; {self.does}" + (f". {self.mend}" if self.mend else "")


def refused(wrong: str, mend: str = "") -> Row:
    """The file is not taken at all."""
    return Row("error", "refused", wrong, "pi refuses the whole file", mend)


def crash(wrong: str, mend: str, also: str) -> Row:
    """What is drawn or counted stumbles over it."""
    return Row("error", "crash-in-tui", wrong, f"pi's terminal view crashes{also}", mend)


def blank(wrong: str, mend: str) -> Row:
    """The page stops being built at it."""
    return Row("error", "blank-html", wrong, "pi's HTML export is a blank page", mend)


def lost(wrong: str, mend: str, does: str = "pi loses {lost} above it") -> Row:
    """Something is cut off from what follows."""
    return Row("error", "history-lost", wrong, does, mend)


def hidden(wrong: str, mend: str) -> Row:
    """A result without a card."""
    does = "pi never shows it, yet sends it to the model"
    return Row("error", "result-hidden", wrong, does, mend)


def skipped(wrong: str, mend: str = "") -> Row:
    """What is there is nowhere to be seen."""
    return Row("error", "skipped", wrong, "pi skips it without a word", mend)


def note(wrong: str, does: str, effect: Effect = "accepted") -> Row:
    """Nothing breaks."""
    return Row("note", effect, wrong, does)


FILE = {
    "empty-file": Row(
        "error", "rewritten", "the file is empty", "pi writes a session of its own into it"
    ),
    "no-header": refused("{what}", "The first line has to be the session header."),
    "byte-order-mark": refused("a byte order mark stands before the header", "Remove it."),
    "header-id": refused("the header's id is {type}", "Give it a string."),
    "version-1": Row(
        "error",
        "rewritten",
        "the header's version is 1, or not there at all",
        "pi rewrites the file in place and gives every entry another id",
        "Write version 3.",
    ),
    "old-version": Row(
        "error",
        "rewritten",
        "the header's version is older than 3",
        "pi rewrites the file in place",
        "Write version 3.",
    ),
    "other-version": note("the header's version is not the number 3", "pi takes it for version 3"),
    "cwd-missing": Row(
        "error",
        "asked-or-exit",
        "the header's cwd does not exist on this machine",
        "pi's terminal view asks what to do; print, JSON and RPC mode exit with code 1",
        "Name a folder that exists.",
    ),
    "no-cwd": note("the header's cwd is {type}", "pi takes the folder it is started in"),
    "odd-session-id": note(
        "the header's id is not letters, digits, '.', '_' and '-'",
        "pi loads the file by its path, but --session cannot name the id",
    ),
    "second-header": note("another session header", "pi ignores it"),
    "junk-before-header": note(
        "{lines} without an entry before the header", "pi skips what is there"
    ),
    "no-entries": note("nothing follows the header", "pi opens a session without a message"),
}

LINES = {
    "not-json": skipped("not JSON"),
    "not-an-object": skipped("{type} where an entry should be"),
    "cut-line": Row(
        "error",
        "skipped",
        "the last line is cut off (no JSON, no line end)",
        "pi skips it; 0.84.0 writes the next entry onto it, and all history is lost",
        "Write every line whole, at once.",
    ),
    "no-final-newline": Row(
        "error",
        "history-lost",
        "the last line has no line end",
        "pi 1.6.0 adds one; 0.84.0 writes the next entry onto the line, and all history is lost",
        "End the file with a newline.",
    ),
    "line-too-long": Row(
        "error", "unknown", "a line of {bytes:,} bytes, too long to be checked", "pi may run out"
    ),
    "nested-too-deeply": Row(
        "error", "unknown", "nested too deeply to be checked", "pi may run out of stack"
    ),
    "invalid-utf8": note(
        "invalid UTF-8", "pi shows replacement characters in its place", "degraded"
    ),
    "blank-line": note("an empty line", "pi skips it"),
    "windows-line-ends": note("lines end with CRLF", "pi accepts that"),
}

TREE = {
    "no-id": lost(
        "an entry whose id is {type}",
        "Give it an id of its own.",
        "nothing can follow it: pi loses it and all above it for what comes next",
    ),
    "duplicate-id": lost(
        "the id of the entry in line {first} again",
        "Give every entry an id of its own.",
        "pi keeps the later one, so what led to the earlier one is lost ({lost} of the branch)",
    ),
    "no-parent": lost(
        "an entry whose parentId is {type}", "Name the entry in front of it, or null for a first."
    ),
    "unknown-parent": lost("its parentId is of no entry", "Name an entry of this file."),
    "first-without-parent": note(
        "the first entry names a parent that is not in the file", "pi starts with it"
    ),
    "second-root": note(
        "an entry without a parent behind others", "pi starts anew here, without {lost} above it"
    ),
    "parent-cycle": Row(
        "error",
        "crash-on-load",
        "the parents of this entry go round in a circle",
        "pi runs out of memory when it loads the file",
        "Name an entry above it.",
    ),
    "ends-on-nothing": lost(
        "the last line is no entry", "Remove it.", "pi takes it for the end of a branch of its own"
    ),
    "cycle-aside": lost(
        "the parents of this entry go round in a circle",
        "Name an entry above it.",
        "pi never shows what is in it",
    ),
}
