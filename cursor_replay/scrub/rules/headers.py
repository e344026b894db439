"""Secrets of HTTP: authorization schemes and cookie headers.

Owns what follows a scheme word or a cookie header, in raw headers, ``curl -H`` and JSON. Values
given to plain keys, also ``authorization`` and ``cookie``, are the business of ``assign``.
"""

import base64
import binascii
import re

from cursor_replay.scrub.marks import PATTERN
from cursor_replay.scrub.rules.judge import LONGEST, is_placeholder
from cursor_replay.scrub.rules.rule import MASK, Rule, compiled

_BASIC = base64.b64encode(b"user:pass").decode()
_LONG = "s3cr3t" * 3

# The rest of a header line: up to a quote that does not belong to a parameter, or an escape.
_REST = r"(?:=\"[^\"\n]*+\"|[^\n\"'\\])"
_OPEN = r"(?:\\{0,7}[\"'`])?\]?[ \t]{0,8}[:=,][ \t]{0,8}(?:\\{0,7}[\"'`])?"


def _is_template(text: str, found: re.Match[str]) -> bool:
    start, end = found.span(found.lastindex or 0)
    return end - start <= LONGEST and is_placeholder(text[start:end])


_SCHEMES = "bearer|basic|token|api-?key|negotiate|bot|key|ssws|splunk|geniekey|ntlm"

_SCHEME = Rule(
    id="auth-header",
    pattern=compiled(
        rf"authorization{_OPEN}(?:"
        r"(?:digest|aws4-hmac-sha256|oauth|hawk|signature|token(?=[ \t]token=))[ \t]{1,4}"
        rf"({_REST}++)"
        rf"|(?:{_SCHEMES})[ \t]{{1,4}}([^\s\"'`,;<>{{}}$\\]++"
        # A sign may be part of it, if what follows is as random.
        r"(?:[,;|'](?=[^\s\"'`,;|=<>\\]{0,64}\d)[^\s\"'`,;|=<>{}$\\]++)*+))"
    ),
    keywords=("authorization",),
    folded=True,
    hits=(
        ("Authorization: Bearer secret", f"Authorization: Bearer {MASK}"),
        (f"authorization: Basic {_BASIC}", f"authorization: Basic {MASK}"),
        (f"curl -H 'Authorization: token {_LONG}' x", f"curl -H 'Authorization: token {MASK}' x"),
        ("Authorization: SSWS abc", f"Authorization: SSWS {MASK}"),
        ("Authorization: Bearer a7Bq,B9c1", f"Authorization: Bearer {MASK}"),
        ('Authorization: Token token="abc", x="y"', f"Authorization: Token {MASK}"),
        ('{"authorization": "Bearer x"}', f'{{"authorization": "Bearer {MASK}"}}'),
        (r"{\"Authorization\": \"Bearer x\"}", rf"{{\"Authorization\": \"Bearer {MASK}\"}}"),
        (f"PROXY-AUTHORIZATION: BASIC {_BASIC}", f"PROXY-AUTHORIZATION: BASIC {MASK}"),
        ('Authorization: Digest username="a", b="c"\nd', f"Authorization: Digest {MASK}\nd"),
        (
            "-H 'Authorization: AWS4-HMAC-SHA256 Credential=a, b'",
            f"-H 'Authorization: AWS4-HMAC-SHA256 {MASK}'",
        ),
    ),
    misses=(
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <token>",
        "`Authorization: Bearer ${token}`",
        '{"Authorization": "Bearer " + token}',
        "authorization bearer",
        "proxy-authorization: basic ...",
    ),
    spares=_is_template,
)


_TOKENISH = re.compile(r"(?=.*\d|.*[a-z][A-Z]|.*\w[-_.]\w|.{24}).*", re.DOTALL)
_UPPER_NAME = re.compile(r"[A-Z]+(?:_[A-Z]+)*")


def _is_phrase(text: str, found: re.Match[str]) -> bool:
    """Spare ``bearer authentication`` and ``Bearer YOUR_TOKEN``: words, not tokens."""
    value = text[found.start(1) : min(found.end(1), found.start(1) + LONGEST)]
    return not _TOKENISH.match(value) or _UPPER_NAME.fullmatch(value) is not None


