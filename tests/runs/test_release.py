"""A release, as a user's command makes it."""

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from hanpon.adapters import held_folder
from hanpon.adapters.file_storage import FileStorage
from hanpon.adapters.sqlite_datastore import SqliteDatastore
from hanpon.contracts.digests import digest_of
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.errors import Missing, Unavailable
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.manifests import Entry
from hanpon.runs.steps import AtOnce
from tests.contracts.test_records import misfits
from tests.runs.bundles import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.write("/a", "/b", "/c")
    return desk


def without_clocks(files: dict[str, str]) -> dict[str, str]:
    return {
        name: digest
        for name, digest in files.items()
        if not name.endswith("current.json") and not name.startswith("storage/runs/")
    }


def test_a_first_release_publishes_a_page_a_row_and_a_name_for_every_operation(desk: Desk) -> None:
    edition = desk.edition()
    assert (edition["status"], edition["documents"], edition["added"], edition["names"]) == ("published", 3, 3, 3)
    assert desk.sections() == ["GET /a", "GET /b", "GET /c"]
    names = json.loads(desk.run("names", "shop", "v1", "--json").stdout)["names"]
    assert [name["name"] for name in names] == ["GET /a", "GET /b", "GET /c"]
    assert len(dict(desk.rows())["document"]) == 3


def test_every_record_in_storage_fits_its_schema(desk: Desk) -> None:
    desk.release()
    edition = desk.storage / "api" / "shop" / "v1"
    (run,) = (desk.storage / "runs").glob("*.json")
    (manifest,) = (edition / "manifests").glob("*.json")
    (inventory,) = (edition / "inventory").glob("*.json")
    kinds = {"pointer": edition / "current.json", "manifest": manifest, "inventory": inventory, "run": run}
    for kind, path in kinds.items():
        assert misfits(json.loads(path.read_bytes()), f"urn:hanpon:schema:{kind}") == []


def test_the_report_on_standard_output_fits_the_run_schema(desk: Desk) -> None:
    assert misfits(desk.report("--dry-run"), "urn:hanpon:schema:run") == []


def test_a_comment_that_moves_every_line_changes_nothing(desk: Desk) -> None:
    desk.put("shop.yaml", (desk.bundle / "shop.yaml").read_text() + "x-odd: {text: some}\n")
    desk.release()
    files = desk.files("storage")
    desk.put("shop.yaml", "# a comment\n" + (desk.bundle / "shop.yaml").read_text())
    assert desk.edition()["status"] == "unchanged"
    assert desk.files("storage") == files


def test_a_mended_finding_leaves_the_manifest_and_the_index_page(desk: Desk) -> None:
    desk.put("shop.yaml", (desk.bundle / "shop.yaml").read_text() + "x-odd: {text: some}\n")
    desk.release()
    index = desk.storage / "api/shop/v1/index.html"
    assert "x-odd" in index.read_text()
    desk.put("shop.yaml", (desk.bundle / "shop.yaml").read_text().replace("x-odd: {text: some}\n", ""))
    edition = desk.edition()
    assert (edition["status"], edition["unchanged"], edition["findings"]) == ("published", 3, [])
    assert "x-odd" not in index.read_text()


@pytest.mark.parametrize(
    "damage", [lambda page: page[:-20], lambda page: page.replace('data-recipe="', 'data-recipe="9')]
)
def test_an_index_page_cut_short_or_made_by_another_recipe_is_renewed(
    desk: Desk, damage: Callable[[str], str]
) -> None:
    desk.release()
    index = desk.storage / "api/shop/v1/index.html"
    page = index.read_text()
    index.write_text(damage(page))
    desk.release()
    assert index.read_text() == page


def test_a_second_run_parses_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.release()
    monkeypatch.setattr("hanpon.runs.edition_release.print_item", lambda *_: pytest.fail("it was printed again"))
    assert desk.edition()["status"] == "unchanged"


def test_a_second_run_writes_nothing(desk: Desk) -> None:
    desk.release()
    files, rows = desk.files(), desk.rows()
    assert desk.edition()["status"] == "unchanged"
    assert desk.files() == files
    assert desk.rows() == rows


