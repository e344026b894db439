"""A secret of every class goes through every command that gives output, and none comes out."""

import json
import sys

import pytest
from canaries import ALL, SECRETS, Turns, found_in, listed, run, seen
from recorded import FIXTURES, IDS, as_bytes, changed, is_structure, records

from cursor_replay.cli import screen
from cursor_replay.render.registry import RENDERERS

sys.path.insert(0, str(FIXTURES))
from build_stores import build

POLICIES = ("policy", "all", "none", "A", "B", "C")
STREAMS = ("hooks/", "sdk-updates/", "stream-json/", "transcript/")
EIGHTHS = range(8)


@pytest.fixture(autouse=True)
def _own_machine(tmp_path, monkeypatch):
    for name in ("home", "here"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "home" / "pi"))
    monkeypatch.chdir(tmp_path / "here")


def longest(form: str) -> list[object]:
    """The records of the longest recording of a format, a secret behind each text."""
    lines = max((each for name, each in records().items() if name.startswith(form)), key=len)
    turns = Turns(len(form) * 17)
    return changed(lines, lambda at, text: text if is_structure(at) else turns(text))


@pytest.mark.no_cover
@pytest.mark.parametrize("form", STREAMS)
def test_the_cards_on_every_surface_hold_no_secret(form, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(as_bytes(longest(form)))
    shown = []
    for name, row in RENDERERS.items():
        hows = (("--lifecycle",), ("--expand", "--color", "always"), ("--errors",))
        shown += [(f"{name} {more}", run("render", path, "-f", name, *more)) for more in hows]
        for ending in row.extensions[:1]:
            target = tmp_path / f"out{ending}"
            shown.append((f"message of {ending}", run("render", path, "-o", target)))
            shown.append((ending, target.read_text("utf-8")))
    narrow = ("--width", "60", "--incomplete")
    shown += [(policy, run("render", path, *narrow, policy)) for policy in POLICIES]
    shown += [
        ("no such tool", run("render", path, "--tool", "no such tool")),
        ("strict", run("render", path, "--strict")),
        ("pi", run("pi", path, "--lifecycle")),
        ("a copy with plain marks", run("scrub", path, "--mask", "plain", "-o", "-")),
        ("report of a copy", run("scrub", path, "--report")),
    ]
    assert found_in(shown) == []
    assert all(text for name, text in shown if "message" not in name)


@pytest.mark.parametrize("form", STREAMS)
def test_a_secret_is_seen_on_every_surface_when_scrubbing_is_off(form, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(as_bytes(longest(form)))
    for name in RENDERERS:
        text = run("render", path, "-f", name, "--expand", "--no-scrub", "--incomplete", "all")
        assert len(seen(text)) > 5, name


# -- the listing ------------------------------------------------------------------------------------

NAMES = [
    name for name, (whole, _) in SECRETS.items()
    if len(whole) < 100 and not set("/\n") & set(whole) and name != "email"
]  # fmt: skip
"""Classes that can be a name; with the ending of a file behind it an e-mail is none."""


def home_of(folder, names):
    """A home folder whose sessions are named by secrets, and begin with one."""
    for number, name in enumerate(names):
        secret = SECRETS[name][0]
        said = [{"type": "text", "text": f"<user_query>\n{secret} \n</user_query>"}]
        lines = as_bytes([{"role": "user", "message": {"content": said}}])
        slug = f"srv-{number}" if number % 2 else f"{secret} "
        inner = folder / ".cursor" / "projects" / slug / "agent-transcripts" / secret
        (inner / "subagents").mkdir(parents=True)
        (inner / f"{secret}.jsonl").write_bytes(lines)
        (inner / "subagents" / f"{secret} .jsonl").write_bytes(lines)
        pi = folder / ".pi" / "agent" / "sessions" / f"--srv-{number}--"
        pi.mkdir(parents=True)
        head = {"type": "session", "version": 3, "id": secret, "cwd": f"{secret} "}
        info = {"type": "session_info", "id": "e1", "parentId": None, "name": f"{secret} "}
        # Its id is what stands behind the last dash below in the name, which may be half a token.
        (pi / f"2026_{number}.jsonl").write_bytes(as_bytes([head, info]))
    return folder


@pytest.mark.parametrize("part", EIGHTHS)
def test_the_listing_of_a_machine_holds_no_secret(part, tmp_path, monkeypatch):
    names = NAMES[part::8]
    root = home_of(tmp_path / "home", names)
    assert run("sessions", "--root", root, "--json").count("\n") >= len(names)
    assert (
        found_in(
            [*listed(root), ("own", run("sessions")), ("all", run("sessions", "--limit", "1"))]
        )
        == []
    )
    for name in names:
        secret = SECRETS[name][0]
        shown = run("render", secret, "--root", root, "--subagents")
        assert seen(shown) == set(), name
    monkeypatch.setattr(screen, "is_terminal", lambda _: True)
    for columns in ("40", "100", "220"):
        monkeypatch.setenv("COLUMNS", columns)
        assert seen(run("sessions", "--root", root)) == set()


@pytest.mark.no_cover
@pytest.mark.parametrize("form", ["chat-store", "ide-state", "sdk-store"])
def test_the_titles_and_folders_of_stores_are_listed_without_a_secret(form, tmp_path):
    case = max(FIXTURES.glob(f"{form}/*/store.json"), key=lambda path: path.stat().st_size)
    fields = ("name", "title", "cwd", "folder", "fsPath", "external", "path", "workspace_ref")
    for name, (secret, _) in list(SECRETS.items())[len(form) % 5 :: 5]:
        source = changed(
            json.loads(case.read_text("utf-8")),
            lambda at, text, secret=secret: f"{secret} " if at[-1] in fields else text,
        )
        made = tmp_path / name
        (made / "case").mkdir(parents=True)
        (made / "case" / "store.json").write_text(json.dumps(source))
        build(made / "case", made / "root")
        for more in ((), ("--json",)):
            text = run("sessions", "--root", made / "root", *more)
            assert seen(text) == set(), name
            assert text.strip()
            assert "no sessions" not in text


# -- pi ---------------------------------------------------------------------------------------------

PI_SESSIONS = sorted(name for name in records() if name.startswith("pi-session/"))


@pytest.mark.parametrize("whole", [False, True], ids=["behind", "whole"])
@pytest.mark.parametrize("name", PI_SESSIONS)
def test_the_findings_on_a_pi_session_hold_no_secret(name, whole, tmp_path):
    turns = Turns(len(name) * 7, whole=whole)
    kinds = {"type", "role"}

    def put(at, text):
        if at[-1] in IDS:
            return turns.same(text)
        return text if at[-1] in kinds else turns(text)

    path = tmp_path / "run.jsonl"
    path.write_bytes(as_bytes(changed(records()[name], put)))
    for more in ((), ("--all", "--strict"), ("--json",)):
        text = run("check-pi", path, *more)
        assert seen(text) == set()
        assert text


def test_opening_in_pi_tells_no_secret(tmp_path, monkeypatch):
    recording = tmp_path / "run.jsonl"
    recording.write_bytes(as_bytes([{"role": "assistant", "message": {"content": ALL}}]))
    program = tmp_path / "pi"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o700)
    monkeypatch.setattr(screen, "is_terminal", lambda _: True)
    for name in NAMES[::2]:
        folder = tmp_path / f"{SECRETS[name][0]} "
        folder.mkdir()
        monkeypatch.setenv("PI_CODING_AGENT_DIR", str(folder))
        again = run("pi", recording, "--open", "--pi", program)
        assert "the session is" in again
        texts = [
            again,
            run("pi", recording, "--open", "--pi", folder / "gone"),
            run("pi", recording, "--open", "--pi", program, "--cwd", folder / "gone"),
            run("pi", recording, "-o", folder / "x.jsonl"),
        ]
        run("pi", "extension", "--install")  # tells a path as it is: that is what it is asked for
        (folder / "extensions" / "cursor_replay.ts").write_text("another")
        texts.append(run("pi", "extension", "--install"))
        program.chmod(0o600)
        texts.append(run("pi", recording, "--open", "--pi", program))
        program.chmod(0o700)
        assert [text for text in texts if seen(text)] == [], name
