"""Texts made by hand, as the reader of files would give them, and what their pages say."""

import re
from collections import Counter
from collections.abc import Mapping
from html import unescape
from itertools import pairwise
from typing import Any

from bs4 import BeautifulSoup, Tag

from hanpon.contracts.access import Access
from hanpon.contracts.bundle import ComponentItem, FilesItem, Language
from hanpon.contracts.documents import Document
from hanpon.contracts.editions import EVERY_API, EVERY_VERSION, Kind
from hanpon.contracts.findings import Place
from hanpon.contracts.writings import GuidelineSource, ReadmeSource, Section, Writing
from hanpon.sources.texts.inputs import Inputs
from renderers.prose_links import INDEX
from tests.corpus import ROOT
from tests.trees import MemoryTree

READERS = ("group:engineers@example.co.jp",)

_HEADING = re.compile(r"(#{1,6}) (.*)")
_ID = re.compile(r' id="([^"]*)"')
_TAG = re.compile("<[^>]*>")


def component_item(language: Language = "en", **settings: Any) -> ComponentItem:
    given = {"name": "log", "title": "Log library", "version": "3.2", "readers": READERS, **settings}
    return ComponentItem(
        kind=Kind.COMPONENT, owner="platform-team", language=language, place=Place("hanpon.yaml", "/items/0"), **given
    )


def files_item(kind: Kind = Kind.GUIDELINE, language: Language = "en", **settings: Any) -> FilesItem:
    given = {
        "name": "rules",
        "title": "Rules",
        "version": EVERY_VERSION,
        "readers": READERS,
        "files": (),
        "api": EVERY_API,
        "api_version": EVERY_VERSION,
        **settings,
    }
    return FilesItem(
        kind=kind, owner="platform-team", language=language, place=Place("hanpon.yaml", "/items/0"), **given
    )


def writing_of(text: str, file: str = "README.md", front: Mapping[str, str] | None = None) -> Writing:
    """A writing of lines: `## heading as inline HTML`, and HTML between them. Anchors are made as GitHub does."""
    sections: list[Section] = []
    level, heading, line, blocks = 0, "", 0, list[str]()
    seen: Counter[str] = Counter()

    def close() -> None:
        html = "\n".join(blocks).strip()
        if not (level or html):
            return
        title = " ".join(unescape(_TAG.sub("", heading)).split())
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") if level else ""
        anchor = f"{slug}-{seen[slug]}" if seen[slug] else slug
        seen[slug] += 1
        fragments = tuple(_ID.findall(heading + html))
        sections.append(
            Section(
                level=level, title=title, heading=heading, anchor=anchor, html=html, fragments=fragments, line=line
            )
        )

    for number, written in enumerate(text.strip().splitlines(), 1):
        found = _HEADING.fullmatch(written.strip())
        if found:
            close()
            level, heading, line, blocks = len(found[1]), found[2], number, []
        else:
            blocks.append(written)
    close()
    given = dict(front or {})
    title = given.get("title") or next((section.title for section in sections if section.level == 1), "")
    return Writing(file=file, title=title, front=given, sections=tuple(sections))


def readme_of(*texts: str | Writing, item: Any = None) -> ReadmeSource:
    return ReadmeSource(item=item or component_item(), writings=_writings(texts))


def guideline_of(
    *texts: str | Writing, item: FilesItem | None = None, access: Access | None = None
) -> GuidelineSource:
    return GuidelineSource(item=item or files_item(), writings=_writings(texts), access=access)


def _writings(texts: tuple[str | Writing, ...]) -> tuple[Writing, ...]:
    return tuple(
        text if isinstance(text, Writing) else writing_of(text, f"docs/{number}.md")
        for number, text in enumerate(texts, 1)
    )


class ProsePage:
    """A printed page of text, for asking what stands on it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.metadata = document.metadata
        self.html = document.content.decode()
        self.soup = BeautifulSoup(self.html, "html.parser")

    @property
    def main(self) -> Tag:
        assert self.soup.main is not None
        return self.soup.main

    @property
    def heading(self) -> str:
        (h1,) = self.soup.find_all("h1")
        return " ".join(h1.get_text().split())

    @property
    def text(self) -> str:
        return " ".join(self.main.get_text(" ").split())

    @property
    def outline(self) -> list[str]:
        """Every heading as `2 title`."""
        found = self.soup.find_all(["h1", "h2", "h3", "h4", "h5", "h6"])
        return [f"{tag.name[1]} {' '.join(tag.get_text().split())}" for tag in found]

    @property
    def facts(self) -> list[str]:
        return [" ".join(tag.get_text().split()) for tag in self.soup.select(".facts")]

    @property
    def links(self) -> list[str]:
        return [str(tag["href"]) for tag in self.soup.find_all("a", href=True)]

    @property
    def ids(self) -> list[str]:
        return [str(tag["id"]) for tag in self.soup.find_all(id=True)]


def pages_of(documents: tuple[Document, ...]) -> list[ProsePage]:
    return [ProsePage(document) for document in documents]


def words(html: str | Tag) -> Counter[str]:
    """How often each word stands in HTML, that above the characters of ruby included."""
    tree = html if isinstance(html, Tag) else BeautifulSoup(html, "html.parser")
    return Counter(" ".join(map(str, tree.find_all(string=True))).split())


def corpus_folders(kind: str) -> list[str]:
    """The folders of `guidelines` or `readmes` in the corpus; none where it is absent."""
    base = ROOT / kind
    return sorted(path.name for path in base.iterdir() if path.is_dir()) if base.is_dir() else []


def corpus_inputs(kind: str, folder: str) -> tuple[Inputs, tuple[str, ...]]:
    """The files below a folder of the corpus, and which of them are texts that are read."""
    base = ROOT / kind / folder
    files = {path.relative_to(base).as_posix(): path.read_bytes() for path in base.rglob("*") if path.is_file()}
    return Inputs(MemoryTree(files)), tuple(file for file in sorted(files) if file.endswith((".md", ".html")))


def assert_sound(pages: list[ProsePage]) -> None:
    """Ids are unique, outlines leave no level out, every link leads to a place or document that is there."""
    documents = {page.document.id for page in pages}
    assert len(documents) == len(pages)
    for page in pages:
        levels = [int(line[0]) for line in page.outline]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(below <= above + 1 for above, below in pairwise(levels))
        assert len(page.ids) == len(set(page.ids))
        for link in page.links:
            if link.startswith("#"):
                assert link[1:] in page.ids
            else:
                assert not link.startswith("writing:")
                assert not link.startswith(INDEX) or link.removeprefix(INDEX) in documents
