"""Secrets in commands: ``curl -u joe:x``, ``mysql -px``, ``echo x | sudo -S``.

Owns the options of programs. A short option says nothing by itself, so the program is looked for
in front of it. Long flags are in ``members``, statements of files in ``statements``.
"""

import re
from typing import NamedTuple

from cursor_replay.scrub.rules.judge import LONGEST, spares_argument
from cursor_replay.scrub.rules.names import written
from cursor_replay.scrub.rules.rule import Rule
from cursor_replay.scrub.rules.values import lines_of, pairs_of

_QUOTE = r"\\{0,7}[\"']"
WORD = (
    r"(?:\\{0,7}\"([^\s\"'`$\\](?:[^\"'\n\\])*+)|\\{0,7}'([^\"'\n\\]++)"
    r"|([^\s\"'`;|&<>$\\][^\s\"'`;|&<>\\]*+))"
)
"""A word of a command, in quotes or not."""
_REACH = r"(?:[^\n;|&]{0,200}?[ \t])??"
"""What may stand between a program and its option, on the same line and in the same command."""
_BEGIN = r"(?:(?<![\w.-])|(?<=\\[nrt])|(?<=^-))"


class _Row(NamedTuple):
    """A program, and what stands in front of its password."""

    program: str
    option: str


_USER = rf"(?:{_QUOTE})?[^\s\"':]{{1,64}}:"
_LOGINS = "(?:docker|podman|helm(?: registry)?|oras|az|oc|argocd|skopeo|buildah) login"
_SETTERS = "(?:aws|npm|yarn|pnpm|pip|poetry) (?:config|configure) set"
_REDIS_SETS = "(?:config set (?:requirepass|masterauth)|CONFIG SET (?:requirepass|masterauth)|AUTH)"
_WORD = r"[^\s]{1,128}[ \t]{1,4}"

_OPTIONS = (
    _Row("curl", rf"(?:-[a-zA-Z]{{0,6}}[uU]|--user|--proxy-user)[ \t=]?{_USER}"),
    _Row("mysql|mysqldump|mysqladmin|mariadb", "-p"),
    _Row("mongo(?:sh|dump|restore|export|import)?", r"-p[ \t]{0,4}(?!-)"),
    _Row("sshpass", r"-p[ \t]{0,4}"),
    _Row(_LOGINS, r"-p[ \t]{1,4}"),
    _Row("redis-cli", rf"(?:-a|{_REDIS_SETS})[ \t]{{1,4}}"),
    _Row("ldap(?:search|add|modify|delete|passwd|whoami|compare)", r"-w[ \t]{0,4}"),
    _Row("sqlcmd|bcp", r"-P[ \t]{0,4}"),
    _Row("sqlplus", r"[\w.-]{1,64}/(?=[^\s@]{1,128}@)"),
    _Row("smbclient|rpcclient", r"-U[ \t]{0,4}[^\s%\"']{1,64}%"),
    _Row("htpasswd", rf"-[a-zA-Z]{{0,6}}b[a-zA-Z]{{0,6}}[ \t]{{1,4}}{_WORD}{_WORD}"),
    _Row("7z[az]?", "-p"),
    _Row("zip|unzip", r"-P[ \t]{1,4}"),
    _Row("openssl", "pass:"),
    _Row("gh secret set", r"(?:--body|-b)[ \t=]"),
    _Row("kubectl", rf"--from-literal[= ](?:{_QUOTE})?[\w.-]{{1,128}}="),
    _Row(_SETTERS, rf"[^\s]{{0,128}}?(?i:{written()})[ \t=]"),
    _Row("ConvertTo-SecureString", ""),
)


def _form(row: _Row) -> str:
    return rf"(?:{row.program})[ \t]{_REACH}{row.option}"


def spares_word(text: str, found: re.Match[str]) -> bool:
    """Whether a word of a command is no secret: a variable, a path, a placeholder."""
    value = text[slice(*found.span(found.lastindex or 0))][:LONGEST]
    return spares_argument(value) or (value.isupper() and value.isalpha())


