"""Secrets in calls of code: ``setenv("TOKEN", "…")``, ``auth=("joe", "…")``, ``set_cookie(…)``.

Owns one ``Rule`` a form. The shape of the value is in ``values``, the judgement in ``judge``.
"""

import re

from cursor_replay.scrub.rules.judge import LONGEST, is_mixed, is_placeholder, spares_string
from cursor_replay.scrub.rules.names import QUICK, SUFFIX, written
from cursor_replay.scrub.rules.rule import Rule, compiled
from cursor_replay.scrub.rules.values import lines_of, pairs_of, string_of

_NAMES = written(many=True)
_QUOTE = r"\\{0,7}[\"'`]"
_VALUE = "(?:" + "|".join(map(string_of, (0, 1, 3, 7))) + ")"
_SPACE = r"(?:[ \t\n]|\\{1,7}[nrt]){0,20}"
_NEXT = rf"{_QUOTE}{_SPACE},{_SPACE}"
_WORDS = ("pass", "password", "passwd", "secret", "token", "user", "username", "value")
"""What stands for a secret in the examples of documents."""


def _value(text: str, found: re.Match[str]) -> str:
    return text[slice(*found.span(found.lastindex or 0))]


def _spares_named(text: str, found: re.Match[str]) -> bool:
    defined = found[0].startswith("define")
    return spares_string(text, found) or not (defined or is_mixed(_value(text, found)))


_NAMED = Rule(
    id="named-argument",
    kind="secret",
    pattern=compiled(
        rf"(?:\bdefine)?\({_SPACE}{_QUOTE}[\w.-]{{0,40}}?(?P<key>{_NAMES})(?:{SUFFIX})?"
        rf"{_NEXT}{_VALUE}"
    ),
    keywords=("(",),
    trigger=rf"\([ \t\n]*[\\\"'`]+[A-Za-z0-9_.-]*{QUICK}[A-Za-z0-9_]*[\\\"'`]+[ \t\n]*,",
    folded=True,
    hits=pairs_of(
        r"""
        define('DB_PASSWORD', '«abc»');
        os.environ.setdefault("API_TOKEN", "«zk7Qm2Lx9»")
        setenv("DB_PASSWORD_PROD", '«zk7Qm2Lx9»', 1)
        localStorage.setItem("token", "«zk7Qm2Lx9»")
        {"code": "req.header(\"X-Api-Key\", \"«zk7Qm2Lx9»\")"}
        [Environment]::SetEnvironmentVariable("API_KEY", "«zk7Qm2Lx9»", "User")
        """
    ),
    misses=lines_of(
        """
        define('DB_PASSWORD', getenv('X'));
        define('DB_NAME', 'abc');
        define("tokens", "abc")
        get("token", "default")
        add_argument("--token", "-t", help="x")
        field("password", "text/plain1")
        """
    ),
    spares=_spares_named,
)


def _spares_login(text: str, found: re.Match[str]) -> bool:
    return _value(text, found).lower() in _WORDS or spares_string(text, found)


_PAIRS = (
    "networkcredential|usernamepasswordcredentials|passwordauthentication|basicawscredentials"
    "|usernamepasswordauthenticationtoken|awsbasiccredentials\\.create|withbasicauth|basicauth"
    "|newstaticcredentials(?:provider)?"
)
_TRIPLES = (
    "mysqli_connect|new pdo|new mysqli|drivermanager\\.getconnection|dbi->connect|new sequelize"
)
_LOGIN = Rule(
    id="login-argument",
    kind="password",
    pattern=compiled(
        r"(?P<key>auth[ \t]{0,2}=[ \t]{0,2}\("
        rf"|(?:basic_?auth|digest_?auth|(?<!this)(?<!app)\.login|\.auth|{_PAIRS})\("
        rf"|(?:{_TRIPLES}|\bftp|create_(?:super)?user)\({_SPACE}"
        rf"(?:{_QUOTE}[^\"'`\n\\]{{0,200}}{_NEXT}|\w{{1,40}},[ \t]))"
        rf"{_SPACE}{_QUOTE}[^\"'`\n\\]{{0,128}}{_NEXT}{_VALUE}"
    ),
    keywords=(
        "auth",
        "login",
        "mysqli",
        "new pdo",
        "credential",
        "connect",
        "sequel",
        "ftp",
        "user",
    ),
    trigger=(
        r"(?i:auth[ \t]{0,2}=[ \t]{0,2}\(|auth\(|\.login\(|mysqli(?:_connect)?\(|new pdo\("
        r"|(?:credentials?(?:provider)?|token|authentication|credentials\.create)\(\\*[\"'`]"
        r"|getconnection\(|dbi->connect\(|new sequelize\(|\bftp\(|create_(?:super)?user\()"
    ),
    folded=True,
    hits=pairs_of(
        r"""
        requests.get(url, auth=("joe", "«swordfish»"))
        HTTPBasicAuth('joe', '«swordfish»')
        server.login("joe", "«swordfish»")
        req.SetBasicAuth("joe", "«swordfish»")
        mysqli_connect("localhost", "joe", "«swordfish»", "shop")
        new PDO('mysql:host=x', 'joe', '«swordfish»')
        {"code": "x(auth=(\"joe\", \"«swordfish»\"))"}
        new NetworkCredential("joe", "«correct-horse»")
        new BasicAWSCredentials("id", "«hunter2!»")
        DriverManager.getConnection(url, "joe", "«hunter2!»");
        DBI->connect("dbi:mysql:x", "joe", "«hunter2!»");
        ftp = FTP("h", "joe", "«hunter2!»")
        User.objects.create_user("joe", "x", "«hunter2!»")
        """
    ),
    misses=lines_of(
        """
        auth=("user", "pass")
        auth=(user, password)
        server.login("joe", os.environ["X"])
        client.auth("joe")
        app.login("admin", "dashboard")
        this.login('click', 'submit-button')
        """
    ),
    spares=_spares_login,
)


