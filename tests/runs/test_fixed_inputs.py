"""An edition that was published in spite of a fault is printed anew once the fault is mended."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.runs.bundles import Desk

ROOT = """\
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a: {get: {responses: {'200': {description: d, content: {a/b: {schema: {$ref: 'parts/b.yaml'}}}}}}}
"""


def nothing(_: Path) -> None:
    return


def linked_file(parts: Path) -> None:
    (parts / "b.yaml").symlink_to(parts.parent / "hanpon.yaml")


def linked_folder(parts: Path) -> None:
    parts.rmdir()
    parts.symlink_to(parts.parent)


def folder(parts: Path) -> None:
    (parts / "b.yaml").mkdir()


def too_large(parts: Path) -> None:
    with (parts / "b.yaml").open("wb") as file:
        file.truncate(65 * 1024 * 1024)


def not_text(parts: Path) -> None:
    (parts / "b.yaml").write_bytes(b"\xff\xfe\xfd")


FAULTS = [nothing, linked_file, linked_folder, folder, too_large, not_text]


def mend(parts: Path) -> None:
    if parts.is_symlink():
        parts.unlink()
    parts.mkdir(exist_ok=True)
    part = parts / "b.yaml"
    if part.is_symlink() or part.is_file():
        part.unlink()
    elif part.is_dir():
        part.rmdir()
    part.write_text("type: string\n")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_was_mended_is_noticed(tmp_path: Path, fault: Callable[[Path], None]) -> None:
    desk = Desk(tmp_path)
    desk.write("/a")
    desk.put("shop.yaml", ROOT)
    parts = desk.bundle / "parts"
    parts.mkdir()
    fault(parts)
    assert desk.edition("--validation", "report")["status"] == "published"
    assert desk.edition("--validation", "report")["status"] == "unchanged"
    assert desk.release().exit_code == 3
    mend(parts)
    edition = desk.edition()
    assert (edition["status"], edition["findings"]) == ("published", [])
    assert desk.edition()["status"] == "unchanged"
