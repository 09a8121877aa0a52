"""Rebuilding the datastore from what is published."""

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.runs.bundles import Desk, definition


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.write("/a", "/b", "/c")
    assert desk.release().exit_code == 0
    return desk


def rebuilt(desk: Desk, *arguments: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(desk.run("datastore", "rebuild", "--json", *arguments).stdout)
    return record


def without_database(desk: Desk) -> None:
    for path in desk.folder.glob("hanpon.db*"):
        path.unlink()


def test_a_lost_database_is_filled_from_storage_alone(desk: Desk) -> None:
    before = desk.rows()
    without_database(desk)
    (desk.bundle / "shop.yaml").unlink()
    record = rebuilt(desk)
    assert [(e["name"], e["documents"], e["written"], e["removed"]) for e in record["editions"]] == [
        ("shop", 3, 3, 0)
    ]
    assert desk.rows() == before


def test_a_sound_database_is_left_as_it_is(desk: Desk) -> None:
    before = desk.files()
    assert rebuilt(desk)["editions"][0]["written"] == 0
    assert desk.files() == before


def test_rows_of_what_is_not_published_are_removed(desk: Desk) -> None:
    desk.put("hanpon.yaml", (desk.bundle / "hanpon.yaml").read_text().replace("version: v1", "version: v2"))
    desk.put("shop.yaml", definition("/z", summary="Other"))
    assert desk.release().exit_code == 0
    (desk.storage / "api/shop/v1/current.json").unlink()
    assert [edition["removed"] for edition in rebuilt(desk)["editions"]] == [3, 0]
    assert json.loads(desk.run("search", "Does", "--json", "--as", "group:engineers@example.co.jp").stdout) == []


@pytest.mark.parametrize("dry_run", [[], ["--dry-run"]])
def test_a_storage_that_holds_nothing_empties_no_datastore(desk: Desk, dry_run: list[str]) -> None:
    before = desk.files()
    nowhere = desk.folder / "mistyped"
    result = desk.run("datastore", "rebuild", "--storage", f"file:{nowhere}", *dry_run)
    assert result.exit_code == 2
    assert "is this the right storage" in result.stderr
    assert desk.files() == before
    assert not nowhere.exists()


def test_a_database_of_another_version_is_emptied_and_filled(desk: Desk) -> None:
    before = desk.rows()
    with sqlite3.connect(desk.database) as connection:
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    refused = desk.release()
    assert refused.exit_code == 2
    assert "hanpon datastore rebuild" in refused.stderr
    assert "[unusable-store]" in refused.stderr
    dry = rebuilt(desk, "--dry-run")
    assert dry["editions"][0]["written"] == 3
    assert desk.release().exit_code == 2
    assert rebuilt(desk)["renewed"]
    assert desk.rows() == before


def test_a_database_of_something_else_is_not_touched(desk: Desk) -> None:
    without_database(desk)
    with sqlite3.connect(desk.database) as connection:
        connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    before = desk.files()
    result = desk.run("datastore", "rebuild")
    assert result.exit_code == 2
    assert desk.files() == before


def test_a_dry_run_writes_nothing(desk: Desk) -> None:
    without_database(desk)
    before = desk.files()
    result = desk.run("datastore", "rebuild", "--dry-run")
    assert "3 rows written" in result.stdout
    assert "nothing was written" in result.stdout
    assert desk.files() == before


def test_a_folder_of_somebody_else_is_no_edition(desk: Desk) -> None:
    path = desk.storage / "api/some notes/v1/current.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    assert [edition["name"] for edition in rebuilt(desk)["editions"]] == ["shop"]


def test_an_edition_with_a_damaged_page_keeps_its_rows_and_is_told(desk: Desk) -> None:
    with sqlite3.connect(desk.database) as connection:
        connection.execute("UPDATE document SET metadata = '{}' WHERE id = (SELECT min(id) FROM document)")
    connection.close()
    before = desk.rows()
    for page in desk.storage.rglob("pages/*.html"):
        page.write_text("damaged")
    result = desk.run("datastore", "rebuild")
    assert result.exit_code == 4
    assert "the page is damaged; release its edition again" in result.stderr
    assert desk.rows() == before


@pytest.mark.parametrize("damage", ["piece_index_data WHERE id > 10", "piece_index_docsize"])
def test_a_damaged_index_of_words_is_made_anew(desk: Desk, damage: str) -> None:
    before = desk.rows()
    with sqlite3.connect(desk.database) as connection:
        connection.execute(f"DELETE FROM {damage}")
    connection.close()
    assert rebuilt(desk)["renewed"]
    assert desk.rows() == before
    found = desk.run("search", "Does it /a", "--json", "--as", "group:engineers@example.co.jp")
    assert json.loads(found.stdout)[0]["section"] == "GET /a"


def test_a_copied_folder_takes_no_row_from_its_original(desk: Desk) -> None:
    before = desk.rows()
    shutil.copytree(desk.storage / "api/shop/v1", desk.storage / "api/shop/v9")
    result = desk.run("datastore", "rebuild")
    assert result.exit_code == 4
    assert "shop@v9" in result.stderr
    assert desk.rows() == before
