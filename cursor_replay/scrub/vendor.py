"""Secrets that are known by their own shape: vendor prefixes and JWTs.

Owns one ``Rule`` a vendor. Knows nothing of the words around a secret (``assign``, ``headers``).
The shapes are those the vendors document; the fakes are put together at import, so that no
token-shaped string stands in a file.
"""

import re

from cursor_replay.scrub.rule import MASK, Rule

_ALNUM = "A1b2C3" * 7
_HEX = "0a1b2c3d" * 4
_UPPER = "A2B3" * 4

_WORD = r"(?:[a-z]{1,15}|v?\d{1,3})"
_WORDS = re.compile(rf"sk-(?:{_WORD}[-_]{{1,2}}){{0,20}}{_WORD}")


def _prefixed(prefix: str, body: str) -> re.Pattern[str]:
    r"""Compile ``prefix`` (fixed width) and ``body``, starting at a token boundary.

    The prefix stands first and is looked back at, which keeps the literal search of ``re``. What
    precedes may also be an escape that ends in a letter or digit: backslash n, ``%3D``, ``\u003d``.
    """
    hexes = "[0-9A-Fa-f]{2}"
    edges = (
        "(?<![A-Za-z0-9_-]",
        # The sign of a removed line in a diff, also of one inside JSON or on one line with others.
        *("(?<=^-", r"(?<=\\[nr]-", r"(?<=[\s\"'`>|(\[]-"),
        *(r"(?<=\\[nrt]", f"(?<=%{hexes}", rf"(?<=\\u00{hexes}"),
        "(?<=__",  # tool names are put together with two of them
    )
    starts = "|".join(f"{edge}{prefix})" for edge in edges)
    return re.compile(f"{prefix}(?:{starts}){body}", re.MULTILINE)


_GLUED = "(?:[._-]?(?:[A-Za-z0-9]{1,12}[._-]){0,3}+[A-Za-z0-9]{16,}+)*+"
"""A token right behind another: the first one may have eaten the letters of its prefix."""


def _fakes(*secrets: str) -> tuple[tuple[str, str], ...]:
    """(before, after) pairs of each secret alone, in prose and inside escaped JSON."""
    forms = (
        *("{}", "run {} now", r"{{\"a\": \"\n{}\"}}", "x%3D{}; y"),
        "mcp__{}",
        *("a\n-{}\n+b", "-{}", '["-{}"]', "@@ -{} +b", r"{{\"diff\": \" a\n-{}\"}}"),
    )
    return tuple((form.format(s), form.format(MASK)) for s in secrets for form in forms)


def _is_words(text: str, found: re.Match[str]) -> bool:
    """Spare class names such as ``sk-spinner-dot-before-wrapper``: short lower-case words."""
    return _WORDS.fullmatch(text, *found.span()) is not None


def _vendor(
    name: str, prefix: str, body: str, keywords: str, *fakes: str, trigger: str = ""
) -> Rule:
    """Build the rule of a vendor whose prefix says it all; ``keywords`` are split at spaces."""
    return Rule(
        id=name,
        pattern=_prefixed(prefix, body + _GLUED),
        keywords=tuple(keywords.split()),
        trigger=f"{prefix}[0-9a-f]{{16}}" if body.startswith("[0-9a-f]{32") else trigger,
        hits=_fakes(*fakes),
        misses=tuple(miss for fake in fakes for miss in ("z" + fake, fake[:6])),
    )


_OPENAI = Rule(
    id="openai",
    pattern=_prefixed("sk-", "[A-Za-z0-9_-]{16,}+"),
    keywords=("sk-",),
    hits=_fakes(*(f"sk-{kind}{_ALNUM}" for kind in ("", "proj-", "ant-api03-", "svcacct-"))),
    misses=(
        "sk-spinner",
        "sk-learn-based-model-name",
        "sk-learn-based-model-v2-pipeline-final",
        ".sk-cube-grid-wrapper-container { }",
        f"task-{_HEX}",
        f"/dev/disk-{_HEX}",
        f"--ask-{_HEX}",
    ),
    spares=_is_words,
)

