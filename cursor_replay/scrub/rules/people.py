"""Who somebody is: e-mail addresses and home folders.

Owns what counts as the address of a person, a name in front of ``@`` and a domain that may be real,
and as a home folder.
Knows no credentials (``places``).
"""

import re

from cursor_replay.scrub.rules.domains import DOMAINS
from cursor_replay.scrub.rules.places import HOME, SLUG
from cursor_replay.scrub.rules.rule import MASK, Rule, compiled
from cursor_replay.scrub.rules.vendor import COLOURS

_TOP = "|".join(sorted(DOMAINS, key=len, reverse=True))

_SHOUTED = "COM|ORG|NET|EDU|GOV|IO|DEV|CO|UK|DE|FR|IT|ES|NL|EU|CH|CA|AU|US"
_ENDINGS = "txt|md|json|jsonl|csv|log|eml|vcf|pdf|html|yaml|yml|zip"
"""Behind an address these end the name of a file, not a longer domain."""

_RESERVED = re.compile(
    r"(?:.+\.)?(?:example(?:\.(?:com|org|net|edu|co|dev|io))?|test|invalid|localhost)"
    r"|openssh\.com|libssh\.org|users\.noreply\.github\.com|host\.com|domain\.com|email\.com|company\.com",
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
    inside = before in ("/", "%") or (before == "@" and text[start - 2 : start - 1].isalnum())
    return None if start == at or inside else start


def _is_nobody(text: str, found: re.Match[str]) -> bool:
    """Spare reserved domains, ``git@`` and other addresses behind which nobody stands."""
    start = _begin(text, 0, found.start())
    user, domain = text[start : found.start()], found[0][1:]
    return user.lower() in _ROLES or _RESERVED.fullmatch(domain) is not None


_EMAIL = Rule(
    id="email",
    pattern=compiled(
        r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}"
        rf"(?:{_TOP}|{_SHOUTED})(?![A-Za-z0-9_-]|\.(?!(?:{_ENDINGS})\b)[A-Za-z0-9])"
    ),
    back=_begin,
    keywords=("@",),
    trigger=r"[A-Za-z0-9_.+-]@[A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]{2}",
    hits=(
        ("ask joe.doe@corp.dev, please", f"ask {MASK}, please"),
        ("Joe <joe+x@mail.corp.co.uk>", f"Joe <{MASK}>"),
        ("mailto:joe@corp.com?subject=x", f"mailto:{MASK}?subject=x"),
        (r'{"a": "by\njoe@corp.com"}', rf'{{"a": "by\n{MASK}"}}'),
        ("JOE@CORP.COM", MASK),
        ("cc @joe@corp.com", f"cc @{MASK}"),
        ("joe@corp.com.txt", f"{MASK}.txt"),
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

_USER = r"\w(?:[\w.@+-]{0,62}[\w$])?"

# What may precede the first slash of a path: nothing of a longer path, of a host or of a name.
_EDGES = (
    r"(?<![\w./~%\\@})*-]/)",
    "(?<=file:///)",
    r"(?<=\\[nrt]/)",
    *(
        r"(?<=\s-[A-Z]/)",
        "(?<=^-[A-Z]/)",
        r"(?<=[\s\"'`(]@/)",
        "(?<=^@/)",
        *(rf"(?<={edge}\*\*/)" for edge in ("^", r"\s")),
    ),
    *(rf"(?<={colour}/)" for colour in COLOURS),
    *(r"(?<=[\s\"'][ab]/)", r"(?<=[\s\"'][ab]//)"),
    "(?<=wsl%2[Bb]ubuntu/)",
)
_EDGE = f"(?:{'|'.join(_EDGES)})"

_UNIX = Rule(
    id="home",
    pattern=compiled(
        rf"/{_EDGE}(?:(?:(?:mnt|cygdrive)/[A-Za-z]|[A-Za-z](?::|%3[Aa]))/[Uu]sers|[A-Za-z]/Users"
        r"|(?:(?:var|export|private|data)/(?=home/))?(?:home|Users))/"
        rf"(?!Shared\b|Public\b){_USER}"
    ),
    keywords=("/home/", "/users/"),
    hits=(
        ("cd /home/joe/x", "cd ~/x"),
        ("/home/joe", "~"),
        ("--- a//home/joe/x", "--- a/~/x"),
        ("/home/joe/home/jim", "~/home/jim"),
        ("/Users/mary.jane/x.", "~/x."),
        ("file:///home/joe/x", "file://~/x"),
        ("file:///c:/Users/joe/x", "file://~/x"),
        ("/c:/Users/joe/x", "~/x"),
        ("/mnt/c/Users/joe/x", "~/x"),
        ("/mnt/c/users/joe/x", "~/x"),
        ("file:///c%3A/Users/joe/x", "file://~/x"),
        ("see @/home/joe/x", "see @~/x"),
        ("**/home/joe/x**", "**~/x**"),
        ("-I/home/joe", "-I~"),
        (r"\x1b[32m/home/joe/x", r"\x1b[32m~/x"),
        ("/c/Users/joe/x", "~/x"),
        ("/cygdrive/c/Users/joe/x", "~/x"),
        ("ls >/home/joe/x 2>>/home/joe/y", "ls >~/x 2>>~/y"),
        ("<path>/home/joe/x</path>", "<path>~/x</path>"),
        ("/var/home/joe/x", "~/x"),
        ("/export/home/joe", "~"),
        (r'"a\n/home/joe/x"', r'"a\n~/x"'),
        ("gcc -I/home/joe/inc", "gcc -I~/inc"),
        ("--- a/home/joe/x", "--- a~/x"),
        ("PATH=/home/joe/bin:/home/joe/.local/bin", "PATH=~/bin:~/.local/bin"),
        ("vscode-remote://wsl%2Bubuntu/home/joe/x", "vscode-remote://wsl%2Bubuntu~/x"),
    ),
    misses=(
        "/home/",
        "/home",
        "/usr/home.txt",
        "/usr/home/x",
        "https://example.com/home/page",
        "https://example.com/Users/joe",
        "./home/joe",
        "src/Users/list.ts",
        "/home/<user>/x",
        "/home/$USER/x",
        "/home/*/x",
        "api/users/list",
        "/v1/users/joe",
        "src/**/home/index",
        "/Users/Shared/x",
    ),
    replacement=HOME,
)

_ROOT = Rule(
    id="home-root",
    pattern=compiled(rf"/{_EDGE}root(?=/|[\s\"'`:;,)]|$)"),
    keywords=("/root",),
    hits=(("ls /root/x", "ls ~/x"), ("/root", "~"), ("HOME=/root:x", "HOME=~:x")),
    misses=("/rootfs", "/var/root", "~/root", "/root.txt", "https://example.com/root/x"),
    replacement=HOME,
)

_ESCAPED = Rule(
    id="home-escaped",
    pattern=compiled(rf"\\/(?<![\w./~%@}})*-]\\/)(?:home|Users)\\/{_USER}"),
    keywords=(r"\/home\/", r"\/users\/"),
    hits=((r'"\/home\/joe\/x"', r'"~\/x"'),),
    misses=(r'"a\/home\/joe"', r'"\/homes\/joe"'),
    replacement=HOME,
)

_DRIVE = Rule(
    id="home-drive",
    pattern=compiled(rf"(?<![\w/])[A-Za-z]:/[Uu]sers/(?!Public\b|Default\b|All ){_USER}"),
    keywords=(":/users/",),
    hits=(("C:/Users/joe/x", "~/x"), ('"c:/Users/joe"', '"~"')),
    misses=("C:/Users", "abc:/Users", "C:/Users/Public/x"),
    replacement=HOME,
)

_BACK = r"\\{1,8}"

_WINDOWS = Rule(
    id="home-windows",
    pattern=compiled(
        rf"[A-Za-z]:{_BACK}[Uu]sers{_BACK}(?!Public\b|Default\b|All )"
        rf"(?:\w[^\\/:*?\"<>|\r\n]{{0,62}}(?=\\)|{_USER})"
    ),
    keywords=("\\users\\",),
    hits=(
        (r"dir C:\Users\joe\x", r"dir ~\x"),
        (r"C:\Users\Joe Doe\x", r"~\x"),
        (r'{"p": "C:\\Users\\joe\\x"}', r'{"p": "~\\x"}'),
        (r'"c:\\\\Users\\\\joe\\\\x"', r'"~\\\\x"'),
        (r"c:\users\joe", "~"),
    ),
    misses=(r"C:\Users", r"C:\Users\Public\x", r"C:\Windows\x", r"C:\Users\%USERNAME%\x"),
    replacement=HOME,
)

_PERCENT = Rule(
    id="home-percent",
    pattern=compiled(
        r"%2[Ff](?:(?<![\w.~-]%2[Ff])|(?<=%[23][0DFdf2]%2[Ff]))(?:home|Users)%2[Ff]"
        r"(?!Shared\b)[A-Za-z0-9_][\w.+-]{0,62}"
    ),
    keywords=("%2fhome%2f", "%2fusers%2f"),
    hits=(("?at=%2Fhome%2Fjoe%2Fx", "?at=~%2Fx"), ("file%3A%2F%2F%2Fhome%2Fjoe", "file%3A%2F%2F~")),
    misses=("x.org%2Fhome%2Fpage",),
    replacement=HOME,
)

_ANY = r"(?:\\{1,8}|\\?/)"

_WSL = Rule(
    id="home-wsl",
    pattern=compiled(rf"wsl(?:\.localhost|\$){_ANY}[\w.-]{{1,40}}{_ANY}(home{_ANY}{_USER})"),
    keywords=("wsl.localhost", "wsl$"),
    hits=(
        (r"\\wsl.localhost\Ubuntu\home\joe\x", r"\\wsl.localhost\Ubuntu\~\x"),
        ("//wsl$/Debian/home/joe/x", "//wsl$/Debian/~/x"),
    ),
    misses=(r"\\wsl.localhost\Ubuntu\home",),
    replacement=HOME,
)

PEOPLE: tuple[Rule, ...] = (_EMAIL,)
HOMES: tuple[Rule, ...] = (_DRIVE, _UNIX, _ROOT, _ESCAPED, _WINDOWS, _PERCENT, _WSL, SLUG)
