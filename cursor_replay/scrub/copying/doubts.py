"""Whether scrubbing may change anything at all: the quick answer for what a copy leaves alone.

Owns the test of many texts at once, and which places of a JSON value have to be walked because
their keys may tell of a secret. Both err on the side of doubt. Knows no rule.
"""

from collections.abc import Iterable
from typing import NamedTuple

from cursor_replay.items import Json
from cursor_replay.scrub.controls import is_clean
from cursor_replay.scrub.pictures import holds_picture
from cursor_replay.scrub.seal import Sealer
from cursor_replay.scrub.sensitive import ENTRY_KEYS, is_id

_PICTURE = 64
"""Characters of base64 that hold no picture."""
_FIELDS = 65_536
"""Names of fields that are remembered."""
_RANDOM = "".join(f"{letter}{number}" for number, letter in enumerate("zKqXwLmTbRvNc", 2))
"""A value that is masked wherever its key tells of a secret, and nowhere else."""
_ID = "0b8e7c1a-1f1a-4a54-9a0e-0a1b2c3d4e5f"

Strings = list[tuple[str, str]]
"""(field, string) of every string of a JSON value, keys too, as they are written."""


class Doubts:
    """Says of texts whether ``sealer`` may change any part of them."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer
        self._keys = Sealer(for_copy=True, learn=False)

    def about(self, text: str) -> bool:
        """False when every part of ``text`` would stay as it is."""
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        return not is_clean(text) or self._sealer.may_change(text)

    def about_any(self, texts: Iterable[str]) -> bool:
        """Whether one of several texts may change."""
        return self.about("\n".join(texts))

    def is_plain(self, key: str, value: str) -> bool:
        """Whether a string that is no secret by itself is none under ``key`` either."""
        return bool(self._keys.value({key: value}) == {key: value})


class _Field(NamedTuple):
    """A member as it is reported: its key, itself, and whether the key tells of its value."""

    key: str
    name: str
    tells: bool
    tells_but_of_ids: bool


class Outline:
    """Reads JSON values into their strings; a name of a field is put together once."""

    def __init__(self, doubts: Doubts) -> None:
        self._doubts = doubts
        self._fields: dict[tuple[str, str], _Field] = {}
        self._tells = False

    def strings(self, value: Json) -> tuple[Strings, bool]:
        """The strings of ``value``, and whether its keys, lists or pictures ask for a walk."""
        if len(self._fields) > _FIELDS:
            self._fields.clear()
        found: Strings = []
        self._tells = False
        self._add(value, "", found)
        return found, self._tells

    def _add(self, value: Json, field: str, found: Strings) -> None:
        if isinstance(value, dict):
            fields = self._fields
            for key, member in value.items():
                known = fields.get((field, key)) or self._named(field, key)
                found.append((known.key, key))
                if isinstance(member, str):
                    self._add_text(member, known, found)
                else:
                    self._tells = self._tells or known.tells or known.tells_but_of_ids
                    self._add(member, known.name, found)
        elif isinstance(value, list):
            for place, element in enumerate(value):
                # A flag or a name may stand in front of its value.
                self._tells = self._tells or isinstance(element, str)
                self._add(element, f"{field}[{place}]", found)
        elif isinstance(value, str):
            found.append((field, value))

    def _add_text(self, text: str, known: _Field, found: Strings) -> None:
        found.append((known.name, text))
        if (
            known.tells
            or (known.tells_but_of_ids and not is_id(text))
            or (len(text) > _PICTURE and holds_picture(text))
        ):
            self._tells = True

    def _named(self, field: str, key: str) -> _Field:
        place, name = f"{field} (key)".lstrip(), f"{field}.{key}" if field else key
        tells = not self._doubts.is_plain(key, _RANDOM)
        ids = tells and self._doubts.is_plain(key, _ID)
        known = _Field(place, name, (tells and not ids) or key in ENTRY_KEYS, ids)
        self._fields[field, key] = known
        return known
