"""Keys, credentials, sessions and cookies that are given to a name.

Owns one ``Rule`` a word; the form of an assignment is in ``assign``.
"""

import re

from cursor_replay.scrub.rules.assign import key_behind, named, spares_assigned
from cursor_replay.scrub.rules.judge import LONGEST, is_mixed
from cursor_replay.scrub.rules.names import BEFORE_KEY, LIKELY_KEYS, OTHER_KEYS
from cursor_replay.scrub.rules.rule import Rule, compiled
from cursor_replay.scrub.rules.values import BARE, QUOTED, lines_of, pairs_of
from cursor_replay.scrub.rules.words import is_wordy


def _spares_key(text: str, found: re.Match[str]) -> bool:
    """One letter is the shortcut of a button."""
    start, end = found.span(found.lastindex or 0)
    shortcut = end - start == 1 and text[: found.end("key")].lower().endswith("accesskey")
    return shortcut or spares_assigned(text, found)


_KEY = named(
    "api-key",
    key_behind(BEFORE_KEY),
    "key",
    before=f"(?:{'|'.join(BEFORE_KEY)})[ _-]?",
    spares=_spares_key,
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
        <button accesskey="n">
        API_KEY=sk-...
        API_KEY=sk-your-key-here
        ANTHROPIC_API_KEY="sk-ant-xxx"
        signing_key: "RS256"
        {apiKey:o.apiKey??r.apiKey}
        AWS_SECRET_KEY = "AWS_SECRET_KEY"
        {apiKey: "GEMINI_API_KEY"}
        private_key: "_RSAPrivateKey", data: bytes
    """,
)

_KEY_ID = named(
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

_CREDENTIAL = named(
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

_SESSION = named(
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

_AUTHORIZATION = named(
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

_COOKIE = named(
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


def _spares_likely(text: str, found: re.Match[str]) -> bool:
    start, end = found.span(found.lastindex or 0)
    if end - start > LONGEST:
        return False
    value = text[start:end].removeprefix("base64:")
    random = found["key"] == "PW" or (is_mixed(value) and not is_wordy(value))
    return not random or spares_assigned(text, found)


_VARIABLE = Rule(
    id="variable",
    kind="api-key",
    pattern=compiled(
        rf"(?:_(?<=[A-Z0-9]_){''.join(f'(?<!{word}_)' for word in map(str.upper, OTHER_KEYS))}"
        r"|(?<![\w.$-])(?=P(?:ASS|W)=))"
        r"(?P<key>KEY(?:_BASE)?|PAT|PASS|PW|AUTH)(?P<ending>_?\d{1,2})?"
        r"(?:\\{0,7}[\"'])?[ \t]{0,2}(?P<sep>[:=])[ \t]{0,2}"
        rf"(?:{QUOTED}|{BARE})"
    ),
    keywords=("_KEY", "_PAT", "_PW", "_AUTH", "PASS=", "PW="),
    trigger=r"P(?:ASS|W)=|_(?:KEY(?:_BASE)?|PAT|PW|AUTH)(?:_?[0-9]{1,2})?[\\\"']*[ \t]{0,2}[:=]",
    hits=pairs_of(
        """
        OPENAI_KEY=«zk7Qm2Lx9»
        export STRIPE_KEY="«zk7Qm2Lx9»"
        SECRET_KEY_BASE=«zk7Qm2Lx9»
        "GH_PAT": "«zk7Qm2Lx9»"
        OPENAI_KEY_2=«zk7Qm2Lx9»
        DB_PW=«a1b2»
        PASS=«zk7Qm2Lx9»
        APP_KEY=«base64:zk7Qm2Lx9»
        REDISCLI_AUTH=«zk7Qm2Lx9»
        """
    ),
    misses=lines_of(
        """
        PUBLIC_KEY=zk7Qm2Lx9
        SORT_KEY=created_at1
        SSH_KEY=~/.ssh/id_ed25519
        OPENAI_KEY=$KEY
        OPENAI_KEY=os.environ["KEY1"]
        STORAGE_KEY = 'todo-items-v2'
        PASS=12 FAIL=3
        PASS=$1
        DEFAULT_KEY = "default12"
        """
    ),
    spares=_spares_likely,
)


_LIKELY_KEY = named(
    "likely-key",
    key_behind(LIKELY_KEYS),
    "key",
    kind="api-key",
    before=f"(?:{'|'.join(LIKELY_KEYS)})[ _-]?".replace("service_role", "service[_-]?role"),
    spares=_spares_likely,
    hits="""
        app_key=«zk7Qm2Lx9»
        "appKey": "«zk7Qm2Lx9»"
        x-functions-key: «zk7Qm2Lx9»
        consumerKey = '«zk7Qm2Lx9»'
        SUPABASE_SERVICE_ROLE_KEY: «zk7Qm2Lx9»
        InstrumentationKey=«zk7Qm2Lx9»;
    """,
    misses="""
        app_key=abc
        "appKey": "com.example.app"
        clientKey: string
        serverKey = keys.server1
        happy_key=zk7Qm2Lx9
    """,
)

KEYS: tuple[Rule, ...] = (
    _KEY,
    _KEY_ID,
    _LIKELY_KEY,
    _VARIABLE,
    _CREDENTIAL,
    _SESSION,
    _AUTHORIZATION,
    _COOKIE,
)
