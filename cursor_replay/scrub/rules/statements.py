"""Secrets in statements of files: Dockerfiles, SQL, connection strings, cookie jars, Markdown.

Owns the forms that are no assignment to a name of ``names``, nor a header, a call or a command.
"""

import re

from cursor_replay.scrub.rules.headers import is_no_pair
from cursor_replay.scrub.rules.judge import is_mixed
from cursor_replay.scrub.rules.names import QUICK, written
from cursor_replay.scrub.rules.rule import Rule, Spares, compiled
from cursor_replay.scrub.rules.shells import WORD, spares_word
from cursor_replay.scrub.rules.values import lines_of, pairs_of

_NAMES = rf"(?:{written(dash='_?')})"
_TAB = r"(?:[ \t]{1,8}|\\{1,7}t)"
_CELL = r"[ \t]{0,40}`?"
LINE = r"(?:^[+-]?|(?<=\\[nr]))[ \t]{0,8}"
_QUOTE = r"\\{0,7}[\"']"
_TYPE = re.compile(r"\w{1,40}\(|(?:sha|md|hmac|aes|rsa|base)-?\d", re.IGNORECASE)
_ENDS_LINE = re.compile(r"(?:\\{0,7}[\"'])?[ \t]{0,8}(?:$|\\{1,8}[nr]|\\{0,7}[\"'])", re.MULTILINE)
_SETTINGS = "(?:requirepass|masterauth|bindpw|rootpw)"
_USER = r"(?:uid|user(?: ?id)?)=[^;{}\n]{1,64};[ \t]?"


def _is_word(text: str, found: re.Match[str]) -> bool:
    """Tell a cell, and what stands between braces, that may be a type or a variable."""
    value = text[slice(*found.span(found.lastindex or 0))]
    lettered = not any(map(str.isdecimal, value)) and not is_mixed(value)
    return spares_word(text, found) or lettered


def _is_prose(text: str, found: re.Match[str]) -> bool:
    """Tell a word behind the name of a setting from a value, which ends a line or looks random."""
    line = found["line"] is not None and _ENDS_LINE.match(text, found.end()) is not None
    return spares_word(text, found) or (not line and _is_word(text, found))


def _is_sample(text: str, found: re.Match[str]) -> bool:
    """Tell what stands for a password in a statement: the word itself, a placeholder."""
    value = text[slice(*found.span(found.lastindex or 0))]
    return value.lower() in ("password", "pass", "secret") or spares_word(text, found)


def _is_cell(text: str, found: re.Match[str]) -> bool:
    """Tell a type or an algorithm, with a number in it, from a value."""
    value = text[slice(*found.span(found.lastindex or 0))]
    return _TYPE.match(value) is not None or _is_word(text, found)


def _is_no_auth(text: str, found: re.Match[str]) -> bool:
    return is_no_pair(text, found) and _is_word(text, found)


def statement(
    name: str,
    pattern: str,
    keywords: str,
    trigger: str,
    *,
    kind: str = "password",
    spares: Spares = spares_word,
    hits: str,
    misses: str,
) -> Rule:
    """Build the rule of one form; ``hits`` and ``misses`` are one example a line."""
    return Rule(
        id=name,
        kind=kind,
        pattern=compiled(pattern, re.MULTILINE),
        keywords=tuple(keywords.split()),
        trigger=trigger,
        folded=True,
        hits=pairs_of(hits),
        misses=lines_of(misses),
        spares=spares,
    )


_EDGE = r"(?:\b|(?<=\\[nrt]))"
"""A word begins, also behind a line end in JSON."""

