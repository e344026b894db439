"""A database written as rows and read again: the same cards, and nothing of what was masked."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from cursor_replay.cli.copying import Copying
from cursor_replay.errors import AmbiguousError, InputError
from cursor_replay.ingest.database import Database, holds_columns
from cursor_replay.ingest.rowfiles import is_rows, line_of
from cursor_replay.ingest.source import open_source
from cursor_replay.ingest.store import ReadOptions
from cursor_replay.ingest.storerows import rows_of
from cursor_replay.items import Item
from cursor_replay.pipeline import replay
from cursor_replay.scrub import Sealer

FIXTURES = Path(__file__).parents[2] / "fixtures"
sys.path.insert(0, str(FIXTURES))
from build_stores import build  # noqa: E402 - a script beside the cases

STORES = sorted(path.parent for path in FIXTURES.glob("*/*/store.json"))
DATABASES = [case for case in STORES if case.parent.name != "sdk-ndjson-store"]
TOKEN = "gh" + "p_" + "Q7w8E9" * 6
_ITEM = TypeAdapter[Any](Item)


def database_of(case: Path, folder: Path) -> Path:
    made = build(case, folder)
    if made.is_file():
        return made
    return next(file for name in ("store.db", "index.db") if (file := made / name).exists())


def session_of(case: Path) -> str | None:
    options = case / "options.json"
    session: str | None = json.loads(options.read_text())["session"] if options.exists() else None
    return session


def copy_of(database: Path, target: Path, session: str | None = None) -> Path:
    sealer = Sealer(for_copy=True)
    copying = Copying(sealer, lambda *_: None, plain=False, seen=lambda _: None, session=session)
    target.write_bytes(b"".join(copying.pieces(database)))
    return target


def cards(path: Path, session: str | None = None) -> list[Any]:
    """The items, without the name of the file, and with paths of the workspace relative."""
    with closing(open_source(str(path), options=ReadOptions(session=session))) as source:
        items = [_ITEM.dump_python(each.item, mode="json") for each in replay(source)]
    text = json.dumps(items).replace(str(path), "").replace(str(path.parent), "")
    for workspace in ("~/shop", "~/tidebook"):
        text = text.replace(f'"{workspace}"', '"."').replace(f"{workspace}/", "")
    return json.loads(text)


@pytest.mark.parametrize("case", DATABASES, ids=lambda case: f"{case.parent.name}/{case.name}")
@pytest.mark.parametrize("alone", [False, True])
def test_a_copy_shows_the_cards_of_its_store(case, tmp_path, alone):
    database, session = database_of(case, tmp_path / "made"), session_of(case)
    with closing(open_source(str(database), options=ReadOptions(session=session))) as source:
        taken = source.session.id if alone else None
    copy = copy_of(database, tmp_path / "copy.ndjson", taken)
    shown, expected = cards(copy, session), cards(database, session)
    assert len(shown) > 1
    assert shown == expected


@pytest.mark.parametrize("case", DATABASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_a_copy_of_a_copy_is_the_copy(case, tmp_path):
    copy = copy_of(database_of(case, tmp_path / "made"), tmp_path / "copy.ndjson")
    assert copy_of(copy, tmp_path / "again.ndjson").read_bytes() == copy.read_bytes()


def with_secret(value: Any, secret: str) -> Any:
    if isinstance(value, dict):
        return {key: with_secret(each, secret) for key, each in value.items()}
    if isinstance(value, list):
        return [with_secret(each, secret) for each in value]
    return f"{value} {secret} so" if isinstance(value, str) and " " in value else value


@pytest.mark.parametrize("case", DATABASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_no_secret_of_a_store_is_in_its_copy(case, tmp_path):
    source = with_secret(json.loads((case / "store.json").read_text("utf-8")), TOKEN)
    source["key"] = TOKEN[4:]
    (tmp_path / "store.json").write_text(json.dumps(source))
    copy = copy_of(database_of(tmp_path, tmp_path / "made"), tmp_path / "copy.ndjson")
    assert TOKEN[4:] not in copy.read_text("utf-8")
    assert TOKEN[4:].encode().hex() not in copy.read_text("utf-8").lower()
    assert cards(copy, session_of(case))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, None), (1, 1), (1.5, 1.5), ("x", "x"), ("7b7d", {}), ("7b7b", "7b7b"), ("6162", "6162"),
        ('{"a": [1.0, null]}', {"a": [1.0, None]}), ('{"a": 1, "a": 2}', '{"a": 1, "a": 2}'),
        ('{"bytes": 3}', '{"bytes": 3}'), ("[\\ud800", "[\\ud800"), ('["\\ud800"]', ["\ud800"]),
        (b"\x0a\x28" + b"curl -u joe" + b"x" * 29, {"protobuf": [[1, "curl -u joe" + "x" * 29]]}),
        (b"* a list", "* a list"),
        (b"text", "text"), (b"\x89PNG\0", {"bytes": 5}), (b"", ""),
        (b"\x0a\x03abc\x10\x05", {"protobuf": [[1, "abc"], [2, 5]]}),
        (b"\x0a\x20" + bytes(range(32)), {"protobuf": [[1, {"id": bytes(range(32)).hex()}]]}),
        (b"\x0a\x0a\x0a\x08password", {"protobuf": [[1, [[1, "password"]]]]}),
        (b"\x0a\x03\xff\xfe\xfd", {"protobuf": [[1, {"bytes": 3}]]}),
    ],
)  # fmt: skip
def test_how_a_value_is_told_and_taken_back(value, told, tmp_path):
    path = tmp_path / "rows"
    path.write_bytes(line_of(("t", {"key": value})))
    assert json.loads(path.read_bytes()) == {"table": "t", "row": {"key": told}}
    assert is_rows(path)
    assert holds_columns(path, {"t": frozenset({"key"})})
    assert not holds_columns(path, {"t": frozenset({"other"})})
    assert not holds_columns(path, {"u": frozenset()})
    with Database(path) as database:
        back = database.row("SELECT key FROM t")[0]
    if isinstance(told, dict | list) and "bytes" not in told and "protobuf" not in told:
        assert json.loads(back) == told
    elif "bytes" not in str(told) or isinstance(told, str):
        back = back.encode() if isinstance(value, bytes) and isinstance(back, str) else back
        assert back == value


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"table": 1}', b"text", b'{"row": {}, "table": "x"}']
)
def test_what_is_no_file_of_rows(data, tmp_path):
    (tmp_path / "x").write_bytes(data)
    assert not is_rows(tmp_path / "x")
    assert not is_rows(tmp_path)
    assert not is_rows(tmp_path / "none")


def test_lines_that_are_no_rows_are_passed_over(tmp_path):
    path = tmp_path / "rows"
    lines = [line_of(("a b", {"id": 1, "x": "y"})), b"junk\n", b'{"table": "a b"}\n', b"[]\n"]
    path.write_bytes(
        b"".join([*lines, b'{"table":"a b","row":{"id":2,"z":[true]}}\n', b'{"table": "a'])
    )
    with Database(path) as database:
        assert list(database.table("a b")) == [
            ("a b", {"id": 1, "x": "y"}),
            ("a b", {"id": 2, "x": None}),
        ]


@pytest.mark.parametrize("alone", [None, "agent"])
def test_tables_without_rows_are_there_in_the_copy(tmp_path, alone):
    database = database_of(FIXTURES / "sdk-store" / "running", tmp_path / "made")
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("DELETE FROM runs")
    copy = copy_of(database, tmp_path / "copy.ndjson", alone)
    assert len(cards(copy)) > 1
    assert cards(copy) == cards(database)


def ide(tmp_path: Path) -> Path:
    return database_of(FIXTURES / "ide-state" / "modern-chat", tmp_path / "made")


def test_the_rows_of_one_chat_are_no_others(tmp_path):
    path = ide(tmp_path)
    with closing(open_source(str(path))) as source:
        session = source.session.id
    with closing(sqlite3.connect(path)) as db, db:
        for key in ("composerData:other", "bubbleId:other:1", "messageRequestContext:x:y"):
            db.execute("INSERT INTO cursorDiskKV VALUES (?, '{}')", (key,))
        listed = json.dumps({"allComposers": [{"composerId": "other", "name": "Another"}]})
        db.execute("INSERT INTO ItemTable VALUES ('composer.composerData', ?)", (listed,))
    found = list(rows_of(path, session[:6]))
    keys = [str(row.get("key")) for _, row in found]
    assert any(key.startswith(f"bubbleId:{session}:") for key in keys)
    assert not any("other" in key or key.startswith("messageRequest") for key in keys)
    assert "Another" not in str(found)
    assert len(found) < len(list(rows_of(path)))


def test_a_session_that_is_not_there_is_told(tmp_path):
    path = ide(tmp_path)
    with pytest.raises(InputError, match="no session 'zz' in"):
        list(rows_of(path, "zz"))
    two = database_of(FIXTURES / "sdk-store" / "one-of-two-agents", tmp_path / "two")
    with pytest.raises(AmbiguousError, match="--session ID names one"):
        list(rows_of(two, ""))
    with closing(sqlite3.connect(tmp_path / "own.db")) as db:
        db.execute("CREATE TABLE t (a)")
    with pytest.raises(InputError, match="no store known here"):
        list(rows_of(tmp_path / "own.db", "x"))
