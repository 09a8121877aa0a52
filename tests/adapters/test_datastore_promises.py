"""What every datastore promises; one list for all of them."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from hanpon.adapters.sqlite_datastore import SqliteDatastore
from hanpon.contracts.documents import Document
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import Held
from hanpon.contracts.manifests import Entry, Row
from hanpon.contracts.ports import Datastore
from tests.adapters.vertex_world import world
from tests.editions import CUSTOMER, document, edition_of

Opening = Callable[[], Datastore]


@contextmanager
def sqlite(folder: Path) -> Iterator[Opening]:
    yield lambda: SqliteDatastore(folder / "hanpon.db", busy_timeout=0.1)


@contextmanager
def vertex(_: Path) -> Iterator[Opening]:
    with world() as made:
        yield made.open


DATASTORES = {"sqlite": sqlite, "vertex": vertex}
"""How each adapter is opened, as often as wanted, in a place of its own."""

NOT_PROMISED = {
    "vertex": {
        "test_a_change_that_is_not_committed_is_undone": "the service has no transactions: an import shows at once",
        "test_a_second_writer_is_told_that_another_run_writes": "the lease in storage keeps writers apart",
    }
}
"""What an adapter's technology cannot keep, and why."""

ENTRIES = edition_of(document("GET /a"), document("GET /b")).manifest.entries
WANTED: Mapping[str, Row] = {entry.id: entry.row for entry in ENTRIES}


@pytest.fixture(params=DATASTORES)
def datastores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opening]:
    """Opens the same datastore anew, as another process would."""
    if reason := NOT_PROMISED.get(request.param, {}).get(request.node.originalname):
        pytest.skip(reason)
    with DATASTORES[request.param](tmp_path) as opening:
        yield opening


@pytest.fixture
def datastore(datastores: Opening) -> Datastore:
    return datastores()


def page_of(entry: Entry) -> bytes:
    return f"<h1>{entry.metadata['section']}</h1><p>text</p><h2 id='more'>More</h2><p>text</p>".encode()


def fill(datastore: Datastore, entries: tuple[Entry, ...] = ENTRIES, edition: Edition = CUSTOMER) -> None:
    with datastore.change(edition) as change:
        change.upsert(entries, page_of)
        change.commit()


def test_committed_rows_are_read_back_with_the_digests_of_their_entries(datastore: Datastore) -> None:
    fill(datastore)
    assert datastore.rows(CUSTOMER) == WANTED


def test_a_change_that_is_not_committed_is_undone(datastore: Datastore) -> None:
    with datastore.change(CUSTOMER) as change:
        change.upsert(ENTRIES, page_of)
        assert change.rows() == WANTED
    assert datastore.rows(CUSTOMER) == {}


def test_a_change_that_fails_is_undone(datastore: Datastore) -> None:
    fill(datastore)
    with contextlib.suppress(RuntimeError), datastore.change(CUSTOMER) as change:
        change.remove(WANTED)
        raise RuntimeError
    assert datastore.rows(CUSTOMER) == WANTED


def test_nobody_sees_a_change_before_it_is_committed(datastores: Opening) -> None:
    with datastores().change(CUSTOMER) as change:
        change.upsert(ENTRIES, page_of)
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


def test_a_second_writer_is_told_that_another_run_writes(datastores: Opening) -> None:
    with (
        datastores().change(CUSTOMER),
        pytest.raises(Held, match="being written by another run"),
        datastores().change(CUSTOMER),
    ):
        pytest.fail("two writers at once")


def test_editions_that_have_rows_are_listed_in_order(datastore: Datastore) -> None:
    assert datastore.editions() == []
    order = Edition(Kind.API, "a-order", "v1")
    fill(datastore)
    fill(datastore, edition_of(document("GET /o", edition=order), edition=order).manifest.entries, order)
    assert datastore.editions() == [order, CUSTOMER]
    with datastore.change(order) as change:
        change.remove(datastore.rows(order))
        change.commit()
    assert datastore.editions() == [CUSTOMER]


def test_search_looks_words_up_in_what_the_rows_say(datastore: Datastore) -> None:
    assert datastore.finds_its_rows()
    fill(datastore)
    assert datastore.finds_its_rows()
    assert datastore.rows(CUSTOMER) == WANTED
