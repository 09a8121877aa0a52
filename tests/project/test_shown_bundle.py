"""The bundle that the READMEs show is sound: its hanpon.yaml, its access file, its answer."""

import json
from pathlib import Path

import pytest
from jsonschema_rs import validator_for

from hanpon.adapters.folder_tree import FolderTree
from hanpon.contracts.bundle import Bundle, FilesItem
from hanpon.contracts.editions import Kind
from hanpon.contracts.versions import version_rank
from hanpon.sources.access.reader import read_access
from hanpon.sources.answers.reader import read_answers
from hanpon.sources.bundles.reader import read_bundle
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.texts.structured_text import parse
from schemas import load
from tests.project.markdown_pages import READMES, code_of

pytestmark = pytest.mark.parametrize("page", READMES)


def write(folder: Path, name: str, text: str = "") -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def block(page: str, language: str, mark: str) -> str:
    """The one block of code in a language that holds a word."""
    (found,) = (text for text in code_of(page, language) if mark in text)
    return found


def shown(page: str, folder: Path) -> FolderTree:
    """The bundle of a page: its access file and answer as they stand there, every other file made up and empty."""
    manifest, access = block(page, "yaml", "items:"), block(page, "csv", "principals")
    for item in parse(manifest.encode(), "hanpon.yaml")["items"]:
        if "access" in item:
            write(folder, item["access"], access)
            for line in access.splitlines()[1:]:
                write(folder, line.partition(",")[0])
            continue
        for key in ("definition", "readme", "files"):
            said = item.get(key, [])
            for pattern in [said] if isinstance(said, str) else said:
                content = block(page, "json", "question") if item["kind"] == "answers" else ""
                write(folder, pattern.replace("**", "a").replace("*", "b"), content)
    write(folder, "hanpon.yaml", manifest)
    return FolderTree(folder)


def item_of(bundle: Bundle, kind: Kind) -> FilesItem:
    (item,) = (item for item in bundle.items if item.kind is kind)
    assert isinstance(item, FilesItem)
    return item


def test_the_hanpon_yaml_that_is_shown_is_sound(page: str, tmp_path: Path) -> None:
    bundle = read_bundle(shown(page, tmp_path))
    assert [item.kind for item in bundle.items] == list(Kind)
    assert all(version_rank(item.version) >= 0 for item in bundle.items)


def test_the_access_file_that_is_shown_is_read_without_a_finding(page: str, tmp_path: Path) -> None:
    tree = shown(page, tmp_path)
    lines = [line.split(",") for line in block(page, "csv", "principals").splitlines()]
    access, findings = read_access(item_of(read_bundle(tree), Kind.DESIGN), Inputs(tree))
    granted = {file: set(grant.readers) for file, grant in access.by_file.items()}
    assert granted == {file: set(principals.split(";")) for file, principals in lines[1:]}
    assert findings == ()


def test_the_answer_that_is_shown_fits_its_schema_and_is_published(page: str, tmp_path: Path) -> None:
    tree = shown(page, tmp_path)
    line = block(page, "json", "question")
    assert validator_for(load("answer")).is_valid(json.loads(line))
    item = item_of(read_bundle(tree), Kind.ANSWERS)
    inputs = Inputs(tree)
    access, _ = read_access(item, inputs)
    source = read_answers(item, access, inputs)
    assert [answer.id for answer in source.answers] == [json.loads(line)["id"]]
    assert source.findings == ()
