r"""Secrets that are told in a sentence or a prompt: ``The password is P``, ``**Password:** `P` ``.

Owns one ``Rule`` a group of words, all from one template, and which words of a sentence cannot be
a secret. A value counts only when it looks random, and stands in quotes or at the end of a clause:
most sentences with these words are about passwords and tokens, and tell none.
"""

import re

from cursor_replay.scrub.rules.judge import is_placeholder, spares_argument
from cursor_replay.scrub.rules.rule import Rule, compiled
from cursor_replay.scrub.rules.values import lines_of, pairs_of
from cursor_replay.scrub.rules.words import is_wordy

_NEW_LINE = r"(?:\n|\\{1,7}n)"
_GAP = rf"(?:[ \t]|{_NEW_LINE}|\\{{1,7}}t){{0,40}}"
_FENCE = rf"(?:```[a-z]{{0,12}}{_NEW_LINE}[ \t]{{0,20}})?"
_BOLD = r"(?:\*\*|__|</[a-z]{1,8}>)"
_DASH = r"(?:->|[-\u2192\u2013\u2014]|\\{1,7}u(?:2192|201[34]))"  # arrow, en and em dash
_WHOSE = r"(?: (?:for|of)(?: [^\s,;:]{1,64}){1,4}?)?"
_STATE = r"(?:is|was|ist|lautet|should be|must be|will be)(?: (?:now|still|just|currently))?:?"
_CHANGED = r"(?:(?:is|was|has been) )?(?:set|reset|changed|updated) to:?"
_LINK = (
    r"(?: (?:(?:is|was) generated )?for [^\n,{}]{1,80}?: {1,4}"
    rf"|{_BOLD}?:{_BOLD} {{0,4}}|{_BOLD}: {{1,4}}|{_BOLD}?:[ \t]{{0,8}}{_NEW_LINE}{_GAP}{_FENCE}"
    rf"|[\"'`]?{_BOLD}?{_WHOSE} (?:{_STATE}|{_CHANGED}|to:?|{_DASH}) {{1,4}}"
    r"|[ \t]\(default:? {1,4}|(?P<loose>[ \t]\(|(?:[ \t]|\\{1,7}t){1,12}))"
)
_SIGN = r"[^\s\"'`\\<>()\[\]{}|,;:.\u201c\u201d]"
_BARE = rf"(?P<bare>(?:{_SIGN}|\.(?={_SIGN})){{6,128}}+)"
_NEXT = re.compile(
    r" {0,4}(?!(?:to|for|and|or|then|but|when|on|at|in|with|please|if|as|by|until|instead|now)\b)"
    r"[A-Za-z]"
)
"""A word that goes on with the clause, so that the one in front of it is rarely a value."""
_END = (
    r"(?=[.,;:!?)]{0,3}(?:\s*\Z|[\n\r\t]|\\{1,7}[nrt\"]|[\"'`<|]|(?<=[.,;:)])\s"
    r"| {1,4}[a-z(#/\u2013\u2014-]))"
)
_QUOTED = (
    r"(?P<mark>\\{0,7}[\"'`\u201c\u2018]|\*\*)(?P<quoted>[^\s\"'`\\\u201c\u201d\u2019]{6,128}?)"
    r"(?:(?P=mark)|[\u201d\u2019])"
)

_ALGORITHM = re.compile(
    r"sha-?\d|md\d|base-?\d\d|bcrypt|argon2|pbkdf2|scrypt|blake\d|[hrep]s\d{3}|aes[-\d]|rsa[-\d]|ed25519|x25519"
    r"|x509|p2p|oauth|auth0|utf-?\d|rfc\d|iso[-\d]|uuid|http[s\d]|k8s|i18n|l10n|a11y|e2e|b2[bc]|s3\b|ec2|ipv?\d"
    r"|win\d|python\d|node\d|ssh2|ssl[-v\d]|tls[-v\d]|web3|log4j|h2|f2a|2fa|pkcs|p12|es\d|ecma|jwt|fido2|totp|hmac"
    r"|cl?100k|o200k|gpt|claude|qwen|llama|gemini|mistral|deepseek",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"v?\d+(?:\.\d+)+\S*|\d{4}-\d\d-\d\d\S*|0x[0-9a-f]+|[~.$-].*|\S+@[\w-]+(?:\.[\w-]+)+"
    r"|.*\|.*|.*\w\(.*|[\d.,+-]*\d[%a-z]{1,8}|\w+(?:\.[a-z_$][\w$]*)+|[\w.]*=[\w.]*",
    re.IGNORECASE,
)
_WORD_AND_NUMBER = re.compile(r"[A-Za-z]{3,20}\d{1,6}")
_STRONG = re.compile(r"[!#$%^&~@]")
_STRONG_ALONE = re.compile(r"[A-Za-z]+[!#$%^&~][A-Za-z!#$%^&~]*")
_DIGIT = re.compile("[0-9]")
_KINDS_OF_SIGN = re.compile("[A-Za-z]+|[0-9]+")
_SHORTEST_TOKEN, _SHORTEST_WITH_SLASH, _SHORT_PART = 8, 20, 3


