"""The one-line wording of everything that is not a card, shared by terminal and plain text.

Knows no colour and no width.
"""

import re

from cursor_replay.items import (
    Author,
    Evidence,
    Item,
    Notice,
    Prompt,
    Session,
    Thought,
    TurnEnd,
    Usage,
)
from cursor_replay.render.arguments import images_told
from cursor_replay.render.limits import duration, one_line, plural

AUTHORS: dict[Author, str] = {"human": "User", "cursor": "Cursor, not typed by a human"}
NOT_SCRUBBED = "NOT SCRUBBED: secrets are shown as recorded"
EMPTY = "(empty)"
THINKING_REMOVED = "thinking removed by Cursor"
THINKING_GONE = "thinking removed"
"""The same where every answer of a recording brings it."""
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)(?:\.\d+)?Z")
_BASE = re.compile(r"[\\/]")
SESSION_FIELDS = ("title", "format", "file", "model", "cwd")
USAGE_WORDS = {
    "input_tokens": "in",
    "output_tokens": "out",
    "cache_read_tokens": "cache read",
    "cache_write_tokens": "cache written",
    "reasoning_tokens": "reasoning",
}


def session_parts(session: Session, before: Session | None) -> list[str]:
    """Return what is known of a run; of a later revision only what is new."""
    known = session.revision and before
    parts = []
    for name in SESSION_FIELDS:
        value = getattr(session, name)
        if value and not (known and getattr(before, name) == value):
            parts.append(one_line(value))
    return parts


def author_line(prompt: Prompt) -> str:
    """Return who wrote a prompt, and when if its own record says so."""
    time = prompt.time
    when = f" · {time.at}" if time is not None and time.basis == "recorded" else ""
    return AUTHORS[prompt.author] + when


def prompt_line(prompt: Prompt) -> str:
    """Return the same with the time as people write it: ``User · 2026-06-02 03:20 UTC``."""
    return MOMENT.sub(_moment, author_line(prompt))


def _moment(match: re.Match[str]) -> str:
    day, minute, second = match.groups()
    return f"{day} {minute}{'' if second == ':00' else second} UTC"


def thought_lines(thought: Thought) -> list[str]:
    """Return the recorded lines of a thought."""
    text = thought.text.strip()
    return text.split("\n") if text else []


def repeats_removal(thought: Thought, before: Item | None) -> bool:
    """Whether a thought says no more than the one before it: that Cursor removed it."""
    return (
        isinstance(before, Thought)
        and before.removed
        and before.parent == thought.parent
        and not thought.text.strip()
    )


def prompt_text(prompt: Prompt) -> str:
    """What was asked, and a line for every image that came with it."""
    images = images_told(prompt.text, prompt.images)
    return f"{prompt.text}\n{images}".strip("\n") if images else prompt.text


def context_line(prompt: Prompt) -> str:
    """Name the context parts around a prompt: ``context: attached_files (12 lines), …``."""
    parts = [
        f"{part.tag} ({plural(part.text.strip().count(chr(10)) + 1, 'line')})"
        for part in prompt.context
    ]
    return f"context: {', '.join(parts)}" if parts else ""


def notice_line(notice: Notice, session: Session | None) -> str:
    """Return a notice with its place, in another file than the session's also the file's name."""
    if notice.code == "losses":
        return one_line(notice.message)
    places = [_place(notice.evidence, session)] if notice.evidence else []
    if notice.count > 1 and not _names_count(notice):
        places.append(f"{notice.count} times")
    return one_line(notice.message) + (f" ({', '.join(places)})" if places else "")


def _names_count(notice: Notice) -> bool:
    """Whether the message has the number in it; one about the whole run counts in its own words."""
    at = notice.evidence
    if at is None:
        return any(map(str.isdigit, notice.message))
    spread = at.end_line not in {None, at.line}
    return not spread and str(notice.count) in notice.message.replace(",", "").split()


def _place(evidence: Evidence, session: Session | None) -> str:
    word = "line" if evidence.row is None else "row"
    if session is not None and evidence.file not in {session.file, ""}:
        word = f"{one_line(_BASE.split(evidence.file)[-1])} {word}"
    if evidence.end_line is None or evidence.end_line == evidence.line:
        return f"{word} {evidence.line}"
    return f"{word}s {evidence.line}-{evidence.end_line}"


def turn_end_line(end: TurnEnd) -> str:
    """Return ``turn 2 finished · reason · 8,120 in, 44 out · 4.2s``."""
    number = f"turn {end.turn} " if end.turn else "turn end: "
    parts = [f"{number}{one_line(end.status)}"]
    parts += [one_line(end.reason)] if end.reason else []
    parts += [usage] if (usage := usage_words(end.usage)) else []
    parts += [duration(end.duration_ms)] if end.duration_ms is not None else []
    return " · ".join(parts)


def usage_words(usage: Usage | None) -> str:
    """Return the recorded token counts, ``8,120 in, 44 out``; empty when none was recorded."""
    counts = [(getattr(usage, name, None), word) for name, word in USAGE_WORDS.items()]
    return ", ".join([f"{count:,} {word}" for count, word in counts if count is not None])
