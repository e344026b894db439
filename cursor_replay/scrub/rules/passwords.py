"""Passwords, tokens and secrets that are given to a name.

Owns one ``Rule`` a word; the form of an assignment is in ``assign``.
"""

from cursor_replay.scrub.rules.assign import named
from cursor_replay.scrub.rules.rule import Rule

_TOKEN = named(
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

_PASSWORD = named(
    "password",
    "pass(?:w(?:or)?d|phrase|code|(?<=[_-]pass)|(?<=sshpass))",
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
        passcode: «a1b2»
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

_PWD = named(
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

_SECRET = named(
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

PASSWORDS: tuple[Rule, ...] = (_TOKEN, _PASSWORD, _PWD, _SECRET)
