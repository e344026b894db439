"""Lists of arguments: what the text rules say of a command holds for its words in a list too.

Owns which lists are commands, and how marks come back to the elements in which they stand.
"""

import os
import re
from collections.abc import Callable, Sequence

from cursor_replay.scrub.spans import Span, changes, cut

_MOST, _LONGEST = 128, 8192
"""Elements and characters of the longest command that is looked at."""
_FLAG = re.compile(r"--?[A-Za-z]|//?[A-Za-z]")
_SCRIPT = re.compile(r"-[a-z]*[ce]|--?[Cc]ommand|--eval")
"""What follows these is a text of its own."""
_BARE_WORDS = """
    redis-cli npm pnpm yarn setx setenv vault ngrok sqlplus htpasswd poetry net wandb snyk bw rclone
    smbclient aws consul etcdctl rabbitmqctl tsql isql echo printf git
"""
_BARE = frozenset(_BARE_WORDS.split())
"""Commands that take a secret without a flag."""
_BLANKS = re.compile(r"\s")


def is_command(value: Sequence[object]) -> bool:
    """Whether a list may be the words of a command."""
    if not 1 < len(value) <= _MOST or any(type(element) is not str for element in value):
        return False
    words = [str(element) for element in value]
    if any(_FLAG.match(word) for word in words):
        return True
    return os.path.basename(words[0]).lower() in _BARE  # noqa: PTH119 - no file is meant


def masked_together(words: Sequence[str], scrub: Callable[[str], str]) -> list[str] | None:
    """Mask ``words`` as one line; None when that changes nothing."""
    shown = [
        _BLANKS.sub("_", word)
        if number and _FLAG.match(words[number - 1]) and not _SCRIPT.fullmatch(words[number - 1])
        else word
        for number, word in enumerate(words)
    ]
    line = " ".join(shown)
    if len(line) > _LONGEST:
        return None
    spans = changes(line, scrub(line))
    return _apart(words, spans) if spans else None


def _apart(words: Sequence[str], spans: list[Span]) -> list[str]:
    """``words`` with what became of the line of them, each in its own part of it."""
    new = []
    start = 0
    for word in words:
        end = start + len(word)
        own = [
            (max(at, start) - start, min(to, end) - start, sign)
            for at, to, sign in spans
            if at < end and to > start
        ]
        new.append(cut(word, own))
        start = end + 1
    return new
