"""Scrubbed copies: the same bytes where nothing was found, the same format where something was."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.scrub import Sealer
from cursor_replay.scrub.copies import Copier, Finding

TOKEN = "gh" + "p_" + "Q7w8E9" * 6
MARK = "[redacted:github-token]"


def copied(data: bytes, *, plain: bool = False) -> tuple[bytes, list[Finding]]:
    found: list[Finding] = []
    copier = Copier(Sealer(for_copy=True), found.append, plain=plain)
    return b"".join(copier.copy(lambda: io.BytesIO(data))), found


def test_only_the_string_that_holds_a_secret_is_written_anew():
    line = (
        r'{"n": 1.0, "big": 12345678901234567890, "s": "\u00e9\/", "k":"%s", "l": "\ud800"}' "\r\n"
    )
    assert copied((line % TOKEN).encode())[0] == (line % MARK).encode()


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": 1}\n\n  {"b":2}\r\nnot json\n\0\0\n{"cut": "of',
        b"\xef\xbb\xbf{}\n",
        b"",
        b"\n",
        b"\xff\xfe" + "plain text\n{}".encode("utf-16-le"),
        b'{"a": "\xff"}\n\xff\xfe x\n',
        b'{"output": "\\u001b[31mred\\u001b[0m and plain"}\n',
        b'{\n  "a": [\n    {"b": 1.50}\n  ]\n}\n',
    ],
)
def test_what_holds_no_secret_is_copied_byte_for_byte(data):
    assert copied(data) == (data, [])


CASES = {
    "a line of text between lines of JSON": (
        f'{{"a": 1}}\njunk {TOKEN}\n{{"b": 2}}\n',
        f'{{"a": 1}}\njunk {MARK}\n{{"b": 2}}\n',
        [Finding("github-token", 2, "", 1)],
    ),
    "a key": (
        f'{{"{TOKEN}": 1}}',
        f'{{"{MARK}": 1}}',
        [Finding("github-token", 1, "(key)", 1)],
    ),
    "a value under a sensitive key": (
        '{"a": [{"name": "DB_PASSWORD", "value": "x"}]}',
        '{"a": [{"name": "DB_PASSWORD", "value": "[redacted:password]"}]}',
        [Finding("password", 1, "a[0].value", 1)],
    ),
    "a pretty print": (
        f'{{\n  "a": "{TOKEN}",\n  "b": [1.0]\n}}\n',
        f'{{\n  "a": "{MARK}",\n  "b": [1.0]\n}}\n',
        [Finding("github-token", 1, "a", 1)],
    ),
    "server-sent events": (
        f'event: x\ndata: {{"a": "{TOKEN}"}}\n\n',
        f'event: x\ndata: {{"a": "{MARK}"}}\n\n',
        [Finding("github-token", 2, "a", 1)],
    ),
    "a key twice in an object": (
        f'{{"a": "{TOKEN}", "a": "{TOKEN}"}}\n',
        f'{{"a":"{MARK}"}}\n',
        [Finding("github-token", 1, "a", 1)],
    ),
    "a home folder": ('{"cwd": "/home/joe/x"}', '{"cwd": "~/x"}', [Finding("home", 1, "cwd", 1)]),
}


@pytest.mark.parametrize("name", CASES)
def test_where_a_secret_is_found(name):
    before, after, found = CASES[name]
    assert copied(before.encode()) == (after.encode(), found)


def test_a_private_key_over_lines_that_are_no_json_is_masked_whole():
    rows = "\n".join("MIIB" + "A1b2C3d4" * 7 for _ in range(3))
    begin, end = (f"-----{word} PRIVATE " + "KEY-----" for word in ("BEGIN", "END"))
    done, found = copied(f"a\n{begin}\n{rows}\n{end}\nb\n".encode())
    assert done == b"a\n[redacted:private-key]\nb\n"
    assert found == [Finding("private-key", 2, "", 1)]


def test_ids_of_sessions_stay_and_secrets_of_web_sessions_do_not():
    own = {"session_id": "0b8e7c1a-1f1a-4a54-9a0e-0a1b2c3d4e5f", "sessionId": "s1"}
    assert copied(json.dumps(own).encode())[1] == []
    web = json.dumps({"sessionId": "aB3x" * 10}).encode()
    assert copied(web)[0] == b'{"sessionId": "[redacted:session-id]"}'


def test_colours_stay_unless_they_hide_a_secret():
    line = {"out": f"\x1b[31mred\x1b[0m {TOKEN}", "hid": f"{TOKEN[:9]}\x1b[0m{TOKEN[9:]} x"}
    assert json.loads(copied(json.dumps(line).encode())[0]) == {
        "out": f"\x1b[31mred\x1b[0m {MARK}",
        "hid": f"{MARK} x",
    }


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_utf_16_stays_utf_16(coding):
    text = "\ufeff" + json.dumps({"a": TOKEN}) + "\n"
    assert copied(text.encode(coding))[0] == text.replace(TOKEN, MARK).encode(coding)


def test_bytes_that_are_no_utf_8_stay_around_a_secret():
    assert (
        copied(b'{"a": "\xff %s"}\n' % TOKEN.encode())[0] == b'{"a": "\xff %s"}\n' % MARK.encode()
    )
    assert copied(b"\xff %s\n" % TOKEN.encode(), plain=True)[0] == b"\xff [redacted]\n"


DELTAS = {
    "text": lambda half: {"type": "text-delta", "text": half},
    "wrapped": lambda half: {"ts": 1, "elapsedMs": 1, "update": {"type": "text-delta", "text": half}},
    "chunk": lambda half: {
        "params": {"update": {"sessionUpdate": "agent_message_chunk", "content": {"text": half}}}
    },
    "output": lambda half: {
        "type": "shell-output-delta", "event": {"case": "stdout", "value": {"data": half}},
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", DELTAS)
@pytest.mark.parametrize("cuts", [(8, 20), (1, 39), (13, 14)])
def test_a_secret_split_over_deltas_is_masked_in_each_of_them(kind, cuts):
    one, two = cuts
    halves = [f"see {TOKEN[:one]}", TOKEN[one:two], f"{TOKEN[two:]} now"]
    lines: list[bytes] = []
    for half in halves:
        lines += json.dumps(DELTAS[kind](half)).encode(), b'{"type": "other", "n": 1}'
    done, found = copied(b"\n".join(lines))
    shown = done.decode().replace(MARK, "")
    assert not any(TOKEN[at : at + 6] in shown for at in range(4, 34))
    assert done.decode().count(MARK) == 1
    assert "see " in shown
    assert " now" in shown
    assert sum(each.times for each in found) == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
    | st.sampled_from([TOKEN, f"x {TOKEN}\n", "/home/joe/x", "a\\b", "token=abc1"]),
    lambda each: st.lists(each, max_size=3)
    | st.dictionaries(st.sampled_from(["a", "token", "value", "name", TOKEN]), each, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(st.lists(json_values, max_size=3), st.booleans())
def test_a_copy_holds_the_same_records_without_the_secret(records, ascii_only):
    lines = [json.dumps({"r": each}, ensure_ascii=ascii_only) for each in records]
    done, _ = copied("\n".join(lines).encode("utf-8", "replace"))
    assert TOKEN.encode() not in done
    sealer = Sealer(for_copy=True)
    for line, copy in zip(lines, done.decode().split("\n"), strict=False):
        assert (
            json.dumps(json.loads(copy))
            == json.dumps(sealer.value(json.loads(line.encode("utf-8", "replace"))))
            or copy == line
        )