def _looks_random(value: str, *, password: bool, mild: bool) -> bool:
    """Whether a word of a sentence is a secret; ``mild`` takes a word and a number for one."""
    if is_placeholder(value) or spares_argument(value) or _ALGORITHM.match(value):
        return False
    core = value.rstrip("!?")
    if _OTHER.fullmatch(core) or ("/" in value and len(value) < _SHORTEST_WITH_SLASH):
        return False
    if _DIGIT.search(value) is None:
        return password and mild and _STRONG_ALONE.fullmatch(core) is not None
    if core.isascii() and not any(map(str.isalpha, value)):
        return False
    if _STRONG.search(value) and (len(value) >= _SHORTEST_TOKEN or (password and mild)):
        return True
    if password and mild and _WORD_AND_NUMBER.fullmatch(core):
        return True
    return _is_shuffled(core, password=password)


def _is_shuffled(value: str, *, password: bool) -> bool:
    """Tell letters and digits in turns from names with a number."""
    turns = _KINDS_OF_SIGN.findall(re.sub(r"[\W_]", "", value))
    parts = re.split(r"[-_./]", value)
    plain = all((part.islower() and part.isalpha()) or len(part) <= _SHORT_PART for part in parts)
    if len(turns) < len(("a", "1", "a")) or (plain and len(parts) > 1):
        return False
    if password:
        return not (value.isidentifier() and is_wordy(value))
    return len(value) >= _SHORTEST_TOKEN and not is_wordy(value)


def _spares_told(text: str, found: re.Match[str]) -> bool:
    quoted = found["quoted"] is not None
    value = text[slice(*found.span("quoted" if quoted else "bare"))]
    password = found["key"].startswith("pass")
    goes_on = _NEXT.match(text, found.end()) is not None
    mild = quoted or (found["loose"] is None and not goes_on)
    return not _looks_random(value, password=password, mild=mild)


_PASSWORDS = "pass(?:wor[dt]|wd|phrase|code)"
_SECRETS = "secret(?: key)?|(?:api|access) key"
_ROW_END = r"(?:\n|\\+[nN])"
_BLANK = r"(?:[ \t]|\\+[tT])"
_TRIGGER = (
    rf"(?i:{_PASSWORDS}|token|{_SECRETS})(?:[\"'`*_]|</[A-Za-z]+>)*(?:"
    rf":[ \t]*(?:\*\*|__|</[A-Za-z]+>)?[ \t]*(?:{_ROW_END}(?:[ \t\n]|\\+[nNtT])*"
    rf"(?:```[A-Za-z]*{_ROW_END}[ \t]*)?)?|{_BLANK}(?i:(?:(?:for|of)(?u: [^ \n]+)+ )?"
    r"(?:(?:is|was|has been) )?(?:(?:set|reset|changed|updated) )?"
    r"(?:is|was|ist|lautet|(?:should|must|will) be|to):? (?:(?:now|still|just|currently):? )?"
    rf"|(?:(?:is|was) generated )?for (?u:[^\n,{{}}]+): )?{_BLANK}*"
    r"(?:(?:->|-|\x{2192}|\x{2013}|\x{2014}|\\+[uU][0-9]+) +)?(?:\((?i:default:?)? *)?)"
    r"[\\\"'`*\x{201c}\x{2018}]*[^ \n]*[0-9!#$%^&~]"
)
"""One for all these rules: a test for each would cost more."""


def _told(kind: str, key: str, keywords: tuple[str, ...], *, hits: str, misses: str) -> Rule:
    """Build the rule of some words; ``hits`` and ``misses`` are one example a line."""
    return Rule(
        id=f"told-{kind}",
        kind=kind,
        pattern=compiled(rf"(?P<key>{key}){_LINK}(?:{_QUOTED}|{_BARE}{_END})"),
        keywords=keywords,
        trigger=_TRIGGER,
        folded=True,
        hits=pairs_of(hits),
        misses=lines_of(misses),
        spares=_spares_told,
    )


_PASSWORD = _told(
    "password",
    _PASSWORDS,
    ("pass",),
    hits="""
    The password is «q7Zk2mLx9»
    The password is «hunter2».
    use password «q7Zk2mLx9» to log in
    I set the password to `«Tr0ub4dor&3»`, and went on
    temporary password «q7Zk2mLx9»
    password -> «q7Zk2mLx9»
    password (default: «q7Zk2mLx9»)
    **Password:** `«hunter2»`
    <b>Password:</b> «q7Zk2mLx9»
    * password - «q7Zk2mLx9»
    [sudo] password for joe: «q7Zk2mLx9»
    A temporary password is generated for root@localhost: «q7Zk2mLx9»
    {"a": "Password:\\n«q7Zk2mLx9»\\n"}
    """,
    misses="""
    the password is SHA256 hashed
    the password is set to DB_PASSWORD1 from env
    The password is 8-12 characters long.
    **Password**: must be at least 8 characters
    [sudo] password for joe:
    use password field2 to log in
    """,
)
_TOKEN = _told(
    "token",
    "token",
    ("token",),
    hits="""
    the token is `«q7Zk2mLx9»`
    Use the token «q7Zk2mLx9» for this
    """,
    misses="""
    the token is v2
    The token is `csrf_token2`.
    the token is base64url encoded
    token is a JWT (RFC 7519)
    use the token getToken2 for this
    """,
)
_SECRET = _told(
    "secret",
    _SECRETS,
    ("secret", "key"),
    hits="""
    Your API key is «q7Zk2mLx9», keep it
    secret (`«q7Zk2mLx9»`)
    """,
    misses="""
    API key is in .env.local
    secret is stored in config.py
    The secret is `process.env.API_KEY2`.
    """,
)

PROSE: tuple[Rule, ...] = (_PASSWORD, _TOKEN, _SECRET)
