"""Secrets in the short options of programs: ``curl -u joe:x``, ``mysql -px``, ``sshpass -p x``.

Owns one rule for them all. A short option says nothing by itself, so the program is looked for in
front of it. Long flags (``--password x``) are in ``members``.
"""

import re

from cursor_replay.scrub.judge import LONGEST, spares_argument
from cursor_replay.scrub.rule import Rule
from cursor_replay.scrub.values import lines_of, pairs_of

_VALUE = r"(?:\\{0,7}[\"'])?([^\s\"'`;|&<>$\\][^\s\"'`;|&<>\\]*+)"
_REACH = r"(?:[^\n;|&]{0,200}?[ \t])??"
"""What may stand between a program and its option, on the same line and in the same command."""

_USER = r"(?:\\{0,7}[\"'])?[^\s\"':]{1,64}:"

_FORMS = (
    rf"curl[ \t]{_REACH}(?:-u|--user|-U|--proxy-user)[ \t=]?{_USER}{_VALUE}",
    rf"(?:mysql|mysqldump|mysqladmin|mariadb)[ \t]{_REACH}-p{_VALUE}",
    rf"sshpass[ \t]{{1,4}}-p[ \t]{{0,4}}{_VALUE}",
    rf"(?:docker|podman|helm(?: registry)?|oras)[ \t]login[ \t]{_REACH}-p[ \t]{{1,4}}{_VALUE}",
    rf"redis-cli[ \t]{_REACH}-a[ \t]{{1,4}}{_VALUE}",
)


def _spares(text: str, found: re.Match[str]) -> bool:
    value = text[slice(*found.span(found.lastindex or 0))][:LONGEST]
    return spares_argument(value) or (value.isupper() and value.isalpha())


COMMANDS: tuple[Rule, ...] = (
    Rule(
        id="command-password",
        kind="password",
        pattern=re.compile(rf"(?:(?<![\w.-])|(?<=\\[nrt]))(?:{'|'.join(_FORMS)})"),
        keywords=("curl", "mysql", "maria", "sshpass", "login", "redis-cli"),
        trigger=(
            r"(?:curl[ \t].*(?:-u|--user|-U|--proxy-user)[ \t=]?.*:|(?:mysql|mariadb).*[ \t]-p"
            r"|sshpass[ \t]+-p|[ \t]login[ \t].*-p[ \t]|redis-cli[ \t].*-a[ \t])"
        ),
        hits=pairs_of(
            """
            curl -u joe:«hunter2» https://x
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
    ),
)
