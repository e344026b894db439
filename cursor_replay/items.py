"""What a reader sees, in order: the closed ``Item`` union, and ``Sealed``.

An item is also the public JSON document (one item a line, see ``render/json.py``), so field
names here are interface. Items are frozen; a value that changes is yielded again with a higher
``revision``. Nothing here knows a wire format, a terminal or a clock.
"""

from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar, Literal, Self

from cursor_replay.records import dataclass

Json = Any
"""A JSON value as decoded: None, bool, int, float, str, list or dict with string keys."""

Status = Literal["running", "succeeded", "failed", "incomplete", "unrecorded"]
Provenance = Literal["replay", "bridge", "pi"]
TimeBasis = Literal["recorded", "turn", "file"]
Author = Literal["human", "cursor"]
Level = Literal["info", "warning", "error"]


def camel(name: str) -> str:
    """``lines_added`` -> ``linesAdded``: details keep the key style of pi's own documents."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


class Clip(str):
    """Text that is to be cut, but only after masking: half a secret matches no rule.

    The ``str`` value is the uncut join of ``parts``, or ``line`` where those have to be laid out
    first: some secrets are known by the lines and columns they stand in. ``scrub/seal.py``
    replaces a clip by ``cut("".join(sealed parts))``; parts may be clips themselves. Nothing else
    may show one.
    """

    __slots__ = ("cut", "parts")

    parts: tuple[str, ...]
    cut: Callable[[str], str] | None

    def __new__(
        cls, *parts: str, cut: Callable[[str], str] | None = None, line: str | None = None
    ) -> Self:
        """Join ``parts``; ``cut`` maps the masked join to what may be shown."""
        self = super().__new__(cls, "".join(parts) if line is None else line)
        self.parts = parts
        self.cut = cut
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Where an item stands in its input.

    ``line`` is 1-based, in a database the number of the row in reading order; ``block`` is the
    0-based place inside the record (parallel calls of one record); ``end_line`` is the line of the
    completion when that is another line. ``row`` is the key of a database row.
    """

    file: str
    line: int
    block: int | None = None
    end_line: int | None = None
    row: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Another store that told something: the name of its format, and where it stands there."""

    store: str
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Time:
    """A moment as ISO 8601 with milliseconds and ``Z``.

    ``basis`` is ``recorded`` when this very record carried it, ``turn`` when it is the time of
    the turn's prompt carried forward: the item happened then or later; ``file`` when it is the
    file's own time: the item happened then or earlier.
    """

    at: str
    basis: TimeBasis = "recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Token counts as recorded for one turn; None means not recorded."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPart:
    """One tag of the user envelope that the human did not type, kept whole."""

    tag: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextContent:
    """A text part of a card's content."""

    type: Literal["text"] = "text"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A recorded image: its kind and its bytes in base64."""

    mime_type: str
    data: str


# -- details: the closed union of the replay documents (facts 3.18) ---------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeEdit:
    """A recorded edit whose arguments satisfy pi's ``edit`` schema."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"alias_generator": camel}
    variant: Literal["nativeEdit"] = "nativeEdit"
    path: str | None = None
    lines_added: int | None = None
    lines_removed: int | None = None
    diff_string: str | None = None
    diff: str | None = None
    first_changed_line: int | None = None
    summary: str | None = None
    expanded_text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeWrite:
    """A recorded write with its content."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"alias_generator": camel}
    variant: Literal["nativeWrite"] = "nativeWrite"
    path: str | None = None
    lines_created: int | None = None
    file_size: int | None = None
    file_content_after_write: str | None = None
    summary: str | None = None
    expanded_text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """Neutral Cursor activity, drawn as a ``cursor`` card."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"alias_generator": camel}
    variant: Literal["activity"] = "activity"
    source_tool_name: str = "unregisteredActivity"
    title: str
    summary: str | None = None
    expanded_text: str | None = None
    collapse_details_by_default: bool | None = None
    path: str | None = None
    file_size: int | None = None
    diff_string: str | None = None
    diff: str | None = None
    lines_added: int | None = None
    lines_removed: int | None = None
    file_content_after_write: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerateImage:
    """A generated image; never its bytes."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"alias_generator": camel}
    variant: Literal["generateImage"] = "generateImage"
    image_path: str | None = None
    image_display_path: str | None = None
    image_mime_type: str | None = None
    summary: str | None = None
    expanded_text: str | None = None
    collapse_details_by_default: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericFallback:
    """Text only; older sessions carry it and it is never repaired into something else."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"alias_generator": camel}
    variant: Literal["genericFallback"] = "genericFallback"
    source_tool_name: str = "tool"
    summary: str | None = None
    expanded_text: str | None = None


Details = NativeEdit | NativeWrite | Activity | GenerateImage | GenericFallback


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """When a call ran. Times follow :class:`Time`; ``duration_ms`` is only ever recorded."""

    started: Time | None = None
    completed: Time | None = None
    duration_ms: float | None = None


