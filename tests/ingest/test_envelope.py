"""The user envelope: what was typed, and what stood around it."""

import pytest

from cursor_replay.ingest.formats.envelope import open_envelope
from cursor_replay.items import ContextPart, Time


def query(text: str) -> str | None:
    return open_envelope(text).query


def context(text: str) -> list[tuple[str, str]]:
    return [(part.tag, part.text) for part in open_envelope(text).context]


def wrapped(text: str) -> str:
    return f"<user_query>\n{text}\n</user_query>"


def test_text_without_an_envelope_is_the_query() -> None:
    assert query("  fix the tide table\n") == "fix the tide table"
    assert query("") == ""


def test_the_query_is_what_stands_inside() -> None:
    assert query(wrapped("fix it")) == "fix it"
    assert query("<user_query>fix it</user_query>") == "fix it"


def test_leading_tags_become_context_in_order() -> None:
    text = f"<rules>\none\n</rules>\n<brand_new>\ntwo\n</brand_new>\n{wrapped('fix it')}"
    assert context(text) == [("rules", "one"), ("brand_new", "two")]
    assert query(text) == "fix it"


def test_tags_with_a_hyphen_are_taken_too() -> None:
    text = f"<system-reminder>stay</system-reminder>\n{wrapped('fix it')}"
    assert context(text) == [("system-reminder", "stay")]


def test_tags_inside_a_tag_stay_in_it() -> None:
    text = (
        f"<attached_files>\n<code_selection>x</code_selection>\n</attached_files>\n{wrapped('q')}"
    )
    assert context(text) == [("attached_files", "<code_selection>x</code_selection>")]


def test_the_timestamp_is_the_time_and_no_context() -> None:
    envelope = open_envelope(
        f"<timestamp>Sunday, Mar 1, 2026, 6:00 AM (UTC)</timestamp>\n{wrapped('q')}"
    )
    assert envelope.time == Time(at="2026-03-01T06:00:00.000Z")
    assert envelope.context == []


def test_a_timestamp_that_cannot_be_read_is_kept_as_context() -> None:
    envelope = open_envelope(f"<timestamp>yesterday</timestamp>\n{wrapped('q')}")
    assert envelope.time is None
    assert envelope.context == [ContextPart(tag="timestamp", text="yesterday")]


def test_a_timestamp_inside_the_query_is_text() -> None:
    envelope = open_envelope(wrapped("what is <timestamp>now</timestamp>?"))
    assert envelope.query == "what is <timestamp>now</timestamp>?"
    assert envelope.time is None


def test_the_last_closing_marker_ends_the_query() -> None:
    text = wrapped("why does </user_query> end <user_query> here?")
    assert query(text) == "why does </user_query> end <user_query> here?"


def test_a_query_without_its_closing_marker_runs_to_the_end() -> None:
    assert query("<user_query>\nhalf a question") == "half a question"


def test_text_behind_the_query_is_kept() -> None:
    assert context(f"{wrapped('q')}\ntrailing words") == [("after_query", "trailing words")]


def test_context_alone_has_no_query() -> None:
    envelope = open_envelope("<attached_files>\nx\n</attached_files>")
    assert envelope.query is None
    assert not envelope.typed
    assert envelope.context == [ContextPart(tag="attached_files", text="x")]


def test_a_time_alone_has_no_query_either() -> None:
    envelope = open_envelope("<timestamp>Sunday, Mar 1, 2026, 6:00 AM (UTC)</timestamp>")
    assert envelope.query is None
    assert envelope.time == Time(at="2026-03-01T06:00:00.000Z")


@pytest.mark.parametrize("text", ["<div>x</div> is broken", "<head> stays", "<p>one</p>"])
def test_markup_that_a_human_typed_is_no_envelope(text: str) -> None:
    assert query(text) == text
    assert context(text) == []


def test_a_tag_that_is_never_closed_is_text() -> None:
    assert query("<user_info> never closed") == "<user_info> never closed"


@pytest.mark.parametrize(
    "text",
    [
        "Perform any necessary follow-up actions in response to the subagent completion above.",
        "Briefly inform the user about the task result and end.",
        "You are the forked subagent; continue executing your task.",
        "The beginning of the above subagent result is shown.",
        "Your previous response was interrupted. Continue from where you left off.",
    ],
)
def test_sentences_of_cursor_were_typed_by_nobody(text: str) -> None:
    assert not open_envelope(wrapped(text)).typed
    assert not open_envelope(text).typed
    assert open_envelope(f"Why did you say: {text}").typed


def test_a_button_text_cannot_be_told_from_typing() -> None:
    assert open_envelope(wrapped("Start multitasking")).typed


def test_placeholders_of_images_and_files_stand_before_the_envelope() -> None:
    envelope = open_envelope(
        "[Image]\n[File: tides.pdf]\n"
        "<timestamp>Sunday, Mar 1, 2026, 6:00 AM (UTC)</timestamp>\n"
        f"{wrapped('See attached.')}"
    )
    assert envelope.query == "[Image]\n[File: tides.pdf]\nSee attached."
    assert envelope.time == Time(at="2026-03-01T06:00:00.000Z")
    assert envelope.typed


def test_many_unclosed_tags_take_linear_time() -> None:
    assert open_envelope("<a_b>" * 20_000).query is not None
    assert open_envelope(wrapped("<user_query>" * 20_000)).query is not None
