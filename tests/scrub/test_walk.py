"""The walk over JSON: forms of browser tools, lists of arguments, cookies, and what is no secret."""

import json

import pytest

from cursor_replay.scrub import Choices, Sealer
from cursor_replay.scrub.copying.doubts import Doubts, Outline

P = "q7Zk2mLx" + "9TbR"
FINGERPRINT = "A035C8C1" * 5
DIGEST = "sha512-" + "9jrp2m0lmVXqtC9o" * 5 + "=="


def sealed(value):
    return Sealer(choices=Choices(style="plain"), learn=False).value(value)


def masked(value, secret=P):
    """``value`` with ``secret`` as a mark."""
    return json.loads(json.dumps(value).replace(secret, "[redacted]"))


FORMS = [
    {"element": "Password textbox", "ref": "e12", "text": P},
    {"element": "Password textbox", "text": "swordfish"},
    {"element": "Login password", "text": "correct horse"},
    {"selector": "#password", "text": P},
    {"selector": "input[name='api_key']", "text": P, "submit": True},
    {"selector": "input[type=password]", "value": P},
    {"selector": "#token_input", "value": P},
    {"locator": "[name=secret]", "text": P},
    {"target": "Password field", "text": P},
    {"by": "id", "value": "password", "text": P},
    *({key: "Password", "value": P} for key in ("label", "placeholder", "id", "param", "name")),
    {"ref": "Password", "text": P},
    {"placeholder": "Enter your password", "value": P},
    {"label": "Password", "text": P},
    {"name": "Password field", "ref": "e3", "value": P},
    {"fields": [{"name": "Password", "type": "textbox", "ref": "e3", "value": P}]},
    {"ParameterKey": "DBPassword", "ParameterValue": P},
    {"Name": "/x/password", "Type": "SecureString", "Value": P},
    {"name": "sid", "value": P, "domain": ".x.dev", "path": "/"},
    {"name": "sid", "value": P, "httpOnly": True},
    {"name": "sid", "value": P, "expires": 1},
]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_what_is_typed_into_the_field_of_a_secret_is_masked(form):
    secret = next(each for each in (P, "swordfish", "correct horse") if each in json.dumps(form))
    assert sealed(form) == masked(form, secret)


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_form_is_walked_in_a_copy_too(form):
    assert Outline(Doubts(Sealer(for_copy=True))).strings(form)[1]


@pytest.mark.parametrize(
    "value",
    [
        {"element": "Show password button", "ref": "e4"},
        {"element": "Password textbox", "text": ""},
        {"element": "Search", "text": "find7 things"},
        {"element": "Token count", "text": "4096"},
        {"element": "Forgot password email", "text": "joe@example.com"},
        {"label": "Token name", "value": "ci-deploy-2"},
        {"selector": "#password-error", "text": "Too short!"},
        {"by": "id", "value": "password"},
        {"by": "id", "value": "user", "text": "find7 things"},
        {"id": "reset-password", "content": "Add a password reset", "status": "pending"},
        {"label": "Password", "text": "Your new password"},
        {"label": "Password", "value": "password"},
        {"label": "Reset password", "value": "reset"},
        {"label": "Access token", "value": "access_token"},
        {"selector": "#max-tokens", "value": "4096"},
        {"name": "theme", "value": "dark", "domain": ".x.dev"},
        {"name": "version2", "value": P},
    ],
    ids=str,
)
def test_other_fields_of_a_form_stay(value):
    assert sealed(value) == value


