"""Whether a value given to a secret-looking name is a secret, or code, prose or a placeholder.

Owns the judgement alone; the names and the pattern that finds the values are in ``assign``. A
letters-only value is judged by its neighbours, for ``secret: x`` on a line of YAML is a secret
and ``token: the one`` is prose.
"""

import re

from cursor_replay.scrub.marks import PATTERN, ends_mark
from cursor_replay.scrub.rules.placeholders import (
    CODE_NAMES,
    LONGEST,
    TEMPLATE,
    is_mixed,
    is_placeholder,
    is_version,
    spares_argument,
)
from cursor_replay.scrub.rules.quotes import ends_code, is_inside

__all__ = [
    "LONGEST",
    "is_mixed",
    "is_named_by_mark",
    "is_placeholder",
    "is_version",
    "spares_argument",
    "spares_bare",
    "spares_string",
]

_FETCH_MODES = ("include", "omit", "same-origin")
_SCHEMED = re.compile(
    rf"(?:bearer|basic|token|digest|bot)(?:\s+(?:{PATTERN}|{TEMPLATE}))?", re.IGNORECASE
)
_CODE = re.compile(r"[@:]?!{0,2}+[A-Za-z_$][\w$]*+(?:(?:\??\.#?|::|->)[A-Za-z_$][\w$]*+)*+")
# What stands in scripts only: !0, a regular expression, a choice of two names.
_SCRIPT = re.compile(
    r"\.[*+]|//|\(\?[:=!<P]|\[\^|\[?\\+[bdwsS]"
    r"|![01]\Z|!{1,2}[A-Za-z_$.]+\Z|void 0\Z|/[\^(\[\\]|class\{|(?:null|undefined)(?:[!=]==|\})"
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
_CAPTION = re.compile(r"(?:[^\W\d_]|[ ,'’/:.?!-])+")  # noqa: RUF001 - captions are typeset
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*[.,!?]*")
_PATTERN = re.compile(r"\(\?[:=!<P]|\[\^|\[%s|\\+[bdwsS][*+]|\^")
_ROUTE = re.compile(r"/?[A-Za-z][\w-]*(?:/[\w:.-]+)+|/[a-z][a-z-]*")
_COMMAND = re.compile(r"[a-z][\w./-]* \S.*")
_QUOTE = re.compile(r"\\{0,7}[\"'`]")
_NAME = re.compile(r"[\w-]+\Z")
_CALL = re.compile(r"[A-Za-z_][\w.]*[(\[](?:[a-z_.)\]\"']|\Z)|[a-z_]+(?:\.[a-z_]+)+\Z")
_PASSWD_LINE = re.compile(r"[x*!]:\d{1,6}(?::|\Z)")
_LINE_END = re.compile(r"[ \t]*+(?:#|//|\\{0,7}[\"'`]|\\{1,8}[nr]|[\n\r]|\Z)")
_GOES_ON = re.compile(r"\|\||&&|[!=]==|\?[.?]")
_ARGUMENT_END = re.compile(r"\s*+\)|,(?:\s|\Z)")


def spares_string(text: str, found: re.Match[str]) -> bool:
    """Whether a quoted value is harmless: a word, a scheme, or a caption that repeats its key."""
    start, end = found.span(found.lastindex or 0)
    if is_named_by_mark(text, found) or _is_no_value(text, found, start):
        return True
    value, key = text[start:end], found["key"]
    if end - start > LONGEST:
        return False
    if is_placeholder(value) or is_version(value) or _is_named(value) or _PATTERN.match(value):
        return True
    if value.strip().lower() in CODE_NAMES | {key, *_FETCH_MODES}:
        return True
    if key == "token" and _is_scope(text, found, value):
        return True
    return key in value.lower() and _is_about_key(text, found, value)


def _is_no_value(text: str, found: re.Match[str], start: int) -> bool:
    """Tell quotes behind a name that hold code, or end the string in which the name stands."""
    sep = found.groupdict().get("sep")
    if sep == ">":
        return True  # what is in quotes behind a tag is an attribute, or another value
    if text[start - 1] == "`" and sep == "=" and _COMMAND.match(text, start):
        return True  # what a command gives: PASSWORD=`cat x`
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
    if _ROUTE.fullmatch(value) and not any(map(str.isdecimal, value)):
        return True  # FORGOT_PASSWORD = "/forgot-password"
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
    if _PASSWD_LINE.match(value) or _is_default(text, found, value):
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


def _is_default(text: str, found: re.Match[str], value: str) -> bool:
    """Tell what a shell says when a variable is not set: ``${DB_PASSWORD:?is missing}``."""
    name = _NAME.search(text, max(0, found.start() - 64), found.end("key"))
    return value[:1] in "?+" and name is not None and text[: name.start()].endswith("${")


def _is_variable_of_shell(text: str, found: re.Match[str]) -> bool:
    """Tell ``DB_PASSWORD=Ab1(x)`` by its capitals: what stands there is no code but a call."""
    name = text[found.start() : found.end("key")]
    tight = found["sep"] == "=" and found.end("key") == found.start("sep")
    value = found["bare"]
    call = _CALL.match(value) is not None or (
        tight and "(" in text[found.end("bare") : found.end("bare") + 1]
    )
    return name.isupper() and tight and found.end("sep") == found.start("bare") and not call


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
        # a.token=b and token=b||c, in a script
        return (
            text[found.start() - 1 : found.start()] == "." or _GOES_ON.match(text, end) is not None
        )
    if found["sep"] == ":" and tight and _is_in_quotes(text, found):
        return True  # "passwd:dir", a name of two words
    if found["sep"] == "=" and tight:
        return _ARGUMENT_END.match(text, end) is not None
    if text[max(0, found.start() - 11) : found.start()].lower() == "unexpected ":
        return True
    if found["sep"] == ":" or _is_password(found):
        return _LINE_END.match(text, end) is None
    return True


def _is_in_quotes(text: str, found: re.Match[str]) -> bool:
    """Whether a name and its value are all that stands between two quotes."""
    name = _NAME.search(text, max(0, found.start() - 64), found.end("key"))
    begin, end = name.start() if name else found.start(), found.end("bare")
    return begin > 0 and text[begin - 1] in "\"'" and text[end : end + 1] == text[begin - 1]
