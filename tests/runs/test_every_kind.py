"""What a release promises, for an item of each kind."""

import json
from pathlib import Path
from typing import Any

import pytest

from hanpon.adapters.sqlite_rows import Change
from hanpon.contracts.digests import digest_of, short
from hanpon.runs.printing import print_item
from tests.contracts.test_records import misfits
from tests.runs.bundles import Desk
from tests.runs.kinds import ANSWERS, FILES, KINDS, desk_of_all_kinds, rewrite, write_answers


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = desk_of_all_kinds(tmp_path)
    result = desk.release()
    assert result.exit_code == 0, result.output
    return desk


def released(desk: Desk, *arguments: str) -> dict[str, dict[str, Any]]:
    """The reports of the editions by their names."""
    return {edition["name"]: edition for edition in desk.report(*arguments)["editions"]}


def statuses(desk: Desk) -> dict[str, str]:
    return {name: edition["status"] for name, edition in released(desk).items()}


def rules(edition: dict[str, Any]) -> list[str]:
    return [finding["rule"] for finding in edition["findings"]]


READERS = (
    "hanpon.runs.drafting.open_definition",
    "hanpon.sources.writings.reader.read_readmes",
    "hanpon.sources.writings.reader.read_guideline",
    "hanpon.sources.designs.reader.read_designs",
    "hanpon.sources.answers.reader.read_answers",
)


def test_nothing_is_read_again_where_nothing_changed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for reader in READERS:
        monkeypatch.setattr(reader, lambda *_, **__: pytest.fail("it was read again"))
    before = desk.files()
    assert statuses(desk) == dict.fromkeys(KINDS, "unchanged")
    assert desk.files() == before


@pytest.mark.parametrize(
    ("file", "old", "new", "name"),
    [
        ("shop.yaml", "Does it /b", "Does that /b", "shop"),
        ("README.md", "How to", "When to", "shop"),
        ("log/docs/levels.md", "Text.", "Other text.", "log"),
        ("rules/java.md", "Few ones.", "Fewer ones.", "rules"),
        ("plans/flow.md", "See the", "Look at the", "plans"),
        ("past.jsonl", "Yes.", "Yes, it is.", "past"),
    ],
)
def test_one_changed_document_is_one_page_one_row_one_manifest_the_pointer_and_the_index(
    desk: Desk, file: str, old: str, new: str, name: str
) -> None:
    files, rows = desk.files("storage"), dict(desk.rows())["document"]
    rewrite(desk, file, old, new)
    edition = released(desk).pop(name)
    assert (edition["changed"], edition["documents"] - edition["unchanged"], edition["removed"]) == (1, 1, 0)
    written = [path for path, digest in desk.files("storage").items() if files.get(path) != digest]
    folders = sorted(path.split("/")[4] for path in written if not path.startswith("storage/runs/"))
    assert folders == ["current.json", "index.html", "manifests", "pages"]
    assert sum(row not in rows for row in dict(desk.rows())["document"]) == 1


def test_a_clause_put_in_front_moves_the_others_without_writing_them(desk: Desk) -> None:
    rows = dict(desk.rows())["document"]
    rewrite(desk, "rules/java.md", "## 1.1 Names", "## 1.0 Files\n\nShort, too.\n\n## 1.1 Names")
    edition = released(desk)["rules"]
    assert (edition["added"], edition["changed"], edition["metadata_changed"]) == (1, 0, 0)
    assert sum(row not in rows for row in dict(desk.rows())["document"]) == 1
    index = (desk.storage / "guideline/rules/ALL/index.html").read_text()
    assert index.index("1.0 Files") < index.index("1.1 Names") < index.index("1.2 Comments")


def test_an_answer_that_no_longer_holds_has_another_page_and_is_found_no_more(desk: Desk) -> None:
    """Its page says so at its top: the page changes, and a document counts by the gravest of its changes."""
    write_answers(desk, {**ANSWERS[0], "superseded": True}, ANSWERS[1])
    edition = released(desk)["past"]
    assert (edition["changed"], edition["metadata_changed"], edition["unchanged"]) == (1, 0, 1)
    found = desk.run("search", "paged", "--json", "--as", "group:engineers@example.co.jp").stdout
    assert not [hit for hit in json.loads(found) if hit["metadata"]["doc_type"] == "qa"]


def stands(desk: Desk) -> set[str]:
    """The items that a run would not print again."""
    printed: set[str] = set()

    def noted(item: Any, workshop: Any) -> Any:
        printed.add(item.name)
        return print_item(item, workshop)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("hanpon.runs.edition_release.print_item", noted)
        report = desk.report("--dry-run")
    return {edition["name"] for edition in report["editions"]} - printed


