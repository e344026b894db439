"""Images, screen recordings and computer use (replay facts 3.12, 3.15; SDK formats 2.1)."""

from cursor_replay.images import recorded_image
from cursor_replay.items import GenerateImage, Json
from cursor_replay.lenient import Objects, Text, as_int, as_number, as_object, as_text
from cursor_replay.normalize.bounds import bounded, brief, heading, plural, section, trimmed
from cursor_replay.normalize.json_words import half_up
from cursor_replay.normalize.tools.activity import activity
from cursor_replay.normalize.tools.spec import Arguments, Call, Draft, named, present

IMAGE_TITLE = "Cursor image generation"
_MIME = {
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp",
}  # fmt: skip


class ImageArgs(Arguments):
    """``GenerateImage`` and the SDK's ``generateImage``."""

    prompt: Text = named("prompt")
    description: Text = named("description")
    path: Text = named("filePath", "path", "filename", "file_path")


def generate_image(call: Call) -> Draft:
    """A generated image: where it was saved; its bytes are never part of a text."""
    args = ImageArgs.read(call.args)
    path = as_text(call.result.get("filePath")) or args.path
    shown = call.path(path)
    prompt = brief(args.prompt or args.description or "image")
    has_data = bool(call.result.get("imageData"))
    saved = f"Saved image: {shown}" if shown and call.done else ""
    data = "Image data returned by Cursor SDK." if has_data else ""
    body = heading(saved, data, separator="\n") or (call.fallback() if call.done else "")
    shown_body = call.error_text() if call.failed else body
    header = heading("generateImage", prompt)
    transcript = section(header, shown_body)
    summary = shown or prompt
    image = recorded_image(call.result.get("imageData"))
    return Draft(
        tool="cursor",
        images=(image,) if image else None,
        arguments=present(
            prompt=prompt, path=shown, activityTitle=IMAGE_TITLE, activitySummary=summary
        ),
        title=IMAGE_TITLE,
        summary=summary,
        text=(call.error_text() if call.failed else trimmed(transcript)) if shown_body else "",
        header=header,
        body=shown_body,
        details=GenerateImage(
            image_path=path,
            image_display_path=shown,
            image_mime_type=_mime(path),
            summary=None if call.failed else summary,
            expanded_text=transcript if shown_body else None,
        ),
        failed=call.failed,
    )


def _mime(path: str | None) -> str | None:
    return _MIME.get(path.rpartition(".")[2].lower()) if path else None


_MODES = {
    "START_RECORDING": "start recording",
    "SAVE_RECORDING": "save recording",
    "DISCARD_RECORDING": "discard recording",
}
_DONE = {
    "START_RECORDING": "Recording started.",
    "DISCARD_RECORDING": "Recording discarded.",
}


def record_screen(call: Call) -> Draft:
    """A screen recording: started, saved or discarded."""
    raw = as_text(call.args.get("mode")) or ""
    mode = raw.removeprefix("RECORDING_MODE_")
    path = call.path(as_text(call.result.get("path")))
    ms = as_number(call.result.get("recordingDurationMs"))
    took = duration(ms) if ms is not None else None
    rows = [
        f"Recording: {path}" if path else "",
        f"Duration: {took}" if took else "",
        "Prior recording cancelled." if call.result.get("wasPriorRecordingCancelled") else "",
    ]
    body = heading(*rows, separator="\n") or _DONE.get(mode, "Screen recording updated.")
    return activity(
        call,
        title="Cursor screen recording",
        header=heading("recordScreen", _MODES.get(mode, mode) or "record screen"),
        body=body if call.done else "",
        summary=heading(path, took if path else "", separator=" · ") or mode or None,
        arguments=present(mode=mode or None),
    )


def duration(ms: float) -> str:
    """``999ms``, ``4.2s``, ``2m 0s``: rounded once, so 119 600 ms is never ``1m 60s`` (S17)."""
    if ms < 1000:
        return f"{int(half_up(ms))}ms"
    if float(half_up(ms / 1000, 1)) < 60:
        return f"{half_up(ms / 1000, 1)}s"
    minutes, seconds = divmod(int(half_up(ms / 1000)), 60)
    return f"{minutes}m {seconds}s"


class ComputerArgs(Arguments):
    """``computerUse`` (SDK 1.1.0)."""

    actions: Objects = named("actions")
    description: Text = named("description")


def computer_use(call: Call) -> Draft:
    """Mouse and keyboard actions; the screenshot is named, never shown."""
    args = ComputerArgs.read(call.args)
    actions = args.actions or []
    rows = [_action(each) for each in actions]
    value = call.result or as_object(call.error)
    path = call.path(as_text(value.get("screenshotPath")))
    ms = as_number(value.get("durationMs"))
    log = as_text(value.get("log"))
    facts = [
        f"Screenshot: {path}" if path else "",
        f"Took {duration(ms)}" if ms is not None and call.done else "",
        bounded(log) if log else "",
    ]
    summary = args.description or (plural(len(actions), "action") if actions else None)
    return activity(
        call,
        title="Cursor computer use",
        header=heading("computerUse", brief(args.description) if args.description else ""),
        body=heading(bounded("\n".join(rows)), *facts, separator="\n"),
        summary=brief(summary) if summary else None,
        arguments=present(
            actionCount=as_int(value.get("actionCount")) or len(actions) or None,
            description=brief(args.description) if args.description else None,
        ),
    )


def _action(action: dict[str, Json]) -> str:
    kind, body = as_text(action.get("type")), action
    if kind is None:
        kind, inner = next(
            ((k, v) for k, v in action.items() if isinstance(v, dict)), ("action", {})
        )
        body = as_object(inner)
    point = as_object(body.get("coordinate"))
    where = f"({point.get('x')}, {point.get('y')})" if point else ""
    words = [as_text(body.get(key)) for key in ("button", "text", "key", "direction")]
    count = as_int(body.get("amount")) or as_int(body.get("durationMs"))
    return heading(kind, where, *words, str(count) if count else "")
