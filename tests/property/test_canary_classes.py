"""A secret of every class, in every field of every format of JSON lines, is in no output or copy."""

import json

import pytest
from canaries import (
    ALL,
    SECRETS,
    Turns,
    diagnosed,
    found_in,
    listed,
    opened,
    run,
    seen,
    shown_of,
    telling,
)
from canary_fields import keyed
from recorded import IDS, as_bytes, changed, is_structure, records, rendered

FORMATS = sorted({name.partition("/")[0] for name in records()})
PICTURE = ("iVBORw0KGgo", "/9j/")
"""How the bytes of a picture begin, of which base64 behind them would be a part."""
LEAST = 0.25
"""The share of the classes given that is to be seen of each format when scrubbing is off."""


def filled(name, turns, *, ids=False):
    """The records of a fixture with a secret in each string that is no structure."""

    def put(place, text):
        if text.startswith(PICTURE):
            return text
        if ids and place[-1] in IDS:
            return turns.same(text)
        return text if is_structure(place) else turns(text)

    return changed(records()[name], put)


def written(folder, lines):
    path = folder / "run.jsonl"
    path.write_bytes(as_bytes(lines))
    return path


def test_the_canaries_can_be_seen():
    assert seen(ALL) == set(telling().values())
    assert len(seen(ALL)) > 130


@pytest.mark.parametrize("number", range(len(records())), ids=list(records()))
def test_a_secret_of_another_class_in_each_string_is_in_no_output(number, tmp_path):
    lines = filled(list(records())[number], Turns(number * 7))
    # A tree of folders shows the last part of a path: of a secret with a slash that is a part.
    apart = {name for name, (whole, _) in SECRETS.items() if "/" in whole}
    excused = apart if "absPath" in json.dumps(lines) else set()
    found = found_in(shown_of(written(tmp_path, lines)))
    assert [(which, names - excused) for which, names in found if names - excused] == []


@pytest.mark.parametrize("form", FORMATS)
def test_the_secrets_of_a_format_are_seen_when_scrubbing_is_off(form, tmp_path):
    given = shown = 0
    for name in (each for each in records() if each.startswith(f"{form}/")):
        turns = Turns(len(name) * 7)
        items = opened(written(tmp_path, filled(name, turns)), scrub=False)
        given += len(turns.given)
        shown += len(seen(rendered(items, "json")) & turns.given)
    assert shown >= LEAST * given > 0


@pytest.mark.no_cover
@pytest.mark.parametrize("form", FORMATS)
def test_a_secret_of_every_class_as_every_string_is_in_no_output(form, tmp_path):
    lines = changed(longest(form), lambda place, text: text if is_structure(place) else ALL)
    path = written(tmp_path, lines[:25])
    # Words of a closed list, such as a severity, are shown in lower case; a tree takes paths apart.
    excused = {name for piece, name in telling().items() if piece == piece.lower()}
    found = [(which, names - excused) for which, names in found_in(shown_of(path))]
    assert [(which, names) for which, names in found if names] == []


def longest(form):
    """The records of the longest recording of a format."""
    return max((lines for name, lines in records().items() if name.startswith(f"{form}/")), key=len)


@pytest.mark.parametrize("whole", [False, True], ids=["behind", "whole"])
@pytest.mark.parametrize("form", FORMATS)
def test_a_secret_as_every_id_and_in_the_keys_of_payloads_is_in_no_output(form, whole, tmp_path):
    # What tells the result of a run is how its id begins.
    turns = Turns(len(form) * 13, whole=whole and form != "sdk-run-result")
    name = next(name for name, lines in records().items() if lines is longest(form))
    path = written(tmp_path, keyed(filled(name, turns, ids=True)[:40], turns))
    assert found_in([*shown_of(path), *diagnosed(path)]) == []


EXCUSED = {"email"}
"""With the ending of a file behind it the domain is none that is known (docs/scrubbing.md)."""
NAMES = [
    name
    for name, (whole, _) in SECRETS.items()
    if len(whole) < 100 and not set("/\n") & set(whole) and name not in EXCUSED
]


@pytest.mark.no_cover
@pytest.mark.parametrize("start", range(0, len(NAMES), 8))
def test_a_secret_in_the_path_of_a_recording_is_in_no_output(start, tmp_path):
    for place, name in enumerate(NAMES[start : start + 8]):
        secret = SECRETS[name][0]
        folder = tmp_path / str(place) / f"{secret} " / "agent-transcripts" / secret
        folder.mkdir(parents=True)
        path = folder / f"{secret}.jsonl"
        path.write_bytes(as_bytes(records()["transcript/chat-title"]))
        (folder / "subagents").mkdir()
        (folder / "subagents" / f"{secret}.jsonl").write_bytes(path.read_bytes())
        root = tmp_path / str(place) / f"{secret} "
        shown = "\n".join(run("render", each, "--subagents") for each in (path, folder))
        assert shown.count("\n") > 5
        outputs = [*shown_of(path), ("render", shown), *listed(root), *diagnosed(folder)]
        assert found_in(outputs) == [], name