def test_two_fresh_runs_are_equal_but_for_clocks(tmp_path: Path, desk: Desk) -> None:
    desk.release()
    first, rows = without_clocks(desk.files("storage")), desk.rows()
    shutil.rmtree(desk.storage)
    desk.database.unlink()
    desk.release()
    assert without_clocks(desk.files("storage")) == first
    assert desk.rows() == rows


def test_one_changed_operation_writes_one_page_one_row_one_manifest_and_the_pointer(desk: Desk) -> None:
    desk.release()
    before, rows = desk.files("storage"), desk.rows()
    desk.put("shop.yaml", (desk.bundle / "shop.yaml").read_text().replace("Does it /b", "Does that /b"))
    edition = desk.edition()
    assert (edition["changed"], edition["unchanged"]) == (1, 2)
    after = desk.files("storage")
    new = {name.split("/")[4] for name in after if before.get(name) != after[name] and "/api/" in name}
    assert new == {"current.json", "index.html", "manifests", "pages"}
    assert sum("/pages/" in name for name in after.keys() - before.keys()) == 1
    changed = [row for row in dict(desk.rows())["document"] if row not in dict(rows)["document"]]
    assert len(changed) == 1


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(desk: Desk) -> None:
    files = desk.files()
    edition = desk.edition("--dry-run")
    assert (edition["status"], edition["added"]) == ("planned", 3)
    assert desk.files() == files
    desk.release()
    files = desk.files()
    desk.write("/a", "/b", "/d")
    files.update({name: digest for name, digest in desk.files().items() if name.startswith("bundle/")})
    edition = desk.edition("--dry-run")
    assert (edition["added"], edition["removed"], edition["unchanged"]) == (1, 1, 2)
    assert desk.files() == files


def test_an_emptied_database_is_filled_again_from_an_unchanged_edition(desk: Desk) -> None:
    desk.release()
    rows, pointer = desk.rows(), (desk.storage / "api/shop/v1/current.json").read_bytes()
    desk.database.unlink()
    assert desk.edition()["unchanged"] == 3
    assert desk.rows() == rows
    assert (desk.storage / "api/shop/v1/current.json").read_bytes() == pointer


@pytest.mark.parametrize("statement", ["DELETE FROM reader", "UPDATE document SET metadata = '{}' WHERE rowid = 1"])
def test_damaged_rows_are_written_again(desk: Desk, statement: str) -> None:
    desk.release()
    rows = desk.rows()
    connection = sqlite3.connect(desk.database)
    with connection:
        connection.execute(statement)
    connection.close()
    desk.release()
    assert desk.rows() == rows


def test_a_missing_page_is_put_back(desk: Desk) -> None:
    desk.release()
    files = desk.files("storage/api")
    next((desk.storage / "api/shop/v1/pages").iterdir()).unlink()
    assert desk.edition()["status"] == "published"
    assert desk.files("storage/api") == files


def test_a_damaged_manifest_is_mended_by_the_next_release(desk: Desk) -> None:
    desk.release()
    (manifest,) = (desk.storage / "api/shop/v1/manifests").iterdir()
    manifest.write_text("{}")
    assert desk.run("documents", "shop", "v1").exit_code == 4
    assert [finding["rule"] for finding in desk.edition()["findings"]] == ["manifest-damaged"]
    assert desk.sections() == ["GET /a", "GET /b", "GET /c"]


def test_a_damaged_pointer_stops_the_edition_and_says_where(desk: Desk) -> None:
    desk.release()
    rows = desk.rows()
    (desk.storage / "api/shop/v1/current.json").write_text("{no json")
    result = desk.release()
    assert result.exit_code == 4
    assert "api/shop/v1/current.json" in result.stderr
    assert desk.rows() == rows


def test_readers_are_taken_away_from_rows_and_manifest(desk: Desk) -> None:
    desk.write("/a", "/b", "/c", readers="group:engineers@example.co.jp, group:crm@example.co.jp")
    desk.release()
    desk.write("/a", "/b", "/c")
    assert desk.edition()["access_changed"] == 3
    assert {principal for _, principal in dict(desk.rows())["reader"]} == {"group:engineers@example.co.jp"}


