"""What a record of pi's event-debug files looks like, for telling it from anybody's log.

Owns the names and keys that pi's records have (replay facts 1.4). A file that is known to be pi's
is read by ``lines.py``, which takes more than this: what is new in it should not be lost.
"""

from collections.abc import Callable

from cursor_replay.ingest.formats.debug.lines import (
    COORDINATOR,
    LAYERS,
    PROVIDER,
    TIMELINE,
    is_layer,
    layer_of,
)
from cursor_replay.ingest.times import from_iso
from cursor_replay.items import Json
from cursor_replay.lenient import as_number, as_text

_DRAIN = {
    "pre_send_start", "pre_send_iteration", "pre_send_end", "turn_start", "turn_end",
    "native_tool_display_recorded", "inactive_replay_trace",
}  # fmt: skip
_PHASES = PROVIDER | COORDINATOR | _DRAIN
_ACTIONS = {
    "skip-duplicate", "skip-incomplete-fast-local", "skip-incomplete-successful-run",
    "queue_replay", "emit_trace", "ignore-bridge",
}  # fmt: skip
_BRIDGED = {"queued", "resolved", "rejected"}
_OF_BRIDGE = {
    "runId", "enabled", "exposedToolCount", "pendingCount", "piToolName", "rejectionKind",
}  # fmt: skip
_QUEUE: dict[str, tuple[str, type]] = {
    "thinking-delta": ("text", str),
    "text-delta": ("text", str),
    "tool": ("tool", dict),
    "bridge-tool": ("request", dict),
}
_PI_STREAM = {
    f"{part}_{step}": ("contentIndex", "partial", "delta", "toolCall")
    for part in ("text", "thinking", "toolcall")
    for step in ("start", "delta", "end")
} | {"start": ("partial",), "done": ("message",), "error": ("error",)}
_Body = dict[str, Json]


def is_ours(record: dict[str, Json], *, any_phase: bool = False) -> bool:
    """Whether a record is one that pi writes: its envelope, a name of pi's, and that one's keys.

    ``any_phase`` takes new phases too, where the name of the file says that it holds them.
    """
    if from_iso(as_text(record.get("ts"))) is None or as_number(record.get("elapsedMs")) is None:
        return False
    layer = layer_of(record)
    if layer == TIMELINE:
        return is_layer(record.get("layer")) and "kind" in record and "payload" in record
    body = record.get(LAYERS[layer]) if layer else None
    if layer is None or not isinstance(body, dict):
        return False
    if LAYERS[layer] == "payload":
        return any_phase or _is_one_of(record.get("phase"), _PHASES)
    return layer not in _SHAPES or _SHAPES[layer](body)


def _decision(body: _Body) -> bool:
    return _is_one_of(body.get("action"), _ACTIONS)


def _bridge_raw(body: _Body) -> bool:
    return _is_one_of(body.get("kind"), _BRIDGED)


def _error(body: _Body) -> bool:
    return isinstance(body.get("label"), str) and isinstance(body.get("message"), str)


def _bridge(body: _Body) -> bool:
    return not _OF_BRIDGE.isdisjoint(body)


def _queued(body: _Body) -> bool:
    key, shape = _QUEUE.get(body["type"], ("type", str))
    return isinstance(body.get(key), shape)


def _pi_stream(body: _Body) -> bool:
    return any(key in body for key in _PI_STREAM.get(body["type"], ()))


def _is_one_of(value: Json, words: set[str]) -> bool:
    return isinstance(value, str) and value in words


_SHAPES: dict[str, Callable[[_Body], bool]] = {
    "bridge-raw": _bridge_raw,
    "live-run-events": _queued,
    "display-decisions": _decision,
    "pi-stream-events": _pi_stream,
    "bridge-events": _bridge,
    "errors": _error,
}
