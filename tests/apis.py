"""API definitions for tests: read from texts, printed, and taken apart again."""

import html
import re
from collections.abc import Mapping
from typing import Any

from bs4 import BeautifulSoup, Tag

from hanpon.contracts.bundle import ApiItem, Language
from hanpon.contracts.documents import Document
from hanpon.contracts.editions import Kind
from hanpon.contracts.findings import Place
from hanpon.contracts.operations import ApiSource
from hanpon.sources.definitions.files import open_definition
from hanpon.sources.openapi.reader import read_api
from renderers.operation import render
from tests.trees import MemoryTree


def api_item(
    definition: str = "openapi.yaml", *, language: Language = "en", version: str = "v1", **settings: Any
) -> ApiItem:
    return ApiItem(
        kind=Kind.API,
        name="probe",
        version=version,
        title="Probe API",
        owner="platform-team",
        readers=("group:engineers@example.co.jp",),
        language=language,
        place=Place("hanpon.yaml", "/items/0"),
        definition=definition,
        **settings,
    )


def source_of(files: Mapping[str, str | bytes] | str, item: ApiItem | None = None) -> ApiSource:
    """The source of a definition; several files are read from the first of them."""
    if isinstance(files, str):
        files = {"openapi.yaml": files}
    item = item or api_item(next(iter(files)))
    return read_api(open_definition(MemoryTree(files), item.definition), item)


def pages_of(files: Mapping[str, str | bytes] | str, item: ApiItem | None = None) -> dict[str, "Page"]:
    """Every page by its heading."""
    return {page.heading: page for page in map(Page, render(source_of(files, item)).documents)}


def page_of(files: Mapping[str, str | bytes] | str, item: ApiItem | None = None) -> "Page":
    """The only page of a definition."""
    (page,) = pages_of(files, item).values()
    return page


class Page:
    """A printed page, for asking what stands on it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.html = document.content.decode()
        self.soup = BeautifulSoup(self.html, "html.parser")

    @property
    def heading(self) -> str:
        (h1,) = self.soup.find_all("h1")
        return h1.get_text()

    @property
    def text(self) -> str:
        main = self.soup.main
        assert main is not None
        return " ".join(main.get_text(" ").split())

    def section(self, identity: str) -> str:
        """The text below an h2, by its id; "" where there is none."""
        found = self.soup.find(id=identity)
        return " ".join(found.parent.get_text(" ").split()) if isinstance(found, Tag) and found.parent else ""

    def rows(self, caption: str = "") -> list[tuple[str, ...]]:
        """The rows of all tables whose caption holds a text: cells as plain text."""
        found = []
        for table in self.soup.find_all("table"):
            if caption in (table.caption.get_text() if table.caption else ""):
                found += [
                    tuple(
                        " ".join(cell.get_text(" ").split()) for cell in row.find_all(["th", "td"], recursive=False)
                    )
                    for row in table.find_all("tr")
                    if row.parent and row.parent.name == "tbody"
                ]
        return found

    def row(self, path: str, caption: str = "") -> tuple[str, ...]:
        """The one row with this text in its first cell."""
        (found,) = (row for row in self.rows(caption) if row[0] == path)
        return found

    def paths(self, caption: str = "") -> list[str]:
        return [row[0] for row in self.rows(caption)]


def is_escaped(page: str, text: str) -> bool:
    """True where a text stands on a page only as text."""
    return text not in page and html.escape(text) in re.sub(r"&#x27;|&#39;", "&#x27;", page)