@pytest.mark.parametrize(
    "damage", ["openapi: [", "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {/z: {get: {responses: {}}}}\n"]
)
def test_readers_lose_their_access_first_even_where_the_release_is_refused(desk: Desk, damage: str) -> None:
    desk.write("/a", "/b", "/c", readers="all")
    desk.release()
    desk.write("/a", "/b", "/c")
    desk.put("shop.yaml", damage)
    edition = desk.edition()
    assert edition["status"] == "failed"
    assert edition["findings"][-1]["rule"] == "readers-narrowed"
    assert "access was taken from all" in edition["findings"][-1]["message"]
    rows = dict(desk.rows())
    assert {principal for _, principal in rows["reader"]} == {"group:engineers@example.co.jp"}
    assert all("group:engineers" in row[-1] and '"all"' not in row[-1] for row in rows["document"])
    assert desk.sections() == ["GET /a", "GET /b", "GET /c"]


def test_access_that_cannot_be_taken_away_is_told_with_its_own_exit_code(desk: Desk) -> None:
    desk.write("/a", readers="all")
    desk.release()
    desk.write("/a")
    desk.put("shop.yaml", "openapi: [")
    with FileStorage(desk.storage).hold(Edition(Kind.API, "shop", "v1"), "other", 0):
        result = desk.release()
    assert result.exit_code == 5
    assert "readers-not-narrowed" in result.stderr
    assert "yaml-syntax" in result.stderr


def test_a_foreign_bundle_takes_nobodys_access_away(desk: Desk, tmp_path: Path) -> None:
    desk.write("/a", readers="all")
    desk.release()
    rows = desk.rows()
    stranger = Desk(tmp_path / "stranger")
    stranger.write("/a")
    assert desk.run("release", str(stranger.bundle)).exit_code == 3
    assert desk.rows() == rows


@pytest.mark.parametrize("slip", [RuntimeError("no"), Missing("gone"), Unavailable("full")])
def test_an_edition_whose_index_page_fails_is_published_and_on_record(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, slip: Exception
) -> None:
    def fail(*_: object, **__: object) -> bytes:
        raise slip

    with monkeypatch.context() as patched:
        patched.setattr("hanpon.runs.edition_release.render_index", fail)
        report = desk.report()
    (edition,) = report["editions"]
    assert (edition["status"], edition["findings"][-1]["rule"]) == ("published", "not-retired")
    assert (desk.storage / "runs" / f"{report['run']}.json").is_file()
    assert desk.release().exit_code == 0
    assert (desk.storage / "api/shop/v1/index.html").is_file()


def test_the_record_of_a_run_has_every_edition_of_it(desk: Desk) -> None:
    items = (desk.bundle / "hanpon.yaml").read_text()
    desk.put("hanpon.yaml", items + "  - {kind: api, name: other, version: v1, definition: other.yaml}\n")
    desk.put("other.yaml", "openapi: [")
    report = desk.report()
    record = json.loads((desk.storage / "runs" / f"{report['run']}.json").read_bytes())
    assert [edition["status"] for edition in record["editions"]] == ["published", "failed"]


class Meddling(FileStorage):
    """A storage in which something happens to the edition just before it is held."""

    meddle: Callable[[], object]

    @contextmanager
    def hold(self, edition: Edition, holder: str, wait: float) -> Iterator[None]:
        meddle, self.__class__.meddle = self.__class__.meddle, lambda: None
        meddle()
        with super().hold(edition, holder, wait):
            yield


@pytest.mark.parametrize("meddling", ["published", "withdrawn"])
def test_a_release_that_waited_prints_again_what_is_no_longer_current(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, meddling: str
) -> None:
    desk.release()
    desk.database.unlink()  # so that there is something to do though the manifest stands
    own = (desk.bundle / "shop.yaml").read_text()

    def publish_another() -> None:
        desk.put("shop.yaml", own.replace("/c", "/other"))
        assert desk.release().exit_code == 0
        desk.put("shop.yaml", own)

    def withdraw() -> None:
        assert desk.run("withdraw", "shop", "v1", "--purge").exit_code == 0

    Meddling.meddle = publish_another if meddling == "published" else withdraw
    with monkeypatch.context() as patched:
        patched.setattr("hanpon.adapters.file_storage.FileStorage", Meddling)
        assert desk.edition()["status"] == "published"
    assert desk.sections() == ["GET /a", "GET /b", "GET /c"]
    assert desk.edition()["status"] == "unchanged"


