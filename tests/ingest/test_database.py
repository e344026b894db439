"""Foreign databases: what is said of those that cannot be read, and that nothing beside them changes."""

import errno
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cursor_replay.errors import InputError
from cursor_replay.ingest import database
from cursor_replay.ingest.database import Database, holds_columns, holds_tables, is_database

NOBODY = 65534


def opened(path: Path, *, mode: str = "delete") -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode={mode}")
    return connection


def made(path: Path, *, mode: str = "delete", rows: int = 3) -> Path:
    with closing(opened(path, mode=mode)) as connection:
        filled(connection, rows)
    return path


def filled(connection: sqlite3.Connection, rows: int = 3) -> None:
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE boats (name TEXT, size INTEGER)")
    connection.executemany(
        "INSERT INTO boats VALUES (?, ?)", [(f"boat {n}", n) for n in range(rows)]
    )
    connection.execute("COMMIT")


def left_over(folder: Path, *, with_index: bool) -> Path:
    """A database whose writer died: rows are in the WAL only."""
    live = folder / "live.db"
    with closing(opened(live, mode="wal")) as connection:
        filled(connection)
        path = folder / "dead" / "left.db"
        path.parent.mkdir()
        for end in ("", "-wal", "-shm") if with_index else ("", "-wal"):
            shutil.copyfile(f"{live}{end}", f"{path}{end}")
    return path


def sizes(path: Path) -> list[int]:
    with Database(path) as found:
        return [size for (size,) in found.rows("SELECT size FROM boats ORDER BY size")]


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        Database(path)
    return str(caught.value)


Folder = dict[str, tuple[bytes, int]]


