"""The names of secrets: one table for every form in which a name is given a value.

Owns which words name a secret and of what kind. The forms are elsewhere: keys of JSON in
``sensitive``, assignments in ``assign``, flags, members and calls in ``members``, statements in
``commands``. What exists was looked up in the public rule sets of gitleaks and detect-secrets and
in the documents of the services; the kinds are those of the replay documents (replay facts 5).
"""

from typing import NamedTuple

__all__ = [
    "BEFORE_KEY",
    "LIKELY_KEYS",
    "NAMES",
    "OTHER_KEYS",
    "QUICK",
    "SUFFIX",
    "Name",
    "ending",
    "written",
]


class Name(NamedTuple):
    """Words that name one kind of secret; ``_`` stands for a dash, an underscore or nothing.

    ``many`` says that the plural names such secrets too where a value is a string.
    """

    kind: str
    words: tuple[str, ...]
    many: bool = True


BEFORE_KEY = (
    *("api", "access", "account", "private", "secret"),
    *("encryption", "signing", "auth", "master", "subscription"),
)
"""Whatever stands under such a ``…_key`` is secret."""

LIKELY_KEYS = (
    *("app", "application", "client", "consumer", "license", "storage", "function", "functions"),
    *("shared", "service", "service_role", "admin", "server", "deploy", "hmac", "jwt", "webhook"),
    *("ingest", "integration", "bot", "instrumentation", "trunk", "write", "sdk"),
)
"""What stands under these is secret if it looks random: they name other things as well."""

OTHER_KEYS = (
    *("public", "primary", "foreign", "cache", "sort", "partition", "hash", "host", "registry"),
)
"""Not even in capitals, ``…_KEY``, these are secret."""

SUFFIX = (
    r"[_-]?\d{1,2}|_?(?:pem|string|base64|b64)|_(?:prod|production|dev|staging|stage|live|main)"
)
"""What may end a name: ``TOKEN_1``, ``privateKeyPem``, ``GITHUB_TOKEN_PROD``."""

NAMES: tuple[Name, ...] = (
    Name("token", ("token",), many=False),
    Name("password", ("password", "passwd", "passphrase", "passcode", "pswd", "pwd", "sshpass")),
    Name("secret", ("secret", "secret_key_base")),
    Name("authorization", ("authorization",), many=False),
    Name("cookie", ("cookie",)),
    Name("session-id", ("session_id",), many=False),
    Name("credential", ("credential",)),
    Name("private-key-id", ("private_key_id",), many=False),
    Name("connection-string", ("connection_string",)),
    Name("api-key", tuple(f"{word}_key" for word in BEFORE_KEY)),
)  # fmt: skip
"""A name ends in one of these words."""

LIKELY = Name("api-key", tuple(f"{word}_key" for word in LIKELY_KEYS))


def ending(*names: Name) -> tuple[str, ...]:
    """How the words of ``names``, of all without any, end: in small letters, without dashes."""
    words = ((word.replace("_", ""), name.many) for name in names or NAMES for word in name.words)
    return tuple(form for word, many in words for form in ((word, f"{word}s") if many else (word,)))


def written(*, dash: str = "[_-]?", many: bool = False) -> str:
    """A pattern of the names, in small letters; ids of sessions are told by assignment only."""
    words = [
        word.replace("_", dash) + ("s?" if many and name.many else "")
        for name in NAMES
        if name.kind != "session-id"
        for word in name.words
    ]
    return "|".join(sorted(words, key=len, reverse=True))


QUICK = (
    "(?i:(?:token|passw(?:or)?d|pass(?:phrase|code)|sshpass|ps?wd|secret|key(?:[_-]?(?:base|id))?"
    "|credential|cookie|authorization|string)s?)"
)
"""A pattern of the ends of all these names, for triggers: every ``…_key`` is a ``key``."""
