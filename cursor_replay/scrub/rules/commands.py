"""Secrets in commands: ``curl -u joe:x``, ``mysql -px``, ``keytool -storepass x``.

Owns the options of programs. A short option says nothing by itself, so the program is looked for
in front of it. Long flags are in ``members``, what a program reads in ``shells``, statements of
files in ``statements``.
"""

import re
from typing import NamedTuple

from cursor_replay.scrub.rules.names import written
from cursor_replay.scrub.rules.rule import Rule, compiled
from cursor_replay.scrub.rules.shells import BEGIN, QUOTE, REACH, WORD, spares_word
from cursor_replay.scrub.rules.values import lines_of, pairs_of


class _Row(NamedTuple):
    """A program, and what stands in front of its password.

    ``user`` is what a quote may open in front of, such as ``joe:``. Where ``reach`` is false the
    option follows the program at once.
    """

    program: str
    option: str
    user: str = ""
    reach: bool = True


_HTTP = "https?|xhs?"
_LOGINS = "(?:docker|podman|helm(?: registry)?|oras|az|oc|argocd|skopeo|buildah) login"
_SETTERS = (
    "(?:aws|npm|yarn|pnpm|pip|poetry) (?:config|configure) set|pulumi config set|consul kv put"
)
_REDIS_SETS = "(?:config set (?:requirepass|masterauth)|CONFIG SET (?:requirepass|masterauth)|AUTH)"
_NAME = rf"(?:{QUOTE}{QUOTE}|(?:{QUOTE})?[^\s\"'\\]{{1,128}}(?:{QUOTE})?)[ \t]{{1,4}}"
_NAMED = rf"(?!-)(?:{QUOTE})?[^\s\"'\\]{{0,128}}?(?i:{written()})"
_LIKELY = r"(?=(?:\\{0,7}[\"'])?[^\s\"']{0,40}\d)"
"""A word with a digit, where a sentence may stand as well."""
_SET = "(?=[a-zA-Z]{0,6}"
_HTTP_BASIC = r"http-basic\.[\w-]{1,64}[ \t][^\s\"']{1,64}"
_PLAIN_TEXT = r"(?:-(?:AsPlainText|Force)[ \t]{1,4}){0,2}"
_TOKENS = (
    "snyk auth|cargo login|wandb login|bw unlock|ngrok (?:authtoken|config add-authtoken)"
    "|cloudflared service install|doctl auth init -t|vault login"
)

