"""The consistency check: whatever a reader would meet otherwise than published is told, and nothing is mended."""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from hanpon.adapters.file_storage import FileStorage
from hanpon.adapters.sqlite_datastore import SqliteDatastore
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.manifests import Row
from tests.contracts.test_records import REGISTRY
from tests.runs.bundles import Desk

EDITION = Edition(Kind.API, "shop", "v1")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.write("/a", "/b", "/c")
    assert desk.release().exit_code == 0
    return desk


def checked(desk: Desk, *arguments: str) -> tuple[int, dict[str, Any]]:
    result = desk.run("check", "--json", *arguments)
    record: dict[str, Any] = json.loads(result.stdout)
    schema = jsonschema_rs.validator_for({"$ref": "urn:hanpon:schema:check"}, registry=REGISTRY)
    schema.validate(record)
    return result.exit_code, record


def rules(record: dict[str, Any]) -> list[str]:
    return sorted(finding["rule"] for edition in record["editions"] for finding in edition["findings"])


def execute(desk: Desk, statement: str) -> None:
    with sqlite3.connect(desk.database) as connection:
        connection.execute(statement)
    connection.close()


def a_page(desk: Desk) -> Path:
    return sorted((desk.storage / EDITION.folder / "pages").iterdir())[0]


def test_what_was_just_released_is_consistent(desk: Desk) -> None:
    code, record = checked(desk)
    (edition,) = record["editions"]
    assert (code, edition["status"], edition["documents"], edition["rows"]) == (0, "consistent", 3, 3)
    assert edition["objects"] == 5  # three pages, the inventory, the manifest
    assert edition["findings"] == []


def test_nothing_published_is_nothing_wrong(tmp_path: Path) -> None:
    code, record = checked(Desk(tmp_path))
    assert (code, record["editions"]) == (0, [])
    assert "nothing is published" in Desk(tmp_path).run("check").stdout
    assert list(tmp_path.iterdir()) == []


def cut(page: Path) -> None:
    page.write_bytes(page.read_bytes()[:-1])


def flip(page: Path) -> None:
    page.write_bytes(page.read_bytes()[:-1] + b"!")


@pytest.mark.parametrize(
    ("damage", "rule"), [(Path.unlink, "object-missing"), (cut, "object-damaged"), (flip, "object-damaged")]
)
def test_a_page_that_is_not_as_published_is_drift(desk: Desk, damage: Callable[[Path], None], rule: str) -> None:
    damage(a_page(desk))
    code, record = checked(desk)
    assert (code, record["editions"][0]["status"], rules(record)) == (1, "drifted", [rule])


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("DELETE FROM document WHERE id = (SELECT min(id) FROM document)", ["row-missing"]),
        ("UPDATE document SET metadata = '{}' WHERE id = (SELECT min(id) FROM document)", ["row-differs"]),
        (
            "UPDATE document SET key = 'elsewhere.html' WHERE id = (SELECT min(id) FROM document)",
            ["row-differs"],
        ),
        (
            "UPDATE document SET id = 'other' WHERE id = (SELECT min(id) FROM document)",
            ["row-missing", "row-unknown"],
        ),
    ],
)
def test_a_row_that_is_not_as_published_is_drift(desk: Desk, statement: str, found: list[str]) -> None:
    execute(desk, statement)
    code, record = checked(desk)
    assert (code, rules(record)) == (1, found)


def test_rows_of_an_edition_that_is_not_published_are_drift(desk: Desk) -> None:
    desk.put("hanpon.yaml", (desk.bundle / "hanpon.yaml").read_text().replace("version: v1", "version: v2"))
    assert desk.release().exit_code == 0
    (desk.storage / EDITION.folder / "current.json").unlink()
    code, record = checked(desk)
    assert (code, rules(record), record["editions"][0]["rows"]) == (1, ["row-unknown"], 3)


def test_a_lost_manifest_is_drift(desk: Desk) -> None:
    for manifest in (desk.storage / EDITION.folder / "manifests").iterdir():
        manifest.unlink()
    code, record = checked(desk)
    assert (code, rules(record)) == (1, ["manifest-damaged"])


def test_a_pointer_that_cannot_be_understood_fails_its_edition_alone(desk: Desk) -> None:
    desk.put("hanpon.yaml", (desk.bundle / "hanpon.yaml").read_text().replace("version: v1", "version: v2"))
    assert desk.release().exit_code == 0
    (desk.storage / EDITION.folder / "current.json").write_text("{")
    code, record = checked(desk)
    assert code == 4
    assert [(e["version"], e["status"]) for e in record["editions"]] == [("v1", "failed"), ("v2", "consistent")]


