"""Where a notice says it stands."""

import pytest

from cursor_replay.items import Evidence, Notice, Session
from cursor_replay.render.phrases import notice_line

HEAD = Session(format="transcript", file="/srv/run/a1.jsonl")


@pytest.mark.parametrize(
    ("evidence", "place"),
    [
        (Evidence(file="/srv/run/a1.jsonl", line=3), "line 3"),
        (Evidence(file="/srv/run/a1.jsonl", line=3, end_line=5), "lines 3-5"),
        (Evidence(file="/srv/run/subagents/c1.jsonl", line=3), "c1.jsonl line 3"),
        (Evidence(file="C:\\run\\c1.jsonl", line=3, end_line=4), "c1.jsonl lines 3-4"),
        (Evidence(file="/srv/run/a1.jsonl", line=3, row="bubbleId:a:b"), "row 3"),
        (Evidence(file="/srv/store.db", line=3, row="0f"), "store.db row 3"),
        (Evidence(file="", line=3), "line 3"),
    ],
)
def test_a_notice_names_its_place_and_another_file(evidence: Evidence, place: str) -> None:
    assert notice_line(Notice(code="x", message="odd", evidence=evidence), HEAD) == f"odd ({place})"


def test_without_a_head_only_the_line_is_named() -> None:
    notice = Notice(code="x", message="odd", evidence=Evidence(file="a", line=3))
    assert notice_line(notice, None) == "odd (line 3)"