def folder_of(path: Path) -> Folder:
    """Names, bytes and times of everything beside a database."""
    return {
        each.name: (each.read_bytes(), each.stat().st_mtime_ns)
        for each in sorted(path.parent.iterdir())
        if each.is_file()
    }


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "private"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every database is over the limit for copies."""
    monkeypatch.setattr(database, "LARGEST_COPY", 0)


@pytest.fixture
def unprivileged() -> Iterator[None]:
    mine = os.geteuid()
    if mine == 0:  # the superuser may read everything
        os.seteuid(NOBODY)
    yield
    os.seteuid(mine)


def test_a_database_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    assert is_database(made(tmp_path / "a.db"))
    (tmp_path / "b.db").write_bytes(b"SQLite format 4\0")
    for name in ("b.db", "missing.db", ".", "a\0.db"):
        assert not is_database(tmp_path / name)


def test_nothing_is_taken_from_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert not is_database(tmp_path / "pipe")


def test_rows_columns_and_tables_are_read(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db")
    with closing(opened(path)) as connection:
        connection.execute("CREATE VIEW seen AS SELECT 1")
    with Database(path) as found:
        assert found.copied
        assert found.tables() == {"boats"}
        assert found.columns("boats") == {"name", "size"}
        assert found.columns('no "such" table') == frozenset()
        assert found.row("SELECT name FROM boats WHERE size = ?", [1]) == ("boat 1",)
        assert found.row("SELECT name FROM boats WHERE size = 9") is None


def test_text_that_is_no_utf8_is_shown_with_replacement_characters(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db", rows=0)
    with closing(opened(path)) as connection:
        connection.execute("INSERT INTO boats VALUES (CAST(x'61ff' AS TEXT), 1)")
    with Database(path) as found:
        assert found.row("SELECT name FROM boats") == ("a\ufffd",)


def test_nothing_can_be_written(tmp_path: Path) -> None:
    with Database(made(tmp_path / "a.db")) as found, pytest.raises(InputError):
        found.row("DELETE FROM boats")


def test_a_name_of_any_characters_can_be_read(tmp_path: Path) -> None:
    assert sizes(made(tmp_path / "a?mode=rw#b%20é.db")) == [0, 1, 2]


def test_a_missing_file_a_folder_and_an_impossible_name_are_said(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a.db") == f"{tmp_path / 'a.db'}: no such file"
    assert refusal(tmp_path) == f"{tmp_path}: a folder, not a database"
    assert refusal(Path("a\0.db")).endswith("not a readable database (ValueError)")


def test_a_refused_permission_is_said(tmp_path: Path, unprivileged: None) -> None:  # noqa: ARG001 - a state
    shared = Path(tempfile.mkdtemp())
    try:
        path = made(shared / "a.db")
        path.chmod(0)
        assert refusal(path) == f"{path}: not permitted to read it"
        assert not is_database(path)
    finally:
        shutil.rmtree(shared)


def test_what_is_no_database_is_said_without_its_content(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"a page of words " * 300)
    assert refusal(path) == f"{path}: not a readable database (DatabaseError)"


def test_a_cut_database_is_said(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db", rows=5000)
    os.truncate(path, 8 * 4096)
    assert refusal(path) == f"{path}: not a readable database (DatabaseError)"


def test_damage_inside_is_said_when_it_is_met(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db", rows=5000)
    with path.open("r+b") as stream:
        stream.seek(8 * 4096)
        stream.write(b"\xff" * 4096)
    with Database(path) as found, pytest.raises(InputError, match="not a readable database"):
        list(found.rows("SELECT * FROM boats"))


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    path = made(tmp_path / "a.db")
    monkeypatch.setattr(shutil, "copyfile", full)
    assert refusal(path) == f"{path}: no room for a private copy of it"


def test_a_lock_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    large: None,  # noqa: ARG001 - a state
) -> None:
    path = made(tmp_path / "a.db")
    with Database(path) as found:
        assert not found.copied
        monkeypatch.setattr(found, "_connection", sqlite3.connect(path, timeout=0))
        with closing(opened(path)) as writer:
            writer.execute("BEGIN EXCLUSIVE")
            with pytest.raises(InputError, match=r"locked by another program; try again$"):
                found.row("SELECT * FROM boats")


def test_a_private_copy_is_gone_when_the_database_is_closed(
    tmp_path: Path, temporary: Path
) -> None:
    path = made(tmp_path / "a.db")
    with Database(path):
        assert [each.is_dir() for each in temporary.iterdir()] == [True]
    assert list(temporary.iterdir()) == []
    path.write_bytes(b"no database")
    refusal(path)
    assert list(temporary.iterdir()) == []


def test_a_writer_that_holds_an_exclusive_lock_is_no_hindrance(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db")
    with closing(opened(path)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("INSERT INTO boats VALUES ('half', 99)")
        before = folder_of(path)
        assert sizes(path) == [0, 1, 2]
        assert folder_of(path) == before


def test_a_transaction_that_was_never_finished_is_rolled_back_in_the_copy(tmp_path: Path) -> None:
    live = made(tmp_path / "live.db", rows=2000)
    path = tmp_path / "dead" / "left.db"
    path.parent.mkdir()
    with closing(opened(live)) as writer:
        writer.execute("PRAGMA cache_size=1")
        writer.execute("BEGIN")
        writer.execute("UPDATE boats SET size = -1, name = name || 'changed'")
        for end in ("", "-journal"):
            shutil.copyfile(f"{live}{end}", f"{path}{end}")
    assert path.read_bytes() != live.read_bytes()
    before = folder_of(path)
    assert sizes(path) == list(range(2000))
    assert folder_of(path) == before


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_reading_a_closed_database_changes_nothing(tmp_path: Path, mode: str) -> None:
    path = made(tmp_path / "a.db", mode=mode)
    before = folder_of(path)
    assert list(before) == ["a.db"]
    assert holds_tables(path, frozenset({"boats"}))
    assert sizes(path) == [0, 1, 2]
    assert folder_of(path) == before


def test_rows_that_are_only_in_the_wal_are_read_and_nothing_changes(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "a.db", mode="wal")) as writer:
        filled(writer)
        before = folder_of(tmp_path / "a.db")
        assert list(before) == ["a.db", "a.db-shm", "a.db-wal"]
        assert holds_tables(tmp_path / "a.db", frozenset({"boats"}))
        assert sizes(tmp_path / "a.db") == [0, 1, 2]
        assert folder_of(tmp_path / "a.db") == before


@pytest.mark.parametrize("with_index", [True, False])
def test_a_wal_that_was_left_over_is_read_and_stays(tmp_path: Path, *, with_index: bool) -> None:
    path = left_over(tmp_path, with_index=with_index)
    before = folder_of(path)
    assert holds_tables(path, frozenset({"boats"}))
    assert sizes(path) == [0, 1, 2]
    assert folder_of(path) == before


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_large_database_is_read_in_place(
    tmp_path: Path,
    temporary: Path,
    mode: str,
    large: None,  # noqa: ARG001 - a state
) -> None:
    path = made(tmp_path / "a.db", mode=mode)
    before = folder_of(path)
    with Database(path) as found:
        assert not found.copied
        assert list(temporary.iterdir()) == []
        assert found.row("SELECT count(*) FROM boats") == (3,)
    assert folder_of(path) == before


def test_a_large_database_with_a_dead_wal_and_its_index_is_read_in_place(
    tmp_path: Path,
    large: None,  # noqa: ARG001 - a state
) -> None:
    path = left_over(tmp_path, with_index=True)
    before = folder_of(path)
    with Database(path) as found:
        assert not found.copied
        assert found.row("SELECT count(*) FROM boats") == (3,)
    assert folder_of(path) == before


WRITER = """
import sqlite3, sys
writer = sqlite3.connect(sys.argv[1], isolation_level=None)
writer.execute("PRAGMA journal_mode=WAL")
writer.execute("CREATE TABLE boats (name TEXT, size INTEGER)")
writer.execute("INSERT INTO boats VALUES ('boat', 0)")
print("ready", flush=True)
sys.stdin.read()
"""


def test_a_large_database_another_program_writes_to_is_read_in_place(
    tmp_path: Path,
    large: None,  # noqa: ARG001 - a state
) -> None:
    path = tmp_path / "a.db"
    given = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(given, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        before = folder_of(path)
        assert list(before) == ["a.db", "a.db-shm", "a.db-wal"]
        with Database(path) as found:
            assert not found.copied
            assert found.row("SELECT count(*) FROM boats") == (1,)
        assert folder_of(path) == before
        writer.communicate()


@pytest.mark.parametrize("log", ["wal", "journal"])
def test_a_large_database_that_could_not_be_left_as_it_is_is_copied(
    tmp_path: Path,
    log: str,
    large: None,  # noqa: ARG001 - a state
) -> None:
    path = left_over(tmp_path, with_index=False) if log == "wal" else made(tmp_path / "a.db")
    if log == "journal":
        path.with_name("a.db-journal").write_bytes(bytes(512))
    before = folder_of(path)
    with Database(path) as found:
        assert found.copied
        assert found.row("SELECT count(*) FROM boats") == (3,)
    assert folder_of(path) == before


def test_a_large_database_whose_index_cannot_be_used_is_copied(
    tmp_path: Path,
    large: None,  # noqa: ARG001 - a state
) -> None:
    path = left_over(tmp_path, with_index=False)
    path.with_name("left.db-shm").symlink_to(path)
    with Database(path) as found:
        assert found.copied
        assert found.row("SELECT count(*) FROM boats") == (3,)


def test_a_database_that_changes_while_it_is_copied_is_copied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(tmp_path / "a.db")
    copy, copies = shutil.copyfile, [0]

    def disturbed(source: Path, target: Path) -> None:
        copy(source, target)
        copies[0] += 1
        if copies[0] == 1:
            with path.open("ab") as stream:
                stream.write(bytes(4096))

    monkeypatch.setattr(shutil, "copyfile", disturbed)
    assert sizes(path) == [0, 1, 2]
    assert copies == [2]


def test_a_database_that_never_stands_still_is_said(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(tmp_path / "a.db")
    copy = shutil.copyfile

    def disturbed(source: Path, target: Path) -> None:
        copy(source, target)
        with path.open("ab") as stream:
            stream.write(bytes(4096))

    monkeypatch.setattr(shutil, "copyfile", disturbed)
    assert refusal(path) == f"{path} is being written to all the time; try again"
    assert list(temporary.iterdir()) == []


def test_tables_are_asked_for_by_name_and_a_view_is_none(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db")
    with closing(opened(path)) as connection:
        connection.execute("CREATE VIEW seen AS SELECT 1")
    assert holds_tables(path, frozenset({"boats"}))
    assert not holds_tables(path, frozenset({"boats", "seen"}))
    assert not holds_tables(tmp_path / "missing.db", frozenset({"boats"}))


def test_a_closed_database_tells_its_tables_without_a_copy(tmp_path: Path, temporary: Path) -> None:
    path = made(tmp_path / "a.db", mode="wal")
    temporary.rmdir()
    assert holds_tables(path, frozenset({"boats"}))
    assert not holds_tables(path, frozenset({"ships"}))


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_table_of_other_columns_is_another_table(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "a.db"
    with closing(opened(path, mode=mode)) as connection:
        connection.execute("CREATE TABLE boats (name, length)")
        for columns, held in (
            (set(), True),
            ({"name"}, True),
            ({"name", "length"}, True),
            ({"name", "value"}, False),
        ):
            assert holds_columns(path, {"boats": frozenset(columns)}) is held
        assert not holds_columns(path, {"boats": frozenset(), "ships": frozenset()})


def test_a_damaged_database_holds_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(database.MAGIC + b"\xff" * 5000)
    assert not holds_tables(path, frozenset({"boats"}))
    path.with_name("a.db-wal").write_bytes(b"\xff" * 5000)
    assert not holds_tables(path, frozenset({"boats"}))


def test_a_journal_that_names_another_file_does_not_cost_it(tmp_path: Path) -> None:
    """SQLite deletes the file a rollback journal names as that of a commit of several databases."""
    path, victim = tmp_path / "store.db", tmp_path / "victim.txt"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (a)")
    victim.write_text("keep me", encoding="utf-8")
    size = path.stat().st_size
    head = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 1, 7, size // 4096, 512, 4096)
    page = path.read_bytes()[:4096]
    checksum = (7 + sum(page[i] for i in range(4096 - 200, 0, -200))) & 0xFFFFFFFF
    record = struct.pack(">I", 1) + page + struct.pack(">I", checksum)
    name = os.fsencode(victim)
    trailer = struct.pack(">I", 2**30 // 4096 + 1) + name
    trailer += struct.pack(">II", len(name), sum(name)) + bytes.fromhex("d9d505f920a163d7")
    journal = tmp_path / "store.db-journal"
    journal.write_bytes(head.ljust(512, b"\0") + record + trailer)
    with Database(path) as database:
        assert database.tables() == {"t"}
    assert victim.read_text(encoding="utf-8") == "keep me"
    assert journal.exists()
