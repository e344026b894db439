"""A secret in the name or the content of what cannot be read or written is in no message."""

import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from canaries import ALL, SECRETS, run, seen
from recorded import FIXTURES, as_bytes

sys.path.insert(0, str(FIXTURES))
from build_stores import build

SAID = as_bytes([{"role": "assistant", "message": {"content": "x"}}])
READING = (("render",), ("scrub", "--report"), ("pi",), ("incomplete",), ("check-pi",))
WRITING = (("render", "-f", "text"), ("scrub",), ("pi",), ("incomplete",))
NAMES = [
    name for name, (whole, _) in SECRETS.items()
    if len(whole) < 200 and not set("/\n\\") & set(whole) and name != "email"
]  # fmt: skip
"""Classes that can be a name; with the ending of a file behind it an e-mail is none."""
EIGHTHS = range(8)
SOME = tuple(SECRETS)[::6]


@pytest.fixture(autouse=True)
def _own_machine(tmp_path, monkeypatch):
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "home" / "pi"))
    monkeypatch.chdir(tmp_path)


def told(*args: object, name: str) -> str:
    """What a command says; no class of secret may be in it, and it must say something."""
    text = run(*args)
    assert seen(text) == set(), (name, args[0])
    assert "internal error" not in text, (name, args[0])
    assert text
    return text


def corrupt(path: Path, secret: str) -> None:
    """A database whose pages are anything."""
    path.write_bytes(b"SQLite format 3\0" + (secret * 100).encode()[:4000])


BROKEN = {
    "gone": None,
    "no recording": b"no recording\n",
    "cut": b'{"role": "user", "message": "',
    "nothing": b"",
    "binary": b"\0\1\2\3" * 50,
}


@pytest.mark.parametrize("part", EIGHTHS)
@pytest.mark.parametrize("command", READING, ids=lambda each: each[0])
def test_what_cannot_be_read_is_told_without_a_secret(command, part, tmp_path):
    for name in NAMES[part::8]:
        secret = SECRETS[name][0]
        folder = tmp_path / f"{secret} "
        folder.mkdir()
        for how, content in BROKEN.items():
            path = folder / f"{secret} .jsonl"
            if content is not None:
                path.write_bytes(content + secret.encode() if how == "cut" else content)
            text = run(command[0], path, *command[1:])
            assert seen(text) == set(), (name, how)
        corrupt(folder / "store.db", secret)
        told(command[0], folder / "store.db", *command[1:], name=name)
        told(command[0], folder, *command[1:], name=name)


@pytest.mark.parametrize("command", WRITING, ids=lambda each: each[0])
def test_what_cannot_be_written_is_told_without_a_secret(command, tmp_path):
    recording = tmp_path / "run.jsonl"
    recording.write_bytes(SAID)
    for name in NAMES[:: len(WRITING)]:
        secret = SECRETS[name][0]
        folder = tmp_path / f"{secret} "
        folder.mkdir()
        own = folder / f"{secret}.jsonl"
        own.write_bytes(SAID)
        told(*command, recording, "-o", folder, name=name)
        told(*command, recording, "-o", tmp_path / "gone" / secret, name=name)
        told(*command, recording, "-o", recording / secret, name=name)
        told(*command, own, "-o", own, name=name)


def test_what_is_there_is_not_replaced_and_told_without_a_secret(tmp_path):
    recording = tmp_path / "run.jsonl"
    recording.write_bytes(SAID)
    for name in NAMES:
        there = tmp_path / f"{SECRETS[name][0]} .jsonl"
        there.write_text("there\n")
        for command in ("pi", "scrub"):
            told(command, recording, "-o", there, name=name)
            assert there.read_text() == "there\n"
        told("scrub", tmp_path, "-o", tmp_path / SECRETS[name][0], name=name)


