"""What holds for a secret of every shape: JSON stays JSON, no cut shows half of it, ids stay."""

import hashlib
import json
import random
import re

from hypothesis import given, settings
from hypothesis import strategies as st
from made_secrets import SHAPES, made

from cursor_replay.items import Clip, Notice
from cursor_replay.scrub import Sealer
from cursor_replay.scrub.marks import PATTERN
from cursor_replay.scrub.mask import mask
from cursor_replay.scrub.rules.places import ENDPOINT, HOME

secrets = st.builds(
    lambda name, seed: made(name, random.Random(seed)),  # noqa: S311 - made up
    st.sampled_from(sorted(SHAPES)),
    st.integers(0, 1 << 30),
)
words = st.text("ab c.\n", max_size=12)
SIGNS = re.compile(f"{PATTERN}|{re.escape(ENDPOINT)}|{HOME}")


def telling(secret: str) -> list[str]:
    """Nine characters from the end of each row, which only stand in this secret."""
    return [row[-9:] for row in secret.split("\n") if len(row) >= 9]


@settings(deadline=None, max_examples=300)
@given(secrets, words, words)
def test_a_secret_is_masked_and_masking_twice_is_masking_once(secret, before, after):
    whole, hidden = secret
    once = mask(f"{before} {whole} \n{after}")
    assert not any(piece in once for piece in telling(hidden))
    assert mask(once) == once


@settings(deadline=None, max_examples=200)
@given(secrets, words, st.integers(1, 3), st.booleans())
def test_json_with_a_secret_stays_json_however_deep(secret, before, depth, ascii_only):
    whole, hidden = secret
    text = json.dumps({"a": f"{before} {whole} ", "n": None}, ensure_ascii=ascii_only)
    for _ in range(depth - 1):
        text = json.dumps({"in": text}, ensure_ascii=ascii_only)
    masked = mask(text)
    value = masked
    for _ in range(depth):
        value = json.loads(value)
        value = value.get("in", value)
    assert value["n"] is None
    assert not any(piece in value["a"] for piece in telling(hidden))


@settings(deadline=None, max_examples=200)
@given(secrets, words, st.integers(0, 200))
def test_no_cut_shows_half_a_secret(secret, before, limit):
    whole, hidden = secret
    text = Clip(f"{before} {whole} ", "and more", cut=lambda shown: shown[:limit])
    shown = Sealer().seal(Notice(code="x", message=text)).item.message
    assert len(shown) <= limit
    rows = [row for row in hidden.split("\n") if len(row) >= 16]
    assert not any(row[at : at + 9] in shown for row in rows for at in range(8, len(row) - 8))


@settings(deadline=None, max_examples=200)
@given(st.uuids(), st.binary(min_size=4, max_size=16), st.integers(0, 1 << 60))
def test_ids_and_digests_stay(one, raw, number):
    digest = hashlib.sha256(raw).hexdigest()
    text = (
        f"{one} call_{digest[:24]} toolu_01{digest[:22]} run-{one} {digest} {digest[:40]} "
        f"index {digest[:7]}..{digest[7:14]} cursor-replay-{digest[:12]}-3-tool-{number % 99} "
        f"sha256-{digest} bc-{one} {number} msg_{digest[:20]} req_{digest[:24]}"
    )
    assert Sealer().text(text) == text
    assert Sealer().value({"id": text, "callId": str(one), "toolCallId": digest[:24]}) == {
        "id": text,
        "callId": str(one),
        "toolCallId": digest[:24],
    }


def in_order(pieces: list[str], text: str) -> bool:
    """Whether ``pieces`` stand in ``text`` one behind the other, and do not overlap."""
    at = 0
    for piece in pieces:
        found = text.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


@settings(deadline=None, max_examples=300)
@given(st.lists(st.one_of(secrets.map(lambda secret: secret[0]), words), max_size=6))
def test_masking_adds_nothing_but_its_marks(parts):
    text = " \n".join(parts)
    kept = SIGNS.split(mask(text))
    assert in_order(kept, text)
    assert sum(map(len, kept)) <= len(text)
