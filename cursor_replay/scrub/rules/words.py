"""Whether letters are words of an identifier, or in no order.

Knows no language: a word is some small letters in a row.
"""

import re

_NAME_PART = re.compile(r"[A-Z]?[a-z]{3,}")
_WORDY = 0.6
"""The least part of an identifier that is words."""
_LONG_WORD = 12


def is_wordy(value: str) -> bool:
    """Whether most letters of an identifier belong to words: ``SignatureV4Sign``."""
    return sum(map(len, _NAME_PART.findall(value))) >= _WORDY * sum(map(str.isalnum, value))


def is_random_word(value: str) -> bool:
    """Tell letters of both cases in no order from a name: ``kQzRtYhJbNmL``."""
    mixed = value.isalpha() and not value.islower() and not value.isupper()
    return mixed and len(value) >= _LONG_WORD and not is_wordy(value)