_OPTIONS = (
    _Row("curl", r"(?:-[a-zA-Z]{0,6}[uU]|--user|--proxy-user)[ \t=]?", r"[^\s\"':]{1,64}:"),
    _Row("curl", r"(?:-E|--cert)[ \t=]?", r"[^\s\"':]{1,64}:"),
    _Row("curl", r"(?:--pass|--proxy-pass)[ \t=]"),
    _Row(_HTTP, r"(?:-a|--auth)[ \t=]", r"[^\s\"':]{1,64}:"),
    _Row("mysql|mysqldump|mysqladmin|mariadb", r"-p(?!ort\b|rotocol\b|ipe\b)"),
    _Row("mongo(?:sh|dump|restore|export|import)?", r"-p[ \t]{0,4}(?!-)"),
    _Row("sshpass", r"-p[ \t]{0,4}"),
    _Row(_LOGINS, r"-p[ \t]{1,4}"),
    _Row("redis-cli", rf"(?:-a|--pass|{_REDIS_SETS})[ \t]{{1,4}}"),
    _Row("ldap(?:search|add|modify|delete|passwd|whoami|compare)", r"-w[ \t]{0,4}"),
    _Row("sqlcmd|bcp|tsql|mosquitto_(?:pub|sub)", r"-P[ \t]{0,4}"),
    _Row("twine|rabbitmqadmin|cqlsh|snowsql|ncftpput|psexec|rdesktop|useradd|usermod",
         r"-p[ \t]{1,4}(?!-)"),
    _Row("sqlplus", r"[\w.-]{1,64}/(?=[^\s@]{1,128}@)"),
    _Row("smbclient|rpcclient", r"-U[ \t]{0,4}", r"[^\s%\"']{1,64}%"),
    _Row("lftp", r"-u[ \t]{1,4}", r"[^\s,\"']{1,64},"),
    _Row("etcdctl", r"--user[ \t=]", r"[^\s\"':]{1,64}:"),
    _Row("htpasswd", rf"-{_SET}b)(?!{_SET[3:]}n)[a-zA-Z]{{1,8}}[ \t]{{1,4}}{_NAME}{_NAME}"),
    _Row("htpasswd", rf"-{_SET}b){_SET}n)[a-zA-Z]{{1,8}}[ \t]{{1,4}}(?:\d\d?[ \t])?{_NAME}"),
    _Row("mosquitto_passwd", rf"-b[ \t]{{1,4}}{_NAME}{_NAME}"),
    _Row("7z[az]?", "-p"),
    _Row("rar|unrar", "-h?p"),
    _Row("zip|unzip", r"-P[ \t]{1,4}"),
    _Row("openssl", "", "pass:"),
    _Row("openssl enc", r"-k[ \t]{1,4}"),
    _Row("keytool|jarsigner", r"-(?:(?:src|dest)?(?:store|key)pass)[ \t]{1,4}"),
    _Row("ssh-keygen", r"-[NP][ \t]{0,4}"),
    _Row("plink|pscp|psftp|putty", r"-pw[ \t]{1,4}"),
    _Row("xfreerdp|wfreerdp|cmdkey|runas", r"/p(?:ass(?:word)?)?:"),
    _Row("net use", r"/user:[^\s\"']{1,64}[ \t]{1,4}(?![/*])"),
    _Row("net user", r"[\w.-]{1,64}[ \t]{1,4}(?![/*])", reach=False),
    _Row("rabbitmqctl (?:add_user|change_password)", r"[\w.-]{1,64}[ \t]{1,4}", reach=False),
    _Row("wpa_passphrase", rf"{_NAME}{_LIKELY}", reach=False),
    _Row("gh secret set", r"(?:--body|-b)[ \t=]?"),
    _Row("kubectl", rf"create secret[ \t]{REACH}--from-literal[= ]", r"[\w.-]{1,128}="),
    _Row("aws secretsmanager", r"--secret-string[ \t=]"),
    _Row("aws ssm put-parameter",
         rf"--name[ \t=]{_NAMED}\w{{0,12}}(?:{QUOTE})?[ \t]{REACH}--value[ \t=]"),
    _Row(_SETTERS, rf"{_NAMED}[ \t=]"),
    _Row("poetry config", rf"(?:{_HTTP_BASIC}|pypi-token\.[\w-]{{1,64}})[ \t]",
         reach=False),
    _Row("ConvertTo-SecureString", rf"{_PLAIN_TEXT}(?:-String[ \t]{{1,4}})?(?!-)",
         reach=False),
    _Row(_TOKENS, rf"(?:token=)?{_LIKELY}", reach=False),
)  # fmt: skip


def _form(row: _Row, user: str) -> str:
    return rf"(?:{row.program})[ \t]{REACH if row.reach else ''}{row.option}{user}"


def _quoted(at: int, row: _Row) -> str:
    """A quote that opens in front of the user: all up to that quote."""
    end = rf"(?P=q{at})"
    inner = rf"\\{{1,8}}{end}|(?!{end}|\\{{0,7}}\"[ \t]?[,:}}\]])[^\n]"
    return _form(row, rf"(?P<q{at}>{QUOTE}){row.user}((?:{inner})++)(?={end})")


_BEHIND_USER = "|".join(_quoted(at, row) for at, row in enumerate(_OPTIONS) if row.user)
_FORMS = "|".join(_form(row, rf"(?:{QUOTE})?{row.user}" if row.user else "") for row in _OPTIONS)

