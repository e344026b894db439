"""Secrets whose name stands apart: flags, name and value members, netrc, lists.

Owns one ``Rule`` a form. The shape of the value is in ``values``, the judgement in ``judge``.
"""

import re

from cursor_replay.scrub.judge import (
    LONGEST,
    is_mixed,
    spares_argument,
    spares_string,
)
from cursor_replay.scrub.marks import PATTERN
from cursor_replay.scrub.names import QUICK, SUFFIX, written
from cursor_replay.scrub.rule import MASK, Rule
from cursor_replay.scrub.values import BARE, QUOTED, lines_of, pairs_of, string_of

_FLAG_KEYS = written(dash="-?", many=True)


def _spares_flag(text: str, found: re.Match[str]) -> bool:
    if found["bare"] is None:
        is_flag = text.startswith("-", found.start(found.lastindex or 0))
        return is_flag or spares_string(text, found)
    value = text[slice(*found.span("bare"))]
    metavar = value.replace("_", "").isalpha() and value.isupper()
    gap = text[found.end("key") : found.start("bare")]
    listed = gap[0] not in " \t,"
    if gap[0] == ",":  # a list in a label: [deploy, --token, x]
        end = found.end("bare")
        listed = text[end : end + 1] not in ("]" if value.isalpha() else ",]\n")
        listed = listed or value == found["key"]
    return metavar or listed or spares_argument(value[:LONGEST])


_FLAG = Rule(
    id="flag",
    pattern=re.compile(
        rf"--(?!-)(?<!---)[a-z0-9-]{{0,40}}?(?P<key>{_FLAG_KEYS})"
        rf"(?:[ \t]{{1,8}}|,[ \t]{{1,8}}|\\{{0,7}}[\"'],[ \t\n]{{0,8}})(?:{QUOTED}|(?!-){BARE})"
    ),
    keywords=("token", "pass", "pwd", "secret", "key", "credential", "cookie"),
    trigger="--[A-Za-z0-9-]*(?i:token|pass|pwd|secret|key|credential|cookie)",
    folded=True,
    hits=pairs_of(
        r"""
        x --token «abc» -y
        x --password «hunter2»
        x --api-key '«a b»' y
        x --db-password «abc»
        ["--token", "«abc»"]
        [\"--client-secret\", \"«abc»\"]
        Foo argv=[deploy, --token, «a1b2»]
        Foo argv=[deploy, --token, «abc»]
        Foo argv=[deploy, --token, «a1b2», -v]
        """
    ),
    misses=lines_of(
        """
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
        """
    ),
    spares=_spares_flag,
)

_NAMES = written(many=True)
_ESCAPED_QUOTE = r"\\{0,7}[\"']"
_VALUE = "(?:" + "|".join(map(string_of, (0, 1, 3))) + ")"
_GAP = r"(?:[ \t\n]|\\{1,7}[nrt])"


def _spares_member(text: str, found: re.Match[str]) -> bool:
    if found["bare"] is None:
        return spares_string(text, found)
    return spares_argument(text[slice(*found.span("bare"))][:LONGEST])