@pytest.mark.parametrize(
    ("file", "data", "name"),
    [
        ("notes.txt", FILES["notes.txt"], "shop"),
        ("screen.png", FILES["screen.png"], "shop"),
        ("rules/mkdocs.yml", "site_name: Rules\n", "rules"),
    ],
    ids=["the target of a link", "an image", "a setting of MkDocs"],
)
def test_what_lies_beside_a_text_is_noticed_when_it_comes_and_when_it_goes(
    desk: Desk, file: str, data: str | bytes, name: str
) -> None:
    path = desk.bundle / file
    path.unlink(missing_ok=True)
    desk.release()
    assert stands(desk) == set(KINDS)
    desk.put(file, data)
    assert name not in stands(desk)
    desk.release()
    assert name in stands(desk)
    path.unlink()
    assert name not in stands(desk)


def test_a_link_is_told_to_lead_nowhere_until_its_target_is_there(desk: Desk) -> None:
    rewrite(desk, "rules/java.md", "Short ones.", "See [more](more.txt).")
    told = rules(released(desk)["rules"])
    assert len(told) == 1
    desk.put("rules/more.txt", "more")
    assert rules(released(desk)["rules"]) != told


def test_an_access_file_that_changes_is_noticed(desk: Desk) -> None:
    rewrite(desk, "access.csv", "plans/stock.docx,group:a@", "plans/stock.docx,group:c@")
    edition = released(desk)["plans"]
    assert (edition["status"], edition["access_changed"]) == ("published", 1)


def test_a_setting_of_an_item_that_its_pages_depend_on_is_noticed(desk: Desk) -> None:
    rewrite(desk, "hanpon.yaml", "files: [rules/*.md]", "files: [rules/*.md], owner: crm-team")
    assert released(desk)["rules"]["metadata_changed"] == 2


def test_a_manifest_of_the_form_before_this_one_is_read_and_replaced(desk: Desk) -> None:
    """hanpon 0.1 wrote no `definition`, no `assets` and no `position`."""
    for pointer in desk.storage.glob("*/*/*/current.json"):
        record = json.loads(pointer.read_bytes())
        (path,) = (pointer.parent / "manifests").iterdir()
        manifest = json.loads(path.read_bytes())
        del manifest["definition"], manifest["assets"]
        for document in manifest["documents"]:
            del document["position"]
        manifest["recipe"] = {"former": 1}
        data = json.dumps(manifest).encode()
        path.unlink()
        (pointer.parent / "manifests" / f"{short(digest_of(data))}.json").write_bytes(data)
        pointer.write_text(json.dumps({**record, "manifest": digest_of(data)}))
    rows = desk.rows()
    editions = released(desk)
    assert {edition["documents"] - edition["unchanged"] for edition in editions.values()} == {0}
    assert desk.rows() == rows
    assert statuses(desk) == dict.fromkeys(KINDS, "unchanged")


def test_images_that_no_kept_publication_shows_are_swept(desk: Desk) -> None:
    assets = desk.storage / "api/shop/v1/assets"
    (first,) = assets.iterdir()
    rewrite(desk, "README.md", "![screen](screen.png)", "No screen.")
    desk.release()
    assert first.is_file(), "an earlier publication shows it"
    rewrite(desk, "README.md", "No screen.", "None at all.")
    assert desk.run("release", str(desk.bundle), "--keep", "2").exit_code == 0
    assert not assets.exists()


def test_purging_leaves_no_page_no_image_and_no_word_of_a_finding(desk: Desk) -> None:
    rewrite(desk, "README.md", "How to", "See [it](nowhere/secretly.md), and how to")
    desk.release()
    runs = "".join(path.read_text() for path in (desk.storage / "runs").iterdir())
    assert "secretly" in runs
    assert desk.run("withdraw", "shop", "v1", "--purge").exit_code == 0
    assert not (desk.storage / "api").exists()
    assert "secretly" not in "".join(path.read_text() for path in (desk.storage / "runs").iterdir())
    assert (desk.storage / "component").exists()


def test_every_record_of_every_kind_fits_its_schema(desk: Desk) -> None:
    for kind, pattern in (("pointer", "*/*/*/current.json"), ("manifest", "*/*/*/manifests/*"), ("run", "runs/*")):
        records = [json.loads(path.read_bytes()) for path in desk.storage.glob(pattern)]
        assert records
        assert [misfits(record, f"urn:hanpon:schema:{kind}") for record in records] == [[]] * len(records)
    assert misfits(desk.report("--dry-run"), "urn:hanpon:schema:run") == []


