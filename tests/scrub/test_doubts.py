"""Doubts: what they leave alone, scrubbing leaves alone."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.scrub import Choices, Sealer
from cursor_replay.scrub.copying.doubts import _RANDOM, Doubts, Outline
from cursor_replay.scrub.settings import applied, read_settings

TOKEN = "gh" + "p_" + "Q7w8E9" * 6
VALUE = "zk7Qm2Lx9w"
PICTURE = "iVBORw0KGgo" + "A" * 80
keys = st.sampled_from(
    ["a", "text", "token", "value", "name", "X_KEY", "apiKey", "pass", "sessionId", "db-pw", TOKEN, "headers"]
)  # fmt: skip
strings = st.sampled_from(
    [
        "x", "all well", TOKEN, VALUE, "DB_PASSWORD", "--token", "Authorization", "/home/joe/x", "pass=",
        "0b8e7c1a-1f1a-4a54-9a0e-0a1b2c3d4e5f", "s1", PICTURE, "\x1b[1m", "a\r\nb", "a\rb", "\u202e",
    ]
) | st.text(max_size=4)  # fmt: skip
values = st.recursive(
    strings | st.none() | st.integers(),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(keys, each, max_size=3),
    max_leaves=8,
)


def outline_of(sealer: Sealer, value) -> tuple[list[tuple[str, str]], bool]:
    return Outline(Doubts(sealer)).strings(value)


@given(values)
def test_a_value_without_doubt_is_left_as_it_is(value):
    sealer = Sealer(for_copy=True)
    found, walk = outline_of(sealer, value)
    if not walk and not Doubts(sealer).about_any(text for _, text in found):
        assert sealer.value(value) == value


@pytest.mark.parametrize(
    "value",
    [
        {"password": "x"}, {"MY_KEY": VALUE}, {"name": "DB_TOKEN", "value": "x"}, ["--token", "x"],
        {"sessionId": VALUE * 3}, {"sessionId": [VALUE * 3]}, {"secrets": {"a": "x"}}, [["token", "x"]],
    ],
)  # fmt: skip
def test_what_its_place_makes_a_secret_asks_for_a_walk(value):
    assert outline_of(Sealer(for_copy=True), value)[1]


@pytest.mark.parametrize(
    "value", [{"text": VALUE}, {"sessionId": "s1"}, {"role": "user", "n": [1, {"id": "x"}]}]
)
def test_ordinary_fields_do_not(value):
    assert not outline_of(Sealer(for_copy=True), value)[1]


def test_the_value_that_keys_are_asked_with_is_a_secret_by_its_key_alone():
    sealer = Sealer(for_copy=True)
    assert sealer.value({"text": _RANDOM, "list": [_RANDOM]}) == {
        "text": _RANDOM,
        "list": [_RANDOM],
    }
    assert sealer.value({"password": _RANDOM})["password"] != _RANDOM


def test_what_a_user_wants_masked_and_what_was_masked_before_is_doubted():
    rules = '[[rules]]\nid = "acme"\npattern = "ACME-[0-9]{4}"\n'
    choices = applied(Choices(secrets=("opensesame1",)), [read_settings(rules, "x", table=())])
    sealer = Sealer(for_copy=True, choices=choices, home="/data/me")
    doubts = Doubts(sealer)
    assert not doubts.about(f"nothing here {VALUE}")
    assert all(map(doubts.about, ("see ACME-1234", "say opensesame1", "in /data/me/x")))
    sealer.words(f'password = "{VALUE}"')
    assert doubts.about(f"again {VALUE}")


def test_the_strings_are_those_of_the_file_in_order_with_the_names_of_their_fields():
    text = '{"a": {"b": ["x", {"c": "y"}]}, "d": "z"}'
    assert outline_of(Sealer(), json.loads(text))[0] == [
        ("(key)", "a"), ("a (key)", "b"), ("a.b[0]", "x"), ("a.b[1] (key)", "c"), ("a.b[1].c", "y"),
        ("(key)", "d"), ("d", "z"),
    ]  # fmt: skip