def test_what_the_next_release_puts_right_is_a_warning_and_no_drift(desk: Desk) -> None:
    (desk.storage / EDITION.folder / "index.html").unlink()
    (desk.storage / EDITION.folder / "pages" / "left-behind.html").write_text("<p>")
    code, record = checked(desk)
    assert (code, rules(record)) == (0, ["index-page-outdated", "release-unfinished"])
    assert record["editions"][0]["status"] == "consistent"


def test_rows_that_the_store_shows_to_their_readers_alone_are_told_of_and_no_drift(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SqliteDatastore, "unseen", lambda *_: ["a", "b"])
    code, record = checked(desk)
    assert (code, rules(record)) == (0, ["rows-unverifiable"])
    assert record["editions"][0]["findings"][0]["message"].startswith("2 of 3 rows of shop@v1 could not be looked at")
    desk.write("/a", "/b", "/c", summary="Does another thing")
    (edition,) = json.loads(desk.release("--json").stdout)["editions"]
    assert edition["status"] == "published"
    assert "rows-unverifiable" in [finding["rule"] for finding in edition["findings"]]


def test_a_former_publication_that_is_kept_has_to_be_whole(desk: Desk) -> None:
    first = a_page(desk)
    desk.write("/a", "/b", "/c", summary="Does this")
    assert desk.release().exit_code == 0
    assert checked(desk)[0] == 0
    first.unlink()
    code, record = checked(desk)
    assert (code, rules(record)) == (0, ["former-publication-broken"])


def test_every_finding_says_what_to_do(desk: Desk) -> None:
    a_page(desk).unlink()
    execute(desk, "DELETE FROM document WHERE id = (SELECT max(id) FROM document)")
    result = desk.run("check")
    assert result.exit_code == 1
    assert "release the edition again" in result.stderr
    assert "hanpon datastore rebuild" in result.stderr
    assert desk.release().exit_code == 0
    assert desk.run("datastore", "rebuild").exit_code == 0
    assert desk.run("check").exit_code == 0


def test_the_report_is_kept_in_storage_and_nothing_else_is_touched(desk: Desk) -> None:
    before = desk.files()
    _, record = checked(desk)
    after = desk.files()
    kept = f"storage/checks/{record['run']}.json"
    assert after.keys() - before.keys() == {kept}
    assert {path: digest for path, digest in after.items() if path != kept} == before
    stored = json.loads((desk.folder / kept).read_text())
    assert {key: stored[key] for key in record} == record
    assert stored["at"]
    assert stored["by"]


def test_a_dry_run_writes_nothing_at_all(desk: Desk) -> None:
    a_page(desk).unlink()
    before = desk.files()
    code, record = checked(desk, "--dry-run")
    assert (code, record["dry_run"]) == (1, True)
    assert desk.files() == before


def test_what_another_run_is_writing_just_then_is_not_taken_for_drift(desk: Desk) -> None:
    a_page(desk).unlink()
    with FileStorage(desk.storage).hold(EDITION, "somebody", 0):
        code, record = checked(desk)
    assert code == 5
    assert record["editions"][0]["status"] == "failed"
    assert "somebody" in record["editions"][0]["findings"][0]["message"]


def as_folder(page: Path) -> None:
    page.unlink()
    page.mkdir()


def as_pipe(page: Path) -> None:
    page.unlink()
    os.mkfifo(page)


def as_link(page: Path) -> None:
    page.symlink_to(page.rename(page.with_name("moved.html")))


def as_endless_link(page: Path) -> None:
    page.unlink()
    page.symlink_to(page.name)


@pytest.mark.parametrize("damage", [as_folder, as_pipe, as_link, as_endless_link])
def test_what_is_no_file_is_no_object_and_is_not_opened(desk: Desk, damage: Callable[[Path], None]) -> None:
    page = a_page(desk)
    damage(page)
    damage(desk.storage / EDITION.folder / "index.html")
    code, record = checked(desk)
    assert (code, {"object-missing", "index-page-outdated"} <= set(rules(record))) == (1, True)
    messages = [finding["message"] for finding in record["editions"][0]["findings"]]
    assert "remove what else stands there, and release the edition again" in messages[0]


def test_doing_what_is_said_of_a_folder_in_a_pages_place_mends_it(desk: Desk) -> None:
    as_folder(a_page(desk))
    a_page(desk).rmdir()
    assert desk.release().exit_code == 0
    assert checked(desk)[0] == 0


