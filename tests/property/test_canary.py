"""A fake secret put into any string of any recording appears in no output of any kind."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import (
    Place,
    as_bytes,
    changed,
    in_every_output,
    is_structure,
    outcome,
    records,
    replayed,
    reports,
    squeezed,
    steady,
    strings_in,
)

PLAIN = ("json", "text")
"""The outputs that show the most, for tests of which there are many."""

BODY = "q7Rw2LkZ9xVb" + "4TnH8sJc5DfG" + "1mPy6uQe3aXo"
"""36 letters and digits as a token has them; no part of it stands anywhere else."""

SECRETS = {
    "github": "gh" + "p_" + BODY,
    "openai": "sk" + "-proj-" + BODY + "T3" + "BlbkFJ" + BODY[::-1],
    "aws": "AK" + "IA" + BODY.upper().replace("1", "A").replace("8", "B").replace("9", "C")[:16],
    "slack": "xo" + "xb-" + "123456789012-123456789012-" + BODY[:24],
    "bearer": "Authorization: " + "Bearer " + BODY,
    "password": "pass" + "word=" + BODY[:20],
}


def cores(secret: str) -> set[str]:
    """What must not be seen: any ten characters of the part that makes it a secret."""
    tail = secret[-min(len(secret), 16) :]
    return {tail[at : at + 10] for at in range(len(tail) - 9)}


def leaks(data: bytes, *secrets: str, only: tuple[str, ...] = ()) -> list[str]:
    items = outcome(data)
    wanted = set().union(*map(cores, secrets))
    if isinstance(items, str):
        return [items] if any(core in items for core in wanted) else []
    return [
        which
        for which, text in (*in_every_output(items, only=only), *reports(items))
        if any(core in text or core in plain for plain in [squeezed(text)] for core in wanted)
    ]


@pytest.mark.parametrize("kind", SECRETS)
def test_the_canary_is_seen_when_scrubbing_is_off(kind: str) -> None:
    secret = SECRETS[kind]
    data = as_bytes([{"role": "assistant", "message": {"content": f"see {secret}"}}])
    shown = dict(in_every_output(replayed(data, scrub=False)))
    for which, text in shown.items():
        plain = squeezed(text)
        assert any(core in plain for core in cores(secret)), which


@pytest.mark.parametrize("name", records())
def test_every_kind_of_secret_in_every_string_at_once_is_in_no_output(name: str) -> None:
    several = "\n".join(SECRETS.values())

    def put(place: Place, text: str) -> str:
        return text if is_structure(place) else f"{text} {several} "

    data = as_bytes(changed(records()[name], put))
    assert leaks(data, *SECRETS.values()) == []


@pytest.mark.parametrize("name", records())
def test_a_secret_as_every_whole_string_is_in_no_output(name: str) -> None:
    secret = SECRETS["github"]

    def put(place: Place, text: str) -> str:
        return text if is_structure(place) else f"{secret} "

    assert leaks(as_bytes(changed(records()[name], put)), secret, only=PLAIN) == []


@steady(150)
@given(data=st.data(), kind=st.sampled_from(sorted(SECRETS)))
def test_a_secret_in_any_one_string_is_in_no_output(data: st.DataObject, kind: str) -> None:
    secret = SECRETS[kind]
    lines = records()[data.draw(st.sampled_from(sorted(records())))]
    places = [place for place, _ in strings_in(lines) if not is_structure(place, names=False)]
    target = data.draw(st.sampled_from(places))
    before = data.draw(st.sampled_from(["", "see ", "\n", "(", '{"a": "', "line\nline "]))
    after = data.draw(st.sampled_from([" ", " behind", "\n", ")", '"}']))

    def put(place: Place, text: str) -> str:
        return f"{text} {before}{secret}{after}" if place == target else text

    assert leaks(as_bytes(changed(lines, put)), secret) == []


@pytest.mark.parametrize("name", records())
def test_a_secret_in_every_name_is_in_no_output(name: str) -> None:
    secret = SECRETS["github"]

    def put(place: Place, text: str) -> str:
        return (
            f"{text} {secret}"
            if not is_structure(place, names=False) or place[-1] == "name"
            else text
        )

    assert leaks(as_bytes(changed(records()[name], put)), secret, only=PLAIN) == []


def keyed(value: Any, key: str) -> Any:
    """Every object of a tool's payload also holds the secret as a key."""
    if isinstance(value, dict):
        return {key: 1, **{each: keyed(inner, key) for each, inner in value.items()}}
    return [keyed(each, key) for each in value] if isinstance(value, list) else value


PAYLOADS = ("args", "input", "arguments", "result", "parameters")


def in_payloads(value: Any, key: str) -> Any:
    if isinstance(value, list):
        return [in_payloads(each, key) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: {**keyed(inner, key)} if name in PAYLOADS[:3] and isinstance(inner, dict)
        else in_payloads(inner, key)
        for name, inner in value.items()
    }  # fmt: skip


@pytest.mark.parametrize("name", records())
def test_a_secret_as_a_key_of_arguments_is_in_no_output(name: str) -> None:
    secret = SECRETS["github"]
    assert leaks(as_bytes(in_payloads(records()[name], secret)), secret, only=PLAIN) == []


