"""The scrubbing boundary: the only maker of ``Sealed``.

Owns the order: control sequences go first, for one inside a token would hide it; then secrets are
masked; then a :class:`~cursor_replay.items.Clip` is cut. Escaping comes later, in the renderers.
Knows no rule and no renderer; the walk over an item is in ``walk``.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from cursor_replay import items
from cursor_replay.items import Item, Json, Sealed
from cursor_replay.scrub.choices import Choices, masker_for
from cursor_replay.scrub.controls import is_clean, strip_controls
from cursor_replay.scrub.known import Known
from cursor_replay.scrub.marks import Marks
from cursor_replay.scrub.mask import mask
from cursor_replay.scrub.pictures import holds_picture, without_metadata
from cursor_replay.scrub.rule import Rule
from cursor_replay.scrub.walk import Walk

__all__ = ["Sealer", "clean", "mask"]

_SHORT = 64
"""Characters of base64 that hold no picture."""


def clean(text: str) -> str:
    """``text`` without control sequences and with every secret masked."""
    return mask(strip_controls(text))


class Sealer:
    """Seals the items of one output.

    ``scrub=False`` leaves secrets; control sequences go in any case. ``home`` is a home folder
    that does not look like one; ``secrets`` are literals to mask wherever they stand. With
    ``for_copy`` they go only from a text in which they hide a secret, and the ids of sessions stay.
    """

    def __init__(
        self,
        *,
        scrub: bool = True,
        home: str | None = None,
        secrets: Iterable[str] = (),
        choices: Choices | None = None,
        for_copy: bool = False,
    ) -> None:
        choices = choices or Choices()
        self._masks = scrub
        self._for_copy = for_copy
        self._known = Known((*secrets, *choices.secrets))
        self._masked = masker_for(choices, self._known, home=home)
        self._walk = Walk(self.text, self._masked.marks, masks=scrub, keeps_ids=for_copy)

    @property
    def marks(self) -> Marks:
        """What was masked so far."""
        return self._masked.marks

    def text(self, text: str) -> str:
        """Scrub one string as ``seal`` does."""
        if self._masks and len(text) > _SHORT and holds_picture(text):
            text = without_metadata(text)
        if is_clean(text):
            return self._masked(text) if self._masks else text
        if self._for_copy:
            return self._with_controls(text)
        text = strip_controls(text)
        return self._masked(text) if self._masks else text

    def _with_controls(self, text: str) -> str:
        clean = strip_controls(text)
        masked = self._masked(clean)
        if masked == clean:
            return text
        kept = self._masked(text)
        return kept if strip_controls(kept) == masked else masked

    def tokens_in(self, text: str) -> list[tuple[int, int, Rule]]:
        """Start, end and rule of every secret in ``text`` that is known by its shape."""
        return self._masked.tokens_in(text) if self._masks else []

    def value(self, value: Json) -> Json:
        """Scrub every string of a JSON value, by its key too."""
        return self._twice(self._walk.value, value)

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
