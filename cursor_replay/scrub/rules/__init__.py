"""The ``RULES`` table: every rule, in the order in which they run.

Owns the order alone. Whole blocks come first; then what a name, a scheme or a place tells; then
what is known by its own shape, and people and home folders last, which may be parts of the former.
"""

from itertools import chain

from cursor_replay.scrub.rules.addresses import ADDRESSES
from cursor_replay.scrub.rules.calls import CALLS
from cursor_replay.scrub.rules.commands import COMMANDS
from cursor_replay.scrub.rules.elements import ELEMENTS
from cursor_replay.scrub.rules.headers import HEADERS
from cursor_replay.scrub.rules.keys import KEYS
from cursor_replay.scrub.rules.lists import LISTS
from cursor_replay.scrub.rules.members import MEMBERS
from cursor_replay.scrub.rules.passwords import PASSWORDS
from cursor_replay.scrub.rules.people import HOMES, PEOPLE
from cursor_replay.scrub.rules.places import PLACES
from cursor_replay.scrub.rules.private_keys import BLOCKS
from cursor_replay.scrub.rules.prose import PROSE
from cursor_replay.scrub.rules.rule import MASK, Rule
from cursor_replay.scrub.rules.shapes import SHAPES
from cursor_replay.scrub.rules.shells import SHELLS
from cursor_replay.scrub.rules.statements import STATEMENTS
from cursor_replay.scrub.rules.variables import VARIABLES
from cursor_replay.scrub.rules.vendor import VENDORS

__all__ = ["FORMS", "GROUPS", "MASK", "RULES", "TOKENS", "Rule"]

TOKENS: tuple[Rule, ...] = (*VENDORS, *SHAPES, *ADDRESSES)
"""Those that are known by their own shape, wherever they stand."""

FORMS: tuple[Rule, ...] = (*ELEMENTS, *COMMANDS, *SHELLS)
"""Those that are known by the tag or the program behind which they stand."""

GROUPS: tuple[tuple[Rule, ...], ...] = (
    BLOCKS,
    ELEMENTS,
    PLACES,
    HEADERS,
    COMMANDS,
    (*SHELLS, *VARIABLES),
    STATEMENTS,
    PASSWORDS,
    KEYS,
    (*MEMBERS, *LISTS),
    CALLS,
    PROSE,
    TOKENS,
    PEOPLE,
    HOMES,
)
"""Neighbours that a text needs all or, nearly always, none of."""

RULES: tuple[Rule, ...] = tuple(chain.from_iterable(GROUPS))
