"""What every storage promises; one list for all of them."""

import hashlib
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from google.api_core.retry import Retry
from google.auth.credentials import AnonymousCredentials

from hanpon.adapters.file_storage import FileStorage
from hanpon.adapters.gcs_client import GcsAddress, client_for
from hanpon.adapters.gcs_lease import Terms
from hanpon.adapters.gcs_storage import GcsStorage
from hanpon.adapters.google_calls import passes
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import Conflict, HanponError, Held, Missing, UsageError
from hanpon.contracts.ports import Storage
from tests.editions import CUSTOMER


@dataclass(frozen=True)
class Medium:
    """A storage of its own for one test: opened anew as another process would, and taken away as by an accident."""

    open: Callable[[], Storage]
    lose: Callable[[], None]


def _folder(request: pytest.FixtureRequest) -> Medium:
    root = request.getfixturevalue("tmp_path") / "storage"

    def lose() -> None:
        shutil.rmtree(root)
        root.touch()

    return Medium(open=lambda: FileStorage(root), lose=lose)


def _bucket(request: pytest.FixtureRequest) -> Medium:
    """Skipped with a word where there is no server for it."""
    endpoint, made = request.getfixturevalue("gcs_endpoint"), request.getfixturevalue("bucket")
    address = GcsAddress(made.name, "docs/")
    quickly = Retry(predicate=passes, initial=0.01, maximum=0.05, timeout=2)

    def storage() -> GcsStorage:
        nobody = AnonymousCredentials()
        client = client_for(nobody, "p", endpoint=endpoint)
        return GcsStorage(address, client, tries=quickly, terms=Terms(poll=0.05))

    return Medium(open=storage, lose=lambda: made.delete(force=True))


STORAGES: dict[str, Callable[[pytest.FixtureRequest], Medium]] = {"file": _folder, "gs": _bucket}
"""How each adapter is opened on a medium of its own."""

OTHER = Edition(Kind.API, "order", "v1")
HTML = "text/html"


@pytest.fixture(params=STORAGES)
def medium(request: pytest.FixtureRequest) -> Medium:
    return STORAGES[request.param](request)


@pytest.fixture
def storages(medium: Medium) -> Callable[[], Storage]:
    """Opens the same storage anew, as another process would."""
    return medium.open


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


def test_differing_tells_exactly_what_holds_other_bytes_or_none(storages: Callable[[], Storage]) -> None:
    wanted = {f"a/pages/{number}": _digest(str(number)) for number in range(5)}
    storage = storages()
    with storage.hold(CUSTOMER, "run", 0):
        for number in range(4):
            storage.create(f"a/pages/{number}", str(number).encode(), HTML)
        storage.settle()
        storages_of_another = storages()
        with storages_of_another.hold(OTHER, "run", 0):
            storages_of_another.put("a/pages/1", b"damaged", HTML)
            storages_of_another.delete(["a/pages/2"])
        seen: list[int] = []
        expected = ["a/pages/1", "a/pages/2", "a/pages/4"]
        assert storage.differing(wanted, seen.append) == expected
        assert seen == sorted(set(seen))
        assert seen[-1] == len(wanted)
    assert storages().differing(wanted, lambda _: None) == expected
    assert storages().differing({}, lambda _: None) == []


def test_what_could_not_be_stored_is_told_when_the_storage_settles_at_the_latest(medium: Medium) -> None:
    storage = medium.open()

    def store() -> None:
        with storage.hold(CUSTOMER, "run", 0):
            storage.create("a/1", b"1", HTML)
            storage.settle()
            medium.lose()
            storage.create("a/2", b"2", HTML)
            storage.create("a/3", b"3", HTML)
            storage.settle()
            pytest.fail("nobody was told")

    with pytest.raises(HanponError, match="storage: "):
        store()


@pytest.mark.parametrize(
    "name", ["顧客 一覧.html", "a#b?c%d.html", "100%25.html", "a+b&c=d;e.html", "ｶﾞ.html", "'\"<>.html"]
)
def test_names_of_any_letters_are_kept(storage: Storage, name: str) -> None:
    key = f"api/顧客/v1/pages/{name}"
    with storage.hold(CUSTOMER, "run", 0):
        storage.create(key, name.encode(), HTML)
        storage.replace(f"{key}.json", b"{}", None)
        assert storage.differing({key: _digest(name)}, lambda _: None) == []
        assert storage.read(key) == name.encode()
        assert sorted(storage.list("api/顧客/v1/")) == sorted([key, f"{key}.json"])
        storage.delete([key])
    assert storage.fetch(key) is None
    assert storage.fetch(f"{key}.json") is not None


def test_a_folder_is_not_mistaken_for_one_whose_name_begins_with_it(storage: Storage) -> None:
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("api/a/v1/pages/x", b"1", HTML)
        storage.create("api/a/v10/pages/x", b"10", HTML)
    assert storage.list("api/a/v1/") == {"api/a/v1/pages/x": 1}
    assert storage.list("api/a/") == {"api/a/v1/pages/x": 1, "api/a/v10/pages/x": 2}


def test_an_object_may_be_empty(storage: Storage) -> None:
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("a/b", b"", HTML)
        assert storage.differing({"a/b": _digest("")}, lambda _: None) == []
    assert storage.read("a/b") == b""
    assert storage.list("a/") == {"a/b": 0}


def test_two_hundred_objects_are_all_there(storages: Callable[[], Storage]) -> None:
    storage = storages()
    pages = {f"api/customer/v1/pages/{number:03}.html": b"x" * number for number in range(200)}
    with storage.hold(CUSTOMER, "run", 0):
        for key, data in pages.items():
            storage.create(key, data, HTML)
        storage.settle()
        assert storages().list("api/customer/v1/") == {key: len(data) for key, data in pages.items()}
        storage.delete(pages)
        assert storage.list("api/customer/v1/") == {}


def test_the_hold_on_an_edition_is_no_object_of_it(storages: Callable[[], Storage]) -> None:
    with storages().hold(CUSTOMER, "run", 0):
        assert storages().list("api/") == {}
        assert storages().list("") == {}
    assert storages().list("") == {}


def test_work_that_fails_lets_the_edition_go(storages: Callable[[], Storage]) -> None:
    storage = storages()

    def fail() -> None:
        with storage.hold(CUSTOMER, "run", 0):
            storage.create("a/1", b"1", HTML)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with storage.hold(CUSTOMER, "run", 0), storages().hold(OTHER, "run", 0):
        pass


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
