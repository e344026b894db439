"""Control sequences, links and bidi overrides in any string reach no output as such."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import (
    Place,
    as_bytes,
    changed,
    in_every_output,
    is_structure,
    records,
    replayed,
    reports,
    steady,
    strings_in,
)

ATTACKS = {
    "colour": "\x1b[38;5;201mpink\x1b[0;4m",
    "cursor": "\x1b[2J\x1b[1;1H\x1b[?1049h",
    "link": "\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\",
    "link ended by a bell": "\x1b]8;;https://evil.example\x07here\x1b]8;;\x07",
    "clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "title": "\x1b]0;owned\x07",
    "never ended": "\x1b]52;c;ZXZpbA==",
    "device control": "\x1bPq#0;2;0;0;0\x1b\\\x1b_apc\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\",
    "one byte controls": "\x9b31mred\x9d8;;https://evil.example\x9c\x90q\x9c\x85",
    "bidi": "\u202eevil\u202c \u2066iso\u2069 \u200f\u061c",
    "lines": "a\rb\x0bc\x0cd\u2028e\u2029f\x1cg\x85h\x00i\x7fj\x08k",
    "invisible": "\ufeffmark \U000e0041tag",
    "nested": "\x1b[\x1b[31m3\x1b[0m1m",
}
RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\ufeff"
    "\U000e0000-\U000e007f]"
)
OWN_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def injected(data: bytes) -> list[str]:
    found = []
    items = replayed(data)
    for which, text in (*in_every_output(items), *reports(items)):
        plain = OWN_COLOUR.sub("", text) if which.startswith("terminal") else text
        if RAW.search(plain) or ATTACKS["colour"][:11] in text:
            found.append(which)
    return found


@pytest.mark.parametrize("name", records())
def test_an_attack_in_every_string_at_once_reaches_no_output(name: str) -> None:
    whole = "".join(ATTACKS.values())

    def put(place: Place, text: str) -> str:
        return text if is_structure(place) else f"{text}{whole}"

    assert injected(as_bytes(changed(records()[name], put))) == []


@pytest.mark.parametrize("name", records())
def test_an_attack_in_every_name_reaches_no_output(name: str) -> None:
    whole = "".join(ATTACKS.values())

    def put(place: Place, text: str) -> str:
        return text if is_structure(place, names=False) else f"{text}{whole}"

    assert injected(as_bytes(changed(records()[name], put))) == []


@steady(80)
@given(data=st.data(), attack=st.sampled_from(sorted(ATTACKS)))
def test_an_attack_in_any_one_string_reaches_no_output(data: st.DataObject, attack: str) -> None:
    lines = records()[data.draw(st.sampled_from(sorted(records())))]
    places = [place for place, _ in strings_in(lines) if not is_structure(place, names=False)]
    target = data.draw(st.sampled_from(places))

    def put(place: Place, text: str) -> str:
        return f"{text} {ATTACKS[attack]}" if place == target else text

    assert injected(as_bytes(changed(lines, put))) == []


@steady(80)
@given(
    st.lists(
        st.sampled_from([*ATTACKS.values(), "\x1b", "\x9b", "[", "]8;;", "m", "x"]), max_size=9
    )
)
def test_attacks_behind_each_other_do_not_make_a_new_one(parts: list[str]) -> None:
    text = "".join(parts)
    record = {"role": "assistant", "message": {"content": [{"type": "text", "text": f"a{text}"}]}}
    assert injected(as_bytes([record])) == []


def test_the_words_between_control_sequences_survive() -> None:
    record = {"role": "assistant", "message": {"content": f"before {ATTACKS['link']} after"}}
    for _, text in in_every_output(replayed(as_bytes([record]))):
        plain = OWN_COLOUR.sub("", text)
        assert "before here after" in plain
        assert "evil.example" not in plain
