"""E-mail addresses, which tell who somebody is.

Owns what counts as the address of a person: a name in front of ``@`` and a domain that may be real.
Knows no credentials (``places``).
"""

import re

from cursor_replay.scrub.rule import MASK, Rule

_WORDS = """
    com org net edu gov mil int info biz name pro io dev app ai co me xyz cloud tech online site
    store blog email digital company network systems software engineering agency studio team group
    work works page wiki news live world today space life eu uk de fr it es pt nl be ch at pl cz sk
    hu ro bg gr se no fi dk ee lv lt ua ru by tr il ir sa ae in pk bd lk cn hk tw jp kr sg my th vn
    id ph au nz ca us mx br ar cl pe uy za ng ke eg ma ie lu li is mt cy hr si rs ba mk al ge am az
"""
"""Top-level domains: without a list, ``x@left.transpose`` would be an address."""
_TOP = "|".join(sorted(_WORDS.split(), key=len, reverse=True))

_RESERVED = re.compile(
    r"(?:.+\.)?(?:example(?:\.(?:com|org|net|edu|co|dev|io))?|test|invalid|localhost)"
    r"|users\.noreply\.github\.com|host\.com|domain\.com|email\.com|company\.com",
    re.IGNORECASE,
)
_ROLE_WORDS = """
    git svn hg noreply no-reply donotreply user username you your name your.name me someone email
"""
_ROLES = frozenset(_ROLE_WORDS.split())


_NAME = re.compile(r"[A-Za-z0-9][\w.%+-]{0,63}\Z")
_LONGEST = 65


def _begin(text: str, done: int, at: int) -> int | None:
    """Find where the name in front of the ``@`` begins; None when there is none."""
    found = _NAME.search(text, max(done, at - _LONGEST), at)
    if found is None:
        return None
    start = found.start()
    before = text[start - 1 : start]
    if before == "\\" and text[start] in "nrtbf":
        start += 1  # the letter of an escape is no part of a name: backslash n, joe@...
    return None if start == at or before in ("/", "@", "%") else start


def _is_nobody(text: str, found: re.Match[str]) -> bool:
    """Spare reserved domains, ``git@`` and other addresses behind which nobody stands."""
    start = _begin(text, 0, found.start())
    user, domain = text[start : found.start()], found[0][1:]
    return user.lower() in _ROLES or _RESERVED.fullmatch(domain) is not None


_EMAIL = Rule(
    id="email",
    pattern=re.compile(
        r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}"
        rf"(?:{_TOP})(?![A-Za-z0-9_-]|\.[A-Za-z0-9])"
    ),
    back=_begin,
    keywords=("@",),
    trigger=r"[A-Za-z0-9_.+-]@[A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]{2}",
    hits=(
        ("ask joe.doe@corp.dev, please", f"ask {MASK}, please"),
        ("Joe <joe+x@mail.corp.co.uk>", f"Joe <{MASK}>"),
        ("mailto:joe@corp.com?subject=x", f"mailto:{MASK}?subject=x"),
        (r'{"a": "by\njoe@corp.com"}', rf'{{"a": "by\n{MASK}"}}'),
        ("Author:joe@corp.com.", f"Author:{MASK}."),
    ),
    misses=(
        "git@github.com:o/r.git",
        "joe@example.com",
        "joe@mail.example.org",
        "a.b@c.test",
        "icon@2x.png",
        "react@18.2.0",
        "x@left.transpose",
        "12345+joe@users.noreply.github.com",
        "@corp.com",
        "you@company.com",
    ),
    spares=_is_nobody,
)

PEOPLE: tuple[Rule, ...] = (_EMAIL,)
