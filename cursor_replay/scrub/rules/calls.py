"""Secrets in calls of code: ``setenv("TOKEN", "…")``, ``auth=("joe", "…")``, ``set_cookie(…)``.

Owns one ``Rule`` a form. The shape of the value is in ``values``, the judgement in ``judge``.
"""

import re

from cursor_replay.scrub.rules.judge import LONGEST, is_mixed, is_placeholder, spares_string
from cursor_replay.scrub.rules.names import QUICK, SUFFIX, written
from cursor_replay.scrub.rules.rule import Rule
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
    pattern=re.compile(
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
    return _value(text, found) in _WORDS or spares_string(text, found)


_LOGIN = Rule(
    id="login-argument",
    kind="password",
    pattern=re.compile(
        r"(?P<key>auth[ \t]{0,2}=[ \t]{0,2}\(|(?:basic_?auth|digest_?auth|\.login|\.auth)\("
        rf"|(?:mysqli_connect|new pdo)\({_SPACE}{_QUOTE}[^\"'`\n\\]{{0,200}}{_NEXT})"
        rf"{_SPACE}{_QUOTE}[^\"'`\n\\]{{0,128}}{_NEXT}{_VALUE}"
    ),
    keywords=("auth", "login", "mysqli_connect", "new pdo"),
    trigger=r"(?i:auth[ \t]{0,2}=[ \t]{0,2}\(|auth\(|\.login\(|mysqli_connect\(|new pdo\()",
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
        """
    ),
    misses=lines_of(
        """
        auth=("user", "pass")
        auth=(user, password)
        server.login("joe", os.environ["X"])
        client.auth("joe")
        """
    ),
    spares=_spares_login,
)


def _spares_cookie(text: str, found: re.Match[str]) -> bool:
    value = _value(text, found)[:LONGEST]
    lettered = any(map(str.isdecimal, value)) and any(map(str.isalpha, value))
    return len(value) < 8 or not lettered or " " in value or is_placeholder(value)


_COOKIE = Rule(
    id="cookie-argument",
    kind="cookie",
    pattern=re.compile(
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
        """
    ),
    spares=_spares_cookie,
)

CALLS: tuple[Rule, ...] = (_NAMED, _LOGIN, _COOKIE)
