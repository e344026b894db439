"""Images without what they carry besides the picture: comments, Exif, XMP, text chunks.

A camera writes where a picture was taken, a program who made it; no text rule sees it, for it is
inside base64. So it goes as a whole, and the picture stays bit for bit. Owns the four kinds of
image that are passed on at all (``images``). What is broken is cut where it breaks.
"""

import base64
import binascii
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = frozenset(
    (b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"bKGD",
     b"pHYs", b"acTL", b"fcTL", b"fdAT")
)  # fmt: skip
_WEBP_KNOWN = frozenset((b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"))
_EXIF_AND_XMP = 0b1100
_BEGINS = ("data:image/", "iVBORw0KGgo", "/9j/", "R0lGODdh", "R0lGODlh", "UklGR")
"""How an address and the base64 of each kind begin."""


def holds_picture(text: str) -> bool:
    """Whether a string may be the base64 of an image, or a ``data:`` address of one."""
    return text.startswith(_BEGINS)


def without_metadata(text: str) -> str:
    """The base64 (or ``data:`` address) of an image without metadata; ``text`` if it has none."""
    head, comma, data = text.partition(",") if text.startswith("data:") else ("", "", text)
    try:
        image = base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        return text
    strip = next((strip for begin, strip in _KINDS.items() if image.startswith(begin)), None)
    if strip is None:
        return text
    stripped = b"".join(strip(image))
    return text if stripped == image else head + comma + base64.b64encode(stripped).decode()


def _png(data: bytes) -> Iterator[bytes]:
    yield _PNG
    at = len(_PNG)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        if end > len(data):
            return
        if kind in _PNG_KEPT:
            yield data[at:end]
        if kind == b"IEND":
            return
        at = end


def _jpeg(data: bytes) -> Iterator[bytes]:
    """Application segments tell of the picture, but for JFIF (0) and Adobe's colours (14)."""
    yield data[:2]
    at = 2
    while data[at : at + 1] == b"\xff" and at + 4 <= len(data):
        marker = data[at + 1]
        if marker == 0xDA:
            end = data.rfind(b"\xff\xd9")
            yield data[at : end + 2] if end > at else data[at:]
            return
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if end > len(data):
            return
        if not (0xE1 <= marker <= 0xEF and marker != 0xEE) and marker != 0xFE:
            yield data[at:end]
        at = end


def _gif(data: bytes) -> Iterator[bytes]:
    """Comments and text go, and of what programs add all but the loop count."""
    at = 13 + _colours(data[10:11])
    yield data[:at]
    while at < len(data):
        kind, label = data[at : at + 1], data[at + 1 : at + 2]
        if kind == b"!":
            end = _past_blocks(data, at + 2)
            if label == b"\xf9" or (label == b"\xff" and data[at + 3 : at + 14] == b"NETSCAPE2.0"):
                yield data[at:end]
        elif kind == b",":
            end = _past_blocks(data, at + 11 + _colours(data[at + 9 : at + 10]))
            yield data[at:end]
        else:
            yield b";"
            return
        at = end


def _colours(flags: bytes) -> int:
    """Bytes of the colour table that packed flags tell of."""
    packed = flags[0] if flags else 0
    return 3 << (packed & 7) + 1 if packed & 0x80 else 0


def _past_blocks(data: bytes, at: int) -> int:
    while at < len(data) and data[at]:
        at += data[at] + 1
    return min(at + 1, len(data))


def _webp(data: bytes) -> Iterator[bytes]:
    kept = []
    at = 12
    while at + 8 <= len(data):
        kind = data[at : at + 4]
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        end = at + 8 + size + size % 2
        chunk = data[at:end]
        if kind == b"VP8X" and len(chunk) > 8:
            chunk = chunk[:8] + bytes([chunk[8] & ~_EXIF_AND_XMP]) + chunk[9:]
        if kind in _WEBP_KNOWN:
            kept.append(chunk)
        at = end
    body = b"WEBP" + b"".join(kept)
    yield b"RIFF" + len(body).to_bytes(4, "little") + body


_Strip = Callable[[bytes], Iterator[bytes]]
_KINDS: Mapping[bytes, _Strip] = MappingProxyType(
    {_PNG: _png, b"\xff\xd8\xff": _jpeg, b"GIF87a": _gif, b"GIF89a": _gif, b"RIFF": _webp}
)
