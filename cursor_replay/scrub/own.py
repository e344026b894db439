"""The home folder of this run, where it does not look like one.

Owns its pattern. The home forms that show themselves (``/home/joe``) are rules (``places``).
"""

import re

from cursor_replay.scrub.marks import Marks
from cursor_replay.scrub.mask import Extra
from cursor_replay.scrub.rules.places import HOME

_ID = "home"


def _home_pattern(home: str) -> str:
    """Match ``home`` as a path, with escaped separators, and as a Cursor project slug."""
    parts = re.split(r"[\\/]", home.rstrip("\\/"))
    path = (r"\\{1,8}" if "\\" in home else r"\\?/").join(map(re.escape, parts))
    slug = re.escape(re.sub("[^A-Za-z0-9]", "-", home.strip("\\/")))
    return rf"(?<![\w.-]){path}(?![\w.-])|(?<=projects/){slug}(?![A-Za-z0-9])"


def home_masker(home: str) -> Extra:
    """Build what replaces ``home`` in a text."""
    pattern = re.compile(_home_pattern(home))
    last = re.split(r"[\\/]", home.rstrip("\\/"))[-1]  # how it ends, also as a slug
    word = max(re.split("[^A-Za-z0-9]", last), key=len)

    def masked(text: str, marks: Marks) -> str:
        if word not in text:
            return text
        return pattern.sub(lambda found: marks.place(found[0], HOME, _ID), text)

    return masked
