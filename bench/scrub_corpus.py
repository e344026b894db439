"""What the scrubber is measured on: made-up secrets in real surroundings, and real code as decoys.

A shape is a template: ``{A36}`` stands for 36 random characters of the alphabet ``A``, and what has
to be masked is written between guillemets (all of it without them). So no token-shaped string
stands in this file. One seed gives the same corpus with the same Python.
"""

import base64
import hashlib
import json
import random
import re
import string
import sysconfig
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
SEED = 6

ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "L": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + "234567",
    "H": "0123456789abcdef",
    "D": string.digits,
    "W": string.ascii_letters + string.digits + "_-",
    "B": string.ascii_letters + string.digits + "+/",
}

SHAPES: dict[str, str] = {
    # model providers and agents
    "openai": "sk-{A48}",
    "openai-project": "sk-proj-{W74}T3{A4}FJ{W74}",
    "openai-service": "sk-svcacct-{W60}",
    "openai-admin": "sk-admin-{W60}",
    "anthropic": "sk-ant-api03-{W93}AA",
    "anthropic-oauth": "sk-ant-oat01-{W93}AA",
    "openrouter": "sk-or-v1-{H64}",
    "deepseek": "sk-{H32}",
    "cursor": "key_{H64}",
    "cursor-user": "crsr_{H64}",
    "groq": "gsk_{A52}",
    "xai": "xai-{A80}",
    "perplexity": "pplx-{A48}",
    "huggingface": "hf_{A34}",
    "replicate": "r8_{A37}",
    "nvidia": "nvapi-{W64}",
    "fireworks": "fw_{A24}",
    "langsmith": "lsv2_pt_{H32}_{H10}",
    "pinecone": "pcsk_{A6}_{A63}",
    "tavily": "tvly-{A32}",
    "firecrawl": "fc-{H32}",
    "elevenlabs": "sk_{H48}",
    "e2b": "e2b_{H40}",
    # code and packages
    "github": "ghp_{A36}",
    "github-app": "ghs_{A36}",
    "github-fine": "github_pat_{A22}_{A59}",
    "gitlab": "glpat-{W20}",
    "gitlab-deploy": "gldt-{W20}",
    "gitlab-runner": "glrt-{W20}",
    "gitlab-old-runner": "GR1348941{W20}",
    "bitbucket": "ATBB{A32}",
    "atlassian": "ATATT3xFfGF0{W180}",
    "npm": "npm_{A36}",
    "pypi": "pypi-AgEIcHlwaS5vcmc{W80}",
    "rubygems": "rubygems_{H48}",
    "crates": "cio{A32}",
    "nuget": "oy2{L43}",
    "docker": "dckr_pat_{W27}",
    "artifactory": "AKCp8{A68}",
    "clojars": "CLOJARS_{L60}",
    "sentry": "sntrys_eyJ{B80}_{A43}",
    "sentry-user": "sntryu_{H64}",
    "postman": "PMAK-{H24}-{H34}",
    "figma": "figd_{W40}",
    "linear": "lin_api_{A40}",
    "notion": "ntn_{D11}{A35}",
    "airtable": "pat{A14}.{H64}",
    "typeform": "tfp_{W44}_{A14}",
    "doppler": "dp.pt.{A43}",
    "grafana": "glsa_{A32}_{H8}",
    "grafana-cloud": "glc_{A60}",
    "newrelic": "NRAK-{U27}",
    "dynatrace": "dt0c01.{U24}.{U64}",
    "honeycomb": "hcaik_01{L56}",
    # clouds
    "aws-key-id": "AKIA{U16}",
    "aws-session-id": "ASIA{U16}",
    "aws-secret": "aws_secret_access_key = «{B40}»",
    "aws-secret-json": '"SecretAccessKey": "«{B40}»"',
    "aws-bedrock": "ABSK{B128}",
    "aws-session-token": "AWS_SESSION_TOKEN=«IQoJ{B200}»",
    "google": "AIza{W35}",
    "google-oauth": "ya29.{W80}",
    "google-secret": "GOCSPX-{W28}",
    "google-refresh": "1//0{W60}",
    "google-service-key-id": '"private_key_id": "«{H40}»"',
    "azure-storage": "AccountKey=«{B86}==»;",
    "azure-bus": "SharedAccessKey=«{B43}=»",
    "azure-sas": "https://acc.blob.core.windows.net/c?sv=2024-08-04&sp=r&sig=«{A40}%3D»",
    "azure-client": "{A3}8Q~{A34}",
    "digitalocean": "dop_v1_{H64}",
    "heroku": "HRKU-{A58}",
    "flyio": "FlyV1 «fm2_{B120}»",
    "vault": "hvs.{W90}",
    "vault-batch": "hvb.{W120}",
    "terraform": "{A14}.atlasv1.{W64}",
    "pulumi": "pul-{H40}",
    "planetscale": "pscale_tkn_{W43}",
    "supabase": "sbp_{H40}",
    "supabase-secret": "sb_secret_{W31}",
    "databricks": "dapi{H32}",
    "alibaba": "LTAI{A20}",
    "netlify": "nfp_{A40}",
    "tailscale": "tskey-auth-{A12}-{A32}",
    "aws-signature": "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=«{H64}»",
    # chat, mail, money, shops
    "slack": "xoxb-{D12}-{D12}-{A24}",
    "slack-user": "xoxp-{D12}-{D12}-{D12}-{H32}",
    "slack-app": "xapp-1-A{U10}-{D13}-{H64}",
    "slack-webhook": "https://hooks.slack.com/services/«T{U8}/B{U8}/{A24}»",
    "discord-bot": "MT{A22}.{A6}.{W38}",
    "discord-webhook": "https://discord.com/api/webhooks/{D18}/«{W68}»",
    "teams-webhook": "https://corp.webhook.office.com/webhookb2/«{G}@{G}/IncomingWebhook/{H32}/{G}»",
    "telegram": "{D10}:«AA{W33}»",
    "twilio": "SK{H32}",
    "sendgrid": "SG.{W22}.{W43}",
    "mailgun": "key-{H32}",
    "mailchimp": "{H32}-us12",
    "brevo": "xkeysib-{H64}-{A16}",
    "stripe": "sk_live_{A24}",
    "stripe-restricted": "rk_live_{A99}",
    "stripe-webhook": "whsec_{A32}",
    "square": "sq0csp-{W43}",
    "paypal-braintree": "access_token$production${L16}${H32}",
    "shopify": "shpat_{H32}",
    "shopify-secret": "shpss_{H32}",
    "plaid": "access-sandbox-{G}",
    "easypost": "EZAK{A54}",
    "duffel": "duffel_live_{W43}",
    "age": "AGE-SECRET-KEY-1{U58}",
    "1password": "ops_eyJ{A250}",
    # protocols and names
    "jwt": "eyJ{A34}.eyJ{A80}.{W43}",
    "bearer": "Authorization: Bearer «{W40}»",
    "basic": "Authorization: Basic «dXNlcjpw{A16}»",
    "api-key-header": "x-api-key: «{A32}»",
    "cookie": "Cookie: «sid={A32}; theme=dark»",
    "set-cookie": "Set-Cookie: «sid={A32}; Path=/»",
    "postgres": "postgresql://app:«{A16}»@db.internal:5432/shop",
    "mongodb": "mongodb+srv://app:«{A16}»@c0.mongodb.net/x",
    "redis": "redis://:«{A24}»@127.0.0.1:6379/0",
    "amqp": "amqps://app:«{A16}»@mq.internal/vhost",
    "https-user": "https://deploy:«{A20}»@git.internal/r.git",
    "https-token": "https://«{A40}»@git.internal/r.git",
    "scp": "rsync app:«{A16}»@files.internal:/srv/x .",
    "env-lower": "db_password=«{A16}»",
    "env-upper": "STRIPE_CLIENT_SECRET=«{A24}»",
    "yaml-password": "password: «{A16}»",
    "json-api-key": '"api_key": "«{A32}»"',
    "flag": "deploy --token «{A32}» --yes",
    "flag-equals": "deploy --api-key=«{A32}»",
    "curl-user": "curl -u app:«{A16}» https://x.internal/",
    "mysql": "mysql -uroot -p«{A16}» shop",
    "sshpass": "sshpass -p «{A16}» ssh host",
    "docker-login": "docker login -u app -p «{A24}» registry.internal",
    "netrc": "machine git.internal login joe password «{A16}»",
    "npmrc": "//registry.internal/:_authToken=«{G}»",
    "dotnet": "Server=db;Database=x;User Id=sa;Password=«{A16}»;",
    "private-key": (
        "-----BEGIN {}PRIVATE KEY-----\n«{B64}\n{B64}\n{B32}»\n-----END {}PRIVATE KEY-----"
    ),
    "private-key-encrypted": (
        "-----BEGIN RSA {}PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{U32}\n\n"
        "«{B64}\n{B64}»\n-----END RSA {}PRIVATE KEY-----"
    ),
    "private-key-cut": "-----BEGIN OPENSSH {}PRIVATE KEY-----\n«{B70}\n{B70}»",
    "bridge": "http://127.0.0.1:49152/cursor-pi-tool-bridge/«{W22}»/mcp",
    "email": "«{L8}.{L6}@{L9}.com»",
    "home-linux": "/home/«{L9}»/shop/a.py",
    "home-mac": "/Users/«{L9}»/shop/a.py",
    "home-windows": "C:\\Users\\«{L9}»\\shop\\a.py",
    "home-drive": "/c:/Users/«{L9}»/shop/a.py",
    "home-uri": "file:///home/«{L9}»/shop/a.py",
    "home-slug": ".cursor/projects/home-«{L9}»-shop",
}  # fmt: skip

