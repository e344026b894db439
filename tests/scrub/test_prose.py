"""Secrets told in sentences, lists, prompts: found in each spelling, and no prose is taken for one.

``P`` stands for the secret.
"""

import json
import re
import time

import pytest

from cursor_replay.scrub.mask import mask

RANDOM = ["q7Zk2mLx" + "9TbR", "Gr8#Pa55" + "&w0rd@x", "xK4pW8vN2sJ6" + "tQ9dYb3F"]
CHOSEN = ["hunter2!", "hunter2", "S3cure-Pass", "Tr0ub4dor&3", "Summer2024"]

PASSWORDS = [
    "Use the password P which I made",
    "Das Passwort ist P",
    "Das Passwort lautet `P`.",
    "The password is P",
    "The password is P.",
    "log in, password is P and go on",
    "password is `P`",
    "My password is: P",
    "use password P to log in",
    "use the password P to log in",
    'Use password "P" for joe.',
    "user joe, password P",
    "user `joe` and password `P`",
    "username joe and password P",
    "I set the password to P",
    "I set the password to P.",
    "I set the password to `P`",
    'I changed the admin password to "P".',
    "temporary password P",
    "password -> P",
    "password → P",
    "password (`P`)",
    "password (default: P)",
    "**Password:** P",
    "**Password**: `P`",
    "**Password:** `P`",
    "- **Password**: `P`",
    "* password - P",
    "* password - `P`",
    "<b>Password:</b> P",
    "[sudo] password for joe: P",
    "Password for 'https://joe@git': P",
    "Password for 'https://joe@git.x.dev': P",
    "A temporary password is generated for root@localhost: P",
    "Password for 'elastic' user: P",
    "Password:\nP",
    "Password:\n P",
    "Password:\n\n    P",
    "Password:\n```\nP\n```",
    "The password:\n\n`P`",
    'the admin password is "P"',
    "passcode is P",
    "new password = P",
    "the passphrase is P, not the old one",
    "Password for joe is P",
    "The password of the test account is P.",
    "The password should be P",
    "the password is now P",
    "the password is still `P`",
    "password was P",
    "The password is 'P'",
    "password is **P**",
    "- Password — P",
    "- Password – `P`",
    "the root password is P (change it)",
]

TOKENS = [
    "Your API key is P",
    "Your API key is P, keep it",
    "the token is `P`",
    "The token is P.",
    "secret (`P`)",
    "token (`P`)",
    "Use the token P for this",
    "secret key is P",
    "The secret is P.",
    "Here is the API key P",
    "API key (`P`)",
]

PROSE = [
    "the token is base64url encoded",
    "the password is SHA256 hashed",
    "password is at least 8 characters",
    "the token is v2",
    "secret is stored in config.py",
    "token is a JWT (RFC 7519)",
    "API key is in .env.local",
    "the password is set to DB_PASSWORD1 from env",
    "The password is `DB_PASSWORD1`",
    "The token is `process.env.API_TOKEN2`",
    "the token is `getToken2()`",
    "The token is `Token2Type`",
    "The token is `csrf_token2`",
    "Set the password to `process.env.PW1`",
    "the password is hashed with bcrypt2",
    "the token is valid for 24h",
    "The token is 32 bytes long.",
    "The password is at /run/secrets/db1",
    "The token is https://x.dev/token1",
    "The secret is `secret/data/v1`",
    "The token is v1.2.3.",
    "The password is on line 42",
    "The token is 2026-01-01.",
    "The password (8+ characters)",
    "token (RFC6749)",
    "token (OAuth2)",
    "token (OAuth2.0)",
    "token (JWT/RS256)",
    "password (PBKDF2)",
    "Password (min 8 chars)",
    "The key is Ed25519.",
    "The API key is Base64-encoded",
    'The token is "Bearer ..."',
    "password -> bcrypt2",
    "token -> TokenV2",
    "use password OAuth2 to log in",
    "password argon2id",
    "the secret is HS256.",
    "The token is <TOKEN1>",
    "the token is `<token1>`",
    "The token is ${TOKEN1}",
    "The password is $PASSWORD1",
    "Token - 5m",
    "* token - OAuth2",
    "* password - SHA-256 hash",
    "**Token:** JWT (RS256)",
    "**Token**: `Authorization2`",
    "the secret is sha256-hashed",
    "The token is 1,234 tokens",
    "the token is 12345.",
    "The token is `null`",
    "password: must be 8+ characters",
    "The secret is N/A",
    "The password is user1234 characters",
    "secret is passed as arg1",
    "secret is passed as `arg1`",
    "token is user's e-mail",
    "The token is client-side only",
    "The token is read/write",
    "API key is required/optional",
    "The API key is in config/app.yml2",
    "The token is checked in auth2.py",
    "The token is auth2.py",
    "The password is don't-care",
    "The token is the 2nd one",
    "Password:\n8 characters",
    "Password:\n    password1_field",
    "Password:\n- one2",
    'the token is req.headers["x-token1"]',
    "The token is `req.body.token1`",
    "the password is user1@example.com",
    "The token is 50%",
    "The token is ~1.5x faster",
    "The token is `--token1`",
    "The token is <b>x1</b>",
    'The token is "a1b2"',
    "The key is `user:123:profile`",
    "the secret is {{secret1}}",
    "token (`access_token2`)",
    "token (`string`)",
    "password (default: `admin`)",
    "password (default: 8)",
    "token (default: `None`)",
    "[sudo] password for joe:",
    "fatal: could not read Password for 'https://github.com': terminal prompts disabled",
    "Password for user2:",
    "the password is p2p encrypted",
    "The token is K8s-managed",
    "password -> utf-8 bytes",
    "token is ES256/RS256 signed",
    "token -> x-token1",
    "The model API key is Gpt-4o compatible",
    "The token is AES-256-GCM.",
    "The token is `AES-256-GCM`.",
    "the token is RS256-signed.",
    "The secret is base64(sha256(x))",
    "The token is `base64url(sha256)`",
    "token is string|undefined",
    "The token is #1.",
    "The token is (x1).",
    "The password is HTTP/2",
    "The token is i18n-aware.",
    "the token is us-east-1",
    "The secret is `us-east-1`.",
    "The secret is my-secret-v2.",
    "The token is `Sec-WebSocket-Key1`",
    "token is `0x1F2e3D4c`",
    "token is `'a' + b1`",
]


