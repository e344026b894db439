r"""Secrets that are known by the name they are given to: ``password=…``, ``"api_key": "…"``.

Owns one ``Rule`` a key word, all from one template, and the rule of command-line flags. Whether
a value is a secret is judged in ``judge``. Keys match as suffixes, as in the replay documents
(facts/replay.md section 5); one that a letter follows (``tokens``, ``tokenizer``) is no key.
"""

import re

from cursor_replay.scrub.judge import LONGEST, spares_argument, spares_bare, spares_string
from cursor_replay.scrub.rule import MASK, Rule

SEPARATOR = (
    # The closing quote or bracket of the key; then a type annotation that a value follows.
    r"(?:\\{0,7}[\"'`])?\]?[?!]?"
    r"(?:[ \t]{0,4}:[ \t]{0,4}[a-z_][\w.\[\]| ]{0,40}(?:(?<= )(?==[^=>])|(?==[\"'\\])))?"
    r"[ \t]{0,8}(?P<sep>:=|=>|={1,3}|:|>)[ \t]{0,8}"
)
"""From the end of a key to its value; ``sep`` is the operator."""


_TO_VALUE = r"[\\\"'`\]?!]{0,12}[ \t]{0,8}[:=>]"
"""What stands between a key word and its operator, for the trigger."""


def _string(depth: int) -> str:
    """Match a string whose quotes have ``depth`` backslashes, as in JSON inside JSON.

    It ends at such a quote, at a quote of an enclosing string, or with its line. Inside, a
    backslash has ``2 * depth + 2`` of them and a quote one less.
    """
    quote, name = r"\\" * depth, f"q{depth}"
    inner = rf"\\{{{2 * depth + 2}}}|\\{{{2 * depth + 1}}}(?P={name})"
    # A string cut inside an escape, whose last backslash would take the outer quote with it.
    cut = rf"|\\\\(?=(?P={name}))" if depth == 1 else ""
    rest = rf"(?!{quote}(?P={name}))(?!(?P={name}))[^\n]"
    return rf"(?:{quote}(?P<{name}>[\"'`])((?:{inner}{cut}|{rest})*+))"


_TRIPLE = r"(?P<triple>\"\"\"|''')((?:(?!(?P=triple))[^\n])*+)"
_QUOTED = rf"[fbru]{{0,2}}(?:{'|'.join([_TRIPLE, *map(_string, (0, 1, 2, 3, 7))])})"
# Inside an unquoted value brackets and & count only when the value visibly goes on.
_BARE = (
    r"(?P<bare>(?:[^\s\"'`,;&\\<>|()\[\]{}]|[()\[\]{}](?=\w)"
    r"|&(?![\w.\[\]-]{1,40}=|amp;|&|\s|\Z))++)"
)


def _spares(text: str, found: re.Match[str]) -> bool:
    if found["bare"] is not None:
        return spares_bare(text, found)
    return spares_string(text, found)


def _named(name: str, key: str, keyword: str, *, hits: str, misses: str) -> Rule:
    """Build the rule of one key word.

    ``hits`` and ``misses`` are one example a line; in ``hits`` the value is written ``«so»``.
    """
    return Rule(
        id=name,
        pattern=re.compile(rf"(?P<key>{key}){SEPARATOR}(?:{_QUOTED}|{_BARE})"),
        keywords=(keyword,),
        trigger=rf"(?i:{keyword}[a-z_-]{{0,8}}){_TO_VALUE}",
        folded=True,
        hits=_pairs(hits),
        misses=_lines(misses),
        spares=_spares,
    )


def _lines(examples: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in examples.strip().splitlines())


def _pairs(examples: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (line.replace("«", "").replace("»", ""), re.sub("«.*?»", MASK, line))
        for line in _lines(examples)
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
    """,
)

_PASSWORD = _named(
    "password",
    "pass(?:w(?:or)?d|phrase|(?<=[_-]pass))",
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
    """,
)

_PWD = _named(
    "pwd",
    "pwd",
    "pwd",
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
    """,
)

_SESSION = _named(
    "session",
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
        session=db
    """,
)

