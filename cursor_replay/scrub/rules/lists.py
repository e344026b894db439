"""Secrets in the lists, objects and blocks that a name is given.

Owns one ``Rule`` a form. The shape of a value is in ``values``, the judgement in ``judge``.
"""

import re

from cursor_replay.scrub.marks import PATTERN
from cursor_replay.scrub.rules.judge import LONGEST, is_mixed, spares_argument
from cursor_replay.scrub.rules.members import ESCAPED_QUOTE, GAP, VALUE
from cursor_replay.scrub.rules.names import QUICK, SUFFIX, written
from cursor_replay.scrub.rules.rule import MASK, Rule, compiled
from cursor_replay.scrub.rules.values import lines_of, pairs_of

_NAMES = written(many=True)


def _spares_listed(text: str, found: re.Match[str]) -> bool:
    return not is_mixed(text[slice(*found.span(found.lastindex or 0))])


_LISTED_NAMES = rf"(?:token|{_NAMES})s?"
_LISTS = rf"(?:{ESCAPED_QUOTE})?[ \t]{{0,4}}[:=][ \t]{{0,4}}[\[{{]{GAP}{{0,40}}"
_ITEM_NAME = rf"(?:{ESCAPED_QUOTE}[\w.-]{{1,64}}{ESCAPED_QUOTE}[ \t]{{0,4}}:[ \t]{{0,4}})?"
_LISTED = Rule(
    id="listed-value",
    kind="secret",
    pattern=compiled(
        # A list or an object of values: those in front of the first that is no mark are skipped.
        rf"(?P<key>{_LISTED_NAMES}){_LISTS}"
        rf"(?:{_ITEM_NAME}{ESCAPED_QUOTE}{PATTERN}{ESCAPED_QUOTE},{GAP}{{0,40}}){{0,8}}+"
        r"(?:\{[^{}\n]{0,200}?(?=\\{0,7}[\"']value))?"
        rf"{_ITEM_NAME}{VALUE}"
        # A pair in a list: [["X-Api-Key", "..."]]
        rf"|\[{ESCAPED_QUOTE}[a-z_-]{{0,40}}?(?:{_NAMES}){ESCAPED_QUOTE},{GAP}{{0,8}}"
        rf"{ESCAPED_QUOTE}([^\s\"'\\]{{8,256}})"
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
    pattern=compiled(
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

LISTS: tuple[Rule, ...] = (_LISTED, _BLOCK)
