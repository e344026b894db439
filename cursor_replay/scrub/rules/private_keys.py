"""Private key blocks: whole, without their end, and rows of one in front of an END line.

Owns what a row of a key looks like where grep, cat -n or a diff has put something in front of it.
The fakes are put together at import, so that no key-shaped string stands in a file.
"""

import re

from cursor_replay.scrub.rules.rule import MASK, Rule, compiled

_ALNUM = "A1b2C3" * 7
_UPPER = "A2B3" * 4
_ENCRYPTED = f"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,{_UPPER}"

# What stands between two rows: line ends as they are and escaped, quotes, frames, signs of a diff.
_GAP = r"(?:(?:\\{1,8}[nrt]?|[\s\"'`,>|│┃+#*]|-(?!----)|<br ?/?>|&#1[03];){1,40}+)"
# What cat -n, grep (path:12: or path-12-) and the like put in front of a row.
_FRONT = (
    r"(?:\d{1,6}[ \t]{0,4}(?:[|│→:\t-]|\\{1,7}t)[ \t]{0,4}"
    r"|(?:(?!\\{1,8}[nrt])[^\n\"']){1,200}?[:-]\d{1,6}[:-][ \t]?)?"
)
_LINE = r"(?:[A-Za-z0-9+/=]{16,}+|[A-Z][A-Za-z]{1,20}(?:-[A-Z][a-z]{1,20})?:[ \t][^\n\\\"]{0,100}+)"
_SHORT_LINE = r"(?![a-z]{1,15}(?![A-Za-z0-9+/=]))[A-Za-z0-9+/=]{1,76}"

_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:"
    rf"(?:{_GAP}?{_FRONT}{_LINE})*+(?:{_GAP}?{_FRONT}{_SHORT_LINE}){{0,3}}"
    rf"{_GAP}?{_FRONT}-{{5,7}}END [A-Z0-9 ]{{0,40}}-----"
    # Without its end: the lines that look like base64 or a header, and a last cut one.
    rf"|(?:{_GAP}{_FRONT}{_LINE})++"
    r"(?:(?:\\{1,8}[nrt]|\s){1,4}[A-Za-z0-9+/=]{1,76}(?![^\s\"'\\]))?"
    r"|(?:\\{1,8}[nrt]|\s){1,4}[A-Za-z0-9+/=]{1,16}\Z)"
)


def _block(kind: str, body: str) -> str:
    """Put together a key block; in one piece it would stand in this file as a key."""
    return f"-----BEGIN {kind}-----{body}-----END {kind}-----"


_FRONTS = (
    *("\n+", "\n 1 │ ", "\n    12\t", r"\n", r"\\n", "\n   2→"),
    *("\nk.pem:2: ", "\na/k.pem-2-", "\nk.pem-12- ", r"\nk.pem:2:"),
)

_PEM = Rule(
    id="private-key",
    pattern=_BLOCK,
    keywords=("-----begin",),
    hits=(
        (
            "a\n" + _block("RSA PRIVATE " + "KEY", f"\n{_ALNUM}\n{_ALNUM}=\n") + "\nb",
            f"a\n{MASK}\nb",
        ),
        (_block("OPENSSH PRIVATE " + "KEY", rf"\n{_ALNUM}\nAB==\n"), MASK),
        (_block("PGP PRIVATE " + "KEY BLOCK", f"\nVersion: x\n\n{_ALNUM}\n=AbCd\n"), MASK),
        (f"-----BEGIN PRIVATE {'KEY'}-----\n{_ALNUM}\nA1b2\n\nand prose", f"{MASK}\n\nand prose"),
        (f"-----BEGIN PRIVATE {'KEY'}-----\nA1b2", MASK),
        (
            f"-----BEGIN RSA PRIVATE {'KEY'}-----\n{_ENCRYPTED}\n\n{_ALNUM}\n{_ALNUM}",
            MASK,
        ),
        *(
            (
                f"k.pem:1:-----BEGIN PRIVATE {'KEY'}-----{row}{_ALNUM}{row}{_ALNUM}",
                f"k.pem:1:{MASK}",
            )
            for row in _FRONTS
        ),
        (rf'{{"k": "-----BEGIN PRIVATE {"KEY"}-----\n{_ALNUM}"}}', f'{{"k": "{MASK}"}}'),
    ),
    misses=(
        f"-----BEGIN PUBLIC {'KEY'}-----\n{_ALNUM}\n-----END PUBLIC {'KEY'}-----",
        f"-----BEGIN CERTIFICATE-----\n{_ALNUM}\n-----END CERTIFICATE-----",
        f"grep -e '-----BEGIN PRIVATE {'KEY'}-----' file",
        *(
            f'k.{front}("-----BEGIN PRIVATE {"KEY"}-----"){code}("-----END PRIVATE {"KEY"}-----")'
            for front, code in (("startswith", " and k.endswith"), ("x", "\ny = read(path)\nx"))
        ),
    ),
)

_BREAK = re.compile(r"(?:\\{1,8}[nrt]|[\s\"',\\])++")
# What grep, cat -n and diff put in front of a row: path:12: or path-12- or 12| or +
_ROW_PREFIX = r"(?:\S{0,200}?[:-]\d{1,6}[:-]|\d{1,6}[|:-]?|[+>|-]{1,3})"
_ROW = re.compile(rf"{_ROW_PREFIX}?(?P<row>[A-Za-z0-9+/]{{16,}}={{0,2}})")
_LAST_ROW = re.compile(rf"{_ROW_PREFIX}?[A-Za-z0-9+/]{{1,76}}={{0,2}}")
_NO_ROW = re.compile(rf"{_ROW_PREFIX}|")
_LONGEST_KEY = 16_384


def _key_rows(text: str, start: int, end: int) -> int | None:
    """Find where the rows of a key begin whose END line begins at ``end``; None without rows."""
    first = _first_row(text, max(start, end - 512), end)
    return first and _first_row(text, max(start, end - _LONGEST_KEY), end)


def _first_row(text: str, start: int, end: int) -> int | None:
    breaks = [found.span() for found in _BREAK.finditer(text, start, end)]
    starts = [start, *(after for _, after in breaks)]
    ends = [*(before for before, _ in breaks), end]
    first, may_be_short = None, True
    for at, stop in zip(reversed(starts), reversed(ends), strict=True):
        if found := _ROW.fullmatch(text, at, stop):
            first, may_be_short = found.start("row"), False
        elif _NO_ROW.fullmatch(text, at, stop):
            continue
        elif may_be_short and stop < end and _LAST_ROW.fullmatch(text, at, stop):
            may_be_short = False
        else:
            break
    return first


_TAIL = Rule(
    id="private-key-tail",
    pattern=compiled(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"),
    keywords=("-----end",),
    trigger="-----END [A-Z0-9 ]{0,40}PRIVATE",
    back=_key_rows,
    hits=tuple(
        (
            f"rest{row}{_ALNUM}{row}{_ALNUM}+/{row}AB=={row}-----END RSA PRIVATE {'KEY'}-----\n",
            f"rest{row}{MASK}\n",
        )
        for row in ("\n", r"\n", "\n-", "\nk.pem:2: ", "\na/k.pem-2-", "\n   12\t", '",\n"')
    ),
    misses=(
        f"it ends in\n-----END PRIVATE {'KEY'}-----",
        f"grep -e '-----END PRIVATE {'KEY'}-----' file",
        f"{_ALNUM}\n-----END CERTIFICATE-----",
    ),
)

BLOCKS: tuple[Rule, ...] = (_PEM, _TAIL)