_BEARER = Rule(
    id="bearer-token",
    pattern=compiled(r"bearer[ \t]{1,4}([a-z0-9._~+/=-]{8,}+)"),
    keywords=("bearer",),
    folded=True,
    hits=(
        (f"Bearer {_LONG}", f"Bearer {MASK}"),
        (f"use bearer {_LONG}.x_y now", f"use bearer {MASK} now"),
        (f'"Bearer {_LONG}"', f'"Bearer {MASK}"'),
    ),
    misses=(
        "bearer authentication",
        "a bearer token",
        "Bearer YOUR_API_TOKEN",
        "Bearer ${token}",
        "Bearer ........",
    ),
    spares=_is_phrase,
)


def is_no_pair(text: str, found: re.Match[str]) -> bool:
    """Spare ``basic`` followed by anything but the base64 of ``user:password``."""
    try:
        return b":" not in base64.b64decode(text[found.start(1) : found.end(1)], validate=True)
    except binascii.Error:
        return True


_BASIC_PAIR = Rule(
    id="basic-auth",
    pattern=compiled(r"basic[ \t]{1,4}([a-z0-9+/]{6,4096}={0,2})(?![a-z0-9+/=])"),
    keywords=("basic ",),
    folded=True,
    hits=((f"send Basic {_BASIC} now", f"send Basic {MASK} now"),),
    misses=("basic authentication", "Basic functionality works", "basic AAAAAAAA"),
    spares=is_no_pair,
)

_PAIR_STARTS = [rf"\[{quote}{name}" for quote in ("", '"', "'", r'\\"') for name in ("", "set-")]

_COOKIE = Rule(
    id="cookie-header",
    kind="cookie",
    pattern=compiled(
        rf"cookie2?:[ \t]{{0,8}}((?=[^\s=;\"'\\]{{1,256}}=){_REST}++)"
        # The header has several values: "set-cookie": ["a=b", "c=d"]
        r"|cookie2?(?:\\{0,7}[\"'])?[ \t]{0,4}[:=][ \t\n]{0,4}\[[ \t\n]{0,40}"
        rf"(?:\\{{0,7}}[\"']{PATTERN}\\{{0,7}}[\"'],[ \t\n]{{0,40}}){{0,8}}+\\{{0,7}}[\"']"
        r"((?=[^\s=;\"'\\]{1,256}=)[^\n\"'\\]++)"
        # A pair in a list: [["Cookie", "a=b"]]
        rf"|cookie(?:{'|'.join(f'(?<={start}cookie)' for start in _PAIR_STARTS)})"
        r"(?:\\{0,7}[\"'])?,[ \t\n]{0,8}(?:\\{0,7}[\"'])?"
        r"((?=[^\s=;\"'\\\],]{1,256}=)[^\n\"'\\\]]++)"
    ),
    keywords=("cookie",),
    trigger=r"(?i:cookie)(?:2?:|\\{0,7}[\"']?(?:,|[ \t]*[:=][ \t\n]*\[))",
    folded=True,
    hits=(
        ("Cookie: a=b; c=d\nnext", f"Cookie: {MASK}\nnext"),
        ("set-cookie: q=1", f"set-cookie: {MASK}"),
        ('Set-Cookie: q="1 2"; Path=/', f"Set-Cookie: {MASK}"),
        ("curl -H 'Cookie: a=b; c=d' x", f"curl -H 'Cookie: {MASK}' x"),
        ('[["Cookie","a=b; c"], ["x","y"]]', f'[["Cookie","{MASK}"], ["x","y"]]'),
        ('"set-cookie": ["a=b", "c=d; e"]', f'"set-cookie": ["{MASK}", "{MASK}"]'),
        (r"[[\"set-cookie\", \"a=b\"]]", rf"[[\"set-cookie\", \"{MASK}\"]]"),
        ("headers=[[Cookie, a=b], [x, y]]", f"headers=[[Cookie, {MASK}], [x, y]]"),
        (r'"h": "Cookie: a=b\nHost: x"', rf'"h": "Cookie: {MASK}\nHost: x"'),
    ),
    misses=(
        "[cookie, x]",
        "a cookie, a=b",
        '["cookie", "a"]',
        "a cookie: small and sweet",
        "cookie: Cookie;",
        "cookies: [a]",
    ),
)

HEADERS: tuple[Rule, ...] = (_SCHEME, _BEARER, _BASIC_PAIR, _COOKIE)
