"""Which places of a JSON value hold a secret whatever it looks like.

Owns how a key is held against the names of secrets, and the forms in which a name and its value
are members of one entry, a pair, or neighbours in a list. Knows no text rule.
"""

import re
from functools import lru_cache

from cursor_replay.items import Json
from cursor_replay.scrub.rules.judge import is_mixed
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
_FOLDERS = ("PWD", "OLDPWD")
_NO_SECRETS = (*_FOLDERS, "XDG_SESSION_ID")
_PACKAGE = re.compile(r"(?:.*/)?node_modules/|@[\w.-]+/[\w./-]+\Z", re.DOTALL)

_NAME_KEYS = (
    *("name", "key", "header", "variable", "field", "id", "ref", "Name", "Key", "ParameterKey"),
)
_TYPED = ("element", "selector", "locator", "xpath", "target")
_FORM_KEYS = (*_TYPED, "label", "placeholder", "param")
"""What a form says of a field: the name of a secret stands anywhere in it."""
_TEXT_KEYS = frozenset({"text", "content"})
_NONE: frozenset[str] = frozenset()
VALUE_KEYS = frozenset({"value", "values", "val", "Value", "ParameterValue"})
ENTRY_KEYS = VALUE_KEYS.union(_FORM_KEYS, ("ref",))
"""An object with one of these may name the secret that it holds."""
_COOKIE_KEYS = frozenset({"domain", "httpOnly", "expires", "sameSite"})
_FIELD = re.compile(
    r"pass(?:word|wd|phrase|code|wort)|\bpwd\b|secret|token(?![si])|api[ _-]?key|credential"
    r"|kennwort|contraseñ|mot de passe"
)
_ABOUT = re.compile(
    r"forgot|(?:word|wd|phrase|code|wort|token|secret|key|credential)s?[ _-]{0,2}(?:count|limit"
    r"|budget|usage|price|length|lifetime|expir|polic|strength|hint|type|name|url|endpoint|ids?\b"
    r"|reset|error|help|requirement|manager)"
)
"""Fields that are about a secret, and hold none."""
_LONGEST_FORM = 256
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
    if kind := next(found, None):
        return kind
    if field := _FIELD.search(key.lower()):
        return _KINDS.get(re.sub("[ _-]", "", field[0]), "password")
    return "api-key" if name.endswith("key") else "secret"


def is_id(value: str) -> bool:
    """Whether a session id is one by which recordings name themselves, not one of a web session."""
    return _IDS.fullmatch(value) is not None


@lru_cache(maxsize=1024)
def is_likely(key: str) -> bool:
    """Whether a string under the JSON key ``key`` is secret if it looks random."""
    name = key[-_WORD:].lower().replace("_", "").replace("-", "")
    return (
        name.endswith(_LIKELY) or key in _FOLDERS or _VARIABLE.fullmatch(key[-_WORD:]) is not None
    )


@lru_cache(maxsize=1024)
def is_sensitive(key: str) -> bool:
    """Whether a string under the JSON key ``key`` is secret whatever it looks like."""
    low = _SUFFIX.sub("", key[-_WORD:].lower())
    name = low.replace("_", "").replace("-", "")
    named = name.endswith(_SENSITIVE) or _SHORT.fullmatch(low) is not None
    if not named or name.endswith(_PAGING):
        return False
    return key not in _NO_SECRETS and _PACKAGE.match(key) is None


def named_secret(entry: dict[str, Json]) -> tuple[str, frozenset[str]]:
    """What an entry such as ``{"name": "GITHUB_TOKEN", "value": …}`` names, and the keys of that.

    There are no keys where it names no secret.
    """
    for key in _FORM_KEYS:
        if is_field(entry.get(key)):
            return str(entry[key]), _held_by_form(entry, typed=key in _TYPED)
    if "by" in entry and is_field(entry.get("value")):
        return str(entry["value"]), _TEXT_KEYS  # the value finds the element
    named = _sensitive_name(entry)
    if named:
        return named, _held_by_form(entry, typed=False) if "ref" in entry else VALUE_KEYS
    return "cookie", VALUE_KEYS if _is_cookie(entry) else _NONE


def _sensitive_name(entry: dict[str, Json]) -> str | None:
    if VALUE_KEYS.isdisjoint(entry) and "ref" not in entry:
        return None
    for key in _NAME_KEYS:
        name = entry.get(key)
        if type(name) is str and len(name) < _WORD and is_sensitive(name):
            return name
    return str(entry["name"]) if "ref" in entry and is_field(entry.get("name")) else None


def is_field(name: Json) -> bool:
    """Whether ``name`` is what a form says of the field of a secret: ``Password textbox``."""
    if type(name) is not str or len(name) > _LONGEST_FORM:
        return False
    low = name.lower()
    return _FIELD.search(low) is not None and _ABOUT.search(low) is None


def _held_by_form(entry: dict[str, Json], *, typed: bool) -> frozenset[str]:
    """Under which keys the secret stands: what was not ``typed`` may be a text about it."""
    held = (key for key in _TEXT_KEYS if typed or _is_one_word(entry.get(key)))
    return VALUE_KEYS.union(held)


def _is_one_word(text: Json) -> bool:
    return type(text) is str and not text.isalpha() and len(text.split()) == 1


def _is_cookie(entry: dict[str, Json]) -> bool:
    """Tell the entry of a cookie by what else it says of it."""
    value = entry.get("value")
    named = type(entry.get("name")) is str and not _COOKIE_KEYS.isdisjoint(entry)
    return named and type(value) is str and is_mixed(value)


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
