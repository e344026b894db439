"""Secrets that are known by their own shape, where that is more than a prefix and a body.

Owns JWTs, webhooks, tokens whose sign stands in their middle, and the like; its fakes are made.
"""

import re
from collections.abc import Callable

from cursor_replay.scrub.rules.rule import MASK, Rule, compiled
from cursor_replay.scrub.rules.vendor import ALNUM, COLOURS, GLUED, HEX, UPPER, fakes, prefixed

_UUID = "0a1b2c3d-0a1b-4a1b-8a1b-0a1b2c3d4e5f"
_UUIDS = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_WORD = "[A-Za-z0-9_-]"


def _behind(front: str) -> Callable[[str, int, int], int | None]:
    """Find where a token begins whose sign stands behind ``front``, a pattern of fixed width."""
    colours = "|".join(f"(?<={colour})" for colour in COLOURS)
    pattern = re.compile(rf"(?:(?<![A-Za-z0-9_-])|(?<=__)|(?<=\\[nrt])|{colours}){front}\Z")

    def begin(text: str, done: int, start: int) -> int | None:
        found = pattern.search(text, max(done, start - 64), start)
        return found and found.start()

    return begin


_CLAIMS = "ey" + "J" + ALNUM
_JWT = Rule(
    id="jwt",
    pattern=prefixed("eyJ", rf"{_WORD}{{8,}}+\.{_WORD}{{8,}}+(?:\.{_WORD}++)*+"),
    keywords=("eyJ",),
    trigger="eyJ[A-Za-z0-9_-]{8}",
    hits=fakes(f"{_CLAIMS}.{_CLAIMS}.{ALNUM}", f"{_CLAIMS}.{_CLAIMS}"),
    misses=(_CLAIMS, f"data:{_CLAIMS}+a"),
)

_AWS_KEY = Rule(
    id="aws-key-id",
    pattern=prefixed("A[BKS]IA", rf"[0-9A-Z]{{16}}(?:A[KS]IA[0-9A-Z]{{16}})*+(?![0-9A-Z]){GLUED}"),
    keywords=("AKIA", "ASIA", "ABIA"),
    trigger="A[BKS]IA[0-9A-Z]{8}",
    hits=fakes("AK" + "IA" + UPPER),
    misses=("zAK" + "IA" + UPPER, "AKIA"),
)

_TWILIO = Rule(
    id="twilio-key",
    pattern=prefixed("SK", f"[0-9a-f]{{32}}(?:SK[0-9a-f]{{32}})*+(?![0-9A-Za-z]){GLUED}"),
    keywords=("SK",),
    trigger="SK[0-9a-f]{16}",
    hits=fakes("SK" + HEX),
    misses=("zSK" + HEX, "SK0a1b"),
)

_TWILIO_ACCOUNT = Rule(
    id="twilio-account",
    pattern=prefixed("AC", r"[0-9a-f]{32}(?![0-9A-Za-z])"),
    keywords=("twilio",),
    hits=((f"twilio AC{HEX}", f"twilio {MASK}"),),
    misses=(f"twilio MAC{HEX}",),
)

_DISCORD = Rule(
    id="discord-token",
    pattern=prefixed(
        "[MNO][ADEFTgjwz]", rf"[A-Za-z0-9]{{22,26}}+\.{_WORD}{{6}}\.{_WORD}{{27,}}+{GLUED}"
    ),
    keywords=(".",),
    trigger=rf"[MNO][ADEFTgjwz][A-Za-z0-9]{{22,26}}\.{_WORD}{{6}}\.{_WORD}{{8}}",
    hits=fakes(f"MT{ALNUM[:22]}.{ALNUM[:6]}.{ALNUM}"),
    misses=(f"MT{ALNUM[:22]}.{ALNUM[:6]}", f"zMT{ALNUM[:22]}.{ALNUM[:6]}.{ALNUM}"),
)

_AIRTABLE = Rule(
    id="airtable-token",
    pattern=prefixed("pat", rf"[A-Za-z0-9]{{14}}\.[0-9a-f]{{32,}}+{GLUED}"),
    keywords=("pat",),
    trigger=r"pat[A-Za-z0-9]{14}\.[0-9a-f]{8}",
    hits=fakes(f"pat{ALNUM[:14]}.{HEX}{HEX}"),
    misses=(f"pat{ALNUM[:14]}", "path.parts"),
)

