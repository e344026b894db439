"""Whether a value given to a secret-looking name is a secret, or code, prose or a placeholder.

Owns the judgement alone; the names and the pattern that finds the values are in ``assign``. A
letters-only value is judged by its neighbours, for ``secret: x`` on a line of YAML is a secret
and ``token: the one`` is prose.
"""

import re

from cursor_replay.scrub.marks import PATTERN, ends_mark
from cursor_replay.scrub.rules.quotes import ends_code, is_inside
from cursor_replay.scrub.rules.words import is_random_word

LONGEST = 256
"""Longer values are never spared: no caption, placeholder or expression is that long."""

_CODE_WORDS = """
    null none nil undefined true false nan yes no on off n/a empty str string int integer number
    bool boolean bytes bytearray any object optional char varchar text float double required
    unknown never void readonly eof secretstr secretbytes list dict array buffer uint8array type
    union literal new await async lambda not typeof function func yield return if class
"""
_PROSE_WORDS = """
    bearer basic digest aws4-hmac-sha256 apikey negotiate oauth hawk signature to is the a an and
    or for from in of with as be was are must can will when where flag option argument value
    requires needs takes expects sets wrong incorrect invalid missing expired rejected denied
    inherit read write flags options arguments values
"""
_FETCH_MODES = ("include", "omit", "same-origin")
_CODE_NAMES = frozenset(_CODE_WORDS.split())
_WORDS = _CODE_NAMES | frozenset(_PROSE_WORDS.split())
_TEMPLATE = r"\$\{[^}]*\}|\$\([^)]*\)|\$\w+|\{\{?[^}]*\}?\}|<[^>]*>|%\w+%?|%\(\w+\)s"
_PLACEHOLDER = re.compile(
    rf"(?:(?:(?:{_TEMPLATE})[-:/@.,+ ]{{0,3}}){{1,9}}|[-*.•_?#…~]+|x{{3,}}|#[0-9a-f]{{3,8}}"
    rf"|your[-_ ][\w -]{{1,60}}|{PATTERN}|(?:\\{{1,7}}[nrt])+"
    r"|\((?:sensitive(?: value)?|hidden|masked|redacted|known after apply)\)|\[filtered\]|redacted"
    r"|change[-_ ]?(?:me|it|this)!?|__\w{1,60}__|\[[A-Z_]{2,12}\]|<?\|\w{1,30}\|>?|#\{[^}]*\}"
    r"|(?:current|new|old)-password"
    # What names the place of a secret.
    r"|(?:vault|op|arn|env|ssm|sops|file|keyring|doppler)(?:://|:)[\w:/{}$.#@-]{1,256}"
    # A mark that was cut.
    r"|\[redact(?:e|ed[:a-z0-9#+-]{0,60})?…?)",
    re.IGNORECASE,
)
_INTERPOLATION = re.compile(r"\$\{[^}]{1,80}\}|\{\{[^}]{1,80}\}\}")
_OPENING = re.compile(
    r"\$(?:[A-Za-z_]\w*+(?!\$)|[{(]|\Z)|[\[<{(]|%[({]|%\w+%?\Z|!(?:secret|ref|sub|vault)\b",
    re.IGNORECASE,
)
_SCHEMED = re.compile(
    rf"(?:bearer|basic|token|digest|bot)(?:\s+(?:{PATTERN}|{_TEMPLATE}))?", re.IGNORECASE
)
_CODE = re.compile(r"[@:]?!{0,2}+[A-Za-z_$][\w$]*+(?:(?:\??\.#?|::|->)[A-Za-z_$][\w$]*+)*+")
# What stands in scripts only: !0, a regular expression, a choice of two names.
_SCRIPT = re.compile(
    r"![01]\Z|!{1,2}[A-Za-z_$.]+\Z|void 0\Z|/[\^(\[\\]|class\{|(?:null|undefined)(?:[!=]==|\})"
    r"|[A-Za-z_$][\w$]{0,2}(?:\|\||&&|[!=]==|[\])}](?:[a-z.]|\Z))|[a-z]{2,12}\}[a-z]{2,12}\b"
    r"|[A-Za-z_$][\w$]{0,2}(?:\.[\w$]+)*[?][\w$.\"'(\[!]"
)
# What names a secret: a constant, a header, a type.
_NAMING = re.compile(r"[A-Z]+(?:_[A-Z]+)+|_[A-Z][A-Za-z]+")
_HEADER_NAME = re.compile(r"x(?:-[a-z]+){2,}", re.IGNORECASE)
_SCOPE = re.compile(r"[a-z]{4,}(?:[.-][a-z]+)*")
_CODE_OPERATORS = ("==", "===", "=>")
_NUMBER = re.compile(
    r"-?(?:0[xX][0-9A-Fa-f]{1,8}|\d[\d_]*+(?:\.\d++)?(?:[eE][+-]?\d{1,3}|[kKmM%])?)"
)
_PATH = re.compile(
    r"(?:~|\.{1,2})/|/(?:home|users|root|etc|var|tmp|opt|usr|run|srv|mnt|app|dev|workspace)\b"
    r"|https?://",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"(?:[^\W\d_]|[ ,'’/:.?!-])+")  # noqa: RUF001 - captions are typeset
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*[.,!?]*")
_QUOTE = re.compile(r"\\{0,7}[\"'`]")
_NAME = re.compile(r"[\w-]+\Z")
_CALL = re.compile(r"[A-Za-z_][\w.]*[(\[](?:[a-z_.)\]\"']|\Z)|[a-z_]+(?:\.[a-z_]+)+\Z")
_PASSWD_LINE = re.compile(r"[x*!]:\d{1,6}(?::|\Z)")
_LINE_END = re.compile(r"[ \t]*+(?:#|//|\\{0,7}[\"'`]|\\{1,8}[nr]|[\n\r]|\Z)")
_ARGUMENT_END = re.compile(r"\s*+\)|,(?:\s|\Z)")


