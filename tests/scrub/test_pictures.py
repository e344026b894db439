"""What an image carries besides the picture goes, and the picture stays."""

import base64
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.items import Evidence, Image, Prompt
from cursor_replay.scrub import Sealer
from cursor_replay.scrub.pictures import without_metadata

NOTE = b"joe was here"


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(*extra: bytes, end: bytes = b"") -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(b"\0\0"))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(extra) + body + chunk(b"IEND", b"") + end


def segment(marker: int, data: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg(*extra: bytes, end: bytes = b"") -> bytes:
    scan = segment(0xDA, b"\x01\x01\0\0\0\0") + b"\x12\xff\x00\x34" + b"\xff\xd9"
    return (
        b"\xff\xd8" + segment(0xE0, b"JFIF\0") + b"".join(extra) + segment(0xDB, b"q") + scan + end
    )


def gif(*extra: bytes) -> bytes:
    frame = b",\0\0\0\0\1\0\1\0\0\2\2D\1\0"
    loop = b"!\xff\x0bNETSCAPE2.0\3\1\0\0\0"
    return b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff" + loop + b"".join(extra) + frame + b";"


def webp(*extra: bytes, flags: int = 0) -> bytes:
    frame = b"VP8L" + struct.pack("<I", 3) + b"abc\0"
    head = b"VP8X" + struct.pack("<I", 10) + bytes([flags]) + bytes(9)
    body = b"WEBP" + head + frame + b"".join(extra)
    return b"RIFF" + struct.pack("<I", len(body)) + body


CASES = {
    "png text": (png(chunk(b"tEXt", b"Author\0" + NOTE)), png()),
    "png exif": (png(chunk(b"eXIf", NOTE)), png()),
    "behind a png": (png(end=NOTE), png()),
    "jpeg exif": (jpeg(segment(0xE1, b"Exif\0\0" + NOTE)), jpeg()),
    "jpeg comment": (jpeg(segment(0xFE, NOTE)), jpeg()),
    "behind a jpeg": (jpeg(end=NOTE), jpeg()),
    "gif comment": (gif(b"!\xfe" + bytes([len(NOTE)]) + NOTE + b"\0"), gif()),
    "gif application": (gif(b"!\xff\x0bXMP DataXMP" + bytes([len(NOTE)]) + NOTE + b"\0"), gif()),
    "webp exif": (
        webp(b"EXIF" + struct.pack("<I", len(NOTE)) + NOTE, flags=0b11100),
        webp(flags=16),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_tells_of_the_picture_goes(name):
    before, after = CASES[name]
    assert without_metadata(base64.b64encode(before).decode()) == base64.b64encode(after).decode()


@pytest.mark.parametrize("data", [png(), jpeg(), gif(), webp()])
@pytest.mark.parametrize("head", ["", "data:image/x;base64,"])
def test_a_picture_alone_is_given_back_as_it_is(data, head):
    text = head + base64.b64encode(data).decode()
    assert without_metadata(text) is text


@given(st.sampled_from([png(), jpeg(), gif(), webp()]), st.integers(0, 80), st.binary(max_size=20))
def test_a_broken_picture_raises_nothing_and_grows_not(data, at, more):
    text = base64.b64encode(data[:at] + more + data[at:]).decode()
    assert len(without_metadata(text)) <= len(text) + 4


def test_images_of_an_item_and_in_json_are_looked_at():
    text = base64.b64encode(CASES["png text"][0]).decode()
    plain = base64.b64encode(png()).decode()
    at = Evidence(file="f", line=1)
    prompt = Prompt(text="", images=(Image(mime_type="image/png", data=text),), turn=1, evidence=at)
    assert Sealer().seal(prompt).item.images[0].data == plain
    assert Sealer().value({"data": text}) == {"data": plain}
    assert Sealer(scrub=False).value({"data": text}) == {"data": text}
