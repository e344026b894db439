"""Secrets whose name stands apart: flags, name and value members, netrc, lists.

Owns one ``Rule`` a form. The shape of the value is in ``values``, the judgement in ``judge``.
"""

import re

from cursor_replay.scrub.rules.judge import (
    LONGEST,
    spares_argument,
    spares_string,
)
from cursor_replay.scrub.rules.names import QUICK, written
from cursor_replay.scrub.rules.rule import MASK, Rule, compiled
from cursor_replay.scrub.rules.shells import is_key
from cursor_replay.scrub.rules.values import BARE, QUOTED, lines_of, pairs_of, string_of

_QUOTE = r"\\{0,7}[\"']"
_NEW_LINE = r"(?:\n|\\{1,7}n)"
_SOURCED = re.compile(r"\d{1,3}\Z|(?:pass|env|file|fd):")
_FLAG_KEYS = written(dash="-?", many=True)


def _spares_flag(text: str, found: re.Match[str]) -> bool:
    start, end = found.span(found.lastindex or 0)
    value = text[start:end]
    if is_key(text, end) or _SOURCED.match(value):
        return True  # the string ends in a flag; --pass 2, -pass env:X
    if found["bare"] is None:
        return text.startswith("-", start) or spares_string(text, found)
    gap = text[found.end("key") : start]
    if re.search(_NEW_LINE, gap) or text[found.start() + 1] != "-":
        return value.isalpha() or spares_argument(value[:LONGEST])
    metavar = value.replace("_", "").isalpha() and value.isupper()
    listed = gap[0] not in " \t,"
    if gap[0] == ",":  # a list in a label: [deploy, --token, x]
        listed = text[end : end + 1] not in ("]" if value.isalpha() else ",]\n")
        listed = listed or value == found["key"]
    return metavar or listed or spares_argument(value[:LONGEST])


_FLAG = Rule(
    id="flag",
    pattern=compiled(
        rf"(?:--(?!-)(?<!---)[a-z0-9-]{{0,40}}?|(?<=[ \t\"'])-)"
        rf"(?P<key>{_FLAG_KEYS}|(?<=-)(?:pass|pw))"
        rf"(?:[ \t]{{1,8}}|,[ \t]{{1,8}}|{_QUOTE},[ \t\n]{{0,8}}"
        rf"|(?:{_QUOTE})?{_NEW_LINE}[ \t]{{0,40}}-[ \t]{{1,4}})(?:{QUOTED}|(?!-){BARE})"
    ),
    keywords=("token", "pass", "pw", "secret", "key", "credential", "cookie"),
    trigger=(
        "--[A-Za-z0-9-]*(?i:token|pass|pw|secret|key|credential|cookie)"
        "|[ \t\"']-(?i:token|pass|pw|secret|api|access)"
    ),
    folded=True,
    hits=pairs_of(
        r"""
        x --token «abc» -y
        x --password «hunter2»
        x --api-key '«a b»' y
        x --db-password «abc»
        x --pass «hunter2»
        x -pw «hunter2» y
        Get-X -Password "«a b»" -Token «zk7Qm2Lx9»
        {"a": "args:\n  - --db-password\n  - «hunter2»\n"}
        ["--token", "«abc»"]
        [\"--client-secret\", \"«abc»\"]
        Foo argv=[deploy, --token, «a1b2»]
        Foo argv=[deploy, --token, «abc»]
        Foo argv=[deploy, --token, «a1b2», -v]
        """
    ),
    misses=lines_of(
        r"""
        x --token $TOKEN
        use --token to pass
        x --token <TOKEN>
        x [--token TOKEN]
        x --password-stdin y
        x --token --y
        x --max-tokens 5
        x --key value
        -----token x
        ["--password", password]
        add_argument("--token", "-t", help="x")
        the --user and --password options
        take --token, password or nothing
        with --token, x1 is read
        [--user, --password, --token]
        [--token, token]
        --api-key requires a model
        for flag in ('--auth-token','--local-store'):
        {"a": "x --secret", "description": "d"}
        {"a": "x --token","z": 1}
        ffmpeg -pass 1 -i x
        {"a": "add_argument(\"--token\", help=\"x1\")"}
        use -token flag
        """
    ),
    spares=_spares_flag,
)

_NAMES = written(many=True)
ESCAPED_QUOTE = r"\\{0,7}[\"']"
VALUE = "(?:" + "|".join(map(string_of, (0, 1, 3))) + ")"
GAP = r"(?:[ \t\n]|\\{1,7}[nrt])"


