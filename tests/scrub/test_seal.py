"""The boundary: every string of every item is scrubbed, and nothing else changes."""

import dataclasses
import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay import items
from cursor_replay.items import (
    Activity,
    Answer,
    Card,
    ContextPart,
    Evidence,
    Notice,
    Prompt,
    Sealed,
    Session,
    TextContent,
    Thought,
    Time,
    Timing,
    TurnEnd,
)
from cursor_replay.scrub import RULES, Choices, Sealer, clean
from cursor_replay.scrub.sensitive import is_sensitive
from cursor_replay.scrub.walk import TOO_DEEP

CANARY = "gh" + "p_" + "Q7w8E9" * 6


def plain(**how) -> Sealer:
    """A sealer whose marks do not tell the kind."""
    return Sealer(choices=Choices(style="plain"), **how)


AT = Evidence(file="x.jsonl", line=1)


def card(**changes) -> Card:
    plain = Card(
        id="c1",
        tool="bash",
        source_tool="shell",
        title="t",
        status="succeeded",
        turn=1,
        evidence=AT,
    )
    return dataclasses.replace(plain, **changes)


def filled(kind: type, text: str):
    """Build ``kind`` with ``text`` in every field that can hold a string."""
    return kind(**{f.name: value(f.name, f.type, text) for f in dataclasses.fields(kind)})


def value(name: str, kind, text: str):
    special = {
        "arguments": {text: [text, {"a": (text,)}]},
        "content": (TextContent(text=text),),
        "context": (ContextPart(tag=text, text=text),),
        # Times are made by this program: no text of an input can stand in one.
        "time": Time(at=MOMENT),
        "timing": Timing(started=Time(at=MOMENT), completed=Time(at=MOMENT)),
        "evidence": Evidence(file=text, line=1),
        "details": Activity(title=text, summary=text, diff=text, path=text),
        "usage": items.Usage(input_tokens=1),
    }
    if name in special:
        return special[name]
    if kind in (str, str | None):
        return text
    args = get_args(kind)
    return args[0] if args and isinstance(args[0], str) else 1


MOMENT = "2026-03-01T06:00:00.000Z"


@pytest.mark.parametrize("kind", get_args(items.Item), ids=lambda kind: kind.__name__)
def test_a_canary_in_every_string_of_an_item_is_in_no_sealed_string(kind):
    sealed = plain().seal(filled(kind, f"\x1b[31m{CANARY}"))
    shown = json.dumps(dataclasses.asdict(sealed))
    assert CANARY not in shown
    assert "\\u001b" not in shown
    assert "[redacted]" in shown


@pytest.mark.parametrize("kind", get_args(items.Details), ids=lambda kind: kind.__name__)
def test_a_canary_in_every_string_of_the_details_is_masked(kind):
    sealed = plain().seal(card(details=filled(kind, CANARY)))
    assert CANARY not in repr(sealed)
    assert "[redacted]" in repr(sealed)


def test_a_card_is_scrubbed_in_its_arguments_content_details_and_reason_case_182():
    sealed = plain().seal(
        card(
            arguments={"command": "export TOKEN=abc1", "list": [{"deep": "password=hunter2"}]},
            content=(TextContent(text="/home/joe/x"),),
            details=Activity(title="a", expanded_text="Bearer abc-12345"),
            reason="api_key=abc",
        )
    )
    assert sealed == Sealed(
        card(
            arguments={
                "command": "export TOKEN=[redacted]",
                "list": [{"deep": "password=[redacted]"}],
            },
            content=(TextContent(text="~/x"),),
            details=Activity(title="a", expanded_text="Bearer [redacted]"),
            reason="api_key=[redacted]",
        )
    )


def test_a_string_under_a_sensitive_key_is_masked_whatever_it_looks_like():
    arguments = {
        "password": "x",
        "apiKey": "plain words",
        "headers": {"Authorization": "Bearer x", "X-Auth-Token": "y", "Cookie": "a"},
        "token": ["a", 1, None],
        "secret": "",
        "page_token": "abc",
        "max_tokens": 5,
        "credentials": {"user": "joe"},
        "client_secret": "${SECRET}",
    }
    assert plain().seal(card(arguments=arguments)).item.arguments == {
        "password": "[redacted]",
        "apiKey": "[redacted]",
        "headers": {
            "Authorization": "[redacted]",
            "X-Auth-Token": "[redacted]",
            "Cookie": "[redacted]",
        },
        "token": ["[redacted]", 1, None],
        "secret": "",
        "page_token": "abc",
        "max_tokens": 5,
        "credentials": {"user": "joe"},
        "client_secret": "${SECRET}",
    }


