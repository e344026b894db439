"""What is no secret although a JSON key with the name of one holds it.

Owns the captions, versions, paths and names that stand under such keys in translations, lock
files and forms. Placeholders are told by ``rules.judge``; which keys are sensitive, by
``sensitive``.
"""

import re

from cursor_replay.items import Json
from cursor_replay.scrub.rules.judge import LONGEST, is_mixed, is_placeholder, is_version
from cursor_replay.scrub.sensitive import is_sensitive

_CAPTION = re.compile(r"(?:[^\W\d_]|[ ,;'’\"/:.?!…()-])+")  # noqa: RUF001 - captions are typeset
_SAYS_WORDS = """
    must required requires invalid incorrect wrong enter forgot forgotten reset change show hide
    please your blank empty missing match matches confirm cannot should repeat choose update
    bitte eingeben vergessen darf muss falsch falsches anzeigen votre saisir saisissez tu su
    introduce introduzca olvidado
"""
_SAYS = frozenset(_SAYS_WORDS.split())
"""Words of captions and messages, which hardly anybody puts into a phrase that is a secret."""
_NOUN = re.compile(
    r"passwor[dt]|passe\b|passphrase|contraseñ|senha|kennwort|wachtwoord|hasł|token|jeton"
    r"|schlüssel|\bkeys?\b|\bclés?\b|\bclaves?\b|geheim|secret|cookie|credential"
)
_RANGE = re.compile(r"[~^<>=|v\d][\w.<>=~^|*+ -]{0,80}")
_SOURCE = re.compile(
    r"(?:npm|workspace|link|portal|catalog):[\w@./*^~+-]{0,100}|github:[\w-]+/[\w.#-]+"
)
_ROOTED = re.compile(
    r"(?:~|\.{1,2}|/(?:run|etc|var|tmp|opt|usr|srv|mnt|app|dev|home|root|workspace))"
    r"(?:/[\w.@+-]+)++/?"
)
_ROUTE = re.compile(r"/[a-z][a-z/_-]*+(?:(?<=/)[A-Za-z_/-]++(?:\.[a-z]{2,5})?(?:#[a-z-]++)?)?")
_FOLDER = re.compile(r"~|\.{0,2}/.*|~/.*|[A-Za-z]:[\\/].*|\\\\.*", re.DOTALL)
_WORKING = ("pwd", "oldpwd")
_PHRASE = re.compile(r"[ \[#]")
_CONSTANT = re.compile(r"[A-Z]+(?:_[A-Z]+)+")
_HEADER = re.compile(r"[Xx](?:-[A-Za-z]+){2,}")
_SCOPE = re.compile(r"[a-z]{3,}(?:\.[a-z-]{2,})+")
_FINGERPRINT = re.compile(r"[0-9A-Fa-f]{40}")
_SCRIPT = re.compile(
    r"(?:pre|post)?(?:test|build|dev|start|lint|check|watch|e2e|gen|generate|run|serve|format|clean"
    r"|bench|update|fix|types?|unit|ci|debug|docs|migrate|release)(?::[\w-]{1,40})+"
)
_LOCKED_WORDS = """
    version resolved integrity dev optional requires dependencies devDependencies engines license
    funding bin hashes index markers peer cpu os extraneous link deprecated peerDependencies
    peerDependenciesMeta optionalDependencies hasInstallScript inBundle bundled resolution registry
    features checksum source specifier from overridden workspaces libc
"""
_LOCKED = frozenset(_LOCKED_WORDS.split())


def is_harmless_under(key: str, value: str) -> bool:
    """Whether ``value`` is no secret under the sensitive ``key``."""
    if is_placeholder(value):
        return True
    if len(value) > LONGEST:
        return False
    bare = value.strip()
    return (
        _is_version(bare)
        or _repeats(key, bare)
        or _is_path(key, bare)
        or _is_caption(bare)
        or (_SCRIPT.fullmatch(key) is not None and not any(map(is_mixed, bare.split())))
        or (key == "token" and _SCOPE.fullmatch(bare) is not None)
        or (key == "GPG_KEY" and _FINGERPRINT.fullmatch(bare) is not None)
    )


def is_locked(value: dict[str, Json]) -> bool:
    """Whether an object is the entry of a package in a lock file."""
    version = value.get("version")
    return type(version) is str and is_version(version) and _LOCKED.issuperset(value)


def _is_version(value: str) -> bool:
    if is_version(value) or _SOURCE.fullmatch(value):
        return True
    parts = value.replace("||", " ").replace(" - ", " ").split()
    return len(parts) > 1 and _RANGE.fullmatch(value) is not None and all(map(is_version, parts))


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def _repeats(key: str, value: str) -> bool:
    """Tell the name of a secret, in another spelling or of another one, from a secret."""
    name, said = _plain(key), _plain(value)
    if said == name or (name.endswith(said) and is_sensitive(value)):
        return True
    if _PHRASE.search(key) and said in map(_plain, re.split(r"\W+", key)):
        return True  # an option of a form: {"label": "Reset password", "value": "reset"}
    named = _CONSTANT.fullmatch(value) or _HEADER.fullmatch(value)
    return named is not None and is_sensitive(value)


def _is_path(key: str, value: str) -> bool:
    parts = value.split("/")
    if key.lower() in _WORKING and _FOLDER.fullmatch(value):
        return len(parts) != len(("", "x")) or not is_mixed(parts[1])
    if _ROUTE.fullmatch(value):
        return True
    return _ROOTED.fullmatch(value) is not None and not any(map(is_mixed, parts))


def _is_caption(value: str) -> bool:
    """Tell what a person reads from a phrase that is a secret, by a word or its last sign."""
    if " " not in value or _CAPTION.fullmatch(value) is None:
        return False
    low = value.lower()
    words = low.replace(".", " ").replace(",", " ").split()
    return low[-1] in "?.!:…" or not _SAYS.isdisjoint(words) or _NOUN.search(low) is not None
