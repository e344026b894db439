"""Scrubbed copies: the same bytes where nothing was found, the same format where something was."""

import io
import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.scrub import Sealer
from cursor_replay.scrub.copying.copies import Copier, Finding

TOKEN = "gh" + "p_" + "Q7w8E9" * 6
MARK = "[redacted:github-token]"


def copied(data: bytes, *, plain: bool = False) -> tuple[bytes, list[Finding]]:
    found: list[Finding] = []
    copier = Copier(Sealer(for_copy=True), found.append, plain=plain)
    return b"".join(copier.copy(io.BytesIO(data))), found


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
        [Finding("github-token", 2, "a", 1)],
    ),
    "server-sent events": (
        f'event: x\ndata: {{"a": "{TOKEN}"}}\n\n',
        f'event: x\ndata: {{"a": "{MARK}"}}\n\n',
        [Finding("github-token", 2, "a", 1)],
    ),
    "a key twice in an object": (
        f'{{"a": "{TOKEN}", "a": "{TOKEN}"}}\n',
        f'{{"a": "{MARK}", "a": "{MARK}"}}\n',
        [Finding("github-token", 1, "", 2)],
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


LONG = "".join(chr(65 + at * 7 % 26) + str(at % 10) + chr(97 + at * 5 % 26) for at in range(90))
KEY = "".join(
    (
        f"-----BEGIN PRIVATE {'KEY'}-----\n",
        *(LONG[at : at + 64] + "\n" for at in range(0, len(LONG), 64)),
        f"-----END PRIVATE {'KEY'}-----",
    )
)
NAMED = {
    "a name and its value": (["The password", '": "', "zk7Qwm", "PxL9r2", " is"], ["zk7Qwm", "PxL9r2"]),
    "a value by itself": (["run x --to", "ken ", "zk7QwmP", " now"], ["zk7QwmP"]),
    "a value that is known once it is found": (["The pass", 'word": "zk7QwmPxL9r2" is'], ["zk7Qwm"]),
    "a private key in two": ([KEY[:150], KEY[150:]], [LONG[100:112], LONG[160:172]]),
    "a name in two": (["set api_", "key=zk7", "QwmP and"], ["zk7", "QwmP"]),
    "an address": (["see https://jo", "e:zk7Qw", "m@host.dev/x now"], ["e:zk7Qw", "joe:", "m@"]),
    "colours between": (["\x1b[1mtoken", "=\x1b[0mzk7", "QwmP9\x1b[0m x"], ["zk7", "QwmP9"]),
    "a home folder": (["in /home/jo", "ehanna/x"], ["jo", "ehanna"]),
    "arguments": (['{"passw', 'ord": "zk7', 'Qwm"}'], ["zk7", "Qwm"]),
    "a private key": ([KEY[at : at + 17] for at in range(0, len(KEY), 17)], [LONG[:12], LONG[80:92]]),
}  # fmt: skip


def texts_of(parts: list[str], **more: str) -> tuple[list[str], list[Finding]]:
    data = "\n".join(json.dumps({**more, "text": part}) for part in parts)
    done, found = copied(data.encode())
    return [json.loads(line)["text"] for line in done.splitlines()], found


@pytest.mark.parametrize("kind", ["text-delta", "assistant"])
@pytest.mark.parametrize("name", NAMED)
def test_what_a_name_or_a_place_tells_is_found_over_deltas(name, kind):
    parts, secrets = NAMED[name]
    texts, found = texts_of(parts, type=kind)
    assert not any(secret in text for text in texts for secret in secrets)
    assert sum(each.times for each in found) == 1
    assert texts_of(texts, type=kind) == (texts, [])


@pytest.mark.parametrize("cuts", [(1,), (1, 3), (7,), (6,)])
def test_the_rest_of_a_name_that_is_cut_goes_with_it(cuts):
    rest = "ehanna/x now"
    parts = [rest[begin:end] for begin, end in itertools.pairwise((0, *cuts, len(rest)))]
    texts, found = texts_of(["it is in /home/jo", *parts], type="assistant")
    assert "".join(texts) == "it is in ~/x now"
    assert [each.rule for each in found] == ["home"]


def test_a_secret_whose_parts_lie_apart_is_found_while_they_are_held():
    one, two = (json.dumps({"type": "delta", "text": half}) for half in (TOKEN[:20], TOKEN[20:]))
    between = json.dumps({"type": "other", "text": "x" * 900})
    lines = [one, *[between] * 900, two, *[between] * 3000]
    done, found = copied("\n".join(lines).encode())
    assert TOKEN[24:].encode() not in done
    assert [each.line for each in found] == [1]


def test_the_numbers_of_lines_are_right_behind_text_and_empty_values():
    lines = [
        "text",
        "{}",
        "[]",
        json.dumps({"a": TOKEN}),
        "",
        f"b {TOKEN}",
        "{}",
        json.dumps([TOKEN]),
    ]
    assert [each.line for each in copied("\n".join(lines).encode())[1]] == [4, 6, 8]


def test_texts_that_follow_each_other_are_not_taken_for_one():
    texts = ["it is in /home", "Now look", f"{TOKEN}", "Next one", "see a@b.example", "com is"]
    masked = [text.replace(TOKEN, MARK) for text in texts]
    assert texts_of(texts, type="assistant")[0] == masked


def test_deltas_that_do_not_say_so_and_the_whole_text_behind_them():
    parts = ["I am", " in /home/jo", "ehanna"]
    lines = [{"type": "assistant", "text": part} for part in parts]
    lines.append({"type": "assistant", "model_call_id": "m1", "text": "".join(parts)})
    done, _ = copied("\n".join(map(json.dumps, lines)).encode())
    texts = [json.loads(line)["text"] for line in done.splitlines()]
    assert texts == ["I am", " in ~", "", "I am in ~"]


def test_what_is_cut_of_a_delta_leaves_what_its_key_makes_a_secret():
    lines = [{"type": "delta", "password": f"zk7Qwm {half}"} for half in (TOKEN[:20], TOKEN[20:])]
    done, _ = copied("\n".join(map(json.dumps, lines)).encode())
    assert b"zk7" not in done
    assert TOKEN[24:].encode() not in done


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_deltas_in_utf_16(coding):
    lines = [json.dumps({"type": "delta", "text": half}) for half in (TOKEN[:20], TOKEN[20:])]
    done, _ = copied(("\ufeff" + "\n".join(lines)).encode(coding))
    assert TOKEN[20:] not in done.decode(coding)


HIDDEN = {
    "a link": (f"\x1b]8;;https://joe:{'p' + 'w1'}@host/{TOKEN}\x07x", f"\x1b]8;;https://[redacted:url-credentials]@host/{MARK}\x07x"),
    "a title": ("\x1b]0;joe@h: /home/joe/x\x07x", "\x1b]0;joe@h: ~/x\x07x"),
    "the clipboard": (f"\x1b]52;c;{TOKEN}\x07", f"\x1b]52;c;{MARK}\x07"),
    "behind a letter": (f"\x1bP{TOKEN}\x1b\\x", f"\x1bP{MARK}\x1b\\x"),
    "eight bits": (f"\x9d0;{TOKEN[:9]}\u200b{TOKEN[9:]}\x9cx", f"\x9d0;{MARK}\x9cx"),
    "nothing": ("\x1b]8;;https://a.example/x\x1b\\here\x1b]8;;\x1b\\", "\x1b]8;;https://a.example/x\x1b\\here\x1b]8;;\x1b\\"),
}  # fmt: skip


@pytest.mark.parametrize("name", HIDDEN)
def test_what_a_control_sequence_carries_is_masked(name):
    before, after = HIDDEN[name]
    assert copied(before.encode()) == (after.encode(), copied(before.encode())[1])
    done, found = copied(json.dumps({"out": before}).encode())
    assert json.loads(done)["out"] == after
    assert bool(found) == (before != after)


@pytest.mark.parametrize("line", ['{"a": "%s", "é": "日本 %s"}\n', "é %s 日本 %s\n"])
def test_a_byte_that_is_no_utf_8_changes_no_character_beside_it(line):
    secret = f"\x1b]0;ü {TOKEN}\x9c" if line[0] == "é" else "/home/joe/ü"
    masked = f"\x1b]0;ü {MARK}\x9c" if line[0] == "é" else "~/ü"
    before, after = (line % (each, each) for each in (secret, masked))
    bad = b"\xff\x9d"
    assert copied(before.encode().replace(b" ", b" " + bad))[0] == after.encode().replace(
        b" ", b" " + bad
    )


def test_a_surrogate_stays_an_escape_beside_a_byte_that_is_no_utf_8():
    line = rb'{"a": "\udcff \ud800 \xfe %s"}'
    assert copied(line % TOKEN.encode())[0] == line % MARK.encode()


def test_the_report_names_no_secret_that_is_a_field_name():
    lines = [json.dumps({"type": "delta", TOKEN: half}) for half in (TOKEN[:20], TOKEN[20:])]
    _, found = copied("\n".join(lines).encode())
    assert {each.field for each in found} <= {"(key)", MARK}


def test_lines_are_those_of_the_original_a_mark_each():
    text = f"a\n{KEY}\nb {TOKEN}\n\nc {TOKEN} {TOKEN}\n/home/joe/x\n"
    line = 2 + KEY.count("\n")
    assert copied(text.encode())[1] == [
        Finding("private-key", 2, "", 1),
        Finding("github-token", line + 1, "", 1),
        Finding("github-token", line + 3, "", 2),
        Finding("home", line + 4, "", 1),
    ]


DEEP = '{"a":' * 120 + '"%s"' + "}" * 120
TWICE = '{"a": "%s", "a": "x", "b": {"c": 1, "c": "%s"}}'


def test_what_is_nested_deeply_or_has_a_key_twice_loses_nothing():
    for line in (DEEP, TWICE):
        clean, dirty, masked = (
            line.replace("%s", each).encode() for each in ("plain", TOKEN, MARK)
        )
        assert copied(clean) == (clean, [])
        assert copied(dirty)[0] == masked


@pytest.mark.parametrize("line", ["a %s\r\nb\r\n", "password: %s\r\n", "%s\r\n\r\n%s"])
def test_line_ends_stay_where_something_is_masked(line):
    done, _ = copied(line.replace("%s", TOKEN).encode())
    assert done.count(b"\r\n") == line.count("\r\n") == done.count(b"\n")
    value = json.dumps({"out": line.replace("%s", TOKEN)})
    out = json.loads(copied(value.encode())[0])["out"]
    assert out.count("\r\n") == line.count("\r\n")


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
