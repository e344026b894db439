"""The scrubbing boundary: the only maker of ``Sealed``.

Owns the walk over every string of an item, and the order: control sequences go first, for one
inside a token would hide it; then secrets are masked. Cutting and escaping come later, in the
renderers. Knows no rule and no renderer.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin

from cursor_replay import items
from cursor_replay.items import Item, Json, Sealed
from cursor_replay.scrub.controls import is_clean, strip_controls
from cursor_replay.scrub.judge import is_placeholder
from cursor_replay.scrub.mask import mask, may_change
from cursor_replay.scrub.own import own_masker
from cursor_replay.scrub.rule import MASK

__all__ = ["Sealer", "clean", "mask"]

TOO_DEEP = "[nested too deep]"
"""Stands for JSON nested deeper than any recorded argument; a walk has to end somewhere."""

_DEEPEST = 100
_LONG = 256

_SENSITIVE = (
    *("password", "passwd", "passphrase", "pwd", "secret", "token", "authorization", "cookie"),
    *("cookies", "credential", "credentials", "sessionid", "apikey", "accesskey", "accountkey"),
    *("privatekey", "secretkey", "encryptionkey", "signingkey", "authkey", "masterkey"),
)
_PAGING = ("pagetoken", "nexttoken")

Scrub = Callable[[str], str]


def clean(text: str) -> str:
    """``text`` without control sequences and with every secret masked."""
    return mask(strip_controls(text))


def is_sensitive(key: str) -> bool:
    """Whether a string under the JSON key ``key`` is secret whatever it looks like."""
    name = key.lower().replace("_", "").replace("-", "")
    return name.endswith(_SENSITIVE) and not name.endswith(_PAGING)


def _has_text(kind: Any) -> bool:
    """Whether a field of this annotation can hold a string that is not one of our own words."""
    if get_origin(kind) is Literal:
        return False
    if parts := get_args(kind):
        return any(map(_has_text, parts))
    return kind not in (int, float, bool, type(None), ...)


def _text_fields() -> Mapping[type, tuple[str, ...]]:
    nested = (items.Evidence, items.Time, items.Timing, items.ContextPart, items.TextContent)
    classes = (*get_args(Item), *get_args(items.Details), items.Usage, *nested)
    return MappingProxyType(
        {each: tuple(f.name for f in fields(each) if _has_text(f.type)) for each in classes}
    )


_FIELDS = _text_fields()


def _collect(value: Any, depth: int, into: list[str]) -> None:
    """Append every string of an item, keys included, as deep as the walk goes."""
    if isinstance(value, str):
        into.append(value)
    elif names := _FIELDS.get(type(value)):
        for name in names:
            if part := getattr(value, name):
                _collect(part, depth, into)
    elif isinstance(value, (dict, list, tuple)):
        if depth > _DEEPEST:
            into.append("\0")  # counts as dirty, so the walk comes here and cuts
            return
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            _collect(part, depth + 1, into)


class _Walk:
    """One walk over one item; a long string that recurs in it is scrubbed once."""

    def __init__(self, scrub: Scrub, is_plain: Callable[[str], bool], *, masks: bool) -> None:
        self._scrub = scrub
        self._is_plain = is_plain
        self._masks = masks
        self._known: dict[str, str] = {}

    def is_settled(self, item: Item) -> bool:
        """Whether ``item`` stays as it is: short strings are looked at as one text."""
        texts: list[str] = []
        _collect(item, 0, texts)
        if any(len(t) >= _LONG and self._text(t) is not t for t in texts):
            return False
        return self._is_plain("\n".join([t for t in texts if len(t) < _LONG]))

    def value(self, value: Any, depth: int = 0) -> Any:
        """Give ``value`` with every string scrubbed; the same object when nothing changed."""
        if isinstance(value, str):
            return self._text(value)
        if names := _FIELDS.get(type(value)):
            return self._fields(value, names)
        if depth > _DEEPEST and isinstance(value, (dict, list, tuple)):
            return TOO_DEEP
        if isinstance(value, dict):
            return self._members(value, depth + 1)
        if isinstance(value, (list, tuple)):
            return self._elements(value, depth + 1, hide=False)
        return value

    def _text(self, text: str) -> str:
        if len(text) < _LONG:
            return self._scrub(text)
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._scrub(text)
        return text if known == text else known

    def _fields(self, value: Any, names: tuple[str, ...]) -> Any:
        changes = {}
        for name in names:
            old = getattr(value, name)
            if old and (new := self.value(old)) is not old:
                changes[name] = new
        return replace(value, **changes) if changes else value

    def _elements(self, value: Any, depth: int, *, hide: bool) -> Any:
        each = self._hidden if hide else self.value
        new = [each(element, depth) for element in value]
        if all(a is b for a, b in zip(new, value, strict=True)):
            return value
        return type(value)(new)

    def _members(self, value: dict[str, Json], depth: int) -> dict[str, Json]:
        new: dict[str, Json] = {}
        for key, member in value.items():
            hide = self._masks and isinstance(key, str) and is_sensitive(key)
            place = self.value(key)
            while place in new:
                place += "'"  # two keys that mask to the same must not cost a value
            new[place] = self._hidden(member, depth) if hide else self.value(member, depth)
        same = all(a is b and new[a] is value[b] for a, b in zip(new, value, strict=True))
        return value if same else new

    def _hidden(self, value: Any, depth: int) -> Any:
        """Mask the strings that a sensitive key names; numbers and objects are no secrets."""
        if isinstance(value, str):
            return self._text(value) if is_placeholder(value) else MASK
        if isinstance(value, (list, tuple)) and depth <= _DEEPEST:
            return self._elements(value, depth + 1, hide=True)
        return self.value(value, depth)


class Sealer:
    """Seals items.

    ``scrub=False`` leaves secrets; control sequences go in any case. ``home`` is a home folder
    that does not look like one; ``secrets`` are literals to mask wherever they stand.
    """

    def __init__(
        self, *, scrub: bool = True, home: str | None = None, secrets: Iterable[str] = ()
    ) -> None:
        """Build the masking of ``home`` and ``secrets`` once for all items."""
        self._masks = scrub
        self._own = own_masker(home, secrets) if scrub else None

    def text(self, text: str) -> str:
        """Scrub one string as ``seal`` does."""
        text = strip_controls(text)
        if self._own:
            text = self._own(text)
        return mask(text) if self._masks else text

    def _is_plain(self, text: str) -> bool:
        if not is_clean(text) or (self._own and self._own(text) != text):
            return False
        return not (self._masks and may_change(text))

    def seal(self, item: Item) -> Sealed:
        """Scrub every string of ``item``; the item itself is passed on when nothing changes."""
        walk = _Walk(self.text, self._is_plain, masks=self._masks)
        return Sealed(item if walk.is_settled(item) else walk.value(item))
