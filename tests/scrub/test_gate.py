"""The gate in front of the rules: it may let too much through, never too little."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cursor_replay.scrub import RULES, triggers
from cursor_replay.scrub.gate import occurs, trigger
from cursor_replay.scrub.marks import Marks
from cursor_replay.scrub.mask import Masker, mask
from cursor_replay.scrub.triggers import may_change

EXAMPLES = [text for rule in RULES for text in (*(before for before, _ in rule.hits), *rule.misses)]


def always(_text: str) -> bool:
    return True


def ungated(text: str) -> str:
    """Mask with every rule and reading until nothing changes, whatever the triggers say."""
    with pytest.MonkeyPatch.context() as patch:
        for test in ("may_hold_home", "may_hold_any", "may_hold_secret", "may_hold_base64"):
            patch.setattr(triggers, test, always)
        patch.setattr(triggers, "TESTS", dict.fromkeys(triggers.TESTS, always))
        return UNGATED(text)


UNGATED = Masker(Marks())
UNGATED._table = tuple(
    group._replace(occurs=always, rows=tuple(row._replace(occurs=always) for row in group.rows))
    for group in UNGATED._table
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_trigger_occurs_in_every_hit_of_its_rule(rule):
    occurs_in = occurs([trigger(rule)])
    assert all(occurs_in(before) for before, _ in rule.hits)


@pytest.mark.no_cover
@pytest.mark.parametrize("spelled", [str, str.upper, str.title])
def test_every_example_is_masked_the_same_behind_the_gate(spelled):
    different = [
        text for text in map(spelled, sorted(set(EXAMPLES))) if mask(text) != ungated(text)
    ]
    assert different == []


@settings(deadline=None, max_examples=400, derandomize=True)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(EXAMPLES),
            st.sampled_from(EXAMPLES).map(str.upper),
            st.sampled_from(EXAMPLES).map(str.title),
            st.text("aK\u212aſİ:=@/\\\"' \n-_.0", max_size=12),
        ),
        max_size=4,
    ).map("".join)
)
def test_masking_behind_the_gate_is_masking_with_every_rule(text):
    assert mask(text) == ungated(text)


@settings(deadline=None, max_examples=200, derandomize=True)
@given(st.text(max_size=60))
def test_a_text_that_the_gate_calls_clean_is_changed_by_no_rule(text):
    if not may_change(text):
        assert ungated(text) == text
