"""What a user may set, and what is said when it cannot be."""

import pytest

from cursor_replay.errors import InputError
from cursor_replay.scrub import Choices, Sealer
from cursor_replay.scrub.settings import applied, read_settings

RULES = """
allow = ["hunter2222"]
allow-patterns = ["test-[a-z]+"]
keep-emails = true
[[rules]]
id = "acme-key"
pattern = 'ACME-[0-9a-f]{8,}'
"""


def sealer(toml: str, **more) -> Sealer:
    return Sealer(choices=applied(Choices(**more), [read_settings(toml, "x.toml")]))


def test_a_rule_of_the_user_masks_with_its_own_word():
    made = sealer(RULES)
    assert made.text("ACME-0a1b2c3d4 and ACME-ffffffff and ACME-0a1b2c3d4") == (
        "[redacted:acme-key] and [redacted:acme-key#2] and [redacted:acme-key]"
    )
    assert made.value({"ACME-ffffffff": 1}) == {"[redacted:acme-key#2]": 1}


def test_what_is_allowed_stays():
    text = "password=hunter2222 token=test-abc joe@corp.com"
    assert sealer(RULES).text(text) == text
    assert sealer(RULES).text("password=hunter3333") == "password=[redacted:password]"
    assert sealer(RULES).value({"password": "hunter2222"}) == {"password": "hunter2222"}


def test_a_rule_that_matches_everything_leaves_marks_alone():
    made = sealer("[[rules]]\nid = 'a'\npattern = '[a-z]'")
    once = made.text("password=Hunter2222 é")
    assert made.text(once) == once


def test_settings_add_up():
    both = [
        read_settings(RULES, "a"),
        read_settings("mask = 'plain'\nallow = ['ACME-ffffffff']", "b"),
    ]
    made = Sealer(choices=applied(Choices(), both))
    assert made.text("ACME-ffffffff ACME-eeeeeeee hunter2222") == (
        "ACME-ffffffff [redacted] hunter2222"
    )


def test_a_project_file_holds_them_in_its_table():
    text = "[project]\nname = 'x'\n[tool.cursor-replay]\nkeep-emails = true"
    assert read_settings(text, "p", table=("tool", "cursor-replay")).keep_emails
    assert not read_settings("", "p", table=("tool", "cursor-replay")).keep_emails


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("a = ", "x.toml: not TOML: Invalid value (at end of document)"),
        (
            "alow = []",
            "x.toml: alow: unknown; known are rules, allow, allow-patterns, keep-emails, mask",
        ),
        ("[[rules]]\nid = 'a'", "x.toml: rules[0].pattern: Field required"),
        (
            "[[rules]]\nid = 'a'\npattern = 'x$'",
            "x.toml: rules[0].pattern: $ is not supported: a match counts wherever it stands",
        ),
        (
            "[[rules]]\nid = 'a'\npattern = 'x'\nname = 1",
            "x.toml: rules[0].name: unknown; known are id, pattern",
        ),
        ("allow = ['a']", "x.toml: allow[0]: String should have at least 4 characters"),
        ("mask = 'x'", "x.toml: mask: Input should be 'kind' or 'plain'"),
        (
            "[[rules]]\nid = 'A b'\npattern = 'x'",
            "x.toml: rules[0].id: String should match pattern '^[a-z0-9][a-z0-9-]{0,40}$'",
        ),
    ],
)
def test_an_error_names_the_place_and_the_reason(toml, words):
    with pytest.raises(InputError) as raised:
        read_settings(toml, "x.toml")
    assert str(raised.value) == words
