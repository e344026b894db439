"""A secret of every class, in every field of every format, is in no output, copy or message."""

import io
import json
import random
import sys
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from recorded import FIXTURES, as_bytes, changed, in_every_output, is_structure, records, squeezed

sys.path.insert(0, str(Path(__file__).parents[1] / "scrub"))
sys.path.insert(0, str(FIXTURES))
from build_stores import build
from made_secrets import SHAPES, made

from cursor_replay.cli.main import cli
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.pipeline import replay
from cursor_replay.scrub import Sealer
from cursor_replay.scrub.copies import Copier

_PICK = random.Random(11)  # noqa: S311 - made up, and the same each time
SECRETS = {name: made(name, _PICK) for name in SHAPES}
ALL = "\n".join(f"{whole} " for whole, _ in SECRETS.values())


@cache
def telling() -> dict[str, str]:
    """Ten characters that only stand in one secret, and whose it is."""
    pieces = {}
    for name, (_, secret) in SECRETS.items():
        for row in secret.split("\n"):
            size = min(10, len(row))
            for at in {len(row) // 2 - size // 2, len(row) - size}:
                pieces[row[at : at + size]] = name
    return {piece: name for piece, name in pieces.items() if not {" ", ";", "="} & set(piece)}


def seen(text: str) -> set[str]:
    """The classes of secrets that can be read in a text, however it is laid out."""
    plain = squeezed(text)
    return {name for piece, name in telling().items() if piece in plain or piece in text}


def leaks(path: Path, **read: Any) -> list[tuple[str, set[str]]]:
    """What is seen in which output of a recording, and in its copy."""
    with closing(open_source(str(path), options=ReadOptions(**read))) as source:
        items = list(replay(source))
    shown = [*in_every_output(items), *copies(path)]
    return [(which, found) for which, text in shown if (found := seen(text))]


def copies(path: Path) -> list[tuple[str, str]]:
    sealer = Sealer(for_copy=True)
    made = []
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file() and not file.read_bytes().startswith(b"SQLite"):
            data = file.read_bytes()
            copier = Copier(sealer, lambda _: None, plain=False)
            done = b"".join(copier.copy(lambda data=data: io.BytesIO(data)))
            made.append((f"copy of {file.name}", done.decode("utf-8", "replace")))
    return made


class Turns:
    """Gives one secret after the other."""

    def __init__(self, start: int) -> None:
        self.names = list(SECRETS)
        self.at = start

    def __call__(self, text: str) -> str:
        self.at = (self.at + 1) % len(self.names)
        return f"{text}\n{SECRETS[self.names[self.at]][0]} "


def test_the_canaries_can_be_seen():
    assert seen(ALL) == set(telling().values())
    assert len(seen(ALL)) > 130


@pytest.mark.parametrize("number", range(len(records())), ids=list(records()))
def test_a_secret_of_another_class_in_each_string_is_in_no_output(number, tmp_path):
    turns = Turns(number * 7)
    lines = records()[list(records())[number]]
    path = tmp_path / "run.jsonl"
    path.write_bytes(
        as_bytes(changed(lines, lambda place, text: text if is_structure(place) else turns(text)))
    )
    assert leaks(path) == []


FORMATS = sorted({name.partition("/")[0] for name in records()})


@pytest.mark.parametrize("form", FORMATS)
def test_a_secret_of_every_class_as_every_string_is_in_no_output(form, tmp_path):
    name = max(
        (each for each in records() if each.startswith(form)), key=lambda n: len(records()[n])
    )
    lines = changed(records()[name], lambda place, text: text if is_structure(place) else ALL)
    path = tmp_path / "run.jsonl"
    path.write_bytes(as_bytes(lines[:40]))
    # Words of a closed list, such as a severity, are shown in lower case; a tree takes paths apart.
    excused = {name for piece, name in telling().items() if piece == piece.lower()}
    found = [(which, names - excused) for which, names in leaks(path)]
    assert [(which, names) for which, names in found if names] == []


def in_prose(value: Any, turns: Turns) -> Any:
    """Every string of several words goes on with a secret, also those in JSON inside a string."""

    def put(_: Any, text: str) -> str:
        if text[:1] in "{[":
            try:
                return json.dumps(in_prose(json.loads(text), turns))
            except ValueError:
                return text
        return turns(text) if " " in text else text

    return changed(value, put)


STORES = sorted(FIXTURES.glob("*/*/store.json"))


@pytest.mark.parametrize("number", range(len(STORES)))
def test_a_secret_in_the_texts_of_a_store_is_in_no_output(number, tmp_path):
    source = json.loads(STORES[number].read_text("utf-8"))
    case = tmp_path / "case"
    case.mkdir()
    (case / "store.json").write_text(json.dumps(in_prose(source, Turns(number * 11))))
    options = STORES[number].with_name("options.json")
    read = json.loads(options.read_text("utf-8")) if options.exists() else {}
    assert leaks(build(case, tmp_path / "made"), session=read.get("session")) == []


FOLDERS = sorted(path for path in FIXTURES.glob("debug-artifacts/*/input") if path.is_dir())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_a_secret_in_the_texts_of_a_folder_is_in_no_output(folder, tmp_path):
    turns = Turns(len(folder.parent.name))
    for file in folder.rglob("*"):
        if file.is_file():
            copy = tmp_path / "input" / file.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(_in_json(file.read_text("utf-8"), turns))
    assert leaks(tmp_path / "input") == []


def _in_json(text: str, turns: Turns) -> str:
    try:
        return json.dumps(in_prose(json.loads(text), turns))
    except ValueError:
        if "\n" not in text.strip():
            return text  # cut off
        return "\n".join(_in_json(line, turns) for line in text.splitlines())


TEXTS = sorted(FIXTURES.glob("*/*/input.txt"))


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.parent.name)
def test_a_secret_in_the_lines_of_a_text_is_in_no_output(file, tmp_path):
    turns = Turns(len(file.parent.name) * 5)
    lines = []
    for line in file.read_text("utf-8").split("\n"):
        if line.startswith("data:"):
            lines.append(f"data: {_in_json(line[5:], turns)}")
        else:
            lines.append(turns(line) if line.count(" ") > 2 else line)
    path = tmp_path / "input.txt"
    path.write_text("\n".join(lines))
    assert leaks(path) == []