HIDDEN = "[redacted]"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            {"env": [{"name": "GITHUB_TOKEN", "value": "x"}, {"name": "A", "value": "y"}]},
            {"env": [{"name": "GITHUB_TOKEN", "value": HIDDEN}, {"name": "A", "value": "y"}]},
        ),
        ({"key": "api_key", "value": "x"}, {"key": "api_key", "value": HIDDEN}),
        ({"name": "TOKEN", "value": "${TOKEN}"}, {"name": "TOKEN", "value": "${TOKEN}"}),
        ({"password": {"value": "x"}}, {"password": {"value": HIDDEN}}),
        ({"secrets": {"a": ["x", {"b": "y"}]}}, {"secrets": {"a": [HIDDEN, {"b": HIDDEN}]}}),
        (
            {"password": {"type": "string", "description": "the word"}},
            {"password": {"type": "string", "description": "the word"}},
        ),
        (
            {"headers": [["Cookie", "sid=x"], ["Accept", "a"]]},
            {"headers": [["Cookie", HIDDEN], ["Accept", "a"]]},
        ),
        ({"raw": ["Cookie", "x", "Host", "h"]}, {"raw": ["Cookie", HIDDEN, "Host", "h"]}),
        (
            {"argv": ["deploy", "--token", "x", "-v"]},
            {"argv": ["deploy", "--token", HIDDEN, "-v"]},
        ),
        ({"argv": ["--token", "--password", "x"]}, {"argv": ["--token", "--password", HIDDEN]}),
        ({"fields": ["password", "user"]}, {"fields": ["password", "user"]}),
        (
            {"passwords": ["x"], "apiKeys": ["y"], "credentials": "z"},
            {"passwords": [HIDDEN], "apiKeys": [HIDDEN], "credentials": HIDDEN},
        ),
    ],
    ids=str,
)
def test_a_key_and_its_value_in_separate_members_are_seen_together(before, after):
    assert plain().seal(card(arguments=before)).item.arguments == after
    assert plain(scrub=False).seal(card(arguments=before)).item.arguments == before


def test_two_keys_that_mask_to_the_same_keep_both_values():
    arguments = {CANARY: 1, CANARY + "x": 2}
    sealed = plain().seal(card(arguments=arguments))
    assert sealed.item.arguments == {"[redacted]": 1, "[redacted]'": 2}


def test_a_control_sequence_inside_a_token_does_not_hide_it():
    assert clean(f"{CANARY[:9]}\x1b[0m{CANARY[9:]}") == "[redacted]"
    assert clean(f"{CANARY[:9]}\x1b]0;x\x07{CANARY[9:]}") == "[redacted]"


def test_without_scrubbing_only_control_sequences_go():
    sealed = plain(scrub=False).seal(card(title=f"\x1b[1m{CANARY}", arguments={"token": "x"}))
    assert sealed == Sealed(card(title=CANARY, arguments={"token": "x"}))


def test_an_item_that_needs_nothing_is_passed_on_as_the_same_object():
    long = "a clean line of text\n" * 50
    item = card(arguments={"path": "a", "content": long}, content=(TextContent(text=long),))
    assert plain().seal(item).item is item
    dull = card(title="a key and a token", arguments={"path": long})
    assert plain().seal(dull).item is dull


def test_the_mark_of_cursor_is_left_as_it_is():
    thought = Thought(text="[REDACTED]", removed=True, turn=1, evidence=AT)
    assert plain().seal(thought).item is thought


def test_a_home_folder_that_does_not_look_like_one_is_shortened_when_told():
    sealer = plain(home="/srv/people/joe")
    notice = Notice(code="x", message=r"/srv/people/joe/a, \/srv\/people\/joe, /srv/people/joey")
    assert sealer.seal(notice).item.message == r"~/a, ~, /srv/people/joey"
    assert sealer.text("~/.cursor/projects/srv-people-joe-app") == "~/.cursor/projects/~-app"


