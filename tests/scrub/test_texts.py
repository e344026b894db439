"""Text in blocks: the copy is that of the whole, wherever it is parted, and little of it is held."""

import itertools
import json
import random
import re
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cursor_replay.scrub import Sealer
from cursor_replay.scrub.copying import blocks, copies, texts
from cursor_replay.scrub.copying.copies import Copier, Finding

LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
WORDS = ["the", "value", "of", "x", "is", "read", "def", "self.total", "return", "==", "/srv/x"]


def scrambled(size: int, seed: int) -> str:
    pick = random.Random(seed)  # noqa: S311 - the same text in every run
    return "".join(pick.choices(LETTERS, k=size)) + "7aB"


def rows(seed: int, count: int) -> str:
    return "\n".join(scrambled(61, seed * 1000 + row) for row in range(count))


def key(seed: int, count: int) -> str:
    return f"-----BEGIN RSA PRIVATE {'KEY'}-----\n{rows(seed, count)}\n-----END RSA PRIVATE {'KEY'}-----"


SECRETS = {
    "a token": lambda seed: "gh" + "p_" + scrambled(33, seed),
    "a short key": lambda seed: key(seed, 3),
    "a long key": lambda seed: key(seed, 180),
    "the end of a key": lambda seed: f"{rows(seed, 200)}\n-----END PRIVATE {'KEY'}-----",
    "a password": lambda seed: f'password = "{scrambled(12, seed)}"',
    "a long value": lambda seed: f'"api_key": "{scrambled(9000, seed)}"',
    "an entry": lambda seed: f'"name": "DB_TOKEN",\n  "value": "{scrambled(12, seed)}"',
    "a broken token": lambda seed: "gh" + f"p_{scrambled(12, seed)}\n{scrambled(17, seed + 1)}",
    "a login": lambda seed: f"machine h\n  login j\n  password {scrambled(9, seed)}",
    "a home folder": lambda seed: f"/home/joe{seed}/x",
}  # fmt: skip
PARTS = re.compile(r"[A-Za-z0-9]{9,}")


def filler(size: int, seed: int) -> str:
    pick = random.Random(seed)  # noqa: S311 - the same text in every run
    lines = (" ".join(pick.choices(WORDS, k=pick.randint(0, 14))) for _ in itertools.count())
    text = ""
    while len(text) < size:
        text += next(lines) + "\n"
    return text


def secret_parts(secret: str) -> set[str]:
    return {
        part for part in PARTS.findall(secret) if part != "PRIVATE" and any(map(str.isdigit, part))
    }


def copied(data: bytes) -> tuple[str, list[Finding]]:
    found: list[Finding] = []
    copier = Copier(Sealer(for_copy=True), found.append, plain=False)
    return b"".join(copier.copy([data])).decode(), found


def unnumbered(text: str) -> str:
    return re.sub(r"#\d+\]", "]", text)


sizes = st.sampled_from([0, 10, 900, 3000, 30_000])
sections = st.lists(st.tuples(sizes, st.sampled_from(sorted(SECRETS))), min_size=1, max_size=6)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    sections, st.sampled_from([200, 1024, 8192]), st.sampled_from([4096, 65_536]), st.integers(0, 9)
)
def test_a_text_in_blocks_is_the_same_as_the_whole_of_it(found, block, held, seed):
    kinds = [
        (filler(size, seed + at), SECRETS[kind](seed * 100 + at))
        for at, (size, kind) in enumerate(found)
    ]
    text = "".join(f"{before}{secret}\n" for before, secret in kinds) + filler(3000, 5)
    whole = Sealer(for_copy=True).words(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK", block)
        patch.setattr(texts, "_HELD", held)
        done, told = copied(text.encode())
    assert unnumbered(done) == unnumbered(whole)
    assert not any(part in done for _, secret in kinds for part in secret_parts(secret))
    assert sum(each.times for each in told) >= len({secret for _, secret in kinds})


def test_a_secret_over_the_border_of_two_blocks_is_masked_and_its_line_told():
    token = SECRETS["a token"](1)
    for lines in range(blocks.BLOCK // 8 - 3, blocks.BLOCK // 8 + 3):
        done, found = copied(("x = abc\n" * lines + f"it is:\n{token}\n" + "y\n" * 50_000).encode())
        assert token not in done
        assert found == [Finding("github-token", lines + 2, "", 1)]


def test_a_long_line_is_masked_in_parts(monkeypatch):
    monkeypatch.setattr(blocks, "LARGEST", 100_000)
    token = SECRETS["a token"](2)
    for before in (99_980, 99_999, 163_830, 300_000):
        text = "ab " * (before // 3) + f" {token} " + "cd " * 60_000
        assert copied(text.encode())[0] == text.replace(token, "[redacted:github-token]")


def test_text_that_is_full_of_masks_is_settled_in_time():
    lines = [f"open /home/user{at % 7}/file{at} ok" for at in range(40_000)]
    done, found = copied("\n".join(lines).encode())
    assert done == "\n".join(re.sub(r"/home/user\d", "~", line) for line in lines)
    assert [each.line for each in found] == list(range(1, 40_001))


def document(records: int) -> str:
    held = [{"text": filler(700, at), "token": scrambled(9, at), "n": 1.0} for at in range(records)]
    return json.dumps({"messages": held}, indent=2)


def test_a_document_that_is_too_large_for_one_value_stays_a_document(monkeypatch):
    monkeypatch.setattr(copies, "LARGEST", 20_000)
    text = document(60)
    done, found = copied(text.encode())
    assert not any(each["token"] in done for each in json.loads(text)["messages"])
    assert [each["text"] for each in json.loads(done)["messages"]] == [
        each["text"] for each in json.loads(text)["messages"]
    ]
    assert len(found) == 60


def lines_of_text() -> Iterator[bytes]:
    line = filler(3000, 1).encode()
    yield from itertools.repeat(line, 6000)


def lines_of_json() -> Iterator[bytes]:
    line = json.dumps({"type": "assistant", "text": filler(3000, 1), "at": "/home/joe/x"}).encode()
    yield from itertools.repeat(line + b"\n", 6000)


def lines_of_a_document() -> Iterator[bytes]:
    yield b'{\n  "messages": [\n'
    yield from (line.replace(b'"}', b'"},') for line in lines_of_json())
    yield b"    {}\n  ]\n}\n"


@pytest.mark.parametrize("lines", [lines_of_text, lines_of_json, lines_of_a_document])
def test_of_a_file_of_any_size_little_is_held(lines):
    copier = Copier(Sealer(for_copy=True), lambda _: None, plain=False)
    next(copier.copy([b"warm"]), None)
    tracemalloc.start()
    size = sum(map(len, copier.copy(lines())))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size > 15_000_000
    assert peak < 30_000_000
