"""The walk over every string of an item, or of a JSON value.

Owns which fields hold text, what a key says of its value, and how a
:class:`~cursor_replay.items.Clip` is masked in its parts and cut after that. What a text becomes
is the business of ``seal``.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cursor_replay import items
from cursor_replay.items import Clip, Json
from cursor_replay.scrub.arguments import is_command, masked_together
from cursor_replay.scrub.fields import FIELDS, TEXTS, copy
from cursor_replay.scrub.harmless import is_harmless_under, is_locked
from cursor_replay.scrub.marks import Marks
from cursor_replay.scrub.rules.judge import is_mixed
from cursor_replay.scrub.sensitive import (
    DESCRIBING,
    ENTRY_KEYS,
    ID,
    SCHEMA_TYPES,
    announces,
    is_id,
    is_likely,
    is_pair,
    is_sensitive,
    kind_of,
    named_secret,
)

TOO_DEEP = "[nested too deep]"
"""Stands for JSON nested deeper than any recorded argument; a walk has to end somewhere."""

_DEEPEST = 100
_WORD, _WORDS = 64, 4096

_CONTEXT = 200
"""Characters in front of a part of a clip that are looked at to tell what the part is."""
_LABEL = re.compile(r"([\w.-]{1,64})[\"'`]?(?:=|: ?)[\"'`]?\Z")

Scrub = Callable[[str], str]


class Walk:
    """Walks over the items of one run; a string that recurs is scrubbed once.

    Remembered are short strings of the whole run (titles, paths, the file's own name), long ones
    of the item at hand, and the key sets of objects in which no key says anything about a value.
    """

    def __init__(self, scrub: Scrub, marks: Marks, *, masks: bool, keeps_ids: bool = False) -> None:
        self._scrub = scrub
        self._keeps_ids = keeps_ids
        self._marks = marks
        self._masks = masks
        self._known: dict[str, str] = {}
        self._long: dict[str, str] = {}
        self._plain: set[tuple[str, ...]] = set()

    def item(self, item: Any) -> Any:
        """Give an item or a record, with every string scrubbed; itself when nothing changed."""
        sealed = self.value(item)
        self._long.clear()
        for held in (self._known, self._plain):
            if len(held) > _WORDS:
                held.clear()
        return sealed

    def forget(self) -> None:
        """Scrub every text anew: more is known to be secret than before."""
        self._known.clear()
        self._long.clear()
        self._plain.clear()

    def value(self, value: Any, depth: int = 0) -> Any:
        """Give an item, a part of one or a JSON value with every string scrubbed."""
        kind = type(value)
        if kind is str or kind is Clip:
            return self._text(value)
        if kind is dict:
            return self._members(value, depth + 1) if depth <= _DEEPEST else TOO_DEEP
        if kind is list or kind is tuple:
            return self._elements(value, depth + 1) if depth <= _DEEPEST else TOO_DEEP
        if kind is items.Evidence:
            return self._evidence(value)
        return self._fields(value) if kind in FIELDS else value

    def _text(self, text: str) -> str:
        if type(text) is Clip:
            return self._clip(text, "")
        held = self._known if len(text) < _WORD else self._long
        known = held.get(text)
        if known is None:
            scrubbed = self._scrub(text)
            known = held[text] = text if scrubbed == text else scrubbed
        return text if known == text else known

    def _clip(self, clip: Clip, before: str) -> str:
        """Mask each part of ``clip`` as what it is behind ``before``, then cut."""
        shown = []
        for part in clip.parts:
            if type(part) is not Clip:
                shown.append(self._part(part, before))
            elif key := self._secret_key(part, before):
                shown.append(self._marks.mark(kind_of(key), part))
            else:
                shown.append(self._clip(part, before))
            if self._masks:
                before = (before + part[-_CONTEXT:]).rpartition("\n")[2][-_CONTEXT:]
        whole = "".join(shown)
        return clip.cut(whole) if clip.cut else whole

    def _secret_key(self, part: str, before: str) -> str | None:
        """The key that makes a secret of ``part``, a value by itself behind ``before``."""
        key = _LABEL.search(before) if self._masks and before else None
        if not key or not is_sensitive(key[1]) or is_harmless_under(key[1], part):
            return None
        return key[1]

    def _part(self, part: str, before: str) -> str:
        alone = self._text(part)
        if not self._masks or not before or not part:
            return alone
        whole = self._scrub(before + part)
        if whole.endswith(alone):
            return alone
        start = self._text(before)
        return whole[len(start) :] if whole.startswith(start) else self._marks.mark("secret", part)

    def _fields(self, value: Any) -> Any:
        kind = type(value)
        known = self._known
        changes = {}
        for name, old in zip(FIELDS[kind], TEXTS[kind](value), strict=True):
            if old and (type(old) is not str or known.get(old) is not old):
                new = self.value(old)
                if new is not old:
                    changes[name] = new
        return copy(value, changes) if changes else value

    def _evidence(self, evidence: items.Evidence) -> items.Evidence:
        """It stands on every item, and nearly always names the file of the one before."""
        file = self._text(evidence.file)
        row = self._text(evidence.row) if evidence.row else evidence.row
        if file is evidence.file and row is evidence.row:
            return evidence
        return replace(evidence, file=file, row=row)

    def _elements(self, value: Any, depth: int, *, hide: str | None = None) -> Any:
        new = []
        before = None
        masks = self._masks
        for element in value:
            if hide:
                new.append(self._hidden(element, depth, hide))
            elif masks and before is not None and announces(before, element):
                new.append(self._hidden(element, depth, before))
            elif masks and is_pair(element):
                name, secret = element
                new.append(type(element)((self._text(name), self._hidden(secret, depth, name))))
            else:
                new.append(self.value(element, depth))
            before = element
        if masks and not hide and is_command(value):
            new = masked_together(new, self._text) or new
        if all(a is b for a, b in zip(new, value, strict=True)):
            return value
        return type(value)(new)

    def _members(self, value: dict[str, Json], depth: int) -> dict[str, Json]:
        keys = tuple(value)
        if keys not in self._plain:
            if not self._tell_nothing(keys):
                return self._told(value, depth)
            self._plain.add(keys)
        new = value
        for key, member in value.items():
            scrubbed = self.value(member, depth)
            if scrubbed is not member:
                new = dict(value) if new is value else new
                new[key] = scrubbed
        return new

    def _tell_nothing(self, keys: tuple[str, ...]) -> bool:
        """Whether these are few, and no key is to be scrubbed or makes a secret of a value."""
        if len(keys) > _WORD or not ENTRY_KEYS.isdisjoint(keys):
            return False
        return all(
            len(key) < _WORD
            and self._text(key) is key
            and not is_sensitive(key)
            and not is_likely(key)
            for key in keys
        )

    def _told(
        self, value: dict[str, Json], depth: int, *, hide: str | None = None
    ) -> dict[str, Json]:
        """Scrub an object by each of its keys; ``hide`` is a sensitive key above it."""
        new: dict[str, Json] = {}
        same = True
        named, held = named_secret(value)
        for key, member in value.items():
            place = self._text(key)
            while place in new:
                place += "'"  # two keys that mask to the same must not cost a value
            if self._masks and (
                secret := (is_sensitive(key) and key)
                or (key in held and named)
                or (key.lower() not in DESCRIBING and hide)
                or (is_likely(key) and type(member) is str and is_mixed(member) and key)
            ):
                scrubbed = self._hidden(member, depth, secret)
            else:
                scrubbed = self.value(member, depth)
            new[place] = scrubbed
            same = same and scrubbed is member and place is key
        return value if same else new

    def _hidden(self, value: Any, depth: int, key: str) -> Any:
        """Mask the strings that a sensitive key names; numbers and schemas are no secrets."""
        if isinstance(value, str):
            kind = kind_of(key)
            if is_harmless_under(key, value) or (self._keeps_ids and kind == ID and is_id(value)):
                return self._text(value)
            return self._marks.mark(kind, value)
        if depth > _DEEPEST:
            return self.value(value, depth)
        if isinstance(value, (list, tuple)):
            return self._elements(value, depth + 1, hide=key)
        if isinstance(value, dict):
            schema = value.get("type") in SCHEMA_TYPES and "value" not in value
            return self._told(value, depth + 1, hide=None if schema or is_locked(value) else key)
        return self.value(value, depth)
