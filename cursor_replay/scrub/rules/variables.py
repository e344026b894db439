"""Secrets in the variables of shells and Makefiles: ``setenv X x``, ``X ?= x``, ``${X:-x}``.

Owns the forms in which no ``=`` or ``:`` stands right behind the name; those are in ``assign``.
"""

import re

from cursor_replay.scrub.rules.names import QUICK, written
from cursor_replay.scrub.rules.rule import Rule
from cursor_replay.scrub.rules.shells import BEGIN, WORD, spares_word
from cursor_replay.scrub.rules.statements import LINE, statement

_NAME = rf"\w{{0,40}}?(?P<key>{written(dash='_?')})\w{{0,8}}"


def _spares_repeated(text: str, found: re.Match[str]) -> bool:
    """Whether a word is harmless, or says what its name says: ``${PASSWORD:-password}``."""
    value = text[slice(*found.span(found.lastindex or 0))]
    return value.lower() == found["key"] or spares_word(text, found)


def _spares_added(text: str, found: re.Match[str]) -> bool:
    """Whether a variable is none of a Makefile, or gets another variable."""
    start, end = found.span(found.lastindex or 0)
    quoted = text[start - 1] in "\"'"
    lettered = not any(map(str.isdecimal, text[start:end]))
    constant = text[slice(*found.span("key"))].isupper()
    return not constant or (not quoted and lettered) or _spares_repeated(text, found)


VARIABLES: tuple[Rule, ...] = (
    statement(
        "set-variable",
        rf"(?:{LINE}(?:env|arg)|{BEGIN}(?:setx(?: /m)?|setenv|set -[a-z]{{1,4}}))[ \t]{{1,4}}"
        rf"{_NAME}[ \t]{{1,4}}{WORD}",
        "env arg setx set",
        r"(?:\A|\n[+-]?|\\n)[ \t]*(?i:env|arg)[ \t]|(?i:setx|setenv|set -[a-z]+)[ \t]",
        kind="secret",
        hits=r"""
            ENV DB_PASSWORD «a1b2»
            setx API_KEY «a1b2»
            setx /M API_KEY "«a1 b2»"
            setenv DB_PASSWORD '«swordfish»'
            set -gx DB_PASSWORD "«swordfish»"
            {"a": "ok\nsetenv DB_PASSWORD «swordfish»\nx"}
        """,
        misses="""
            ENV DB_PASSWORD $PASS
            setx API_KEY %KEY%
            setenv DB_PASSWORD $PASS
            set -e; echo x
        """,
    ),
    statement(
        "set-item",
        rf"(?:\$\{{env:{_NAME}\}}[ \t]{{0,8}}=[ \t]{{0,8}}"
        rf"|(?:set|new)-item[ \t]{{1,4}}(?:-path[ \t]{{1,4}})?(?:\\{{0,7}}[\"'])?env:\\{{0,4}}"
        rf"{_NAME.replace('?P<key>', '')}(?:\\{{0,7}}[\"'])?[ \t]{{1,4}}(?:-value[ \t]{{1,4}})?)"
        rf"{WORD}",
        "env:",
        r"(?i:\{env:|[ '\"]env:[a-z_\\])",
        kind="secret",
        spares=spares_word,
        hits=r"""
            ${env:DB_PASSWORD} = '«swordfish»'
            Set-Item -Path Env:DB_PASSWORD -Value '«swordfish»'
            New-Item Env:\API_TOKEN "«a b»"
        """,
        misses="""
            ${env:DB_PASSWORD} = $x
            Set-Item Env:HOME x
        """,
    ),
    statement(
        "make-variable",
        rf"{LINE}(?:export )?{_NAME}[ \t]{{0,8}}(?:\?|\+|::{{1,2}})=[ \t]{{0,8}}{WORD}",
        "?= += ::=",
        rf"{QUICK}[A-Za-z0-9_]*[ \t]*(?:\?|::{{1,2}}|\+)=",
        kind="secret",
        spares=_spares_added,
        hits="""
            DB_PASSWORD ?= «hunter2»
            DB_PASSWORD ::= «hunter2»
            API_KEY += "«a b»"
        """,
        misses="""
            DB_PASSWORD ?= $(PASS)
            token += "a1"
            SECRET += X
        """,
    ),
    statement(
        "variable-default",
        rf"{_NAME}=(?:\\{{0,7}}[\"'])?\$\{{\w{{1,40}}:?[-=]"
        r"([^{}\n\"'\\$]{1,128})(?=\})",
        "${",
        rf"{QUICK}[A-Za-z0-9_]*=[\\\"']*\$\{{",
        kind="secret",
        spares=spares_word,
        hits=r"""
            DB_PASSWORD="${DB_PASS-«swordfish»}"
            PASSWORD=${1:-«a b»}
            {"a": "API_KEY=\"${X-«a1»}\""}
        """,
        misses="""
            ${DB_PASSWORD:-}
            DB_PASSWORD=${1:-$OTHER}
            ${DB_PASSWORD-}
        """,
    ),
)
