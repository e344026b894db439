"""Which tool an ACP call is, and what it was given and answered (transcript facts 5).

Owns the step from the protocol's kinds, titles and content blocks to a tool's name, arguments and
outcome. Knows no order of messages.
"""

import re
from dataclasses import dataclass, field

from cursor_replay.events import Outcome
from cursor_replay.ingest.formats.acp.blocks import blocks_of, texts_of
from cursor_replay.ingest.formats.reported import exit_code, failing, reported
from cursor_replay.items import Json
from cursor_replay.lenient import as_object, as_objects, as_text

_NAMES = {
    "execute": "shell", "read": "read", "edit": "edit", "delete": "delete", "search": "grep",
    "fetch": "webFetch", "switch_mode": "switchMode",
}  # fmt: skip
_GLOBS = {"globPattern", "glob_pattern"}
_QUERIES = {"search_term", "searchTerm"}
_CONTENTS = {"content", "contents", "fileText"}
_MCP = {"toolName", "tool_name", "providerIdentifier"}
_TICKS = re.compile(r"`+")
_STREAMS = {"exitCode", "stdout", "stderr", "output", "interleavedOutput"}
_FAILED = {
    "failed", "failure", "rejected", "denied", "cancelled", "canceled", "aborted", "timeout",
    "error",
}  # fmt: skip
ENDS = _FAILED | {"completed"}
"""Status words of a call that is over; ``pending`` and ``in_progress`` are the others."""


@dataclass(slots=True)
class AcpCall:
    """What is known of one use of a ``toolCallId``. ``call_id`` is its own, also when reused."""

    call_id: str
    name: str | None = None
    kind: str = ""
    title: str = ""
    given: Json = None
    output: Json = None
    blocks: list[Json] = field(default_factory=list)
    places: list[dict[str, Json]] = field(default_factory=list)
    over: bool = False
    rejected: bool = False

    def learn(self, update: dict[str, Json]) -> None:
        """Take what an update says; what it leaves out stays as it was."""
        self.kind = as_text(update.get("kind")) or self.kind
        self.title = as_text(update.get("title")) or self.title
        for key, name in (("rawInput", "given"), ("rawOutput", "output")):
            if update.get(key) not in (None, {}):
                setattr(self, name, update[key])
        self.blocks = blocks_of(update.get("content")) or self.blocks
        self.places = as_objects(update.get("locations")) or self.places

    def tool(self) -> str:
        """The name of its row: by kind, then by what it was given, else its own title."""
        if self.name is not None:
            return self.name
        given = as_object(self.given)
        name = _NAMES.get(self.kind)
        if name == "grep" and given.keys() & _GLOBS:
            return "glob"
        if name in ("grep", "webFetch") and given.keys() & _QUERIES:
            return "webSearch"
        if name == "edit" and self._writes(given):
            return "write"
        if name is None and given.keys() & _MCP:
            return "mcp"
        return name or self.kind.replace("other", "") or self.title or "unknown"

    def args(self) -> Json:
        """The raw input, with the target from the title, the places or the diff where it lacks."""
        if self.given is not None and not isinstance(self.given, dict):
            return self.given
        args = dict(as_object(self.given))
        diffs = self._diffs()
        place = next((each.get("path") for each in [*diffs, *self.places]), None)
        match self.tool():
            case "shell" if "command" not in args and self.title:
                args["command"] = _TICKS.sub("", self.title).strip()
            case "read" | "delete" | "edit" | "write" if place and not _has_path(args):
                args["path"] = place
        if self.tool() == "edit" and diffs and args.keys() <= {"path", "file_path"}:
            args["edits"] = [
                {"oldText": d.get("oldText"), "newText": d.get("newText")} for d in diffs
            ]
        elif self.tool() == "write" and diffs and not args.keys() & _CONTENTS:
            args["contents"] = diffs[0].get("newText")
        if not args and self.title and self.title != self.tool():
            args["title"] = self.title
        return args

    def outcome(self, status: str) -> Outcome | None:
        """What a final status recorded; a bare ``completed`` says nothing that can be seen."""
        value = self._result()
        exits = self.tool() == "shell"
        if status in _FAILED:
            return self._failed(status, value, exits=exits)
        if value is not None:
            return reported(value, exits=exits, well=True)
        if self._diffs():
            return Outcome(status="success")
        return None if self.output is None else Outcome(status="unknown")

    def _result(self) -> Json:
        """The raw output, with the text of the blocks where it has none."""
        output = None if self.output == "" else self.output
        text = self._text()
        if self.tool() != "shell":
            return text or None if output is None else output
        if isinstance(output, str) or not text or as_object(output).keys() & _STREAMS:
            return {"output": output} if isinstance(output, str) else output
        return {**as_object(output), "output": text}

    def _failed(self, status: str, value: Json, *, exits: bool) -> Outcome:
        """A command that exited with another code than zero has run: its output is shown."""
        code = exit_code(value) if exits and not failing(self.output) else None
        if code:
            return Outcome(status="success", value={**as_object(value), "exitCode": code})
        told = as_object(self.output)
        error = next((told[k] for k in ("error", "message", "reason") if told.get(k)), None)
        words = error or (self.output if isinstance(self.output, str) else None) or self._text()
        return Outcome(status="error", value=self.output, error=words or self.output or status)

    def _writes(self, given: dict[str, Json]) -> bool:
        """A whole file: its content is given, or its one diff has nothing before it."""
        diffs = self._diffs()
        new = len(diffs) == 1 and not diffs[0].get("oldText")
        return bool(given.keys() & _CONTENTS) or (new and not given.keys() - {"path", "file_path"})

    def _diffs(self) -> list[dict[str, Json]]:
        return [each for each in as_objects(self.blocks) if each.get("type") == "diff"]

    def _text(self) -> str:
        return "\n".join(texts_of(self.blocks))


def _has_path(args: dict[str, Json]) -> bool:
    return any(isinstance(args.get(key), str) for key in ("path", "file_path", "filePath"))
