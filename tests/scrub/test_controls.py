"""What ``strip_controls`` takes out of a text, what it makes visible, and what it keeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.scrub import controls
from cursor_replay.scrub.controls import is_clean, strip_controls

CASES = {
    "colours go": ("\x1b[1;31mred\x1b[0m", "red"),
    "an eight bit CSI goes": ("\x9b31mred", "red"),
    "a private CSI goes": ("\x1b[?25lx", "x"),
    "a CSI without its end loses its introducer only": ("a\x1b[", "a"),
    "an OSC title goes": ("\x1b]0;title\x07text", "text"),
    "a clipboard write goes": ("\x1b]52;c;AAAA\x1b\\text", "text"),
    "a hyperlink keeps its words": ("\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\", "here"),
    "a DCS, APC, PM or SOS string goes": (
        "\x1bPa\x1b\\1\x1b_b\x9c2\x1b^c\x1b\\3\x1bXd\x073",
        "1233",
    ),
    "an eight bit OSC goes": ("\x9d0;t\x9cx", "x"),
    "a string without its end loses its introducer only": (
        "\x1b]0;all of\nthe text",
        "0;all of\nthe text",
    ),
    "two byte sequences go": ("\x1b7a\x1b(Bb\x1b=", "ab"),
    "a lone escape goes": ("a\x1b", "a"),
    "control characters go, tab and line feed stay": ("a\x00\x08b\tc\nd\x7f", "ab\tc\nd"),
    "CR LF and CR become line feeds": ("a\r\nb\rc", "a\nb\nc"),
    "NEL, LS and PS become line feeds": ("a\x85b\u2028c\u2029d", "a\nb\nc\nd"),
    "C1 controls go": ("a\x80\x9fb", "ab"),
    "a lone surrogate is replaced, case 178": ("a\ud800b\udc00", "a\ufffdb\ufffd"),
    "a pair of surrogates is joined, case 178": ("\ud83d\ude00", "😀"),
    "bidirectional overrides become visible": ("a\u202eb\u2066c", "a[U+202E]b[U+2066]c"),
    "bidirectional marks become visible": ("\u200e\u200f\u061c", "[U+200E][U+200F][U+061C]"),
    "tag characters become visible": ("a\U000e0041\U000e007f", "a[U+E0041][U+E007F]"),
    "byte order marks go": ("\ufeffa\ufeffb", "ab"),
    "spaces and joiners without width go": ("a\u200bb\u2060c", "abc"),
    "the joiners that scripts and emoji need stay": ("a\u200cb\u200dc", "a\u200cb\u200dc"),
    "text of any script stays": ("naïve 日本 עברית 👩‍💻", "naïve 日本 עברית 👩‍💻"),
    "the controls of case 175": ("a\x00b\x1b c\x7fd\x85e\u2028f\u2029g\n\th", "abd\ne\nf\ng\n\th"),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_controls(before, after):
    assert strip_controls(before) == after


hostile = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cs", "Cc", "Cf"]),
        st.sampled_from("\x1b[]P\\\x07\x9c\x9b\r\nm0;"),
    )
)


@given(hostile)
def test_stripping_twice_is_stripping_once(text):
    once = strip_controls(text)
    assert strip_controls(once) == once
    assert is_clean(once)


@given(hostile)
def test_what_is_left_can_be_written_as_utf8_and_holds_no_control(text):
    left = strip_controls(text)
    left.encode()
    assert not any(c < " " and c not in "\n\t" for c in left)
    assert not any("\x7f" <= c <= "\x9f" for c in left)


@given(st.text(st.characters(categories=["L", "N", "P"], include_characters=" \n\t")))
def test_clean_text_is_given_back_as_the_same_object(text):
    assert strip_controls(text) is text


def test_the_class_of_dirty_characters_is_the_table():
    dirty = {char for char in map(chr, range(0x110000)) if controls._DIRTY.match(char)}
    assert dirty == set(controls._TABLE)