_CLAIMS = "ey" + "J" + _ALNUM

_JWT = Rule(
    id="jwt",
    pattern=_prefixed("eyJ", r"[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]++)*+"),
    keywords=("eyJ",),
    trigger="eyJ[A-Za-z0-9_-]{8}",
    hits=_fakes(f"{_CLAIMS}.{_CLAIMS}.{_ALNUM}", f"{_CLAIMS}.{_CLAIMS}"),
    misses=(_CLAIMS, f"data:{_CLAIMS}+a"),
)

_SLACK_WEBHOOK = Rule(
    id="slack-webhook",
    pattern=re.compile(
        r"hooks\.slack\.com\\?/(?:services|workflows|triggers)\\?/"
        r"([A-Za-z0-9_/+-](?:\\?[A-Za-z0-9_/+-])++)"
    ),
    keywords=("hooks.slack.com",),
    hits=((f"hooks.slack.com/services/T0/B0/{_ALNUM} x", f"hooks.slack.com/services/{MASK} x"),),
    misses=("https://hooks.slack.com/services/<id>", "https://hooks.slack.com"),
)

_TWILIO_ACCOUNT = Rule(
    id="twilio-account",
    pattern=_prefixed("AC", r"[0-9a-f]{32}(?![0-9A-Za-z])"),
    keywords=("twilio",),
    hits=((f"twilio AC{_HEX}", f"twilio {MASK}"),),
    misses=(f"AC{_HEX}", f"twilio MAC{_HEX}"),
)

_TELEGRAM = Rule(
    id="telegram-bot",
    pattern=re.compile(r":(?<=\d{8}:)(AA[A-Za-z0-9_-]{30,}+)"),
    keywords=(":AA",),
    trigger="[0-9]{8}:AA[A-Za-z0-9_-]{30}",
    hits=(
        (f"api.example/bot12345678:AA{_ALNUM}/x", f"api.example/bot12345678:{MASK}/x"),
        (f"use 12345678:AA{_ALNUM}.", f"use 12345678:{MASK}."),
    ),
    misses=(f"12:AA{_ALNUM}", "12345678:AAbc"),
)

