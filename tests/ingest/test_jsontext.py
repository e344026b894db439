"""One line of bytes to JSON values: every repair is named, nothing raises."""

import json
import math

import pytest

from cursor_replay.ingest.jsontext import Decoded, decode


def values(data: bytes) -> list[object]:
    return decode(data).values


def codes(data: bytes, **how: bool) -> list[str]:
    return [code for code, _ in decode(data, **how).problems]


def test_plain_json_has_no_problem() -> None:
    assert decode(b'{"a": [1, 2.5, null, true, "x"]}') == Decoded(
        [{"a": [1, 2.5, None, True, "x"]}], []
    )


def test_spaces_around_a_value_are_no_problem() -> None:
    assert decode(b' \t{"a": 1} \t') == Decoded([{"a": 1}], [])


@pytest.mark.parametrize("blank", [b"", b"   ", b"\t"])
def test_a_blank_line_is_nothing(blank: bytes) -> None:
    assert decode(blank) == Decoded([], [])


def test_invalid_utf_8_is_replaced_and_named() -> None:
    assert values(b'{"a": "x\xffy"}') == [{"a": "x\ufffdy"}]
    assert codes(b'{"a": "x\xffy"}') == ["invalid-utf8"]


def test_a_recorded_replacement_character_is_no_problem() -> None:
    assert decode('{"a": "\ufffd", "b": NaN1}'.encode()).problems == [("not-json", "not JSON")]
    assert decode('{"a": "\ufffd"} {"b": 1}'.encode()).problems == [
        ("several-values", "several JSON values on one line")
    ]


@pytest.mark.parametrize("escape", [r"\ud83d", r"\udc00", r"\ud83dx", r"\ude00\ud83d"])
def test_lone_surrogates_are_replaced_and_named(escape: str) -> None:
    data = f'{{"a": ["{escape}"]}}'.encode()
    (value,) = values(data)
    text = value["a"][0]  # type: ignore[index]
    assert "\ufffd" in text
    text.encode("utf-8")
    assert codes(data) == ["lone-surrogate"]


def test_a_lone_surrogate_in_a_key_is_replaced_too() -> None:
    assert values(rb'{"k\ud83d": 1}') == [{"k\ufffd": 1}]
    assert codes(rb'{"k\ud83d": 1}') == ["lone-surrogate"]


def test_a_surrogate_pair_is_one_character() -> None:
    assert decode(rb'{"a": "\ud83c\udf0a"}') == Decoded([{"a": "🌊"}], [])


@pytest.mark.parametrize("sign", ["", "-"])
def test_an_integer_of_6000_digits_keeps_its_record(sign: str) -> None:
    decoded = decode(f'{{"a": {sign}{"7" * 6000}, "b": "kept"}}'.encode())
    assert len(decoded.values) == 1
    assert decoded.values[0]["b"] == "kept"
    assert str(decoded.values[0]["a"])[:2] in ("77", "-7")


def test_an_integer_of_6000_digits_beside_a_repair_keeps_its_record() -> None:
    decoded = decode(b'{"a": ' + b"7" * 6000 + b', "b": "\\ud83d"}')
    assert decoded.values[0]["a"] == "7" * 6000
    assert codes(b'{"a": ' + b"7" * 6000 + b', "b": "\\ud83d"}') == ["lone-surrogate"]


@pytest.mark.parametrize("levels", [401, 480, 600, 900, 990, 3000, 200_000])
def test_deep_nesting_is_named_and_does_not_raise(levels: int) -> None:
    assert codes(b"[" * levels + b"]" * levels) == ["too-deep"]
    assert values(b"[" * levels + b"]" * levels) == []


def test_nan_and_infinity_are_numbers() -> None:
    (value,) = values(b'{"a": NaN, "b": Infinity, "c": -Infinity}')
    assert math.isnan(value["a"])  # type: ignore[index]
    assert (value["b"], value["c"]) == (math.inf, -math.inf)  # type: ignore[index]


def test_a_line_of_nul_bytes_is_padding() -> None:
    assert decode(b"\0" * 8).values == []
    assert codes(b"\0" * 8) == ["nul-padding"]


def test_nul_bytes_around_a_record_are_taken_off() -> None:
    assert values(b'\0\0{"a": 1}\0\0') == [{"a": 1}]


@pytest.mark.parametrize("between", [b"", b" ", b"\t", b"\r"])
def test_two_objects_on_a_line_are_both_kept(between: bytes) -> None:
    data = b'{"a": 1}' + between + b'{"b": 2}'
    assert values(data) == [{"a": 1}, {"b": 2}]
    assert codes(data) == ["several-values"]


def test_several_scalars_on_a_line_are_prose() -> None:
    assert codes(b"1 2 3") == ["not-json"]
    assert values(b"1 2 3") == []


@pytest.mark.parametrize("cut", range(1, 20))
def test_a_cut_last_line_is_named_as_cut(cut: int) -> None:
    whole = b'{"a": "some text"}  '
    assert codes(whole[:cut], ended=False) == ([] if cut >= 18 else ["cut-line"])
    assert codes(whole[:cut], ended=True) == ([] if cut >= 18 else ["not-json"])


def test_a_line_cut_inside_a_character_is_cut_and_invalid() -> None:
    data = '{"a": "ü'.encode()[:-1]
    assert codes(data, ended=False) == ["invalid-utf8", "cut-line"]


def test_the_last_of_two_equal_keys_wins() -> None:
    assert values(b'{"a": 1, "a": 2}') == [{"a": 2}]


@pytest.mark.parametrize("scalar", ["5", "null", '"x"', "true", "[1, 2]"])
def test_a_value_that_is_no_object_is_still_a_value(scalar: str) -> None:
    assert values(scalar.encode()) == [json.loads(scalar)]


def test_the_words_of_a_problem_never_repeat_the_line() -> None:
    canary = "plover"
    for data in (f"{canary} oops", f'{{"{canary}', f'"{canary}" "{canary}"', f'{{"a":"{canary}'):
        words = " ".join(text for _, text in decode(data.encode()).problems)
        assert words
        assert canary not in words


def test_what_is_nested_less_deeply_is_read() -> None:
    for levels in (150, 399, 400):
        assert codes(b"[" * levels + b"]" * levels) == []
        assert codes(b'{"a":' * levels + b"1" + b"}" * levels) == []