_DOPPLER = Rule(
    id="doppler-token",
    pattern=prefixed(
        "dp",
        rf"\.(?:pt|st|ct|scim|audit)\.(?:[a-z0-9_-]{{2,35}}\.)?[A-Za-z0-9]{{40,}}+{GLUED}",
    ),
    keywords=("dp.",),
    trigger=r"dp\.(?:pt|st|ct|scim|audit)\.",
    hits=fakes(f"dp.pt.{ALNUM}", f"dp.st.prod.{ALNUM}"),
    misses=("dp.pt.x", f"zdp.pt.{ALNUM}"),
)

_DYNATRACE = Rule(
    id="dynatrace-token",
    pattern=prefixed(r"dt0[a-z]\d\d\.", rf"[A-Z0-9]{{8,24}}\.[A-Z0-9]{{32,}}+{GLUED}"),
    keywords=("dt0",),
    trigger=r"dt0[a-z][0-9]{2}\.[A-Z0-9]{8}",
    hits=fakes(f"dt0c01.{UPPER}.{UPPER * 4}"),
    misses=("dt0c01.x", f"zdt0c01.{UPPER}.{UPPER * 4}"),
)

_GOOGLE_REFRESH = Rule(
    id="google-refresh",
    kind="google-token",
    pattern=prefixed("1//0", rf"{_WORD}{{30,}}+(?://0{_WORD}{{16,}}+)*+"),
    keywords=("1//0",),
    trigger="1//0[A-Za-z0-9_-]{8}",
    hits=fakes(f"1//0{ALNUM}"),
    misses=("1//0x", f"z1//0{ALNUM}"),
)

_BRAINTREE = Rule(
    id="braintree-token",
    pattern=compiled(r"access_token\$(?:production|sandbox)\$[0-9a-z]{10,20}\$[0-9a-f]{32,}+"),
    keywords=("access_token$",),
    hits=((f"use access_token${'production'}${ALNUM[:10].lower()}${HEX} x", f"use {MASK} x"),),
    misses=("access_token$production$", "access_token$x"),
)

_PLAID = Rule(
    id="plaid-token",
    pattern=prefixed("access-", rf"(?:sandbox|development|production)-{_UUIDS}"),
    keywords=("access-",),
    trigger="access-(?:sandbox|development|production)-[0-9a-f]{8}",
    hits=fakes(f"access-sandbox-{_UUID}"),
    misses=("access-sandbox-account", f"zaccess-sandbox-{_UUID}"),
)

_TERRAFORM = Rule(
    id="terraform-token",
    pattern=compiled(rf"\.atlasv1\.{_WORD}{{40,}}+"),
    keywords=(".atlasv1.",),
    back=_behind("[A-Za-z0-9]{14}"),
    hits=((f"use {ALNUM[:14]}.atlasv1.{ALNUM} x", f"use {MASK} x"),),
    misses=("a.atlasv1.b", f"a.atlasv1.{ALNUM}"),
)

_AZURE = Rule(
    id="azure-client-secret",
    pattern=compiled(r"\dQ~[A-Za-z0-9_.~-]{31,34}(?![A-Za-z0-9_~-])"),
    keywords=("q~",),
    trigger="[0-9]Q~[A-Za-z0-9_.~-]{31}",
    back=_behind("[A-Za-z0-9_~.-]{3}"),
    hits=((f"use abc8Q~{ALNUM[:34]} x", f"use {MASK} x"),),
    misses=(f"8Q~{ALNUM[:34]}", "abc8Q~x"),
)

_MAILCHIMP = Rule(
    id="mailchimp-key",
    pattern=compiled(r"-us\d{1,2}(?![A-Za-z0-9_-])"),
    keywords=("-us",),
    trigger=r"[0-9a-f]{32}-us[0-9]",
    back=_behind("[0-9a-f]{32}"),
    hits=(
        (f"use {HEX}-us12 x", f"use {MASK} x"),
        (rf'{{"a": "x\n{HEX}-us12"}}', rf'{{"a": "x\n{MASK}"}}'),
    ),
    misses=("en-us1", f"{HEX}-us", f"{HEX}-usa1"),
)

SHAPES: tuple[Rule, ...] = (
    _AWS_KEY,
    _TWILIO,
    _TWILIO_ACCOUNT,
    _DISCORD,
    _AIRTABLE,
    _DOPPLER,
    _DYNATRACE,
    _GOOGLE_REFRESH,
    _BRAINTREE,
    _PLAID,
    _TERRAFORM,
    _AZURE,
    _MAILCHIMP,
    _JWT,
)
