"""The pages of texts: framed, cut into parts where they are too large, and linked with one another.

A page is drafted by the renderer of its kind; what links lead to is filled in once all pages are cut.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import unescape

from hanpon.contracts.documents import Document, Metadata, Rendered, identify
from hanpon.contracts.editions import EVERY_API, EVERY_VERSION, Edition
from hanpon.contracts.findings import Finding, Place, Severity, in_order
from hanpon.contracts.texts import bounded
from renderers.labels import Labels, labels_of
from renderers.page import LONGEST_TITLE, Skeleton, encoded, one_line, text
from renderers.page_parts import MAX_PARTS, Limits, Lost, Part, Section, cut_into_parts
from renderers.prose_boxes import boxes_titled
from renderers.prose_links import Link, Places, Slots, findings_of
from renderers.prose_outline import identity_of, words_in
from renderers.schema_words import MARK, PARAGRAPH

LIMITS = Limits()

MOST_FURTHER_PARTS = 400
"""Of all pages of a source, beside their first parts."""

_ABOUT_LENGTH = 200

_PAGE = Skeleton(
    "prose.html", "page", ("language", "title", "about", "identity", "heading", "part", "facts", "sections")
)
_SECTION = Skeleton("prose.html", "section", ("identity", "title", "content"))
FACT = Skeleton("prose.html", "fact", ("content",))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A page before it is cut and linked."""

    edition: Edition
    logical_path: str
    metadata: Metadata
    heading: str
    """What stands in the h1: inline HTML."""
    anchor: str = ""
    """The id of the h1."""
    facts: str
    """What names the page's item and place, as blocks of HTML; it stands on every part."""
    sections: Sequence[Section]
    slots: Slots
    further: tuple[str, ...] = ()
    """Fragments that lead here though no element bears them."""


@dataclass(slots=True)
class Press:
    """Prints the drafts of one source. `places` may know documents beforehand that are no pages."""

    limits: Limits = LIMITS
    places: Places = field(default_factory=Places)
    findings: list[Finding] = field(default_factory=list)

    def rendered(self, drafts: Sequence[Draft]) -> Rendered:
        """All documents of these drafts in reading order, and what is to be said of them."""
        documents = in_reading_order(document for documents in self.print(drafts) for document in documents)
        return Rendered(documents, in_order(self.findings))

    def print(self, drafts: Sequence[Draft]) -> list[tuple[Document, ...]]:
        """The documents of each draft, one where it is not too large."""
        cut: list[tuple[Draft, list[Document]]] = []
        left = MOST_FURTHER_PARTS
        for draft in map(_with_titled_boxes, drafts):
            documents, lost = self._cut(draft, min(MAX_PARTS, left + 1))
            left -= len(documents) - 1
            for index, document in enumerate(documents):
                html, further = document.content.decode(), () if index else draft.further
                self.places.add(draft.slots.file, document.id, document.readers, html, further)
            self.findings += _losses(draft, len(documents), lost)
            cut.append((draft, documents))
        dangling: dict[str, list[Link]] = {}
        found = [tuple(self._linked(draft, documents, dangling)) for draft, documents in cut]
        for file, links in dangling.items():
            self.findings += findings_of(links, file)
        return found

    def _linked(self, draft: Draft, documents: list[Document], dangling: dict[str, list[Link]]) -> Iterator[Document]:
        for document in documents:
            html, links = self.places.fill(document.content.decode(), draft.slots, document.id)
            if links:
                dangling.setdefault(draft.slots.file, []).extend(links)
            yield replace(document, content=encoded(html))

    def _cut(self, draft: Draft, most_parts: int) -> tuple[list[Document], Lost]:
        labels = labels_of(draft.metadata.language)
        whole = _framed(draft, draft.sections, "")
        if self.limits.allow(whole):
            return [_document(draft, whole)], Lost()
        parts, lost = cut_into_parts("", draft.sections, self.limits, most_parts)
        if lost.rest:
            note = PARAGRAPH(MARK(text(labels["cut_text"])))
            parts[-1].pieces.append((Section("\x00left-out", "", ""), note))
        return list(_parts(draft, parts, labels)), lost