def _spares_member(text: str, found: re.Match[str]) -> bool:
    if found["bare"] is None:
        return spares_string(text, found)
    return spares_argument(text[slice(*found.span("bare"))][:LONGEST])


_MEMBER = Rule(
    id="named-value",
    pattern=compiled(
        rf"(?P<key>{_NAMES})(?:(?P<yaml>(?:{ESCAPED_QUOTE})?[ \t]{{0,4}}{_NEW_LINE}"
        rf"[ \t]{{1,40}}value:[ \t]{{1,4}})|"
        rf"(?:{ESCAPED_QUOTE}(?:,|{GAP}){{1,40}}"
        rf"|(?:{ESCAPED_QUOTE})?[ \t]{{0,8}}[:=][ \t]{{0,8}}\{{{GAP}{{0,40}})"
        rf"(?:{ESCAPED_QUOTE})?val(?:ue)?(?:{ESCAPED_QUOTE})?[ \t]{{0,4}}[:=][ \t]{{0,4}})"
        rf"(?:{VALUE}|(?(yaml){BARE}|(?!)))"
    ),
    keywords=("val",),
    trigger=(
        rf"{QUICK}(?:"
        r"\\*[\"'](?:,|[ \t\n]|\\+[nrtNRT])+"
        r"|[\\\"']*[ \t]*[:=][ \t]*\{(?:[ \t\n]|\\+[nrtNRT])*"
        r"|[\\\"']*[ \t]*(?:\n|\\+[nN])[ \t]+"
        r")[\\\"']*(?i:val(?:ue)?)[\\\"']*[ \t]*[:=]"
    ),
    folded=True,
    hits=(
        *pairs_of(
            r"""
        {"name": "GITHUB_TOKEN", "value": "«abc def»"}
        {"key":"DB_PASSWORD","value":"«x»"}
        {\"name\":\"api-key\",\"value\":\"«x\\\"y»\"}
        {\n \"name\": \"api_key\",\n  \"value\": \"«x»\"\n}
        {"password": {"value": "«abc»"}}
        {"name":"password","val":"«abc»"}
        Foo password={ "value": "«abc»" }
        {\"password\":{\n  \"value\": \"«abc»\"\n}}
        <input name="password" value="«abc»">
        <add key="ApiSecret" value='«abc»'/>
        """
        ),
        ("- name: DB_PASSWORD\n  value: abc", f"- name: DB_PASSWORD\n  value: {MASK}"),
        ('- name: TOKEN\n  value: "a b"', f'- name: TOKEN\n  value: "{MASK}"'),
        (
            r'{"a": "- name: PASSWORD\n  value: abc\n"}',
            rf'{{"a": "- name: PASSWORD\n  value: {MASK}\n"}}',
        ),
        ('"name": "TOKEN",\n  "value": "abc"', f'"name": "TOKEN",\n  "value": "{MASK}"'),
    ),
    misses=lines_of(
        """
        {"name": "TOKEN", "value": "${TOKEN}"}
        {"name": "TOKEN", "value": ""}
        {"name": "tokens", "value": "abc"}
        <option name="password" value="">
        {"token", "value": x}
        """
    ),
    spares=_spares_member,
)


def _spares_netrc(text: str, found: re.Match[str]) -> bool:
    return spares_argument(text[slice(*found.span(1))][:LONGEST])


_NETRC = Rule(
    id="netrc",
    pattern=compiled(
        r"(?:machine[ \t]{1,8}[^\s\"']{1,256}|default)[ \t\n]{1,8}"
        r"login[ \t]{1,8}[^\s\"']{1,256}"
        r"(?:[ \t\n]{1,8}account[ \t]{1,8}[^\s\"']{1,256})?"
        r"[ \t\n]{1,8}password[ \t]{1,8}([^\s\"'\\]++)"
    ),
    keywords=("machine", "default"),
    trigger=r"(?:machine[ \t]+[^ \t\n]+|default)[ \t\n]+login",
    hits=(
        *pairs_of(
            """
            machine git.example login joe password «a1b2» x
            machine git.example login joe account x password «a1b2»
            default login joe password «a1b2»
            """
        ),
        ("machine h\n  login j\n  password ab\nb", f"machine h\n  login j\n  password {MASK}\nb"),
    ),
    misses=(
        "the machine login needs a password here",
        "login joe password",
        "machine {host} login token password {auth_token}",
    ),
    spares=_spares_netrc,
)


MEMBERS: tuple[Rule, ...] = (_FLAG, _MEMBER, _NETRC)
