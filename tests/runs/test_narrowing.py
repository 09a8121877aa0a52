"""Readers who are taken away stay away, whatever becomes of the release and of the database."""

import json
from pathlib import Path

import pytest

from hanpon.adapters.file_storage import FileStorage
from hanpon.contracts.errors import Unavailable
from tests.contracts.test_records import misfits
from tests.runs.bundles import Desk
from tests.runs.kinds import desk_of_all_kinds, rewrite

WIDE, NARROW = "group:a@example.co.jp, group:b@example.co.jp", "group:b@example.co.jp"
BROKEN = "openapi: ["


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.write("/a", "/b", readers=WIDE)
    assert desk.release().exit_code == 0
    return desk


def refuse_narrower(desk: Desk, readers: str = NARROW) -> None:
    """A release that takes readers away, and is refused for another reason."""
    desk.write("/a", "/b", readers=readers)
    desk.put("shop.yaml", BROKEN)
    assert desk.release().exit_code == 3


def pointer(desk: Desk) -> dict[str, object]:
    record: dict[str, object] = json.loads((desk.storage / "api/shop/v1/current.json").read_bytes())
    return record


def readers_in_rows(desk: Desk) -> set[str]:
    return {principal for _, principal in dict(desk.rows())["reader"]}


def readers_listed(desk: Desk) -> set[str]:
    listed = json.loads(desk.run("documents", "shop", "v1", "--json").stdout)
    assert all(each["readers"] == each["metadata"]["groups"] for each in listed)
    return {reader for each in listed for reader in each["readers"]}


def lose_database(desk: Desk) -> None:
    for path in desk.folder.glob("hanpon.db*"):
        path.unlink()


@pytest.mark.parametrize("is_lost", [False, True], ids=["the database is there", "the database is lost"])
def test_a_rebuild_lets_nobody_in_who_lost_access_by_a_refused_release(desk: Desk, *, is_lost: bool) -> None:
    refuse_narrower(desk)
    rows = desk.rows()
    if is_lost:
        lose_database(desk)
    dry = json.loads(desk.run("datastore", "rebuild", "--json", "--dry-run").stdout)
    assert desk.run("datastore", "rebuild").exit_code == 0
    assert desk.rows() == rows
    assert dry["editions"][0]["written"] == (2 if is_lost else 0)
    assert readers_in_rows(desk) == readers_listed(desk) == {NARROW}
    assert misfits(pointer(desk), "urn:hanpon:schema:pointer") == []


def test_access_is_taken_away_in_storage_though_there_is_no_database(desk: Desk) -> None:
    lose_database(desk)
    refuse_narrower(desk)
    assert desk.run("datastore", "rebuild").exit_code == 0
    assert readers_in_rows(desk) == {NARROW}


def test_of_two_refused_releases_each_takes_away_its_own(desk: Desk) -> None:
    refuse_narrower(desk, "group:a@example.co.jp, group:c@example.co.jp")
    assert readers_listed(desk) == {"group:a@example.co.jp"}
    refuse_narrower(desk, NARROW)
    lose_database(desk)
    assert desk.run("datastore", "rebuild").exit_code == 0
    assert readers_in_rows(desk) == readers_listed(desk) == set()
    assert len(dict(desk.rows())["document"]) == 2


def test_a_refused_release_that_takes_nothing_more_away_writes_nothing(desk: Desk) -> None:
    refuse_narrower(desk)
    before = desk.files()
    assert desk.release().exit_code == 3
    assert desk.files() == before


@pytest.mark.parametrize("readers", [WIDE, NARROW], ids=["with all of them again", "without them"])
def test_the_next_release_that_is_not_refused_has_the_last_word(desk: Desk, readers: str) -> None:
    refuse_narrower(desk)
    desk.write("/a", "/b", readers=readers)
    assert desk.edition()["status"] == "published"
    assert "narrowed" not in pointer(desk)
    assert readers_in_rows(desk) == readers_listed(desk) == set(readers.split(", "))
    assert desk.edition()["status"] == "unchanged"


def test_a_release_that_narrows_leaves_only_what_an_undisturbed_one_does(desk: Desk) -> None:
    desk.write("/a", "/b", readers=NARROW)
    assert desk.edition()["access_changed"] == 2
    assert "narrowed" not in pointer(desk)


def test_rows_are_narrowed_though_storage_cannot_be_written(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise Unavailable("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(FileStorage, "replace", full)
        desk.write("/a", "/b", readers=NARROW)
        desk.put("shop.yaml", BROKEN)
        result = desk.release()
    assert result.exit_code == 4
    assert "readers-not-narrowed" in result.stderr
    assert readers_in_rows(desk) == {NARROW}


def test_a_name_with_a_number_sign_keeps_its_readers(tmp_path: Path) -> None:
    """`C#.md` is no file `C` with something in it."""
    desk = desk_of_all_kinds(tmp_path)
    rewrite(desk, "access.csv", "plans/flow.md,", "plans/C,group:z@example.co.jp\nplans/flow.md,")
    desk.put("plans/C", "x")
    rewrite(desk, "hanpon.yaml", 'files: ["plans/**/*"]', 'files: ["plans/*.*"]')
    assert desk.release().exit_code == 0
    before = desk.files()
    assert desk.release().exit_code == 0
    assert desk.files() == before


def test_a_slip_while_readers_are_looked_at_stops_one_edition_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_of_all_kinds(tmp_path)

    def slip(item: object, tree: object) -> object:
        raise RuntimeError("a slip of ours")

    monkeypatch.setattr("hanpon.runs.release.readers_by_source", slip)
    report = desk.report()
    assert {edition["status"] for edition in report["editions"]} == {"published"}
