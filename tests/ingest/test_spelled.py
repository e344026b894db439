"""Flags, exit codes and the words of a failure, in every spelling."""

from typing import Any

import pytest

from cursor_replay.ingest.formats.spelled import (
    error_words,
    exit_of,
    failure_in,
    is_false,
    is_true,
    json_text,
)


@pytest.mark.parametrize("value", [True, "true", "True", " TRUE ", 1, 1.0, "1", "yes"])
def test_a_flag_is_up_in_many_spellings(value: Any) -> None:
    assert is_true(value)
    assert not is_false(value)


@pytest.mark.parametrize("value", [False, "false", "FALSE", 0, 0.0, "0", "no"])
def test_a_flag_is_down_in_many_spellings(value: Any) -> None:
    assert is_false(value)
    assert not is_true(value)


@pytest.mark.parametrize("value", [None, "", "maybe", 2, [], [True], {}, {"a": 1}])
def test_what_is_no_flag_says_nothing(value: Any) -> None:
    assert not is_true(value)
    assert not is_false(value)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Exit code: 0", 0),
        ("Exit code: 1 bad", 1),
        ("\n  Exit code: -9\nkilled", -9),
        ("Command exited with code 2", 2),
        ("out\n\nCommand exited with code 2", 2),
        ("out\nCommand exited with code 3.\n", 3),
        ("Exit codes: 1", None),
        ("see: Exit code: 1", None),
        ("Command exited with code 2\nand went on", 2),
        ("first\nCommand exited with code 2\nand went on", None),
        ("", None),
        (7, None),
        (None, None),
    ],
)
def test_an_exit_code_is_read_where_a_text_begins_or_ends(text: Any, code: int | None) -> None:
    assert exit_of(text) == code


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("boom ", "boom"),
        (True, "failed"),
        (7, "7"),
        ({"message": "m"}, "m"),
        ({"clientVisibleErrorMessage": "shown", "message": "m"}, "shown"),
        ({"code": 5}, '{"code":5}'),
        (["a"], '["a"]'),
        *((each, "") for each in (None, False, 0, "", " ", {}, [])),
    ],
)
def test_an_error_has_its_own_words(error: Any, words: str) -> None:
    assert error_words(error) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"error": "boom", "success": True}, "boom"),
        ({"success": False, "error": "boom"}, "boom"),
        ({"success": "false", "message": "no"}, "no"),
        ({"success": 0}, "failed"),
        ({"rejected": True}, "rejected"),
        ({"rejected": {"reason": "not now"}}, "rejected: not now"),
        ({"timeout": {}}, "timeout"),
        ({"timedOut": True, "message": "after 3 s"}, "timed out: after 3 s"),
        ({"cancelled": "true"}, "cancelled"),
        ({"aborted": True}, "aborted"),
        ({"isError": True}, "failed"),
        ({"isError": "true", "content": "no"}, "no"),
        ({"isError": 1, "content": [{"type": "text", "text": "a"}, {"type": "image"}]},
         "a\n[image omitted]"),
        ({"isError": True, "content": [{"text": {"text": "b"}}, "c", 7]},
         "b\nc\n[content omitted]"),
        ({"timeout": 30_000, "aborted": False, "rejected": "no", "error": None}, ""),
        ({"success": True}, ""),
        ({}, ""),
        ("boom", ""),
        (None, ""),
    ],
)  # fmt: skip
def test_a_result_tells_its_own_failure(value: Any, words: str) -> None:
    assert failure_in(value) == words


def test_what_stands_in_a_texts_place_is_compact_json() -> None:
    assert json_text("a") == "a"
    assert json_text(None) == ""
    assert json_text({"ä": [1, None]}) == '{"ä":[1,null]}'
