"""The row of the tool table, the call it gets and the draft of a card it returns.

A tool's function is pure: a call in, a draft out. It never sees a format, an id or a colour.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from cursor_replay.items import Details, Image, Json
from cursor_replay.normalize.bounds import bounded, section
from cursor_replay.normalize.json_words import compact, pretty
from cursor_replay.normalize.paths import display_path


@dataclass(slots=True, kw_only=True)  # not frozen: half the cost, and it lives for one card
class Call:
    """One tool call. ``done`` is False while no result is recorded: nothing may be claimed then.

    ``raw`` is the argument value as recorded when it was no object (a patch text, null, a list).
    ``todos`` is the todo list as it stood before this call. ``call_id`` is known of recorded cards
    only, and ``ours`` says that we wrote the session they stand in.
    """

    name: str
    canonical: str
    args: dict[str, Json] = field(default_factory=dict)
    raw: Json = None
    done: bool = True
    status: Literal["success", "error", "unknown"] | None = None
    value: Json = None
    error: Json = None
    cwd: str | None = None
    todos: tuple[dict[str, Json], ...] = ()
    call_id: str | None = None
    ours: bool = False

    @property
    def failed(self) -> bool:
        """Whether the result itself says error."""
        return self.status == "error"

    @property
    def result(self) -> dict[str, Json]:
        """The value when it is an object, else empty."""
        return self.value if isinstance(self.value, dict) else {}

    def path(self, path: str | None) -> str | None:
        """A path as shown, None when there is none."""
        return display_path(path, self.cwd) if path else None

    def error_text(self) -> str:
        """``Error: …`` (replay facts 3.0).

        An object that only repeats the call's target beside its message is shown as the message;
        any other object as JSON, so nothing of it is lost.
        """
        error = self.error
        if isinstance(error, dict) and isinstance(error.get("message"), str):
            rest = {key for key in error if key not in _REPEATED}
            error = error if rest else error["message"]
        text = error if isinstance(error, str) else pretty(error) if error is not None else ""
        return bounded(f"Error: {text}") if text else "Error"

    def fallback(self) -> str:
        """The value as JSON, for shapes nobody knows; a text value is that text."""
        if isinstance(self.value, str):
            return bounded(self.value)
        return bounded(pretty(self.value)) if self.value is not None else ""

    def compact_fallback(self) -> str:
        """The value as one-line JSON (MCP and web bodies)."""
        if isinstance(self.value, str):
            return bounded(self.value)
        return bounded(compact(self.value)) if self.value is not None else ""


_REPEATED = {"message", "path", "command", "workingDirectory"}


@dataclass(slots=True, kw_only=True)
class Draft:
    """What a tool's function makes of a call; the normaliser adds ids, status and place.

    ``source`` and ``incomplete`` are set by recorded cards only: the source tool they name, and
    that the call they show never completed.
    """

    tool: str
    arguments: dict[str, Json]
    title: str
    text: str = ""
    header: str = ""
    body: str = ""
    summary: str | None = None
    details: Details | None = None
    images: tuple[Image, ...] | None = None
    failed: bool = False
    reason: str | None = None
    duration_ms: float | None = None
    todos: tuple[dict[str, Json], ...] | None = None
    source: str | None = None
    incomplete: bool = False

    @property
    def transcript(self) -> str:
        """Header, blank line and body, as a trace shows the call."""
        return section(self.header, self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """One row of ``TOOLS`` (replay facts section 2).

    ``disposition`` is ``native`` when the card may take one of pi's own tool names, else
    ``neutral``. ``lifecycle`` is the title of a progress line, None where there is none.
    """

    canonical: str
    aliases: tuple[str, ...] = ()
    title: str
    disposition: Literal["native", "neutral"] = "neutral"
    lifecycle: str | None = None
    card: Callable[[Call], Draft]


class Arguments(BaseModel):
    """Base of the argument models: every dialect's spelling of a field, wrong types absent."""

    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)

    @classmethod
    def read(cls, args: dict[str, Json]) -> Self:
        """Validate recorded arguments; a null spelling gives way to the next one."""
        if None in args.values():
            args = {key: value for key, value in args.items() if value is not None}
        return cls.model_validate(args)


def named(*spellings: str) -> Any:
    """A field under any of its spellings, the first present one wins."""
    return Field(None, validation_alias=AliasChoices(*spellings))


PATH = ("path", "filePath", "file_path", "target_file", "targetFile", "relative_workspace_path")


def native(
    call: Call,
    tool: str,
    *,
    title: str,
    arguments: dict[str, Json],
    header: str,
    body: Callable[[], str],
    whole: bool = False,
    summary: str | None = None,
    details: Details | None = None,
    failed: bool | None = None,
) -> Draft:
    """A card under one of pi's own tool names.

    Its text is the body alone, or with ``whole`` the transcript. ``body`` is asked only when a
    result is recorded.
    """
    shown = "" if not call.done else call.error_text() if call.failed else body()
    return Draft(
        tool=tool,
        arguments=arguments,
        title=title,
        summary=summary,
        text=section(header, shown) if whole and shown and not call.failed else shown,
        header=header,
        body=shown,
        details=details,
        failed=call.failed if failed is None else failed,
    )


def error_or(call: Call, body: str) -> str:
    """The error text of a failed call, else ``body``."""
    return call.error_text() if call.failed else body


def present(**arguments: Json) -> dict[str, Json]:
    """The arguments that are there."""
    return {key: value for key, value in arguments.items() if value is not None}
