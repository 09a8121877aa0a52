"""The datastore in a SQLite file: the files it leaves, the damage it sees, the databases it refuses."""

import contextlib
import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from hanpon.adapters.sqlite_datastore import SqliteDatastore
from hanpon.contracts.errors import Unavailable, UsageError
from hanpon.contracts.filters import AnyOf
from hanpon.contracts.ports import Datastore
from hanpon.contracts.search import Query
from tests.adapters.test_datastore_promises import ENTRIES, WANTED, fill, page_of
from tests.editions import CUSTOMER, ENGINEERS, document, edition_of


@pytest.fixture
def datastores(tmp_path: Path) -> Callable[[], Datastore]:
    return lambda: SqliteDatastore(tmp_path / "hanpon.db", busy_timeout=0.1)


@pytest.fixture
def datastore(datastores: Callable[[], Datastore]) -> Datastore:
    return datastores()


def test_reading_makes_no_file(tmp_path: Path) -> None:
    for traceless in (True, False):
        assert SqliteDatastore(tmp_path / "none.db", traceless=traceless).rows(CUSTOMER) == {}
    assert list(tmp_path.iterdir()) == []


def test_traceless_reading_leaves_no_file_beside_the_database(tmp_path: Path) -> None:
    fill(SqliteDatastore(tmp_path / "hanpon.db"))
    before = (tmp_path / "hanpon.db").read_bytes()
    assert SqliteDatastore(tmp_path / "hanpon.db", traceless=True).rows(CUSTOMER) == WANTED
    assert [path.name for path in tmp_path.iterdir()] == ["hanpon.db"]
    assert (tmp_path / "hanpon.db").read_bytes() == before


def test_traceless_reading_sees_what_only_the_log_holds_yet(tmp_path: Path) -> None:
    path = tmp_path / "hanpon.db"
    fill(SqliteDatastore(path))
    held_open = sqlite3.connect(path)
    held_open.execute("SELECT count(*) FROM document").fetchone()
    other = edition_of(document("GET /a", "new")).manifest.entries
    fill(SqliteDatastore(path), other)
    rows = SqliteDatastore(path, traceless=True).rows(CUSTOMER)
    held_open.close()
    assert rows[other[0].id] == other[0].row