@steady(60)
@given(st.integers(1, 39), st.sampled_from(["text-delta", "thinking-delta", "stdout"]))
def test_a_secret_split_over_two_deltas_is_in_no_output(at: int, kind: str) -> None:
    secret = SECRETS["github"]
    call = {"type": "shell", "args": {"command": "x"}}
    value = {"exitCode": 0, "stdout": "", "stderr": ""}
    done = {**call, "result": {"status": "success", "value": value}}
    lines: list[Any] = [{"type": "tool-call-started", "callId": "c", "toolCall": call}]
    lines += [
        {"type": "shell-output-delta", "event": {"case": kind, "value": {"data": half}}}
        if kind == "stdout"
        else {"type": kind, "text": half}
        for half in (secret[:at], secret[at:])
    ]
    lines.append({"type": "tool-call-completed", "callId": "c", "toolCall": done})
    assert leaks(as_bytes(lines), secret) == []


CUTS = [3_990, 4_000, 23_990, 24_000]


@given(st.sampled_from(CUTS), st.integers(-45, 45), st.sampled_from(["a", "a b ", "ab\n"]))
@steady(16)
def test_half_a_secret_at_a_cut_is_in_no_output(limit: int, shift: int, filler: str) -> None:
    secret = SECRETS["github"]
    front = (filler * limit)[: max(limit + shift, 0)]
    content = f"{front} {secret} {'z ' * 500}"
    value = {"content": content, "totalLines": content.count("\n") + 1}
    lines = [
        {"type": "toolCall", "message": {"type": name, "args": args, "result": result}}
        for name, args, result in (
            ("read", {"path": "a.md"}, {"status": "success", "value": value}),
            ("shell", {"command": "x"}, {"status": "success", "value": {"stdout": content}}),
            ("brewTea", {"note": content}, {"status": "success", "value": content}),
            ("mcp", {"toolName": "t"},
             {"status": "success", "value": {"content": [{"text": {"text": content}}]}}),
            ("write", {"path": "a.md"}, {"status": "error", "error": {"message": content}}),
        )
    ]  # fmt: skip
    assert leaks(as_bytes(lines), secret) == []


@given(st.integers(60, 130))
@steady(20)
def test_half_a_secret_at_the_end_of_a_label_is_in_no_output(length: int) -> None:
    secret = SECRETS["github"]
    label = f"{'y ' * (length // 2)}{secret} end"
    lines = [
        {"type": "toolCall", "message": {"type": name, "args": {key: label}, "result": None}}
        for name, key in (
            ("task", "description"), ("semSearch", "query"), ("generateImage", "description"),
            ("createPlan", "plan"), ("brewTea", "note"), ("webSearch", "query"), ("mcp", "toolName"),
        )
    ]  # fmt: skip
    lines.append({"type": "toolCall", "message": {"type": label, "args": {label: label}}})
    assert leaks(as_bytes(lines), secret) == []


def test_no_secret_stands_in_a_fixture() -> None:
    text = json.dumps(list(records().values()))
    assert BODY[:8] not in text
    for mark in ("gh" + "p_", "sk" + "-", "AK" + "IA", "xo" + "xb-", "BEGIN " + "PRIVATE"):
        assert mark not in text


@pytest.mark.parametrize("kind", ["mcp", "brewTea"])
@pytest.mark.parametrize("state", ["completed", "incomplete"])
def test_every_word_of_a_passphrase_is_masked_in_a_label(kind: str, state: str) -> None:
    words = ["heron", "tide", "lantern", "quay"]
    secret = {"passphrase": " ".join(words)}
    args = {"toolName": "login", "args": secret} if kind == "mcp" else secret
    call = {"type": kind, "args": args}
    lines = [{"type": "tool-call-started", "callId": "a", "toolCall": call}]
    if state == "completed":
        done = {**call, "result": {"status": "success", "value": {}}}
        lines.append({"type": "tool-call-completed", "callId": "a", "toolCall": done})
    found = outcome(as_bytes(lines))
    assert not isinstance(found, str)
    for name, text in in_every_output(found):
        assert [word for word in words if word in text] == [], name


@pytest.mark.parametrize("vendor", ["sk", "glpat", "sk-proj", "pplx"])
def test_a_tool_name_that_is_a_token_is_not_taken_apart(vendor: str) -> None:
    body = "A1b2C3" * 7
    use = {"type": "tool_use", "name": f"{vendor}-{body}", "input": {"a": 1}}
    found = outcome(as_bytes([{"role": "assistant", "message": {"content": [use]}}]))
    assert not isinstance(found, str)
    for name, text in in_every_output(found):
        assert body not in text, name


def test_a_secret_that_is_known_by_its_columns_is_masked_in_one_line_too() -> None:
    jar = f".x.internal\tTRUE\t/\tTRUE\t1999999999\tsid\t{BODY}"
    call = {"type": "shell", "args": {"command": f"cat <<X\n{jar}\nX"}}
    found = outcome(as_bytes([{"type": "tool-call-started", "callId": "a", "toolCall": call}]))
    assert not isinstance(found, str)
    for name, text in in_every_output(found):
        assert BODY[:12] not in text, name


@pytest.mark.parametrize("server", ["glrt", "nvapi", "xkeysib"])
def test_a_token_in_the_form_of_server_and_tool_is_not_taken_apart(server: str) -> None:
    halves = ("A1b2C3" * 12, "Q7x9Z")
    use = {"type": "tool_use", "name": "-".join([server, *halves]), "input": {"a": 1}}
    found = outcome(as_bytes([{"role": "assistant", "message": {"content": [use]}}]))
    assert not isinstance(found, str)
    for name, text in in_every_output(found):
        assert [half for half in halves if half in text] == [], name
