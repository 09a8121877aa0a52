"""Storage in a folder: what it leaves behind, and what becomes of it where the disk refuses."""

import os
import shutil
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hanpon.adapters import held_folder
from hanpon.adapters.file_storage import FileStorage
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import Missing, Unavailable, UsageError
from tests.editions import CUSTOMER
from tests.hangs import must_come_back

OTHER = Edition(Kind.API, "order", "v1")
HTML = "text/html"


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


def test_runs_beside_one_that_empties_folders_never_meet_it(tmp_path: Path) -> None:
    def come_and_go(number: int) -> None:
        storage = FileStorage(tmp_path)
        edition = Edition(Kind.API, "shop", f"v{number}")
        for _ in range(60):
            with storage.hold(edition, "run", 0):
                storage.create(f"{edition.folder}/pages/a.html", b"1", HTML)
                storage.delete([f"{edition.folder}/pages/a.html"])

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(come_and_go, range(4))) == [None] * 4


def refused(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize(
    "refuse",
    [
        lambda patch: patch.setattr(shutil, "rmtree", refused),
        lambda patch: patch.setattr(held_folder, "_write_holder", refused),
        lambda patch: patch.setattr(Path, "iterdir", refused),
    ],
    ids=["scratch cannot be removed", "holder cannot be written", "folder cannot be listed"],
)
def test_an_edition_is_let_go_though_the_disk_refuses_to_clear_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refuse: Callable[[pytest.MonkeyPatch], None]
) -> None:
    with monkeypatch.context() as patch:
        refuse(patch)
        with pytest.raises(Unavailable, match="Permission denied"), FileStorage(tmp_path).hold(CUSTOMER, "first", 0):
            (tmp_path / ".held" / "api@customer@v1" / "folder").mkdir()
    with FileStorage(tmp_path).hold(CUSTOMER, "second", 0):
        pass
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_the_work_itself_is_not_taken_for_one_of_the_disk(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="of the work"), FileStorage(tmp_path).hold(CUSTOMER, "run", 0):
        raise OSError("of the work")


def test_a_write_that_fails_half_way_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    storage = FileStorage(tmp_path)
    with storage.hold(CUSTOMER, "run", 0):
        storage.replace("p", b"1", None)
        seen = storage.fetch("p")
        assert seen is not None
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(Unavailable, match="No space left on device"):
            storage.replace("p", b"2", seen.token)
    assert storage.read("p") == b"1"
    assert [path.name for path in tmp_path.iterdir()] == ["p"]


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        os.chdir(path.parent)  # the path of a socket may be about 100 bytes long
        listening.bind(path.name)


ODD_THINGS: dict[str, Callable[[Path], None]] = {
    "a named pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a socket": a_socket,
}


@pytest.fixture(params=ODD_THINGS)
def odd(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Stands where an object `a/b` is expected."""
    monkeypatch.chdir(tmp_path)  # and back, whoever goes elsewhere
    (tmp_path / "a").mkdir()
    ODD_THINGS[request.param](tmp_path / "a" / "b")
    return str(request.param)


def test_what_is_no_file_is_no_object_and_is_told_with_its_place_and_what_to_do(tmp_path: Path, odd: str) -> None:
    told = f"{tmp_path}/a/b is {odd}, where a file is expected; put the file back from a copy, or move"
    storage = FileStorage(tmp_path)
    with must_come_back():
        with pytest.raises(Missing, match=told):
            storage.read("a/b")
        with pytest.raises(Unavailable, match=told):
            storage.fetch("a/b")
        with storage.hold(CUSTOMER, "run", 0), pytest.raises(Unavailable, match=told):
            storage.replace("a/b", b"1", None)
        assert storage.differing({"a/b": "0" * 64}, lambda _: None) == ["a/b"]


def test_an_object_takes_the_place_of_what_is_no_file_unless_that_may_hold_files(tmp_path: Path, odd: str) -> None:
    storage = FileStorage(tmp_path)
    with storage.hold(CUSTOMER, "run", 0):
        for write in (storage.create, storage.put):
            if odd == "a folder":
                told = f"{tmp_path}/a/b is a folder, where a file is expected; move that away and run this again"
                with pytest.raises(Unavailable, match=told):
                    write("a/b", b"1", HTML)
            else:
                write("a/b", b"1", HTML)
                assert storage.read("a/b") == b"1"


def test_what_took_the_place_of_an_object_is_listed_for_an_edition_must_not_seem_to_be_gone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    os.mkfifo(tmp_path / "a" / "current.json")
    assert FileStorage(tmp_path).list("a/") == {"a/current.json": 0}


def test_a_file_that_bears_the_name_of_a_folder_is_part_of_no_edition(tmp_path: Path) -> None:
    (tmp_path / "api").touch()
    storage = FileStorage(tmp_path)
    assert storage.list("api/") == storage.list("api/customer/v1/") == {}
    assert storage.fetch("api/customer/v1/current.json") is None


@pytest.mark.parametrize("name", ["api", ".held"])
def test_a_file_in_the_way_of_a_folder_is_told_where_something_is_to_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    storage = FileStorage(tmp_path)
    told = f"{tmp_path}/{name} is a file, where a folder is expected; move that away and run this again"
    with pytest.raises(Unavailable, match=told), storage.hold(CUSTOMER, "run", 0):
        storage.create("api/customer/v1/pages/a.html", b"1", HTML)


def test_a_storage_that_is_a_named_pipe_is_refused_in_words(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="is a named pipe; name a folder"):
        FileStorage(tmp_path / "pipe")


def test_no_key_leads_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"1")
    storage = FileStorage(tmp_path / "storage")
    with pytest.raises(UsageError, match="leads outside"):
        storage.read("a/../../outside")
    with pytest.raises(Missing):
        storage.read(f"{tmp_path}/outside")


def test_a_file_is_written_whole_though_the_disk_takes_little_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    storage = FileStorage(tmp_path)
    with storage.hold(CUSTOMER, "run", 0):
        monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:3]))
        storage.create("a/b", b"0123456789", HTML)
    assert storage.read("a/b") == b"0123456789"