COMMANDS = [
    ["mysql", "-p" + P],
    ["mysql", "-u", "root", "-p" + P, "shop"],
    ["sshpass", "-p", P, "ssh", "h"],
    ["curl", "-u", "joe:" + P, "https://x.dev"],
    ["docker", "login", "-u", "joe", "-p", P],
    ["redis-server", "--requirepass", P],
    ["redis-cli", "-a", P, "ping"],
    ["kubectl", "create", "secret", "generic", "x", "--from-literal=password=" + P],
    ["aws", "configure", "set", "aws_secret_access_key", P],
    ["npm", "config", "set", "//r/:_authToken", P],
    ["gh", "secret", "set", "DB", "--body", P],
    ["echo", P, "|", "sudo", "-S", "ls"],
    ["setx", "API_KEY", P],
    ["CMD", "mysqladmin", "ping", "-p" + P],
    ["sh", "-c", f"mysql -p{P} shop"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=str)
def test_a_list_of_arguments_is_masked_like_the_command(words):
    assert sealed(words) == masked(words)
    assert sealed({"argv": tuple(words)}) == {"argv": tuple(masked(words))}
    assert sealed(sealed(words)) == sealed(words)


def test_an_argument_with_a_blank_is_masked_whole():
    assert sealed(["curl", "-u", "joe:a7B c9D1x"])[2].endswith("[redacted]")
    assert "c9D1x" not in str(sealed(["curl", "-u", "joe:a7B c9D1x"]))


def test_an_argument_keeps_its_mark_and_its_neighbours():
    words = ["--name", "x", "--token", P, "-v", "password=hunter2"]
    assert sealed(words) == ["--name", "x", "--token", "[redacted]", "-v", "password=[redacted]"]


@pytest.mark.parametrize(
    "words",
    [
        ["docker", "run", "-p", "8080:80", "-u", "joe:staff", "x"],
        ["mkdir", "-p", "src/token7"],
        ["user", "password", "token"],
        ["mysql", "-p", "shop"],
        ["- a", "- b"],
        ["--password", "--user"],
        ["mysql", 1, "-p" + P],
    ],
    ids=str,
)
def test_a_list_without_a_secret_stays_the_same_object(words):
    assert sealed(words) is words


HARMLESS = [
    {"PWD": "/srv/app", "OLDPWD": "/srv"},
    {"PWD": "/srv/app7Qm2Lx9/b"},
    {"pwd": "C:\\work\\app"},
    {"XDG_SESSION_ID": "c2"},
    {"GPG_KEY": FINGERPRINT},
    {"dependencies": {"cookie": "^0.6.0", "csrf-token": "1.0.2", "js-cookie": ">=1.2 <2.0"}},
    {"cookie": {"version": "0.7.1"}},
    {"cookie": "npm:0.6.0"},
    {
        "node_modules/cookie": {
            "version": "0.7.1",
            "resolved": "https://registry.npmjs.org/cookie/-/cookie-0.7.1.tgz",
            "integrity": DIGEST,
            "license": "MIT",
            "engines": {"node": ">= 0.6"},
        }
    },
    {"cookie": {"version": "0.7.1", "integrity": DIGEST, "dev": True}},
    {"@types/cookie": "file:../cookie"},
    {"scripts": {"test:cookies": "jest", "build:token": "vite build"}},
    {"forgotPassword": "Passwort vergessen?", "newPassword": "Neues Passwort"},
    {"password": "must not be blank"},
    {"password": ["is required", "must not be blank"][1:]},
    {"invalid_password": "Incorrect username or password."},
    {"password": "Password", "token": "TOKEN", "api_key": "apiKey", "db_password": "password"},
    {"token": "GITHUB_TOKEN", "password": "DB_PASSWORD", "secret": "x-auth-token"},
    *(
        {"password": value}
        for value in (
            *("current-password", "(sensitive value)", "[FILTERED]", "REDACTED", "CHANGE_ME"),
            *("changeme", "__PASSWORD__", "/run/secrets/x", "/reset-password", "./secrets/db.txt"),
            *("vault:secret/data/x#password", "op://vault/item/password", "env:DB_PASSWORD"),
            *("${X}", "#{x}"),
        )
    ),
    {"unk_token": "[UNK]", "stop_token": "\n", "eos_token": "<|endoftext|>"},
    {"token": "string.quoted"},
]


@pytest.mark.parametrize("value", HARMLESS, ids=str)
def test_what_is_no_secret_stays_under_the_name_of_one(value):
    assert sealed(value) == value


@pytest.mark.parametrize(
    ("value", "secret"),
    [
        ({"password": "swordfish"}, "swordfish"),
        ({"password": "Swordfish"}, "Swordfish"),
        ({"passphrase": "correct horse battery staple"}, "correct horse battery staple"),
        ({"apiKey": "plain words"}, "plain words"),
        ({"PWD": P}, P),
        ({"pwd": "/" + P}, "/" + P),
        ({"password": "/srv/" + P}, "/srv/" + P),
        ({"secrets": {"version": "1.0.0", "a": P}}, P),
        ({"cookie": {"version": "sid=" + P}}, "sid=" + P),
        ({"GPG_KEY": P}, P),
        ({"token": "123456"}, "123456"),
        ({"db:password": "swordfish"}, "swordfish"),
        ({"test:token": P}, P),
        ({"@me": {"token": P}}, P),
        ({"password": "Is it 7 or 8?"}, "Is it 7 or 8?"),
    ],
    ids=str,
)
def test_what_may_be_a_secret_is_masked(value, secret):
    assert sealed(value) == masked(value, secret)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Password textbox", "password"),
        ("input[type=password]", "password"),
        ("Enter your API key", "api-key"),
        ("#token_input", "token"),
        ("Your credential here", "credential"),
    ],
)
def test_the_mark_tells_the_kind_of_the_field(name, kind):
    sealer = Sealer(choices=Choices(style="kind"), learn=False)
    assert sealer.value({"element": name, "text": P})["text"] == f"[redacted:{kind}]"
