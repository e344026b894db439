"""How the tokens of ``vendor`` and ``shapes`` begin, for those that a line end breaks.

Owns which beginnings are telling enough to look on behind the end of a line.
"""

from cursor_replay.scrub.rules.vendor import VENDOR_PREFIXES, VENDORS

__all__ = ["HALVES", "PREFIXES"]

_SHORT = {"cio": "cio[A-Za-z0-9]{12}", "oy2": "oy2[a-z0-9]{8}"}
"""These begin words too."""

PREFIXES = (
    *(_SHORT.get(prefix, prefix) for prefix in VENDOR_PREFIXES),
    *("eyJ", "A[BKS]IA", "SK[0-9a-f]{8}", r"dp\.[a-z]{2}\."),
    *(r"pat[A-Za-z0-9]{14}\.", r"access_token\$", "1//0", "access-[a-z]{7,11}-"),
    r"dt0[a-z][0-9]{2}\.",
)
"""Patterns of how a token begins that may be broken by a line end."""

_LITERALS = (
    *("eyJ", "AKIA", "ASIA", "dp.pt.", "dp.st.", "dt0c01.", "access_token$", "1//0"),
    *("cio", "oy2", "pat", "SK", "access-sandbox-", "access-production-"),
    *(word for rule in VENDORS for word in rule.keywords),
)
HALVES = tuple((word[:size], word[size:]) for word in _LITERALS for size in range(1, len(word)))
"""How a line ends, and the next begins, when a prefix itself is broken."""
