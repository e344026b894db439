"""A secret of every class in every field of a store, a folder and a text is in no output."""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from canaries import AllAtOnce, Turns, diagnosed, found_in, listed, opened, seen, shown_of
from canary_fields import KINDS, filled, filled_lines, filled_text, keyed
from recorded import FIXTURES, rendered

from cursor_replay.items import Card

sys.path.insert(0, str(FIXTURES))
from build_stores import build

CASES = [
    *sorted(path.parent for path in FIXTURES.glob("*/*/store.json")),
    *sorted(path.parent for path in FIXTURES.glob("debug-artifacts/*/input")),
    *sorted(path.parent for path in FIXTURES.glob("*/*/input.txt")),
]
FORMS = sorted({case.parent.name for case in CASES})


class Manner(NamedTuple):
    """How secrets are put: in the place of a text, into names of tools, as keys of payloads."""

    whole: bool = False
    names: bool = False
    keys: bool = False


BEHIND, WHOLE = Manner(), Manner(whole=True)
MANNERS = {"behind": BEHIND, "whole": WHOLE, "names": Manner(names=True, keys=True)}


class Recording(NamedTuple):
    """What to open, the folder that it is listed from, and which session of it."""

    path: Path
    root: Path
    session: str | None


def made_of(case: Path, folder: Path, turns: Turns, manner: Manner) -> Recording:
    """A recording like that of the case, with secrets in it."""
    options = case / "options.json"
    how = json.loads(options.read_text("utf-8")) if options.exists() else {}
    root = folder / "made"
    if (case / "store.json").exists():
        source = json.loads((case / "store.json").read_text("utf-8"))
        source = _put(source, case.parent.name, turns, manner)
        changed_case = folder / "case"
        changed_case.mkdir(parents=True)
        (changed_case / "store.json").write_text(json.dumps(source))
        return Recording(build(changed_case, root), root, turns.of(how.get("session")))
    kind = KINDS[case.parent.name]
    if (case / "input.txt").exists():
        text = (case / "input.txt").read_text("utf-8")
        root.mkdir(parents=True)
        path = root / "run.txt"
        path.write_text(filled_text(text, kind, turns, names=manner.names))
        return Recording(path, root, None)
    for file in sorted((case / "input").rglob("*")):
        if file.is_file():
            copy = root / "sessions" / case.name / file.relative_to(case / "input")
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = filled_lines(file.read_text("utf-8"), kind, turns, names=manner.names)
            copy.write_text(text)
    return Recording(root / "sessions" / case.name, root, None)


def _put(source: Any, form: str, turns: Turns, manner: Manner) -> Any:
    source = filled(source, KINDS[form], turns, names=manner.names)
    return keyed(source, turns) if manner.keys else source


def leaks(made: Recording) -> list[tuple[str, set[str]]]:
    more = ("--session", made.session) if made.session else ()
    shown = (
        *shown_of(made.path, session=made.session),
        *listed(made.root),
        *diagnosed(made.path, *more),
    )
    return found_in(shown)


@pytest.mark.no_cover
@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_a_secret_of_another_class_in_each_field_is_in_no_output(case, manner, tmp_path):
    how = MANNERS[manner]
    turns = Turns(CASES.index(case) * 11, whole=how.whole)
    assert leaks(made_of(case, tmp_path, turns, how)) == []


def biggest(form: str) -> Path:
    """The case of a format that holds most."""
    return max((each for each in CASES if each.parent.name == form), key=_size)


def _size(case: Path) -> int:
    return sum(file.stat().st_size for file in case.rglob("*") if file.name != "expected.json")


@pytest.mark.no_cover
@pytest.mark.parametrize("form", FORMS)
def test_every_secret_at_once_as_every_whole_field_is_in_no_output(form, tmp_path):
    turns = AllAtOnce(0, whole=True)
    made = made_of(biggest(form), tmp_path, turns, WHOLE)
    assert leaks(made) == []


# -- that they are there to be found ---------------------------------------------------------------

LEAST = {
    # format: how many fields of its cases get a secret, and the share of classes that is shown
    "chat-store": (180, 0.35),
    "cloud-sse": (40, 0.4),
    "debug-artifacts": (270, 0.25),
    "ide-state": (150, 0.4),
    "legacy-txt": (55, 0.8),
    "sdk-ndjson-store": (120, 0.4),
    "sdk-store": (130, 0.45),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_secrets_of_a_format_are_seen_when_scrubbing_is_off(form, tmp_path):
    fields = given = shown = 0
    for case in (each for each in CASES if each.parent.name == form):
        turns = Turns(CASES.index(case) * 11)
        made = made_of(case, tmp_path / case.name, turns, BEHIND)
        items = opened(made.path, session=made.session, scrub=False)
        fields += turns.count
        given += len(turns.given)
        shown += len(seen(rendered(items, "json")) & turns.given)
        wanted = json.loads((case / "expected.json").read_text("utf-8"))
        calls = sum(isinstance(each.item, Card) for each in items)
        assert calls >= sum(each["type"] == "card" for each in wanted), case.name
    least, share = LEAST[form]
    assert fields >= least
    assert shown >= share * given


@pytest.mark.parametrize("form", FORMS)
def test_every_class_can_be_seen_of_every_format(form, tmp_path):
    made = made_of(biggest(form), tmp_path, AllAtOnce(0, whole=True), WHOLE)
    items = opened(made.path, session=made.session, scrub=False)
    assert len(seen(rendered(items, "json"))) > 130
