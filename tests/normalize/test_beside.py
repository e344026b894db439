"""Cards completed by the files beside a transcript."""

from pathlib import Path

import pytest

from cursor_replay.ingest.sessions.sidefiles import SideFiles, Terminal
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.items import Card, Item, Notice, Session
from cursor_replay.pipeline import again, replay

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


def test_the_terminal_of_the_only_such_command_gives_its_output_and_exit_code(
    project: Path,
) -> None:
    head = "---\npid: 12\ncwd: /srv/shop\nlast_command: make lint\nlast_exit_code: 2\n---\n"
    terminal(project, "1.txt", head + "E501 in a.py\n")
    card = items(project, shell("make lint"))[0]
    assert isinstance(card, Card)
    assert card.status == "failed"
    assert card.content[0].text == "E501 in a.py\n\nCommand exited with code 2"
    assert card.reason == "Command exited with code 2"
    assert card.outcome_from is not None
    assert card.outcome_from.evidence.file.endswith("1.txt")


def test_a_header_without_dashes_and_an_exit_code_of_zero(project: Path) -> None:
    terminal(project, "1.txt", "pid: 3\nlast_command: make\nlast_exit_code: 0\n\nok\n")
    card = items(project, shell("make"))[0]
    assert isinstance(card, Card)
    assert (card.status, card.content[0].text, card.reason) == ("succeeded", "ok", None)


def test_a_terminal_without_exit_code_claims_no_success(project: Path) -> None:
    terminal(project, "1.txt", "last_command: npm run dev\n\nready\n")
    card = items(project, shell("npm run dev"))[0]
    assert isinstance(card, Card)
    assert (card.status, card.content[0].text) == ("unrecorded", "ready")


def test_a_command_that_ran_twice_or_in_two_terminals_is_unsure(project: Path) -> None:
    terminal(project, "1.txt", "last_command: make\nlast_exit_code: 0\n\nok\n")
    cards = items(project, shell("make"), shell("make"))
    assert {each.status for each in cards if isinstance(each, Card)} == {"unrecorded"}
    terminal(project, "2.txt", "last_command: make\nlast_exit_code: 0\n\nok\n")
    assert items(project, shell("make"))[0].status == "unrecorded"  # type: ignore[union-attr]


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


def test_a_terminal_is_read_as_it_was_left(project: Path) -> None:
    terminal(project, "1.txt", 'last_command: "make all"\n\n\x1b[31mred\x1b[0m\n')
    [found] = SideFiles(project).terminals()
    assert found == Terminal(
        str(project / "terminals" / "1.txt"), "make all", None, "\x1b[31mred\x1b[0m"
    )


def test_a_transcript_outside_a_project_has_nothing_beside_it(tmp_path: Path) -> None:
    assert SideFiles.of(tmp_path / "run.jsonl") is None


def test_a_file_can_be_read_again(project: Path) -> None:
    path = project / "agent-transcripts" / "run.jsonl"
    path.write_text(shell("ls"), encoding="utf-8")
    read_again = again(str(path))
    assert [type(each) for each in read_again()] == [type(each) for each in read_again()]
