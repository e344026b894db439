"""What is no secret whatever its name: placeholders, words of a language, versions, paths.

Owns the judgement of a value by itself; by what stands around it, ``judge`` judges.
"""

import re

from cursor_replay.scrub.marks import PATTERN
from cursor_replay.scrub.rules.words import is_random_word

LONGEST = 256
"""Longer values are never spared: no caption, placeholder or expression is that long."""

_CODE_WORDS = """
    null none nil undefined true false nan yes no on off n/a empty str string int integer number
    bool boolean bytes bytearray any object optional char varchar text float double required
    unknown never void readonly eof secretstr secretbytes list dict array buffer uint8array type
    union literal new await async lambda not typeof function func yield return if class
"""
_PROSE_WORDS = """
    bearer basic digest aws4-hmac-sha256 apikey negotiate oauth hawk signature to is the a an and
    or for from in of with as be was are must can will when where flag option argument value
    requires needs takes expects sets wrong incorrect invalid missing expired rejected denied
    inherit read write flags options arguments values jwt hashed disabled enabled encrypted masked
    hidden plain-text plaintext
"""
CODE_NAMES = frozenset(_CODE_WORDS.split())
_WORDS = CODE_NAMES | frozenset(_PROSE_WORDS.split())

TEMPLATE = r"\$\{[^}]*\}|\$\([^)]*\)|\$\w+|\{\{?[^}]*\}?\}|<[^>]*>|%\w+%?|%\(\w+\)s"
_PLACEHOLDER = re.compile(
    rf"(?:(?:(?:{TEMPLATE})[-:/@.,+ ]{{0,3}}){{1,9}}|[-*.•_?#…~]+|x{{3,}}|#[0-9a-f]{{3,8}}"
    rf"|your[-_ ][\w -]{{1,60}}|{PATTERN}|(?:\\{{1,7}}[nrt])+"
    r"|\((?:sensitive(?: value)?|hidden|masked|redacted|known after apply)\)|\[filtered\]|redacted"
    r"|change[-_ ]?(?:me|it|this)!?|__\w{1,60}__|\[[A-Z_]{2,12}\]|<?\|\w{1,30}\|>?|#\{[^}]*\}"
    r"|(?:current|new|old)-password|@@\w{1,60}@@|(?:\\{1,7}u(?:2022|25cf))+"
    r"|(?:aes|rs|hs|es|ps|sha|md)[-_]?\d{1,3}(?:[-_/]\w{2,8}){0,3}"
    # What stands for a token in an example.
    r"|[a-z]{2,8}[-_](?:[a-z0-9]{2,8}[-_]){0,2}(?:\.{3}|…|x{3,}|\*{3,}|your[-_].{0,60})"
    r"|&(?:'\w{1,12} )?[a-z]\w*"
    # What names the place of a secret.
    r"|/run/secrets/[\w./-]{1,128}|(?:vault|op|arn|env|ssm|sops|file|keyring|doppler)(?:://|:)[\w:/{}$.#@-]{1,256}"
    # A mark that was cut.
    r"|\[redact(?:e|ed[:a-z0-9#+-]{0,60})?…?)",
    re.IGNORECASE,
)
_INTERPOLATION = re.compile(r"\$\{[^}]{1,80}\}|\{\{[^}]{1,80}\}\}")
_OPENING = re.compile(
    r"\$(?:[A-Za-z_]\w*+(?!\$)|[{(]|\Z)|[\[<{(]|%[({]|%\w+%?\Z|!(?:secret|ref|sub|vault)\b",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"(?:~|\.{1,2})/|/(?:home|users|root|etc|var|tmp|opt|usr|run|srv|mnt|app|dev|workspace)\b"
    r"|https?://",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"(?:[~^]|[<>=]{1,2} ?)?v?\d{1,5}(?:\.(?:\d{1,8}|[x*])){1,3}(?:[-+][\w.+-]{1,40})?"
)
_MIXED = re.compile(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[^\s/.:]{8,}.*", re.DOTALL)


def is_mixed(value: str) -> bool:
    """Whether ``value`` is long and random: no word, name, version, path or address."""
    value = value[:LONGEST]
    random = _MIXED.match(value) is not None or is_random_word(value)
    return random and not spares_argument(value)


def is_version(value: str) -> bool:
    """Whether ``value`` is the version of a package, or a range of versions."""
    return _VERSION.fullmatch(value) is not None


def is_placeholder(value: str) -> bool:
    """Whether ``value`` is no secret whatever its name: empty, without letters, a template."""
    bare = value.strip()
    if not any(map(str.isalnum, bare)) or _PLACEHOLDER.fullmatch(bare) is not None:
        return True
    rest, count = _INTERPOLATION.subn("", bare)
    return bool(count) and len(rest) <= 12 and not any(map(str.isdecimal, rest))


def spares_argument(value: str) -> bool:
    """Whether a bare value is harmless wherever it stands: a word, a variable, a path, a URL."""
    return bool(
        is_placeholder(value)
        or is_version(value)
        or value.lower().rstrip(".!") in _WORDS
        or _OPENING.match(value)
        or _PATH.match(value)
    )