STATEMENTS: tuple[Rule, ...] = (
    statement(
        "sql-password",
        rf"(?:identified (?:with \w{{1,40}} )?by (?:password )?|{_EDGE}set password for "
        rf"[^\n=;]{{1,80}}= ?(?:password\()?"
        rf"|(?:with|encrypted|login|{_EDGE}user [^\s;]{{1,80}}) password (?:= ?)?n?)"
        r"(?P<quote>\\{0,7}\"|')((?:(?!(?P=quote))[^\n\\]){1,256})(?=(?P=quote))",
        "identified password",
        r"(?i:identified (?:with [a-z0-9_]+ )?by |set password for )"
        r"|(?i:[a-z%\"'] password (?:= ?)?n?['\\\"])",
        spares=_is_sample,
        hits=r"""
            CREATE USER joe IDENTIFIED BY '«hunter2»';
            CREATE USER joe IDENTIFIED BY "«correct-horse»";
            ALTER USER joe IDENTIFIED WITH mysql_native_password BY '«hunter2»';
            ALTER ROLE joe WITH PASSWORD '«hunter2»';
            ALTER USER joe PASSWORD '«correct-horse»';
            CREATE LOGIN joe WITH PASSWORD = '«correct-horse»';
            SET PASSWORD FOR 'joe'@'%' = PASSWORD('«hunter2»');
            {"sql": "CREATE USER joe IDENTIFIED BY \"«a b»\" x", "b": 1}
        """,
        misses="""
            IDENTIFIED BY '$PASS'
            IDENTIFIED BY 'password'
            with password 'xxx'
            set password for "joe", "x"
        """,
    ),
    statement(
        "variable-block",
        rf"{_EDGE}variable[ \t]{{1,4}}{_QUOTE}[\w-]{{0,40}}?{_NAMES}\w{{0,8}}{_QUOTE}"
        r"[ \t]{0,4}\{"
        rf"[^{{}}]{{0,400}}?\bdefault[ \t]{{0,8}}=[ \t]{{0,4}}{_QUOTE}"
        rf"([^\s\"'\\]{{1,256}})(?={_QUOTE})",
        "variable",
        r"(?i:variable)[ \t]+\\*[\"']",
        spares=_is_sample,
        hits=r"""
            variable "db_password" { default = "«hunter2»" }
            {"a": "variable \"db_password\" {\n  type = string\n  default = \"«hunter2»\"\n}"}
        """,
        misses="""
            variable "db_password" { default = "" }
            variable "db_name" { default = "a1" }
        """,
    ),
    statement(
        "neo4j-auth",
        rf"neo4j_auth(?:{_QUOTE})?[ \t]{{0,2}}[=:][ \t]{{0,2}}(?:{_QUOTE})?\w{{1,40}}/"
        r"([^\s\"'\\,;]{1,128})",
        "neo4j_auth",
        "(?i:neo4j_auth)",
        hits="NEO4J_AUTH=neo4j/«hunter2»",
        misses="NEO4J_AUTH=neo4j/$PASS",
    ),
    statement(
        "oracle-address",
        r"jdbc:oracle:\w{1,8}:[^\s/:@\"']{1,64}/([^\s@\"'\\]{1,128})(?=@)",
        "jdbc:",
        "(?i:jdbc:oracle)",
        hits="jdbc:oracle:thin:u/«hunter2»@host:1521",
        misses="jdbc:oracle:thin:@host:1521",
    ),
    statement(
        "odbc-password",
        rf"{_USER}(?:pwd|password)=\{{([^{{}}\n\"']{{1,128}})\}}",
        "pwd= password=",
        r"(?i:(?:pwd|password)=\{)",
        hits="""
            Driver={x};Uid=joe;Pwd={«swordfish»};
            User ID=joe;Password={«a1;b2»};
        """,
        misses="""
            f"Server={x};Uid={uid};Pwd={pwd};"
        """,
    ),
    statement(
        "odbc-value",
        r";[ \t]?(?:pwd|password)=\{([^{}\s\"']{1,128})\}",
        "pwd= password=",
        r"(?i:(?:pwd|password)=\{)",
        spares=_is_word,
        hits="Driver=x;Pwd={«a1;b2»};",
        misses='f"Server={x};Pwd={pwd};"',
    ),
    statement(
        "settings-password",
        rf"(?:(?P<line>{LINE})|{_EDGE}){_SETTINGS}[ \t]{{1,8}}{WORD}",
        "requirepass masterauth bindpw rootpw",
        rf"(?i:{_SETTINGS})[ \t]",
        spares=_is_prose,
        hits=r"""
            requirepass «swordfish»
            bindpw «hunter2»
            {"conf": "port 1\nrequirepass «swordfish»\n"}
        """,
        misses="""
            the requirepass option is set
            requirepass $PASS
        """,
    ),
    statement(
        "basic-auth-field",
        r"(?:\bauth\\{0,7}\"[ \t]{0,4}:[ \t\n]{0,4}\\{0,7}\""
        rf"|{_EDGE}_auth[ \t]?=[ \t]?\"?)"
        r"([a-z0-9+/]{8,}+={0,2})",
        "auth",
        r"(?i:auth\\*\"[ \t]*:|_auth[ \t]?=)",
        spares=_is_no_auth,
        hits="""
            "auth":"«zk7Qm2Lx9TbR4w==»"
            _auth=«zk7Qm2Lx9TbR4w==»
            "auth": "«am9lOnBhc3N3b3Jk»"
        """,
        misses="""
            "auth": "required"
            "auth": "interactive"
        """,
    ),
    statement(
        "cookie-jar",
        rf"{_TAB}(?:true|false){_TAB}/[^\s\\]{{0,128}}{_TAB}(?:true|false){_TAB}\d{{1,12}}{_TAB}"
        rf"[^\s\\]{{1,128}}{_TAB}([^\s\\\"']++)",
        "true false",
        r"(?i:true|false)(?:[ \t]|(?i:\\+t))+/",
        kind="cookie",
        hits=r"""
            .corp.dev\tTRUE\t/\tFALSE\t1999999999\tsid\t«a1b2c3d4»
            .corp.dev	TRUE	/	TRUE	0	sid	«a1b2c3d4»
        """,
        misses=r"x\tTRUE\t/\tFALSE",
    ),
    statement(
        "table-cell",
        rf"\|{_CELL}[a-z_]{{0,40}}?{_NAMES}`?[ \t]{{0,40}}\|{_CELL}"
        r"([^\s|`]{8,256})(?=`?[ \t]{0,40}\|)",
        "|",
        rf"{QUICK}`?[ \t]*\|",
        kind="secret",
        spares=_is_cell,
        hits="""
            | password | «zk7Qm2Lx9» |
            | `DB_PASSWORD` | `«zk7Qm2Lx9»` |
        """,
        misses="""
            | password | the password of the user |
            | token | string |
            | token | required |
            | password | string(255) |
            | token | SHA256withRSA1 |
        """,
    ),
)