_LOCALE = re.compile(r"[a-z]{2}[-_][A-Za-z]{2}\d{0,4}")


def _spares_cookie(text: str, found: re.Match[str]) -> bool:
    value = _value(text, found)[:LONGEST]
    lettered = any(map(str.isdecimal, value)) and any(map(str.isalpha, value))
    locale = _LOCALE.fullmatch(value) is not None
    return len(value) < 8 or not lettered or locale or " " in value or is_placeholder(value)


_COOKIE = Rule(
    id="cookie-argument",
    kind="cookie",
    pattern=compiled(
        rf"cookies?(?:(?:\(\))?(?:\.set|\.add)?\({_SPACE}{_QUOTE}[^\s\"'`\\]{{1,128}}{_NEXT}"
        rf"|\[{_QUOTE}[^\s\"'`\\]{{1,128}}{_QUOTE}\][ \t]{{0,4}}=[ \t]{{0,4}}"
        rf"|[({{]{{1,2}}[^(){{}}]{{0,200}}?\bvalue(?:{_QUOTE})?[ \t]{{0,4}}[:=][ \t]{{0,4}})"
        rf"{_VALUE}"
    ),
    keywords=("cookie",),
    trigger=r"(?i:cookies?(?:\(\))?(?:\.set|\.add)?[(\[{])",
    folded=True,
    hits=pairs_of(
        r"""
        res.cookie("sid", "«zk7Qm2Lx9»", {httpOnly: true})
        Cookies.set('sid', '«zk7Qm2Lx9»')
        cookies().set("sid", "«zk7Qm2Lx9»")
        response.set_cookie("sid", "«zk7Qm2Lx9»")
        session.cookies["sid"] = "«zk7Qm2Lx9»"
        New-Object System.Net.Cookie("sid", "«zk7Qm2Lx9»", "/", "x.dev")
        http.Cookie{Name: "sid", Value: "«zk7Qm2Lx9»"}
        driver.add_cookie({"name": "sid", "value": "«zk7Qm2Lx9»"})
        {"code": "res.cookie(\"sid\", \"«zk7Qm2Lx9»\")"}
        """
    ),
    misses=lines_of(
        """
        res.cookie("theme", "dark")
        cookies.set("sid", sid)
        getCookie("a", "b c1 d e f g")
        cookies["sid"] = value1
        cookies.set("locale", "en-US1234")
        """
    ),
    spares=_spares_cookie,
)


def _spares_set(text: str, found: re.Match[str]) -> bool:
    """Whether what a setter gets is a message, a word or a name, and no secret."""
    start, end = found.span(found.lastindex or 0)
    value = text[start:end][:LONGEST]
    message = " " in value and not any(map(str.isdecimal, value))
    if message or found["key"] in value.lower() or value.lower() in _WORDS:
        return True
    named = not found["key"].startswith("pass") and not is_mixed(value)
    return named or spares_string(text, found)


_SETTER = Rule(
    id="setter-argument",
    kind="secret",
    pattern=compiled(
        r"(?:\b(?:set|with|check|verify|change)_?|\.|->|::)(?:set_?|with_?)?"
        r"(?P<key>passw(?:or)?d|passphrase|secret|token|api_?key|bearer_auth)"
        rf"\((?:some\(|b(?=[\"']))?{_VALUE}"
    ),
    keywords=("pass", "secret", "token", "key", "bearer"),
    trigger=r"(?i:passw(?:or)?d|passphrase|secret|token|api_?key|bearer_auth)\((?:some\()?b?\\*[\"'`]",
    folded=True,
    hits=pairs_of(
        r"""
        ds.setPassword("«correct-horse»");
        builder.password("«hunter2!»")
        user.set_password('«hunter2!»')
        Http::withToken('«zk7Qm2Lx9»')
        x.bearer_auth("«zk7Qm2Lx9»")
        {"code": "ds.setPassword(\"«a, b1»\");"}
        """
    ),
    misses=lines_of(
        """
        z.password("Password is required")
        x.token("identifier")
        setPassword("")
        setPassword(password)
        getSecret("db-credentials")
        """
    ),
    spares=_spares_set,
)

CALLS: tuple[Rule, ...] = (_NAMED, _LOGIN, _COOKIE, _SETTER)