def test_a_literal_secret_is_masked_wherever_it_stands_case_180():
    sealer = plain(secrets=["no-shape-at-all", ""])
    assert sealer.text("say no-shape-at-all twice") == "say [redacted] twice"
    assert (
        plain(scrub=False, secrets=["no-shape-at-all"]).text("no-shape-at-all") == "no-shape-at-all"
    )


def test_a_call_id_with_a_secret_is_masked_case_216():
    assert plain().seal(card(id=f"call\n{CANARY}")).item.id == "call\n[redacted]"


def test_json_nested_without_end_is_cut_and_never_raises():
    deep: object = "x"
    for _ in range(5000):
        deep = {"a": deep}
    assert TOO_DEEP in repr(plain().seal(card(arguments={"deep": deep})))


@pytest.mark.parametrize(
    ("key", "sensitive"),
    [
        *[("token", True), ("API-Key", True), ("set-cookie", True), ("dbPassword", True)],
        *[("key", False), ("tokens", False), ("pageToken", False), ("next_page_token", False)],
    ],
)
def test_a_key_is_sensitive_by_its_last_word(key, sensitive):
    assert is_sensitive(key) is sensitive


pieces = st.one_of(
    st.text(max_size=12),
    st.sampled_from([before for rule in RULES for before, _ in rule.hits]),
    st.sampled_from(
        ["token", "=", ": ", '"', "\\", "@", "[redacted]", "\x1b[0m", "\n", "Bearer ", "~"]
    ),
)
texts = st.lists(pieces, max_size=6).map("".join)


@given(texts)
def test_sealing_twice_is_sealing_once(text):
    sealer = plain()
    once = sealer.seal(Prompt(text=text, turn=1, evidence=AT))
    assert sealer.seal(once.item) == once


@given(texts, texts)
def test_sealing_never_raises_and_keeps_the_shape(text, key):
    item = card(arguments={key: [text, {text: None}]}, summary=text)
    sealed = plain().seal(item).item
    assert isinstance(sealed, Card)
    assert len(sealed.arguments) == 1


@given(texts, texts, st.integers(0, 400))
def test_a_masked_text_cut_anywhere_never_shows_what_the_uncut_one_hides(before, after, cut):
    shown = clean(f"{before}\n{CANARY} {after}")[:cut]
    assert not any(CANARY[n : n + 8] in shown for n in range(len(CANARY) - 8))


def test_the_other_items_pass_too():
    for item in (
        Session(format="x", file="/home/joe/x", cwd="/Users/joe"),
        Answer(text="password: hunter2", turn=1, evidence=AT),
        TurnEnd(status="error", reason="Bearer abc-12345", turn=1, evidence=AT),
    ):
        assert plain().seal(item).item != item


def test_the_key_of_a_row_is_masked_like_the_name_of_a_file():
    made = card(evidence=Evidence(file="store.db", line=1, row=f"blob {CANARY}"))
    assert plain().seal(made).item.evidence.row == "blob [redacted]"


@pytest.mark.parametrize(
    "text",
    ["a\r\npassword=hunter2\nb\r\n", "a\npassword=hunter2\r\nb", "\r\n\r\npassword=hunter2\n\r\n"],
)
def test_line_ends_of_two_kinds_stay_in_a_copy(text):
    sealer = Sealer(for_copy=True, choices=Choices(style="plain"))
    assert sealer.words(text) == text.replace("hunter2", "[redacted]")


def test_what_a_sealer_may_change_is_told_before():
    sealer = Sealer(home="/srv/heron", secrets=["quay-lantern-7"])
    assert not sealer.may_change("a plain line")
    for text in ("/srv/heron/x", "it is quay-lantern-7", "password=hunter2", "/home/joe"):
        assert sealer.may_change(text)


def test_a_nul_ends_a_word_where_a_secret_would_be_hidden_without():
    sealer = Sealer(choices=Choices(style="plain"))
    assert sealer.text("curl\0-u\0joe:hunter2\0x") == "curl -u joe:[redacted] x"
    assert sealer.text("a\0b") == "ab"
    assert sealer.text("pass\0word=hunter2") == "password=[redacted]"
