"""Taking control sequences out of a text, so that none reaches a terminal or hides a secret.

Owns what is no text: escape sequences, control characters, broken surrogates, and the marks that
reorder text or write invisibly, which become visible (``[U+202E]``): an attack stays seen. Knows
no secrets, and keeps every line break as a line break.
"""

import re
from types import MappingProxyType

from cursor_replay.scrub.gate import occurs

# String sequences (OSC, DCS, APC, PM, SOS) begin with one of these, and may not hold any of those.
_STRINGS, _C1_STRINGS = "[]P_^X]", "\x90\x98\x9d\x9e\x9f"
_INSIDE = "[^\x07\x18\x1a\x1b\x90\x98\x9c\x9d\x9e\x9f]"
# Without its end only the introducer goes: what follows may be all of the text.
_TO_END = f"(?:{_INSIDE}*+(?:\x07|\x9c|\x1b\\\\))?"
_CONTROL = "(?:[0-?]{0,64}[ -/]{0,4}[@-~])?"

# A set of characters in front is what the engine can look for quickly.
_SEQUENCE = re.compile(
    f"[\x1b\x9b{_C1_STRINGS}](?:"
    f"(?<=\x1b)(?:{_STRINGS}{_TO_END}|\\[{_CONTROL}|[ -/]{{0,4}}[0-~])"
    f"|(?<=\x9b){_CONTROL}"
    f"|(?<=[{_C1_STRINGS}]){_TO_END}"
    ")"
)
_SURROGATES = re.compile("([\ud800-\udbff][\udc00-\udfff])|[\ud800-\udfff]")

_ASCII = bytes([*range(0x09), *range(0x0B, 0x20), 0x7F])
_REORDERING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x061C, 0x200E, 0x200F)
_TAGS = range(0xE0000, 0xE0080)


def _table() -> dict[str, str]:
    table = dict.fromkeys((*_ASCII, *range(0x80, 0xA0), 0xFEFF, 0x200B, 0x2060), "")
    table |= dict.fromkeys((0x0D, 0x85, 0x2028, 0x2029), "\n")
    table |= {code: f"[U+{code:04X}]" for code in (*_REORDERING, *_TAGS)}
    return {chr(code): text for code, text in table.items()}


_TABLE = MappingProxyType(_table())
# As ranges, for a class of single characters is 25 times slower.
_DIRTY = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)
_may_hold_sequence = occurs([r"[\x{1b}\x{90}\x{98}\x{9b}\x{9d}-\x{9f}]"])
_CODES = "".join(rf"\x{{{ord(char):X}}}" for char in _TABLE)
# Anchored, so that a text with lone surrogates, which is no UTF-8, does not pass either.
is_clean = occurs([rf"\A[^{_CODES}]*\z"])
"""Whether ``strip_controls`` would give a text back as it is."""


def strip_controls(text: str) -> str:
    r"""Give ``text`` without control sequences; line breaks are ``\n``, tabs stay.

    String sequences end at BEL or ST. Zero-width spaces and word joiners go, for they could hide
    a token; the joiners that scripts and emoji need stay. CR LF, CR, NEL, LS and PS become
    ``\n``; bidirectional controls and tag characters become ``[U+XXXX]``; lone surrogates become
    U+FFFD.
    """
    if is_clean(text):
        return text
    if not text.isascii():
        text = _SURROGATES.sub(_joined, text)
    if _may_hold_sequence(text):
        text = _SEQUENCE.sub("", text)
    return _DIRTY.sub(_replaced, text.replace("\r\n", "\n"))


def _replaced(found: re.Match[str]) -> str:
    return _TABLE[found[0]]


def _joined(found: re.Match[str]) -> str:
    pair = found[1]
    return pair.encode("utf-16", "surrogatepass").decode("utf-16") if pair else "\ufffd"