def told(form: str, secret: str) -> str:
    return re.sub(r"(?<![A-Za-z])P(?![A-Za-z])", lambda _: secret, form)


@pytest.mark.parametrize("form", PASSWORDS + TOKENS)
def test_a_random_secret_is_masked_in_each_form_of_telling_it(form):
    for secret in RANDOM:
        text, masked = told(form, secret), told(form, "[redacted]")
        assert mask(text).replace("[redacted]@", "joe@") == masked
        assert secret not in mask(json.dumps({"text": f"so\n{text}\nand on", "exit": 0}))
        assert secret not in mask(json.dumps(json.dumps({"text": text})))


@pytest.mark.parametrize("form", PASSWORDS)
def test_a_chosen_password_is_masked_where_a_verb_or_a_sign_tells_it(form):
    for secret in CHOSEN:
        bare = secret.isalnum() and re.search(r"password P|a password P|the password P", form)
        if not bare:
            assert secret not in mask(told(form, secret))


@pytest.mark.parametrize("text", PROSE)
def test_prose_about_passwords_and_tokens_stays(text):
    assert mask(text) == text
    document = json.dumps({"text": f"so\n{text}\nand on"})
    assert mask(document) == document


@pytest.mark.parametrize("form", PASSWORDS + TOKENS)
def test_json_with_a_told_secret_stays_json(form):
    document = json.dumps({"text": told(form, RANDOM[1]), "exit": 0})
    assert json.loads(mask(document))["exit"] == 0
    assert json.loads(json.loads(mask(json.dumps(document))))["exit"] == 0


@pytest.mark.parametrize("form", PASSWORDS + TOKENS)
def test_a_form_without_a_secret_stays(form):
    for word in ("", "wrong", "$PASSWORD", "<password>", "[redacted:password]"):
        assert mask(told(form, word)).replace("[redacted]@", "joe@") == told(form, word)


def _cost(text: str) -> float:
    best = 1.0
    for _ in range(3):
        start = time.process_time()
        mask(text)
        best = min(best, time.process_time() - start)
    return best + 0.002


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "the password is a1",
            "password for a ",
            "password is generated for ",
            "`a1b2c3` is the ",
        ),
        *(
            "password:\n",
            "password:\n```\n",
            "**password:** ",
            "token `",
            "secret (",
            "password of a ",
        ),
        *("a1b2c3d4.", "token a1b2c3d4.", "password - ", "password to "),
    ],
)
def test_ten_times_the_prose_costs_about_ten_times_the_work(unit):
    short, long = unit * (10_000 // len(unit)), unit * (100_000 // len(unit))
    assert _cost(long) < 30 * _cost(short)
