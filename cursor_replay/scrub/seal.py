"""The scrubbing boundary: the only maker of ``Sealed``.

Owns the order: control sequences go first, for one inside a token would hide it; then secrets are
masked; then a :class:`~cursor_replay.items.Clip` is cut. Escaping comes later, in the renderers.
Knows no rule and no renderer; the walk over an item is in ``walk``.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from cursor_replay import items
from cursor_replay.items import Item, Json, Sealed
from cursor_replay.scrub.choices import Choices, masker_for
from cursor_replay.scrub.controls import is_clean, strip_controls
from cursor_replay.scrub.known import Known
from cursor_replay.scrub.marks import Marks
from cursor_replay.scrub.mask import mask
from cursor_replay.scrub.pictures import holds_picture, without_metadata
from cursor_replay.scrub.spans import changes, cut
from cursor_replay.scrub.walk import Walk

__all__ = ["Sealer", "clean", "mask"]

_SHORT = 64
"""Characters of base64 that hold no picture."""
_STRING = re.compile("(\x1b[]P_^X]|[\x90\x98\x9d-\x9f])([^\x07\x18\x1a\x1b\x90\x98\x9c-\x9f]++)")
_CRLF = re.compile("\r\n")
_SURROGATE = re.compile("[\ud800-\udfff]")
_STAND_IN = re.compile("[\U000fd800-\U000fdfff]")
_TO_STAND_IN = 0xF0000


def clean(text: str) -> str:
    """``text`` without control sequences and with every secret masked."""
    return mask(strip_controls(text))


class _Own(Known):
    """The secrets that are known beforehand, and no others."""

    def learn(self, kind: str, value: str) -> None:
        """Forget it."""


class Sealer:
    """Seals the items of one output.

    ``scrub=False`` leaves secrets; control sequences go in any case. ``home`` is a home folder
    that does not look like one; ``secrets`` are literals to mask wherever they stand. With
    ``for_copy`` they go only from a text in which they hide a secret, and the ids of sessions stay.
    One that does not ``learn`` masks each text as if it were the only one.
    """

    def __init__(
        self,
        *,
        scrub: bool = True,
        home: str | None = None,
        secrets: Iterable[str] = (),
        choices: Choices | None = None,
        for_copy: bool = False,
        learn: bool = True,
    ) -> None:
        choices = choices or Choices()
        self._masks = scrub
        self._for_copy = for_copy
        own = tuple(secrets)
        self._known = (Known if learn else _Own)((*own, *choices.secrets))
        self._masked = masker_for(choices, self._known, home=home)
        self._walk = Walk(self.text, self._masked.marks, masks=scrub, keeps_ids=for_copy)
        self._apart = partial(
            Sealer, scrub=scrub, home=home, secrets=own, choices=choices, for_copy=for_copy
        )

    def apart(self, *, learn: bool) -> "Sealer":
        """Another one of the same choices, with marks and a memory of its own."""
        return self._apart(learn=learn)

    @property
    def marks(self) -> Marks:
        """What was masked so far."""
        return self._masked.marks

    def may_change(self, text: str) -> bool:
        """Whether any part of a text without control sequences and pictures may be masked."""
        return self._masks and self._masked.may_change(text)

    def text(self, text: str) -> str:
        """Scrub one string as ``seal`` does."""
        if self._masks and len(text) > _SHORT and holds_picture(text):
            text = without_metadata(text)
        return self.words(text)

    def words(self, text: str) -> str:
        """Scrub a string that is no picture."""
        if is_clean(text):
            return self._masked(text) if self._masks else text
        if self._for_copy and self._masks:
            return self._with_line_ends(text) if "\r\n" in text else self._with_controls(text)
        if not self._masks:
            return strip_controls(text)
        if "\0" in text and (apart := strip_controls(text.replace("\0", " "))):
            # It ends a word in the arguments of a process; elsewhere it is nothing (case 175).
            masked = self._masked(apart)
            if masked != apart:
                return masked
        return self._masked(strip_controls(text))

    def _with_line_ends(self, text: str) -> str:
        r"""Mask a text in which ``\r\n`` is a line end, also where others are ``\n``."""
        plain = text.replace("\r\n", "\n")
        masked = self._with_controls(plain)
        if masked == plain:
            return text
        if text.count("\r\n") == text.count("\n"):
            return masked.replace("\n", "\r\n")
        ends = [found.start() - number for number, found in enumerate(_CRLF.finditer(text))]
        spans = changes(plain, masked)
        return cut(
            text,
            [
                (at + bisect_left(ends, at), to + bisect_left(ends, to), sign)
                for at, to, sign in spans
            ],
        )

    def _with_controls(self, text: str) -> str:
        """Mask a text and leave its control sequences, but for those that hide a secret.

        What a sequence carries is masked by itself: a title, an address, the clipboard.
        """
        return self._kept(_STRING.sub(lambda found: found[1] + self._kept(found[2]), text))

    def _kept(self, text: str) -> str:
        clean = strip_controls(text)
        masked = self._masked(clean)
        if masked == clean:
            return text
        if _STAND_IN.search(text):
            return masked
        # No rule looks at a text with lone surrogates, so others stand in for them.
        held = _SURROGATE.sub(lambda found: chr(ord(found[0]) + _TO_STAND_IN), text)
        kept = _STAND_IN.sub(lambda found: chr(ord(found[0]) - _TO_STAND_IN), self._masked(held))
        return kept if strip_controls(kept) == masked else masked

    def value(self, value: Json) -> Json:
        """Scrub every string of a JSON value, by its key too."""
        return self._twice(self._walk.item, value)

    def seal(self, item: Item) -> Sealed:
        """Scrub every string of ``item``; the item itself is passed on when nothing changes."""
        if not self._masks and isinstance(item, items.Session):
            item = replace(item, scrubbed=False)
        return Sealed(self._twice(self._walk.item, item))

    def _twice(self, scrub: Callable[[Any], Any], value: Any) -> Any:
        """Scrub again what held a new secret: it may stand in front of where it was told."""
        before = self._known.learned
        scrubbed = scrub(value)
        if self._known.learned != before:
            self._walk.forget()
            scrubbed = scrub(value)
        return scrubbed
