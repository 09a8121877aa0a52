"""Golden cases: a folder holds a definition, and what must come of it, byte for byte but for the style sheet.

`make golden` (or `pytest --golden`) writes the expected files anew; the diff is reviewed like code.
"""

import json
import os
from importlib.resources import files
from pathlib import Path

import pytest

from hanpon.contracts.digests import digest_of
from hanpon.inventory.api_names import names_of
from renderers import operation
from tests.apis import api_item, source_of
from tests.golden import assert_golden

CASES = Path(__file__).parent / "cases" / "operation"
DIGESTS = CASES.parent / "operation-recipe.json"


def style() -> str:
    return (files("templates") / "style.html").read_text("utf-8").strip()


def without_style(html: str) -> str:
    """A page without its style sheet, which is the same on all: a change of it would hide every other."""
    assert style() in html
    return html.replace(style(), "<style>/* templates/style.html */</style>")


def names() -> list[str]:
    return sorted(path.name for path in CASES.iterdir())


@pytest.mark.parametrize("case", names())
def test_a_definition_gives_the_expected_pages(case: str) -> None:
    folder = CASES / case
    inputs = folder / "input"
    files = {path.relative_to(inputs).as_posix(): path.read_bytes() for path in sorted(inputs.rglob("*.yaml"))}
    settings = json.loads((folder / "item.json").read_text("utf-8")) if (folder / "item.json").exists() else {}
    source = source_of(files, api_item(**settings))
    rendered = operation.render(source)
    documents = rendered.documents
    record = {
        "documents": [
            {"id": d.id, "slug": d.slug, "readers": list(d.readers), "metadata": d.metadata.as_record()}
            for d in documents
        ],
        "inventory": names_of(source).as_record(),
        "findings": [str(finding) for finding in (*source.findings, *rendered.findings)],
    }
    assert_golden(folder / "expected.json", json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    expected = folder / "expected"
    expected.mkdir(exist_ok=True)
    for stale in expected.glob("*.html"):
        if stale.stem not in {document.slug for document in documents}:
            assert os.environ.get("HANPON_GOLDEN") == "write", f"{stale} is no page of {case}"
            stale.unlink()
    for document in documents:
        assert_golden(expected / f"{document.slug}.html", without_style(document.content.decode()))


def test_the_recipe_number_belongs_to_the_expected_pages() -> None:
    """Other bytes for the same source need another number, or editions in storage would be taken for current."""
    pages = {path.relative_to(CASES).as_posix(): digest_of(path.read_bytes()) for path in CASES.rglob("*.html")}
    pages["style"] = digest_of(style().encode())
    digest = digest_of(json.dumps(sorted(pages.items())).encode())
    found = json.dumps({"recipe": operation.RECIPE, "pages": digest}, indent=1) + "\n"
    before = json.loads(DIGESTS.read_text("utf-8")) if DIGESTS.exists() else {"recipe": 0, "pages": ""}
    if before["pages"] != digest and os.environ.get("HANPON_GOLDEN") != "write":
        pytest.fail("the expected pages changed: raise RECIPE in renderers/operation.py, then make golden")
    assert_golden(DIGESTS, found)


def test_twins_of_3_0_and_3_1_give_equal_pages() -> None:
    one, other = (sorted((CASES / case / "expected").glob("*.html")) for case in ("nullable-3.0", "nullable-3.1"))
    assert [path.read_text("utf-8") for path in one] == [path.read_text("utf-8") for path in other]