_MEMBER = Rule(
    id="named-value",
    pattern=re.compile(
        rf"(?P<key>{_NAMES})(?:"
        rf"(?:{_ESCAPED_QUOTE}(?:,|{_GAP}){{1,40}}"
        rf"|(?:{_ESCAPED_QUOTE})?[ \t]{{0,8}}[:=][ \t]{{0,8}}\{{{_GAP}{{0,40}})"
        rf"(?:{_ESCAPED_QUOTE})?val(?:ue)?(?:{_ESCAPED_QUOTE})?[ \t]{{0,4}}[:=][ \t]{{0,4}}{_VALUE}"
        rf"|(?:{_ESCAPED_QUOTE})?[ \t]{{0,4}}\n[ \t]{{1,40}}value:[ \t]{{1,4}}{BARE})"
    ),
    keywords=("val",),
    trigger=(
        rf"{QUICK}(?:"
        r"\\*[\"'](?:,|[ \t\n]|\\+[nrt])+"
        r"|[\\\"']*[ \t]*[:=][ \t]*\{(?:[ \t\n]|\\+[nrt])*"
        r"|[\\\"']*[ \t]*\n[ \t]+"
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
    pattern=re.compile(
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


def _spares_listed(text: str, found: re.Match[str]) -> bool:
    return not is_mixed(text[slice(*found.span(found.lastindex or 0))])


_LISTED_NAMES = rf"(?:token|{_NAMES})s?"
_LISTS = rf"(?:{_ESCAPED_QUOTE})?[ \t]{{0,4}}[:=][ \t]{{0,4}}[\[{{]{_GAP}{{0,40}}"
_ITEM_NAME = rf"(?:{_ESCAPED_QUOTE}[\w.-]{{1,64}}{_ESCAPED_QUOTE}[ \t]{{0,4}}:[ \t]{{0,4}})?"
_LISTED = Rule(
    id="listed-value",
    kind="secret",
    pattern=re.compile(
        # A list or an object of values: those in front of the first that is no mark are skipped.
        rf"(?P<key>{_LISTED_NAMES}){_LISTS}"
        rf"(?:{_ITEM_NAME}{_ESCAPED_QUOTE}{PATTERN}{_ESCAPED_QUOTE},{_GAP}{{0,40}}){{0,8}}+"
        r"(?:\{[^{}\n]{0,200}?(?=\\{0,7}[\"']value))?"
        rf"{_ITEM_NAME}{_VALUE}"
        # A pair in a list: [["X-Api-Key", "..."]]
        rf"|\[{_ESCAPED_QUOTE}[a-z_-]{{0,40}}?(?:{_NAMES}){_ESCAPED_QUOTE},{_GAP}{{0,8}}"
        rf"{_ESCAPED_QUOTE}([^\s\"'\\]{{8,256}})"
    ),
    keywords=("token", "pass", "secret", "key", "cookie", "pwd", "credential", "authorization"),
    trigger=(rf"{QUICK}[\\\"']*[ \t]*[:=][ \t]*[\[{{]|\[\\*[\"'][A-Za-z_-]*{QUICK}\\*[\"'],"),
    folded=True,
    hits=pairs_of(
        r"""
        password={ "a": "«zk7Qm2Lx9»" }
        secrets=["«zk7Qm2Lx9»", "«zk7Qm2Lx8»"]
        "cookies":[{"name":"sid","value":"«zk7Qm2Lx9»"}]
        cookies={'sid': '«zk7Qm2Lx9»'}
        [["X-Api-Key","«zk7Qm2Lx9»"]]
        """
    ),
    misses=lines_of(
        """
        "secrets": ["API_KEY", "DB_URL"]
        tokens = ["a", "b"]
        ["token", "value1"]
        """
    ),
    spares=_spares_listed,
)


def _spares_block(text: str, found: re.Match[str]) -> bool:
    value = text[slice(*found.span(found.lastindex or 0))][:LONGEST]
    prose = " " in value.strip() and not any(map(str.isdecimal, value))
    return prose or spares_argument(value.strip())


_NEW_LINE = r"(?:\n|\\{1,7}n)"
_BLOCK = Rule(
    id="block-value",
    kind="secret",
    pattern=re.compile(
        rf"(?P<key>{_NAMES})(?:{SUFFIX})?[\"']?:[ \t]{{0,8}}[|>][+-]?[ \t]{{0,8}}{_NEW_LINE}"
        r"(?P<indent>[+-]?[ \t]{1,40})"
        rf"([^\s\"'\\-][^\n\"'\\]*+(?:{_NEW_LINE}(?P=indent)[^\n\"'\\]++){{0,40}}+)"
    ),
    keywords=(":",),
    trigger=rf"{QUICK}[A-Za-z0-9_]*[\"']?:[ \t]*[|>]",
    folded=True,
    hits=(
        ("password: |\n  hunter2\nport: 1", f"password: |\n  {MASK}\nport: 1"),
        ("API_KEY: >-\n    abc1\n    def2\nx: y", f"API_KEY: >-\n    {MASK}\nx: y"),
        (
            r'{"a": "password: |\n  hunter2\nport: 1"}',
            rf'{{"a": "password: |\n  {MASK}\nport: 1"}}',
        ),
        ("+password: |\n+  hunter2\n+port: 1", f"+password: |\n+  {MASK}\n+port: 1"),
    ),
    misses=(
        "token: |\n  The token of the user.",
        "password: |\n  ${DB_PASSWORD}",
        "password: | yes",
    ),
    spares=_spares_block,
)

MEMBERS: tuple[Rule, ...] = (_FLAG, _MEMBER, _NETRC, _LISTED, _BLOCK)
