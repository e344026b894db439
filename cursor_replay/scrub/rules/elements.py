"""Secrets in the elements of XML, HTML and property lists: ``<password>…</password>``.

Owns one ``Rule`` a form. A tag may be written with ``&lt;``. The value goes on to the closing tag,
whatever stands in it; what is prose, a type or a placeholder is judged here.
"""

import re

from cursor_replay.scrub.rules.judge import LONGEST, is_mixed, is_placeholder, spares_argument
from cursor_replay.scrub.rules.members import ESCAPED_QUOTE, GAP
from cursor_replay.scrub.rules.names import QUICK, SUFFIX, written
from cursor_replay.scrub.rules.rule import Rule, compiled
from cursor_replay.scrub.rules.values import lines_of, pairs_of, string_of

_NAMES = written(many=True)
_VALUE = "(?:" + "|".join(map(string_of, (0, 1, 3, 7))) + ")"
_LT = "(?:<|&lt;)"
_GT = "(?:>|&gt;)"
_END = rf"{_LT}\\?/"
_ATTRIBUTES = rf"(?:(?:\s|\\{{1,7}}[nt])[^<>]{{0,200}}?)?{_GT}"
_TEXT = (
    rf"{GAP}{{0,20}}(?:<!\[cdata\[((?:(?!\]\]>)[^\n]){{1,512}}+)\]\]>"
    r"|((?:(?!&lt;)[^<\n]){1,512}+))"
)
_ENCODED = re.compile(r"\{[A-Za-z0-9+/]{20,}={0,2}\}")
"""A password as Maven keeps it, in braces."""
_ENDS_STRING = re.compile(r"\\{0,7}\"[ \t]?(?:,[ \t]?[\\\"{\[]|[}\]]|:[ \t]?[\\\"{\[\d])")
_TYPE = re.compile(r"\w{1,40}\([\w, ]{0,20}\)")
_HOLDERS = "string|property|entry|param|parameter|setting|variable|env|item|field|attribute|value"
_CODES = r"(?:<(?:code|b|strong|span|pre|tt|em)\b[^<>]{0,80}>)?"


_PROSE = re.compile(r"(?:[^\W\d_]|[ ,;.:?!()'’/&-])++")  # noqa: RUF001 - captions are typeset


def is_prose(value: str) -> bool:
    """Whether ``value`` is some words without a number."""
    return " " in value and _PROSE.fullmatch(value) is not None


def _value(text: str, found: re.Match[str]) -> str:
    return text[slice(*found.span(found.lastindex or 0))].strip()


def _spares_text(text: str, found: re.Match[str]) -> bool:
    """Whether the text of an element is empty, prose, a placeholder or no text of it at all."""
    value = _value(text, found)
    if len(value) > LONGEST or _ENCODED.fullmatch(value):
        return False
    if _ENDS_STRING.search(value) and _is_json(text, found.start()):
        return True  # the closing tag stands in another string
    low = value.lower()
    return is_prose(value) or low == found["key"] or is_placeholder(value) or _is_word(value)


def _is_word(value: str) -> bool:
    return value[0] not in "[({<" and spares_argument(value)


def _is_json(text: str, start: int) -> bool:
    line = text[max(0, start - 4 * LONGEST) : start].rpartition("\n")[2]
    return line.lstrip()[:1] in ("{", "[", '"')


def _spares_named(text: str, found: re.Match[str]) -> bool:
    """Whether a text is harmless where a name may also be the key of a translation."""
    caption = found["tag"] == "string" and _value(text, found).isalpha()
    return caption or _spares_text(text, found)


def _spares_neighbour(text: str, found: re.Match[str]) -> bool:
    """Whether what stands behind a name is harmless; a cell of a table may be anything."""
    value = _value(text, found)
    if found["tag"] in ("key", "name"):
        return _spares_text(text, found)
    random = any(map(str.isdecimal, value)) or is_mixed(value)
    return " " in value or not random or bool(_TYPE.match(value)) or _spares_text(text, found)


_ELEMENT = Rule(
    id="element",
    kind="secret",
    pattern=compiled(
        rf"{_LT}(?:[\w.-]{{1,40}}:)?[\w.-]{{0,40}}?(?P<key>{_NAMES})(?:{SUFFIX})?{_ATTRIBUTES}"
        rf"{_TEXT}{GAP}{{0,20}}{_END}[\w.:-]{{0,80}}?(?P=key)"
    ),
    keywords=("</", "<\\/", "&lt;/", "&lt;\\/"),
    trigger=rf"(?:<|(?i:&lt;))\\?/[A-Za-z0-9_.:-]*{QUICK}",
    folded=True,
    hits=pairs_of(
        r"""
        <password>«a"b, c»</password>
        <Password>«hunter2!»</Password>
        <a><db:password>«a"}b»</db:password></a>
        <password type="x">«correct-horse»</password>
        <wsse:Password Type="x#PasswordText">«S3cure»</wsse:Password>
        <password>«{COQLCE6DU6GtcS5PCOQLCE6DU6GtcS5P=}»</password>
        <password><![CDATA[«a<b]c»]]></password>
        &lt;password&gt;«a"b»&lt;/password&gt;
        {"xml": "<apiKey kind=\"x\">«a\"b, c»</apiKey>", "exit": 0}
        {"xml": "<password>\n  «ab c1»<\/password>", "exit": 0}
        """
    ),
    misses=lines_of(
        r"""
        <password></password>
        <password>${db.password}</password>
        <password>password</password>
        <password>Enter it again</password>
        <label for="password">Password</label>
        <th>password</th>
        <Password>{children}</Password>
        {"a": "<password>", "b": "x</password>"}
        """
    ),
    spares=_spares_text,
)

