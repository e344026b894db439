"""What one run is to mask: the choices of its user.

Owns the ``Choices`` value and how a masker is built from it. Reads no file and no environment.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from cursor_replay.scrub.known import Known
from cursor_replay.scrub.marks import Marks, Style, is_allowed_never
from cursor_replay.scrub.mask import Extra, Masker
from cursor_replay.scrub.own import home_masker
from cursor_replay.scrub.rules.people import PEOPLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The choices of a user.

    ``secrets`` are values to mask wherever they stand, ``allows`` says which ones are none,
    ``extras`` are the user's own rules, ``home`` is a home folder that does not look like one.
    """

    style: Style = "kind"
    keep_emails: bool = False
    secrets: tuple[str, ...] = ()
    allows: Callable[[str], bool] = is_allowed_never
    extras: tuple[Extra, ...] = ()
    home: str | None = None


def masker_for(choices: Choices, known: Known, *, home: str | None = None) -> Masker:
    """The masker of one output; it tells ``known`` what it masks."""
    marks = Marks(choices.style, allows=choices.allows, learn=known.learn)
    return Masker(
        marks,
        without=_left_out(choices),
        known=known,
        extras=(*_homes((choices.home, home)), *choices.extras),
    )


def _left_out(choices: Choices) -> Iterable[str]:
    return [rule.id for rule in PEOPLE] if choices.keep_emails else ()


def _homes(homes: Iterable[str | None]) -> Iterator[Extra]:
    for home in homes:
        if home and home.strip("\\/"):
            yield home_masker(home)
