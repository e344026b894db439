"""Secrets that are known by their own shape: the prefixes of vendors.

Owns the table of prefixes and what may stand around a token. Knows nothing of the words around a
secret (``assign``, ``headers``); shapes that are more than a prefix and a body are in ``shapes``.
The prefixes are those that the vendors document; the public rule sets of gitleaks and
detect-secrets told which there are. The fakes are put together at import, so that no token-shaped
string stands in a file.
"""

import re
from typing import NamedTuple

from cursor_replay.scrub.rules.rule import MASK, Rule, Spares, compiled

ALNUM = "A1b2C3" * 7
HEX = "0a1b2c3d" * 4
UPPER = "A2B3" * 4
_BODIES = {"A": ALNUM, "H": HEX, "U": UPPER}

CLASSES = {
    "A": "A-Za-z0-9",
    "L": "a-z0-9",
    "U": "A-Z0-9",
    "H": "0-9a-f",
    "W": "A-Za-z0-9_-",
    "B": "A-Za-z0-9+/=_-",
    "D": "A-Za-z0-9._-",
}
"""The characters of a body, by the letter that stands for them in a row."""

_TRIGGER = 8
"""Characters of the body that a trigger asks for; more make its automaton big and no better."""
_WORDLIKE = 4
"""Prefixes up to this length without a sign begin words; their triggers ask for twice as much."""


COLOURS = (r"\[m", r"[\[;]\dm", r"[\[;]\d\dm", r";\d{3}m")
"""How a colour ends that is written as text, ``x1b[32m``: a boundary, though a letter ends it."""


def prefixed(prefix: str, body: str) -> re.Pattern[str]:
    r"""Compile ``prefix`` (fixed width) and ``body``, starting at a token boundary.

    The prefix stands first and is looked back at, which keeps the literal search of ``re``. What
    precedes may also be an escape that ends in a letter or digit: backslash n, ``%3D``, ``\u003d``.
    """
    hexes = "[0-9A-Fa-f]{2}"
    edges = (
        "(?<![A-Za-z0-9_-]",
        # The sign of a removed line in a diff, also of one inside JSON or on one line with others.
        *("(?<=^-", r"(?<=\\[nr]-", r"(?<=[\s\"'`>|(\[]-"),
        *(r"(?<=\\[nrt]", f"(?<=%{hexes}", rf"(?<=\\u{hexes}{hexes}"),
        *(f"(?<={colour}" for colour in COLOURS),
        "(?<=__",  # tool names are put together with two of them
    )
    starts = "|".join(f"{edge}{prefix})" for edge in edges)
    return compiled(f"{prefix}(?:{starts}){body}", re.MULTILINE)


GLUED = "(?:[._-]?(?:[A-Za-z0-9]{1,12}[._-]){0,3}+[A-Za-z0-9]{16,}+)*+"
"""A token right behind another: the first one may have eaten the letters of its prefix."""


def fakes(*secrets: str) -> tuple[tuple[str, str], ...]:
    """(before, after) pairs of each secret alone, in prose and inside escaped JSON."""
    forms = (
        *("{}", "run {} now", r"{{\"a\": \"\n{}\"}}", "x%3D{}; y"),
        "mcp__{}",
        *("a\n-{}\n+b", "-{}", '["-{}"]', "@@ -{} +b", r"{{\"diff\": \" a\n-{}\"}}"),
    )
    return tuple((form.format(s), form.format(MASK)) for s in secrets for form in forms)


_WORD = r"(?:[a-z]{1,15}|v?\d{1,3})"
_EXAMPLE = re.compile(r"([xX*0])\1{11}|your[-_]|[-_]here\b|example[-_]", re.IGNORECASE)
_KEY_TYPE = re.compile("sk-(?:ssh|ecdsa)-")
"""Keys of SSH that are kept in hardware."""
_WORDS = re.compile(rf"[A-Za-z]{{2,6}}[-_](?:{_WORD}[-_]{{1,2}}){{0,20}}{_WORD}")


def is_words(text: str, found: re.Match[str]) -> bool:
    """Spare class names such as ``sk-spinner-dot-before-wrapper``, and placeholders."""
    words = _WORDS.fullmatch(text, *found.span()) or _KEY_TYPE.match(text, found.start())
    return words is not None or is_example(text, found)


def is_example(text: str, found: re.Match[str]) -> bool:
    """Spare what is written in the place of a token: ``x`` again and again."""
    return _EXAMPLE.search(text, *found.span()) is not None


def is_plain(text: str, found: re.Match[str]) -> bool:
    """Spare what is all of one case without a digit: a name that happens to begin so."""
    value = text[found.start() : min(found.end(), found.start() + 64)]
    lettered = not any(char.isdecimal() for char in value)
    return is_words(text, found) or (lettered and value in (value.lower(), value.upper()))