# -- messages ---------------------------------------------------------------------------------

IN_NAMES = [
    name for name, (whole, _) in SECRETS.items()
    if len(whole) < 200 and not set("/\n\\") & set(whole) and name not in ("email", "cookie")
]  # fmt: skip


@pytest.mark.parametrize("name", IN_NAMES)
@pytest.mark.parametrize("command", ["render", "scrub", "pi", "incomplete", "check-pi"])
def test_a_secret_in_the_name_of_a_file_is_in_no_error_message(command, name, tmp_path):
    path = tmp_path / f"{SECRETS[name][0]} .jsonl"
    extra = ["--report"] if command == "scrub" else []
    for content in (None, "no recording\n", f"{{{SECRETS[name][0]}\n"):
        if content is not None:
            path.write_text(content)
        done = CliRunner().invoke(cli, [command, str(path), *extra])
        assert seen(done.output) == set()


@pytest.mark.parametrize("place", ["Normalizer.feed", "Normalizer.close"])
def test_a_crash_tells_no_secret_even_when_its_frames_are_asked_for(place, tmp_path, monkeypatch):
    def crash(*_: object) -> None:
        raise ValueError(ALL)

    monkeypatch.setattr(f"cursor_replay.normalize.normalizer.{place}", crash)
    monkeypatch.setenv("CURSOR_REPLAY_TRACEBACK", "1")
    path = tmp_path / "run.jsonl"
    path.write_bytes(as_bytes([{"role": "assistant", "message": {"content": ALL}}]))
    done = CliRunner().invoke(cli, ["render", str(path)])
    assert done.exit_code == 3
    assert seen(done.output) == set()
    assert "internal error: ValueError at" in done.output


def test_a_secret_in_a_line_that_cannot_be_read_is_in_no_message(tmp_path):
    path = tmp_path / "run.jsonl"
    good = as_bytes([{"role": "assistant", "message": {"content": "x"}}])
    path.write_bytes(good + b'{"role": "user", "message": ' + json.dumps(ALL).encode() + b"\n")
    for extra in (["--strict"], ["-f", "json"], ["--max-line", "1K"]):
        assert seen(CliRunner().invoke(cli, ["render", str(path), *extra]).output) == set()
