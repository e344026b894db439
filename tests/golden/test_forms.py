"""One session recorded in many forms gives the same cards from each, but for what a form lacks."""

from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import fixture_cases  # noqa: F401 - puts the builders of the fixtures on the path
import one_session as one
import pytest

from cursor_replay.ingest.source import open_source
from cursor_replay.items import Answer, Card, Item, Prompt, Thought
from cursor_replay.pipeline import replay

FULL: list[tuple[Any, ...]] = [
    ("prompt", one.PROMPT),
    ("thought", one.THOUGHT),
    ("card", "read", "src/tide.py", "succeeded", one.TEXT),
    ("card", "bash", one.COMMAND, "failed", "12 checks\n\nCommand exited with code 2"),
    ("answer", one.ANSWER),
]


class Form(NamedTuple):
    """How the session is written, and what this form cannot know."""

    name: str
    write: one.Writer
    lacks: frozenset[str] = frozenset()


FORMS = [
    Form("sdk-stream", one.sdk_stream),
    Form("sdk-updates", one.sdk_updates),
    Form("sdk-steps", one.sdk_steps, frozenset({"prompt"})),
    Form("sdk-turns", one.sdk_turns),
    Form("agent-messages", one.agent_messages),
    Form("stream-json", one.stream_json),
    Form("sdk-store", one.sdk_store),
    Form("sdk-ndjson-store", one.sdk_ndjson_store),
    Form("chat-store", one.chat_store),
    Form("ide-state", one.ide_state),
    Form("transcript", one.transcript, frozenset({"thought", "outcome"})),
    Form("legacy-txt", one.legacy_txt, frozenset({"outcome"})),
    Form("transcript-json", one.transcript_json, frozenset({"outcome"})),
    Form("pi-session", one.pi_session),
    Form("debug-artifacts", one.debug_artifacts),
    Form("acp", one.acp),
    Form("hooks", one.hooks),
    Form("cloud-sse", one.cloud_sse, frozenset({"prompt"})),
]


def told(path: Path) -> tuple[str, list[tuple[Any, ...]]]:
    """The format, and what matters of every prompt, thought, card and answer."""
    with closing(open_source(str(path))) as source:
        items = [each.item for each in replay(source, cwd=one.CWD)]
    rows = [row for item in items if (row := _row(item))]
    return items[0].format, rows  # type: ignore[union-attr]


def _row(item: Item) -> tuple[Any, ...] | None:
    match item:
        case Prompt():
            return ("prompt", item.text)
        case Thought():
            return ("thought", item.text)
        case Answer():
            return ("answer", item.text.strip())
        case Card():
            target = item.arguments.get("path") or item.arguments.get("command")
            text = "".join(part.text for part in item.content)
            return ("card", item.tool, target, item.status, text)
    return None


def without(lacks: frozenset[str]) -> list[tuple[Any, ...]]:
    """The full telling without what a form cannot know; removed thinking leaves an empty thought."""
    rows = [row for row in FULL if row[0] != "prompt" or "prompt" not in lacks]
    if "thought" in lacks:
        rows = [("thought", "") if row[0] == "thought" else row for row in rows]
    if "outcome" in lacks:
        rows = [(*row[:3], "unrecorded", "") if row[0] == "card" else row for row in rows]
    return rows


@pytest.mark.parametrize("form", FORMS, ids=[form.name for form in FORMS])
def test_a_form_tells_the_session_as_far_as_it_knows_it(form: Form, tmp_path: Path) -> None:
    assert told(form.write(tmp_path)) == (form.name, without(form.lacks))


@pytest.mark.parametrize(
    "richer",
    [form for form in FORMS if not form.lacks and form.name.endswith(("store", "state"))],
    ids=lambda form: form.name,
)
def test_a_transcript_joined_with_a_richer_store_tells_it_all(richer: Form, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    base = open_source(str(one.transcript(tmp_path / "a")))
    other = open_source(str(richer.write(tmp_path / "b")))
    with closing(base), closing(other):
        items = [each.item for each in replay(base, cwd=one.CWD, others=[other])]
    assert [row for item in items if (row := _row(item))] == FULL
    cards = [each for each in items if isinstance(each, Card)]
    assert {each.outcome_from.store for each in cards if each.outcome_from} == {richer.name}
