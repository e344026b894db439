"""Who ran a call is one short word on its card, on every surface; a replay has none."""

import pytest
from render_cards import card, sealed

from cursor_replay.items import Provenance
from cursor_replay.render.registry import make
from cursor_replay.render.views import view

BASH = {"command": "make"}


def drawn(name: str, provenance: Provenance, status: str = "succeeded", **how: object) -> str:
    one = sealed("bash", status, "ok", arguments=BASH, provenance=provenance)
    return make(name, **how).render(one)


@pytest.mark.parametrize(
    ("provenance", "word"), [("replay", ""), ("bridge", "bridge"), ("pi", "pi")]
)
def test_the_view_holds_the_word(provenance: Provenance, word: str) -> None:
    assert view(card("bash", arguments=BASH, provenance=provenance)).executed == word


@pytest.mark.parametrize(
    ("name", "replay", "bridge", "pi"),
    [
        ("text", "[ok] $ make\n", "[ok, bridge] $ make\n", "[ok, pi] $ make\n"),
        ("terminal", " ✓ $ make\n", " ✓ $ make · bridge\n", " ✓ $ make · pi\n"),
        ("markdown", "✓ <code>$ make", "✓ bridge · <code>$ make", "✓ pi · <code>$ make"),
    ],
)
def test_every_surface_shows_it(name: str, replay: str, bridge: str, pi: str) -> None:
    how = {"width": 40, "depth": "none"} if name == "terminal" else {}
    assert replay in drawn(name, "replay", **how)
    assert bridge in drawn(name, "bridge", **how)
    assert pi in drawn(name, "pi", **how)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("text", "[failed, pi] $ make\n"),
        ("terminal", " ✗ $ make · pi · failed\n"),
        ("markdown", "✗ <b>failed</b> · pi · <code>$ make"),
    ],
)
def test_it_stands_beside_the_word_of_the_status(name: str, line: str) -> None:
    how = {"width": 40, "depth": "none"} if name == "terminal" else {}
    assert line in drawn(name, "pi", "failed", **how)


def test_a_reason_that_was_cut_is_not_repeated_below_its_text() -> None:
    text = "far too long to be one line of a card"
    one = card("read", "failed", text, arguments={"path": "a"}, reason="far too long…")
    assert [block.role for block in view(one).blocks] == ["error"]