VENDORS: tuple[Rule, ...] = (
    _OPENAI,
    _vendor(
        "stripe",
        "[sr]k_",
        "(?:live|test)_[A-Za-z0-9]{8,}+",
        "sk_live_ sk_test_ rk_live_ rk_test_",
        "sk_" + "live_" + _ALNUM,
        "rk_" + "test_" + _ALNUM,
    ),
    _vendor("stripe-webhook", "whsec_", "[A-Za-z0-9+/=]{16,}+", "whsec_", "whsec_" + _ALNUM),
    _vendor(
        "aws-key-id",
        "A[KS]IA",
        "[0-9A-Z]{16}(?:A[KS]IA[0-9A-Z]{16})*+(?![0-9A-Z])",
        "AKIA ASIA",
        "AK" + "IA" + _UPPER,
    ),
    _vendor(
        "github",
        "gh[pousr]_",
        "[A-Za-z0-9]{16,}+",
        "ghp_ gho_ ghu_ ghs_ ghr_",
        *(f"gh{kind}_{_ALNUM}" for kind in "pousr"),
    ),
    _vendor(
        "github-fine",
        "github_pat_",
        "[A-Za-z0-9_]{16,}+",
        "github_pat_",
        f"github_{'pat'}_{_ALNUM}_{_ALNUM}",
    ),
    _vendor(
        "gitlab",
        "glpat-",
        "[A-Za-z0-9_-]{16,}+(?:[.][A-Za-z0-9_-]{2,100}){0,3}",
        "glpat-",
        "gl" + "pat-" + _ALNUM,
    ),
    _vendor(
        "slack",
        "xox[abeoprs]-",
        "[A-Za-z0-9.-]{9,300}[A-Za-z0-9-]",
        "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs-",
        *(f"xox{kind}-{'1234567890'}-{_ALNUM}" for kind in "abposr"),
    ),
    _vendor("slack-app", "xapp-", "[A-Za-z0-9-]{16,}+", "xapp-", "xapp-" + "1-" + _ALNUM),
    _vendor("google", "AIza", "[A-Za-z0-9_-]{30,}+", "AIza", "AI" + "za" + _ALNUM),
    _vendor("google-oauth", r"ya29\.", "[A-Za-z0-9_-]{16,}+", "ya29.", "ya" + "29." + _ALNUM),
    _vendor("google-secret", "GOCSPX-", "[A-Za-z0-9_-]{16,}+", "gocspx-", "GOC" + "SPX-" + _ALNUM),
    _vendor("npm", "npm_", "[A-Za-z0-9]{30,}+", "npm_", "npm_" + _ALNUM),
    _vendor("pypi", "pypi-", "[A-Za-z0-9_-]{30,}+", "pypi-", "pypi-" + _ALNUM),
    _vendor("huggingface", "hf_", "[A-Za-z0-9]{24,}+", "hf_", "hf_" + _ALNUM),
    _vendor(
        "sendgrid",
        r"SG\.",
        r"[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+",
        "SG.",
        f"SG.{_ALNUM}.{_ALNUM}",
    ),
    _vendor("cursor", "key_", "[0-9a-f]{32,}+", "key_", "key_" + _HEX),
    _vendor("cursor-user", "crsr_", "[A-Za-z0-9_-]{16,}+", "crsr_", "crsr_" + _ALNUM),
    _vendor("groq", "gsk_", "[A-Za-z0-9]{24,}+", "gsk_", "gsk_" + _ALNUM),
    _vendor("xai", "xai-", "[A-Za-z0-9]{24,}+", "xai-", "xai-" + _ALNUM),
    _vendor("digitalocean", "dop_v1_", "[0-9a-f]{32,}+", "dop_v1_", "dop_" + "v1_" + _HEX),
    _vendor("twilio", "SK", "[0-9a-f]{32}(?:SK[0-9a-f]{32})*+(?![0-9A-Za-z])", "SK", "SK" + _HEX),
    _vendor(
        "vault",
        r"hvs\.",
        "[A-Za-z0-9_-]{20,}+",
        "hvs.",
        "hv" + "s." + _ALNUM,
        trigger=r"hvs\.[A-Za-z0-9_-]{20}",
    ),
    _vendor("shopify", "shpat_", "[0-9a-fA-F]{32,}+", "shpat_", "shp" + "at_" + _HEX),
    _vendor("linear", "lin_api_", "[A-Za-z0-9]{30,}+", "lin_api_", "lin_" + "api_" + _ALNUM),
    _vendor(
        "supabase",
        "sbp_",
        "[A-Za-z0-9]{30,}+",
        "sbp_",
        "sb" + "p_" + _ALNUM,
        trigger="sbp_[A-Za-z0-9]{30}",
    ),
    _vendor("perplexity", "pplx-", "[A-Za-z0-9]{30,}+", "pplx-", "pp" + "lx-" + _ALNUM),
    _vendor(
        "replicate",
        "r8_",
        "[A-Za-z0-9]{30,}+",
        "r8_",
        "r" + "8_" + _ALNUM,
        trigger="r8_[A-Za-z0-9]{30}",
    ),
    _vendor(
        "age",
        "AGE-SECRET-KEY-1",
        "[0-9A-Z]{30,}+",
        "AGE-SECRET-KEY-1",
        f"AGE-{'SECRET'}-KEY-1{_UPPER * 3}",
    ),
    _vendor(
        "gitlab-runner", "GR1348941", "[A-Za-z0-9_-]{16,}+", "GR1348941", "GR13" + "48941" + _ALNUM
    ),
    _TELEGRAM,
    _TWILIO_ACCOUNT,
    _SLACK_WEBHOOK,
    _JWT,
)
