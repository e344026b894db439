"""What the scrubber is measured on: made-up secrets in real surroundings, and real code as decoys.

The shapes are those of the tests (``tests/scrub/made_secrets.py``). One seed gives the same corpus
with the same Python.
"""

import base64
import hashlib
import json
import random
import re
import sys
import sysconfig
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "scrub"))

from made_secrets import ALPHABETS, SHAPES, made  # noqa: E402 - beside the tests

SEED = 6

_SHORTEST_ROW = 12
_BACKSLASH, _ROW_TWO = chr(92), "     2\t"

Form = Callable[[str], str]


def _escaped(char: str) -> str:
    return char if char.isalnum() else f"\\u{ord(char):04x}"


def _hex(char: str) -> str:
    return char if char.isalnum() else f"\\x{ord(char):02x}"


def _rows(secret: str, width: int, front: str = "", end: str = "") -> str:
    """``secret`` in rows; what is too short for two rows stays whole."""
    rows = [secret[at : at + width] for at in range(0, len(secret), width)]
    if len(rows[-1]) < _SHORTEST_ROW and len(rows) > 1:
        rows[-2:] = [rows[-2] + rows[-1]]
    return f"{end}\n{front}".join(rows)


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
    **{
        f"base64-{shift}": lambda s, shift=shift: (
            f"data: {base64.b64encode((' ' * shift + f'it {s} here').encode()).decode()}"
        )
        for shift in range(3)
    },
    **{
        f"colour-as-text-{at}": lambda s, code=code: f"echo {code[0]}{s}{code[1]} >> x"
        for at, code in enumerate(
            (
                *(("\\u001b[32m", "\\u001b[0m"), ("\\x1b[1m", ""), ("\\033[0;32m", "\\033[0m")),
                *(("\\e[0m", ""), ("[32m", "[0m"), ("[38;5;208m", "[m")),
            )
        )
    },
    "unicode-escaped": lambda s: f'{{"a": "{"".join(map(_escaped, s))}"}}',
    "shell-string": lambda s: f'export DEPLOY="{s}"; run',
    "percent-inside": lambda s: f"GET /cb?code=%{ord(s[0]):02X}{s[1:]}&state=x HTTP/1.1",
    "hex-escaped": lambda s: f'x = "{"".join(_hex(char) for char in s)}"',
    "entities": lambda s: f"<i title=&quot;{s.replace('_', '&#95;')}&quot;>",
    **{
        f"invisible-{name}": lambda s, char=char: f"use {s[:7]}{char}{s[7:]} now"
        for name, char in (
            *(("joiner", "\u200d"), ("soft-hyphen", "\u00ad"), ("variant", "\ufe0f")),
            *(("space", "\u200b"), ("reversed", "\u202e")),
        )
    },
    **{
        f"broken-at-{at}": lambda s, at=at: f"{'the answer is ' * 5}{s[:at]}\n{s[at:]} done\nok\n"
        for at in (1, 2, 3, 5, 9)
    },
    "colour-inside": lambda s: f"{s[:9]}\x1b[31m{s[9:]}\x1b[0m",
    **{
        f"wrapped-at-{width}": lambda s, width=width: (
            f"the answer of the server was as follows: {_rows(s, width)}\nok\n"
        )
        for width in (16, 20, 24, 30)
    },
    "wrapped-by-cat": lambda s: f"     1\tkey={_rows(s, 24, _ROW_TWO)}\n",
    "wrapped-in-a-shell": lambda s: f"run --key={_rows(s, 24, end=_BACKSLASH)}\n",
    "wrapped-in-a-diff": lambda s: f"+x = {s[:20]}\n+{s[20:]}\n+y\n",
    "tool-name": lambda s: f"mcp__{s}",
    "path": lambda s: f"cat /srv/keys/{s}.txt",
}
"""Secrets that are known by their own shape are put into these as well."""


_LEFT_OUT = {
    # A line end inside hides a shape whose sign is not at its beginning,
    "wrapped": {"azure-client", "terraform", "mailchimp", "discord-bot"},
    "wrapped-at-16": {"airtable"},  # its sign has 18 letters
    "broken-at-5": {"azure-client"},  # and is broken itself
    # and base64 one whose sign is shorter than four letters.
    "base64": {"azure-client", "discord-bot", "twilio"},
}
"""What is known not to be found (see docs/scrubbing.md)."""


class Sample(NamedTuple):
    """A text and what must not be left of it."""

    shape: str
    surrounding: str
    text: str
    secret: str


def samples() -> Iterator[Sample]:
    """Every shape in every surrounding that it can stand in."""
    pick = random.Random(SEED)
    for name, template in SHAPES.items():
        forms = SURROUNDINGS | ({} if "«" in template else TOKEN_SURROUNDINGS)
        for where, put in forms.items():
            if any(where.startswith(form) and name in names for form, names in _LEFT_OUT.items()):
                continue
            whole, secret = made(name, pick)
            yield Sample(name, where, put(whole), secret)


def _decoded(run: str) -> str:
    run = run.rstrip("=")
    return base64.b64decode(run[: len(run) // 4 * 4]).decode("latin-1")


def is_left(sample: Sample, masked: str) -> bool:
    """Whether eight characters in a row of the secret (all of a short one) can still be read."""
    text = re.sub(r"\x1b\[\d*m|\\?\n(?:[+ ]|     2\t)?", "", masked)
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
    "{token:!0,validateToken:token=>{a},Credentials:class extends B{}},c=this.#token",
    "let hasApiKey = !isBearerToken; sessionId=options?.id??f(),{apiKey:o.apiKey??r.apiKey}",
    'token=/^[A-Z]/; x ? "x-session-id" : "x-session-affinity"; {token: "comment"}',
    'AWS_SECRET_KEY = "AWS_SECRET_KEY"; {apiKey: "GEMINI_API_KEY"}; private_key: "_RSAPrivateKey"',
    "Authorization: Bearer. The option --api-key requires a model. Unexpected token: punc",
    "Password: wrong",
    "origin git:git@github.com:u/r patch:pkg@npm%3A3.2.1#./x.patch",
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


def minified() -> list[str]:
    """Lines of minified scripts in this checkout, which may have none."""
    places = (ROOT / "tests" / "pi" / "node_modules", Path(sysconfig.get_path("purelib")))
    files = [path for place in places for path in sorted(place.rglob("*.min.js"))]
    return [line for path in files for line in _lines(path) if not _PERSONAL.search(line)]


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