class _Row(NamedTuple):
    """A vendor: the prefix (a pattern of fixed width), the body's class and least length.

    ``example`` is a fake; ``{A}``, ``{H}`` and ``{U}`` in it are 42, 32 and 16 characters.
    """

    id: str
    prefix: str
    body: str
    least: int
    example: str
    spares: Spares = is_example


_ROWS: tuple[_Row, ...] = (
    # Model providers and agents
    _Row("anthropic-key", "sk-ant-", "W", 16, "sk-ant-api03-{A}", is_words),
    _Row("openrouter-key", "sk-or-", "W", 16, "sk-or-{A}", is_words),
    _Row("openai-key", "sk-", "W", 16, "sk-{A} sk-proj-{A}", is_words),
    _Row("cursor-key", "key_", "H", 32, "key_{H}"),
    _Row("cursor-key", "crsr_", "W", 16, "crsr_{A}"),
    _Row("groq-key", "gsk_", "A", 24, "gsk_{A}"),
    _Row("xai-key", "xai-", "A", 24, "xai-{A}"),
    _Row("perplexity-key", "pplx-", "A", 30, "pplx-{A}"),
    _Row("huggingface-token", "hf_", "A", 24, "hf_{A}", is_plain),
    _Row("replicate-token", "r8_", "A", 30, "r8_{A}"),
    _Row("nvidia-key", "nvapi-", "W", 32, "nvapi-{A}"),
    _Row("fireworks-key", "fw_", "A", 22, "fw_{A}", is_plain),
    _Row("langsmith-key", "lsv2_[ps][tk]_", "W", 40, "lsv2_pt_{A} lsv2_sk_{A}"),
    _Row("pinecone-key", "pcsk_", "W", 40, "pcsk_{A}"),
    _Row("tavily-key", "tvly-", "W", 24, "tvly-{A}", is_words),
    _Row("firecrawl-key", "fc-", "H", 32, "fc-{H}"),
    _Row("elevenlabs-key", "sk_", "H", 48, "sk_{H}{H}"),
    _Row("e2b-key", "e2b_", "H", 32, "e2b_{H}"),
    # Code and packages
    _Row("github-token", "gh[pousr]_", "A", 16, "ghp_{A} gho_{A} ghu_{A} ghs_{A} ghr_{A}"),
    _Row("github-token", "github_pat_", "W", 16, "github_pat_{A}_{A}"),
    _Row("gitlab-token", "gl[a-z]{2}-", "W", 20, "gldt-{A} glrt-{A} glft-{A}", is_words),
    _Row("gitlab-token", "glpat-", "W", 16, "glpat-{A}"),
    _Row("gitlab-token", "glsoat-", "W", 16, "glsoat-{A}"),
    _Row("gitlab-token", "glcbt-", "W", 16, "glcbt-{A}"),
    _Row("gitlab-token", "GR1348941", "W", 16, "GR1348941{A}"),
    _Row("bitbucket-token", "ATBB", "A", 28, "ATBB{A}"),
    _Row("atlassian-token", "ATATT3", "B", 100, "ATATT3{A}{A}{A}"),
    _Row("npm-token", "npm_", "A", 30, "npm_{A}"),
    _Row("pypi-token", "pypi-", "W", 30, "pypi-{A}", is_words),
    _Row("rubygems-key", "rubygems_", "H", 32, "rubygems_{H}"),
    _Row("crates-token", "cio", "A", 32, "cio{A}", is_plain),
    _Row("nuget-key", "oy2", "L", 40, "oy2{H}{H}"),
    _Row("docker-token", "dckr_[op]at_", "W", 20, "dckr_pat_{A} dckr_oat_{A}"),
    _Row("artifactory-key", "AKCp", "A", 40, "AKCp{A}"),
    _Row("clojars-token", "CLOJARS_", "L", 40, "CLOJARS_{H}{H}"),
    _Row("sentry-token", "sntry[su]_", "B", 40, "sntrys_{A} sntryu_{A}"),
    _Row("postman-key", "PMAK-", "W", 40, "PMAK-{A}"),
    _Row("figma-token", "fig[duohr]_", "W", 32, "figd_{A}"),
    _Row("linear-key", "lin_api_", "A", 30, "lin_api_{A}"),
    _Row("linear-key", "lin_oauth_", "A", 30, "lin_oauth_{A}"),
    _Row("notion-token", "ntn_", "A", 40, "ntn_{A}"),
    _Row("typeform-token", "tfp_", "W", 40, "tfp_{A}"),
    _Row("grafana-token", "glsa_", "W", 32, "glsa_{A}"),
    _Row("grafana-token", "glc_", "B", 32, "glc_{A}"),
    _Row("newrelic-key", "NR(?:AK|II|JS|AL|RA)-", "A", 19, "NRAK-{A}"),
    _Row("honeycomb-key", "hca[a-z]{2}_", "L", 48, "hcaik_{H}{H}"),
    # Clouds
    _Row("aws-bedrock-key", "ABSK", "B", 60, "ABSK{A}{A}"),
    _Row("google-key", "AIza", "W", 30, "AIza{A}"),
    _Row("google-token", r"ya29\.", "W", 16, "ya29.{A}"),
    _Row("google-secret", "GOCSPX-", "W", 16, "GOCSPX-{A}"),
    _Row("digitalocean-token", "do[oprs]_v1_", "H", 32, "dop_v1_{H} doo_v1_{H}"),
    _Row("heroku-key", "HRKU-", "W", 30, "HRKU-{A}"),
    _Row("flyio-token", "fm[12]_", "B", 60, "fm2_{A}{A}"),
    _Row("flyio-token", "fo1_", "W", 30, "fo1_{A}"),
    _Row("vault-token", r"hv[sbr]\.", "W", 20, "hvs.{A} hvb.{A}"),
    _Row("pulumi-token", "pul-", "H", 32, "pul-{H}"),
    _Row("planetscale-token", "pscale_tkn_", "D", 30, "pscale_tkn_{A}"),
    _Row("planetscale-token", "pscale_pw_", "D", 30, "pscale_pw_{A}"),
    _Row("planetscale-token", "pscale_oauth_", "D", 30, "pscale_oauth_{A}"),
    _Row("supabase-key", "sbp_", "A", 30, "sbp_{A}"),
    _Row("supabase-key", "sb_secret_", "W", 20, "sb_secret_{A}"),
    _Row("databricks-token", "dapi", "H", 32, "dapi{H}"),
    _Row("alibaba-key", "LTAI", "A", 16, "LTAI{A}", is_plain),
    _Row("netlify-token", "nfp_", "A", 36, "nfp_{A}"),
    _Row("tailscale-key", "tskey-", "W", 24, "tskey-auth-{A}", is_words),
    # Chat, mail, money, shops
    _Row("slack-token", "xox[abcdeoprs]-", "D", 10, " ".join(f"xox{c}-12-{{A}}" for c in "abposr")),
    _Row("slack-token", "xapp-", "W", 16, "xapp-1-{A}", is_words),
    _Row("sendgrid-key", r"SG\.", "D", 33, "SG.{A}.{A}"),
    _Row("mailgun-key", "key-", "H", 32, "key-{H}"),
    _Row("brevo-key", "xkeysib-", "W", 64, "xkeysib-{A}{A}"),
    _Row("stripe-key", "[sr]k_live_", "A", 8, "sk_live_{A} rk_live_{A}", is_plain),
    _Row("stripe-key", "[sr]k_test_", "A", 8, "sk_test_{A} rk_test_{A}", is_plain),
    _Row("stripe-webhook", "whsec_", "B", 16, "whsec_{A}", is_words),
    _Row("square-token", "sq0[a-z]{3}-", "W", 22, "sq0csp-{A} sq0atp-{A}"),
    _Row("shopify-token", "shp(?:at|ss|ca|pa)_", "H", 32, "shpat_{H} shpss_{H}"),
    _Row("easypost-key", "EZ[AT]K", "A", 40, "EZAK{A} EZTK{A}"),
    _Row("duffel-token", "duffel_live_", "W", 30, "duffel_live_{A}"),
    _Row("duffel-token", "duffel_test_", "W", 30, "duffel_test_{A}"),
    _Row("age-key", "AGE-SECRET-KEY-1", "U", 30, "AGE-SECRET-KEY-1{U}{U}{U}"),
    _Row("1password-token", "ops_eyJ", "B", 40, "ops_eyJ{A}"),
)  # fmt: skip


