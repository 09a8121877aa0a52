"""What every storage promises; one list for all of them."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from hanpon.adapters.file_storage import FileStorage
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import Conflict, Held, Missing, UsageError
from hanpon.contracts.ports import Storage
from tests.editions import CUSTOMER

STORAGES: dict[str, Callable[[Path], Storage]] = {"file": lambda folder: FileStorage(folder / "storage")}
"""How each adapter is opened in a folder of its own."""

OTHER = Edition(Kind.API, "order", "v1")
HTML = "text/html"


@pytest.fixture(params=STORAGES)
def storages(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Storage]:
    """Opens the same storage anew, as another process would."""
    return lambda: STORAGES[request.param](tmp_path)


@pytest.fixture
def storage(storages: Callable[[], Storage]) -> Storage:
    return storages()


def test_what_was_created_is_read_and_listed_with_its_size(storage: Storage) -> None:
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("api/顧客/v1/pages/a.html", "本文".encode(), HTML)
    assert storage.read("api/顧客/v1/pages/a.html") == "本文".encode()
    assert storage.list("api/顧客/v1/") == {"api/顧客/v1/pages/a.html": 6}


def test_creating_the_same_object_again_is_done_already(storage: Storage) -> None:
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("a/b", b"1", HTML)
        storage.create("a/b", b"1", HTML)
    assert storage.read("a/b") == b"1"


def test_creating_over_a_damaged_object_mends_it(storage: Storage) -> None:
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("a/b", b"half", HTML)
        storage.create("a/b", b"whole", HTML)
    assert storage.read("a/b") == b"whole"


def test_what_does_not_exist_is_missing(storage: Storage) -> None:
    with pytest.raises(Missing, match="does not exist"):
        storage.read("a/b")
    assert storage.fetch("a/b") is None
    assert storage.list("a/") == {}


def test_a_pointer_is_replaced_only_from_the_state_that_was_seen(storage: Storage) -> None:
    with storage.hold(CUSTOMER, "run", 0):
        storage.replace("p", b"1", None)
        seen = storage.fetch("p")
        assert seen is not None
        storage.replace("p", b"2", seen.token)
        with pytest.raises(Conflict, match="changed by someone else"):
            storage.replace("p", b"3", seen.token)
        with pytest.raises(Conflict):
            storage.replace("p", b"3", None)
    assert storage.read("p") == b"2"


def test_deleted_objects_are_gone_and_deleting_twice_is_done(storage: Storage) -> None:
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("a/b/c", b"1", HTML)
        storage.delete(["a/b/c"])
        storage.delete(["a/b/c", "never/there"])
    assert storage.list("a/") == {}


def test_a_held_edition_keeps_others_out_and_names_the_holder(storages: Callable[[], Storage]) -> None:
    with (
        storages().hold(CUSTOMER, "20261130-first", 0),
        pytest.raises(Held, match="customer@v1 is held by run 20261130-first"),
        storages().hold(CUSTOMER, "second", 0.2),
    ):
        pytest.fail("two runs hold one edition")


def test_different_editions_are_held_at_once(storages: Callable[[], Storage]) -> None:
    with storages().hold(CUSTOMER, "first", 0), storages().hold(OTHER, "second", 0):
        pass


def test_a_waiting_run_gets_the_edition_when_it_is_free(storages: Callable[[], Storage]) -> None:
    got = threading.Event()

    def wait_for_it() -> None:
        with storages().hold(CUSTOMER, "second", 30):
            got.set()

    waiting = threading.Thread(target=wait_for_it)
    with storages().hold(CUSTOMER, "first", 0):
        waiting.start()
        assert not got.wait(0.3)
    waiting.join(30)
    assert got.is_set()


def test_a_key_cannot_lead_outside(storage: Storage) -> None:
    with pytest.raises(UsageError, match="leads outside"):
        storage.read("../secrets")
    with pytest.raises(UsageError, match="leads outside"):
        storage.list("api/../../")


def test_one_storage_holds_one_edition_at_a_time_and_writes_nothing_without(storage: Storage) -> None:
    with storage.hold(CUSTOMER, "run", 0), pytest.raises(AssertionError), storage.hold(OTHER, "run", 0):
        pytest.fail("one storage holds two editions")
    with pytest.raises(AssertionError):
        storage.create("a/b", b"1", HTML)
    with pytest.raises(AssertionError):
        storage.put("a/b", b"1", HTML)
    with pytest.raises(AssertionError):
        storage.replace("a/b", b"1", None)
    assert storage.list("a/") == {}
