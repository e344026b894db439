"""Every fixture case, written by us, in both versions of the real pi."""

from collections import Counter

import pytest
from realpi import cards_of
from written import HERE, NAMES, SHOWN, WITHOUT_A_MESSAGE, cards_in, write

from cursor_replay.ingest.lines import split_lines
from cursor_replay.pi_session.check import check

GOLDENS = HERE / "goldens"
ASKED = ({"type": "get_messages"}, {"type": "get_entries"}, {"type": "get_session_stats"})


def calls_of(messages):
    said = [message for message in messages if message["role"] == "assistant"]
    return [block for each in said for block in each["content"] if block["type"] == "toolCall"]


@pytest.mark.parametrize("name", NAMES)
def test_a_case_is_read_whole_and_left_as_it_is(name, pi, tmp_path):
    path = write(name, tmp_path / "session.jsonl", cwd=pi.workspace)
    before = path.read_bytes()

    messages, entries, stats = pi.rpc(path, *ASKED)

    cards = cards_in(name)
    assert len(calls_of(messages["messages"])) == len(cards) == stats["toolCalls"]
    answered = sum(card.status in ("succeeded", "failed") for card in cards)
    assert stats["toolResults"] == answered
    lines = before.count(b"\n")
    assert len(entries["entries"]) - lines in ((-1,) if name not in WITHOUT_A_MESSAGE else (0,))
    if name not in WITHOUT_A_MESSAGE:
        assert path.read_bytes() == before


@pytest.mark.parametrize("name", NAMES)
def test_check_pi_has_nothing_to_say_of_a_case(name, tmp_path):
    path = write(name, tmp_path / "session.jsonl", cwd=tmp_path)
    with path.open("rb") as stream:
        chunks = iter(lambda: stream.read(65536), b"")
        found = list(check(split_lines(chunks), exists=lambda _: True))
    assert [each.code for each in found if each.severity == "error"] == []


TARGETS = ("activityTitle", "command", "path", "pattern")


def seen(card):
    """Words that the card of a call has to show."""
    keys = TARGETS if card.tool != "cursor" else ()
    targets = [card.arguments.get(key) for key in keys] or [card.title]
    target = next((text for text in targets if isinstance(text, str) and text.strip()), "")
    return " ".join(target.split("\n")[0].split())[:40].strip()


@pytest.mark.parametrize("name", NAMES)
def test_the_export_shows_every_card(name, pi, page_cards, tmp_path):
    path = write(name, tmp_path / "session.jsonl", cwd=pi.workspace)
    shown = page_cards(pi.export_html(path))
    cards = {card.id: card for card in cards_in(name)}
    assert len(shown) == len(cards)
    states = Counter(state for state, _ in shown)
    assert states["success"] == sum(card.status == "succeeded" for card in cards.values())
    assert states["error"] >= sum(card.status == "failed" for card in cards.values())
    texts = [text for _, text in shown]
    for card in cards.values():
        assert any(seen(card) in text for text in texts), (seen(card), texts)


@pytest.mark.parametrize("expanded", [False, True], ids=["collapsed", "expanded"])
@pytest.mark.parametrize("name", SHOWN)
def test_a_session_looks_as_it_was_looked_at(name, pi, screen, tmp_path, *, expanded):
    """The goldens were looked at when they were made; `make pi-goldens` makes them anew."""
    path = write(SHOWN[name], tmp_path / "session.jsonl", cwd=pi.workspace)
    state = "expanded" if expanded else "collapsed"
    golden = GOLDENS / f"{name}-{pi.version}-{state}.txt"
    shown = cards_of(screen(path, expanded=expanded))
    assert shown == golden.read_text("utf-8")