Form = Callable[[str], str]


def _escaped(char: str) -> str:
    return char if char.isalnum() else f"\\u{ord(char):04x}"


SURROUNDINGS: dict[str, Form] = {
    "alone": lambda s: s,
    "prose": lambda s: f"I then used {s} and it worked. ",
    "lines": lambda s: f"$ cat notes\nfirst line\n{s}\nlast line\n",
    "json": lambda s: json.dumps({"output": f"got {s}\n", "exit": 0}),
    "json-in-json": lambda s: json.dumps({"body": json.dumps({"output": s})}),
    "json-three-deep": lambda s: json.dumps(json.dumps(json.dumps({"output": s}))),
    "diff-added": lambda s: (
        "@@ -1,2 +1,4 @@\n a\n" + "".join(f"+{row}\n" for row in s.split("\n")) + "+b\n"
    ),
    "fence": lambda s: f"```sh\n{s}\n```\n",
    "colours": lambda s: f"\x1b[1m\x1b[32m{s}\x1b[0m\n",
    "log": lambda s: f"2026-09-14T10:00:00Z INFO worker=3 msg got {s}\n",
}
"""Every shape is put into each of these."""

TOKEN_SURROUNDINGS: dict[str, Form] = {
    "query": lambda s: f"GET /cb?code={s}&state=x HTTP/1.1",
    "percent-encoded": lambda s: f"GET /cb?next={quote('https://x.internal/?t=' + s, safe='')}&b=1",
    "base64": lambda s: f"data: {base64.b64encode(f'it is {s} here'.encode()).decode()}",
    "unicode-escaped": lambda s: f'{{"a": "{"".join(map(_escaped, s))}"}}',
    "shell-string": lambda s: f'export DEPLOY="{s}"; run',
    "colour-inside": lambda s: f"{s[:9]}\x1b[31m{s[9:]}\x1b[0m",
    "wrapped": lambda s: (
        f"{'the answer of the server was as follows: ':>60}{s[:20]}\n{s[20:]}\nok\n"
    ),
    "wrapped-in-a-diff": lambda s: f"+x = {s[:20]}\n+{s[20:]}\n+y\n",
    "tool-name": lambda s: f"mcp__{s}",
    "path": lambda s: f"cat /srv/keys/{s}.txt",
}
"""Secrets that are known by their own shape are put into these as well."""