_PROGRAMS = Rule(
    id="command-password",
    kind="password",
    pattern=re.compile(rf"{_BEGIN}(?:{'|'.join(map(_form, _OPTIONS))}){WORD}", re.MULTILINE),
    keywords=(
        *("curl", "mysql", "maria", "mongo", "sshpass", "login", "redis-cli", "ldap", "sqlcmd"),
        *("bcp", "sqlplus", "smbclient", "rpcclient", "htpasswd", "7z", "zip", "openssl"),
        *("secret", "kubectl", "config", "ConvertTo"),
    ),
    trigger=rf"(?:{'|'.join(row.program for row in _OPTIONS)}) ",
    hits=pairs_of(
        r"""
        curl -u joe:«hunter2» https://x
        curl -su joe:«hunter2» x
        curl -s -X POST --user 'joe:«a-b»'
        curl --proxy-user joe:«hunter2» https://x
        mysql -u root -p«hunter2» shop
        mysqldump -uroot -p'«hunter 2»' shop
        sshpass -p «hunter2» ssh host
        sshpass -p '«hunter2»' ssh host
        docker login -u joe -p «hunter2» registry
        az login -u joe -p «hunter2»
        redis-cli -h db -a «hunter2» ping
        redis-cli CONFIG SET requirepass «swordfish»
        {"a": "x\nmysql -p«hunter2» shop"}
        /usr/bin/mysql -p«hunter2» shop
        mongosh -u joe -p «hunter2» db
        ldapsearch -x -D cn=a -w «hunter2» -b dc=b
        sqlcmd -S db -U sa -P «hunter2» -Q x
        sqlplus joe/«hunter2@db»
        smbclient //h/x -U joe%«hunter2»
        htpasswd -bc users joe «hunter2»
        7z x a.7z -p«hunter2»
        unzip -P «hunter2» a.zip
        openssl enc -aes-256-cbc -pass pass:«hunter2» -in x
        gh secret set NPM --body "«hunter2»"
        kubectl create secret generic x --from-literal=pin=«4711abc»
        aws configure set aws_secret_access_key «a1/b2»
        npm config set //r.example/:_authToken «a1b2»
        ConvertTo-SecureString "«hunter2»" -AsPlainText
        """
    ),
    misses=lines_of(
        """
        curl -u joe https://x
        curl -u "$USER:$PASS" https://x
        curl https://x; run -u a:b
        mysql -p shop
        mysql -u root -p
        mongosh -p --host db
        sshpass -p $PASS ssh host
        docker login -u joe -p ${PASS} registry
        redis-cli -a $PASS
        mysql -p<PASSWORD>
        openssl x -passin pass:$PW
        kubectl create secret generic x --from-literal=pin=$PIN
        npm config set registry x
        """
    ),
    spares=spares_word,
)

_READERS = (
    r"(?:sudo[ \t](?:-\w{1,8}[ \t]){0,4}-\w{0,4}S|chpasswd|kinit"
    r"|[^\n|;&]{1,80}[ \t](?:--password-stdin|--with-token|--stdin))"
)
_PIPED = Rule(
    id="piped-password",
    kind="password",
    pattern=re.compile(
        rf"{_BEGIN}(?:echo(?:[ \t]-\w{{1,3}})?|printf(?:[ \t](?:{_QUOTE})?%s(?:\\{{1,8}}n)?"
        rf"(?:{_QUOTE})?)?)[ \t]{{1,4}}{WORD}"
        rf"(?=(?:{_QUOTE})?[ \t]{{0,4}}\|[ \t]{{0,4}}{_READERS})",
        re.MULTILINE,
    ),
    keywords=("echo", "printf"),
    trigger=r"\|[ \t]{0,4}(?:sudo[ \t]+-|chpasswd|kinit)|--password-stdin|--with-token|--stdin",
    hits=pairs_of(
        r"""
        echo «hunter2» | sudo -S apt-get update
        echo '«hunter 2»' | docker login -u joe --password-stdin
        printf '%s' "«hunter2»" | gh auth login --with-token
        echo "«joe:hunter2»" | chpasswd
        {"a": "echo -n \"«hunter2»\" | podman login --password-stdin"}
        """
    ),
    misses=lines_of(
        """
        echo $PASS | sudo -S x
        echo hello | grep x
        echo done; sudo -S x
        """
    ),
    spares=spares_word,
)

_COOKIES = Rule(
    id="command-cookie",
    kind="cookie",
    pattern=re.compile(
        rf"curl[ \t]{_REACH}(?:-b|--cookie)[ \t=]?\^?"
        r"(?:\\{0,7}[\"']((?=[^\s=;\"'\\$]{1,128}=)(?:[^\n\"'\\^]|\^(?!\"))++)|([^\s=;\"'\\$]{1,128}=[^\s\"'\\;|]++))"
    ),
    keywords=("curl",),
    trigger="curl ",
    hits=pairs_of(
        """
        curl -b 'sid=a1; b=c' x
        curl -s --cookie sid=a1 https://x
        curl -b ^"sid=a1; b=c^" x
        """.replace("sid=a1; b=c", "«sid=a1; b=c»").replace("sid=a1 ", "«sid=a1» ")
    ),
    misses=lines_of(
        """
        curl -b cookies.txt https://x
        curl -b "$JAR" https://x?a=b
        """
    ),
)


COMMANDS: tuple[Rule, ...] = (_PROGRAMS, _PIPED, _COOKIES)