# -- the items --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The head of a run; yielded again (higher ``revision``) when more becomes known."""

    type: Literal["session"] = "session"
    format: str
    file: str
    session_id: str | None = None
    cwd: str | None = None
    model: str | None = None
    title: str | None = None
    scrubbed: bool = True
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What was asked. ``author`` is ``cursor`` for a user record that no human typed."""

    type: Literal["prompt"] = "prompt"
    text: str
    author: Author = "human"
    context: tuple[ContextPart, ...] = ()
    images: tuple[Image, ...] | None = None
    turn: int
    time: Time | None = None
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Assistant text (Markdown), settled. ``parent`` is the card id of the enclosing task."""

    type: Literal["answer"] = "answer"
    text: str
    turn: int
    time: Time | None = None
    parent: str | None = None
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """Model thinking; ``removed`` means Cursor took it out (its ``[REDACTED]`` marker)."""

    type: Literal["thought"] = "thought"
    text: str
    removed: bool = False
    duration_ms: float | None = None
    turn: int
    time: Time | None = None
    parent: str | None = None
    evidence: Evidence


ReasonId = Literal[
    "no-completion-at-run-end",
    "denied",
    "abort",
    "sdk-failure",
    "run-drain",
    "process-died",
    "capture-cut",
    "arguments-cut",
    "running",
    "not-recorded",
]
"""Why a started call has no outcome: ``normalize/incomplete.py`` says what each means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incomplete:
    """What is known of a call that started and has no usable outcome, or was refused.

    ``call_id_hash`` is the first 8 hex digits of the SHA-256 of its recorded id, as in the
    coordinator records of pi-cursor-sdk. ``run_end`` is the recorded end of its run, None where
    none is. Seen since its start: ``partials`` updates of its arguments, ``outputs`` chunks of
    output (``last_output``: the last line), and ``siblings`` calls that did complete
    (``sibling_names``: the last ones). ``ambiguous`` output may be that of another shell.
    """

    reason: ReasonId
    call_id_hash: str | None = None
    run_end: str | None = None
    said_text: bool = False
    partials: int = 0
    outputs: int = 0
    last_output: str | None = None
    last_output_at: Time | None = None
    ambiguous: bool = False
    siblings: int = 0
    sibling_names: tuple[str, ...] = ()
    elapsed_ms: float | None = None


UNKNOWN_OUTCOME = "a result is recorded, but not how the call went"
"""The reason of an unrecorded card with a result: what came back is shown, no success claimed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One tool activity as pi shows it.

    ``tool`` is pi's tool name (read, bash, edit, write, grep, find, ls or cursor) and
    ``source_tool`` the canonical Cursor name (the raw name for an unknown tool). ``reason`` says
    why a card is ``failed`` or ``incomplete`` where that is known in one line, and of an
    ``unrecorded`` one what is known of it. ``outcome_from`` is set when not this recording but
    another store of the same session tells the outcome. ``incomplete`` is what is known of a call
    that never completed or was refused.
    """

    type: Literal["card"] = "card"
    id: str
    tool: str
    source_tool: str
    title: str
    summary: str | None = None
    arguments: dict[str, Json] = field(default_factory=dict)
    content: tuple[TextContent, ...] = ()
    images: tuple[Image, ...] | None = None
    details: Details | None = None
    status: Status
    reason: str | None = None
    provenance: Provenance = "replay"
    turn: int
    timing: Timing | None = None
    parent: str | None = None
    evidence: Evidence
    outcome_from: Origin | None = None
    incomplete: Incomplete | None = None
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something about the transcript itself; ``count`` like events were folded into one.

    ``parent`` is the card id of the enclosing task, when it is about a sub-agent's recording.
    """

    type: Literal["notice"] = "notice"
    code: str
    level: Level = "warning"
    message: str
    count: int = 1
    turn: int = 0
    parent: str | None = None
    evidence: Evidence | None = None


GOOD_ENDS = frozenset({"success", "succeeded", "finished", "completed", "ok", "unknown"})
"""The words sources use for a turn that ended well (or without a word); others are a problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """The recorded end of an agent loop.

    ``status`` is ``success``, ``error``, ``cancelled`` or ``aborted`` where the source means one of
    them, else its own word in lower case.
    """

    type: Literal["turn_end"] = "turn_end"
    status: str
    reason: str | None = None
    usage: Usage | None = None
    duration_ms: float | None = None
    turn: int
    time: Time | None = None
    evidence: Evidence


Item = Session | Prompt | Answer | Thought | Card | Notice | TurnEnd


@dataclass(frozen=True, slots=True)
class Sealed:
    """An item that has passed the scrubbing boundary; made by ``scrub/seal.py`` alone."""

    item: Item