def test_a_folder_that_was_copied_is_no_edition_of_its_own(desk: Desk) -> None:
    shutil.copytree(desk.storage / "api/shop", desk.storage / "api/copy")
    code, record = checked(desk)
    assert (code, rules(record)) == (1, ["manifest-damaged"])
    assert [(edition["name"], edition["status"]) for edition in record["editions"]] == [
        ("copy", "drifted"),
        ("shop", "consistent"),
    ]
    assert desk.run("withdraw", "copy", "v1").exit_code == 0
    assert checked(desk)[0] == 0


def test_what_cannot_be_held_is_told_with_what_was_seen(desk: Desk) -> None:
    a_page(desk).unlink()
    (desk.storage / ".held").write_text("in the way")
    code, record = checked(desk)
    assert (code, rules(record)) == (4, ["object-missing", "unavailable"])
    assert "--dry-run" in record["editions"][0]["findings"][0]["message"]
    assert checked(desk, "--dry-run")[0] == 1


def test_where_no_report_can_be_kept_the_message_says_how_to_do_without(desk: Desk) -> None:
    (desk.storage / "checks").write_text("in the way")
    code, record = checked(desk)
    assert (code, record["editions"][0]["status"], record["findings"][0]["rule"]) == (
        4,
        "consistent",
        "run-not-recorded",
    )
    assert "--dry-run" in record["findings"][0]["message"]
    assert checked(desk, "--dry-run")[0] == 0


def test_the_report_is_kept_while_another_run_holds_one_of_the_editions(desk: Desk) -> None:
    desk.put("hanpon.yaml", (desk.bundle / "hanpon.yaml").read_text().replace("version: v1", "version: v2"))
    assert desk.release().exit_code == 0
    for version in ("v1", "v2"):
        with FileStorage(desk.storage).hold(Edition(Kind.API, "shop", version), "somebody", 0):
            assert checked(desk)[0] == 0
    assert len(list((desk.storage / "checks").iterdir())) == 2


def test_a_slip_of_hanpons_own_fails_its_edition_alone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.put("hanpon.yaml", (desk.bundle / "hanpon.yaml").read_text().replace("version: v1", "version: v2"))
    assert desk.release().exit_code == 0
    read = SqliteDatastore.rows

    def rows(datastore: SqliteDatastore, edition: Edition) -> Mapping[str, Row]:
        if edition == EDITION:
            raise RecursionError
        return read(datastore, edition)

    monkeypatch.setattr(SqliteDatastore, "rows", rows)
    code, record = checked(desk)
    assert (code, rules(record)) == (3, ["internal-error"])
    assert [edition["status"] for edition in record["editions"]] == ["failed", "consistent"]


@pytest.mark.parametrize(
    "arguments", [("--storage", "elsewhere:x"), ("--datastore", "elsewhere:x"), ("--datastore", "sqlite:/")]
)
def test_a_machine_is_told_in_the_reports_own_shape_why_nothing_was_looked_at(
    desk: Desk, arguments: tuple[str, str]
) -> None:
    code, record = checked(desk, *arguments)
    assert (code, record["editions"], record["findings"][0]["rule"]) == (2, [], "not-begun")


def test_a_damaged_database_is_told_before_anything_is_looked_at(desk: Desk) -> None:
    desk.database.write_bytes(b"no database at all" * 100)
    result = desk.run("check")
    assert result.exit_code == 2
    assert "hanpon datastore rebuild" in result.stderr


def test_a_purge_takes_findings_out_of_the_reports_of_checks(desk: Desk) -> None:
    a_page(desk).unlink()
    _, record = checked(desk)
    assert desk.run("withdraw", "shop", "v1", "--purge").exit_code == 0
    (kept,) = (desk.storage / "checks").iterdir()
    (edition,) = json.loads(kept.read_text())["editions"]
    assert (edition["findings"], edition["documents"]) == ([], record["editions"][0]["documents"])


def test_a_storage_that_holds_nothing_is_told_once_and_not_made(desk: Desk) -> None:
    nowhere = desk.folder / "mistyped"
    code, record = checked(desk, "--storage", f"file:{nowhere}")
    assert (code, record["editions"]) == (1, [])
    assert "is this the right storage?" in record["findings"][0]["message"]
    assert not nowhere.exists()


def test_a_damaged_index_of_words_is_drift(desk: Desk) -> None:
    execute(desk, "DELETE FROM piece_index_docsize")
    code, record = checked(desk)
    assert code == 1
    assert "index-damaged" in [finding["rule"] for finding in record["findings"]]
    assert desk.run("datastore", "rebuild").exit_code == 0
    assert checked(desk)[0] == 0
