"""The scrubbing boundary: the only maker of ``Sealed``.

Owns the walk over every string of an item, and the order: control sequences go first, for one
inside a token would hide it; then secrets are masked. Cutting and escaping come later, in the
renderers. Knows no rule and no renderer.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin

from cursor_replay import items
from cursor_replay.items import Item, Json, Sealed
from cursor_replay.scrub.controls import strip_controls
from cursor_replay.scrub.judge import is_word
from cursor_replay.scrub.mask import mask
from cursor_replay.scrub.rule import MASK

__all__ = ["Sealer", "clean", "mask", "strip_controls"]

_SENSITIVE = re.compile(
    "(?:passw(?:or)?d|passphrase|pwd|secret|authorization|cookies?|credentials?|sessionid|token"
    "|(?:api|access|account|private|secret|encryption|signing|auth|master)key)"
)
_PAGING = ("pagetoken", "nexttoken")
_NO_TEXT = (int, float, bool)


def clean(text: str) -> str:
    """``text`` without control sequences and secrets."""
    return mask(strip_controls(text))


def is_sensitive(key: str) -> bool:
    """Whether the value of the JSON key ``key`` is a secret, whatever it looks like."""
    name = re.sub("[^a-z0-9]", "", key.lower())
    if name.endswith(_PAGING):
        return False
    return any(found.end() == len(name) for found in _SENSITIVE.finditer(name))
