"""A crash in any room tells no secret, also when its frames are asked for."""

import json
import sys
from importlib import import_module

import pytest
from canaries import ALL, run, seen
from recorded import FIXTURES, as_bytes

from cursor_replay.ingest.detect import RECORD_FORMATS
from cursor_replay.ingest.wholes import STORE_FORMATS, STREAM_FORMATS
from cursor_replay.render.registry import RENDERERS

sys.path.insert(0, str(FIXTURES))
from build_stores import build

SAID = as_bytes(
    [
        {"role": "user", "message": {"content": [{"type": "text", "text": ALL}]}},
        {"role": "assistant", "message": {"content": [
            {"type": "text", "text": ALL},
            {"type": "tool_use", "name": "Shell", "input": {"command": ALL}},
        ]}},
    ]
)  # fmt: skip
ROOMS = {
    "ingest.reader.RecordReader.events": ("render",),
    "cli.check_pi.split_lines": ("check-pi",),
    "ingest.source.open_source": ("render",),
    "ingest.sessions.listing.row_of": ("sessions",),
    "ingest.sessions.catalogue.Catalogue.sessions": ("sessions",),
    "normalize.normalizer.Normalizer.feed": ("render",),
    "normalize.normalizer.Normalizer.close": ("pi",),
    "normalize.cards.source_tool": ("render",),
    "pipeline.finals": ("render",),
    "scrub.walk.Walk.item": ("render",),
    "scrub.seal.Sealer.seal": ("incomplete",),
    "scrub.seal.Sealer.value": ("scrub", "--report"),
    "scrub.copying.copies.Copier.copy": ("scrub", "-o", "copy"),
    "diagnose.collect.collect": ("incomplete",),
    "diagnose.merge.report_of": ("incomplete",),
    "render.diagnosis.terminal.render": ("incomplete",),
    "render.diagnosis.markdown.render": ("incomplete", "-f", "markdown"),
    "render.diagnosis.documents.render": ("incomplete", "--json"),
    "cli.output.to_stdout": ("render",),
    "cli.output.to_file": ("render", "-o", "out.md"),
    "cli.masking.choices_of": ("render",),
    "cli.pi_session.session_options": ("pi",),
    "cli.check_pi.run": ("check-pi",),
}


def crash(*_: object, **__: object) -> None:
    raise ValueError(ALL)


@pytest.fixture(autouse=True)
def _asked_for_frames(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CURSOR_REPLAY_TRACEBACK", "1")
    (tmp_path / "agent-transcripts").mkdir()
    for path in (tmp_path / "run.jsonl", tmp_path / "agent-transcripts" / "abcd.jsonl"):
        path.write_bytes(SAID)


def told(*args: object) -> None:
    text = run(*args)
    assert seen(text) == set()
    assert "internal error: ValueError at" in text


def crashed(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Let a function, or a method, of the package crash."""
    module, _, name = place.rpartition(".")
    try:
        owner = import_module(f"cursor_replay.{module}")
    except ModuleNotFoundError:
        module, _, kind = module.rpartition(".")
        owner = getattr(import_module(f"cursor_replay.{module}"), kind)
    monkeypatch.setattr(owner, name, crash)


@pytest.mark.parametrize("place", ROOMS)
def test_a_crash_in_a_room_tells_no_secret(place, monkeypatch):
    crashed(monkeypatch, place)
    command, *more = ROOMS[place]
    told(command, *(["--root", "."] if command == "sessions" else ["run.jsonl"]), *more)


@pytest.mark.parametrize("name", RENDERERS)
def test_a_crash_in_a_renderer_tells_no_secret(name, monkeypatch):
    module, _, kind = RENDERERS[name].target.partition(":")
    monkeypatch.setattr(getattr(import_module(module), kind), "render", crash)
    told("render", "run.jsonl", "-f", name)


@pytest.mark.parametrize("form", RECORD_FORMATS, ids=lambda form: form.name)
def test_a_crash_in_a_reader_of_records_tells_no_secret(form, monkeypatch):
    monkeypatch.setattr(form.decoder, "feed", crash)
    path = next(iter(sorted(FIXTURES.glob(f"{form.name}/*/input.json*"))))
    told("render", path)


@pytest.mark.parametrize("form", STREAM_FORMATS, ids=lambda form: form.name)
def test_a_crash_in_a_reader_of_streams_tells_no_secret(form, monkeypatch):
    monkeypatch.setattr(
        import_module(f"cursor_replay.ingest.formats.{form.module}"), "decode", crash
    )
    folder = {"debug-records": "debug-artifacts"}.get(form.name, form.name)
    told("render", next(iter(sorted(FIXTURES.glob(f"{folder}/*/input.*")))))


@pytest.mark.parametrize("form", STORE_FORMATS, ids=lambda form: form.name)
def test_a_crash_in_a_reader_of_stores_tells_no_secret(form, monkeypatch, tmp_path):
    case = next(iter(sorted(FIXTURES.glob(f"{form.name}/*"))))
    if (case / "store.json").exists():
        options = case / "options.json"
        assert not options.exists() or json.loads(options.read_text("utf-8"))
        path = build(case, tmp_path / "store")
    else:
        path = next(iter(sorted(FIXTURES.glob(f"{form.name}/*/input/"))))
    module = import_module(f"cursor_replay.ingest.formats.{form.module}")
    monkeypatch.setattr(module, "open_store", crash)
    told("render", path)


@pytest.mark.parametrize("place", ["scrub.seal.Sealer.text", "scrub.mask.Masker.__call__"])
def test_a_crash_of_the_scrubber_itself_tells_no_secret(place, monkeypatch):
    crashed(monkeypatch, place)
    for args in (
        ("render", "run.jsonl"),
        ("render", "gone.jsonl"),
        ("scrub", "run.jsonl", "--report"),
    ):
        assert seen(run(*args)) == set(), args