_NAMED = Rule(
    id="named-element",
    kind="secret",
    pattern=compiled(
        rf"{_LT}(?P<tag>{_HOLDERS})\s[^<>]{{0,200}}?\b(?:name|key)={ESCAPED_QUOTE}"
        rf"[\w.:/-]{{0,60}}?(?P<key>{_NAMES})(?:{SUFFIX})?{ESCAPED_QUOTE}[^<>/]{{0,100}}{_GT}"
        rf"(?:{GAP}{{0,20}}<value>)?{_TEXT}{GAP}{{0,20}}{_END}"
    ),
    keywords=("name=", "key="),
    trigger=rf"<(?i:{_HOLDERS})[ \t\n]|(?i:&lt;(?:string|prop|entry|param))",
    folded=True,
    hits=pairs_of(
        r"""
        <string name="api_key">«zk7Qm2Lx9»</string>
        <property name="hibernate.connection.password">«swordfish»</property>
        <property name="password"><value>«a, b1»</value></property>
        <entry key="password">«hunter2!»</entry>
        {"xml": "<entry key=\"password\">«hunter2!»</entry>", "exit": 0}
        """
    ),
    misses=lines_of(
        """
        <string name="password">Passwort</string>
        <string name="prompt_password">Password (optional)</string>
        <property name="password">${db.password}</property>
        <field name="password">password</field>
        """
    ),
    spares=_spares_named,
)

_NEIGHBOUR = Rule(
    id="neighbour-element",
    kind="secret",
    pattern=compiled(
        rf"<(?P<tag>key|name|td|th|dt)(?:\s[^<>]{{0,80}})?>{_CODES}[\w .-]{{0,40}}?"
        rf"(?P<key>{_NAMES})(?:{SUFFIX})?:?(?:<\\?/(?:code|b|strong|span|pre|tt|em)>)?"
        rf"<\\?/(?P=tag)>{GAP}{{0,20}}<(?:string|value|td|dd)(?:\s[^<>]{{0,80}})?>{_CODES}{_TEXT}"
        rf"{GAP}{{0,20}}{_END}"
    ),
    keywords=("<key", "<name", "<t", "<dt"),
    trigger=rf"{QUICK}[A-Za-z0-9_]*:?<\\?/",
    folded=True,
    hits=(
        *pairs_of(
            r"""
            <key>API_KEY</key><string>«swordfish»</string>
            <name>db.password</name> <value>«swordfish»</value>
            <td>password</td><td>«hunter2!»</td>
            <tr><th>Password</th><td><code>«hunter2!»</code></td></tr>
            <dt>Password:</dt><dd>«zk7Qm2Lx9»</dd>
            {"a": "<key>password</key>\n\t<string>«swordfish»</string>\n"}
            """
        ),
        (
            "<key>password</key>\n<string>a b1</string>",
            "<key>password</key>\n<string>[redacted]</string>",
        ),
    ),
    misses=lines_of(
        """
        <th>password</th><td>the one</td>
        <td>password</td><td>varchar(255)</td>
        <td>token</td><td>string</td>
        <key>password</key><string></string>
        """
    ),
    spares=_spares_neighbour,
)


def _spares_attribute(text: str, found: re.Match[str]) -> bool:
    value = _value(text, found)[:LONGEST]
    if value.startswith(("<%", "<?")):
        return True
    return not value or is_prose(value) or is_placeholder(value) or value.lower() == "password"


_NAMING = rf"(?:name|id|property)={ESCAPED_QUOTE}[\w.\[\]:-]{{0,40}}?(?:{_NAMES})\b"
_BUTTONS = "submit|button|checkbox|radio|reset|image"
_ATTRIBUTE = Rule(
    id="field-value",
    kind="secret",
    pattern=compiled(
        rf"{_LT}(?:input|meta)\s(?=[^<>]{{0,400}}?\b(?:type=(?:{ESCAPED_QUOTE})?password|{_NAMING}))"
        rf"(?![^<>]{{0,400}}?\btype=(?:{ESCAPED_QUOTE})?(?:{_BUTTONS}))"
        rf"[^<>]{{0,400}}?\b(?:value|content)={_VALUE}"
    ),
    keywords=("input", "meta"),
    trigger=r"(?i:(?:<|&lt;)(?:input|meta))[ \t\n]",
    folded=True,
    hits=pairs_of(
        r"""
        <input type="password" class="x" value="«hunter2!»">
        <input value="«hunter2!»" type=password>
        <input type='hidden' id="csrf_token" value='«a1»'/>
        <meta content="«zk7Qm2Lx9»" name="csrf-token">
        {"a": "<input type=\"password\" value=\"«hunter2!»\">", "b": 0}
        """
    ),
    misses=lines_of(
        """
        <input type="password" value="">
        <input type="password" value="{{ password }}">
        <input type="text" name="tokenizer" value="x1">
        <meta name="csrf-token" content="<%= token %>">
        """
    ),
    spares=_spares_attribute,
)

ELEMENTS: tuple[Rule, ...] = (_ELEMENT, _NAMED, _NEIGHBOUR, _ATTRIBUTE)