def _rule(row: _Row, place: int) -> Rule:
    members = CLASSES[row.body]
    asked = 2 * _TRIGGER if len(row.prefix) <= _WORDLIKE and row.prefix.isalnum() else _TRIGGER
    examples = tuple(part.format(**_BODIES) for part in row.example.split())
    return Rule(
        id=f"{row.id}-{place}" if place else row.id,
        kind=row.id,
        pattern=prefixed(row.prefix, f"[{members}]{{{row.least},}}+{GLUED}"),
        keywords=tuple(dict.fromkeys(re.findall(row.prefix, " ".join(examples)))),
        trigger=f"{row.prefix}[{members}]{{{min(row.least, asked)}}}",
        hits=fakes(*examples),
        misses=tuple(miss for fake in examples for miss in ("z" + fake, fake[:6])),
        spares=row.spares,
    )


def _rules() -> tuple[Rule, ...]:
    """Build a rule a row; the second row of a kind is told by a number."""
    seen: dict[str, int] = {}
    made = []
    for row in _ROWS:
        seen[row.id] = place = seen.get(row.id, 0) + 1
        made.append(_rule(row, place if place > 1 else 0))
    return tuple(made)


VENDORS: tuple[Rule, ...] = _rules()
VENDOR_PREFIXES = tuple(row.prefix for row in _ROWS)
"""Patterns of how those tokens begin."""