@pytest.mark.parametrize("folder", ["manifests", "inventory"])
def test_a_record_that_was_edited_without_changing_its_size_is_mended(desk: Desk, folder: str) -> None:
    desk.release()
    files = desk.files("storage/api")
    (record,) = (desk.storage / "api/shop/v1" / folder).iterdir()
    record.write_bytes(b"X" + record.read_bytes()[1:])
    assert desk.edition()["status"] == "published"
    after = desk.files("storage/api")
    assert {name: after[name] for name in files if "current" not in name} == {
        name: digest for name, digest in files.items() if "current" not in name
    }
    assert desk.edition()["status"] == "unchanged"


@pytest.mark.parametrize(
    "pointer",
    ["[" * 200_000, '{"manifest": "../../../../abc"}', '{"previous": [{}]}', '{"previous": [["a"]]}', "null", "[]"],
)
def test_a_pointer_full_of_nonsense_stops_its_edition_and_no_other(desk: Desk, pointer: str) -> None:
    items = (desk.bundle / "hanpon.yaml").read_text()
    desk.put("hanpon.yaml", items + "  - {kind: api, name: other, version: v1, definition: other.yaml}\n")
    desk.put("other.yaml", (desk.bundle / "shop.yaml").read_text())
    desk.release()
    path = desk.storage / "api/shop/v1/current.json"
    try:
        text = json.dumps({**json.loads(path.read_bytes()), **json.loads(pointer)})
    except (TypeError, RecursionError):
        text = pointer
    path.write_text(text)
    desk.put("other.yaml", (desk.bundle / "shop.yaml").read_text().replace("/c", "/d"))
    report = desk.report()
    assert [edition["status"] for edition in report["editions"]] == ["failed", "published"]
    assert path.read_text() == text
    assert desk.release().exit_code == 4


def test_a_release_that_removes_more_than_half_is_refused_unless_allowed(desk: Desk) -> None:
    desk.write(*(f"/{number}" for number in range(10)))
    desk.release()
    desk.write("/0")
    refused = desk.release()
    assert refused.exit_code == 3
    assert "--allow-removals" in refused.stderr
    assert len(desk.sections()) == 10
    assert desk.edition("--allow-removals")["removed"] == 9
    assert desk.sections() == ["GET /0"]


def test_a_refused_release_counts_what_did_not_come_about_as_failed(desk: Desk) -> None:
    desk.write(*(f"/{number}" for number in range(12)))
    desk.release()
    desk.write("/0", "/new")
    edition = desk.edition()
    counts = {key: edition[key] for key in ("status", "documents", "failed", "unchanged", "added", "removed")}
    assert counts == {"status": "failed", "documents": 2, "failed": 1, "unchanged": 1, "added": 0, "removed": 0}


