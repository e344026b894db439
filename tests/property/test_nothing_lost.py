"""What goes in comes out: prompts, calls and sentences are counted on both sides."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from recorded import as_bytes, replayed, steady

from cursor_replay.items import Answer, Card, Prompt, TurnEnd

WORDS = st.text("abc .*<>`\n\u2028é🌊", min_size=1, max_size=30).filter(str.strip)
NAMES = st.sampled_from(["Read", "Shell", "StrReplace", "ApplyPatch", "Brew", "TodoWrite", ""])
INPUTS = st.none() | st.text(max_size=9) | st.just([]) | st.dictionaries(st.text(max_size=5), WORDS)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(name: str, given_: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": given_}


BLOCKS = st.lists(st.builds(text, WORDS) | st.builds(use, NAMES, INPUTS), min_size=1, max_size=5)
USER = WORDS.map(
    lambda words: {
        "role": "user",
        "message": {"content": [text(f"<user_query>\n{words}\n</user_query>")]},
    }
)
ASSISTANT = BLOCKS.map(lambda blocks: {"role": "assistant", "message": {"content": blocks}})
ENDED = st.sampled_from(["success", "error", "aborted"]).map(
    lambda word: {"type": "turn_ended", "status": word}
)
TRANSCRIPTS = st.lists(USER | ASSISTANT | ENDED, min_size=1, max_size=12)


def count(records: list[Any], kind: str) -> int:
    blocks = [
        block
        for record in records
        if record.get("role") == "assistant"
        for block in record["message"]["content"]
    ]
    return sum(block["type"] == kind for block in blocks)


@steady(80)
@given(TRANSCRIPTS)
def test_a_transcript_loses_no_prompt_no_call_no_answer_and_no_end(records: list[Any]) -> None:
    items = [each.item for each in replayed(as_bytes(records))]
    assert sum(isinstance(item, Prompt) for item in items) == sum(
        record.get("role") == "user" for record in records
    )
    assert sum(isinstance(item, Card) for item in items) == count(records, "tool_use")
    assert sum(isinstance(item, Answer) for item in items) == count(records, "text")
    assert sum(isinstance(item, TurnEnd) for item in items) == sum(
        record.get("type") == "turn_ended" for record in records
    )


@steady(80)
@given(TRANSCRIPTS)
def test_cards_stand_in_the_order_of_their_calls(records: list[Any]) -> None:
    places = [
        (item.evidence.line, item.evidence.block or 0)
        for item in (each.item for each in replayed(as_bytes(records)))
        if isinstance(item, Card | Answer)
    ]
    assert places == sorted(places)


def message(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "agent_id": "agent-1", "run_id": "run-1", **fields}


SAID = st.lists(WORDS, min_size=1, max_size=6)


@steady(80)
@given(st.lists(SAID, min_size=1, max_size=5))
def test_deltas_are_joined_and_nothing_is_added(answers: list[list[str]]) -> None:
    records = []
    for number, deltas in enumerate(answers):
        records += [message("assistant", message={"content": [text(each)]}) for each in deltas]
        records.append(
            message("tool_call", call_id=f"c{number}", name="read", status="completed", args={})
        )
    items = [each.item for each in replayed(as_bytes(records))]
    told = [item.text for item in items if isinstance(item, Answer)]
    assert told == ["".join(deltas).replace("\u2028", "\n") for deltas in answers]


def cli(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "session_id": "s", **fields}


@steady(80)
@given(st.lists(SAID, min_size=1, max_size=5), st.booleans(), st.booleans())
def test_partial_output_says_every_text_once(
    answers: list[list[str]],
    whole: bool,  # noqa: FBT001 - drawn
    final: bool,  # noqa: FBT001 - drawn
) -> None:
    records = [cli("user", message={"content": [text("q")]})]
    for number, deltas in enumerate(answers):
        full = {"content": [text("".join(deltas))]}
        records += [
            cli("assistant", message={"content": [text(each)]}, timestamp_ms=1) for each in deltas
        ]
        if whole:
            records.append(cli("assistant", message=full, timestamp_ms=2, model_call_id="m"))
        if final and number == len(answers) - 1:
            records.append(cli("assistant", message=full))
        else:
            body = {"readToolCall": {"args": {"path": "a"}}}
            records.append(
                cli("tool_call", subtype="started", call_id=f"c{number}", tool_call=body)
            )
    items = [each.item for each in replayed(as_bytes(records))]
    told = [item.text for item in items if isinstance(item, Answer)]
    assert told == ["".join(deltas).replace("\u2028", "\n") for deltas in answers]
