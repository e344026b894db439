"""The options of masking, alike for every command, and where settings are found."""

import json

import pytest

from cursor_replay.cli.masking import environment_secrets

TOKEN = "gh" + "p_" + "Q7w8E9" * 6
RULE = "[[rules]]\nid = 'acme'\npattern = 'ACME-[0-9]{6}'\n"


@pytest.fixture
def recording(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "run.jsonl"
    text = f"{TOKEN} ACME-123456 joe@corp.com env-value-1x"
    content = [{"type": "text", "text": text}]
    path.write_text(json.dumps({"role": "assistant", "message": {"content": content}}))
    return path


def shown(run, *args) -> str:
    done = run(*args)
    assert done.exit_code == 0, done.output
    return next(line for line in done.stdout.splitlines() if "mail" in line or "joe" in line)


COMMANDS = [["render", "-f", "text"], ["pi", "-o", "-"], ["scrub", "-o", "-"]]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_command_takes_the_same_options(run, recording, command):
    name, *more = command
    assert "[redacted:github-token] ACME-123456 [redacted:email]" in shown(
        run, name, recording, *more
    )
    plain = shown(run, name, recording, *more, "--mask", "plain", "--keep-emails")
    assert "[redacted] ACME-123456 joe@corp.com" in plain
    rules = recording.with_name("mine.toml")
    rules.write_text(RULE + "")
    assert "[redacted:acme] [redacted:email]" in shown(
        run, name, recording, *more, "--rules", rules
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cursor-replay.toml", RULE),
        ("pyproject.toml", RULE.replace("[[rules", "[[tool.cursor-replay.rules")),
    ],
)
def test_settings_of_the_workspace_count_in_its_folders_too(
    run, recording, monkeypatch, name, text
):
    recording.with_name(name).write_text(text)
    inner = recording.parent / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert "[redacted:acme]" in shown(run, "render", recording, "-f", "text")


def test_an_option_wins_over_a_setting(run, recording):
    recording.with_name("cursor-replay.toml").write_text("mask = 'plain'")
    assert "[redacted] " in run("render", recording, "-f", "text").stdout
    assert "[redacted:email]" in shown(run, "render", recording, "-f", "text", "--mask", "kind")


def test_wrong_settings_are_an_error_and_no_traceback(run, recording):
    recording.with_name("cursor-replay.toml").write_text("mask = 5")
    done = run("render", recording)
    assert done.exit_code == 1
    assert "cursor-replay.toml: mask: Input should be 'kind' or 'plain'" in done.output


def test_a_key_of_the_environment_is_masked_wherever_it_stands(run, recording, monkeypatch):
    monkeypatch.setenv("ACME_API_KEY", "env-value-1x")
    assert "[redacted:environment]" in shown(run, "render", recording, "-f", "text")
    done = run("render", recording.with_name("env-value-1x.jsonl"))
    assert done.output.endswith("[redacted:environment].jsonl: no such file\n")


def test_which_variables_are_secrets():
    environment = {
        "ACME_API_KEY": "abcdef-123",
        "DB_PASSWORD": "correct.horse",
        "PWD": "/srv/project",
        "OLDPWD": "/srv/other",
        "GITHUB_TOKEN": "short",
        "SSH_AUTH_SOCK": "/run/agent-socket",
        "TOKEN": "/run/secrets/token",
        "PATH": "/usr/bin:/usr/local/bin",
        "COOKIE": "12345678901",
        "OPENAI_KEY": "zk7Qwm-0001",
        "DB_PASS": "zk7Qwm-0002",
        "CURSOR_KEY": "zk7Qwm-0003",
        "ANTHROPIC_API_KEY_2": "zk7Qwm-0004",
        "NPM_TOKEN3": "zk7Qwm-0005",
        "KEYBOARD": "zk7Qwm-0006",
        "COMPASS": "north",
        "SSH_ASKPASS": "/usr/bin/askpass",
    }
    numbered = (f"zk7Qwm-000{number}" for number in range(1, 6))
    assert environment_secrets(environment) == ("abcdef-123", "correct.horse", *numbered)


def test_what_a_workspace_lets_through_is_told(run, recording):
    recording.with_name("cursor-replay.toml").write_text(f"allow = ['{TOKEN}']")
    done = run("render", recording, "-f", "text")
    assert TOKEN in done.stdout
    assert "cursor-replay.toml lets through what fits 1 of its entries" in done.stderr


PROJECTS = {
    "mentions it": ("[project]\ndependencies = ['cursor-replay']\n", ""),
    "has another table": ("# cursor-replay\n[tool]\nother = 1\n", ""),
    "has no tables": ("tool = 'cursor-replay'\n", ""),
    "is broken": ("[tool.cursor-replay\n", "pyproject.toml: not TOML"),
    "is no text": (b"\xff", "pyproject.toml: not UTF-8"),
}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_project_without_the_table_hides_no_settings_above_it(run, recording, monkeypatch, name):
    text, words = PROJECTS[name]
    recording.with_name("cursor-replay.toml").write_text(RULE)
    inner = recording.parent / "a"
    inner.mkdir()
    project = inner / "pyproject.toml"
    project.write_bytes(text.encode() if isinstance(text, str) else text)
    monkeypatch.chdir(inner)
    done = run("render", recording, "-f", "text")
    assert done.exit_code == 0
    assert "[redacted:acme]" in done.stdout
    assert words in done.stderr
    assert done.stderr.count("\n") == bool(words)
    if words:
        assert run("render", recording, "--rules", project).exit_code == 1
