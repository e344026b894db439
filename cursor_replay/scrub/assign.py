r"""Secrets that are known by the name they are given to: ``password=…``, ``"api_key": "…"``.

Owns one ``Rule`` a key word, all from one template. Whether a value is a secret is judged in
``judge``. Keys match as suffixes, as in the replay documents (replay facts 5); one that a letter
follows (``tokens``, ``tokenizer``) is no key.
"""

import re

from cursor_replay.scrub.judge import spares_bare, spares_string
from cursor_replay.scrub.rule import Rule
from cursor_replay.scrub.values import BARE, QUOTED, lines_of, pairs_of

SEPARATOR = (
    # The closing quote or bracket of the key; then a type annotation that a value follows.
    r"(?:\\{0,7}[\"'`])?\]?[?!]?"
    r"(?:[ \t]{0,4}:[ \t]{0,4}&?(?:'static )?[a-z_][\w.\[\]| ]{0,40}"
    r"(?:(?<= )(?==[^=>])|(?==[\"'\\]))|[ \t]string(?=[ \t]=))?"
    r"[ \t]{0,8}(?P<sep>:=|=>|={1,3}|:|>)[ \t]{0,8}"
)
"""From the end of a key to its value; ``sep`` is the operator."""


_TO_VALUE = r"[\\\"'`\]?!]{0,12}[ \t]{0,8}[:=>]"
"""What stands between a key word and its operator, for the trigger."""


_SUFFIX = (
    r"(?:[_-]?(?P<number>\d{1,2})|_?(?:pem|string|base64|b64)"
    r"|_(?:prod|production|dev|staging|stage|live|main))?"
)
"""What may end a name: ``TOKEN_1``, ``privateKeyPem``, ``GITHUB_TOKEN_PROD``."""


def _spares(text: str, found: re.Match[str]) -> bool:
    if found["bare"] is not None:
        return _is_numbered(found) or spares_bare(text, found)
    return spares_string(text, found)


def _is_numbered(found: re.Match[str]) -> bool:
    """Tell variables that are numbered like their name: ``token1 = part1``."""
    number, value = found["number"], found["bare"]
    return bool(number) and value.endswith(number) and value[: -len(number)].isidentifier()


def _named(
    name: str, key: str, keyword: str, *, kind: str = "", before: str = "", hits: str, misses: str
) -> Rule:
    """Build the rule of one key word, which ``before`` has to precede.

    ``hits`` and ``misses`` are one example a line; in ``hits`` the value is written ``«so»``.
    """
    return Rule(
        id=name,
        kind=kind,
        pattern=re.compile(rf"(?P<key>{key}){_SUFFIX}{SEPARATOR}(?:{QUOTED}|{BARE})"),
        keywords=(keyword,),
        trigger=rf"(?i:{before}{keyword}[a-z0-9_-]{{0,12}}(?: string)?){_TO_VALUE}",
        folded=True,
        hits=pairs_of(hits),
        misses=lines_of(misses),
        spares=_spares,
    )