def _with_titled_boxes(draft: Draft) -> Draft:
    labels = labels_of(draft.metadata.language)
    return replace(draft, sections=[replace(one, html=boxes_titled(one.html, labels)) for one in draft.sections])


def _parts(draft: Draft, parts: Sequence[Part], labels: Labels) -> Iterator[Document]:
    count = len(parts)
    for index, part in enumerate(parts, 1):
        name = labels["part"].format(index=index, count=count) if count > 1 else ""
        yield _document(draft, _framed(draft, part.sections, name), index, name)


def _document(draft: Draft, content: bytes, index: int = 1, part: str = "") -> Document:
    """A part; all but the first have an id of their own and say which they are."""
    path, metadata = draft.logical_path, draft.metadata
    if index > 1:
        path += f"\tpart {index}"
        metadata = replace(metadata, title=f"{metadata.title} ({part})", section=f"{metadata.section} ({part})")
    identifier, slug = identify(draft.edition, metadata.doc_type, path)
    return Document(
        id=identifier,
        slug=slug,
        edition=draft.edition,
        metadata=metadata,
        readers=metadata.groups,
        content=content,
    )


def _framed(draft: Draft, sections: Iterable[Section], part: str) -> bytes:
    title = draft.metadata.title + (f" ({part})" if part else "")
    body = [
        _SECTION(identity_of(section.identity), section.title, section.html) if section.title else section.html
        for section in sections
    ]
    return encoded(
        _PAGE(
            text(draft.metadata.language),
            text(title),
            text(_about(body)),
            identity_of(draft.anchor),
            draft.heading,
            FACT(text(part)) + "\n" if part else "",
            draft.facts + "\n",
            "\n".join(body) + "\n",
        )
    )


def _about(body: Sequence[str]) -> str:
    """One line for the page's description: how its text begins."""
    beginning = "".join(body[:3])[: 10 * _ABOUT_LENGTH]
    line = one_line(unescape(words_in(beginning)))
    return line if len(line) <= _ABOUT_LENGTH else line[: _ABOUT_LENGTH - 1] + "…"


def _losses(draft: Draft, parts: int, lost: Lost) -> Iterator[Finding]:
    name = one_line(draft.metadata.section).replace("`", "'")[:100]
    place = Place(draft.slots.file)
    if lost.rest:
        message = f"`{name}` is too large even for many pages: the rest of it is on no page; divide the text"
        yield Finding("not-rendered", Severity.WARNING, place, message)
    if lost.addresses:
        message = f"`{name}` is so large that addresses of links were left out of it; divide the text"
        yield Finding("not-rendered", Severity.WARNING, place, message)
    if parts > 1:
        message = f"`{name}` is too large for one page and was cut into {parts} parts, each with an id of its own"
        yield Finding("not-rendered", Severity.INFO, place, message)


def holds_for(labels: Labels, api: str, version: str) -> str:
    """A line that says what a text holds for, as a block of HTML."""
    return FACT(text(labels["holds_for"].format(scope=scope_of(labels, api, version))))


def scope_of(labels: Labels, api: str, version: str) -> str:
    """What a text holds for, in words: plain text."""
    name = labels["every_api"] if api == EVERY_API else api
    if version == EVERY_VERSION:
        return name if api == EVERY_API else labels["every_version"].format(api=name)
    return labels["api_line"].format(title=name, version=version)


def named_edition(labels: Labels, title: str, version: str) -> str:
    """An item by its title and, where it has one, its version: plain text."""
    return title if version == EVERY_VERSION else labels["api_line"].format(title=title, version=version)


def titled(item: str, name: str) -> str:
    """The title of a page: the item's, and the page's own where that is another."""
    return bounded(one_line(item if name == item else f"{item}: {name}"), LONGEST_TITLE)


def in_reading_order(documents: Iterable[Document]) -> tuple[Document, ...]:
    """The documents with their places in lists."""
    return tuple(replace(document, position=position) for position, document in enumerate(documents))
