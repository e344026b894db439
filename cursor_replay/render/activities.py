"""Cursor activity cards: head and body by the variant of their details.

Owns titles, summaries and previews of everything pi has no tool of its own for. An error card
keeps its title and summary; where its details were lost (pi drops them from error results) both
come from the call's arguments.
"""

from collections.abc import Callable
from dataclasses import replace

from cursor_replay.items import UNKNOWN_OUTCOME, Activity, Card, GenerateImage
from cursor_replay.render import limits
from cursor_replay.render.arguments import content_text, string
from cursor_replay.render.blocks import (
    Block,
    CodeBlock,
    DiffBlock,
    ImageBlock,
    Role,
    Span,
    TextBlock,
)
from cursor_replay.render.diffs import extract_diff, parse_diff
from cursor_replay.render.limits import LINE_CHARS, Fold, one_line, plural, truncate

IMAGE_TITLE = "Cursor image generation"
DEFAULT_TITLE = "Cursor activity"
_TOLD = 80
"""Characters of a target that show that a summary names it already."""
TARGETS = ("path", "command", "query", "url", "pattern", "prompt", "description", "toolName")


def activity_head(card: Card) -> tuple[Span, ...]:
    """Return title and summary; an incomplete card also names what it was about."""
    title = _title(card)
    summary = _summary(card)
    spans = [Span(title, "title")]
    target = one_line(target_of(card)) if card.status == "incomplete" else ""
    if target and target not in title and not summary.startswith(target[:_TOLD]):
        spans.append(Span(f" {target}", "accent"))
    if summary and summary != title:
        path = _path_in(card, summary)
        spans += [Span(f" {path}", "accent")] if path else []
        rest = summary[len(path) :]
        spans.append(Span(rest if path else f" {rest}", "muted"))
    return tuple(spans)


def _path_in(card: Card, summary: str) -> str:
    """Return the path that a summary begins with, ``""`` for none."""
    recorded = card.details.path if isinstance(card.details, Activity) else None
    for path in (recorded or "", string(card, "path")):
        if path and summary.startswith(path) and not summary[len(path) :][:1].isalnum():
            return path
    return ""


def _title(card: Card) -> str:
    details = card.details
    if isinstance(details, GenerateImage):
        return IMAGE_TITLE
    titles = [details.title if isinstance(details, Activity) else "", string(card, "activityTitle")]
    return next(
        (one_line(title) for title in [*titles, card.title] if title.strip()), DEFAULT_TITLE
    )


def _summary(card: Card) -> str:
    recorded = [card.details.summary if card.details else "", string(card, "activitySummary")]
    summary = next((text for text in [*recorded, card.summary] if text and text.strip()), "")
    if not summary and card.status != "incomplete":
        summary = target_of(card) or _only_line(card)
    if not summary and card.status == "succeeded" and not _text(card):
        summary = "completed"
    return truncate(one_line(summary).strip(), LINE_CHARS)


def target_of(card: Card) -> str:
    """Name what a call was about, from its arguments: a path, a command, a query."""
    target = next((text for name in TARGETS if (text := string(card, name))), "")
    folders = card.arguments.get("targetDirectories")
    if target and target == string(card, "query") and isinstance(folders, list) and folders:
        target = f"{target} ({plural(len(folders), 'dir')})"
    return truncate(target, LINE_CHARS)


def _only_line(card: Card) -> str:
    """Return the text of a one-line result, which then needs no body."""
    text = _text(card)
    return "" if "\n" in text or card.status != "succeeded" else text


# -- bodies -----------------------------------------------------------------------------------


def activity_blocks(card: Card) -> tuple[Block, ...]:
    """Return the body of an activity card."""
    if card.status == "failed":
        return _error(card)
    if card.status == "incomplete":
        return _rest(card)
    details = card.details
    if details is None:
        return _plain(card)
    return BODIES.get(details.variant, _plain)(card)


def _text(card: Card) -> str:
    details = card.details
    expanded = details.expanded_text if details else None
    return (expanded or content_text(card)).rstrip()


def _error(card: Card) -> tuple[Block, ...]:
    text = content_text(card) or _text(card)
    if not text:
        return () if card.reason else (TextBlock(text="no error text recorded", role="error"),)
    return (_previewed(card, text, "error", preview_fold(text)),)