_TOKEN = _named(
    "token",
    "token"
    + "".join(f"(?<!{word}{dash}token)" for word in ("page", "next") for dash in ("", "[_-]")),
    "token",
    hits=r"""
        token=«abc»,def
        ?access_token=«abc»&x=1
        token = '«abc def»'
        {"token":"«x»"}
        {\"auth_token\": \"«x\\\"y»\"}
        const apiToken: string = "«abc»";
        headers["X-Auth-Token"] = "«abc»"
        _authToken=«a1b2»
        token=«abc=»; x
        TOKEN = «a1b2c3»
        <token>«abc»</token>
        GITHUB_TOKEN_PROD=«a1b2»
        TOKEN_1=«a1b2»
    """,
    misses=r"""
        tokens: 5
        token budget: 5
        max_token: 4096
        tokenizer: foo
        page_token=abc1
        next_page_token: abc1
        "nextPageToken": "abc1"
        {"token":null}
        {"token":true}
        {"token":123}
        {"token":""}
        token: str
        def f(token: str, x: Token = None):
        token = get_token()
        const token = process.env.TOKEN
        call(token=token, x=tok)
        token: the one that
        TOKEN=$TOKEN
        token: ${{ secrets.X }}
        token = <your-token>
        token: ****
        token: ...
        token=[REDACTED]
        "token": "Your access token"
        "token": "Bearer ${token}"
        if token == other:
        elif token == 0x08:
        if token == "@":
        elif token == "with":
        Token: "#ddd0c0",
        print("token=" + repr(raw))
        id-token: write
        token => validate(token)
        token = tokens[0]
        <label for="token">Token</label>
        self.runs[s.token]=s; x
        TOKEN = process.env.REPLAY_TOKEN!;
        {accessToken:`x.${payload}.y`}
        {token:!0}
        validateToken=token=>{a}
        token=/^[A-Z]/
        const token = this.#scalar
        {token: "comment"}
        Unexpected token: punc
        token1 = part1
    """,
)

_PASSWORD = _named(
    "password",
    "pass(?:w(?:or)?d|phrase|(?<=[_-]pass)|(?<=sshpass))",
    "pass",
    hits=r"""
        password=«hunter2»
        password: «hunter2»
        it's the password: '«a, b»'
        db_password=«swordfish»
        Server=db;Password=«abc»;User=x
        "password": "«a\"b\\»", "x": 1
        'password' => '«abc»',
        password: «correct-horse» # note
        {"cmd": "export PASSWORD='«abc»", "exit": 0}
        {"cmd": "export PASSWORD=`«abc»"}
        {"a": "{\"b\": \"password=\\\"«x»\", \"c\": 1}"}
        password2=«hunter3»
        SSHPASS=«a1b2»
        var password string = "«abc»"
        DB_PASS=«abc»
        passphrase = «swordfish»
        password=«a&b»&x=1
        PGPASSWORD="«a b»" psql
        password: "«cut off»
        PASSWORD=«123456»
        {"a": "password: «swordfish»"}
        `password`: `«swordfish1»`
        the field `password=«swordfish1»` here
        <db.password>«swordfish»</db.password>
    """,
    misses=r"""
        password: string
        password=None
        password: must be given
        getpass('Password: ')
        Set the `password=` option.
        Set the 'password=' option.
        passwd:x:1000
        passwd:x:1000:1000::/srv/x:/bin/sh
        def ask(prompt='Password: ', stream=None):
        "password": "Password"
        password: ${DB_PASSWORD}
        password: {{ vault.x }}
        "password": {"type": "string"}
        {"password": 123456}
        login(password=password)
        password = os.environ["X"]
        pass: 5
        Password: wrong
    """,
)

_PWD = _named(
    "pwd",
    "pwd",
    "pwd",
    kind="password",
    hits="""
        pwd=«hunter2»;
        "dbPwd": "«x»"
    """,
    misses="""
        PWD=/home
        OLDPWD=./x
        pwd: ~/x
        $(pwd): done
    """,
)

_SECRET = _named(
    "secret",
    "secret",
    "secret",
    hits="""
        secret: «x»
        client_secret=«abc»&grant=1
        "clientSecret": "«abc»"
        secret = "«abc»"
    """,
    misses="""
        secret: Optional[str]
        secrets: inherit
        secret_name: x
        secret = self.secret
        secret: SecretStr
    """,
)

_BEFORE_KEY = (
    *("api", "access", "account", "private", "secret"),
    *("encryption", "signing", "auth", "master", "subscription"),
)