_VERSION = re.compile(
    r"(?:[~^]|[<>=]{1,2} ?)?v?\d{1,5}(?:\.(?:\d{1,8}|[x*])){1,3}(?:[-+][\w.+-]{1,40})?"
)
_MIXED = re.compile(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[^\s/.:]{8,}.*", re.DOTALL)


def is_mixed(value: str) -> bool:
    """Whether ``value`` is long and random: no word, name, version, path or address."""
    value = value[:LONGEST]
    random = _MIXED.match(value) is not None or is_random_word(value)
    return random and not spares_argument(value)


def is_version(value: str) -> bool:
    """Whether ``value`` is the version of a package, or a range of versions."""
    return _VERSION.fullmatch(value) is not None


def is_placeholder(value: str) -> bool:
    """Whether ``value`` is no secret whatever its name: empty, without letters, a template."""
    bare = value.strip()
    if not any(map(str.isalnum, bare)) or _PLACEHOLDER.fullmatch(bare) is not None:
        return True
    rest, count = _INTERPOLATION.subn("", bare)
    return bool(count) and len(rest) <= 12 and not any(map(str.isdecimal, rest))


def spares_string(text: str, found: re.Match[str]) -> bool:
    """Whether a quoted value is harmless: a word, a scheme, or a caption that repeats its key."""
    start, end = found.span(found.lastindex or 0)
    if is_named_by_mark(text, found) or _is_no_value(text, found, start):
        return True
    value, key = text[start:end], found["key"]
    if end - start > LONGEST:
        return False
    if is_placeholder(value) or is_version(value) or _is_named(value):
        return True
    if value.strip().lower() in _CODE_NAMES | {key, *_FETCH_MODES}:
        return True
    if key == "token" and _is_scope(text, found, value):
        return True
    return key in value.lower() and _is_about_key(text, found, value)


def _is_no_value(text: str, found: re.Match[str], start: int) -> bool:
    """Tell quotes behind a name that hold code, or end the string in which the name stands."""
    sep = found.groupdict().get("sep")
    if sep == ">":
        return True  # what is in quotes behind a tag is an attribute, or another value
    if sep in ("==", "===") and text[start : found.end(found.lastindex or 0)].isalpha():
        return True  # a comparison with a word, as in lexers
    if _QUOTE.match(text, _end_of_name(found)):
        return False  # it opened in front of the name
    if sep and ends_code(text, found.start(), found.end("sep"), start - 1):
        return True
    value = text[start : start + LONGEST].lstrip()
    return _is_operator(value) and is_inside(text, found.start(), start - 1)


def _is_about_key(text: str, found: re.Match[str], value: str) -> bool:
    """Tell a constant, a type or a caption that has its key in it."""
    if _NAMING.fullmatch(value) or _repeats(text, found, value):
        return True  # AWS_SECRET_KEY = "AWS_SECRET_KEY"
    if "." in value and _CODE.fullmatch(value):
        return not any(map(str.isdecimal, value))  # 'Cookie': 'http.cookies'
    return " " in value and _CAPTION.fullmatch(value) is not None


def _repeats(text: str, found: re.Match[str], value: str) -> bool:
    """Tell a constant that has its own name: ``GRANT_TYPE_REFRESH_TOKEN = "refresh_token"``."""
    name = text[max(0, found.start() - 64) : _end_of_name(found)]
    own = _NAME.search(name)
    same = value.isascii() and own and _plain(value) in _plain(own[0])
    return bool(same) and len(value) > len(found["key"])


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _is_named(value: str) -> bool:
    """Tell a scheme without its secret, and the name of a header."""
    return bool(_SCHEMED.fullmatch(value.strip()) or _HEADER_NAME.fullmatch(value))


def _is_scope(text: str, found: re.Match[str], value: str) -> bool:
    """Tell the token of a syntax highlighter, ``{token: "comment"}``, by its unquoted key."""
    before, after = text[found.start() - 1 : found.start()], text[found.end("key")]
    return after == ":" and not before.isalnum() and _SCOPE.fullmatch(value) is not None


def _is_operator(value: str) -> bool:
    """Tell code behind a closing quote, ``"token=" + x``, from a secret that begins with a sign."""
    return value[:1] in "),+]:;.%}" and not (len(value) >= 16 and value[1].isalnum())


def is_named_by_mark(text: str, found: re.Match[str]) -> bool:
    """Whether the key is the last word of a mark: ``[redacted:github-token]: x``."""
    end = found.end("key")
    return text[end : end + 1] == "]" and ends_mark(text, end + 1)


def _end_of_name(found: re.Match[str]) -> int:
    return max(found.end("key"), found.end("ending") if "ending" in found.groupdict() else 0)


def spares_bare(text: str, found: re.Match[str]) -> bool:
    """Whether the unquoted value of an assignment is harmless (see ``assign.SEPARATOR``)."""
    start, end = found.span("bare")
    value = text[start:end]
    if is_named_by_mark(text, found):
        return True
    if end - start > LONGEST:
        return False
    if text[found.end("key")] == "]" and _CODE.fullmatch(value):
        return True  # runs[self.token] = run
    if found["key"].startswith("cookie") and found["sep"] == ":" and _WORD.fullmatch(value):
        return True  # a header has pairs
    if _PASSWD_LINE.match(value):
        return True
    if found["sep"] in _CODE_OPERATORS or spares_argument(value):
        return True
    if _is_code(value, text[end : end + 1], found["key"]) and not _is_variable_of_shell(
        text, found
    ):
        return True
    if found["sep"] == ">":
        tag = text[end : end + 64].lower().partition(">")[0]
        return not (tag.startswith("</") and tag.endswith(found["key"]))
    if _NUMBER.fullmatch(value):
        return _is_count(text, found, value)
    return _is_name(value) and _is_variable(text, found)


def _is_variable_of_shell(text: str, found: re.Match[str]) -> bool:
    """Tell ``DB_PASSWORD=Ab1(x)`` by its capitals: what stands there is no code but a call."""
    name = text[found.start() : found.end("key")]
    tight = found["sep"] == "=" and found.end("key") == found.start("sep")
    value = found["bare"]
    call = _CALL.match(value) is not None or (
        tight and "(" in text[found.end("bare") : found.end("bare") + 1]
    )
    return name.isupper() and tight and found.end("sep") == found.start("bare") and not call


def spares_argument(value: str) -> bool:
    """Whether a bare value is harmless wherever it stands: a word, a variable, a path, a URL."""
    return bool(
        is_placeholder(value)
        or is_version(value)
        or value.lower().rstrip(".!") in _WORDS
        or _OPENING.match(value)
        or _PATH.match(value)
    )


def _is_code(value: str, follows: str, key: str) -> bool:
    """Tell calls, subscripts, dotted names, and names that repeat their key."""
    if _SCRIPT.match(value) or (follows == ">" and _CODE.fullmatch(value.removesuffix("="))):
        return True
    value = value.rstrip("!.")  # what TypeScript asserts, or what was cut
    found = _CODE.match(value)
    if not found:
        return False
    rest = value[found.end() : found.end() + 1] or follows
    if rest in ("(", "[") or value.startswith("??", found.end()):
        return True
    name = value.replace("-", "_").lower()
    lettered = not any(letter.isdecimal() for letter in value)
    dotted = any(mark in found[0] for mark in (".", "::", "->"))
    return found.end() == len(value) and lettered and (dotted or key.replace("-", "_") in name)


def _is_count(text: str, found: re.Match[str], value: str) -> bool:
    """Tell a number that is a limit, or that a JSON reader needs to stay a number."""
    sep = found.start("sep")
    if text[max(0, sep - 8) : sep].rstrip()[-1:] in ('"', "'"):
        return True
    return len(value) < (4 if _is_password(found) else 11)


def _is_name(value: str) -> bool:
    return value.rstrip(":.!?").replace("_", "").replace("$", "").isalpha()


def _is_password(found: re.Match[str]) -> bool:
    return str(found["key"]).startswith(("pass", "pwd", "PW"))


def _is_variable(text: str, found: re.Match[str]) -> bool:
    """Tell by its neighbours whether a letters-only value is a variable or prose."""
    end = found.end("bare")
    tight = found.end("sep") == found.start("bare")
    if not tight and found["sep"] == "=" and text[found.start() - 1 : found.start()] == ".":
        return True  # an attribute gets a value: self.passwd = passwd_mgr
    if found["sep"] == "=" and tight and len(found["bare"]) <= 2:
        return text[found.start() - 1 : found.start()] == "."  # a.token=b, in a script
    if found["sep"] == "=" and tight:
        return _ARGUMENT_END.match(text, end) is not None
    if text[max(0, found.start() - 11) : found.start()].lower() == "unexpected ":
        return True
    if found["sep"] == ":" or _is_password(found):
        return _LINE_END.match(text, end) is None
    return True
