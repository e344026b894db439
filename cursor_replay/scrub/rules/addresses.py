"""Secrets in the addresses of services: webhooks, signed addresses, bots.

Owns what may stand in front of and behind the secret part; credentials of any address are in
``places``.
"""

import re

from cursor_replay.scrub.rules.judge import is_mixed
from cursor_replay.scrub.rules.rule import MASK, Rule, compiled
from cursor_replay.scrub.rules.vendor import ALNUM, HEX
from cursor_replay.scrub.rules.words import is_wordy

_UUID = "0a1b2c3d-0a1b-4a1b-8a1b-0a1b2c3d4e5f"
_WORD = "[A-Za-z0-9_-]"

_SLACK_WEBHOOK = Rule(
    id="slack-webhook",
    pattern=compiled(
        r"hooks\.slack\.com\\?/(?:services|workflows|triggers)\\?/"
        r"([A-Za-z0-9_/+-](?:\\?[A-Za-z0-9_/+-])++)"
    ),
    keywords=("hooks.slack.com",),
    hits=((f"hooks.slack.com/services/T0/B0/{ALNUM} x", f"hooks.slack.com/services/{MASK} x"),),
    misses=("https://hooks.slack.com/services/<id>", "https://hooks.slack.com"),
)

_DISCORD_WEBHOOK = Rule(
    id="discord-webhook",
    pattern=compiled(
        rf"discord(?:app)?\.com\\?/api(?:\\?/v\d{{1,2}})?\\?/webhooks\\?/\d{{5,25}}\\?/({_WORD}{{16,}}+)"
    ),
    keywords=("discord",),
    trigger=r"discord(?:app)?\.com\\?/api",
    hits=((f"https://discord.com/api/webhooks/12345/{ALNUM}", f"https://discord.com/api/webhooks/12345/{MASK}"),),
    misses=("https://discord.com/api/webhooks/", "https://discord.com/api/webhooks/12345/token"),
)  # fmt: skip

_TEAMS_WEBHOOK = Rule(
    id="teams-webhook",
    pattern=compiled(
        r"webhook\.office\.com\\?/webhookb2\\?/([A-Za-z0-9@-](?:\\?/?[A-Za-z0-9@-])++)"
    ),
    keywords=("webhook.office.com",),
    hits=(
        (
            f"https://a.webhook.office.com/webhookb2/{_UUID}@{_UUID}/Incoming/{HEX}/{_UUID} x",
            f"https://a.webhook.office.com/webhookb2/{MASK} x",
        ),
    ),
    misses=("https://a.webhook.office.com/", "https://a.webhook.office.com/webhookb2/<id>"),
)  # fmt: skip

_SIGNATURE = Rule(
    id="url-signature",
    pattern=compiled(
        r"[?&;](?:amp;)?(?:sig|signature|x-(?:amz|goog)-(?:signature|security-token))"
        r"=([a-z0-9%+/_.~=-]{16,}+)"
    ),
    keywords=("sig=", "signature=", "security-token="),
    trigger=r"[?&;](?i:amp;)?(?i:sig|signature|x-(?:amz|goog)-(?:signature|security-token))=",
    folded=True,
    hits=(
        (f"https://a.example/c?sv=1&sig={ALNUM}%3D&x=1", f"https://a.example/c?sv=1&sig={MASK}&x=1"),
        (f"https://a.example/k?X-Amz-Signature={HEX}", f"https://a.example/k?X-Amz-Signature={MASK}"),
        (f"k&amp;sig={ALNUM}", f"k&amp;sig={MASK}"),
    ),
    misses=("https://a.example/c?sig=<sig>", "https://a.example/c?sig=short", f"design={ALNUM}"),
)  # fmt: skip

_TELEGRAM = Rule(
    id="telegram-token",
    pattern=compiled(r":(?<=\d{8}:)(AA[A-Za-z0-9_-]{30,}+)"),
    keywords=(":AA",),
    trigger="[0-9]{8}:AA[A-Za-z0-9_-]{30}",
    hits=(
        (f"api.example/bot12345678:AA{ALNUM}/x", f"api.example/bot12345678:{MASK}/x"),
        (f"use 12345678:AA{ALNUM}.", f"use 12345678:{MASK}."),
    ),
    misses=(f"12:AA{ALNUM}", "12345678:AAbc"),
)


def _is_no_random_value(text: str, found: re.Match[str]) -> bool:
    value = text[slice(*found.span(1))]
    return not is_mixed(value) or is_wordy(value)


_PARAMETER = Rule(
    id="url-parameter",
    kind="api-key",
    pattern=compiled(
        r"[?&;](?:amp;)?(?:key|code|auth|sid|otp|ticket|magic|invite|confirmation|reset)="
        r"([a-z0-9_~-]{20,256}+)(?![a-z0-9_~.%/-])"
    ),
    keywords=("key=", "code=", "auth=", "sid=", "otp=", "ticket=", "magic=", "invite=", "reset="),
    trigger=r"[?&;](?i:amp;)?(?i:key|code|auth|sid|otp|ticket|magic|invite|confirmation|reset)=[A-Za-z0-9_~-]{8}",
    folded=True,
    hits=(
        (f"https://a.example/cb?code={ALNUM}&x=1", f"https://a.example/cb?code={MASK}&x=1"),
        (f"GET /js?key={ALNUM} HTTP", f"GET /js?key={MASK} HTTP"),
    ),
    misses=(
        "https://a.example/cb?code=some-words-of-a-name-2",
        "https://a.example/cb?key=short1",
        "https://a.example/cb?code={code}",
    ),
    spares=_is_no_random_value,
)

ADDRESSES: tuple[Rule, ...] = (
    _SLACK_WEBHOOK,
    _DISCORD_WEBHOOK,
    _TEAMS_WEBHOOK,
    _SIGNATURE,
    _PARAMETER,
    _TELEGRAM,
)