_KEY = _named(
    "api-key",
    "key(?:" + "|".join(f"(?<={w}{dash}key)" for w in _BEFORE_KEY for dash in ("", "[ _-]")) + ")",
    "key",
    before=f"(?:{'|'.join(_BEFORE_KEY)})[ _-]?",
    hits=r"""
        api_key=«abc»&x=1
        "api_key": "«abc»"
        {\"api_key\": \"«abc»\"}
        {\\\"api_key\\\": \\\"«abc»\\\"}
        CURSOR_API_KEY=«a1»
        apiKey: '«abc»',
        apikey=«abc»
        x-api-key: «abc»
        AccountKey=«a1+/b2==»;EndpointSuffix=x
        aws_secret_access_key = «a1/b2+c3»
        {"SecretAccessKey": "«a1/b2»"}
        private_key: «abc»
        os.environ["API_KEY"] = "«abc»"
        api_key: str = "«abc»"
        const API_KEY: &str = "«abc»";
        "privateKeyPem": "«abc»"
        API key: «a1b2»
    """,
    misses="""
        key: value
        key_points: 3
        "keyboard": "x"
        npm_config_key=x
        key-value-store-0123456789
        api_key=os.environ["X"]
        api_key=settings.api_key,
        api_key=openai_api_key
        private_key: /etc/ssl/key.pem
        api_key: see the docs
        api_key="YOUR_API_KEY"
        primary_key=True
        let hasApiKey = !isBearerToken;
        {apiKey:o.apiKey??r.apiKey}
        AWS_SECRET_KEY = "AWS_SECRET_KEY"
        {apiKey: "GEMINI_API_KEY"}
        private_key: "_RSAPrivateKey", data: bytes
    """,
)

_CREDENTIAL = _named(
    "credential",
    "credentials?",
    "credential",
    hits="""
        credential=«abc1»
        "credentials": "«abc1»"
    """,
    misses="""
        credentials: "include"
        credentials: 'same-origin'
        credentials = load()
        credentials: Credentials | None
        Credentials=class extends Foo{}
    """,
)

_SESSION = _named(
    "session-id",
    "session(?:[ _-]?id|(?==[^\\s,;)]{0,64}\\d))",
    "session",
    hits="""
        session_id=«abc»
        "sessionId": "«abc»"
        sessionid=«abc»; x
        session=«a1b2c3»
    """,
    misses="""
        session: abc
        session=Session()
        session_id: str
        session_id = uuid()
        sessionId=options?.id??f()
        x == "x-session-id" : "x-session-affinity"
        session=db
    """,
)

_AUTHORIZATION = _named(
    "authorization",
    "authorization",
    "authorization",
    hits="""
        Authorization: «abc»
        {"authorization": "«abc»"}
        Authorization=«a1»
    """,
    misses="""
        authorization: Bearer <token>
        authorization: str
        Authorization: Bearer.
        "authorization": "Bearer ${token}"
        Authorization: Bearer [redacted]
        {"authorization": "Bearer [redacted]"}
    """,
)

_COOKIE = _named(
    "cookie",
    "cookies?",
    "cookie",
    hits=r"""
        {"cookie": "«x»"}
        {\"set-cookie\": \"«a=b; c»\"}
        cookie=«a1»
        document.cookie = "«a=b»"
    """,
    misses="""
        cookie: parse(x)
        cookies = {}
        cookie: str
        cookie_jar=x
        Cookie: choices
        Cookie: choices is strict
    """,
)

_KEY_ID = _named(
    "private-key-id",
    "private_key_id",
    "private_key_id",
    hits=r"""
        "private_key_id": "«a1b2»"
        {\"private_key_id\": \"«a1b2»\"}
    """,
    misses="""
        private_key_id: str
        "private_key_id": "${KEY_ID}"
    """,
)

ASSIGNMENTS: tuple[Rule, ...] = (
    _TOKEN,
    _PASSWORD,
    _PWD,
    _SECRET,
    _KEY,
    _KEY_ID,
    _CREDENTIAL,
    _SESSION,
    _AUTHORIZATION,
    _COOKIE,
)