def test_what_a_line_holds_that_cannot_be_read_is_in_no_message(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(SAID + as_bytes([{"role": "user", "message": ALL}])[:-3] + b"\n")
    for extra in (["--strict"], ["-f", "json"], ["--max-line", "1K"], ["--input-format", "acp"]):
        assert seen(run("render", path, *extra)) == set()


def test_what_a_database_holds_that_cannot_be_read_is_in_no_message(tmp_path):
    for number, case in enumerate(sorted(FIXTURES.glob("*/two-turns/store.json"))):
        store = build(case.parent, tmp_path / str(number))
        for file in store.rglob("*") if store.is_dir() else [store]:
            data = file.read_bytes()
            file.write_bytes(data[: len(data) // 2] + ALL.encode())
        for command in READING:
            assert seen(run(command[0], store, *command[1:])) == set()
    with closing(sqlite3.connect(tmp_path / "index.db")) as database, database:
        for secret, _ in list(SECRETS.values())[:20]:
            column = secret.replace('"', "")
            database.execute(f'CREATE TABLE "{column}" ("{column}" TEXT, "x {column}" BLOB)')
    for command in READING:
        assert seen(run(command[0], tmp_path / "index.db", *command[1:])) == set()


# -- selectors --------------------------------------------------------------------------------------


def test_a_session_that_is_not_there_is_told_without_a_secret(tmp_path):
    store = build(FIXTURES / "sdk-store" / "one-of-two-agents", tmp_path / "store")
    for name, (secret, _) in SECRETS.items():
        told("render", store, "--session", secret, name=name)
        told("incomplete", store, "--session", secret, name=name)
        told("render", secret, "--root", tmp_path, name=name)
        told("render", "--latest", "--root", tmp_path, "--session", secret, name=name)


def test_a_beginning_that_several_ids_have_is_told_without_a_secret(tmp_path):
    for number, name in enumerate(NAMES):
        secret = SECRETS[name][0]
        folder = tmp_path / str(number) / "agent-transcripts"
        folder.mkdir(parents=True)
        for ending in "ab":
            (folder / f"{secret}.{ending} .jsonl").write_bytes(SAID)
        told("render", secret, "--root", tmp_path / str(number), name=name)


def test_a_folder_without_sessions_is_told_without_a_secret(tmp_path, monkeypatch):
    for name in NAMES:
        folder = tmp_path / f"{SECRETS[name][0]} "
        folder.mkdir()
        monkeypatch.chdir(folder)
        told("render", "--latest", name=name)
        told("sessions", "--root", folder, name=name)
        told("render", folder, name=name)


# -- settings ---------------------------------------------------------------------------------------

SETTINGS = {
    "no TOML": '{secret} = = "',
    "cut": 'allow = ["{secret}',
    "an unknown key": '"{secret}" = true',
    "an unknown table": '["{secret}"]\nx = 1',
    "a wrong type": 'keep-emails = "{secret}"',
    "a wrong word": 'mask = "{secret}"',
    "a wrong name": '[[rules]]\nid = "{secret}"\npattern = "x"',
    "an unknown part": '[[rules]]\nid = "x"\npattern = "x"\n"{secret}" = 1',
    "a bad pattern": "[[rules]]\nid = \"x\"\npattern = '''({secret}'''",
    "a refused pattern": "[[rules]]\nid = \"x\"\npattern = '''(?={secret})'''",
    "a bad allowance": "allow-patterns = ['''[{secret}''']",
    "twice": '"{secret}" = 1\n"{secret}" = 2',
}


@pytest.mark.parametrize("where", ["rules", "cursor-replay.toml", "pyproject.toml"])
@pytest.mark.parametrize("wrong", SETTINGS)
def test_a_secret_in_settings_that_are_wrong_is_in_no_message(wrong, where, tmp_path):
    recording = tmp_path / "run.jsonl"
    recording.write_bytes(SAID)
    path = tmp_path / ("given.toml" if where == "rules" else where)
    more = ("--rules", path) if where == "rules" else ()
    head = "[tool.cursor-replay]\n" if where == "pyproject.toml" else ""
    for name in SECRETS if where == "rules" else SOME:
        text = head + SETTINGS[wrong].replace("{secret}", SECRETS[name][0])
        path.write_text(text.replace("[[rules]]", "[[tool.cursor-replay.rules]]") if head else text)
        told("render", recording, *more, name=name)


def test_a_secret_in_the_name_of_settings_is_in_no_message(tmp_path, monkeypatch):
    recording = tmp_path / "run.jsonl"
    recording.write_bytes(SAID)
    for name in NAMES:
        folder = tmp_path / f"{SECRETS[name][0]} "
        folder.mkdir()
        monkeypatch.chdir(folder)
        path = folder / "cursor-replay.toml"
        for content in (
            b"x = [",
            b"\xff\xfe\xff",
            b'allow = ["some-value"]',
            b"#" * ((1 << 20) + 1),
        ):
            path.write_bytes(content)
            told("render", recording, name=name)
        shutil.copy(path, folder / f"{SECRETS[name][0]}.toml")
        told("render", recording, "--rules", folder / f"{SECRETS[name][0]}.toml", name=name)
        path.unlink()
