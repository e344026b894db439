"""Secrets in statements of files: Dockerfiles, SQL, connection strings, cookie jars, Markdown.

Owns the forms that are no assignment to a name of ``names``, nor a header, a call or a command.
"""

import re

from cursor_replay.scrub.rules.commands import WORD, spares_word
from cursor_replay.scrub.rules.headers import is_no_pair
from cursor_replay.scrub.rules.judge import is_mixed
from cursor_replay.scrub.rules.names import QUICK, written
from cursor_replay.scrub.rules.rule import Rule, Spares
from cursor_replay.scrub.rules.values import lines_of, pairs_of

_NAMES = rf"(?:{written(dash='_?')})"
_TAB = r"(?:\t|\\{1,7}t)"
_CELL = r"[ \t]{0,40}`?"
_LINE = r"(?:^[+-]?|(?<=\\[nr]))[ \t]{0,8}"
_SETTINGS = "(?:requirepass|masterauth|bindpw|rootpw)"
_USER = r"(?:uid|user(?: ?id)?)=[^;{}\n]{1,64};[ \t]?"


def _is_word(text: str, found: re.Match[str]) -> bool:
    """Tell a cell, and what stands between braces, that may be a type or a variable."""
    value = text[slice(*found.span(found.lastindex or 0))]
    lettered = not any(map(str.isdecimal, value)) and not is_mixed(value)
    return spares_word(text, found) or lettered


def _is_prose(text: str, found: re.Match[str]) -> bool:
    """Tell a word behind the name of a setting from a value, which ends a line or looks random."""
    return spares_word(text, found) or (found["line"] is None and _is_word(text, found))


def _is_no_auth(text: str, found: re.Match[str]) -> bool:
    return is_no_pair(text, found) and _is_word(text, found)


def _rule(
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
    return Rule(
        id=name,
        kind=kind,
        pattern=re.compile(pattern, re.MULTILINE),
        keywords=tuple(keywords.split()),
        trigger=trigger,
        folded=True,
        hits=pairs_of(hits),
        misses=lines_of(misses),
        spares=spares,
    )


STATEMENTS: tuple[Rule, ...] = (
    _rule(
        "set-variable",
        rf"(?:{_LINE}(?:env|arg)|\bsetx(?: /m)?)[ \t]{{1,4}}"
        rf"\w{{0,40}}?{_NAMES}\w{{0,8}}[ \t]{{1,4}}{WORD}",
        "env arg setx",
        r"(?:\A|\n[+-]?|\\n)[ \t]*(?i:env|arg)[ \t]|(?i:setx)[ \t]",
        kind="secret",
        hits="""
            ENV DB_PASSWORD «a1b2»
            setx API_KEY «a1b2»
            setx /M API_KEY "«a1 b2»"
        """,
        misses="""
            ENV DB_PASSWORD $PASS
            setx API_KEY %KEY%
        """,
    ),
    _rule(
        "sql-password",
        r"(?:identified by (?:password )?|(?:with|encrypted) password )'([^'\n\\]{1,256})'",
        "identified password",
        r"(?i:identified by |(?:with|encrypted) password ')",
        hits="""
            CREATE USER joe IDENTIFIED BY '«hunter2»';
            ALTER ROLE joe WITH PASSWORD '«hunter2»';
        """,
        misses="""
            IDENTIFIED BY '$PASS'
            with password 'xxx'
        """,
    ),
    _rule(
        "oracle-address",
        r"jdbc:oracle:\w{1,8}:[^\s/:@\"']{1,64}/([^\s@\"'\\]{1,128})(?=@)",
        "jdbc:",
        "(?i:jdbc:oracle)",
        hits="jdbc:oracle:thin:u/«hunter2»@host:1521",
        misses="jdbc:oracle:thin:@host:1521",
    ),
    _rule(
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
    _rule(
        "odbc-value",
        r";[ \t]?(?:pwd|password)=\{([^{}\s\"']{1,128})\}",
        "pwd= password=",
        r"(?i:(?:pwd|password)=\{)",
        spares=_is_word,
        hits="Driver=x;Pwd={«a1;b2»};",
        misses='f"Server={x};Pwd={pwd};"',
    ),
    _rule(
        "settings-password",
        rf"(?P<line>{_LINE}){_SETTINGS}[ \t]{{1,8}}{WORD}[ \t]{{0,8}}"
        r"(?=$|\\{1,8}[nr]|\\{0,7}[\"'])"
        rf"|\b{_SETTINGS}[ \t]{{1,8}}{WORD}",
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
    _rule(
        "basic-auth-field",
        r"(?:\bauth\\{0,7}\"[ \t]{0,4}:[ \t\n]{0,4}\\{0,7}\"|\b_auth[ \t]?=[ \t]?\"?)"
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
    _rule(
        "cookie-jar",
        rf"{_TAB}(?:true|false){_TAB}/[^\s\\]{{0,128}}{_TAB}(?:true|false){_TAB}\d{{1,12}}{_TAB}"
        rf"[^\s\\]{{1,128}}{_TAB}([^\s\\\"']++)",
        "true false",
        r"(?i:true|false)(?:\t|\\+t)/",
        kind="cookie",
        hits=r"""
            .corp.dev\tTRUE\t/\tFALSE\t1999999999\tsid\t«a1b2c3d4»
            .corp.dev	TRUE	/	TRUE	0	sid	«a1b2c3d4»
        """,
        misses=r"x\tTRUE\t/\tFALSE",
    ),
    _rule(
        "table-cell",
        rf"\|{_CELL}[a-z_]{{0,40}}?{_NAMES}`?[ \t]{{0,40}}\|{_CELL}"
        r"([^\s|`]{8,256})(?=`?[ \t]{0,40}\|)",
        "|",
        rf"{QUICK}`?[ \t]*\|",
        kind="secret",
        spares=_is_word,
        hits="""
            | password | «zk7Qm2Lx9» |
            | `DB_PASSWORD` | `«zk7Qm2Lx9»` |
        """,
        misses="""
            | password | the password of the user |
            | token | string |
            | token | required |
        """,
    ),
)
