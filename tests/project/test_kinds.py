"""Every kind of document is whole: reader, renderer, template, schema, golden case, example, words about it.

Who adds a kind and forgets a part is told in one sentence which file is missing.
"""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest

from hanpon.adapters.folder_tree import FolderTree
from hanpon.contracts.documents import DocType
from hanpon.contracts.editions import Kind
from hanpon.runs.drafting import RECIPES
from hanpon.sources.bundles.reader import read_bundle
from hanpon.sources.texts.structured_text import parse
from schemas import load
from tests.project.checkout import ROOT, imports_of, modules, named, tree_of
from tests.project.markdown_pages import blocks_of, spans_in
from tests.renderers.test_golden import RENDERERS
from tests.runs import kinds

PAGES = sorted({page for recipes in RECIPES.values() for page in recipes})
"""The stems of the renderers that make pages: one name for all that belongs to a page."""

CASES = "tests/renderers/cases"
SHARED = "prose.html"
"""What pages of texts are printed with, unless they have a template of their own."""


def there(path: str) -> bool:
    return (ROOT / path).exists()


def missing_parts(page: str) -> list[str]:
    """What a page of this stem lacks, a sentence for each part."""
    renderer = f"renderers/{page}.py"
    if not there(renderer):
        return [f"{renderer} is missing: it turns a source into documents."]
    found = []
    module = import_module(f"renderers.{page}")
    if type(getattr(module, "RECIPE", None)) is not int or not callable(getattr(module, "render", None)):
        found.append(f"{renderer} lacks RECIPE or render().")
    if not {f"{page}.html", SHARED} & templates_of(ROOT / renderer):
        found.append(f"templates/{page}.html is missing: {renderer} prints neither with it nor with {SHARED}.")
    if not there(f"{CASES}/{page}") or not list((ROOT / CASES / page).iterdir()):
        found.append(f"{CASES}/{page}/ is missing: a folder with the input and the expected pages of a case.")
    if page not in RENDERERS:
        found.append(f"tests/renderers/test_golden.py is missing `{page}` in RENDERERS.")
    if not there(f"{CASES}/{page}-recipe.json"):
        found.append(f"{CASES}/{page}-recipe.json is missing: make golden writes it.")
    if not there(f"tests/renderers/test_{page}.py"):
        found.append(f"tests/renderers/test_{page}.py is missing: what its pages promise.")
    if not names(renderer, "ARCHITECTURE.md"):
        found.append(f"ARCHITECTURE.md does not name {renderer} in the table of kinds.")
    return found


def missing_places(kind: str) -> list[str]:
    """The places that lack a kind, a sentence for each."""
    described = load("bundle")["$defs"]
    chosen = [rule["then"]["$ref"] for rule in described["item"]["allOf"] if f'"{kind}"' in json.dumps(rule["if"])]
    key = load("document")["properties"]["key"]["pattern"].partition(")")[0]
    tried = [item["kind"] for item in parse(kinds.ITEMS.encode(), "hanpon.yaml")["items"]]
    shown = {str(item.kind) for item in read_bundle(FolderTree(ROOT / "examples" / "shop-platform")).items}
    recipes = {str(known): pages for known, pages in RECIPES.items()}
    places = {
        "hanpon/runs/drafting.py has no recipe of it in RECIPES.": recipes.get(kind),
        "schemas/bundle.schema.json does not describe it in $defs.": described.get(kind, {}).get("description"),
        "schemas/bundle.schema.json does not choose its description in `item`.": chosen == [f"#/$defs/{kind}"],
        "schemas/document.schema.json does not have it in the key of a page.": kind in re.findall(r"\w+", key),
        "tests/runs/kinds.py has none or several of it, so no promise of a release is tested for it.": tried.count(
            kind
        )
        == 1,
        "examples/shop-platform/hanpon.yaml has no item of it.": kind in shown,
        "ARCHITECTURE.md has no row for it in the table of kinds.": kind in rows_of_kinds(),
    }
    return [sentence for sentence, is_there in places.items() if not is_there]


def rows_of_kinds() -> dict[str, list[str]]:
    """The table of kinds in ARCHITECTURE.md: what stands in code behind each."""
    table = next(b for b in blocks_of("ARCHITECTURE.md") if b.kind == "table" and b.rows[0][0] == "kind")
    return {spans_in(row[0])[0]: spans_in(" ".join(row[1:])) for row in table.rows[1:]}


def names(span: str, page: str) -> bool:
    return any(span in block.spans for block in blocks_of(page))


@cache
def templates_of(path: Path) -> frozenset[str]:
    """The templates that a renderer prints with, itself or through the modules of `renderers` that it imports."""
    seen: set[Path] = set()
    waiting = [path]
    found: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module not in seen and module.exists():
            seen.add(module)
            found |= set(templates_in(module))
            waiting += [
                ROOT / (name.replace(".", "/") + ".py") for name in imports_of(module) if "renderers." in name
            ]
    return frozenset(found)


