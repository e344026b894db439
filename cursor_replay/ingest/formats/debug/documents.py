"""The JSON files of one event-debug turn: metadata, prompt, result, summary, conversation.

Owns what they tell of a turn beside its records, and the cross-check of ``summary.json`` against
what was read (replay facts 1.4 and 1.5). Each may be missing, cut or something else altogether.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from cursor_replay.events import Noted, PromptSeen, SessionSeen, TextSeen, TurnEnded
from cursor_replay.ingest.formats.debug.lines import (
    CONVERSATION,
    LAYERS,
    Entries,
    Entry,
    document,
    problem,
)
from cursor_replay.ingest.formats.debug.records import wait_end
from cursor_replay.ingest.formats.sdk.messages import prompt
from cursor_replay.ingest.formats.sdk.steps import fits_turn
from cursor_replay.ingest.times import from_iso
from cursor_replay.items import Evidence, Json, Time
from cursor_replay.lenient import as_int, as_object, as_objects, as_text, as_texts

_METADATA, _SEND, _SUMMARY = "metadata.json", "send-payload.json", "summary.json"
_WAIT, _CONVERSATION = "wait-result.json", "conversation.json"
_OWN = {
    "artifacts", "sessionDir", "sessionKey", "modelId", "pinnedRun", "send", "providerMeta",
    "settingSources", "sdkVersion", "includeConversation",
}  # fmt: skip
_COUNTS = {
    "onDelta": "on-delta", "onStep": "on-step", "stream": "stream-events",
    "piStream": "pi-stream-events", "provider": "provider-events", "liveRun": "live-run-events",
    "bridge": "bridge-events", "bridgeRaw": "bridge-raw",
    "displayDecisions": "display-decisions", "coordinator": "coordinator-events",
    "drain": "drain-events", "errors": "errors",
}  # fmt: skip
_PROMPTS = ("text", "promptText", "prompt")


class Documents:
    """The JSON files in ``folder``, each read when it is asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def metadata(self) -> dict[str, Json]:
        """``metadata.json``."""
        return as_object(document(self._folder / _METADATA)[0])

    @cached_property
    def _summary(self) -> dict[str, Json]:
        return as_object(document(self._folder / _SUMMARY)[0])

    @cached_property
    def _wait(self) -> dict[str, Json]:
        return as_object(document(self._folder / _WAIT)[0])

    @property
    def is_ours(self) -> bool:
        """Whether ``metadata.json`` is one of pi's or of the probe."""
        return "capturedAt" in self.metadata and bool(_OWN & self.metadata.keys())

    @property
    def has_conversation(self) -> bool:
        """Whether ``conversation.json`` holds turns of an agent."""
        value = document(self._folder / _CONVERSATION)[0]
        return any(
            fits_turn(each) for each in as_objects(value if isinstance(value, list) else [value])
        )

    @property
    def turn(self) -> int | None:
        """The number of the turn; a pinned run has none."""
        return as_int(self.metadata.get("turn")) or as_int(self._summary.get("turn"))

    @property
    def captured(self) -> Time | None:
        """When the turn began."""
        return from_iso(as_text(self.metadata.get("capturedAt")))

    @property
    def cwd(self) -> str | None:
        """The workspace."""
        return as_text(self.metadata.get("cwd"))

    @property
    def session_key(self) -> str | None:
        """The session file of pi, or what stands for it."""
        return as_text(self.metadata.get("sessionKey"))

    @property
    def status(self) -> str | None:
        """The word ``wait-result.json`` has for the end of the run."""
        return as_text(self._wait.get("status"))

    @property
    def is_drain(self) -> bool:
        """Whether this turn sent nothing: it goes on with the run of an earlier one."""
        return bool(self.metadata) and self.prompt is None and "send" not in self.metadata

    @cached_property
    def prompt(self) -> PromptSeen | None:
        """What was sent, where no surface tells the prompt."""
        for name in (_SEND, _METADATA):
            value = as_object(document(self._folder / name)[0])
            for holder in (value, as_object(value.get("send")), as_object(value.get("message"))):
                text = next((t for key in _PROMPTS if (t := as_text(holder.get(key)))), None)
                if text is not None:
                    return prompt(text, self._at(name))
        return None

    @property
    def end(self) -> TurnEnded | None:
        """How the run ended."""
        return wait_end(self._wait, self._at(_WAIT))

    @property
    def answer(self) -> TextSeen | None:
        """The last text of the run, where no surface tells any."""
        text = as_text(self._wait.get("result"))
        return TextSeen(origin=self._at(_WAIT), text=text) if text else None

    def head(self) -> Iterator[SessionSeen | Noted]:
        """The model, and files that are no JSON."""
        for name in (_METADATA, _SEND, _WAIT, _SUMMARY):
            if (wrong := document(self._folder / name)[1]) is not None:
                yield wrong
        model = as_text(self.metadata.get("modelId")) or as_text(self.metadata.get("model"))
        model = model or as_text(as_object(self._wait.get("model")).get("id"))
        if model:
            yield SessionSeen(origin=self._at(_METADATA), model=model)

    def conversation(self) -> Entries:
        """The turns of ``run.conversation()`` as records, or why there are none."""
        value, wrong = document(self._folder / _CONVERSATION)
        origin = self._at(_CONVERSATION)
        if wrong is not None:
            yield wrong
        if isinstance(value, dict) and value.get("skipped") is True:
            return
        for index, each in enumerate(value if isinstance(value, list) else [value]):
            at = Evidence(file=origin.file, line=1, block=index)
            if isinstance(each, dict):
                yield Entry(layer=CONVERSATION, body=each, kind="", origin=at)
            elif each is not None:
                yield problem(at, "unknown-record", f"{_CONVERSATION}: a record of unknown type")

    def losses(self, read: Counter[str], cut: set[str]) -> Iterator[Noted]:
        """Files that hold fewer records than the summary counted; ``cut`` ones say so already."""
        counts = as_object(self._summary.get("counts"))
        for key, layer in _COUNTS.items():
            wanted = _total(counts.get(key))
            if wanted > read[layer] and layer not in cut:
                words = f"{layer}.jsonl holds {read[layer]} of the {wanted} records that were made"
                yield problem(self._at(_SUMMARY), "records-missing", words)
        for name in as_texts(self._summary.get("truncatedJsonlFiles")):
            layer = name.removesuffix(".jsonl")
            if layer in LAYERS and layer not in cut:
                words = f"{layer}.jsonl was cut at its size limit, later records are missing"
                yield problem(self._at(_SUMMARY), "truncated-artifact", words)
        failed = self._summary.get("streamCaptureErrors")
        if isinstance(failed, list) and failed:
            words = "run.stream() could not be captured to its end"
            yield Noted(origin=self._at(_SUMMARY), code="stream-capture", message=words)

    def crashed(self, label: str) -> Noted:
        """A turn without any record: its files are written when it ends."""
        words = (
            f"{label} has no event records: they are written when a turn ends, and its process "
            "ended before that (or is still running)"
        )
        return Noted(origin=self._at(_METADATA), code="no-events", message=words)

    def _at(self, name: str) -> Evidence:
        return Evidence(file=str(self._folder / name), line=1)


class Manifest:
    """``session.json`` of a session folder: ``{sessionKey, turns: [{turn, artifactDir, ...}]}``."""

    def __init__(self, folder: Path) -> None:
        self._value = as_object(document(folder / "session.json")[0])
        self._turns = as_objects(self._value.get("turns"))

    @property
    def session_key(self) -> str | None:
        """The session file of pi, or what stands for it."""
        return as_text(self._value.get("sessionKey"))

    def time(self, key: str) -> Time | None:
        """``createdAt`` or ``updatedAt``."""
        return from_iso(as_text(self._value.get(key)))

    def is_finished(self, folder: str) -> bool | None:
        """Whether the turn in ``folder`` was finalised; None when it is not listed."""
        for each in self._turns:
            named = (as_text(each.get("artifactDir")) or "").replace("\\", "/")
            if named.rstrip("/").rsplit("/", 1)[-1] == folder:
                return as_text(each.get("finalizedAt")) is not None
        return None


def _total(counts: Json) -> int:
    """The sum of a map of kinds, or a bare number."""
    if isinstance(counts, dict):
        return sum(as_int(each) or 0 for each in counts.values())
    return as_int(counts) or 0
