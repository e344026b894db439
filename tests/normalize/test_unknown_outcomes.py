"""A result is there and nothing tells how the call went: it is shown, and no success is claimed."""

import pytest

from cursor_replay.events import CallCompleted, Outcome
from cursor_replay.items import Card, Evidence
from cursor_replay.normalize.normalizer import Normalizer

AT = Evidence(file="run", line=1)


def card(name: str, args: dict[str, object], outcome: Outcome) -> Card:
    event = CallCompleted(
        origin=AT, channel="cli", call_id="c", name=name, args=args, outcome=outcome
    )
    normalizer = Normalizer(file="run")
    found = [
        each for each in (*normalizer.feed(event), *normalizer.close()) if isinstance(each, Card)
    ]
    return found[0]


def test_what_it_says_is_shown() -> None:
    made = card("read", {"path": "a.py"}, Outcome(status="unknown", value={"content": "x = 1\n"}))
    assert (made.status, made.content[0].text) == ("unrecorded", "x = 1\n")


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ({"stdout": "no", "exitCode": 2}, "failed"),
        ({"stdout": "no", "signal": "SIGKILL"}, "failed"),
        ({"stdout": "fine"}, "unrecorded"),
    ],
)
def test_what_a_result_tells_itself_of_a_failure_is_believed(
    value: dict[str, object], status: str
) -> None:
    assert card("shell", {"command": "x"}, Outcome(status="unknown", value=value)).status == status


def test_the_end_counts_every_outcome_that_is_not_known() -> None:
    normalizer = Normalizer(file="run")
    outcomes = [Outcome(status="unknown", value="x"), None, Outcome(status="success", value="x")]
    items = []
    for number, outcome in enumerate(outcomes):
        event = CallCompleted(
            origin=AT, channel="cli", call_id=f"c{number}", name="read", args={"path": "a"},
            outcome=outcome,
        )  # fmt: skip
        items += normalizer.feed(event)
    items += normalizer.close()
    assert [each.status for each in items if isinstance(each, Card)] == [
        "unrecorded", "unrecorded", "succeeded",
    ]  # fmt: skip
    assert items[-1].message == "the outcomes of 2 calls are not recorded here"