def run_sql(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


DAMAGES = [
    "UPDATE document SET metadata = '{}'",
    "UPDATE document SET metadata = 'no json'",
    "UPDATE document SET content_sha256 = ''",
    "UPDATE document SET key = ''",
    "UPDATE document SET pieces_sha256 = ''",
    "UPDATE document SET metadata = replace(hex(zeroblob(50000)), '00', '[')",
    "UPDATE document SET metadata = replace(hex(zeroblob(900)), '00', '[') || replace(hex(zeroblob(900)), '00', ']')",
    "UPDATE document SET metadata = CAST(metadata AS BLOB)",
    "UPDATE document SET metadata = '1e999'",
    "UPDATE document SET metadata = x'00ff'",
    'UPDATE document SET metadata = \'{"title":[1],"section":{},"source":3}\'',
    "UPDATE document SET key = CAST(key AS BLOB)",
    "UPDATE document SET content_sha256 = x'00'",
    "UPDATE document SET pieces_sha256 = x'00'",
    "UPDATE reader SET principal = CAST(principal AS BLOB)",
    "DELETE FROM piece",
    "DELETE FROM piece WHERE ordinal = 1",
    "UPDATE piece SET ordinal = 'second' WHERE ordinal = 1",
    "UPDATE piece SET ordinal = 1.5 WHERE ordinal = 1",
    "UPDATE piece SET text = x'00'",
    "UPDATE piece SET trail = replace(hex(zeroblob(50000)), '00', '[')",
    "UPDATE piece SET ordinal = ordinal + 1 WHERE ordinal = 1",
    "UPDATE piece SET text = text || ' '",
    "UPDATE piece SET trail = '[]'",
    "UPDATE piece SET anchor = 'x'",
    "DELETE FROM piece_index",
    "UPDATE piece_index SET title = 'other'",
    "UPDATE piece_index SET body = body || ' more'",
    "UPDATE piece_index SET meta = ''",
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_row_does_not_pass_for_what_it_was_and_is_whole_when_written_again(
    tmp_path: Path, damage: str
) -> None:
    datastore = SqliteDatastore(tmp_path / "hanpon.db")
    fill(datastore)
    run_sql(tmp_path / "hanpon.db", damage)
    assert all(row != WANTED[key] for key, row in datastore.rows(CUSTOMER).items())
    datastore.search(Query(text="text", principals=ENGINEERS, filter=AnyOf("api", ("customer",))))
    fill(datastore)
    assert datastore.rows(CUSTOMER) == WANTED
    assert [hit.snippet for hit in datastore.search(Query(text="text", principals=ENGINEERS))] == ["text", "text"]


@pytest.mark.parametrize("version", [1, 99])
def test_a_store_of_another_form_is_refused_with_the_way_out_and_renewed_whole(tmp_path: Path, version: int) -> None:
    path = tmp_path / "hanpon.db"
    datastore = SqliteDatastore(path)
    fill(datastore)
    run_sql(path, "CREATE TABLE later (x)", "INSERT INTO later VALUES (1)", f"PRAGMA user_version = {version}")
    for refused in (lambda: datastore.rows(CUSTOMER), lambda: fill(datastore), datastore.editions):
        with pytest.raises(UsageError, match="run `hanpon datastore rebuild`"):
            refused()
    assert datastore.renew()
    assert datastore.editions() == []
    fill(datastore)
    assert datastore.rows(CUSTOMER) == WANTED
    assert not datastore.renew()
    assert datastore.rows(CUSTOMER) == WANTED


def test_a_store_that_is_not_there_or_not_ours_is_not_renewed(tmp_path: Path) -> None:
    assert not SqliteDatastore(tmp_path / "none.db").renew()
    run_sql(tmp_path / "other.db", "CREATE TABLE document (id)")
    before = (tmp_path / "other.db").read_bytes()
    with pytest.raises(UsageError, match="name another file"):
        SqliteDatastore(tmp_path / "other.db").renew()
    with pytest.raises(UsageError, match="name another file"):
        fill(SqliteDatastore(tmp_path / "other.db"))
    assert (tmp_path / "other.db").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["other.db"]


SECRET = "Tr0ub4dor&3 zugangswort 合言葉 /v1/geheim/{marke}"
TRACES = ["Tr0ub4dor", "tr0ub4dor", "troub", "zugangswort", "合言葉", "合言", "言葉", "geheim", "marke", "/v1/geheim"]


def traces_in(folder: Path) -> set[str]:
    found = b"".join(path.read_bytes() for path in folder.iterdir())
    return {trace for trace in TRACES if trace.encode() in found or trace[1:].encode() in found}


@pytest.mark.parametrize("damage", ["", "DELETE FROM piece", "UPDATE piece_index SET body = 'other'"])
@pytest.mark.parametrize("held_open", [False, True])
def test_nothing_of_what_is_erased_is_left_in_the_files(tmp_path: Path, damage: str, held_open: bool) -> None:
    path = tmp_path / "hanpon.db"
    datastore = SqliteDatastore(path)
    fill(datastore)
    first = ENTRIES[0]
    with datastore.change(CUSTOMER) as change:
        change.upsert([first], lambda _: f"<h1>{SECRET}</h1><p>{SECRET}</p>".encode())
        change.commit()
    assert "zugangswort" in traces_in(tmp_path)
    other = sqlite3.connect(path)
    if held_open:
        other.execute("SELECT count(*) FROM document").fetchone()
    run_sql(path, *filter(None, [damage]))
    with datastore.change(CUSTOMER) as change:
        change.erase([first.id])
        change.commit()
    assert traces_in(tmp_path) == set()
    other.close()
    assert first.id not in datastore.rows(CUSTOMER)


@pytest.mark.parametrize("way", ["replaced", "removed"])
def test_of_what_is_replaced_or_removed_no_word_is_left_in_a_store_that_is_not_large(
    tmp_path: Path, way: str
) -> None:
    datastore = SqliteDatastore(tmp_path / "hanpon.db")
    first = ENTRIES[0]
    with datastore.change(CUSTOMER) as change:
        change.upsert(ENTRIES, lambda entry: page_of(entry) + SECRET.encode() * (entry == first))
        change.commit()
    with datastore.change(CUSTOMER) as change:
        if way == "replaced":
            change.upsert([first], page_of)
        else:
            change.remove([first.id])
        change.commit()
    assert traces_in(tmp_path) == set()


def test_traceless_reading_of_what_a_killed_writer_left_touches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "live" / "hanpon.db"
    fill(SqliteDatastore(path))
    held_open = sqlite3.connect(path)
    held_open.execute("SELECT count(*) FROM document").fetchone()
    other = edition_of(document("GET /a", "new")).manifest.entries
    fill(SqliteDatastore(path), other)
    killed = shutil.copytree(path.parent, tmp_path / "killed")
    held_open.close()
    (killed / "hanpon.db-shm").unlink()
    before = {file.name: file.read_bytes() for file in killed.iterdir()}
    assert SqliteDatastore(killed / "hanpon.db", traceless=True).rows(CUSTOMER)[other[0].id] == other[0].row
    assert {file.name: file.read_bytes() for file in killed.iterdir()} == before


def test_a_database_behind_a_link_is_read_with_the_log_beside_its_target(tmp_path: Path) -> None:
    path = tmp_path / "hanpon.db"
    fill(SqliteDatastore(path))
    held_open = sqlite3.connect(path)
    held_open.execute("SELECT count(*) FROM document").fetchone()
    fill(SqliteDatastore(path), edition_of(document("GET /a", "new")).manifest.entries)
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.db"
    link.symlink_to(path)
    assert SqliteDatastore(link, traceless=True).rows(CUSTOMER) == SqliteDatastore(path).rows(CUSTOMER)
    held_open.close()


def test_a_row_that_is_no_utf_8_is_a_damaged_row_and_a_missing_table_is_told(tmp_path: Path) -> None:
    datastore = SqliteDatastore(tmp_path / "hanpon.db")
    fill(datastore)
    connection = sqlite3.connect(tmp_path / "hanpon.db")
    with connection:
        connection.execute("UPDATE document SET metadata = CAST(x'ff' AS TEXT)")
    assert all(row != WANTED[key] for key, row in datastore.rows(CUSTOMER).items())
    with connection:
        connection.execute("DROP TABLE reader")
    connection.close()
    with pytest.raises(UsageError, match="move it away"):
        datastore.rows(CUSTOMER)


@pytest.mark.parametrize("damage", ["kind = 'x'", "kind = x'ff'", "version = '../..'", "name = ''", "name = x'61'"])
def test_a_row_of_no_edition_that_there_can_be_is_damage_in_words(tmp_path: Path, damage: str) -> None:
    datastore = SqliteDatastore(tmp_path / "hanpon.db")
    fill(datastore)
    run_sql(tmp_path / "hanpon.db", f"UPDATE document SET {damage}")
    with pytest.raises(UsageError, match=r"is damaged: .* run `hanpon datastore rebuild`, which empties it"):
        datastore.editions()
    assert not datastore.finds_its_rows()
    assert datastore.renew()
    assert datastore.editions() == []


def test_a_database_in_memory_is_refused() -> None:
    with pytest.raises(UsageError, match="name a file"):
        SqliteDatastore(Path(":memory:"))


def test_a_file_that_is_no_database_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "hanpon.db").write_bytes(b"this is no database at all, however long it may be" * 100)
    with pytest.raises(UsageError, match="move it away"):
        SqliteDatastore(tmp_path / "hanpon.db").rows(CUSTOMER)
    with pytest.raises(UsageError, match="move it away"):
        fill(SqliteDatastore(tmp_path / "hanpon.db"))


def test_a_database_of_another_version_or_another_program_is_refused(tmp_path: Path) -> None:
    for name, statement in (("newer.db", "PRAGMA user_version = 99"), ("other.db", "CREATE TABLE x (y)")):
        connection = sqlite3.connect(tmp_path / name)
        connection.execute(statement)
        connection.commit()
        connection.close()
        with pytest.raises(UsageError, match="is not a hanpon database of version"):
            SqliteDatastore(tmp_path / name).rows(CUSTOMER)


def test_a_datastore_that_is_a_folder_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        SqliteDatastore(tmp_path)


@pytest.mark.parametrize("damage", ["piece_index_data WHERE id > 10", "piece_index_docsize"])
def test_a_damaged_index_of_words_is_seen_and_nothing_is_touched(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "hanpon.db"
    fill(SqliteDatastore(path))
    run_sql(path, f"DELETE FROM {damage}")
    before = path.read_bytes()
    assert not SqliteDatastore(path, traceless=True).finds_its_rows()
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["hanpon.db"]


ORPHANS = [
    "INSERT INTO reader VALUES ('gone', 'all')",
    "INSERT INTO piece (document, ordinal, anchor, trail, text) VALUES ('gone', 0, '', '[]', 'secret')",
    "INSERT INTO piece_index (rowid, title, body, meta) VALUES (999, 'secret', 'secret', '')",
    "UPDATE document SET id = CAST(id AS BLOB)",
    "UPDATE document SET id = NULL",
    "DELETE FROM document",
    "DROP TABLE reader",
    "DROP TABLE piece_index",
    "DROP TABLE piece_index_content",
]


@pytest.mark.parametrize("damage", ORPHANS)
def test_what_no_edition_accounts_for_is_seen_and_goes_when_the_store_is_renewed(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "hanpon.db"
    datastore = SqliteDatastore(path)
    fill(datastore)
    assert datastore.finds_its_rows()
    run_sql(path, damage)
    assert not datastore.finds_its_rows()
    assert datastore.renew()
    assert datastore.finds_its_rows()
    assert not datastore.renew()
    fill(datastore)
    assert datastore.rows(CUSTOMER) == WANTED
    assert [hit.snippet for hit in datastore.search(Query(text="text", principals=ENGINEERS))] == ["text", "text"]


def test_a_row_whose_id_is_no_text_is_damage_in_words(tmp_path: Path) -> None:
    datastore = SqliteDatastore(tmp_path / "hanpon.db")
    fill(datastore)
    run_sql(tmp_path / "hanpon.db", "UPDATE document SET id = CAST(id AS BLOB)")
    for read in (lambda: datastore.rows(CUSTOMER), lambda: rows_in_a_change(datastore)):
        with pytest.raises(UsageError, match=r"is damaged: .* run `hanpon datastore rebuild`"):
            read()


def rows_in_a_change(datastore: Datastore) -> None:
    with datastore.change(CUSTOMER) as change:
        change.rows()


@pytest.mark.parametrize("broken", ["DROP TABLE piece_index_config", "DELETE FROM piece_index_data WHERE id < 11"])
def test_an_index_of_words_that_cannot_even_be_opened_is_made_anew(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "hanpon.db"
    datastore = SqliteDatastore(path)
    fill(datastore)
    run_sql(path, broken)
    assert not datastore.finds_its_rows()
    assert datastore.renew()
    fill(datastore)
    assert datastore.finds_its_rows()
    assert datastore.rows(CUSTOMER) == WANTED
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_refused_as_a_database_and_beside_it(
    tmp_path: Path, suffix: str, make: Callable[[Path], None]
) -> None:
    path = tmp_path / "hanpon.db"
    make(tmp_path / f"hanpon.db{suffix}")
    with pytest.raises(UsageError, match=rf"{suffix} is a (named pipe|folder|device)(; name a file|, where SQLite)"):
        SqliteDatastore(path)


def test_a_pipe_that_comes_between_keeps_nobody_waiting(tmp_path: Path) -> None:
    path = tmp_path / "hanpon.db"
    datastore = SqliteDatastore(path)
    os.mkfifo(path)
    for use in (lambda: datastore.rows(CUSTOMER), datastore.editions, datastore.renew, lambda: fill(datastore)):
        with pytest.raises(UsageError, match="is a named pipe; name a file"):
            use()
    with pytest.raises(UsageError, match="is a named pipe; name a file"):
        datastore.finds_its_rows()


def test_the_way_out_of_damage_names_every_file_that_is_to_be_moved(tmp_path: Path) -> None:
    path = tmp_path / "hanpon.db"
    path.write_bytes(b"this is no database, however long it may be" * 100)
    Path(f"{path}-wal").write_bytes(b"nor is this its log")
    told = r"move it \(and hanpon\.db-wal beside it\) away and run `hanpon datastore rebuild`, which fills a new one"
    with pytest.raises(UsageError, match=told):
        SqliteDatastore(path, traceless=True).rows(CUSTOMER)


def test_a_disk_that_cannot_read_what_seems_damaged_is_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hanpon.db"
    fill(SqliteDatastore(path))
    run_sql(path, "DELETE FROM piece_index_data WHERE id > 10")

    def failing(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "Input/output error", str(path))

    monkeypatch.setattr(Path, "open", failing)
    for use in (
        lambda: SqliteDatastore(path).search(Query(text="text", principals=ENGINEERS)),
        SqliteDatastore(path).renew,
    ):
        with pytest.raises(Unavailable, match="Input/output error"):
            use()
