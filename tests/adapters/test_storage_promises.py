"""What every storage promises; one list for all of them."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hanpon.adapters.file_storage import FileStorage
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import Conflict, Held, Missing, Unavailable, UsageError
from hanpon.contracts.ports import Storage
from tests.editions import CUSTOMER

OTHER = Edition(Kind.API, "order", "v1")
HTML = "text/html"


@pytest.fixture
def storages(tmp_path: Path) -> Callable[[], Storage]:
    """Opens the same storage anew, as another process would."""
    return lambda: FileStorage(tmp_path / "storage")


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


def test_an_edition_that_was_let_go_leaves_nothing_behind(tmp_path: Path) -> None:
    storage = FileStorage(tmp_path / "storage")
    with storage.hold(CUSTOMER, "run", 0):
        pass
    storage.tidy()
    assert list((tmp_path / "storage").rglob("*")) == []


def test_what_a_killed_run_left_is_tidied_but_not_what_a_living_one_holds(tmp_path: Path) -> None:
    storage = FileStorage(tmp_path)
    abandoned = tmp_path / ".held" / "api@customer@v1"
    abandoned.mkdir(parents=True)
    (abandoned / "lock").write_text("{}")
    (abandoned / "7").write_bytes(b"half a pa")
    with FileStorage(tmp_path).hold(OTHER, "living", 0):
        storage.tidy()
        assert [path.name for path in (tmp_path / ".held").iterdir()] == ["api@order@v1"]
    assert list(tmp_path.iterdir()) == []


def test_many_runs_on_editions_of_their_own_never_meet(tmp_path: Path) -> None:
    def come_and_go(number: int) -> None:
        storage = FileStorage(tmp_path)
        for _ in range(60):
            storage.tidy()
            with storage.hold(Edition(Kind.API, f"e{number}", "v1"), "run", 0):
                pass

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(come_and_go, range(4))) == [None] * 4


def test_a_stray_file_among_the_held_folders_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / ".held").mkdir()
    (tmp_path / ".held" / ".DS_Store").touch()
    storage = FileStorage(tmp_path)
    storage.tidy()
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("a/b", b"1", HTML)


def test_a_page_behind_a_link_is_written_as_a_file_of_its_own(tmp_path: Path) -> None:
    storage = FileStorage(tmp_path)
    (tmp_path / "elsewhere").write_bytes(b"1")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").symlink_to(tmp_path / "elsewhere")
    with storage.hold(CUSTOMER, "run", 0):
        storage.create("a/b", b"1", HTML)
    assert storage.list("a/") == {"a/b": 1}


def test_a_path_that_no_disk_can_hold_is_unavailable_in_words() -> None:
    with pytest.raises(Unavailable, match="File name too long"):
        FileStorage(Path("/tmp") / ("x" * 300))


def test_a_storage_that_is_a_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="is a file"):
        FileStorage(tmp_path / "file")


def test_a_disk_that_refuses_is_unavailable_in_words(tmp_path: Path) -> None:
    (tmp_path / "storage").mkdir()
    (tmp_path / "storage" / "a").touch()
    storage = FileStorage(tmp_path / "storage")
    with storage.hold(CUSTOMER, "run", 0), pytest.raises(Unavailable, match="storage: "):
        storage.create("a/b", b"1", HTML)


def test_a_key_cannot_lead_outside(storage: Storage) -> None:
    with pytest.raises(UsageError, match="leads outside"):
        storage.read("../secrets")
    with pytest.raises(UsageError, match="leads outside"):
        storage.list("api/../../")