_LEFT_OUT = {
    # A line end inside hides a shape whose sign is not at its beginning,
    "wrapped": {"azure-client", "terraform", "mailchimp", "discord-bot"},
    # and base64 one whose sign is shorter than four letters.
    "base64": {"azure-client", "mailchimp", "discord-bot", "twilio"},
}
"""What is known not to be found (see docs/scrubbing.md)."""


class Sample(NamedTuple):
    """A text and what must not be left of it."""

    shape: str
    surrounding: str
    text: str
    secret: str


def filled(template: str, pick: random.Random) -> str:
    """Put random characters into a template."""

    def put(found: re.Match[str]) -> str:
        if found[0] == "{G}":
            return str(uuid.UUID(int=pick.getrandbits(128), version=4))
        if found[0] == "{}":
            return ""
        return "".join(pick.choices(ALPHABETS[found[1]], k=int(found[2])))

    return re.sub(r"\{(?:([A-Z])(\d+)|G|)\}", put, template)


def samples() -> Iterator[Sample]:
    """Every shape in every surrounding that it can stand in."""
    pick = random.Random(SEED)
    for name, template in SHAPES.items():
        forms = SURROUNDINGS | ({} if "«" in template else TOKEN_SURROUNDINGS)
        for where, form in forms.items():
            if name in _LEFT_OUT.get(where.partition("-")[0], ()):
                continue
            whole = filled(template, pick)
            marked = re.search("«(.*)»", whole, re.DOTALL)
            secret = marked[1] if marked else whole
            yield Sample(name, where, form(whole.replace("«", "").replace("»", "")), secret)


