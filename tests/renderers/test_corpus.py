"""Real definitions: every operation has its page, every page is what it says, the inventory is the definition."""

import gzip
import json
import re
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hanpon.contracts.bundle import Language
from hanpon.contracts.documents import Document
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.operations import ApiSource
from hanpon.inventory.api_names import names_of
from hanpon.sources.definitions.files import DefinitionFiles, open_definition
from hanpon.sources.openapi.reader import read_api
from renderers.operation import render
from renderers.page_parts import MAX_BYTES
from tests.apis import api_item
from tests.conftest import CORPUS
from tests.trees import MemoryTree

SUFFIX = re.compile(r"\.(ya?ml|json)(\.gz)?$")
BEGINNING = re.compile(rb'^[ {]*"?(openapi|swagger)"?[ ]*:', re.MULTILINE)
METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}
HEADING = re.compile(r"<h([1-6])[ >]")
VOID = {"meta", "br", "hr"}
LOADED = re.compile(
    r"<(?:script|img|iframe|link|object|embed|video|audio|source)\b|url\(|@import|\ssrc=|\sstyle=", re.I
)
SAMPLE = 25


def content_of(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def definitions() -> list[str]:
    """Root files, relative to the corpus; several versions of one API count as several."""
    found = []
    for path in sorted((CORPUS / "openapi").rglob("*")) if CORPUS.is_dir() else []:
        if path.is_file() and SUFFIX.search(path.name):
            data = content_of(path)
            if BEGINNING.search(data[:4000]) or BEGINNING.search(data[-4000:]) or b'\nopenapi: "3' in data:
                found.append(path.relative_to(CORPUS).as_posix())
    return found


def opened(path: Path) -> tuple[DefinitionFiles, str]:
    """A definition with every file beside and below it; packed files are unpacked on the way."""
    folder = path.parent
    files = {
        other.relative_to(folder).as_posix().removesuffix(".gz"): content_of(other)
        for other in sorted(folder.rglob("*"))
        if other.is_file() and (other == path or path.suffix != ".gz")
    }
    root = path.name.removesuffix(".gz")
    return open_definition(MemoryTree(files), root), root


def expected_names(definition: DefinitionFiles) -> dict[str, set[str]]:
    """Method and path of every operation, straight from the definition."""
    root = definition.root
    found: dict[str, set[str]] = {"paths": set(), "webhooks": set()}
    for field in ("paths", "webhooks"):
        if field == "webhooks" and definition.dialect not in {"3.1", "3.2"}:
            continue
        owner = root.value.get(field) or {}
        for target in owner:
            item = definition.follow(root.child(field).child(target)).value
            for key, value in item.items() if isinstance(item, dict) else ():
                if key in METHODS and (key != "query" or definition.dialect == "3.2"):
                    found[field].add(f"{key.upper()} {target}")
                if key == "additionalOperations" and definition.dialect == "3.2":
                    found[field] |= {f"{method} {target}" for method in value}
    return found


@pytest.mark.corpus
@pytest.mark.parametrize("name", definitions())
def test_a_real_definition_is_printed_whole(name: str) -> None:
    try:
        definition, root = opened(CORPUS / name)
    except InvalidInput as refused:
        pytest.fail(f"{name} is refused: {refused}")
    language: Language = "ja" if re.search(r"\.ja\.|freee", name) else "en"
    source = read_api(definition, api_item(root, language=language))
    documents = list(render(source).documents)
    expected = expected_names(definition)
    assert {operation.heading for operation in source.operations} == expected["paths"]
    assert {operation.heading for operation in source.webhooks} == expected["webhooks"]
    assert len(documents) == len(expected["paths"]) + len(expected["webhooks"])
    inventory = names_of(source)
    assert {entry.name for entry in inventory.names if entry.kind == "path"} == expected["paths"]
    assert {entry.name for entry in inventory.names if entry.kind == "webhook"} == expected["webhooks"]
    assert len({document.id for document in documents}) == len({document.slug for document in documents})
    assert len({document.id for document in documents}) == len(documents)
    for document in documents:
        assert_page(document)
    step = max(1, len(documents) // SAMPLE)
    for document in documents[::step]:
        Balance().feed_all(document.content.decode())
    assert_every_key_leads_somewhere(source)


def assert_page(document: Document) -> None:
    html = document.content.decode()
    assert len(document.content) < MAX_BYTES
    assert html.count("<h1>") == 1
    heading = html[html.index("<h1>") + 4 : html.index("</h1>")]
    assert unescape(heading) == document.metadata.section
    assert document.metadata.section == f"{document.metadata.method} {document.metadata.path}"
    levels = [int(level) for level in HEADING.findall(html)]
    assert all(below <= above + 1 for above, below in pairwise(levels)), document.slug
    assert not LOADED.search(html.partition("</style>")[2]), document.slug
    identifiers = re.findall(r' id="([^"]*)"', html)
    assert len(identifiers) == len(set(identifiers)), document.slug


def assert_every_key_leads_somewhere(source: ApiSource) -> None:
    """Every schema names schemas that are there; findings are records that others can read."""
    for finding in source.findings:
        json.dumps(finding.as_record())
    for schema in source.schemas.values():
        keys = [*(child.key for child in schema.children), *(facet.key for facet in schema.facets)]
        assert all(key in source.schemas for key in keys)


class Balance(HTMLParser):
    """Every tag that opens also closes, in order; what HTML lets authors leave open may stay open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def feed_all(self, html: str) -> None:
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag, (tag, self.getpos())


def test_balance_sees_a_tag_left_open() -> None:
    with pytest.raises(AssertionError):
        Balance().feed_all("<p><b></p></b>")


@pytest.mark.corpus
def test_a_definition_in_one_file_and_its_twin_in_many_give_the_same_bytes() -> None:
    pages = []
    for name in ("redocly/cafe.yaml", "redocly/cafe-split/cafe.yaml"):
        definition, root = opened(CORPUS / "openapi" / name)
        source = read_api(definition, api_item(root))
        pages.append({document.id: document.content for document in render(source).documents})
    assert pages[0] == pages[1]