def test_one_bad_edition_of_each_kind_stops_no_other(desk: Desk) -> None:
    rewrite(desk, "shop.yaml", "paths:", "paths: [")
    desk.put("log/README.md", b"\xff\xfe\x00")
    rewrite(desk, "access.csv", "path,principals", "path,who")
    desk.put("past.jsonl", "{nonsense\n")
    rewrite(desk, "rules/java.md", "Few ones.", "Fewer ones.")
    before = desk.files("storage")
    assert statuses(desk) == {
        "shop": "failed",
        "log": "failed",
        "rules": "published",
        "plans": "failed",
        "past": "failed",
    }
    after = desk.files("storage")
    assert {path.split("/")[1] for path in after if before.get(path) != after[path]} == {"guideline", "runs"}


def test_report_mode_publishes_what_can_be_shown_and_tells_the_rest(desk: Desk) -> None:
    desk.put("past.jsonl", (desk.bundle / "past.jsonl").read_text() + "{nonsense\n")
    assert released(desk)["past"]["status"] == "failed"
    edition = released(desk, "--validation", "report")["past"]
    assert (edition["status"], edition["unchanged"]) == ("published", 2)
    assert any(finding["severity"] == "error" for finding in edition["findings"])


def change_much(desk: Desk) -> None:
    rewrite(desk, "shop.yaml", "Does it /b", "Does that /b")
    rewrite(desk, "rules/java.md", "## 1.2 Comments", "## 1.3 Comments")
    rewrite(desk, "access.csv", "group:a@example.co.jp;group:b@", "group:b@")
    rewrite(desk, "access.csv", "plans/stock.docx,group:a@", "plans/stock.docx,group:c@")
    (desk.bundle / "log/docs/levels.md").unlink()
    rewrite(desk, "hanpon.yaml", "log/README.md, log/docs/*.md", "log/README.md")
    write_answers(desk, ANSWERS[1], {**ANSWERS[0], "id": "q3"})


def counts(edition: dict[str, Any]) -> dict[str, int]:
    return {key: value for key, value in edition.items() if isinstance(value, int)}


def documents(desk: Desk, name: str) -> dict[str, dict[str, Any]]:
    version = {"shop": "v1", "log": "3.2"}.get(name, "ALL")
    return {each["id"]: each for each in json.loads(desk.run("documents", name, version, "--json").stdout)}


def test_a_dry_run_says_exactly_what_the_release_then_does(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    change_much(desk)
    before = {name: documents(desk, name) for name in KINDS}
    readers = dict(desk.rows())["reader"]
    planned = released(desk, "--dry-run")

    imported: list[str] = []
    lost: dict[str, list[str]] = {}
    upsert, restrict = Change.upsert, Change.restrict

    def noting_upsert(change: Change, entries: Any, page_of: Any) -> None:
        imported.extend(entry.id for entry in entries)
        upsert(change, entries, page_of)

    def noting_restrict(change: Change, remaining: Any) -> None:
        for identifier, kept in remaining.items():
            lost[identifier] = [who for document, who in readers if document == identifier and who not in kept]
        restrict(change, remaining)

    monkeypatch.setattr(Change, "upsert", noting_upsert)
    monkeypatch.setattr(Change, "restrict", noting_restrict)
    done = released(desk)
    assert {name: counts(edition) for name, edition in planned.items()} == {
        name: counts(edition) for name, edition in done.items()
    }
    for name in KINDS:
        plan, old, new = planned[name]["plan"], before[name], documents(desk, name)
        assert {each["id"] for each in plan["added"]} == new.keys() - old.keys()
        assert {each["id"] for each in plan["removed"]} == old.keys() - new.keys()
        both = old.keys() & new.keys()
        assert {each["id"] for each in plan["changed"]} == {i for i in both if old[i]["sha256"] != new[i]["sha256"]}
        same = {i for i in both if old[i]["sha256"] == new[i]["sha256"]}
        access = {i for i in same if old[i]["readers"] != new[i]["readers"]}
        assert {each["id"] for each in plan["access_changed"]} == access
    plans = [edition["plan"] for edition in planned.values()]
    assert sum(plan["import"]["documents"] for plan in plans) == len(imported)
    assert {each["id"]: each["lost"] for plan in plans for each in plan["narrowed"]} == lost
    assert len(lost) == 2


def test_what_hanpon_writes_into_the_bundle_is_no_part_of_it(desk: Desk) -> None:
    desk.put(
        "hanpon.yaml", str(FILES["hanpon.yaml"]).replace("files: [rules/*.md]", 'files: ["rules/*.md", "**/*.html"]')
    )
    desk.put("rules/more.html", "<h1>More</h1><p>Words.</p>")
    inside = desk.bundle / "out"
    places = (
        "--storage",
        f"file:{inside}/storage",
        "--datastore",
        f"sqlite:{inside}/hanpon.db",
        "--cache",
        f"{inside}/c",
    )
    first, second = (desk.report("--take-over", *places) for _ in range(2))
    assert [edition["documents"] for edition in first["editions"]] == [
        edition["documents"] for edition in second["editions"]
    ]
    assert {edition["status"] for edition in second["editions"]} == {"unchanged"}
