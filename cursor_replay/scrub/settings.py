"""The user's own rules: what ``[tool.cursor-replay]`` or a ``cursor-replay.toml`` may say.

Owns the shape of the settings, their errors, and how they change a ``Choices``. Reads no file.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)  # fmt: skip

from cursor_replay.errors import InputError
from cursor_replay.items import Json
from cursor_replay.scrub.choices import Choices
from cursor_replay.scrub.linear import Linear
from cursor_replay.scrub.marks import PATTERN, Marks, Style
from cursor_replay.scrub.mask import Extra

_SHORTEST = 4
_MARK = re.compile(f"({PATTERN})")


def _checked(pattern: str) -> str:
    Linear(pattern)
    return pattern


_Pattern = Annotated[str, AfterValidator(_checked)]
_Literal = Annotated[str, StringConstraints(min_length=_SHORTEST)]


class _Model(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=lambda name: name.replace("_", "-")
    )


class UserRule(_Model):
    """A secret of the user's own: the word of its mark, and the pattern of all of it."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,40}$")]
    pattern: _Pattern


class Settings(_Model):
    """All that may be set. ``allow`` and ``allow_patterns`` are values that are no secrets."""

    rules: tuple[UserRule, ...] = ()
    allow: tuple[_Literal, ...] = ()
    allow_patterns: tuple[_Pattern, ...] = ()
    keep_emails: bool = False
    mask: Style | None = Field(default=None)


_BARE_KEY = re.compile("[a-z-]+")


def read_settings(text: str, name: str, *, table: tuple[str, ...] = ()) -> Settings:
    """The settings in TOML, which stand in ``table``; ``name`` is told in errors.

    Raises InputError with the place and the reason of the first thing that is wrong.
    """
    try:
        value: Json = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name}: not TOML: {error}") from None
    for key in table:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    try:
        return Settings.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise InputError(f"{name}: {_told(first, table)}") from None


def _told(error: Any, table: tuple[str, ...]) -> str:
    """``rules[0].pattern: …``; a message of pydantic's does not repeat the value."""
    place = ".".join(table)
    for key in error["loc"]:
        dot = "." if place else ""
        place += f"[{key}]" if isinstance(key, int) else dot + _written(key)
    words = error["msg"].removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        words = f"unknown; known are {', '.join(_known(error['loc']))}"
    return f"{place}: {words}"


def _written(key: str) -> str:
    """A key as TOML has it: in quotes where nothing may be glued to it."""
    return key if _BARE_KEY.fullmatch(key) else f"`{key}`"


def _known(loc: tuple[int | str, ...]) -> Iterable[str]:
    model = UserRule if loc[0] == "rules" and len(loc) > 1 else Settings
    return (name.replace("_", "-") for name in model.model_fields)


def applied(choices: Choices, settings: Iterable[Settings]) -> Choices:
    """``choices`` with what the user has set; rules and allowances of several add up."""
    for each in settings:
        choices = replace(
            choices,
            style=each.mask or choices.style,
            keep_emails=choices.keep_emails or each.keep_emails,
            extras=(*choices.extras, *(_extra(rule) for rule in each.rules)),
            allows=_allowing(choices, each),
        )
    return choices


def _allowing(choices: Choices, settings: Settings) -> Any:
    if not (settings.allow or settings.allow_patterns):
        return choices.allows
    literals = frozenset(settings.allow)
    patterns = [Linear(pattern).is_whole for pattern in settings.allow_patterns]
    before = choices.allows

    def allows(secret: str) -> bool:
        return secret in literals or any(fits(secret) for fits in patterns) or before(secret)

    return allows


def _extra(rule: UserRule) -> Extra:
    linear = Linear(rule.pattern)

    def masked(text: str, marks: Marks) -> str:
        if not linear.occurs(text):
            return text
        pieces = _MARK.split(text)  # what stands inside a mark is not looked at
        pieces[::2] = [_piece(linear, rule.id, piece, marks) for piece in pieces[::2]]
        return "".join(pieces)

    return masked


def _piece(linear: Linear, kind: str, text: str, marks: Marks) -> str:
    parts: list[str] = []
    last = 0
    for start, end in linear.spans(text):
        parts += text[last:start], marks.mark(kind, text[start:end])
        last = end
    return "".join([*parts, text[last:]])
