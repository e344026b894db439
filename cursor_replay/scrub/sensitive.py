"""Which places of a JSON value hold a secret whatever it looks like.

Owns how a key is held against the names of secrets, and the forms in which a name and its value
are members of one entry, a pair, or neighbours in a list. Knows no text rule.
"""

import re
from functools import lru_cache

from cursor_replay.items import Json
from cursor_replay.scrub.rules.names import LIKELY, NAMES, OTHER_KEYS, SUFFIX, ending

_WORD = 64
"""Characters of the longest name that is looked at."""

_SENSITIVE = ending()
_LIKELY = ending(LIKELY)
_SUFFIX = re.compile(rf"(?<=[a-z])(?:{SUFFIX})\Z")
_SHORT = re.compile(r"(?:.*[_-])?(?:pass|pw|pat)", re.DOTALL)
"""These are whole words of a name only: ``DB_PASS``, not ``bypass``."""
_NO_OTHER = "".join(f"(?<!{word.upper()})" for word in OTHER_KEYS)
_VARIABLE = re.compile(rf"[A-Z0-9_]*(?:{_NO_OTHER}_KEY|[A-Z0-9]_(?:PAT|PW|AUTH))")
_PAGING = ("pagetoken", "nexttoken")

_NAME_KEYS = ("name", "key", "header", "variable", "field", "Name", "Key")
VALUE_KEYS = frozenset({"value", "values", "val", "Value"})
_HEADERS = (
    *("authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token"),
)
_LONGEST_HEADER = max(map(len, _HEADERS)) + 1
DESCRIBING = (
    *("type", "title", "description", "format", "pattern", "kind", "name", "id"),
    *("user", "username", "email", "path", "file", "url"),
)
"""What stands under these in an object that a sensitive key names tells of the secret only."""
SCHEMA_TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")


ID = "session-id"
_IDS = re.compile(r"(?i:.{0,32}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{1,16})")
_KINDS = {form: each.kind for each in NAMES for form in ending(each)}


@lru_cache(maxsize=1024)
def kind_of(key: str) -> str:
    """The kind of secret that the JSON key, flag or header ``key`` names; as its rule calls it."""
    name = _SUFFIX.sub("", key.lower().rstrip(":")).replace("_", "").replace("-", "")
    if _SHORT.fullmatch(name):
        return "password"
    found = (kind for form, kind in _KINDS.items() if name.endswith(form))
    return next(found, "api-key" if name.endswith("key") else "secret")


def is_id(value: str) -> bool:
    """Whether a session id is one by which recordings name themselves, not one of a web session."""
    return _IDS.fullmatch(value) is not None


@lru_cache(maxsize=1024)
def is_likely(key: str) -> bool:
    """Whether a string under the JSON key ``key`` is secret if it looks random."""
    name = key[-_WORD:].lower().replace("_", "").replace("-", "")
    return name.endswith(_LIKELY) or _VARIABLE.fullmatch(key[-_WORD:]) is not None


@lru_cache(maxsize=1024)
def is_sensitive(key: str) -> bool:
    """Whether a string under the JSON key ``key`` is secret whatever it looks like."""
    low = _SUFFIX.sub("", key[-_WORD:].lower())
    name = low.replace("_", "").replace("-", "")
    named = name.endswith(_SENSITIVE) or _SHORT.fullmatch(low) is not None
    return named and not name.endswith(_PAGING)


def named_secret(value: dict[str, Json]) -> str | None:
    """The name in an entry such as ``{"name": "GITHUB_TOKEN", "value": …}``, if it is sensitive."""
    if VALUE_KEYS.isdisjoint(value):
        return None
    for key in _NAME_KEYS:
        name = value.get(key)
        if type(name) is str and len(name) < _WORD and is_sensitive(name):
            return name
    return None


def announces(before: Json, value: Json) -> bool:
    """Whether the list element ``before``, a flag or a header name, makes a secret of the next."""
    if type(before) is not str or type(value) is not str:
        return False
    if before[:1] == "-":
        return len(before) < _WORD and value[:1] != "-" and is_sensitive(before)
    return (
        len(before) <= _LONGEST_HEADER
        and before.rstrip(":").lower() in _HEADERS
        and not is_sensitive(value)
    )


def is_pair(value: Json) -> bool:
    """Whether ``value`` is a name and a value, where lists of such pairs stand."""
    if not isinstance(value, (list, tuple)) or len(value) != len(("name", "value")):
        return False
    name = value[0]
    return type(name) is str and len(name) < _WORD and is_sensitive(name)
