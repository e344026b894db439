"""What stands in the place of a secret, and how one output remembers which secret it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.scrub import Choices, Sealer
from cursor_replay.scrub.known import Known, is_telling
from cursor_replay.scrub.marks import MASK, Marks, ends_mark, is_mark
from cursor_replay.scrub.mask import Masker, mask

ONE, TWO = ("gh" + "p_" + body * 6 for body in ("Q7w8E9", "R3t4Z5"))


def test_a_mark_tells_the_kind_and_a_second_secret_of_it_a_number():
    sealer = Sealer()
    assert sealer.text(f"{ONE} {TWO} {ONE}") == (
        "[redacted:github-token] [redacted:github-token#2] [redacted:github-token]"
    )
    assert sealer.text(TWO) == "[redacted:github-token#2]"


def test_each_output_counts_anew():
    Sealer().text(ONE)
    assert Sealer().text(TWO) == "[redacted:github-token]"


def test_one_secret_has_one_mark_whatever_it_is_called():
    assert Sealer().text(f"token={ONE}; {ONE}") == "token=[redacted:token]; [redacted:token]"


def test_plain_marks_tell_nothing():
    sealer = Sealer(choices=Choices(style="plain"))
    assert sealer.text(f"{ONE} {TWO}") == "[redacted] [redacted]"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "[redacted]",
            "[redacted:github-token]",
            "[redacted:api-key#12]",
            "[redacted:jwt#100000+]",
        ),
    ],
)
def test_what_is_a_mark(text):
    assert is_mark(text)
    assert ends_mark(f"x {text}: y", len(f"x {text}"))


@pytest.mark.parametrize("text", ["[REDACTED]", "[redacted:]", "[redacted:a b]", "redacted", ""])
def test_what_is_none(text):
    assert not is_mark(text)


MARKED = [
    *(
        "token={}",
        '{{"token": "{}"}}',
        "Authorization: Bearer {}",
        "https://{}@host/x",
        "x {}: y1z2",
    ),
    *("scp {}@host:x", "{}: abc123", "password: {}", "--token {} -v", "cookie: {}", "api key: {}"),
]


@pytest.mark.parametrize("form", MARKED)
@pytest.mark.parametrize(
    "mark", ["[redacted:token]", "[redacted:api-key#2]", "[redacted:cookie]", "[redacted:password]"]
)
def test_a_mark_is_no_secret_wherever_it_stands(form, mark):
    text = form.format(mark)
    assert mask(text) == text
    assert Sealer().text(text) == text


@pytest.mark.parametrize("end", ["", "e", "ed", "ed:", "ed:pass", "ed:password#", "ed:pas…"])
def test_a_mark_that_was_cut_is_no_secret(end):
    text = f'"password": "[redact{end}"'
    assert Sealer().text(text) == text


def test_beyond_the_memory_of_one_output_marks_are_shared(monkeypatch):
    monkeypatch.setattr("cursor_replay.scrub.marks._MOST", 2)
    marks = Marks("kind")
    assert [marks.mark("x", secret) for secret in "abcb"] == [
        "[redacted:x]", "[redacted:x#2]", "[redacted:x#2+]", "[redacted:x#2]",
    ]  # fmt: skip


def test_what_is_allowed_is_left_and_not_counted():
    marks = Marks(allows=lambda secret: secret == "hunter2")
    masker = Masker(marks)
    assert masker("password=hunter2 password=hunter3") == f"password=hunter2 password={MASK}"
    assert marks.counts == {"password": 1}


def test_an_allowed_home_stays():
    sealer = Sealer(choices=Choices(allows=lambda secret: secret == "/home/runner"))
    assert sealer.text("/home/runner/x /home/joe/x") == "/home/runner/x ~/x"


@pytest.mark.parametrize(
    "value", ["pLIix6ME9x", "a1b2c3d4e5f6", "correct.Horse9", "IQoJb3JpZ2luX2VjEXAMPLE"]
)
def test_a_value_that_recurs_is_masked_without_its_name(value):
    sealer = Sealer()
    assert sealer.text(f"password={value}") == "password=[redacted:password]"
    assert sealer.text(f"then I typed {value}, twice") == "then I typed [redacted:password], twice"


@pytest.mark.parametrize(
    "value",
    ["hunter2", "production", "base64url", "1.2.3.4.5", "/srv/x1/y2", "2026-11-30T10", "12345678"],
)
def test_a_value_that_may_be_a_word_is_masked_by_its_name_only(value):
    assert not is_telling(value)


def test_a_value_is_known_in_json_and_in_an_address_too():
    sealer = Sealer()
    sealer.text("password='aB3/x\"y+z9Q'")
    sealer.text('{"password": "aB3/x+z9Qw"}')
    assert "z9Qw" not in sealer.text("GET /?p=aB3%2Fx%2Bz9Qw&x=1")


def test_a_value_told_after_it_stood_in_the_same_item_is_masked_there_too():
    sealer = Sealer()
    assert sealer.value(["use pLIix6ME9x", {"password": "pLIix6ME9x"}]) == [
        "use [redacted:password]",
        {"password": "[redacted:password]"},
    ]


def test_a_text_that_was_clean_is_looked_at_again_once_more_is_known():
    sealer = Sealer()
    assert sealer.value(["pLIix6ME9x"]) == ["pLIix6ME9x"]
    sealer.value({"password": "pLIix6ME9x"})
    assert sealer.value(["pLIix6ME9x"]) == ["[redacted:password]"]


def test_only_so_many_values_are_looked_for():
    known = Known(["environment-1"])
    values = [f"aB3x{n:06}" for n in range(2000)]
    for value in values:
        known.learn("x", value)
    marks = Marks("kind")
    assert known.masked(values[0], marks) == values[0]
    assert known.masked(values[-1], marks) == "[redacted:x]"
    assert known.masked("environment-1", marks) == "[redacted:environment]"


secrets = st.sampled_from([ONE, TWO, "password=pLIix6ME9x", "pLIix6ME9x", "joe@corp.com", "x"])


@given(st.lists(st.lists(secrets, max_size=4), max_size=4))
def test_sealing_twice_with_one_sealer_is_sealing_once(value):
    sealer = Sealer()
    once = sealer.value(value)
    assert sealer.value(once) == once


@given(st.lists(secrets | st.text(max_size=12), max_size=8).map(" ".join))
def test_a_mask_never_lengthens_more_than_by_its_marks(text):
    masked = Sealer().text(text)
    assert len(masked) <= len(text) + masked.count("[redacted") * 40 + masked.count("[U+") * 10