def _decoded(run: str) -> str:
    run = run.rstrip("=")
    return base64.b64decode(run[: len(run) // 4 * 4]).decode("latin-1")


def is_left(sample: Sample, masked: str) -> bool:
    """Whether eight characters in a row of the secret (all of a short one) can still be read."""
    text = re.sub(r"\x1b\[\d*m|\n[+ ]?", "", masked)
    text += "".join(map(_decoded, re.findall(r"[A-Za-z0-9+/]{24,}={0,2}", text)))
    for row in sample.secret.split("\n"):
        size = min(8, len(row))
        # The fixed beginning of a shape, such as sk-proj-, is no secret.
        pieces = (row[at : at + size] for at in range(min(8, len(row) - size), len(row) - size + 1))
        if any(piece in text for piece in pieces):
            return True
    return False


# -- decoys -----------------------------------------------------------------------------------

_TELLING = re.compile(
    r"token|secret|passw|pass=|key|auth|cookie|session|credential|bearer|basic |@|://|[A-Za-z0-9+/]{24}"
    r"|sk-|\bpat|home|Users|%[0-9A-F]{2}|\\u00|--[a-z]",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\w@[\w-]+\.\w{2}|/home/\w|/Users/\w")
"""Authors and home folders: they are to be masked."""
_CREDENTIALS = (
    # Files that hold a credential or a home folder, if an invented one.
    *("http/cookies.py", "distutils/command/register.py", "_sysconfigdata", "config-3"),
    *("urllib/request.py", "idlelib/idle_test"),
)
PROSE = (
    "the token budget: 5 of 10 is used, max_tokens: 4096, page_token=abc1, next_page_token: x9",
    "The tokenizer splits the password field; a secret: none. The API key: see below.",
    "git clone git@github.com:o/r.git && git fetch ssh://git@example.com/o/r.git",
    "meet at 12:30@home, cc joe@example.com, mailto:joe@example.com, npm i left-pad@1.3.0",
    '{"token":null,"password":false,"secret":0,"apiKey":"","session":{"id":null}}',
    "def login(user: str, password: str, *, token: Optional[str] = None) -> Session:",
    "const { accessToken, refreshToken } = await getTokens(session.userId, apiKeyProvider);",
    'if (token === "string" || token.type === "identifier") return parsePassword(token);',
    "ICON@2x.png logo@3x.jpg image: nginx:1.25@sha256:0123 react@18.2.0 @types/node@20.1.0",
    "[REDACTED]",
    "!function(e,t){var n=e.token,r=t.password;n&&r&&(e.auth=btoa(n+':'+r))}(a,b);",
    "class TokenSecretPasswordKeyFactoryBeanPostProcessorImpl extends AbstractAuthTokenFilter",
    "sk-learn-based-model-name-for-tests task-force-alpha-bravo risk-assessment-matrix-final",
    "hf_hub_download npm_config_registry pypi-mirror key_down_event_handler fc-cache -fv dapi",
    "sha512-Z4P1d8xvQm3nT0hKq2w+7uJ5rL9sYbA6cVeXoGfHiNkDtRlWpMzSaBjCyEqUgIvOxQwErTyUiOpAsDfGhJkLzA==",
    "The Basic idea of bearer plants; basic authentication, a bearer token, digest access",
)
ENDINGS = (".py", ".js", ".ts", ".json", ".txt", ".toml", ".cfg", ".md", ".lock")


def decoys(least: int = 2000) -> list[str]:
    """Lines of real code and lock files, made-up identifiers and prose: none holds a secret."""
    pick = random.Random(SEED)
    lines = [*PROSE, *_identifiers(pick), *_lock_lines(), *_code_lines()]
    if len(lines) < least:
        raise SystemExit(f"only {len(lines)} decoys were found")
    return lines


def _identifiers(pick: random.Random) -> Iterator[str]:
    """Commit ids, UUIDs, digests and images, as sessions are full of them."""
    for _ in range(100):
        raw = pick.randbytes(64)
        name = hashlib.sha1(raw, usedforsecurity=False).hexdigest()
        yield f"commit {name}"
        yield f"index {name[:7]}..{name[8:15]} 100644 {uuid.UUID(bytes=raw[:16])}"
        yield f"{hashlib.sha256(raw).hexdigest()}  dist/app.{name[:8]}.js"
        yield f'"integrity": "sha512-{base64.b64encode(raw).decode()}"'
        yield f"data:image/png;base64,{base64.b64encode(pick.randbytes(300)).decode()}"
        yield f"toolu_01{''.join(pick.choices(ALPHABETS['A'], k=22))} call_{raw.hex()[:24]}"
        yield f"run-{uuid.UUID(bytes=raw[16:32])} bc-{uuid.UUID(bytes=raw[32:48])} {raw.hex()[:32]}"


def _lock_lines() -> Iterator[str]:
    for path in (ROOT / "requirements-dev.txt", *sorted(ROOT.glob("tests/**/package-lock.json"))):
        yield from _lines(path)


def _code_lines() -> Iterator[str]:
    """Every line of the standard library that could deceive a rule: no address, no home folder."""
    root = Path(sysconfig.get_path("stdlib"))
    for path in sorted(root.rglob("*")):
        within = path.relative_to(root)
        skipped = {"test", "tests", "site-packages"} & set(within.parts)
        if (
            path.suffix in ENDINGS
            and not skipped
            and not within.as_posix().startswith(_CREDENTIALS)
        ):
            for line in _lines(path):
                if _TELLING.search(line) and not _PERSONAL.search(line):
                    yield line


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in path.read_text("utf-8").split("\n") if line.strip()]
    except (OSError, UnicodeDecodeError):
        return []