_AUTHORIZATION = _named(
    "authorization-value",
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
        Cookie: policy
        Cookie: policy is strict
    """,
)

_FLAG_KEYS = (
    "token|password|passwd|passphrase|pwd|secret|(?:api|access|secret|private|account)-?key"
    "|credentials?|cookie"
)


def _spares_flag(text: str, found: re.Match[str]) -> bool:
    if found["bare"] is None:
        return spares_string(text, found)
    value = text[slice(*found.span("bare"))]
    metavar = value.replace("_", "").isalpha() and value.isupper()
    gap = text[found.end("key") : found.start("bare")]
    listed = gap[0] not in " \t,"
    if gap[0] == ",":  # a list in a label: [deploy, --token, x]
        end = found.end("bare")
        listed = text[end : end + 1] not in ("]" if value.isalpha() else ",]\n")
        listed = listed or value == found["key"]
    return metavar or listed or spares_argument(value[:LONGEST])


_FLAG = Rule(
    id="flag",
    pattern=re.compile(
        rf"--(?!-)(?<!---)[a-z0-9-]{{0,40}}?(?P<key>{_FLAG_KEYS})"
        rf"(?:[ \t]{{1,8}}|,[ \t]{{1,8}}|\\{{0,7}}[\"'],[ \t\n]{{0,8}})(?:{_QUOTED}|(?!-){_BARE})"
    ),
    keywords=("token", "pass", "pwd", "secret", "key", "credential", "cookie"),
    trigger="--[A-Za-z0-9-]*(?i:token|pass|pwd|secret|key|credential|cookie)",
    folded=True,
    hits=_pairs(
        r"""
        x --token «abc» -y
        x --password «hunter2»
        x --api-key '«a b»' y
        x --db-password «abc»
        ["--token", "«abc»"]
        [\"--client-secret\", \"«abc»\"]
        Foo argv=[deploy, --token, «a1b2»]
        Foo argv=[deploy, --token, «abc»]
        Foo argv=[deploy, --token, «a1b2», -v]
        """
    ),
    misses=_lines(
        """
        x --token $TOKEN
        use --token to pass
        x --token <TOKEN>
        x [--token TOKEN]
        x --password-stdin y
        x --token --y
        x --max-tokens 5
        x --key value
        -----token x
        ["--password", password]
        the --user and --password options
        take --token, password or nothing
        with --token, x1 is read
        [--user, --password, --token]
        [--token, token]
        """
    ),
    spares=_spares_flag,
)

_NAMES = (
    "token|password|passwd|passphrase|pwd|secret|(?:api|access|secret|private|account)[_-]?key"
    "|credentials?|cookie|authorization"
)
_ESCAPED_QUOTE = r"\\{0,7}[\"']"
_VALUE = "(?:" + "|".join(map(_string, (0, 1, 3))) + ")"
_GAP = r"(?:[ \t\n]|\\{1,7}[nrt])"


def _spares_member(text: str, found: re.Match[str]) -> bool:
    if found["bare"] is None:
        return spares_string(text, found)
    return spares_argument(text[slice(*found.span("bare"))][:LONGEST])


_MEMBER = Rule(
    id="named-value",
    pattern=re.compile(
        rf"(?P<key>{_NAMES})(?:"
        rf"(?:{_ESCAPED_QUOTE}(?:,|{_GAP}){{1,40}}"
        rf"|(?:{_ESCAPED_QUOTE})?[ \t]{{0,8}}[:=][ \t]{{0,8}}\{{{_GAP}{{0,40}})"
        rf"(?:{_ESCAPED_QUOTE})?value(?:{_ESCAPED_QUOTE})?[ \t]{{0,4}}[:=][ \t]{{0,4}}{_VALUE}"
        rf"|(?:{_ESCAPED_QUOTE})?[ \t]{{0,4}}\n[ \t]{{1,40}}value:[ \t]{{1,4}}{_BARE})"
    ),
    keywords=("value",),
    trigger=(
        r"(?i:token|password|passwd|passphrase|pwd|secret|key|credentials?|cookie|authorization)"
        r"[\\\"']*(?:[,:={ \t\n]|\\+[nrtNRT])+[\\\"']*(?i:value)"
    ),
    folded=True,
    hits=(
        *_pairs(
            r"""
        {"name": "GITHUB_TOKEN", "value": "«abc def»"}
        {"key":"DB_PASSWORD","value":"«x»"}
        {\"name\":\"api-key\",\"value\":\"«x\\\"y»\"}
        {\n \"name\": \"api_key\",\n  \"value\": \"«x»\"\n}
        {"password": {"value": "«abc»"}}
        Foo password={ "value": "«abc»" }
        {\"password\":{\n  \"value\": \"«abc»\"\n}}
        <input name="password" value="«abc»">
        <add key="ApiSecret" value='«abc»'/>
        """
        ),
        ("- name: DB_PASSWORD\n  value: abc", f"- name: DB_PASSWORD\n  value: {MASK}"),
        ('"name": "TOKEN",\n  "value": "abc"', f'"name": "TOKEN",\n  "value": "{MASK}"'),
    ),
    misses=_lines(
        """
        {"name": "TOKEN", "value": "${TOKEN}"}
        {"name": "TOKEN", "value": ""}
        {"name": "tokens", "value": "abc"}
        the token value: x1
        <option name="password" value="">
        {"token", "value": x}
        """
    ),
    spares=_spares_member,
)

_DEFINE = Rule(
    id="define",
    pattern=re.compile(
        rf"define\([ \t]{{0,4}}{_ESCAPED_QUOTE}\w{{0,40}}?(?P<key>{_NAMES}){_ESCAPED_QUOTE}"
        rf",[ \t]{{0,8}}{_VALUE}"
    ),
    keywords=("define(",),
    trigger=r"(?i:define)\([ \t]*[\\\"']",
    folded=True,
    hits=_pairs("define('DB_PASSWORD', '«abc»');"),
    misses=_lines(
        """
        define('DB_PASSWORD', getenv('X'));
        define('DB_NAME', 'abc');
        define("tokens", "abc")
        """
    ),
    spares=spares_string,
)


def _spares_netrc(text: str, found: re.Match[str]) -> bool:
    return spares_argument(text[slice(*found.span(1))][:LONGEST])


_NETRC = Rule(
    id="netrc",
    pattern=re.compile(
        r"machine[ \t]{1,8}[^\s\"']{1,256}[ \t\n]{1,8}login[ \t]{1,8}[^\s\"']{1,256}"
        r"[ \t\n]{1,8}password[ \t]{1,8}([^\s\"'\\]++)"
    ),
    keywords=("machine",),
    trigger=r"machine[ \t]+[^ \t\n]+[ \t\n]+login",
    hits=(
        *_pairs("machine git.example login joe password «a1b2» x"),
        ("machine h\n  login j\n  password ab\nb", f"machine h\n  login j\n  password {MASK}\nb"),
    ),
    misses=(
        "the machine login needs a password here",
        "login joe password",
        "machine {host} login token password {auth_token}",
    ),
    spares=_spares_netrc,
)

ASSIGNMENTS: tuple[Rule, ...] = (
    _TOKEN,
    _PASSWORD,
    _PWD,
    _SECRET,
    _KEY,
    _CREDENTIAL,
    _SESSION,
    _AUTHORIZATION,
    _COOKIE,
    _FLAG,
    _MEMBER,
    _DEFINE,
    _NETRC,
)