def templates_in(path: Path) -> Iterator[str]:
    """The templates that a module names."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and re.fullmatch(r"\w+\.html", str(node.value)):
            yield str(node.value)


def is_page(module: ModuleType) -> bool:
    return hasattr(module, "RECIPE") and hasattr(module, "render")


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_renderer_template_tests_and_golden_case_of_one_stem(page: str) -> None:
    missing = missing_parts(page)
    assert not missing, " ".join(missing)


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_is_drafted_described_tried_shown_and_explained(kind: Kind) -> None:
    missing = missing_places(kind)
    assert not missing, f"{kind}: {' '.join(missing)}"


def test_who_forgets_a_part_is_told_which_file_is_missing() -> None:
    assert missing_parts("unheard_of") == ["renderers/unheard_of.py is missing: it turns a source into documents."]
    lacking = missing_parts("labels")
    for word in ("RECIPE", "templates/labels.html", "cases/labels/", "test_golden.py", "ARCHITECTURE.md"):
        assert any(word in sentence for sentence in lacking), word
    places = missing_places("unheard_of")
    for word in ("drafting.py", "bundle.schema.json", "kinds.py", "examples/", "ARCHITECTURE.md"):
        assert any(word in sentence for sentence in places), word


def test_the_kinds_are_told_in_one_order_with_the_renderers_of_each() -> None:
    assert list(rows_of_kinds()) == [str(kind) for kind in Kind], "ARCHITECTURE.md"
    for kind, spans in rows_of_kinds().items():
        own = {f"renderers/{page}.py" for page in RECIPES[Kind(kind)]}
        # the READMEs of an API are told of in the words "as those of a component"
        assert own & set(spans), f"ARCHITECTURE.md does not say that {kind} is rendered by {sorted(own)}"


@pytest.mark.parametrize("kind", RECIPES)
def test_the_recipe_of_a_kind_is_that_of_its_renderers(kind: Kind) -> None:
    for page, recipe in RECIPES[kind].items():
        assert recipe == import_module(f"renderers.{page}").RECIPE


def test_every_renderer_of_pages_belongs_to_a_kind() -> None:
    stems = {path.stem for path in modules("renderers") if is_page(import_module(f"renderers.{path.stem}"))}
    assert stems == set(PAGES), "name it in RECIPES of hanpon/runs/drafting.py"


def test_every_template_is_printed_with() -> None:
    """By a renderer, or by another template that is."""
    used = {name for path in modules("renderers") for name in templates_in(path)}
    absent = sorted(name for name in used if not there(f"templates/{name}"))
    assert not absent, f"templates/ lacks what a renderer prints with: {absent}"
    waiting = list(used)
    while waiting:
        text = (ROOT / "templates" / waiting.pop()).read_text("utf-8")
        more = set(re.findall(r"{%-? *(?:include|import|extends|from) \"(\w+\.html)\"", text)) - used
        used |= more
        waiting += more
    assert used == {path.name for path in (ROOT / "templates").glob("*.html")}


def golden_records() -> Iterator[dict[str, Any]]:
    for path in sorted((ROOT / CASES).glob("*/*/expected.json")):
        yield from json.loads(path.read_text("utf-8"))["documents"]


def test_every_doc_type_is_made_by_a_renderer_and_listed_on_the_index_page() -> None:
    described = load("document")["$defs"]["metadata"]["properties"]["doc_type"]["enum"]
    assert tuple(described) == get_args(DocType)
    assert {record["metadata"]["doc_type"] for record in golden_records()} == set(described)
    lists = tree_of(ROOT / "renderers" / "edition_lists.py")
    listed = {node.value for node in ast.walk(lists) if isinstance(node, ast.Constant)}
    assert set(described) <= listed, "renderers/edition_lists.py lists no documents of it on the index page"


CASE_FILES = {"input", "expected", "expected.json", "item.json"}


@pytest.mark.parametrize("page", PAGES)
def test_every_golden_case_has_an_input_and_what_must_come_of_it(page: str) -> None:
    for case in sorted((ROOT / CASES / page).iterdir()):
        held = {path.name for path in case.iterdir()}
        assert held <= CASE_FILES, f"{named(case)} holds {held - CASE_FILES}, which no test reads"
        assert held >= CASE_FILES - {"item.json"}, f"{named(case)} lacks {CASE_FILES - {'item.json'} - held}"
        assert any(path.is_file() for path in (case / "input").rglob("*")), f"{named(case)}/input is empty"
        assert json.loads((case / "expected.json").read_text("utf-8"))["documents"], f"{named(case)} expects no page"
