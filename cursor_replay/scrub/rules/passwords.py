"""Passwords, tokens and secrets that are given to a name.

Owns one ``Rule`` a word; the form of an assignment is in ``assign``.
"""

import re

from cursor_replay.scrub.rules.assign import SEPARATOR, named, spares_assigned
from cursor_replay.scrub.rules.rule import Rule, compiled
from cursor_replay.scrub.rules.values import BARE, QUOTED, lines_of, pairs_of

_FOLDER = re.compile(r"[/~]|[A-Za-z]:[/\\]")

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
        "csrf-token": "1.0.2",
        "unk_token": "[UNK]"
        GRANT_TYPE_REFRESH_TOKEN="refresh_token"
        Token::Ident => x1
        token=e||t
        _token = r'(?:[a-z]+|x)'
        - `token`: JWT
        sed -n 's/^token=//p' f
    """,
)

_PASSWORD = named(
    "password",
    "pass(?:w(?:or)?[dt]|phrase|code|(?<=[_-]pass)|(?<=sshpass))",
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
        Passwort: «hunter2»
        passphrase = «swordfish»
        password=«a&b»&x=1
        PGPASSWORD="«a b»" psql
        password: "«cut off»
        PASSWORD=«123456»
        {"a": "password: «swordfish»"}
        `password`: `«swordfish1»`
        the field `password=«swordfish1»` here
        <db.password>«swordfish»</db.password>
        "password": "«.q7Zk2mLx»"
        'password': '«)q7Zk2m»'
        {\"password\": \"«;q7Zk2m»\"}
        DB_PASSWORD=«Abc[12]xyz9»
        password: «Xk9,vB2mQ»
        password: «Xk9;vB2mQ»
        DB_PASSWORD=«Xk9|vB2mQ»
        {"o": "password=«a7Bq\u00fc9c1D»"}
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
        {"o": "pw = input(\"Password: \")\nx = 1\ndef f():\n return \"a\""}
        {"o": "grep -rn \"password=\" src\nlabel = \"x\""}
        {"o": "if \"password=\" in line:\n  x = \"y\""}
        {"o": "echo 'password='\nlabel = 'x'"}
        {"o": "label = \"Password:\"\nx = \"y\""}
        {"o": "api\", {\"password\": \"<password>\", \"x\": \"y\"}"}
        read -p "Password: " PW
        rpassword = "7.3.1"
        DB_PASSWORD=${DB_PASSWORD:?is missing}
        DB_PASSWORD=`cat x`
        password: &str
        "password": "/run/secrets/db_password"
        "password": "arn:aws:secretsmanager:eu-west-1:1:x"
        FORGOT_PASSWORD = '/forgot-password'
        "passwd:dir", "passwd:gecos"
        sed "s/password: .*/x/"
        "password": "(sensitive value)"
        "password": "changeme"
        password: vault:secret/data/db#pw
        RESET_PASSWORD: 'reset-password'
        "password": "current-password"
        Auth::Password::Strong
        password=null===e?void 0:e
        e.password=t,e.token=n
    """,
)


def _spares_pwd(text: str, found: re.Match[str]) -> bool:
    """The shell keeps its folder under this name."""
    value = text[slice(*found.span(found.lastindex or 0))]
    return _FOLDER.match(value) is not None or spares_assigned(text, found)


_PWD = named(
    "pwd",
    "pwd",
    "pwd",
    kind="password",
    spares=_spares_pwd,
    hits="""
        pwd=«hunter2»;
        "dbPwd": "«x»"
    """,
    misses="""
        PWD=/home
        PWD=/build/app
        "PWD": "/build/app"
        OLDPWD=./x
        pwd: ~/x
        $(pwd): done
    """,
)

_WORDS = (
    "kennwort|contrase(?:ñ|n)a|mot de passe|senha|wachtwoord|пароль|密码|密碼|パスワード|비밀번호"
)
_FOREIGN = Rule(
    id="password-word",
    kind="password",
    pattern=compiled(rf"(?P<key>{_WORDS}){SEPARATOR}(?:{QUOTED}|{BARE})"),
    keywords=(
        "kennwort",
        "contrase",
        "mot de passe",
        "senha",
        "wachtwoord",
        "пароль",
        "密",
        "パスワード",
    ),
    trigger=(
        "(?:(?i:kennwort|mot de passe|senha|wachtwoord)|(?i:contrase)|[Пп](?:ароль|АРОЛЬ)"
        "|密码|密碼|パスワード|비밀번호)"
        r"[^\n]{0,8}[:=\uff1a]"
    ),
    folded=True,
    hits=pairs_of(
        """
        Kennwort: «hunter2»
        contraseña=«hunter2»
        密码\uff1a«hunter2x»
        "wachtwoord": "«hunter2»"
        """
    ),
    misses=lines_of(
        """
        Kennwort: muss gesetzt sein
        "senha": "Senha"
        """
    ),
    spares=spares_assigned,
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

PASSWORDS: tuple[Rule, ...] = (_TOKEN, _PASSWORD, _FOREIGN, _PWD, _SECRET)
