"""What only this run knows to be secret: the home folder in use and literal secrets.

Owns the one pattern made of both. The home forms that show themselves (``/home/joe``) are rules
(``places``); this is for the others. Literal masking is step 1 of replay facts 5.
"""

import re
from collections.abc import Callable, Iterable

from cursor_replay.scrub.places import HOME
from cursor_replay.scrub.rule import MASK

_SHORTEST = 6
"""A shorter literal would be found inside ordinary words."""


def _home_pattern(home: str) -> str:
    """Match ``home`` as a path, with escaped separators, and as a Cursor project slug."""
    parts = re.split(r"[\\/]", home.rstrip("\\/"))
    path = (r"\\{1,8}" if "\\" in home else r"\\?/").join(map(re.escape, parts))
    slug = re.escape(re.sub("[^A-Za-z0-9]", "-", home.strip("\\/")))
    return rf"(?<![\w.-]){path}(?![\w.-])|(?<=projects/){slug}(?![A-Za-z0-9])"


def own_masker(home: str | None, secrets: Iterable[str]) -> Callable[[str], str] | None:
    """Build the function that masks both, or None when there is nothing to mask."""
    literals = [re.escape(s.strip()) for s in secrets if len(s.strip()) >= _SHORTEST]
    homes = [f"(?P<home>{_home_pattern(home)})"] if home and home.strip("\\/") else []
    if not literals and not homes:
        return None
    pattern = re.compile("|".join([*sorted(literals, key=len, reverse=True), *homes]))
    return lambda text: pattern.sub(lambda found: HOME if found.lastgroup else MASK, text)