_PROGRAMS = Rule(
    id="command-password",
    kind="password",
    pattern=compiled(
        rf"{BEGIN}(?:{_BEHIND_USER}|(?:{_FORMS})(?!\\{{0,7}}[\"']?\[redacted){WORD})", re.MULTILINE
    ),
    keywords=(
        *("curl", "mysql", "maria", "mongo", "sshpass", "login", "redis-cli", "ldap", "sqlcmd"),
        *("bcp", "sqlplus", "smbclient", "rpcclient", "htpasswd", "7z", "zip", "openssl"),
        *("secret", "kubectl", "config", "ConvertTo", "keytool", "jarsigner", "ssh-keygen"),
        *("plink", "pscp", "putty", "psexec", "lftp", "freerdp", "cmdkey", "runas", "net use"),
        *("vault", "twine", "rar", "tsql", "mosquitto", "rabbitmq", "cqlsh", "snow", "ncftp"),
        *("rdesktop", "wpa_", "etcdctl", "http", "xh", "aws", "consul", "auth", "wandb", "bw "),
    ),
    trigger=(
        rf"(?:{'|'.join(dict.fromkeys(row.program for row in _OPTIONS if row.program != _HTTP))}) "
        rf"|(?:{_HTTP}) -a |--auth[ =]"
    ),
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
        ConvertTo-SecureString -AsPlainText -Force "«hunter2»"
        ConvertTo-SecureString -String "«a b»" -AsPlainText
        curl -u 'joe:«a b»' x
        curl -u "joe:«a'b c»" x
        {"a": "curl -u \"joe:«a, b»\" x", "b": 1}
        curl --pass «hunter2» --cert c.pem https://x
        curl --cert c.pem:«hunter2» https://x
        http -a joe:«hunter2» https://x
        mysql -p'«a"9»' shop
        mysql -p"«a\"9»" shop
        kubectl create secret generic x --from-literal='pin=«a b»'
        kubectl create secret generic x --from-literal=a=«a1» --from-literal=b=«c»
        openssl rsa -passin 'pass:«a b»'
        smbclient //h/x -U 'joe%«a b»'
        redis-cli --pass «hunter2» ping
        htpasswd -nb joe «hunter2»
        htpasswd -bnBC 10 "" «hunter2»
        {"a": "htpasswd -nb joe «hunter2»\nb", "z": 1}
        gh secret set NPM -b"«hunter2»"
        keytool -genkey -storepass «hunter2» -alias x
        ssh-keygen -t rsa -N '«a b»' -f k
        plink -ssh joe@h.test -pw «hunter2» ls
        psexec -u joe -p «hunter2» cmd
        lftp -u joe,«hunter2» h
        xfreerdp /u:joe /p:«hunter2» /v:h
        net use Z: /user:joe «hunter2»
        cmdkey /add:h /user:joe /pass:«hunter2»
        vault login «hunter2»
        aws secretsmanager create-secret --name x --secret-string «hunter2»
        aws ssm put-parameter --name /x/password --value «hunter2» --type x
        twine upload -u joe -p «hunter2» dist/x
        rar a -hp«hunter2» x.rar y
        rabbitmqctl add_user joe «hunter2»
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
        mysql -port 3306
        kubectl create configmap x --from-literal=LOG_LEVEL=debug
        vault login to the server
        ssh-keygen -t rsa -N "" -f k
        ConvertTo-SecureString $pw -AsPlainText -Force
        {"a": "curl -u joe:", "b": "x"}
        {"a": "run mysql -p", "b": "x"}
        {"keytool -storepass ": "x", "gh secret set -b": 1}
        net user joe /add
        """
    ),
    spares=spares_word,
)

_COOKIES = Rule(
    id="command-cookie",
    kind="cookie",
    pattern=compiled(
        rf"curl[ \t]{REACH}(?:-b|--cookie)[ \t=]?\^?"
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

COMMANDS: tuple[Rule, ...] = (_PROGRAMS, _COOKIES)