def tag(desk: Desk, name: str) -> None:
    """Commit the bundle as it stands, and tag it."""
    git = ["git", "-C", str(desk.bundle), "-c", "user.name=t", "-c", "user.email=t@t.example"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", name, "--allow-empty"], ["tag", name]):
        subprocess.run([*git, *words], check=True, capture_output=True)


def test_an_older_tag_is_not_released_over_a_newer_one(desk: Desk) -> None:
    tag(desk, "v1.9")
    assert desk.release().exit_code == 0
    desk.write("/a", "/b", "/d")
    tag(desk, "v1.10")
    assert desk.release().exit_code == 0
    subprocess.run(["git", "-C", str(desk.bundle), "checkout", "-q", "v1.9"], check=True, capture_output=True)
    refused = desk.release()
    assert refused.exit_code == 3
    assert "the tag v1.10, which is newer than v1.9" in refused.stderr
    assert desk.sections() == ["GET /a", "GET /b", "GET /d"]


def test_another_bundle_is_refused_without_take_over(tmp_path: Path, desk: Desk) -> None:
    desk.release()
    shutil.copytree(desk.bundle, tmp_path / "copy")
    refused = desk.run("release", str(tmp_path / "copy"))
    assert refused.exit_code == 3
    assert "--take-over" in refused.stderr
    assert desk.run("release", str(tmp_path / "copy"), "--take-over").exit_code == 0


def test_one_bad_edition_does_not_stop_the_others(desk: Desk) -> None:
    desk.release()
    items = (desk.bundle / "hanpon.yaml").read_text()
    desk.put("hanpon.yaml", items + "  - {kind: api, name: other, version: v1, definition: other.yaml}\n")
    desk.put("other.yaml", "openapi: 3.0.3\ninfo: {title: Other, version: '1'}\npaths: {/x: {get: {}}}\n")
    desk.put("shop.yaml", (desk.bundle / "shop.yaml").read_text().replace("/c", "/d"))
    report = desk.report()
    assert {edition["name"]: edition["status"] for edition in report["editions"]} == {
        "shop": "published",
        "other": "failed",
    }
    assert desk.release().exit_code == 3
    assert desk.sections() == ["GET /a", "GET /b", "GET /d"]


def test_strict_refuses_an_invalid_definition_with_every_error_and_report_publishes_it(desk: Desk) -> None:
    text = "openapi: 3.0.3\ninfo: {title: T}\npaths:\n  /a/{x}:\n    get: {responses: {'200': {}}}\n"
    desk.put("shop.yaml", text)
    refused = desk.release()
    assert refused.exit_code == 3
    assert "shop.yaml:2" in refused.stderr
    assert "/responses/200" in refused.stderr
    assert desk.sections() == []
    edition = desk.edition("--validation", "report")
    assert edition["status"] == "published"
    assert any(finding["severity"] == "error" for finding in edition["findings"])


def test_strict_refuses_what_report_published_though_nothing_changed(desk: Desk) -> None:
    desk.put("shop.yaml", "openapi: 3.0.3\ninfo: {title: T}\npaths: {/a: {get: {responses: {'200': {}}}}}\n")
    assert desk.release("--validation", "report").exit_code == 0
    assert desk.release("--validation", "report").exit_code == 0
    assert desk.release().exit_code == 3


def test_only_chooses_editions_and_an_unknown_name_is_told(desk: Desk) -> None:
    assert len(desk.report("--only", "shop@v1")["editions"]) == 1
    unknown = desk.release("--only", "ship")
    assert unknown.exit_code == 2
    assert "shop@v1" in unknown.stderr


def test_a_withdrawn_edition_is_gone_and_can_be_released_again(desk: Desk) -> None:
    desk.release()
    pages = desk.files("storage/api/shop/v1/pages")
    assert desk.run("withdraw", "shop", "v1").exit_code == 0
    assert desk.sections() == []
    assert dict(desk.rows())["document"] == []
    assert desk.files("storage/api/shop/v1/pages") == pages
    assert desk.edition()["status"] == "published"
    assert desk.sections() == ["GET /a", "GET /b", "GET /c"]


def test_a_purged_edition_leaves_no_object(desk: Desk) -> None:
    desk.release()
    desk.write("/a", "/b", "/d")
    desk.release()
    assert desk.run("withdraw", "shop", "v1", "--purge").exit_code == 0
    assert list(desk.files("storage/api")) == []
    assert desk.run("withdraw", "shop", "v1").exit_code == 2


@pytest.mark.parametrize("keep", [1, 5])
def test_what_the_last_publications_refer_to_stays_readable_and_no_more(desk: Desk, keep: int) -> None:
    for number in range(7):
        desk.write("/a", summary=f"Form {number}")
        desk.release("--keep", str(keep))
    edition = desk.storage / "api/shop/v1"
    pointer = json.loads((edition / "current.json").read_bytes())
    forms = []
    for digest in (pointer["manifest"], *pointer["previous"]):
        manifest = json.loads((edition / "manifests" / f"{digest[:16]}.json").read_bytes())
        forms += [(desk.storage / entry["key"]).read_text() for entry in manifest["documents"]]
    assert [f"Form {6 - number}" in form for number, form in enumerate(forms)] == [True] * keep
    assert len(list((edition / "pages").iterdir())) == keep
    assert desk.edition("--keep", str(keep))["status"] == "unchanged"


def test_an_edition_that_goes_back_to_what_it_was_is_whole(desk: Desk) -> None:
    desk.release()
    first = desk.sections()
    page = next(path for path in (desk.storage / "api/shop/v1/pages").iterdir() if "get-c" in path.name)
    text = page.read_text()
    desk.write("/a", "/b")
    desk.release()
    page.write_text("X" * len(text.encode()))
    desk.write("/a", "/b", "/c")
    desk.release()
    assert desk.sections() == first
    assert page.read_text() == text
    pointer = json.loads((desk.storage / "api/shop/v1/current.json").read_bytes())
    assert len(pointer["previous"]) == 1


@pytest.mark.parametrize(("name", "version"), [("", ""), ("shop", "."), ("..", "v1"), ("a/b", "v1"), ("shop", "*")])
def test_what_can_be_no_name_withdraws_nothing(desk: Desk, name: str, version: str) -> None:
    desk.release()
    files, rows = desk.files(), desk.rows()
    for command in (["withdraw", name, version, "--purge"], ["documents", name, version]):
        assert desk.run(*command).exit_code == 2
    assert (desk.files(), desk.rows()) == (files, rows)


def test_a_purge_takes_findings_out_of_the_reports_of_runs(desk: Desk) -> None:
    desk.put("shop.yaml", (desk.bundle / "shop.yaml").read_text() + "x-leaked-word: {text: secret}\n")
    desk.release()
    assert any("x-leaked-word" in path.read_text() for path in (desk.storage / "runs").iterdir())
    desk.run("withdraw", "shop", "v1", "--purge")
    assert not any("x-leaked-word" in path.read_text() for path in desk.storage.rglob("*") if path.is_file())


def test_what_is_not_published_is_told_with_what_is(desk: Desk) -> None:
    desk.release()
    result = desk.run("documents", "shop", "v9")
    assert result.exit_code == 2
    assert "published versions of shop: v1" in result.stderr


@pytest.mark.parametrize("wait", ["nan", "inf", "-1", "soon"])
def test_a_time_that_cannot_be_waited_for_is_refused(desk: Desk, wait: str) -> None:
    assert desk.release("--wait", wait).exit_code == 2


def test_a_store_address_is_told_without_its_password(desk: Desk) -> None:
    result = desk.release("--datastore", "postgres://user:secretpw@host/db")
    assert result.exit_code == 2
    assert "secretpw" not in result.stderr


def test_a_publication_whose_report_cannot_be_kept_is_published_and_told(desk: Desk) -> None:
    desk.release()
    shutil.rmtree(desk.storage / "runs")
    (desk.storage / "runs").touch()
    desk.write("/a", "/b", "/d")
    result = desk.release()
    assert result.exit_code == 4
    assert "shop@v1: published" in result.stdout
    assert "run-not-recorded" in result.stderr
    assert desk.sections() == ["GET /a", "GET /b", "GET /d"]


def test_an_edition_that_loses_its_last_document_is_warned_about(desk: Desk) -> None:
    desk.release()
    desk.put("shop.yaml", "openapi: 3.0.3\ninfo: {title: Shop, version: '1'}\npaths: {}\n")
    edition = desk.edition()
    assert (edition["documents"], edition["removed"]) == (0, 3)
    assert "edition-emptied" in [finding["rule"] for finding in edition["findings"]]


def test_doctor_says_that_a_store_cannot_be_written_to(desk: Desk) -> None:
    result = desk.run("doctor", "--storage", "file:/proc/x", "--datastore", "sqlite:/dev/null/x.db")
    assert result.exit_code == 4
    assert "problem storage" in result.stdout
    assert "problem datastore" in result.stdout


def test_doctor_finds_a_bad_store_and_says_what_to_do(desk: Desk) -> None:
    assert desk.run("doctor").exit_code == 0
    desk.database.write_bytes(b"no database" * 1000)
    result = desk.run("doctor")
    assert result.exit_code == 2
    assert "move it away" in result.stdout


def test_a_file_that_was_missing_and_is_put_there_is_a_change(desk: Desk) -> None:
    schema = "{content: {application/json: {schema: {$ref: thing.yaml}}}, description: fine}"
    desk.put("shop.yaml", (desk.bundle / "shop.yaml").read_text().replace("{description: fine}", schema, 1))
    assert desk.edition("--validation", "report")["status"] == "published"
    assert desk.edition("--validation", "report")["status"] == "unchanged"
    desk.put("thing.yaml", "{type: object, properties: {arrived: {type: string}}}")
    assert desk.edition()["changed"] == 1


def test_a_manifest_of_another_spelling_stays_the_one_that_its_bytes_say(desk: Desk) -> None:
    desk.release()
    edition = desk.storage / "api/shop/v1"
    (manifest,) = (edition / "manifests").iterdir()
    spelt_otherwise = json.dumps(json.loads(manifest.read_bytes()), indent=1).encode()
    digest = digest_of(spelt_otherwise)
    (edition / "manifests" / f"{digest[:16]}.json").write_bytes(spelt_otherwise)
    manifest.unlink()
    pointer = json.loads((edition / "current.json").read_bytes())
    (edition / "current.json").write_text(json.dumps({**pointer, "manifest": digest}))
    desk.release()
    assert json.loads((edition / "current.json").read_bytes())["manifest"] == digest
    assert desk.edition()["status"] == "unchanged"


def test_a_take_over_is_remembered_though_the_edition_is_unchanged(desk: Desk, tmp_path: Path) -> None:
    desk.write("/a")
    desk.release()
    shutil.move(desk.bundle, tmp_path / "elsewhere")
    shutil.copytree(tmp_path / "elsewhere", desk.bundle)
    elsewhere = str(tmp_path / "elsewhere")
    assert desk.run("release", elsewhere).exit_code == 3
    assert desk.run("release", elsewhere, "--take-over").exit_code == 0
    assert desk.run("release", elsewhere).exit_code == 0


def test_a_dry_run_lists_what_would_go_even_where_it_is_too_much(desk: Desk) -> None:
    paths = [f"/p{number}" for number in range(12)]
    desk.write(*paths)
    desk.release()
    desk.write(*paths[:2])
    edition = desk.edition("--dry-run")
    assert edition["status"] == "failed"
    assert len(edition["plan"]["removed"]) == 10


def test_a_publication_that_is_tried_again_because_the_edition_was_not_let_go_is_told_as_it_was(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = iter([OSError(5, "Input/output error")])
    remove, take = held_folder._remove, AtOnce.take

    def refusing_once(folder: Path) -> None:
        for refusal in refusals:
            raise refusal
        remove(folder)

    def tried_again(steps: AtOnce, step: str, edition: Edition, work: Callable[[], object]) -> object:
        try:
            return take(steps, step, edition, work)
        except Unavailable:
            return take(steps, step, edition, work)

    monkeypatch.setattr(held_folder, "_remove", refusing_once)
    monkeypatch.setattr(AtOnce, "take", tried_again)
    edition = desk.edition()
    assert next(refusals, None) is None
    assert (edition["status"], edition["added"], edition["unchanged"]) == ("published", 3, 0)


def test_a_machine_without_enough_memory_is_no_mistake_of_the_bundle(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def starved(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("hanpon.runs.printing.draft", starved)
    edition = desk.edition()
    assert desk.release().exit_code == 4
    assert [finding["rule"] for finding in edition["findings"]] == ["unavailable"]
    assert "not enough memory" in edition["findings"][0]["message"]


def test_what_the_datastore_would_never_take_is_told_before_anything_is_written(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: object, entries: Sequence[Entry]) -> list[Finding]:
        return [
            Finding("document-not-accepted", Severity.ERROR, Place("shop.yaml"), f"{each.id}: no") for each in entries
        ]

    monkeypatch.setattr(SqliteDatastore, "refused", refused)
    desk.write("/a", "/b")
    for options in (["--dry-run"], []):
        result = desk.release("--json", *options)
        (edition,) = json.loads(result.stdout)["editions"]
        assert (result.exit_code, edition["status"]) == (3, "failed")
        assert [each["rule"] for each in edition["findings"]] == ["document-not-accepted"] * 2
    assert not desk.storage.exists() or not [path for path in desk.storage.rglob("*") if path.is_file()]
    assert not desk.database.exists()
