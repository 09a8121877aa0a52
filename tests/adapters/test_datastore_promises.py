"""What every datastore promises; one list for all of them."""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from hanpon.adapters.sqlite_datastore import SqliteDatastore
from hanpon.contracts.documents import Document
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import Held, UsageError
from hanpon.contracts.manifests import Entry, Row
from hanpon.contracts.ports import Datastore
from tests.editions import CUSTOMER, document, edition_of

ENTRIES = edition_of(document("GET /a"), document("GET /b")).manifest.entries
WANTED: Mapping[str, Row] = {entry.id: entry.row for entry in ENTRIES}


def no_page(entry: Entry) -> bytes:
    raise AssertionError(entry)


@pytest.fixture
def datastores(tmp_path: Path) -> Callable[[], Datastore]:
    return lambda: SqliteDatastore(tmp_path / "hanpon.db", busy_timeout=0.1)


@pytest.fixture
def datastore(datastores: Callable[[], Datastore]) -> Datastore:
    return datastores()


def fill(datastore: Datastore, entries: tuple[Entry, ...] = ENTRIES, edition: Edition = CUSTOMER) -> None:
    with datastore.change(edition) as change:
        change.upsert(entries, no_page)
        change.commit()


def test_committed_rows_are_read_back_with_the_digests_of_their_entries(datastore: Datastore) -> None:
    fill(datastore)
    assert datastore.rows(CUSTOMER) == WANTED


def test_a_change_that_is_not_committed_is_undone(datastore: Datastore) -> None:
    with datastore.change(CUSTOMER) as change:
        change.upsert(ENTRIES, no_page)
        assert change.rows() == WANTED
    assert datastore.rows(CUSTOMER) == {}


def test_a_change_that_fails_is_undone(datastore: Datastore) -> None:
    fill(datastore)
    with contextlib.suppress(RuntimeError), datastore.change(CUSTOMER) as change:
        change.remove(WANTED)
        raise RuntimeError
    assert datastore.rows(CUSTOMER) == WANTED


def test_nobody_sees_a_change_before_it_is_committed(datastores: Callable[[], Datastore]) -> None:
    with datastores().change(CUSTOMER) as change:
        change.upsert(ENTRIES, no_page)
        assert datastores().rows(CUSTOMER) == {}
        change.commit()
    assert datastores().rows(CUSTOMER) == WANTED


def test_writing_a_row_again_replaces_it_and_its_readers(datastore: Datastore) -> None:
    fill(datastore)
    other = edition_of(document("GET /a", "new", readers=("user:a@x",))).manifest.entries
    fill(datastore, other)
    assert datastore.rows(CUSTOMER) == {**WANTED, **{entry.id: entry.row for entry in other}}


def test_removing_stays_within_the_edition(datastore: Datastore) -> None:
    order = Edition(Kind.API, "order", "v1")
    fill(datastore)
    with datastore.change(order) as change:
        change.remove(WANTED)
        change.commit()
    assert datastore.rows(CUSTOMER) == WANTED


def test_restricted_rows_have_these_readers_alone_and_their_groups_follow(datastore: Datastore) -> None:
    fill(datastore)
    first = ENTRIES[0]
    with datastore.change(CUSTOMER) as change:
        change.restrict({first.id: ("user:a@x",)})
        change.commit()
    wanted = {entry.id: entry.row for entry in edition_of(*same_for(("user:a@x",))).manifest.entries}
    assert datastore.rows(CUSTOMER)[first.id] == wanted[first.id]
    assert datastore.rows(CUSTOMER)[ENTRIES[1].id] == ENTRIES[1].row


def same_for(readers: tuple[str, ...]) -> list[Document]:
    return [document("GET /a", readers=readers), document("GET /b", readers=readers)]


def test_a_second_writer_is_told_that_another_run_writes(datastores: Callable[[], Datastore]) -> None:
    with (
        datastores().change(CUSTOMER),
        pytest.raises(Held, match="being written by another run"),
        datastores().change(CUSTOMER),
    ):
        pytest.fail("two writers at once")


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


@pytest.mark.parametrize("damage", ["metadata = '{}'", "metadata = 'no json'", "content_sha256 = ''", "key = ''"])
def test_a_damaged_row_does_not_pass_for_what_it_was(tmp_path: Path, damage: str) -> None:
    datastore = SqliteDatastore(tmp_path / "hanpon.db")
    fill(datastore)
    connection = sqlite3.connect(tmp_path / "hanpon.db")
    with connection:
        connection.execute(f"UPDATE document SET {damage}")
    connection.close()
    assert all(row != WANTED[key] for key, row in datastore.rows(CUSTOMER).items())


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
