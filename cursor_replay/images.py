"""Recorded image bytes: what counts as an image that may be passed on.

Only bytes that are one of four image kinds by their first bytes: base64 that claims to be an image
could else carry anything past the scrubber.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from types import MappingProxyType

from cursor_replay.items import Image, Json

_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_SPACE = re.compile(r"\s+")
_BEGINS: Mapping[str, re.Pattern[bytes]] = MappingProxyType(
    {
        "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
        "image/jpeg": re.compile(rb"\xff\xd8\xff"),
        "image/gif": re.compile(rb"GIF8[79]a"),
        "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    }
)
_HEAD = 32
"""Base64 characters that hold every first byte that is looked at."""


def recorded_image(data: Json) -> Image | None:
    """The image that base64 text or a ``data:`` address holds; None for anything else.

    Its kind is what its bytes say, whatever the recording calls it.
    """
    if not isinstance(data, str):
        return None
    if data.startswith("data:"):
        data = data.partition(",")[2]
    if not _BASE64.fullmatch(data):
        data = _SPACE.sub("", data)
    if len(data) % 4 or not _BASE64.fullmatch(data):
        return None
    try:
        head = base64.b64decode(data[:_HEAD])
    except binascii.Error:
        return None
    kind = next((kind for kind, begins in _BEGINS.items() if begins.match(head)), None)
    return Image(mime_type=kind, data=data) if kind else None
