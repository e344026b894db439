"""Cards completed by the files beside a transcript."""

from pathlib import Path
from typing import Any

import pytest

from cursor_replay.ingest.sessions.sidefiles import SideFiles
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.items import Card, Item, Notice, Session
from cursor_replay.pipeline import replay

LINE = '{{"role":"assistant","message":{{"content":[{{"type":"tool_use","name":"{}","input":{}}}]}}}}\n'
IMAGES = (
    "<image_files>\\n1. /home/jo/.cursor/projects/s/assets/flow-1.png\\n"
    "2. /home/jo/.cursor/projects/s/assets/gone.png\\n</image_files>\\n"
    "<user_query>\\nsee\\n</user_query>"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "agent-transcripts" / "a1").mkdir(parents=True)
    return tmp_path


def items(project: Path, *lines: str) -> list[Item]:
    path = project / "agent-transcripts" / "a1" / "a1.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    beside = SideFiles.of(path)
    assert beside is not None
    source = open_source(str(path), options=ReadOptions())
    sealed = [each.item for each in replay(source, beside=beside)]
    return [each for each in sealed if not isinstance(each, Session)]


def shell(command: str) -> str:
    return LINE.format("Shell", f'{{"command":"{command}"}}')


def read(path: str) -> str:
    return LINE.format("Read", f'{{"path":"{path}"}}')


def terminal(project: Path, name: str, text: str) -> None:
    (project / "terminals").mkdir(exist_ok=True)
    (project / "terminals" / name).write_text(text, encoding="utf-8")


def test_a_read_of_a_spilled_output_shows_it_and_claims_no_success(project: Path) -> None:
    (project / "agent-tools").mkdir()
    (project / "agent-tools" / "0f1e.txt").write_text("42 matches\n", encoding="utf-8")
    card = items(project, read("/home/jo/.cursor/projects/s/agent-tools/0f1e.txt"))[0]
    assert isinstance(card, Card)
    assert (card.status, card.content[0].text) == ("unrecorded", "42 matches\n")
    assert card.outcome_from is not None
    assert card.outcome_from.store == "agent-tools"


@pytest.mark.parametrize("name", ["gone.txt", "../secret.txt", "..", "a\\\\b.txt"])
def test_a_spilled_output_that_is_gone_or_elsewhere_is_not_looked_for(
    project: Path, name: str
) -> None:
    (project / "secret.txt").write_text("private", encoding="utf-8")
    card = items(project, read(f"/x/agent-tools/{name}"))[0]
    assert isinstance(card, Card)
    assert (card.content, card.outcome_from) == ((), None)


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        (
            "---\npid: 12\nlast_command: make lint\nlast_exit_code: 2\n---\nE501\n",
            " and ended with exit code 2",
        ),
        (
            "pid: 3\nlast_command: make lint\nlast_exit_code: 0\n\nok\n",
            " and ended with exit code 0",
        ),
        ('last_command: "make lint"\n\nready\n', ""),
    ],
)
def test_a_terminal_is_named_and_nothing_is_taken_from_it(
    project: Path, text: str, ended: str
) -> None:
    terminal(project, "1.txt", text)
    card, notice, *_ = items(project, shell("make lint"))
    assert isinstance(card, Card)
    assert (card.status, card.content, card.outcome_from) == ("unrecorded", (), None)
    assert isinstance(notice, Notice)
    assert notice.message == (
        f"a terminal of this project ran this command last{ended}; maybe not this time"
    )
    assert notice.evidence is not None
    assert notice.evidence.file.endswith("1.txt")


def test_a_link_does_not_lead_out_of_the_project(project: Path, tmp_path_factory: Any) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "x.txt").write_text("private", encoding="utf-8")
    (project / "agent-tools").mkdir()
    (project / "agent-tools" / "x.txt").symlink_to(outside / "x.txt")
    (project / "assets").symlink_to(outside)
    files = SideFiles(project)
    assert (files.spilled("x.txt"), files.asset_size("x.txt")) == (None, None)
    (project / "agent-tools" / "y.txt").symlink_to(project / "agent-transcripts")
    assert files.spilled("y.txt") is None


def test_names_that_no_file_can_have_are_none(project: Path) -> None:
    (project / "agent-tools").mkdir()
    files = SideFiles(project)
    assert files.spilled("é" * 150 + ".txt") is None
    assert files.asset_size("é" * 150) is None


def test_attached_images_are_said_to_be_there_or_gone(project: Path) -> None:
    (project / "assets").mkdir()
    (project / "assets" / "flow-1.png").write_bytes(b"\x89PNG" * 300)
    text = f'{{"role":"user","message":{{"content":[{{"type":"text","text":"{IMAGES}"}}]}}}}\n'
    notices = [each.message for each in items(project, text) if isinstance(each, Notice)]
    assert notices[:2] == [
        "the attached image flow-1.png is beside the transcript (1,200 bytes)",
        "the attached image gone.png is gone",
    ]


def test_terminals_without_a_command_or_of_another_kind_are_none(project: Path) -> None:
    terminal(project, "1.txt", "just output\n")
    terminal(project, "2.log", "last_command: make\n")
    terminal(project, "3.txt", "")
    assert list(SideFiles(project).terminals()) == []


def test_a_transcript_outside_a_project_has_nothing_beside_it(tmp_path: Path) -> None:
    assert SideFiles.of(tmp_path / "run.jsonl") is None