def _rest(card: Card) -> tuple[Block, ...]:
    """Return the text of an incomplete card when it says more than its head and its reason."""
    known = "".join([span.text for span in activity_head(card)]) + f" {card.reason or ''}"
    text = _text(card)
    if all(line.strip() in known for line in text.split("\n")):
        return ()
    return (TextBlock(text=text, role="muted", fold=limits.PREVIEW),)


def _plain(card: Card) -> tuple[Block, ...]:
    return _muted(card, limits.PREVIEW) if _has_result(card) else ()


def _has_result(card: Card) -> bool:
    """Whether anything came back, also where nobody recorded how it went."""
    return card.status != "unrecorded" or card.reason == UNKNOWN_OUTCOME


def _activity(card: Card) -> tuple[Block, ...]:
    details = card.details
    if not isinstance(details, Activity):
        return ()
    if details.collapse_details_by_default:
        return _muted(card, limits.SUMMARY_ONLY)
    preview = PREVIEWS.get(details.source_tool_name)
    if preview is not None and (blocks := preview(details, _text(card))):
        return blocks
    if not _has_result(card):
        return ()
    if details.source_tool_name == "task":
        return _muted(card, limits.SUMMARY_AND_HINT)
    return _muted(card)


def _muted(card: Card, fold: Fold | None = None) -> tuple[Block, ...]:
    text = _text(card)
    summary = _summary(card)
    if not text or ("\n" not in text and text in summary):
        return ()
    fold = fold or preview_fold(text)
    if fold.skip and text.split("\n", fold.skip)[-1] in summary:
        fold = limits.SUMMARY_ONLY
    return (_previewed(card, text, "muted", fold),)


def _previewed(card: Card, text: str, role: Role, fold: Fold) -> TextBlock:
    """Return a text; a header strip that only repeats the card's head is no part of it."""
    header, _, body = text.partition("\n")
    blank, _, body = body.partition("\n")
    if body and not blank.strip() and (said := _bare(header)):
        head = _bare(f"{_title(card)}{_summary(card)}")
        if head.startswith(said) or head.removeprefix("cursor").startswith(said):
            return TextBlock(text=body, role=role, fold=replace(fold, skip=0))
    return TextBlock(text=text, role=role, fold=fold)


def _bare(text: str) -> str:
    """Return the letters and digits of ``text``: the raw ``webSearch x`` is ``Web search x``."""
    return "".join(filter(str.isalnum, text)).casefold()


def preview_fold(text: str) -> Fold:
    """Return the preview fold of ``text``; a header strip (blank second line) is left out."""
    head = text.split("\n", 2)
    return limits.PREVIEW_HEADED if len(head) > 2 and not head[1].strip() else limits.PREVIEW


def _edit_preview(details: Activity, text: str) -> tuple[Block, ...]:
    diff = details.diff_string or details.diff or extract_diff(text)
    return _diff(diff)


def _write_preview(details: Activity, text: str) -> tuple[Block, ...]:
    if blocks := _diff(details.diff_string or details.diff):
        return blocks
    if details.file_content_after_write:
        content = details.file_content_after_write.removesuffix("\n")
        return (CodeBlock(text=content, path=details.path, fold=limits.PREVIEW),)
    return _diff(extract_diff(text))


def _diff(text: str | None) -> tuple[Block, ...]:
    lines = parse_diff(text) if text else ()
    return (DiffBlock(lines=lines, fold=limits.PREVIEW),) if lines else ()


def _image(card: Card) -> tuple[Block, ...]:
    details = card.details
    if not isinstance(details, GenerateImage) or not _has_result(card):
        return ()
    path = details.image_display_path or details.image_path
    image = (ImageBlock(path=path, mime=details.image_mime_type),) if path else ()
    quiet = details.collapse_details_by_default
    return (*image, *_muted(card, limits.SUMMARY_ONLY if quiet else None))


PREVIEWS: dict[str, Callable[[Activity, str], tuple[Block, ...]]] = {
    "edit": _edit_preview,
    "write": _write_preview,
}
"""Source tools whose activity card shows a diff or file content before any text."""

BODIES: dict[str, Callable[[Card], tuple[Block, ...]]] = {
    "activity": _activity,
    "generateImage": _image,
    "genericFallback": _plain,
}
