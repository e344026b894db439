"""Secrets in commands: ``curl -u joe:x``, ``mysql -px``, ``setx TOKEN x``, ``OPENAI_KEY=x``.

Owns the forms of programs and files that name no key word of ``assign``. A short option says
nothing by itself, so the program is looked for in front of it. Long flags are in ``members``.
"""

import re

from cursor_replay.scrub.judge import (
    LONGEST,
    is_mixed,
    spares_argument,
    spares_bare,
    spares_string,
)
from cursor_replay.scrub.rule import MASK, Rule
from cursor_replay.scrub.values import BARE, QUOTED, lines_of, pairs_of

_VALUE = r"(?:\\{0,7}[\"'])?([^\s\"'`;|&<>$\\][^\s\"'`;|&<>\\]*+)"
_REACH = r"(?:[^\n;|&]{0,200}?[ \t])??"
"""What may stand between a program and its option, on the same line and in the same command."""

_USER = r"(?:\\{0,7}[\"'])?[^\s\"':]{1,64}:"

_FORMS = (
    rf"curl[ \t]{_REACH}(?:-[a-zA-Z]{{0,6}}[uU]|--user|--proxy-user)[ \t=]?{_USER}{_VALUE}",
    rf"(?:mysql|mysqldump|mysqladmin|mariadb)[ \t]{_REACH}-p{_VALUE}",
    rf"sshpass[ \t]{{1,4}}-p[ \t]{{0,4}}{_VALUE}",
    rf"(?:docker|podman|helm(?: registry)?|oras)[ \t]login[ \t]{_REACH}-p[ \t]{{1,4}}{_VALUE}",
    rf"redis-cli[ \t]{_REACH}-a[ \t]{{1,4}}{_VALUE}",
)


def _spares(text: str, found: re.Match[str]) -> bool:
    value = text[slice(*found.span(found.lastindex or 0))][:LONGEST]
    return spares_argument(value) or (value.isupper() and value.isalpha())


_PROGRAMS = Rule(
    id="command-password",
    kind="password",
    pattern=re.compile(rf"(?:(?<![\w.-])|(?<=\\[nrt]))(?:{'|'.join(_FORMS)})"),
    keywords=("curl", "mysql", "maria", "sshpass", "login", "redis-cli"),
    trigger=(
        r"(?:curl[ \t].*(?:-[a-zA-Z]{0,6}[uU]|--user|--proxy-user)[ \t=]?.*:"
        r"|(?:mysql|mariadb).*[ \t]-p"
        r"|sshpass[ \t]+-p|[ \t]login[ \t].*-p[ \t]|redis-cli[ \t].*-a[ \t])"
    ),
    hits=pairs_of(
        """
            curl -u joe:«hunter2» https://x
            curl -su joe:«hunter2» x
            curl -s -X POST --user 'joe:«a b»'
            curl --proxy-user joe:«hunter2» https://x
            mysql -u root -p«hunter2» shop
            mysqldump -uroot -p'«hunter2»' shop
            sshpass -p «hunter2» ssh host
            sshpass -p '«hunter2»' ssh host
            docker login -u joe -p «hunter2» registry
            redis-cli -h db -a «hunter2» ping
            {"a": "x\\nmysql -p«hunter2» shop"}
            /usr/bin/mysql -p«hunter2» shop
            """.replace("«a b»", "«a-b»")
    ),
    misses=lines_of(
        """
            curl -u joe https://x
            curl -u "$USER:$PASS" https://x
            curl https://x; run -u a:b
            mysql -p shop
            mysql -u root -p
            sshpass -p $PASS ssh host
            docker login -u joe -p ${PASS} registry
            redis-cli -a $PASS
            mysql -p<PASSWORD>
            """
    ),
    spares=_spares,
)

_FILE_NAMES = "(?:token|password|passwd|secret|(?:api|access|private)_?key|credentials?)"
_TAB = r"(?:\t|\\{1,7}t)"
_CELL = r"[ \t]{0,40}`?"
_STATEMENTS = (
    # Dockerfiles and Windows
    (
        r"(?:(?:^|(?<=\\n))(?:env|arg)|\bsetx(?: /m)?)[ \t]{1,4}"
        rf"\w{{0,40}}?{_FILE_NAMES}\w{{0,8}}[ \t]{{1,4}}{_VALUE}"
    ),
    # databases
    r"identified by (?:password )?'([^'\n\\]{1,256})'",
    r"jdbc:oracle:\w{1,8}:[^\s/:@\"']{1,64}/([^\s@\"'\\]{1,128})(?=@)",
    r";[ \t]?(?:pwd|password)=\{([^{}\s\"']{1,128})\}",
    # files: docker, npm, the cookie jar of curl, a table in Markdown
    (
        r"(?:auth\\{0,7}\"[ \t]{0,4}:[ \t\n]{0,4}\\{0,7}\"|\b_auth[ \t]?=[ \t]?\"?)"
        r"([a-z0-9+/]{12,}+={0,2})"
    ),
    (
        rf"{_TAB}(?:true|false){_TAB}/[^\s\\]{{0,128}}{_TAB}(?:true|false){_TAB}\d{{1,12}}{_TAB}"
        rf"[^\s\\]{{1,128}}{_TAB}([^\s\\\"']++)"
    ),
    (
        rf"\|{_CELL}[a-z_]{{0,40}}?{_FILE_NAMES}`?[ \t]{{0,40}}\|{_CELL}([^\s|`]{{8,256}})"
        r"(?=`?[ \t]{0,40}\|)"
    ),
)


