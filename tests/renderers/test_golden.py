"""Golden cases: a folder holds what a renderer is given, and what must come of it, byte for byte but for styles.

`make golden` (or `pytest --golden`) writes the expected files anew; the diff is reviewed like code.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from hanpon.contracts.access import Access, Grant
from hanpon.contracts.answers import Answer, AnswersSource
from hanpon.contracts.designs import Design, DesignSource, OfficeFile
from hanpon.contracts.digests import digest_of
from hanpon.contracts.documents import HTML, Rendered
from hanpon.contracts.editions import Kind
from hanpon.contracts.findings import Finding, Place
from hanpon.contracts.writings import GuidelineSource, ReadmeSource, Writing
from hanpon.inventory.api_names import names_of
from renderers import answer, clause, design, operation, readme
from tests.apis import api_item, source_of
from tests.golden import assert_golden
from tests.writings import component_item, files_item, writing_of

CASES = Path(__file__).parent / "cases"

Settings = Mapping[str, Any]
Result = tuple[Rendered, dict[str, Any], tuple[Finding, ...]]
"""What was rendered, what else the record of a case says, and the findings of the source."""


@dataclass(frozen=True)
class Renderer:
    """A renderer under test: its recipe, the style sheets of its pages, and how a case becomes pages."""

    recipe: int
    styles: tuple[str, ...]
    run: Callable[[Path, Settings], Result]


def of_operation(inputs: Path, settings: Settings) -> Result:
    definition = {path.relative_to(inputs).as_posix(): path.read_bytes() for path in sorted(inputs.rglob("*.yaml"))}
    source = source_of(definition, api_item(**settings))
    return operation.render(source), {"inventory": names_of(source).as_record()}, source.findings


def of_readme(inputs: Path, settings: Settings) -> Result:
    item = api_item(**settings) if "definition" in settings else component_item(**settings)
    return readme.render(ReadmeSource(item=item, writings=tuple(writings_in(inputs)))), {}, ()


def of_clause(inputs: Path, settings: Settings) -> Result:
    access = Access(by_file=grants_of(inputs)) if (inputs / "access.json").exists() else None
    item = files_item(Kind.GUIDELINE, **settings)
    return clause.render(GuidelineSource(item=item, writings=tuple(writings_in(inputs)), access=access)), {}, ()


def of_answer(inputs: Path, settings: Settings) -> Result:
    answers = []
    for number, line in enumerate((inputs / "answers.jsonl").read_text("utf-8").splitlines(), 1):
        record = json.loads(line)
        readers = tuple(record.pop("readers"))
        grant = Grant(readers=readers, api=record["api"], api_version="ALL")
        versions = tuple(record.pop("versions"))
        answers.append(Answer(versions=versions, grant=grant, place=Place("answers.jsonl", "", number), **record))
    item = files_item(Kind.ANSWERS, **settings)
    return answer.render(AnswersSource(item=item, answers=tuple(answers))), {}, ()


def of_design(inputs: Path, settings: Settings) -> Result:
    grants = grants_of(inputs)
    contents: dict[str, Writing | OfficeFile] = {writing.file: writing for writing in writings_in(inputs)}
    for path in inputs.rglob("*.pdf"):
        data = path.read_bytes()
        contents[path.name] = OfficeFile(data=data, media_type="application/pdf", extension="pdf")
    designs = tuple(Design(file=file, grant=grants[file], content=contents[file]) for file in sorted(contents))
    return design.render(DesignSource(item=files_item(Kind.DESIGN, **settings), designs=designs)), {}, ()


def grants_of(inputs: Path) -> dict[str, Grant]:
    record = json.loads((inputs / "access.json").read_text("utf-8"))
    return {file: Grant(**{**grant, "readers": tuple(grant["readers"])}) for file, grant in record.items()}


def writings_in(inputs: Path) -> list[Writing]:
    """Files as `tests.writings.writing_of` has them, with front matter of one line a key."""
    found = []
    for path in sorted(inputs.rglob("*.md")):
        text, front = path.read_text("utf-8"), {}
        if text.startswith("---\n"):
            said, _, text = text.removeprefix("---\n").partition("---\n")
            front = dict(line.split(": ", 1) for line in said.splitlines())
        found.append(writing_of(text, path.relative_to(inputs).as_posix(), front))
    return found


TEXTS = ("style.html", "prose_style.html")
RENDERERS = {
    "operation": Renderer(operation.RECIPE, ("style.html",), of_operation),
    "readme": Renderer(readme.RECIPE, TEXTS, of_readme),
    "clause": Renderer(clause.RECIPE, TEXTS, of_clause),
    "answer": Renderer(answer.RECIPE, TEXTS, of_answer),
    "design": Renderer(design.RECIPE, TEXTS, of_design),
}


def style(name: str) -> str:
    return (files("templates") / name).read_text("utf-8").strip()


def without_styles(html: str, names: tuple[str, ...]) -> str:
    """A page without its style sheets, which are the same on all: a change of one would hide every other."""
    for name in names:
        assert style(name) in html
        html = html.replace(style(name), f"<style>/* templates/{name} */</style>")
    return html


def cases() -> list[str]:
    return [f"{kind}/{path.name}" for kind in RENDERERS for path in sorted((CASES / kind).iterdir())]


@pytest.mark.parametrize("case", cases())
def test_a_source_gives_the_expected_pages(case: str) -> None:
    folder = CASES / case
    renderer = RENDERERS[case.partition("/")[0]]
    settings = json.loads((folder / "item.json").read_text("utf-8")) if (folder / "item.json").exists() else {}
    rendered, more, findings = renderer.run(folder / "input", settings)
    documents = rendered.documents
    record = {
        "documents": [
            {"id": d.id, "slug": d.slug, "readers": list(d.readers), "metadata": d.metadata.as_record()}
            for d in documents
        ],
        **more,
        "findings": [str(finding) for finding in (*findings, *rendered.findings)],
    }
    assert_golden(folder / "expected.json", json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    expected = folder / "expected"
    expected.mkdir(exist_ok=True)
    for stale in expected.glob("*.html"):
        if stale.stem not in {document.slug for document in documents}:
            assert os.environ.get("HANPON_GOLDEN") == "write", f"{stale} is no page of {case}"
            stale.unlink()
    for document in documents:
        if document.media_type == HTML:
            page = without_styles(document.content.decode(), renderer.styles)
            assert_golden(expected / f"{document.slug}.html", page)


@pytest.mark.parametrize("kind", RENDERERS)
def test_the_recipe_number_belongs_to_the_expected_pages(kind: str) -> None:
    """Other bytes for the same source need another number, or editions in storage would be taken for current."""
    folder, renderer, digests = CASES / kind, RENDERERS[kind], CASES / f"{kind}-recipe.json"
    pages = {path.relative_to(folder).as_posix(): digest_of(path.read_bytes()) for path in folder.rglob("*.html")}
    pages.update({name.removesuffix(".html"): digest_of(style(name).encode()) for name in renderer.styles})
    digest = digest_of(json.dumps(sorted(pages.items())).encode())
    found = json.dumps({"recipe": renderer.recipe, "pages": digest}, indent=1) + "\n"
    before = json.loads(digests.read_text("utf-8")) if digests.exists() else {"recipe": 0, "pages": ""}
    if before["pages"] != digest and os.environ.get("HANPON_GOLDEN") != "write":
        pytest.fail(f"the expected pages changed: raise RECIPE in renderers/{kind}.py, then make golden")
    assert_golden(digests, found)


def test_twins_of_3_0_and_3_1_give_equal_pages() -> None:
    one, other = (
        sorted((CASES / "operation" / case / "expected").glob("*.html")) for case in ("nullable-3.0", "nullable-3.1")
    )
    assert [path.read_text("utf-8") for path in one] == [path.read_text("utf-8") for path in other]