def _spares_statement(text: str, found: re.Match[str]) -> bool:
    value = text[slice(*found.span(found.lastindex or 0))]
    # Cells, and what stands under "auth" or between braces, may be words.
    return _spares(text, found) or (found[0][0] in "a_|;" and _is_word(value))


def _is_word(value: str) -> bool:
    return not any(map(str.isdecimal, value))


_STATEMENT = Rule(
    id="statement",
    kind="password",
    pattern=re.compile("|".join(_STATEMENTS), re.MULTILINE),
    keywords=(
        "env ",
        "arg ",
        "setx",
        "identified by",
        "jdbc:",
        "pwd={",
        "auth",
        "true",
        "false",
        "|",
    ),
    trigger=(
        r"(?i:identified by |jdbc:oracle|(?:pwd|password)=\{|auth\\*\"[ \t]*:|_auth[ \t]?=)"
        r"|(?i:true|false)(?:\t|\\+t)/|(?:\A|\n|\\n)(?i:env|arg)[ \t]|(?i:setx)[ \t]"
        rf"|(?i:{_FILE_NAMES}`?[ \t]*\|)"
    ),
    folded=True,
    hits=(
        *pairs_of(
            r"""
            ENV DB_PASSWORD «a1b2»
            setx API_KEY «a1b2»
            CREATE USER joe IDENTIFIED BY '«hunter2»';
            jdbc:oracle:thin:u/«hunter2»@host:1521
            Driver=x;Pwd={«a1;b2»};
            "auth":"«zk7Qm2Lx9TbR4w==»"
            _auth=«zk7Qm2Lx9TbR4w==»
            .corp.dev\tTRUE\t/\tFALSE\t1999999999\tsid\t«a1b2c3d4»
            | password | «zk7Qm2Lx9» |
            | `DB_PASSWORD` | `«zk7Qm2Lx9»` |
            """
        ),
        ("h\tTRUE\t/\tTRUE\t0\tsid\ta1b2c3d4", f"h\tTRUE\t/\tTRUE\t0\tsid\t{MASK}"),
    ),
    misses=lines_of(
        """
        ENV DB_PASSWORD $PASS
        setx API_KEY %KEY%
        | password | the password of the user |
        | token | string |
        "auth": "required"
        f"Server={x};Pwd={pwd};"
        """
    ),
    spares=_spares_statement,
)

_COOKIES = Rule(
    id="command-cookie",
    kind="cookie",
    pattern=re.compile(
        rf"curl[ \t]{_REACH}(?:-b|--cookie)[ \t=]?"
        r"(?:\\{0,7}[\"']((?=[^\s=;\"'\\$]{1,128}=)[^\n\"'\\]++)|([^\s=;\"'\\$]{1,128}=[^\s\"'\\;|]++))"
    ),
    keywords=("curl",),
    trigger=r"curl[ \t].*(?:-b|--cookie)",
    hits=pairs_of(
        """
        curl -b 'sid=a1; b=c' x
        curl -s --cookie sid=a1 https://x
        """.replace("sid=a1; b=c", "«sid=a1; b=c»").replace("sid=a1 ", "«sid=a1» ")
    ),
    misses=lines_of(
        """
        curl -b cookies.txt https://x
        curl -b "$JAR" https://x?a=b
        """
    ),
)


def _spares_env(text: str, found: re.Match[str]) -> bool:
    value = text[slice(*found.span(found.lastindex or 0))]
    if found["key"] != "PW" and not is_mixed(value):
        return True
    return spares_bare(text, found) if found["bare"] is not None else spares_string(text, found)


_NO_SECRETS = ("PUBLIC", "PRIMARY", "FOREIGN", "CACHE", "SORT", "PARTITION", "HASH", "HOST")
_ENV = Rule(
    id="variable",
    kind="api-key",
    pattern=re.compile(
        rf"_(?<=[A-Z0-9]_){''.join(f'(?<!{word}_)' for word in _NO_SECRETS)}"
        r"(?P<key>KEY(?:_BASE)?|PAT|PW|AUTH)(?:\\{0,7}[\"'])?[ \t]{0,2}(?P<sep>[:=])[ \t]{0,2}"
        rf"(?:{QUOTED}|{BARE})"
    ),
    keywords=("_KEY", "_PAT", "_PW", "_AUTH"),
    trigger=r"_(?:KEY(?:_BASE)?|PAT|PW|AUTH)[\\\"']*[ \t]{0,2}[:=]",
    hits=pairs_of(
        """
        OPENAI_KEY=«zk7Qm2Lx9»
        export STRIPE_KEY="«zk7Qm2Lx9»"
        SECRET_KEY_BASE=«zk7Qm2Lx9»
        "GH_PAT": "«zk7Qm2Lx9»"
        DB_PW=«a1b2»
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
        """
    ),
    spares=_spares_env,
)

COMMANDS: tuple[Rule, ...] = (_PROGRAMS, _COOKIES, _STATEMENT, _ENV)
